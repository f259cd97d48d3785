//! The status of objects.

use crd_cel::kubernetes::KubernetesVersion;

use super::definition::{Definition, Node};
use super::kind::{Example, Findings, Level, Lint};
use crate::go_types::{self, GoField, GoType};
use crate::model::JsonSchemaProps;
use crate::schemas;

/// A version with a status as it should be.
const WITH_STATUS: Example = Example::Version(
    "\
subresources: {status: {}}
schema:
  openAPIV3Schema:
    properties:
      status:
        description: The observed state.
        type: object
        properties:
          replicas: {type: integer, format: int32, description: The number of pods.}
",
);

/// A status with conditions as they should be.
pub(super) const WITH_CONDITIONS: Example = Example::Status(
    "\
conditions:
  description: The latest observations.
  type: array
  x-kubernetes-list-type: map
  x-kubernetes-list-map-keys: [type]
  items:
    type: object
    required: [lastTransitionTime, message, reason, status, type]
    properties:
      lastTransitionTime: {type: string, format: date-time, description: When the status changed.}
      message: {type: string, description: The details.}
      observedGeneration: {type: integer, format: int64, description: The generation observed.}
      reason: {type: string, description: The reason in one word.}
      status: {type: string, enum: ['True', 'False', Unknown], description: Whether it holds.}
      type: {type: string, description: The type of the condition.}
",
);

pub(super) const MISSING_STATUS_SUBRESOURCE: Lint = Lint {
    id: "missing_status_subresource",
    level: Level::Deny,
    finds: "a field `status` without the subresource",
    why: "Without the subresource, everyone who may write the spec writes the status too: `kubectl apply` and `kubectl \
          replace` reset what the controller has written, `metadata.generation` changes with each status, and writes to \
          `/status` fail with 404.",
    in_rust: "`#[crd(status = MyStatus)]` in place of a field `status`",
    in_yaml: "`subresources: {status: {}}` in the version",
    bad: Example::Version(
        "\
schema:
  openAPIV3Schema:
    properties:
      status:
        description: The observed state.
        type: object
        properties:
          replicas: {type: integer, format: int32, description: The number of pods.}
",
    ),
    good: WITH_STATUS,
    find: missing_status_subresource,
};

fn missing_status_subresource(definition: &Definition<'_>, findings: &mut Findings) {
    for node in definition.nodes.iter().filter(|node| node.value == "status") {
        if !schemas::has_status(node.version) {
            findings.at(
                node,
                "the subresource `status` is off, so that writes of the spec also write the status",
            );
        }
    }
}

pub(super) const MISSING_STATUS_SCHEMA: Lint = Lint {
    id: "missing_status_schema",
    level: Level::Deny,
    finds: "the subresource `status` without a field `status`",
    why: "The server prunes what the schema does not have. If the schema has no `status`, a write to `/status` succeeds \
          and stores nothing.",
    in_rust: "`#[crd(status = MyStatus)]`",
    in_yaml: "a property `status` in the schema",
    bad: Example::Version("subresources: {status: {}}\n"),
    good: WITH_STATUS,
    find: missing_status_schema,
};

fn missing_status_schema(definition: &Definition<'_>, findings: &mut Findings) {
    for node in definition.nodes.iter().filter(|node| node.is_root()) {
        let schema = node.schema;
        let has_field =
            schema.properties.as_ref().is_some_and(|fields| fields.contains_key("status"));
        let keeps = schema.x_preserve_unknown_fields == Some(true)
            || schema.additional_properties.is_some();
        if schemas::has_status(node.version) && !has_field && !keeps {
            findings.at(node, "the schema has no `status`, so the server prunes what is written to the subresource");
        }
    }
}

pub(super) const REQUIRED_STATUS: Lint = Lint {
    id: "required_status",
    level: Level::Deny,
    finds: "a required `status`",
    why: "With the subresource on, the server drops `status` from an object that is created, and then validates it. If \
          `status` is required, no object can be created.",
    in_rust: "`#[crd(status = MyStatus)]`, which never requires it; in a root of your own, an `Option`",
    in_yaml: "`status` removed from `required`",
    bad: Example::Version(
        "\
subresources: {status: {}}
schema:
  openAPIV3Schema:
    required: [status]
    properties:
      status:
        description: The observed state.
        type: object
        properties:
          replicas: {type: integer, format: int32, description: The number of pods.}
",
    ),
    good: WITH_STATUS,
    find: required_status,
};

fn required_status(definition: &Definition<'_>, findings: &mut Findings) {
    for node in definition.nodes.iter().filter(|node| node.value == "status") {
        let has_default = node.schema.default.is_some();
        if schemas::has_status(node.version) && node.is_required() && !has_default {
            findings.at(
                node,
                "`status` is required and dropped on creation, so no object can be created",
            );
        }
    }
}

pub(super) const REQUIRED_STATUS_FIELD: Lint = Lint {
    id: "required_status_field",
    level: Level::Allow,
    finds: "a required field of `status`",
    why: "Each write of the status must then have the field: a controller cannot report what it knows so far, and with \
          server-side apply, each of several controllers has to own it.",
    in_rust: "an `Option` with `#[serde(skip_serializing_if = \"Option::is_none\")]`, or `#[serde(default)]`",
    in_yaml: "the field removed from `required`",
    bad: Example::Version(
        "\
subresources: {status: {}}
schema:
  openAPIV3Schema:
    properties:
      status:
        description: The observed state.
        type: object
        required: [replicas]
        properties:
          replicas: {type: integer, format: int32, description: The number of pods.}
",
    ),
    good: WITH_STATUS,
    find: required_status_field,
};

fn required_status_field(definition: &Definition<'_>, findings: &mut Findings) {
    for node in definition.nodes.iter().filter(|node| node.is_in_status() && node.is_required()) {
        if node.name.is_some_and(|name| node.value == format!("status.{name}")) {
            findings.at(
                node,
                "the field of `status` is required, so that no write of the status can omit it",
            );
        }
    }
}

pub(super) const CONDITIONS_SHAPE: Lint = Lint {
    id: "conditions_shape",
    level: Level::Warn,
    finds: "`status.conditions` that are not a list of `Condition`s",
    why: "`kubectl wait`, Argo CD, kstatus and other tools read `status.conditions` of every kind as a list of \
          `meta/v1` `Condition`s, each with its own `type`.",
    in_rust: "`Vec<k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition>` with `#[crd(list_type = \"map\", \
              list_map_keys(\"type\"))]`",
    in_yaml: "items with the fields of `Condition`, of which `lastTransitionTime`, `message`, `reason`, `status` and \
              `type` are required, in a list of type `map` with the key `type`",
    bad: Example::Status(
        "\
conditions:
  description: The latest observations.
  type: array
  x-kubernetes-list-type: atomic
  items:
    type: object
    required: [type, status]
    properties:
      type: {type: string, description: The type of the condition.}
      status: {type: string, description: Whether it holds.}
",
    ),
    good: WITH_CONDITIONS,
    find: conditions_shape,
};

fn conditions_shape(definition: &Definition<'_>, findings: &mut Findings) {
    for node in definition.nodes.iter().filter(|node| node.value == "status.conditions") {
        let differences = differences(node);
        if !differences.is_empty() {
            let message = format!(
                "the conditions are not a list of `Condition`s: {}",
                differences.join("; ")
            );
            findings.at(node, message);
        }
    }
}

/// Returns what differs from a list of conditions. That it has no list type is left to [`super::lists`].
fn differences(node: &Node<'_>) -> Vec<String> {
    let Some(items) = node.items() else { return vec!["it is not a list".to_owned()] };
    let mut out = Vec::new();
    let keys: Vec<&str> = node.schema.x_list_map_keys.iter().flatten().map(|key| &**key).collect();
    match node.schema.x_list_type.as_deref() {
        Some("map") if keys != ["type"] => out.push("its key is not `type` alone".to_owned()),
        None | Some("map") => {}
        Some(other) => {
            out.push(format!("its list type is `{other}`, not `map` with the key `type`"));
        }
    }
    let Some(condition) = go_types::named("meta.v1.Condition") else { return out };
    let field = |name: &str| items.properties.as_ref().and_then(|fields| fields.get(name));
    let is_required = |name: &str| items.required.iter().flatten().any(|required| required == name);
    let names = |holds: &dyn Fn(&'static GoField) -> bool| {
        let fields = condition.fields(KubernetesVersion::REFERENCE.minor());
        fields
            .filter(|field| holds(field))
            .map(|field| format!("`{}`", field.name))
            .collect::<Vec<_>>()
    };
    let missing = names(&|it| it.is_required && field(it.name).is_none());
    let other =
        names(&|it| field(it.name).is_some_and(|field| field.type_ != json_type(&it.type_)));
    let optional = names(&|it| it.is_required && field(it.name).is_some() && !is_required(it.name));
    let verbs =
        [("has no", missing), ("has another type for", other), ("does not require", optional)];
    for (verb, fields) in verbs {
        if !fields.is_empty() {
            out.push(format!("an item {verb} {}", fields.join(", ")));
        }
    }
    out
}

/// Returns the type in JSON of a field of a condition.
fn json_type(type_: &'static GoType) -> &'static str {
    match type_.plain() {
        GoType::Int(_) => "integer",
        _ => "string",
    }
}

pub(super) const CLOSED_STATUS_ENUM: Lint = Lint {
    id: "closed_status_enum",
    level: Level::Allow,
    finds: "an enum in `status`, which cannot grow",
    why: "A controller that knows a new value cannot report it before the definition is upgraded, and not after a \
          rollback: the server rejects the whole status. Readers that know only the old values fail on the new one. In \
          `spec`, users choose a value; in `status`, an open string lets the list of values grow.",
    in_rust: "a `String` whose values the doc comment lists, or an enum with a variant `#[serde(other)]` and \
              `#[crd(schema_with = ..)]`",
    in_yaml: "no `enum`; the values in the description",
    bad: Example::Status(
        "mode: {type: string, enum: [Active, Standby], description: What the instance does.}\n",
    ),
    good: Example::Status(
        "mode: {type: string, description: 'What the instance does, such as `Active` or `Standby`.'}\n",
    ),
    find: closed_status_enum,
};

fn closed_status_enum(definition: &Definition<'_>, findings: &mut Findings) {
    for node in definition.nodes.iter().filter(|node| node.is_in_status()) {
        let is_closed =
            |schema: &JsonSchemaProps| schema.enum_.as_ref().is_some_and(|values| values.len() > 1);
        if node.is_a("string") && is_closed(node.schema) && !is_condition_status(node.schema) {
            findings.keyword(
                node,
                "enum",
                "the enum of a field of `status` cannot grow: an older definition rejects the new value",
            );
        }
    }
}

/// Returns whether the values are those of the `status` of a condition, which never change.
fn is_condition_status(schema: &JsonSchemaProps) -> bool {
    schema.enum_.iter().flatten().all(|value| {
        value.as_str().is_some_and(|value| matches!(value, "True" | "False" | "Unknown"))
    })
}

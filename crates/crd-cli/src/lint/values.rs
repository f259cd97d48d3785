//! Types, defaults and descriptions of values.

use super::definition::{Definition, is_of_kubernetes};
use super::kind::{Example, Findings, Level, Lint};

pub(super) const REQUIRED_DEFAULT: Lint = Lint {
    id: "required_default",
    level: Level::Warn,
    finds: "a required field with a default",
    why: "The server sets defaults before it validates, so that `required` never rejects a request. Those who read the \
          schema, and clients generated from it, take the field for one that users must write.",
    in_rust: "the default without `#[crd(required)]`",
    in_yaml: "the field removed from `required`",
    bad: Example::Version(
        "\
schema:
  openAPIV3Schema:
    properties:
      spec:
        required: [replicas]
        properties:
          replicas: {type: integer, format: int32, default: 1, description: The number of pods.}
",
    ),
    good: Example::Spec(
        "replicas: {type: integer, format: int32, default: 1, description: The number of pods.}\n",
    ),
    find: required_default,
};

fn required_default(definition: &Definition<'_>, findings: &mut Findings) {
    for node in &definition.nodes {
        let has_default = node.schema.default.as_ref().is_some_and(|default| !default.is_null());
        if has_default && node.is_required() {
            findings.keyword(
                node,
                "default",
                "the field has a default, so that `required` has no effect",
            );
        }
    }
}

pub(super) const NULLABLE_FIELD: Lint = Lint {
    id: "nullable_field",
    level: Level::Warn,
    finds: "a field that stores `null`",
    why: "`null` and an absent field are then two stored states, which most clients do not tell apart: a client in Go \
          writes none of them back, a default replaces an absent field and not `null`, and in a rule, `has()` is true \
          for `null`.",
    in_rust: "`#[serde(skip_serializing_if = \"Option::is_none\")]` on the `Option`, without `#[crd(nullable)]`",
    in_yaml: "no `nullable`: the server then drops `null`",
    bad: Example::Spec("host: {type: string, nullable: true, description: The host name.}\n"),
    good: Example::Spec("host: {type: string, description: The host name.}\n"),
    find: nullable_field,
};

fn nullable_field(definition: &Definition<'_>, findings: &mut Findings) {
    for node in definition.nodes.iter().filter(|node| node.schema.nullable && node.name.is_some()) {
        findings.keyword(
            node,
            "nullable",
            "the field stores `null`, which is not the same as an absent field",
        );
    }
}

pub(super) const MISSING_DESCRIPTION: Lint = Lint {
    id: "missing_description",
    level: Level::Warn,
    finds: "a field without a description",
    why: "`kubectl explain`, editors and reference pages show the description; without one, users read the source.",
    in_rust: "a doc comment",
    in_yaml: "`description`",
    bad: Example::Spec("host: {type: string}\n"),
    good: Example::Spec("host: {type: string, description: The host name.}\n"),
    find: missing_description,
};

fn missing_description(definition: &Definition<'_>, findings: &mut Findings) {
    for node in definition.nodes.iter().filter(|node| node.name.is_some()) {
        if node.schema.description.trim().is_empty() {
            findings.at(node, "the field has no description");
        }
    }
}

pub(super) const INTEGER_FORMAT: Lint = Lint {
    id: "integer_format",
    level: Level::Warn,
    finds: "an integer whose size is not known",
    why: "The format says which integers the field can hold: `int32` or `int64`. Without one, generated clients choose a \
          type of their own, and a number that it cannot hold is stored and breaks the client. The server knows no \
          unsigned formats and ignores them.",
    in_rust: "`i32` or `i64`, or `#[crd(minimum = .., maximum = ..)]`",
    in_yaml: "`format: int32`, `format: int64`, or both `minimum` and `maximum`",
    bad: Example::Spec("replicas: {type: integer, description: The number of pods.}\n"),
    good: Example::Spec(
        "replicas: {type: integer, format: int32, description: The number of pods.}\n",
    ),
    find: integer_format,
};

fn integer_format(definition: &Definition<'_>, findings: &mut Findings) {
    for node in definition.nodes.iter().filter(|node| node.is_a("integer")) {
        let schema = node.schema;
        let is_known = matches!(&*schema.format, "int32" | "int64");
        let is_bounded =
            schema.minimum.is_some() && schema.maximum.is_some() || schema.enum_.is_some();
        if is_known || is_bounded {
            continue;
        }
        match &*schema.format {
            "" => findings.at(node, "the integer has no format, `int32` or `int64`, and no bounds"),
            other => findings.keyword(
                node,
                "format",
                format!("the integer has the format `{other}`, which is neither `int32` nor `int64`, and no bounds"),
            ),
        }
    }
}

pub(super) const FLOAT_FIELD: Lint = Lint {
    id: "float_field",
    level: Level::Warn,
    finds: "a floating point number",
    why: "A float does not survive a round trip through every client: `0.1` may come back as `0.10000000000000001`, and \
          the controller sees a change. Equality in rules and in server-side apply suffers from it.",
    in_rust: "an integer in a smaller unit (`i32` of thousandths), or a `Quantity`",
    in_yaml: "`type: integer` in a smaller unit, or `x-kubernetes-int-or-string` with the pattern of quantities",
    bad: Example::Spec("ratio: {type: number, description: The share of requests.}\n"),
    good: Example::Spec(
        "ratioPercent: {type: integer, format: int32, description: The share of requests in percent.}\n",
    ),
    find: |definition, findings| {
        each(
            definition,
            findings,
            "number",
            "",
            "the number is a float, which clients may not read back as it was written",
        );
    },
};

pub(super) const BOOLEAN_FIELD: Lint = Lint {
    id: "boolean_field",
    level: Level::Allow,
    finds: "a boolean",
    why: "A boolean cannot grow: a third choice needs another field, and the two must be kept consistent. An enum can \
          get a third value.",
    in_rust: "an enum of unit variants",
    in_yaml: "`type: string` with `enum`",
    bad: Example::Spec("paused: {type: boolean, description: Whether nothing is done.}\n"),
    good: Example::Spec(
        "activity: {type: string, enum: [Running, Paused], description: Whether something is done.}\n",
    ),
    find: |definition, findings| {
        each(
            definition,
            findings,
            "boolean",
            "",
            "the field is a boolean, which cannot get a third value",
        );
    },
};

pub(super) const DURATION_FORMAT: Lint = Lint {
    id: "duration_format",
    level: Level::Allow,
    finds: "a string with the format `duration`",
    why: "Durations such as `1h30m` are a text of Go, which clients in other languages have to parse, and which has many \
          spellings of one value. The conventions of Kubernetes prefer an integer with its unit in the name.",
    in_rust: "an integer with its unit in the name, such as `timeout_seconds: i32`",
    in_yaml: "`type: integer`, with the unit in the name",
    bad: Example::Spec(
        "timeout: {type: string, format: duration, description: How long to wait.}\n",
    ),
    good: Example::Spec(
        "timeoutSeconds: {type: integer, format: int32, description: How long to wait.}\n",
    ),
    find: |definition, findings| {
        each(
            definition,
            findings,
            "string",
            "duration",
            "the duration is a text of Go; an integer with its unit in the name is not",
        );
    },
};

/// Adds a finding for each schema with a type and, if it is not empty, a format.
fn each(
    definition: &Definition<'_>,
    findings: &mut Findings,
    type_: &str,
    format: &str,
    message: &str,
) {
    for node in definition.nodes.iter().filter(|node| node.is_a(type_)) {
        if format.is_empty() || node.schema.format == format {
            findings.at(node, message);
        }
    }
}

pub(super) const MAP_OF_OBJECTS: Lint = Lint {
    id: "map_of_objects",
    level: Level::Warn,
    finds: "a map whose values are objects or lists",
    why: "The conventions of Kubernetes prefer a list of objects with names to a map. The name is then a field with a \
          description and a pattern, which the keys of a map cannot have, and a further key can be added later. With \
          the list type `map`, server-side apply merges the list as it merges a map.",
    in_rust: "`Vec<T>` with `#[crd(list_type = \"map\", list_map_keys(\"name\"))]`",
    in_yaml: "`type: array` with `x-kubernetes-list-type: map`",
    bad: Example::Spec(
        "\
pools:
  description: The pools by name.
  type: object
  additionalProperties:
    type: object
    required: [size]
    properties:
      size: {type: integer, format: int32, description: The number of workers.}
",
    ),
    good: Example::Spec(
        "\
pools:
  description: The pools.
  type: array
  x-kubernetes-list-type: map
  x-kubernetes-list-map-keys: [name]
  items:
    type: object
    required: [name, size]
    properties:
      name: {type: string, description: The name of the pool.}
      size: {type: integer, format: int32, description: The number of workers.}
",
    ),
    find: map_of_objects,
};

fn map_of_objects(definition: &Definition<'_>, findings: &mut Findings) {
    for node in &definition.nodes {
        let Some(values) = node.values() else { continue };
        if values.properties.is_some() && !is_of_kubernetes(values) || values.type_ == "array" {
            findings.keyword(
                node,
                "additionalProperties",
                "the values of the map are objects or lists; a list of type `map` has names and merges the same",
            );
        }
    }
}

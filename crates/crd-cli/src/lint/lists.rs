//! Lists.

use super::definition::{Definition, is_of_kubernetes};
use super::kind::{Example, Findings, Level, Lint};
use crate::model::{JsonSchemaProps, SchemaOrBool};

/// A list whose items are identified by a key.
const BY_NAME: Example = Example::Spec(
    "\
ports:
  description: The ports to open.
  type: array
  x-kubernetes-list-type: map
  x-kubernetes-list-map-keys: [name]
  items:
    type: object
    required: [name]
    properties:
      name: {type: string, description: The name of the port.}
",
);

pub(super) const MISSING_LIST_TYPE: Lint = Lint {
    id: "missing_list_type",
    level: Level::Warn,
    finds: "a list without a list type",
    why: "A list without `x-kubernetes-list-type` is atomic: with server-side apply, the last writer owns the whole list, \
          and two controllers that each add an item remove each other's. Rules with `oldSelf` below its items are \
          rejected, and ratcheting does not reach them. Another list type later changes who owns the items of stored \
          objects, so choose it now, also if it is `atomic`.",
    in_rust: "`#[crd(list_type = \"map\", list_map_keys(\"name\"))]` on a list of objects, `#[crd(list_type = \"set\")]` on \
              a list of distinct values, or `#[crd(list_type = \"atomic\")]`",
    in_yaml: "`x-kubernetes-list-type: map` with `x-kubernetes-list-map-keys`, `set`, or `atomic`",
    bad: Example::Spec(
        "\
ports:
  description: The ports to open.
  type: array
  items:
    type: object
    required: [name]
    properties:
      name: {type: string, description: The name of the port.}
",
    ),
    good: BY_NAME,
    find: missing_list_type,
};

fn missing_list_type(definition: &Definition<'_>, findings: &mut Findings) {
    for node in &definition.nodes {
        if node.is_a("array") && node.schema.x_list_type.is_none() {
            findings
                .at(node, "the list has no list type, so server-side apply replaces it as a whole");
        }
    }
}

pub(super) const SET_OF_OBJECTS: Lint = Lint {
    id: "set_of_objects",
    level: Level::Warn,
    finds: "a set whose items are objects",
    why: "Items of a set are identified by their whole value. Whoever changes one field of an object in the set removes \
          the object and adds another, and no one else can own a field of it. A list of type `map` identifies objects \
          by their keys.",
    in_rust: "`#[crd(list_type = \"map\", list_map_keys(\"name\"))]`",
    in_yaml: "`x-kubernetes-list-type: map` with `x-kubernetes-list-map-keys`",
    bad: Example::Spec(
        "\
ports:
  description: The ports to open.
  type: array
  x-kubernetes-list-type: set
  items:
    type: object
    x-kubernetes-map-type: atomic
    required: [name]
    properties:
      name: {type: string, description: The name of the port.}
",
    ),
    good: BY_NAME,
    find: set_of_objects,
};

fn set_of_objects(definition: &Definition<'_>, findings: &mut Findings) {
    for node in &definition.nodes {
        let is_set = node.schema.x_list_type.as_deref() == Some("set");
        if is_set && node.items().is_some_and(|items| items.type_ == "object") {
            findings.keyword(
                node,
                "x-kubernetes-list-type",
                "the items of the set are objects, which a list of type `map` identifies by their keys",
            );
        }
    }
}

pub(super) const EMPTY_ITEM: Lint = Lint {
    id: "empty_item",
    level: Level::Warn,
    finds: "a list whose items may be `{}`",
    why: "If no field of an item is required, `{}` is a valid item, and so is one whose only field is misspelled, because \
          the unknown field is pruned. A controller then has to decide what an item without content means.",
    in_rust: "a field that is not an `Option` and has no default, or `#[crd(at_least_one_of(..))]` or \
              `#[crd(exactly_one_of(..))]` on the type",
    in_yaml: "`required`, `minProperties: 1` or a rule on `items`",
    bad: Example::Spec(
        "\
ports:
  description: The ports to open.
  type: array
  x-kubernetes-list-type: atomic
  items:
    type: object
    properties:
      name: {type: string, description: The name of the port.}
",
    ),
    good: Example::Spec(
        "\
ports:
  description: The ports to open.
  type: array
  x-kubernetes-list-type: atomic
  items:
    type: object
    required: [name]
    properties:
      name: {type: string, description: The name of the port.}
",
    ),
    find: empty_item,
};

fn empty_item(definition: &Definition<'_>, findings: &mut Findings) {
    for node in &definition.nodes {
        let Some(items) = node.items() else { continue };
        let has_fields = items.properties.as_ref().is_some_and(|fields| !fields.is_empty());
        if has_fields && may_be_empty(items) && !is_of_kubernetes(items) {
            findings.keyword(
                node,
                "items",
                "no field of an item is required, so `{}` is a valid item",
            );
        }
    }
}

/// Returns whether an object may have no fields, as far as its schema says without its rules and junctors.
pub(super) fn may_be_empty(schema: &JsonSchemaProps) -> bool {
    let is_open = schema.x_preserve_unknown_fields == Some(true)
        || matches!(schema.additional_properties, Some(SchemaOrBool::Bool(true)));
    let requires =
        |schema: &JsonSchemaProps| schema.required.as_ref().is_some_and(|it| !it.is_empty());
    let has_more = schema.x_validations.is_some()
        || schema.all_of.is_some()
        || schema.any_of.is_some()
        || schema.one_of.is_some()
        || schema.not.is_some();
    let has_bound = schema.min_properties.is_some_and(|least| least > 0);
    schema.type_ == "object"
        && !(is_open || schema.x_embedded_resource || has_more || has_bound || requires(schema))
}

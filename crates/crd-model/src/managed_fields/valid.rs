//! Checks that a value matches a schema type. The server can only determine the owners of the fields of such values.
//!
//! Source: structured-merge-diff `typed/validate.go`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde_json::Value;

use super::element::Element;
use super::granularity::{FieldDeclared, Ownership, PlaceType};
use super::items::key_of;
use crate::model::{JsonSchemaProps, SchemaOrBool};

/// Returns whether a value matches the type. Lists with duplicate items do not.
pub(super) fn is_valid(ty: PlaceType<'_>, value: &Value) -> bool {
    is_of_type(ty, value, false)
}

/// Returns whether a value matches the type, where lists may have duplicate items. Source: `AllowDuplicates`.
pub(super) fn is_typed(ty: PlaceType<'_>, value: &Value) -> bool {
    is_of_type(ty, value, true)
}

fn is_of_type(ty: PlaceType<'_>, value: &Value, allows_duplicates: bool) -> bool {
    let is_valid = |ty, value| is_of_type(ty, value, allows_duplicates);
    match value {
        Value::Null => true,
        Value::Object(map) => {
            ty.may_be("object")
                && map.iter().all(|(name, value)| {
                    let member = ty.field(name);
                    (member.declared != FieldDeclared::Not || ty.takes_undeclared())
                        && is_valid(member.ty, value)
                })
        }
        Value::Array(list) => {
            ty.may_be("array")
                && are_named(ty.ownership(value), list, allows_duplicates)
                && list.iter().all(|item| is_valid(ty.items(), item))
        }
        Value::Bool(_) => ty.may_be("boolean"),
        Value::Number(_) => ty.may_be("number"),
        Value::String(_) => ty.may_be("string"),
    }
}

/// Returns whether a path can name each item of a list, and whether the names differ, unless `allows_duplicates`.
fn are_named(ownership: Ownership<'_>, list: &[Value], allows_duplicates: bool) -> bool {
    if !matches!(ownership, Ownership::Set(_) | Ownership::Map(..)) {
        return true;
    }
    let mut seen = BTreeSet::new();
    list.iter().all(|item| {
        ownership.element(item).is_some_and(|element| seen.insert(element) || allows_duplicates)
    })
}

/// Returns the messages of structured-merge-diff for a value that does not match the type. Each begins with the path.
///
/// Source: `typed/validate.go` and `typed/helpers.go`.
pub(super) fn problems(ty: PlaceType<'_>, value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    add_problems(ty, value, ValuePath::Root, true, &mut found);
    found
}

/// Returns the messages of [`problems`] except those about duplicate items in lists, which the server accepts in stored
/// objects.
pub(super) fn problems_except_duplicates(ty: PlaceType<'_>, value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    add_problems(ty, value, ValuePath::Root, false, &mut found);
    found
}

const NUMERIC: &str = "numeric (int or float)";
const STRING: &str = "string";

/// The path of a value. It is written only if the value does not match its type.
#[derive(Clone, Copy)]
enum ValuePath<'a> {
    Root,
    Field(&'a Self, &'a str),
    Index(&'a Self, usize),
    Item(&'a Self, &'a Element),
}

impl fmt::Display for ValuePath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root => Ok(()),
            Self::Field(above, name) => write!(f, "{above}.{name}"),
            Self::Index(above, index) => write!(f, "{above}[{index}]"),
            Self::Item(above, element) => write!(f, "{above}{element}"),
        }
    }
}

fn add_problems(
    ty: PlaceType<'_>,
    value: &Value,
    at: ValuePath<'_>,
    reports_duplicates: bool,
    found: &mut Vec<String>,
) {
    let mut expected = |what: &str| {
        let shown = match what {
            STRING => {
                format!("&value.valueUnstructured{{Value:{}}}", crate::json::to_go_syntax(value))
            }
            NUMERIC => crate::json::go_type(value).to_owned(),
            _ => format!("&{{{}}}", crate::json::to_go_v(value)),
        };
        found.push(format!("{at}: expected {what}, got {shown}"));
    };
    let json_type = match value {
        Value::Null => return,
        Value::Object(_) => "object",
        Value::Array(_) => "array",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
    };
    if !ty.may_be(json_type) {
        let PlaceType::Schema { schema, .. } = ty else { return };
        return match schema.type_.as_str() {
            "object" => expected("map"),
            "array" => expected("list"),
            "integer" | "number" => expected(NUMERIC),
            "boolean" => expected("boolean"),
            _ if is_any_scalar(schema) => expected("any scalar"),
            _ => expected(STRING),
        };
    }
    match value {
        Value::Object(map) => {
            for (name, value) in map {
                let member = ty.field(name);
                let at = ValuePath::Field(&at, name);
                if member.declared == FieldDeclared::Not && !ty.takes_undeclared() {
                    found.push(format!("{at}: field not declared in schema"));
                } else {
                    add_problems(member.ty, value, at, reports_duplicates, found);
                }
            }
        }
        Value::Array(list) => {
            let ownership = ty.ownership(value);
            let mut seen = BTreeSet::new();
            for (index, item) in list.iter().enumerate() {
                let element;
                let mut here = ValuePath::Index(&at, index);
                if matches!(ownership, Ownership::Set(_) | Ownership::Map(..)) {
                    let Some(known) = ownership.element(item) else {
                        found.push(format!(
                            "{at}: element {index}: {}",
                            why_no_item(ownership, item)
                        ));
                        // Upstream: the items after it are not checked.
                        return;
                    };
                    element = known;
                    here = ValuePath::Item(&at, &element);
                    if !seen.insert(element.clone()) && reports_duplicates {
                        found.push(format!("{at}: duplicate entries for key {element}"));
                    }
                }
                add_problems(ty.items(), item, here, reports_duplicates, found);
            }
        }
        _ => {}
    }
}

/// Returns whether a schema of strings matches any scalar: it has a format other than `byte`.
///
/// Source: kube-openapi `pkg/schemaconv`, `convertPrimitive`.
fn is_any_scalar(schema: &JsonSchemaProps) -> bool {
    !matches!(schema.format.as_str(), "" | "byte")
}

/// Returns the reason why a path cannot name an item. Source: `listItemToPathElement` of `typed/helpers.go`.
fn why_no_item(ownership: Ownership<'_>, item: &Value) -> String {
    let why = match (ownership, item) {
        (Ownership::Map(..), Value::Null) => {
            "associative list with keys may not have a null element"
        }
        (Ownership::Map(keys, _), Value::Object(_)) => {
            let keys: Vec<String> = keys.iter().map(|key| crd_cel::gofmt::quote(key)).collect();
            return format!(
                "associative list with keys has an element that omits all key fields [{}] (and doesn't have default \
                 values for any key fields)",
                keys.join(" ")
            );
        }
        (Ownership::Map(..), _) => "associative list with keys may not have non-map elements",
        (_, Value::Object(_)) => "associative list without keys has an element that's a map type",
        (_, Value::Array(_)) => "not supported: associative list with lists as elements",
        _ => "associative list without keys has an element that's an explicit null",
    };
    why.to_owned()
}

impl PlaceType<'_> {
    /// Returns whether values of a JSON type match this type.
    ///
    /// Source: kube-openapi `pkg/schemaconv`, `parseSchema`.
    fn may_be(self, json_type: &str) -> bool {
        let Self::Schema { schema, .. } = self else { return true };
        match schema.type_.as_str() {
            "" => true,
            "integer" => json_type == "number",
            "string" if is_any_scalar(schema) => {
                matches!(json_type, "string" | "number" | "boolean")
            }
            declared => declared == json_type,
        }
    }

    /// Returns whether fields that the schema does not declare are allowed.
    fn takes_undeclared(self) -> bool {
        let Self::Schema { schema, open, .. } = self else { return true };
        match &schema.additional_properties {
            None => open || schema.properties.as_ref().is_none_or(BTreeMap::is_empty),
            Some(SchemaOrBool::Bool(any)) => *any,
            Some(SchemaOrBool::Schema(_)) => true,
        }
    }
}

impl Ownership<'_> {
    /// Returns the path element of an item of a list of this kind; `None` if a path cannot name the item.
    pub(super) fn element(self, item: &Value) -> Option<Element> {
        match (self, item) {
            (Self::Map(keys, items), _) => key_of(item, keys, items).ok(),
            (Self::Set(_), Value::String(_) | Value::Number(_) | Value::Bool(_)) => {
                Some(Element::item(item))
            }
            _ => None,
        }
    }
}

//! Whether the derive can follow a JSON path through a schema. A path that it cannot follow is written `unchecked`.

use serde_json::Value;

use super::keywords::Schema;

/// The end of a path.
enum End<'a> {
    Schema(&'a Schema),
    /// A value of which the schema says nothing.
    Any,
}

/// Returns whether a column of this type shows what the path leads to.
pub(super) fn shows(root: &Schema, path: &str, column_type: &str) -> bool {
    let Some(end) = follow(root, path) else { return false };
    let End::Schema(schema) = end else { return true };
    let text = |name: &str| schema.get(name).and_then(Value::as_str).unwrap_or_default();
    match (column_type, text("type")) {
        (_, "")
        | ("string", _)
        | ("integer" | "number", "integer" | "number")
        | ("boolean", "boolean") => true,
        ("date", "string") => text("format") == "date-time",
        _ => false,
    }
}

/// Returns whether the path of a scale subresource leads to a value of this type.
pub(super) fn leads_to(root: &Schema, path: &str, wanted: &str) -> bool {
    match follow(root, path) {
        Some(End::Any) => true,
        Some(End::Schema(schema)) => {
            let found = schema.get("type").and_then(Value::as_str).unwrap_or_default();
            found.is_empty() || found == wanted
        }
        None => false,
    }
}

fn follow<'a>(root: &'a Schema, path: &str) -> Option<End<'a>> {
    let mut rest = path.strip_prefix('.')?;
    // Each object has these, whatever its schema says of them.
    let common =
        ["apiVersion", "kind", "metadata.name", "metadata.namespace", "metadata.creationTimestamp"];
    if common.contains(&rest) {
        return Some(End::Any);
    }
    let mut schema = root;
    while !rest.is_empty() {
        let end = rest.find(['.', '[']).unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        rest = after;
        if !name.is_empty() {
            if !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-') {
                return None;
            }
            match field(schema, name)? {
                End::Schema(next) => schema = next,
                End::Any => return Some(End::Any),
            }
        }
        while let Some(index) = rest.strip_prefix('[') {
            let (index, after) = index.split_once(']')?;
            let condition = index
                .strip_prefix("?(@.")
                .map(|it| it.chars().take_while(char::is_ascii_alphanumeric).collect::<String>());
            let is_index = index == "*"
                || (!index.is_empty() && index.bytes().all(|byte| byte.is_ascii_digit()));
            schema = schema.get("items")?.as_object()?;
            match condition {
                Some(name) => {
                    field(schema, &name)?;
                }
                None if is_index => {}
                None => return None,
            }
            rest = after;
        }
        rest = match rest.strip_prefix('.') {
            Some(after) if !after.is_empty() => after,
            None if rest.is_empty() => rest,
            Some(_) | None => return None,
        };
    }
    Some(End::Schema(schema))
}

fn field<'a>(schema: &'a Schema, name: &str) -> Option<End<'a>> {
    let property = schema.get("properties").and_then(|properties| properties.get(name));
    if let Some(property) = property.and_then(Value::as_object) {
        return Some(End::Schema(property));
    }
    let keeps = schema.get("x-kubernetes-preserve-unknown-fields") == Some(&Value::Bool(true));
    match schema.get("additionalProperties") {
        Some(Value::Object(values)) => Some(End::Schema(values)),
        Some(Value::Bool(true)) => Some(End::Any),
        _ => keeps.then_some(End::Any),
    }
}

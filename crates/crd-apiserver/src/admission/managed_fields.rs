//! Managed fields that mutating webhooks have changed.
//!
//! Source: `pkg/endpoints/handlers/fieldmanager/admission.go` of k8s.io/apiserver, and `DecodeManagedFields` of
//! apimachinery's `pkg/util/managedfields/internal/managedfields.go`.

use crd_cel::gofmt::quote;
use serde_json::Value;

use super::super::metadata;
use crate::managed_fields::FieldSet;

/// Restores the managed fields that an object had `before` webhooks changed it, if the changed ones are malformed. Then
/// returns the warning for the client.
pub(super) fn restore(object: &mut Value, before: Option<Value>) -> Option<String> {
    let entries = metadata::of(object)?.get("managedFields")?.as_array()?;
    let why = entries.iter().enumerate().find_map(|(index, entry)| problem(index, entry))?;
    metadata::set(metadata::of_mut(object), "managedFields", before);
    Some(format!(
        ".metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating \
         admission controller; please fix your requests: {why}"
    ))
}

/// Returns why an entry cannot be decoded.
fn problem(index: usize, entry: &Value) -> Option<String> {
    let text = |key: &str| entry.get(key).and_then(Value::as_str).unwrap_or_default();
    if !matches!(text("operation"), "Apply" | "Update") {
        return Some("operation must be `Apply` or `Update`".to_owned());
    }
    if text("apiVersion").is_empty() {
        return Some("apiVersion must not be empty".to_owned());
    }
    match text("fieldsType") {
        "FieldsV1" => {}
        "" => return Some(format!("missing fieldsType in managed fields entry {index}")),
        other => {
            let other = quote(other);
            return Some(format!("invalid fieldsType {other} in managed fields entry {index}"));
        }
    }
    let fields = entry.get("fieldsV1").filter(|fields| !fields.is_null())?;
    // Upstream: the text also shows the entry as Go prints a struct.
    FieldSet::parse(fields).err().map(|error| format!("error decoding versioned set: {error}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn malformed_entries_are_replaced_by_the_former_ones() {
        let valid = json!({
            "manager": "a", "operation": "Update", "apiVersion": "v1", "fieldsType": "FieldsV1",
            "fieldsV1": {"f:data": {}},
        });
        let check = |key: &str, value: Value, want: &str| {
            let mut entry = valid.clone();
            entry[key] = value;
            let mut object = json!({"metadata": {"managedFields": [valid, entry]}});
            let warning = restore(&mut object, Some(json!([valid])));
            let why = warning.as_deref().and_then(|it| it.split_once("your requests: "));
            assert_eq!(why.map_or("", |(_, why)| why), want);
            let count = if want.is_empty() { 2 } else { 1 };
            let kept = object["metadata"]["managedFields"].as_array().map(Vec::len);
            assert_eq!(kept, Some(count), "{key}");
        };
        check("manager", "b".into(), "");
        check("operation", "bad".into(), "operation must be `Apply` or `Update`");
        check("apiVersion", "".into(), "apiVersion must not be empty");
        check("fieldsType", "".into(), "missing fieldsType in managed fields entry 1");
        check("fieldsType", "V2".into(), "invalid fieldsType \"V2\" in managed fields entry 1");
        let mut without = json!({"metadata": {"managedFields": [{"operation": "bad"}]}});
        assert!(restore(&mut without, None).is_some());
        assert_eq!(without, json!({"metadata": {}}));
    }
}

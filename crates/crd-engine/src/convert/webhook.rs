//! The response of a conversion webhook to the review of one object, as the API server reads it.
//!
//! Source: `pkg/apiserver/conversion/webhook_converter.go` of apiextensions-apiserver.

use crd_cel::gofmt::quote;
use serde_json::{Map, Value, json};

use crate::field::{Path, Sink};
use crate::{json, object_meta};

/// The API group of `ConversionReview`.
const GROUP: &str = "apiextensions.k8s.io";

/// The request for the conversion of an object by a webhook.
#[derive(Debug, Clone, Copy)]
pub struct WebhookRequest<'a> {
    /// The version of the review: `v1` or `v1beta1`.
    pub review: &'a str,
    /// The identifier of the request, which the response repeats.
    pub uid: &'a str,
    /// The object.
    pub object: &'a Value,
    /// The `apiVersion` to convert to.
    pub to: &'a str,
}

impl WebhookRequest<'_> {
    /// Returns the `ConversionReview` to send.
    pub fn to_value(&self) -> Value {
        json!({
            "kind": "ConversionReview", "apiVersion": format!("{GROUP}/{}", self.review),
            "request": {"uid": self.uid, "desiredAPIVersion": self.to, "objects": [self.object]},
        })
    }

    /// Returns the converted object in the reply of a webhook, with the metadata of the original except for labels and
    /// annotations. `reply` is an error if there is none. Source: `webhookConverter.Convert`.
    ///
    /// # Errors
    /// Returns the message of the server if there is no reply, if it reports a failure, or if it is not a response to
    /// this request with one object of the version, the kind, the name, the namespace and the UID.
    pub fn converted(&self, reply: Result<Value, String>) -> Result<Value, String> {
        let of = kind_of(self.object);
        let objects = reply.and_then(|reply| objects(&reply, self.review, self.uid));
        let objects =
            objects.map_err(|why| format!("conversion webhook for {of} failed: {why}"))?;
        let count = objects.len();
        let mut objects = objects.into_iter();
        let (Some(converted), true) = (objects.next(), count == 1) else {
            return Err(format!(
                "conversion webhook for {of} returned {count} objects, expected 1"
            ));
        };
        verify(self.object, object_of(converted)?, self.to, &of)
    }

    /// Checks the result of a converter as [`WebhookRequest::converted`] does that of a webhook.
    ///
    /// # Errors
    /// Returns the error of the converter, or why its object is invalid.
    pub fn verified(&self, converted: Result<Value, String>) -> Result<Value, String> {
        let of = kind_of(self.object);
        let converted =
            converted.map_err(|why| format!("conversion webhook for {of} failed: {why}"))?;
        verify(self.object, converted, self.to, &of)
    }
}

/// Returns a converted object, unless it is not one.
///
/// Source: `getRawExtensionObject`, and `Unstructured.UnmarshalJSON` of apimachinery.
fn object_of(converted: Value) -> Result<Value, String> {
    match &converted {
        Value::Object(map) if map.get("kind").and_then(Value::as_str).is_none_or(str::is_empty) => {
            Err(format!("Object 'Kind' is missing in '{}'", json::to_go_string(&converted)))
        }
        Value::Object(_) => Ok(converted),
        // Upstream: null in a list of raw values has no text.
        Value::Null => Err("unexpected end of JSON input".to_owned()),
        other => Err(format!(
            "json: cannot unmarshal {} into Go value of type map[string]interface {{}}",
            json::kind(other)
        )),
    }
}

/// Returns the kind of an object as Go prints it: `example.com/v1, Kind=Job`.
fn kind_of(object: &Value) -> String {
    let text = |key: &str| object.get(key).and_then(Value::as_str).unwrap_or_default();
    let version = text("apiVersion");
    let version = if version.is_empty() { "/" } else { version };
    format!("{version}, Kind={}", text("kind"))
}

/// Returns the error of Go's decoder for a type that it does not know.
fn not_registered(kind: &str, version: &str) -> String {
    let (kind, version) = (quote(kind), quote(version));
    format!(
        "no kind {kind} is registered for version {version} in scheme \"pkg/runtime/scheme.go:111\""
    )
}

/// Returns the converted objects of a review. Source: `getConvertedObjectsFromResponse`.
fn objects(reply: &Value, version: &str, uid: &str) -> Result<Vec<Value>, String> {
    let expected = format!("{GROUP}/{version}, Kind=ConversionReview");
    // Upstream: the codec decodes what its scheme has, and takes what the reply does not say from the expected type.
    let text = |key: &str| reply.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
    let kind = text("kind").unwrap_or("ConversionReview");
    let found = text("apiVersion").map_or_else(|| format!("{GROUP}/{version}"), str::to_owned);
    let other = match (&*found, kind) {
        ("v1", "Status") => Some("v1.Status".to_owned()),
        (_, "ConversionReview") => match found.strip_prefix(GROUP) {
            Some(found) if found.strip_prefix('/') == Some(version) => None,
            Some("/v1") => Some("v1.ConversionReview".to_owned()),
            Some("/v1beta1") => Some("v1beta1.ConversionReview".to_owned()),
            _ => return Err(not_registered(kind, &found)),
        },
        _ => return Err(not_registered(kind, &found)),
    };
    if let Some(other) = other {
        return Err(format!(
            "converting ({other}) to ({version}.ConversionReview): unknown conversion"
        ));
    }
    if version == "v1" && kind_of(reply) != expected {
        return Err(format!("expected webhook response of {expected}, got {}", kind_of(reply)));
    }
    let Some(response) = reply.get("response").filter(|response| response.is_object()) else {
        return Err("no response provided".to_owned());
    };
    let text = |at: &str| response.pointer(at).and_then(Value::as_str).unwrap_or_default();
    if version == "v1" && text("/uid") != uid {
        return Err(format!("expected response.uid={}, got {}", quote(uid), quote(text("/uid"))));
    }
    if text("/result/status") != "Success" {
        let message = text("/result/message");
        return Err(if message.is_empty() {
            format!("response.result.status was '{}', not 'Success'", text("/result/status"))
        } else {
            message.to_owned()
        });
    }
    let objects = response.get("convertedObjects").and_then(Value::as_array);
    Ok(objects.cloned().unwrap_or_default())
}

/// Checks that a converted object has the version `to` and the identity of the original, and restores its metadata.
fn verify(original: &Value, converted: Value, to: &str, of: &str) -> Result<Value, String> {
    let text = |object: &Value, at: &str| {
        object.pointer(at).and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let invalid =
        |why: String| format!("conversion webhook for {of} returned invalid object: {why}");
    let version = text(&converted, "/apiVersion");
    if version != to {
        return Err(format!(
            "conversion webhook for {of} returned invalid object at index 0: invalid groupVersion (expected {to}, received \
             {version})"
        ));
    }
    let (expected, kind) = (text(original, "/kind"), text(&converted, "/kind"));
    if expected != kind {
        return Err(format!(
            "conversion webhook for {of} returned invalid object at index 0: invalid kind (expected {expected}, received \
             {kind})"
        ));
    }
    for (name, at) in
        [("name", "/metadata/name"), ("namespace", "/metadata/namespace"), ("UID", "/metadata/uid")]
    {
        let (expected, found) = (text(original, at), text(&converted, at));
        if expected != found {
            return Err(invalid(format!("must have the same {name}: {expected} != {found}")));
        }
    }
    restore_metadata(original, converted)
        .map_err(|why| format!("conversion webhook for {of} returned invalid metadata: {why}"))
}

/// Returns the converted object with the metadata of the original, except for labels and annotations.
/// Source: `restoreObjectMeta`.
fn restore_metadata(original: &Value, mut converted: Value) -> Result<Value, String> {
    let go_type = json::go_type;
    let Some(found) = converted.get_mut("metadata").map(Value::take) else {
        return Err("missing metadata in converted object".to_owned());
    };
    let Value::Object(mut found) = found else {
        return Err(format!("invalid metadata of type {} in converted object", go_type(&found)));
    };
    let mut metadata = match original.get("metadata") {
        Some(Value::Object(metadata)) => metadata.clone(),
        _ => Map::new(),
    };
    for field in ["labels", "annotations"] {
        let entries = match found.remove(field) {
            None | Some(Value::Null) => {
                metadata.remove(field);
                continue;
            }
            Some(Value::Object(entries)) => entries,
            Some(other) => {
                let type_ = go_type(&other);
                return Err(format!(
                    "invalid metadata.{field} of type {type_} in converted object"
                ));
            }
        };
        if let Some((key, value)) = entries.iter().find(|(_, value)| !value.is_string()) {
            let type_ = go_type(value);
            return Err(format!(
                "metadata.{field}[{key}] must be a string, but is {type_} in converted object"
            ));
        }
        if metadata.get(field).and_then(Value::as_object) != Some(&entries) {
            check(field, &entries)?;
        }
        metadata.insert(field.to_owned(), entries.into());
    }
    if let Value::Object(map) = &mut converted {
        map.insert("metadata".to_owned(), metadata.into());
    }
    Ok(converted)
}

/// Checks that labels or annotations are valid.
fn check(field: &str, entries: &Map<String, Value>) -> Result<(), String> {
    let mut errors = Sink::new();
    let mut metadata = Map::new();
    metadata.insert(field.to_owned(), entries.clone().into());
    if field == "labels" {
        object_meta::validate_labels(&metadata, &Path::new("metadata"), &mut errors);
    } else {
        object_meta::validate_annotations(&metadata, &Path::new("metadata"), &mut errors);
    }
    let errors = errors.into_errors();
    // Upstream: the path is `metadata.annotation`, in the singular.
    let text = errors.to_string().replace("metadata.annotations", "metadata.annotation");
    if errors.is_empty() { Ok(()) } else { Err(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(metadata: &Value) -> Value {
        json!({"apiVersion": "example.com/v2", "kind": "Job", "metadata": metadata})
    }

    #[track_caller]
    fn check(original: &Value, converted: &Value, want: &Result<Value, &str>) {
        let mut from = job(original);
        from["apiVersion"] = "example.com/v1".into();
        let found = verify(&from, job(converted), "example.com/v2", "X");
        let found = found.map(|object| object["metadata"].clone());
        let want = want.clone().map_err(str::to_owned);
        assert_eq!(found, want, "{converted}");
    }

    #[test]
    fn only_labels_and_annotations_change() {
        let original = json!({"name": "a", "uid": "u", "labels": {"x": "1"}, "generation": 3});
        let converted = json!({"name": "a", "uid": "u", "labels": {"x": "2"}, "generation": 9});
        let want = json!({"name": "a", "uid": "u", "labels": {"x": "2"}, "generation": 3});
        check(&original, &converted, &Ok(want));
        let without = json!({"name": "a", "uid": "u", "generation": 3});
        check(&original, &json!({"name": "a", "uid": "u"}), &Ok(without));
    }

    #[test]
    fn another_object_is_rejected() {
        let original = json!({"name": "a", "uid": "u"});
        for (converted, want) in [
            (
                json!({"name": "b", "uid": "u"}),
                "conversion webhook for X returned invalid object: must have the same name: a != b",
            ),
            (
                json!({"name": "a"}),
                "conversion webhook for X returned invalid object: must have the same UID: u != ",
            ),
            (
                json!({"name": "a", "uid": "u", "labels": {"x": 1}}),
                "conversion webhook for X returned invalid metadata: metadata.labels[x] must be a string, but is int64 in \
                 converted object",
            ),
            (
                json!({"name": "a", "uid": "u", "labels": []}),
                "conversion webhook for X returned invalid metadata: invalid metadata.labels of type []interface {} in \
                 converted object",
            ),
        ] {
            check(&original, &converted, &Err(want));
        }
    }
}

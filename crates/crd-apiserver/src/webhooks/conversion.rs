//! Converts objects by calling the conversion webhook of their definition.
//!
//! Source: `pkg/apiserver/conversion/webhook_converter.go` of apiextensions-apiserver.

use std::time::Duration;

use crd_cel::gofmt::quote;
use serde_json::{Map, Value, json};

use super::super::failure::{Answer, Failure};
use super::{Address, WebhookCalls};
use crate::field::{Path, Sink};
use crate::model::Conversion;
use crate::{json, object_meta};

/// The timeout of a conversion. Source: `defaultRequestTimeout` of `k8s.io/apiserver/pkg/util/webhook`.
const TIMEOUT: Duration = Duration::from_secs(30);
/// The API group of `ConversionReview`.
const GROUP: &str = "apiextensions.k8s.io";

/// The conversion webhook of a definition.
#[derive(Debug, Clone)]
pub(in super::super) struct WebhookConversion {
    address: Result<Address, String>,
    /// The first version in `conversionReviewVersions` that the server supports.
    review_version: Option<&'static str>,
    webhook_calls: WebhookCalls,
}

impl WebhookConversion {
    pub(in super::super) fn new(conversion: &Conversion, webhook_calls: &WebhookCalls) -> Self {
        let webhook = conversion.webhook.as_ref();
        let config = webhook.and_then(|webhook| serde_json::to_value(&webhook.client_config).ok());
        let versions = webhook.map_or(&[][..], |webhook| &webhook.conversion_review_versions);
        let known = |version: &String| ["v1", "v1beta1"].into_iter().find(|known| known == version);
        Self {
            address: Address::of(&config.unwrap_or_default()),
            review_version: versions.iter().find_map(known),
            webhook_calls: webhook_calls.clone(),
        }
    }

    /// Converts an object to another version. Source: `webhookConverter.Convert`.
    ///
    /// # Errors
    /// Returns the server's error if the webhook fails or its response is invalid; or the errors of
    /// [`WebhookCalls::ask`].
    pub(in super::super) fn convert(&self, object: &Value, to: &str) -> Answer<Value> {
        let Some(version) = self.review_version else {
            return Err(Failure::bare("no supported conversion review versions"));
        };
        let of = kind_of(object);
        let failed =
            |why: String| Failure::bare(format!("conversion webhook for {of} failed: {why}"));
        let address = self.address.as_ref().map_err(|why| failed(why.clone()))?;
        let review = json!({
            "kind": "ConversionReview", "apiVersion": format!("{GROUP}/{version}"),
            "request": {"uid": "", "desiredAPIVersion": to, "objects": [object]},
        });
        let (uid, reply) = self.webhook_calls.ask("", address, &review, TIMEOUT)?;
        let objects = reply.and_then(|reply| objects(&reply, version, &uid)).map_err(failed)?;
        let count = objects.len();
        let mut objects = objects.into_iter();
        let (Some(converted), true) = (objects.next(), count == 1) else {
            let text = format!("conversion webhook for {of} returned {count} objects, expected 1");
            return Err(Failure::bare(text));
        };
        let converted = object_of(converted).map_err(Failure::bare)?;
        verify(object, converted, to, &of).map_err(Failure::bare)
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

/// Checks the result of a converter of this process as the response of a webhook.
///
/// # Errors
/// Returns the errors of [`WebhookConversion::convert`].
pub(in super::super) fn verify_in_process(
    object: &Value,
    converted: Result<Value, String>,
    to: &str,
) -> Answer<Value> {
    let of = kind_of(object);
    let converted = converted
        .map_err(|why| Failure::bare(format!("conversion webhook for {of} failed: {why}")))?;
    verify(object, converted, to, &of).map_err(Failure::bare)
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

//! Answers the requests that the API server sends to a conversion webhook.

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::{Value, json};

use super::Converter;
use super::converter::describe;
use crate::json;

/// The body of a request is not a conversion review. Respond with status 400 and this text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewError(String);

impl fmt::Display for ReviewError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ReviewError {}

const GROUP: &str = "apiextensions.k8s.io";
const KIND: &str = "ConversionReview";

impl Converter {
    /// Answers a `ConversionReview` of `apiextensions.k8s.io/v1` or `v1beta1`.
    ///
    /// The response contains all objects, converted and in order, or none: if an object cannot be converted, the result
    /// is `Failed` with a message that names the object. A step that panics counts as a failed conversion. A review
    /// without objects succeeds.
    ///
    /// Source: the checks of `pkg/apiserver/conversion/webhook_converter.go`.
    ///
    /// # Errors
    /// If the body is not a review, has no uid, or is nested deeper than [`json::MAX_DEPTH`].
    pub fn review(&self, body: &[u8]) -> Result<Vec<u8>, ReviewError> {
        let review = json::decode(body)
            .map_err(|error| {
                ReviewError(format!("the body is not JSON that can be read: {error}"))
            })?
            .value;
        let text = |pointer: &str| review.pointer(pointer).and_then(Value::as_str);
        let api_version = text("/apiVersion").unwrap_or_default();
        let known = ["v1", "v1beta1"]
            .iter()
            .any(|version| api_version.strip_prefix(GROUP) == Some(&format!("/{version}")));
        if text("/kind") != Some(KIND) || !known {
            return Err(ReviewError(format!(
                "the body must be a {KIND} of {GROUP}/v1 or {GROUP}/v1beta1, is `{}` of `{api_version}`",
                text("/kind").unwrap_or_default()
            )));
        }
        let uid = text("/request/uid")
            .filter(|uid| !uid.is_empty())
            .ok_or_else(|| ReviewError("the review has no `request.uid`".to_owned()))?;
        let (result, objects) = match self.converted(&review) {
            Ok(objects) => (json!({"status": "Success"}), objects),
            Err(message) => (json!({"status": "Failed", "message": message}), Vec::new()),
        };
        let answer = json!({
            "apiVersion": api_version,
            "kind": KIND,
            "response": {"uid": uid, "result": result, "convertedObjects": objects},
        });
        Ok(answer.to_string().into_bytes())
    }

    fn converted(&self, review: &Value) -> Result<Vec<Value>, String> {
        let desired = review
            .pointer("/request/desiredAPIVersion")
            .and_then(Value::as_str)
            .ok_or("the review has no `request.desiredAPIVersion`")?;
        let objects = match review.pointer("/request/objects") {
            Some(Value::Array(objects)) => objects.as_slice(),
            None | Some(Value::Null) => &[],
            Some(_) => return Err("`request.objects` is not a list".to_owned()),
        };
        objects.iter().map(|object| self.convert_or_catch(object, desired)).collect()
    }

    /// Converts an object. A step that panics counts as a failed conversion.
    ///
    /// # Errors
    /// The text of the error or of the panic, with the name of the object.
    pub fn convert_or_catch(&self, object: &Value, desired: &str) -> Result<Value, String> {
        let convert = || self.convert(object.clone(), desired);
        // No half-changed value is left after a panic: the cloned object is dropped, and steps are `Fn`.
        match catch_unwind(AssertUnwindSafe(convert)) {
            Ok(converted) => converted.map_err(|error| error.to_string()),
            Err(panic) => Err(format!(
                "{}: the conversion panicked: {}",
                describe(object),
                panic_message(&*panic)
            )),
        }
    }
}

/// Returns the message of a panic.
fn panic_message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}

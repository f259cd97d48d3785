//! Types that decode themselves: quantities, times, and integers or strings.
//!
//! Source: `UnmarshalJSON` and `MarshalJSON` in `k8s.io/apimachinery/pkg/api/resource/quantity.go`,
//! `pkg/util/intstr/intstr.go`, `pkg/apis/meta/v1/time.go` and `pkg/apis/meta/v1/micro_time.go`.

use crd_cel::base64::STANDARD;
use crd_cel::domain::quantity::Quantity;
use serde_json::Value;

use super::Special;
use super::time::Time;
use crate::json::kind;

/// The reason why a value cannot be decoded.
pub(super) enum DecodeFailure {
    /// The whole message.
    Text(String),
    /// The value is of the wrong type. The decoder adds the field to the message.
    Type { found: String, wanted: &'static str },
}

impl Special {
    /// Decodes a value that is not null, and writes it as Go encodes it.
    pub(super) fn decode(self, value: &mut Value) -> Result<(), DecodeFailure> {
        match self {
            Self::Raw => {}
            Self::Quantity => {
                let text = match &*value {
                    Value::String(text) => text.trim().to_owned(),
                    other => other.to_string(),
                };
                let parsed = Quantity::parse(&text);
                *value =
                    parsed.map_err(|why| DecodeFailure::Text(why.to_string()))?.to_string().into();
            }
            Self::IntOrString => match value {
                Value::String(_) => {}
                Value::Number(number) => {
                    if number.as_i64().and_then(|int| i32::try_from(int).ok()).is_none() {
                        return Err(wrong(format!("number {number}"), "int32"));
                    }
                }
                other => return Err(wrong(kind(other).to_owned(), "int32")),
            },
            Self::Time => {
                let time = Time::parse(text(value)?).map_err(DecodeFailure::Text)?;
                *value = if time.is_zero() { Value::Null } else { time.to_rfc3339().into() };
            }
            Self::MicroTime => {
                let time = Time::parse_micros(text(value)?).map_err(DecodeFailure::Text)?;
                *value = if time.is_zero() { Value::Null } else { time.to_micros().into() };
            }
        }
        Ok(())
    }

    /// Returns what Go writes for the zero value.
    pub(super) fn zero(self) -> Value {
        match self {
            Self::Quantity => "0".into(),
            Self::IntOrString => 0.into(),
            Self::Time | Self::MicroTime | Self::Raw => Value::Null,
        }
    }
}

fn wrong(found: String, wanted: &'static str) -> DecodeFailure {
    DecodeFailure::Type { found, wanted }
}

fn text(value: &Value) -> Result<&str, DecodeFailure> {
    value.as_str().ok_or_else(|| wrong(kind(value).to_owned(), "string"))
}

/// Returns base64 as Go writes it.
///
/// # Errors
/// Returns Go's message if the text is not base64.
pub(super) fn base64(text: &str) -> Result<String, String> {
    match STANDARD.decode(text.as_bytes()) {
        Ok(bytes) => Ok(STANDARD.encode(&bytes)),
        Err(at) => Err(format!("illegal base64 data at input byte {at}")),
    }
}

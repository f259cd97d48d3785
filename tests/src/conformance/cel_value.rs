//! CEL values in the form of the recorded tests: an object with the type as its key.

use crd_cel::base64::STANDARD;
use crd_cel::error::EvalError;
use crd_cel::time::{Duration, Timestamp};
use crd_cel::value::{OwnedMap, Str, Value};
use serde_json::{Value as Json, json};

/// Nanoseconds in a second.
const SECOND: i64 = 1_000_000_000;

/// Decodes a value; `None` if it needs protobuf.
pub(super) fn decode(json: &Json) -> Option<Value<'static>> {
    let object = json.as_object()?;
    let (tag, content) = object.iter().find(|(tag, _)| *tag != "wkt")?;
    let number = |key: &str| match content.get(key) {
        Some(Json::String(text)) => text.parse().unwrap_or(0),
        Some(other) => other.as_i64().unwrap_or(0),
        None => 0,
    };
    Some(match tag.as_str() {
        "null" => Value::Null,
        "bool" => Value::Bool(content.as_bool()?),
        "int" => Value::Int(content.as_str()?.parse().ok()?),
        "uint" => Value::Uint(content.as_str()?.parse().ok()?),
        "double" => Value::Double(content.as_str()?.parse().ok()?),
        "string" => Value::string(content.as_str()?),
        "bytes" => Value::bytes(STANDARD.decode(content.as_str()?.as_bytes()).ok()?),
        "list" => Value::list(content.as_array()?.iter().map(decode).collect::<Option<_>>()?),
        "map" => {
            let mut map = OwnedMap::new();
            for entry in content.as_array()? {
                map.insert(decode(entry.get(0)?)?, decode(entry.get(1)?)?);
            }
            Value::map(map)
        }
        "type" => Value::Type(Str::Shared(content.as_str()?.into())),
        "duration" => {
            Value::Duration(Duration { nanos: number("seconds") * SECOND + number("nanos") })
        }
        "timestamp" => Value::Timestamp(Timestamp {
            seconds: number("seconds"),
            nanos: u32::try_from(number("nanos")).ok()?,
            offset: 0,
        }),
        "optional" if content.is_null() => Value::none(),
        "optional" => Value::some(decode(content)?),
        _ => return None,
    })
}

/// Renders a value for comparison, with maps sorted.
pub(super) fn render(value: &Value<'_>) -> String {
    encode(value).to_string()
}

fn encode(value: &Value<'_>) -> Json {
    match value {
        Value::Null => json!({ "null": null }),
        Value::Bool(b) => json!({ "bool": b }),
        Value::Int(i) => json!({ "int": i.to_string() }),
        Value::Uint(u) => json!({ "uint": u.to_string() }),
        Value::Double(d) => json!({ "double": d.to_string() }),
        Value::String(text) => json!({ "string": &**text }),
        Value::Bytes(bytes) => json!({ "bytes": &**bytes }),
        Value::Type(name) => json!({ "type": &**name }),
        Value::Duration(d) => json!({ "duration": d.nanos.to_string() }),
        Value::Timestamp(t) => json!({ "timestamp": [t.seconds, t.nanos] }),
        Value::List(list) => {
            let items: Vec<Json> = list.iter().map(member).collect();
            json!({ "list": items })
        }
        Value::Map(map) => {
            let entry = |key: Value<'_>| {
                let value = map.get(&key).map(|value| value.unwrap_or(Value::Null));
                json!([encode(&key), member(value)])
            };
            let mut entries: Vec<Json> = map.keys().into_iter().map(entry).collect();
            entries.sort_by_key(Json::to_string);
            json!({ "map": entries })
        }
        Value::Optional(None) => json!({ "optional": null }),
        Value::Optional(Some(value)) => json!({ "optional": encode(value) }),
        other => json!({ "other": other.to_string() }),
    }
}

fn member(value: Result<Value<'_>, EvalError>) -> Json {
    value.map_or_else(|error| json!({ "error": error.text() }), |value| encode(&value))
}

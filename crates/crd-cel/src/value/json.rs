//! Writes values as JSON: the values of patches.

use serde_json::{Map as JsonMap, Number, Value as Json};

use super::constructed::{Constructed, JSON_PATCH};
use super::{List, Map, Opaque, Value};
use crate::base64;
use crate::error::EvalError;
use crate::time::{Duration, SECOND};

/// The maximum number of values that are written. Values can share their parts, so the JSON of a value can be much larger
/// than the value.
const MAX_VALUES: usize = 1 << 20;

impl<'a> Value<'a> {
    /// The object or operation, if the value is one.
    pub fn constructed(&self) -> Option<&Constructed<'a>> {
        match self {
            Self::Opaque(Opaque::Constructed(value)) => Some(value),
            _ => None,
        }
    }

    /// The elements of a list; `None` for other values.
    pub fn elements(&self) -> Option<impl Iterator<Item = Result<Value<'a>, EvalError>>> {
        match self {
            Self::List(list) => Some(list.iter()),
            _ => None,
        }
    }

    /// The value as JSON.
    ///
    /// # Errors
    /// If a part has no JSON, or there are too many parts; if the value is an object, also if the type of an object
    /// inside it is not named after its path.
    pub fn to_json(&self) -> Result<Json, EvalError> {
        let mut writer = Writer { left: MAX_VALUES, path: Vec::new(), mismatches: Vec::new() };
        let object = self.constructed();
        if let Some(object) = object {
            writer.path.push(object.name);
        }
        let json = writer.json(self)?;
        if object.is_some() && !writer.mismatches.is_empty() {
            let mismatches = writer.mismatches.join("\n");
            return Err(EvalError::of(format_args!("type mismatch: {mismatches}")));
        }
        Ok(json)
    }
}

struct Writer<'a> {
    left: usize,
    /// The name of the type that an object should have at this place.
    path: Vec<&'a str>,
    mismatches: Vec<String>,
}

impl<'a> Writer<'a> {
    /// The recursion ends because the levels of a value are limited.
    fn json(&mut self, value: &Value<'a>) -> Result<Json, EvalError> {
        self.left = self.left.checked_sub(1).ok_or_else(|| {
            EvalError::of(format_args!("a patch has more than {MAX_VALUES} values"))
        })?;
        Ok(match value {
            Value::Null => Json::Null,
            Value::Bool(value) => (*value).into(),
            Value::Int(value) => (*value).into(),
            Value::Uint(value) => (*value).into(),
            Value::Double(value) => Number::from_f64(*value)
                .map(Json::Number)
                .ok_or_else(|| EvalError::of(format_args!("json: unsupported value: {value}")))?,
            Value::String(text) => (**text).into(),
            Value::Bytes(bytes) => base64::STANDARD.encode(bytes).into(),
            Value::Duration(duration) => seconds(*duration).into(),
            Value::Timestamp(timestamp) => timestamp.to_string().into(),
            Value::List(list) => self.list(list)?,
            Value::Map(map) => self.map(map)?,
            Value::Optional(Some(value)) => self.json(value)?,
            Value::Unknown(json) => (*json).clone(),
            Value::Opaque(Opaque::Constructed(object)) if object.name != JSON_PATCH => {
                self.object(object)?
            }
            other => {
                let ty = other.type_name();
                return Err(EvalError::of(format_args!("a value of type {ty} has no JSON")));
            }
        })
    }

    fn list(&mut self, list: &List<'a>) -> Result<Json, EvalError> {
        list.iter()
            .map(|element| self.json(&element?))
            .collect::<Result<Vec<_>, _>>()
            .map(Json::Array)
    }

    fn map(&mut self, map: &Map<'a>) -> Result<Json, EvalError> {
        let mut json = JsonMap::new();
        for key in map.keys() {
            let Some(name) = key.as_str() else {
                let ty = key.go_type();
                return Err(EvalError::of(format_args!(
                    "map key \"{key}\" is of type {ty}, not string"
                )));
            };
            if let Some(value) = map.get(&key)? {
                json.insert(name.to_owned(), self.json(&value)?);
            }
        }
        Ok(Json::Object(json))
    }

    fn object(&mut self, object: &Constructed<'a>) -> Result<Json, EvalError> {
        let (found, wanted) = (object.name, self.path.join("."));
        if found != wanted {
            self.mismatches.push(format!(
                "unexpected type name {found:?}, expected {wanted:?}, which matches field name path from root Object type"
            ));
        }
        let mut json = JsonMap::new();
        for (field, value) in &object.fields {
            self.path.push(field);
            json.insert((*field).to_owned(), self.json(value)?);
            self.path.pop();
        }
        Ok(Json::Object(json))
    }
}

/// Source: the JSON of `google.protobuf.Duration`.
fn seconds(duration: Duration) -> String {
    let (seconds, nanos) = (duration.nanos / SECOND, (duration.nanos % SECOND).unsigned_abs());
    let sign = if duration.nanos < 0 { "-" } else { "" };
    let fraction = if nanos == 0 { String::new() } else { format!(".{nanos:09}") };
    format!("{sign}{}{}s", seconds.unsigned_abs(), fraction.trim_end_matches('0'))
}

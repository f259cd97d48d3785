//! Decoding of definitions in Protocol Buffers. Go's typed clients send them in this form.
//!
//! Source: `pkg/apis/apiextensions/v1/generated.proto` of k8s.io/apiextensions-apiserver, and `marshal.go` for the JSON
//! of the types that are one thing or another.

use std::collections::HashMap;
use std::sync::LazyLock;

use k8s_openapi::ByteString;
use serde_json::{Map, Value};

use super::fields::is_zero;
use super::protobuf::{self, Message, Wire};
use crate::go_types::{self, Special};
use crate::json::MAX_DEPTH;

/// The API group of definitions.
pub(super) const GROUP: &str = "apiextensions.k8s.io";

/// The messages, each with its fields in the order of Go's type: number, name in JSON, type. A type ends with `?` if the field is a pointer in Go,
/// so that its zero value differs from an absent one.
const MESSAGES: &str = "\
CustomResourceDefinition
 1 metadata ObjectMeta
 2 spec Spec
 3 status Status
Spec
 1 group string
 3 names Names
 4 scope string
 7 versions []Version
 9 conversion Conversion
 10 preserveUnknownFields bool
Names
 1 plural string
 2 singular string
 3 shortNames []string
 4 kind string
 5 listKind string
 6 categories []string
Conversion
 1 strategy string
 2 webhook Webhook
Webhook
 2 clientConfig ClientConfig
 3 conversionReviewVersions []string
ClientConfig
 3 url string?
 1 service Service
 2 caBundle bytes
Service
 1 namespace string
 2 name string
 3 path string?
 4 port int32?
Version
 1 name string
 2 served bool
 3 storage bool
 7 deprecated bool
 8 deprecationWarning string?
 4 schema Validation
 5 subresources Subresources
 6 additionalPrinterColumns []Column
 9 selectableFields []SelectableField
Column
 1 name string
 2 type string
 3 format string
 4 description string
 5 priority int32
 6 jsonPath string
SelectableField
 1 jsonPath string
Subresources
 1 status StatusSubresource
 2 scale Scale
StatusSubresource
Scale
 1 specReplicasPath string
 2 statusReplicasPath string
 3 labelSelectorPath string?
Status
 1 conditions []Condition
 2 acceptedNames Names
 3 storedVersions []string
 4 observedGeneration int64
Condition
 1 type string
 2 status string
 3 lastTransitionTime Time
 4 reason string
 5 message string
 6 observedGeneration int64
Validation
 1 openAPIV3Schema Schema
ExternalDocs
 1 description string
 2 url string
Rule
 1 rule string
 2 message string
 3 messageExpression string
 4 reason string?
 5 fieldPath string
 6 optionalOldSelf bool?
SchemaOrArray
 1 schema Schema
 2 list []Schema
SchemaOrBool
 1 allows bool
 2 schema Schema
SchemaOrStrings
 1 schema Schema
 2 list []string
Schema
 1 id string
 2 $schema string
 3 $ref string?
 4 description string
 5 type string
 6 format string
 7 title string
 8 default JSON
 9 maximum double?
 10 exclusiveMaximum bool
 11 minimum double?
 12 exclusiveMinimum bool
 13 maxLength int64?
 14 minLength int64?
 15 pattern string
 16 maxItems int64?
 17 minItems int64?
 18 uniqueItems bool
 19 multipleOf double?
 20 enum []JSON
 21 maxProperties int64?
 22 minProperties int64?
 23 required []string
 24 items SchemaOrArray
 25 allOf []Schema
 26 oneOf []Schema
 27 anyOf []Schema
 28 not Schema
 29 properties {}Schema
 30 additionalProperties SchemaOrBool
 31 patternProperties {}Schema
 32 dependencies {}SchemaOrStrings
 33 additionalItems SchemaOrBool
 34 definitions {}Schema
 35 externalDocs ExternalDocs
 36 example JSON
 37 nullable bool
 38 x-kubernetes-preserve-unknown-fields bool?
 39 x-kubernetes-embedded-resource bool
 40 x-kubernetes-int-or-string bool
 41 x-kubernetes-list-map-keys []string
 42 x-kubernetes-list-type string?
 43 x-kubernetes-map-type string?
 44 x-kubernetes-validations []Rule
";

/// Decodes a definition without its `apiVersion` and `kind`.
///
/// # Errors
/// Returns a message if the bytes are not a definition, or if it nests too deep.
pub(super) fn decode(bytes: &[u8], minor: u32) -> Result<Map<String, Value>, String> {
    Decoder { minor }.message("CustomResourceDefinition", bytes, 0)
}

/// The number, name and type of a field.
pub(super) type Field = (u32, &'static str, &'static str);

/// The fields of each message.
pub(super) static FIELDS: LazyLock<HashMap<&str, Vec<Field>>> = LazyLock::new(|| {
    let mut messages = HashMap::new();
    let mut lines = MESSAGES.lines().peekable();
    while let Some(message) = lines.next() {
        let rows = std::iter::from_fn(|| lines.next_if(|line| line.starts_with(' ')));
        let fields = rows.filter_map(|row| {
            let mut words = row.trim_start().split(' ');
            Some((words.next()?.parse().ok()?, words.next()?, words.next()?))
        });
        messages.insert(message, fields.collect());
    }
    messages
});

/// Returns the name and the type of a field of a message.
fn field(message: &str, number: u32) -> Option<(&'static str, &'static str)> {
    let found = FIELDS.get(message)?.iter().find(|(of, ..)| *of == number);
    found.map(|(_, name, type_)| (*name, *type_))
}

struct Decoder {
    minor: u32,
}

impl Decoder {
    fn message(&self, of: &str, bytes: &[u8], depth: usize) -> Result<Map<String, Value>, String> {
        if depth > MAX_DEPTH {
            return Err(format!("the definition nests more than {MAX_DEPTH} levels"));
        }
        let mut object = Map::new();
        let mut message = Message(bytes);
        while let Some((number, wire)) = message.next()? {
            let Some((name, type_)) = field(of, number) else { continue };
            if let Some(element) = type_.strip_prefix("[]") {
                let element = self.value(name, element, wire, depth)?;
                let list = object.entry(name).or_insert_with(|| Value::Array(Vec::new()));
                if let Value::Array(list) = list {
                    list.push(element);
                }
            } else if let Some(values) = type_.strip_prefix("{}") {
                let (key, value) = self.entry(name, values, wire, depth)?;
                let map = object.entry(name).or_insert_with(|| Value::Object(Map::new()));
                if let Value::Object(map) = map {
                    map.insert(key, value);
                }
            } else {
                let value = self.value(name, type_.trim_end_matches('?'), wire, depth)?;
                if type_.ends_with('?') || !is_zero(&value) || type_ == "JSON" {
                    object.insert(name.to_owned(), value);
                }
            }
        }
        Ok(object)
    }

    fn entry(
        &self,
        name: &str,
        values: &str,
        wire: Wire<'_>,
        depth: usize,
    ) -> Result<(String, Value), String> {
        let mut entry = Message(wire.bytes(name)?);
        let (mut key, mut value) = (String::new(), Value::Object(Map::new()));
        while let Some((number, wire)) = entry.next()? {
            match number {
                1 => key = wire.text(name)?,
                2 => value = self.value(name, values, wire, depth)?,
                _ => {}
            }
        }
        Ok((key, value))
    }

    fn value(
        &self,
        name: &str,
        type_: &str,
        wire: Wire<'_>,
        depth: usize,
    ) -> Result<Value, String> {
        Ok(match type_ {
            "string" => wire.text(name)?.into(),
            "bool" => (wire.varint(name)? != 0).into(),
            "int32" => wire.int32(name)?.into(),
            "int64" => wire.varint(name)?.cast_signed().into(),
            "double" => number(wire.double(name)?),
            "bytes" => {
                let bytes = ByteString(wire.bytes(name)?.to_vec());
                serde_json::to_value(bytes).map_err(|error| error.to_string())?
            }
            "JSON" => json(wire.bytes(name)?)?,
            "Time" => protobuf::read_special(Special::Time, wire.bytes(name)?)?,
            "ObjectMeta" => match go_types::named("meta.v1.ObjectMeta") {
                Some(type_) => protobuf::decode(type_, wire.bytes(name)?, self.minor)?.into(),
                None => Value::Null,
            },
            message => either(message, self.message(message, wire.bytes(name)?, depth + 1)?),
        })
    }
}

/// Returns the JSON of a message that is one thing or another, and all others as they are.
fn either(message: &str, mut fields: Map<String, Value>) -> Value {
    let schema = fields.remove("schema");
    match message {
        "SchemaOrArray" | "SchemaOrStrings" => fields.remove("list").or(schema).unwrap_or_default(),
        "SchemaOrBool" => schema.unwrap_or_else(|| fields.contains_key("allows").into()),
        _ => {
            if let Some(schema) = schema {
                fields.insert("schema".to_owned(), schema);
            }
            fields.into()
        }
    }
}

/// Returns a number as Go writes it: 10, not 10.0.
fn number(double: f64) -> Value {
    crate::json::stored(double.into())
}

/// Returns the value of a message of raw JSON.
fn json(bytes: &[u8]) -> Result<Value, String> {
    let mut message = Message(bytes);
    let mut raw: &[u8] = b"null";
    while let Some((number, wire)) = message.next()? {
        if number == 1 {
            raw = wire.bytes("raw")?;
        }
    }
    serde_json::from_slice(raw).map_err(|error| error.to_string())
}

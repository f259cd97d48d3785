//! Reads a schema as Rust types.
//!
//! For each schema the reader keeps what the derive will generate from the chosen type and keys. What then still
//! differs is written as `patch = json!(..)`, so that nothing of the schema is lost.

use std::collections::HashMap;

use crd_cel::domain::format;
use serde_json::{Map, Value};

use super::code::Key;
use super::keys::{Keys, Range};
use super::keywords::{Schema, is_true, required, type_of};
use super::known;
use super::model::{Body, Field, Item, Type, Use};
use super::names;
use super::union::{self, Union};
use crate::identifiers::is_type;

/// Keywords that belong to the place of a type, not to the type itself.
const OF_THE_PLACE: [&str; 6] =
    ["description", "default", "nullable", "title", "example", "externalDocs"];

/// Collects the types of a kind.
#[derive(Debug, Default)]
pub(super) struct Reader {
    pub(super) items: Vec<Item>,
    /// The item of each schema that has been read, by the schema's text.
    by_schema: HashMap<String, usize>,
}

/// Returns the names, if this is an enumeration of at least one string and of nothing else.
fn enum_names(schema: &Schema) -> Option<Vec<String>> {
    let values = schema.get("enum")?.as_array()?;
    let names: Option<Vec<String>> =
        values.iter().map(|value| value.as_str().map(str::to_owned)).collect();
    // serde would read the second of two equal names as the first.
    let distinct: std::collections::BTreeSet<_> = names.iter().flatten().collect();
    names.as_ref().filter(|names| !names.is_empty() && distinct.len() == names.len()).cloned()
}

impl Reader {
    /// Reads the schema of a place.
    pub(super) fn place(&mut self, schema: &Schema, path: &[String]) -> Use {
        let (ty, mut keys) = self.value(schema, path);
        // Any JSON may be null for the derive; other types only where they are optional.
        let any = ty == Type::Plain("serde_json::Value");
        let nullable = is_true(schema, "nullable");
        let mut of_place = place_keys(schema, any && !nullable);
        of_place.append(&mut keys);
        let description = schema.get("description").and_then(Value::as_str);
        let default = schema.get("default").filter(|value| !value.is_null());
        Use {
            ty,
            keys: Key::merge_patches(of_place),
            description: description.filter(|text| !text.is_empty()).map(str::to_owned),
            nullable,
            default: default.cloned(),
        }
    }

    /// Reads a schema without what belongs to its place.
    fn value(&mut self, schema: &Schema, path: &[String]) -> (Type, Vec<Key>) {
        if is_true(schema, "x-kubernetes-int-or-string") {
            return int_or_string(schema);
        }
        match type_of(schema) {
            "string" => self.string(schema, path),
            "integer" => integer(schema),
            "number" => number(schema),
            "boolean" => {
                let mut keys =
                    Keys::new(schema, &OF_THE_PLACE, serde_json::json!({"type": "boolean"}));
                keys.rules();
                (Type::Plain("bool"), keys.done())
            }
            "array" => self.list(schema, path),
            "object" => self.object(schema, path),
            _ => {
                let generated = serde_json::json!({"x-kubernetes-preserve-unknown-fields": true});
                let mut keys = Keys::new(schema, &OF_THE_PLACE, generated);
                keys.rules();
                (Type::Plain("serde_json::Value"), keys.done())
            }
        }
    }

    fn string(&mut self, schema: &Schema, path: &[String]) -> (Type, Vec<Key>) {
        let format = schema.get("format").and_then(Value::as_str).unwrap_or_default();
        let imported = match format {
            "date-time" => Some("k8s_openapi::apimachinery::pkg::apis::meta::v1::Time"),
            "byte" => Some("k8s_openapi::ByteString"),
            _ => None,
        };
        if let Some(imported) = imported.filter(|_| !schema.contains_key("enum")) {
            let generated = serde_json::json!({"type": "string", "format": format});
            let mut keys = Keys::new(schema, &OF_THE_PLACE, generated);
            keys.rules();
            return (Type::Imported(imported), keys.done());
        }
        if let Some(names) = enum_names(schema) {
            let generated = serde_json::json!({"type": "string", "enum": names});
            let mut keys = Keys::new(schema, &OF_THE_PLACE, generated);
            keys.rules();
            let keys = keys.done();
            let text = format!("enum {names:?}");
            let item = self.item(text, path, Vec::new(), |_| Body::Enum(names));
            return (Type::Item(item), keys);
        }
        let mut keys = Keys::new(schema, &OF_THE_PLACE, serde_json::json!({"type": "string"}));
        keys.count("minLength", "min_length");
        keys.count("maxLength", "max_length");
        keys.text("pattern", "pattern");
        // The derive rejects a format that the server does not check; a patch keeps it.
        if format::find(format).is_some() {
            keys.text("format", "format");
        }
        keys.rules();
        (Type::Plain("String"), keys.done())
    }

    fn list(&mut self, schema: &Schema, path: &[String]) -> (Type, Vec<Key>) {
        let Some(Value::Object(items)) = schema.get("items") else {
            // The server rejects a list without the schema of its items.
            let generated = serde_json::json!({"x-kubernetes-preserve-unknown-fields": true});
            return (
                Type::Plain("serde_json::Value"),
                Keys::new(schema, &OF_THE_PLACE, generated).done(),
            );
        };
        let element = self.element(items, path);
        let mut keys = Keys::new(
            schema,
            &[&OF_THE_PLACE[..], &["items"]].concat(),
            serde_json::json!({"type": "array"}),
        );
        keys.count("minItems", "min_items");
        keys.count("maxItems", "max_items");
        keys.text("x-kubernetes-list-type", "list_type");
        keys.take("x-kubernetes-list-map-keys", |value| {
            let names: Option<Vec<_>> = value.as_array()?.iter().map(Value::as_str).collect();
            Some(Key::strings("list_map_keys", names?))
        });
        keys.rules();
        (Type::List(Box::new(element)), keys.done())
    }

    /// Reads the schema of a list's items or a map's values.
    fn element(&mut self, schema: &Schema, path: &[String]) -> Use {
        let singular = path.split_last().map(|(last, above)| {
            above.iter().cloned().chain([names::singular(last)]).collect::<Vec<_>>()
        });
        let mut of = self.place(schema, &singular.unwrap_or_default());
        // No item or value is ever absent, so the derive has no key for its default.
        if let Some(default) = of.default.take() {
            of.keys.push(Key::patch(Map::from_iter([("default".to_owned(), default)])));
            of.keys = Key::merge_patches(of.keys);
        }
        // Any JSON already may be null.
        of.nullable &= of.ty != Type::Plain("serde_json::Value");
        of
    }

    fn object(&mut self, schema: &Schema, path: &[String]) -> (Type, Vec<Key>) {
        let field = path.last().map_or("", String::as_str);
        if let Some(known) = known::type_of(schema, field) {
            // Otherwise the place has the description of the type.
            let bare = !schema.contains_key("description");
            let patch =
                bare.then(|| Key::patch(Map::from_iter([("description".to_owned(), Value::Null)])));
            return (Type::Imported(known), patch.into_iter().collect());
        }
        match schema.get("additionalProperties") {
            Some(Value::Object(values)) => return self.map(schema, values, path),
            Some(Value::Bool(true)) => return open_map(schema),
            _ => {}
        }
        let has_properties =
            schema.get("properties").and_then(Value::as_object).is_some_and(|map| !map.is_empty());
        if !has_properties && is_true(schema, "x-kubernetes-preserve-unknown-fields") {
            return open_map(schema);
        }
        let text = without_place(schema);
        if let Some(item) = self.by_schema.get(&text) {
            return (Type::Item(*item), Vec::new());
        }
        let item = if let Some(names) = union::of_whole(schema) {
            let keys = union_keys(schema, &names);
            self.item(text, path, keys, |reader| reader.variants(schema, &names, path))
        } else {
            let keys = struct_keys(schema);
            self.item(text, path, keys, |reader| reader.fields(schema, path))
        };
        let title = schema.get("title").and_then(Value::as_str);
        self.items[item].title = title.filter(|title| is_type(title)).map(str::to_owned);
        (Type::Item(item), Vec::new())
    }

    /// Reads the schema of `spec` or `status` as an item of its own.
    pub(super) fn root_item(&mut self, schema: &Schema, path: &[String]) -> usize {
        let keys = struct_keys(schema);
        let item =
            self.item(format!("root {path:?}"), path, keys, |reader| reader.fields(schema, path));
        self.items[item].schema = None;
        item
    }

    /// Reads the properties of a schema as fields.
    pub(super) fn fields(&mut self, schema: &Schema, path: &[String]) -> Body {
        let required = required(schema);
        let properties = schema.get("properties").and_then(Value::as_object);
        let unions = union::of_parts(schema);
        let in_union = |name: &str| unions.iter().any(|union| union.names.contains(&name));
        let own = properties.into_iter().flatten().filter(|(wire, _)| !in_union(wire));
        let mut fields: Vec<Field> = own
            .map(|(wire, value)| {
                let mut field = self.field(wire, value, path);
                // The derive makes a field with a default optional; the type's patch says otherwise.
                field.required = required.contains(&wire.as_str()) && field.of.default.is_none();
                field
            })
            .collect();
        for Union { names, required } in &unions {
            let path: Vec<String> = path.iter().cloned().chain(["oneOf".to_owned()]).collect();
            let text = format!("union {names:?} {}", without_place(schema));
            let item =
                self.item(text, &path, Vec::new(), |reader| reader.variants(schema, names, &path));
            let of = Use { ty: Type::Item(item), ..Use::plain("") };
            fields.push(Field { wire: String::new(), required: *required, flatten: true, of });
        }
        let open = is_true(schema, "x-kubernetes-preserve-unknown-fields");
        Body::Struct { fields, open }
    }

    fn field(&mut self, wire: &str, schema: &Value, path: &[String]) -> Field {
        let empty = Map::new();
        let path: Vec<String> = path.iter().cloned().chain([wire.to_owned()]).collect();
        let of = self.place(schema.as_object().unwrap_or(&empty), &path);
        Field { wire: wire.to_owned(), required: true, flatten: false, of }
    }

    /// Reads properties of a schema as the variants of an enum.
    fn variants(&mut self, schema: &Schema, names: &[&str], path: &[String]) -> Body {
        let properties = schema.get("properties").and_then(Value::as_object);
        let variants = names.iter().filter_map(|name| Some((*name, properties?.get(*name)?)));
        Body::Union(variants.map(|(name, schema)| self.field(name, schema, path)).collect())
    }

    fn map(&mut self, schema: &Schema, values: &Schema, path: &[String]) -> (Type, Vec<Key>) {
        let element = self.element(values, path);
        // A map of any JSON is an object that keeps all fields.
        if element.ty == Type::Plain("serde_json::Value") {
            return open_map(schema);
        }
        let without = [&OF_THE_PLACE[..], &["additionalProperties"]].concat();
        let mut keys = Keys::new(schema, &without, serde_json::json!({"type": "object"}));
        map_keys(&mut keys);
        keys.rules();
        (Type::Map(Box::new(element)), keys.done())
    }

    /// Adds an item, unless there is one with this schema.
    fn item(
        &mut self,
        text: String,
        path: &[String],
        keys: Vec<Key>,
        body: impl FnOnce(&mut Self) -> Body,
    ) -> usize {
        if let Some(item) = self.by_schema.get(&text) {
            return *item;
        }
        let item = self.items.len();
        self.by_schema.insert(text.clone(), item);
        let placeholder = Body::Enum(Vec::new());
        let path = path.to_vec();
        self.items.push(Item {
            path,
            schema: Some(text),
            body: placeholder,
            keys,
            title: None,
            previous: None,
        });
        self.items[item].body = body(self);
        item
    }
}

/// Returns the text of a schema without what belongs to its place.
fn without_place(schema: &Schema) -> String {
    let own = schema.iter().filter(|(name, _)| !OF_THE_PLACE.contains(&name.as_str()));
    Value::Object(own.map(|(name, value)| (name.clone(), value.clone())).collect()).to_string()
}

/// Returns the keys of a struct with this schema.
pub(super) fn struct_keys(schema: &Schema) -> Vec<Key> {
    let without = [&OF_THE_PLACE[..], &["properties"]].concat();
    let mut generated = serde_json::json!({"type": "object"});
    let open = is_true(schema, "x-kubernetes-preserve-unknown-fields");
    if open {
        generated["x-kubernetes-preserve-unknown-fields"] = Value::Bool(true);
    }
    // Fields with a default are optional for the derive.
    let properties = schema.get("properties").and_then(Value::as_object);
    let has_default = |name: &str| {
        let default = properties.and_then(|it| it.get(name)).and_then(|it| it.get("default"));
        default.is_some_and(|default| !default.is_null())
    };
    let wanted = required(schema);
    let is_required =
        |name: &str| properties.is_some_and(|it| it.contains_key(name)) && !has_default(name);
    let is_plain = wanted.iter().all(|name| is_required(name));
    let mut wanted_schema = schema.clone();
    if is_plain {
        wanted_schema.remove("required");
    } else {
        let plain: Vec<&str> = wanted.iter().copied().filter(|name| is_required(name)).collect();
        if !plain.is_empty() {
            generated["required"] = serde_json::json!(plain);
        }
    }
    // The derive writes the alternatives of a flattened enum in `allOf`, and none of an optional one.
    let unions = union::of_parts(schema);
    let alternatives = unions.iter().filter(|union| union.required);
    let alternatives: Vec<_> =
        alternatives.map(|union| serde_json::json!({"oneOf": union.alternatives()})).collect();
    if !alternatives.is_empty() {
        generated["allOf"] = alternatives.into();
    }
    let mut keys = Keys::new(&wanted_schema, &without, generated);
    map_keys(&mut keys);
    keys.rules();
    keys.done()
}

/// Returns the keys of an enum whose variants are the only field of the object.
fn union_keys(schema: &Schema, names: &[&str]) -> Vec<Key> {
    let without = [&OF_THE_PLACE[..], &["properties"]].concat();
    let names = names.to_vec();
    let alternatives = Union { names, required: true }.alternatives();
    let generated = serde_json::json!({"type": "object", "oneOf": alternatives});
    let mut keys = Keys::new(schema, &without, generated);
    map_keys(&mut keys);
    keys.rules();
    keys.done()
}

/// The keys of objects that are no fields.
fn map_keys(keys: &mut Keys) {
    keys.count("minProperties", "min_properties");
    keys.count("maxProperties", "max_properties");
    keys.text("x-kubernetes-map-type", "map_type");
    keys.take("x-kubernetes-embedded-resource", |value| {
        value.as_bool()?.then(|| Key::flag("embedded_resource"))
    });
}

/// An object that keeps all its fields.
fn open_map(schema: &Schema) -> (Type, Vec<Key>) {
    let generated =
        serde_json::json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    let mut keys = Keys::new(schema, &OF_THE_PLACE, generated);
    map_keys(&mut keys);
    keys.rules();
    let any = Use::plain("serde_json::Value");
    (Type::Map(Box::new(any)), keys.done())
}

fn int_or_string(schema: &Schema) -> (Type, Vec<Key>) {
    let is_quantity = schema.get("pattern").and_then(Value::as_str) == Some(known::QUANTITY);
    let (path, generated) = if is_quantity {
        let generated =
            serde_json::json!({"x-kubernetes-int-or-string": true, "pattern": known::QUANTITY});
        ("k8s_openapi::apimachinery::pkg::api::resource::Quantity", generated)
    } else {
        let generated = serde_json::json!({
            "x-kubernetes-int-or-string": true, "minimum": i32::MIN, "maximum": i32::MAX,
        });
        ("k8s_openapi::apimachinery::pkg::util::intstr::IntOrString", generated)
    };
    let mut keys = Keys::new(schema, &OF_THE_PLACE, generated);
    keys.rules();
    (Type::Imported(path), keys.done())
}

fn integer(schema: &Schema) -> (Type, Vec<Key>) {
    let format = schema.get("format").and_then(Value::as_str).unwrap_or_default();
    // Servers before 1.36 do not check the format, so larger bounds show what is stored.
    let is_short = ["minimum", "maximum"]
        .iter()
        .all(|bound| schema.get(*bound).is_none_or(|value| Range::I32.literal(value).is_some()));
    let (ty, format, range) = if format == "int32" && is_short {
        ("i32", "int32", Range::I32)
    } else {
        ("i64", "int64", Range::I64)
    };
    let generated = serde_json::json!({"type": "integer", "format": format});
    let mut keys = Keys::new(schema, &OF_THE_PLACE, generated);
    keys.number(range);
    keys.take("enum", |value| {
        let literals: Option<Vec<_>> =
            value.as_array()?.iter().map(|value| range.literal(value)).collect();
        let literals = literals.filter(|literals| !literals.is_empty())?;
        Some(Key::call("enum_values", literals.into_iter().map(Key::literal)))
    });
    keys.rules();
    (Type::Plain(ty), keys.done())
}

fn number(schema: &Schema) -> (Type, Vec<Key>) {
    let format = schema.get("format").and_then(Value::as_str).unwrap_or_default();
    let (ty, format) = if format == "float" { ("f32", "float") } else { ("f64", "double") };
    let generated = serde_json::json!({"type": "number", "format": format});
    let mut keys = Keys::new(schema, &OF_THE_PLACE, generated);
    keys.number(Range::Float);
    keys.rules();
    (Type::Plain(ty), keys.done())
}

/// The keys of what belongs to the place of any type. `is_nullable`: the type is nullable, and the schema is not.
pub(super) fn place_keys(schema: &Schema, is_nullable: bool) -> Vec<Key> {
    let wanted = ["title", "example", "externalDocs"].into_iter();
    let wanted = wanted.filter_map(|name| Some((name.to_owned(), schema.get(name)?.clone())));
    let mut keys = Keys::new(&wanted.collect(), &[], Value::Null);
    keys.text("title", "title");
    keys.take("example", |value| Some(Key::value("example", value)));
    keys.take("externalDocs", external_docs);
    if is_nullable {
        keys.generated.insert("nullable".to_owned(), Value::Bool(true));
    }
    keys.done()
}

fn external_docs(value: &Value) -> Option<Key> {
    let docs = value.as_object()?;
    let url = docs.get("url")?.as_str()?;
    let mut args = vec![Key::text("url", url)];
    if let Some(description) = docs.get("description").and_then(Value::as_str) {
        args.push(Key::text("description", description));
    }
    (docs.len() == args.len()).then(|| Key::call("external_docs", args))
}

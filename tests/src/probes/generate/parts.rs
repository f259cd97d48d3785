//! Flattened fields of each sort of type, and attributes on the field and on its type.

use super::{Probe, push};

const BESIDE: [(&str, &str); 3] =
    [("alone", ""), ("beside a field", "b: i32, "), ("beside a field of its name", "n: i32, ")];

/// Types of flattened fields, and why they are rejected.
const TYPES: [(&str, Option<&str>); 21] = [
    ("Part", None),
    ("Option<Part>", None),
    ("Box<Part>", None),
    ("Other", None),
    ("Tagged", None),
    ("External", None),
    ("Untagged", Some("serde flattens no scalar")),
    ("Word", None),
    ("BTreeMap<String, Value>", None),
    ("HashMap<String, Value>", None),
    ("BTreeMap<String, String>", Some("the server has no schema for the other names alone")),
    ("BTreeMap<i32, Value>", Some("serde reads a flattened key as a text")),
    ("Value", None),
    ("Of<Part>", None),
    ("i32", Some("serde flattens no scalar")),
    ("String", Some("serde flattens no scalar")),
    ("Vec<Part>", Some("serde flattens no list")),
    ("Option<i32>", Some("serde flattens no scalar")),
    ("()", None),
    ("(i32, i32)", Some("serde flattens no list")),
    ("Small", Some("serde flattens no scalar")),
];

/// Attributes of the flattened field or of its type, and why they are rejected.
const KEYS: [(&str, Option<&str>); 16] = [
    ("title = \"T\"", None),
    ("description = \"D\"", None),
    ("example = 1", None),
    ("immutable", Some(WHOLE)),
    ("rule(\"self.n > 0\")", None),
    ("rule(\"self.m > 0\")", Some("the rule names no field")),
    ("rule(\"self == self\")", Some(WHOLE)),
    ("min_properties = 1", Some(WHOLE)),
    ("max_properties = 1", Some(WHOLE)),
    ("map_type = \"atomic\"", Some(WHOLE)),
    ("nullable", Some(WHOLE)),
    ("preserve_unknown_fields", None),
    ("default = json!({})", Some(WHOLE)),
    ("minimum = 1", Some("says nothing of this type")),
    ("exactly_one_of(\"n\", \"o\")", None),
    ("at_most_one_of(\"n\", \"x\")", Some("there is no such field")),
];

const WHOLE: &str = "is about the part as a whole, which has no place of its own";

pub(super) fn probes() -> Vec<Probe> {
    let mut probes = Vec::new();
    for (ty, rejected) in TYPES {
        for (name, field) in BESIDE {
            let collides = field.contains("n:")
                && ["Part", "Box<Part>", "Option<Part>", "Tagged"].contains(&ty);
            // Alone, the map is the whole object, and its values have a schema.
            let rejected = rejected.filter(|_| ty != "BTreeMap<String, String>" || name != "alone");
            let why = rejected.or(collides.then_some("two fields have one name"));
            push(
                &mut probes,
                Probe {
                    name: format!("{ty} {name}"),
                    source: format!("{field}#[serde(flatten)] a: {ty},"),
                    why: why.map(str::to_owned),
                    ..Probe::default()
                },
            );
        }
    }
    for (key, why) in KEYS {
        let on_field = match key {
            _ if key.contains("one_of") => Some("belongs on a struct"),
            "preserve_unknown_fields" => Some(WHOLE),
            _ => why,
        };
        for (name, source, why) in [
            ("on the field", format!("b: i32, #[serde(flatten)] #[crd({key})] a: Part,"), on_field),
            (
                "on the type",
                format!(
                    "#[D] #[crd({key})] struct In {{ n: Option<i32>, #[serde(skip_serializing_if = \"Option::is_none\")] o: Option<i32> }}\n#[D] struct Root {{ b: i32, #[serde(flatten)] a: In }}"
                ),
                why,
            ),
            (
                "on the type of an option",
                format!(
                    "#[D] #[crd({key})] struct In {{ n: i32, #[serde(skip_serializing_if = \"Option::is_none\")] o: Option<i32> }}\n#[D] struct Root {{ b: i32, #[serde(flatten)] a: Option<In> }}"
                ),
                why,
            ),
        ] {
            push(
                &mut probes,
                Probe {
                    name: format!("{key} {name}"),
                    source,
                    why: why.map(str::to_owned),
                    ..Probe::default()
                },
            );
        }
    }
    probes
}

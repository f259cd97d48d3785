//! Serde attributes on fields and structs of each type, alone and together with `#[crd(..)]`.

use super::{Probe, push};

const WITH: &str = "what a function writes has no schema that is known";

/// Attributes of a field, and why they are rejected.
const ON_FIELDS: [(&str, Option<&str>); 24] = [
    ("rename = \"b.c\"", None),
    ("rename = \"\"", None),
    ("rename(serialize = \"b\", deserialize = \"c\")", Some("has two names")),
    ("rename(serialize = \"b\", deserialize = \"b\")", None),
    ("alias = \"b\"", Some("the server would prune the other name")),
    ("default", None),
    ("default = \"Default::default\"", None),
    ("skip", None),
    ("skip_serializing", Some("what is read is not written")),
    ("skip_deserializing", None),
    ("default, skip_serializing_if = \"no\"", None),
    ("skip_serializing_if = \"no\"", Some("serde cannot read what it leaves out")),
    ("with = \"with\"", Some(WITH)),
    ("serialize_with = \"with::serialize\"", Some(WITH)),
    ("deserialize_with = \"with::deserialize\"", Some(WITH)),
    ("getter = \"x\"", Some("is for types of other crates")),
    ("nonsense", Some("serde has no such attribute")),
    ("rename = 5", Some("serde takes a string")),
    ("rename = \"a\", rename = \"b\"", Some("stands twice")),
    ("bound = \"\"", None),
    ("other", Some("serde has no such attribute")),
    ("flatten, rename = \"b\"", Some("serde flattens no scalar")),
    ("skip, default", None),
    ("borrow", Some("nothing is borrowed")),
];

const TYPES: [&str; 8] = [
    "i32",
    "String",
    "Option<i32>",
    "Vec<String>",
    "BTreeMap<String, i32>",
    "Part",
    "Word",
    "Value",
];

/// Serde attributes, `#[crd(..)]` attributes on the same field, and why they are rejected.
const BESIDE: [(&str, &str, Option<&str>); 16] = [
    ("skip", "minimum = 1", Some("the field is not in the schema")),
    ("skip", "title = \"T\"", Some("the field is not in the schema")),
    ("skip", "rule(\"true\")", Some("the field is not in the schema")),
    ("skip_deserializing", "minimum = 1", None),
    ("default", "minimum = 1", None),
    ("default", "default = 5", None),
    ("rename = \"b.c\"", "print_column", None),
    ("rename = \"b-c\"", "immutable", None),
    ("rename = \"in\"", "rule(\"self > 0\")", None),
    ("rename = \"b.c\"", "selectable", None),
    ("with = \"with\"", "schema_with = crd_runtime::crd_schema::any", None),
    ("with = \"with\"", "schema_with = nowhere", Some("there is no such function")),
    ("with = \"with\"", "minimum = 1", Some(WITH)),
    ("default", "schema_with = crd_runtime::crd_schema::any", None),
    ("alias = \"b\"", "minimum = 1", Some("the server would prune the other name")),
    ("skip_serializing_if = \"no\", default", "default = 0", None),
];

/// Attributes of a struct, and why they are rejected.
const ON_STRUCTS: [(&str, Option<&str>); 20] = [
    ("rename_all = \"camelCase\"", None),
    ("rename_all = \"kebab-case\"", None),
    ("rename_all = \"SCREAMING_SNAKE_CASE\"", None),
    ("rename_all = \"camel\"", Some("serde has no such case")),
    ("rename_all(serialize = \"camelCase\")", Some("has two names")),
    ("rename = \"Other\"", None),
    ("default", None),
    ("deny_unknown_fields", None),
    ("transparent", Some("serde sees through one field only")),
    ("from = \"Two\"", Some("reads another schema than it writes")),
    ("into = \"Two\"", Some("reads another schema than it writes")),
    ("from = \"Two\", into = \"Two\"", None),
    ("try_from = \"Two\", into = \"Two\"", None),
    ("try_from = \"Two\"", Some("reads another schema than it writes")),
    ("tag = \"type\"", None),
    ("untagged", Some("is for enums")),
    ("crate = \"::serde\"", None),
    ("remote = \"Two\"", Some("is for types of other crates")),
    ("bound = \"\"", None),
    ("expecting = \"something\"", None),
];

pub(super) fn probes() -> Vec<Probe> {
    let mut probes = Vec::new();
    for ty in TYPES {
        let functions = functions(ty);
        for (attribute, why) in ON_FIELDS {
            let is_right = match attribute {
                "skip_serializing" | "skip_serializing_if = \"no\"" => ty.starts_with("Option"),
                "flatten, rename = \"b\"" => ["Part", "Word", "Value"].contains(&ty),
                _ => false,
            };
            let why = why.filter(|_| !is_right);
            push(
                &mut probes,
                Probe {
                    name: format!("{ty}: {attribute}"),
                    source: format!(
                        "#[D] struct Root {{ first: i32, #[serde({attribute})] second_one: {ty} }}\n{functions}"
                    ),
                    why: why.map(str::to_owned),
                    ..Probe::default()
                },
            );
        }
    }
    let functions = functions("i32");
    for (serde, crd, why) in BESIDE {
        push(
            &mut probes,
            Probe {
                name: format!("{serde} beside {crd}"),
                source: format!(
                    "#[D] struct Root {{ first: i32, #[serde({serde})] #[crd({crd})] a: i32 }}\n{functions}"
                ),
                why: why.map(str::to_owned),
                ..Probe::default()
            },
        );
    }
    for (attribute, why) in ON_STRUCTS {
        push(
            &mut probes,
            Probe {
                name: format!("struct: {attribute}"),
                source: format!(
                    "#[D] #[derive(Clone, Default)] #[serde({attribute})] struct Root {{ first_one: i32, second: Option<String> }}\n\
                 #[D] struct Two {{ first_one: i32, second: Option<String> }}\n\
                 impl From<Root> for Two {{ fn from(it: Root) -> Self {{ Self {{ first_one: it.first_one, second: it.second }} }} }}\n\
                 impl From<Two> for Root {{ fn from(it: Two) -> Self {{ Self {{ first_one: it.first_one, second: it.second }} }} }}"
                ),
                why: why.map(str::to_owned),
                ..Probe::default()
            },
        );
    }
    probes
}

/// Returns the functions that attributes name: a predicate that is always false, and a module for `with`.
fn functions(ty: &str) -> String {
    format!(
        "fn no(_: &{ty}) -> bool {{ false }}\nmod with {{ use super::*;\n\
         pub fn serialize<S: serde::Serializer>(it: &{ty}, s: S) -> Result<S::Ok, S::Error> {{ it.serialize(s) }}\n\
         pub fn deserialize<'de, D: serde::Deserializer<'de>>(d: D) -> Result<{ty}, D::Error> {{ Deserialize::deserialize(d) }} }}"
    )
}

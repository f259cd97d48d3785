use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

// serde reads a newtype of an `Option` from `null`, but not from an object without the field.
#[derive(CrdSchema, Serialize, Deserialize)]
struct Name(Option<String>);

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(transparent)]
struct Transparent(Option<String>);

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    name: Name,
    boxed: Box<Name>,
    optional: Option<Name>,
    #[serde(default = "none")]
    defaulted: Name,
    transparent: Transparent,
    #[serde(with = "text")]
    #[crd(schema_as = i32)]
    with: Option<i32>,
}

fn none() -> Name {
    Name(None)
}

mod text {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(value: &Option<i32>, to: S) -> Result<S::Ok, S::Error> {
        value.serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<i32>, D::Error> {
        Option::deserialize(from)
    }
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[crd(int_or_string)]
#[serde(untagged)]
enum Port {
    Number(i64),
    Name(String),
}

fn main() {
    let schema = Spec::schema();
    assert_eq!(schema.required.unwrap(), ["boxed", "name", "with"]);
    assert!(serde_json::from_str::<Spec>(r#"{"name": null, "boxed": null, "with": null}"#).is_ok());
    for name in ["name", "boxed", "with"] {
        let mut object = serde_json::json!({"name": null, "boxed": null, "with": null});
        object.as_object_mut().unwrap().remove(name);
        assert!(serde_json::from_value::<Spec>(object).is_err(), "{name}");
    }
}

//! Converts objects between two versions, with arbitrary text in the annotation that preserves the fields a version
//! lacks. Every conversion must return an answer, an object must have its fields again after a conversion to the other
//! version and back, and fields that an arbitrary annotation restores must fit the schema.

#![no_main]

use arbitrary::{Result, Unstructured};
use crd_fuzz::{object, schema};
use crd_engine::admit;
use crd_engine::compiled::CompiledSchema;
use crd_engine::convert::Converter;
use crd_engine::model::CustomResourceDefinition;
use crd_engine::{definition, json};
use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};

// Ignores an input that is too short for a case.
fuzz_target!(|bytes: &[u8]| run(&mut Unstructured::new(bytes)).unwrap_or_default());

/// `v1` has a field `spec` that `v1beta1` lacks.
fn versions(root: &Value) -> CustomResourceDefinition {
    let mut crd = schema::definition(root);
    let mut old = crd["spec"]["versions"][0].clone();
    old["name"] = "v1beta1".into();
    old["storage"] = false.into();
    old["schema"]["openAPIV3Schema"] = json!({"type": "object"});
    crd["spec"]["versions"].as_array_mut().expect("a list").push(old);
    serde_json::from_value(crd).expect("a definition")
}

fn run(u: &mut Unstructured<'_>) -> Result<()> {
    let root = schema::root(u, false)?;
    let crd = versions(&root);
    let errors = definition::validate(&crd);
    if errors.iter().any(|error| !error.field.starts_with("spec.conversion")) {
        return Ok(());
    }
    let without_spec = |mut object: Value| {
        if let Value::Object(object) = &mut object {
            object.remove("spec");
        }
        Ok(object)
    };
    let Ok(converter) = Converter::new("example.com", "Widget").definition(&crd) else {
        panic!("accepted, and not converted");
    };
    let converter = converter.step("v1beta1", "v1", Ok).step("v1", "v1beta1", without_spec);
    let schema = CompiledSchema::for_version(&crd, "v1").expect("accepted, and compiles");
    let convert = |object: &Value, to: &str| {
        converter
            .convert(object.clone(), &format!("example.com/{to}"))
            .unwrap_or_else(|error| panic!("{object}: {error}"))
    };

    // An admitted object is read unchanged after a conversion to the other version and back. Reading it sets the
    // defaults, which the annotation does not carry.
    if let Ok(admitted) = admit::create(&schema, object::object(u, &root)?) {
        let stored = json::stored(admitted.object);
        let back = convert(&convert(&stored, "v1beta1"), "v1");
        let back = admit::read(&schema, back).expect("what is converted is read");
        assert_eq!(json::to_go_string(&back["spec"]), json::to_go_string(&stored["spec"]));
    }
    // Arbitrary text in the annotation is no error, and is not stored unless it fits the schema.
    let carried = if u.arbitrary()? {
        object::object(u, &root)?.to_string()
    } else {
        u.arbitrary::<&str>()?.to_owned()
    };
    let forged = json!({"apiVersion": "example.com/v1beta1", "kind": "Widget",
        "metadata": {"name": "w", "namespace": "default",
                     "annotations": {"conversion.example.com/v1": carried}}});
    let there = convert(&forged, "v1");
    assert_eq!(there["apiVersion"], "example.com/v1");
    let read = admit::read(&schema, there.clone()).expect("what is converted is read");
    if there.get("spec").is_some() {
        // Upstream: the default of an int-or-string can be of any type, so reading can set a value that violates the
        // schema. Such an error is not in `before`.
        let before: Vec<_> = schema.validate(&there).iter().map(ToString::to_string).collect();
        let errors = schema.validate(&read);
        let of_spec = |error: &crd_engine::field::Error| {
            error.field.starts_with("spec") && before.contains(&error.to_string())
        };
        assert!(!errors.iter().any(of_spec), "{carried}: {errors}");
    }
    Ok(())
}

//! Generates cases: definitions, and writes of objects of their kinds. The same seed gives the same cases.

use fastrand::Rng;
use serde_json::{Value, json};

use super::{changes, object, root_schema, schema, update};

/// Objects written for each accepted definition.
const OBJECTS: u64 = 9;

/// Returns the random number generator of a case.
pub(super) fn generator(seed: u64, number: u64) -> Rng {
    Rng::with_seed(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(number))
}

/// Returns the name of the first version of a definition, if it has one.
pub(super) fn first_version(crd: &Value) -> Option<&str> {
    let name = crd.pointer("/spec/versions/0/name").and_then(Value::as_str);
    name.filter(|name| !name.is_empty())
}

/// Sets `apiVersion` and `kind` of an object to those of a definition's first version.
pub(super) fn identify(crd: &Value, object: &mut Value) {
    let text = |at: &str| crd.pointer(at).and_then(Value::as_str).unwrap_or_default();
    let version = first_version(crd).unwrap_or_default();
    object["apiVersion"] = format!("{}/{version}", text("/spec/group")).into();
    object["kind"] = text("/spec/names/kind").into();
}

/// Generates the creation of a definition or, in one of seven cases, its update.
pub(super) fn generate_definition(seed: u64, number: u64) -> Value {
    let mut rng = generator(seed, number);
    let settings = schema::Settings { broken: rng.u8(..3) == 0, rules: rng.u8(..2) == 0 };
    let mut crd = schema::definition(&mut rng, settings);
    if rng.u8(..4) == 0 {
        for _ in 0..rng.u8(1..3) {
            changes::spec(&mut rng, &mut crd);
        }
    }
    if rng.u8(..7) == 0 {
        let old = update::stored(&mut rng, &mut crd);
        return json!({"crd": crd, "oldCrd": old});
    }
    json!({"crd": crd})
}

/// Generates writes of objects near the boundary of a definition's schema.
pub(super) fn generate_objects(
    seed: u64,
    number: u64,
    crd: &Value,
) -> impl Iterator<Item = Value> + use<> {
    let mut rng = generator(!seed, number);
    let crd = crd.clone();
    let root = root_schema(&crd).clone();
    let has_status = crd.pointer("/spec/versions/0/subresources/status").is_some();
    (0..OBJECTS).map(move |n| {
        let wild = [0, 2, 8, 20][rng.usize(..4)];
        let mut object = object::object(&mut rng, &crd, &root, wild);
        let mut case = json!({"crd": crd, "version": first_version(&crd)});
        if n % 3 != 0 {
            case["old"] = object::edited(&mut rng, &object, wild);
            if rng.u32(..200) < wild {
                changes::metadata(&mut rng, &mut case["old"]);
            }
            if has_status && n % 3 == 2 {
                case["subresource"] = "status".into();
            }
        }
        if rng.u32(..100) < wild {
            changes::metadata(&mut rng, &mut object);
        }
        write_as_text(&mut rng, &mut case, &object);
        case["object"] = object;
        case
    })
}

/// Sends one in four objects as text, which may have duplicate keys. For objects of another kind or version, it
/// draws no random numbers, so that the cases after them stay the same.
fn write_as_text(rng: &mut Rng, case: &mut Value, object: &Value) {
    let mut same = object.clone();
    identify(&case["crd"], &mut same);
    if same == *object {
        as_text(rng, case, object);
    } else if reaches_version_check(object) {
        as_text(&mut rng.clone(), case, object);
    }
}

/// Sends one in four objects as text.
pub(super) fn as_text(rng: &mut Rng, case: &mut Value, object: &Value) {
    if rng.u8(..4) == 0 {
        let mut text = String::new();
        changes::write_with_duplicates(rng, &mut text, object);
        case["text"] = text.into();
    }
}

/// Whether decoding a body gets as far as comparing its version with that of the request. The errors for other bodies
/// come from the serializer, which the oracle does not run.
pub(super) fn reaches_version_check(object: &Value) -> bool {
    let text = |key: &str| object.get(key).and_then(Value::as_str).unwrap_or_default();
    !text("kind").is_empty()
        && !text("apiVersion").is_empty()
        && text("apiVersion").matches('/').count() <= 1
}

/// Generates an object near the boundary of a definition's schema.
pub fn generated_object(number: u64, crd: &Value) -> Value {
    let mut rng = generator(0, number);
    let wild = [0, 0, 5, 15][rng.usize(..4)];
    object::object(&mut rng, crd, root_schema(crd), wild)
}

/// Generates a value near the boundary of a schema, of the right type.
pub fn generated_value(rng: &mut Rng, schema: &Value) -> Value {
    object::value(rng, schema, 0, 0)
}

/// Generates a definition; a third of them are broken on purpose.
pub fn generated_definition(number: u64) -> Value {
    generate_definition(0, number)["crd"].take()
}

/// Generates an update of `base`: an object that is a few edits away from it, or one near the boundary of the
/// definition's schema.
pub fn generated_write(number: u64, crd: &Value, base: &Value) -> Value {
    let mut rng = generator(1, number);
    let wild = [0, 2, 8, 20][rng.usize(..4)];
    let mut out = if rng.u8(..2) == 0 {
        object::object(&mut rng, crd, root_schema(crd), wild)
    } else {
        object::edited(&mut rng, base, wild.max(5))
    };
    for key in ["apiVersion", "kind"] {
        out[key] = base[key].clone();
    }
    let metadata = out["metadata"].take();
    out["metadata"] = base["metadata"].clone();
    // Other metadata identifies the object, or is not handled by the strategy but by the server around it.
    for key in ["labels", "annotations", "finalizers", "unknown"] {
        if let Some(value) = metadata.get(key) {
            out["metadata"][key] = value.clone();
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_cases() {
        for number in 0..50 {
            let definition = generate_definition(7, number);
            assert_eq!(definition, generate_definition(7, number));
            let crd = &definition["crd"];
            let objects: Vec<Value> = generate_objects(7, number, crd).collect();
            assert_eq!(objects, generate_objects(7, number, crd).collect::<Vec<_>>());
            assert_eq!(objects.len(), 9);
        }
        assert_ne!(generate_definition(7, 0), generate_definition(8, 0));
    }
}

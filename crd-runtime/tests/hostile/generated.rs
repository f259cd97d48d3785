//! The same limits for generated schemas and bodies: a random walk over the schema chooses the places where a body is
//! large, with values of the right or of a wrong type.

use crd_runtime::compiled::CompiledSchema;
use crd_runtime::definition;
use fastrand::Rng;
use serde_json::{Map, Value, json};

use super::{BYTES, crd, write};

/// The number of bodies. Each is created, replaces an object without its fields, and replaces itself.
const BODIES: u64 = 48;
/// The most schemas that are generated inside each other, below the outermost.
const LEVELS: usize = 4;
/// The size, in bytes, up to which a value is one of [`PIECES`].
const SMALL: usize = 64;
/// Values of different types, so that most have a wrong type wherever they are.
const PIECES: [&str; 12] = [
    "{}",
    "[]",
    "0",
    "-1",
    "1.5",
    "null",
    "true",
    r#""""#,
    r#""a""#,
    r#"{"":0}"#,
    "[[]]",
    r#"{"name":"a","x":{"y":[1]}}"#,
];
/// Characters that are long in UTF-8, in JSON, or when an error quotes them.
const CHARACTERS: [&str; 6] = ["a", "\\u007f", "\\n", "€", "\\ud83d\\ude00", "\\\""];

/// Generates bodies.
struct Random(Rng);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0.usize(..limit)
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

#[test]
fn generated_bodies_keep_within_the_limits() {
    let mut rejected = 0;
    for seed in 1..=BODIES {
        let mut random = Random(Rng::with_seed(seed));
        let (properties, schema) = accepted(&mut random);
        let large = random.below(properties.len());
        let fields: Vec<String> = properties
            .iter()
            .enumerate()
            .map(|(at, (name, schema))| {
                let size = if at == large { BYTES / 2 } else { SMALL };
                format!(r#","{name}":{}"#, value(&mut random, schema, size, LEVELS))
            })
            .collect();
        let fields = fields.concat();
        let metadata = if random.below(4) == 0 { metadata(&mut random) } else { String::new() };
        let message = write(&format!("seed {seed}, {properties:?}"), &schema, &metadata, &fields);
        rejected += usize::from(message.contains("is invalid") || message.contains("error"));
    }
    // A generator of valid bodies would show little.
    assert!(rejected * 2 > usize::try_from(BODIES).expect("few"), "{rejected} of {BODIES}");
}

/// Generates properties until a definition with them is accepted.
fn accepted(random: &mut Random) -> (Map<String, Value>, CompiledSchema) {
    loop {
        let properties: Map<String, Value> =
            (0..3).map(|n| (format!("p{n}"), schema(random, LEVELS))).collect();
        let crd = crd(&json!({"type": "object", "properties": properties}));
        if definition::validate(&crd).iter().all(|error| error.field.starts_with("status")) {
            return (properties, CompiledSchema::for_version(&crd, "v1").expect("it compiles"));
        }
    }
}

fn schema(random: &mut Random, levels: usize) -> Value {
    let kinds = if levels == 0 { 6 } else { 14 };
    let mut generated = match random.below(kinds) {
        0 => json!({"type": "string", "maxLength": 4, "pattern": "^[a-z]*$"}),
        1 => json!({"type": "string", "enum": ["on", "off", "m".repeat(200)]}),
        2 => {
            json!({"type": "string", "format": random.pick(&["date-time", "ipv4", "byte", "uri"])})
        }
        3 => json!({"type": "integer", "minimum": 1, "multipleOf": 3,
                    "x-kubernetes-validations": [{"rule": "self < 5"}]}),
        4 => json!({"x-kubernetes-int-or-string": true}),
        5 => json!({"type": "boolean", "nullable": true}),
        6 | 7 => {
            let properties: Map<String, Value> = ["name", "a", "b"]
                .map(|name| (name.to_owned(), schema(random, levels - 1)))
                .into_iter()
                .collect();
            json!({"type": "object", "properties": properties, "required": ["name", "b"],
                   "not": {"required": ["a"]}})
        }
        8 => json!({"type": "object", "maxProperties": 1000,
                    "additionalProperties": schema(random, levels - 1)}),
        9 => json!({"type": "array", "maxItems": 1000, "items": schema(random, levels - 1)}),
        10 => json!({"type": "array", "x-kubernetes-list-type": "set", "maxItems": 1000,
                     "items": {"type": "string", "maxLength": 10}}),
        11 => json!({"type": "array", "x-kubernetes-list-type": "map", "maxItems": 1000,
                     "x-kubernetes-list-map-keys": ["name"],
                     "items": {"type": "object", "required": ["name"], "properties": {
                         "name": {"type": "string"}, "a": schema(random, levels - 1)}}}),
        12 => json!({"type": "object", "x-kubernetes-embedded-resource": true,
                     "x-kubernetes-preserve-unknown-fields": true}),
        _ => json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true,
                    "anyOf": [{"required": ["a"]}, {"properties": {"b": {"enum": [1, 2]}}}],
                    "properties": {"b": {"type": "integer"}}}),
    };
    if generated["type"] == "string" && random.below(3) == 0 {
        generated["default"] = json!("on");
    }
    generated
}

/// The text of a value of about `size` bytes, which mostly has the type of its schema.
fn value(random: &mut Random, schema: &Value, size: usize, levels: usize) -> String {
    if size <= SMALL {
        return random.pick(&PIECES).to_owned();
    }
    if levels == 0 || random.below(4) == 0 {
        return wrong(random, size);
    }
    match schema["type"].as_str() {
        Some("array") if random.below(3) == 0 => {
            format!("[{}]", value(random, &schema["items"], size, levels - 1))
        }
        Some("array") => {
            let one = SMALL.max(size >> random.below(16));
            let element = value(random, &schema["items"], one, levels - 1);
            repeated(&element, size)
        }
        Some("object") if schema["additionalProperties"].is_object() => {
            let inner = &schema["additionalProperties"];
            match random.below(3) {
                0 => format!(
                    r#"{{"{}":{}}}"#,
                    text(random, size / 2),
                    value(random, inner, size / 2, levels - 1)
                ),
                1 => format!(r#"{{"k":{}}}"#, value(random, inner, size, levels - 1)),
                _ => keys(size, &value(random, inner, SMALL, levels - 1)),
            }
        }
        Some("object") if schema["properties"]["name"].is_object() => {
            let large = random.pick(&["name", "a", "b"]);
            format!(
                r#"{{"{large}":{}}}"#,
                value(random, &schema["properties"][large], size, levels - 1)
            )
        }
        Some("string") => format!("\"{}\"", text(random, size)),
        _ => wrong(random, size),
    }
}

/// A large value that is generated without a schema.
fn wrong(random: &mut Random, size: usize) -> String {
    let piece = random.pick(&PIECES);
    match random.below(5) {
        0 => {
            let levels = random.below(400) + 1;
            format!("{}{}{}", "[".repeat(levels), repeated(piece, size), "]".repeat(levels))
        }
        1 => repeated(piece, size),
        2 => keys(size, piece),
        3 => format!(r#"{{"{}":{}}}"#, text(random, size / 2), repeated(piece, size / 2)),
        _ => format!("\"{}\"", text(random, size)),
    }
}

/// The inside of a string of about `size` bytes.
fn text(random: &mut Random, size: usize) -> String {
    let character = random.pick(&CHARACTERS);
    character.repeat(size / character.len())
}

fn repeated(element: &str, size: usize) -> String {
    format!("[{}]", vec![element; size / (element.len() + 1) + 1].join(","))
}

/// An object with many keys, of which one in eight occurs twice.
fn keys(size: usize, value: &str) -> String {
    let count = size / (value.len() + 8);
    let pairs: Vec<String> =
        (0..count).map(|n| format!(r#""{}":{value}"#, n - n % 8 / 7)).collect();
    format!("{{{}}}", pairs.join(","))
}

/// Large metadata: fields that follow the object's name.
fn metadata(random: &mut Random) -> String {
    let size = BYTES / 4;
    match random.below(5) {
        0 => format!(r#","labels":{}"#, keys(size, random.pick(&PIECES))),
        1 => format!(r#","annotations":{{"{}":"a"}}"#, text(random, size)),
        2 => format!(r#","finalizers":{}"#, repeated(r#""a b""#, size)),
        3 => format!(r#","ownerReferences":{}"#, repeated(random.pick(&PIECES), size)),
        _ => format!(
            r#","managedFields":[{{"manager":"{}","operation":"Update","fieldsV1":{}}}]"#,
            text(random, size / 2),
            keys(size / 2, random.pick(&PIECES))
        ),
    }
}

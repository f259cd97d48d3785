//! Changes the bounds in the schemas of recorded rules.

use fastrand::Rng;
use serde_json::{Map, Value};

use super::Case;

/// Returns `count` cases with bounds that are absent, small or large.
pub fn resized(cases: &[Case], count: usize, seed: u64) -> Vec<Case> {
    let mut rng = Rng::with_seed(seed);
    let change = "other bounds";
    let chosen = (0..count).map_while(|_| {
        let case = rng.choice(cases)?;
        Some(Case { schema: resize(&mut rng, &case.schema), change, ..case.clone() })
    });
    chosen.collect()
}

pub(super) fn resize(rng: &mut Rng, schema: &Value) -> Value {
    let Value::Object(members) = schema else { return schema.clone() };
    let mut resized = Map::new();
    for (key, value) in members {
        let value = match (key.as_str(), value) {
            ("properties", Value::Object(properties)) => {
                let properties = properties.iter();
                properties.map(|(name, schema)| (name.clone(), resize(rng, schema))).collect()
            }
            ("items" | "additionalProperties", inner) => resize(rng, inner),
            _ => value.clone(),
        };
        resized.insert(key.clone(), value);
    }
    let bound = match schema["type"].as_str().unwrap_or_default() {
        "array" => "maxItems",
        "object" if schema["additionalProperties"].is_object() => "maxProperties",
        "string" => "maxLength",
        _ => return resized.into(),
    };
    match rng
        .choice([None, None, Some(0), Some(1), Some(7), Some(1_000), Some(10_000_000)])
        .flatten()
    {
        Some(most) => resized.insert(bound.to_owned(), most.into()),
        None => resized.remove(bound),
    };
    resized.into()
}

//! The law of apply configurations: a configuration made from a value has the same JSON, except for `null`.

use arbitrary::Unstructured;
use crd_runtime::apply::IntoApply;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{ENTROPY, VALUES, values, zoo};

/// The JSON of one value in three forms.
pub(crate) struct Written {
    /// The value.
    full: Value,
    /// The apply configuration that is made from it.
    apply: Value,
    /// That configuration after it is written and read.
    again: Result<Value, String>,
}

impl Written {
    pub(crate) fn of<T>(value: T) -> Self
    where
        T: Serialize + IntoApply<Apply: Serialize + DeserializeOwned>,
    {
        let full = json(&value);
        let apply = json(&value.into_apply());
        let again = serde_json::from_value::<T::Apply>(apply.clone());
        Self {
            full: without_nulls(full),
            again: again.map(|again| without_nulls(json(&again))).map_err(|e| e.to_string()),
            apply: without_nulls(apply),
        }
    }
}

fn json(value: &impl Serialize) -> Value {
    serde_json::to_value(value).expect("specimens serialize")
}

/// Removes the fields of objects that are `null`, which a configuration may omit, and sorts lists, because a hash set
/// has no order.
fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(fields) => fields
            .into_iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(name, value)| (name, without_nulls(value)))
            .collect(),
        Value::Array(items) => {
            let mut items: Vec<_> = items.into_iter().map(without_nulls).collect();
            items.sort_by_cached_key(Value::to_string);
            Value::Array(items)
        }
        other => other,
    }
}

#[test]
fn a_configuration_has_the_json_of_its_value() {
    let mut broken = Vec::new();
    for specimen in zoo() {
        let mut rng = fastrand::Rng::with_seed(1);
        for _ in 0..VALUES {
            let bytes = values::entropy::<ENTROPY>(&mut rng);
            let Written { full, apply, again } = (specimen.apply)(&mut Unstructured::new(&bytes));
            if full != apply {
                broken.push(format!("{}: {full} becomes {apply}", specimen.name));
                break;
            }
            if again.as_ref() != Ok(&apply) {
                broken.push(format!("{}: {apply} reads back as {again:?}", specimen.name));
                break;
            }
        }
    }
    assert!(broken.is_empty(), "changed:\n{}", broken.join("\n"));
}

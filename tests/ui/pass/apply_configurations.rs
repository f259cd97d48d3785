//! Apply configurations of types with parameters, and beside names that the derive uses.
#![forbid(dead_code)]

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::hash::Hash;
use std::marker::PhantomData;

use crd_runtime::CrdSchema;
use crd_runtime::apply::IntoApply;
use crd_runtime::crd_schema::MapKey;
use crd_runtime::model::JsonSchemaProps;
use serde::{Deserialize, Serialize};
use serde_json::json;

fn schema() -> JsonSchemaProps {
    i32::schema()
}

/// Parts that are applied as a whole.
#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(apply)]
struct Whole<T: Ord + Hash + MapKey, U> {
    set: BTreeSet<T>,
    hashed: HashSet<T>,
    keys: BTreeMap<T, i32>,
    array: [T; 2],
    pair: (U, U),
    boxed: Box<[U]>,
    other: Other<U>,
    others: Vec<Other<U>>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(apply(whole))]
struct Other<T> {
    value: T,
}

/// Parts whose schemas are not those of their types.
#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(apply)]
struct Replaced<T, U> {
    #[crd(schema_with = schema)]
    one: T,
    #[crd(schema_as = Vec<i32>)]
    many: Vec<U>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(apply)]
enum Choice<T, U, V> {
    Pair(T, T),
    One(#[crd(schema_with = schema)] U),
    #[crd(schema_with = schema)]
    Named {
        value: V,
    },
    #[crd(schema_with = schema)]
    Unnamed(V),
}

/// Parts that serde skips.
#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(apply)]
struct Skipped<T, U> {
    value: T,
    #[serde(skip)]
    marker: PhantomData<U>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(apply)]
struct Nothing<T> {
    #[serde(skip)]
    marker: PhantomData<T>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(apply)]
enum SkippedInVariants<T> {
    One {
        value: i32,
        #[serde(skip)]
        marker: PhantomData<T>,
    },
    Two {
        value: i32,
    },
}

trait Source {
    type Item;
}

#[derive(Clone, Debug)]
struct Numbers;

impl Source for Numbers {
    type Item = Item;
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(apply)]
struct Item {
    number: i32,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(apply)]
#[serde(bound = "T::Item: Serialize + for<'a> Deserialize<'a>")]
struct Page<T: Source> {
    first: T::Item,
    items: Vec<T::Item>,
    pair: (T::Item, T::Item),
}

/// A function of the type itself says what serde skips.
#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(apply)]
struct Conditional<T> {
    #[serde(default, skip_serializing_if = "Self::is_empty")]
    list: Vec<T>,
}

impl<T> Conditional<T> {
    fn is_empty(list: &[T]) -> bool {
        list.is_empty()
    }
}

/// A variant with the name of an associated type.
#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(apply)]
enum Action {
    Apply { count: i32 },
    Delete { count: i32 },
}

fn json<T: IntoApply<Apply: Serialize>>(value: T) -> serde_json::Value {
    serde_json::to_value(value.into_apply()).expect("JSON")
}

fn main() {
    let whole = WholeApply::<String, i32>::new().set(["a"]).pair((1, 2)).boxed(vec![3]);
    let whole = whole.hashed(["b"]).keys([("c", 4)]).others([Other { value: 5 }]);
    let whole = serde_json::to_value(whole).expect("JSON");
    let want = json!({
        "set": ["a"], "hashed": ["b"], "keys": {"c": 4}, "pair": [1, 2], "boxed": [3], "others": [{"value": 5}],
    });
    assert_eq!(whole, want);
    assert_eq!(json(Replaced { one: 1, many: vec![2] }), json!({"one": 1, "many": [2]}));
    for (choice, want) in [
        (Choice::Pair(1, 2), json!({"Pair": [1, 2]})),
        (Choice::One(3), json!({"One": 3})),
        (Choice::Named { value: 4 }, json!({"Named": {"value": 4}})),
        (Choice::Unnamed(5), json!({"Unnamed": 5})),
    ] {
        assert_eq!(json(choice), want);
    }

    let skipped = SkippedApply::<i32, Item>::new().value(1);
    assert_eq!(serde_json::to_value(skipped).expect("JSON"), json!({"value": 1}));
    assert_eq!(json(Nothing::<Item> { marker: PhantomData }), json!({}));
    let one = SkippedInVariants::<Item>::One { value: 1, marker: PhantomData };
    for variant in [one, SkippedInVariants::Two { value: 1 }] {
        match variant.into_apply() {
            SkippedInVariantsApply::One { value } | SkippedInVariantsApply::Two { value } => {
                assert_eq!(value, Some(1));
            }
        }
    }

    let item = |number| Item { number };
    let page = Page::<Numbers> { first: item(1), items: vec![item(2)], pair: (item(3), item(4)) };
    let page = PageApply::from(page).items([ItemApply::new()]);
    let want = json!({
        "first": {"number": 1}, "items": [{"number": 2}, {}], "pair": [{"number": 3}, {"number": 4}],
    });
    assert_eq!(serde_json::to_value(page).expect("JSON"), want);
    for (list, want) in [(vec![1], json!({"list": [1]})), (Vec::new(), json!({}))] {
        assert_eq!(json(Conditional { list }), want);
    }
    assert_eq!(json(Action::Apply { count: 1 }), json!({"Apply": {"count": 1}}));
    assert_eq!(json(Action::Delete { count: 2 }), json!({"Delete": {"count": 2}}));
}

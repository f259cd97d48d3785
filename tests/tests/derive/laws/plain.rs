//! Structs of scalars, containers and constraints.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::num::{NonZeroI32, NonZeroU8, NonZeroU16, NonZeroU32};
use std::sync::Arc;

use arbitrary::Arbitrary;
use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::values;

/// Structs and enums with the derives that a specimen, which is a type of the zoo, needs.
macro_rules! specimen {
    ($($item:item)*) => {
        $(
            #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Arbitrary, CrdSchema)]
            #[crd(apply)]
            $item
        )*
    };
}
pub(crate) use specimen;

specimen! {
    pub(crate) struct Integers { a: i8, b: i16, c: i32, d: i64, e: u8, f: u16, g: u32,
        #[arbitrary(with = values::int64)] #[crd(unchecked("the values are of int64"))] h: u64 }

    pub(crate) struct NonZero { a: NonZeroU8, b: NonZeroU16, c: NonZeroU32 }

    pub(crate) struct Floats { #[arbitrary(with = values::finite32)] a: f32, #[arbitrary(with = values::finite)] b: f64 }

    pub(crate) struct Text { a: String, b: char, #[arbitrary(with = values::cow)] c: Cow<'static, str>, d: Arc<str>, e: Box<str> }

    pub(crate) struct Flags { a: bool, b: Option<bool>, #[serde(skip_serializing_if = "Option::is_none")] c: Option<bool> }

    pub(crate) struct Unit;

    pub(crate) struct Empty {}

    pub(crate) struct Name(String);

    #[serde(transparent)]
    pub(crate) struct Transparent { inner: i32 }

    pub(crate) struct NewtypeOfStruct(Integers);

    pub(crate) struct Nested { name: Name, flags: Flags, boxed: Box<Text>, shared: Arc<Empty>, t: Transparent }

    pub(crate) struct Lists { a: Vec<String>, b: Vec<Vec<i32>>, c: Vec<Empty>, d: Option<Vec<u8>>,
        e: std::collections::VecDeque<bool> }

    pub(crate) struct Arrays { a: [u8; 4], b: [String; 2], c: [bool; 1] }

    pub(crate) struct Sets { a: BTreeSet<String>, b: HashSet<u16>, c: BTreeSet<i64> }

    pub(crate) struct Maps { a: BTreeMap<String, String>, b: HashMap<String, i32>, c: BTreeMap<String, Empty>,
        d: BTreeMap<String, Vec<bool>>, e: BTreeMap<String, BTreeMap<String, u8>> }

    pub(crate) struct JsonValues { #[arbitrary(with = values::json)] a: Value,
        #[arbitrary(with = values::json_map)] b: HashMap<String, Value> }

    #[serde(rename_all = "camelCase")]
    pub(crate) struct Renamed { first_name: u8, #[serde(rename = "LAST")] last_name: u8, r#type: String }

    #[serde(rename_all = "kebab-case")]
    pub(crate) struct Kebab { first_name: u8, second_name: Option<u8> }

    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub(crate) struct Screaming { first_name: u8 }

    #[serde(deny_unknown_fields)]
    pub(crate) struct Denying { a: u8, b: Option<String> }

    pub(crate) struct Defaults { #[serde(default)] a: u8, #[serde(default = "seven")] b: u8,
        #[crd(default = 3)] c: i32, #[serde(default)] #[crd(default = "x")] d: String }

    #[serde(default)]
    pub(crate) struct DefaultedStruct { a: u8, b: String, c: Vec<u8> }

    pub(crate) struct Skipped { a: u8, #[serde(skip)] b: u8, #[serde(skip_serializing_if = "Vec::is_empty", default)] c: Vec<u8> }

    pub(crate) struct Bounded { #[crd(minimum = 1, maximum = 9)] #[arbitrary(with = one_to_nine)] a: i32,
        #[crd(minimum = -5, exclusive_minimum = true)] #[arbitrary(with = one_to_nine)] b: i32,
        #[crd(minimum = 0.5, maximum = 9.5)] #[arbitrary(with = one_to_nine_f)] c: f64,
        #[crd(multiple_of = 3)] #[arbitrary(with = threes)] d: i32,
        #[crd(maximum = 10, exclusive_maximum = true)] #[arbitrary(with = one_to_nine)] e: i32 }

    pub(crate) struct Sized { #[crd(min_length = 1, max_length = 8)] #[arbitrary(with = values::word)] a: String,
        #[crd(pattern = "^[a-z]+$")] #[arbitrary(with = values::word)] b: String,
        #[crd(max_items = 5, items(max_length = 8))] #[arbitrary(with = values::words)] c: Vec<String>,
        #[crd(max_properties = 2000, values(minimum = 0))] d: BTreeMap<String, u8> }

    pub(crate) struct SetList { #[crd(list_type = "set")] #[arbitrary(with = values::words)] a: Vec<String>,
        #[crd(list_type = "atomic")] b: Vec<String> }

    pub(crate) struct MapList { #[crd(list_type = "map", list_map_keys("name"))] #[arbitrary(with = items)] a: Vec<Item> }

    pub(crate) struct AtomicMap { #[crd(map_type = "atomic")] a: Empty, #[crd(map_type = "granular")] b: BTreeMap<String, u8> }

    pub(crate) struct Documented {
        /// What it is.
        ///
        /// And more of it.
        a: u8,
        #[crd(title = "B", description = "other", example = 3, external_docs(url = "https://example.com", description = "d"))]
        b: u8,
    }

    pub(crate) struct Nullable { #[crd(nullable = true)] #[serde(skip_serializing_if = "Option::is_none")] a: Option<u8>, b: Option<String> }

    pub(crate) struct DeepOption { a: Option<Option<u8>>, b: Vec<Option<u8>>, c: BTreeMap<String, Option<u8>> }

    pub(crate) struct EnumValues { #[crd(enum_values("a", "b"))] #[arbitrary(with = a_or_b)] a: String,
        #[crd(enum_values(1, 2))] #[arbitrary(with = one_or_two)] b: i32 }

    pub(crate) struct Ruled { #[crd(rule("self < 10", message = "too much"))] #[arbitrary(with = digit)] a: u8,
        #[crd(rule("self.size() <= 5"), min_properties = 1, max_properties = 5)] #[arbitrary(with = few)] b: BTreeMap<String, u8> }

    #[crd(rule("self.a <= self.b"))]
    pub(crate) struct RuledStruct { #[arbitrary(with = below)] a: i32, #[arbitrary(with = above)] b: i32 }

    pub(crate) struct Immutable { #[crd(immutable)] a: u8, #[crd(immutable)] b: Option<String> }

    pub(crate) struct Generic<T: Clone> { value: T, list: Vec<T> }

    pub(crate) struct Tuples { a: (u8, u8), b: (String, String, String) }

    pub(crate) struct SignedNonZero { #[crd(schema_with = small_int)] #[arbitrary(with = one_to_hundred)] a: NonZeroI32 }

    #[crd(preserve_unknown_fields = true)]
    pub(crate) struct Preserving { a: u8 }

    pub(crate) struct Flattened { #[serde(flatten)] item: Item, #[serde(flatten)] empty: Empty, more: bool }

    pub(crate) struct FlattenedOption { #[serde(flatten)] item: Option<Item>, more: bool }

    pub(crate) struct FlattenedMap { known: u8, #[serde(flatten)] #[arbitrary(with = others)] rest: BTreeMap<String, Value> }

    pub(crate) struct Formats { #[crd(format = "date")] #[arbitrary(value = "2024-02-29".to_owned())] a: String,
        #[crd(format = "uuid")] #[arbitrary(value = "123e4567-e89b-12d3-a456-426614174000".to_owned())] b: String,
        #[crd(format = "ipv4")] #[arbitrary(value = "10.0.0.1".to_owned())] c: String }

    #[serde(try_from = "u8", into = "u8")]
    #[crd(schema_with = small)]
    pub(crate) struct Converted { inner: u8 }
}

/// Structs of two optional fields, each with the combinations that its rule allows: whether `a` and `b` are present.
macro_rules! choices {
    ($($(#[$attribute:meta])* $name:ident: $choices:expr;)*) => {$(
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, CrdSchema)]
        #[crd(apply)]
        $(#[$attribute])*
        pub(crate) struct $name {
            #[serde(skip_serializing_if = "Option::is_none")]
            a: Option<u8>,
            #[serde(skip_serializing_if = "Option::is_none")]
            b: Option<u8>,
        }

        impl<'a> Arbitrary<'a> for $name {
            fn arbitrary(u: &mut arbitrary::Unstructured<'a>) -> arbitrary::Result<Self> {
                let [a, b]: [bool; 2] = *u.choose(&$choices)?;
                Ok(Self { a: a.then_some(u.arbitrary()?), b: b.then_some(u.arbitrary()?) })
            }
        }
    )*};
}

choices! {
    #[crd(at_most_one_of("a", "b"))]
    AtMostOne: [[false, false], [true, false], [false, true]];

    #[crd(at_least_one_of("a", "b"))]
    AtLeastOne: [[true, false], [false, true], [true, true]];

    #[crd(exactly_one_of("a", "b"))]
    ExactlyOne: [[true, false], [false, true]];
}

/// An item of a list map.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Arbitrary, CrdSchema)]
#[crd(apply(keys("name")))]
pub(crate) struct Item {
    name: String,
    value: Option<i32>,
}

impl From<Converted> for u8 {
    fn from(value: Converted) -> Self {
        value.inner
    }
}

impl From<u8> for Converted {
    fn from(inner: u8) -> Self {
        Self { inner }
    }
}

impl Default for DefaultedStruct {
    fn default() -> Self {
        Self { a: 1, b: "b".into(), c: vec![] }
    }
}

fn seven() -> u8 {
    7
}

fn one_to_nine(u: &mut arbitrary::Unstructured<'_>) -> arbitrary::Result<i32> {
    u.int_in_range(1..=9)
}

fn one_to_nine_f(u: &mut arbitrary::Unstructured<'_>) -> arbitrary::Result<f64> {
    Ok(f64::from(one_to_nine(u)?))
}

fn one_or_two(u: &mut arbitrary::Unstructured<'_>) -> arbitrary::Result<i32> {
    u.int_in_range(1..=2)
}

fn a_or_b(u: &mut arbitrary::Unstructured<'_>) -> arbitrary::Result<String> {
    Ok((*u.choose(&["a", "b"])?).to_owned())
}

fn threes(u: &mut arbitrary::Unstructured<'_>) -> arbitrary::Result<i32> {
    Ok(u.int_in_range(i32::MIN / 3..=i32::MAX / 3)? * 3)
}

fn digit(u: &mut arbitrary::Unstructured<'_>) -> arbitrary::Result<u8> {
    u.int_in_range(0..=9)
}

fn few(u: &mut arbitrary::Unstructured<'_>) -> arbitrary::Result<BTreeMap<String, u8>> {
    let mut map: BTreeMap<_, _> = values::words(u)?
        .into_iter()
        .map(|word| Ok((word, u.arbitrary()?)))
        .collect::<arbitrary::Result<_>>()?;
    if map.is_empty() {
        map.insert("one".to_owned(), 1);
    }
    Ok(map)
}

fn below(u: &mut arbitrary::Unstructured<'_>) -> arbitrary::Result<i32> {
    u.int_in_range(i32::MIN..=0)
}

fn above(u: &mut arbitrary::Unstructured<'_>) -> arbitrary::Result<i32> {
    u.int_in_range(0..=i32::MAX)
}

fn items(u: &mut arbitrary::Unstructured<'_>) -> arbitrary::Result<Vec<Item>> {
    values::words(u)?.into_iter().map(|name| Ok(Item { name, value: u.arbitrary()? })).collect()
}

fn others(u: &mut arbitrary::Unstructured<'_>) -> arbitrary::Result<BTreeMap<String, Value>> {
    values::words(u)?
        .into_iter()
        .filter(|key| key != "known")
        .map(|key| Ok((key, Value::String(values::word(u)?))))
        .collect()
}

fn one_to_hundred(u: &mut arbitrary::Unstructured<'_>) -> arbitrary::Result<NonZeroI32> {
    Ok(NonZeroI32::new(u.int_in_range(1..=100)?).unwrap_or(NonZeroI32::MIN))
}

fn small_int() -> crd_runtime::model::JsonSchemaProps {
    integer(1.0, 100.0)
}

fn small() -> crd_runtime::model::JsonSchemaProps {
    integer(0.0, 255.0)
}

fn integer(minimum: f64, maximum: f64) -> crd_runtime::model::JsonSchemaProps {
    let mut schema = crd_runtime::model::JsonSchemaProps::of_type("integer");
    (schema.minimum, schema.maximum) = (Some(minimum), Some(maximum));
    schema
}

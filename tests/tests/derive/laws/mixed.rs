//! Combinations of serde's attributes: flattened fields in variants, attributes for only reading or writing,
//! conversions, and enums as map keys.

use std::collections::BTreeMap;

use arbitrary::Arbitrary;
use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::enums::{Action, Lower};
use super::plain::{Empty, Item, specimen};
use super::values;

specimen! {
    pub(crate) struct Bytes { #[serde(with = "crd_runtime::base64")] #[arbitrary(with = some_bytes)] a: Vec<u8> }

    pub(crate) struct KeyedByEnum { a: BTreeMap<Key, u8>, b: Option<BTreeMap<Key, Item>> }

    pub(crate) struct KeyedByNewtypes { a: BTreeMap<Word, u8>, b: BTreeMap<NewtypeOfKey, Item> }

    #[derive(Eq, PartialOrd, Ord)]
    pub(crate) struct Word(String);

    #[derive(Eq, PartialOrd, Ord)]
    pub(crate) struct NewtypeOfKey(Key);

    pub(crate) struct MapAlone { #[serde(flatten)] all: BTreeMap<String, Item> }

    pub(crate) struct Members { a: (u8, u8, u8, u8, u8, u8, u8, u8, u8), b: (u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8) }

    #[serde(tag = "type")]
    pub(crate) struct TaggedStruct { a: u8, b: Option<String> }

    #[serde(from = "Wire", into = "Wire")]
    pub(crate) struct Delegated { inner: u8 }

    pub(crate) struct Halves { #[serde(skip_serializing, default)] a: u8, #[serde(skip_deserializing)] b: u8, c: bool }

    pub(crate) struct Pair(u8, u8);

    pub(crate) struct Wrapped(BTreeMap<String, Vec<Item>>);

    #[serde(tag = "t")]
    pub(crate) enum PartsOfVariants { A { #[serde(flatten)] item: Item, x: bool },
        B { #[serde(flatten)] #[arbitrary(with = others)] rest: BTreeMap<String, Value> }, C(Empty) }

    pub(crate) enum PartsOfExternal { A { #[serde(flatten)] item: Item, #[serde(flatten)] choice: Choice }, B((u8, u8)) }

    #[serde(tag = "t")]
    pub(crate) enum InternalUntagged { A { a: u8 }, #[serde(untagged)] Rest { b: String } }

    #[serde(tag = "t", content = "c")]
    pub(crate) enum AdjacentUntagged { A(u8), B { x: bool }, #[serde(untagged)] Rest(String) }

    pub(crate) struct ManyParts { #[serde(flatten)] item: Item, #[serde(flatten)] choice: Choice,
        #[serde(flatten)] maybe: Option<Renamed> }

    pub(crate) struct PartOrMore { #[serde(flatten)] item: Item, #[serde(flatten)] #[arbitrary(with = others)] rest: BTreeMap<String, Value> }

    pub(crate) struct NestedItems { #[crd(items(max_items = 300, items(values(maximum = 255))))] a: Vec<Vec<BTreeMap<String, u8>>>,
        #[crd(values(values(items(max_length = 40000))))] b: BTreeMap<String, BTreeMap<String, Vec<String>>> }

    pub(crate) struct NullableItems { a: Vec<Option<Item>>, b: Option<Vec<Option<bool>>>, c: BTreeMap<String, Option<Item>> }

    #[serde(tag = "t")]
    pub(crate) enum DefaultsOfVariants { A { #[crd(default = 1)] x: i32, #[serde(default)] y: bool },
        B { #[crd(default = 1)] x: i32 }, C { z: Option<String> } }

    pub(crate) enum DefaultsOfExternal { A { #[crd(default = 1)] x: i32 }, B { #[crd(default = 2)] x: i32 } }

    #[serde(tag = "kind")]
    pub(crate) enum Choice { Plain, Of { choice: u8 }, Other { choice: String, more: Option<Item> } }

    #[serde(untagged)]
    pub(crate) enum UntaggedOrAny { Struct { x: bool, y: Option<u8> }, Words(BTreeMap<String, String>), Pair(bool, bool), Any(#[arbitrary(with = values::json)] Value) }

    #[serde(tag = "t")]
    pub(crate) enum InternalMap { Struct { x: bool }, Words(#[arbitrary(with = others)] BTreeMap<String, Value>) }

    #[serde(untagged)]
    pub(crate) enum UntaggedOption { Maybe(Option<u8>), Text(String) }

    #[serde(untagged)]
    pub(crate) enum UntaggedBounds { Small(#[crd(maximum = 255)] u8), Words(#[crd(items(max_length = 40000), max_items = 3000)] Vec<String>) }

    pub(crate) enum BoundsOfExternal { #[crd(maximum = 255)] A(u8),
        #[crd(min_properties = 1)] B { x: u8, y: bool }, #[crd(items(enum_values("one", "two", "3", "four", "fore")))] C(Vec<Lower>) }

    #[serde(rename_all = "SCREAMING-KEBAB-CASE", rename_all_fields = "PascalCase", tag = "my-type")]
    pub(crate) enum RenamedEverywhere { FirstOne { first_field: u8 }, #[serde(rename = "2nd")] Second { r#type: u8, #[serde(rename = "a.b/c")] odd: bool } }

    pub(crate) struct EnumsInside { a: Vec<Vec<Action>>, b: BTreeMap<String, Action>, #[crd(default = ["Install"])] c: Vec<Action>,
        #[serde(skip_serializing_if = "Option::is_none")] #[crd(default = "Install")] d: Option<Action> }

    #[crd(rule("self.c == self.c"))]
    pub(crate) struct SetsOfMore { #[crd(list_type = "set", items(map_type = "atomic"))] #[arbitrary(default)] a: Vec<Item>,
        b: std::collections::BTreeSet<bool>, c: std::collections::BTreeSet<(u8, u8)>, d: std::collections::BTreeSet<Option<u8>> }
}

/// A key of a map.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Arbitrary, CrdSchema,
)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Key {
    First,
    SecondOne,
}

/// What a `Delegated` is written as.
#[derive(Debug, Clone, Serialize, Deserialize, CrdSchema)]
#[crd(apply)]
pub(crate) struct Wire {
    written: u8,
}

/// A part that may be absent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Arbitrary, CrdSchema)]
#[crd(apply)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Renamed {
    the_part: u8,
    other_part: Option<bool>,
}

impl From<Wire> for Delegated {
    fn from(wire: Wire) -> Self {
        Self { inner: wire.written }
    }
}

impl From<Delegated> for Wire {
    fn from(value: Delegated) -> Self {
        Self { written: value.inner }
    }
}

fn some_bytes(u: &mut arbitrary::Unstructured<'_>) -> arbitrary::Result<Vec<u8>> {
    Ok([u.arbitrary::<Vec<u8>>()?, vec![1]].concat())
}

fn others(u: &mut arbitrary::Unstructured<'_>) -> arbitrary::Result<BTreeMap<String, Value>> {
    let keys =
        values::words(u)?.into_iter().filter(|key| !["name", "value", "t"].contains(&&**key));
    keys.map(|key| Ok((key, values::json(u)?))).collect()
}

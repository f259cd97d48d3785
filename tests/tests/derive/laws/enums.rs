//! Enums of every tagging.

use arbitrary::Arbitrary;
use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

use super::plain::{Item, specimen};

specimen! {
    pub(crate) enum Action { Install, Uninstall }

    #[serde(rename_all = "lowercase")]
    pub(crate) enum Lower { One, Two, #[serde(rename = "3")] Three, #[serde(alias = "fore")] Four }

    pub(crate) enum External { Unit, Newtype(String), Struct { a: u8, b: Option<bool> }, Tuple(u8, u8) }

    pub(crate) enum ExternalData { Text(String), Number(i32), Item(Item) }

    #[serde(tag = "type")]
    pub(crate) enum Internal { Unit, Struct { a: u8 }, Newtype(Item) }

    #[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
    pub(crate) enum InternalShared { First { same_name: String, one: u8 }, Second { same_name: String, two: Option<u8> } }

    #[serde(tag = "kind", content = "value")]
    pub(crate) enum Adjacent { Unit, Number(i32), Struct { a: u8 } }

    #[serde(tag = "t", content = "c")]
    pub(crate) enum AdjacentSame { A(String), B(String) }

    #[serde(untagged)]
    pub(crate) enum Untagged { Number(i32), Text(String) }

    #[serde(untagged)]
    pub(crate) enum UntaggedStructs { One { one: u8 }, Two { two: String } }

    pub(crate) struct WithEnums { action: Action, lower: Lower, #[serde(skip_serializing_if = "Option::is_none")] maybe: Option<Action>,
        list: Vec<Action>, external: External, internal: Internal }

    pub(crate) struct DefaultedEnum { #[crd(default = "Install")] action: Action }

    pub(crate) struct FlattenedEnum { name: String, #[serde(flatten)] choice: ExternalData }

    pub(crate) struct FlattenedTagged { outer: String, #[serde(flatten)] choice: Internal }

    pub(crate) enum Single { Only }

    #[serde(untagged)]
    pub(crate) enum UntaggedKinds { Flag(bool), Number(i16), Text(String), List(Vec<u8>), Struct { a: u8, b: Option<String> } }

    #[serde(untagged)]
    pub(crate) enum UntaggedNull { Null, Number(u32), #[serde(skip)] #[arbitrary(skip)] Never }

    #[serde(untagged)]
    pub(crate) enum UntaggedOverlap { One { same: u8 }, Two { same: String, more: bool } }

    #[serde(untagged)]
    pub(crate) enum UntaggedWords { Action(Action), Lower(Lower), Number(u8) }

    #[serde(untagged)]
    pub(crate) enum UntaggedFloats { Int(i64), Float(#[arbitrary(with = super::values::finite32)] f32), Flags(Vec<bool>) }

    #[serde(untagged)]
    pub(crate) enum UntaggedLists { Numbers(Vec<i32>), Words(Vec<Lower>) }

    #[serde(tag = "type")]
    pub(crate) enum InternalConflict { First { value: u8 }, Second { value: Option<Vec<String>> }, Third { value: Item } }

    #[serde(tag = "type")]
    pub(crate) enum InternalOther { A { a: u8 }, B, #[serde(other)] Rest }

    pub(crate) enum UnitOther { A, B, #[serde(other)] Rest }

    #[serde(tag = "t", content = "c")]
    pub(crate) enum AdjacentKinds { Unit, Byte(u8), List(Vec<String>), Struct { x: bool }, Maybe(Option<u8>) }

    pub(crate) enum ExternalUntagged { Unit, Data { a: u8 }, #[serde(untagged)] Number(i32) }

    pub(crate) enum Keyed { C(u8) }

    pub(crate) enum ExternalKeyed { A { a: u8 }, B(bool), #[serde(untagged)] Other(Keyed) }

    pub(crate) enum ExternalOption { Maybe(Option<u8>), Sure(u8) }

    #[serde(untagged)]
    pub(crate) enum UnionOfUnions { Internal(Internal), Adjacent(AdjacentKinds), Untagged(UntaggedKinds) }

    pub(crate) struct UnitFields { a: (), b: std::marker::PhantomData<u8>, c: char }

    pub(crate) struct ListsOfUnions { a: Vec<InternalConflict>, b: std::collections::BTreeMap<String, UntaggedKinds>,
        #[serde(default)] c: Option<Internal> }

    #[serde(untagged)]
    pub(crate) enum FlattenedUntagged { With { #[serde(flatten)] item: Item }, Without { name: bool } }

    pub(crate) enum SkippedVariant { A, B, #[serde(skip)] #[arbitrary(skip)] C }
}

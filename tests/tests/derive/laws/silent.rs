//! Mistakes that once compiled although the schema did not match the Rust type. The specimens have the correct form.

use std::collections::{BTreeMap, BTreeSet};

use arbitrary::Arbitrary;
use crd_runtime::__private::k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

use super::enums::Action;
use super::plain::{Item, specimen};
use super::values;

specimen! {
    pub(crate) struct PartWithRules { #[serde(flatten)] part: Positive, more: bool }

    pub(crate) struct OptionalPartWithRules { #[serde(flatten)] part: Option<Positive>, more: bool }

    pub(crate) struct ExactBounds { #[crd(minimum = -9007199254740992, maximum = 9007199254740992)] #[arbitrary(with = exact)] a: i64,
        #[crd(minimum = -9007199254740992)] #[arbitrary(with = exact)] b: i64, #[crd(maximum = 1152921504606846976)] #[arbitrary(with = exact)] c: i64 }

    pub(crate) struct PartsApart { #[serde(flatten)] item: Item, #[serde(flatten)] part: Option<Positive>, more: u8 }

    pub(crate) struct BoundsOfNewtypes { #[crd(maximum = 255)] a: Byte, #[crd(minimum = 0)] b: Count, #[crd(items(minimum = 0))] c: Vec<Byte> }

    pub(crate) struct NullsBelow { a: Vec<Option<bool>>, b: BTreeMap<String, Option<u8>>, c: (Option<u8>, Option<u8>), d: Vec<Action> }

    #[serde(tag = "type")]
    pub(crate) enum TaggedNothing { Nothing, Item(Item) }

    pub(crate) struct FlattenedNothing { #[serde(flatten)] a: (), #[serde(flatten)] b: Unit, c: u8 }

    #[crd(exactly_one_of("a", "b"))]
    pub(crate) struct OneOfSkipped { #[arbitrary(default)] #[serde(default, skip_serializing_if = "Vec::is_empty")] a: Vec<String>,
        #[arbitrary(with = some)] #[serde(skip_serializing_if = "Option::is_none")] b: Option<u8> }

    pub(crate) struct DefaultSkipped { #[crd(default = 0)] #[serde(default, skip_serializing_if = "is_zero")] a: u8,
        #[crd(default = [])] #[serde(default, skip_serializing_if = "Vec::is_empty")] b: Vec<u8> }

    pub(crate) struct SetDefault { #[crd(default = ["a", "b"])] a: BTreeSet<String> }

    #[serde(deny_unknown_fields)]
    pub(crate) struct DenyingParts { a: u8, #[serde(flatten)] item: Item }

    pub(crate) struct BoundedEnums { #[crd(max_length = 9, min_length = 7)] a: Action }

    pub(crate) struct KnownFormats { #[crd(format = "date-time")] #[arbitrary(value = "2024-02-29T00:00:00Z".to_owned())] a: String,
        #[crd(format = "k8s-short-name")] #[arbitrary(with = values::word)] b: String }

    pub(crate) struct NamesAsFields { #[serde(flatten)] a: Action, b: u8 }

    #[serde(tag = "type")]
    pub(crate) enum TaggedNames { Name(Action), Other }

    pub(crate) struct AlwaysThere { #[crd(required)] #[serde(default)] a: u8, #[crd(required)] b: Option<bool>, #[crd(optional)] c: Option<u8> }

    pub(crate) struct ConstantBounds { #[crd(maximum = MOST)] #[arbitrary(with = one_to_nine)] a: i32, #[crd(minimum = -MOST)] #[arbitrary(with = one_to_nine)] b: i32 }

    #[derive(Default)]
    #[serde(default)]
    pub(crate) struct DefaultOfParts { #[serde(flatten)] part: Numbered, #[serde(flatten, default)] other: Lettered, more: bool }

    #[serde(untagged)]
    pub(crate) enum RuleOfPort { Port { #[crd(immutable)] #[arbitrary(with = values::int_or_string)] port: IntOrString, path: String }, Name { name: String } }

    #[serde(tag = "type", deny_unknown_fields)]
    pub(crate) enum TaggedAlone { One { a: u8 }, Other { b: u8 }, Numbered(NumberedAlone), Nothing }

    pub(crate) struct NewtypeOfOption { a: MaybeByte, b: Option<MaybeByte> }

    pub(crate) struct WriteOnlyName { #[serde(skip_deserializing, rename(serialize = "written", deserialize = "read"))] a: u8, b: u8 }
}

/// A bound of which the macro sees only the name.
const MOST: i32 = 9;

/// A part with rules about its fields.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Arbitrary, CrdSchema)]
#[crd(apply, rule("self.n > 0"), rule("self.n < 1000 || has(self.m)"))]
pub(crate) struct Positive {
    #[arbitrary(with = one_to_nine)]
    n: i32,
    #[serde(skip_serializing_if = "Option::is_none")]
    m: Option<u8>,
}

/// Written as `null` without a value, but never left out.
#[derive(Debug, Default, Clone, PartialEq, Serialize, Deserialize, Arbitrary, CrdSchema)]
#[crd(apply)]
pub(crate) struct MaybeByte(Option<u8>);

/// The content of a variant, which denies the fields of the others.
#[derive(Debug, Default, Clone, PartialEq, Serialize, Deserialize, Arbitrary, CrdSchema)]
#[crd(apply)]
#[serde(deny_unknown_fields)]
pub(crate) struct NumberedAlone {
    n: i32,
}

/// A part whose field serde never defaults.
#[derive(Debug, Default, Clone, PartialEq, Serialize, Deserialize, Arbitrary, CrdSchema)]
#[crd(apply)]
pub(crate) struct Numbered {
    n: i32,
}

/// A part whose field serde never defaults.
#[derive(Debug, Default, Clone, PartialEq, Serialize, Deserialize, Arbitrary, CrdSchema)]
#[crd(apply)]
pub(crate) struct Lettered {
    text: String,
}

/// Written as a number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Arbitrary, CrdSchema)]
#[crd(apply)]
pub(crate) struct Byte(u8);

/// Written as `null`, or as nothing among the fields of another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Arbitrary, CrdSchema)]
#[crd(apply)]
pub(crate) struct Unit;

type Count = u32;

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_zero(number: &u8) -> bool {
    *number == 0
}

fn exact(u: &mut arbitrary::Unstructured<'_>) -> arbitrary::Result<i64> {
    u.int_in_range(-9_007_199_254_740_992..=9_007_199_254_740_992)
}

fn one_to_nine(u: &mut arbitrary::Unstructured<'_>) -> arbitrary::Result<i32> {
    u.int_in_range(1..=9)
}

fn some(u: &mut arbitrary::Unstructured<'_>) -> arbitrary::Result<Option<u8>> {
    u.arbitrary().map(Some)
}

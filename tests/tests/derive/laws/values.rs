//! Generators of values for types without their own generator, named after the constraints that the values satisfy.

use std::collections::BTreeMap;
use std::time::Duration;

use arbitrary::{Arbitrary, Result, Unstructured};
use crd_runtime::__private::k8s_openapi::api::core::v1::{
    Container, ObjectReference, PodSpec, PodTemplateSpec,
};
use crd_runtime::__private::k8s_openapi::apimachinery::pkg::api::resource::Quantity;
use crd_runtime::__private::k8s_openapi::apimachinery::pkg::apis::meta::v1::{
    Condition, ObjectMeta, Time,
};
use crd_runtime::__private::k8s_openapi::apimachinery::pkg::runtime::RawExtension;
use crd_runtime::__private::k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use crd_runtime::__private::k8s_openapi::jiff::Timestamp;
use fastrand::Rng;
use serde_json::{Map, Number, Value};

/// Generates the bytes from which values are made: random bytes, except that a third of the stretches have the bounds of
/// integers of some width, which are rare otherwise.
pub(crate) fn entropy<const N: usize>(rng: &mut Rng) -> [u8; N] {
    /// The longest stretch, in bytes.
    const STRETCH: usize = 24;
    let mut bytes = [0; N];
    let mut rest = &mut bytes[..];
    while !rest.is_empty() {
        let (stretch, after) = rest.split_at_mut(rng.usize(1..=STRETCH).min(rest.len()));
        rest = after;
        if rng.u8(..3) != 0 {
            rng.fill(stretch);
            continue;
        }
        // Little-endian: 0, the greatest unsigned, the greatest and the least signed integer of 1, 2, 4 or 8 bytes.
        let width = 1 << rng.u8(..4);
        let (low, high) = [(0, 0), (0xFF, 0xFF), (0xFF, 0x7F), (0, 0x80)][rng.usize(..4)];
        for (at, byte) in stretch.iter_mut().enumerate() {
            *byte = if at % width == width - 1 { high } else { low };
        }
    }
    bytes
}

/// A string of at most `N` code points.
pub(crate) fn text<const N: usize>(u: &mut Unstructured<'_>) -> Result<String> {
    let length = u.int_in_range(0..=N)?;
    (0..length).map(|_| char::arbitrary(u)).collect()
}

/// A lower-case word of one to eight letters.
pub(crate) fn word(u: &mut Unstructured<'_>) -> Result<String> {
    let length = u.int_in_range(1..=8)?;
    (0..length).map(|_| Ok(char::from(u.int_in_range(b'a'..=b'z')?))).collect()
}

/// A word as a `Cow`.
pub(crate) fn cow(u: &mut Unstructured<'_>) -> Result<std::borrow::Cow<'static, str>> {
    Ok(word(u)?.into())
}

/// A list of at most five different words.
pub(crate) fn words(u: &mut Unstructured<'_>) -> Result<Vec<String>> {
    let mut out = Vec::new();
    for _ in 0..u.int_in_range(0..=5)? {
        let word = word(u)?;
        if !out.contains(&word) {
            out.push(word);
        }
    }
    Ok(out)
}

/// A finite float: JSON has no other.
pub(crate) fn finite(u: &mut Unstructured<'_>) -> Result<f64> {
    Ok(match u.int_in_range(0..=7)? {
        0 => *u.choose(&[0.0, 1.0, -1.0, 0.1, 1e21, 1e-7, f64::MAX, f64::MIN_POSITIVE])?,
        1 => Some(f64::from_bits(u.arbitrary()?)).filter(|n| n.is_finite()).unwrap_or(0.5),
        _ => f64::from(u.arbitrary::<i32>()?) / f64::from(u.int_in_range(1..=1000)?),
    })
}

/// A finite float of single precision.
#[expect(clippy::cast_possible_truncation, reason = "rounding is wanted")]
pub(crate) fn finite32(u: &mut Unstructured<'_>) -> Result<f32> {
    Ok((finite(u)? as f32).clamp(f32::MIN, f32::MAX))
}

/// An unsigned integer that fits into an `i64`, as all integers in JSON must.
pub(crate) fn int64(u: &mut Unstructured<'_>) -> Result<u64> {
    u.int_in_range(0..=i64::MAX.unsigned_abs())
}

/// Any JSON value except `null`; nested values may be `null`.
pub(crate) fn json(u: &mut Unstructured<'_>) -> Result<Value> {
    Ok(match json_within(u, 3)? {
        Value::Null => Value::Bool(true),
        value => value,
    })
}

fn json_within(u: &mut Unstructured<'_>, depth: u32) -> Result<Value> {
    Ok(match u.int_in_range(0..=if depth == 0 { 4 } else { 6 })? {
        0 => Value::Bool(u.arbitrary()?),
        1 => Value::Number(Number::from(u.arbitrary::<i64>()?)),
        2 => Value::String(text::<5>(u)?),
        3 => Value::Null,
        4 => Number::from_f64(finite(u)?).map_or(Value::Null, Value::Number),
        5 => {
            let n = u.int_in_range(0..=3)?;
            Value::Array((0..n).map(|_| json_within(u, depth - 1)).collect::<Result<_>>()?)
        }
        _ => Value::Object(fields(u, depth - 1)?),
    })
}

fn fields(u: &mut Unstructured<'_>, depth: u32) -> Result<Map<String, Value>> {
    let n = u.int_in_range(0..=3)?;
    (0..n).map(|_| Ok((word(u)?, json_within(u, depth)?))).collect()
}

/// A JSON object.
pub(crate) fn json_object(u: &mut Unstructured<'_>) -> Result<Value> {
    fields(u, 2).map(Value::Object)
}

/// A map of JSON values.
pub(crate) fn json_map(
    u: &mut Unstructured<'_>,
) -> Result<std::collections::HashMap<String, Value>> {
    Ok(fields(u, 2)?.into_iter().collect())
}

pub(crate) fn raw_extension(u: &mut Unstructured<'_>) -> Result<RawExtension> {
    json_object(u).map(RawExtension)
}

pub(crate) fn int_or_string(u: &mut Unstructured<'_>) -> Result<IntOrString> {
    Ok(if u.arbitrary()? {
        IntOrString::Int(u.arbitrary()?)
    } else {
        IntOrString::String(word(u)?)
    })
}

pub(crate) fn quantity(u: &mut Unstructured<'_>) -> Result<Quantity> {
    let suffix = *u.choose(&["", "m", "k", "Ki", "Gi", "e3"])?;
    Ok(Quantity(format!("{}{suffix}", u.int_in_range(0..=9999)?)))
}

pub(crate) fn time(u: &mut Unstructured<'_>) -> Result<Time> {
    let seconds = u.int_in_range(0..=4_000_000_000)?;
    Ok(Time(Timestamp::from_second(seconds).unwrap_or_default()))
}

pub(crate) fn condition(u: &mut Unstructured<'_>) -> Result<Condition> {
    Ok(Condition {
        type_: word(u)?,
        status: (*u.choose(&["True", "False", "Unknown"])?).to_owned(),
        reason: word(u)?,
        message: text::<9>(u)?,
        last_transition_time: time(u)?,
        observed_generation: u.arbitrary::<Option<u16>>()?.map(i64::from),
    })
}

/// Conditions of different types.
pub(crate) fn conditions(u: &mut Unstructured<'_>) -> Result<Vec<Condition>> {
    words(u)?.into_iter().map(|type_| Ok(Condition { type_, ..condition(u)? })).collect()
}

pub(crate) fn object_reference(u: &mut Unstructured<'_>) -> Result<ObjectReference> {
    Ok(ObjectReference {
        name: Some(word(u)?),
        kind: u.arbitrary::<bool>()?.then(|| "Pod".to_owned()),
        ..ObjectReference::default()
    })
}

pub(crate) fn pod_template(u: &mut Unstructured<'_>) -> Result<PodTemplateSpec> {
    let containers = words(u)?
        .into_iter()
        .map(|name| Container { name, image: Some("image".into()), ..Container::default() })
        .collect();
    let labels = BTreeMap::from([(word(u)?, word(u)?)]);
    Ok(PodTemplateSpec {
        metadata: Some(ObjectMeta { labels: Some(labels), ..ObjectMeta::default() }),
        spec: Some(PodSpec {
            containers,
            host_network: u.arbitrary()?,
            termination_grace_period_seconds: u.arbitrary::<Option<u16>>()?.map(i64::from),
            ..PodSpec::default()
        }),
    })
}

/// A duration whose seconds JSON in Kubernetes can hold.
pub(crate) fn duration(u: &mut Unstructured<'_>) -> Result<Duration> {
    Ok(Duration::new(int64(u)?, u.int_in_range(0..=999_999_999)?))
}

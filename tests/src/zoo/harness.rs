//! The part of a generated crate that all such crates share: random values of types, and a loop that answers requests.
//!
//! This file is copied into the crate; `mod.rs` beside it reads the answers.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::{BufRead as _, Write as _};
use std::num;
use std::sync::Arc;

use crd_runtime::CrdSchema;
use crd_runtime::__private::k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

pub use fastrand::Rng;

/// Types with random values.
pub trait Arb: Sized {
    fn arb(r: &mut Rng) -> Self;
}

/// An integer between two bounds; both and zero are likely.
pub fn int<T: TryFrom<i128>>(r: &mut Rng, least: i128, most: i128) -> T {
    let value = match r.u64(..6) {
        0 => least,
        1 => most,
        2 if least <= 0 && most >= 0 => 0,
        _ => least + i128::from(r.u64(..)) % (most - least + 1),
    };
    T::try_from(value).ok().expect("the generator knows the type's bounds")
}

/// A text of `least` to `most` letters.
pub fn text(r: &mut Rng, least: u64, most: u64) -> String {
    let length = least + r.u64(..most - least + 1);
    (0..length).map(|_| char::from(b'a' + r.u64(..26) as u8)).collect()
}

pub fn one_of(r: &mut Rng, texts: &[&str]) -> String {
    texts[r.u64(..texts.len() as u64) as usize].to_owned()
}

/// A list of `least` to `most` values.
pub fn list<T, C: FromIterator<T>>(r: &mut Rng, least: u64, most: u64, value: impl Fn(&mut Rng) -> T) -> C {
    let length = least + r.u64(..most - least + 1);
    (0..length).map(|_| value(r)).collect()
}

/// Entries of a map, with keys that differ from all field names.
pub fn entries<T, C: FromIterator<(String, T)>>(r: &mut Rng, least: u64, most: u64, value: impl Fn(&mut Rng) -> T) -> C {
    let length = least + r.u64(..most - least + 1);
    (0..length).map(|i| (format!("zk{i}"), value(r))).collect()
}

pub fn option<T>(r: &mut Rng, value: impl Fn(&mut Rng) -> T) -> Option<T> {
    r.bool().then(|| value(r))
}

/// A condition of `skip_serializing_if` that skips nothing.
pub fn never<T>(_: &T) -> bool {
    false
}

pub fn any(r: &mut Rng, depth: u32) -> Value {
    match r.u64(..if depth == 0 { 3 } else { 5 }) {
        0 => json!(r.bool()),
        1 => json!(r.i32(..)),
        2 => json!(text(r, 0, 4)),
        3 => Value::Array(list(r, 0, 2, |r| any(r, depth - 1))),
        _ => object(r, depth - 1),
    }
}

pub fn object(r: &mut Rng, depth: u32) -> Value {
    Value::Object(entries::<_, Map<String, Value>>(r, 0, 2, |r| any(r, depth)))
}

macro_rules! integers {
    ($($ty:ident: $least:expr, $most:expr;)*) => {$(
        impl Arb for $ty {
            fn arb(r: &mut Rng) -> Self {
                int(r, $least as i128, $most as i128)
            }
        }
    )*};
}

integers! {
    i8: i8::MIN, i8::MAX; i16: i16::MIN, i16::MAX; i32: i32::MIN, i32::MAX; i64: i64::MIN, i64::MAX;
    u8: 0, u8::MAX; u16: 0, u16::MAX; u32: 0, u32::MAX; u64: 0, i64::MAX; usize: 0, i64::MAX;
}

macro_rules! non_zero {
    ($($ty:ident of $inner:ident;)*) => {$(
        impl Arb for num::$ty {
            fn arb(r: &mut Rng) -> Self {
                num::$ty::new($inner::arb(r)).unwrap_or(num::$ty::MAX)
            }
        }
    )*};
}

non_zero! { NonZeroU8 of u8; NonZeroU32 of u32; NonZeroI32 of i32; NonZeroI64 of i64; }

impl Arb for bool {
    fn arb(r: &mut Rng) -> Self {
        r.bool()
    }
}

impl Arb for f64 {
    fn arb(r: &mut Rng) -> Self {
        f64::from(r.i32(..)) / 8.0
    }
}

impl Arb for f32 {
    fn arb(r: &mut Rng) -> Self {
        f32::from(r.i16(..)) / 8.0
    }
}

impl Arb for String {
    fn arb(r: &mut Rng) -> Self {
        text(r, 0, 6)
    }
}

impl Arb for char {
    fn arb(r: &mut Rng) -> Self {
        char::from(b'a' + r.u64(..26) as u8)
    }
}

impl Arb for () {
    fn arb(_: &mut Rng) -> Self {}
}

impl Arb for Value {
    fn arb(r: &mut Rng) -> Self {
        any(r, 2)
    }
}

impl Arb for IntOrString {
    fn arb(r: &mut Rng) -> Self {
        if r.bool() { Self::Int(i32::arb(r)) } else { Self::String(String::arb(r)) }
    }
}

impl<T: ?Sized> Arb for std::marker::PhantomData<T> {
    fn arb(_: &mut Rng) -> Self {
        Self
    }
}

impl<T: Arb> Arb for Option<T> {
    fn arb(r: &mut Rng) -> Self {
        option(r, T::arb)
    }
}

impl<T: Arb> Arb for Box<T> {
    fn arb(r: &mut Rng) -> Self {
        Self::new(T::arb(r))
    }
}

impl<T: Arb> Arb for Arc<T> {
    fn arb(r: &mut Rng) -> Self {
        Self::new(T::arb(r))
    }
}

impl<T: Arb> Arb for Vec<T> {
    fn arb(r: &mut Rng) -> Self {
        list(r, 0, 3, T::arb)
    }
}

impl<T: Arb + Ord> Arb for BTreeSet<T> {
    fn arb(r: &mut Rng) -> Self {
        list(r, 0, 3, T::arb)
    }
}

impl<T: Arb> Arb for BTreeMap<String, T> {
    fn arb(r: &mut Rng) -> Self {
        entries(r, 0, 3, T::arb)
    }
}

impl<T: Arb> Arb for HashMap<String, T> {
    fn arb(r: &mut Rng) -> Self {
        entries(r, 0, 3, T::arb)
    }
}

impl<T: Arb> Arb for [T; 2] {
    fn arb(r: &mut Rng) -> Self {
        [T::arb(r), T::arb(r)]
    }
}

impl<A: Arb> Arb for (A,) {
    fn arb(r: &mut Rng) -> Self {
        (A::arb(r),)
    }
}

impl<A: Arb, B: Arb> Arb for (A, B) {
    fn arb(r: &mut Rng) -> Self {
        (A::arb(r), B::arb(r))
    }
}

impl<A: Arb, B: Arb, C: Arb> Arb for (A, B, C) {
    fn arb(r: &mut Rng) -> Self {
        (A::arb(r), B::arb(r), C::arb(r))
    }
}

/// Answers a request about one type, as [`handle`] does.
pub type Handler = fn(&str, u64, Value) -> Value;

/// Answers a request about `T`: returns its schema or a random value in JSON, or checks that a
/// value can be deserialized, or that it deserializes to the value that was written.
pub fn handle<T: CrdSchema + Arb + Serialize + DeserializeOwned + PartialEq>(
    request: &str,
    seed: u64,
    value: Value,
) -> Value {
    let made = || T::arb(&mut Rng::with_seed(seed));
    match request {
        "schema" => serde_json::to_value(T::schema()).expect("schemas serialize"),
        "write" => match serde_json::to_value(made()) {
            Ok(value) => json!({ "value": value }),
            Err(error) => json!({ "error": error.to_string() }),
        },
        "read" => match serde_json::from_value::<T>(value) {
            Ok(_) => json!({}),
            Err(error) => json!({ "error": error.to_string() }),
        },
        "same" => match serde_json::from_value::<T>(value) {
            Ok(read) => {
                let (made, json) = (made(), |value: &T| stored(serde_json::to_value(value).unwrap_or_default()));
                if read == made {
                    return json!({ "variant": variant(&made), "same": true });
                }
                // An untagged enum of integers and floats reads the 9 of a float as an integer. So values are compared
                // as the server stores them, and the reader of this answer compares how often a variant comes back.
                if json(&read) == json(&made) {
                    return json!({ "variant": variant(&made), "same": variant(&made) == variant(&read) });
                }
                json!({ "error": format!("reads as {}, was {}", json(&read), json(&made)) })
            }
            Err(error) => json!({ "error": error.to_string() }),
        },
        _ => json!({ "error": "no such request" }),
    }
}

/// The variant of a value of an enum.
fn variant<T>(value: &T) -> String {
    format!("{:?}", std::mem::discriminant(value))
}

/// Converts whole numbers to integers, as the server does.
fn stored(value: Value) -> Value {
    match value {
        Value::Number(number) => match number.as_f64() {
            Some(float) if number.is_f64() && float.fract() == 0.0 && float.abs() < 1e15 => json!(float as i64),
            _ => Value::Number(number),
        },
        Value::Array(items) => items.into_iter().map(stored).collect(),
        Value::Object(map) => map.into_iter().map(|(key, value)| (key, stored(value))).collect::<Map<_, _>>().into(),
        other => other,
    }
}

/// Answers each line of standard input, `[type, request, seed, value]`, with a line of standard output.
pub fn serve(types: &[(u64, Handler)]) {
    let stdin = std::io::stdin().lock();
    let mut stdout = std::io::BufWriter::new(std::io::stdout().lock());
    for line in stdin.lines() {
        let line = line.expect("requests are UTF-8");
        let (index, request, seed, value): (u64, String, u64, Value) =
            serde_json::from_str(&line).expect("requests are JSON");
        let (_, handler) = types.iter().find(|(number, _)| *number == index).expect("a type that compiled");
        writeln!(stdout, "{}", handler(&request, seed, value)).expect("the reader is there");
    }
}

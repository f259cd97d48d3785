//! The values that a field is compared with: those of its type, as the server prints them.

use std::borrow::Cow;
use std::num;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{MicroTime, Time};
use serde::Serialize;
use serde_json::Value;

/// A type whose fields can be compared with a `V`.
#[diagnostic::on_unimplemented(
    message = "a field of type `{Self}` cannot be compared with a `{V}`",
    label = "not a value of the field's type",
    note = "strings are compared with strings, integers with integers of the same type, booleans with \
            booleans, enums with their variants; times and the like with a reference"
)]
pub trait Matches<V> {
    /// Returns the value as the server prints it.
    fn text(value: V) -> String;
}

/// Stands for the type of a selectable field if the derive does not know the type. The field can be compared with
/// strings, booleans and integers.
#[derive(Debug, Clone, Copy)]
pub enum Untyped {}

/// Implements [`Matches`] for types that are compared with any string.
macro_rules! texts {
    ($($ty:ty)*) => {$(
        impl<V: AsRef<str>> Matches<V> for $ty {
            fn text(value: V) -> String {
                value.as_ref().to_owned()
            }
        }
    )*};
}

texts!(str String Path PathBuf);

/// Implements [`Matches`] for types that serde writes as the value that they hold.
macro_rules! transparent {
    ($([$($generics:tt)*] $ty:ty => $inner:ty;)*) => {$(
        impl<$($generics)*, V> Matches<V> for $ty {
            fn text(value: V) -> String {
                <$inner as Matches<V>>::text(value)
            }
        }
    )*};
}

transparent! {
    [T: Matches<V>] Option<T> => T;
    ['a, T: Matches<V> + ?Sized] &'a T => T;
    [T: Matches<V> + ?Sized] Box<T> => T;
    [T: Matches<V> + ?Sized] Rc<T> => T;
    [T: Matches<V> + ?Sized] Arc<T> => T;
    ['a, T: Matches<V> + ToOwned + ?Sized] Cow<'a, T> => T;
}

impl Matches<&str> for Untyped {
    fn text(value: &str) -> String {
        value.to_owned()
    }
}

impl Matches<String> for Untyped {
    fn text(value: String) -> String {
        value
    }
}

/// Implements [`Matches`] for types that are compared with a value of the same type.
macro_rules! printed {
    ($($ty:ty)*) => {$(
        impl Matches<$ty> for $ty {
            fn text(value: $ty) -> String {
                value.to_string()
            }
        }
    )*};
}

printed!(bool i8 i16 i32 i64 isize u8 u16 u32 u64 usize char);
printed!(num::NonZeroI8 num::NonZeroI16 num::NonZeroI32 num::NonZeroI64 num::NonZeroIsize);
printed!(num::NonZeroU8 num::NonZeroU16 num::NonZeroU32 num::NonZeroU64 num::NonZeroUsize);

macro_rules! printed_untyped {
    ($($ty:ty)*) => {$(
        impl Matches<$ty> for Untyped {
            fn text(value: $ty) -> String {
                value.to_string()
            }
        }
    )*};
}

printed_untyped!(bool i8 i16 i32 i64 isize u8 u16 u32 u64 usize);

/// Implements [`Matches`] for types that are compared by the string that serde writes.
macro_rules! written {
    ($([$($generics:tt)*] $ty:ty;)*) => {$(
        impl<$($generics)*> Matches<&$ty> for $ty {
            fn text(value: &$ty) -> String {
                written(value)
            }
        }
    )*};
}

written! {
    [] Time;
    [] MicroTime;
}

#[cfg(feature = "chrono")]
written! {
    [Tz: chrono::TimeZone] chrono::DateTime<Tz>;
    [] chrono::NaiveDate;
    [] chrono::NaiveDateTime;
    [] chrono::NaiveTime;
}

#[cfg(feature = "jiff")]
written! {
    [] jiff::Timestamp;
    [] jiff::Zoned;
    [] jiff::civil::Date;
    [] jiff::civil::DateTime;
    [] jiff::civil::Time;
}

fn written(value: &impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(Value::String(text)) => text,
        Ok(value) => value.to_string(),
        Err(_) => String::new(),
    }
}

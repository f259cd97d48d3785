//! Field selectors that the server knows: only fields that the CRD lists, only values of their types.
//!
//! `#[derive(CustomResource)]` gives a kind `fields()`, with a method for each selectable field.

use std::fmt;
use std::marker::PhantomData;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{MicroTime, Time};
use kube::api::{ListParams, WatchParams};
use kube::runtime::watcher;
use serde::Serialize;
use serde_json::Value;

/// Where a field of the kind `K` is.
pub struct FieldPath<K> {
    path: String,
    kind: PhantomData<fn() -> K>,
}

/// A selectable field of the kind `K`, whose Rust type is `T`.
pub struct Field<K, T> {
    path: FieldPath<K>,
    value: PhantomData<fn() -> T>,
}

/// Which objects of the kind `K` are meant: terms that all have to hold.
///
/// Prints as the server reads it, and becomes the parameters of kube's calls:
///
/// ```
/// # mod shirt {
/// # use crd_runtime::CustomResource;
/// # use serde::{Deserialize, Serialize};
/// # #[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
/// # #[crd(group = "example.com", version = "v1", kind = "Shirt", namespaced)]
/// # pub struct ShirtSpec {
/// #     #[crd(selectable)]
/// #     color: String,
/// #     #[crd(selectable)]
/// #     number: i32,
/// # }
/// # }
/// # use shirt::Shirt;
/// use kube::api::ListParams;
///
/// let selector = Shirt::fields().color().eq("blue").and(Shirt::fields().number().ne(7));
/// assert_eq!(selector.to_string(), "spec.color=blue,spec.number!=7");
/// let params = ListParams::from(selector).limit(10);
/// # assert!(params.field_selector.is_some());
/// ```
#[must_use]
pub struct Selector<K> {
    terms: Vec<Term>,
    kind: PhantomData<fn() -> K>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Term {
    field: String,
    equal: bool,
    value: String,
}

/// A part of a kind with selectable fields of its own.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no selectable fields",
    label = "the server selects by no field of this type",
    note = "mark a field with `#[crd(selectable)]`"
)]
pub trait SelectFields {
    /// The fields, of a kind that has this part.
    type Fields<K>;

    /// The fields of the part at `path`.
    fn fields<K>(path: FieldPath<K>) -> Self::Fields<K>;
}

impl<T: SelectFields> SelectFields for Option<T> {
    type Fields<K> = T::Fields<K>;

    fn fields<K>(path: FieldPath<K>) -> Self::Fields<K> {
        T::fields(path)
    }
}

impl<T: SelectFields> SelectFields for Box<T> {
    type Fields<K> = T::Fields<K>;

    fn fields<K>(path: FieldPath<K>) -> Self::Fields<K> {
        T::fields(path)
    }
}

/// The type itself: generated code says "if `Nested` has fields" by way of a parameter.
#[doc(hidden)]
pub trait Is {
    type Type;
}

impl<T> Is for T {
    type Type = T;
}

/// A type of fields that can be compared with a `V`.
#[diagnostic::on_unimplemented(
    message = "a field of type `{Self}` is never a `{V}`",
    label = "not a value of the field's type",
    note = "strings are compared with strings, integers with integers of the same type, booleans with \
            booleans, enums with their variants"
)]
pub trait Matches<V> {
    /// The value as the server prints it.
    fn text(value: V) -> String;
}

/// The type of a selectable field that the derive does not see: strings, booleans and integers match.
#[derive(Debug, Clone, Copy)]
pub enum Untyped {}

impl<V: AsRef<str>> Matches<V> for String {
    fn text(value: V) -> String {
        value.as_ref().to_owned()
    }
}

impl<T: Matches<V>, V> Matches<V> for Option<T> {
    fn text(value: V) -> String {
        T::text(value)
    }
}

impl<T: Matches<V>, V> Matches<V> for Box<T> {
    fn text(value: V) -> String {
        T::text(value)
    }
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

macro_rules! printed {
    ($($ty:ty)*) => {$(
        impl Matches<$ty> for $ty {
            fn text(value: $ty) -> String {
                value.to_string()
            }
        }

        impl Matches<$ty> for Untyped {
            fn text(value: $ty) -> String {
                value.to_string()
            }
        }
    )*};
}

printed!(bool i8 i16 i32 i64 isize u8 u16 u32 u64 usize);

/// Times are compared as texts: as this type writes them.
macro_rules! written {
    ($($ty:ty)*) => {$(
        impl Matches<&$ty> for $ty {
            fn text(value: &$ty) -> String {
                written(value)
            }
        }
    )*};
}

written!(Time MicroTime);

fn written(value: &impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(Value::String(text)) => text,
        Ok(value) => value.to_string(),
        Err(_) => String::new(),
    }
}

impl<K> FieldPath<K> {
    /// The object itself.
    #[doc(hidden)]
    #[must_use]
    pub const fn root() -> Self {
        Self { path: String::new(), kind: PhantomData }
    }

    /// The part at `path`, such as `.spec.color`.
    #[doc(hidden)]
    #[must_use]
    pub fn at(&self, path: &str) -> Self {
        Self { path: format!("{}{path}", self.path), kind: PhantomData }
    }

    /// The field at `path`.
    #[doc(hidden)]
    #[must_use]
    pub fn field<T>(&self, path: &str) -> Field<K, T> {
        Field { path: self.at(path), value: PhantomData }
    }
}

impl<K, T> Field<K, T> {
    /// The field has this value. What is absent has the value that prints as nothing.
    pub fn eq<V>(self, value: V) -> Selector<K>
    where
        T: Matches<V>,
    {
        self.term(true, T::text(value))
    }

    /// The field has another value, or none.
    pub fn ne<V>(self, value: V) -> Selector<K>
    where
        T: Matches<V>,
    {
        self.term(false, T::text(value))
    }

    fn term(self, equal: bool, value: String) -> Selector<K> {
        let path = self.path.path;
        let field = path.strip_prefix('.').unwrap_or(&path).to_owned();
        Selector { terms: vec![Term { field, equal, value }], kind: PhantomData }
    }
}

impl<K> Selector<K> {
    /// Both hold. The server knows no "or".
    pub fn and(mut self, other: Self) -> Self {
        self.terms.extend(other.terms);
        self
    }
}

/// The text that the server reads: `spec.color=blue,metadata.name!=mine`.
impl<K> fmt::Display for Selector<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, Term { field, equal, value }) in self.terms.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            let operator = if *equal { "=" } else { "!=" };
            write!(f, "{comma}{field}{operator}")?;
            for c in value.chars() {
                if matches!(c, '\\' | ',' | '=') {
                    f.write_str("\\")?;
                }
                write!(f, "{c}")?;
            }
        }
        Ok(())
    }
}

impl<K> From<Selector<K>> for ListParams {
    fn from(selector: Selector<K>) -> Self {
        Self::default().fields(&selector.to_string())
    }
}

impl<K> From<Selector<K>> for WatchParams {
    fn from(selector: Selector<K>) -> Self {
        Self::default().fields(&selector.to_string())
    }
}

impl<K> From<Selector<K>> for watcher::Config {
    fn from(selector: Selector<K>) -> Self {
        Self::default().fields(&selector.to_string())
    }
}

// By hand: the kind need not be `Clone` or `Debug` for its selectors to be.
impl<K> Clone for Selector<K> {
    fn clone(&self) -> Self {
        Self { terms: self.terms.clone(), kind: PhantomData }
    }
}

impl<K> fmt::Debug for Selector<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Selector").field(&self.to_string()).finish()
    }
}

impl<K> Clone for FieldPath<K> {
    fn clone(&self) -> Self {
        Self { path: self.path.clone(), kind: PhantomData }
    }
}

impl<K> fmt::Debug for FieldPath<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FieldPath").field(&self.path).finish()
    }
}

impl<K, T> Clone for Field<K, T> {
    fn clone(&self) -> Self {
        Self { path: self.path.clone(), value: PhantomData }
    }
}

impl<K, T> fmt::Debug for Field<K, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Field").field(&self.path.path).finish()
    }
}

//! Field selectors that the server accepts: of fields that the CRD lists, with values of their types.
//!
//! `#[derive(CustomResource)]` gives a kind `fields()`, with a method for each selectable field.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;
use std::rc::Rc;
use std::sync::Arc;

use kube::api::{ListParams, WatchParams};
use kube::runtime::watcher;

mod values;

use super::api::Namespaced;

pub use values::{Matches, Untyped};

/// The JSON path of a field of the kind `K`.
pub struct FieldPath<K> {
    path: String,
    kind: PhantomData<fn() -> K>,
}

/// The selectable fields that objects of any kind `K` have.
#[derive(Debug, Clone)]
pub struct KindFields<K>(FieldPath<K>);

/// A selectable field of the kind `K`, whose Rust type is `T`.
pub struct Field<K, T> {
    path: FieldPath<K>,
    value: PhantomData<fn() -> T>,
}

/// Selects objects of the kind `K` by terms that must all hold.
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

/// A type of fields of the kind `K` that has selectable fields itself. `F` has a method for each of them.
///
/// `F` is a parameter and not an associated type, because rustc rejects a private associated type: a
/// public newtype has the `F` of its content, which may be private.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no selectable fields",
    label = "no field of this type is selectable",
    note = "mark a field with `#[crd(selectable)]`"
)]
pub trait SelectFields<K, F> {
    /// Returns the fields of the part at `path`.
    fn fields(path: FieldPath<K>) -> F;
}

/// Implements [`SelectFields`] for pointers and options, whose fields are those of their content.
macro_rules! through {
    ($($pointer:ident)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<K, F, T: SelectFields<K, F>> SelectFields<K, F> for $pointer<T> {
            fn fields(path: FieldPath<K>) -> F {
                T::fields(path)
            }
        }
    )*};
}

through!(Option Box Rc Arc);

impl<K> FieldPath<K> {
    /// Returns the part at `path`, such as `.spec.color`.
    #[doc(hidden)]
    #[must_use]
    pub fn at(&self, path: &str) -> Self {
        Self { path: format!("{}{path}", self.path), kind: PhantomData }
    }

    /// Returns the field at `path`.
    #[doc(hidden)]
    #[must_use]
    pub fn field<T>(&self, path: &str) -> Field<K, T> {
        Field { path: self.at(path), value: PhantomData }
    }
}

impl<K> KindFields<K> {
    /// Returns the fields of an object.
    #[doc(hidden)]
    #[must_use]
    pub const fn root() -> Self {
        Self(FieldPath { path: String::new(), kind: PhantomData })
    }

    /// The object's name: `.metadata.name`
    #[must_use]
    pub fn metadata_name(&self) -> Field<K, String> {
        self.field(".metadata.name")
    }

    /// The object's namespace: `.metadata.namespace`
    #[must_use]
    pub fn metadata_namespace(&self) -> Field<K, String>
    where
        K: Namespaced,
    {
        self.field(".metadata.namespace")
    }
}

impl<K> Deref for KindFields<K> {
    type Target = FieldPath<K>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<K, T> Field<K, T> {
    /// The field has this value. The server compares an absent field as an empty text.
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
    /// Selects the objects that both selectors select. The server knows no "or".
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

// Implemented by hand, because a derive would require that `K` is `Clone` and `Debug`.
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

//! The schema of a field's type, which may not have one.
//!
//! rustc reports a type without a schema wherever a derive names its schema, and again for each type that contains
//! it. So the derives name it once as it is, for the error, and everywhere else as `Of::<T>`: what stands in
//! `impl<T: CrdSchema> Of<T>` comes before what [`Missing`] has for any type.

use std::collections::{BTreeMap, HashMap};
use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::Arc;

use crd_cel::compile_time::Rules;

use super::Collected;
use crate::crd_schema::{CrdSchema, Declared, FiniteOrMarkedRecursive, Kind, Shape, any};
use crate::model::JsonSchemaProps;

/// What is known of a type.
#[derive(Debug)]
pub struct Of<T: ?Sized>(PhantomData<T>);

impl<T: CrdSchema + ?Sized> Of<T> {
    /// As of the type.
    pub const SHAPE: Shape = T::SHAPE;
    /// As of the type.
    pub const CEL: Declared = T::CEL;
    /// As of the type.
    pub const RULES: Rules = T::RULES;

    /// As of the type.
    #[must_use]
    pub fn schema() -> JsonSchemaProps {
        T::schema()
    }

    /// As of the type.
    #[must_use]
    pub fn schema_of_some() -> JsonSchemaProps {
        T::schema_of_some()
    }

    /// As of the type.
    pub fn collect(at: &str, into: &mut Collected) {
        T::collect(at, into);
    }
}

impl<T: Derived + ?Sized> Of<T> {
    /// Whether `CrdSchema` is derived.
    pub const DERIVED: bool = true;
    /// Whether it is derived and a struct with fields.
    pub const OBJECT: bool = T::OBJECT;
}

/// What is said of any type.
pub trait Missing {
    /// Nothing is known.
    const SHAPE: Shape = Shape::of(Kind::Opaque);
    /// Nothing is known.
    const CEL: Declared = Declared::Unknown;
    /// None are known.
    const RULES: Rules = Rules::NONE;
    /// It is not.
    const DERIVED: bool = false;
    /// It is not.
    const OBJECT: bool = false;

    /// Never made: the type's own has not compiled.
    #[must_use]
    fn schema() -> JsonSchemaProps {
        any()
    }

    /// As [`Missing::schema`].
    #[must_use]
    fn schema_of_some() -> JsonSchemaProps {
        any()
    }

    /// There is nothing to collect.
    fn collect(at: &str, into: &mut Collected) {
        let _ = (at, into);
    }
}

impl<T: ?Sized> Missing for Of<T> {}

/// A type with a derived schema, whatever it contains.
pub trait Derived {
    /// Whether it is a struct with fields.
    const OBJECT: bool = false;
}

macro_rules! derived {
    ($($object:ident [$($generics:tt)*] $ty:ty;)*) => {$(
        impl<T: Derived $($generics)*> Derived for $ty {
            const OBJECT: bool = derived!($object T);
        }
    )*};
    (same $of:ident) => { $of::OBJECT };
    (no $of:ident) => { false };
}

derived! {
    same [] Option<T>;
    same [+ ?Sized] Box<T>;
    same [+ ?Sized] Arc<T>;
    same [+ ?Sized] Rc<T>;
    no [] Vec<T>;
    no [, K] BTreeMap<K, T>;
    no [, K, S] HashMap<K, T, S>;
}

/// What a derived type contains; `DERIVED` where that is derived too.
#[derive(Debug)]
pub struct Part<T: ?Sized, const DERIVED: bool>(PhantomData<T>);

impl<T: CrdSchema + ?Sized> FiniteOrMarkedRecursive for Part<T, true> {}
impl<T: ?Sized> FiniteOrMarkedRecursive for Part<T, false> {}

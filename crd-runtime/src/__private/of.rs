//! Access to the schema of a field's type, with defaults for a type that has none.
//!
//! rustc reports a type that does not implement [`CrdSchema`] wherever generated code uses its schema, and again for
//! each type that contains it. To get one error, the derives use the type itself in one place and `Of::<T>` in all
//! others: the inherent items in `impl<T: CrdSchema> Of<T>` take precedence over those of [`Missing`], which every
//! type has.

use std::collections::{BTreeMap, HashMap};
use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::Arc;

use crd_cel::compile_time::Needs;

use super::Collected;
use crate::crd_schema::{CrdSchema, Declared, FiniteOrMarkedRecursive, Shape, ShapeKind, any};
use crate::model::JsonSchemaProps;

/// The schema and declarations of a type, or the defaults of [`Missing`].
#[derive(Debug)]
pub struct Of<T: ?Sized>(PhantomData<T>);

impl<T: CrdSchema + ?Sized> Of<T> {
    /// `CrdSchema::SHAPE` of the type.
    pub const SHAPE: Shape = T::SHAPE;
    /// `CrdSchema::CEL` of the type.
    pub const CEL: Declared = T::CEL;
    /// `CrdSchema::NEEDS` of the type.
    pub const NEEDS: Needs = T::NEEDS;

    /// Calls `CrdSchema::schema` of the type.
    #[must_use]
    pub fn schema() -> JsonSchemaProps {
        T::schema()
    }

    /// Calls `CrdSchema::schema_of_some` of the type.
    #[must_use]
    pub fn schema_of_some() -> JsonSchemaProps {
        T::schema_of_some()
    }

    /// Calls `CrdSchema::collect` of the type.
    pub fn collect(at: &str, into: &mut Collected) {
        T::collect(at, into);
    }
}

impl<T: Derived + ?Sized> Of<T> {
    /// Whether the type implements [`Derived`].
    pub const DERIVED: bool = true;
    /// `Derived::OBJECT` of the type.
    pub const OBJECT: bool = T::OBJECT;
}

/// The defaults for a type without a schema.
pub trait Missing {
    /// Opaque.
    const SHAPE: Shape = Shape::of(ShapeKind::Opaque);
    /// Unknown.
    const CEL: Declared = Declared::Unknown;
    /// None.
    const NEEDS: Needs = Needs::NONE;
    /// The type does not derive `CrdSchema`.
    const DERIVED: bool = false;
    /// The type does not derive `CrdSchema`.
    const OBJECT: bool = false;

    /// Returns an open schema, which is never used: the type without a schema is a compile error elsewhere.
    #[must_use]
    fn schema() -> JsonSchemaProps {
        any()
    }

    /// As [`Missing::schema`].
    #[must_use]
    fn schema_of_some() -> JsonSchemaProps {
        any()
    }

    /// Collects nothing.
    fn collect(at: &str, into: &mut Collected) {
        let _ = (at, into);
    }
}

impl<T: ?Sized> Missing for Of<T> {}

/// A type that derives nothing. Derived code uses its defaults, so that the import of [`Missing`] is used.
#[derive(Debug)]
pub struct Nothing;

/// A type that derives `CrdSchema`, or a pointer, option, list or map of such a type.
pub trait Derived {
    /// Whether the type is a struct with fields, possibly behind a pointer or in an option.
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

/// The type of a field of a derived type. `DERIVED` is whether the field's type is derived, too.
#[derive(Debug)]
pub struct Part<T: ?Sized, const DERIVED: bool>(PhantomData<T>);

impl<T: CrdSchema + ?Sized> FiniteOrMarkedRecursive for Part<T, true> {}
impl<T: ?Sized> FiniteOrMarkedRecursive for Part<T, false> {}

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

use crate::crd_schema::{CrdSchema, FieldType, FiniteOrMarkedRecursive, Shape, ShapeKind};

/// The schema and declarations of a type, or the defaults of [`Missing`].
#[derive(Debug)]
pub struct Of<T: ?Sized>(PhantomData<T>);

impl<T: CrdSchema + ?Sized> Of<T> {
    /// `CrdSchema::SHAPE` of the type.
    pub const SHAPE: Shape = T::SHAPE;
    /// `CrdSchema::NEEDS` of the type.
    pub const NEEDS: &'static Needs = T::NEEDS;
    /// `CrdSchema::AS_FIELD` of the type.
    pub const AS_FIELD: &'static FieldType = T::AS_FIELD;
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
    /// None.
    const NEEDS: &'static Needs = &Needs::NONE;
    /// The type does not derive `CrdSchema`.
    const DERIVED: bool = false;
    /// The type does not derive `CrdSchema`.
    const OBJECT: bool = false;
    /// A type without a schema, which is a compile error elsewhere.
    const AS_FIELD: &'static FieldType = &FieldType::MISSING;
}

impl<T: ?Sized> Missing for Of<T> {}

/// A type that derives `CrdSchema`, or a pointer, option, list or map of such a type.
pub trait Derived {
    /// Whether the type is a struct with fields, possibly behind a pointer or in an option.
    const OBJECT: bool = true;
}

macro_rules! derived {
    ($($object:ident [$($generics:tt)*] $ty:ty;)*) => {$(
        impl<T: Derived $($generics)*> Derived for $ty {
            const OBJECT: bool = derived!($object T);
        }

        impl<T: FiniteOrMarkedRecursive<true> $($generics)*> FiniteOrMarkedRecursive<true> for $ty {}
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

/// Nothing is asked of types that are not derived.
impl<T: ?Sized> FiniteOrMarkedRecursive<false> for T {}

//! From a Rust type to its structural schema.
//!
//! [`CrdSchema`] is what `#[derive(CrdSchema)]` implements, and what the types of std, `serde_json` and
//! k8s-openapi implement here.
//! A schema says what serde writes and reads: any value of the type serializes to something that the
//! schema admits with nothing pruned, and whatever the schema admits deserializes into the type.
//!
//! Types that implement [`schemars::JsonSchema`] alone are used through `schema_with`, see
//! [`bridge`].

mod bounds;
pub mod bridge;
#[cfg(feature = "chrono")]
mod chrono;
mod collections;
#[cfg(feature = "jiff")]
mod jiff;
mod json;
mod k8s;
mod k8s_schema;
mod known;
mod net;
mod numbers;
mod ranges;
mod shape;
mod text;
mod time;
#[cfg(feature = "url")]
mod url;
#[cfg(feature = "uuid")]
mod uuid;
mod wrappers;

use crate::builder::Collected;
use crate::model::JsonSchemaProps;

#[doc(hidden)]
pub use crd_cel::compile_time::{Declared, Rules};

#[doc(hidden)]
pub use bounds::{Bounds, KeptRules};
pub use collections::{KeyOf, MapKey};
pub use shape::{FieldPresence, FieldShape, Kind, ListType, Shape, Source};

/// A type with a structural schema.
///
/// Implement it by `#[derive(CrdSchema)]`, or by hand for a type with a serde implementation of its
/// own:
///
/// ```
/// use crd_runtime::crd_schema::{CrdSchema, Kind, Shape};
/// use crd_runtime::model::JsonSchemaProps;
///
/// /// Written as `1.2.3`.
/// struct Version(u16, u16, u16);
///
/// impl CrdSchema for Version {
///     const SHAPE: Shape = Shape::of(Kind::String);
///
///     fn schema() -> JsonSchemaProps {
///         let mut schema = JsonSchemaProps::of_type("string");
///         schema.pattern = r"^[0-9]+\.[0-9]+\.[0-9]+$".to_owned();
///         schema
///     }
/// }
/// # assert_eq!(Version::schema().type_, "string");
/// ```
///
/// A type without a schema does not compile, nor does one that contains itself: see [`FiniteOrMarkedRecursive`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no structural schema",
    label = "does not implement `CrdSchema`",
    note = "add `#[derive(CrdSchema)]` to the type",
    note = "for a foreign type that implements `schemars::JsonSchema`, add \
            `#[crd(schema_with = crd_runtime::crd_schema::bridge::schema::<T>)]` to the field",
    note = "for types of `chrono` and `jiff`, enable the feature of crd-runtime with that name",
    note = "a tuple has a schema only if all its elements have one type; use a struct otherwise"
)]
pub trait CrdSchema {
    /// What is known of the type while the crate compiles.
    const SHAPE: Shape = Shape::of(Kind::Opaque);

    /// [`CrdSchema::SHAPE`] of a derived type before its checks, which look at it.
    #[doc(hidden)]
    const UNCHECKED_SHAPE: Shape = Self::SHAPE;

    /// What CEL rules see of the type, which rustc checks them against. Where it is not known, what rules
    /// do with the type is only checked with the definition.
    #[doc(hidden)]
    const CEL: Declared = Declared::Unknown;

    /// The rules of the type and of what it holds, as far as the derives know of them: what they cost together is
    /// held against the server's limits.
    #[doc(hidden)]
    const RULES: Rules = Rules::NONE;

    /// The schema.
    fn schema() -> JsonSchemaProps;

    /// The schema where serde writes no `null` for "nothing": that of `T` for `Option<T>`.
    #[must_use]
    fn schema_of_some() -> JsonSchemaProps {
        Self::schema()
    }

    /// Adds the printer columns and selectable fields of this type, which is at the JSON path `at`.
    #[doc(hidden)]
    fn collect(at: &str, into: &mut Collected) {
        let _ = (at, into);
    }
}

/// A type that does not contain itself, or only through a field with `#[crd(recursive)]`.
///
/// A structural schema is finite, and names no other schema. Of types that contain each other, rustc says that
/// `Part<B, true>` cannot be shown to be `FiniteOrMarkedRecursive` (E0275), at the fields by which they do:
///
/// ```compile_fail,E0275
/// use crd_runtime::CrdSchema;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(CrdSchema, Serialize, Deserialize)]
/// struct A {
///     b: Vec<B>,
/// }
///
/// #[derive(CrdSchema, Serialize, Deserialize)]
/// struct B {
///     a: Vec<A>,
/// }
/// ```
///
/// `#[crd(recursive)]` on one of the fields ends the circle: there the schema admits any object, or list, and names
/// nothing of it.
///
/// ```
/// use crd_runtime::CrdSchema;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(CrdSchema, Serialize, Deserialize)]
/// struct A {
///     b: Vec<B>,
/// }
///
/// #[derive(CrdSchema, Serialize, Deserialize)]
/// struct B {
///     #[crd(recursive)]
///     a: Vec<A>,
/// }
///
/// let b = &A::schema().properties.unwrap()["b"];
/// # let _ = b;
/// ```
pub trait FiniteOrMarkedRecursive {}

pub(crate) use crate::builder::typed;
pub use crate::builder::{any, open_list, open_object};
pub(crate) use k8s::bridged_types;
pub(crate) use k8s_schema::bytes;
pub(crate) use known::COMMON;

/// Implements [`CrdSchema`] for types whose schema is one expression. A shape that says more than the kind follows
/// `as`; strings of a format say what they are to CEL.
macro_rules! schema_of {
    ($($ty:ty: $kind:path $(as $shape:expr)? $(, $cel:ident)? => $schema:expr;)*) => {$(
        impl $crate::crd_schema::CrdSchema for $ty {
            const SHAPE: $crate::crd_schema::Shape = {
                let shape = $crate::crd_schema::Shape::of($kind);
                $(let _ = shape; let shape = $shape;)?
                shape
            };
            const CEL: $crate::crd_schema::Declared = {
                let declared = $crate::crd_schema::shape::declared($kind);
                $(let _ = declared; let declared = $crate::crd_schema::Declared::$cel;)?
                declared
            };

            fn schema() -> $crate::model::JsonSchemaProps {
                $schema
            }
        }
    )*};
}
pub(crate) use schema_of;

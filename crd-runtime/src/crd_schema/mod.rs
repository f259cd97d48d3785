//! Structural schemas of Rust types.
//!
//! [`CrdSchema`] is implemented by `#[derive(CrdSchema)]`, and in this module for types of std, `serde_json` and
//! k8s-openapi. A schema describes what serde writes and reads: every value of the type serializes to JSON that the
//! schema accepts and of which nothing is pruned, and all JSON that the schema accepts deserializes into the type.
//!
//! Types that only implement [`schemars::JsonSchema`] can be used with `schema_with`; see [`bridge`].

mod bounds;
pub mod bridge;
#[cfg(feature = "chrono")]
mod chrono;
mod collections;
mod field;
#[cfg(feature = "jiff")]
mod jiff;
mod json;
mod k8s;
mod k8s_schema;
mod meta_shapes;
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
#[cfg(feature = "engine")]
mod written;

use crate::model::JsonSchemaProps;

#[doc(hidden)]
pub use crd_cel::compile_time::{Declared, Needs};

#[doc(hidden)]
pub use bounds::Bounds;
pub use collections::{KeyOf, MapKey};
#[doc(hidden)]
#[doc(hidden)]
pub use field::{FieldType, as_part};
#[doc(hidden)]
pub use shape::Fields;
pub use shape::{FieldPresence, FieldShape, ListType, Shape, ShapeKind, Source};
#[cfg(feature = "engine")]
#[doc(hidden)]
pub use written::WrittenAt;

/// A type with a structural schema.
///
/// Implement it by `#[derive(CrdSchema)]`, or by hand for a type with a serde implementation of its
/// own:
///
/// ```
/// use crd_runtime::crd_schema::{CrdSchema, Shape, ShapeKind};
/// use crd_runtime::model::JsonSchemaProps;
///
/// /// Written as `1.2.3`.
/// struct Version(u16, u16, u16);
///
/// impl CrdSchema for Version {
///     const SHAPE: Shape = Shape::of(ShapeKind::String);
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
/// A field whose type has no schema does not compile, nor does a type that contains itself: see
/// [`FiniteOrMarkedRecursive`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no structural schema",
    label = "does not implement `CrdSchema`",
    note = "add `#[derive(CrdSchema)]` to the type",
    note = "for a foreign type that implements `schemars::JsonSchema`, add \
            `#[crd(schema_with = crd_runtime::crd_schema::bridge::schema::<_>)]` to the field",
    note = "for types of `chrono` and `jiff`, enable the feature of crd-runtime with that name",
    note = "a tuple has a schema only if all its elements have one type; use a struct otherwise"
)]
pub trait CrdSchema {
    /// The facts about the type that checks of other types use while rustc compiles.
    const SHAPE: Shape = Shape::of(ShapeKind::Opaque);

    /// The value of [`CrdSchema::SHAPE`]. For a derived type with parameters, rustc runs the checks of the type when it
    /// evaluates `SHAPE`, and the checks use this constant.
    #[doc(hidden)]
    const UNCHECKED_SHAPE: Shape = Self::SHAPE;

    /// What the type and its parts need of servers, as far as the derives know it. rustc compares it with the oldest
    /// server of a kind. It is not in [`FieldType`], because the checks of rules, to which it refers, use that.
    #[doc(hidden)]
    const NEEDS: &'static Needs = &Needs::NONE;

    /// The tables of the fields of a derived struct, or of the variants of an enum that have fields.
    #[doc(hidden)]
    const FIELDS: &'static [Fields] = &[];

    /// What fields of the type take from it.
    #[doc(hidden)]
    const AS_FIELD: &'static FieldType = &FieldType::of::<Self>();

    /// Returns the schema.
    fn schema() -> JsonSchemaProps;

    /// Returns the schema for a place where serde does not write `null`: for `Option<T>` that of `T`.
    #[must_use]
    fn schema_of_some() -> JsonSchemaProps {
        Self::schema()
    }
}

/// A type that does not contain itself, or only through a field with `#[crd(recursive)]`. Of a type that is not derived,
/// nothing is known or asked.
///
/// A structural schema is finite and refers to no other schema. If types contain each other, rustc reports at the
/// fields concerned that it cannot decide whether `B` is `FiniteOrMarkedRecursive<true>` (E0275):
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
/// `#[crd(recursive)]` on one of the fields breaks the cycle: there, the schema accepts any object or list, without a
/// schema of its content.
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
pub trait FiniteOrMarkedRecursive<const DERIVED: bool> {}

pub(crate) use crate::builder::typed;
pub use crate::builder::{any, open_list, open_object};
pub(crate) use k8s::bridged_types;
pub(crate) use k8s_schema::bytes;
pub(crate) use meta_shapes::COMMON;

/// Implements [`CrdSchema`] for types whose schema is one expression. After `as`, a shape replaces that of the kind;
/// after a comma, a declaration for CEL replaces that of the kind.
macro_rules! schema_of {
    ($($ty:ty: $kind:path $(as $shape:expr)? $(, $cel:ident)? => $schema:expr;)*) => {$(
        impl $crate::crd_schema::CrdSchema for $ty {
            const SHAPE: $crate::crd_schema::Shape = {
                let shape = $crate::crd_schema::Shape::of($kind);
                $(let _ = shape; let shape = $shape;)?
                shape
            };
            const AS_FIELD: &'static $crate::crd_schema::FieldType = &{
                let declared = $crate::crd_schema::shape::declared($kind);
                $(let _ = declared; let declared = $crate::crd_schema::Declared::$cel;)?
                $crate::crd_schema::FieldType::of::<Self>().declared(declared)
            };

            fn schema() -> $crate::model::JsonSchemaProps {
                $schema
            }
        }
    )*};
}
pub(crate) use schema_of;

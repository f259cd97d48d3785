//! Apply configurations: what server-side apply is given, with only the fields that the manager means to own.
//!
//! `#[crd(apply)]` beside `#[derive(CustomResource)]` or `#[derive(CrdSchema)]` makes a type `CronTabApply` of
//! `CronTab`: every field an `Option` that is left out while it is `None`, nested types the same, with setters,
//! `From<CronTab>` and the names that serde writes.
//! It is opt-in, because it roughly doubles the generated code.
//!
//! ```
//! use crd_runtime::{CrdSchema, CustomResource};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
//! #[crd(group = "example.com", version = "v1", kind = "Cache", namespaced, apply)]
//! struct CacheSpec {
//!     size: i32,
//!     #[crd(list_type = "map", list_map_keys("name"))]
//!     ports: Vec<Port>,
//! }
//!
//! #[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
//! #[crd(apply(keys("name")))]
//! struct Port {
//!     name: String,
//!     port: i32,
//! }
//!
//! let config = CacheApply::new()
//!     .label("app", "web")
//!     .spec(CacheSpecApply::new().ports([PortApply::new("http").port(80)]));
//! assert_eq!(
//!     serde_json::to_value(config)?,
//!     serde_json::json!({
//!         "apiVersion": "example.com/v1",
//!         "kind": "Cache",
//!         "metadata": {"labels": {"app": "web"}},
//!         "spec": {"ports": [{"name": "http", "port": 80}]},
//!     }),
//! );
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! | of | comes |
//! |---|---|
//! | a struct with fields | a struct with a field `Option<_>` for each that serde writes |
//! | the keys of `apply(keys("name"))` | fields without `Option`, which `new` takes: what the items of a `map` list need |
//! | an enum with content, tagged | an enum of the same variants, with such fields |
//! | `Vec`, `VecDeque`, maps, `Option`, `Box` | the same of what comes of their parts |
//! | `Arc`, `Rc`, `Cow` and cells | what comes of the value in them |
//! | a newtype | what comes of the value in it; of a string, number or boolean itself |
//! | a type with `apply(whole)`, enums of words, untagged enums, tuples, sets, types with `from` and `into` | themselves: applied as a whole |
//! | types of k8s-openapi and std, fields with `schema_with` or `#[serde(with)]` | themselves |
//!
//! Setters of lists append and setters of maps put their entries, as those of Go's `applyconfigurations` do;
//! the others replace.
//! A field with `#[crd(nullable)]` is an `Option` in an `Option`, because `null` says something there.

mod configuration;
mod meta;
mod parts;

pub use configuration::ApplyConfiguration;
pub use meta::ObjectMetaApply;

/// A type that has an apply configuration, or is applied as a whole.
///
/// `#[crd(apply)]` implements it. A type with serde and schema implementations of its own is applied as a whole:
///
/// ```
/// # #[derive(Clone, Debug)]
/// # struct Version;
/// use crd_runtime::apply::IntoApply;
///
/// impl IntoApply for Version {
///     type Apply = Self;
///
///     fn into_apply(self) -> Self {
///         self
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no apply configuration",
    label = "does not implement `IntoApply`",
    note = "derive `CrdSchema` for it, with `#[crd(apply)]` or `#[crd(apply(whole))]`",
    note = "a type with a schema implementation of its own needs `impl crd_runtime::apply::IntoApply`, with \
            `type Apply = Self` to be applied as a whole"
)]
pub trait IntoApply: Sized {
    /// The apply configuration.
    type Apply;

    /// The keys that each value of [`IntoApply::Apply`], or of what it holds, requires. `None` if the type
    /// is applied as a whole.
    const KEYS: Option<&'static [&'static str]> = None;

    /// Whether the type, or what it holds, is derived and has parts, and no configuration was asked for.
    #[doc(hidden)]
    const MISSING: bool = false;

    /// All that the value says, as an apply configuration.
    fn into_apply(self) -> Self::Apply;
}

//! Apply configurations: the bodies of server-side apply, which have only the fields that the manager wants to own.
//!
//! `#[crd(apply)]` with `#[derive(CustomResource)]` or `#[derive(CrdSchema)]` generates a type `CronTabApply` for
//! `CronTab`. Each of its fields is an `Option`, which is not written while it is `None`; nested types are replaced in
//! the same way. It has setters, implements `From<CronTab>`, and is written with serde's names of `CronTab`.
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
//! | type | type in the apply configuration |
//! |---|---|
//! | a struct with fields | a struct with a field `Option<_>` for each that serde writes |
//! | the keys of `apply(keys("name"))` | fields without `Option`, which `new` takes: what the items of a `map` list need |
//! | a tagged enum with content | an enum of the same variants, with such fields |
//! | `Vec`, `VecDeque`, maps, `Option`, `Box` | the same, with their elements replaced |
//! | `Arc`, `Rc`, `Cow` and cells | that of the value in them |
//! | a newtype | that of the value in it; the newtype itself if the value is a string, number or boolean |
//! | a type with `apply(whole)`, enums without content, untagged enums, tuples, sets, types with `from` and `into` | themselves: applied as a whole |
//! | types of k8s-openapi and std, fields with `schema_with` or `#[serde(with)]` | themselves |
//!
//! A configuration with keys has no `default()`, and `new` takes a key that has a default, too: an item is identified by
//! its keys, so that its owner should write them.
//!
//! Setters of lists append, and setters of maps insert their entries, as those of Go's `applyconfigurations` do. Other
//! setters replace the value.
//! A field with `#[crd(nullable)]` is an `Option` in an `Option`, because a written `null` differs from an absent
//! field.

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

    /// The keys of `#[crd(apply(keys(..)))]`; for a list, a map or an `Option`, those of the values in it. `None` if
    /// the type is applied as a whole.
    const KEYS: Option<&'static [&'static str]> = None;

    /// Whether the type, or the type in it, is derived and has fields, but has no `#[crd(apply)]`.
    #[doc(hidden)]
    const MISSING: bool = false;

    /// Returns an apply configuration with all fields of the value.
    fn into_apply(self) -> Self::Apply;
}

//! What generated code calls. No stability: `crd-derive` of the same version is the only caller.
//!
//! The macro writes down what the user wrote; what it means is decided here, compiled once.

mod apply;
pub mod check;
mod definition;
mod doc;
mod of;
mod root;
mod schema;

pub use crd_cel::compile_time as cel;
pub use k8s_openapi;
pub use k8s_openapi::apimachinery::pkg::apis::meta::v1::{ObjectMeta, OwnerReference};
#[cfg(feature = "client")]
pub use kube;
pub use schemars;
pub use serde;
pub use serde_json;

pub use apply::some;
pub use definition::{Definition, Kind, Webhook};
pub use of::{Derived, Missing, Of, Part};
pub use root::{Root, RootRef, deserialize_root, named};
pub use schema::{Schema, schema_name};

pub use crate::builder::{
    Collected, Column, IntoSchema, Object, Presence, Rule, Union, cel_field, cel_string,
    empty_tuple, json, tuple, unit_enum,
};

/// What only the client needs: it is there with the feature `client` of this crate, whose macro decides,
/// because the derive cannot know.
#[cfg(feature = "client")]
#[doc(hidden)]
#[macro_export]
macro_rules! __client {
    ($($tokens:tt)*) => { $($tokens)* };
}

/// Without the feature `client` there is none of it.
#[cfg(not(feature = "client"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __client {
    ($($tokens:tt)*) => {};
}

pub use crate::__client as client;

//! Items that generated code uses. They are not stable: `crd-derive` of the same version is the only user.
//!
//! Generated code only passes on the attributes. The logic is here, so that it is compiled once.

mod apply;
pub mod check;
mod definition;
#[cfg(feature = "engine")]
mod definition_test;
mod of;
mod root;
mod schema_name;

pub use crd_cel::compile_time as cel;
pub use crd_derive::attributes_page;
pub use k8s_openapi;
pub use k8s_openapi::apimachinery::pkg::apis::meta::v1::{ObjectMeta, OwnerReference};
#[cfg(feature = "client")]
pub use kube;
pub use schemars;
pub use serde;
pub use serde_json;
pub use std::borrow::Cow;

pub use apply::some;
pub use definition::{Definition, KindNames, Webhook};
#[cfg(feature = "engine")]
pub use definition_test::{InvalidDefinition, check_definition};
pub use of::{Derived, Missing, Nothing, Of};
pub use root::{Root, RootRef, deserialize_root, joined, named, text};
pub use schema_name::schema_name;

pub use crate::custom_resource::{CustomResource, defined_as};
pub use crate::model::{CustomResourceDefinition, JsonSchemaProps};
pub use crd_model::{Defined, DefinedAs};

pub use crate::builder::{
    Column, IntoSchema, Rule, Schema, Union, cel_field, cel_string, empty_tuple, json, json_with,
    tuple,
};

/// Expands to code that needs the feature `client` of this crate. This macro decides whether the code is compiled,
/// because a derive cannot see the features of another crate.
#[cfg(feature = "client")]
#[doc(hidden)]
#[macro_export]
macro_rules! __client {
    ($($tokens:tt)*) => { $($tokens)* };
}

/// Expands to nothing, because the feature `client` is not enabled.
#[cfg(not(feature = "client"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __client {
    ($($tokens:tt)*) => {};
}

pub use crate::__client as client;

/// Expands to code that needs the feature `engine` of this crate, as [`client`] does for its feature.
#[cfg(feature = "engine")]
#[doc(hidden)]
#[macro_export]
macro_rules! __engine {
    ($($tokens:tt)*) => { $($tokens)* };
}

/// Expands to nothing, because the feature `engine` is not enabled.
#[cfg(not(feature = "engine"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __engine {
    ($($tokens:tt)*) => {};
}

pub use crate::__engine as engine;

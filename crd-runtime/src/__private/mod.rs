//! Items that generated code uses. They are not stable: `crd-derive` of the same version is the only user.
//!
//! Generated code only passes on the attributes. The logic is here, so that it is compiled once.

mod apply;
pub mod check;
mod definition;
#[cfg(feature = "engine")]
mod definition_test;
pub mod names;
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
pub use std::boxed::Box;
pub use std::convert::Into;
pub use std::option::Option::{self, None, Some};
pub use std::result::Result;
pub use std::string::String;
pub use std::sync::OnceLock;
pub use std::vec;
pub use std::vec::Vec;

pub use apply::some;
pub use definition::{Kind, Scope, Webhook, defined_as, definition, texts};
#[cfg(feature = "engine")]
pub use definition_test::{Checked, InvalidDefinition, check_definition};
pub use of::{Derived, Missing, Of};
pub use root::{
    NO_STATUS, NoStatus, Root, RootOf, deserialize_root, joined, named, serialize_root, text,
};
pub use schema_name::{schema_id, schema_name};

pub use crate::custom_resource::CustomResource;
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

/// Expands to the test that servers accept the definition of a kind, if the feature `engine` of this crate is enabled.
#[cfg(feature = "engine")]
#[doc(hidden)]
#[macro_export]
macro_rules! __test {
    ($(#[$lints:meta])* $name:ident $root:ident $oldest:expr) => {
        $(#[$lints])*
        #[cfg(test)]
        #[::core::prelude::v1::test]
        fn $name() -> $crate::__private::Checked {
            $crate::__private::check_definition::<$root>($oldest)
        }
    };
}

/// Expands to nothing, because the feature `engine` is not enabled.
#[cfg(not(feature = "engine"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __test {
    ($($tokens:tt)*) => {};
}

pub use crate::__test as test;

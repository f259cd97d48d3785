//! Define Kubernetes custom resources as Rust structs. rustc and your tests report what kube-apiserver would reject,
//! without a cluster.
//!
//! A struct becomes a kind by [`#[derive(CustomResource)]`](derive@CustomResource). From it come the manifest, a root
//! type that works with `kube`, and the API server's checks as functions:
//!
#![cfg_attr(feature = "engine", doc = "```")]
#![cfg_attr(not(feature = "engine"), doc = "```ignore")]
//! use crd_runtime::{CrdSchema, CustomResource, admit, compiled::CompiledSchema, definition};
//! use serde::{Deserialize, Serialize};
//!
//! /// Runs a container on a schedule.
//! #[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
//! #[crd(group = "stable.example.com", version = "v1", kind = "CronTab", namespaced)]
//! #[serde(rename_all = "camelCase")]
//! pub struct CronTabSpec {
//!     #[crd(max_length = 64)]
//!     pub cron_spec: String,
//!     #[crd(minimum = 1, maximum = 10, default = 1, print_column)]
//!     pub replicas: i32,
//!     #[crd(list_type = "map", list_map_keys("name"), max_items = 8)]
//!     pub containers: Vec<Container>,
//! }
//!
//! /// A type inside a kind derives `CrdSchema`.
//! #[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
//! #[crd(rule("self.name != 'init'", message = "the name `init` is reserved"))]
//! pub struct Container {
//!     #[crd(max_length = 63)]
//!     pub name: String,
//!     pub image: String,
//! }
//!
//! // The manifest, validated as by the API server.
//! let crd = CronTab::crd();
//! definition::validate(&crd).into_result()?;
//!
//! // An object, validated as by the API server.
//! let schema = CompiledSchema::of::<CronTab>()?;
//! let containers = vec![Container { name: "job".to_owned(), image: "busybox".to_owned() }];
//! let spec = CronTabSpec { cron_spec: "0 2 * * *".to_owned(), replicas: 11, containers };
//! let rejected = admit::create_typed(&schema, &CronTab::new("nightly", spec)).unwrap_err();
//! assert_eq!(
//!     rejected.to_string(),
//!     "spec.replicas: Invalid value: 11: spec.replicas in body should be less than or equal to 10",
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Dependencies
//!
//! ```toml
//! [dependencies]
//! crd-runtime = "0.1"
//! # Enable one Kubernetes version in your binary crate. In a library, enable it only in the dev-dependencies.
//! k8s-openapi = { version = "0.29", features = ["latest"] }
//! serde = { version = "1", features = ["derive"] }
//! ```
//!
//! The crates in public signatures are re-exported: [`k8s_openapi`], [`schemars`] and, with `client`, [`kube`].
//!
//! # Features
//!
//! | feature | what it adds | default |
//! |---|---|---|
//! | `engine` | [`admit`], [`definition`], [`compiled`], [`convert`], [`table`], [`openapi`], [`yaml`], [`rbac`], [`webhooks`] | yes |
//! | `client` | [`client`] and [`migrate`], on kube | no |
//! | `chrono`, `jiff`, `indexmap`, `url`, `uuid` | schemas of the types of these crates | no |
//!
//! Without features there are the derives, and what they make.
//!
//! # Where to go next
//!
//! | to | see |
//! |---|---|
//! | look up an attribute | [`#[derive(CustomResource)]`](derive@CustomResource#all-keys), with the YAML that each generates |
//! | test what the server accepts | [`admit`] for objects, [`definition`] for definitions |
//! | write manifests to files | [`crd_cli::Registry`](https://docs.rs/crd-cli) |
//! | read and write objects | [`client::Api`], or `kube::Api` as it is |
//! | test a controller | [`crd_apiserver::ApiServer`](https://docs.rs/crd-apiserver) |
//! | use server-side apply | [`mod@apply`] |
//! | convert between versions | [`convert::Converter`], [`versions!`], [`crd_webhook::Server`](https://docs.rs/crd-webhook), [`migrate::Migration`] |
//! | give a foreign type a schema | [`trait@CrdSchema`], [`crd_schema::bridge`] |
#![cfg_attr(docsrs, feature(doc_cfg))]

#[doc(hidden)]
pub mod __private;
pub mod apply;
pub mod base64;
mod builder;
mod capability;
#[cfg(feature = "client")]
pub mod client;
pub mod crd_schema;
mod custom_resource;
mod go_duration;
#[cfg(feature = "client")]
pub mod migrate;
#[cfg(feature = "client")]
mod shared;
mod type_meta;
#[cfg(feature = "engine")]
pub mod versions;

#[doc(hidden)]
#[cfg(feature = "engine")]
pub use crd_engine::ruleset;
#[cfg(feature = "engine")]
#[doc(inline)]
pub use crd_engine::{
    KubernetesVersion, ParseVersionError, Server, admit, compiled, convert, definition,
    field_selector, json_path, openapi, rbac, rules, schema, table, webhooks, yaml,
};
#[cfg(feature = "client")]
use crd_engine::{cause, names};
#[doc(inline)]
pub use crd_model::{differences, field, json, managed_fields, model};

pub use crd_derive::{CrdSchema, CustomResource};
// Re-exports of crates in public signatures, so that a program uses the same versions without depending on them.
#[cfg(feature = "client")]
pub use kube;
pub use {
    capability::{HasScale, HasStatus},
    crd_schema::CrdSchema,
    custom_resource::CustomResource,
    go_duration::{GoDuration, GoDurationError},
    type_meta::TypeMeta,
};
pub use {k8s_openapi, schemars};

//! Define Kubernetes custom resources as Rust structs. rustc and your tests report what kube-apiserver would reject,
//! without a cluster.
//!
//! A struct becomes a kind by [`#[derive(CustomResource)]`](derive@CustomResource). From it come the manifest, a root
//! type that works with `kube`, and the API server's checks as functions:
//!
#![cfg_attr(all(feature = "derive", feature = "engine"), doc = "```")]
#![cfg_attr(not(all(feature = "derive", feature = "engine")), doc = "```ignore")]
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
//! | `derive` | [`#[derive(CustomResource)]`](derive@CustomResource), [`#[derive(CrdSchema)]`](derive@CrdSchema), apply configurations | yes |
//! | `engine` | [`admit`], [`definition`], [`compiled`], [`convert`], [`table`], [`openapi`] | yes |
//! | `client` | [`client`] and [`migrate`], on kube | no |
//! | `apiserver` | [`apiserver`]: an API server in the process of a test | no |
//! | `webhook` | [`webhook`]: a server for conversion webhooks, on axum and rustls | no |
//! | `cli` | [`cli`]: the commands of a project's `xtask` | no |
//! | `yaml` | [`yaml`]: YAML as `kubectl` reads it; [`rbac`]: roles; part of `cli` | no |
//! | `chrono`, `jiff`, `indexmap`, `url`, `uuid` | schemas of the types of these crates | no |
//!
//! # Where to go next
//!
//! | to | see |
//! |---|---|
//! | look up an attribute | [`#[derive(CustomResource)]`](derive@CustomResource#all-keys), with the YAML that each generates |
//! | test what the server accepts | [`admit`] for objects, [`definition`] for definitions |
//! | write manifests to files | [`cli::Registry`] |
//! | read and write objects | [`client::Api`], or `kube::Api` as it is |
//! | test a controller | [`apiserver::ApiServer`] |
//! | use server-side apply | [`mod@apply`] |
//! | convert between versions | [`convert::Converter`], [`versions!`], [`webhook::Server`], [`migrate::Migration`] |
//! | give a foreign type a schema | [`trait@CrdSchema`], [`crd_schema::bridge`] |
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "derive")]
#[doc(hidden)]
pub mod __private;
#[cfg(feature = "engine")]
pub mod admit;
#[cfg(feature = "apiserver")]
pub mod apiserver;
#[cfg(feature = "derive")]
pub mod apply;
#[cfg(feature = "derive")]
pub mod base64;
#[cfg(feature = "derive")]
mod builder;
#[cfg(feature = "derive")]
mod capability;
#[cfg(feature = "engine")]
mod cause;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "client")]
pub mod client;
#[cfg(feature = "engine")]
mod compile;
#[cfg(feature = "engine")]
pub mod compiled;
#[cfg(feature = "engine")]
pub mod convert;
#[cfg(feature = "engine")]
mod correlate;
#[cfg(feature = "derive")]
pub mod crd_schema;
#[cfg(feature = "derive")]
mod custom_resource;
#[cfg(feature = "engine")]
mod defaulting;
#[cfg(feature = "engine")]
pub mod definition;
pub mod differences;
#[cfg_attr(
    not(feature = "engine"),
    allow(dead_code, unused_imports, reason = "the engine uses all of it")
)]
pub mod field;
#[cfg(feature = "engine")]
pub mod field_selector;
#[cfg(feature = "derive")]
mod go_duration;
#[cfg_attr(
    not(feature = "engine"),
    allow(dead_code, unused_imports, reason = "the engine uses all of it")
)]
pub mod json;
#[cfg(feature = "engine")]
pub mod json_path;
#[cfg(feature = "engine")]
mod list_type;
pub mod managed_fields;
#[cfg(feature = "client")]
pub mod migrate;
#[cfg_attr(
    not(feature = "engine"),
    allow(dead_code, unused_imports, reason = "the engine uses all of it")
)]
pub mod model;
#[cfg(feature = "engine")]
mod names;
#[cfg(feature = "engine")]
mod object_meta;
#[cfg(feature = "engine")]
pub mod openapi;
#[cfg(feature = "engine")]
mod prune;
#[cfg(feature = "engine")]
mod ratchet;
#[cfg(feature = "yaml")]
pub mod rbac;
#[cfg(feature = "engine")]
pub mod rules;
#[cfg(feature = "engine")]
#[doc(hidden)]
pub mod ruleset;
#[cfg(feature = "engine")]
pub mod schema;
mod shared;
#[cfg(feature = "engine")]
pub mod table;
#[cfg(feature = "derive")]
mod type_meta;
#[cfg(feature = "engine")]
mod value;
#[cfg(feature = "engine")]
pub mod versions;
#[cfg(feature = "webhook")]
pub mod webhook;
#[cfg(feature = "yaml")]
pub mod yaml;

#[cfg(feature = "engine")]
pub use crd_cel::kubernetes::{KubernetesVersion, ParseVersionError};
#[cfg(feature = "derive")]
pub use crd_derive::{CrdSchema, CustomResource};
// Re-exports of crates in public signatures, so that a program uses the same versions without depending on them.
#[cfg(feature = "client")]
pub use kube;
#[cfg(feature = "derive")]
pub use {
    capability::{HasScale, HasStatus},
    crd_schema::CrdSchema,
    custom_resource::CustomResource,
    go_duration::{GoDuration, GoDurationError},
    type_meta::TypeMeta,
};
#[cfg(feature = "derive")]
pub use {k8s_openapi, schemars};

//! Calls that do not compile, because the server would not answer them; first those that do.
//!
//! All that a kind may have:
//!
//! ```no_run
//! # mod kinds {
//! # use crd_runtime::{CrdSchema, CustomResource};
//! # use serde::{Deserialize, Serialize};
//! # #[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
//! # #[crd(group = "example.com", version = "v1", kind = "Foo", namespaced, status = FooStatus, scale(spec = ".spec.replicas", status = ".status.replicas"))]
//! # pub struct FooSpec {
//! #     #[crd(selectable)]
//! #     color: String,
//! #     #[crd(selectable)]
//! #     size: i32,
//! #     image: String,
//! #     replicas: i32,
//! # }
//! # #[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
//! # pub struct FooStatus {
//! #     replicas: i32,
//! # }
//! # }
//! # use kinds::*;
//! # use crd_runtime::client::{Api, Selector};
//! # use kube::api::{ListParams, PostParams};
//! async fn calls(client: kube::Client) -> Result<Selector<Foo>, crd_runtime::client::Error> {
//!     let api = Api::<Foo>::namespaced(client.clone(), "mine");
//!     api.get_status("a").await?;
//!     api.get_scale("a").await?;
//!     Api::<Foo>::all_namespaces(client).list(&ListParams::default()).await?;
//!     let fields = Foo::fields().metadata_namespace().eq("mine");
//!     Ok(fields.and(Foo::fields().color().eq("blue")).and(Foo::fields().size().eq(3)))
//! }
//! ```
//!
//! Objects of the cluster:
//!
//! ```no_run
//! # mod kinds {
//! # use crd_runtime::{CrdSchema, CustomResource};
//! # use serde::{Deserialize, Serialize};
//! # #[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
//! # #[crd(group = "example.com", version = "v1", kind = "Foo", cluster)]
//! # pub struct FooSpec {
//! #     #[crd(selectable)]
//! #     color: String,
//! #     #[crd(selectable)]
//! #     size: i32,
//! #     image: String,
//! #     replicas: i32,
//! # }
//! # #[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
//! # pub struct FooStatus {
//! #     replicas: i32,
//! # }
//! # }
//! # use kinds::*;
//! # use crd_runtime::client::{Api, Selector};
//! # use kube::api::{ListParams, PostParams};
//! fn cluster(client: kube::Client) -> Api<Foo> {
//!     Api::cluster(client)
//! }
//! ```
//!
//! A status that the kind does not have:
//!
//! ```compile_fail
//! # mod kinds {
//! # use crd_runtime::{CrdSchema, CustomResource};
//! # use serde::{Deserialize, Serialize};
//! # #[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
//! # #[crd(group = "example.com", version = "v1", kind = "Foo", namespaced)]
//! # pub struct FooSpec {
//! #     #[crd(selectable)]
//! #     color: String,
//! #     #[crd(selectable)]
//! #     size: i32,
//! #     image: String,
//! #     replicas: i32,
//! # }
//! # #[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
//! # pub struct FooStatus {
//! #     replicas: i32,
//! # }
//! # }
//! # use kinds::*;
//! # use crd_runtime::client::{Api, Selector};
//! # use kube::api::{ListParams, PostParams};
//! async fn status(api: Api<Foo>) {
//!     let _ = api.get_status("a").await;
//! }
//! ```
//!
//! A scale that it does not have:
//!
//! ```compile_fail
//! # mod kinds {
//! # use crd_runtime::{CrdSchema, CustomResource};
//! # use serde::{Deserialize, Serialize};
//! # #[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
//! # #[crd(group = "example.com", version = "v1", kind = "Foo", namespaced, status = FooStatus)]
//! # pub struct FooSpec {
//! #     #[crd(selectable)]
//! #     color: String,
//! #     #[crd(selectable)]
//! #     size: i32,
//! #     image: String,
//! #     replicas: i32,
//! # }
//! # #[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
//! # pub struct FooStatus {
//! #     replicas: i32,
//! # }
//! # }
//! # use kinds::*;
//! # use crd_runtime::client::{Api, Selector};
//! # use kube::api::{ListParams, PostParams};
//! async fn scale(api: Api<Foo>) {
//!     let _ = api.get_scale("a").await;
//! }
//! ```
//!
//! A namespace of a kind that has none:
//!
//! ```compile_fail
//! # mod kinds {
//! # use crd_runtime::{CrdSchema, CustomResource};
//! # use serde::{Deserialize, Serialize};
//! # #[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
//! # #[crd(group = "example.com", version = "v1", kind = "Foo", cluster)]
//! # pub struct FooSpec {
//! #     #[crd(selectable)]
//! #     color: String,
//! #     #[crd(selectable)]
//! #     size: i32,
//! #     image: String,
//! #     replicas: i32,
//! # }
//! # #[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
//! # pub struct FooStatus {
//! #     replicas: i32,
//! # }
//! # }
//! # use kinds::*;
//! # use crd_runtime::client::{Api, Selector};
//! # use kube::api::{ListParams, PostParams};
//! fn namespaced(client: kube::Client) -> Api<Foo> {
//!     Api::namespaced(client, "mine")
//! }
//! ```
//!
//! All namespaces of such a kind:
//!
//! ```compile_fail
//! # mod kinds {
//! # use crd_runtime::{CrdSchema, CustomResource};
//! # use serde::{Deserialize, Serialize};
//! # #[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
//! # #[crd(group = "example.com", version = "v1", kind = "Foo", cluster)]
//! # pub struct FooSpec {
//! #     #[crd(selectable)]
//! #     color: String,
//! #     #[crd(selectable)]
//! #     size: i32,
//! #     image: String,
//! #     replicas: i32,
//! # }
//! # #[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
//! # pub struct FooStatus {
//! #     replicas: i32,
//! # }
//! # }
//! # use kinds::*;
//! # use crd_runtime::client::{Api, Selector};
//! # use kube::api::{ListParams, PostParams};
//! async fn all(client: kube::Client) {
//!     let _ = Api::<Foo>::all_namespaces(client);
//! }
//! ```
//!
//! Its namespace as a field:
//!
//! ```compile_fail
//! # mod kinds {
//! # use crd_runtime::{CrdSchema, CustomResource};
//! # use serde::{Deserialize, Serialize};
//! # #[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
//! # #[crd(group = "example.com", version = "v1", kind = "Foo", cluster)]
//! # pub struct FooSpec {
//! #     #[crd(selectable)]
//! #     color: String,
//! #     #[crd(selectable)]
//! #     size: i32,
//! #     image: String,
//! #     replicas: i32,
//! # }
//! # #[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
//! # pub struct FooStatus {
//! #     replicas: i32,
//! # }
//! # }
//! # use kinds::*;
//! # use crd_runtime::client::{Api, Selector};
//! # use kube::api::{ListParams, PostParams};
//! fn selector() -> Selector<Foo> {
//!     Foo::fields().metadata_namespace().eq("mine")
//! }
//! ```
//!
//! The cluster's objects of a kind with namespaces:
//!
//! ```compile_fail
//! # mod kinds {
//! # use crd_runtime::{CrdSchema, CustomResource};
//! # use serde::{Deserialize, Serialize};
//! # #[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
//! # #[crd(group = "example.com", version = "v1", kind = "Foo", namespaced)]
//! # pub struct FooSpec {
//! #     #[crd(selectable)]
//! #     color: String,
//! #     #[crd(selectable)]
//! #     size: i32,
//! #     image: String,
//! #     replicas: i32,
//! # }
//! # #[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
//! # pub struct FooStatus {
//! #     replicas: i32,
//! # }
//! # }
//! # use kinds::*;
//! # use crd_runtime::client::{Api, Selector};
//! # use kube::api::{ListParams, PostParams};
//! fn cluster(client: kube::Client) -> Api<Foo> {
//!     Api::cluster(client)
//! }
//! ```
//!
//! One object in all namespaces:
//!
//! ```compile_fail
//! # mod kinds {
//! # use crd_runtime::{CrdSchema, CustomResource};
//! # use serde::{Deserialize, Serialize};
//! # #[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
//! # #[crd(group = "example.com", version = "v1", kind = "Foo", namespaced)]
//! # pub struct FooSpec {
//! #     #[crd(selectable)]
//! #     color: String,
//! #     #[crd(selectable)]
//! #     size: i32,
//! #     image: String,
//! #     replicas: i32,
//! # }
//! # #[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
//! # pub struct FooStatus {
//! #     replicas: i32,
//! # }
//! # }
//! # use kinds::*;
//! # use crd_runtime::client::{Api, Selector};
//! # use kube::api::{ListParams, PostParams};
//! async fn get(client: kube::Client) {
//!     let _ = Api::<Foo>::all_namespaces(client).get("a").await;
//! }
//! ```
//!
//! A field that is not selectable:
//!
//! ```compile_fail
//! # mod kinds {
//! # use crd_runtime::{CrdSchema, CustomResource};
//! # use serde::{Deserialize, Serialize};
//! # #[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
//! # #[crd(group = "example.com", version = "v1", kind = "Foo", namespaced)]
//! # pub struct FooSpec {
//! #     #[crd(selectable)]
//! #     color: String,
//! #     #[crd(selectable)]
//! #     size: i32,
//! #     image: String,
//! #     replicas: i32,
//! # }
//! # #[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
//! # pub struct FooStatus {
//! #     replicas: i32,
//! # }
//! # }
//! # use kinds::*;
//! # use crd_runtime::client::{Api, Selector};
//! # use kube::api::{ListParams, PostParams};
//! fn selector() -> Selector<Foo> {
//!     Foo::fields().image().eq("nginx")
//! }
//! ```
//!
//! A part without selectable fields:
//!
//! ```compile_fail
//! # mod kinds {
//! # use crd_runtime::{CrdSchema, CustomResource};
//! # use serde::{Deserialize, Serialize};
//! # #[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
//! # #[crd(group = "example.com", version = "v1", kind = "Foo", namespaced, status = FooStatus, scale(spec = ".spec.replicas", status = ".status.replicas"))]
//! # pub struct FooSpec {
//! #     #[crd(selectable)]
//! #     color: String,
//! #     #[crd(selectable)]
//! #     size: i32,
//! #     image: String,
//! #     replicas: i32,
//! # }
//! # #[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
//! # pub struct FooStatus {
//! #     replicas: i32,
//! # }
//! # }
//! # use kinds::*;
//! # use crd_runtime::client::{Api, Selector};
//! # use kube::api::{ListParams, PostParams};
//! fn selector() {
//!     let _ = Foo::fields().status();
//! }
//! ```
//!
//! A value of another type:
//!
//! ```compile_fail
//! # mod kinds {
//! # use crd_runtime::{CrdSchema, CustomResource};
//! # use serde::{Deserialize, Serialize};
//! # #[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
//! # #[crd(group = "example.com", version = "v1", kind = "Foo", namespaced)]
//! # pub struct FooSpec {
//! #     #[crd(selectable)]
//! #     color: String,
//! #     #[crd(selectable)]
//! #     size: i32,
//! #     image: String,
//! #     replicas: i32,
//! # }
//! # #[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
//! # pub struct FooStatus {
//! #     replicas: i32,
//! # }
//! # }
//! # use kinds::*;
//! # use crd_runtime::client::{Api, Selector};
//! # use kube::api::{ListParams, PostParams};
//! fn selector() -> Selector<Foo> {
//!     Foo::fields().size().eq("3")
//! }
//! ```

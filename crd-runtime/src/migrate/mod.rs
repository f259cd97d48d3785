//! Storage migration: rewrites every stored object in the current storage version, and then removes the earlier
//! versions from `status.storedVersions`, so that they can be removed from the CRD.
//!
//! ```no_run
//! use crd_runtime::migrate::Migration;
//!
//! # async fn example(client: kube::Client) -> Result<(), crd_runtime::migrate::Error> {
//! let done = Migration::new(client, "endpoints.example.com")
//!     .run(|progress| eprintln!("{progress}"))
//!     .await?;
//! println!("{done}");
//! # Ok(())
//! # }
//! ```
//!
//! First make the new version the storage version, and wait about a minute: an API server that has not noticed the
//! change yet still stores objects in the old version.
//!
//! An object is rewritten by an empty patch, which the server applies to the current object, so that no concurrent
//! change is lost. The server stores the result because its version differs from the stored one.
//!
//! Source: `documentation/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning`,
//! "Upgrade existing objects to a new stored version".

mod checkpoint;
mod error;
mod run;

pub use checkpoint::{Checkpoint, Progress, Summary};
pub use error::{Error, RejectedObject};
pub use run::{Migration, PAGE};

//! Storage migration: every stored object is rewritten in the version that is stored now, and the versions
//! before are dropped from `status.storedVersions`, so that they can leave the CRD.
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
//! Make the new version the storage version first, and let every API server learn of it: one that has not
//! still writes the old version. A minute is plenty.
//!
//! An object is rewritten by an empty patch, which the server applies to what is there at that moment: no
//! change of anyone is lost, and none is made. The server writes what differs from what is stored, and the
//! version differs.
//!
//! Source: `documentation/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning`,
//! "Upgrade existing objects to a new stored version".

mod checkpoint;
mod error;
mod run;

pub use checkpoint::{Checkpoint, Done, Progress};
pub use error::{Error, Refused};
pub use run::{Migration, PAGE};

//! Typed clients, on [`kube`].
//!
//! A derived root works with [`kube::Api`], its watchers, reflectors and controllers as it is.
//! [`Api`] is the same with more said by types and less left to chance:
//!
//! - calls exist where the CRD has them: status ([`HasStatus`](crate::HasStatus)), scale
//!   ([`HasScale`](crate::HasScale)), namespaces, and [selectors](Selector) of selectable fields;
//! - an [`Error`] says what was asked, what the server said, and what to do next, with the server's field
//!   errors as [`field::Error`](crate::field::Error)s;
//! - [`Api::apply`] takes the apply configurations of [`crate::apply`];
//! - a write keeps what the Rust type does not know ([`Api::replace`], [`Api::modify`]);
//! - [`Api::checked`] refuses here what the server would refuse, with the server's words, conflicts of an apply
//!   included;
//! - [`install()`] brings definitions in and waits until they are served.
//!
//! Every retry has a limit: a change that meets another writer is repeated [`MAX_ATTEMPTS`] times, waiting ends
//! after the time that the caller gives, and pauses grow and vary at random.
//! A write whose answer is lost is not repeated here, because it may have happened ([`Error::is_transient`]).
//! kube's own client may repeat a request after the answers 429, 503 and 504 (`kube::Config::default_retry`, at
//! most 15 times); turn that off for writes that must not happen twice.
//!
//! Finalizers are kube's: [`finalizer()`] adds one before the first change outside of the object, and removes
//! it when cleaning up has succeeded.

mod api;
mod apply;
pub(crate) mod backoff;
mod error;
mod install;
mod merge;
mod modify;
mod preflight;
mod scale;
mod select;
mod status;
mod transport;

pub use api::{AllNamespaces, Api, ClusterScoped, Events, Kind, Namespaced};
pub use apply::{Apply, ApplyExt};
pub use error::{Asked, BoxError, Error, Fault, ManagerConflict, Misfit, parse_cause};
pub use install::{InstallOptions, Installed, install, wait_established};
pub use kube;
pub use kube::runtime::finalizer::{self, finalizer};
pub use modify::{MAX_ATTEMPTS, Outcome, Written};
pub use preflight::Checked;
pub use scale::{Scale, ScaleSpec, ScaleStatus};
pub use select::{Field, FieldPath, Matches, SelectFields, Selector, Untyped};

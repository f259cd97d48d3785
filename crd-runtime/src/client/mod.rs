//! Typed clients, on [`kube`].
//!
//! A derived root works with [`kube::Api`], its watchers, reflectors and controllers as it is.
//! [`Api`] has the same calls, and adds:
//!
//! - calls that the definition does not support do not compile: status ([`HasStatus`](crate::HasStatus)), scale
//!   ([`HasScale`](crate::HasScale)), namespaces, and [selectors](Selector) of selectable fields;
//! - an [`Error`] contains the request, the server's answer, advice on what to do next, and the server's field
//!   errors as [`field::Error`](crate::field::Error)s;
//! - [`Api::apply`] takes the apply configurations of [`crate::apply`];
//! - a write keeps fields that the Rust type does not have ([`Api::replace`], [`Api::modify`]);
//! - [`Api::checked`] validates writes before they are sent, with the server's texts, and reports conflicts of an
//!   apply;
//! - [`install()`] installs definitions and waits until they are served.
//!
//! Every retry has a limit: a change is tried at most [`MAX_ATTEMPTS`] times if others change the object
//! meanwhile, and waiting ends at the caller's timeout. The pauses in between grow and have jitter.
//! A write whose answer is lost is not repeated, because it may have taken effect ([`Error::is_transient`]).
//! kube's own client may repeat a request after the answers 429, 503 and 504 (`kube::Config::default_retry`, at
//! most 15 times); turn that off for writes that must not happen twice.
//!
//! Finalizers are kube's: [`finalizer()`] adds one before the first change outside of the object, and removes
//! it when cleaning up has succeeded.

mod api;
mod apply;
pub(crate) mod backoff;
mod checked;
mod error;
mod install;
mod kind;
mod merge;
mod modify;
mod preflight;
mod scale;
mod select;
mod status;
mod transport;

pub use api::{AllNamespaces, Api, ClusterScoped, Events, Namespaced};
pub use apply::{Apply, ApplyExt};
pub use checked::Checked;
pub use error::{
    BoxError, Error, ErrorKind, ManagerConflict, RequestContext, TypeMismatch, parse_cause,
};
pub use install::{InstallOptions, Installed, install, wait_established};
pub use kind::Kind;
pub use kube;
pub use kube::runtime::finalizer::{self, finalizer};
pub use modify::{MAX_ATTEMPTS, Outcome, WriteResult};
pub use scale::{Scale, ScaleSpec, ScaleStatus};
pub use select::{Field, FieldPath, KindFields, Matches, SelectFields, Selector, Untyped};

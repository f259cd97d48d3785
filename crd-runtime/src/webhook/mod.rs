//! A server for conversion webhooks: HTTPS around [`Converter::review`](crate::convert::Converter::review).
//!
//! ```no_run
//! use crd_runtime::convert::Converter;
//! use crd_runtime::webhook::{CertificateFiles, Server, shutdown_signal};
//!
//! # fn converter() -> Converter { Converter::new("example.com", "Endpoint") }
//! #[tokio::main]
//! async fn main() -> Result<(), crd_runtime::webhook::Error> {
//!     Server::new(CertificateFiles::in_directory("/etc/webhook"))
//!         .convert("/convert", converter())
//!         .notify(|event| eprintln!("{event}"))
//!         .run(shutdown_signal())
//!         .await
//! }
//! ```
//!
//! `GET /healthz` and `GET /readyz` answer `ok`. Certificates are read again when their files change. All
//! else that bounds the server is in [`Limits`].
//!
//! What it answers to a call of the API server:
//!
//! | call | answer |
//! |---|---|
//! | a review, all objects of which convert | 200, `Success` |
//! | a review with an object that does not, or whose conversion panics | 200, `Failed`, with a message that names the object |
//! | a body that is no review | 400, and why |
//! | another method than POST | 405 |
//! | a body that is not there in time | 408 |
//! | a body above the limit | 413 |
//! | another content type than JSON | 415 |

mod certificates;
mod error;
mod routes;
mod server;
mod signal;

pub use certificates::CertificateFiles;
pub use error::{Error, Event};
pub use server::{Bound, Limits, Server};
pub use signal::shutdown_signal;

//! A server for conversion webhooks: HTTPS around [`Converter::review`](convert::Converter::review).
//!
//! ```no_run
//! use crd_runtime::convert::Converter;
//! use crd_webhook::{CertificateFiles, Server, shutdown_signal};
//!
//! # fn converter() -> Converter { Converter::new("example.com", "Endpoint") }
//! #[tokio::main]
//! async fn main() -> Result<(), crd_webhook::Error> {
//!     Server::new(CertificateFiles::in_directory("/etc/webhook"))
//!         .convert("/convert", converter())
//!         .notify(|event| eprintln!("{event}"))
//!         .run(shutdown_signal())
//!         .await
//! }
//! ```
//!
//! Nothing authenticates the API server: every client that can connect may send reviews. A review changes nothing, so a
//! converter should not reveal more than the objects that it is given. Limit who can connect by a `NetworkPolicy`.
//!
//! `GET /healthz`, `/livez` and `/readyz` respond with `ok`, or with 503 if no conversion can run because all threads
//! are taken by conversions that hang. The certificate files are read again every [`Limits::reload`]. All limits of the
//! server are in [`Limits`].
//!
//! The responses to requests of the API server:
//!
//! | request | response |
//! |---|---|
//! | a review whose objects all convert | 200, `Success` |
//! | a review with an object that does not convert, or whose conversion panics | 200, `Failed`, with a message that names the object |
//! | a body that is not a review | 400, with the reason |
//! | a method other than POST | 405 |
//! | a body that does not arrive in time | 408 |
//! | a body above the limit | 413 |
//! | a content type other than JSON | 415 |
//! | more bodies at a time than [`Limits::max_bodies`], or no thread for the conversion | 503 |
//! | a conversion that takes longer than [`Limits::request`] | 504 |

mod activity;
mod certificates;
mod connection;
mod error;
mod limits;
mod reload;
mod routes;
mod server;
mod shared;
mod signal;
mod work;

use crd_engine::convert;

pub use certificates::CertificateFiles;
pub use error::{Error, Event};
pub use limits::Limits;
pub use server::{BoundServer, Server};
pub use signal::shutdown_signal;

/// Compiles the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

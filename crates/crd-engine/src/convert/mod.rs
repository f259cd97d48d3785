//! Conversion between the versions of a kind, composed of steps between two versions each.
//!
//! A [`Converter`] holds the steps. [`Converter::review`] answers a conversion request of the API server: it takes the
//! body of the request and returns the body of the response. `crd-webhook` is an HTTPS server that calls it.

mod converter;
mod merge;
mod partial;
mod preserve;
mod review;
mod round_trip;
mod typed;
mod webhook;

pub use converter::{ConvertError, Converter, StepError};
pub use review::ReviewError;
// Used by `conversions_lose_nothing!`.
#[doc(hidden)]
pub use round_trip::{Counts, RoundTrip, RoundTripError};
pub use typed::ConvertTo;
pub use webhook::WebhookRequest;

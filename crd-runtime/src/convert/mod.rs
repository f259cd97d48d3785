//! Conversion between the versions of a kind, composed of steps between two versions each.
//!
//! A [`Converter`] holds the steps. [`Converter::review`] answers a conversion request of the API server: it takes the
//! body of the request and returns the body of the response. The feature `webhook` adds an HTTPS server that calls it.

mod converter;
mod generate;
mod merge;
#[cfg(feature = "derive")]
mod partial;
mod preserve;
mod review;
mod round_trip;
#[cfg(feature = "derive")]
mod typed;

pub use converter::{ConvertError, Converter, StepError};
pub use review::ReviewError;
// Used by `conversions_lose_nothing!`.
#[doc(hidden)]
pub use round_trip::{Counts, RoundTrip, RoundTripError};
#[cfg(feature = "derive")]
pub use typed::ConvertTo;

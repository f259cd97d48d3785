//! Conversion between versions of one kind: written between neighbours, and composed for every pair.
//!
//! A [`Converter`] knows the versions of a kind and how to convert between them; [`Converter::review`] answers the API
//! server's webhook call, from bytes to bytes. The feature `webhook` has a server around it.

mod carry;
mod converter;
mod review;
mod round_trip;
#[cfg(feature = "derive")]
mod typed;

pub use converter::{ConvertError, Converter, StepError};
pub use review::ReviewError;
// For `conversions_lose_nothing!`.
#[doc(hidden)]
pub use round_trip::{Broken, Kept, RoundTrip};
#[cfg(feature = "derive")]
pub use typed::ConvertTo;

//! Conversion between versions of one kind: written once between neighbours, derived for every pair.
//!
//! A [`Converter`] knows the versions of a kind and how to get from one to another; [`Converter::review`]
//! answers the API server's webhook call. It is data in, data out; a server around it is an edge.

mod carry;
mod converter;
mod review;
mod round_trip;
#[cfg(feature = "derive")]
mod typed;

pub use converter::{ConvertError, Converter};
pub use review::ReviewError;
pub use round_trip::{Broken, Kept, RoundTrip};
#[cfg(feature = "derive")]
pub use typed::ConvertTo;

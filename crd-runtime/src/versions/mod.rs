//! Several versions of one kind: their priority, and how they are merged into one CRD.

#[cfg(feature = "derive")]
mod agree;
#[cfg(feature = "derive")]
mod derived;
mod merge;
mod priority;

#[cfg(feature = "derive")]
#[doc(hidden)]
pub use agree::{Facts, check as __agree};
#[cfg(feature = "derive")]
pub use derived::{Checked, Versions};
pub use merge::{MergeError, merge};
pub use priority::priority;

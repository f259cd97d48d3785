//! Several versions of one kind: their priority, and how they are merged into one CRD.

mod agree;
mod derived;
mod lossless;

#[doc(hidden)]
pub use agree::{Facts, check as __agree};
#[doc(inline)]
pub use crd_engine::versions::{MergeError, merge, priority};
pub use derived::{Checked, Versions};

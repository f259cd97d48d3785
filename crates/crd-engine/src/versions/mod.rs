//! Several versions of one kind: their priority, and how they are merged into one CRD.

mod merge;
mod priority;

pub use merge::{MergeError, merge};
pub use priority::priority;

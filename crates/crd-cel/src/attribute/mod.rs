//! Checks of values in attributes. The derives check literals with them, and rustc constants, whose values the derives
//! cannot know: so both report one text.

mod bounds;
mod expressions;
mod names;

pub use bounds::{bound, count, in_order, within};
pub use expressions::{message, message_expression, rule};
pub use names::{
    APPROVAL, crd_name, group, is_label, is_protected, is_subdomain, label, length_or_dash,
    unapproved,
};

use crate::compile_time::Text;

/// The text of an error.
pub type Error = Text<1024>;

/// Returns an error of these parts.
#[expect(clippy::unnecessary_wraps, reason = "each check returns what it returns")]
const fn error(parts: &[&str]) -> Option<Error> {
    Some(Error::of(parts))
}

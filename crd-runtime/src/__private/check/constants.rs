//! Checks values that attributes give as Rust constants: only rustc knows them. The derives check literals with the same
//! functions of `crd_cel::attribute`.

use crd_cel::attribute::{self, Error};
use crd_cel::kubernetes::KubernetesVersion;

use crate::crd_schema::{Shape, ShapeKind};

#[track_caller]
const fn pass(error: Option<Error>) {
    if let Some(error) = error {
        panic!("{}", error.as_str())
    }
}

/// Checks that a constant can be a bound: the server and the type can represent it exactly.
///
/// `int` and `float` are the constant in both types. If it has a fraction, `int` is the constant without it.
///
/// # Panics
/// If the constant cannot be a bound.
#[track_caller]
#[allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::float_cmp,
    reason = "a loss of precision is what the check looks for"
)]
pub const fn constant_bound(shape: &Shape, key: &str, int: i128, float: f64) {
    let is_whole = float as i128 as f64 == float;
    let range = match shape.range {
        Some((least, greatest)) => Some((least as i128, greatest as i128)),
        None => None,
    };
    let of_integer = matches!(shape.kind, ShapeKind::Integer);
    pass(attribute::bound(key, (int, float, is_whole), of_integer, range));
}

/// Checks that have the form of those in `crd_cel::attribute`.
macro_rules! checks {
    ($(#[doc = $doc:literal] $name:ident($($argument:ident: $of:ty),*) = $error:expr;)*) => {$(
        #[doc = $doc]
        ///
        /// # Panics
        /// If the check fails.
        #[track_caller]
        pub const fn $name($($argument: $of),*) {
            pass($error);
        }
    )*};
}

checks! {
    /// Checks that a constant can be a count, such as `max_items`.
    constant_count(key: &str, count: i128) = attribute::count(key, count);
    /// Checks that a value can be within both bounds. `exclusive` means that at least one of them is exclusive.
    constants_in_order(least: &str, from: f64, greatest: &str, to: f64, exclusive: bool)
        = attribute::in_order((least, from), (greatest, to), exclusive);
    /// Checks that a literal, or its number of elements or characters, is within a bound that is a constant.
    within_constant(what: &str, value: f64, key: &str, bound: f64, exclusive: bool)
        = attribute::within(what, value, (key, bound), exclusive);
    /// Checks that a constant can be a rule.
    constant_rule(text: &str, has_message: bool) = attribute::rule(text, has_message);
    /// Checks that a constant can be a message.
    constant_message(text: &str) = attribute::message(text);
    /// Checks that a constant can be a message expression.
    constant_message_expression(text: &str) = attribute::message_expression(text);
    /// Checks that a constant can be the version or the plural.
    constant_label(key: &str, text: &str, example: &str) = attribute::label(key, text, example);
    /// Checks that the name of a CRD is not too long.
    constant_name(plural: &str, group: &str) = attribute::crd_name(plural, group);
}

/// Checks that a constant can be an API group. `is_approved` means that the kind has the annotation with the approval
/// that some groups need.
///
/// # Panics
/// If it cannot.
#[track_caller]
pub const fn constant_group(group: &str, is_approved: bool) {
    pass(attribute::group(group));
    if !is_approved {
        pass(attribute::unapproved(group));
    }
}

/// Returns the minor of the oldest server that a kind supports, `33` for `"1.33"`.
///
/// # Panics
/// If no such minor is known.
#[must_use]
#[track_caller]
pub const fn constant_minor(version: &str) -> u32 {
    if let [b'1', b'.', tens @ b'0'..=b'9', ones @ b'0'..=b'9'] = *version.as_bytes()
        && let Some(version) =
            KubernetesVersion::of_minor((tens - b'0') as u32 * 10 + (ones - b'0') as u32)
    {
        return version.minor();
    }
    panic!("this is no known minor of Kubernetes; write one from `1.30` to `1.37`")
}

//! The function libraries: one file or directory for each library, with a row for each overload.
//!
//! A row ([`row::Row`]) has everything about an overload: its id, call style, types, environments,
//! estimated cost, evaluation and cost at run time. [`table::OVERLOADS`] numbers the rows. The
//! functions that evaluate overloads are in the module `calls` of each library, which only the
//! feature `eval` compiles; the checks in rustc read all other columns.

mod authz;
#[cfg(feature = "eval")]
pub(crate) mod binding;
mod cidr;
pub(crate) mod conversions;
#[cfg(feature = "eval")]
pub(crate) mod costs;
#[cfg(feature = "eval")]
mod declarations;
#[cfg(feature = "eval")]
mod documentation;
pub(crate) mod estimate;
mod format;
mod ip;
mod json_patch;
mod lists;
mod lists_ext;
mod operators;
mod optional;
mod quantity;
mod regex;
pub(crate) mod row;
mod semver;
mod sets;
mod standard;
mod strings;
pub(crate) mod table;
#[cfg(all(test, feature = "eval"))]
mod testing;
#[cfg(all(test, feature = "eval"))]
mod tests;
mod text;
mod timestamps;
mod two_var;
mod urls;

#[cfg(feature = "eval")]
pub(crate) use conversions::calls::is_conversion;
#[cfg(feature = "eval")]
pub(crate) use declarations::{Declarations, Function, KUBERNETES};
#[cfg(feature = "eval")]
pub use documentation::{FunctionEntry, functions};
#[cfg(feature = "eval")]
pub(crate) use two_var::calls::{insert_entry, insert_map};

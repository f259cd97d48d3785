//! JSON schemas of kinds for editors and linters, in the layout of public catalogs.
//!
//! [`of_version`] writes what [`reopen()`] undoes, so that `validate` reads its own files as well as those of others.

mod command;
mod convert;
mod index;
mod layout;
mod metadata;
mod pattern;
mod reopen;

#[cfg(test)]
mod tests;

pub(super) use command::{SchemaArgs, run};
pub(super) use layout::path;
pub(super) use reopen::reopen;

use convert::of_version;

/// The dialect of the schemas.
const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";
/// The keyword with the group, version and kind of a schema, as in the server's `OpenAPI`.
const KINDS: &str = "x-kubernetes-group-version-kind";
/// The keyword with a format that JSON Schema defines in another way.
const OWN_FORMAT: &str = "x-kubernetes-format";
/// The keyword with a pattern that is not one of JSON Schema.
const OWN_PATTERN: &str = "x-kubernetes-pattern";
/// Keywords and the names that they get where JSON Schema reads them differently.
const OWN: [(&str, &str); 2] = [("format", OWN_FORMAT), ("pattern", OWN_PATTERN)];
/// The flags of bounds, which are bounds in JSON Schema.
const EXCLUSIVE: [(&str, &str); 2] =
    [("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")];
/// The fields of every object, and of embedded ones.
const TYPE_FIELDS: [&str; 2] = ["apiVersion", "kind"];

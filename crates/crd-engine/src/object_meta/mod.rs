//! Metadata as the server types it: decoding, normalizing and validating, at the root of a resource and
//! in the resources that a schema embeds.
//!
//! Metadata remains a JSON object. Go decodes it into a struct and encodes that again; here the object is changed in
//! place, so that valid metadata is not copied.

mod coerce;
mod decode;
mod embedded;
mod fields;
mod validate;

pub use coerce::{Malformed, add_null_creation_time, coerce, coerce_at};
pub use decode::{drop_malformed, normalize};
pub use embedded::{validate_embedded, validate_embedded_at};
pub use fields::{generation, parse_group_version, split_at_slash, strings, text};
pub use validate::{
    ANNOTATIONS_MAX_BYTES, Scope, validate_before_update, validate_create, validate_update,
};
pub use validate::{NameRule, validate_annotations, validate_labels, validate_named};

//! `url::Url`.

use url::Url;

use super::{Shape, ShapeKind, schema_of};
use crate::builder::formatted;
use crate::model::JsonSchemaProps;

/// Returns the schema of an absolute URL. The server parses it with Go's `net/url`, which accepts a few URLs that `Url`
/// rejects, such as one with a port above 65535.
fn absolute() -> JsonSchemaProps {
    JsonSchemaProps { pattern: "^[A-Za-z][A-Za-z0-9+.-]*:".to_owned(), ..formatted("uri") }
}

schema_of! {
    Url: ShapeKind::String as Shape::of(ShapeKind::String).formatted("uri") => absolute();
}

//! `url::Url`.

use url::Url;

use super::{Kind, Shape, schema_of, typed};
use crate::model::JsonSchemaProps;

/// Returns the schema of an absolute URL. `Url` rejects a few URLs that Go's `net/url` accepts, such as one with a port
/// above 65535.
fn absolute() -> JsonSchemaProps {
    JsonSchemaProps {
        format: "uri".to_owned(),
        pattern: "^[A-Za-z][A-Za-z0-9+.-]*:".to_owned(),
        ..typed("string")
    }
}

schema_of! {
    Url: Kind::String as Shape::of(Kind::String).formatted("uri") => absolute();
}

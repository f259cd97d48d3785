//! URLs, with the semantics of Go's `net/url`.
//!
//! Source: `k8s.io/apiserver/pkg/cel/library/urls.go`.

use super::Declarations;
use crate::types::Type;

/// The name of the type of URLs.
pub(crate) const TYPE_NAME: &str = "kubernetes.URL";

fn url() -> Type {
    Type::object(TYPE_NAME)
}

/// Declares the library's functions and types.
pub(crate) fn declare(d: &mut Declarations) {
    d.function("url", "string_to_url", [Type::String], url());
    d.method("getScheme", "url_get_scheme", [url()], Type::String);
    d.method("getHost", "url_get_host", [url()], Type::String);
    d.method("getHostname", "url_get_hostname", [url()], Type::String);
    d.method("getPort", "url_get_port", [url()], Type::String);
    d.method("getEscapedPath", "url_get_escaped_path", [url()], Type::String);
    d.method(
        "getQuery",
        "url_get_query",
        [url()],
        Type::map(Type::String, Type::list(Type::String)),
    );
    d.function("isURL", "is_url_string", [Type::String], Type::Bool);
}

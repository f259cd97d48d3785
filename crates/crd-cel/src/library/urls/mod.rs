//! URLs, with the semantics of Go's `net/url`.
//!
//! Source: `k8s.io/apiserver/pkg/cel/library/urls.go`.

#[cfg(feature = "eval")]
pub(super) mod calls;

use super::row::{Row, rows};

pub(super) const OVERLOADS: &[Row] = rows! {
    "url": fn "string_to_url" (string) -> URL: kubernetes(Url), gives_cost_by_function_name()
        => Binding::new(parse).costing(Cost::Of(traversal)).once();
    "getScheme": method "url_get_scheme" (URL) -> string
        => Binding::new(|_, args| Ok(Value::string(parsed(args)?.scheme())));
    "getHost": method "url_get_host" (URL) -> string
        => Binding::new(|_, args| Ok(Value::string(&*parsed(args)?.host())));
    "getHostname": method "url_get_hostname" (URL) -> string
        => Binding::new(|_, args| Ok(Value::string(&*parsed(args)?.hostname())));
    "getPort": method "url_get_port" (URL) -> string
        => Binding::new(|_, args| Ok(Value::string(&*parsed(args)?.port())));
    "getEscapedPath": method "url_get_escaped_path" (URL) -> string
        => Binding::new(|_, args| Ok(Value::string(parsed(args)?.escaped_path())));
    "getQuery": method "url_get_query" (URL) -> {string [string]} => Binding::new(query);
    "isURL": fn "is_url_string" (string) -> bool => Binding::new(is_valid);
};

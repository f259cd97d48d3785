//! URLs, with the semantics of Go's `net/url`.
//!
//! Source: `k8s.io/apiserver/pkg/cel/library/urls.go`.

use super::binding::{Binding, Cost};
use super::costs::traversal;
use super::estimate::Kubernetes;
use super::row::{Row, sig};
use crate::domain::url::Url;
use crate::error::EvalError;
use crate::value::{Opaque, OwnedMap, Value};

type Result<'a> = std::result::Result<Value<'a>, EvalError>;

pub(super) const OVERLOADS: &[Row] = &[
    Row::function(
        "url",
        "string_to_url",
        sig!((string) -> URL),
        Binding::new(|_, args| parse(args)).costing(Cost::Of(traversal)).once(),
    )
    .kubernetes(Kubernetes::Url)
    .costed_by_name(),
    Row::method(
        "getScheme",
        "url_get_scheme",
        sig!((URL) -> string),
        Binding::new(|_, args| Ok(Value::string(parsed(args)?.scheme()))),
    ),
    Row::method(
        "getHost",
        "url_get_host",
        sig!((URL) -> string),
        Binding::new(|_, args| Ok(Value::string(&*parsed(args)?.host()))),
    ),
    Row::method(
        "getHostname",
        "url_get_hostname",
        sig!((URL) -> string),
        Binding::new(|_, args| Ok(Value::string(&*parsed(args)?.hostname()))),
    ),
    Row::method(
        "getPort",
        "url_get_port",
        sig!((URL) -> string),
        Binding::new(|_, args| Ok(Value::string(&*parsed(args)?.port()))),
    ),
    Row::method(
        "getEscapedPath",
        "url_get_escaped_path",
        sig!((URL) -> string),
        Binding::new(|_, args| Ok(Value::string(parsed(args)?.escaped_path()))),
    ),
    Row::method(
        "getQuery",
        "url_get_query",
        sig!((URL) -> {string [string]}),
        Binding::new(|_, args| query(args)),
    ),
    Row::function(
        "isURL",
        "is_url_string",
        sig!((string) -> bool),
        Binding::new(|_, args| match args {
            [Value::String(text)] => Ok(Value::Bool(Url::parse_request(text).is_ok())),
            _ => Err(EvalError::NO_SUCH_OVERLOAD),
        }),
    ),
];

/// Upstream: a URL must be valid in a request, but is then parsed as a reference, which can have a fragment.
fn parse<'a>(args: &[Value<'a>]) -> Result<'a> {
    let [Value::String(text)] = args else {
        return Err(EvalError::NO_SUCH_OVERLOAD);
    };
    // Both parsers agree on a URL with a scheme and without a fragment.
    let checked = Url::parse_request(text).and_then(|request| match request.scheme() {
        "" => Url::parse(text),
        _ if text.contains('#') => Url::parse(text),
        _ => Ok(request),
    });
    match checked {
        Ok(_) => Ok(Value::Opaque(Opaque::Url((**text).into()))),
        Err(error) => Err(EvalError::of(format_args!(
            "URL parse error during conversion from string: {error}"
        ))),
    }
}

/// The only argument, as a URL.
fn parsed<'u>(args: &'u [Value<'_>]) -> std::result::Result<Url<'u>, EvalError> {
    match args {
        [Value::Opaque(Opaque::Url(text))] => Ok(Url::parse(text).unwrap_or_default()),
        _ => Err(EvalError::NO_SUCH_OVERLOAD),
    }
}

fn query<'a>(args: &[Value<'a>]) -> Result<'a> {
    let url = parsed(args)?;
    let mut map = OwnedMap::new();
    for (name, values) in url.query() {
        let values = values.into_iter().map(Value::string).collect();
        map.insert(Value::string(name), Value::list(values));
    }
    Ok(Value::map(map))
}

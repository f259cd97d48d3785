//! URLs, with the semantics of Go's `net/url`.
//!
//! Source: `k8s.io/apiserver/pkg/cel/library/urls.go`.

use super::Declarations;
use super::bind::{Binding, Call, Cost, traversal};
use crate::domain::url::Url;
use crate::error::EvalError;
use crate::types::{Type, type_names};
use crate::value::{Opaque, OwnedMap, Value};

fn url() -> Type {
    Type::object(type_names::URL)
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

type Result<'a> = std::result::Result<Value<'a>, EvalError>;

/// The functions of the overloads.
pub(super) fn bind(overload: &str) -> Option<Binding> {
    let call: Call = match overload {
        "string_to_url" => {
            return Some(Binding::new(|_, args| parse(args)).costing(Cost::Of(traversal)).once());
        }
        "is_url_string" => |_, args| match args {
            [Value::String(text)] => Ok(Value::Bool(Url::parse_request(text).is_ok())),
            _ => Err(EvalError::NO_SUCH_OVERLOAD),
        },
        "url_get_scheme" => |_, args| Ok(Value::string(parsed(args)?.scheme())),
        "url_get_host" => |_, args| Ok(Value::string(&*parsed(args)?.host())),
        "url_get_hostname" => |_, args| Ok(Value::string(&*parsed(args)?.hostname())),
        "url_get_port" => |_, args| Ok(Value::string(&*parsed(args)?.port())),
        "url_get_escaped_path" => |_, args| Ok(Value::string(parsed(args)?.escaped_path())),
        "url_get_query" => |_, args| query(args),
        _ => return None,
    };
    Some(Binding::new(call))
}

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

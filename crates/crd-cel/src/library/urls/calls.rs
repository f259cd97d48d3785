//! Evaluation of URLs, with the semantics of Go's `net/url`.

use crate::budget::Budget;
use crate::domain::url::Url;
use crate::error::EvalError;
pub(super) use crate::library::costs::traversal;
pub(super) use crate::value::Value;
use crate::value::{Opaque, OwnedMap};

type Result<'a> = std::result::Result<Value<'a>, EvalError>;

/// Parses a URL. Upstream: `ParseRequestURI` must accept it, but `Parse` reads it, because only `Parse` recognizes
/// fragments.
pub(super) fn parse<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
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

pub(super) fn is_valid<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    match args {
        [Value::String(text)] => Ok(Value::Bool(Url::parse_request(text).is_ok())),
        _ => Err(EvalError::NO_SUCH_OVERLOAD),
    }
}

/// The only argument, as a URL.
pub(super) fn parsed<'u>(args: &'u [Value<'_>]) -> std::result::Result<Url<'u>, EvalError> {
    match args {
        [Value::Opaque(Opaque::Url(text))] => Ok(Url::parse(text).unwrap_or_default()),
        _ => Err(EvalError::NO_SUCH_OVERLOAD),
    }
}

pub(super) fn query<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    let url = parsed(args)?;
    let mut map = OwnedMap::new();
    for (name, values) in url.query() {
        let values = values.into_iter().map(Value::string).collect();
        map.insert(Value::string(name), Value::list(values));
    }
    Ok(Value::map(map))
}

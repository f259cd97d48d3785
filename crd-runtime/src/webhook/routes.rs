//! From an HTTP request to a review, and its answer.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, HttpBody as _, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::{CONTENT_TYPE, HeaderValue};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::{Error, Limits};
use crate::convert::Converter;

const JSON: &str = "application/json";
/// Paths that say whether the server is well.
const HEALTH: [&str; 3] = ["/healthz", "/livez", "/readyz"];

/// What one path converts.
#[derive(Clone)]
struct Conversion {
    converter: Arc<Converter>,
    /// Requests that may be under way at a time, over all paths.
    places: Arc<Semaphore>,
    max_body: usize,
    time: Duration,
}

/// The paths of a server.
///
/// # Errors
/// A path that cannot be served, or is there twice.
pub(super) fn router(
    converters: Vec<(String, Converter)>,
    limits: &Limits,
) -> Result<Router, Error> {
    let mut router = Router::new();
    for path in HEALTH {
        router = router.route(path, get(|| async { "ok" }));
    }
    let places = Arc::new(Semaphore::new(limits.max_requests));
    let mut taken: Vec<String> = HEALTH.map(str::to_owned).to_vec();
    for (path, converter) in converters {
        // axum panics on what it cannot route.
        if let Some(reason) = problem(&path, &taken) {
            return Err(Error::Path { path, reason });
        }
        let conversion = Conversion {
            converter: Arc::new(converter),
            places: Arc::clone(&places),
            max_body: limits.max_body,
            time: limits.request,
        };
        router = router.route(&path, post(convert).with_state(conversion));
        taken.push(path);
    }
    Ok(router)
}

fn problem(path: &str, taken: &[String]) -> Option<&'static str> {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-._~/".contains(&b);
    if !path.starts_with('/') {
        Some("must start with `/`, such as `/convert`")
    } else if !path.bytes().all(plain) {
        Some("may hold letters, digits, `-`, `.`, `_`, `~` and `/`")
    } else if taken.iter().any(|other| other == path) {
        Some("is taken: give each kind a path of its own")
    } else {
        None
    }
}

async fn convert(State(conversion): State<Conversion>, request: Request) -> Response {
    if !is_json(request.headers()) {
        return refuse(StatusCode::UNSUPPORTED_MEDIA_TYPE, format!("send {JSON}"));
    }
    let Conversion { converter, places, max_body, time } = conversion;
    let work = async {
        let Ok(_place) = places.acquire().await else {
            return refuse(StatusCode::SERVICE_UNAVAILABLE, "shutting down".to_owned());
        };
        match read(request.into_body(), max_body).await {
            Ok(body) => review(converter, body).await,
            Err(answer) => answer,
        }
    };
    timeout(time, work).await.unwrap_or_else(|_| {
        refuse(StatusCode::REQUEST_TIMEOUT, format!("not done within {} s", time.as_secs()))
    })
}

fn is_json(headers: &HeaderMap) -> bool {
    let content_type = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let media_type = content_type.and_then(|value| value.split(';').next()).unwrap_or_default();
    media_type.trim().eq_ignore_ascii_case(JSON)
}

async fn read(body: Body, max: usize) -> Result<Bytes, Response> {
    let too_large =
        || refuse(StatusCode::PAYLOAD_TOO_LARGE, format!("a body may have {max} bytes, not more"));
    if body.size_hint().lower() > u64::try_from(max).unwrap_or(u64::MAX) {
        return Err(too_large());
    }
    to_bytes(body, max).await.map_err(|error| {
        let source = std::error::Error::source(&error);
        // `to_bytes` has no other error of its own than that of the limit, and gives those of reading on.
        if source.is_some_and(|source| source.to_string() == "length limit exceeded") {
            too_large()
        } else {
            refuse(StatusCode::BAD_REQUEST, format!("the body cannot be read: {error}"))
        }
    })
}

/// Conversion is work for a processor: it must not hold up other connections.
async fn review(converter: Arc<Converter>, body: Bytes) -> Response {
    match spawn_blocking(move || converter.review(&body)).await {
        Ok(Ok(answer)) => {
            ([(CONTENT_TYPE, HeaderValue::from_static(JSON))], answer).into_response()
        }
        Ok(Err(error)) => refuse(StatusCode::BAD_REQUEST, error.to_string()),
        Err(_) => refuse(StatusCode::INTERNAL_SERVER_ERROR, "the review panicked".to_owned()),
    }
}

fn refuse(status: StatusCode, message: String) -> Response {
    (status, message).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_checked() {
        let serve = |paths: &[&str]| {
            let converters =
                paths.iter().map(|path| ((*path).to_owned(), Converter::new("g", "K"))).collect();
            router(converters, &Limits::default()).err().map(|error| error.to_string())
        };
        assert_eq!(serve(&["/convert", "/a/b"]), None);
        for (paths, want) in [
            (&["convert"][..], "path `convert` must start with `/`, such as `/convert`"),
            (&[""], "path `` must start with `/`, such as `/convert`"),
            (&["/{*a}"], "path `/{*a}` may hold letters, digits, `-`, `.`, `_`, `~` and `/`"),
            (&["/a", "/a"], "path `/a` is taken: give each kind a path of its own"),
            (&["/readyz"], "path `/readyz` is taken: give each kind a path of its own"),
        ] {
            assert_eq!(serve(paths).as_deref(), Some(want));
        }
    }
}

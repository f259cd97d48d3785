//! Routes HTTP requests to conversion reviews.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;

use axum::body::{Body, Bytes, HttpBody as _};
use axum::extract::{Request, State};
use axum::http::header::{CONTENT_TYPE, HeaderValue};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use axum::{Extension, Router};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout};

use super::activity::Activity;
use super::error::Notify;
use super::work::{Work, WorkFailure};
use super::{Error, Limits};
use crate::convert::Converter;

const JSON: &str = "application/json";
/// The paths of health checks.
const HEALTH: [&str; 3] = ["/healthz", "/livez", "/readyz"];

/// The state of a path: its converter and what it shares with other paths.
#[derive(Clone)]
struct ConversionRoute {
    converter: Arc<Converter>,
    work: Work,
    /// One permit for each byte of a body.
    bodies: Arc<Semaphore>,
    limits: Limits,
}

/// Builds the router: the health checks, and a path for each converter.
///
/// # Errors
/// If a path cannot be served, or is given twice.
pub(super) fn router(
    converters: Vec<(String, Converter)>,
    limits: &Limits,
    notify: Notify,
) -> Result<Router, Error> {
    let work = Work::new(limits, notify);
    let mut router = Router::new();
    for path in HEALTH {
        router = router.route(path, get(health).with_state(work.clone()));
    }
    let bodies = Arc::new(Semaphore::new(limits.max_bodies.min(Semaphore::MAX_PERMITS)));
    let mut taken: Vec<String> = HEALTH.map(str::to_owned).to_vec();
    for (path, converter) in converters {
        // axum panics if a path is invalid or repeated.
        if let Some(reason) = problem(&path, &taken) {
            return Err(Error::Path { path, reason });
        }
        let conversion = ConversionRoute {
            converter: Arc::new(converter),
            work: work.clone(),
            bodies: Arc::clone(&bodies),
            limits: *limits,
        };
        router = router.route(&path, post(convert).with_state(conversion));
        taken.push(path);
    }
    Ok(router)
}

async fn health(State(work): State<Work>) -> Response {
    if work.is_full() {
        return reject(StatusCode::SERVICE_UNAVAILABLE, HANGING.to_owned());
    }
    "ok".into_response()
}

const HANGING: &str =
    "no conversion can start: the threads are taken by conversions that take long";

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

async fn convert(
    State(conversion): State<ConversionRoute>,
    activity: Option<Extension<Arc<Activity>>>,
    request: Request,
) -> Response {
    let ConversionRoute { converter, work, bodies, limits } = conversion;
    let deadline = Instant::now() + limits.request;
    if !is_json(request.headers()) {
        return reject(StatusCode::UNSUPPORTED_MEDIA_TYPE, format!("send {JSON}"));
    }
    let read = read(request.into_body(), limits.max_body, &bodies);
    let (body, held) = match timeout(limits.body.min(limits.request), read).await {
        Ok(Ok(body)) => body,
        Ok(Err(answer)) => return answer,
        Err(_) => {
            let seconds = limits.body.min(limits.request).as_secs_f64();
            let text = format!("the body did not arrive within {seconds} s");
            return reject(StatusCode::REQUEST_TIMEOUT, text);
        }
    };
    let _working = activity.map(|Extension(activity)| activity.working());
    let review = move || {
        let reviewed = converter.review(&body);
        drop((body, held));
        reviewed
    };
    match work.run(deadline, review).await {
        Ok(Ok(answer)) => {
            ([(CONTENT_TYPE, HeaderValue::from_static(JSON))], answer).into_response()
        }
        Ok(Err(error)) => reject(StatusCode::BAD_REQUEST, error.to_string()),
        Err(WorkFailure::Full) => reject(StatusCode::SERVICE_UNAVAILABLE, HANGING.to_owned()),
        Err(WorkFailure::Late) => {
            let seconds = limits.request.as_secs_f64();
            let text = format!("the conversion did not end within {seconds} s");
            reject(StatusCode::GATEWAY_TIMEOUT, text)
        }
        Err(WorkFailure::Broken(why)) => {
            reject(StatusCode::INTERNAL_SERVER_ERROR, format!("the conversion failed: {why}"))
        }
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let content_type = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let media_type = content_type.and_then(|value| value.split(';').next()).unwrap_or_default();
    media_type.trim().eq_ignore_ascii_case(JSON)
}

/// Reads a body, and acquires a permit for each of its bytes.
async fn read(
    mut body: Body,
    max: usize,
    bodies: &Arc<Semaphore>,
) -> Result<(Vec<u8>, Option<OwnedSemaphorePermit>), Response> {
    let too_large =
        || reject(StatusCode::PAYLOAD_TOO_LARGE, format!("a body may have {max} bytes, not more"));
    if body.size_hint().lower() > u64::try_from(max).unwrap_or(u64::MAX) {
        return Err(too_large());
    }
    let (mut bytes, mut held): (Vec<u8>, Option<OwnedSemaphorePermit>) = (Vec::new(), None);
    while let Some(frame) = poll_fn(|cx| Pin::new(&mut body).poll_frame(cx)).await {
        let frame = frame.map_err(|error| {
            reject(StatusCode::BAD_REQUEST, format!("the body cannot be read: {error}"))
        })?;
        // A frame without data holds trailers.
        let data: Bytes = frame.into_data().unwrap_or_default();
        if data.len() > max - bytes.len() {
            return Err(too_large());
        }
        let count = u32::try_from(data.len()).unwrap_or(u32::MAX);
        let Ok(permit) = Arc::clone(bodies).try_acquire_many_owned(count) else {
            let text = "the server holds too many bodies: try again later";
            return Err(reject(StatusCode::SERVICE_UNAVAILABLE, text.to_owned()));
        };
        match &mut held {
            Some(held) => held.merge(permit),
            None => held = Some(permit),
        }
        bytes.extend_from_slice(&data);
    }
    Ok((bytes, held))
}

fn reject(status: StatusCode, message: String) -> Response {
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
            router(converters, &Limits::default(), Arc::new(drop))
                .err()
                .map(|error| error.to_string())
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

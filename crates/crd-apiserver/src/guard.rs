//! Rejects the requests of web pages, which any site that a developer visits can send to a server on loopback.

use std::net::IpAddr;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::uri::Authority;
use http::{Request, Response, StatusCode, header};
use tower_service::Service;

use super::response::{ResponseBody, response};

/// A service that answers only clients that are not web pages.
#[derive(Debug, Clone)]
pub(super) struct Guarded<S>(pub(super) S);

impl<S, B> Service<Request<B>> for Guarded<S>
where
    S: Service<Request<B>, Response = Response<ResponseBody>>,
    S::Future: Send + 'static,
    S::Error: 'static,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.0.poll_ready(context)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let Some(why) = objection(&request) else { return Box::pin(self.0.call(request)) };
        let body = Bytes::from(format!("{why}\n"));
        let rejected = response(StatusCode::FORBIDDEN, "text/plain; charset=utf-8", body);
        Box::pin(async { Ok(rejected) })
    }
}

/// Returns why a request may be that of a web page: browsers add an `Origin` to all requests that change something, and
/// a name that resolves to this address (DNS rebinding) stands in `Host`.
fn objection<B>(request: &Request<B>) -> Option<String> {
    if request.headers().contains_key(header::ORIGIN) {
        return Some(
            "requests of web pages are rejected: this one has the header `Origin`".to_owned(),
        );
    }
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    let host = host.or_else(|| request.uri().authority().map(Authority::as_str))?;
    let name = host.parse::<Authority>().map_or(host.to_owned(), |it| it.host().to_owned());
    let is_address = name.trim_matches(['[', ']']).parse::<IpAddr>().is_ok();
    if is_address || name == "localhost" || name.ends_with(".localhost") {
        return None;
    }
    Some(format!("the host {name:?} is rejected: use an IP address or `localhost`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_of_web_pages_are_rejected() {
        let check = |headers: &[(&str, &str)], is_rejected: bool| {
            let mut request = Request::get("/");
            for (name, value) in headers {
                request = request.header(*name, *value);
            }
            let request = request.body(()).expect("a request");
            assert_eq!(objection(&request).is_some(), is_rejected, "{headers:?}");
        };
        for host in ["127.0.0.1:8080", "[::1]:8080", "localhost", "a.localhost:1", "10.0.0.1"] {
            check(&[("host", host)], false);
            check(&[("host", host), ("origin", "https://evil.example")], true);
        }
        for host in ["evil.example", "localhost.evil.example:80", "127.0.0.1.evil.example"] {
            check(&[("host", host)], true);
        }
        check(&[], false);
    }
}

//! Sends the requests to webhooks.

use std::collections::BTreeMap;
use std::error::Error;
use std::future::Future;
use std::net::SocketAddr;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::{fmt, io};

use crd_cel::domain::url::Url;
use crd_cel::gofmt::quote;
use futures::FutureExt as _;
use http::uri::Authority;
use http::{Method, Request, Response, Uri, header};
use hyper_rustls::{FixedServerNameResolver, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioExecutor;
use kube::Config;
use kube::client::Body;
use serde_json::{Map, Value};
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{self, CertificateError};

use super::super::response::read;
use super::Address;
use super::tls;
use super::webhook_calls::{CallResult, Memo, WebhookCall};
use crate::{cause, json, yaml};

/// A response, or the reason why there is none.
type RawResponse = Result<Response<Vec<u8>>, String>;

/// The maximum number of requests of a call, if responses redirect it. Source: `defaultCheckRedirect` of Go's `net/http`.
const MAX_REQUESTS: usize = 10;

/// A webhook that runs in the process.
pub(in super::super) type InProcessService = Arc<
    dyn Fn(Request<Vec<u8>>) -> Pin<Box<dyn Future<Output = RawResponse> + Send>> + Send + Sync,
>;

/// Where the requests to webhooks are sent.
#[derive(Default, Clone)]
pub(in super::super) struct Routes {
    /// The webhooks in the process, by host, with or without its port.
    pub(in super::super) in_process: BTreeMap<String, InProcessService>,
    /// The webhooks in the process, by the name of the webhook.
    pub(in super::super) named: BTreeMap<String, InProcessService>,
    /// The aggregated APIs, by group and version.
    pub(in super::super) apis: BTreeMap<(String, String), InProcessService>,
    /// The network addresses of Kubernetes services, by namespace and name.
    pub(in super::super) addresses: BTreeMap<(String, String), SocketAddr>,
}

impl fmt::Debug for Routes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hosts: Vec<&String> = self.in_process.keys().chain(self.named.keys()).collect();
        f.debug_struct("Routes")
            .field("hosts", &hosts)
            .field("addresses", &self.addresses)
            .finish_non_exhaustive()
    }
}

impl Routes {
    fn in_process(&self, call: &WebhookCall) -> Option<&InProcessService> {
        let address = &call.address;
        self.named
            .get(&call.name)
            .or_else(|| self.in_process.get(&address.authority))
            .or_else(|| self.in_process.get(address.host()))
    }

    /// Makes the calls that a request waits for, all concurrently.
    pub(in super::super) async fn call(&self, memo: &mut Memo) {
        memo.convert();
        let calls = memo.pending.iter().map(|call| make_call(self, call));
        let results = futures::future::join_all(calls).await;
        memo.add_results(results);
    }
}

async fn make_call(routes: &Routes, call: &WebhookCall) -> CallResult {
    let url = format!("{}?timeout={}s", call.address.url, call.timeout.as_secs());
    let failed = |url: &str, why: &str| format!("Post {}: {why}", quote(url));
    // A webhook in the process that panics is like a server that closes the connection.
    let posted = AssertUnwindSafe(post(routes, call, &url)).catch_unwind();
    match tokio::time::timeout(call.timeout, posted).await {
        Err(_) => Err(failed(&url, "context deadline exceeded")),
        Ok(Err(_)) => Err(failed(&url, "EOF")),
        Ok(Ok(Err((url, why)))) => Err(failed(&url, &why)),
        Ok(Ok(Ok(response))) => review(&response),
    }
}

/// Sends a call, and follows redirects.
///
/// Source: `Client.do` and `redirectBehavior` of Go's `net/http`.
///
/// # Errors
/// Returns the URL of the request that has no response, and the reason.
async fn post(
    routes: &Routes,
    call: &WebhookCall,
    url: &str,
) -> Result<Response<Vec<u8>>, (String, String)> {
    let (mut method, mut url) = (Method::POST, url.to_owned());
    let mut body = json::to_go_string(&call.body()).into_bytes();
    let mut requests = 0;
    loop {
        let answered = exchange(routes, call, &method, &url, body.clone()).await;
        let response = answered.map_err(|why| (url.clone(), why))?;
        let Some(to) = location(&response) else { return Ok(response) };
        if let Err(error) = Url::parse(to) {
            let why = format!("failed to parse Location header {}: {error}", quote(to));
            return Err((url, why));
        }
        requests += 1;
        if requests == MAX_REQUESTS {
            // Upstream: the URL of this error is the header, without the host.
            return Err((to.to_owned(), format!("stopped after {MAX_REQUESTS} redirects")));
        }
        let next = redirected(&url, to);
        if !matches!(response.status().as_u16(), 307 | 308) {
            (method, body) = (Method::GET, Vec::new());
        }
        url = next;
    }
}

/// Returns where a response redirects to.
fn location(response: &Response<Vec<u8>>) -> Option<&str> {
    if !matches!(response.status().as_u16(), 301..=303 | 307 | 308) {
        return None;
    }
    response.headers().get(header::LOCATION)?.to_str().ok()
}

/// Returns the URL of a location, which may be relative to that of the request.
fn redirected(url: &str, to: &str) -> String {
    if to.contains("://") {
        return to.to_owned();
    }
    let (scheme, rest) = url.split_once("://").unwrap_or(("https", url));
    let before_query = rest.split('?').next().unwrap_or_default();
    let authority = before_query.split('/').next().unwrap_or_default();
    let directory = match before_query.rsplit_once('/') {
        Some((directory, _)) if !to.starts_with('/') => directory,
        _ => authority,
    };
    format!("{scheme}://{directory}/{}", to.trim_start_matches('/'))
}

/// Sends a request to the webhook of a call, or to the place that it has redirected the call to.
async fn exchange(
    routes: &Routes,
    call: &WebhookCall,
    method: &Method,
    url: &str,
    body: Vec<u8>,
) -> RawResponse {
    let uri: Uri = url.parse().map_err(|error| format!("{error}"))?;
    let address = &call.address;
    let is_redirected =
        uri.authority().is_none_or(|authority| authority.as_str() != address.authority);
    let redirected_to = uri.authority().map(ToString::to_string).unwrap_or_default();
    let mut request = Request::builder().method(method).uri(uri);
    if *method == Method::POST {
        request = request.header(header::CONTENT_TYPE, "application/json");
    }
    let request = request
        .header(header::ACCEPT, "application/json, */*")
        .body(body)
        .map_err(|error| error.to_string())?;
    if is_redirected {
        return send(address, &redirected_to, request).await;
    }
    if let Some(in_process) = routes.in_process(call) {
        return in_process(request).await;
    }
    let authority = match &address.service {
        None => address.authority.clone(),
        Some(service) => {
            let Some(address) = routes.addresses.get(service) else {
                let (host, name) = (address.host(), &service.1);
                return Err(format!(
                    "service {name:?} not found: answer for it with `ApiServerBuilder::webhook({host:?}, ..)`, or name its \
                     address with `ApiServerBuilder::service_address`"
                ));
            };
            address.to_string()
        }
    };
    send(address, &authority, request).await
}

/// Sends a request over the network.
async fn send(address: &Address, authority: &str, request: Request<Vec<u8>>) -> RawResponse {
    let base: Uri = format!("https://{authority}").parse().map_err(|error| format!("{error}"))?;
    let tls = tls::client_config(&Config::new(base.clone()), &address.ca_bundle)?;
    let name = ServerName::try_from(address.server_name().to_owned());
    let name = name.map_err(|error| error.to_string())?;
    let connector = HttpsConnectorBuilder::new()
        .with_tls_config(tls)
        .https_only()
        .with_server_name_resolver(FixedServerNameResolver::new(name))
        .enable_http1()
        .build();
    let client = Client::builder(TokioExecutor::new()).build(connector);
    let (mut head, body) = request.into_parts();
    let mut parts = base.into_parts();
    parts.path_and_query = head.uri.path_and_query().cloned();
    head.uri = Uri::from_parts(parts).map_err(|error| error.to_string())?;
    let response = client.request(Request::from_parts(head, Body::from(body))).await;
    let (head, body) = response.map_err(|error| not_sent(&error, authority))?.into_parts();
    let body = read(body).await.map_err(|error| error.to_string())?;
    Ok(Response::from_parts(head, body))
}

/// Returns why a request has not been answered, in the words of Go where the cause has a type. Any other error keeps
/// its own text.
///
/// Source: `OpError.Error` of `net`, `Errno.Error` of `syscall`, `CertificateVerificationError.Error` of `crypto/tls`
/// and `UnknownAuthorityError.Error` of `crypto/x509`.
fn not_sent(error: &(dyn Error + 'static), authority: &str) -> String {
    for cause in cause::chain(error) {
        if let Some(io) = cause.downcast_ref::<io::Error>()
            && let Some(reason) = errno(io.kind())
        {
            let port = if has_port(authority) { "" } else { ":443" };
            return format!("dial tcp {authority}{port}: connect: {reason}");
        }
        if is_end(cause) {
            return "EOF".to_owned();
        }
        // Upstream: if the wrong authority has the name of the right one, a note about the signature follows.
        if let Some(rustls::Error::InvalidCertificate(
            CertificateError::UnknownIssuer | CertificateError::BadSignature,
        )) = cause.downcast_ref()
        {
            return "tls: failed to verify certificate: x509: certificate signed by unknown authority"
                .to_owned();
        }
    }
    cause::Chain(error).to_string().replacen("client error (Connect): ", "", 1)
}

/// Returns whether the webhook has closed the connection without a response. The type of hyper's error is not reachable
/// from here, so its text is compared.
fn is_end(cause: &(dyn Error + 'static)) -> bool {
    let io = cause.downcast_ref::<io::Error>().map(io::Error::kind);
    io == Some(io::ErrorKind::UnexpectedEof)
        || cause.to_string() == "connection closed before message completed"
}

/// Returns the reason why a connection cannot be made, as Go prints it on Linux.
fn errno(kind: io::ErrorKind) -> Option<&'static str> {
    match kind {
        io::ErrorKind::ConnectionRefused => Some("connection refused"),
        io::ErrorKind::HostUnreachable => Some("no route to host"),
        io::ErrorKind::NetworkUnreachable => Some("network is unreachable"),
        _ => None,
    }
}

fn has_port(authority: &str) -> bool {
    authority.parse::<Authority>().is_ok_and(|authority| authority.port().is_some())
}

/// Returns the review in a response, or the error that the server reports. Source: `Request.transformResponse` of
/// `k8s.io/client-go/rest`, and `NewGenericServerResponse` of `k8s.io/apimachinery/pkg/api/errors`.
fn review(response: &Response<Vec<u8>>) -> CallResult {
    let (code, body) = (response.status(), response.body().as_slice());
    if !(200..=206).contains(&code.as_u16()) {
        if let Ok(status) = serde_json::from_slice::<Value>(body)
            && status.get("kind").is_some_and(|kind| kind == "Status")
            && let Some(message) = status.get("message").and_then(Value::as_str)
        {
            return Err(message.to_owned());
        }
        let text = String::from_utf8_lossy(body);
        // Source: `isTextResponse` of `k8s.io/client-go/rest`.
        let type_ = response.headers().get(header::CONTENT_TYPE).and_then(|it| it.to_str().ok());
        let is_text = type_.is_none_or(|type_| type_.is_empty() || type_.starts_with("text/"));
        let text = if is_text { text.trim() } else { "unknown" };
        return Err(match code.as_u16() {
            400 => "the server rejected our request for an unknown reason".to_owned(),
            401 => "the server has asked for the client to provide credentials".to_owned(),
            403 => text.to_owned(),
            404 => "the server could not find the requested resource".to_owned(),
            405 => "the server does not allow this method on the requested resource".to_owned(),
            409 => "the server reported a conflict".to_owned(),
            406 | 415 => "the server was unable to respond with a content type that the client supports".to_owned(),
            422 => "the server rejected our request due to an error in our request".to_owned(),
            429 => "the server has received too many requests and has asked us to try again later".to_owned(),
            503 => "the server is currently unable to handle the request".to_owned(),
            504 => "the server was unable to return a response in the time allotted, but may still be processing the \
                    request"
                .to_owned(),
            500.. => format!("an error on the server ({}) has prevented the request from succeeding", quote(text)),
            other => format!(
                "the server responded with the status code {other} but did not return more information"
            ),
        });
    }
    if body.is_empty() {
        let type_ = response.headers().get(header::CONTENT_TYPE).and_then(|it| it.to_str().ok());
        // Upstream: without a content type, that of the request counts.
        let type_ = type_.unwrap_or("application/json");
        return Err(format!(
            "0-length response with status code: {} and content type: {type_}",
            code.as_u16()
        ));
    }
    // Upstream: a body that is not JSON is decoded as YAML.
    let decoded = match json::decode(body) {
        Ok(decoded) => decoded.value,
        // Upstream: what begins as an object is JSON.
        Err(error) if body.trim_ascii_start().starts_with(b"{") => {
            return Err(format!("couldn't get version/kind; json parse error: {error}"));
        }
        Err(_) => match yaml::document(body) {
            Ok(document) => document.map_or(Value::Null, |document| document.value),
            Err(_) => String::from_utf8_lossy(body).into(),
        },
    };
    match decoded {
        Value::Object(_) => return Ok(decoded),
        // Upstream: null is decoded as an object without fields.
        Value::Null => return Ok(Value::Object(Map::new())),
        _ => {}
    }
    Err(format!(
        "couldn't get version/kind; json parse error: json: cannot unmarshal {} into Go value of type struct \
         {{ APIVersion string \"json:\\\"apiVersion,omitempty\\\"\"; Kind string \
         \"json:\\\"kind,omitempty\\\"\" }}",
        json::kind(&decoded)
    ))
}

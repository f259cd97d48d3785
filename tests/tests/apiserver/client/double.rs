//! An in-process server with prepared answers, which records the requests.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use http::{Request, Response};
use kube::Client;
use kube::client::Body;
use serde_json::Value;

/// A request that the server received.
#[derive(Debug, Clone)]
pub(crate) struct ReceivedRequest {
    pub(crate) method: String,
    /// Path and query.
    pub(crate) uri: String,
    pub(crate) content_type: String,
    pub(crate) body: Value,
}

/// Answers in order, and records the requests.
#[derive(Debug, Clone, Default)]
pub(crate) struct Double {
    answers: Arc<Mutex<VecDeque<Answer>>>,
    requests: Arc<Mutex<Vec<ReceivedRequest>>>,
}

#[derive(Debug)]
struct Answer {
    code: u16,
    headers: Vec<(&'static str, &'static str)>,
    body: Vec<u8>,
}

impl Double {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Adds an answer.
    pub(crate) fn answer(self, code: u16, body: &Value) -> Self {
        self.answer_bytes(code, &[], body.to_string().into_bytes())
    }

    /// Adds an answer with headers and any body.
    pub(crate) fn answer_bytes(
        self,
        code: u16,
        headers: &[(&'static str, &'static str)],
        body: impl Into<Vec<u8>>,
    ) -> Self {
        let answer = Answer { code, headers: headers.to_vec(), body: body.into() };
        self.answers.lock().unwrap().push_back(answer);
        self
    }

    /// Returns a client of this server, whose namespace is `default`.
    pub(crate) fn client(&self) -> Client {
        let double = self.clone();
        let service = tower::service_fn(move |request: Request<Body>| {
            let double = double.clone();
            async move { double.serve(request).await }
        });
        Client::new(service, "default")
    }

    async fn serve(&self, request: Request<Body>) -> Result<Response<Body>, String> {
        let (parts, body) = request.into_parts();
        let body = body.collect_bytes().await.map_err(|error| error.to_string())?;
        let content_type = parts.headers.get("content-type").and_then(|value| value.to_str().ok());
        self.requests.lock().unwrap().push(ReceivedRequest {
            method: parts.method.to_string(),
            uri: parts.uri.to_string(),
            content_type: content_type.unwrap_or_default().to_owned(),
            body: serde_json::from_slice(&body).unwrap_or_default(),
        });
        let answer = self.answers.lock().unwrap().pop_front();
        let answer =
            answer.ok_or_else(|| format!("no answer to {} {}", parts.method, parts.uri))?;
        let mut response = Response::builder().status(answer.code);
        for (name, value) in answer.headers {
            response = response.header(name, value);
        }
        response.body(Body::from(answer.body)).map_err(|error| error.to_string())
    }

    /// Returns the recorded requests, and checks that every answer was used.
    #[track_caller]
    pub(crate) fn requests(&self) -> Vec<ReceivedRequest> {
        assert!(self.answers.lock().unwrap().is_empty(), "answers are left");
        self.requests.lock().unwrap().clone()
    }

    /// Returns the recorded requests as `GET /path?query`.
    #[track_caller]
    pub(crate) fn request_lines(&self) -> Vec<String> {
        let requests = self.requests();
        requests
            .iter()
            .map(|ReceivedRequest { method, uri, .. }| format!("{method} {uri}"))
            .collect()
    }
}

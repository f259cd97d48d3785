//! Functions that send raw requests.

use crd_apiserver::{ApiServer, ApiServerBuilder};
use crd_examples::crontab::{CronTab, CronTabSpec};
use http::Request;
use kube::Client;
use kube::client::Body;
use serde_json::{Value, json};

/// The path of the objects of most tests.
pub(crate) const CRONTABS: &str = "/apis/stable.example.com/v1/namespaces/default/crontabs";

/// An answer: its status code, its body (a string if it is not JSON), and its `Warning` headers.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) code: u16,
    pub(crate) body: Value,
    pub(crate) warnings: Vec<String>,
}

impl Answer {
    #[track_caller]
    pub(crate) fn ok(self) -> Value {
        assert!(self.code < 300, "{} {}", self.code, self.body);
        self.body
    }

    /// Returns the message of a failure, which must have this status code.
    #[track_caller]
    pub(crate) fn rejected(self, code: u16) -> String {
        assert_eq!(self.code, code, "{}", self.body);
        self.body["message"].as_str().map_or_else(|| self.body.to_string(), str::to_owned)
    }
}

/// Returns a server that serves `CronTab`.
pub(crate) fn server() -> ApiServer {
    builder().start()
}

/// Returns a server that will serve `CronTab`.
pub(crate) fn builder() -> ApiServerBuilder {
    ApiServer::builder().with(&<CronTab as crd_runtime::CustomResource>::crd())
}

pub(crate) fn crontab(name: &str, replicas: i32) -> CronTab {
    let spec = CronTabSpec { cron_spec: "* * * * *".to_owned(), image: None, replicas };
    CronTab::new(name, spec)
}

/// Returns the object of [`crontab`] as JSON.
pub(crate) fn object(name: &str, replicas: i64) -> Value {
    json!({
        "apiVersion": "stable.example.com/v1", "kind": "CronTab", "metadata": {"name": name},
        "spec": {"cronSpec": "* * * * *", "replicas": replicas},
    })
}

/// Sends a request. Headers without a name are left out.
pub(crate) async fn ask(
    client: &Client,
    method: &str,
    path: &str,
    headers: [(&str, &str); 2],
    body: Vec<u8>,
) -> Answer {
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in headers.iter().filter(|(name, _)| !name.is_empty()) {
        request = request.header(*name, *value);
    }
    let answer = client.send(request.body(Body::from(body)).expect("a request")).await;
    let (head, body) = answer.expect("an answer").into_parts();
    let body = body.collect_bytes().await.expect("a body");
    let body = serde_json::from_slice(&body)
        .unwrap_or_else(|_| Value::from(String::from_utf8_lossy(&body).into_owned()));
    let warning =
        |value: &http::HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    let warnings = head.headers.get_all("warning").iter().map(warning).collect();
    Answer { code: head.status.as_u16(), body, warnings }
}

pub(crate) async fn get(client: &Client, path: &str) -> Answer {
    ask(client, "GET", path, [("", ""); 2], Vec::new()).await
}

pub(crate) async fn get_as(client: &Client, path: &str, accept: &str) -> Answer {
    ask(client, "GET", path, [("accept", accept), ("", "")], Vec::new()).await
}

pub(crate) async fn send(client: &Client, method: &str, path: &str, body: &Value) -> Answer {
    let headers = [("content-type", "application/json"), ("user-agent", "tests/1")];
    ask(client, method, path, headers, body.to_string().into_bytes()).await
}

/// Sends a patch of the form `apply`, `json`, `merge` or `strategic-merge`.
pub(crate) async fn patch(client: &Client, path: &str, form: &str, body: &Value) -> Answer {
    let form = match form {
        "apply" => "application/apply-patch+yaml".to_owned(),
        form => format!("application/{form}-patch+json"),
    };
    let headers = [("content-type", form.as_str()), ("user-agent", "tests/1")];
    ask(client, "PATCH", path, headers, body.to_string().into_bytes()).await
}

pub(crate) async fn delete(client: &Client, path: &str) -> Answer {
    ask(client, "DELETE", path, [("", ""); 2], Vec::new()).await
}

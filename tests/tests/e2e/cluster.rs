//! Sends HTTP requests to the API server.

use std::env;
use std::path::PathBuf;
use std::time::Duration;

use crd_runtime::KubernetesVersion;
use crd_runtime::model::CustomResourceDefinition;
use crd_tests::conformance::Depth;
use http::{HeaderMap, Request, header};
use kube::client::Body;
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config};
use serde_json::Value;

/// The path of CRDs.
pub(crate) const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/// The timeout for work that the server does in the background.
const PATIENCE: Duration = Duration::from_secs(60);
/// The time between two attempts.
const PAUSE: Duration = Duration::from_millis(100);

/// A server, and how to reach it.
#[derive(Clone)]
pub(crate) struct Cluster {
    pub(crate) client: Client,
    pub(crate) kubeconfig: PathBuf,
    /// The server's minor.
    pub(crate) kubernetes: KubernetesVersion,
}

/// What the server answers.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) code: u16,
    /// The texts of its warnings.
    pub(crate) warnings: Vec<String>,
    pub(crate) body: Value,
}

/// Whether all texts of a server of this minor are compared, not only its verdicts.
pub(crate) fn compares_texts(kubernetes: KubernetesVersion) -> bool {
    Depth::of(kubernetes) == Depth::Texts
}

/// Returns the minor of the real server.
pub(crate) fn kubernetes() -> KubernetesVersion {
    match env::var(crd_tests::apiserver::KUBERNETES) {
        Ok(text) => text.parse().unwrap_or_else(|error| panic!("{error}")),
        Err(_) => KubernetesVersion::REFERENCE,
    }
}

impl Answer {
    pub(crate) fn is_success(&self) -> bool {
        (200..300).contains(&self.code)
    }

    /// The message of a status.
    pub(crate) fn message(&self) -> &str {
        self.body["message"].as_str().unwrap_or_default()
    }

    /// Returns the body of a success.
    #[track_caller]
    pub(crate) fn ok(self) -> Value {
        assert!(self.is_success(), "{} {}", self.code, self.message());
        self.body
    }

    /// Returns the message of a rejection, which must have this status code.
    #[track_caller]
    pub(crate) fn rejected(self, code: u16) -> String {
        assert_eq!(self.code, code, "{}", self.body);
        self.message().to_owned()
    }
}

impl Cluster {
    pub(crate) async fn connect(kubeconfig: PathBuf) -> Self {
        let read = Kubeconfig::read_from(&kubeconfig).expect("a kubeconfig");
        let options = KubeConfigOptions::default();
        let config = Config::from_custom_kubeconfig(read, &options).await.expect("a config");
        let client = Client::try_from(config).expect("a client");
        Self { client, kubeconfig, kubernetes: kubernetes() }
    }

    /// Sends a request with these bytes as its body.
    pub(crate) async fn send(
        &self,
        method: &str,
        path: &str,
        content_type: &str,
        accept: &str,
        body: Vec<u8>,
    ) -> Answer {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::CONTENT_TYPE, content_type)
            .header(header::ACCEPT, accept)
            .body(Body::from(body))
            .expect("a request");
        let answer = self.client.send(request).await.expect("the server answers");
        let (head, body) = answer.into_parts();
        let body = body.collect_bytes().await.expect("a whole body");
        let body = serde_json::from_slice(&body)
            .unwrap_or_else(|_| Value::from(String::from_utf8_lossy(&body).into_owned()));
        Answer { code: head.status.as_u16(), warnings: warnings(&head.headers), body }
    }

    async fn json(&self, method: &str, path: &str, body: Option<&Value>) -> Answer {
        let body = body.map(Value::to_string).unwrap_or_default().into_bytes();
        self.send(method, path, "application/json", "application/json", body).await
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.json("GET", path, None).await
    }

    pub(crate) async fn create(&self, path: &str, object: &Value) -> Answer {
        self.json("POST", path, Some(object)).await
    }

    pub(crate) async fn replace(&self, path: &str, object: &Value) -> Answer {
        self.json("PUT", path, Some(object)).await
    }

    pub(crate) async fn merge(&self, path: &str, patch: &Value) -> Answer {
        let patch = patch.to_string().into_bytes();
        let content_type = "application/merge-patch+json";
        self.send("PATCH", path, content_type, "application/json", patch).await
    }

    /// Applies a CRD by server-side apply.
    pub(crate) async fn apply(&self, crd: &CustomResourceDefinition) -> Answer {
        let path = format!("{DEFINITIONS}/{}?fieldManager=e2e&force=true", crd.metadata.name);
        let body = serde_json::to_vec(crd).expect("JSON");
        self.send("PATCH", &path, "application/apply-patch+yaml", "application/json", body).await
    }

    /// Applies a configuration by server-side apply.
    pub(crate) async fn apply_to(&self, path: &str, config: &Value) -> Answer {
        let config = config.to_string().into_bytes();
        let content_type = "application/apply-patch+yaml";
        self.send("PATCH", path, content_type, "application/json", config).await
    }

    /// Applies a CRD, and waits until its objects can be reached in all served versions.
    pub(crate) async fn install(&self, crd: &CustomResourceDefinition) -> Answer {
        let answer = self.apply(crd).await;
        assert!(answer.is_success(), "{}: {}", crd.metadata.name, answer.message());
        let path = format!("{DEFINITIONS}/{}", crd.metadata.name);
        eventually("Established", async || {
            let conditions = self.get(&path).await.ok()["status"]["conditions"].take();
            let conditions = conditions.as_array().cloned().unwrap_or_default();
            let is = |c: &Value| c["type"] == "Established" && c["status"] == "True";
            conditions.iter().any(is).then_some(())
        })
        .await;
        let spec = &crd.spec;
        for version in spec.versions.iter().filter(|version| version.served) {
            let namespace = if spec.scope == "Namespaced" { "namespaces/default/" } else { "" };
            let (group, plural) = (&spec.group, &spec.names.plural);
            let path = format!("/apis/{group}/{}/{namespace}{plural}/none", version.name);
            // An error 404 has the name of the missing object, but not if the path itself is not served.
            eventually("served", async || {
                (self.get(&path).await.body["details"]["name"] == "none").then_some(())
            })
            .await;
        }
        answer
    }
}

/// Waits until `look` returns a value.
pub(crate) async fn eventually<T>(what: &str, mut look: impl AsyncFnMut() -> Option<T>) -> T {
    let found = async {
        loop {
            match look().await {
                Some(found) => return found,
                None => tokio::time::sleep(PAUSE).await,
            }
        }
    };
    let found = tokio::time::timeout(PATIENCE, found).await;
    found.unwrap_or_else(|_| panic!("{what}: not within {} s", PATIENCE.as_secs()))
}

/// Returns the texts of headers such as `Warning: 299 - "text"`.
fn warnings(headers: &HeaderMap) -> Vec<String> {
    let quoted = |value: &http::HeaderValue| {
        let text = String::from_utf8_lossy(value.as_bytes()).into_owned();
        let text = text.strip_prefix("299 - \"").and_then(|text| text.strip_suffix('"'));
        let text = text.unwrap_or_else(|| panic!("a warning of another form: {value:?}"));
        let mut out = String::new();
        let mut escaped = false;
        for c in text.chars() {
            if c == '\\' && !escaped {
                escaped = true;
            } else {
                escaped = false;
                out.push(c);
            }
        }
        out
    };
    headers.get_all(header::WARNING).iter().map(quoted).collect()
}

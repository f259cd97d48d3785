//! One of the two servers, reached over HTTP.

use std::collections::BTreeMap;
use std::future::poll_fn;
use std::path::Path;
use std::pin::pin;
use std::time::Duration;

use http::{HeaderMap, Request, header};
use http_body::Body as _;
use kube::client::{Body, ClientBuilder};
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config};
use serde_json::{Value, json};

use super::hooks::Hooks;
use super::kinds::{GROUP, PLURALS};
use super::mask::Masks;
use super::memory::Memory;
use super::step::{Reads, Step};
use super::{built_in, lifecycle};

/// The timeout of a request.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long a real server may take to see a write in its caches.
const CACHING: Duration = Duration::from_millis(100);

/// A server, with the remembered and the masked parts of its answers in this run.
pub(super) struct Server {
    client: Client,
    pub(super) memory: Memory,
    pub(super) masks: Masks,
    /// The admission webhooks that it calls, if there are any.
    pub(super) hooks: Option<Hooks>,
}

impl Server {
    pub(super) async fn connect(kubeconfig: &Path) -> Result<Self, String> {
        let read = Kubeconfig::read_from(kubeconfig).map_err(|error| error.to_string())?;
        let options = KubeConfigOptions::default();
        let config = Config::from_custom_kubeconfig(read, &options).await;
        let mut config = config.map_err(|error| error.to_string())?;
        // Every answer is compared, even one that asks the client to retry.
        config.default_retry = false;
        let client = ClientBuilder::try_from(config).map_err(|error| error.to_string())?.build();
        Ok(Self { client, memory: Memory::default(), masks: Masks::default(), hooks: None })
    }

    /// Begins a run: forgets the answers of earlier ones.
    pub(super) fn begin(&mut self, namespace: &str, domain: &'static str) {
        let hooks = self.hooks.as_ref().map(|hooks| hooks.config.clone()).unwrap_or_default();
        self.memory = Memory::new(namespace, domain, hooks);
        self.masks = Masks::default();
    }

    /// Returns its client, for a webhook.
    pub(super) fn client(&self) -> Client {
        self.client.clone()
    }

    /// Sends a request. Returns the masked answer.
    pub(super) async fn ask(&mut self, step: &Step) -> Result<Value, String> {
        let reads_cache = step.method == "GET" && step.path.contains("resourceVersion=");
        let changes = matches!(step.method, "PUT" | "PATCH" | "DELETE");
        if reads_cache || (changes && (is_built_in(step) || self.hooks.is_some())) {
            // A real server answers such reads from a cache. It also tries a change with the cached object first; if
            // that is not current, it tries again with the stored object, and the answer has the warnings of both
            // tries. This request makes the cache current.
            let _ =
                tokio::time::timeout(PATIENCE, self.send(&Step::new("GET", list_of(step)))).await;
        }
        if step.waits {
            tokio::time::sleep(CACHING).await;
        }
        let answer = tokio::time::timeout(PATIENCE, self.send(step)).await;
        let (code, mut headers, body) =
            answer.map_err(|_| format!("no answer within {} s", PATIENCE.as_secs()))??;
        if is_built_in(step) {
            drop_advice(&mut headers["warning"]);
        }
        self.memory.learn(step, &body);
        let body = match step.reads {
            Reads::Uncompared | Reads::Configured | Reads::DeniedAfter(_) => {
                if let Some(hooks) = &self.hooks {
                    hooks.reviews.take();
                }
                return Ok(json!({"code": code, "body": body}));
            }
            Reads::Group => only_own_groups(body, &self.memory.resolve(lifecycle::GROUP)),
            Reads::Document => {
                return Ok(json!({"code": code, "headers": headers, "body": body}));
            }
            Reads::Whole | Reads::EventsUntil(_) => body,
            Reads::State => without_versions(body),
            Reads::LastEventsUntil(_) => without_versions(last_events(body)),
        };
        let mut answer = json!({"code": code, "headers": headers, "body": body});
        if let Some(hooks) = &self.hooks {
            answer["reviews"] = hooks.reviews.take();
        }
        self.masks.mask(&mut answer);
        Ok(answer)
    }

    /// Sends requests at once. Returns the sorted methods, paths, codes and reasons of the answers, and whether each is
    /// a success.
    pub(super) async fn ask_together(&self, steps: &[Step]) -> Result<(Value, usize), String> {
        let sent = steps.iter().map(|step| tokio::time::timeout(PATIENCE, self.send(step)));
        let (mut answers, mut succeeded) = (Vec::new(), 0);
        for (step, answer) in steps.iter().zip(futures::future::join_all(sent).await) {
            let (code, _, body) =
                answer.map_err(|_| format!("no answer within {} s", PATIENCE.as_secs()))??;
            succeeded += usize::from((200..300).contains(&code));
            // The clients of an object have queries of their own.
            let path = step.path_without_query();
            answers.push(json!([step.method, path, code, body["reason"]]));
        }
        answers.sort_by_key(Value::to_string);
        Ok((answers.into(), succeeded))
    }

    async fn send(&self, step: &Step) -> Result<(u16, Value, Value), String> {
        let mut request = Request::builder()
            .method(step.method)
            .uri(self.memory.resolve(&step.path))
            .header(header::USER_AGENT, step.agent)
            .header(header::ACCEPT, step.accept);
        if !step.body.is_empty() {
            request = request.header(header::CONTENT_TYPE, step.content_type);
        }
        let body = self.memory.resolve(&step.body).into_bytes();
        let request = request.body(Body::from(body)).map_err(|error| error.to_string())?;
        let answer = self.client.send(request).await.map_err(|error| error.to_string())?;
        let (head, body) = answer.into_parts();
        let code = head.status.as_u16();
        let last = match step.reads {
            Reads::EventsUntil(last) | Reads::LastEventsUntil(last) if head.status.is_success() => {
                Some(self.memory.resolve(last))
            }
            _ => None,
        };
        let (bytes, events) = read(body, last.as_deref()).await?;
        let is_yaml =
            head.headers.get(header::CONTENT_TYPE).is_some_and(|it| it == "application/yaml");
        let body = match last {
            Some(_) => events.into(),
            None if is_yaml => yaml(&bytes)?,
            None => json_or_text(&bytes),
        };
        Ok((code, compared_headers(&head.headers), body))
    }
}

/// Returns whether a request is about objects of a built-in kind.
fn is_built_in(step: &Step) -> bool {
    built_in::plurals().any(|plural| step.path_without_query().contains(&format!("/{plural}")))
}

/// Returns the path of the list that contains the requested object, or of the requested list without options.
fn list_of(step: &Step) -> &str {
    let place = step.path_without_query();
    let plurals = PLURALS.into_iter().chain(built_in::plurals());
    let ends =
        plurals.filter_map(|plural| Some(place.find(&format!("/{plural}"))? + 1 + plural.len()));
    // The longest match, because the name of a resource may begin with that of another.
    let end = ends.max();
    &place[..end.unwrap_or(place.len())]
}

/// Reads a body as JSON, or else as text.
fn json_or_text(bytes: &[u8]) -> Value {
    if bytes.is_empty() {
        return Value::Null;
    }
    serde_json::from_slice(bytes)
        .unwrap_or_else(|_| Value::from(String::from_utf8_lossy(bytes).into_owned()))
}

/// Reads YAML.
fn yaml(bytes: &[u8]) -> Result<Value, String> {
    let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
    let document = crd_runtime::yaml::documents(text).next().ok_or("an answer without YAML")?;
    Ok(document.map_err(|error| error.to_string())?.value)
}

/// Reads a body to its end, or the events of a watch up to that of the object `last`.
async fn read(body: Body, last: Option<&str>) -> Result<(Vec<u8>, Vec<Value>), String> {
    let mut body = pin!(body);
    let (mut bytes, mut events) = (Vec::new(), Vec::new());
    while let Some(frame) = poll_fn(|context| body.as_mut().poll_frame(context)).await {
        if let Ok(data) = frame.map_err(|error| error.to_string())?.into_data() {
            bytes.extend_from_slice(&data);
        }
        let Some(last) = last else { continue };
        while let Some(end) = bytes.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = bytes.drain(..=end).collect();
            let event = json_or_text(&line);
            let is_last = name_of(&event["object"]) == Some(last);
            events.push(event);
            if is_last {
                return Ok((bytes, events));
            }
        }
    }
    Ok((bytes, events))
}

/// Returns the name of an object, or of the object in a row of a table.
fn name_of(object: &Value) -> Option<&str> {
    let row = &object["rows"][0];
    let name = object["metadata"]["name"].as_str();
    name.or_else(|| row["object"]["metadata"]["name"].as_str()).or_else(|| row["cells"][0].as_str())
}

/// Returns the last event of each object, sorted by the names of the objects.
fn last_events(events: Value) -> Value {
    let Value::Array(events) = events else { return events };
    let name = |event: &Value| name_of(&event["object"]).unwrap_or_default().to_owned();
    let last: BTreeMap<String, Value> =
        events.into_iter().map(|event| (name(&event), event)).collect();
    last.into_values().collect()
}

/// Replaces the versions of objects and lists.
fn without_versions(mut value: Value) -> Value {
    fn walk(value: &mut Value) {
        match value {
            Value::Object(map) => {
                if let Some(version) = map.get_mut("resourceVersion") {
                    *version = "version".into();
                }
                map.values_mut().for_each(walk);
            }
            Value::Array(list) => list.iter_mut().for_each(walk),
            _ => {}
        }
    }
    walk(&mut value);
    value
}

/// Returns the headers that are compared.
fn compared_headers(headers: &HeaderMap) -> Value {
    let all = |name: header::HeaderName| -> Vec<String> {
        let values = headers.get_all(name).iter();
        values.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned()).collect()
    };
    let mut warnings = all(header::WARNING);
    warnings.sort();
    json!({
        "content-type": all(header::CONTENT_TYPE), "retry-after": all(header::RETRY_AFTER),
        "warning": warnings,
    })
}

/// Removes the warnings about suspicious values of built-in kinds, which only a real server gives.
fn drop_advice(warnings: &mut Value) {
    let is_kept = |warning: &Value| {
        let warning = warning.as_str().unwrap_or_default();
        ["unknown field ", "duplicate field ", "metadata.finalizers", "is deprecated in"]
            .iter()
            .any(|text| warning.contains(text))
    };
    warnings.as_array_mut().into_iter().for_each(|warnings| warnings.retain(is_kept));
}

/// Keeps only the groups of the definitions of these tests in a list of groups: that of all runs, and that of this run.
fn only_own_groups(mut body: Value, own: &str) -> Value {
    let is_kept = |name: &Value| *name == GROUP || *name == own;
    for key in ["groups", "items"] {
        if let Some(groups) = body.get_mut(key).and_then(Value::as_array_mut) {
            groups.retain(|group| is_kept(&group["name"]) || is_kept(&group["metadata"]["name"]));
        }
    }
    // The server lists the resources of a version in random order.
    if let Some(resources) = body.get_mut("resources").and_then(Value::as_array_mut) {
        resources.sort_by_key(|resource| resource["name"].to_string());
    }
    for group in body.get_mut("items").and_then(Value::as_array_mut).into_iter().flatten() {
        for version in group["versions"].as_array_mut().into_iter().flatten() {
            if let Some(resources) = version["resources"].as_array_mut() {
                resources.sort_by_key(|resource| resource["resource"].to_string());
            }
        }
    }
    if let Some(paths) = body.get_mut("paths").and_then(Value::as_object_mut) {
        let groups = [GROUP, own].map(|group| format!("apis/{group}/"));
        paths.retain(|path, _| groups.iter().any(|group| path.starts_with(group)));
    }
    body
}

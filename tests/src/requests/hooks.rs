//! The admission webhooks that both servers call.
//!
//! What they answer depends only on the review. One of them is also a client of the server that calls it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use crd_runtime::model::Conversion;
use http::Request;
use kube::Client;
use serde_json::{Value, json};

use crate::https::{self, Reply};

/// The beginnings of the paths by which the real server and ours call the webhooks.
const SIDES: [&str; 2] = ["real", "ours"];

/// The label of objects whose creation is denied as long as the webhooks are called.
pub(super) const PROBE: &str = "probe";

/// The reviews of one server since the last time.
#[derive(Debug, Clone, Default)]
pub(super) struct Reviews(Arc<Mutex<Vec<(String, Value)>>>);

impl Reviews {
    /// Returns the reviews in the order of the names of the webhooks, because some webhooks are called at once.
    pub(super) fn take(&self) -> Value {
        let mut all = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        all.sort_by_key(|(name, review)| (name.clone(), review["request"]["name"].to_string()));
        all.into_iter().map(|(name, review)| json!({"webhook": name, "review": review})).collect()
    }

    fn add(&self, name: &str, mut review: Value) {
        // Each call has an id of its own, and the servers have users of their own.
        for key in ["uid", "userInfo"] {
            review["request"][key] = Value::Null;
        }
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push((name.to_owned(), review));
    }
}

/// The webhooks as one server calls them.
#[derive(Debug, Clone)]
pub(super) struct Hooks {
    /// The `clientConfig` of the webhooks, whose URL lacks the name of the webhook.
    pub(super) config: Value,
    pub(super) reviews: Reviews,
}

/// Serves the webhooks for as long as the runtime exists, to servers with these clients.
///
/// # Errors
/// If they cannot be served.
pub(super) async fn serve(clients: [Client; 2]) -> Result<[Hooks; 2], String> {
    let reviews = [Reviews::default(), Reviews::default()];
    let sides = SIDES.into_iter().zip(clients.into_iter().zip(reviews.clone()));
    let sides: Arc<BTreeMap<&str, (Client, Reviews)>> = Arc::new(sides.collect());
    let respond = move |path: String, body: Vec<u8>| {
        let sides = Arc::clone(&sides);
        async move {
            let review: Value = serde_json::from_slice(&body).ok()?;
            let (side, name) = path.strip_prefix('/')?.split_once('/')?;
            let (client, reviews) = sides.get(side)?;
            let (head, body) = reply(client, name, &review).await;
            if name != PROBE {
                reviews.add(name, review);
            }
            let head = format!("{head}\r\ncontent-type: application/json");
            Some(Reply { head, body: body.into_bytes() })
        }
    };
    let served = https::serve(respond).await.map_err(|error| error.to_string())?;
    let hooks = |side: &str, reviews: Reviews| {
        let url = format!("https://{}/{side}/", served.address);
        let conversion = serde_json::to_value(Conversion::url(url).ca_bundle(&served.pem));
        let conversion = conversion.map_err(|error| error.to_string())?;
        Ok::<_, String>(Hooks { config: conversion["webhook"]["clientConfig"].clone(), reviews })
    };
    let [real, ours] = reviews;
    Ok([hooks(SIDES[0], real)?, hooks(SIDES[1], ours)?])
}

/// Returns the status and the body of the answer to a review.
async fn reply(client: &Client, name: &str, review: &Value) -> (&'static str, String) {
    let request = &review["request"];
    let text = |at: &str| request.pointer(at).and_then(Value::as_str).unwrap_or_default();
    let object = if request["object"].is_null() { "/oldObject" } else { "/object" };
    let of = |at: &str| request.pointer(&format!("{object}{at}")).cloned().unwrap_or_default();
    let mut response = json!({"uid": request["uid"], "allowed": true});
    let sort = of("/metadata/labels/sort");
    match (name, sort.as_str().unwrap_or_default()) {
        (PROBE, _) => {
            response["allowed"] = false.into();
        }
        (_, "unavailable") => return ("500 Internal Server Error", "not now".to_owned()),
        (_, "malformed") => return ("200 OK", "{".to_owned()),
        (_, "stranger") => response["uid"] = "x".into(),
        ("validates" | "changes", "denied") => {
            response["allowed"] = false.into();
            response["status"] =
                json!({"code": 409, "reason": "Conflict", "message": "not this one"});
        }
        ("validates", "silent") => response["allowed"] = false.into(),
        ("validates", "late") => {
            response["warnings"] = json!(["is late", "is \"quoted\""]);
            response["auditAnnotations"] = json!({"why": "late"});
        }
        ("changes" | "changes-more", sort) if text("/operation") != "DELETE" => {
            let operations = operations(client, name, sort, request, &of).await;
            if let Some(operations) = operations {
                response["patchType"] = "JSONPatch".into();
                response["patch"] = base64(operations.to_string().as_bytes()).into();
            }
        }
        _ => {}
    }
    let answer = json!({
        "apiVersion": review["apiVersion"], "kind": review["kind"], "response": response,
    });
    ("200 OK", answer.to_string())
}

/// Returns the JSON patch of a webhook that changes objects.
async fn operations(
    client: &Client,
    name: &str,
    sort: &str,
    request: &Value,
    of: &(impl Fn(&str) -> Value + Sync),
) -> Option<Value> {
    let key = format!("example.com~1{name}");
    let add = |path: String, value: Value| json!({"op": "add", "path": path, "value": value});
    let noted = |value: Value| {
        let path = "/metadata/annotations";
        let operation = if of(path).is_object() {
            add(format!("{path}/{key}"), value)
        } else {
            add(path.to_owned(), json!({format!("example.com/{name}"): value}))
        };
        json!([operation])
    };
    match sort {
        "noted" => Some(noted(request["operation"].clone())),
        "wrong" => Some(json!([add("/spec/color".to_owned(), "pink".into())])),
        "unknown" => Some(json!([add("/spec/hue".to_owned(), "red".into())])),
        "unpatchable" => Some(json!([{"op": "remove", "path": "/nothing"}])),
        "renamed" => Some(json!([{"op": "replace", "path": "/metadata/name", "value": "other"}])),
        "owned" => {
            Some(json!([add("/metadata/finalizers".to_owned(), json!(["example.com/wait"])),]))
        }
        // The webhook asks the server, which waits for its answer.
        "asking" => {
            let namespace = request["namespace"].as_str()?;
            let path = format!("/api/v1/namespaces/{namespace}/configmaps?limit=500");
            let asked = Request::get(path).body(Vec::new()).ok()?;
            let list: Value = client.request(asked).await.ok()?;
            let count = list["items"].as_array().map_or(0, Vec::len);
            Some(noted(count.to_string().into()))
        }
        _ => None,
    }
}

/// Encodes bytes in base64.
fn base64(bytes: &[u8]) -> String {
    let bytes = k8s_openapi::ByteString(bytes.to_vec());
    let encoded = serde_json::to_value(bytes).unwrap_or_default();
    encoded.as_str().unwrap_or_default().to_owned()
}

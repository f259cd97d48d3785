//! Admission webhooks.

use std::sync::{Arc, Mutex};

use crd_apiserver::{AdmissionResponse, ApiServer};
use http::{Request, Response};
use kube::client::Body;
use serde_json::{Value, json};
use tower::service_fn;

use crate::ask::{CRONTABS, builder, crontab, delete, get, object, patch, send, server};

/// Returns the configuration of one webhook for all writes of crontabs. `other` has further fields of the webhook.
pub(crate) fn configuration(kind: &str, name: &str, other: &Value) -> Value {
    let mut webhook = json!({
        "name": format!("{name}.example.com"), "sideEffects": "None", "admissionReviewVersions": ["v1"],
        "clientConfig": {"service": {"namespace": "default", "name": name}},
        "rules": [{
            "operations": ["*"], "apiGroups": ["stable.example.com"], "apiVersions": ["*"], "resources": ["*/*"],
        }],
    });
    for (key, value) in other.as_object().into_iter().flatten() {
        webhook[key.as_str()] = value.clone();
    }
    json!({
        "apiVersion": "admissionregistration.k8s.io/v1", "kind": format!("{kind}WebhookConfiguration"),
        "metadata": {"name": name}, "webhooks": [webhook],
    })
}

/// Returns a webhook that allows all requests, and the list to which it adds them.
fn remembering() -> (Arc<Mutex<Vec<Value>>>, impl Fn(&Value) -> AdmissionResponse + Send + Sync) {
    let requests = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&requests);
    let webhook = move |request: &Value| {
        log.lock().expect("a log").push(request.clone());
        AdmissionResponse::allow()
    };
    (requests, webhook)
}

fn set_image(image: &str) -> AdmissionResponse {
    AdmissionResponse::patch(json!([{"op": "add", "path": "/spec/image", "value": image}]))
}

#[tokio::test]
async fn a_webhook_rejects_with_its_own_words() {
    let server = builder()
        .with_object(&configuration("Validating", "small", &Value::Null))
        .admission("small.example.com", |request| {
            if request["object"]["spec"]["replicas"].as_i64() > Some(5) {
                return AdmissionResponse::deny("at most 5 replicas").code(403);
            }
            AdmissionResponse::allow().warn("few replicas")
        })
        .start();
    let client = server.client();
    let made = send(&client, "POST", CRONTABS, &object("a", 2)).await;
    assert_eq!((made.code, made.warnings), (201, vec!["299 - \"few replicas\"".to_owned()]));
    let rejected = send(&client, "POST", CRONTABS, &object("b", 6)).await;
    assert_eq!(
        rejected.body,
        json!({
            "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "code": 403,
            "message": "admission webhook \"small.example.com\" denied the request: at most 5 replicas",
        })
    );
    assert_eq!(get(&client, &format!("{CRONTABS}/b")).await.code, 404);
    let path = format!("{CRONTABS}/a");
    let change = json!({"spec": {"replicas": 7}});
    let rejected = patch(&client, &path, "merge", &change).await.rejected(403);
    assert!(rejected.ends_with("at most 5 replicas"), "{rejected}");
    // An object is validated by the schema before validating webhooks are called.
    let rejected = send(&client, "POST", CRONTABS, &object("c", 11)).await.rejected(422);
    assert!(rejected.contains("should be less than or equal to 10"), "{rejected}");
}

#[tokio::test]
async fn a_webhook_changes_what_is_written() {
    let server = builder()
        .with_object(&configuration("Mutating", "image", &Value::Null))
        .admission("image.example.com", |request| match request["operation"].as_str() {
            Some("CREATE" | "UPDATE") if request.get("subResource").is_none() => set_image("own"),
            _ => AdmissionResponse::allow(),
        })
        .start();
    let client = server.client();
    let made = send(&client, "POST", CRONTABS, &object("a", 2)).await.ok();
    assert_eq!(made["spec"]["image"], "own");
    let path = format!("{CRONTABS}/a");
    let change = json!({"spec": {"image": "other", "replicas": 3}});
    let changed = patch(&client, &path, "merge", &change).await.ok();
    assert_eq!(
        (&changed["spec"]["image"], &changed["spec"]["replicas"]),
        (&json!("own"), &json!(3))
    );
    let mut config = object("b", 2);
    config["spec"]["image"] = "mine".into();
    let applied =
        patch(&client, &format!("{CRONTABS}/b?fieldManager=me"), "apply", &config).await.ok();
    assert_eq!(applied["spec"]["image"], "own");
    delete(&client, &path).await.ok();
}

#[tokio::test]
async fn webhooks_receive_all_of_a_request() {
    let (requests, webhook) = remembering();
    let server = builder()
        .with_object(&configuration("Validating", "log", &Value::Null))
        .admission("log.example.com", webhook)
        .start();
    let client = server.client_as("jane");
    let path = format!("{CRONTABS}/a");
    let created =
        send(&client, "POST", &format!("{CRONTABS}?fieldManager=me"), &object("a", 2)).await.ok();
    patch(&client, &path, "merge", &json!({"spec": {"replicas": 3}})).await.ok();
    patch(&client, &format!("{path}/scale"), "merge", &json!({"spec": {"replicas": 4}})).await.ok();
    patch(&client, &format!("{path}/status"), "merge", &json!({"status": {"replicas": 4}}))
        .await
        .ok();
    delete(&client, &format!("{path}?gracePeriodSeconds=0")).await.ok();
    let requests = requests.lock().expect("a log").clone();
    let operations: Vec<(&str, &str)> = requests
        .iter()
        .map(|it| {
            let text = |key: &str| it.get(key).and_then(Value::as_str).unwrap_or_default();
            (text("operation"), text("subResource"))
        })
        .collect();
    assert_eq!(
        operations,
        [("CREATE", ""), ("UPDATE", ""), ("UPDATE", "scale"), ("UPDATE", "status"), ("DELETE", "")]
    );
    let mut first = requests[0].clone();
    let object = first["object"].take();
    assert_eq!(object["metadata"]["uid"], created["metadata"]["uid"]);
    assert!(first["uid"].as_str().is_some_and(|uid| uid.len() == 36), "{first}");
    first["uid"] = Value::Null;
    let kind = json!({"group": "stable.example.com", "version": "v1", "kind": "CronTab"});
    let resource = json!({"group": "stable.example.com", "version": "v1", "resource": "crontabs"});
    assert_eq!(
        first,
        json!({
            "uid": null, "kind": kind, "resource": resource, "requestKind": kind, "requestResource": resource,
            "name": "a", "namespace": "default", "operation": "CREATE", "object": null, "oldObject": null,
            "userInfo": {"username": "jane", "groups": ["system:authenticated"]}, "dryRun": false,
            "options": {"kind": "CreateOptions", "apiVersion": "meta.k8s.io/v1", "fieldManager": "me"},
        })
    );
    assert_eq!(requests[1]["oldObject"]["spec"]["replicas"], 2);
    let scale = &requests[2];
    assert_eq!(
        (&scale["kind"]["kind"], &scale["object"]["spec"]),
        (&json!("Scale"), &json!({"replicas": 4}))
    );
    assert_eq!(scale["oldObject"]["spec"]["replicas"], 3);
    let last = &requests[4];
    assert_eq!(
        (&last["object"], &last["oldObject"]["spec"]["replicas"]),
        (&Value::Null, &json!(4))
    );
    assert_eq!(last["options"]["gracePeriodSeconds"], 0);
}

#[tokio::test]
async fn a_webhook_is_called_only_for_what_it_selects() {
    let cases = [
        (json!({"objectSelector": {"matchLabels": {"a": "b"}}}), false),
        (
            json!({"objectSelector": {"matchExpressions": [{"key": "a", "operator": "DoesNotExist"}]}}),
            true,
        ),
        (
            json!({"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "default"}}}),
            true,
        ),
        (
            json!({"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "prod"}}}),
            false,
        ),
        (
            json!({"matchConditions": [{"name": "x", "expression": "object.spec.replicas > 1"}]}),
            true,
        ),
        (
            json!({"matchConditions": [{"name": "x", "expression": "request.operation == 'DELETE'"}]}),
            false,
        ),
        (
            json!({"matchConditions": [
                {"name": "x", "expression": "object.spec.absent > 1"}, {"name": "y", "expression": "false"},
            ]}),
            false,
        ),
        (
            json!({"rules": [{
                "operations": ["CREATE"], "apiGroups": ["*"], "apiVersions": ["v1"], "resources": ["crontabs/status"],
            }]}),
            false,
        ),
        (
            json!({"rules": [{
                "operations": ["UPDATE"], "apiGroups": ["*"], "apiVersions": ["v1"], "resources": ["crontabs"],
            }]}),
            false,
        ),
        (
            json!({"rules": [{
                "operations": ["CREATE"], "apiGroups": ["*"], "apiVersions": ["v1"], "resources": ["*"], "scope": "Cluster",
            }]}),
            false,
        ),
    ];
    for (fields, want) in cases {
        let server = builder()
            .with_object(&configuration("Validating", "no", &fields))
            .admission("no.example.com", |_| AdmissionResponse::deny("no"))
            .start();
        let code = send(&server.client(), "POST", CRONTABS, &object("a", 2)).await.code;
        assert_eq!(code == 400, want, "{fields}");
    }
    let fields =
        json!({"matchConditions": [{"name": "x", "expression": "object.spec.absent > 1"}]});
    let server = builder().with_object(&configuration("Validating", "no", &fields)).start();
    assert_eq!(
        send(&server.client(), "POST", CRONTABS, &object("a", 2)).await.rejected(403),
        "crontabs.stable.example.com \"a\" is forbidden: expression 'object.spec.absent > 1' resulted in error: no such key: \
         absent"
    );
}

#[tokio::test]
async fn a_webhook_that_fails_is_ignored_only_if_its_policy_says_so() {
    let closed = builder().with_object(&configuration("Validating", "gone", &Value::Null)).start();
    let rejected = send(&closed.client(), "POST", CRONTABS, &object("a", 2)).await;
    assert_eq!(rejected.body["reason"], "InternalError");
    assert_eq!(
        rejected.rejected(500),
        "Internal error occurred: failed calling webhook \"gone.example.com\": failed to call webhook: Post \
         \"https://gone.default.svc:443/?timeout=10s\": service \"gone\" not found: answer for it with \
         `ApiServerBuilder::webhook(\"gone.default.svc\", ..)`, or name its address with `ApiServerBuilder::service_address`"
    );
    let open = json!({"failurePolicy": "Ignore"});
    let open = builder().with_object(&configuration("Validating", "gone", &open)).start();
    assert_eq!(send(&open.client(), "POST", CRONTABS, &object("a", 2)).await.code, 201);

    let broken = service_fn(async |_: Request<Body>| {
        let mut response = Response::new(Body::from(b"out of order".to_vec()));
        *response.status_mut() = http::StatusCode::INTERNAL_SERVER_ERROR;
        Ok::<_, kube::Error>(response)
    });
    let broken = builder()
        .with_object(&configuration("Mutating", "broken", &Value::Null))
        .webhook("broken.default.svc:443", broken)
        .start();
    assert_eq!(
        send(&broken.client(), "POST", CRONTABS, &object("a", 2)).await.rejected(500),
        "Internal error occurred: failed calling webhook \"broken.example.com\": failed to call webhook: an error on the \
         server (\"out of order\") has prevented the request from succeeding"
    );
}

#[tokio::test(start_paused = true)]
async fn a_webhook_must_answer_within_its_timeout() {
    let slow = service_fn(async |_: Request<Body>| {
        tokio::time::sleep(std::time::Duration::from_secs(60)).await;
        Ok::<_, kube::Error>(Response::new(Body::empty()))
    });
    let server = builder()
        .with_object(&configuration("Validating", "slow", &json!({"timeoutSeconds": 2})))
        .webhook("slow.default.svc", slow)
        .start();
    let begin = tokio::time::Instant::now();
    let rejected = send(&server.client(), "POST", CRONTABS, &object("a", 2)).await.rejected(500);
    assert!(rejected.ends_with("svc:443/?timeout=2s\": context deadline exceeded"), "{rejected}");
    assert_eq!(begin.elapsed().as_secs(), 2);
}

#[tokio::test]
async fn webhooks_are_called_for_dry_runs() {
    let path = format!("{CRONTABS}?dryRun=All");
    for effects in ["None", "NoneOnDryRun"] {
        let fields = json!({"sideEffects": effects});
        let server = builder()
            .with_object(&configuration("Validating", "log", &fields))
            .admission("log.example.com", |request| match request["dryRun"].as_bool() {
                Some(true) => AdmissionResponse::allow(),
                _ => AdmissionResponse::deny("no dry run"),
            })
            .start();
        send(&server.client(), "POST", &path, &object("a", 2)).await.ok();
    }
}

#[tokio::test]
async fn webhooks_are_called_in_the_order_of_their_names_and_reinvoked_if_they_ask_for_it() {
    let order = Arc::new(Mutex::new(Vec::new()));
    let logging = |name: &'static str| {
        let order = Arc::clone(&order);
        move |request: &Value| {
            let image = request["object"]["spec"]["image"].as_str().unwrap_or_default().to_owned();
            order.lock().expect("a log").push(format!("{name}:{image}"));
            if name == "b" && image != "b" { set_image("b") } else { AdmissionResponse::allow() }
        }
    };
    let server = builder()
        .with_object(&configuration("Mutating", "c", &Value::Null))
        .with_object(&configuration("Mutating", "b", &Value::Null))
        .with_object(&configuration("Mutating", "a", &json!({"reinvocationPolicy": "IfNeeded"})))
        .admission("a.example.com", logging("a"))
        .admission("b.example.com", logging("b"))
        .admission("c.example.com", logging("c"))
        .start();
    send(&server.client(), "POST", CRONTABS, &object("x", 2)).await.ok();
    assert_eq!(*order.lock().expect("a log"), ["a:", "b:", "c:b", "a:b"]);
}

#[tokio::test]
async fn a_webhook_may_use_the_server() {
    let server = builder().with_object(&configuration("Validating", "unique", &Value::Null));
    let client = server.handle().client();
    let inner = client.clone();
    let unique = service_fn(move |request: Request<Body>| {
        let client = inner.clone();
        async move {
            let body = request.into_body().collect_bytes().await?;
            let review: Value = serde_json::from_slice(&body).map_err(kube::Error::SerdeError)?;
            let count = get(&client, CRONTABS).await.ok()["items"].as_array().map_or(0, Vec::len);
            let reply = json!({
                "apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview",
                "response": {
                    "uid": review["request"]["uid"], "allowed": count == 0,
                    "status": {"message": format!("there are {count}")},
                },
            });
            Ok::<_, kube::Error>(Response::new(Body::from(reply.to_string().into_bytes())))
        }
    });
    let _server = server.webhook("unique.default.svc", unique).start();
    send(&client, "POST", CRONTABS, &json!(crontab("a", 2))).await.ok();
    let rejected = send(&client, "POST", CRONTABS, &json!(crontab("b", 2))).await.rejected(400);
    assert_eq!(
        rejected,
        "admission webhook \"unique.example.com\" denied the request: there are 1"
    );
}

#[tokio::test]
async fn deletions_are_admitted_one_by_one() {
    let server = builder()
        .with_object(&configuration("Validating", "keep", &Value::Null))
        .admission("keep.example.com", |request| {
            let name = &request["oldObject"]["metadata"]["name"];
            let keeps = request["operation"] == "DELETE" && name == "b";
            // A request to delete the collection (by `system:admin`) has no name; one of the garbage collector has.
            let has_name = request["userInfo"]["username"] != "system:admin";
            assert!(!keeps || has_name == request.get("name").is_some(), "{request}");
            if keeps { AdmissionResponse::deny("kept") } else { AdmissionResponse::allow() }
        })
        .start();
    let client = server.client();
    for name in ["a", "b", "c"] {
        send(&client, "POST", CRONTABS, &object(name, 2)).await.ok();
    }
    let rejected = delete(&client, CRONTABS).await.rejected(400);
    assert_eq!(rejected, "admission webhook \"keep.example.com\" denied the request: kept");
    let names = |list: &Value| -> Vec<String> {
        let items = list["items"].as_array().cloned().unwrap_or_default();
        items
            .iter()
            .map(|it| it["metadata"]["name"].as_str().unwrap_or_default().to_owned())
            .collect()
    };
    assert_eq!(names(&get(&client, CRONTABS).await.ok()), ["b", "c"]);
    // Deletions by the garbage collector are admitted, too.
    let owner = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "owner"}});
    let owner = send(&client, "POST", "/api/v1/namespaces/default/configmaps", &owner).await.ok();
    let owners = json!([{
        "apiVersion": "v1", "kind": "ConfigMap", "name": "owner", "uid": owner["metadata"]["uid"],
    }]);
    for name in ["b", "c"] {
        let change = json!({"metadata": {"ownerReferences": owners}});
        patch(&client, &format!("{CRONTABS}/{name}"), "merge", &change).await.ok();
    }
    delete(&client, "/api/v1/namespaces/default/configmaps/owner").await.ok();
    assert_eq!(names(&get(&client, CRONTABS).await.ok()), ["b"]);
}

#[tokio::test]
async fn configurations_have_the_defaults_of_the_server() {
    let client = ApiServer::new().client();
    let path = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";
    let made =
        send(&client, "POST", path, &configuration("Mutating", "a", &Value::Null)).await.ok();
    assert_eq!(made["metadata"]["generation"], 1);
    let webhook = &made["webhooks"][0];
    for (key, want) in [
        ("failurePolicy", json!("Fail")),
        ("matchPolicy", json!("Equivalent")),
        ("namespaceSelector", json!({})),
        ("objectSelector", json!({})),
        ("timeoutSeconds", json!(10)),
        ("reinvocationPolicy", json!("Never")),
    ] {
        assert_eq!(webhook[key], want, "{key}");
    }
    assert_eq!(webhook["rules"][0]["scope"], "*");
    assert_eq!(webhook["clientConfig"]["service"]["port"], 443);
    let change = json!([{"op": "replace", "path": "/webhooks/0/failurePolicy", "value": "Ignore"}]);
    let changed = patch(&client, &format!("{path}/a"), "json", &change).await.ok();
    assert_eq!(changed["metadata"]["generation"], 2);
}

#[tokio::test]
async fn configurations_are_validated() {
    let client = server().client();
    let path = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
    let mut object = configuration("Validating", "a", &Value::Null);
    object["webhooks"][0]["sideEffects"] = "Some".into();
    object["webhooks"][0]["matchConditions"] = json!([{"name": "c", "expression": "request.name"}]);
    object["webhooks"][0]["rules"][0]["operations"] = json!(["CREATE", "*"]);
    let rejected = send(&client, "POST", path, &object).await;
    let causes: Vec<(&str, &str)> = rejected.body["details"]["causes"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|cause| {
            let text = |key: &str| cause[key].as_str().unwrap_or_default();
            (text("field"), text("message"))
        })
        .collect();
    assert_eq!(
        causes,
        [
            (
                "webhooks[0].rules[0].operations",
                "Invalid value: [\"CREATE\",\"*\"]: if '*' is present, must not specify other operations"
            ),
            (
                "webhooks[0].sideEffects",
                "Unsupported value: \"Some\": supported values: \"None\", \"NoneOnDryRun\""
            ),
            (
                "webhooks[0].matchConditions[0].expression",
                "Invalid value: \"request.name\": must evaluate to bool but got string"
            ),
        ]
    );
    let mut object = configuration("Validating", "a", &Value::Null);
    send(&client, "POST", path, &object).await.ok();
    object["webhooks"][0]["name"] = "short".into();
    let rejected = patch(&client, &format!("{path}/a"), "merge", &object).await.rejected(422);
    assert!(rejected.contains("should be a domain with at least three segments"), "{rejected}");
}

#[tokio::test]
async fn the_reason_why_a_patch_does_not_apply_is_returned() {
    let patch = json!([{"op": "add", "path": "/metadata/labels/a", "value": "b"}]);
    let client = builder()
        .with_object(&configuration("Mutating", "label", &Value::Null))
        .admission("label.example.com", move |_| AdmissionResponse::patch(patch.clone()))
        .start()
        .client();
    assert_eq!(
        send(&client, "POST", CRONTABS, &object("a", 2)).await.rejected(500),
        "Internal error occurred: add operation does not apply: doc is missing path: \"/metadata/labels/a\": missing value"
    );
}

#[tokio::test]
async fn malformed_managed_fields_of_a_webhook_are_not_stored() {
    let server = builder()
        .with_object(&configuration("Mutating", "fields", &Value::Null))
        .admission("fields.example.com", |_| {
            let entry = json!({"manager": "x", "operation": "bad", "fieldsType": "FieldsV1"});
            let path = "/metadata/managedFields";
            AdmissionResponse::patch(json!([{"op": "replace", "path": path, "value": [entry]}]))
        })
        .start();
    let made = send(&server.client(), "POST", CRONTABS, &object("a", 2)).await;
    let text = "299 - \".metadata.managedFields was in an invalid state after admission; this could be caused by an \
                outdated mutating admission controller; please fix your requests: operation must be `Apply` or `Update`\"";
    assert_eq!(made.warnings, [text]);
    assert_eq!(made.ok()["metadata"]["managedFields"][0]["manager"], "tests");
}

#[tokio::test]
async fn what_a_webhook_answers_wrongly_is_said_in_the_servers_words() {
    let why = async |code: u16, type_: &'static str, body: &'static str| {
        let service = service_fn(move |_: Request<Body>| async move {
            let answer = Response::builder().status(code).header("content-type", type_);
            Ok::<_, kube::Error>(
                answer.body(Body::from(body.as_bytes().to_vec())).expect("an answer"),
            )
        });
        let server = builder().with_object(&configuration("Validating", "small", &Value::Null));
        let client = server.webhook("small.default.svc", service).start().client();
        let why = send(&client, "POST", CRONTABS, &object("a", 2)).await.rejected(500);
        let prefix = "Internal error occurred: failed calling webhook \"small.example.com\": failed to call webhook: ";
        why.strip_prefix(prefix).unwrap_or(&why).to_owned()
    };
    let server = |text: &str| {
        format!("an error on the server ({text:?}) has prevented the request from succeeding")
    };
    assert_eq!(why(500, "text/plain", " not now\n").await, server("not now"));
    assert_eq!(why(500, "application/json", "not now").await, server("unknown"));
    assert_eq!(
        why(200, "application/json", "{").await,
        "couldn't get version/kind; json parse error: unexpected end of JSON input"
    );
}

#[tokio::test]
async fn a_review_of_a_scale_has_its_status_and_its_managers() {
    let (requests, webhook) = remembering();
    let server = builder()
        .with_object(&configuration("Mutating", "all", &Value::Null))
        .admission("all.example.com", webhook)
        .start();
    let client = server.client();
    send(&client, "POST", &format!("{CRONTABS}?fieldManager=one"), &object("a", 2)).await.ok();
    let scale = json!({
        "apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": {"name": "a"}, "spec": {"replicas": 3},
    });
    let path = format!("{CRONTABS}/a/scale");
    let mut whole = get(&client, &path).await.ok();
    whole["spec"]["replicas"] = 3.into();
    send(&client, "PUT", &format!("{path}?fieldManager=two"), &whole).await.ok();
    patch(&client, &format!("{path}?fieldManager=two"), "merge", &scale).await.ok();
    let requests = requests.lock().expect("a log");
    let [_, put, patched] = &requests[..] else { panic!("{requests:?}") };
    for request in [put, patched] {
        let object = &request["object"];
        assert!(object["status"]["replicas"].is_number(), "{object}");
        let manager = &object["metadata"]["managedFields"][0];
        assert_eq!(
            (&manager["manager"], &manager["subresource"]),
            (&json!("two"), &json!("scale"))
        );
    }
    assert_eq!(put["oldObject"]["metadata"]["managedFields"][0]["manager"], "one");
}

#[tokio::test]
async fn later_webhooks_see_the_unknown_fields_of_a_patch() {
    let (requests, webhook) = remembering();
    let (validated, validating) = remembering();
    let server = builder()
        .with_object(&configuration("Validating", "c", &Value::Null))
        .admission("c.example.com", validating)
        .with_object(&configuration("Mutating", "a", &Value::Null))
        .with_object(&configuration("Mutating", "b", &Value::Null))
        .admission("a.example.com", |_| {
            AdmissionResponse::patch(json!([{"op": "add", "path": "/spec/hue", "value": "red"}]))
        })
        .admission("b.example.com", webhook)
        .start();
    let made = send(&server.client(), "POST", CRONTABS, &object("a", 2)).await.ok();
    assert_eq!(made["spec"]["hue"], Value::Null);
    let requests = requests.lock().expect("a log");
    assert_eq!(requests[0]["object"]["spec"]["hue"], "red");
    assert_eq!(validated.lock().expect("a log")[0]["object"]["spec"]["hue"], "red");
}

#[tokio::test]
async fn a_webhook_sees_what_an_apply_may_not_set() {
    let (requests, webhook) = remembering();
    let server = builder()
        .with_object(&configuration("Mutating", "all", &Value::Null))
        .admission("all.example.com", webhook)
        .start();
    let mut config = object("a", 2);
    config["metadata"]["deletionTimestamp"] = "2020-01-01T00:00:00Z".into();
    let path = format!("{CRONTABS}/a?fieldManager=me");
    let made = patch(&server.client(), &path, "apply", &config).await.ok();
    assert_eq!(made["metadata"]["deletionTimestamp"], Value::Null);
    let requests = requests.lock().expect("a log");
    let sent = &requests[0]["object"]["metadata"]["deletionTimestamp"];
    assert_eq!(*sent, "2020-01-01T00:00:00Z");
}

#[tokio::test]
async fn a_validating_webhook_receives_the_requested_name() {
    let (requests, webhook) = remembering();
    let server = builder()
        .with_object(&configuration("Mutating", "rename", &Value::Null))
        .with_object(&configuration("Validating", "all", &Value::Null))
        .admission("rename.example.com", |_| {
            AdmissionResponse::patch(
                json!([{"op": "replace", "path": "/metadata/name", "value": "b"}]),
            )
        })
        .admission("all.example.com", webhook)
        .start();
    let made = send(&server.client(), "POST", CRONTABS, &object("a", 2)).await.ok();
    assert_eq!(made["metadata"]["name"], "b");
    let requests = requests.lock().expect("a log");
    assert_eq!(
        (&requests[0]["name"], &requests[0]["object"]["metadata"]["name"]),
        (&json!("a"), &json!("b"))
    );
}

/// The storage drops it, after the webhooks have been called.
#[tokio::test]
async fn the_version_of_an_applied_new_object_is_seen() {
    let (requests, webhook) = remembering();
    let server = builder()
        .with_object(&configuration("Validating", "all", &Value::Null))
        .admission("all.example.com", webhook)
        .start();
    let mut config = object("a", 1);
    config["metadata"]["resourceVersion"] = "1".into();
    let path = format!("{CRONTABS}/a?fieldManager=one");
    let made = patch(&server.client(), &path, "apply", &config).await.ok();
    assert_ne!(made["metadata"]["resourceVersion"], "1");
    let seen = requests.lock().expect("a log")[0]["object"]["metadata"]["resourceVersion"].clone();
    assert_eq!(seen, "1");
}

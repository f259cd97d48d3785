//! Conversion by webhooks: in the process, and over TLS.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crd_apiserver::{AdmissionResponse, ApiServer, ApiServerBuilder};
use crd_examples::host_port::{self, v1, v1beta1};
use crd_runtime::versions::Versions as _;
use crd_webhook::{CertificateFiles, Server};
use futures::{AsyncBufReadExt as _, TryStreamExt as _};
use http::{Request, Response};
use kube::Client;
use kube::client::Body;
use serde_json::{Value, json};
use tower::service_fn;

use crd_tests::tls::Authority;

use crate::admission::configuration;
use crate::ask::{delete, get, patch, send};

const HOST: &str = "endpoint-conversion.default.svc";

fn path(version: &str) -> String {
    format!("/apis/example.com/{version}/namespaces/default/endpoints")
}

fn old(name: &str) -> Value {
    json!({
        "apiVersion": "example.com/v1beta1", "kind": "Endpoint", "metadata": {"name": name},
        "hostPort": "example.com:80",
    })
}

fn crd() -> impl crd_runtime::model::Manifest + serde::Serialize {
    <(v1beta1::Endpoint, v1::Endpoint)>::merged().expect("versions agree")
}

/// Returns a server whose conversion webhook is a `webhook::Server` in the process.
fn server() -> ApiServer {
    builder().start()
}

fn builder() -> ApiServerBuilder {
    let router = Server::new(CertificateFiles::in_directory("/none"))
        .convert("/convert", host_port::converter())
        .into_router()
        .expect("a router");
    ApiServer::builder().with(&crd()).webhook(HOST, router)
}

/// Returns a client of a server whose conversion webhook responds to a review with `answer`.
fn answering(answer: impl Fn(Value) -> Value + Clone + Send + 'static) -> Client {
    let service = service_fn(move |request: Request<Body>| {
        let answer = answer.clone();
        async move {
            let body = request.into_body().collect_bytes().await?;
            let review = serde_json::from_slice(&body).map_err(kube::Error::SerdeError)?;
            Ok::<_, kube::Error>(Response::new(Body::from(answer(review).to_string().into_bytes())))
        }
    });
    ApiServer::builder().with(&crd()).webhook(HOST, service).start().client()
}

#[tokio::test]
async fn each_verb_reads_the_version_that_it_asks_for() {
    let client = server().client();
    let made = send(&client, "POST", &path("v1beta1"), &old("a")).await.ok();
    assert_eq!(made["hostPort"], "example.com:80");
    let newer = get(&client, &format!("{}/a", path("v1"))).await.ok();
    assert_eq!((&newer["host"], &newer["port"]), (&json!("example.com"), &json!("80")));
    assert_eq!(newer["metadata"]["uid"], made["metadata"]["uid"]);

    let change = json!({"hostPort": "example.com:81"});
    patch(&client, &format!("{}/a", path("v1beta1")), "merge", &change).await.ok();
    send(&client, "POST", &path("v1beta1"), &old("b")).await.ok();
    let list = get(&client, &path("v1")).await.ok();
    let ports: Vec<&Value> =
        list["items"].as_array().expect("items").iter().map(|it| &it["port"]).collect();
    assert_eq!(ports, ["81", "80"]);

    let config = json!({
        "apiVersion": "example.com/v1", "kind": "Endpoint", "metadata": {"name": "c"},
        "host": "c.example.com", "port": "1",
    });
    let apply = format!("{}/c?fieldManager=me", path("v1"));
    patch(&client, &apply, "apply", &config).await.ok();
    let older = get(&client, &format!("{}/c", path("v1beta1"))).await.ok();
    assert_eq!(older["hostPort"], "c.example.com:1");

    let mut whole = older.clone();
    whole["hostPort"] = "c.example.com:2".into();
    send(&client, "PUT", &format!("{}/c", path("v1beta1")), &whole).await.ok();
    delete(&client, &format!("{}/c", path("v1"))).await.ok();
    delete(&client, &path("v1")).await.ok();
    assert_eq!(get(&client, &path("v1beta1")).await.ok()["items"], json!([]));
}

/// A deletion that waits for a webhook between two objects would begin again with a list of marked objects.
#[tokio::test]
async fn the_deletion_of_a_collection_answers_with_the_objects_as_they_were() {
    let client = server().client();
    for name in ["a", "b", "c"] {
        send(&client, "POST", &path("v1beta1"), &old(name)).await.ok();
    }
    let deleted = format!("{}?propagationPolicy=Foreground", path("v1beta1"));
    let list = delete(&client, &deleted).await.ok();
    let items = list["items"].as_array().expect("items");
    assert_eq!(items.len(), 3, "{list}");
    for item in items {
        let metadata = &item["metadata"];
        assert_eq!((&metadata["finalizers"], &metadata["generation"]), (&Value::Null, &json!(1)));
    }
    let left = get(&client, &path("v1")).await.ok();
    for item in left["items"].as_array().expect("items") {
        let metadata = &item["metadata"];
        let want = (&json!(["foregroundDeletion"]), &json!(2));
        assert_eq!((&metadata["finalizers"], &metadata["generation"]), want);
    }
}

#[tokio::test]
async fn watches_convert_what_they_send() {
    let client = server().client();
    send(&client, "POST", &path("v1"), &{
        let mut object = old("a");
        object["apiVersion"] = "example.com/v1".into();
        object["hostPort"] = Value::Null;
        object["host"] = "a.example.com".into();
        object["port"] = "1".into();
        object
    })
    .await
    .ok();
    let watch = format!("{}?watch=true&resourceVersion=0", path("v1beta1"));
    let request = Request::get(watch).body(Vec::new()).expect("a request");
    let mut lines = client.request_stream(request).await.expect("a watch").lines();
    let mut next = async || -> Value {
        let line = lines.try_next().await.expect("a line").expect("an event");
        serde_json::from_str(&line).expect("JSON")
    };
    let first = next().await;
    assert_eq!(
        (&first["type"], &first["object"]["hostPort"]),
        (&json!("ADDED"), &json!("a.example.com:1"))
    );
    let change = json!({"port": "2"});
    patch(&client, &format!("{}/a", path("v1")), "merge", &change).await.ok();
    let second = next().await;
    assert_eq!(
        (&second["type"], &second["object"]["hostPort"]),
        (&json!("MODIFIED"), &json!("a.example.com:2"))
    );
}

#[tokio::test]
async fn a_request_that_waits_for_a_webhook_stores_once() {
    // A request that needs a conversion is aborted before it stores anything, and tried again with the webhook's
    // answer.
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&calls);
    let converter = host_port::converter();
    let client = answering(move |review| {
        counted.fetch_add(1, Ordering::Relaxed);
        let answer = converter.review(review.to_string().as_bytes()).expect("a review");
        serde_json::from_slice(&answer).expect("JSON")
    });
    let before = get(&client, &path("v1")).await.ok()["metadata"]["resourceVersion"].clone();
    let made = send(&client, "POST", &path("v1beta1"), &old("a")).await.ok();
    let version = |text: &Value| text.as_str().and_then(|text| text.parse::<u64>().ok());
    assert_eq!(version(&made["metadata"]["resourceVersion"]), version(&before).map(|n| n + 1));
    // One call converts the object to the storage version, the other one back for the answer.
    assert_eq!(calls.load(Ordering::Relaxed), 2);
}

#[tokio::test]
async fn wrong_answers_are_rejected_as_by_the_server() {
    type Wrong = fn(Value) -> Value;
    let reply = |review: &Value, response: Value| json!({"apiVersion": review["apiVersion"], "kind": "ConversionReview", "response": response});
    let cases: [(Wrong, &str); 5] = [
        (
            |_| json!({}),
            "conversion webhook for example.com/v1beta1, Kind=Endpoint failed: expected webhook response of \
             apiextensions.k8s.io/v1, Kind=ConversionReview, got /, Kind=",
        ),
        (
            |review| json!({"apiVersion": review["apiVersion"], "kind": "ConversionReview"}),
            "conversion webhook for example.com/v1beta1, Kind=Endpoint failed: no response provided",
        ),
        (
            |review| {
                let response = json!({
                    "uid": review["request"]["uid"], "result": {"status": "Failed", "message": "cannot"},
                });
                json!({"apiVersion": review["apiVersion"], "kind": "ConversionReview", "response": response})
            },
            "conversion webhook for example.com/v1beta1, Kind=Endpoint failed: cannot",
        ),
        (
            |review| {
                let response = json!({
                    "uid": review["request"]["uid"], "result": {"status": "Success"}, "convertedObjects": [],
                });
                json!({"apiVersion": review["apiVersion"], "kind": "ConversionReview", "response": response})
            },
            "conversion webhook for example.com/v1beta1, Kind=Endpoint returned 0 objects, expected 1",
        ),
        (
            |review| {
                let response = json!({
                    "uid": review["request"]["uid"], "result": {"status": "Success"},
                    "convertedObjects": review["request"]["objects"],
                });
                json!({"apiVersion": review["apiVersion"], "kind": "ConversionReview", "response": response})
            },
            "conversion webhook for example.com/v1beta1, Kind=Endpoint returned invalid object at index 0: invalid \
             groupVersion (expected example.com/v1, received example.com/v1beta1)",
        ),
    ];
    for (answer, want) in cases {
        let client = answering(answer);
        assert_eq!(send(&client, "POST", &path("v1beta1"), &old("a")).await.rejected(500), want);
    }
    let v1beta1: Wrong =
        |_| json!({"apiVersion": "apiextensions.k8s.io/v1beta1", "kind": "ConversionReview"});
    let client = answering(v1beta1);
    let rejected = send(&client, "POST", &path("v1beta1"), &old("a")).await.rejected(500);
    assert!(rejected.ends_with("(v1.ConversionReview): unknown conversion"), "{rejected}");
    for (answer, want) in [
        (
            json!(null),
            "expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got /, Kind=",
        ),
        (
            json!({"apiVersion": "v1", "kind": "Status"}),
            "converting (v1.Status) to (v1.ConversionReview): unknown conversion",
        ),
        (
            json!({"apiVersion": "apiextensions.k8s.io/v1", "kind": "Review"}),
            "no kind \"Review\" is registered for version \"apiextensions.k8s.io/v1\" in scheme \"pkg/runtime/scheme.go:111\"",
        ),
        (
            json!({"apiVersion": "v1"}),
            "no kind \"ConversionReview\" is registered for version \"v1\" in scheme \"pkg/runtime/scheme.go:111\"",
        ),
    ] {
        let client = answering(move |_| answer.clone());
        let rejected = send(&client, "POST", &path("v1beta1"), &old("a")).await.rejected(500);
        assert!(rejected.ends_with(want), "{rejected}");
    }
    for (object, want) in [
        (json!(null), "unexpected end of JSON input"),
        (json!("x"), "json: cannot unmarshal string into Go value of type map[string]interface {}"),
        (json!({}), "Object 'Kind' is missing in '{}'"),
    ] {
        let client = answering(move |review| {
            let (uid, result) = (&review["request"]["uid"], json!({"status": "Success"}));
            reply(&review, json!({"uid": uid, "result": result, "convertedObjects": [object]}))
        });
        assert_eq!(send(&client, "POST", &path("v1beta1"), &old("a")).await.rejected(500), want);
    }
    let client = answering(move |review| reply(&review, json!({"uid": "other"})));
    let rejected = send(&client, "POST", &path("v1beta1"), &old("a")).await.rejected(500);
    assert!(rejected.contains("failed: expected response.uid=\""), "{rejected}");
}

/// A write through another version than the stored one begins with the conversion of the current object to the storage
/// version; if this fails, nothing is changed or deleted. It ends with the conversion of the stored or removed object
/// for the answer; if this fails, the answer is an error although the write is done.
#[tokio::test]
async fn a_conversion_that_fails_prevents_a_write_only_if_it_comes_first() {
    const FAILS: usize = 1;
    const DOES_NOT_CONVERT_BACK: usize = 2;
    let mode = Arc::new(AtomicUsize::new(0));
    let current = Arc::clone(&mode);
    let converter = host_port::converter();
    let client = answering(move |review| {
        let mode = current.load(Ordering::Relaxed);
        let request = &review["request"];
        let stores = request["desiredAPIVersion"] == "example.com/v1";
        let is_bad = request["objects"][0]["port"] == "bad";
        if stores && mode == FAILS || !stores && is_bad {
            let response =
                json!({"uid": request["uid"], "result": {"status": "Failed", "message": "cannot"}});
            return json!({"apiVersion": review["apiVersion"], "kind": "ConversionReview", "response": response});
        }
        let answer = converter.review(review.to_string().as_bytes()).expect("a review");
        let mut answer: Value = serde_json::from_slice(&answer).expect("JSON");
        if stores && mode == DOES_NOT_CONVERT_BACK {
            answer["response"]["convertedObjects"][0]["port"] = "bad".into();
        }
        answer
    });
    for name in ["a", "b"] {
        send(&client, "POST", &path("v1beta1"), &old(name)).await.ok();
    }
    let (a, b) = (format!("{}/a", path("v1beta1")), format!("{}/b", path("v1beta1")));
    let stored = get(&client, &format!("{}/a", path("v1"))).await.ok();

    mode.store(FAILS, Ordering::Relaxed);
    let want = "conversion webhook for example.com/v1beta1, Kind=Endpoint failed: cannot";
    assert_eq!(delete(&client, &a).await.rejected(500), want);
    assert_eq!(delete(&client, &path("v1beta1")).await.rejected(500), want);
    let change = json!({"metadata": {"labels": {"x": "y"}}});
    assert_eq!(patch(&client, &a, "merge", &change).await.rejected(500), want);
    assert_eq!(get(&client, &format!("{}/a", path("v1"))).await.ok(), stored);
    // A dry run converts nothing to the storage version.
    delete(&client, &format!("{a}?dryRun=All")).await.ok();

    mode.store(DOES_NOT_CONVERT_BACK, Ordering::Relaxed);
    let want = "conversion webhook for example.com/v1, Kind=Endpoint failed: cannot";
    assert_eq!(delete(&client, &a).await.rejected(500), want);
    assert_eq!(get(&client, &a).await.code, 404, "it is gone nevertheless");

    // What is written is stored, even if the conversion for the answer fails.
    assert_eq!(send(&client, "POST", &path("v1beta1"), &old("c")).await.rejected(500), want);
    assert_eq!(patch(&client, &b, "merge", &change).await.rejected(500), want);
    for (name, labels) in [("b", &change["metadata"]["labels"]), ("c", &Value::Null)] {
        let stored = get(&client, &format!("{}/{name}", path("v1"))).await.ok();
        assert_eq!((&stored["port"], &stored["metadata"]["labels"]), (&"bad".into(), labels));
    }

    // In the storage version, nothing is converted.
    delete(&client, &b.replace("v1beta1", "v1")).await.ok();
}

#[tokio::test]
async fn a_url_is_called_over_tls() {
    let authority = Authority::new().expect("an authority");
    let directory = tempfile::tempdir().expect("a directory");
    let bound = Server::new(authority.issue(directory.path()).expect("files"))
        .listen((std::net::Ipv4Addr::LOCALHOST, 0))
        .convert("/convert", host_port::converter())
        .bind()
        .await
        .expect("listens");
    let url = format!("https://localhost:{}/convert", bound.address().port());
    tokio::spawn(bound.serve(std::future::pending()));
    let ca =
        |authority: &Authority| json!(k8s_openapi::ByteString(authority.pem().as_bytes().to_vec()));
    let serve = |ca: Value| {
        let mut definition = json!(crd());
        definition["spec"]["conversion"]["webhook"]["clientConfig"] =
            json!({"url": url, "caBundle": ca});
        ApiServer::builder().with_object(&definition).start().client()
    };
    let client = serve(ca(&authority));
    let made = send(&client, "POST", &path("v1beta1"), &old("a")).await.ok();
    assert_eq!(made["hostPort"], "example.com:80");

    let client = serve(ca(&Authority::new().expect("another")));
    let rejected = send(&client, "POST", &path("v1beta1"), &old("a")).await.rejected(500);
    let want = format!(
        "conversion webhook for example.com/v1beta1, Kind=Endpoint failed: Post \"{url}?timeout=30s\": "
    );
    assert!(rejected.starts_with(&want), "{rejected}");
    let untrusted =
        "tls: failed to verify certificate: x509: certificate signed by unknown authority";
    assert_eq!(rejected.strip_prefix(&want), Some(untrusted));

    let free = std::net::TcpListener::bind((std::net::Ipv4Addr::LOCALHOST, 0)).expect("a port");
    let down = free.local_addr().expect("an address");
    drop(free);
    let mut definition = json!(crd());
    definition["spec"]["conversion"]["webhook"]["clientConfig"] =
        json!({"url": format!("https://{down}/convert")});
    let client = ApiServer::builder().with_object(&definition).start().client();
    let rejected = send(&client, "POST", &path("v1beta1"), &old("a")).await.rejected(500);
    let want = format!("dial tcp {down}: connect: connection refused");
    assert!(rejected.ends_with(&want), "{rejected}");
}

#[tokio::test]
async fn an_unknown_service_is_named() {
    let client = ApiServer::builder().with(&crd()).start().client();
    let rejected = send(&client, "POST", &path("v1beta1"), &old("a")).await.rejected(500);
    assert_eq!(
        rejected,
        "conversion webhook for example.com/v1beta1, Kind=Endpoint failed: Post \
         \"https://endpoint-conversion.default.svc:443/convert?timeout=30s\": service \"endpoint-conversion\" not found: \
         answer for it with `ApiServerBuilder::webhook(\"endpoint-conversion.default.svc\", ..)`, or name its address with \
         `ApiServerBuilder::service_address`"
    );
}

/// A stored object that does not convert: the answers name its key and its revision.
#[tokio::test]
async fn an_object_that_does_not_convert_is_named() {
    let converter = host_port::converter();
    let client = answering(move |review| {
        let request = &review["request"];
        if request["desiredAPIVersion"] == "example.com/v1beta1"
            && request["objects"][0]["port"] == "bad"
        {
            let response =
                json!({"uid": request["uid"], "result": {"status": "Failed", "message": "cannot"}});
            return json!({"apiVersion": review["apiVersion"], "kind": "ConversionReview", "response": response});
        }
        let answer = converter.review(review.to_string().as_bytes()).expect("a review");
        serde_json::from_slice(&answer).expect("JSON")
    });
    let mut revisions = Vec::new();
    for name in ["a", "b"] {
        let object = json!({
            "apiVersion": "example.com/v1", "kind": "Endpoint", "metadata": {"name": name},
            "host": "h", "port": "bad",
        });
        let made = send(&client, "POST", &path("v1"), &object).await.ok();
        revisions.push(made["metadata"]["resourceVersion"].as_str().expect("text").to_owned());
    }
    let why = "conversion webhook for example.com/v1, Kind=Endpoint failed: cannot";
    let decodable = format!("object not decodable revision={}: {why}", revisions[0]);
    let corrupt = |registry: &str| {
        format!(
            "StorageError: corrupt object, Code: 7, Key: {registry}/example.com/endpoints/default/a, ResourceVersion: 0, \
             AdditionalErrorMsg: {decodable}"
        )
    };
    let a = format!("{}/a", path("v1beta1"));
    for answer in [get(&client, &a).await, delete(&client, &a).await] {
        assert_eq!(answer.body["reason"], "InternalError");
        assert_eq!(answer.rejected(500), format!("Internal error occurred: {}", corrupt("")));
    }
    let change = json!({"metadata": {"labels": {"x": "y"}}});
    assert_eq!(patch(&client, &a, "merge", &change).await.rejected(500), decodable);
    for answer in [get(&client, &path("v1beta1")).await, delete(&client, &path("v1beta1")).await] {
        assert_eq!(answer.body["reason"], "StorageReadError");
        assert_eq!(answer.body["details"]["causes"].as_array().map(Vec::len), Some(2));
        let want = format!(
            "failed to read one or more endpoints.example.com from the storage: {} (and 1 more)",
            corrupt("/registry")
        );
        assert_eq!(answer.rejected(500), want);
    }
}

#[tokio::test]
async fn an_answer_may_be_yaml() {
    let converter = host_port::converter();
    let service = service_fn(move |request: Request<Body>| {
        let converter = converter.clone();
        async move {
            let body = request.into_body().collect_bytes().await?;
            let answer = converter.review(&body).expect("a review");
            let answer: Value = serde_json::from_slice(&answer).map_err(kube::Error::SerdeError)?;
            let yaml = crd_runtime::yaml::to_string(&answer).into_bytes();
            Ok::<_, kube::Error>(Response::new(Body::from(yaml)))
        }
    });
    let client = ApiServer::builder().with(&crd()).webhook(HOST, service).start().client();
    let made = send(&client, "POST", &path("v1beta1"), &old("a")).await.ok();
    assert_eq!(made["hostPort"], "example.com:80");
}

/// Go's client follows redirects: with a GET, or with the same request.
#[tokio::test]
async fn redirects_are_followed() {
    let converter = host_port::converter();
    let service = |status: u16, to: &'static str| {
        let converter = converter.clone();
        let service = service_fn(move |request: Request<Body>| {
            let converter = converter.clone();
            async move {
                let response = Response::builder();
                if request.uri().path() != "/moved" {
                    let response = response.status(status).header("location", to);
                    return Ok::<_, kube::Error>(response.body(Body::empty()).expect("a response"));
                }
                if request.method() == "GET" {
                    return Ok(response.body(Body::empty()).expect("a response"));
                }
                let body = request.into_body().collect_bytes().await?;
                let answer = converter.review(&body).expect("a review");
                Ok(response.body(Body::from(answer)).expect("a response"))
            }
        });
        ApiServer::builder().with(&crd()).webhook(HOST, service).start().client()
    };
    let client = service(307, "/moved");
    let made = send(&client, "POST", &path("v1beta1"), &old("a")).await.ok();
    assert_eq!(made["hostPort"], "example.com:80");
    let failed = "conversion webhook for example.com/v1beta1, Kind=Endpoint failed: ";
    let client = service(302, "https://endpoint-conversion.default.svc:443/moved");
    assert_eq!(
        send(&client, "POST", &path("v1beta1"), &old("a")).await.rejected(500),
        format!(
            "{failed}0-length response with status code: 200 and content type: application/json"
        )
    );
    let client = service(308, "loop");
    assert_eq!(
        send(&client, "POST", &path("v1beta1"), &old("a")).await.rejected(500),
        format!("{failed}Post \"loop\": stopped after 10 redirects")
    );
    let client = service(302, "http://[");
    let rejected = send(&client, "POST", &path("v1beta1"), &old("a")).await.rejected(500);
    let want =
        "failed to parse Location header \"http://[\": parse \"http://[\": missing ']' in host";
    assert!(rejected.ends_with(want), "{rejected}");
}

/// The annotation of a converter in the process has the limit that the server has for webhooks, and labels are checked.
#[tokio::test]
async fn a_converter_of_the_process_is_checked_like_a_webhook() {
    use crd_runtime::convert::Converter;

    let labelling = Converter::new("example.com", "Endpoint")
        .without_annotation()
        .step("v1beta1", "v1", |mut object| {
            object["metadata"]["labels"] = json!({"bad key": "v v"});
            Ok(object)
        })
        .step("v1", "v1beta1", Ok);
    let client = ApiServer::builder()
        .with(&crd())
        .converter("example.com", "Endpoint", labelling)
        .start()
        .client();
    let rejected = send(&client, "POST", &path("v1beta1"), &old("a")).await.rejected(500);
    let start =
        "conversion webhook for example.com/v1beta1, Kind=Endpoint returned invalid metadata: ";
    assert!(rejected.starts_with(start), "{rejected}");
}

/// Go accepts a certificate that is in the `caBundle` itself: one that is its own authority, and one that is a leaf.
#[tokio::test]
async fn a_certificate_may_be_trusted_itself() {
    let authority = Authority::new().expect("an authority");
    for number in 0..3 {
        let directory = tempfile::tempdir().expect("a directory");
        let directory = directory.path();
        let (files, trusted) = match number {
            0 => Authority::self_signed(directory, true).expect("files"),
            1 => Authority::self_signed(directory, false).expect("files"),
            _ => {
                let files = authority.issue(directory).expect("files");
                let leaf = std::fs::read_to_string(&files.certificate).expect("a file");
                (files, leaf)
            }
        };
        let bound = Server::new(files)
            .listen((std::net::Ipv4Addr::LOCALHOST, 0))
            .convert("/convert", host_port::converter())
            .bind()
            .await
            .expect("listens");
        let url = format!("https://localhost:{}/convert", bound.address().port());
        tokio::spawn(bound.serve(std::future::pending()));
        let mut definition = json!(crd());
        definition["spec"]["conversion"]["webhook"]["clientConfig"] =
            json!({"url": url, "caBundle": k8s_openapi::ByteString(trusted.into_bytes())});
        let client = ApiServer::builder().with_object(&definition).start().client();
        let made = send(&client, "POST", &path("v1beta1"), &old("a")).await.ok();
        assert_eq!(made["hostPort"], "example.com:80", "{number}");
    }
}

/// A webhook receives the version of its rule. What fails is the conversion to that version.
#[tokio::test]
async fn an_object_that_cannot_be_converted_for_a_webhook_is_an_internal_error() {
    let failing = service_fn(|request: Request<Body>| async move {
        let body = request.into_body().collect_bytes().await?;
        let review: Value = serde_json::from_slice(&body).map_err(kube::Error::SerdeError)?;
        let response = json!({
            "uid": review["request"]["uid"], "result": {"status": "Failure", "message": "not today"},
        });
        let answer = json!({
            "apiVersion": review["apiVersion"], "kind": review["kind"], "response": response,
        });
        Ok::<_, kube::Error>(Response::new(Body::from(answer.to_string().into_bytes())))
    });
    let failed = "conversion webhook for example.com/v1beta1, Kind=Endpoint failed: not today";
    for (kind, times) in [("Mutating", 2), ("Validating", 1)] {
        let rules = json!([{
            "operations": ["*"], "apiGroups": ["example.com"], "apiVersions": ["v1"], "resources": ["*"],
        }]);
        let configuration = configuration(kind, "all", &json!({"rules": rules}));
        let server = ApiServer::builder().with(&crd()).webhook(HOST, failing).start();
        server.create(&configuration).expect("created");
        let client = server.client();
        let why = send(&client, "POST", &path("v1beta1"), &old("a")).await.rejected(500);
        assert_eq!(why, format!("{}{failed}", "Internal error occurred: ".repeat(times)));
    }
}

/// What a webhook has changed is converted when another version is needed.
#[tokio::test]
async fn a_changed_object_that_cannot_be_converted_for_the_next_webhook_is_an_internal_error() {
    use crd_runtime::convert::Converter;

    let failed = "not today";
    let internal = "Internal error occurred: ".repeat(2);
    // The second webhook receives the version of the first one, of the request, or is not there.
    for (second, prefix, times) in
        [(Some("v1beta1"), "", 2), (Some("v1"), &*internal, 1), (None, "", 1)]
    {
        let converter = Converter::new("example.com", "Endpoint")
            .without_annotation()
            .step("v1", "v1beta1", Ok)
            .step("v1beta1", "v1", move |object| {
                let is_changed = !object["metadata"]["labels"].is_null();
                if is_changed { Err(failed.into()) } else { Ok(object) }
            });
        let mut server =
            ApiServer::builder().with(&crd()).converter("example.com", "Endpoint", converter);
        let calls = Arc::new(AtomicUsize::new(0));
        for (name, version) in [("first", Some("v1beta1")), ("second", second)] {
            let Some(version) = version else { continue };
            let rules = json!([{
                "operations": ["*"], "apiGroups": ["example.com"], "apiVersions": [version], "resources": ["*"],
            }]);
            let calls = Arc::clone(&calls);
            server = server
                .with_object(&configuration("Mutating", name, &json!({"rules": rules})))
                .admission(&format!("{name}.example.com"), move |_| {
                    calls.fetch_add(1, Ordering::Relaxed);
                    let value = json!({"a": "b"});
                    AdmissionResponse::patch(json!([
                        {"op": "add", "path": "/metadata/labels", "value": value},
                    ]))
                });
        }
        let object = json!({
            "apiVersion": "example.com/v1", "kind": "Endpoint", "metadata": {"name": "a"}, "host": "h", "port": "1",
        });
        let why = send(&server.start().client(), "POST", &path("v1"), &object).await.rejected(500);
        let start =
            format!("{prefix}conversion webhook for example.com/v1beta1, Kind=Endpoint failed: ");
        assert!(why.starts_with(&start) && why.ends_with(failed), "{second:?}: {why}");
        assert_eq!(calls.load(Ordering::Relaxed), times, "{second:?}");
    }
}

#[tokio::test]
async fn a_policy_that_makes_an_object_unconvertible_is_an_internal_error() {
    use crd_runtime::convert::Converter;

    let converter = Converter::new("example.com", "Endpoint")
        .without_annotation()
        .step("v1", "v1beta1", Ok)
        .step("v1beta1", "v1", move |object| {
            let is_changed = !object["metadata"]["labels"].is_null();
            if is_changed { Err("not today".into()) } else { Ok(object) }
        });
    let expression = "[JSONPatch{op: 'add', path: '/metadata/labels', value: {'a': 'b'}}]";
    let rule = json!({
        "operations": ["*"], "apiGroups": ["example.com"], "apiVersions": ["v1beta1"], "resources": ["*"],
    });
    let object = |kind: &str, spec: Value| {
        json!({
            "apiVersion": "admissionregistration.k8s.io/v1", "kind": format!("MutatingAdmissionPolicy{kind}"),
            "metadata": {"name": "p"}, "spec": spec,
        })
    };
    let policy = json!({
        "matchConstraints": {"resourceRules": [rule]}, "reinvocationPolicy": "Never",
        "mutations": [{"patchType": "JSONPatch", "jsonPatch": {"expression": expression}}],
    });
    let server = ApiServer::builder()
        .with(&crd())
        .converter("example.com", "Endpoint", converter)
        .with_object(&object("", policy))
        .with_object(&object("Binding", json!({"policyName": "p"})))
        .start();
    let new = json!({
        "apiVersion": "example.com/v1", "kind": "Endpoint", "metadata": {"name": "a"}, "host": "h", "port": "1",
    });
    let why = send(&server.client(), "POST", &path("v1"), &new).await.rejected(500);
    let start = "Internal error occurred: failed to convert object: conversion webhook for example.com/v1beta1";
    assert!(why.starts_with(start), "{why}");
}

/// Who owns a field is known only after the stored object has been converted.
#[tokio::test]
async fn a_webhook_is_not_called_before_the_objects_are_converted() {
    let calls = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&calls);
    let rules = json!([{
        "operations": ["UPDATE"], "apiGroups": ["example.com"], "apiVersions": ["*"], "resources": ["*"],
    }]);
    let server = builder()
        .with_object(&configuration("Mutating", "all", &json!({"rules": rules})))
        .admission("all.example.com", move |request| {
            count.fetch_add(1, Ordering::Relaxed);
            let managers = request["object"]["metadata"]["managedFields"].as_array();
            let has_own = managers.is_some_and(|all| all.iter().any(|it| it["manager"] == "two"));
            if has_own { AdmissionResponse::allow() } else { AdmissionResponse::deny("untracked") }
        })
        .start();
    let client = server.client();
    send(&client, "POST", &format!("{}?fieldManager=one", path("v1beta1")), &old("a")).await.ok();
    let mut whole = get(&client, &format!("{}/a", path("v1"))).await.ok();
    whole["port"] = "81".into();
    send(&client, "PUT", &format!("{}/a?fieldManager=two", path("v1")), &whole).await.ok();
    assert_eq!(calls.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn a_new_object_is_converted_before_its_name_is_looked_up() {
    let client = answering(|review| {
        let result = json!({"status": "Failure", "message": "not today"});
        json!({
            "apiVersion": review["apiVersion"], "kind": review["kind"],
            "response": {"uid": review["request"]["uid"], "result": result},
        })
    });
    let stored = json!({
        "apiVersion": "example.com/v1", "kind": "Endpoint", "metadata": {"name": "a"}, "host": "h", "port": "1",
    });
    send(&client, "POST", &path("v1"), &stored).await.ok();
    let why = send(&client, "POST", &path("v1beta1"), &old("a")).await.rejected(500);
    assert_eq!(why, "conversion webhook for example.com/v1beta1, Kind=Endpoint failed: not today");
    let dry = format!("{}?dryRun=All", path("v1beta1"));
    let why = send(&client, "POST", &dry, &old("a")).await.rejected(409);
    assert_eq!(why, "endpoints.example.com \"a\" already exists");
}

//! Bodies of requests in Protocol Buffers, as typed clients send them.

use serde_json::{Value, json};

use crate::ask::{Answer, CRONTABS, ask, get, send, server};
use kube::Client;

const CONFIG_MAPS: &str = "/api/v1/namespaces/default/configmaps";

fn varint(mut number: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 0x80 {
        bytes.push(u8::try_from(number & 0x7f).expect("seven bits") | 0x80);
        number >>= 7;
    }
    bytes.push(u8::try_from(number).expect("seven bits"));
    bytes
}

/// Encodes a field with a text, bytes or a message.
fn field(number: usize, content: impl AsRef<[u8]>) -> Vec<u8> {
    let content = content.as_ref();
    [varint(number << 3 | 2), varint(content.len()), content.to_vec()].concat()
}

/// Encodes a field with an integer.
fn int(number: usize, value: usize) -> Vec<u8> {
    [varint(number << 3), varint(value)].concat()
}

/// Encodes an object: the prefix, the kind with its version, and the message of its fields.
fn object(api_version: &str, kind: &str, message: &[u8]) -> Vec<u8> {
    let type_meta = [field(1, api_version), field(2, kind)].concat();
    [b"k8s\0".to_vec(), field(1, type_meta), field(2, message)].concat()
}

fn named(name: &str) -> Vec<u8> {
    field(1, field(1, name))
}

async fn ask_in_protobuf(client: &Client, method: &str, path: &str, body: Vec<u8>) -> Answer {
    let headers = [("content-type", "application/vnd.kubernetes.protobuf"), ("user-agent", "go/1")];
    ask(client, method, path, headers, body).await
}

async fn create(client: &Client, path: &str, body: Vec<u8>) -> Answer {
    ask_in_protobuf(client, "POST", path, body).await
}

fn without_metadata(mut object: Value) -> Value {
    object.as_object_mut().expect("an object").remove("metadata");
    object
}

#[tokio::test]
async fn maps_bytes_and_unknown_fields_are_read() {
    let client = server().client();
    let data = [field(2, [field(1, "k"), field(2, "v")].concat()), field(2, field(1, "empty"))];
    let binary = field(3, [field(1, "b"), field(2, [0xff, 0])].concat());
    let unknown = [field(15, "x"), int(14, 7), [vec![13 << 3 | 1], vec![0; 8]].concat()].concat();
    let message = [named("a"), data.concat(), binary, int(4, 1), unknown].concat();
    let made = create(&client, CONFIG_MAPS, object("v1", "ConfigMap", &message)).await.ok();
    assert_eq!(made["metadata"]["managedFields"][0]["manager"], "go");
    let expected = json!({
        "apiVersion": "v1", "kind": "ConfigMap", "immutable": true,
        "data": {"k": "v", "empty": ""}, "binaryData": {"b": "/wA="},
    });
    assert_eq!(without_metadata(made), expected);
    // The kind and the version may be left out.
    let body = [b"k8s\0".to_vec(), field(2, named("b"))].concat();
    create(&client, CONFIG_MAPS, body).await.ok();
    assert_eq!(get(&client, &format!("{CONFIG_MAPS}/b")).await.ok()["kind"], "ConfigMap");
}

#[tokio::test]
async fn inlined_structs_quantities_ports_and_times_are_read() {
    let client = server().client();
    let limits = field(8, field(1, [field(1, "cpu"), field(2, field(1, "1500m"))].concat()));
    let http_get = |port: Vec<u8>| field(1, field(2, [field(1, "/x"), field(2, port)].concat()));
    let by_name = field(10, http_get([int(1, 1), field(3, "http")].concat()));
    let by_number = field(11, http_get([int(1, 0), int(2, 80)].concat()));
    let container = [field(1, "c"), field(2, "image"), limits, by_name, by_number].concat();
    let volume = [field(1, "v"), field(2, field(19, field(1, field(1, "settings"))))].concat();
    let spec = [field(1, volume), field(2, container)].concat();
    let started = field(3, field(7, int(1, 5)));
    let message = [named("p"), field(2, spec), started].concat();
    let pods = "/api/v1/namespaces/default/pods";
    let made = create(&client, pods, object("v1", "Pod", &message)).await.ok();
    let container = &made["spec"]["containers"][0];
    assert_eq!(container["resources"]["limits"], json!({"cpu": "1500m"}));
    assert_eq!(container["livenessProbe"]["httpGet"]["port"], "http");
    assert_eq!(container["readinessProbe"]["httpGet"]["port"], 80);
    let volume = &made["spec"]["volumes"][0];
    assert_eq!(
        *volume,
        json!({"name": "v", "configMap": {"name": "settings", "defaultMode": 420}})
    );
    let path = format!("{pods}/p/status");
    let updated = ask_in_protobuf(&client, "PUT", &path, object("v1", "Pod", &message)).await.ok();
    assert_eq!(updated["status"]["startTime"], "1970-01-01T00:00:05Z");
}

#[tokio::test]
async fn options_of_deletions_and_scales_are_read() {
    let client = server().client();
    create(&client, CONFIG_MAPS, object("v1", "ConfigMap", &named("a"))).await.ok();
    let path = format!("{CONFIG_MAPS}/a");
    let unlike = object("v1", "DeleteOptions", &field(2, field(1, "other")));
    let rejected = ask_in_protobuf(&client, "DELETE", &path, unlike).await.rejected(409);
    assert!(rejected.contains("the UID in the precondition (other)"), "{rejected}");
    let of_another = object("v1", "ConfigMap", &[]);
    assert_eq!(
        ask_in_protobuf(&client, "DELETE", &path, of_another).await.rejected(400),
        "no kind \"ConfigMap\" is registered for version \"v1\" in scheme \"pkg/runtime/scheme.go:111\""
    );
    let trial = object("apps/v1", "DeleteOptions", &field(5, "All"));
    ask_in_protobuf(&client, "DELETE", &path, trial).await.ok();
    get(&client, &path).await.ok();

    let deployments = "/apis/apps/v1/namespaces/default/deployments";
    let labels = || field(1, [field(1, "app"), field(2, "web")].concat());
    let containers = field(2, field(2, [field(1, "c"), field(2, "image")].concat()));
    let template = [field(1, field(11, [field(1, "app"), field(2, "web")].concat())), containers];
    let spec = [field(2, labels()), field(3, template.concat())].concat();
    let message = [named("web"), field(2, spec)].concat();
    create(&client, deployments, object("apps/v1", "Deployment", &message)).await.ok();
    let scale = object("autoscaling/v1", "Scale", &[named("web"), field(2, int(1, 5))].concat());
    let path = format!("{deployments}/web/scale");
    let scaled = ask_in_protobuf(&client, "PUT", &path, scale).await.ok();
    assert_eq!(scaled["spec"]["replicas"], 5);
}

#[tokio::test]
async fn kinds_of_a_second_version_are_read() {
    let client = server().client();
    let target = field(1, [field(1, "Deployment"), field(2, "web"), field(3, "apps/v1")].concat());
    let message = [named("web"), field(2, [target, int(3, 2)].concat())].concat();
    let path = "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers";
    let sent = |version: &str| object(version, "HorizontalPodAutoscaler", &message);
    assert_eq!(
        create(&client, path, sent("autoscaling/v3")).await.rejected(400),
        "HorizontalPodAutoscaler in version \"v3\" cannot be handled as a HorizontalPodAutoscaler: no kind \
         \"HorizontalPodAutoscaler\" is registered for version \"autoscaling/v3\" in scheme \
         \"pkg/runtime/scheme.go:111\""
    );
    let made = create(&client, path, sent("autoscaling/v2")).await.ok();
    assert_eq!(made["spec"]["maxReplicas"], 2);
}

#[tokio::test]
async fn reviews_are_read() {
    let client = server().client();
    let attributes = field(1, [field(1, "default"), field(2, "get"), field(5, "pods")].concat());
    let extra =
        field(5, [field(1, "k"), field(2, [field(1, "a"), field(1, "b")].concat())].concat());
    let spec = [attributes, field(3, "ada"), field(4, "team"), extra].concat();
    let body = object("authorization.k8s.io/v1", "SubjectAccessReview", &field(2, spec));
    let path = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
    let review = create(&client, path, body).await.ok();
    let expected = json!({
        "user": "ada", "groups": ["team"], "extra": {"k": ["a", "b"]},
        "resourceAttributes": {"namespace": "default", "verb": "get", "resource": "pods"},
    });
    assert_eq!(review["spec"], expected);
}

#[tokio::test]
async fn messages_that_are_no_object_are_rejected() {
    let client = server().client();
    let reject = async |body: Vec<u8>| create(&client, CONFIG_MAPS, body).await.rejected(400);
    let unrecognized = "the object provided is unrecognized (must be of type ConfigMap): ";
    assert_eq!(
        reject(b"x".to_vec()).await,
        format!(
            "{unrecognized}provided data does not appear to be a protobuf message, expected prefix [107 56 115 0] (78)"
        )
    );
    assert_eq!(reject(b"k8s\0".to_vec()).await, format!("{unrecognized}empty body (6b387300)"));
    assert_eq!(
        reject(b"k8s\0\n".to_vec()).await,
        format!("{unrecognized}unexpected EOF (6b3873000a)")
    );
    let handled = "ConfigMap in version \"v1\" cannot be handled as a ConfigMap: ";
    let mut cut = named("a");
    cut.pop();
    assert_eq!(reject(object("v1", "ConfigMap", &cut)).await, format!("{handled}unexpected EOF"));
    assert_eq!(
        reject(object("v1", "ConfigMap", &int(1, 3))).await,
        format!("{handled}proto: wrong wireType = 0 for field ObjectMeta")
    );
    let endless = [vec![15 << 3], vec![0xff; 11]].concat();
    assert_eq!(
        reject(object("v1", "ConfigMap", &endless)).await,
        format!("{handled}proto: integer overflow")
    );
    assert_eq!(
        reject(object("v1", "Nothing", &named("a"))).await,
        "Nothing in version \"v1\" cannot be handled as a ConfigMap: no kind \"Nothing\" is registered for version \
         \"v1\" in scheme \"pkg/runtime/scheme.go:111\""
    );
    // The real server closes the connection of this request.
    let rejected =
        create(&client, CRONTABS, object("stable.example.com/v1", "CronTab", &named("a")));
    assert!(rejected.await.rejected(400).contains("does not implement the protobuf marshalling"));
}

#[tokio::test]
async fn definitions_are_those_of_json() {
    const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    // What Go's type has written for the definition in `widgets.json`.
    let sent = include_str!("protobuf/widgets.base64").replace('\n', "");
    let message = crd_cel::base64::STANDARD.decode(sent.as_bytes()).expect("base64");
    let sent = object("apiextensions.k8s.io/v1", "CustomResourceDefinition", &message);
    let json: Value = serde_json::from_str(include_str!("protobuf/widgets.json")).expect("JSON");
    let made = create(&server().client(), DEFINITIONS, sent).await.ok();
    let want = send(&server().client(), "POST", DEFINITIONS, &json).await.ok();
    assert_eq!(made["spec"], want["spec"]);
    let fields = |made: &Value| made["metadata"]["managedFields"][0]["fieldsV1"].clone();
    assert_eq!(fields(&made), fields(&want));
    assert_eq!(made["metadata"]["labels"], json!({"a": "b"}));
    let cut = object(
        "apiextensions.k8s.io/v1",
        "CustomResourceDefinition",
        &message[..message.len() - 1],
    );
    let rejected = create(&server().client(), DEFINITIONS, cut).await.rejected(400);
    assert!(rejected.ends_with("unexpected EOF"), "{rejected}");
    let schema = (0..600).fold(Vec::new(), |inner, _| field(28, inner));
    let version = field(7, field(4, field(1, schema)));
    let deep = object("apiextensions.k8s.io/v1", "CustomResourceDefinition", &field(2, version));
    let rejected = create(&server().client(), DEFINITIONS, deep).await.rejected(400);
    assert!(rejected.ends_with("the object nests more than 500 levels"), "{rejected}");
    let default = field(8, field(1, b"{x"));
    let version = field(7, field(4, field(1, default)));
    let wrong = object("apiextensions.k8s.io/v1", "CustomResourceDefinition", &field(2, version));
    let rejected = create(&server().client(), DEFINITIONS, wrong).await.rejected(400);
    assert!(rejected.ends_with("looking for beginning of object key string"), "{rejected}");
    let other = object("apiextensions.k8s.io/v1", "Other", &named("a"));
    let rejected = create(&server().client(), DEFINITIONS, other).await.rejected(400);
    assert!(rejected.contains("no kind \"Other\" is registered"), "{rejected}");
}

#[tokio::test]
async fn an_object_of_another_kind_is_rejected() {
    let client = server().client();
    let expected = "Secret in version \"v1\" cannot be handled as a ConfigMap: converting (v1.Secret) to \
                    (core.ConfigMap): unknown conversion";
    let body = object("v1", "Secret", &named("a"));
    assert_eq!(create(&client, CONFIG_MAPS, body).await.rejected(400), expected);
    let body = json!({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a"}});
    assert_eq!(send(&client, "POST", CONFIG_MAPS, &body).await.rejected(400), expected);
    let body = json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}});
    let deployments = "/apis/apps/v1/namespaces/default/deployments";
    assert_eq!(
        send(&client, "POST", deployments, &body).await.rejected(400),
        "Pod in version \"v1\" cannot be handled as a Deployment: converting (v1.Pod) to (apps.Deployment): unknown \
         conversion"
    );
}

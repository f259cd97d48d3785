//! Differences between the servers of minors, other than in the validation of objects.

use crd_apiserver::ApiServer;
use crd_examples::crontab::CronTab;
use crd_runtime::CustomResource as _;
use crd_runtime::client::{InstallOptions, Outcome, install};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::Client;
use serde_json::{Value, json};

use crate::ask::{CRONTABS, ask, delete, get, get_as, object, patch, send};

const DEFINITION: &str =
    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/crontabs.stable.example.com";

/// Returns a client of a server of a minor that serves `CronTab`.
fn server(minor: &str) -> Client {
    let version = minor.parse().expect("a known minor");
    ApiServer::builder().kubernetes(version).with(&CronTab::crd()).start().client()
}

/// Sends a patch that the server must reject, and returns the message.
async fn rejected_patch(client: &Client, path: &str, content_type: &str, text: &str) -> String {
    let headers = [("content-type", content_type), ("user-agent", "tests/1")];
    ask(client, "PATCH", path, headers, text.as_bytes().to_vec()).await.rejected(400)
}

#[tokio::test]
async fn a_server_says_which_it_is() {
    for minor in ["30", "36", "37"] {
        let version = server(&format!("1.{minor}")).apiserver_version().await.expect("a version");
        assert_eq!(version.minor, minor);
        assert!(version.git_version.starts_with(&format!("v1.{minor}.")), "{version:?}");
    }
}

#[tokio::test]
async fn rules_are_those_that_the_minor_has() {
    let mut crd = json!(CronTab::crd());
    crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]["x-kubernetes-validations"] =
        json!([{"rule": "isSemver(self.cronSpec)"}]);
    for (minor, is_taken) in [("1.33", false), ("1.34", true)] {
        let client =
            ApiServer::builder().kubernetes(minor.parse().expect("known")).start().client();
        let path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
        let answer = send(&client, "POST", path, &crd).await;
        assert_eq!(answer.code, if is_taken { 201 } else { 422 }, "{minor}: {}", answer.body);
    }
}

/// A definition is installed if the server's minor has the functions of its rule, and not sent otherwise. What the
/// reference version has does not matter.
#[tokio::test]
async fn definitions_are_installed_by_the_rules_of_the_minor() {
    let cases = [
        ("isSemver(self.cronSpec)", "1.33", false),
        ("isSemver(self.cronSpec)", "1.34", true),
        ("duration(self.replicas) != duration('1s')", "1.36", true),
        ("duration(self.replicas) != duration('1s')", "1.37", false),
    ];
    for (rule, minor, is_installed) in cases {
        let mut crd = json!(CronTab::crd());
        crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]["x-kubernetes-validations"] =
            json!([{"rule": rule}]);
        let crd: CustomResourceDefinition = serde_json::from_value(crd).expect("a definition");
        let server = ApiServer::builder().kubernetes(minor.parse().expect("known")).start();
        let installed = install(&server.client(), &crd, &InstallOptions::default()).await;
        match installed {
            Ok(installed) => assert_eq!(installed.outcome, Outcome::Created, "{rule} on {minor}"),
            Err(error) => assert!(error.is_preflight() && !is_installed, "{minor}: {error}"),
        }
        let answer = get(&server.client(), DEFINITION).await;
        assert_eq!(answer.code, if is_installed { 200 } else { 404 }, "{rule} on {minor}");
    }
}

#[tokio::test]
async fn tables_of_definitions() {
    let table = "application/json;as=Table;v=v1;g=meta.k8s.io";
    let names = |table: &Value| -> Vec<String> {
        let columns = table["columnDefinitions"].as_array().cloned().unwrap_or_default();
        columns.iter().map(|it| it["name"].as_str().unwrap_or_default().to_owned()).collect()
    };
    let now = get_as(&server("1.37"), DEFINITION, table).await.ok();
    assert_eq!(
        names(&now),
        ["Name", "Scope", "Versions", "Created At", "Group", "Kind", "ShortNames", "Established"]
    );
    let mut cells = now["rows"][0]["cells"].as_array().expect("cells").clone();
    assert!(cells.remove(3).is_string(), "a time");
    assert_eq!(
        cells,
        [
            "crontabs.stable.example.com".into(),
            "Namespaced".into(),
            "v1(storage)".into(),
            "stable.example.com".into(),
            "CronTab".into(),
            "ct".into(),
            Value::from(true),
        ]
    );
    let before = get_as(&server("1.36"), DEFINITION, table).await.ok();
    assert_eq!(names(&before), ["Name", "Created At"]);
}

#[tokio::test]
async fn bodies_that_are_no_patch() {
    let path = format!("{CRONTABS}/a");
    let (now, before) = (server("1.37"), server("1.36"));
    for client in [&now, &before] {
        send(client, "POST", CRONTABS, &object("a", 2)).await.ok();
    }
    let merge = "application/merge-patch+json";
    assert_eq!(rejected_patch(&now, &path, merge, "{").await, "invalid JSON patch");
    let text = rejected_patch(&before, &path, merge, "{").await;
    assert!(text.starts_with("error decoding patch: "), "{text}");

    let apply = "application/apply-patch+yaml";
    let path = format!("{path}?fieldManager=me");
    let text = rejected_patch(&now, &path, apply, "a: [").await;
    assert!(text.starts_with("error encoding patch: yaml: "), "{text}");
    let text = rejected_patch(&now, &path, apply, "{a: [").await;
    assert!(
        text.starts_with("error decoding patch: error converting YAML to JSON: yaml: "),
        "{text}"
    );
    let text = rejected_patch(&before, &path, apply, "a: [").await;
    assert!(
        text.starts_with("error decoding YAML: error converting YAML to JSON: yaml: "),
        "{text}"
    );
}

#[tokio::test]
async fn preconditions_of_a_deletion() {
    for (minor, word) in [("1.37", "precondition"), ("1.36", "Precondition")] {
        let client = server(minor);
        let uid = get(&client, DEFINITION).await.ok()["metadata"]["uid"].take();
        let uid = uid.as_str().expect("a uid").to_owned();
        let options = json!({"preconditions": {"uid": "another"}});
        assert_eq!(
            send(&client, "DELETE", DEFINITION, &options).await.rejected(409),
            format!(
                "Operation cannot be fulfilled on customresourcedefinitions.apiextensions.k8s.io \
                 \"crontabs.stable.example.com\": {word} failed: UID in precondition: another, UID in object meta: {uid}"
            )
        );
    }
}

#[tokio::test]
async fn objects_of_a_definition_that_is_being_deleted() {
    for (minor, code) in [("1.37", 403), ("1.36", 201)] {
        let client = server(minor);
        let finalizer = json!({"metadata": {"finalizers": ["example.com/x"]}});
        patch(&client, DEFINITION, "merge", &finalizer).await.ok();
        delete(&client, DEFINITION).await.ok();
        // Its objects are deleted, but a finalizer keeps the definition.
        assert_eq!(get(&client, DEFINITION).await.code, 200);
        let made = send(&client, "POST", CRONTABS, &object("a", 2)).await;
        assert_eq!(made.code, code, "{minor}: {}", made.body);
    }
}

#[tokio::test]
async fn an_apply_that_creates_drops_fields_about_deletion() {
    for (minor, kept) in [("1.37", None), ("1.36", Some(5))] {
        let client = server(minor);
        let mut config = object("a", 2);
        config["metadata"]["deletionGracePeriodSeconds"] = 5.into();
        let path = format!("{CRONTABS}/a?fieldManager=me");
        let made = patch(&client, &path, "apply", &config).await.ok();
        assert_eq!(made["metadata"]["deletionGracePeriodSeconds"].as_i64(), kept, "{minor}");
    }
}

#[tokio::test]
async fn an_apply_that_empties_a_map() {
    let spec = json!({"type": "object", "properties": {
        "sizes": {"type": "object", "additionalProperties": {"type": "integer"}},
        "names": {"type": "object", "nullable": true, "additionalProperties": {"type": "string"}},
    }});
    let crd = crd_fixtures::crd("example.com", "Crate").spec("v1", spec).json();
    let path = "/apis/example.com/v1/namespaces/default/crates/a?fieldManager=me";
    let config = |spec: Value| json!({"apiVersion": "example.com/v1", "kind": "Crate", "metadata": {"name": "a"}, "spec": spec});
    for minor in ["1.35", "1.36", "1.37"] {
        let client = ApiServer::builder()
            .kubernetes(minor.parse().expect("known"))
            .with_object(&crd)
            .start()
            .client();
        let full = config(json!({"names": {"a": "x"}, "sizes": {"a": 1}}));
        patch(&client, path, "apply", &full).await.ok();
        let no_names = config(json!({"names": {}, "sizes": {"a": 1}}));
        let now = patch(&client, path, "apply", &no_names).await.ok();
        let want = if minor == "1.36" { json!({}) } else { Value::Null };
        assert_eq!(now["spec"].get("names"), Some(&want), "{minor}");
        // An emptied map becomes null, which is invalid unless it is nullable; only 1.36 keeps it as `{}`.
        let no_sizes = config(json!({"names": {}, "sizes": {}}));
        let answer = patch(&client, path, "apply", &no_sizes).await;
        if minor == "1.36" {
            assert_eq!(answer.ok()["spec"]["sizes"], json!({}));
        } else {
            let rejected = answer.rejected(422);
            assert!(rejected.contains("must be of type object: \"null\""), "{minor}: {rejected}");
        }
    }
}

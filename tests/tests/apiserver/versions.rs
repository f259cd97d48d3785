//! Objects that are stored in another version than they are written or read in, without a webhook.

use crd_apiserver::ApiServer;
use crd_fixtures::crd;
use crd_runtime::migrate::Migration;
use kube::Client;
use serde_json::{Value, json};

use crate::ask::{get, patch, send};

fn path(version: &str) -> String {
    format!("/apis/example.com/{version}/namespaces/default/tanks")
}

fn tank(version: &str, name: &str, spec: &Value) -> Value {
    json!({
        "apiVersion": format!("example.com/{version}"), "kind": "Tank", "metadata": {"name": name},
        "spec": spec,
    })
}

/// Returns a client of a server of a kind that is stored as v1 and has another schema in each version.
fn client() -> Client {
    client_of([
        json!({
            "size": {"type": "integer", "default": 1}, "newer": {"type": "string", "default": "n"},
            "color": {"type": "string", "nullable": true},
        }),
        json!({
            "size": {"type": "integer", "default": 2}, "older": {"type": "string", "default": "o"},
            "color": {"type": "string"},
        }),
    ])
}

/// Returns a client of a server of a kind with these properties of the spec in v1 and v1beta1.
fn client_of([newer, older]: [Value; 2]) -> Client {
    let spec = |properties: Value| json!({"type": "object", "properties": properties});
    let definition =
        crd("example.com", "Tank").spec("v1", spec(newer)).spec("v1beta1", spec(older));
    ApiServer::builder().with_object(&definition.json()).start().client()
}

#[tokio::test]
async fn the_stored_version_decides_what_is_kept() {
    let client = client();
    let written = tank("v1beta1", "a", &json!({"older": "x", "color": "red"}));
    // `older` is not a field of the storage version v1, and `newer` is not a field of v1beta1.
    let want = json!({"size": 2, "color": "red"});
    let dry = send(&client, "POST", &format!("{}?dryRun=All", path("v1beta1")), &written).await;
    assert_eq!(dry.ok()["spec"], want);
    let made = send(&client, "POST", &path("v1beta1"), &written).await.ok();
    assert_eq!((&made["apiVersion"], &made["spec"]), (&json!("example.com/v1beta1"), &want));
    assert_eq!(get(&client, &format!("{}/a", path("v1beta1"))).await.ok()["spec"], want);
    let newer = get(&client, &format!("{}/a", path("v1"))).await.ok();
    assert_eq!(newer["spec"], json!({"size": 2, "color": "red", "newer": "n"}));

    // The generation is computed before the conversion, so that a change of a field that is not stored increases it.
    let mut again = made.clone();
    again["spec"]["older"] = "y".into();
    let next = send(&client, "PUT", &format!("{}/a", path("v1beta1")), &again).await.ok();
    assert_eq!((&next["metadata"]["generation"], &next["spec"]), (&json!(2), &want));
}

#[tokio::test]
async fn the_stored_version_decides_defaults() {
    let client = client();
    let spec = json!({"color": null});
    let made = send(&client, "POST", &path("v1"), &tank("v1", "a", &spec)).await.ok();
    assert_eq!(made["spec"], json!({"size": 1, "newer": "n", "color": null}));
    // v1beta1 has no `newer` and allows no null color. Defaults are those of the storage version, which has no `older`.
    let older = get(&client, &format!("{}/a", path("v1beta1"))).await.ok();
    assert_eq!(older["spec"], json!({"size": 1}));
    let list = get(&client, &path("v1beta1")).await.ok();
    assert_eq!(list["items"][0]["spec"], json!({"size": 1}));
}

/// A manager that has written in a version that the definition no longer has.
#[tokio::test]
async fn an_apply_fails_for_a_manager_of_a_version_that_is_gone() {
    let client = ApiServer::new().client();
    let definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    let open = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    let definition = |versions: &[&str]| {
        let mut definition = crd("example.com", "Thing").cluster();
        for (number, name) in versions.iter().enumerate() {
            let at = |key: &str| format!("/spec/versions/{number}/{key}");
            definition = definition.version(name, &open).set(&at("served"), *name != "v3");
        }
        definition.json()
    };
    send(&client, "POST", definitions, &definition(&["v1", "v2"])).await.ok();
    let applied = |version: &str, size: u32| {
        json!({
            "apiVersion": format!("example.com/{version}"), "kind": "Thing",
            "metadata": {"name": "a"}, "spec": {"size": size},
        })
    };
    let path = |version: &str| format!("/apis/example.com/{version}/things/a?fieldManager=me");
    patch(&client, &path("v2"), "apply", &applied("v2", 1)).await.ok();
    patch(&client, &path("v1"), "apply", &applied("v1", 2)).await.ok();
    patch(&client, &path("v2"), "apply", &applied("v2", 3)).await.ok();
    let at = format!("{definitions}/things.example.com");
    patch(&client, &at, "merge", &definition(&["v1", "v3"])).await.ok();
    let rejected = patch(&client, &path("v1"), "apply", &applied("v1", 4)).await;
    assert_eq!(
        rejected.rejected(500),
        "request to convert CR to an invalid group/version: example.com/v2"
    );
    // A write that is not an apply keeps the managed fields as they are.
    let merged = patch(&client, &path("v1"), "merge", &json!({"spec": {"size": 5}})).await.ok();
    assert_eq!(merged["metadata"]["managedFields"][0]["apiVersion"], "example.com/v2");
}

/// A version can be removed once no manager has written in it: an apply converts objects to the versions of all managers.
#[tokio::test]
async fn a_migration_removes_the_managers_of_versions_that_are_not_served() {
    let same = json!({"size": {"type": "integer"}, "color": {"type": "string"}});
    let client = client_of([same.clone(), same]);
    for (version, manager, spec) in
        [("v1beta1", "old", json!({"size": 3})), ("v1", "new", json!({"color": "red"}))]
    {
        let at = format!("{}/a?fieldManager={manager}", path(version));
        patch(&client, &at, "apply", &tank(version, "a", &spec)).await.ok();
    }
    let definition = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/tanks.example.com";
    let unserved = json!([{"op": "replace", "path": "/spec/versions/1/served", "value": false}]);
    patch(&client, definition, "json", &unserved).await.ok();
    let migration = Migration::new(client.clone(), "tanks.example.com");
    let done = migration.run(|_| ()).await.expect("migrated");
    assert_eq!(done.progress.rewritten, 1);
    let read = get(&client, &format!("{}/a", path("v1"))).await.ok();
    let managers: Vec<&Value> = read["metadata"]["managedFields"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|entry| &entry["manager"])
        .collect();
    assert_eq!(managers, ["new"]);
    assert_eq!(read["spec"]["size"], 3);
    let removed = json!([{"op": "remove", "path": "/spec/versions/1"}]);
    patch(&client, definition, "json", &removed).await.ok();
    let at = format!("{}/a?fieldManager=old", path("v1"));
    let applied = patch(&client, &at, "apply", &tank("v1", "a", &json!({"size": 4}))).await.ok();
    assert_eq!(applied["spec"]["size"], 4);
}

//! Objects that are deleted with their owners or their namespace.

use crd_apiserver::ApiServer;
use kube::Client;
use serde_json::{Value, json};

use crate::ask::{delete, get, patch, send};

const MAPS: &str = "/api/v1/namespaces/default/configmaps";

async fn make(client: &Client, name: &str, owners: &[&Value]) -> Value {
    let references: Vec<Value> = owners
        .iter()
        .map(|owner| {
            json!({
                "apiVersion": "v1", "kind": "ConfigMap", "name": owner["metadata"]["name"],
                "uid": owner["metadata"]["uid"], "blockOwnerDeletion": true,
            })
        })
        .collect();
    let body = json!({"metadata": {"name": name, "ownerReferences": references}});
    send(client, "POST", MAPS, &body).await.ok()
}

async fn is_there(client: &Client, name: &str) -> bool {
    get(client, &format!("{MAPS}/{name}")).await.code == 200
}

#[tokio::test]
async fn dependents_go_with_their_last_owner() {
    let client = ApiServer::new().client();
    let a = make(&client, "a", &[]).await;
    let b = make(&client, "b", &[]).await;
    let c = make(&client, "c", &[&a, &b]).await;
    make(&client, "d", &[&c]).await;
    delete(&client, &format!("{MAPS}/a")).await.ok();
    let c = get(&client, &format!("{MAPS}/c")).await.ok();
    assert_eq!(c["metadata"]["ownerReferences"].as_array().map(Vec::len), Some(1));
    delete(&client, &format!("{MAPS}/b")).await.ok();
    assert!(!is_there(&client, "c").await);
    assert!(!is_there(&client, "d").await);
}

#[tokio::test]
async fn orphans_stay() {
    let client = ApiServer::new().client();
    let a = make(&client, "a", &[]).await;
    make(&client, "b", &[&a]).await;
    let orphan = json!({"propagationPolicy": "Orphan"});
    send(&client, "DELETE", &format!("{MAPS}/a"), &orphan).await.ok();
    assert!(!is_there(&client, "a").await);
    let b = get(&client, &format!("{MAPS}/b")).await.ok();
    assert_eq!(b["metadata"].get("ownerReferences"), None);
}

#[tokio::test]
async fn an_owner_waits_in_the_foreground() {
    let client = ApiServer::new().client();
    let a = make(&client, "a", &[]).await;
    let b = make(&client, "b", &[&a]).await;
    let hold = json!({"metadata": {"finalizers": ["example.com/x"]}});
    patch(&client, &format!("{MAPS}/b"), "merge", &hold).await.ok();
    let foreground = json!({"propagationPolicy": "Foreground"});
    let going = send(&client, "DELETE", &format!("{MAPS}/a"), &foreground).await.ok();
    assert_eq!(going["metadata"]["finalizers"], json!([FOREGROUND]));
    assert!(is_there(&client, "a").await && is_there(&client, "b").await);
    let b_now = get(&client, &format!("{MAPS}/b")).await.ok();
    assert_eq!(b_now["metadata"]["uid"], b["metadata"]["uid"]);
    assert!(b_now["metadata"]["deletionTimestamp"].is_string());
    patch(&client, &format!("{MAPS}/b"), "merge", &json!({"metadata": {"finalizers": null}}))
        .await
        .ok();
    assert!(!is_there(&client, "a").await && !is_there(&client, "b").await);
}

const FOREGROUND: &str = "foregroundDeletion";

async fn delete_in_foreground(client: &Client, name: &str) {
    let foreground = json!({"propagationPolicy": "Foreground"});
    send(client, "DELETE", &format!("{MAPS}/{name}"), &foreground).await.ok();
}

#[tokio::test]
async fn an_owner_does_not_wait_for_what_another_owner_keeps() {
    let client = ApiServer::new().client();
    let a = make(&client, "a", &[]).await;
    let b = make(&client, "b", &[]).await;
    make(&client, "c", &[&a, &b]).await;
    delete_in_foreground(&client, "a").await;
    assert!(!is_there(&client, "a").await);
    let c = get(&client, &format!("{MAPS}/c")).await.ok();
    let owners = c["metadata"]["ownerReferences"].as_array().expect("a list");
    assert_eq!(owners.iter().map(|owner| &owner["name"]).collect::<Vec<_>>(), ["b"]);
}

#[tokio::test]
async fn an_owner_goes_once_its_dependent_no_longer_blocks_it() {
    let client = ApiServer::new().client();
    for change in [json!(null), json!(false)] {
        let a = make(&client, "a", &[]).await;
        make(&client, "b", &[&a]).await;
        let b = format!("{MAPS}/b");
        let hold = json!({"metadata": {"finalizers": ["example.com/x"]}});
        patch(&client, &b, "merge", &hold).await.ok();
        delete_in_foreground(&client, "a").await;
        assert!(is_there(&client, "a").await);
        let mut owners = get(&client, &b).await.ok()["metadata"]["ownerReferences"].clone();
        if change.is_null() {
            owners = change;
        } else {
            owners[0]["blockOwnerDeletion"] = change;
        }
        patch(&client, &b, "merge", &json!({"metadata": {"ownerReferences": owners}})).await.ok();
        assert!(!is_there(&client, "a").await);
        patch(&client, &b, "merge", &json!({"metadata": {"finalizers": null}})).await.ok();
        assert!(!is_there(&client, "b").await);
    }
}

#[tokio::test]
async fn owners_in_a_circle_do_not_wait_for_each_other() {
    let client = ApiServer::new().client();
    let a = make(&client, "a", &[]).await;
    let b = make(&client, "b", &[&a]).await;
    let owner = json!([{
        "apiVersion": "v1", "kind": "ConfigMap", "name": "b", "uid": b["metadata"]["uid"],
        "blockOwnerDeletion": true,
    }]);
    let circle = json!({"metadata": {"ownerReferences": owner}});
    patch(&client, &format!("{MAPS}/a"), "merge", &circle).await.ok();
    delete_in_foreground(&client, "a").await;
    assert!(!is_there(&client, "a").await && !is_there(&client, "b").await);
}

#[tokio::test]
async fn an_owner_that_cannot_be_looked_up_keeps_its_dependents_as_they_are() {
    let client = ApiServer::new().client();
    let a = make(&client, "a", &[]).await;
    let reference = |kind: &str, name: &str, uid: &Value| json!({"apiVersion": "v1", "kind": kind, "name": name, "uid": uid});
    let known = reference("ConfigMap", "a", &a["metadata"]["uid"]);
    let missing = reference("ConfigMap", "nobody", &json!("none"));
    let unknown = reference("Widget", "w", &json!("1"));
    let owners = json!([known, missing, unknown]);
    let body = json!({"metadata": {"name": "b", "ownerReferences": owners}});
    send(&client, "POST", MAPS, &body).await.ok();
    let b = get(&client, &format!("{MAPS}/b")).await.ok();
    assert_eq!(b["metadata"]["ownerReferences"], owners);
    // An object without a namespace cannot have an owner in one.
    let nodes = "/api/v1/nodes";
    let body = json!({"metadata": {"name": "n", "ownerReferences": [missing]}});
    send(&client, "POST", nodes, &body).await.ok();
    assert_eq!(get(&client, &format!("{nodes}/n")).await.code, 200);
}

#[tokio::test]
async fn an_owner_that_never_existed_keeps_no_dependents() {
    let client = ApiServer::new().client();
    let nobody = json!({"metadata": {"name": "nobody", "uid": "none"}});
    make(&client, "a", &[&nobody]).await;
    assert!(!is_there(&client, "a").await);
    let client = ApiServer::builder().without_controllers().start().client();
    make(&client, "a", &[&nobody]).await;
    assert!(is_there(&client, "a").await);
}

#[tokio::test]
async fn namespaces_are_emptied() {
    let client = ApiServer::new().client();
    let spaces = "/api/v1/namespaces";
    let made = send(&client, "POST", spaces, &json!({"metadata": {"name": "x"}})).await.ok();
    assert_eq!(made["status"]["phase"], "Active");
    assert_eq!(made["metadata"]["labels"], json!({"kubernetes.io/metadata.name": "x"}));
    let maps = "/api/v1/namespaces/x/configmaps";
    let held = json!({"metadata": {"name": "a", "finalizers": ["example.com/x"]}});
    send(&client, "POST", maps, &held).await.ok();
    send(&client, "POST", maps, &json!({"metadata": {"name": "b"}})).await.ok();
    let going = delete(&client, &format!("{spaces}/x")).await.ok();
    assert_eq!(going["status"]["phase"], "Terminating");
    assert_eq!(get(&client, &format!("{maps}/b")).await.code, 404);
    let rejected = send(&client, "POST", maps, &json!({"metadata": {"name": "c"}})).await;
    assert_eq!(rejected.body["details"]["causes"][0]["reason"], "NamespaceTerminating");
    assert_eq!(
        rejected.rejected(403),
        "configmaps \"c\" is forbidden: unable to create new content in namespace x because it is being terminated"
    );
    patch(&client, &format!("{maps}/a"), "merge", &json!({"metadata": {"finalizers": null}}))
        .await
        .ok();
    assert_eq!(get(&client, &format!("{spaces}/x")).await.code, 404);
    assert_eq!(
        delete(&client, &format!("{spaces}/default")).await.rejected(403),
        "namespaces \"default\" is forbidden: this namespace may not be deleted"
    );
}

//! Transcripts of requests, the roles that they need, and snapshots.

use std::pin::pin;

use crd_apiserver::faults::{Fault, Requests};
use crd_apiserver::{ApiServer, Mask, Transcript};
use crd_examples::crontab::CronTab;
use crd_runtime::rbac::Permissions;
use futures::StreamExt as _;
use k8s_openapi::api::coordination::v1::Lease;
use k8s_openapi::api::core::v1::{ConfigMap, Namespace, Secret};
use kube::api::{Api, DeleteParams, ListParams, Patch, PatchParams, PostParams, WatchParams};
use serde_json::json;

use crate::ask::{builder, crontab, server};

#[tokio::test(start_paused = true)]
async fn masked_transcripts_of_two_runs_are_equal() {
    let run = async || {
        let server = server();
        let recording = server.record();
        let api: Api<CronTab> = Api::namespaced(server.client_of("operator"), "default");
        let params = PatchParams::apply("operator").force();
        let mut object = crontab("a", 2);
        object.metadata.managed_fields = None;
        api.patch("a", &params, &Patch::Apply(&object)).await.expect("applied");
        let listed = api.list(&ListParams::default()).await.expect("listed");
        let version = listed.metadata.resource_version.expect("a version");
        drop(api.watch(&WatchParams::default().timeout(5), &version).await.expect("a watch"));
        let other: Api<ConfigMap> = Api::namespaced(server.client(), "default");
        other.get_opt("x").await.expect("an answer");
        recording.transcript()
    };
    let (first, second) = (run().await, run().await);
    let masked = first.clone().masked(Mask::default());
    assert_eq!(masked, second.masked(Mask::default()));
    let want = "\
operator: PATCH /apis/stable.example.com/v1/namespaces/default/crontabs/a?&force=true&fieldManager=operator -> 201
operator: GET /apis/stable.example.com/v1/namespaces/default/crontabs -> 200
operator: GET /apis/stable.example.com/v1/namespaces/default/crontabs?watch=true&timeoutSeconds=5\
&allowWatchBookmarks=true&resourceVersion=version -> 200
GET /api/v1/namespaces/default/configmaps/x -> 404
";
    // Whether kube begins a query with `?&` or with `?` is not compared.
    let shown = masked.to_string().replace("?&", "?").replace('?', "?&");
    let want = want.replace("?&", "?").replace('?', "?&");
    assert_eq!(shown, want);
    assert_eq!(masked.of_client("operator").exchanges().len(), 3);
    assert_eq!(masked.writes().exchanges().len(), 1);
    let full = format!("{:#}", masked.writes());
    assert!(full.contains("\n  body:\n    apiVersion: stable.example.com/v1\n"), "{full}");
    assert!(full.contains("\n      uid: uid-1\n"), "{full}");
}

#[tokio::test(start_paused = true)]
async fn transcripts_show_the_events_of_watches() {
    let server = ApiServer::new();
    let api: Api<Secret> = Api::default_namespaced(server.client_of("operator"));
    let params = WatchParams::default().disable_bookmarks();
    // The watch begins before the recording.
    let mut events = pin!(api.watch(&params, "0").await.expect("a watch"));
    let recording = server.record();
    let object = json!({
        "apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}, "data": {"key": "c2VjcmV0"},
    });
    server.create(&object).expect("created");
    events.next().await;
    api.get("s").await.expect("read");
    server.delete::<Secret>("default", "s").expect("deleted");
    events.next().await;
    server.inject(Requests::of("secrets").verb("watch"), Fault::EndWatch { after: 1 });
    server.create(&object).expect("created");
    let mut short = pin!(api.watch(&params, "0").await.expect("a watch"));
    while short.next().await.is_some() {}
    let transcript = recording.transcript();
    let printed = transcript.to_string();
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines.len(), 5, "{printed}");
    assert_eq!(lines[0], "operator: <- ADDED v1 Secret default/s");
    assert_eq!(lines[1], "operator: GET /api/v1/namespaces/default/secrets/s -> 200");
    assert_eq!(lines[2], "operator: <- DELETED v1 Secret default/s");
    assert!(lines[3].contains("watch=true"), "{printed}");
    assert_eq!(lines[4], lines[0]);
    assert_eq!(transcript.writes(), Transcript::default());
    assert_eq!(transcript.of_client("other"), Transcript::default());
    let watches = transcript.filtered(|info| info.verb == "watch");
    assert_eq!(watches.to_string().lines().nth(1), Some(lines[2]));
    assert_eq!(
        transcript.events().next().map(|event| &event.object["kind"]),
        Some(&json!("Secret"))
    );
    let full = format!("{transcript:#}");
    assert!(
        full.contains("\n  object:\n    apiVersion: v1\n") && !full.contains("c2VjcmV0"),
        "{full}"
    );
    recording.clear();
    assert_eq!(recording.transcript(), Transcript::default());
}

#[tokio::test(start_paused = true)]
async fn masked_events_of_two_runs_are_equal() {
    let map =
        |name: &str| json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}});
    let run = async |others: &[&str]| {
        let server = ApiServer::builder().seed(others.len() as u64).start();
        for name in others {
            server.create(&map(name)).expect("created");
        }
        let recording = server.record();
        let api: Api<ConfigMap> = Api::default_namespaced(server.client());
        let version = api.list(&ListParams::default().labels("a=b")).await.expect("listed");
        let version = version.metadata.resource_version.expect("a version");
        let mut events = pin!(api.watch(&WatchParams::default(), &version).await.expect("a watch"));
        server.create(&map("x")).expect("created");
        events.next().await;
        recording.transcript().filtered(|info| info.verb == "watch").masked(Mask::default())
    };
    let transcript = run(&[]).await;
    assert_eq!(transcript.events().count(), 1);
    assert_eq!(transcript, run(&["a", "b"]).await);
}

#[tokio::test(start_paused = true)]
async fn the_least_roles_are_those_that_the_requests_need() {
    let server = server();
    let recording = server.record();
    let client = server.client_of("operator");
    let all: Api<CronTab> = Api::all(client.clone());
    all.list(&ListParams::default()).await.expect("listed");
    let api: Api<CronTab> = Api::namespaced(client.clone(), "default");
    let apply = PatchParams::apply("operator");
    let mut object = crontab("a", 2);
    object.metadata.managed_fields = None;
    api.patch("a", &apply, &Patch::Apply(&object)).await.expect("applied");
    let status = json!({"status": {"replicas": 2}});
    let params = PatchParams::default();
    api.patch_status("a", &params, &Patch::Merge(&status)).await.expect("patched");
    api.delete_collection(&DeleteParams::default(), &ListParams::default()).await.expect("deleted");
    let namespaces: Api<Namespace> = Api::all(client.clone());
    namespaces.get("default").await.expect("there");
    client.apiserver_version().await.expect("a version");
    let leases: Api<Lease> = Api::namespaced(client.clone(), "default");
    let lease = serde_json::from_value(json!({"metadata": {"name": "l"}})).expect("a lease");
    leases.replace("l", &PostParams::default(), &lease).await.expect("created by an update");

    let needed = recording.transcript().of_client("operator").permissions("operator");
    let want = "\
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: operator
rules:
- apiGroups:
  - \"\"
  resources:
  - namespaces
  verbs:
  - get
- apiGroups:
  - stable.example.com
  resources:
  - crontabs
  verbs:
  - list
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: operator
  namespace: default
rules:
- apiGroups:
  - coordination.k8s.io
  resources:
  - leases
  verbs:
  - create
  - update
- apiGroups:
  - stable.example.com
  resources:
  - crontabs
  verbs:
  - create
  - deletecollection
  - patch
- apiGroups:
  - stable.example.com
  resources:
  - crontabs/status
  verbs:
  - patch
";
    assert_eq!(needed.to_yaml(), want);
    let wide = needed.cluster_wide();
    assert!(wide.compare(&needed).to_string().starts_with("missing: "));
    assert!(needed.compare(&wide).missing.is_empty());
    let granted = want.replace("deletecollection", "delete");
    let granted = Permissions::from_yaml(&granted).expect("roles");
    assert_eq!(
        needed.compare(&granted).to_string(),
        "missing: deletecollection crontabs.stable.example.com in namespace default\n\
         superfluous: delete crontabs.stable.example.com in namespace default\n"
    );
    recording.clear();
    assert!(recording.transcript().exchanges().is_empty());
}

#[tokio::test(start_paused = true)]
async fn rules_name_the_objects_with_fixed_names() {
    let server = server();
    let recording = server.record();
    let leases: Api<Lease> = Api::default_namespaced(server.client_of("operator"));
    let lease: Lease =
        serde_json::from_value(json!({"metadata": {"name": "leader"}})).expect("a lease");
    leases.create(&PostParams::default(), &lease).await.expect("created");
    leases.get("leader").await.expect("there");
    let change = Patch::Merge(json!({"spec": {"holderIdentity": "me"}}));
    leases.patch("leader", &PatchParams::default(), &change).await.expect("patched");
    let only = ListParams::default().fields("metadata.name=leader");
    leases.list(&only).await.expect("listed");
    leases.delete("leader", &DeleteParams::default()).await.expect("deleted");
    leases.get_opt("other").await.expect("an answer");

    let transcript = recording.transcript();
    let fixed = [("leases.coordination.k8s.io", "leader")];
    let named = transcript.permissions_with_names("operator", &fixed);
    let rules =
        named.roles()[0].rules.iter().map(|rule| (&rule.resource_names[..], &rule.verbs[..]));
    let text = |text: &str| text.to_owned();
    assert_eq!(
        rules.collect::<Vec<_>>(),
        [
            (&[][..], &[text("create"), text("get")][..]),
            (&[text("leader")][..], &[text("delete"), text("list"), text("patch")][..]),
        ]
    );
    let all = transcript.permissions("operator");
    assert!(all.roles()[0].rules[0].resource_names.is_empty());
    assert!(named.compare(&all).missing.is_empty());
}

#[tokio::test(start_paused = true)]
async fn masked_snapshots_of_two_runs_are_equal() {
    let run = async |seed: u64| {
        let server = builder().seed(seed).start();
        let api: Api<CronTab> = Api::namespaced(server.client(), "default");
        api.create(&PostParams::default(), &crontab("a", 2)).await.expect("created");
        let before = server.snapshot();
        let scale = Patch::Merge(json!({"spec": {"replicas": 3}}));
        api.patch("a", &PatchParams::default(), &scale).await.expect("patched");
        (before, server.snapshot())
    };
    let ((first, later), (_, other)) = (run(1).await, run(2).await);
    assert_ne!(later, other);
    let masked = later.clone().masked(Mask::default());
    assert_eq!(masked, other.masked(Mask::default()));
    let want = "\
---
apiVersion: stable.example.com/v1
kind: CronTab
metadata:
  creationTimestamp: time
  generation: 2
  name: a
  namespace: default
  resourceVersion: version
  uid: uid-1
spec:
  cronSpec: '* * * * *'
  replicas: 3
";
    // The mask numbers only the ids in the selected objects.
    let only = later.only(&["crontabs.stable.example.com"]).masked(Mask::default());
    assert_eq!(only.to_string().replace('"', "'"), want);
    let mask = Mask { versions: true, times: true, managed_fields: true, ids: false };
    let changes = first.masked(mask).changes(&later.masked(mask));
    assert_eq!(
        changes.to_string(),
        "~ stable.example.com/v1 CronTab default/a\n    metadata.generation: 1 -> 2\n    spec.replicas: 2 -> 3\n"
    );
}

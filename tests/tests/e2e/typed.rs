//! The typed client and apply configurations.

use crd_runtime::client::{Api, InstallOptions, Outcome, install};
use crd_runtime::differences::Difference;
use crd_runtime::{CrdSchema, CustomResource};
use kube::ResourceExt as _;
use kube::api::{DeleteParams, ListParams, PatchParams, PostParams};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::cluster::{Cluster, compares_texts, eventually};

/// A gadget.
#[derive(CustomResource, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[crd(group = "gadgets.example.com", version = "v1", kind = "Gadget", namespaced, apply)]
#[crd(status = GadgetStatus, scale(spec = ".spec.replicas", status = ".status.replicas"))]
#[crd(derive(PartialEq))]
pub(crate) struct GadgetSpec {
    #[crd(selectable)]
    color: String,
    #[crd(minimum = 0, maximum = 9, default = 1)]
    replicas: i32,
    #[crd(list_type = "map", list_map_keys("name"), max_items = 8)]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    ports: Vec<Port>,
    #[crd(rule("self != 'no'", message = "must not be no"), max_length = 10)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[crd(apply(keys("name")))]
pub(crate) struct Port {
    name: String,
    port: i32,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[crd(apply)]
pub(crate) struct GadgetStatus {
    replicas: i32,
}

fn gadget(name: &str, color: &str) -> Gadget {
    let spec = GadgetSpec { color: color.to_owned(), replicas: 1, ports: Vec::new(), note: None };
    Gadget::new(name, spec)
}

/// Makes each call of the typed client once.
pub(crate) async fn client(cluster: Cluster) {
    let options = InstallOptions::default();
    let installed = install(&cluster.client, &Gadget::crd(), &options).await.expect("installed");
    assert_eq!((installed.outcome, &*installed.warnings), (Outcome::Created, &[][..]));
    let again = install(&cluster.client, &Gadget::crd(), &options).await.expect("installed");
    // If the server drops the selectable field, each installation is a change.
    let is_kept = Difference::SelectableFields.is_in(cluster.kubernetes);
    assert_eq!(again.outcome, if is_kept { Outcome::Unchanged } else { Outcome::Updated });
    let mut other = Gadget::crd();
    "Cluster".clone_into(&mut other.spec.scope);
    let error = install(&cluster.client, &other, &options).await.expect_err("rejected");
    assert!(error.is_invalid() && error.is_preflight(), "{error}");

    let kubernetes = cluster.kubernetes;
    let api: Api<Gadget> = Api::namespaced(cluster.client.clone(), "default").on(kubernetes);
    let (params, checked) = (PostParams::default(), api.checked().expect("compiles"));
    eventually("gadgets", async || api.list(&ListParams::default()).await.ok()).await;

    // The server rejects the same object with the same message.
    let mut bad = gadget("bad", "red");
    bad.spec.replicas = 12;
    bad.spec.note = Some("no".to_owned());
    let here = checked.create(&params, &bad).await.expect_err("rejected");
    let there = api.create(&params, &bad).await.expect_err("rejected");
    assert!(here.is_preflight() && !there.is_preflight());
    assert!(here.is_invalid() && there.is_invalid());
    let (mut ours, mut server) = (here.field_errors(), there.field_errors());
    ours.sort_by_text();
    server.sort_by_text();
    if compares_texts(kubernetes) {
        assert_eq!(ours.to_string(), server.to_string());
    }
    assert_eq!((ours.len(), server.len()), (2, 2), "{ours}");

    let created = checked.create(&params, &gadget("one", "red")).await.expect("created");
    assert_eq!(created.spec.replicas, 1);
    let error = api.create(&params, &gadget("one", "red")).await.expect_err("there");
    assert!(error.is_already_exists() && error.to_string().contains("one"), "{error}");

    // `modify` writes only what the closure changes: a closure that changes nothing sends no write.
    let written =
        checked.modify("one", &params, |gadget| gadget.spec.replicas = 2).await.expect("written");
    assert_eq!((written.outcome, written.object.spec.replicas), (Outcome::Updated, 2));
    let written = api.modify("one", &params, |_| {}).await.expect("read");
    assert_eq!(written.outcome, Outcome::Unchanged);
    let error = checked.modify("one", &params, |gadget| gadget.spec.replicas = 10).await;
    assert!(error.expect_err("rejected").is_preflight());
    let mut stale = created.clone();
    "blue".clone_into(&mut stale.spec.color);
    let error = api.replace("one", &params, &stale).await.expect_err("stale");
    assert!(error.is_conflict(), "{error}");
    for (name, outcome) in
        [("two", Outcome::Created), ("two", Outcome::Updated), ("two", Outcome::Unchanged)]
    {
        let replicas = if outcome == Outcome::Created { 3 } else { 4 };
        let change = |gadget: &mut Gadget| gadget.spec.replicas = replicas;
        let written = checked
            .create_or_update(&params, &gadget(name, "blue"), change)
            .await
            .expect("written");
        assert_eq!((written.outcome, written.object.spec.replicas), (outcome, replicas));
    }

    assert_eq!(api.get_status("one").await.expect("an answer"), None);
    let change = |gadget: &mut Gadget| gadget.status = Some(GadgetStatus { replicas: 2 });
    checked.modify_status("one", &params, change).await.expect("written");
    let status = GadgetStatus { replicas: 5 };
    api.patch_status("two", &PatchParams::default(), &status).await.expect("written");
    assert_eq!(api.get_status("two").await.expect("an answer"), Some(status));
    let scale = api.set_replicas("one", 7).await.expect("scaled");
    assert_eq!(scale.spec.and_then(|spec| spec.replicas), Some(7));
    assert_eq!(scale.status.map(|status| status.replicas), Some(2));
    let error = api.set_replicas("one", 70).await.expect_err("too many");
    assert!(error.is_invalid(), "{error}");

    let selector = Gadget::fields().color().eq("blue");
    let found = api.list(&selector.into()).await;
    if Difference::SelectableFields.is_in(kubernetes) {
        let items = found.expect("listed").items;
        assert_eq!(items.iter().map(kube::ResourceExt::name_any).collect::<Vec<_>>(), ["two"]);
    } else {
        let error = found.expect_err("the server has dropped the field").to_string();
        assert!(error.contains("field label not supported: spec.color"), "{error}");
    }

    assert!(api.get("three").await.expect_err("not there").is_not_found());
    assert_eq!(api.get_opt("three").await.expect("an answer"), None);
    api.delete("two", &DeleteParams::default()).await.expect("deleted");
    assert_eq!(api.get_opt("two").await.expect("an answer"), None);
    applied(&api).await;
}

/// Server-side apply by two managers.
async fn applied(api: &Api<Gadget>) {
    let name = "applied";
    let first = GadgetApply::new()
        .label("app", "web")
        .spec(GadgetSpecApply::new().color("red").ports([PortApply::new("http").port(80)]));
    let would_be = api.apply(name, &first, "first").dry_run().await.expect("applied");
    assert_eq!(would_be.spec.color, "red");
    assert_eq!(api.get_opt(name).await.expect("an answer"), None, "a dry run stores nothing");
    let object = api.apply(name, &first, "first").strict().await.expect("applied");
    assert_eq!((&*object.spec.color, object.spec.replicas), ("red", 1));
    let second = GadgetApply::new()
        .spec(GadgetSpecApply::new().replicas(3).ports([PortApply::new("https").port(443)]));
    let object = api.apply(name, &second, "second").await.expect("applied");
    assert_eq!((&*object.spec.color, object.spec.replicas, object.spec.ports.len()), ("red", 3, 2));

    let other = GadgetApply::new().spec(GadgetSpecApply::new().color("blue"));
    let error = api.apply(name, &other, "third").await.expect_err("owned by the first");
    assert!(error.is_conflict(), "{error}");
    let conflicts = error.manager_conflicts();
    assert_eq!(conflicts.len(), 1, "{conflicts:?}");
    let object = api.apply(name, &other, "third").force().await.expect("taken over");
    assert_eq!(object.spec.color, "blue");

    // A configuration can be extracted from the object, and a field that a manager no longer applies is removed.
    let extracted = GadgetApply::extract(&object, "second").expect("extracted");
    assert_eq!(
        serde_json::to_value(extracted).expect("JSON")["spec"],
        json!({"replicas": 3, "ports": [{"name": "https", "port": 443}]})
    );
    // Applying an extracted configuration changes nothing. With changes, it changes only these fields.
    let mut extracted = GadgetApply::extract(&object, "second").expect("extracted");
    let same = api.apply(name, &extracted, "second").await.expect("applied");
    assert_eq!(same.metadata.resource_version, object.metadata.resource_version);
    let spec = extracted.spec.as_mut().expect("a spec");
    spec.replicas = Some(5);
    spec.ports.get_or_insert_default().push(PortApply::new("admin").port(8080));
    let object = api.checked().expect("compiles").apply(name, &extracted, "second").await;
    let object = object.expect("applied");
    let ports: Vec<&str> = object.spec.ports.iter().map(|port| &*port.name).collect();
    assert_eq!((object.spec.replicas, &*object.spec.color), (5, "blue"));
    assert_eq!(ports, ["http", "https", "admin"]);
    let again = GadgetApply::extract(&object, "second").expect("extracted");
    let json = |config: &GadgetApply| serde_json::to_value(config).expect("JSON");
    assert_eq!(json(&again), json(&extracted));

    let less = GadgetApply::new().spec(GadgetSpecApply::new().replicas(4));
    let object = api.apply(name, &less, "second").await.expect("applied");
    let ports: Vec<&str> = object.spec.ports.iter().map(|port| &*port.name).collect();
    assert_eq!((object.spec.replicas, &*ports), (4, &["http"][..]));
    assert_eq!(object.labels().get("app").map(String::as_str), Some("web"));

    let status = GadgetApply::new().status(GadgetStatusApply::new().replicas(4));
    let object = api.apply(name, &status, "second-status").status().await.expect("applied");
    assert_eq!(object.status, Some(GadgetStatus { replicas: 4 }));
}

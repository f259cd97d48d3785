//! Runs the client from the guide's page on controllers, unchanged, against a double of the API server.

use crd_runtime::CustomResource as _;
use page::{Site, SiteSpec, publish};
use serde_json::{Value, json};

use super::double::Double;

#[allow(
    dead_code,
    missing_docs,
    unreachable_pub,
    clippy::pedantic,
    clippy::print_stderr,
    unused_qualifications,
    reason = "a page shows the shortest code"
)]
mod page {
    include!(concat!(env!("OUT_DIR"), "/guide_controller.rs"));
}

/// The answer to `/version`.
fn version() -> Value {
    json!({"gitVersion": "v1.37.2"})
}

#[tokio::test]
async fn the_code_of_the_page_sends_the_expected_requests() {
    let mut crd = serde_json::to_value(Site::crd()).unwrap();
    crd["status"] = json!({
        "acceptedNames": crd["spec"]["names"], "storedVersions": ["v1"],
        "conditions": [{"type": "Established", "status": "True"}],
    });
    let site = json!({
        "apiVersion": "example.com/v1", "kind": "Site",
        "metadata": {"name": "blog", "namespace": "prod", "resourceVersion": "1"},
        "spec": {"host": "example.com", "theme": "dark"},
    });
    let list = json!({"apiVersion": "example.com/v1", "kind": "SiteList", "metadata": {}, "items": [site]});
    let missing: Value =
        json!({"kind": "Status", "code": 404, "reason": "NotFound", "message": "no"});
    let double = Double::new()
        .answer(404, &missing)
        .answer(200, &version())
        .answer(201, &crd)
        .answer(200, &crd)
        .answer(200, &list)
        .answer(201, &site)
        .answer(200, &site)
        .answer(200, &site)
        .answer(200, &list);
    let spec = SiteSpec { host: "example.com".to_owned() };
    assert_eq!(publish(double.client(), spec).await.unwrap(), 1);
    let requests = double.requests();
    assert_eq!(requests[7].body["spec"], json!({"host": "example.org", "theme": "dark"}));
    let selector = "sites?&fieldSelector=spec.host%3Dexample.org";
    assert!(requests[8].uri.ends_with(selector), "{}", requests[8].uri);
}

#[tokio::test]
async fn an_invalid_site_is_not_sent() {
    let mut crd = serde_json::to_value(Site::crd()).unwrap();
    crd["status"] = json!({
        "acceptedNames": crd["spec"]["names"], "storedVersions": ["v1"],
        "conditions": [{"type": "Established", "status": "True"}],
    });
    let list =
        json!({"apiVersion": "example.com/v1", "kind": "SiteList", "metadata": {}, "items": []});
    let missing: Value =
        json!({"kind": "Status", "code": 404, "reason": "NotFound", "message": "no"});
    let double = Double::new()
        .answer(404, &missing)
        .answer(200, &version())
        .answer(201, &crd)
        .answer(200, &crd)
        .answer(200, &list);
    let spec = SiteSpec { host: "a".repeat(254) };
    let error = publish(double.client(), spec).await.unwrap_err();
    assert!(error.is_invalid(), "{error}");
    assert_eq!(error.field_errors().iter().next().unwrap().field, "spec.host");
    assert_eq!(double.requests().len(), 5);
}

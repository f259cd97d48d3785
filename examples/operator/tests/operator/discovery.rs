//! What clients learn about the kind before they use it: from discovery, and from OpenAPI documents.

use http::Request;
use kube::Discovery;
use serde_json::Value;
use website_operator::recording::builder;

use crate::Outcome;

#[tokio::test(start_paused = true)]
async fn clients_find_the_kind() -> Outcome {
    let discovery =
        Discovery::new(builder().start().client()).filter(&["example.com"]).run().await?;
    let group = discovery.get("example.com").ok_or("no group")?;
    let versions: Vec<&str> = group.versions().collect();
    assert_eq!(versions, ["v1", "v1beta1"]);
    let (resource, capabilities) = group.recommended_kind("Website").ok_or("no kind")?;
    assert_eq!((&*resource.version, &*resource.plural), ("v1", "websites"));
    let subresources = capabilities.subresources.iter().map(|(it, _)| it.plural.as_str());
    assert_eq!(subresources.collect::<Vec<_>>(), ["status", "scale"]);
    Ok(())
}

/// The documents by which `kubectl explain` describes the kind, and `kubectl apply` validates manifests.
#[tokio::test(start_paused = true)]
async fn clients_find_the_schema() -> Outcome {
    let client = builder().start().client();
    let get = async |path: &str| {
        let request = Request::get(path).body(Vec::new()).expect("a request");
        client.request::<Value>(request).await
    };
    let index = get("/openapi/v3").await?;
    let url = &index["paths"]["apis/example.com/v1"]["serverRelativeURL"];
    let document = get(url.as_str().ok_or("no document")?).await?;
    let properties = &document["components"]["schemas"]["com.example.v1.Website"]["properties"];
    let spec = &properties["spec"]["properties"];
    assert_eq!(spec["host"]["description"], "The host name. It cannot be changed.");
    assert_eq!(spec["replicas"]["default"], 1);
    Ok(())
}

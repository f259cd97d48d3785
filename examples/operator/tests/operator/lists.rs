//! What `kubectl get` and other clients ask for.

use http::Request;
use kube::Client;
use kube::api::{Api, ListParams};
use serde_json::{Value, json};
use website_operator::recording::{builder, website};
use website_operator::website::Website;

use crate::Outcome;

/// Returns the client of a server with the websites `a`, `b` and `c`, of the hosts `a.example.com` and so on.
fn client() -> Client {
    let mut server = builder();
    for name in ["a", "b", "c"] {
        let mut website = website();
        website.metadata.name = Some(name.to_owned());
        website.spec.host = format!("{name}.example.com");
        server = server.with_object(&website);
    }
    server.start().client()
}

#[tokio::test(start_paused = true)]
async fn a_table_has_the_columns_of_the_kind() -> Outcome {
    let request = Request::get("/apis/example.com/v1/namespaces/default/websites")
        .header("accept", "application/json;as=Table;v=v1;g=meta.k8s.io")
        .body(Vec::new())?;
    let table: Value = client().request(request).await?;
    let columns = table["columnDefinitions"].as_array().into_iter().flatten();
    let names: Vec<&Value> = columns.map(|column| &column["name"]).collect();
    assert_eq!(names, ["Name", "Host", "Replicas"]);
    assert_eq!(table["rows"][0]["cells"], json!(["a", "a.example.com", 2]));
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn websites_are_found_by_their_hosts() -> Outcome {
    let api = Api::<Website>::default_namespaced(client());
    let of_b = ListParams::default().fields("spec.host=b.example.com");
    let found = api.list_metadata(&of_b).await?.items;
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].metadata.name.as_deref(), Some("b"));
    // Only the fields that are marked with `selectable` can be selected.
    let of_two = ListParams::default().fields("spec.replicas=2");
    let rejected = api.list(&of_two).await.expect_err("not selectable");
    assert!(rejected.to_string().contains("field label not supported: spec.replicas"));
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn long_lists_come_in_pages() -> Outcome {
    let api = Api::<Website>::default_namespaced(client());
    let mut params = ListParams::default().limit(2);
    let first = api.list(&params).await?;
    assert_eq!((first.items.len(), first.metadata.remaining_item_count), (2, Some(1)));
    params.continue_token = first.metadata.continue_;
    let last = api.list(&params).await?;
    assert_eq!(last.items.len(), 1);
    assert_eq!(last.metadata.continue_.unwrap_or_default(), "");
    Ok(())
}

//! Programs that are stopped after each of their requests.

use crd_apiserver::{ApiServer, Interruptions};
use k8s_openapi::api::core::v1::ConfigMap;
use kube::Client;
use kube::api::{Api, Patch, PatchParams, PostParams};
use serde_json::json;

/// Adds 1 to the number in a config map, and then sets `done`. If `is_idempotent`, the new number does not depend
/// on the stored one, so that a second run after a stop changes nothing.
async fn add(client: Client, is_idempotent: bool) -> Result<(), kube::Error> {
    let api: Api<ConfigMap> = Api::default_namespaced(client);
    let found = api.get("x").await?;
    let text = |key: &str| {
        let data = found.data.as_ref().and_then(|data| data.get(key));
        data.and_then(|text| text.parse::<i32>().ok()).unwrap_or_default()
    };
    let params = PatchParams::default();
    let next = if is_idempotent { 1 } else { text("number") + 1 };
    let number = json!({"data": {"number": next.to_string()}});
    api.patch("x", &params, &Patch::Merge(&number)).await?;
    let done = json!({"data": {"done": "yes"}});
    api.patch("x", &params, &Patch::Merge(&done)).await?;
    Ok(())
}

fn server() -> ApiServer {
    let config = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x"}});
    ApiServer::builder().with_object(&config).start()
}

#[tokio::test(start_paused = true)]
async fn an_idempotent_program_reaches_the_same_final_state() {
    let run = async |_: ApiServer, client| add(client, true).await;
    // Other clients are not counted.
    let stops = Interruptions::new()
        .check(server, async |server: ApiServer, client| {
            let other: Api<ConfigMap> = Api::default_namespaced(server.client());
            other.get("x").await?;
            run(server, client).await
        })
        .await
        .expect("the same end");
    assert_eq!(stops, 3);
}

#[tokio::test(start_paused = true)]
async fn a_program_that_counts_twice_is_found() {
    let run = async |_: ApiServer, client| add(client, false).await;
    let found = Interruptions::new().check(server, run).await.expect_err("another final state");
    assert_eq!(
        found.to_string(),
        "stopped after request 2 (PATCH /api/v1/namespaces/default/configmaps/x), the next run reaches another \
         final state:\n~ v1 ConfigMap default/x\n    data.number: \"1\" -> \"2\"\n"
    );
    assert_eq!((found.stop, found.transcript.exchanges().len()), (2, 2));
    let ignoring = Interruptions::new().ignoring("configmaps");
    assert_eq!(ignoring.check(server, run).await.expect("nothing to compare"), 3);
}

#[tokio::test(start_paused = true)]
async fn a_program_that_fails_or_hangs_is_found() {
    let create = async |_: ApiServer, client| {
        let api: Api<ConfigMap> = Api::default_namespaced(client);
        let config = serde_json::from_value(json!({"metadata": {"name": "x"}})).expect("one");
        api.create(&PostParams::default(), &config).await.map(drop)
    };
    let found = Interruptions::new().check(ApiServer::new, create).await.expect_err("no success");
    let text = found.to_string();
    assert!(text.starts_with("stopped after request 1 (POST "), "{text}");
    assert!(text.contains("the next run fails: ") && text.contains("already exists"), "{text}");
    let hang = async |_: ApiServer, _| std::future::pending::<Result<(), kube::Error>>().await;
    let found = Interruptions::new().check(server, hang).await.expect_err("no end");
    assert_eq!(found.to_string(), "the run without a stop does not end within 600s");
}

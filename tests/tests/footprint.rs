//! Limits for the memory that the API server of tests holds and allocates, which does not depend on other work on the
//! machine. Its speed, compared with kube's client alone and a real server, is measured in `bench`.

use std::alloc::System;

use crd_apiserver::ApiServer;
use crd_examples::crontab::{CronTab, CronTabSpec};
use crd_runtime::CustomResource as _;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::Client;
use kube::api::{Api, ListParams, PostParams};
use serde_json::json;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// The most bytes that a server may hold for each byte of the JSON of its objects, with their managed fields.
const HELD_PER_BYTE: usize = 3;
/// The most blocks that a creation may allocate, in kube's client and in the server.
const ALLOCATIONS: usize = 330;
/// The number of servers of one test binary at a time.
const SERVERS: usize = 1_000;
/// The most bytes that a server with one object of a built-in kind may hold.
const HELD_BY_SERVER: usize = 64 << 10;

fn crontab(name: &str) -> CronTab {
    let spec = CronTabSpec {
        cron_spec: "* * * * */5".to_owned(),
        image: Some("my-awesome-cron-image".to_owned()),
        replicas: 1,
    };
    CronTab::new(name, spec)
}

/// Returns the length of an object's JSON, in bytes.
async fn length(client: &Client, name: &str) -> usize {
    let path = format!("/apis/stable.example.com/v1/namespaces/default/crontabs/{name}");
    let request = http::Request::get(path).body(Vec::new()).expect("a request");
    client.request_text(request).await.expect("an object").trim_end().len()
}

/// Creates objects in a server that has one already, and checks how much this allocates and holds.
async fn store(objects: usize) {
    let server = ApiServer::builder().with(&CronTab::crd()).start();
    let client = server.client();
    let api: Api<CronTab> = Api::namespaced(client.clone(), "default");
    let params = PostParams { field_manager: Some("test".to_owned()), ..PostParams::default() };
    // The first object also allocates what all objects of its kind share.
    api.create(&params, &crontab("first")).await.expect("created");
    let region = Region::new(ALLOCATOR);
    let mut allocations = 0;
    for number in 0..objects {
        let object = crontab(&format!("n{number:04}"));
        let before = ALLOCATOR.stats().allocations;
        api.create(&params, &object).await.expect("created");
        allocations += ALLOCATOR.stats().allocations - before;
    }
    let change = region.change();
    let held = change.bytes_allocated - change.bytes_deallocated;
    let json = objects * length(&client, "first").await;
    assert!(
        held <= HELD_PER_BYTE * json,
        "{objects} objects of {json} bytes hold {held}, more than {HELD_PER_BYTE} times as many"
    );
    let each = allocations / objects;
    assert!(each <= ALLOCATIONS, "a creation allocates {each} blocks, more than {ALLOCATIONS}");
}

/// Starts many servers, each with a client and an object, and checks how much they hold.
async fn start() {
    let start = |number: usize| {
        let object = json!({
            "apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": format!("of-{number}")},
        });
        let server = ApiServer::builder().with_object(&object).start();
        let client = server.client();
        (server, client)
    };
    let region = Region::new(ALLOCATOR);
    let servers: Vec<_> = (0..SERVERS).map(start).collect();
    let change = region.change();
    let each = (change.bytes_allocated - change.bytes_deallocated) / SERVERS;
    assert!(each <= HELD_BY_SERVER, "a server holds {each} bytes, more than {HELD_BY_SERVER}");
    for (number, (_, client)) in servers.into_iter().enumerate().step_by(100) {
        let maps: Api<ConfigMap> = Api::default_namespaced(client);
        let maps = maps.list(&ListParams::default()).await.expect("a list");
        let names: Vec<_> = maps.items.into_iter().map(|map| map.metadata.name).collect();
        assert_eq!(names, [Some(format!("of-{number}"))]);
    }
}

/// A single test, because the allocator counts the allocations of all threads.
#[tokio::test]
async fn a_server_needs_little_memory() {
    for objects in [1, 1_000] {
        store(objects).await;
    }
    start().await;
}

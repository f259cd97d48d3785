//! A storage migration during which other events happen, in every order.
//!
//! After every request, the test checks the law of the model server: `status.storedVersions` names each version that an
//! object is stored in.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use crd_runtime::migrate::{Checkpoint, Error, Migration};
use http::{Request, Response, StatusCode};
use kube::Client;
use kube::client::Body;
use serde_json::{Value, json};

/// An event during the migration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Event {
    /// The other version becomes the storage version.
    Flip,
    /// An object is created.
    Create,
    /// The first object is written.
    Touch,
    /// The definition is deleted with its objects, and created again with one object.
    Recreate,
    /// The migration's process ends; another begins at its last checkpoint.
    Crash,
}

/// All events. A story is a sequence of up to three of them; those of three have only the first three events.
const EVENTS: [Event; 5] =
    [Event::Flip, Event::Crash, Event::Recreate, Event::Create, Event::Touch];

/// The number of requests before which an event can happen. A migration of two objects, one on each page, takes seven
/// requests; a second round takes as many again.
const SLOTS: usize = 9;

struct Server {
    uid: u32,
    generation: i64,
    resource_version: u64,
    storage_version: &'static str,
    stored_versions: Vec<String>,
    /// The version that each object is stored in.
    objects: BTreeMap<String, &'static str>,
    /// The events that are still to come, each with the number of the request before which it happens.
    script: Vec<(usize, Event)>,
    requests: usize,
}

impl Server {
    fn new(script: &[(usize, Event)]) -> Self {
        let objects = [("a".to_owned(), "v1"), ("c".to_owned(), "v1")];
        Self {
            uid: 1,
            generation: 1,
            resource_version: 1,
            storage_version: "v2",
            stored_versions: vec!["v1".to_owned(), "v2".to_owned()],
            objects: objects.into(),
            script: script.to_vec(),
            requests: 0,
        }
    }

    /// Applies an event. Returns whether the migration's process survives it.
    fn apply(&mut self, event: Event) -> bool {
        match event {
            Event::Flip => {
                self.storage_version = if self.storage_version == "v1" { "v2" } else { "v1" };
                self.generation += 1;
                self.resource_version += 1;
                // Source: `PrepareForUpdate`, `registry/customresourcedefinition/strategy.go`.
                let storage = self.storage_version.to_owned();
                if !self.stored_versions.contains(&storage) {
                    self.stored_versions.push(storage);
                }
            }
            Event::Create => drop(self.objects.insert("b".to_owned(), self.storage_version)),
            Event::Touch => {
                if let Some(first) = self.objects.values_mut().next() {
                    *first = self.storage_version;
                }
            }
            Event::Recreate => {
                self.uid += 1;
                self.generation = 1;
                self.resource_version += 1;
                self.storage_version = "v1";
                self.stored_versions = vec!["v1".to_owned()];
                self.objects = [("a".to_owned(), "v1")].into();
                self.apply(Event::Flip);
            }
            Event::Crash => return false,
        }
        true
    }

    fn definition(&self) -> Value {
        let version = |name: &str| json!({"name": name, "served": true, "storage": self.storage_version == name});
        crd_fixtures::crd("example.com", "Job")
            .set("/metadata/uid", self.uid.to_string())
            .set("/metadata/generation", self.generation)
            .set("/metadata/resourceVersion", self.resource_version.to_string())
            .set("/spec/versions", [version("v1"), version("v2")])
            .set("/status", json!({"storedVersions": self.stored_versions}))
            .json()
    }

    /// Returns a page of one object: the one after that which the token names.
    fn list(&self, token: Option<&str>) -> Value {
        let mut rest =
            self.objects.keys().filter(|name| token.is_none_or(|token| name.as_str() > token));
        let items: Vec<Value> = rest.next().into_iter().map(|name| meta(name)).collect();
        let mut metadata = json!({});
        if let (Some(_), Some(last)) = (rest.next(), items.first()) {
            metadata["continue"] = last["metadata"]["name"].clone();
        }
        json!({"kind": "PartialObjectMetadataList", "apiVersion": "meta.k8s.io/v1",
            "metadata": metadata, "items": items})
    }

    fn answer(
        &mut self,
        method: &str,
        path: &str,
        token: Option<&str>,
        body: &Value,
    ) -> (u16, Value) {
        const CRD: &str =
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/jobs.example.com";
        let status = |code: u16| {
            (
                code,
                json!({"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "code": code}),
            )
        };
        if method == "GET" && path == CRD {
            return (200, self.definition());
        }
        if method == "GET" {
            return (200, self.list(token));
        }
        if path.starts_with(CRD) {
            let resource_version = self.resource_version.to_string();
            if body["metadata"]["resourceVersion"] != resource_version {
                return status(409);
            }
            self.stored_versions =
                serde_json::from_value(body["status"]["storedVersions"].clone()).expect("versions");
            self.resource_version += 1;
            return (200, self.definition());
        }
        let name = path.rsplit('/').next().unwrap_or_default();
        let storage_version = self.storage_version;
        match self.objects.get_mut(name) {
            None => status(404),
            Some(version) => {
                *version = storage_version;
                (200, meta(name))
            }
        }
    }

    #[track_caller]
    fn check_stored_versions(&self, story: &[(usize, Event)]) {
        for (name, version) in &self.objects {
            assert!(
                self.stored_versions.iter().any(|stored| stored == version),
                "`{name}` is stored in {version}, which {:?} lacks, after {story:?}",
                self.stored_versions
            );
        }
    }
}

fn meta(name: &str) -> Value {
    json!({"kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1",
        "metadata": {"name": name, "namespace": "default"}})
}

fn client(server: &Arc<Mutex<Server>>, story: &[(usize, Event)]) -> Client {
    let (server, story) = (Arc::clone(server), story.to_vec());
    let service = tower::service_fn(move |request: Request<Body>| {
        let (server, story) = (Arc::clone(&server), story.clone());
        async move {
            let (head, body) = request.into_parts();
            let body = body.collect_bytes().await?;
            let body: Value = serde_json::from_slice(&body).unwrap_or_default();
            let query = head.uri.query().unwrap_or_default();
            let token = query.split('&').find_map(|pair| pair.strip_prefix("continue="));
            let mut server = server.lock().expect("one at a time");
            let now = server.requests;
            server.requests += 1;
            while let Some(at) = server.script.iter().position(|(slot, _)| *slot == now) {
                let (_, event) = server.script.remove(at);
                if !server.apply(event) {
                    return Err("the process ended".into());
                }
                server.check_stored_versions(&story);
            }
            let (code, answer) = server.answer(head.method.as_str(), head.uri.path(), token, &body);
            server.check_stored_versions(&story);
            drop(server);
            let answer = Response::builder()
                .status(StatusCode::from_u16(code)?)
                .body(Body::from(answer.to_string().into_bytes()))?;
            Ok::<_, tower::BoxError>(answer)
        }
    });
    Client::new(service, "default")
}

/// Runs migrations until one ends without a crash. Returns whether it has dropped the old version.
async fn run(story: &[(usize, Event)]) -> bool {
    let server = Arc::new(Mutex::new(Server::new(story)));
    let mut checkpoint: Option<Checkpoint> = None;
    for _ in 0..=story.len() {
        let mut migration = Migration::new(client(&server, story), "jobs.example.com").page(1);
        if let Some(checkpoint) = checkpoint.take() {
            // Programs keep checkpoints as JSON.
            let text = serde_json::to_string(&checkpoint).expect("JSON");
            migration = migration.resume_from(serde_json::from_str(&text).expect("a checkpoint"));
        }
        let mut last = None;
        match migration.run(|progress| last.clone_from(&progress.checkpoint)).await {
            Ok(done) => {
                let server = server.lock().expect("one at a time");
                assert_eq!(server.stored_versions, [done.storage_version], "{story:?}");
                return true;
            }
            Err(Error::Request { .. }) => checkpoint = last,
            Err(_) => return false,
        }
    }
    panic!("more requests fail than crashes are in {story:?}")
}

#[tokio::test(start_paused = true)]
async fn no_version_is_dropped_that_an_object_is_stored_in() {
    let (mut stories, mut done) = (0, 0);
    let mut all: Vec<Vec<(usize, Event)>> = vec![Vec::new()];
    for length in 1..=3 {
        let shorter: Vec<_> =
            all.iter().filter(|story| story.len() + 1 == length).cloned().collect();
        for story in shorter {
            let first = story.last().map_or(0, |(slot, _)| *slot);
            for slot in first..SLOTS {
                let events = if length == 3 { &EVENTS[..3] } else { &EVENTS };
                if length == 3 && story.iter().any(|(_, event)| !events.contains(event)) {
                    continue;
                }
                for event in events.iter().copied() {
                    let mut longer = story.clone();
                    longer.push((slot, event));
                    all.push(longer);
                }
            }
        }
    }
    for story in &all {
        stories += 1;
        done += usize::from(run(story).await);
    }
    // Many migrations succeed, and many fail because the storage version has changed to another one.
    assert_eq!(stories, 5_626);
    assert!(done > stories / 3 && done < stories, "{done} of {stories} came to an end");
}

//! Differential testing over HTTP: sends generated sequences of requests to a real kube-apiserver and to the API server
//! of tests.
//!
//! Status, headers, bodies and events must be equal except for ids, times and versions ([`mask`]).
//! The real server runs without a controller-manager, so neither server collects garbage or empties namespaces.

mod admission;
mod built_in;
mod built_in_objects;
mod built_in_specs;
mod clients;
mod cluster_specs;
mod generate;
mod hooks;
mod kinds;
mod lifecycle;
mod mask;
mod memory;
mod namespaces;
mod objects;
mod patches;
mod policies;
mod server;
mod shrink;
mod step;
mod watches;
mod webhook;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use std::{fs, process};

use crd_apiserver::{ApiServer, ApiServerBuilder, Listening};
use serde_json::{Value, json};

use self::kinds::Target;
use self::lifecycle::DEFINITIONS;
use self::server::Server;
use self::step::{Reads, Step};

/// How long definitions may take to be served or deleted.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long the background work after a write may take. A real server checks every five seconds whether objects still
/// prevent the deletion of a definition.
const SETTLING: Duration = Duration::from_secs(12);

/// The most attempts to remove the objects of a run.
const ATTEMPTS: usize = 5;

/// The length in bytes from which on a value that differs is shown without the answers around it.
const LONG: usize = 400;

/// The options of a run.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// The least number of requests.
    pub requests: u64,
    /// The seed; the same seed gives the same requests.
    pub seed: u64,
    /// Runs only the sequence with this number.
    pub only: Option<u64>,
    /// The number of disagreements after which the run stops.
    pub show: usize,
    /// Whether sequences that disagree are shortened, which takes many requests.
    pub shrinks: bool,
    /// Whether widgets convert by a webhook, and admission webhooks are called in some sequences. Then all sequences are
    /// about objects of the two definitions.
    pub webhook: bool,
}

/// The result of a run.
#[derive(Debug, Default)]
pub struct Summary {
    /// The number of sequences.
    pub sequences: u64,
    /// The number of their requests, each of which is sent to both servers.
    pub requests: u64,
    /// The number of requests to which the server of this process answered with a success.
    pub succeeded: u64,
    /// The number of sequences that disagreed.
    pub failed: u64,
    /// The number of objects that the webhook converted for either server.
    pub conversions: u64,
    /// The distinct disagreements, as text.
    pub disagreements: Vec<String>,
}

/// Two answers that should be equal and are not.
#[derive(Debug, Clone)]
struct Disagreement {
    /// The index of the request.
    at: usize,
    /// The read after the request whose answers differ; `None` if the answers to the request itself differ.
    later_read: Option<String>,
    /// The place of the difference in the answers.
    place: String,
    real: Value,
    ours: Value,
}

impl Disagreement {
    /// Returns a text that is equal for disagreements with the same cause.
    fn signature(&self, step: &Step) -> String {
        let place: String = self.place.chars().filter(|c| !c.is_ascii_digit()).collect();
        let message = |answer: &Value| {
            let text = answer["body"]["message"].as_str().unwrap_or_default();
            text.split([':', '"']).next().unwrap_or_default().to_owned()
        };
        let (real, ours) = (message(&self.real), message(&self.ours));
        let (method, codes) = (step.method, (&self.real["code"], &self.ours["code"]));
        let later_read = self.later_read.as_deref().unwrap_or_default();
        format!("{method} {later_read} {place} {codes:?} {real} {ours}")
    }
}

/// The two servers.
struct Pair {
    real: Server,
    ours: Server,
    /// The number of runs so far. Each has its own namespace.
    runs: u64,
    /// The number of requests to which ours answered with a success.
    succeeded: u64,
}

/// Runs sequences against the server of a kubeconfig and one in this process. Without a kubeconfig, both are in this
/// process and differ only in ids and versions, which tests that these are masked.
///
/// # Errors
/// If one of them cannot be reached.
pub fn run(
    kubeconfig: Option<&Path>,
    options: Options,
    progress: impl FnMut(&Summary),
) -> Result<Summary, String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(|error| error.to_string())?.block_on(compare(kubeconfig, options, progress))
}

async fn compare(
    kubeconfig: Option<&Path>,
    options: Options,
    mut progress: impl FnMut(&Summary),
) -> Result<Summary, String> {
    let (ours, _listening) = in_process(ApiServer::builder()).await?;
    let (real, _other) = if let Some(kubeconfig) = kubeconfig {
        (Server::connect(kubeconfig).await?, None)
    } else {
        let first = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "first"}});
        let (other, listening) =
            in_process(ApiServer::builder().seed(7).with_object(&first)).await?;
        (other, Some(listening))
    };
    let mut pair = Pair { real, ours, runs: 0, succeeded: 0 };
    let conversions = Arc::new(AtomicU64::new(0));
    let conversion =
        if options.webhook { Some(webhook::serve(Arc::clone(&conversions)).await?) } else { None };
    if options.webhook {
        let [real, ours] = hooks::serve([pair.real.client(), pair.ours.client()]).await?;
        (pair.real.hooks, pair.ours.hooks) = (Some(real), Some(ours));
    }
    install(&mut pair.real, conversion.as_ref()).await?;
    install(&mut pair.ours, conversion.as_ref()).await?;
    let mut summary = Summary::default();
    let mut known = BTreeSet::new();
    let numbers = options.only.map_or(0..u64::MAX, |only| only..only + 1);
    for number in numbers {
        if summary.requests >= options.requests && options.only.is_none() {
            break;
        }
        let steps = generate::sequence(options.seed, number, options.webhook);
        summary.requests += steps.len() as u64;
        summary.sequences += 1;
        let before = pair.succeeded;
        let all = pair.run(&steps).await?;
        summary.succeeded += pair.succeeded - before;
        summary.conversions = conversions.load(Ordering::Relaxed);
        summary.failed += u64::from(!all.is_empty());
        for found in all {
            if known.insert(found.signature(&steps[found.at])) {
                let mut steps = steps.clone();
                steps.truncate(found.at + 1);
                let (steps, found) = if options.shrinks {
                    shrink::shrink(&mut pair, steps, found).await?
                } else {
                    (steps, found)
                };
                summary.disagreements.push(described(number, &steps, &found));
                progress(&summary);
            }
        }
        if summary.disagreements.len() >= options.show {
            break;
        }
        progress(&summary);
    }
    Ok(summary)
}

/// Starts a server in this process that behaves like a real one without controllers.
async fn in_process(server: ApiServerBuilder) -> Result<(Server, Listening), String> {
    let listening =
        server.without_controllers().start().listen().await.map_err(|error| error.to_string())?;
    let file = tempfile::NamedTempFile::new().map_err(|error| error.to_string())?;
    fs::write(file.path(), listening.kubeconfig()).map_err(|error| error.to_string())?;
    Ok((Server::connect(file.path()).await?, listening))
}

/// Creates the definitions, and waits until they are served.
async fn install(server: &mut Server, conversion: Option<&Value>) -> Result<(), String> {
    server.begin("default", "");
    for definition in kinds::definitions(conversion) {
        let mut step = Step::new("POST", DEFINITIONS).body(&definition);
        step.reads = Reads::Uncompared;
        let answer = server.ask(&step).await?;
        // An earlier start of this program may have created the definition, but a webhook ends with its program.
        let exists = answer["body"]["reason"] == "AlreadyExists" && conversion.is_none();
        if answer["code"] != 201 && !exists {
            return Err(format!("the definition is rejected: {answer}"));
        }
    }
    let begin = tokio::time::Instant::now();
    for target in [Target::Widgets, Target::OldWidgets, Target::Gadgets] {
        let mut objects = Step::new("GET", target.path());
        // A real server serves the objects of a definition first, and adds it to this document later. A sequence that
        // began in between would see two states of the document.
        let mut document = Step::new("GET", format!("/openapi/v3/apis/{}", target.api_version()));
        (objects.reads, document.reads) = (Reads::Uncompared, Reads::Uncompared);
        loop {
            let is_served = server.ask(&objects).await?["code"] == 200;
            let schemas = &server.ask(&document).await?["body"]["components"]["schemas"];
            let ending = format!(".{}", target.kind());
            let mut names = schemas.as_object().into_iter().flatten().map(|(name, _)| name);
            if is_served && names.any(|name| name.ends_with(&ending)) {
                break;
            }
            if begin.elapsed() > PATIENCE {
                return Err("the definitions are not served".to_owned());
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
    Ok(())
}

impl Pair {
    /// Sends the requests to both servers, up to the first difference after which their objects may differ too.
    async fn run(&mut self, steps: &[Step]) -> Result<Vec<Disagreement>, String> {
        self.runs += 1;
        let namespace = format!("run-{}-{}", process::id(), self.runs);
        let domain = steps.first().map_or("", |step| step.domain);
        self.real.begin(&namespace, domain);
        self.ours.begin(&namespace, domain);
        let found = self.ask(steps).await?;
        for server in [&mut self.real, &mut self.ours] {
            let configured = steps.iter().filter(|step| step.reads == Reads::Configured);
            clean_admission(server, configured).await?;
            clean_cluster(server, steps).await?;
            clean(server).await?;
            if steps.iter().any(|step| step.settles) {
                clean_definitions(server).await?;
            }
        }
        Ok(found)
    }

    async fn ask(&mut self, steps: &[Step]) -> Result<Vec<Disagreement>, String> {
        let mut all = Vec::new();
        let mut sent = 0;
        for (at, step) in steps.iter().enumerate() {
            if at < sent {
                continue;
            }
            if step.together > 0 {
                let round = steps[at..].iter().take_while(|it| it.together == step.together);
                sent = at + round.count();
                if let Some(found) = self.ask_together(&steps[at..sent]).await? {
                    let (place, real, ours) = found;
                    all.push(Disagreement { at: sent - 1, later_read: None, place, real, ours });
                    break;
                }
                continue;
            }
            if let Reads::DeniedAfter(path) = step.reads {
                if !steps.iter().any(|step| step.path == path) {
                    continue;
                }
                for server in [&mut self.real, &mut self.ours] {
                    repeat(server, step, |code| code >= 400).await?;
                }
                continue;
            }
            let (real, ours) = tokio::join!(self.real.ask(step), self.ours.ask(step));
            let within = |error: String| format!("{error}\nof {step}");
            let (real, ours) = (real.map_err(within)?, ours.map_err(within)?);
            let is_success = ours["code"].as_u64().is_some_and(|code| (200..300).contains(&code));
            self.succeeded += u64::from(is_success);
            if step.reads == Reads::Configured && real["code"] != 201 {
                return Err(format!("webhooks cannot be configured: {real}\nof {step}"));
            }
            if matches!(step.reads, Reads::Uncompared | Reads::Configured) {
                continue;
            }
            if let Some((place, real, ours)) = self.compared(real, ours) {
                let is_rejected =
                    real["code"].as_u64() >= Some(400) && ours["code"].as_u64() >= Some(400);
                all.push(Disagreement { at, later_read: None, place, real, ours });
                if step.method != "GET" && !is_rejected {
                    break;
                }
            }
            if step.settles
                && let Some((read, (place, real, ours))) = self.settle().await?
            {
                all.push(Disagreement {
                    at,
                    later_read: Some(read.to_string()),
                    place,
                    real,
                    ours,
                });
                break;
            }
        }
        Ok(all)
    }

    /// Sends requests at once, and compares what is the same in whatever order they are answered.
    async fn ask_together(
        &mut self,
        steps: &[Step],
    ) -> Result<Option<(String, Value, Value)>, String> {
        let answers = tokio::join!(self.real.ask_together(steps), self.ours.ask_together(steps));
        let ((real, _), (ours, succeeded)) = (answers.0?, answers.1?);
        self.succeeded += succeeded as u64;
        Ok(difference("", &real, &ours).map(|place| (place, real, ours)))
    }

    /// Returns the place at which two answers differ, and both answers.
    fn compared(&self, mut real: Value, mut ours: Value) -> Option<(String, Value, Value)> {
        if self.real.masks.order() != self.ours.masks.order() {
            real["versions"] = json!(self.real.masks.order());
            ours["versions"] = json!(self.ours.masks.order());
        }
        Some((difference("", &real, &ours)?, real, ours))
    }

    /// Reads the effects of a write until both servers agree, or until the timeout.
    async fn settle(&mut self) -> Result<Option<(Step, (String, Value, Value))>, String> {
        for read in lifecycle::settled() {
            let ours = self.ours.ask(&read).await?;
            let (masks, memory) = (self.real.masks.clone(), self.real.memory.clone());
            let begin = tokio::time::Instant::now();
            loop {
                let real = self.real.ask(&read).await?;
                // A busy server may fail to list the objects of a deleted definition; it reports that and retries.
                let fails = real.to_string().contains("InstanceDeletionFailed");
                let patience = if fails { PATIENCE } else { SETTLING };
                let Some(found) = self.compared(real, ours.clone()) else { break };
                if begin.elapsed() > patience {
                    return Ok(Some((read, found)));
                }
                self.real.masks = masks.clone();
                self.real.memory = memory.clone();
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        }
        Ok(None)
    }
}

/// Repeats a request until its status is as wanted.
async fn repeat(
    server: &mut Server,
    step: &Step,
    is_wanted: impl Fn(u64) -> bool,
) -> Result<(), String> {
    let begin = tokio::time::Instant::now();
    loop {
        let answer = server.ask(step).await?;
        if answer["code"].as_u64().is_some_and(&is_wanted) {
            return Ok(());
        }
        if begin.elapsed() > PATIENCE {
            return Err(format!("the answer stays {answer}\nof {step}"));
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Removes the admission webhooks and policies of a run, which requests have configured, and waits until they are not asked.
async fn clean_admission(
    server: &mut Server,
    configured: impl Iterator<Item = &Step>,
) -> Result<(), String> {
    let mut probes = Vec::new();
    for step in configured {
        let object: Value = serde_json::from_str(&step.body).unwrap_or_default();
        let name = object["metadata"]["name"].as_str().unwrap_or_default();
        let mut step = Step::new("DELETE", format!("{}/{name}", step.path));
        step.reads = Reads::Uncompared;
        server.ask(&step).await?;
        probes = [admission::probes(), policies::probes()].concat();
    }
    for step in probes {
        // A shortened sequence may lack the namespace.
        repeat(server, &step, |code| matches!(code, 201 | 404)).await?;
    }
    Ok(())
}

/// Removes the objects without a namespace of a run, of the built-in kinds that its requests are about.
async fn clean_cluster(server: &mut Server, steps: &[Step]) -> Result<(), String> {
    for path in built_in::cluster_objects(steps) {
        let mut step = Step::new("PATCH", &path).body(json!({"metadata": {"finalizers": null}}));
        step.content_type = "application/merge-patch+json";
        for mut step in [step, Step::new("DELETE", &path)] {
            step.reads = Reads::Uncompared;
            server.ask(&step).await?;
        }
    }
    Ok(())
}

/// Removes the custom objects of a run, because lists of all namespaces in the next run would contain them.
async fn clean(server: &mut Server) -> Result<(), String> {
    let quiet = |mut step: Step| {
        step.reads = Reads::Uncompared;
        step
    };
    for target in [Target::Widgets, Target::Gadgets] {
        let list = quiet(Step::new("GET", target.everywhere()));
        let mut left = Value::Null;
        // Some requests fail only because of a concurrent write.
        for _ in 0..ATTEMPTS {
            left = server.ask(&list).await?;
            let items = left["body"]["items"].as_array().cloned().unwrap_or_default();
            if left["code"] == 200 && items.is_empty() {
                left = Value::Null;
                break;
            }
            for item in &items {
                let metadata = &item["metadata"];
                let text = |key: &str| metadata[key].as_str().unwrap_or_default();
                let path = target.path().replace(step::NAMESPACE, text("namespace"));
                let path = format!("{path}/{}", text("name"));
                if metadata["finalizers"].is_array() {
                    let body = json!({"metadata": {"finalizers": null}});
                    let mut step = quiet(Step::new("PATCH", &path).body(body));
                    step.content_type = "application/merge-patch+json";
                    server.ask(&step).await?;
                }
                server.ask(&quiet(Step::new("DELETE", &path))).await?;
            }
        }
        if !left.is_null() {
            return Err(format!("objects of a run cannot be removed: {left}"));
        }
    }
    Ok(())
}

/// Removes the definitions of a run, because discovery in the next run would list their groups.
async fn clean_definitions(server: &mut Server) -> Result<(), String> {
    let quiet = |method: &'static str, path: &str| {
        let mut step = Step::new(method, path);
        step.reads = Reads::Uncompared;
        step.content_type = "application/merge-patch+json";
        step
    };
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let begin = tokio::time::Instant::now();
    loop {
        let list = server.ask(&quiet("GET", DEFINITIONS)).await?;
        let group = server.memory.resolve(lifecycle::GROUP);
        let items = list["body"]["items"].as_array().cloned().unwrap_or_default();
        let items: Vec<Value> =
            items.into_iter().filter(|item| item["spec"]["group"] == *group).collect();
        if items.is_empty() {
            return Ok(());
        }
        if begin.elapsed() > PATIENCE {
            return Err(format!("definitions of a run cannot be removed: {items:?}"));
        }
        let without_finalizers = json!({"metadata": {"finalizers": null}});
        for item in items {
            let versions = item["spec"]["versions"].as_array().cloned().unwrap_or_default();
            let plural = text(&item["spec"]["names"]["plural"]);
            for version in versions {
                let root = format!("/apis/{group}/{}", text(&version["name"]));
                let list = server.ask(&quiet("GET", &format!("{root}/{plural}"))).await?;
                for object in list["body"]["items"].as_array().into_iter().flatten() {
                    let metadata = &object["metadata"];
                    let namespace = match metadata["namespace"].as_str() {
                        Some(namespace) => format!("namespaces/{namespace}/"),
                        None => String::new(),
                    };
                    let path = format!("{root}/{namespace}{plural}/{}", text(&metadata["name"]));
                    if metadata["finalizers"].is_array() {
                        server.ask(&quiet("PATCH", &path).body(&without_finalizers)).await?;
                    }
                }
            }
            let metadata = &item["metadata"];
            let path = format!("{DEFINITIONS}/{}", text(&metadata["name"]));
            if metadata["deletionTimestamp"].is_null() {
                server.ask(&quiet("DELETE", &path)).await?;
            } else if begin.elapsed() > SETTLING || metadata["finalizers"][0] == "example.com/wait"
            {
                // A status may have stored versions that the definition does not have. Every other write is rejected
                // then.
                let versions = item["spec"]["versions"].as_array().into_iter().flatten();
                let stored = versions.filter(|version| version["storage"] == true);
                let stored: Vec<&Value> = stored.map(|version| &version["name"]).collect();
                let status = json!({"status": {"storedVersions": stored}});
                server.ask(&quiet("PATCH", &format!("{path}/status")).body(&status)).await?;
                server.ask(&quiet("PATCH", &path).body(&without_finalizers)).await?;
            }
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Returns the first place at which two answers differ.
fn difference(at: &str, one: &Value, two: &Value) -> Option<String> {
    match (one, two) {
        (Value::Object(a), Value::Object(b)) => {
            let keys: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
            keys.into_iter().find_map(|key| {
                let at = format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"));
                match (a.get(key), b.get(key)) {
                    (Some(a), Some(b)) => difference(&at, a, b),
                    _ => Some(at),
                }
            })
        }
        (Value::Array(a), Value::Array(b)) => {
            let found = a.iter().zip(b).enumerate();
            let found = found.map(|(index, (a, b))| difference(&format!("{at}/{index}"), a, b));
            found.flatten().next().or_else(|| (a.len() != b.len()).then(|| format!("{at}/length")))
        }
        _ => (one != two).then(|| at.to_owned()),
    }
}

/// Describes a disagreement.
fn described(number: u64, steps: &[Step], found: &Disagreement) -> String {
    let mut out = format!("--only {number}, at {}:\n", found.place);
    for step in steps {
        let _ = writeln!(out, "  {step}");
    }
    if let Some(read) = &found.later_read {
        let _ = writeln!(out, "  and then:\n  {read}");
    }
    let at = |answer: &Value| {
        answer.pointer(&found.place).map_or_else(|| "nothing".to_owned(), Value::to_string)
    };
    let (real, ours) = (at(&found.real), at(&found.ours));
    let _ = writeln!(out, "kube-apiserver: {real}\nhere:           {ours}");
    // If only one short value differs, the whole answers help.
    if real.len().max(ours.len()) < LONG {
        let (real, ours) = (&found.real, &found.ours);
        let _ = writeln!(out, "whole answers:\nkube-apiserver: {real}\nhere:           {ours}");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_requests() {
        for number in 0..20 {
            assert_eq!(generate::sequence(7, number, false), generate::sequence(7, number, false));
            assert_ne!(generate::sequence(7, number, false), generate::sequence(8, number, false));
        }
    }

    #[test]
    fn the_first_difference_is_named() {
        let (a, b) = (json!({"a": [1, {"b": 2}]}), json!({"a": [1, {"b": 3}, 4], "z": 1}));
        assert_eq!(difference("", &a, &b).as_deref(), Some("/a/1/b"));
        assert_eq!(difference("", &a, &a), None);
        assert_eq!(difference("", &json!([1]), &json!([1, 2])).as_deref(), Some("/length"));
    }
}

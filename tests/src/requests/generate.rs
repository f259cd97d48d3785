//! Generates random sequences of requests.

use fastrand::Rng;
use serde_json::{Value, json};

use super::kinds::{GROUP, Target};
use super::objects::{MANAGERS, NAMES, object, once_in, pick, spec, status};
use super::patches::patch;
use super::step::{Reads, Step};
use super::{admission, built_in, clients, kinds, lifecycle, namespaces, policies, watches};

/// The number of requests in a sequence, without those of its beginning and its watches.
const LENGTH: std::ops::Range<u32> = 8..28;

/// After this many sequences, the kinds of sequences repeat.
const ROUND: u64 = 10;

/// The targets from which each request takes one at random, and the targets that are watched.
const WITHOUT_WEBHOOK: ([Target; 6], [Target; 3]) = (
    [
        Target::Widgets,
        Target::Widgets,
        Target::Widgets,
        Target::OldWidgets,
        Target::Gadgets,
        Target::ConfigMaps,
    ],
    [Target::Widgets, Target::Gadgets, Target::ConfigMaps],
);

/// As [`WITHOUT_WEBHOOK`], if a webhook converts widgets.
const WITH_WEBHOOK: ([Target; 6], [Target; 3]) = (
    [
        Target::Widgets,
        Target::Widgets,
        Target::OldWidgets,
        Target::OldWidgets,
        Target::OldWidgets,
        Target::Gadgets,
    ],
    [Target::Widgets, Target::OldWidgets, Target::Gadgets],
);

const AGENTS: [&str; 4] = ["kubectl/v1.37.2 (linux/amd64)", "manager", "curl/8.5", "ünï/1"];
pub(super) const TABLE: &str = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";
pub(super) const PARTIAL: &str =
    "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io,application/json";
pub(super) const AGGREGATED: &str =
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json";
pub(super) const PARTIAL_LIST: &str =
    "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

/// Generates a sequence: the requests of one run, in order. If `webhook` is set, it is about objects of the two
/// definitions, and the fields of old widgets have their own names.
pub(super) fn sequence(seed: u64, number: u64, webhook: bool) -> Vec<Step> {
    let mut rng = Rng::with_seed(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(number));
    let rng = &mut rng;
    match (number % ROUND, webhook) {
        (0 | 4, false) => return lifecycle::sequence(rng),
        (1 | 5, false) => return built_in::sequence(rng),
        (8, false) => return built_in::cluster_sequence(rng),
        (9, _) => return policies::sequence(rng, webhook),
        (2, _) => return clients::sequence(rng, webhook),
        (3 | 5 | 7, true) => return admission::sequence(rng, webhook),
        (6, false) => return namespaces::sequence(rng),
        _ => {}
    }
    let (targets, watched) = if webhook { WITH_WEBHOOK } else { WITHOUT_WEBHOOK };
    let mut steps = watches::begin(&watched);
    for number in 0..rng.u32(LENGTH) {
        let target = pick(rng, &targets);
        let mut step = request(rng, target, number);
        if once_in(rng, 3) {
            step.agent = pick(rng, &AGENTS);
        }
        if webhook {
            kinds::rename_in(&mut step);
        }
        steps.push(step);
    }
    steps.extend(watches::end(rng, &watched));
    // What is left in the end, in each version.
    steps.extend(watched.iter().map(|target| Step::new("GET", target.path())));
    steps
}

pub(super) fn request(rng: &mut Rng, target: Target, number: u32) -> Step {
    let name = pick(rng, &NAMES);
    match rng.u32(..100) {
        0..24 => create(rng, target, name, number),
        24..34 => get(rng, target, name),
        34..47 => list(rng, target),
        47..58 => replace(rng, target, name),
        58..82 => patched(rng, target, name),
        82..92 => delete(rng, target, name),
        92..94 => delete_collection(rng, target),
        94 => namespace(rng),
        95..97 => discovery(rng),
        97 => watches::initial(rng, target),
        _ => odd(rng, target, name),
    }
}

fn create(rng: &mut Rng, target: Target, name: &str, number: u32) -> Step {
    let generates = once_in(rng, 6);
    let mut object = object(rng, target, if generates { "" } else { name });
    if generates {
        object["metadata"]["generateName"] = format!("g{number}-").into();
    }
    let mut body = object.to_string();
    match rng.u32(..60) {
        0 => body.truncate(body.len() / 2),
        1 => body.insert_str(1, "\"kind\":\"Widget\","),
        2 => pick(rng, &["null", "[]", "7", "\"x\"", "{}"]).clone_into(&mut body),
        _ => {}
    }
    write_options(rng, target, Step::new("POST", target.path()).body(body))
}

fn write_options(rng: &mut Rng, target: Target, mut step: Step) -> Step {
    if rng.bool() {
        step = step.with("fieldManager", pick(rng, &MANAGERS));
    }
    if once_in(rng, 4) {
        step = step
            .with("fieldValidation", pick(rng, &["Strict", "Warn", "Ignore", "Strict", "strict"]));
    }
    if once_in(rng, 10) {
        step = step.with("dryRun", pick(rng, &["All", "All", "All", "Some"]));
    }
    if once_in(rng, 12) {
        step.accept = accept_header(rng, target, PARTIAL);
    }
    step
}

fn version(rng: &mut Rng, path: &str) -> String {
    match rng.u32(..6) {
        0 => "0".to_owned(),
        1 => "99999999".to_owned(),
        2 => "x".to_owned(),
        _ => format!("{{{{at {path}}}}}"),
    }
}

fn get(rng: &mut Rng, target: Target, name: &str) -> Step {
    let part = if target.is_widget() { pick(rng, &["", "", "/status", "/scale"]) } else { "" };
    let mut step = Step::new("GET", format!("{}/{name}{part}", target.path()));
    if once_in(rng, 4) {
        step.accept = accept_header(rng, target, PARTIAL);
    }
    if once_in(rng, 8) {
        let version = pick(rng, &["99999999", "x", "1"]);
        step = step.with("resourceVersion", version);
    }
    step
}

fn accept_header(rng: &mut Rng, target: Target, partial: &'static str) -> &'static str {
    // Tables of built-in kinds are requested only in the sequences of `built_in`.
    let table = if target.is_custom() { TABLE } else { partial };
    pick(
        rng,
        &[
            partial,
            table,
            table,
            PARTIAL,
            PARTIAL_LIST,
            "*/*",
            "application/yaml;q=0.5, */*",
            "text/html",
        ],
    )
}

fn list(rng: &mut Rng, target: Target) -> Step {
    // A real server has built-in objects of its own in other namespaces.
    let is_everywhere = once_in(rng, 6) && target.is_custom();
    let path = if is_everywhere { target.everywhere() } else { target.path() };
    let mut step = Step::new("GET", &path);
    step = match rng.u32(..9) {
        8 => step.with("resourceVersion", "0").with("limit", pick(rng, &["1", "2"])),
        0 => step.with("limit", pick(rng, &["1", "2", "-1", "x"])),
        1 => step.with("limit", "1").with("continue", &format!("{{{{continue {path}}}}}")),
        2 => step.with("continue", pick(rng, &["x", "e30", "eyJ2IjoibWV0YS5rOHMuaW8vdjEifQ"])),
        3 | 4 => {
            let version = version(rng, &path);
            let step = step.with("resourceVersion", &version);
            match rng.u32(..4) {
                0 => step.with("resourceVersionMatch", "Exact"),
                1 => step.with("resourceVersionMatch", "NotOlderThan"),
                2 => step
                    .with("resourceVersionMatch", pick(rng, &["Exact", "exact"]))
                    .with("limit", "1"),
                _ => step,
            }
        }
        _ => step,
    };
    step = selected(rng, target, step);
    if once_in(rng, 4) {
        step.accept = accept_header(rng, target, PARTIAL_LIST);
        if once_in(rng, 3) {
            step = step.with("includeObject", pick(rng, &["None", "Metadata", "Object", "Some"]));
        }
    }
    step
}

fn selected(rng: &mut Rng, target: Target, mut step: Step) -> Step {
    if once_in(rng, 3) {
        let selectors = [
            "app=x",
            "app!=x",
            "app",
            "!app",
            "app in (x,y),tier=1",
            "app notin (x)",
            "tier%3E1",
            "app=x,,",
            "a b",
            "app==y",
            "app in x",
            "tier%3C2",
        ];
        step = step.with("labelSelector", &pick(rng, &selectors).replace(' ', "%20"));
    }
    if once_in(rng, 4) {
        let mut selectors = vec![
            "metadata.name=a",
            "metadata.name!=a",
            "metadata.namespace=other",
            "spec.note=x",
            "x",
        ];
        if target.is_widget() {
            selectors.extend([
                "spec.color=red",
                "spec.color!=red",
                "spec.replicas=1",
                "spec.color=blue,metadata.name=b",
            ]);
        }
        step = step.with("fieldSelector", pick(rng, &selectors));
    }
    step
}

/// Chooses the object itself or a subresource, as the suffix of a path.
fn part(rng: &mut Rng, target: Target) -> &'static str {
    if target.is_widget() {
        pick(rng, &["", "", "", "/status", "/status", "/scale"])
    } else {
        pick(rng, &["", "", "", "", "", "", "", "", "/status"])
    }
}

fn replace(rng: &mut Rng, target: Target, name: &str) -> Step {
    let part = part(rng, target);
    let path = format!("{}/{name}", target.path());
    let own_name = if once_in(rng, 25) { "other" } else { name };
    let mut object = object(rng, target, own_name);
    if part == "/status" {
        object["status"] = status(rng);
    }
    if part == "/scale" {
        object = json!({
            "apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": {"name": name},
            "spec": {"replicas": rng.i32(-1..11)},
        });
    }
    if let Some(metadata) = object["metadata"].as_object_mut() {
        let version = match rng.u32(..12) {
            0 => String::new(),
            1 => format!("{{{{old {path}}}}}"),
            2 => pick(rng, &["0", "x", "7"]).to_owned(),
            _ => format!("{{{{rv {path}}}}}"),
        };
        metadata.insert("resourceVersion".to_owned(), version.into());
        match rng.u32(..10) {
            0 => {
                metadata.insert("uid".to_owned(), "33333333-0000-4000-8000-000000000000".into());
            }
            1..4 => {
                metadata.insert("uid".to_owned(), format!("{{{{uid {path}}}}}").into());
            }
            _ => {}
        }
    }
    write_options(rng, target, Step::new("PUT", format!("{path}{part}")).body(object))
}

fn patched(rng: &mut Rng, target: Target, name: &str) -> Step {
    let part = part(rng, target);
    let (content_type, body) = patch(rng, target, name, part);
    let mut step = Step::new("PATCH", format!("{}/{name}{part}", target.path())).body(body);
    step.content_type = content_type;
    if content_type == "application/apply-patch+yaml" {
        if !once_in(rng, 12) {
            step = step.with("fieldManager", pick(rng, &MANAGERS));
        }
        if rng.bool() {
            step = step.with("force", "true");
        }
        if once_in(rng, 6) {
            step = step.with("fieldValidation", pick(rng, &["Strict", "Ignore"]));
        }
        if once_in(rng, 10) {
            step = step.with("dryRun", "All");
        }
        return step;
    }
    if once_in(rng, 25) {
        step = step.with("force", "true");
    }
    write_options(rng, target, step)
}

pub(super) fn delete_options(rng: &mut Rng, step: Step, path: &str) -> Step {
    let policy = pick(rng, &["Background", "Foreground", "Orphan", "Sideways"]);
    match rng.u32(..12) {
        0..5 => step,
        5 => step.with("propagationPolicy", policy),
        6 => step.with("gracePeriodSeconds", pick(rng, &["0", "5", "x"])),
        7 => step.with("dryRun", "All"),
        8 => step.with("orphanDependents", pick(rng, &["true", "false"])),
        _ => {
            let mut options = json!({"kind": "DeleteOptions", "apiVersion": pick(rng, &["v1", "meta.k8s.io/v1"])});
            if once_in(rng, 2) {
                options["propagationPolicy"] = policy.into();
            }
            if once_in(rng, 3) {
                let uid = if rng.bool() { format!("{{{{uid {path}}}}}") } else { "x".to_owned() };
                options["preconditions"]["uid"] = uid.into();
            }
            if once_in(rng, 3) {
                let which = pick(rng, &["rv", "rv", "old"]);
                options["preconditions"]["resourceVersion"] =
                    format!("{{{{{which} {path}}}}}").into();
            }
            if once_in(rng, 8) {
                options["dryRun"] = json!(["All"]);
            }
            if once_in(rng, 10) {
                options["kind"] = "Widget".into();
            }
            if once_in(rng, 10) {
                options["orphanDependents"] = rng.bool().into();
            }
            step.body(options)
        }
    }
}

fn delete(rng: &mut Rng, target: Target, name: &str) -> Step {
    let path = format!("{}/{name}", target.path());
    let mut step = delete_options(rng, Step::new("DELETE", &path), &path);
    if once_in(rng, 12) {
        step.accept = accept_header(rng, target, PARTIAL);
    }
    step
}

fn delete_collection(rng: &mut Rng, target: Target) -> Step {
    let step = Step::new("DELETE", target.path());
    let step = selected(rng, target, step);
    let path = target.path();
    delete_options(rng, step, &path)
}

fn namespace(rng: &mut Rng) -> Step {
    let path = "/api/v1/namespaces/{{namespace}}";
    match rng.u32(..6) {
        0 => Step::new("GET", path),
        1 => Step::new("DELETE", path),
        2 => {
            let mut step =
                Step::new("PATCH", path).body(json!({"metadata": {"labels": {"a": "b"}}}));
            step.content_type = "application/merge-patch+json";
            step
        }
        3 => {
            let body = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "{{namespace}}"}});
            Step::new("POST", "/api/v1/namespaces").body(body)
        }
        4 => {
            let body = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "Not_A_Name"}});
            Step::new("POST", "/api/v1/namespaces").body(body)
        }
        _ => Step::new("GET", "/api/v1/namespaces")
            .with("fieldSelector", "metadata.name={{namespace}}"),
    }
}

fn discovery(rng: &mut Rng) -> Step {
    let mut step = match rng.u32(..6) {
        0 => Step::new("GET", format!("/apis/{GROUP}")),
        1 => Step::new("GET", format!("/apis/{GROUP}/v1")),
        2 => Step::new("GET", format!("/apis/{GROUP}/v1beta1")),
        3 => Step::new("GET", format!("/apis/{GROUP}/v7")),
        _ => Step::new("GET", "/apis"),
    };
    step.reads = Reads::Group;
    if step.path == "/apis" && rng.bool() {
        step.accept = AGGREGATED;
    }
    step
}

/// Generates a request that is malformed or unusual.
fn odd(rng: &mut Rng, target: Target, name: &str) -> Step {
    let path = target.path();
    let body: Value = json!({"spec": spec(rng)});
    match rng.u32(..9) {
        0 => Step::new("POST", format!("{path}/{name}")).body(body),
        1 => Step::new("PUT", path).body(body),
        2 => Step::new("PATCH", path).body(body),
        3 => Step::new("GET", format!("{path}/{name}/nothing")),
        4 => Step::new("GET", format!("/apis/{GROUP}/v1/namespaces/{{{{namespace}}}}/doodads")),
        5 => Step::new("DELETE", format!("{path}/{name}/status")),
        6 => {
            let mut step = Step::new("POST", path).body("a: 1");
            step.content_type = pick(rng, &["application/yaml", "text/plain", "application/cbor2"]);
            step
        }
        7 => Step::new("GET", format!("{}/{name}", target.everywhere())),
        _ => Step::new("POST", target.everywhere()).body(object(rng, target, name)),
    }
}

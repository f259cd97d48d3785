//! Sequences in which admission webhooks are called: they allow, deny and change objects, or fail, depending on the label
//! `sort` of the object.

use fastrand::Rng;
use serde_json::{Value, json};

use super::generate;
use super::hooks::PROBE;
use super::kinds::{self, GROUP, Target};
use super::objects::{once_in, pick};
use super::step::{NAMESPACE, Reads, Step};
use super::watches;

/// The number of requests in a sequence, without those of its beginning and its watches.
const LENGTH: std::ops::Range<u32> = 10..30;
const TARGETS: [Target; 5] =
    [Target::Widgets, Target::Widgets, Target::OldWidgets, Target::Gadgets, Target::ConfigMaps];
const WATCHED: [Target; 3] = [Target::Widgets, Target::Gadgets, Target::ConfigMaps];
/// The paths of configurations.
const CONFIGURATIONS: [&str; 2] = [
    "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations",
    "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
];
/// The values of the label by which the webhooks decide.
const SORTS: [&str; 16] = [
    "plain",
    "plain",
    "noted",
    "noted",
    "noted",
    "asking",
    "denied",
    "late",
    "late",
    "owned",
    "silent",
    "wrong",
    "unknown",
    "renamed",
    "unpatchable",
    "stranger",
];
/// Those with which a webhook fails.
const FAILING: [&str; 2] = ["unavailable", "malformed"];

/// Generates a sequence. If `webhook` is set, the fields of old widgets have their own names.
pub(super) fn sequence(rng: &mut Rng, webhook: bool) -> Vec<Step> {
    let begin = begin(rng);
    marked(rng, webhook, &WATCHED, begin, sort)
}

/// Generates the sequence that begins with `begin`. `sort` adds a label to the object of each request, by which webhooks or
/// policies decide.
pub(super) fn marked(
    rng: &mut Rng,
    webhook: bool,
    watched: &[Target],
    begin: Vec<Step>,
    sort: impl Fn(&mut Rng, &mut Step),
) -> Vec<Step> {
    let mut steps = watches::begin(watched);
    steps.extend(begin);
    for number in 0..rng.u32(LENGTH) {
        let target = pick(rng, &TARGETS);
        let mut step = generate::request(rng, target, number);
        if ends_namespace(&step) {
            continue;
        }
        sort(rng, &mut step);
        if webhook {
            kinds::rename_in(&mut step);
        }
        steps.push(step);
    }
    steps.extend(watches::end(rng, watched));
    steps.extend(watched.iter().map(|target| Step::new("GET", target.path())));
    steps
}

/// Returns whether a request deletes the namespace. The webhooks and policies are about one namespace, and a test of them
/// creates objects there.
fn ends_namespace(step: &Step) -> bool {
    step.method == "DELETE" && step.path_without_query() == "/api/v1/namespaces/{{namespace}}"
}

/// Adds the label by which the webhooks decide to the object in a body.
fn sort(rng: &mut Rng, step: &mut Step) {
    let mut sort = if once_in(rng, 12) { pick(rng, &FAILING) } else { pick(rng, &SORTS) };
    if sort == "renamed" && step.method == "PATCH" {
        // An apply would store the object under the name of the path, by which it could not be found again.
        sort = "plain";
    }
    mark(step, sort);
}

/// Adds a label to the object in a body.
pub(super) fn mark(step: &mut Step, sort: &str) {
    let Ok(mut body) = serde_json::from_str::<Value>(&step.body) else { return };
    if !body.is_object() || body["kind"] == "DeleteOptions" || body["kind"] == "Scale" {
        return;
    }
    let owners = body["metadata"]["ownerReferences"].as_array();
    if owners.is_some_and(|owners| owners.iter().any(|owner| owner["uid"].is_null())) {
        // Upstream: the webhooks called for an apply do not see the empty uid that is stored, which is not done here.
        body["metadata"].as_object_mut().map(|metadata| metadata.remove("ownerReferences"));
    }
    if body["kind"] == "Other" {
        // Upstream: the patch of a webhook repairs the kind of a custom resource, which is not done here.
        body.as_object_mut().map(|body| body.remove("kind"));
    }
    if matches!(body["metadata"], Value::Null | Value::Object(_))
        && matches!(body["metadata"]["labels"], Value::Null | Value::Object(_))
    {
        body["metadata"]["labels"]["sort"] = sort.into();
        step.body = body.to_string();
    }
}

/// Returns the requests that configure the webhooks, and those that wait until they are called.
fn begin(rng: &mut Rng) -> Vec<Step> {
    let mut steps = Vec::new();
    for (kind, path, probe, names) in [
        ("Mutating", CONFIGURATIONS[0], "m", &["changes", "changes-more"][..]),
        ("Validating", CONFIGURATIONS[1], "v", &["validates"]),
    ] {
        let mut webhooks: Vec<Value> = names.iter().map(|name| webhook(rng, kind, name)).collect();
        let mut last = webhook(rng, kind, PROBE);
        last["objectSelector"] = json!({"matchLabels": {"probe": probe}});
        last["rules"] = json!([
            {"operations": ["CREATE"], "apiGroups": [""], "apiVersions": ["v1"], "resources": ["configmaps"]},
        ]);
        if let Some(last) = last.as_object_mut() {
            last.remove("matchConditions");
        }
        webhooks.push(last);
        let configuration = json!({
            "apiVersion": "admissionregistration.k8s.io/v1",
            "kind": format!("{kind}WebhookConfiguration"), "metadata": {"name": NAMESPACE},
            "webhooks": webhooks,
        });
        let mut step = Step::new("POST", path).body(configuration);
        step.reads = Reads::Configured;
        steps.push(step);
    }
    for (path, mut probe) in CONFIGURATIONS.into_iter().zip(probes()) {
        probe.reads = Reads::DeniedAfter(path);
        steps.push(probe);
    }
    steps
}

/// Returns the requests that are denied as long as the webhooks are called.
pub(super) fn probes() -> [Step; 2] {
    ["m", "v"].map(probe)
}

/// Returns the request to create an object with a label, for which something denies it.
pub(super) fn probe(label: &str) -> Step {
    let body = json!({
        "apiVersion": "v1", "kind": "ConfigMap",
        "metadata": {"name": "probe", "labels": {"probe": label, "sort": "plain"}},
    });
    let mut step = Step::new("POST", Target::ConfigMaps.path()).with("dryRun", "All").body(body);
    step.reads = Reads::Uncompared;
    step
}

fn webhook(rng: &mut Rng, kind: &str, name: &str) -> Value {
    let mut webhook = json!({
        "name": format!("{name}.example.com"), "sideEffects": "None",
        "admissionReviewVersions": pick(rng, &[&["v1"][..], &["v1beta1", "v1"], &["v1", "v1beta1"]]),
        "clientConfig": {"url": format!("{{{{hook-url}}}}{name}"), "caBundle": "{{hook-ca}}"},
        "rules": rules(rng),
        "matchPolicy": pick(rng, &["Equivalent", "Equivalent", "Exact"]),
        "failurePolicy": pick(rng, &["Fail", "Ignore"]),
        "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": NAMESPACE}},
    });
    if kind == "Mutating" && rng.bool() {
        webhook["reinvocationPolicy"] = pick(rng, &["IfNeeded", "Never"]).into();
    }
    if once_in(rng, 5) {
        webhook["objectSelector"] = json!({"matchLabels": {"app": "x"}});
    }
    if once_in(rng, 4) {
        let expressions = [
            "request.operation != 'DELETE'",
            "object != null && has(object.metadata.labels)",
            "request.name != 'c'",
            "oldObject == null || oldObject.metadata.generation > 0",
            "request.resource.resource == 'widgets'",
            "!has(request.subResource) || request.subResource == ''",
            "object.metadata.labels.app == 'x'",
        ];
        webhook["matchConditions"] =
            json!([{"name": "some", "expression": pick(rng, &expressions)}]);
    }
    webhook
}

pub(super) fn rules(rng: &mut Rng) -> Value {
    let operations =
        pick(rng, &[&["*"][..], &["*"], &["CREATE", "UPDATE"], &["CREATE"], &["UPDATE", "DELETE"]]);
    let groups = pick(rng, &[&["", GROUP][..], &["", GROUP], &[GROUP]]);
    let versions = pick(rng, &[&["*"][..], &["v1"], &["v1"], &["v1beta1"]]);
    let resources = pick(
        rng,
        &[
            &["*"][..],
            &["*/*"],
            &["*/*"],
            &["widgets", "gadgets", "configmaps"],
            &["widgets/status", "widgets"],
            &["*/scale", "configmaps"],
        ],
    );
    let mut rule = json!({
        "operations": operations, "apiGroups": groups, "apiVersions": versions, "resources": resources,
    });
    if once_in(rng, 4) {
        rule["scope"] = pick(rng, &["Namespaced", "Cluster"]).into();
    }
    json!([rule])
}

//! Generated applies of several managers: the engine must predict the results, including conflicts.

use std::collections::BTreeMap;

use crd_runtime::apply::ApplyConfiguration;
use crd_runtime::client::{Api, Apply, Checked, Error, InstallOptions, Kind, install};
use crd_runtime::json;
use crd_runtime::versions::Versions;
use crd_runtime::{CrdSchema, CustomResource, HasStatus};
use kube::api::{DeleteParams, Patch, PatchParams};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::cluster::{Cluster, compares_texts, eventually};

/// The number of applies and of changes between them.
const STEPS: usize = 500;
/// The annotation in which kubectl keeps the configuration of a client-side apply.
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";
/// The number of objects that are applied; each is deleted now and then.
const OBJECTS: usize = 4;

/// A plan whose fields are owned in every way: granular and atomic maps, sets, atomic lists, and lists with keys.
#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "plans.example.com", version = "v1", kind = "Plan", namespaced, apply)]
#[crd(status = PlanStatus)]
#[crd(rule("!(has(self.left) && has(self.right))", message = "one of both"))]
pub(crate) struct PlanSpec {
    #[crd(maximum = 3)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    left: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    right: Option<i32>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    sizes: BTreeMap<String, i32>,
    #[crd(map_type = "atomic")]
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    whole: BTreeMap<String, i32>,
    #[crd(list_type = "set")]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    hosts: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    args: Vec<String>,
    #[crd(list_type = "map", list_map_keys("number", "protocol"))]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    ports: Vec<Port>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    part: Option<Part>,
    #[crd(nullable)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    maybe: Option<Part>,
    #[crd(nullable, list_type = "set")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    names: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    any: Option<Value>,
}

/// The same plan, in the version before.
#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "plans.example.com", version = "v1beta1", kind = "Plan", root = OldPlan)]
#[crd(namespaced, storage = false, status = PlanStatus, apply)]
pub(crate) struct OldPlanSpec(PlanSpec);

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(apply(keys("number", "protocol")))]
pub(crate) struct Port {
    number: i32,
    #[crd(default = "TCP")]
    protocol: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    notes: BTreeMap<String, i32>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(apply)]
pub(crate) struct Part {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    x: Option<i32>,
    #[crd(default = 7)]
    y: i32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    inner: Option<Box<Inner>>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(apply)]
pub(crate) struct Inner {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    z: Option<i32>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(apply)]
pub(crate) struct PlanStatus {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    done: Option<i32>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    seen: BTreeMap<String, i32>,
}

struct Generator(fastrand::Rng);

impl Generator {
    fn often(&mut self) -> bool {
        self.0.u8(..10) < 4
    }

    fn number(&mut self) -> Value {
        self.0.i32(1..=4).into()
    }

    fn name(&mut self) -> String {
        ["a", "b", "c"][self.0.usize(..3)].to_owned()
    }

    fn map(&mut self) -> Value {
        let entries = self.0.usize(..3);
        (0..entries).map(|_| (self.name(), self.number())).collect::<Map<_, _>>().into()
    }

    fn names(&mut self) -> Vec<String> {
        let mut names: Vec<String> = ["a", "b", "c", "d"].map(str::to_owned).to_vec();
        self.0.shuffle(&mut names);
        names.truncate(self.0.usize(..4));
        names
    }

    /// Sets a field in four of ten calls.
    fn maybe_set(&mut self, into: &mut Value, name: &str, value: impl FnOnce(&mut Self) -> Value) {
        if self.often() {
            into[name] = value(self);
        }
    }

    fn ports(&mut self) -> Value {
        let mut ports = Vec::new();
        for number in [443, 80, 8080] {
            for protocol in ["TCP", "UDP"] {
                if self.0.u8(..10) < 2 {
                    let mut item = json!({"number": number, "protocol": protocol});
                    self.maybe_set(&mut item, "name", |generator| generator.name().into());
                    self.maybe_set(&mut item, "notes", Self::map);
                    ports.push(item);
                }
            }
        }
        self.0.shuffle(&mut ports);
        ports.into()
    }

    fn part(&mut self) -> Value {
        let mut part = json!({});
        self.maybe_set(&mut part, "x", Self::number);
        self.maybe_set(&mut part, "y", Self::number);
        self.maybe_set(&mut part, "inner", |generator| {
            let mut inner = json!({});
            generator.maybe_set(&mut inner, "z", Self::number);
            inner
        });
        part
    }

    fn any(&mut self) -> Value {
        match self.0.u8(..4) {
            0 => self.number(),
            1 => self.map(),
            2 => json!([self.number(), self.map()]),
            _ => json!({"a": self.map(), "b": self.names()}),
        }
    }

    fn spec(&mut self) -> Value {
        let mut spec = json!({});
        self.maybe_set(&mut spec, "left", Self::number);
        if self.0.u8(..10) < 2 {
            spec["right"] = self.number();
        }
        self.maybe_set(&mut spec, "sizes", Self::map);
        self.maybe_set(&mut spec, "whole", Self::map);
        self.maybe_set(&mut spec, "hosts", |generator| generator.names().into());
        self.maybe_set(&mut spec, "args", |generator| generator.names().into());
        self.maybe_set(&mut spec, "ports", Self::ports);
        self.maybe_set(&mut spec, "part", Self::part);
        self.maybe_set(&mut spec, "maybe", |it| if it.often() { Value::Null } else { it.part() });
        self.maybe_set(&mut spec, "names", |it| {
            if it.often() { Value::Null } else { it.names().into() }
        });
        self.maybe_set(&mut spec, "any", Self::any);
        spec
    }

    fn config<C: ApplyConfiguration>(&mut self, status: bool) -> C {
        let mut config = json!({
            "apiVersion": C::Kind::API_VERSION, "kind": C::Kind::KIND, "metadata": {},
        });
        self.maybe_set(
            &mut config["metadata"],
            "labels",
            |generator| json!({generator.name(): generator.name()}),
        );
        if status {
            config["status"] = json!({});
            self.maybe_set(&mut config["status"], "done", Self::number);
            self.maybe_set(&mut config["status"], "seen", Self::map);
        }
        if !status || self.often() {
            config["spec"] = self.spec();
        }
        serde_json::from_value(config).expect("a configuration")
    }
}

/// The parts of an answer that are compared.
#[derive(Debug, PartialEq)]
enum Answer {
    Object(String),
    /// Code, reason, message, and the causes.
    Rejected(u16, String, String, Vec<String>),
}

impl Answer {
    fn of(object: &Value) -> Self {
        let metadata = |key: &str| object["metadata"].get(key).cloned().unwrap_or(Value::Null);
        let kept = json!({
            "labels": metadata("labels"), "annotations": metadata("annotations"),
            "spec": object.get("spec"), "status": object.get("status"),
        });
        Self::Object(json::to_go_string(&kept))
    }

    /// Removes the texts, in which servers of older minors differ.
    fn without_texts(self) -> Self {
        match self {
            Self::Object(object) => Self::Object(object),
            Self::Rejected(code, reason, ..) => {
                Self::Rejected(code, reason, String::new(), Vec::new())
            }
        }
    }

    fn rejected(error: &Error) -> Self {
        let status = error.status().unwrap_or_else(|| panic!("no answer: {error}"));
        let causes = status.details.iter().flat_map(|details| &details.causes);
        let mut causes: Vec<String> = causes
            .map(|cause| format!("{} {} {}", cause.reason, cause.field, cause.message))
            .collect();
        causes.sort_unstable();
        // The server reports several errors of fields in random order.
        let is_random = error.is_invalid() && causes.len() > 1;
        let message = if is_random { String::new() } else { status.message.clone() };
        Self::Rejected(status.code, status.reason.clone(), message, causes)
    }
}

/// Predicts the results of applies before they are made: in two versions, and also after an apply by `kubectl`.
pub(crate) async fn foreseen(cluster: Cluster) {
    let options = InstallOptions::default();
    let crd = <(Plan, OldPlan)>::merged().expect("they agree");
    install(&cluster.client, &crd, &options).await.expect("installed");
    let (client, kubernetes) = (&cluster.client, cluster.kubernetes);
    let api: Api<Plan> = Api::namespaced(client.clone(), "default").on(kubernetes);
    let old: Api<OldPlan> = Api::namespaced(client.clone(), "default").on(kubernetes);
    eventually("plans", async || api.list(&kube::api::ListParams::default()).await.ok()).await;
    let mut generator = Generator(fastrand::Rng::with_seed(1));
    let mut counts = BTreeMap::new();
    for step in 0..STEPS {
        let name = format!("plan-{}", generator.0.usize(..OBJECTS));
        let in_old_version = generator.0.u8(..4) == 0;
        match generator.0.u8(..40) {
            0 => {
                let params = DeleteParams::default();
                if let Err(error) = api.delete(&name, &params).await {
                    assert!(error.is_not_found(), "{error}");
                }
            }
            // Another manager sends a merge patch, which may be rejected.
            1..=5 => {
                let params =
                    PatchParams { field_manager: Some("kim".to_owned()), ..Default::default() };
                let patch = Patch::Merge(json!({"spec": generator.spec()}));
                if in_old_version {
                    let _ = old.patch(&name, &params, &patch).await;
                } else {
                    let _ = api.patch(&name, &params, &patch).await;
                }
            }
            // A client resets the managed fields.
            6 => {
                let patch = Patch::Merge(json!({"metadata": {"managedFields": [{}]}}));
                let _ = api.patch(&name, &PatchParams::default(), &patch).await;
            }
            // A client-side apply by kubectl, which keeps its configuration in an annotation.
            7..=9 => {
                let mut patch = json!({
                    "apiVersion": Plan::API_VERSION, "kind": Plan::KIND,
                    "metadata": {"name": name}, "spec": generator.spec(),
                });
                patch["metadata"]["annotations"] = json!({LAST_APPLIED: patch.to_string()});
                let params =
                    PatchParams { field_manager: Some("side".to_owned()), ..Default::default() };
                let _ = api.patch(&name, &params, &Patch::Merge(patch)).await;
            }
            _ if in_old_version => {
                let checked = old.checked().expect("a schema").with_versions::<(Plan, OldPlan)>();
                let checked = checked.expect("they are alike");
                predict_and_apply::<OldPlan, OldPlanApply>(
                    &checked,
                    &mut generator,
                    &name,
                    step,
                    &mut counts,
                )
                .await;
            }
            _ => {
                let checked = api.checked().expect("a schema").with_versions::<(Plan, OldPlan)>();
                let checked = checked.expect("they are alike");
                predict_and_apply::<Plan, PlanApply>(
                    &checked,
                    &mut generator,
                    &name,
                    step,
                    &mut counts,
                )
                .await;
            }
        }
    }
    // Only an apply to the status of an object that does not exist is not predicted.
    let count = |kind: &str| counts.get(kind).copied().unwrap_or_default();
    let at_least = |kind: &str, least: i32| assert!(count(kind) >= least, "{counts:?}");
    at_least("applied", 100);
    at_least("conflicts", 50);
    at_least("invalid", 5);
    at_least("taken over", 1);
    assert!(count("unknown") < 20, "{counts:?}");
}

/// Adds options to an apply.
fn configured<K: Kind + HasStatus, C>(
    apply: Apply<'_, K, C>,
    force: bool,
    status: bool,
) -> Apply<'_, K, C> {
    let apply = if force { apply.force() } else { apply };
    if status { apply.status() } else { apply }
}

/// Predicts an apply, makes it, and compares the results.
async fn predict_and_apply<K, C>(
    checked: &Checked<K>,
    generator: &mut Generator,
    name: &str,
    step: usize,
    counts: &mut BTreeMap<&'static str, i32>,
) where
    K: Kind + HasStatus,
    C: ApplyConfiguration<Kind = K>,
{
    let is_status = generator.0.u8(..6) == 0;
    let config: C = generator.config(is_status);
    let manager = ["one", "two", "three", "kubectl"][generator.0.usize(..4)];
    let force = generator.often();
    let api = checked.api();
    let live = match api.get_raw(name).await {
        Ok(live) => Some(live),
        Err(error) if error.is_not_found() => None,
        Err(error) => panic!("{error}"),
    };
    let foreseen =
        configured(checked.apply(name, &config, manager), force, is_status).check(live.as_ref());
    let answer = match configured(api.apply(name, &config, manager), force, is_status).await {
        Ok(_) => Answer::of(&api.get_raw(name).await.expect("there")),
        Err(error) => Answer::rejected(&error),
    };
    let by_nobody = configured(checked.apply(name, &config, "nobody"), force, is_status);
    let is_owned_by_others = by_nobody.check(live.as_ref()).is_err_and(|error| error.is_conflict());
    if manager == "kubectl" && is_owned_by_others && matches!(foreseen, Ok(Some(_))) {
        *counts.entry("taken over").or_default() += 1;
    }
    let is_exact = compares_texts(api.kubernetes());
    let (kind, foreseen) = match foreseen {
        Ok(Some(admitted)) => ("applied", Answer::of(&json::stored(admitted.object))),
        Ok(None) => {
            *counts.entry("unknown").or_default() += 1;
            return;
        }
        Err(error) if error.is_conflict() => ("conflicts", Answer::rejected(&error)),
        Err(error) => ("invalid", Answer::rejected(&error)),
    };
    *counts.entry(kind).or_default() += 1;
    let (foreseen, answer) = if is_exact || kind != "invalid" {
        (foreseen, answer)
    } else {
        (foreseen.without_texts(), answer.without_texts())
    };
    assert_eq!(
        foreseen,
        answer,
        "step {step}: {manager} applies {} to {}",
        serde_json::to_string(&config).expect("JSON"),
        live.unwrap_or_default()
    );
}

//! Sequences in which admission policies are evaluated: they deny, warn and change objects, or fail, depending on the label
//! `sort` of the object, its fields, and the request.

use fastrand::Rng;
use serde_json::{Value, json};

use super::admission::{self, mark, rules};
use super::kinds::Target;
use super::objects::{once_in, pick};
use super::step::{NAMESPACE, Reads, Step};

const WATCHED: [Target; 2] = [Target::Widgets, Target::ConfigMaps];
const GROUP: &str = "/apis/admissionregistration.k8s.io/v1";
/// The values of the label by which the policies decide.
const SORTS: [&str; 6] = ["plain", "plain", "noted", "noted", "denied", "late"];
/// The name of the policies that are only there to find out whether the server evaluates policies.
const PROBE: &str = "{{namespace}}-probe";

/// Generates a sequence. If `webhook` is set, the fields of old widgets have their own names.
pub(super) fn sequence(rng: &mut Rng, webhook: bool) -> Vec<Step> {
    let begin = begin(rng);
    admission::marked(rng, webhook, &WATCHED, begin, |rng, step| mark(step, pick(rng, &SORTS)))
}

/// Returns the requests that configure policies, and those that wait until they are evaluated.
fn begin(rng: &mut Rng) -> Vec<Step> {
    let params = json!({
        "apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": NAMESPACE},
        "data": {"max": pick(rng, &["1", "5"]), "color": "red"},
    });
    let mut params = Step::new("POST", "/api/v1/namespaces/default/configmaps").body(params);
    params.reads = Reads::Configured;
    let mut steps = vec![params];
    let uses_params = rng.bool();
    for (type_, spec, probe) in [
        (Type::Validating, validating(rng, uses_params), "p"),
        (Type::Mutating, mutating(rng, uses_params), "q"),
    ] {
        let of_probe = of_probe(type_, probe);
        for (name, spec, uses_params) in [(NAMESPACE, spec, uses_params), (PROBE, of_probe, false)]
        {
            let binding = binding(rng, type_, name, uses_params);
            steps.extend([
                configured(type_, "", name, &spec),
                configured(type_, "Binding", name, &binding),
            ]);
        }
    }
    steps.extend(probes().into_iter().zip([Type::Validating, Type::Mutating]).map(
        |(mut probe, type_)| {
            probe.reads = Reads::DeniedAfter(type_.bindings());
            probe
        },
    ));
    steps
}

/// Returns the requests that are denied as long as the policies are evaluated.
pub(super) fn probes() -> [Step; 2] {
    ["p", "q"].map(admission::probe)
}

/// A type of policies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Type {
    Validating,
    Mutating,
}

impl Type {
    fn kind(self) -> &'static str {
        match self {
            Self::Validating => "ValidatingAdmissionPolicy",
            Self::Mutating => "MutatingAdmissionPolicy",
        }
    }

    fn policies(self) -> &'static str {
        match self {
            Self::Validating => "/validatingadmissionpolicies",
            Self::Mutating => "/mutatingadmissionpolicies",
        }
    }

    /// Returns the path of the bindings.
    fn bindings(self) -> &'static str {
        match self {
            Self::Validating => {
                "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings"
            }
            Self::Mutating => {
                "/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicybindings"
            }
        }
    }
}

/// Returns the request that creates a policy, or its binding.
fn configured(type_: Type, ending: &str, name: &str, spec: &Value) -> Step {
    let object = json!({
        "apiVersion": "admissionregistration.k8s.io/v1", "kind": format!("{}{ending}", type_.kind()),
        "metadata": {"name": name}, "spec": spec,
    });
    let path = match ending {
        "" => format!("{GROUP}{}", type_.policies()),
        _ => type_.bindings().to_owned(),
    };
    let mut step = Step::new("POST", path).body(object);
    step.reads = Reads::Configured;
    step
}

/// Returns the spec of a policy that denies the objects of a probe.
fn of_probe(type_: Type, probe: &str) -> Value {
    let mut spec = json!({
        "matchConstraints": {
            "objectSelector": {"matchLabels": {"probe": probe}},
            "resourceRules": [
                {"operations": ["CREATE"], "apiGroups": [""], "apiVersions": ["v1"], "resources": ["configmaps"]},
            ],
        },
    });
    match type_ {
        Type::Validating => spec["validations"] = json!([{"expression": "false"}]),
        Type::Mutating => {
            // It fails.
            let patch = "[JSONPatch{op: 'remove', path: '/nothing'}]";
            spec["mutations"] =
                json!([{"patchType": "JSONPatch", "jsonPatch": {"expression": patch}}]);
            spec["reinvocationPolicy"] = "Never".into();
        }
    }
    spec
}

fn binding(rng: &mut Rng, type_: Type, policy: &str, uses_params: bool) -> Value {
    let mut spec = json!({
        "policyName": policy,
        "matchResources": {
            "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": NAMESPACE}},
        },
    });
    if type_ == Type::Validating {
        let actions: &[&[&str]] =
            &[&["Deny"], &["Deny"], &["Warn"], &["Audit"], &["Deny", "Audit"], &["Warn", "Audit"]];
        spec["validationActions"] =
            json!(if policy == PROBE { &["Deny"] } else { pick(rng, actions) });
    }
    if uses_params {
        let missing = once_in(rng, 4);
        let action = pick(rng, &["Allow", "Deny"]);
        let name = if missing { "nothing" } else { NAMESPACE };
        spec["paramRef"] =
            json!({"name": name, "namespace": "default", "parameterNotFoundAction": action});
    }
    if policy != PROBE && once_in(rng, 4) {
        spec["matchResources"]["resourceRules"] = rules_of(rng, type_);
    }
    spec
}

fn rules_of(rng: &mut Rng, type_: Type) -> Value {
    let mut rules = rules(rng);
    if type_ == Type::Mutating {
        // They cannot be about deletions.
        let operations = pick(rng, &[&["*"][..], &["CREATE", "UPDATE"], &["CREATE"], &["UPDATE"]]);
        rules[0]["operations"] = json!(operations);
    }
    rules
}

/// Generates what policies of both types have.
fn policy(rng: &mut Rng, type_: Type, uses_params: bool) -> Value {
    let mut constraints = json!({"resourceRules": rules_of(rng, type_)});
    if rng.bool() {
        constraints["matchPolicy"] = pick(rng, &["Equivalent", "Exact"]).into();
    }
    // A mutation may remove the label of a probe.
    let no_probe = json!([{"key": "probe", "operator": "DoesNotExist"}]);
    constraints["objectSelector"] = json!({"matchExpressions": no_probe});
    if once_in(rng, 6) {
        constraints["objectSelector"]["matchLabels"] = json!({"app": "x"});
    }
    if once_in(rng, 6) {
        constraints["excludeResourceRules"] = json!([{
            "operations": ["*"], "apiGroups": ["*"], "apiVersions": ["*"],
            "resources": [pick(rng, &["configmaps", "*/status", "gadgets"])],
        }]);
    }
    let mut spec = json!({"matchConstraints": constraints});
    if rng.bool() {
        spec["failurePolicy"] = pick(rng, &["Fail", "Ignore"]).into();
    }
    if uses_params {
        spec["paramKind"] = json!({"apiVersion": "v1", "kind": "ConfigMap"});
    }
    if once_in(rng, 3) {
        let expressions = [
            "request.operation != 'DELETE'",
            "request.name != 'c'",
            "!has(request.subResource) || request.subResource == ''",
            "object != null && has(object.metadata.labels)",
            "request.resource.resource == 'widgets'",
            "object.metadata.labels.app == 'x'",
        ];
        spec["matchConditions"] = json!([{"name": "some", "expression": pick(rng, &expressions)}]);
    }
    let labels = "object == null || !has(object.metadata.labels) ? {} : object.metadata.labels";
    let sort = "'sort' in variables.labels ? variables.labels.sort : 'plain'";
    spec["variables"] =
        json!([{"name": "labels", "expression": labels}, {"name": "sort", "expression": sort}]);
    if once_in(rng, 3) {
        let expressions = ["object.spec.replicas", "object.?spec.?replicas.orValue(1)", "1"];
        let replicas = json!({"name": "replicas", "expression": pick(rng, &expressions)});
        spec["variables"].as_array_mut().into_iter().for_each(|all| all.push(replicas.clone()));
    }
    spec
}

/// Generates the spec of a validating policy.
fn validating(rng: &mut Rng, uses_params: bool) -> Value {
    let mut spec = policy(rng, Type::Validating, uses_params);
    let mut expressions = vec![
        "variables.sort != 'denied'",
        "variables.sort != 'denied'",
        "variables.sort != 'late' || request.operation == 'CREATE'",
        "request.operation != 'DELETE' || oldObject.metadata.name != 'c'",
        "object.spec.color != 'green'",
        "!has(object.spec) || !has(object.spec.replicas) || object.spec.replicas < 5",
        "object == null || oldObject == null || object.metadata.name == oldObject.metadata.name",
        "namespaceObject == null || namespaceObject.metadata.name != 'other'",
        "authorizer.group('').resource('pods').namespace('default').check('get').allowed()",
        "object == null || size(object.metadata.name) < 2",
        "!request.?dryRun.orValue(false)",
        "request.kind.kind != 'ConfigMap' || object.data.all(key, key != 'l')",
        "request.requestKind.version == request.kind.version",
    ];
    if uses_params {
        expressions.extend([
            "object == null || object.?spec.?replicas.orValue(0) <= int(params.data.max)",
            "params == null || object.?spec.?color.orValue('red') == params.data.color",
        ]);
    }
    let has_replicas = spec["variables"].as_array().is_some_and(|all| all.len() > 2);
    if has_replicas {
        expressions.push("variables.replicas < 5");
    }
    let validations: Vec<Value> = (0..rng.usize(1..4))
        .map(|_| {
            let mut validation = json!({"expression": pick(rng, &expressions)});
            match rng.u32(..4) {
                0 => validation["message"] = "not this one".into(),
                1 => {
                    let texts = [
                        "'not ' + request.name",
                        "variables.sort + ' is not allowed'",
                        "string(object.spec.nothing)",
                        "''",
                    ];
                    validation["messageExpression"] = pick(rng, &texts).into();
                    if rng.bool() {
                        validation["message"] = "not this one".into();
                    }
                }
                _ => {}
            }
            if once_in(rng, 3) {
                let reasons = ["Forbidden", "Invalid", "RequestEntityTooLarge"];
                validation["reason"] = pick(rng, &reasons).into();
            }
            validation
        })
        .collect();
    spec["validations"] = validations.into();
    if once_in(rng, 4) {
        let expression = pick(rng, &["'x'", "null", "string(object.spec.nothing)"]);
        spec["auditAnnotations"] = json!([{"key": "why", "valueExpression": expression}]);
    }
    spec
}

/// Generates the spec of a mutating policy.
fn mutating(rng: &mut Rng, uses_params: bool) -> Value {
    let mut spec = policy(rng, Type::Mutating, uses_params);
    let mut configurations = vec![
        "Object{metadata: Object.metadata{annotations: {'example.com/policy': request.operation}}}",
        "Object{metadata: Object.metadata{labels: {'policy': variables.sort}}}",
        "variables.sort == 'noted' ? Object{metadata: Object.metadata{labels: {'noted': 'yes'}}} : Object{}",
        "Object{metadata: Object.metadata{finalizers: ['example.com/wait']}}",
        "Object{spec: Object.spec{note: 'by policy'}}",
        "Object{spec: Object.spec{tags: ['t', 'p']}}",
        "Object{spec: Object.spec{ports: [Object.spec.ports{name: 'http', port: 8080}]}}",
        "Object{spec: Object.spec{place: Object.spec.place{x: 1}}}",
        "Object{data: {'policy': 'x'}}",
    ];
    let mut patches = vec![
        "variables.sort == 'noted' ? [JSONPatch{op: 'add', path: '/metadata/annotations', value: {'a': 'b'}}] : []",
        "[JSONPatch{op: 'add', path: '/metadata/labels', value: {'policy': variables.sort}}]",
        "[JSONPatch{op: 'test', path: '/metadata/name', value: 'a'}]",
        "[JSONPatch{op: 'replace', path: '/spec/color', value: 'blue'}]",
        "[JSONPatch{op: 'remove', path: '/spec/note'}]",
        "[JSONPatch{op: 'add', path: '/spec/hue', value: 'red'}]",
        "has(object.metadata.labels) ? [JSONPatch{op: 'add', path: '/metadata/labels/' + \
         jsonpatch.escapeKey('example.com/policy'), value: 'x'}] : []",
        "[JSONPatch{op: 'copy', from: '/metadata/name', path: '/metadata/labels/name'}]",
    ];
    if uses_params {
        configurations.push("Object{metadata: Object.metadata{labels: {'max': params.data.max}}}");
        patches
            .push("[JSONPatch{op: 'add', path: '/metadata/labels/max', value: params.data.max}]");
    }
    let mutations: Vec<Value> = (0..rng.usize(1..4))
        .map(|_| {
            if rng.bool() {
                let expression = pick(rng, &configurations);
                json!({"patchType": "ApplyConfiguration", "applyConfiguration": {"expression": expression}})
            } else {
                let expression = pick(rng, &patches);
                json!({"patchType": "JSONPatch", "jsonPatch": {"expression": expression}})
            }
        })
        .collect();
    spec["mutations"] = mutations.into();
    spec["reinvocationPolicy"] = pick(rng, &["Never", "IfNeeded"]).into();
    spec
}

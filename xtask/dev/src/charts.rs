//! `cargo dev charts`: renders charts and bases of kustomize by the programs that users have, and compares the output with
//! the manifests.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crd_cli::Registry;
use crd_runtime::rbac::{Need, Permissions};
use crd_runtime::webhooks::{Webhook, Webhooks};
use crd_runtime::{definition, yaml};
use crd_tests::go;
use serde_json::{Value, json};

use crate::{Outcome, say, temporary_directory};

/// The module of Helm, and the version that is built.
const HELM: &str = "helm.sh/helm/v3/cmd/helm@v3.19.2";
/// The namespace of the releases.
const NAMESPACE: &str = "apps";
const INJECT: &str = "cert-manager.io/inject-ca-from";

/// What a set of values changes in a definition, or `None` if nothing is installed.
type Change = fn(Value) -> Option<Value>;

/// Values on the command line of Helm, and what they change.
const CASES: [(&str, Change); 8] = [
    ("", |crd| Some(keep(crd))),
    ("crds.install=false", |_| None),
    ("crds.keep=false", Some),
    ("crds.annotations.a=b{{,crds.labels.c=d", |crd| {
        Some(with(with(keep(crd), "annotations", "a", "b{{"), "labels", "c", "d"))
    }),
    (
        "crds.conversion.service.name=n,crds.conversion.service.port=8443,crds.conversion.service.path=/p",
        |crd| {
            Some(service(
                keep(crd),
                &[("name", json!("n")), ("port", json!(8443)), ("path", json!("/p"))],
            ))
        },
    ),
    ("crds.conversion.service.namespace=other,crds.conversion.certificate=tls", |crd| {
        let crd = service(keep(crd), &[("namespace", json!("other"))]);
        let is_called = crd.pointer("/spec/conversion/webhook").is_some();
        Some(if is_called { with(crd, "annotations", INJECT, "other/tls") } else { crd })
    }),
    ("crds.conversion.caBundle=Q0E=", |mut crd| {
        if let Some(config) = crd.pointer_mut("/spec/conversion/webhook/clientConfig") {
            config["caBundle"] = json!("Q0E=");
            if let Some(annotations) =
                crd.pointer_mut("/metadata/annotations").and_then(Value::as_object_mut)
            {
                annotations.remove(INJECT);
            }
        }
        Some(keep(crd))
    }),
    (
        "crds.conversion.service.name=n,crds.conversion.overrides.braces\\.example\\.com.service.name=own,\
         crds.conversion.overrides.braces\\.example\\.com.service.namespace=other,\
         crds.conversion.overrides.braces\\.example\\.com.certificate=tls",
        |crd| {
            if crd["metadata"]["name"] != "braces.example.com" {
                return Some(service(keep(crd), &[("name", json!("n"))]));
            }
            let crd = service(keep(crd), &[("name", json!("own")), ("namespace", json!("other"))]);
            Some(with(crd, "annotations", INJECT, "other/tls"))
        },
    ),
];

/// The values of a chart of webhooks in which one has a Service of its own, and the CA of its certificate.
const OWN_WEBHOOK: &str = "crds.install=false,rbac.install=false,webhooks.service.name=all,\
    webhooks.overrides.check\\.braces\\.example\\.com.service.name=own,\
    webhooks.overrides.check\\.braces\\.example\\.com.caBundle=Q0E=";

fn with(mut crd: Value, map: &str, key: &str, value: &str) -> Value {
    crd["metadata"][map][key] = value.into();
    crd
}

fn keep(crd: Value) -> Value {
    with(crd, "annotations", "helm.sh/resource-policy", "keep")
}

fn service(mut crd: Value, fields: &[(&str, Value)]) -> Value {
    if let Some(service) = crd.pointer_mut("/spec/conversion/webhook/clientConfig/service") {
        for (key, value) in fields {
            service[*key] = value.clone();
        }
    }
    crd
}

/// Builds helm and kubectl, and compares what they make of packages with the manifests.
pub(crate) fn run() -> Outcome {
    let dir = temporary_directory()?;
    let helm = install(dir.path())?;
    let kubectl = go::build("kubectl")?;
    let crds = definitions()?;
    let registry = crds.iter().fold(Registry::new(), Registry::manifest);
    let registry = registry.rbac("unused", || Ok(permissions())).webhooks("unused", webhooks());
    let package = |command: &[&str], name: &str| -> Result<PathBuf, String> {
        let out = dir.path().join(name);
        let words = ["xtask"].iter().chain(command).map(Into::into);
        let words = words.chain(["--out".into(), out.clone().into()]);
        let (mut shown, mut err) = (Vec::new(), Vec::new());
        match registry.run_to(words, &mut shown, &mut err) {
            0 => Ok(out),
            _ => Err(String::from_utf8_lossy(&err).into_owned()),
        }
    };
    let mut compared = Comparison::default();
    let chart = package(&["crds", "--format", "helm"], "chart")?;
    // In a chart, the Service is in the namespace of the release.
    let released =
        || crds.iter().map(|crd| service(crd.clone(), &[("namespace", json!(NAMESPACE))]));
    for (values, change) in CASES {
        let want: Vec<Value> = released().filter_map(change).collect();
        compared.case(
            &format!("helm template --set {values}"),
            template(&helm, &chart, values)?,
            want,
        );
    }
    let plain = package(&["crds", "--format", "helm-crds"], "plain")?;
    compared.case("helm template --include-crds", template(&helm, &plain, "")?, crds.clone());
    let base = package(&["crds", "--format", "kustomize"], "base")?;
    compared.case("kubectl kustomize", kustomize(&kubectl, &base)?, crds.clone());
    let roles = package(&["rbac", "--format", "helm", "--bind", "apps/operator"], "chart")?;
    let mut want: Vec<Value> = released().map(keep).collect();
    want.extend(permissions().objects());
    want.extend(permissions().bindings(NAMESPACE, "operator"));
    compared.case("helm template, with roles", template(&helm, &roles, "")?, want.clone());
    let configured = package(&["webhooks", "--format", "helm"], "chart")?;
    want.extend(webhooks().objects());
    compared.case("helm template, with webhooks", template(&helm, &configured, "")?, want);
    let mut want = webhooks().objects();
    for webhook in want.iter_mut().filter_map(|object| object["webhooks"].as_array_mut()).flatten()
    {
        let is_own = webhook["name"] == "check.braces.example.com";
        webhook["clientConfig"]["service"]["name"] = if is_own { "own" } else { "all" }.into();
        if is_own {
            webhook["clientConfig"]["caBundle"] = "Q0E=".into();
        }
    }
    compared.case("helm template, own Service", template(&helm, &configured, OWN_WEBHOOK)?, want);
    say(&format!(
        "{} cases, {} objects: {} differ",
        compared.cases, compared.objects, compared.wrong
    ));
    Ok(compared.wrong == 0)
}

#[derive(Default)]
struct Comparison {
    cases: usize,
    objects: usize,
    wrong: usize,
}

impl Comparison {
    /// Compares rendered objects with those that are wanted, in any order. Definitions must be valid, too.
    fn case(&mut self, name: &str, mut found: Vec<Value>, mut want: Vec<Value>) {
        let key = |object: &Value| format!("{} {}", object["kind"], object["metadata"]["name"]);
        found.sort_by_key(key);
        want.sort_by_key(key);
        self.cases += 1;
        self.objects += want.len();
        let is_valid = |object: &Value| {
            object["kind"] != "CustomResourceDefinition"
                || definition::decode(object)
                    .is_ok_and(|decoded| definition::validate(&decoded.crd).is_empty())
        };
        if found != want || !found.iter().all(is_valid) {
            self.wrong += 1;
            let yaml = |objects: &[Value]| objects.iter().map(yaml::to_string).collect::<String>();
            say(&format!("{name}\n--- want\n{}--- found\n{}", yaml(&want), yaml(&found)));
        }
    }
}

/// The definitions of the examples, and one with all that charts have to escape and to set.
fn definitions() -> Result<Vec<Value>, String> {
    let examples = go::workspace().join("examples/crds");
    let mut crds = Vec::new();
    for entry in fs::read_dir(&examples).map_err(|error| error.to_string())? {
        let path = entry.map_err(|error| error.to_string())?.path();
        crds.extend(documents(&fs::read(path).map_err(|error| error.to_string())?)?);
    }
    let text = json!({
        "type": "string", "description": "{{ .Values.x }} and {{- y -}}\n\n  {{/* z */}} {{{{{\n",
        "default": "{{ a }}", "pattern": "^[{]{2}|.*$", "maxLength": 20,
        "x-kubernetes-validations": [{"rule": "!self.contains('{{`}}')", "message": "no `{{`"}],
    });
    let root = json!({"type": "object", "properties": {"spec": {"type": "object", "properties": {"a{{b": text}}}});
    let service = json!({"name": "convert", "namespace": NAMESPACE, "path": "/convert"});
    crds.push(json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {
            "name": "braces.example.com", "labels": {"l": "v"},
            "annotations": {INJECT: "apps/convert", "text": "{{ \"quoted\" }} `\\`\nline"},
        },
        "spec": {
            "group": "example.com", "scope": "Namespaced",
            "names": {"kind": "Brace", "plural": "braces", "singular": "brace", "listKind": "BraceList"},
            "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": root}}],
            "conversion": {
                "strategy": "Webhook",
                "webhook": {"conversionReviewVersions": ["v1"], "clientConfig": {"service": service}},
            },
        },
    }));
    Ok(crds)
}

fn permissions() -> Permissions {
    let leases = Need::each(["create", "get"], ["leases.coordination.k8s.io"]);
    let needs = Need::each(["get", "list"], ["braces.example.com", "pods"]);
    Permissions::of_needs("operator", needs.chain(leases.map(|need| need.in_namespace(NAMESPACE))))
}

fn webhooks() -> Webhooks {
    let check = Webhook::new("check.braces.example.com").path("/check");
    let check = check.on(["CREATE", "UPDATE"], "braces.example.com", ["v1"]);
    let check = check.match_condition("braces", "!object.spec.text.contains('{{')");
    let fill = Webhook::new("fill.braces.example.com").path("/fill");
    let fill = fill.on(["CREATE"], "braces.example.com", ["v1"]);
    let webhooks = Webhooks::new("operator").service(NAMESPACE, "operator").port(8443);
    webhooks.validating(check).mutating(fill.clone()).validating(fill)
}

/// Builds Helm of its published module. Go caches what it has compiled.
fn install(dir: &Path) -> Result<PathBuf, String> {
    let mut go = Command::new("go");
    output(go.args(["install", HELM]).env("GOBIN", dir).current_dir(dir))?;
    Ok(dir.join("helm"))
}

fn template(helm: &Path, chart: &Path, values: &str) -> Result<Vec<Value>, String> {
    let mut command = Command::new(helm);
    command.args(["template", "release", "--include-crds", "--namespace", NAMESPACE]).arg(chart);
    if !values.is_empty() {
        command.args(["--set", values]);
    }
    documents(&output(&mut command)?)
}

fn kustomize(kubectl: &Path, base: &Path) -> Result<Vec<Value>, String> {
    documents(&output(Command::new(kubectl).arg("kustomize").arg(base))?)
}

/// Returns what a command prints.
fn output(command: &mut Command) -> Result<Vec<u8>, String> {
    let name = command.get_program().display().to_string();
    let done = command.output().map_err(|error| format!("cannot run {name}: {error}"))?;
    if done.status.success() {
        return Ok(done.stdout);
    }
    Err(format!("{name}: {}", String::from_utf8_lossy(&done.stderr)))
}

fn documents(text: &[u8]) -> Result<Vec<Value>, String> {
    let text = String::from_utf8_lossy(text);
    let documents = yaml::documents(&text).map(|document| document.map(|document| document.value));
    let documents = documents.filter(|document| !matches!(document, Ok(Value::Null)));
    documents.collect::<Result<_, _>>().map_err(|error| error.to_string())
}

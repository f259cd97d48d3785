//! `rbac`: writes roles, checks them on disk, and compares them with those of a manifest.

use std::fs;

use super::{Dir, Registry, run};
use crd_engine::rbac::{Need, Permissions};
use crd_engine::webhooks::{Webhook, Webhooks};

fn registry(file: &str) -> Registry {
    Registry::new().rbac(file, || {
        let needs = ["list", "get"].map(|verb| Need::new(verb, "pods"));
        Ok(Permissions::of_needs("operator", needs))
    })
}

#[test]
fn roles_are_written_and_checked() {
    let dir = Dir::new("rbac");
    let file = format!("{}/deploy/role.yaml", dir.text());
    let registry = registry(&file);
    let (status, out, err) = run(&registry, &["rbac", "--check"]);
    assert_eq!(
        (status, err.contains("1 manifest out of date: run `rbac`")),
        (1, true),
        "{out}{err}"
    );
    assert!(out.contains("+  - pods"), "{out}");
    assert_eq!(run(&registry, &["rbac"]).1, format!("{file} created\n"));
    assert_eq!(run(&registry, &["rbac"]).1, format!("{file} unchanged\n"));
    assert_eq!(run(&registry, &["rbac", "--check"]).0, 0);
    let written = fs::read_to_string(&file).expect("written");
    assert_eq!(run(&registry, &["rbac", "--out", "-"]).1, written);
    // As Git checks files out on Windows.
    fs::write(&file, written.replace('\n', "\r\n")).expect("written");
    assert_eq!(run(&registry, &["rbac", "--check"]).0, 0);
    fs::write(&file, "other").expect("written");
    let (status, out, _) = run(&registry, &["rbac", "--check"]);
    assert!(status == 1 && out.contains("-other"), "{out}");
    assert_eq!(run(&registry, &["rbac"]).1, format!("{file} updated\n"));
}

#[test]
fn roles_of_a_manifest_are_compared() {
    let dir = Dir::new("rbac-against");
    let chart = format!("{}/chart.yaml", dir.text());
    let registry = registry("role.yaml");
    let against = |text: &str| {
        fs::write(&chart, text).expect("written");
        run(&registry, &["rbac", "--against", &chart])
    };
    let (_, role, _) = run(&registry, &["rbac", "--out", "-"]);
    let (status, out, _) = against(&format!("kind: Service\napiVersion: v1\n{role}"));
    assert_eq!((status, out), (0, format!("{chart} allows what is needed, and no more\n")));
    let (status, out, err) = against(&role.replace("- list", "- watch"));
    assert_eq!((status, out), (1, "missing: list pods\nsuperfluous: watch pods\n".to_owned()));
    assert!(err.ends_with("1 missing, 1 superfluous\n"), "{err}");
    let (status, _, err) = against("{{ .Values.x }}\n");
    assert!(status == 2 && err.contains("`helm template`"), "{err}");
}

#[test]
fn usage_errors_are_reported() {
    let (status, _, err) = run(&Registry::new(), &["rbac"]);
    assert!(status == 2 && err.contains("`Registry::rbac`"), "{err}");
    let failing = Registry::new().rbac("x", || Err("no server".into()));
    let (status, _, err) = run(&failing, &["rbac"]);
    assert!(status == 2 && err.contains("what is needed: no server"), "{err}");
    let (status, _, err) = run(&registry("x"), &["rbac", "--check", "--out", "-"]);
    assert!(status == 2 && err.contains("--out FILE"), "{err}");
}

#[test]
fn roles_are_bound_and_packaged() {
    let dir = Dir::new("rbac-chart");
    let registry = registry("role.yaml");
    let (_, out, _) = run(&registry, &["rbac", "--out", "-", "--bind", "apps/operator"]);
    let kinds: Vec<&str> = out.lines().filter_map(|line| line.strip_prefix("kind: ")).collect();
    assert_eq!(kinds, ["ClusterRole", "ClusterRoleBinding"]);
    let chart =
        [&["rbac", "--bind", "apps/operator", "--format", "helm", "--out"], &[dir.text()][..]];
    let (status, out, err) = run(&registry, &chart.concat());
    assert_eq!((status, &*err), (0, ""), "{out}");
    let template = dir.read("templates/rbac/rbac.yaml");
    assert!(template.contains("  namespace: {{ .Release.Namespace }}\n"), "{template}");
    assert!(dir.read("values.yaml").starts_with("rbac:\n"));
    let (status, _, err) = run(&registry, &["rbac", "--bind", "operator"]);
    assert!(status == 2 && err.contains("write NAMESPACE/NAME"), "{err}");
    let (status, _, err) = run(&registry, &["rbac", "--format", "helm-crds"]);
    assert!(status == 2 && err.contains("use `--format helm`"), "{err}");
}

#[test]
fn webhook_configurations_are_checked_and_written() {
    let dir = Dir::new("webhooks");
    let hook = Webhook::new("check.things.example.com").path("/check");
    let webhooks = Webhooks::new("operator").service("apps", "operator");
    let file = format!("{}/webhooks.yaml", dir.text());
    let on = hook.clone().on(["CREATE"], "things.example.com", ["v1"]);
    let registry = Registry::new().webhooks(&file, webhooks.clone().validating(on));
    assert_eq!(run(&registry, &["webhooks"]), (0, format!("{file} created\n"), String::new()));
    assert_eq!(run(&registry, &["webhooks", "--check"]).1, "1 manifest up to date\n");
    assert!(dir.read("webhooks.yaml").contains("kind: ValidatingWebhookConfiguration"));
    let chart = format!("{}/chart", dir.text());
    let (status, out, err) = run(&registry, &["webhooks", "--format", "helm", "--out", &chart]);
    assert_eq!((status, &*err), (0, ""), "{out}");
    let template = dir.read("chart/templates/webhooks/webhooks.yaml");
    let service = "name: {{ $client.service.name | default \"operator\" | quote }}\n      namespace: {{ $namespace | quote }}\n      path: /check\n";
    assert!(template.contains(service), "{template}");
    let wrong = hook.match_condition("c", "1").on(["CREATE"], "things.example.com", ["v1"]);
    let registry = Registry::new().webhooks(&file, webhooks.validating(wrong));
    let (status, _, err) = run(&registry, &["webhooks"]);
    let want = "The ValidatingWebhookConfiguration \"operator\" is invalid: webhooks[0].matchConditions[0].expression: Invalid value: \"1\": must evaluate to bool but got int\n";
    assert_eq!((status, &*err), (1, want));
    let (status, _, err) = run(&Registry::new(), &["webhooks"]);
    assert!(status == 2 && err.contains("`Registry::webhooks`"), "{err}");
}

//! `rbac`: writes roles, checks them on disk, and compares them with those of a manifest.

use std::fs;

use super::{Dir, Registry, run};
use crd_engine::rbac::{Need, Permissions};

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
    assert_eq!((status, err.contains("is out of date: run `rbac`")), (1, true), "{out}{err}");
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

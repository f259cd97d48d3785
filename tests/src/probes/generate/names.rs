//! Names of kinds, groups, versions and labels: valid ones, ones with wrong characters, and ones at the limits of their
//! length.

use crd_fixtures::crd;
use serde_json::{Value, json};

use super::{Probe, push};

/// Returns a definition with another value at a path.
fn definition(path: &str, value: &Value) -> Value {
    let mut crd = crd("a.example.com", "Widget").version("v1", json!({"type": "object"})).json();
    if let Some(place) = crd.pointer_mut(path) {
        *place = value.clone();
    } else if let (Some((parent, key)), true) = (path.rsplit_once('/'), value.is_array()) {
        crd.pointer_mut(parent).expect("the parent is there")[key] = value.clone();
    }
    if path == "/spec/names/kind" {
        let kind = value.as_str().unwrap_or_default();
        crd["spec"]["names"]["listKind"] = format!("{kind}List").into();
        crd["spec"]["names"]["singular"] = kind.to_lowercase().into();
        // The plural that an author would expect, even if the derive computes another one.
        crd["spec"]["names"]["plural"] = format!("{}s", kind.to_lowercase()).into();
    }
    let names = &crd["spec"]["names"];
    let name = format!(
        "{}.{}",
        names["plural"].as_str().unwrap_or_default(),
        crd["spec"]["group"].as_str().unwrap_or_default()
    );
    crd["metadata"]["name"] = name.into();
    crd
}

pub(super) fn probes() -> Vec<Probe> {
    let long = |n: usize| "a".repeat(n);
    let kinds =
        ["Widget", "widget", "Wid get", "Wid-get", "W1", "1W", "", "Wid_get", "Widgét", "W"];
    let labels = ["widgets", "Widgets", "wid-gets", "-w", "w-", "w.s", "", "wid_gets", "1w", "é"];
    let groups = [
        "a.example.com",
        "example",
        "",
        "Example.com",
        "a..b",
        "-a.b",
        "a_b.c",
        "a.b.",
        "k8s.io",
        "x.k8s.io",
        "x.kubernetes.io",
    ];
    let versions = ["v1", "v1beta1", "v1alpha12", "V1", "v1-", "v 1", "", "1", "v1.2", "foo", "v0"];
    let mut rows: Vec<(&str, &str, Vec<String>)> = vec![
        ("kind", "/spec/names/kind", kinds.map(str::to_owned).to_vec()),
        ("plural", "/spec/names/plural", labels.map(str::to_owned).to_vec()),
        ("singular", "/spec/names/singular", labels.map(str::to_owned).to_vec()),
        ("list_kind", "/spec/names/listKind", kinds.map(str::to_owned).to_vec()),
        ("short_name", "/spec/names/shortNames", labels.map(str::to_owned).to_vec()),
        ("category", "/spec/names/categories", labels.map(str::to_owned).to_vec()),
        ("group", "/spec/group", groups.map(str::to_owned).to_vec()),
        ("version", "/spec/versions/0/name", versions.map(str::to_owned).to_vec()),
    ];
    for (key, _, values) in &mut rows {
        let start = if ["kind", "list_kind"].contains(key) { "W" } else { "w" };
        values.extend([59, 62, 63, 64].map(|n| format!("{start}{}", long(n - 1))));
        if *key == "group" {
            values.extend(
                [250, 253, 254]
                    .map(|n| format!("a.{}", "b.".repeat((n - 4) / 2) + &long(2 + n % 2))),
            );
        }
    }
    let mut probes = Vec::new();
    for (key, path, values) in rows {
        for value in values {
            // `shortNames` and `categories` are lists.
            let json = if path.ends_with('s') && !path.ends_with("plural") {
                json!([value])
            } else {
                json!(value)
            };
            let base = [("group", "a.example.com"), ("version", "v1"), ("kind", "Widget")];
            let mut attributes: Vec<_> = base
                .iter()
                .filter(|(name, _)| *name != key)
                .map(|(name, value)| format!("{name} = {value:?}"))
                .collect();
            attributes.push(format!("{key} = {value:?}"));
            // By default, the root type has the name of the kind, which need not be an identifier.
            let root = if key == "kind" { ", root = Widget" } else { "" };
            push(
                &mut probes,
                Probe {
                    name: format!("{key} = {}", shown(&value)),
                    source: format!(
                        "#[C] #[crd({}, namespaced{root})] struct WidgetSpec {{}}",
                        attributes.join(", ")
                    ),
                    meant: Some(definition(path, &json)),
                    ..Probe::default()
                },
            );
        }
    }
    probes
}

/// Returns a value for the name of a probe, or the length of a long one.
fn shown(value: &str) -> String {
    if value.len() > 20 { format!("{} characters", value.len()) } else { format!("{value:?}") }
}

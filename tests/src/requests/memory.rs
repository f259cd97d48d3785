//! Remembers parts of a server's answers for later requests to it.

use std::collections::HashMap;

use serde_json::Value;

use super::step::{NAMESPACE, Reads, Step};

/// Ids, versions and tokens that one server has given out.
#[derive(Debug, Default, Clone)]
pub(super) struct Memory {
    namespace: String,
    /// The domain of the group of the run.
    domain: &'static str,
    /// The URL of the admission webhooks and their certificates, as in a `clientConfig`.
    hooks: Value,
    /// The values by the name of the placeholder and a path. For the path of an object: `rv`, `old` (the version
    /// before) and `uid`. For that of a resource: `continue`, `at` (the version of its last list) and `begin` (the
    /// version before the sequence).
    known: HashMap<(&'static str, String), String>,
}

impl Memory {
    pub(super) fn new(namespace: &str, domain: &'static str, hooks: Value) -> Self {
        Self { namespace: namespace.to_owned(), domain, hooks, known: HashMap::new() }
    }

    /// Replaces the placeholders in a text.
    pub(super) fn resolve(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("{{") {
            out.push_str(before);
            // The path in a placeholder can contain placeholders. They stay, because the paths in `known` have them
            // too.
            let end = after.match_indices("}}").map(|(at, _)| at).find(|at| {
                after[..*at].matches("{{").count() == after[..*at].matches("}}").count()
            });
            let Some(end) = end else {
                rest = after;
                break;
            };
            out.push_str(&self.look_up(&after[..end]));
            rest = &after[end + 2..];
        }
        out.push_str(rest);
        out
    }

    fn look_up(&self, inside: &str) -> String {
        let (what, key) = inside.split_once(' ').unwrap_or((inside, ""));
        let (what, unknown) = match what {
            "namespace" => return self.namespace.clone(),
            "hook-url" => return self.hooks["url"].as_str().unwrap_or_default().to_owned(),
            "hook-ca" => return self.hooks["caBundle"].as_str().unwrap_or_default().to_owned(),
            "group" => return format!("{}.{}", self.namespace, self.domain),
            "rv" => ("rv", "1"),
            "old" => ("old", "1"),
            "uid" => ("uid", "00000000-0000-0000-0000-000000000000"),
            "at" => ("at", "1"),
            "begin" => ("begin", "1"),
            _ => ("continue", ""),
        };
        let mut found = self.known.get(&(what, key.to_owned()));
        if found.is_none() && matches!(what, "at" | "begin") {
            // For a resource that has not been listed yet: the first version of this run, which is still in the
            // server's cache.
            found = self.known.get(&("rv", format!("/api/v1/namespaces/{NAMESPACE}")));
        }
        found.map_or_else(|| unknown.to_owned(), Clone::clone)
    }

    /// Remembers values of the answer to a request.
    pub(super) fn learn(&mut self, step: &Step, answer: &Value) {
        let metadata = &answer["metadata"];
        let text = |key: &str| metadata[key].as_str().filter(|text| !text.is_empty());
        let place = step.path_without_query().to_owned();
        let Some(version) = text("resourceVersion") else { return };
        let Some(name) = text("name") else {
            if step.reads == Reads::Uncompared {
                self.known.insert(("begin", place), version.to_owned());
                return;
            }
            self.known.insert(("at", place.clone()), version.to_owned());
            let next = text("continue").unwrap_or_default().to_owned();
            self.known.insert(("continue", place), next);
            return;
        };
        let mut key = place;
        if step.method == "POST" {
            let is_namespace = key == "/api/v1/namespaces";
            let name = if is_namespace { NAMESPACE } else { text("generateName").unwrap_or(name) };
            // Objects without a namespace have the name of the run in their own.
            key = format!("{key}/{}", name.replace(&self.namespace, NAMESPACE));
        }
        for subresource in ["/status", "/scale"] {
            if key.ends_with(subresource) {
                key.truncate(key.len() - subresource.len());
            }
        }
        if let Some(uid) = text("uid") {
            self.known.insert(("uid", key.clone()), uid.to_owned());
        }
        if step.path.contains("dryRun=") {
            return;
        }
        let before = self.known.insert(("rv", key.clone()), version.to_owned());
        if let Some(before) = before.filter(|before| before != version) {
            self.known.insert(("old", key), before);
        }
    }
}

//! Snapshots: copies of all stored objects, to print as YAML and to compare.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value;

use super::mask::{Mask, Masking};
use super::redact;
use super::store::Store;
use crate::yaml;

/// All objects that a server stores at one point in time. `Display` prints them as YAML, ordered by resource, namespace
/// and name.
/// The values of Secrets are printed as `***`.
///
/// ```
/// use crd_apiserver::{ApiServer, Mask};
/// use serde_json::json;
///
/// # tokio_test(async {
/// let config = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x"}, "data": {"a": "1"}});
/// let server = ApiServer::new();
/// let before = server.snapshot();
/// server.create(&config)?;
/// let after = server.snapshot();
/// assert_eq!(before.changes(&after).to_string(), "+ v1 ConfigMap default/x\n");
///
/// let config = after.only(&["configmaps"]).masked(Mask::default());
/// assert!(config.to_string().contains("data:\n  a: \"1\"\nkind: ConfigMap"));
/// # Ok::<(), crd_apiserver::StatusError>(())
/// # });
/// # fn tokio_test(test: impl Future<Output = Result<(), crd_apiserver::StatusError>>) {
/// #     tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test).unwrap();
/// # }
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Snapshot {
    /// The objects in their storage version, by resource in the store (`apps/deployments`) and key (`default/web`).
    pub(super) objects: BTreeMap<(String, String), Value>,
}

impl Snapshot {
    pub(super) fn of(store: &Store) -> Self {
        let mut objects = BTreeMap::new();
        for (resource, stored) in store.resources() {
            for (key, stored) in stored {
                objects.insert((resource.to_string(), key.to_string()), stored.object());
            }
        }
        Self { objects }
    }

    /// Returns only the objects of these resources, such as `pods` and `deployments.apps`.
    #[must_use]
    pub fn only(&self, resources: &[&str]) -> Self {
        self.filtered(|resource| resources.contains(&resource))
    }

    /// Returns all objects except those of these resources.
    #[must_use]
    pub fn without(&self, resources: &[&str]) -> Self {
        self.filtered(|resource| !resources.contains(&resource))
    }

    fn filtered(&self, keeps: impl Fn(&str) -> bool) -> Self {
        let mut kept = self.clone();
        kept.objects.retain(|(resource, _), _| keeps(&full_resource(resource)));
        kept
    }

    /// Replaces the values that differ from run to run, such as UIDs.
    #[must_use]
    pub fn masked(mut self, mask: Mask) -> Self {
        let mut masking = Masking::new(mask);
        self.objects.values_mut().for_each(|object| masking.value(object));
        self
    }

    /// Returns the objects, in their storage version.
    pub fn objects(&self) -> impl Iterator<Item = &Value> {
        self.objects.values()
    }

    /// Returns the differences between this snapshot and a later one.
    #[must_use]
    pub fn changes(&self, later: &Self) -> Changes {
        let mut changes = Vec::new();
        let keys = self.objects.keys().chain(later.objects.keys());
        let keys: std::collections::BTreeSet<_> = keys.collect();
        for key in keys {
            let (before, after) = (self.objects.get(key), later.objects.get(key));
            if before == after {
                continue;
            }
            let Some(shown) = after.or(before) else { continue };
            let text = |at: &str| shown.get(at).and_then(Value::as_str).unwrap_or_default();
            let object = format!("{} {} {}", text("apiVersion"), text("kind"), key.1);
            let mut fields = Vec::new();
            if let (Some(before), Some(after)) = (before, after) {
                let (mut before, mut after) = (before.clone(), after.clone());
                redact::hide_changes(&mut before, &mut after);
                compare("", &before, &after, &mut fields);
            }
            let kind = match (before.is_some(), after.is_some()) {
                (false, _) => ChangeKind::Created,
                (true, false) => ChangeKind::Deleted,
                (true, true) => ChangeKind::Changed,
            };
            changes.push(Change { object, kind, fields });
        }
        Changes { changes }
    }
}

impl fmt::Display for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for object in self.objects.values() {
            write!(f, "---\n{}", yaml::to_string(&redact::object(object)))?;
        }
        Ok(())
    }
}

/// Converts `apps/deployments` to `deployments.apps`.
fn full_resource(stored_as: &str) -> String {
    match stored_as.split_once('/') {
        Some(("", plural)) => plural.to_owned(),
        Some((group, plural)) => format!("{plural}.{group}"),
        None => stored_as.to_owned(),
    }
}

/// The differences between two snapshots. `Display` prints a line for each object that was created (`+`), deleted (`-`)
/// or changed (`~`), and below it a line for each changed field.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes {
    changes: Vec<Change>,
}

impl Changes {
    /// Returns whether nothing has changed.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Change {
    object: String,
    kind: ChangeKind,
    /// The changed fields, a line each.
    fields: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ChangeKind {
    Created,
    Deleted,
    Changed,
}

impl fmt::Display for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for change in &self.changes {
            let mark = match change.kind {
                ChangeKind::Created => '+',
                ChangeKind::Deleted => '-',
                ChangeKind::Changed => '~',
            };
            writeln!(f, "{mark} {}", change.object)?;
            for line in &change.fields {
                writeln!(f, "    {line}")?;
            }
        }
        Ok(())
    }
}

/// Adds a line for each difference between two values.
fn compare(path: &str, before: &Value, after: &Value, lines: &mut Vec<String>) {
    match (before, after) {
        (Value::Object(before), Value::Object(after)) => {
            let keys = before.keys().chain(after.keys());
            let keys: std::collections::BTreeSet<&String> = keys.collect();
            for key in keys {
                let path =
                    format!("{path}{}{}", if path.is_empty() { "" } else { "." }, quoted(key));
                compare_members(&path, before.get(key), after.get(key), lines);
            }
        }
        (Value::Array(before), Value::Array(after)) => {
            for index in 0..before.len().max(after.len()) {
                let path = format!("{path}[{index}]");
                compare_members(&path, before.get(index), after.get(index), lines);
            }
        }
        _ if before == after => {}
        _ => lines.push(format!("{path}: {before} -> {after}")),
    }
}

fn compare_members(
    path: &str,
    before: Option<&Value>,
    after: Option<&Value>,
    lines: &mut Vec<String>,
) {
    match (before, after) {
        (Some(before), Some(after)) => compare(path, before, after, lines),
        (Some(before), None) => lines.push(format!("- {path}: {before}")),
        (None, Some(after)) => lines.push(format!("+ {path}: {after}")),
        (None, None) => {}
    }
}

/// Returns a key as it is written in a path: in brackets if it contains a dot.
fn quoted(key: &str) -> String {
    if key.contains('.') { format!("[{key:?}]") } else { key.to_owned() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn changes_list_each_field() {
        let of = |objects: Vec<(&str, Value)>| Snapshot {
            objects: objects
                .into_iter()
                .map(|(name, mut object)| {
                    object["apiVersion"] = "v1".into();
                    object["kind"] = "ConfigMap".into();
                    (("/configmaps".to_owned(), format!("default/{name}")), object)
                })
                .collect(),
        };
        let before = of(vec![
            ("a", json!({"data": {"x.y": "1", "gone": true}, "list": [1, 2]})),
            ("b", json!({})),
            ("same", json!({})),
        ]);
        let after = of(vec![
            ("a", json!({"data": {"x.y": "2", "new": [1]}, "list": [1, 3, 4]})),
            ("c", json!({})),
            ("same", json!({})),
        ]);
        let changes = before.changes(&after);
        let want = "\
~ v1 ConfigMap default/a
    - data.gone: true
    + data.new: [1]
    data.[\"x.y\"]: \"1\" -> \"2\"
    list[1]: 2 -> 3
    + list[2]: 4
- v1 ConfigMap default/b
+ v1 ConfigMap default/c
";
        assert_eq!(changes.to_string(), want);
        assert!(after.changes(&after).is_empty());
        assert!(after.only(&["pods"]).objects.is_empty());
        assert!(after.without(&["configmaps"]).objects.is_empty());
    }
}

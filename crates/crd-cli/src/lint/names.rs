//! Names of fields, kinds and versions.

use std::cmp::Ordering;

use super::definition::{Definition, Node};
use super::kind::{Example, Findings, Level, Lint};
use crate::versions;

pub(super) const FIELD_NAME: Lint = Lint {
    id: "field_name",
    level: Level::Warn,
    finds: "a field name that is not in camel case",
    why: "Fields of Kubernetes are named in camel case, such as `maxUnavailable`. Names with other characters have to be \
          escaped in rules (`self.max__dash__size`) and quoted in JSON paths.",
    in_rust: "`#[serde(rename_all = \"camelCase\")]` on the type, or `#[serde(rename = \"..\")]`",
    in_yaml: "a name of ASCII letters and digits that begins with a lower-case letter",
    bad: Example::Spec(
        "max_size: {type: integer, format: int32, description: The largest size.}\n",
    ),
    good: Example::Spec(
        "maxSize: {type: integer, format: int32, description: The largest size.}\n",
    ),
    find: field_name,
};

fn field_name(definition: &Definition<'_>, findings: &mut Findings) {
    each(definition, |node, name| {
        let is_camel = name.starts_with(|first: char| first.is_ascii_lowercase())
            && name.chars().all(|c| c.is_ascii_alphanumeric());
        if !is_camel {
            findings.at(node, format!("the name `{name}` is not in camel case"));
        }
    });
}

pub(super) const PHASE_NAME: Lint = Lint {
    id: "phase_name",
    level: Level::Warn,
    finds: "a field for a phase",
    why: "A phase is a state machine that cannot grow: clients that know the old phases take a new one for one of them. \
          The conventions of Kubernetes deprecate `phase` and use conditions, each of which is observed by itself.",
    in_rust: "`conditions: Vec<Condition>` in the status",
    in_yaml: "`status.conditions`",
    bad: Example::Status("phase: {type: string, description: The state of the object.}\n"),
    good: super::status::WITH_CONDITIONS,
    find: phase_name,
};

fn phase_name(definition: &Definition<'_>, findings: &mut Findings) {
    each(definition, |node, name| {
        if name.to_ascii_lowercase().contains("phase") {
            findings.at(
                node,
                "phases are deprecated in Kubernetes: conditions can grow, phases cannot",
            );
        }
    });
}

pub(super) const REFERENCE_NAME: Lint = Lint {
    id: "reference_name",
    level: Level::Warn,
    finds: "a field name with `Reference`",
    why: "Kubernetes names references to other objects `..Ref`, such as `secretRef` and `scaleTargetRef`, and lists of them \
          `..Refs`.",
    in_rust: "the field named `.._ref`, or `#[serde(rename = \"..Ref\")]`",
    in_yaml: "a name with `Ref`",
    bad: Example::Spec("secretReference: {type: string, description: The name of the secret.}\n"),
    good: Example::Spec("secretRef: {type: string, description: The name of the secret.}\n"),
    find: reference_name,
};

fn reference_name(definition: &Definition<'_>, findings: &mut Findings) {
    each(definition, |node, name| {
        if let Some(better) = without_reference(name).filter(|_| !OF_METADATA.contains(&name)) {
            findings.at(node, format!("the name is `{better}` by the conventions of Kubernetes"));
        }
    });
}

/// Returns a name with `Ref` in place of a first or last word `Reference`.
fn without_reference(name: &str) -> Option<String> {
    for (long, short) in [("References", "Refs"), ("Reference", "Ref")] {
        if let Some(before) = name.strip_suffix(long) {
            return Some(format!("{before}{short}"));
        }
        let (long, short) = (long.to_ascii_lowercase(), short.to_ascii_lowercase());
        if let Some(rest) = name.strip_prefix(&long)
            && !rest.starts_with(|c: char| c.is_ascii_lowercase())
        {
            return Some(format!("{short}{rest}"));
        }
    }
    None
}

pub(super) const TIMESTAMP_NAME: Lint = Lint {
    id: "timestamp_name",
    level: Level::Warn,
    finds: "a field name with `Timestamp`",
    why: "Kubernetes names times `..Time`, such as `startTime` and `lastTransitionTime`.",
    in_rust: "the field named `.._time`, or `#[serde(rename = \"..Time\")]`",
    in_yaml: "a name with `Time`",
    bad: Example::Spec(
        "startTimestamp: {type: string, format: date-time, description: When to begin.}\n",
    ),
    good: Example::Spec(
        "startTime: {type: string, format: date-time, description: When to begin.}\n",
    ),
    find: timestamp_name,
};

/// The fields of `ObjectMeta` that Kubernetes itself names otherwise.
const OF_METADATA: [&str; 3] = ["creationTimestamp", "deletionTimestamp", "ownerReferences"];

fn timestamp_name(definition: &Definition<'_>, findings: &mut Findings) {
    each(definition, |node, name| {
        let better = name
            .replace("TimeStamp", "Time")
            .replace("Timestamp", "Time")
            .replace("timestamp", "time");
        if better != name && !OF_METADATA.contains(&name) {
            findings.at(node, format!("the name is `{better}` by the conventions of Kubernetes"));
        }
    });
}

pub(super) const FORBIDDEN_NAME: Lint = Lint {
    id: "forbidden_name",
    level: Level::Warn,
    finds: "a field name that `--forbid-name` matches",
    why: "A project has words that it does not use in its fields. `--forbid-name REGEX` names them; without the option, \
          the lint finds nothing. Here it is `--forbid-name '(?i)blacklist'`.",
    in_rust: "another name, or `#[serde(rename = \"..\")]`",
    in_yaml: "another name",
    bad: Example::Spec("hostBlacklist: {type: string, description: The host to reject.}\n"),
    good: Example::Spec("rejectedHost: {type: string, description: The host to reject.}\n"),
    find: forbidden_name,
};

fn forbidden_name(definition: &Definition<'_>, findings: &mut Findings) {
    each(definition, |node, name| {
        if let Some(regex) = definition.forbidden.iter().find(|regex| regex.is_match(name)) {
            findings.at(
                node,
                format!("the name `{name}` matches `{}`, which is forbidden", regex.pattern()),
            );
        }
    });
}

/// Visits the fields with their names.
fn each(definition: &Definition<'_>, mut visit: impl FnMut(&Node<'_>, &str)) {
    for node in &definition.nodes {
        if let Some(name) = node.name {
            visit(node, name);
        }
    }
}

pub(super) const KIND_NAME: Lint = Lint {
    id: "kind_name",
    level: Level::Warn,
    finds: "a kind that is not in camel case, or a list kind with another name",
    why: "Kinds of Kubernetes are named in camel case with a capital, such as `CronTab`, and their lists `CronTabList`. \
          Generated clients derive the names of types from both.",
    in_rust: "`#[crd(kind = \"CronTab\")]`, without `list_kind`",
    in_yaml: "`kind: CronTab` and `listKind: CronTabList`",
    bad: Example::Definition("names: {kind: widget, listKind: Widgets}\n"),
    good: Example::Definition("names: {kind: Widget, listKind: WidgetList}\n"),
    find: kind_name,
};

fn kind_name(definition: &Definition<'_>, findings: &mut Findings) {
    let names = &definition.crd.spec.names;
    let is_camel = names.kind.starts_with(|first: char| first.is_ascii_uppercase())
        && names.kind.chars().all(|c| c.is_ascii_alphanumeric());
    if !is_camel {
        let message = format!("the kind `{}` is not in camel case with a capital", names.kind);
        findings.definition("spec.names.kind", message);
    }
    let want = format!("{}List", names.kind);
    if !names.list_kind.is_empty() && names.list_kind != want {
        let message = format!("the list kind is `{}`, not `{want}`", names.list_kind);
        findings.definition("spec.names.listKind", message);
    }
}

pub(super) const VERSION_NAME: Lint = Lint {
    id: "version_name",
    level: Level::Warn,
    finds: "a version that is not named as Kubernetes names versions",
    why: "The server orders versions such as `v1`, `v1beta1` and `v2alpha3` by their stability. All others come last, by \
          name, so that `kubectl` prefers an old version to a new one: `v10-1` comes before `v9-1`.",
    in_rust: "`#[crd(version = \"v1beta1\")]`",
    in_yaml: "`name: v1beta1`",
    bad: Example::Version("name: beta-1\n"),
    good: Example::Version("name: v1beta1\n"),
    find: version_name,
};

fn version_name(definition: &Definition<'_>, findings: &mut Findings) {
    for (version, field) in definition.served() {
        // Names of this form come before all others, such as the empty one, which comes before the rest.
        if versions::priority(&version.name, "") != Ordering::Less {
            let message = format!(
                "the version `{}` has not the form of `v1`, `v1beta2` or `v1alpha3`",
                version.name
            );
            findings.version(version, format!("{field}.name"), message);
        }
    }
}

pub(super) const TAKEN_SHORT_NAME: Lint = Lint {
    id: "taken_short_name",
    level: Level::Warn,
    finds: "a short name that a built-in kind has",
    why: "`kubectl` prefers the built-in kind, so that the short name never finds yours.",
    in_rust: "another `#[crd(short_name = \"..\")]`",
    in_yaml: "another entry of `shortNames`",
    bad: Example::Definition("names: {shortNames: [po]}\n"),
    good: Example::Definition("names: {shortNames: [wi]}\n"),
    find: taken_short_name,
};

/// The short names of built-in kinds.
///
/// Source: `pkg/registry`, the methods `ShortNames` of each kind's storage.
const BUILT_IN: [&str; 29] = [
    "cj", "cm", "crd", "crds", "cs", "csr", "deploy", "ds", "ep", "ev", "hpa", "ing", "limits",
    "netpol", "no", "ns", "pc", "pdb", "po", "pv", "pvc", "quota", "rc", "rs", "sa", "sc", "sts",
    "svc", "vac",
];

fn taken_short_name(definition: &Definition<'_>, findings: &mut Findings) {
    for (index, name) in definition.crd.spec.names.short_names.iter().enumerate() {
        if BUILT_IN.contains(&&**name) {
            let message = format!(
                "the short name `{name}` is that of a built-in kind, which `kubectl` prefers"
            );
            findings.definition(&format!("spec.names.shortNames[{index}]"), message);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_words() {
        for (name, want) in [
            ("secretReference", Some("secretRef")),
            ("references", Some("refs")),
            ("referenceName", Some("refName")),
            ("referencedBy", None),
            ("preference", None),
            ("cross_reference", None),
            ("ref", None),
        ] {
            assert_eq!(without_reference(name).as_deref(), want, "{name}");
        }
    }
}

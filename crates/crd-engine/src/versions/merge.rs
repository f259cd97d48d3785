//! Merges the manifests of several versions into one CRD.

use std::fmt;

use super::priority;
use crate::model::{Conversion, CustomResourceDefinition, CustomResourceDefinitionVersion};

/// Why versions do not form one CRD. Each reason says what to change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MergeError {
    kind: String,
    reasons: Vec<String>,
}

impl MergeError {
    /// All reasons.
    pub fn reasons(&self) -> &[String] {
        &self.reasons
    }
}

impl fmt::Display for MergeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.kind.is_empty() {
            write!(f, "versions of `{}` cannot be merged into one CRD: ", self.kind)?;
        }
        f.write_str(&self.reasons.join("; "))
    }
}

impl std::error::Error for MergeError {}

/// Merges manifests of one kind, one version each, into one CRD, the preferred version first.
///
/// Exactly one version is the storage version. Without a conversion the strategy is `None`, even if the schemas
/// differ: the server then changes only the `apiVersion` of an object, and drops from it what the version's schema
/// does not name.
///
/// # Errors
/// Every reason why the versions do not form one CRD.
pub fn merge(
    manifests: &[CustomResourceDefinition],
) -> Result<CustomResourceDefinition, MergeError> {
    let mut reasons = Vec::new();
    let Some(first) = manifests.first() else {
        let reasons = vec!["no version is given: add one".to_owned()];
        return Err(MergeError { kind: String::new(), reasons });
    };
    let mut merged = first.clone();
    merged.spec.versions = Vec::new();
    for manifest in manifests {
        check_same_names(first, manifest, &mut reasons);
        merge_metadata(&mut merged, manifest, &mut reasons);
        merge_conversion(&mut merged, manifest, &mut reasons);
        for version in &manifest.spec.versions {
            if merged.spec.versions.iter().any(|other| other.name == version.name) {
                let name = &version.name;
                reasons.push(format!(
                    "version `{name}` is defined twice: give each type its own `version`"
                ));
            }
            merged.spec.versions.push(version.clone());
        }
    }
    merged.spec.versions.sort_by(|a, b| priority(&a.name, &b.name));
    check_storage_version(&merged.spec.versions, &mut reasons);
    check_selectable_fields(&merged.spec.versions, &mut reasons);
    if merged.spec.conversion.is_none() {
        merged.spec.conversion = Some(Conversion { strategy: "None".to_owned(), webhook: None });
    }
    if reasons.is_empty() {
        Ok(merged)
    } else {
        Err(MergeError { kind: first.spec.names.kind.clone(), reasons })
    }
}

/// Checks that versions that differ do not have the same selectable fields, which the server rejects: it moves what is
/// the same in all versions to a place where it does not accept selectable fields.
///
/// Source: `Convert_v1_CustomResourceDefinitionSpec_To_apiextensions_CustomResourceDefinitionSpec` of
/// `pkg/apis/apiextensions/v1/conversion.go`, and `validateCustomResourceDefinitionSpec`.
fn check_selectable_fields(
    versions: &[CustomResourceDefinitionVersion],
    reasons: &mut Vec<String>,
) {
    let Some((first, others)) = versions.split_first() else { return };
    let fields = |version: &CustomResourceDefinitionVersion| {
        version.selectable_fields.clone().unwrap_or_default()
    };
    let is_same = |other: &CustomResourceDefinitionVersion| {
        (&other.schema, &other.subresources, &other.additional_printer_columns)
            == (&first.schema, &first.subresources, &first.additional_printer_columns)
    };
    let selected = fields(first);
    if !others.is_empty()
        && !selected.is_empty()
        && others.iter().all(|other| fields(other) == selected)
        && !others.iter().all(is_same)
    {
        reasons.push(
            "all versions have the same `selectable` fields but differ otherwise, which no API server accepts: remove \
             a field from one version, or all of them from the versions that clients no longer select by"
                .to_owned(),
        );
    }
}

fn check_same_names(
    first: &CustomResourceDefinition,
    other: &CustomResourceDefinition,
    reasons: &mut Vec<String>,
) {
    let version = |crd: &CustomResourceDefinition| {
        crd.spec.versions.first().map_or("?", |version| &version.name).to_owned()
    };
    let names = |crd: &CustomResourceDefinition| {
        let names = &crd.spec.names;
        [
            ("group", crd.spec.group.clone()),
            ("kind", names.kind.clone()),
            ("plural", names.plural.clone()),
            ("singular", names.singular.clone()),
            ("list_kind", names.list_kind.clone()),
            ("scope", crd.spec.scope.clone()),
            ("short_name", names.short_names.join(", ")),
            ("category", names.categories.join(", ")),
        ]
    };
    for ((key, one), (_, two)) in names(first).into_iter().zip(names(other)) {
        if one != two {
            reasons.push(format!(
                "`{key}` is `{one}` in version `{}` and `{two}` in version `{}`: set the same value in both",
                version(first),
                version(other)
            ));
        }
    }
}

fn merge_metadata(
    merged: &mut CustomResourceDefinition,
    other: &CustomResourceDefinition,
    reasons: &mut Vec<String>,
) {
    let pairs = [
        ("label", &mut merged.metadata.labels, &other.metadata.labels),
        ("annotation", &mut merged.metadata.annotations, &other.metadata.annotations),
    ];
    for (what, into, from) in pairs {
        for (key, value) in from {
            let kept = into.entry(key.clone()).or_insert_with(|| value.clone());
            if kept != value {
                reasons.push(format!(
                    "{what} `{key}` is `{kept}` in one version and `{value}` in another: set it in one version only"
                ));
            }
        }
    }
}

fn merge_conversion(
    merged: &mut CustomResourceDefinition,
    other: &CustomResourceDefinition,
    reasons: &mut Vec<String>,
) {
    match (&merged.spec.conversion, &other.spec.conversion) {
        (Some(one), Some(two)) if one != two => reasons
            .push("two versions have different `conversion(..)`: keep one of them".to_owned()),
        (None, Some(conversion)) => merged.spec.conversion = Some(conversion.clone()),
        _ => {}
    }
}

fn check_storage_version(versions: &[CustomResourceDefinitionVersion], reasons: &mut Vec<String>) {
    let stored: Vec<&str> = versions.iter().filter(|v| v.storage).map(|v| &*v.name).collect();
    let all: Vec<&str> = versions.iter().map(|v| &*v.name).collect();
    match stored.as_slice() {
        [_] => {}
        [] => reasons.push(format!(
            "no version is the storage version: drop `storage = false` from one of {}",
            all.join(", ")
        )),
        many => reasons.push(format!(
            "{} are all storage versions: keep one, and add `storage = false` to the others",
            many.join(", ")
        )),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn manifest(
        version: &str,
        storage: bool,
        schema: &serde_json::Value,
    ) -> CustomResourceDefinition {
        crd_fixtures::crd("example.com", "Job")
            .version(version, schema)
            .set("/spec/versions/0/storage", storage)
            .read()
    }

    fn object() -> serde_json::Value {
        json!({"type": "object"})
    }

    #[track_caller]
    fn rejected(manifests: &[CustomResourceDefinition], want: &str) {
        let error = merge(manifests).unwrap_err();
        assert!(error.to_string().contains(want), "{error}");
    }

    #[test]
    fn the_preferred_version_comes_first() {
        let merged =
            merge(&[manifest("v1beta1", false, &object()), manifest("v1", true, &object())])
                .unwrap();
        let names: Vec<&str> = merged.spec.versions.iter().map(|v| &*v.name).collect();
        assert_eq!(names, ["v1", "v1beta1"]);
        assert_eq!(merged.spec.conversion.unwrap().strategy, "None");
    }

    #[test]
    fn each_mistake_says_what_to_change() {
        let v1 = || manifest("v1", true, &object());
        rejected(&[], "add one");
        rejected(&[v1(), v1()], "version `v1` is defined twice");
        rejected(&[v1(), manifest("v2", true, &object())], "v2, v1 are all storage versions");
        rejected(&[manifest("v1", false, &object())], "no version is the storage version");
        let mut other = manifest("v2", false, &object());
        other.spec.names.kind = "Jobs".to_owned();
        other.spec.scope = "Cluster".to_owned();
        rejected(
            &[v1(), other.clone()],
            "`kind` is `Job` in version `v1` and `Jobs` in version `v2`",
        );
        rejected(&[v1(), other], "`scope` is `Namespaced`");
        rejected(&[v1(), v1()], "versions of `Job` cannot be merged into one CRD: ");
    }

    #[test]
    fn schemas_may_differ_without_a_conversion() {
        let different = json!({"type": "object", "properties": {"spec": {"type": "object"}}});
        let versions = [manifest("v1", true, &object()), manifest("v2", false, &different)];
        let merged = merge(&versions).unwrap();
        assert_eq!(merged.spec.conversion.unwrap().strategy, "None");
    }

    #[test]
    fn each_name_has_to_be_the_same() {
        type Change = fn(&mut CustomResourceDefinition);
        let changes: [(&str, Change); 8] = [
            ("`group` is `example.com`", |crd| crd.spec.group = "x".to_owned()),
            ("`kind` is `Job`", |crd| crd.spec.names.kind = "x".to_owned()),
            ("`plural` is `jobs`", |crd| crd.spec.names.plural = "x".to_owned()),
            ("`singular` is `job`", |crd| crd.spec.names.singular = "x".to_owned()),
            ("`list_kind` is `JobList`", |crd| crd.spec.names.list_kind = "x".to_owned()),
            ("`scope` is `Namespaced`", |crd| crd.spec.scope = "x".to_owned()),
            ("`short_name` is ``", |crd| crd.spec.names.short_names = vec!["x".to_owned()]),
            ("`category` is ``", |crd| crd.spec.names.categories = vec!["x".to_owned()]),
        ];
        for (start, change) in changes {
            let mut other = manifest("v2", false, &object());
            change(&mut other);
            let error = merge(&[manifest("v1", true, &object()), other]).unwrap_err();
            let want = format!(
                "{start} in version `v1` and `x` in version `v2`: set the same value in both"
            );
            assert_eq!(error.reasons(), [want]);
        }
    }

    #[test]
    fn parts_of_the_whole_definition_must_not_differ() {
        let with_parts = |version: &str, storage: bool, text: &str| {
            let mut crd = manifest(version, storage, &object());
            crd.metadata.labels.insert("l".to_owned(), text.to_owned());
            crd.metadata.annotations.insert("a".to_owned(), text.to_owned());
            crd.spec.conversion = Some(Conversion::url(format!("https://{text}")));
            crd
        };
        let error =
            merge(&[with_parts("v1", true, "x"), with_parts("v2", false, "y")]).unwrap_err();
        assert_eq!(
            error.reasons(),
            [
                "label `l` is `x` in one version and `y` in another: set it in one version only",
                "annotation `a` is `x` in one version and `y` in another: set it in one version only",
                "two versions have different `conversion(..)`: keep one of them",
            ]
        );
        merge(&[with_parts("v1", true, "x"), with_parts("v2", false, "x")]).unwrap();
    }
}

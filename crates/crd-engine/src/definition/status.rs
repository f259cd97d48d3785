//! Checks stored versions, the approval of protected groups, and `preserveUnknownFields`.

use std::collections::BTreeMap;

use crd_cel::domain::url::Url;
use serde_json::Value;

use super::internal::SPEC;
use crate::differences::Difference;
use crate::field::{BadValue, Path, Shown, Sink};
use crate::model::{CustomResourceDefinition, CustomResourceDefinitionVersion};

/// Checks that the stored versions include the storage version and are all in the spec.
///
/// Source: `ValidateCustomResourceDefinitionStoredVersions`.
pub(super) fn check_stored_versions(
    stored: &[String],
    versions: &[CustomResourceDefinitionVersion],
    path: &Path<'_>,
    errors: &mut Sink,
) {
    let path = path.field("storedVersions");
    if stored.is_empty() {
        let detail = "must have at least one stored version";
        let absent = |kubernetes| {
            if Difference::ValuesAsJson.is_in(kubernetes) {
                BadValue::Value(Value::Null)
            } else {
                BadValue::Json("[]string(nil)".to_owned())
            }
        };
        errors.invalid(&path, Shown::Make(&absent), detail);
        return;
    }
    let mut left: BTreeMap<&str, usize> =
        stored.iter().enumerate().map(|(index, name)| (name.as_str(), index)).collect();
    for version in versions {
        // Upstream: of versions with one name, only the first counts as stored.
        if left.remove(version.name.as_str()).is_none() && version.storage {
            let detail = format!("must have the storage version {}", version.name);
            errors.invalid(&path, Shown::Texts(stored), detail);
        }
    }
    for (name, index) in left {
        if !errors.server_has(Difference::ReasonsOfStoredVersions) {
            errors.invalid(&path.index(index), name, "must appear in spec.versions");
            continue;
        }
        let detail = format!(
            "missing from spec.versions; {name} was previously a storage version, and must remain in \
             spec.versions until a storage migration ensures no data remains persisted in {name} and \
             removes {name} from status.storedVersions"
        );
        errors.invalid(&path.index(index), name, detail);
    }
}

/// The annotation with the approval of an API of a protected group. Source:
/// `KubeAPIApprovedAnnotation`.
pub const APPROVED: &str = "api-approved.kubernetes.io";

/// What the annotation says about the approval of an API of a protected group.
///
/// Source: `APIApprovalState` in `pkg/apihelpers/helpers.go`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Approval {
    Missing,
    /// The text begins with `unapproved`.
    Bypassed,
    /// The text is a URL.
    Approved,
    /// Any other text.
    Invalid,
}

impl Approval {
    fn of(crd: &CustomResourceDefinition) -> Self {
        let text = crd.metadata.annotations.get(APPROVED).map_or("", String::as_str);
        if text.is_empty() {
            Self::Missing
        } else if text.starts_with("unapproved") {
            Self::Bypassed
        } else if Url::parse_request(text)
            .is_ok_and(|url| !url.host().is_empty() && !url.scheme().is_empty())
        {
            Self::Approved
        } else {
            Self::Invalid
        }
    }

    /// Returns the message about this state of an annotation with the given text. Source: `GetAPIApprovalState`.
    fn message(self, text: &str) -> String {
        let must = format!("protected groups must have approval annotation \"{APPROVED}\"");
        let see = "see https://github.com/kubernetes/enhancements/pull/1111";
        match self {
            Self::Missing => format!("{must}, {see}"),
            Self::Bypassed => format!("not approved: {text:?}"),
            Self::Approved => format!("approved in {text}"),
            Self::Invalid => {
                format!("{must} with either a URL or a reason starting with \"unapproved\", {see}")
            }
        }
    }
}

/// Checks that an API of a protected group is approved, unless the old definition has the same state of approval.
///
/// Source: `validateAPIApproval`.
pub(super) fn check_approval(
    crd: &CustomResourceDefinition,
    old: Option<&CustomResourceDefinition>,
    errors: &mut Sink,
) {
    if !is_protected(&crd.spec.group) {
        return;
    }
    let approval = Approval::of(crd);
    if old.is_some_and(|old| Approval::of(old) == approval) {
        return;
    }
    let metadata = Path::new("metadata");
    let annotations = metadata.field("annotations");
    let at = annotations.key(APPROVED);
    let text = crd.metadata.annotations.get(APPROVED).map_or("", String::as_str);
    match approval {
        Approval::Missing => errors.required(&at, approval.message(text)),
        Approval::Invalid => errors.invalid(&at, text, approval.message(text)),
        Approval::Bypassed | Approval::Approved => {}
    }
}

/// Returns status, reason and message of the condition that says whether the API of a protected group is approved;
/// `None` for other groups.
///
/// Source: `calculateCondition` of `pkg/controller/apiapproval/apiapproval_controller.go`.
pub fn approval(crd: &CustomResourceDefinition) -> Option<(&'static str, &'static str, String)> {
    if !is_protected(&crd.spec.group) {
        return None;
    }
    let approval = Approval::of(crd);
    let (status, reason) = match approval {
        Approval::Missing => ("False", "MissingAnnotation"),
        Approval::Bypassed => ("False", "UnapprovedAnnotation"),
        Approval::Approved => ("True", "ApprovedAnnotation"),
        Approval::Invalid => ("False", "InvalidAnnotation"),
    };
    let text = crd.metadata.annotations.get(APPROVED).map_or("", String::as_str);
    Some((status, reason, approval.message(text)))
}

/// Whether a group is `k8s.io`, `kubernetes.io` or a subdomain of one of them.
///
/// Source: `IsProtectedCommunityGroup`.
fn is_protected(group: &str) -> bool {
    ["k8s.io", "kubernetes.io"].iter().any(|protected| {
        group.strip_suffix(protected).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    })
}

/// Checks that `preserveUnknownFields` is not set, unless the stored definition has it.
///
/// Source: `validatePreserveUnknownFields`.
pub(super) fn check_preserve_unknown_fields(
    crd: &CustomResourceDefinition,
    old: Option<&CustomResourceDefinition>,
    errors: &mut Sink,
) {
    if crd.spec.preserve_unknown_fields && !old.is_some_and(|old| old.spec.preserve_unknown_fields)
    {
        let detail = "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in \
                      spec.versions[*].schema instead";
        errors.invalid(&SPEC.field("preserveUnknownFields"), true, detail);
    }
}

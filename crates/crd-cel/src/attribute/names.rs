//! The names of a kind.
//!
//! Source: `pkg/apis/apiextensions/validation/validation.go`, and `k8s.io/apimachinery/pkg/util/validation`.

use super::{Error, error};
use crate::compile_time::equal;
use crate::domain::names::{self, LABEL_BYTES, SUBDOMAIN_BYTES};

/// The domains in which an API needs an approval.
const PROTECTED: [&str; 2] = ["k8s.io", "kubernetes.io"];

/// Returns the error of an API group.
#[must_use]
pub const fn group(text: &str) -> Option<Error> {
    let bytes = text.as_bytes();
    if bytes.len() > SUBDOMAIN_BYTES {
        return Some(too_long("group", bytes.len(), SUBDOMAIN_BYTES));
    }
    let (mut start, mut end, mut has_dot) = (0, 0, false);
    while end <= bytes.len() {
        if end == bytes.len() || bytes[end] == b'.' {
            if start < end && (bytes[start] == b'-' || bytes[end - 1] == b'-') {
                let mut error = Error::new();
                error.push("`");
                error.push_bytes(bytes, start, end);
                error.push("` in `group` must not begin or end with `-`");
                return Some(error);
            }
            has_dot = has_dot || end < bytes.len();
            start = end + 1;
        }
        end += 1;
    }
    if has_dot && is_subdomain(text) {
        return None;
    }
    error(&["`group` must be a lower case domain with a dot, such as `example.com`"])
}

/// Returns the error of a name that must be an RFC 1035 label, such as the version.
#[must_use]
pub const fn label(key: &str, text: &str, example: &str) -> Option<Error> {
    if is_label(text) {
        return None;
    }
    if let Some(error) = length_or_dash(key, text) {
        return Some(error);
    }
    let rule = "` must be lower case letters, digits and `-`, starting with a letter, such as `";
    error(&["`", key, rule, example, "`"])
}

/// Returns the error of a name of allowed characters, in lower or upper case, that is too long or ends with `-`.
#[must_use]
pub const fn length_or_dash(key: &str, text: &str) -> Option<Error> {
    let bytes = text.as_bytes();
    if bytes.is_empty() || !bytes[0].is_ascii_alphabetic() {
        return None;
    }
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_alphanumeric() && bytes[at] != b'-' {
            return None;
        }
        at += 1;
    }
    if bytes.len() > LABEL_BYTES {
        return Some(too_long(key, bytes.len(), LABEL_BYTES));
    }
    if bytes[bytes.len() - 1] == b'-' {
        return error(&["`", key, "` must not end with `-`"]);
    }
    None
}

/// Returns the error of the name of a CRD, `<plural>.<group>`, that is too long.
#[must_use]
pub const fn crd_name(plural: &str, group: &str) -> Option<Error> {
    if plural.len() + 1 + group.len() <= SUBDOMAIN_BYTES {
        return None;
    }
    let start = "the name of the CRD, `<plural>.<group>`, has more than 253 bytes: `";
    error(&[start, plural, ".", group, "`"])
}

/// The annotation with the approval of an API in a protected group.
///
/// Source: `KubeAPIApprovedAnnotation`, and `APIApprovalState` in `pkg/apihelpers/helpers.go`.
pub const APPROVAL: &str = "api-approved.kubernetes.io";

/// Returns the error of a group that needs the annotation [`APPROVAL`], for a kind without it.
#[must_use]
pub const fn unapproved(group: &str) -> Option<Error> {
    if !is_protected(group) {
        return None;
    }
    error(&[
        "groups in `k8s.io` and `kubernetes.io` need the annotation `",
        APPROVAL,
        "`; use your own domain, or add `annotation(\"",
        APPROVAL,
        "\", \"unapproved, ..\")`",
    ])
}

/// Whether an API in the group needs an approval of Kubernetes.
#[must_use]
pub const fn is_protected(group: &str) -> bool {
    let bytes = group.as_bytes();
    let mut at = 0;
    while at < PROTECTED.len() {
        let domain = PROTECTED[at].as_bytes();
        if bytes.len() >= domain.len() {
            let (before, end) = bytes.split_at(bytes.len() - domain.len());
            if equal(end, domain) && matches!(before, [] | [.., b'.']) {
                return true;
            }
        }
        at += 1;
    }
    false
}

/// Whether a text is an RFC 1035 label.
#[must_use]
pub const fn is_label(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() <= LABEL_BYTES && matches!(bytes, [b'a'..=b'z', ..]) && names::is_label_of(bytes)
}

/// Whether a text is an RFC 1123 subdomain: labels joined by dots, which may start with a digit.
#[must_use]
pub const fn is_subdomain(text: &str) -> bool {
    text.len() <= SUBDOMAIN_BYTES && names::is_subdomain(text)
}

const fn too_long(key: &str, length: usize, most: usize) -> Error {
    let mut error = Error::new();
    error.push("`");
    error.push(key);
    error.push("` has ");
    error.push_int(length as i128);
    error.push(" characters; at most ");
    error.push_int(most as i128);
    error.push(" are allowed");
    error
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(error: Option<Error>) -> String {
        error.map(|error| error.as_str().to_owned()).unwrap_or_default()
    }

    #[test]
    fn groups() {
        for group in ["example.com", "a.b", "1.example.com"] {
            assert_eq!(text(self::group(group)), "");
        }
        for bad in ["example", "Example.com", "a..b", ".a", "", "a_b.c"] {
            assert!(text(group(bad)).contains("must be a lower case domain"), "{bad}");
        }
        assert_eq!(text(group("a.-b.c")), "`-b` in `group` must not begin or end with `-`");
        let long = format!("{}.b", "a".repeat(253));
        assert_eq!(text(group(&long)), "`group` has 255 characters; at most 253 are allowed");
    }

    #[test]
    fn labels() {
        assert_eq!(text(label("version", "v1beta1", "v1")), "");
        assert_eq!(text(label("plural", "a-", "as")), "`plural` must not end with `-`");
        for bad in ["1v", "", "V1", "v.1"] {
            assert!(text(label("version", bad, "v1")).contains("such as `v1`"), "{bad}");
        }
        let long = "a".repeat(64);
        let want = "`version` has 64 characters; at most 63 are allowed";
        assert_eq!(text(label("version", &long, "v1")), want);
    }

    #[test]
    fn protected_groups() {
        for (group, want) in [("k8s.io", true), ("x.kubernetes.io", true), ("ak8s.io", false)] {
            assert_eq!(is_protected(group), want, "{group}");
        }
    }
}

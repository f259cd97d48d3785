//! Validates names, label keys and label values as Kubernetes does.
//!
//! Each function returns the server's messages: none for a valid text. A valid text causes no allocation, except for a
//! prefix.
//!
//! Source: `k8s.io/apimachinery/pkg/util/validation/validation.go` and
//! `k8s.io/apimachinery/pkg/api/validate/content`.

use std::borrow::Cow;

use crd_cel::domain::names;
pub use crd_cel::domain::names::config_map_key;
pub use crd_cel::domain::names::{
    dns1035_label, dns1123_label, dns1123_subdomain, label_value, qualified_name as label_key,
};

/// The length of the random suffix of a generated name, in bytes. Source: `randomLength` of
/// `k8s.io/apiserver/pkg/storage/names/generate.go`.
pub const SUFFIX_LENGTH: usize = 5;
/// The longest part of `generateName` in a generated name, in bytes. Source: `MaxGeneratedNameLength` of the same file.
pub const MAX_PREFIX_BYTES: usize = names::LABEL_BYTES - SUFFIX_LENGTH;

/// A name that can be a segment of a URL path. If `prefix` is true, the text is a `generateName`, to which the server
/// appends a suffix.
pub fn path_segment(text: &str, prefix: bool) -> Vec<String> {
    if !prefix && (text == "." || text == "..") {
        return vec![format!("may not be '{text}'")];
    }
    ["/", "%"]
        .into_iter()
        .filter(|part| text.contains(part))
        .map(|part| format!("may not contain '{part}'"))
        .collect()
}

/// A name that is a DNS-1123 subdomain. With `prefix`, as in [`path_segment`], the text may end with a dash: `web-`.
pub fn subdomain_name(text: &str, prefix: bool) -> Vec<String> {
    dns1123_subdomain(&masked(text, prefix))
}

/// As [`subdomain_name`], for a DNS-1123 label, such as the name of a namespace.
pub fn label_name(text: &str, prefix: bool) -> Vec<String> {
    dns1123_label(&masked(text, prefix))
}

/// As [`subdomain_name`], for a DNS-1035 label, such as the name of a service.
pub fn service_name(text: &str, prefix: bool) -> Vec<String> {
    dns1035_label(&masked(text, prefix))
}

/// Replaces the end of a prefix such as `web-`, because a prefix may end with a dash.
fn masked(text: &str, prefix: bool) -> Cow<'_, str> {
    if prefix { names::mask_trailing_dash(text).into() } else { text.into() }
}

/// Splits `deployments.apps/status` into the group `apps` and the resource `deployments/status`. The core group is the
/// empty string.
#[must_use]
pub fn resource(text: &str) -> (&str, String) {
    let (name, subresource) = text.split_once('/').unwrap_or((text, ""));
    let (plural, group) = name.split_once('.').unwrap_or((name, ""));
    let resource = match subresource {
        "" => plural.to_owned(),
        subresource => format!("{plural}/{subresource}"),
    };
    (group, resource)
}

/// Returns the name that the server generates from `generateName`, with `xxxxx` for the random characters.
pub fn generated_name(prefix: &str) -> String {
    // A valid prefix is ASCII and can be cut at any byte; any other is invalid wherever it is cut.
    let kept = prefix.get(..MAX_PREFIX_BYTES).unwrap_or(prefix);
    format!("{kept}{}", "x".repeat(SUFFIX_LENGTH))
}

#[cfg(test)]
mod tests {
    use crd_cel::kubernetes::KubernetesVersion;

    use super::*;

    #[track_caller]
    fn check(check: impl Fn(&str) -> Vec<String>, text: &str, starts: &[&str]) {
        let messages = check(text);
        assert_eq!(messages.len(), starts.len(), "{text}: {messages:?}");
        for (message, start) in messages.iter().zip(starts) {
            assert!(message.starts_with(start), "{text}: {message}");
        }
    }

    #[test]
    fn labels() {
        check(dns1123_label, "a-1", &[]);
        check(dns1123_label, "", &["a lowercase RFC 1123 label"]);
        check(dns1123_label, "a.b", &["must not contain dots"]);
        check(dns1123_label, &"a".repeat(64), &["must be no more than 63 characters"]);
        check(dns1123_label, "A", &["a lowercase RFC 1123 label"]);
        check(dns1035_label, "a1", &[]);
        check(dns1035_label, "1a", &["a DNS-1035 label"]);
    }

    #[test]
    fn subdomains() {
        check(dns1123_subdomain, "a.b-c.9", &[]);
        check(dns1123_subdomain, "a..b", &["a lowercase RFC 1123 subdomain"]);
        check(dns1123_subdomain, "-a", &["a lowercase RFC 1123 subdomain"]);
        check(
            dns1123_subdomain,
            &"A".repeat(254),
            &["must be no more than 253 characters", "a lowercase RFC 1123 subdomain"],
        );
        assert_eq!(
            dns1123_subdomain("A")[0],
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' \
             or '.', and must start and end with an alphanumeric character (e.g. 'example.com', \
             regex used for validation is \
             '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
        );
    }

    #[test]
    fn label_keys() {
        let label_key = |text: &str| label_key(text, KubernetesVersion::REFERENCE);
        check(label_key, "a.b/C_d", &[]);
        check(label_key, "a/b/c", &["a valid label key must consist"]);
        check(label_key, "/b", &["prefix part must be non-empty"]);
        check(label_key, "A/b", &["prefix part a lowercase RFC 1123 subdomain"]);
        check(label_key, "a/", &["name part must be non-empty", "name part must consist"]);
        check(label_key, &"a".repeat(64), &["name part must be no more than 63 bytes"]);
        check(
            label_key,
            &format!("{}/a", "a".repeat(254)),
            &["prefix part must be no more than 253 bytes"],
        );
        assert_eq!(
            label_key("-")[0],
            "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and \
             end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex \
             used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
        );
    }

    #[test]
    fn before_1_35_limits_of_labels_are_in_characters() {
        let old = KubernetesVersion::OLDEST;
        let long = "a".repeat(64);
        assert_eq!(label_key(&long, old), ["name part must be no more than 63 characters"]);
        assert_eq!(label_value(&long, old), ["must be no more than 63 characters"]);
        let prefix = format!("{}/a", "a".repeat(254));
        let want = "prefix part must be no more than 253 characters";
        assert_eq!(label_key(&prefix, old), [want]);
    }

    #[test]
    fn limits_of_config_map_keys_are_in_characters() {
        assert_eq!(config_map_key(&"a".repeat(254)), ["must be no more than 253 characters"]);
    }

    #[test]
    fn label_values() {
        let label_value = |text: &str| label_value(text, KubernetesVersion::REFERENCE);
        check(label_value, "", &[]);
        check(label_value, "a_b", &[]);
        check(label_value, "a b", &["a valid label must be an empty string"]);
        check(label_value, &"a".repeat(64), &["must be no more than 63 bytes"]);
    }

    #[test]
    fn prefixes_may_end_with_a_dash() {
        assert!(subdomain_name("web-", true).is_empty());
        assert_eq!(subdomain_name("web-", false).len(), 1);
        assert_eq!(subdomain_name("-", true).len(), 1);
    }

    #[test]
    fn path_segments() {
        assert_eq!(path_segment(".", false), ["may not be '.'"]);
        assert!(path_segment(".", true).is_empty());
        assert_eq!(path_segment("a/%", false), ["may not contain '/'", "may not contain '%'"]);
    }
}

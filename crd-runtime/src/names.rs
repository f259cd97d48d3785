//! Validates names, label keys and label values as Kubernetes does.
//!
//! Each function returns the server's messages: none for a valid text. A valid text causes no allocation, except for a
//! prefix that ends with a dash.
//!
//! Source: `k8s.io/apimachinery/pkg/util/validation/validation.go` and
//! `k8s.io/apimachinery/pkg/api/validate/content`.

use std::borrow::Cow;

use crd_cel::kubernetes::KubernetesVersion;

use crate::differences::Difference;

/// The longest DNS label, in bytes. Source: RFC 1123.
const LABEL_MAX: usize = 63;
/// The length of the random suffix of a generated name, in bytes. Source: `randomLength` of
/// `k8s.io/apiserver/pkg/storage/names/generate.go`.
#[cfg(any(feature = "cli", feature = "client"))]
pub(crate) const SUFFIX_LENGTH: usize = 5;
/// The longest part of `generateName` in a generated name, in bytes. Source: `MaxGeneratedNameLength` of the same file.
#[cfg(any(feature = "cli", feature = "client"))]
pub(crate) const MAX_PREFIX_BYTES: usize = LABEL_MAX - SUFFIX_LENGTH;
/// The longest DNS subdomain, in bytes. Source: RFC 1123.
const SUBDOMAIN_MAX: usize = 253;
/// The longest name part of a label key, in bytes. Source: `labelKeyMaxLength`.
const LABEL_KEY_NAME_MAX: usize = 63;
/// The longest label value, in bytes. Source: `LabelValueMaxLength`.
const LABEL_VALUE_MAX: usize = 63;

const DNS1123_LABEL_RE: &str = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const DNS1123_SUBDOMAIN_RE: &str =
    r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*";
const DNS1035_LABEL_RE: &str = "[a-z]([-a-z0-9]*[a-z0-9])?";
const LABEL_KEY_RE: &str = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const LABEL_VALUE_RE: &str = "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?";

/// A DNS-1123 label, such as a namespace.
pub(crate) fn dns1123_label(text: &str) -> Vec<String> {
    let mut messages = Vec::new();
    if text.len() > LABEL_MAX {
        messages.push(too_many_characters(LABEL_MAX));
    }
    if !is_dns1123_label(text) {
        messages.push(if is_dns1123_subdomain(text) {
            "must not contain dots".to_owned()
        } else {
            mismatch(
                "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or \
                 '-', and must start and end with an alphanumeric character",
                DNS1123_LABEL_RE,
                &["my-name", "123-abc"],
            )
        });
    }
    messages
}

/// A DNS-1123 subdomain, such as the name of an object.
pub(crate) fn dns1123_subdomain(text: &str) -> Vec<String> {
    let mut messages = Vec::new();
    if text.len() > SUBDOMAIN_MAX {
        messages.push(too_many_characters(SUBDOMAIN_MAX));
    }
    if !is_dns1123_subdomain(text) {
        messages.push(subdomain_mismatch());
    }
    messages
}

/// A DNS-1035 label, such as a kind in lower case.
pub(crate) fn dns1035_label(text: &str) -> Vec<String> {
    let mut messages = Vec::new();
    if text.len() > LABEL_MAX {
        messages.push(too_many_characters(LABEL_MAX));
    }
    if !(is_dns1123_label(text) && text.starts_with(|c: char| c.is_ascii_lowercase())) {
        messages.push(mismatch(
            "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with \
             an alphabetic character, and end with an alphanumeric character",
            DNS1035_LABEL_RE,
            &["my-name", "abc-123"],
        ));
    }
    messages
}

/// A label key, `[prefix/]name`, which servers before 1.35 call a qualified name.
pub(crate) fn label_key(text: &str, kubernetes: KubernetesVersion) -> Vec<String> {
    const MUST: &str = "must consist of alphanumeric characters, '-', '_' or '.', and must start and \
                        end with an alphanumeric character";
    const EXAMPLES: &[&str] = &["MyName", "my.name", "123-abc"];
    let too_long = too_long_in(kubernetes);
    let mut messages = Vec::new();
    let name = match text.split_once('/') {
        None => text,
        Some((_, name)) if name.contains('/') => {
            let mut message = mismatch(MUST, LABEL_KEY_RE, EXAMPLES);
            let is_key = Difference::LabelKeys.is_in(kubernetes);
            message.insert_str(0, if is_key { "a valid label key " } else { "a qualified name " });
            message.push_str(
                " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",
            );
            return vec![message];
        }
        Some((prefix, name)) => {
            if prefix.is_empty() {
                messages.push("prefix part must be non-empty".to_owned());
            } else {
                if prefix.len() > SUBDOMAIN_MAX {
                    messages.push(format!("prefix part {}", too_long(SUBDOMAIN_MAX)));
                }
                if !is_dns1123_subdomain(prefix) {
                    messages.push(format!("prefix part {}", subdomain_mismatch()));
                }
            }
            name
        }
    };
    if name.is_empty() {
        messages.push("name part must be non-empty".to_owned());
    } else if name.len() > LABEL_KEY_NAME_MAX {
        messages.push(format!("name part {}", too_long(LABEL_KEY_NAME_MAX)));
    }
    if !is_label_name(name) {
        messages.push(format!("name part {}", mismatch(MUST, LABEL_KEY_RE, EXAMPLES)));
    }
    messages
}

/// The value of a label.
pub(crate) fn label_value(text: &str, kubernetes: KubernetesVersion) -> Vec<String> {
    let mut messages = Vec::new();
    if text.len() > LABEL_VALUE_MAX {
        messages.push(too_long_in(kubernetes)(LABEL_VALUE_MAX));
    }
    if !text.is_empty() && !is_label_name(text) {
        messages.push(mismatch(
            "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or \
             '.', and must start and end with an alphanumeric character",
            LABEL_VALUE_RE,
            &["MyValue", "my_value", "12345"],
        ));
    }
    messages
}

/// A name that can be a segment of a URL path. `prefix`: the text is a `generateName`, to which the server appends.
pub(crate) fn path_segment(text: &str, prefix: bool) -> Vec<String> {
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
pub(crate) fn subdomain_name(text: &str, prefix: bool) -> Vec<String> {
    dns1123_subdomain(&masked(text, prefix))
}

/// As [`subdomain_name`], for a DNS-1123 label, such as the name of a namespace.
#[cfg(feature = "apiserver")]
pub(crate) fn label_name(text: &str, prefix: bool) -> Vec<String> {
    dns1123_label(&masked(text, prefix))
}

/// As [`subdomain_name`], for a DNS-1035 label, such as the name of a service.
#[cfg(feature = "apiserver")]
pub(crate) fn service_name(text: &str, prefix: bool) -> Vec<String> {
    dns1035_label(&masked(text, prefix))
}

/// Replaces the end of a prefix such as `web-`, because a prefix may end with a dash. Source: `maskTrailingDash`.
fn masked(text: &str, prefix: bool) -> Cow<'_, str> {
    if !(prefix && text.len() > 1 && text.ends_with('-')) {
        return text.into();
    }
    // Upstream: the last two bytes become one letter. If they cut through a character, the rest is not a valid name
    // either.
    let mut masked = text.as_bytes()[..text.len() - 2].to_vec();
    masked.push(b'a');
    String::from_utf8_lossy(&masked).into_owned().into()
}

/// A key of a config map. Source: `IsConfigMapKey`.
#[cfg(feature = "apiserver")]
pub(crate) fn config_map_key(text: &str) -> Vec<String> {
    let mut messages = Vec::new();
    if text.len() > SUBDOMAIN_MAX {
        messages.push(too_many_characters(SUBDOMAIN_MAX));
    }
    if text.is_empty() || !text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._".contains(&b)) {
        messages.push(mismatch(
            "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
            "[-._a-zA-Z0-9]+",
            &["key.name", "KEY_NAME", "key-name"],
        ));
    }
    match text {
        "." | ".." => messages.push(format!("must not be '{text}'")),
        _ if text.starts_with("..") => messages.push("must not start with '..'".to_owned()),
        _ => {}
    }
    messages
}

fn is_dns1123_label(text: &str) -> bool {
    is_label(text.as_bytes())
}

fn is_dns1123_subdomain(text: &str) -> bool {
    // PERF: tests bytes, because for short names this is faster than a search for a char.
    text.as_bytes().split(|byte| *byte == b'.').all(is_label)
}

fn is_label(bytes: &[u8]) -> bool {
    let alphanumeric = |b: &u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    bounded_by(bytes, alphanumeric, |b| alphanumeric(b) || *b == b'-')
}

fn is_label_name(text: &str) -> bool {
    bounded_by(text.as_bytes(), u8::is_ascii_alphanumeric, |b| {
        b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.')
    })
}

/// Whether the first and last byte satisfy `end`, and all satisfy `inner`.
fn bounded_by(bytes: &[u8], end: impl Fn(&u8) -> bool, inner: impl Fn(&u8) -> bool) -> bool {
    bytes.first().is_some_and(&end) && bytes.last().is_some_and(&end) && bytes.iter().all(inner)
}

fn subdomain_mismatch() -> String {
    mismatch(
        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or \
         '.', and must start and end with an alphanumeric character",
        DNS1123_SUBDOMAIN_RE,
        &["example.com"],
    )
}

/// Returns the error of a minor for the keys and values of labels that are too long. Upstream: bytes are counted in
/// either case.
fn too_long_in(kubernetes: KubernetesVersion) -> fn(usize) -> String {
    if Difference::LabelKeys.is_in(kubernetes) { too_many_bytes } else { too_many_characters }
}

fn too_many_characters(limit: usize) -> String {
    format!("must be no more than {limit} characters")
}

fn too_many_bytes(limit: usize) -> String {
    format!("must be no more than {limit} bytes")
}

fn mismatch(message: &str, regex: &str, examples: &[&str]) -> String {
    // Upstream: a comma and two spaces precede each `or`: `'a',  or 'b', regex`.
    let examples = examples.iter().map(|example| format!("'{example}', ")).collect::<Vec<_>>();
    format!("{message} (e.g. {}regex used for validation is '{regex}')", examples.join(" or "))
}

/// Returns the name that the server generates from `generateName`, with `xxxxx` for the random characters.
#[cfg(any(feature = "cli", feature = "client"))]
pub(crate) fn generated_name(prefix: &str) -> String {
    // A valid prefix is ASCII and can be cut at any byte; any other is invalid wherever it is cut.
    let kept = prefix.get(..MAX_PREFIX_BYTES).unwrap_or(prefix);
    format!("{kept}{}", "x".repeat(SUFFIX_LENGTH))
}

#[cfg(test)]
mod tests {
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
    #[cfg(feature = "apiserver")]
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

//! Validates names of Kubernetes, with the server's error texts.
//!
//! Source: apimachinery `pkg/util/validation/validation.go`, `pkg/api/validate/content`.

use crate::minors::{Change, KubernetesVersion};

/// The most bytes of a label. Source: `DNS1123LabelMaxLength`.
pub const LABEL_BYTES: usize = 63;
/// The most bytes of a subdomain. Source: `DNS1123SubdomainMaxLength`.
pub(crate) const SUBDOMAIN_BYTES: usize = 253;

const LABEL_FMT: &str = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const SUBDOMAIN_FMT: &str = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*";
const DNS1035_FMT: &str = "[a-z]([-a-z0-9]*[a-z0-9])?";
const KEY_FMT: &str = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const VALUE_FMT: &str = "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?";

const LABEL_RULE: &str = "a lowercase RFC 1123 label must consist of lower case alphanumeric \
    characters or '-', and must start and end with an alphanumeric character";
const SUBDOMAIN_RULE: &str = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric \
    characters, '-' or '.', and must start and end with an alphanumeric character";
const DNS1035_RULE: &str = "a DNS-1035 label must consist of lower case alphanumeric characters or \
    '-', start with an alphabetic character, and end with an alphanumeric character";
const KEY_RULE: &str = "must consist of alphanumeric characters, '-', '_' or '.', and must start and \
    end with an alphanumeric character";
const VALUE_RULE: &str = "a valid label must be an empty string or consist of alphanumeric \
    characters, '-', '_' or '.', and must start and end with an alphanumeric character";

/// Returns the errors of a text that should be an RFC 1123 label.
pub fn dns1123_label(text: &str) -> Vec<String> {
    let mut errors = too_long(text, LABEL_BYTES, LengthUnit::Characters);
    if !is_label(text) {
        errors.push(if is_subdomain(text) {
            "must not contain dots".to_owned()
        } else {
            mismatch(LABEL_RULE, LABEL_FMT, &["my-name", "123-abc"])
        });
    }
    errors
}

/// Returns the errors of a text that should be an RFC 1123 subdomain.
pub fn dns1123_subdomain(text: &str) -> Vec<String> {
    subdomain(text, LengthUnit::Characters)
}

fn subdomain(text: &str, unit: LengthUnit) -> Vec<String> {
    let mut errors = too_long(text, SUBDOMAIN_BYTES, unit);
    if !is_subdomain(text) {
        errors.push(mismatch(SUBDOMAIN_RULE, SUBDOMAIN_FMT, &["example.com"]));
    }
    errors
}

/// Returns the errors of a text that should be an RFC 1035 label.
pub fn dns1035_label(text: &str) -> Vec<String> {
    let mut errors = too_long(text, LABEL_BYTES, LengthUnit::Characters);
    if !is_label(text) || text.starts_with(|c: char| c.is_ascii_digit()) {
        errors.push(mismatch(DNS1035_RULE, DNS1035_FMT, &["my-name", "abc-123"]));
    }
    errors
}

/// Returns the errors of a text that should be a qualified name, such as the key of a label.
pub fn qualified_name(text: &str, version: KubernetesVersion) -> Vec<String> {
    let unit = unit_of_labels(version);
    let examples = ["MyName", "my.name", "123-abc"];
    let mut errors = Vec::new();
    let mut parts = text.split('/');
    let name = match (parts.next(), parts.next(), parts.next()) {
        (Some(prefix), Some(name), None) => {
            if prefix.is_empty() {
                errors.push("prefix part must be non-empty".to_owned());
            } else {
                let wrong = subdomain(prefix, unit).into_iter();
                errors.extend(wrong.map(|error| format!("prefix part {error}")));
            }
            name
        }
        (Some(name), None, _) => name,
        _ => {
            errors.push(format!(
                "{} {} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",
                if version.has(Change::LabelKeys) {
                    "a valid label key"
                } else {
                    "a qualified name"
                },
                mismatch(KEY_RULE, KEY_FMT, &examples)
            ));
            return errors;
        }
    };
    if name.is_empty() {
        errors.push("name part must be non-empty".to_owned());
    } else {
        let wrong = too_long(name, LABEL_BYTES, unit).into_iter();
        errors.extend(wrong.map(|error| format!("name part {error}")));
    }
    if !is_key(name) {
        errors.push(format!("name part {}", mismatch(KEY_RULE, KEY_FMT, &examples)));
    }
    errors
}

/// Returns the errors of a text that should be the value of a label.
pub fn label_value(text: &str, version: KubernetesVersion) -> Vec<String> {
    let mut errors = too_long(text, LABEL_BYTES, unit_of_labels(version));
    if !text.is_empty() && !is_key(text) {
        errors.push(mismatch(VALUE_RULE, VALUE_FMT, &["MyValue", "my_value", "12345"]));
    }
    errors
}

/// Returns the errors of a text that should be the key of a config map. Source: `IsConfigMapKey`.
pub fn config_map_key(text: &str) -> Vec<String> {
    let mut errors = too_long(text, SUBDOMAIN_BYTES, LengthUnit::Characters);
    if text.is_empty() || !text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._".contains(&b)) {
        errors.push(mismatch(
            "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
            "[-._a-zA-Z0-9]+",
            &["key.name", "KEY_NAME", "key-name"],
        ));
    }
    match text {
        "." | ".." => errors.push(format!("must not be '{text}'")),
        _ if text.starts_with("..") => errors.push("must not start with '..'".to_owned()),
        _ => {}
    }
    errors
}

/// The name to validate for a prefix of names, which may end in `-`: `aa` for `ab-`.
///
/// Upstream: the letter before the `-` is dropped as well (`maskTrailingDash`).
pub fn mask_trailing_dash(text: &str) -> String {
    match text.as_bytes() {
        [.., _, b'-'] => {
            let kept = text.as_bytes().get(..text.len() - 2).unwrap_or_default();
            // A cut inside of a character leaves a replacement character, which every check
            // rejects.
            format!("{}a", String::from_utf8_lossy(kept))
        }
        _ => text.to_owned(),
    }
}

/// The unit in the error of a length. Upstream: bytes are counted in either case.
#[derive(Debug, Clone, Copy)]
enum LengthUnit {
    Characters,
    Bytes,
}

/// The unit in the errors of keys and values of labels.
fn unit_of_labels(version: KubernetesVersion) -> LengthUnit {
    if version.has(Change::LabelKeys) { LengthUnit::Bytes } else { LengthUnit::Characters }
}

fn too_long(text: &str, limit: usize, unit: LengthUnit) -> Vec<String> {
    if text.len() <= limit {
        return vec![];
    }
    let unit = match unit {
        LengthUnit::Characters => "characters",
        LengthUnit::Bytes => "bytes",
    };
    vec![format!("must be no more than {limit} {unit}")]
}

fn mismatch(rule: &str, pattern: &str, examples: &[&str]) -> String {
    // Upstream: a comma and two spaces precede each `or`: `'a',  or 'b', regex`.
    let examples: Vec<_> = examples.iter().map(|example| format!("'{example}', ")).collect();
    format!("{rule} (e.g. {}regex used for validation is '{pattern}')", examples.join(" or "))
}

fn is_label(text: &str) -> bool {
    is_label_of(text.as_bytes())
}

/// Whether a text is labels joined by dots, of any length. The checks in rustc use it too.
pub(crate) const fn is_subdomain(text: &str) -> bool {
    // PERF: tests bytes, because for short names this is faster than a search for a char.
    let bytes = text.as_bytes();
    let (mut start, mut end) = (0, 0);
    while end <= bytes.len() {
        if end == bytes.len() || bytes[end] == b'.' {
            if !is_label_of(bytes.split_at(end).0.split_at(start).1) {
                return false;
            }
            start = end + 1;
        }
        end += 1;
    }
    true
}

/// Whether bytes are lower case letters, digits and `-`, with no `-` at the ends; at least one.
pub(crate) const fn is_label_of(bytes: &[u8]) -> bool {
    let mut at = 0;
    while at < bytes.len() {
        if !matches!(bytes[at], b'a'..=b'z' | b'0'..=b'9' | b'-') {
            return false;
        }
        at += 1;
    }
    !matches!(bytes, [] | [b'-', ..] | [.., b'-'])
}

fn is_key(text: &str) -> bool {
    let alphanumeric = |byte: u8| byte.is_ascii_alphanumeric();
    bounded_by(text.as_bytes(), alphanumeric, |byte| alphanumeric(byte) || b"-_.".contains(&byte))
}

/// Whether `bound` holds for the first and the last byte, and `inner` for all bytes.
fn bounded_by(bytes: &[u8], bound: impl Fn(u8) -> bool, inner: impl Fn(u8) -> bool) -> bool {
    bytes.first().is_some_and(|byte| bound(*byte))
        && bytes.last().is_some_and(|byte| bound(*byte))
        && bytes.iter().all(|byte| inner(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_and_subdomains() {
        assert_eq!(dns1123_label("a-1"), [""; 0]);
        assert_eq!(dns1123_label("a.b"), ["must not contain dots"]);
        assert_eq!(
            dns1123_label(&"A".repeat(64)),
            [
                "must be no more than 63 characters",
                "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', \
                 and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', \
                 regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
            ]
        );
        assert_eq!(dns1123_subdomain("a.b-c.1"), [""; 0]);
        assert_eq!(dns1123_subdomain("a..b").len(), 1);
        assert_eq!(dns1035_label("1a").len(), 1);
        assert_eq!(dns1035_label("a1"), [""; 0]);
        assert_eq!(mask_trailing_dash("ab-"), "aa");
        assert_eq!(mask_trailing_dash("-"), "-");
    }

    #[test]
    fn keys_and_values() {
        let qualified_name = |text: &str| qualified_name(text, KubernetesVersion::REFERENCE);
        let label_value = |text: &str| label_value(text, KubernetesVersion::REFERENCE);
        assert_eq!(qualified_name("example.com/My_Name.1"), [""; 0]);
        assert_eq!(qualified_name("/a"), ["prefix part must be non-empty"]);
        assert_eq!(qualified_name("a/").first().unwrap(), "name part must be non-empty");
        assert!(qualified_name("a/b/c").first().unwrap().starts_with("a valid label key must"));
        assert_eq!(label_value(""), [""; 0]);
        assert_eq!(label_value("a b").len(), 1);
        assert_eq!(
            label_value("-"),
            [
                "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' \
              or '.', and must start and end with an alphanumeric character (e.g. 'MyValue', \
              \x20or 'my_value',  or '12345', regex used for validation is \
              '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
            ]
        );
    }

    #[test]
    fn older_servers_call_keys_qualified_names_and_count_characters() {
        let old = KubernetesVersion::OLDEST;
        let key = qualified_name("a/b/c", old).remove(0);
        assert!(key.starts_with("a qualified name must consist"), "{key}");
        let long = "a".repeat(64);
        assert_eq!(qualified_name(&long, old), ["name part must be no more than 63 characters"]);
        assert_eq!(label_value(&long, old), ["must be no more than 63 characters"]);
        let prefix = format!("{}/a", "a".repeat(254));
        let want = "prefix part must be no more than 253 characters";
        assert_eq!(qualified_name(&prefix, old), [want]);
    }
}

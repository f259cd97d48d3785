//! Checks of a kind's names: group, version, kind, plural, singular, short names, categories.
//!
//! Source: `pkg/apis/apiextensions/validation/validation.go`, and `k8s.io/apimachinery/pkg/util/validation`.

use std::collections::BTreeSet;

use darling::error::Accumulator;

use crate::literal::Text;
use crate::model::{Kind, Name};
use crate::report::report;

/// The longest DNS label, in bytes. Source: RFC 1035.
const MAX_LABEL_BYTES: usize = 63;
/// The longest DNS name, in bytes. Source: RFC 1123.
const MAX_NAME_BYTES: usize = 253;

pub(super) fn check(kind: &Kind, errors: &mut Accumulator) {
    given(kind, errors);
    derived(kind, errors);
}

/// Whether a text is an RFC 1035 label, as versions and plurals must be.
pub(super) fn is_label(text: &str) -> bool {
    text.len() <= MAX_LABEL_BYTES
        && text.starts_with(|c: char| c.is_ascii_lowercase())
        && !text.ends_with('-')
        && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
}

/// Returns the error for a name of allowed characters that is too long or ends with `-`; `None` for other names.
fn length_or_dash(name: &str, key: &str) -> Option<String> {
    let lower = name.to_ascii_lowercase();
    let right = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if !lower.starts_with(|c: char| c.is_ascii_lowercase()) || !lower.chars().all(right) {
        return None;
    }
    let length = name.len();
    if length > MAX_LABEL_BYTES {
        return Some(format!(
            "`{key}` has {length} characters; at most {MAX_LABEL_BYTES} are allowed"
        ));
    }
    name.ends_with('-').then(|| format!("`{key}` must not end with `-`"))
}

/// Whether a text is an RFC 1123 subdomain: labels joined by dots, which may start with a digit.
pub(super) fn is_subdomain(text: &str) -> bool {
    text.len() <= MAX_NAME_BYTES
        && text.split('.').all(|label| {
            !label.is_empty()
                && !label.starts_with('-')
                && !label.ends_with('-')
                && label.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
        })
}

fn given(names: &Kind, errors: &mut Accumulator) {
    let Kind { group, version, kind, plural, singular, list_kind, short_names, categories, .. } =
        names;
    let length = group.value.chars().count();
    if length > MAX_NAME_BYTES {
        let message =
            format_args!("`group` has {length} characters; at most {MAX_NAME_BYTES} are allowed");
        report(errors, group.span, message);
    } else if let Some(label) =
        group.value.split('.').find(|label| label.starts_with('-') || label.ends_with('-'))
    {
        let message = format_args!("`{label}` in `group` must not begin or end with `-`");
        report(errors, group.span, message);
    } else if !is_subdomain(&group.value) || !group.value.contains('.') {
        let message = "`group` must be a lower case domain with a dot, such as `example.com`";
        report(errors, group.span, message);
    }
    let label = |text: &Text, key: &str, example: &str, errors: &mut Accumulator| {
        if let Some(message) = length_or_dash(&text.value, key) {
            report(errors, text.span, message);
        } else if !is_label(&text.value) {
            let message = format_args!(
                "`{key}` must be lower case letters, digits and `-`, starting with a letter, such as \
                 `{example}`"
            );
            report(errors, text.span, message);
        }
    };
    label(version, "version", "v1", errors);
    for (text, key, example) in [(plural, "plural", "crontabs"), (singular, "singular", "crontab")]
    {
        if let Some(text) = &text.given {
            label(text, key, example, errors);
        }
    }
    for (texts, key, example) in
        [(short_names, "short_name", "ct"), (categories, "category", "all")]
    {
        let mut seen = BTreeSet::new();
        for text in texts {
            label(text, key, example, errors);
            if !seen.insert(&text.value) {
                report(errors, text.span, format_args!("duplicate `{key}` `{}`", text.value));
            }
        }
    }
    if let Some(message) = length_or_dash(&kind.value, "kind") {
        report(errors, kind.span, message);
    } else if !is_label(&kind.value.to_lowercase()) || !kind.value.is_ascii() {
        report(errors, kind.span, "`kind` must be a name in CamelCase, such as `CronTab`");
    } else if kind.value.starts_with(|c: char| c.is_ascii_lowercase()) {
        let (first, rest) = kind.value.split_at(1);
        let name = format!("{}{rest}", first.to_ascii_uppercase());
        report(errors, kind.span, format_args!("`kind` must be in CamelCase: `{name}`"));
    }
    let name = format!("{}.{}", plural.value, group.value);
    if is_subdomain(&group.value) && is_label(&plural.value) && name.len() > MAX_NAME_BYTES {
        let message = format_args!(
            "the name of the CRD, `<plural>.<group>`, has more than {MAX_NAME_BYTES} bytes: `{name}`"
        );
        report(errors, group.span, message);
    }
    if let Some(list_kind) = &list_kind.given {
        if let Some(message) = length_or_dash(&list_kind.value, "list_kind") {
            report(errors, list_kind.span, message);
        } else if !is_label(&list_kind.value.to_lowercase()) {
            let message = "`list_kind` must be a name in CamelCase, such as `CronTabList`";
            report(errors, list_kind.span, message);
        } else if list_kind.value == kind.value {
            report(errors, list_kind.span, "`list_kind` must differ from `kind`");
        }
    }
}

/// Checks the length of derived names: `<kind>List` can be too long even if `kind` is not.
fn derived(kind: &Kind, errors: &mut Accumulator) {
    let Text { value, span } = &kind.kind;
    if !is_label(&value.to_lowercase()) {
        return;
    }
    for (Name { given, value: name }, key) in
        [(&kind.list_kind, "list_kind"), (&kind.plural, "plural")]
    {
        if given.is_none() && name.len() > MAX_LABEL_BYTES {
            let message = format_args!(
                "`{key}` would be `{name}`, which has {} characters; at most {MAX_LABEL_BYTES} are allowed; set a \
                 shorter one with `{key} = \"..\"`",
                name.len()
            );
            report(errors, *span, message);
        }
    }
}

/// Whether a text can be the name of a label or annotation, without the prefix.
pub(super) fn is_qualified(name: &str) -> bool {
    let alphanumeric = |c: char| c.is_ascii_alphanumeric();
    name.len() <= MAX_LABEL_BYTES
        && name.starts_with(alphanumeric)
        && name.ends_with(alphanumeric)
        && name.chars().all(|c| alphanumeric(c) || matches!(c, '-' | '_' | '.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(is: fn(&str) -> bool, good: &[&str], bad: &[&str]) {
        for name in good {
            assert!(is(name), "{name}");
        }
        for name in bad {
            assert!(!is(name), "{name}");
        }
    }

    #[test]
    fn subdomains() {
        let (longest, longer) = ("a".repeat(253), "a".repeat(254));
        check(
            is_subdomain,
            &["a", "0", "a-b.c0", "0.1", &longest],
            &["", ".", "a.", "a..b", "-a", "a-", "a.-b", "a-.b", "A", "a_b", "ä", &longer],
        );
    }

    #[test]
    fn qualified_names() {
        let (longest, longer) = ("a".repeat(63), "a".repeat(64));
        check(
            is_qualified,
            &["a", "0", "A-b_c.d", &longest],
            &["", "-a", "a-", "_a", "a.", "a/b", "a b", "ä", &longer],
        );
    }

    #[test]
    fn labels() {
        let (longest, longer) = ("a".repeat(63), "a".repeat(64));
        check(is_label, &["a", "v1", "a-b", &longest], &["", "1", "-a", "a-", "A", "a.b", &longer]);
    }
}

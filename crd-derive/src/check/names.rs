//! Checks of a kind's names: group, version, kind, plural, singular, short names, categories.
//!
//! Source: `pkg/apis/apiextensions/validation/validation.go`, and `k8s.io/apimachinery/pkg/util/validation`.

use crd_cel::attribute::{self, Error, is_label, is_subdomain};
use crd_cel::domain::names::LABEL_BYTES;
use darling::error::Accumulator;
use proc_macro2::Span;

use crate::literal::{StringExpr, Text};
use crate::model::{Kind, KindAttrs};
use crate::report::{report, report_duplicates};

/// Reports the error of a value.
pub(super) fn pass(errors: &mut Accumulator, span: Span, error: Option<Error>) {
    if let Some(error) = error {
        report(errors, span, error.as_str());
    }
}

/// Checks the names. rustc checks those that are constants (`emit/constants.rs`).
pub(super) fn check(names: &Kind, errors: &mut Accumulator) {
    let KindAttrs { group, version, plural, singular, short_name, category, .. } = &names.attrs;
    if let Some(group) = group.text() {
        pass(errors, group.span, attribute::group(&group.value));
    }
    let label = |text: &Text, key: &str, example: &str, errors: &mut Accumulator| {
        pass(errors, text.span, attribute::label(key, &text.value, example));
    };
    if let Some(version) = version.text() {
        label(version, "version", "v1", errors);
    }
    if let Some(plural) = plural.as_ref().and_then(StringExpr::text) {
        label(plural, "plural", "crontabs", errors);
    }
    if let Some(singular) = singular {
        label(singular, "singular", "crontab", errors);
    }
    for (texts, key, example) in [(short_name, "short_name", "ct"), (category, "category", "all")] {
        for text in texts {
            label(text, key, example, errors);
        }
        report_duplicates(errors, texts, &format!("`{key}`"));
    }
    if let (Some(plural), Some(group)) = (names.plural.text(), group.text())
        && is_subdomain(&group.value)
        && is_label(&plural.value)
    {
        pass(errors, group.span, attribute::crd_name(&plural.value, &group.value));
    }
    kinds(names, errors);
    derived(names, errors);
}

/// Checks `kind` and `list_kind`.
fn kinds(names: &Kind, errors: &mut Accumulator) {
    let KindAttrs { kind, list_kind, .. } = &names.attrs;
    if let Some(error) = attribute::length_or_dash("kind", &kind.value) {
        report(errors, kind.span, error.as_str());
    } else if !is_label(&kind.value.to_lowercase()) || !kind.value.is_ascii() {
        report(errors, kind.span, "`kind` must be a name in CamelCase, such as `CronTab`");
    } else if kind.value.starts_with(|c: char| c.is_ascii_lowercase())
        && names.attrs.root.is_none()
        && !names.is_root()
    {
        let (first, rest) = kind.value.split_at(1);
        let name = format!("{}{rest}", first.to_ascii_uppercase());
        let message = format_args!(
            "`kind` must be in CamelCase: `{name}`; if the kind exists as it is, name the root type with `root = ..`"
        );
        report(errors, kind.span, message);
    }
    if let Some(list_kind) = list_kind {
        if let Some(error) = attribute::length_or_dash("list_kind", &list_kind.value) {
            report(errors, list_kind.span, error.as_str());
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
    let KindAttrs { list_kind, plural, .. } = &kind.attrs;
    let list_kind = list_kind.is_none().then_some(&kind.list_kind);
    let plural = kind.plural.text().filter(|_| plural.is_none()).map(|plural| &plural.value);
    for (name, key) in [(list_kind, "list_kind"), (plural, "plural")] {
        if let Some(name) = name.filter(|name| name.len() > LABEL_BYTES) {
            let message = format_args!(
                "`{key}` would be `{name}`, which has {} characters; at most {LABEL_BYTES} are allowed; set a \
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
    name.len() <= LABEL_BYTES
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

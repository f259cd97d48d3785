//! Names of definitions, operations and tags.
//!
//! Source: `gvkToModelName` in `builder.go`; `GetOperationIDAndTags` in `k8s.io/apiserver/pkg/endpoints/openapi`.

use crate::compiled::Resource;

/// Returns the name of the definition of a kind: `com.example.v1.Widget`.
pub(super) fn model(resource: &Resource, kind: &str) -> String {
    let group: Vec<&str> = resource.group.split('.').rev().collect();
    format!("{}.{}.{kind}", group.join("."), resource.version)
}

/// Returns the id of an operation: `listExampleComV1NamespacedWidget`.
pub(super) fn operation(resource: &Resource, verb: &str, rest: &str) -> String {
    let group = identifier(short_group(resource), true);
    format!("{verb}{group}{}{}", identifier(&resource.version, true), identifier(rest, true))
}

/// Returns the tag of a group and version: `exampleCom_v1`.
pub(super) fn tag(resource: &Resource) -> String {
    format!("{}_{}", identifier(short_group(resource), false), identifier(&resource.version, false))
}

/// Returns the kind after a space and an article: ` a Widget`, ` an Apple`. A plural has no article: ` Glasses`.
pub(super) fn with_article(kind: &str) -> String {
    if kind.ends_with('s') && !kind.ends_with("ss") {
        return format!(" {kind}");
    }
    let is_vowel =
        kind.starts_with(|c: char| matches!(c.to_ascii_lowercase(), 'a' | 'e' | 'i' | 'o' | 'u'));
    format!(" {} {kind}", if is_vowel { "an" } else { "a" })
}

fn short_group(resource: &Resource) -> &str {
    resource.group.strip_suffix(".k8s.io").unwrap_or(&resource.group)
}

/// Keeps letters, digits and underscores, and capitalizes the character after any other one.
///
/// Source: `ToValidOperationID`.
fn identifier(text: &str, capitalize_first: bool) -> String {
    let mut capitalize = capitalize_first;
    let mut out = String::with_capacity(text.len());
    for (index, c) in text.char_indices() {
        if !(c.is_alphabetic() || c == '_' || (index > 0 && c.is_numeric())) {
            capitalize = true;
        } else if capitalize {
            out.extend(c.to_uppercase());
            capitalize = false;
        } else {
            out.push(c);
        }
    }
    out
}

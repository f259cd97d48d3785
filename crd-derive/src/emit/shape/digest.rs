//! Hashes of rules and defaults, with which rustc compares those of two types.

use proc_macro2::TokenStream;
use quote::quote;

use crate::literal::{StringExpr, Strings, Value};
use crate::model::{Constraints, Rule};

/// The hash of a text that the macro does not know.
const UNKNOWN: u64 = 0;

/// The rules of a value, as an expression of type `RuleDigest`. `None` if there are none.
pub(super) fn rules(constraints: &Constraints) -> Option<TokenStream> {
    if !constraints.has_rules() {
        return None;
    }
    let groups = [
        ("at_most_one_of", &constraints.at_most_one_of),
        ("exactly_one_of", &constraints.exactly_one_of),
        ("at_least_one_of", &constraints.at_least_one_of),
    ];
    let groups = groups.into_iter().flat_map(|(key, groups)| {
        groups.iter().map(move |group| {
            let Strings(fields) = &**group;
            let names = fields.iter().map(|field| field.value.as_str());
            hash(std::iter::once(key).chain(names))
        })
    });
    let immutable = constraints.immutable.map(|_| hash(["immutable"]));
    let hashes = constraints.rules.iter().map(of_rule).chain(groups).chain(immutable);
    // A rule with `optional_old_self`, even `false`, is not moved from a field to the object.
    let is_fixed = constraints.rules.iter().any(|rule| rule.optional_old_self.is_some());
    let fixed = is_fixed.then(|| quote!(.fixed()));
    Some(quote!(__s::RuleDigest::of(&[#(#hashes),*]) #fixed))
}

/// The digest of the rule that an object gets for an immutable field: that it cannot be removed once it is set.
pub(super) fn immutable_once_set(name: &str) -> TokenStream {
    let hash = hash(["immutable_once_set", name]);
    quote!(__s::RuleDigest::of(&[#hash]))
}

fn of_rule(rule: &Rule) -> u64 {
    let Rule {
        expression,
        message,
        message_expression,
        reason,
        field_path,
        optional_old_self,
        unchecked: _,
    } = rule;
    let written = |text: &Option<StringExpr>| match text {
        Some(text) => Some(text.text()?.value.clone()),
        None => Some(String::new()),
    };
    let (Some(expression), Some(message), Some(message_expression)) =
        (expression.text(), written(message), written(message_expression))
    else {
        return UNKNOWN;
    };
    let text = |text: &Option<crate::literal::Text>| {
        text.as_ref().map_or("", |text| text.value.as_str()).to_owned()
    };
    let optional = format!("{:?}", optional_old_self.as_deref());
    let (reason, field_path) = (text(reason), text(field_path));
    hash([&expression.value, &message, &message_expression, &reason, &field_path, &optional])
}

/// The default in the schema, as an expression of type `DefaultDigest`.
pub(super) fn default(constraints: &Constraints) -> Option<TokenStream> {
    let default = constraints.default.as_ref()?;
    let hash = default.value.as_ref().and_then(of_value);
    Some(hash.map_or_else(
        || quote!(__s::DefaultDigest::Unknown),
        |hash| quote!(__s::DefaultDigest::Known(#hash)),
    ))
}

/// The hash of a literal. Other expressions have no known hash, because different expressions can have the same value.
fn of_value(value: &Value) -> Option<u64> {
    match (value.as_text(), value.as_number(), value.as_bool()) {
        (Some(text), ..) => Some(hash(["text", &text])),
        (_, Some(number), _) => Some(hash([format!("{number:?}")])),
        (.., Some(value)) => Some(hash([value.to_string()])),
        (None, None, None) => None,
    }
}

/// FNV-1a of texts, each followed by a byte 0xff. It is never [`UNKNOWN`].
fn hash<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    let of_text = |hash, text: T| step(text.as_ref().bytes().fold(hash, step), 0xff);
    texts.into_iter().fold(0xcbf2_9ce4_8422_2325, of_text).max(1)
}

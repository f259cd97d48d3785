//! Checks of bounds and strings that are Rust constants, which rustc evaluates as the macro checks literals.
//!
//! ```ignore
//! const __CONSTANT_BOUND: () = check::constant_bound(&<u8 as CrdSchema>::SHAPE, "maximum", MAX as i128, MAX as f64);
//! ```

use darling::util::SpannedValue;
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Expr;

use super::CheckNames;
use crate::literal::{Constant, StringExpr, Value, as_number};
use crate::model::{Constraints, Kind, KindAttrs, Limit, Rule};
use crate::report::span_of;

/// Calls `add` with the span, function and arguments of each check of a constant.
pub(super) fn checks(
    c: &Constraints,
    shape: &TokenStream,
    add: &mut dyn FnMut(Span, &str, &TokenStream),
) {
    for (key, bound) in c.bounds() {
        if let Some((bound, expr)) = constant(bound) {
            let (int, float) = (as_number(bound, "i128"), as_number(bound, "f64"));
            add(span_of(expr), "constant_bound", &quote!(#shape, #key, #int, #float));
        }
    }
    for (_, pair) in c.counts() {
        for (key, count) in pair {
            if let Some((count, _)) = constant(count) {
                let value = as_number(count, "i128");
                add(count.span(), "constant_count", &quote!(#key, #value));
            }
        }
        let [(least, from), (greatest, to)] = pair;
        ordered(from, to, [least, greatest], false, add);
    }
    let exclusive = c.excludes_minimum() || c.excludes_maximum();
    ordered(c.minimum.as_ref(), c.maximum.as_ref(), ["minimum", "maximum"], exclusive, add);
    if let Some(value) = c.default_value() {
        within(&value.0, c, "`default`", add);
    }
    for expr in c.enum_values.iter().flat_map(|values| &values.0) {
        within(expr, c, "the value", add);
    }
}

/// A bound that is a constant, and its expression.
fn constant<T>(
    bound: Option<&SpannedValue<Constant<T>>>,
) -> Option<(&SpannedValue<Constant<T>>, &Expr)> {
    let bound = bound?;
    Some((bound, bound.expr()?))
}

/// Checks that a lower bound is not above the upper one, if one of them is a constant.
fn ordered<T: quote::ToTokens>(
    least: Option<&SpannedValue<Constant<T>>>,
    greatest: Option<&SpannedValue<Constant<T>>>,
    keys: [&str; 2],
    exclusive: bool,
    add: &mut dyn FnMut(Span, &str, &TokenStream),
) {
    let (Some(from), Some(to)) = (least, greatest) else { return };
    let span = match (constant(least), constant(greatest)) {
        (Some((least, _)), _) => least.span(),
        (None, Some((greatest, _))) => greatest.span(),
        (None, None) => return,
    };
    let [least, greatest] = keys;
    let (from, to) = (as_number(from, "f64"), as_number(to, "f64"));
    add(span, "constants_in_order", &quote!(#least, #from, #greatest, #to, #exclusive));
}

/// Checks that a literal is within bounds that are constants.
fn within(
    value: &Expr,
    c: &Constraints,
    what: &str,
    add: &mut dyn FnMut(Span, &str, &TokenStream),
) {
    for Limit { value: literal, key, known, bound, exclusive } in c.limits(&Value(value.clone())) {
        if known.is_none() {
            let arguments = quote!(#what, #literal, #key, #bound, #exclusive);
            add(span_of(value), "within_constant", &arguments);
        }
    }
}

/// The checks of a rule's strings that are constants, each with its span.
pub(super) fn of_rule(rule: &Rule) -> Vec<(Span, TokenStream)> {
    let has_message = rule.options.message.is_some();
    let texts = [
        (Some(&rule.expression), "constant_rule"),
        (rule.options.message.as_ref(), "constant_message"),
        (rule.options.message_expression.as_ref(), "constant_message_expression"),
    ];
    let constants = texts.into_iter().filter_map(|(words, check)| {
        let words = words.filter(|words| words.text().is_none())?;
        let span = words.span();
        let check = syn::Ident::new(check, span);
        let more = (check == "constant_rule").then(|| quote!(, #has_message));
        Some((span, quote_spanned!(span=> __check::#check(#words #more))))
    });
    constants.collect()
}

/// The checks of a kind's names that are constants.
pub(super) fn of_names(kind: &Kind) -> TokenStream {
    let (plural, KindAttrs { group, version, .. }) = (&kind.plural, &kind.attrs);
    let is_approved = kind.approval().is_some();
    let (mut checks, mut names) = (TokenStream::new(), CheckNames::default());
    let mut add = |words: &StringExpr, check: &str, arguments: TokenStream| {
        if words.text().is_none() {
            let (span, name) = (words.span(), format!("kind_{check}"));
            let check = syn::Ident::new(check, span);
            let check = quote_spanned!(span=> __check::#check(#arguments));
            checks.extend(names.constant(&name, span, &check));
        }
    };
    add(group, "constant_group", quote!(#group, #is_approved));
    add(version, "constant_label", quote!("version", #version, "v1"));
    add(plural, "constant_label", quote!("plural", #plural, "crontabs"));
    let constant = if group.text().is_none() { group } else { plural };
    add(constant, "constant_name", quote!(#plural, #group));
    checks
}

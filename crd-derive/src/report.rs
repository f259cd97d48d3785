//! Reports errors at tokens.

use std::collections::BTreeSet;

use darling::Error;
use darling::error::Accumulator;
use proc_macro2::Span;
use syn::spanned::Spanned;

use crate::literal::Text;

/// Adds an error at a span.
pub(crate) fn report(errors: &mut Accumulator, span: Span, message: impl std::fmt::Display) {
    errors.push(Error::custom(message).with_span(&span));
}

/// Reports each text that stands before it too. `what` is what the texts are.
pub(crate) fn report_duplicates<'a>(
    errors: &mut Accumulator,
    texts: impl IntoIterator<Item = &'a Text>,
    what: &str,
) {
    let mut seen = BTreeSet::new();
    for Text { value, span } in texts {
        if !seen.insert(value) {
            report(errors, *span, format_args!("duplicate {what} `{value}`"));
        }
    }
}

pub(crate) fn span_of(tokens: &impl Spanned) -> Span {
    tokens.span()
}

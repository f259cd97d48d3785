//! Reports errors at tokens.

use darling::Error;
use darling::error::Accumulator;
use proc_macro2::Span;
use syn::spanned::Spanned;

/// Adds an error at a span.
pub(crate) fn report(errors: &mut Accumulator, span: Span, message: impl std::fmt::Display) {
    errors.push(Error::custom(message).with_span(&span));
}

pub(crate) fn span_of(tokens: &impl Spanned) -> Span {
    tokens.span()
}

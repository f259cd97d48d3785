//! Emits the check of an expression: an element of a static, whose evaluation is the check, and constants that report its
//! errors.

use crd_cel::compile_time::{Program, Want};
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};

use super::expression::{Expression, names_in};
use super::known::Known;
use super::{RuleTarget, Writer};
use crate::emit::cel::Emitter;
use crate::emit::constants;
use crate::emit::generics::has_parameters;
use crate::literal::StringExpr;
use crate::model::Rule;

impl Writer<'_> {
    /// Checks a rule and its message expression.
    pub(super) fn rule(&mut self, rule: &Rule, target: &RuleTarget) {
        for (span, check) in constants::of_rule(rule) {
            if has_parameters(self.types.model) {
                self.within.push((span, check));
            } else {
                self.check("rule_text", span, &check);
            }
        }
        if let Some(text) = &rule.options.message_expression {
            self.expression(text, Want::Message, rule, target);
        }
        self.expression(&rule.expression, Want::Rule, rule, target);
    }

    /// Adds an expression to the tables, and the constants that report its errors.
    fn expression(&mut self, string: &StringExpr, want: Want, rule: &Rule, target: &RuleTarget) {
        // Syntax errors are reported by `check`, and the text of a constant is not known.
        let (Some(text), Some(ast)) = (string.text(), string.ast()) else { return };
        let Some(Program { code, .. }) = Program::write(ast) else { return };
        let expression = Expression {
            source: &text.value,
            program: &code,
            want,
            optional_old_self: rule.has_optional_old_self(),
            unchecked: rule.options.unchecked,
            path: &target.path,
        };
        if let Some(known) = &target.known
            && known.accepts(&expression)
        {
            // A field with a rule of its own has attributes, because of which its type must be that of std.
            if let Known::Struct { .. } = &**known {
                self.known_names.extend(names_in(&text.value).map(str::to_owned));
            }
            return;
        }
        let of = self.narrowed(&text.value, target);
        let at = self.push(expression.tokens(of.as_ref().unwrap_or(&target.of)));
        let oldest = self.servers.map(|servers| servers.oldest.minor(&self.types.model.krate));
        match (oldest, of.is_some().then_some(&target.of)) {
            (Some(oldest), None) if string.pieces().is_empty() => {
                let check = quote_spanned!(text.span=> __report_on(&#at, #oldest));
                self.check("rule_check", text.span, &check);
            }
            (oldest, all) => {
                self.report(string, text.span, &at, all);
                if let Some(oldest) = oldest {
                    let check = quote_spanned!(text.span=> __cel::available(&#at, #oldest));
                    self.check("rule_servers", text.span, &check);
                }
            }
        }
        if let Some(within) = &target.within {
            self.within.push((
                text.span,
                quote_spanned! {text.span=>
                    __cel::report_within(&#at, &const { #within })
                },
            ));
        }
    }

    /// The type of `self` for a rule of a variant, with only the fields that the rule mentions; `None` for other rules.
    fn narrowed(&self, source: &str, target: &RuleTarget) -> Option<TokenStream> {
        let own = target.narrow.as_ref()?;
        let only = names_in(source).chain(target.path.iter().map(String::as_str));
        let only = only.map(str::to_owned).collect();
        let narrow = Emitter { only: Some(&only), own: Some(own), ..self.types }.whole();
        Some(quote!(&const { #narrow }))
    }

    /// Emits constants that report the errors of the expression at a place in a table: one for each piece of
    /// `concat!(..)`, or one for any other text. If its type is narrowed, `all` is the complete type, whose fields the
    /// errors list.
    fn report(
        &mut self,
        string: &StringExpr,
        span: Span,
        at: &TokenStream,
        all: Option<&TokenStream>,
    ) {
        let starts = string.pieces().iter().map(|(start, _)| *start);
        let starts = quote!(&[#(#starts),*]);
        let is_here = |nth| quote!(if __cel::is_in_piece(&#at, #starts, #nth));
        let mut pieces: Vec<_> = (string.pieces().iter().enumerate())
            .map(|(nth, (_, span))| (*span, Some(is_here(nth))))
            .collect();
        if pieces.is_empty() {
            pieces.push((span, None));
        }
        for (span, is_here) in pieces {
            // rustc reports the error at the first token of the call.
            let report = if let Some(all) = all {
                quote_spanned!(span=> __cel::report_of(&#at, #all))
            } else {
                quote_spanned!(span=> __cel::report(&#at))
            };
            let report = match is_here {
                Some(is_here) => quote!(#is_here { #report }),
                None => report,
            };
            self.check("rule_check", span, &report);
        }
    }
}

//! `rule("expression", message = "..", ..)`.

use darling::util::SpannedValue;
use darling::{Error, FromMeta, Result};
use quote::ToTokens as _;
use syn::spanned::Spanned;
use syn::{Expr, Meta};

use super::form::{positional, switch};
use crate::literal::{StringExpr, Text, plain};

/// A member of `x-kubernetes-validations`.
#[derive(Debug, Clone)]
pub(crate) struct Rule {
    pub expression: StringExpr,
    pub options: RuleOptions,
}

impl Rule {
    /// A rule without options.
    pub(crate) fn plain(expression: StringExpr) -> Self {
        Self { expression, options: RuleOptions::default() }
    }

    /// Whether `oldSelf` is an optional.
    pub(crate) fn has_optional_old_self(&self) -> bool {
        self.options.optional_old_self.as_deref() == Some(&true)
    }
}

/// The keys of a rule after its expression.
#[derive(Debug, Clone, Default, FromMeta)]
pub(crate) struct RuleOptions {
    /// The expression, as `rule = ".."`.
    rule: Option<StringExpr>,
    /// The error message if the rule is false.
    pub message: Option<StringExpr>,
    /// A CEL expression that returns the message.
    pub message_expression: Option<StringExpr>,
    /// The reason of the error, such as `FieldValueInvalid`.
    pub reason: Option<Text>,
    /// The path at which the error is reported.
    pub field_path: Option<Text>,
    /// Whether `oldSelf` is a CEL optional.
    #[darling(with = switch)]
    pub optional_old_self: Option<SpannedValue<bool>>,
    /// Whether to skip the lints, such as the one for calls that always fail.
    #[darling(default, with = is_unchecked)]
    pub unchecked: bool,
}

/// Reads `unchecked("why")`, whose reason is not kept, or the flag `unchecked`. Clippy's lint
/// `duplicated_attributes` reports the flag if two rules of one type have it.
pub(super) fn read_unchecked(item: &Meta) -> Result<Option<SpannedValue<bool>>> {
    let Meta::List(list) = item else { return switch(item) };
    match list.parse_args::<syn::LitStr>() {
        Ok(why) if !why.value().trim().is_empty() => {
            Ok(Some(SpannedValue::new(true, item.path().span())))
        }
        _ => {
            let message = "must be `unchecked(\"..\")`, with the reason";
            let span = if list.tokens.is_empty() { item.span() } else { list.tokens.span() };
            Err(Error::custom(message).with_span(&span))
        }
    }
}

/// Reads `unchecked("why")`, or the flag, as a fact.
pub(super) fn is_unchecked(item: &Meta) -> Result<bool> {
    Ok(read_unchecked(item)?.is_some_and(|flag| *flag))
}

/// What to write in place of kube's `Rule::new("..").message("..")`.
fn of_kube(expr: &Expr) -> Option<String> {
    match plain(expr) {
        Expr::Call(call) => {
            let Expr::Path(path) = &*call.func else { return None };
            let mut names = path.path.segments.iter().rev().map(|segment| &segment.ident);
            let is_rule = names.next()? == "new" && names.next()? == "Rule";
            let text = call.args.first().filter(|_| is_rule)?;
            Some(format!("rule({})", text.to_token_stream()))
        }
        Expr::MethodCall(call) => {
            let rule = of_kube(&call.receiver)?;
            let before = rule.strip_suffix(')')?;
            let value = call.args.first().map_or("..".to_owned(), |value| match plain(value) {
                Expr::Lit(literal) => literal.to_token_stream().to_string(),
                _ => "\"..\"".to_owned(),
            });
            Some(format!("{before}, {} = {value})", call.method))
        }
        _ => None,
    }
}

/// The keys that can be written without a value. [`positional`] reads any other word as the path of a
/// constant.
const KEYS: [&str; 2] = ["optional_old_self", "unchecked"];

impl FromMeta for Rule {
    fn from_meta(item: &Meta) -> Result<Self> {
        let (first, rest) = positional(item, &KEYS)?;
        if let Some(darling::ast::NestedMeta::Lit(literal)) =
            rest.iter().find(|meta| matches!(meta, darling::ast::NestedMeta::Lit(_)))
        {
            let message = match literal {
                syn::Lit::Str(text) => {
                    format!(
                        "`rule` takes one expression; write the message as `message = {:?}`",
                        text.value()
                    )
                }
                _ => "`rule` takes one expression, followed by keys such as `message = \"..\"`"
                    .to_owned(),
            };
            return Err(Error::custom(message).with_span(literal));
        }
        let mut options = match rest.as_slice() {
            [] => RuleOptions::default(),
            rest => RuleOptions::from_list(rest)?,
        };
        let expression = match (first, options.rule.take()) {
            (Some(expr), None) => match of_kube(&expr) {
                Some(written) => {
                    let message = format!("write `{written}`");
                    return Err(Error::custom(message).with_span(&expr));
                }
                None => StringExpr::parse(&expr)?,
            },
            (None, Some(text)) => text,
            (Some(expr), Some(_)) => {
                return Err(Error::custom("the rule is given twice").with_span(&expr));
            }
            (None, None) => {
                return Err(Error::custom(
                    "`rule` needs an expression, such as `rule(\"self.a <= self.b\")`",
                )
                .with_span(&item.span()));
            }
        };
        Ok(Self { expression, options })
    }
}

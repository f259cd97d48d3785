//! `allow(LINT, reason = "WHY")`.

use darling::{Error, FromMeta, Result};
use syn::punctuated::Punctuated;
use syn::{Expr, ExprLit, Lit, Meta, Token};

use crate::literal::wrong_form;

/// The arguments.
const FORM: &str = "(LINT, reason = \"WHY\")";

/// Lints of `crd lint` that do not report the item. The command reports names that it does not know.
#[derive(Debug, Clone)]
pub(crate) struct Allow {
    /// The names of the lints.
    pub lints: Vec<String>,
}

impl FromMeta for Allow {
    fn from_meta(item: &Meta) -> Result<Self> {
        let Meta::List(list) = item else { return Err(wrong_form(item, FORM)) };
        let parts = list
            .parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)
            .map_err(|_| wrong_form(item, FORM))?;
        let (mut lints, mut has_reason) = (Vec::new(), false);
        for part in &parts {
            match part {
                Meta::Path(path) if path.get_ident().is_some() => {
                    lints.extend(path.get_ident().map(ToString::to_string));
                }
                Meta::NameValue(pair) if pair.path.is_ident("reason") => {
                    let Expr::Lit(ExprLit { lit: Lit::Str(why), .. }) = &pair.value else {
                        return Err(Error::custom("must be a string").with_span(&pair.value));
                    };
                    has_reason = !why.value().trim().is_empty();
                }
                other => {
                    let message = "must be the name of a lint, such as `phase_name`";
                    return Err(Error::custom(message).with_span(other));
                }
            }
        }
        if lints.is_empty() || !has_reason {
            return Err(wrong_form(item, FORM));
        }
        Ok(Self { lints })
    }
}

/// The names of the lints of several attributes.
pub(crate) fn lints(allow: Vec<Allow>) -> Vec<String> {
    allow.into_iter().flat_map(|allow| allow.lints).collect()
}

#[cfg(test)]
mod tests {
    use syn::parse_quote;

    use super::*;

    #[test]
    fn a_reason_is_required() {
        let read = |meta: &Meta| Allow::from_meta(meta).map_err(|error| error.to_string());
        let meta = parse_quote!(allow(phase_name, field_name, reason = "old"));
        assert_eq!(read(&meta).unwrap().lints, ["phase_name", "field_name"]);
        for (meta, want) in [
            (parse_quote!(allow), "expected `allow(LINT, reason = \"WHY\")`"),
            (parse_quote!(allow(phase_name)), "expected `allow(LINT, reason = \"WHY\")`"),
            (parse_quote!(allow(reason = "a")), "expected `allow(LINT, reason = \"WHY\")`"),
            (
                parse_quote!(allow(phase_name, reason = " ")),
                "expected `allow(LINT, reason = \"WHY\")`",
            ),
            (parse_quote!(allow(phase_name, reason = 1)), "must be a string"),
            (
                parse_quote!(allow(a::b, reason = "a")),
                "must be the name of a lint, such as `phase_name`",
            ),
        ] {
            assert_eq!(read(&meta).unwrap_err(), want);
        }
    }
}

//! Attributes of kube's derive in the forms that only kube reads, each with what to write.

use darling::Error;
use darling::error::Accumulator;
use quote::ToTokens as _;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, ExprLit, Lit, Meta, Token};

use crate::literal::{Json, Value, plain};

/// Reports and removes keys of a kind whose value is a string, where kube reads JSON or a path from it.
pub(crate) fn take_strings(attrs: &mut [Attribute], errors: &mut Accumulator) {
    for attr in attrs.iter_mut().filter(|attr| attr.path().is_ident("crd")) {
        let Meta::List(list) = &mut attr.meta else { continue };
        let metas = Punctuated::<Meta, Token![,]>::parse_terminated.parse2(list.tokens.clone());
        let Ok(metas) = metas else { continue };
        let (taken, kept): (Vec<_>, Vec<_>) =
            metas.into_iter().partition(|meta| instead(meta).is_some());
        if taken.is_empty() {
            continue;
        }
        for meta in &taken {
            let write = instead(meta).unwrap_or_default();
            let value = meta.require_name_value().map_or(meta.path(), |pair| &pair.path);
            errors.push(Error::custom(format!("write `{write}`")).with_span(value));
        }
        list.tokens = quote::quote!(#(#kept),*);
    }
}

/// What to write in place of a key with a string.
fn instead(meta: &Meta) -> Option<String> {
    let Meta::NameValue(pair) = meta else { return None };
    let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = plain(&pair.value) else { return None };
    let text = text.value();
    let keys = |pairs: &[(&str, &str)]| {
        let keys = pairs.iter().filter_map(|(theirs, ours)| {
            let value = value_of(&text, theirs)?;
            Some(if *ours == "priority" {
                format!("{ours} = {value}")
            } else {
                format!("{ours} = {value:?}")
            })
        });
        let keys: Vec<_> = keys.collect();
        (!keys.is_empty()).then(|| keys.join(", "))
    };
    match pair.path.get_ident()?.to_string().as_str() {
        "printcolumn" => Some(format!(
            "print_column({})",
            keys(&[
                ("name", "name"),
                ("type", "type"),
                ("jsonPath", "path"),
                ("description", "description"),
                ("format", "format"),
                ("priority", "priority"),
            ])?
        )),
        "scale" => Some(format!(
            "scale({})",
            keys(&[
                ("specReplicasPath", "spec"),
                ("statusReplicasPath", "status"),
                ("labelSelectorPath", "selector"),
            ])?
        )),
        "derive" => Some(format!("derive({text})")),
        _ => None,
    }
}

/// The value of a key of a JSON object: the text of a string, or a number.
fn value_of(json: &str, key: &str) -> Option<String> {
    let Ok(Json::Object(_, members)) = syn::parse_str(json) else { return None };
    let (_, value) = members.into_iter().find(|(name, _)| name.value() == key)?;
    let Json::Expr(value) = value else { return None };
    Some(Value(*value.clone()).as_text().unwrap_or_else(|| value.to_token_stream().to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(written: &str, want: &str) {
        let meta: Meta = syn::parse_str(written).expect(written);
        assert_eq!(instead(&meta).as_deref(), Some(want));
    }

    #[test]
    fn the_values_are_those_of_kube() {
        check(
            r##"printcolumn = r#"{"name":"Spec", "type" : "string","jsonPath":".spec.a\\.b","priority":1}"#"##,
            r#"print_column(name = "Spec", type = "string", path = ".spec.a\\.b", priority = 1)"#,
        );
        check(
            r##"scale = r#"{"specReplicasPath":".spec.r","statusReplicasPath":".status.r"}"#"##,
            r#"scale(spec = ".spec.r", status = ".status.r")"#,
        );
        check(r#"derive = "Default""#, "derive(Default)");
    }

    #[test]
    fn escapes_do_not_end_a_text() {
        let text = r#"{"name": "a\"b\\", "priority": 1}"#;
        assert_eq!(value_of(text, "name").as_deref(), Some(r#"a"b\"#));
        assert_eq!(value_of(text, "priority").as_deref(), Some("1"));
    }
}

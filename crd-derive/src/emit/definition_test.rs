//! The test that the server would accept the definition of a kind.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::model::{Kind, Model};
use crate::names::snake_case;

/// Emits the test, if `crd-runtime` has its feature `engine`.
///
/// ```ignore
/// #[cfg(test)]
/// #[test]
/// fn cron_tab_is_a_valid_definition() -> Checked { check_definition::<CronTab>(34) }
/// ```
///
/// It is at the level of the type, because rustc finds no tests in a `const _`.
pub(crate) fn emit(model: &Model) -> TokenStream {
    let Some(kind) = model.kind.as_ref().filter(|kind| kind.test.as_deref() != Some(&false)) else {
        return TokenStream::new();
    };
    let Model { krate, lints, .. } = model;
    let root = kind.root_type(&model.ident);
    let name = name(kind, model);
    let oldest = kind.oldest.minor(krate);
    quote! {
        #krate::__private::test! { #lints #name #root #oldest }
    }
}

fn name(kind: &Kind, model: &Model) -> proc_macro2::Ident {
    let root = kind.root_type(&model.ident).to_string();
    let name = format!("{}_is_a_valid_definition", snake_case(root.trim_start_matches("r#")));
    // The name of a root may begin with `_` and a digit.
    syn::parse_str(&name).unwrap_or_else(|_| format_ident!("_{name}"))
}

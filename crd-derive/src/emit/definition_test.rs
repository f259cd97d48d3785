//! The test that the server would accept the definition of a kind.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};

use crate::model::{Kind, Model};
use crate::names::snake_case;

/// Emits the test, if `crd-runtime` has its feature `engine`.
///
/// ```ignore
/// #[cfg(test)]
/// #[test]
/// fn cron_tab_is_a_valid_definition() -> Result<(), InvalidDefinition> { .. }
/// ```
///
/// It is at the level of the type, because rustc finds no tests in a `const _`.
pub(crate) fn emit(model: &Model) -> TokenStream {
    let Some(kind) = model.kind.as_ref().filter(|kind| kind.has_test) else {
        return TokenStream::new();
    };
    let Model { krate, lints, .. } = model;
    let root = kind.root_type(&model.ident);
    let name = name(kind, model);
    let oldest = kind.oldest.minor(krate);
    quote! {
        #krate::__private::engine! {
            #lints
            #[cfg(test)]
            // A kind in a function has a test that cannot be run.
            #[allow(unnameable_test_items)]
            #[::core::prelude::v1::test]
            fn #name() -> ::core::result::Result<(), #krate::__private::InvalidDefinition> {
                #krate::__private::check_definition(
                    <#root as #krate::CustomResource>::definition(),
                    &<#root as #krate::CrdSchema>::SHAPE,
                    #oldest,
                )
            }
        }
    }
}

fn name(kind: &Kind, model: &Model) -> proc_macro2::Ident {
    let root = kind.root_type(&model.ident).to_string();
    format_ident!(
        "{}_is_a_valid_definition",
        snake_case(root.trim_start_matches("r#")),
        span = Span::call_site()
    )
}

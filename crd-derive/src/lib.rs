//! The derives of [`crd-runtime`](https://docs.rs/crd-runtime), which re-exports them: depend on that crate.
//!
//! - `#[derive(CustomResource)]` makes a struct a kind;
//! - `#[derive(CrdSchema)]` generates the schema of a type inside a kind.
//!
//! The keys of `#[crd(..)]` are on the page of [`CustomResource`](derive@CustomResource).
#![cfg_attr(docsrs, feature(doc_cfg))]

// Four stages: `attr` parses attributes, `model` joins them with what serde does (`serde_view`) and computes each fact
// once, `check` validates the model, and `emit` writes it as calls into `crd_runtime::__private`, which has all
// behaviour. All errors of one derive are reported together, each at its tokens. A fallback implementation is emitted
// with them, so that rustc reports no follow-up errors.

mod attr;
mod check;
mod doc;
mod emit;
#[cfg(test)]
mod expansions;
mod json_path;
mod literal;
#[cfg(test)]
mod messages;
mod model;
mod names;
mod needs;
#[cfg(test)]
mod positions;
mod report;
mod serde_view;
mod types;

use proc_macro::TokenStream;
use proc_macro2::TokenTree;
use syn::{DeriveInput, parse_macro_input};

/// Derives `CrdSchema`, the structural schema of a struct or enum.
///
/// Field and variant names follow `#[serde(..)]`, and `#[crd(..)]` adds constraints; see the [list of
/// attributes](derive@CustomResource#all-keys).
///
/// ```ignore
/// #[derive(CrdSchema, Serialize, Deserialize)]
/// struct Port {
///     #[crd(max_length = 15)]
///     name: String,
///     #[crd(minimum = 1)]
///     number: u16,
/// }
/// ```
#[proc_macro_derive(CrdSchema, attributes(crd, serde, schemars, validate, x_kube))]
pub fn derive_schema(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand(input, attr::Derive::Schema).into()
}

/// Derives `CustomResource`, which makes a struct a kind.
///
/// On a spec struct it generates the root type, with `metadata`, `spec` and, if `status = ..` is given, `status`:
///
/// ```ignore
/// #[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
/// #[crd(group = "example.com", version = "v1", kind = "Site", namespaced)]
/// struct SiteSpec {
///     host: String,
/// }
///
/// let site = Site::new("blog", SiteSpec { host: "example.com".to_owned() });
/// let manifest = Site::crd();
/// ```
///
/// A struct with a field `metadata: ObjectMeta` is the root itself; see [`root`](#root).
///
// The code blocks of the page are fragments, which the crate `tests` completes and compiles.
#[cfg_attr(not(doctest), doc = include_str!("../attributes.md"))]
#[proc_macro_derive(CustomResource, attributes(crd, serde, kube, schemars, validate, x_kube))]
pub fn derive_custom_resource(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand(input, attr::Derive::Kind).into()
}

/// Expands to the text of the page of attributes, for `crd attributes`.
#[doc(hidden)]
#[proc_macro]
pub fn attributes_page(_: TokenStream) -> TokenStream {
    let page = include_str!("../attributes.md");
    quote::quote!(#page).into()
}

fn expand(mut input: DeriveInput, derive: attr::Derive) -> proc_macro2::TokenStream {
    // Some generated items are outside the type's impl blocks, where `Self` has no meaning.
    serde_derive_internals::replace_receiver(&mut input);
    let may_take = attr::prepare(&mut input);
    if derive == attr::Derive::Schema
        && let Some(error) = attr::keys_of_a_kind(&input)
    {
        // No implementation, because that of `CustomResource` may be there too.
        return written(error);
    }
    let mut errors = darling::Error::accumulator();
    if may_take {
        attr::take_defaults(&mut input.attrs, derive, &mut errors);
    }
    if may_take && derive == attr::Derive::Kind {
        attr::take_strings(&mut input.attrs, &mut errors);
    }
    let input = &input;
    let (model, is_read) = model::Model::read(input, derive, &mut errors);
    attr::report_other_derives(input, derive, model.json_schema, &mut errors);
    if is_read {
        check::check(&model, &mut errors);
    }
    match errors.finish() {
        Ok(()) if is_read => emit::emit(&model),
        errors => {
            let errors = errors.err().map(|error| written(attr::explain_unknown_keys(error)));
            let fallback = emit::fallback(&model);
            quote::quote!(#errors #fallback)
        }
    }
}

/// Errors as calls of `compile_error!`. In edition 2015, `::core::compile_error` with the span of a user's token does not
/// lead to `core`, so they are without a path.
fn written(error: darling::Error) -> proc_macro2::TokenStream {
    let is_path = |token: &TokenTree| match token {
        TokenTree::Punct(punct) => punct.as_char() == ':',
        TokenTree::Ident(name) => name == "core",
        _ => false,
    };
    error.write_errors().into_iter().filter(|token| !is_path(token)).collect()
}

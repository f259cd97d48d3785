//! Reports attributes that have no effect on a type with these derives: `#[kube(..)]`,
//! `#[schemars(..)]`, `#[validate(..)]` and `#[x_kube(..)]`.

use darling::Error;
use darling::error::Accumulator;
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::{Attribute, DeriveInput, Meta, Token};

use super::suggestions::suggestion;
use super::{Derive, Key};

/// The attribute of the crate `validator`, which schemars and kube's derive read too.
const VALIDATE: &str = "validate";

/// Whether an item has `#[validate(..)]`, which `unchecked` keeps.
pub(crate) fn has_validate(attrs: &[Attribute]) -> bool {
    attrs.iter().any(|attr| attr.path().is_ident(VALIDATE))
}

/// Reports attributes that have no effect. With `json_schema = false`, schemars' own derive may read `#[schemars(..)]`.
pub(crate) fn report_other_derives(
    input: &DeriveInput,
    derive: Derive,
    json_schema: bool,
    errors: &mut Accumulator,
) {
    let mut names = vec![VALIDATE];
    if derive == Derive::Kind {
        names.push("kube");
    }
    if json_schema {
        names.extend(["schemars", "x_kube"]);
    }
    for attrs in super::attributes(input) {
        let keeps_validate = || Key::all(attrs).iter().any(|key| key.name == "unchecked");
        for attr in attrs {
            let Some(name) = attr.path().get_ident().map(ToString::to_string) else { continue };
            if names.contains(&name.as_str()) && !(name == VALIDATE && keeps_validate()) {
                let message = message(&name, attr);
                errors.push(Error::custom(message).with_span(attr.path()));
            }
        }
    }
}

fn message(name: &str, attr: &Attribute) -> String {
    let keys = attr.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
    let keys: Vec<String> =
        keys.into_iter().flatten().map(|key| key.path().to_token_stream().to_string()).collect();
    let instead = keys.iter().filter_map(|key| {
        let written = suggestion(key, true)?;
        let (_, written) = written.split_once("; write ")?;
        Some(format!("{written} in place of `{key}`"))
    });
    let instead: Vec<_> = instead.collect();
    let why = match name {
        "kube" => "`#[kube(..)]` is read only by kube's derive".to_owned(),
        VALIDATE => "`#[validate(..)]` adds nothing to the schema".to_owned(),
        _ => format!(
            "`#[{name}(..)]` has no effect: `CrdSchema` implements `JsonSchema` for the type"
        ),
    };
    let more = match name {
        "schemars" => "; to derive `JsonSchema` with schemars, add `#[crd(json_schema = false)]`",
        VALIDATE => "; to keep it for the crate `validator`, add `#[crd(unchecked(\"why\"))]`",
        _ => "",
    };
    let write = if instead.is_empty() {
        "`#[crd(..)]`, whose keys mostly have the same names".to_owned()
    } else {
        format!("`#[crd(..)]`, with {}", instead.join(", "))
    };
    format!("{why}; write {write}{more}")
}

//! Checks that depend on other types: constants that rustc evaluates, with the error at the
//! attribute.
//!
//! Fields of recognized types, such as `String`, are checked by `check`. For an alias or a user's
//! type, the constants here evaluate its `SHAPE`.

mod constraints;
mod fields;
mod literals;
mod objects;

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Type;
use syn::spanned::Spanned as _;

use super::CheckNames;
use super::generics::{has_parameters, with_bounds, without_lifetimes};
use crate::model::{Body, Field, Model};
use crate::types::{self, JsonType};

/// Checks of the attributes of a type and of its fields.
///
/// For a type without parameters:
///
/// ```ignore
/// const __LIST_MAP_KEY: () = check::list_map_key(&<Vec<Port> as CrdSchema>::SHAPE, "name");
/// ```
///
/// The shape of a generic parameter is known only where the type is used, so a generic type has one
/// constant with all checks, which its `SHAPE` evaluates.
///
/// Returns the items with the checks and with further ones, and a statement to emit before the value of `SHAPE`.
pub(crate) fn checks(
    model: &Model,
    further: Vec<(Span, TokenStream)>,
) -> (TokenStream, TokenStream) {
    let mut asserts = Asserts { model, checks: Vec::new() };
    if model.constraints.schema_with.is_none() {
        asserts.container();
        asserts.body(&model.body, "");
    }
    if !has_parameters(model) {
        let mut names = CheckNames::default();
        let items = asserts.checks.into_iter().map(|Check { name, span, call }| {
            names.constant(&name, span, &without_lifetimes(call, model))
        });
        return (items.collect(), TokenStream::new());
    }
    let checks = asserts.checks.into_iter().map(|Check { span, call, .. }| (span, call));
    let checks: Vec<_> = checks.chain(further).collect();
    if checks.is_empty() {
        return (TokenStream::new(), TokenStream::new());
    }
    let generics = with_bounds(model);
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    let ident = &model.ident;
    let checks = checks.iter().map(|(span, check)| quote_spanned!(*span=> #check;));
    let items = quote! {
        #[automatically_derived]
        impl #impl_generics __check::Checked for #ident #type_generics #where_clause {
            const CHECKED: () = { #(#checks)* };
        }
    };
    let first = quote!(let () = <Self as __check::Checked>::CHECKED;);
    (items, first)
}

/// The `container` of a tuple's fields.
const IN_A_TUPLE: &str = "a tuple";

/// The error for a key on a type that it does not apply to.
fn does_not_apply(key: &str, expected: &str) -> String {
    format!("`{key}` does not apply here: this type is not {expected}")
}

/// Whether a type is recognized by its path, so that `check` has checked its values.
fn is_recognized(ty: Option<&Type>) -> bool {
    ty.is_some_and(|ty| types::json_type(ty) != JsonType::Unknown)
}

/// Requires that what these types name as std does is of std.
///
/// ```ignore
/// __of_std::<String>();
/// ```
pub(crate) fn names_of_std<'a>(types: impl Iterator<Item = &'a Type>) -> Option<TokenStream> {
    let mut seen: Vec<&Type> = Vec::new();
    for ty in types.flat_map(types::named_as_in_std) {
        if !seen.contains(&ty) {
            seen.push(ty);
        }
    }
    let checks = seen.iter().map(|ty| quote_spanned!(types::span(ty)=> __of_std::<#ty>();));
    (!seen.is_empty()).then(|| quote!(#(#checks)*))
}

/// A check, as a call of a function of the runtime.
struct Check {
    /// What is checked, for the name of the constant.
    name: String,
    span: Span,
    call: TokenStream,
}

struct Asserts<'a> {
    model: &'a Model,
    checks: Vec<Check>,
}

impl Asserts<'_> {
    /// Checks the fields of a body. `container` names the container if they have no JSON path: `a variant`.
    fn body(&mut self, body: &Body, container: &str) {
        match body {
            Body::Object(object) => {
                self.parts(object, None);
                for field in &object.fields {
                    self.field(field, container);
                }
            }
            Body::Transparent(field) => self.field(field, container),
            Body::Tuple(fields) => {
                for [first, other] in fields
                    .first()
                    .into_iter()
                    .flat_map(|first| fields.iter().skip(1).map(move |it| [first, it]))
                {
                    self.same_type("same_element", &other.ty, &first.ty);
                }
                for field in fields {
                    self.field(field, IN_A_TUPLE);
                    self.element(field);
                }
            }
            Body::Enum(data) => {
                for variant in data.variants.iter().filter(|variant| !variant.has_own_schema()) {
                    self.body(&variant.body, "a variant");
                    if data.is_untagged(variant) && data.variants.len() > 1 {
                        self.immutable_if_set(variant);
                    }
                    self.variant(variant, &data.tagging);
                }
            }
            Body::Unit | Body::Delegate(_) => {}
        }
    }

    /// Checks the attributes of the container.
    fn container(&mut self) {
        let model = self.model;
        let shape = if has_parameters(model) {
            quote!(&<Self as __CrdSchema>::UNCHECKED_SHAPE)
        } else {
            let ident = &model.ident;
            let (_, type_generics, _) = model.generics.split_for_impl();
            quote!(&<#ident #type_generics as __CrdSchema>::SHAPE)
        };
        let are_fields_known = model
            .body
            .object()
            .is_some_and(|object| object.fields.iter().all(|field| !field.flatten));
        self.constraints(&model.constraints, &shape, None, are_fields_known);
        if let Some(status) =
            model.kind.as_ref().filter(|kind| kind.is_root()).and_then(|kind| kind.status())
            && let Some(ty) = model
                .body
                .fields()
                .iter()
                .find(|field| field.wire == "status")
                .map(|field| &field.ty)
        {
            let status: Type = syn::parse_quote!(#status);
            self.same_type("same_status", ty, &status);
        }
        // The shape of a newtype has this attribute already, so the content is checked.
        if let (Some(span), Body::Transparent(field)) =
            (model.constraints.int_or_string, &model.body)
            && !field.has_replaced_schema()
            && !field.is_recognized()
        {
            let of = super::of(model, &field.ty);
            self.call(span, "int_or_string", &quote!(&#of::SHAPE));
        }
        if let Body::Enum(data) = &model.body {
            if data.keeps_content() {
                self.call(model.ident.span(), "kept", &shape);
            }
            // With `int_or_string`, the shape has no variants.
            if data.variants.len() > 1 && model.constraints.int_or_string.is_none() {
                self.variants(data, &shape);
            }
        }
    }

    /// Requires a predicate to hold for the shape of a field's type.
    fn assert_field_type(&mut self, span: Span, field: &Field, check: &str, message: &str) {
        let of = super::of(self.model, &field.ty);
        self.assert(span, &quote!(#of::SHAPE), check, message);
    }

    /// Requires a predicate to hold for a shape.
    fn assert(&mut self, span: Span, shape: &TokenStream, check: &str, message: &str) {
        let predicate = syn::Ident::new(check, Span::call_site());
        let call = quote_spanned! {span=>
            __check::require(__check::#predicate(#shape), #message)
        };
        self.push(check, span, call);
    }

    /// Requires two types to be one, which rustc decides unless they are written alike.
    fn same_type(&mut self, check: &str, one: &Type, other: &Type) {
        let is_written_alike = quote!(#one).to_string() == quote!(#other).to_string();
        if !is_written_alike {
            let span = one.span();
            let function = syn::Ident::new(check, span);
            let call = quote_spanned!(span=> __check::#function::<#one, #other>());
            self.push(check, span, call);
        }
    }

    /// Adds a call of the check function `check`, which has its own message.
    fn call(&mut self, span: Span, check: &str, arguments: &TokenStream) {
        let function = syn::Ident::new(check, span);
        self.push(check, span, quote_spanned!(span=> __check::#function(#arguments)));
    }

    fn push(&mut self, name: &str, span: Span, call: TokenStream) {
        self.checks.push(Check { name: name.to_owned(), span, call });
    }
}

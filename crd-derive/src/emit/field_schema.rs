//! The schema of a field: that of its type, changed by its attributes.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned as _;

use super::constraints::chain_of;
use crate::model::{Cut, Field, Model, Source};
use crate::serde_view::SerdeDefault;
use crate::types;

/// Writes the schemas of the fields of a type.
pub(super) struct FieldSchema<'a> {
    pub(super) model: &'a Model,
}

impl FieldSchema<'_> {
    /// The schema of a field: that of its type, changed by its attributes.
    pub(super) fn field(&self, field: &Field) -> TokenStream {
        self.field_with(field, field.doc.call().as_ref())
    }

    pub(super) fn field_with(&self, field: &Field, doc: Option<&TokenStream>) -> TokenStream {
        let (base, changes) = (self.base(field), self.changes(field));
        quote!(#base #doc #changes .done())
    }

    /// The schema of a field before attributes change it, as an expression of type `Schema`.
    pub(super) fn base(&self, field: &Field) -> TokenStream {
        let ty = &field.ty;
        let of = super::of(self.model, ty);
        // `Option<T>` has the schema of `T`, which would reject the `null` that serde writes for
        // `None`.
        let null = field.may_be_null().then(|| quote!(.nullable(true)));
        match &field.source {
            Source::Cut(cut) => {
                let open = Self::open(cut);
                quote!(__Schema::from(#open) #null)
            }
            Source::Function(path) => {
                quote_spanned!(path.span()=> __Schema::from(#path()) #null)
            }
            Source::With(Some(path)) => quote!(__Schema::from(#path())),
            Source::Type | Source::With(None) if field.skip_if.is_some() && !field.flatten => {
                quote_spanned!(types::span(ty)=> __Schema::from((#of::AS_FIELD.schema_of_some)()))
            }
            Source::Type | Source::With(None) => {
                quote_spanned!(types::span(ty)=> __Schema::from((#of::AS_FIELD.schema)()))
            }
        }
    }

    /// The calls on `Schema` for the attributes of a field, without its doc comments.
    pub(super) fn changes(&self, field: &Field) -> TokenStream {
        let default = self.default(field);
        let ty = (!field.is_converted()).then(|| types::held(&field.ty));
        let changes = chain_of(&field.constraints, ty);
        quote!(#changes #default)
    }

    /// The schema of a field where a recursive type is cut: nothing below it is checked.
    fn open(cut: &Cut) -> TokenStream {
        match cut {
            Cut::List => quote!(__s::open_list()),
            Cut::Object => quote!(__s::open_object()),
            Cut::Any => quote!(__s::any()),
            Cut::Either(ty) => quote! {
                if __Of::<#ty>::OBJECT {
                    __s::open_object()
                } else {
                    __s::any()
                }
            },
        }
    }

    /// `default` without a value: the value that serde gives an absent field.
    fn default(&self, field: &Field) -> Option<TokenStream> {
        field.constraints.inherited_default()?;
        let ty = field.type_in_rust();
        let serialize = field.with.as_ref().and_then(|with| with.serialize.as_ref());
        let member = &field.member;
        let value = match &field.default {
            SerdeDefault::Path(path) => quote!(#path()),
            SerdeDefault::Container(Some(path)) => quote!(#path().#member),
            SerdeDefault::Container(None) => {
                // The table of a type is outside of its impls.
                let (_, type_generics, _) = self.model.generics.split_for_impl();
                let ident = &self.model.ident;
                quote!(<#ident #type_generics as ::core::default::Default>::default().#member)
            }
            SerdeDefault::Trait | SerdeDefault::None if serialize.is_none() => {
                return Some(quote!(.default_of::<#ty>()));
            }
            SerdeDefault::Trait | SerdeDefault::None => {
                quote!(<#ty as ::core::default::Default>::default())
            }
        };
        let json = if let Some(path) = serialize {
            quote!(__p::json_with::<#ty, _>(&#value, #path))
        } else {
            quote!(__p::json::<#ty>(&#value))
        };
        Some(quote!(.default(#json)))
    }
}

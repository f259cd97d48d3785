//! `impl CrdSchema`.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use super::constraints::{chain, chain_of};
use super::fields::table_of;
use super::generics::with_bounds;
use crate::model::{Body, Cut, Enum, Field, Model, Source, Variant};
use crate::serde_view::{SerdeDefault, Tagging};
use crate::types;

/// `impl CrdSchema for T`, `impl JsonSchema for T`, and if `T` can be a map key
/// `impl MapKey for T`.
pub(crate) fn emit(model: &Model) -> TokenStream {
    let mut generics = with_bounds(model);
    super::finite::finite(model, &mut generics);
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    let ident = &model.ident;
    let context = Context { model };
    let super::rules::Rules { checks, within, needs } = super::rules::emit(model);
    let asserts = super::asserts::checks(model).and(within);
    let (asserts, mut check_first) = asserts.emit(model);
    if !model.generics.params.is_empty() && model.constraints.schema_with.is_none() {
        for ty in super::finite::parts(model) {
            check_first.extend(quote_spanned!(ty.span()=> let _ = <#ty as __s::CrdSchema>::SHAPE;));
        }
    }
    let shape = super::shape::emit(model);
    let shape = if check_first.is_empty() {
        quote!(const SHAPE: __s::Shape = #shape;)
    } else {
        quote! {
            const SHAPE: __s::Shape = {
                #check_first
                <Self as __s::CrdSchema>::UNCHECKED_SHAPE
            };
            const UNCHECKED_SHAPE: __s::Shape = #shape;
        }
    };
    // A type without parameters has its checks elsewhere.
    let run_checks = (!check_first.is_empty()).then(|| {
        quote!(
            const {
                let _ = <Self as __s::CrdSchema>::SHAPE;
            }
        )
    });
    let fields = super::fields::emit(model);
    let body = context.body(&model.body);
    let doc = model.doc.call();
    let changes = chain(&model.constraints);
    let (cel, tags) = (super::cel::declared(model), super::cel::tags(model));
    let replaced = model
        .constraints
        .schema_with
        .as_ref()
        .map(|path| quote!(__p::Schema::from(#path()).done()));
    let base = replaced.unwrap_or(body);
    let map_key = context.map_key(model);
    let json_schema = model.json_schema.then(|| json_schema(model, &generics));
    let missing = missing(model);
    let (derived_impl, _, derived_where) = model.generics.split_for_impl();
    let is_object = matches!(model.body, Body::Object(_));
    quote! {
            #tags

            #[automatically_derived]
            impl #derived_impl __p::Derived for #ident #type_generics #derived_where {
                const OBJECT: bool = #is_object;
            }

            #missing

            #[automatically_derived]
            impl #impl_generics __s::CrdSchema for #ident #type_generics #where_clause {
                #fields
                #shape
                const CEL: __s::Declared = #cel;
                #needs

                fn schema() -> __p::JsonSchemaProps {
                    #run_checks
                    __p::Schema::from(#base) #doc #changes .done()
                }
            }

            #json_schema
            #map_key
            #asserts
            #checks
    }
}

/// `impl JsonSchema`, which returns the schema of `CrdSchema`.
fn json_schema(model: &Model, generics: &syn::Generics) -> TokenStream {
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    let ident = &model.ident;
    let name = ident.to_string();
    let params = model.generics.type_params().map(|param| &param.ident);
    quote! {
        #[automatically_derived]
        impl #impl_generics __p::schemars::JsonSchema
            for #ident #type_generics #where_clause
        {
            fn schema_name() -> __p::Cow<'static, str> {
                __p::schema_name(#name, &[#(::core::any::type_name::<#params>()),*])
            }

            fn schema_id() -> __p::Cow<'static, str> {
                __p::Cow::Borrowed(::core::any::type_name::<Self>())
            }

            fn json_schema(
                _: &mut __p::schemars::SchemaGenerator,
            ) -> __p::schemars::Schema {
                __s::bridge::to_schemars(
                    &<Self as __s::CrdSchema>::schema(),
                )
            }
        }
    }
}

/// Constants that make rustc report a field type without a schema once, at that type.
///
/// ```ignore
/// const _: Shape = <Port as CrdSchema>::SHAPE;
/// ```
fn missing(model: &Model) -> TokenStream {
    if !model.generics.params.is_empty() || model.constraints.schema_with.is_some() {
        return TokenStream::new();
    }
    let parts = super::finite::parts(model).into_iter().map(|ty| has_schema(ty));
    parts.collect()
}

/// A constant that uses a type's schema: rustc reports a missing schema at the type. If a check of a
/// generic type fails, rustc's note points at this type too.
pub(super) fn has_schema(ty: &dyn quote::ToTokens) -> TokenStream {
    let span = ty.span();
    quote_spanned! {span=>
        const _: __s::Shape = <#ty as __s::CrdSchema>::SHAPE;
    }
}

pub(super) struct Context<'a> {
    pub(super) model: &'a Model,
}

impl Context<'_> {
    /// An expression of type `JsonSchemaProps`.
    fn body(&self, body: &Body) -> TokenStream {
        match body {
            Body::Object(object) => {
                let table = table_of(self.model, object);
                quote!(#table.schema())
            }
            Body::Transparent(field) => self.field(field),
            Body::Tuple(fields) => {
                let Some(first) = fields.first() else {
                    return quote!(__p::empty_tuple());
                };
                // The description of one member is not that of all.
                let has_one_doc = fields.iter().all(|field| field.doc == first.doc);
                let doc = first.doc.call().filter(|_| has_one_doc);
                let first = self.field_with(first, doc.as_ref());
                let len = fields.len();
                quote!(__p::tuple(#first, #len))
            }
            Body::Unit => quote!(<() as __s::CrdSchema>::schema()),
            Body::Delegate(ty) => {
                let of = super::of(self.model, ty);
                quote_spanned!(ty.span()=> (#of::AS_FIELD.schema)())
            }
            Body::Enum(data) => self.union(data),
        }
    }

    /// The schema of a field: that of its type, changed by its attributes.
    fn field(&self, field: &Field) -> TokenStream {
        self.field_with(field, field.doc.call().as_ref())
    }

    fn field_with(&self, field: &Field, doc: Option<&TokenStream>) -> TokenStream {
        let (base, changes) = (self.base(field), Self::changes(field));
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
                quote!(__p::Schema::from(#open) #null)
            }
            Source::Function(path) => {
                quote_spanned!(path.span()=> __p::Schema::from(#path()) #null)
            }
            Source::With(Some(path)) => quote!(__p::Schema::from(#path())),
            Source::Type | Source::With(None) if field.skip_if.is_some() && !field.flatten => {
                quote_spanned!(ty.span()=> __p::Schema::from((#of::AS_FIELD.schema_of_some)()))
            }
            Source::Type | Source::With(None) => {
                quote_spanned!(ty.span()=> __p::Schema::from((#of::AS_FIELD.schema)()))
            }
        }
    }

    /// The calls on `Schema` for the attributes of a field, without its doc comments.
    pub(super) fn changes(field: &Field) -> TokenStream {
        let default = Self::default(field);
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
                if __p::Of::<#ty>::OBJECT {
                    __s::open_object()
                } else {
                    __s::any()
                }
            },
        }
    }

    /// `default` without a value: the value that serde gives an absent field.
    fn default(field: &Field) -> Option<TokenStream> {
        field.constraints.inherited_default()?;
        let ty = field.type_in_rust();
        let member = &field.member;
        let value = match &field.default {
            SerdeDefault::Path(path) => quote!(#path()),
            SerdeDefault::Container(Some(path)) => quote!(#path().#member),
            SerdeDefault::Container(None) => {
                quote!(<Self as ::core::default::Default>::default().#member)
            }
            SerdeDefault::Trait | SerdeDefault::None => {
                quote!(<#ty as ::core::default::Default>::default())
            }
        };
        let serialize = field.with.as_ref().and_then(|with| with.serialize.as_ref());
        let json = if let Some(path) = serialize {
            quote!(__p::json_with::<#ty, _>(&#value, #path))
        } else {
            quote!(__p::json::<#ty>(&#value))
        };
        Some(quote!(.default(#json)))
    }

    fn union(&self, data: &Enum) -> TokenStream {
        let union = match &data.tagging {
            Tagging::External => quote!(external()),
            Tagging::Internal(tag) => quote!(internal(#tag)),
            Tagging::Adjacent(tag, content) => quote!(adjacent(#tag, #content)),
            Tagging::Untagged => quote!(untagged()),
        };
        let variants = data.variants.iter().map(|variant| self.variant(variant));
        quote!(__p::Union::#union #(#variants)* .done())
    }

    fn variant(&self, variant: &Variant) -> TokenStream {
        let changes = chain(&variant.constraints);
        let doc = variant.doc.call();
        let names = variant.names();
        let schema = match (&variant.body, &variant.constraints.schema_with) {
            (_, Some(path)) => {
                quote!(__p::Schema::from(#path()))
            }
            (Body::Unit, None) if variant.untagged => {
                quote!(__p::Schema::from(<() as __s::CrdSchema>::schema()))
            }
            (Body::Unit, None) => {
                let other = variant.other;
                return quote!(.unit(&[#(#names),*], #other));
            }
            (body, None) => {
                let body = self.body(body);
                quote!(__p::Schema::from(#body))
            }
        };
        let schema = quote!(#schema #doc #changes .done());
        if variant.untagged {
            quote!(.untagged_variant(#schema))
        } else {
            quote!(.data(&[#(#names),*], #schema))
        }
    }

    /// Emits `impl MapKey` for a type that is serialized as `ty`, and is a map key if `ty` is one.
    fn map_key_of(&self, ty: &syn::Type) -> TokenStream {
        let ident = &self.model.ident;
        let mut generics = self.model.generics.clone();
        let bound = syn::parse_quote!(for<'__k> __s::KeyOf<'__k, #ty>: __s::MapKey);
        generics.make_where_clause().predicates.push(bound);
        let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
        let key = quote!(<__s::KeyOf<'static, #ty> as __s::MapKey>);
        quote! {
            #[automatically_derived]
            impl #impl_generics __s::MapKey for #ident #type_generics #where_clause {
                const FEW: bool = #key::FEW;

                fn names() -> ::core::option::Option<::std::vec::Vec<::std::string::String>> {
                    #key::names()
                }
            }
        }
    }

    fn map_key(&self, model: &Model) -> Option<TokenStream> {
        let ident = &model.ident;
        let (impl_generics, type_generics, where_clause) = model.generics.split_for_impl();
        let data = match &model.body {
            Body::Enum(data) => data,
            Body::Transparent(field) if !field.has_replaced_schema() => {
                return Some(self.map_key_of(&field.ty));
            }
            Body::Delegate(ty) => return Some(self.map_key_of(ty)),
            _ => return None,
        };
        if !data.is_units() || data.variants.iter().any(|variant| variant.other) {
            return None;
        }
        let names = data.variants.iter().map(|variant| &variant.wire);
        let in_rules = names.clone().filter_map(|name| crd_cel::escape::escape(name));
        let in_rules = in_rules.map(std::borrow::Cow::into_owned);
        Some(quote! {
            #[automatically_derived]
            impl #impl_generics __s::MapKey for #ident #type_generics #where_clause {
                const RULE_NAMES: ::core::option::Option<&'static [&'static str]> =
                    ::core::option::Option::Some(&[#(#in_rules),*]);

                fn names() -> ::core::option::Option<::std::vec::Vec<::std::string::String>> {
                    ::core::option::Option::Some(
                        ::std::vec![#(<::std::string::String as ::core::convert::From<&str>>::from(#names)),*],
                    )
                }
            }
        })
    }
}

//! `impl CrdSchema`.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::ext::IdentExt as _;
use syn::spanned::Spanned;

use super::constraints::{chain, chain_of};
use super::field_schema::FieldSchema;
use super::generics::{has_parameters, with_bounds, without_lifetimes};
use super::has_statics;
use super::tables::table_of;
use crate::model::{Body, Enum, Model, Object, Variant};
use crate::serde_view::Tagging;
use crate::types;

/// `impl CrdSchema for T`, `impl JsonSchema for T`, and if `T` can be a map key
/// `impl MapKey for T`.
pub(crate) fn emit(model: &Model) -> TokenStream {
    let parts = match model.constraints.schema_with {
        Some(_) => Vec::new(),
        None => super::finite::parts(model),
    };
    // The contents of a generic type are known only where it is used.
    let is_generic = !model.generics.params.is_empty();
    let generics = with_bounds(model);
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    let ident = &model.ident;
    let context = FieldSchema { model };
    let super::rules::Rules { checks, within, needs, needs_place, known_names } =
        super::rules::emit(model);
    let (asserts, mut check_first) = super::asserts::checks(model, within);
    if is_generic {
        for ty in &parts {
            check_first.extend(quote_spanned!(ty.span()=> let _ = <#ty as __CrdSchema>::SHAPE;));
        }
    }
    let shape = super::shape::emit(model);
    let (cel, tags) = (super::cel::declared(model), super::cel::tags(model));
    let declared = super::cel::declared_fields(model);
    let (fields, fields_of_impl) = super::fields::emit(model);
    let (statics, shape, as_field) = if has_statics(model) {
        let statics = quote! {
            #fields
            #declared
            static __TYPE: __FieldType = __FieldType {
                shape: #shape, cel: #cel, ..__FieldType::opaque::<#ident>()
            };
        };
        (statics, quote!(__TYPE.shape), quote!(&__TYPE))
    } else {
        let as_field = quote!(&__FieldType { cel: #cel, ..__FieldType::of::<Self>() });
        (TokenStream::new(), shape, as_field)
    };
    let shape = if check_first.is_empty() {
        quote!(const SHAPE: __Shape = #shape;)
    } else {
        quote! {
            const SHAPE: __Shape = {
                #check_first
                <Self as __CrdSchema>::UNCHECKED_SHAPE
            };
            const UNCHECKED_SHAPE: __Shape = #shape;
        }
    };
    // A type without parameters has its checks elsewhere.
    let run_checks = (!check_first.is_empty()).then(|| {
        quote!(
            const {
                let _ = <Self as __CrdSchema>::SHAPE;
            }
        )
    });
    let has_paths = |object: &Object| object.fields.iter().any(super::paths::has_column_paths);
    let has_place = needs_place || model.body.object().is_some_and(has_paths);
    let place = if has_place { super::place_of(model) } else { None };
    let body = context.body(&model.body);
    let doc = model.doc.call();
    let itself = syn::parse_quote!(Self);
    let changes = chain_of(&model.constraints, Some(&itself));
    let replaced =
        model.constraints.schema_with.as_ref().map(|path| quote!(__Schema::from(#path()).done()));
    let base = replaced.unwrap_or(body);
    let map_key = context.map_key();
    let json_schema = model.json_schema.then(|| json_schema(model, &generics));
    let derived = derived(model, &parts);
    let names = names_of_std(model, &known_names);
    let implementation = quote! {
        #[automatically_derived]
        impl #impl_generics __CrdSchema for #ident #type_generics #where_clause {
            #fields_of_impl
            #shape
            const AS_FIELD: &'static __FieldType = #as_field;
            #needs

            fn schema() -> __JsonSchemaProps {
                #names
                #run_checks
                __Schema::from(#base) #doc #changes .done()
            }
        }
    };
    let missing = parts.iter().filter(|_| !is_generic).map(|ty| has_schema(ty)).collect();
    let before = [tags, Some(derived), Some(missing), place, Some(statics), Some(implementation)];
    before
        .into_iter()
        .chain([json_schema, map_key, Some(asserts), Some(checks)])
        .flatten()
        .collect()
}

/// The impls by which rustc knows that a type is derived, and finds types that contain each other.
fn derived(model: &Model, parts: &[&syn::Type]) -> TokenStream {
    let (impl_generics, type_generics, where_clause) = model.generics.split_for_impl();
    let finite = super::finite::bounded(model, parts);
    let ident = &model.ident;
    let is_object = matches!(model.body, Body::Object(_));
    let no_object = (!is_object).then(|| {
        quote!(
            const OBJECT: bool = false;
        )
    });
    quote! {
        impl #impl_generics __Derived for #ident #type_generics #where_clause {
            #no_object
        }

        impl #impl_generics __FiniteOrMarkedRecursive<true> for #ident #type_generics #finite {}
    }
}

/// Requires that the types which the macro takes for those of std are, where attributes and rules rely on it.
pub(super) fn names_of_std(model: &Model, known_names: &BTreeSet<String>) -> Option<TokenStream> {
    if has_parameters(model) || model.constraints.schema_with.is_some() {
        return None;
    }
    // The type of a field with another schema does not matter, except that an `Option` may be absent.
    let fields = model.all_fields().into_iter().filter(|field| {
        !field.attrs.is_empty() && (field.is_option || !field.has_replaced_schema())
            // The setters of lists and maps add to those of std.
            || (model.apply.is_some() && types::inner(&field.ty).is_some())
            || field.cel_name.as_ref().is_some_and(|name| known_names.contains(name))
    });
    let checks = super::asserts::names_of_std(fields.map(|field| &field.ty))?;
    Some(without_lifetimes(checks, model))
}

/// `impl JsonSchema`, which returns the schema of `CrdSchema`.
pub(super) fn json_schema(model: &Model, generics: &syn::Generics) -> TokenStream {
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    let ident = &model.ident;
    let name = ident.unraw().to_string();
    let params = model.generics.type_params().map(|param| &param.ident);
    quote! {
        #[automatically_derived]
        impl #impl_generics __schemars::JsonSchema
            for #ident #type_generics #where_clause
        {
            fn schema_name() -> __p::Cow<'static, str> {
                __p::schema_name(#name, &[#(::core::any::type_name::<#params>()),*])
            }

            fn schema_id() -> __p::Cow<'static, str> {
                __p::schema_id::<Self>()
            }

            fn json_schema(_: &mut __schemars::SchemaGenerator) -> __schemars::Schema {
                __s::bridge::json_schema::<Self>()
            }
        }
    }
}

/// A constant that uses a type's schema: rustc reports a missing schema once, at the type. If a check of a generic type
/// fails, rustc's note points at this type too.
///
/// ```ignore
/// const _: Shape = <Port as CrdSchema>::SHAPE;
/// ```
pub(super) fn has_schema(ty: &dyn quote::ToTokens) -> TokenStream {
    let span = ty.span();
    quote_spanned! {span=>
        const _: __Shape = <#ty as __CrdSchema>::SHAPE;
    }
}

impl FieldSchema<'_> {
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
            Body::Unit => quote!(<() as __CrdSchema>::schema()),
            Body::Delegate(ty) => {
                let of = super::of(self.model, ty);
                quote_spanned!(ty.span()=> (#of::AS_FIELD.schema)())
            }
            Body::Enum(data) => self.union(data),
        }
    }

    fn union(&self, data: &Enum) -> TokenStream {
        let union = match &data.tagging {
            Tagging::External => quote!(external()),
            Tagging::Internal(tag) => quote!(internal(#tag)),
            Tagging::Adjacent(tag, content) => quote!(adjacent(#tag, #content)),
            Tagging::Untagged => quote!(untagged()),
        };
        let variants = data.variants.iter().map(|variant| self.variant(data, variant));
        quote!(__p::Union::#union #(#variants)* .done())
    }

    fn variant(&self, data: &Enum, variant: &Variant) -> TokenStream {
        let changes = chain(&variant.constraints);
        let doc = variant.doc.call();
        let names = variant.names();
        let schema = match (&variant.body, &variant.constraints.schema_with) {
            (_, Some(path)) => {
                quote!(__Schema::from(#path()))
            }
            (Body::Unit, None) if variant.untagged => {
                quote!(__Schema::from(<() as __CrdSchema>::schema()))
            }
            (Body::Unit, None) => {
                let other = variant.other;
                return quote!(.unit(&[#(#names),*], #other));
            }
            (body, None) => {
                let body = self.body(body);
                quote!(__Schema::from(#body))
            }
        };
        // Beside others, an externally tagged enum needs to say that serde reads it from a single field.
        let keyed = match &variant.body {
            Body::Transparent(field)
                if data.variants.len() > 1
                    && data.is_untagged(variant)
                    && variant.constraints.schema_with.is_none()
                    && !field.has_replaced_schema() =>
            {
                let of = super::of(self.model, &field.ty);
                Some(quote!(.keyed(#of::SHAPE.keyed)))
            }
            _ => None,
        };
        let schema = quote!(#schema #keyed #doc #changes .done());
        if variant.untagged {
            quote!(.untagged_variant(#schema))
        } else {
            // The server prunes other unknown fields.
            let denies = match (&data.tagging, &variant.body) {
                (Tagging::Internal(_), Body::Object(Object { deny_unknown_fields: true, .. })) => {
                    Some(quote!(.alone(true)))
                }
                (Tagging::Internal(_), Body::Transparent(field))
                    if !field.has_replaced_schema() =>
                {
                    let of = super::of(self.model, &field.ty);
                    Some(quote!(.alone(#of::SHAPE.denies_unknown)))
                }
                _ => None,
            };
            quote!(.data(&[#(#names),*], #schema) #denies)
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
                const IS_PARSED: bool = #key::IS_PARSED;

                fn names() -> __p::Option<__p::Vec<__p::String>> {
                    #key::names()
                }
            }
        }
    }

    pub(super) fn map_key(&self) -> Option<TokenStream> {
        let model = self.model;
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
                const RULE_NAMES: __p::Option<&'static [&'static str]> =
                    __p::Some(&[#(#in_rules),*]);

                fn names() -> __p::Option<__p::Vec<__p::String>> {
                    __p::Some(__p::texts(&[#(#names),*]))
                }
            }
        })
    }
}

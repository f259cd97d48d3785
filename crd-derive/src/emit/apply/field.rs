//! One field of an apply configuration: its type, serde attributes, setter and conversion.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{ExprPath, Member, Type};

use super::Context;
use crate::model::Field;
use crate::types::{self, JsonType};

/// Lists that a setter can extend; in a configuration, their items are configurations.
const LISTS: [&str; 2] = ["Vec", "VecDeque"];
/// Sets that a setter can extend; in a configuration, they have the same item type.
const SETS: [&str; 2] = ["BTreeSet", "HashSet"];
/// Maps that a setter can extend; in a configuration, their values are configurations.
const MAPS: [&str; 2] = ["BTreeMap", "HashMap"];

/// A field of a configuration that is a struct.
pub(super) struct ConfigurationField {
    pub name: Ident,
    /// The declaration: documentation, attributes, name and type.
    pub declaration: TokenStream,
    /// The initial value.
    pub initial: TokenStream,
    /// The expression that converts this field of `value`, which has the full type.
    pub from: TokenStream,
    /// The parameter of `new`, if the field is required.
    pub param: Option<TokenStream>,
    /// The setter, and the functions that the serde attributes name.
    pub functions: TokenStream,
}

/// The type of a field of a configuration or of a variant's content, and how its value is converted from that of the
/// full type.
pub(super) struct Slot {
    /// The type; if the field is optional, `V` of its `Option<V>`.
    pub ty: TokenStream,
    /// The type in the full type, without its `Option`. It decides the form of the setter; `ty` is its configuration.
    of: Type,
    /// Whether the value is taken unchanged, and not its configuration.
    is_whole: bool,
    /// Whether the value is the content of an `Option`.
    is_option: bool,
}

/// The apply configuration of a type, and whether it is the type itself.
fn apply_of(krate: &TokenStream, ty: &Type, whole: bool) -> (TokenStream, bool) {
    if whole || types::is_of_scalars(ty) {
        (ty.to_token_stream(), true)
    } else {
        (configuration(krate, ty), false)
    }
}

/// The apply configuration that a type names.
fn configuration(krate: &TokenStream, ty: &(impl ToTokens + Spanned)) -> TokenStream {
    quote_spanned!(ty.span()=> <#ty as #krate::apply::IntoApply>::Apply)
}

impl Slot {
    /// The slot of a named field. `whole` is set for a field in a variant with `schema_with`, whose
    /// types are not converted.
    pub(super) fn of(context: &Context<'_>, field: &Field, whole: bool) -> Self {
        let ty = field.type_in_rust();
        let nullable = field.constraints.is_nullable();
        let inner = types::arguments(ty, &["Option"]).and_then(|inner| inner.first().copied());
        let inner = inner.filter(|_| !nullable && field.with.is_none());
        let of = inner.unwrap_or(ty);
        let (ty, is_whole) = apply_of(context.krate, of, whole || field.is_converted());
        Self { ty, of: of.clone(), is_whole, is_option: inner.is_some() }
    }

    /// The content of a variant, which is not optional.
    pub(super) fn content(context: &Context<'_>, field: &Field, whole: bool) -> Self {
        let of = field.type_in_rust();
        let (ty, is_whole) = apply_of(context.krate, of, whole || field.is_converted());
        Self { ty, of: of.clone(), is_whole, is_option: false }
    }

    /// Converts a value of the field's type to an `Option` of the slot's type.
    fn option_from(&self, krate: &TokenStream, value: &TokenStream) -> TokenStream {
        let apply = quote!(#krate::apply::IntoApply::into_apply);
        match (self.is_option, self.is_whole) {
            (false, _) => {
                let value = self.value_from(krate, value);
                quote!(::core::option::Option::Some(#value))
            }
            (true, true) => quote!(#value),
            (true, false) => quote!(::core::option::Option::map(#value, #apply)),
        }
    }

    /// As [`Self::option_from`]; `None` for a value that serde skips.
    pub(super) fn unless_skipped(
        &self,
        context: &Context<'_>,
        field: &Field,
        value: &TokenStream,
    ) -> TokenStream {
        let from = self.option_from(context.krate, value);
        let Some(path) = &field.skip_if else { return from };
        // `Self` is the configuration where the value is converted.
        let model = context.model;
        let (ident, (_, generics, _)) = (&model.ident, model.generics.split_for_impl());
        let generics = generics.as_turbofish();
        let path = types::replaced(path, "Self", &quote!(#ident #generics));
        quote!(if #path(&#value) { ::core::option::Option::None } else { #from })
    }

    /// Converts a value of the field's type to the slot's type, without an `Option`.
    pub(super) fn value_from(&self, krate: &TokenStream, value: &TokenStream) -> TokenStream {
        if self.is_whole {
            quote!(#value)
        } else {
            quote!(#krate::apply::IntoApply::into_apply(#value))
        }
    }
}

/// The serde attributes of an optional field, and the functions that they name.
pub(super) fn optional(
    context: &Context<'_>,
    field: &Field,
    slot: &Slot,
    suffix: &str,
) -> (TokenStream, TokenStream) {
    let skip = quote!(default, skip_serializing_if = "::core::option::Option::is_none",);
    if field.flatten {
        return (quote!(#[serde(flatten, #skip)]), TokenStream::new());
    }
    let wire = &field.wire;
    let mut attrs = quote!(rename = #wire, #skip);
    let mut functions = TokenStream::new();
    if let Some(with) = &field.with {
        let wrappers = WithFunctions { context, slot, suffix };
        if let Some(path) = &with.serialize {
            let (attr, function) = wrappers.serialize(path);
            attrs.extend(attr);
            functions.extend(function);
        }
        if let Some(path) = &with.deserialize {
            let (attr, function) = wrappers.deserialize(path);
            attrs.extend(attr);
            functions.extend(function);
        }
    } else if field.constraints.is_nullable() {
        let some = context.path_in_text(&quote!(__private::some));
        attrs.extend(quote!(deserialize_with = #some,));
    }
    (quote!(#[serde(#attrs)]), functions)
}

/// Emits wrappers for the functions of `#[serde(with)]`: these take the value, but the
/// configuration has an `Option` of it.
struct WithFunctions<'a> {
    context: &'a Context<'a>,
    slot: &'a Slot,
    suffix: &'a str,
}

impl WithFunctions<'_> {
    fn serialize(&self, path: &ExprPath) -> (TokenStream, TokenStream) {
        let (ty, serde) = (&self.slot.ty, self.serde());
        let function = format_ident!("__serialize_{}", self.suffix);
        let item = quote! {
            #[doc(hidden)]
            fn #function<__S: #serde::Serializer>(
                value: &::core::option::Option<#ty>,
                serializer: __S,
            ) -> ::core::result::Result<__S::Ok, __S::Error> {
                match value {
                    ::core::option::Option::Some(value) => #path(value, serializer),
                    ::core::option::Option::None => #serde::Serializer::serialize_none(serializer),
                }
            }
        };
        self.named("serialize_with", &function, item)
    }

    fn deserialize(&self, path: &ExprPath) -> (TokenStream, TokenStream) {
        let (ty, serde) = (&self.slot.ty, self.serde());
        let function = format_ident!("__deserialize_{}", self.suffix);
        let item = quote! {
            #[doc(hidden)]
            fn #function<'de, __D: #serde::Deserializer<'de>>(
                deserializer: __D,
            ) -> ::core::result::Result<::core::option::Option<#ty>, __D::Error> {
                ::core::result::Result::map(#path(deserializer), ::core::option::Option::Some)
            }
        };
        self.named("deserialize_with", &function, item)
    }

    fn serde(&self) -> TokenStream {
        let krate = self.context.krate;
        quote!(#krate::__private::serde)
    }

    /// The key that names a function, and the function.
    fn named(&self, key: &str, function: &Ident, item: TokenStream) -> (TokenStream, TokenStream) {
        let name = super::name_of(&self.context.model.ident);
        let (_, type_generics, _) = self.context.model.generics.split_for_impl();
        let turbofish = type_generics.as_turbofish();
        let (key, path) =
            (format_ident!("{key}"), quote!(#name #turbofish :: #function).to_string());
        (quote!(#key = #path,), item)
    }
}

impl ConfigurationField {
    /// A named field; it is required if it is a `key` of the items of a list.
    pub(super) fn named(context: &Context<'_>, field: &Field, index: usize, key: bool) -> Self {
        let krate = context.krate;
        let name = match &field.member {
            Member::Named(name) => name.clone(),
            Member::Unnamed(_) => format_ident!("field_{index}"),
        };
        let (vis, wire) = (&field.vis, &field.wire);
        let doc = field.doc.attributes(&format!("`{wire}`"));
        let slot = Slot::of(context, field, false);
        let ty = &slot.ty;
        let value = quote!(value.#name);
        // `check` rejects a key that is an `Option`; here it is emitted as an optional field.
        if key && !slot.is_option {
            let with = exact_with(field);
            let (taken, initial) = taken(&slot.of, ty, &quote!(#name));
            return Self {
                declaration: quote!(#doc #[serde(rename = #wire, #with)] #vis #name: #ty),
                initial,
                from: slot.value_from(krate, &value),
                param: Some(quote!(#name: #taken)),
                functions: TokenStream::new(),
                name,
            };
        }
        let (serde, mut functions) = optional(context, field, &slot, &index.to_string());
        // A field `new` has no setter, because the constructor has that name.
        if name != "new" {
            functions.extend(slot.setter(krate, &name, vis, wire));
        }
        let from = slot.unless_skipped(context, field, &value);
        Self {
            declaration: quote! {
                #doc #serde #vis #name: ::core::option::Option<#ty>
            },
            initial: quote!(::core::option::Option::None),
            from,
            param: None,
            functions,
            name,
        }
    }

    /// `spec` or `status` of a generated root.
    pub(super) fn of_root(
        context: &Context<'_>,
        name: &str,
        ty: &TokenStream,
        (optional, whole): (bool, bool),
    ) -> Self {
        let krate = context.krate;
        let doc = if name == "spec" { "The desired state." } else { "The observed state." };
        let name = Ident::new(name, Span::call_site());
        let sets = format!("Sets `{name}`.");
        let apply = if whole { ty.clone() } else { configuration(krate, ty) };
        let into = quote!(#krate::apply::IntoApply::into_apply);
        let from = match (optional, whole) {
            (true, true) => quote!(value.#name),
            (true, false) => quote!(::core::option::Option::map(value.#name, #into)),
            (false, _) => quote!(::core::option::Option::Some(#into(value.#name))),
        };
        Self {
            declaration: quote! {
                #[doc = #doc]
                #[serde(default, skip_serializing_if = "::core::option::Option::is_none")]
                pub #name: ::core::option::Option<#apply>
            },
            initial: quote!(::core::option::Option::None),
            from,
            param: None,
            functions: quote! {
                #[doc = #sets]
                #[must_use]
                pub fn #name(mut self, value: impl ::core::convert::Into<#apply>) -> Self {
                    self.#name = ::core::option::Option::Some(::core::convert::Into::into(value));
                    self
                }
            },
            name,
        }
    }
}

/// The functions of `#[serde(with)]`, unchanged.
pub(super) fn exact_with(field: &Field) -> TokenStream {
    let Some(with) = &field.with else { return TokenStream::new() };
    let half = |key: &str, path: &Option<ExprPath>| {
        let key = Ident::new(key, Span::call_site());
        path.as_ref().map(|path| {
            let path = path.to_token_stream().to_string();
            quote!(#key = #path,)
        })
    };
    let serialize = half("serialize_with", &with.serialize);
    let deserialize = half("deserialize_with", &with.deserialize);
    quote!(#serialize #deserialize)
}

/// Whether a setter takes `impl Into<T>`. For numbers, booleans and `Option` it takes `T`: with
/// `impl Into<u16>`, rustc would read the literal of `.port(80)` as an `i32`.
fn takes_into(ty: &Type) -> bool {
    !matches!(types::json_type(ty), JsonType::Integer | JsonType::Number | JsonType::Boolean)
        && types::arguments(ty, &["Option"]).is_none()
}

/// The type of the parameter of a setter for values of type `ty`, whose configuration is `apply`, and the value.
fn taken(ty: &Type, apply: &TokenStream, value: &TokenStream) -> (TokenStream, TokenStream) {
    if takes_into(ty) {
        let taken = quote!(impl ::core::convert::Into<#apply>);
        (taken, quote!(::core::convert::Into::into(#value)))
    } else {
        (apply.clone(), value.clone())
    }
}

impl Slot {
    fn setter(
        &self,
        krate: &TokenStream,
        name: &Ident,
        vis: &syn::Visibility,
        wire: &str,
    ) -> TokenStream {
        let ty = &self.ty;
        if let Some((item, items)) = self.items(krate) {
            let doc = format!("Adds to `{wire}`.");
            return quote! {
                #[doc = #doc]
                #[must_use]
                #vis fn #name(mut self, values: impl ::core::iter::IntoIterator<Item = #item>) -> Self {
                    let values = ::core::iter::IntoIterator::into_iter(values);
                    ::core::iter::Extend::extend(
                        ::core::option::Option::get_or_insert_default(&mut self.#name),
                        #items,
                    );
                    self
                }
            };
        }
        let doc = format!("Sets `{wire}`.");
        let boxed =
            types::arguments(&self.of, &["Box"]).filter(|_| !types::is_of_scalars(&self.of));
        let boxed = boxed
            .and_then(|inner| inner.first().copied())
            .filter(|inner| !self.is_whole && !matches!(inner, Type::Slice(_)));
        let (taken, value) = if let Some(inner) = boxed {
            let apply = configuration(krate, inner);
            let value = quote!(#krate::__private::Box::new(::core::convert::Into::into(value)));
            (quote!(impl ::core::convert::Into<#apply>), value)
        } else {
            taken(&self.of, ty, &quote!(value))
        };
        quote! {
            #[doc = #doc]
            #[must_use]
            #vis fn #name(mut self, value: #taken) -> Self {
                self.#name = ::core::option::Option::Some(#value);
                self
            }
        }
    }

    /// The item type of the setter of a list, set or map, and the expression that converts the
    /// iterator `values`. `None` for other types.
    fn items(&self, krate: &TokenStream) -> Option<(TokenStream, TokenStream)> {
        let whole = self.is_whole && !types::is_of_scalars(&self.of);
        let one = |ty: &Type, whole: bool| {
            let (apply, _) = apply_of(krate, ty, whole);
            if takes_into(ty) {
                let taken = quote!(impl ::core::convert::Into<#apply>);
                (taken, Some(quote!(::core::convert::Into::<#apply>::into)))
            } else {
                (apply, None)
            }
        };
        // The items of a set stay as they are.
        let items = types::arguments(&self.of, &LISTS).map(|items| (items, whole));
        let items = items.or_else(|| Some((types::arguments(&self.of, &SETS)?, true)));
        if let Some((items, whole)) = items {
            let (taken, into) = one(items.first()?, whole);
            let values = into.map_or_else(
                || quote!(values),
                |into| quote!(::core::iter::Iterator::map(values, #into)),
            );
            return Some((taken, values));
        }
        let arguments = types::arguments(&self.of, &MAPS)?;
        let [key, value, ..] = arguments.as_slice() else { return None };
        let (taken_key, into_key) = one(key, true);
        let (taken, into) = one(value, whole);
        let key = into_key.map_or_else(|| quote!(key), |into| quote!(#into(key)));
        let value = into.map_or_else(|| quote!(value), |into| quote!(#into(value)));
        let values = quote!(::core::iter::Iterator::map(values, |(key, value)| (#key, #value)));
        Some((quote!((#taken_key, #taken)), values))
    }
}

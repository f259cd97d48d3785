//! `impl CrdSchema`.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use super::columns::column_tokens;
use super::constraints::{chain, chain_of};
use super::generics::with_bounds;
use crate::model::{Body, Constraints, Cut, Enum, Field, Model, Object, Presence, Source, Variant};
use crate::serde_view::{SerdeDefault, Tagging};
use crate::types;

/// `impl CrdSchema for T`, `impl JsonSchema for T`, and if `T` can be a map key
/// `impl MapKey for T`.
pub(crate) fn emit(model: &Model) -> TokenStream {
    let krate = &model.krate;
    let krate = quote!(#krate);
    let mut generics = with_bounds(model, &krate);
    super::finite::finite(model, &krate, &mut generics);
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    let ident = &model.ident;
    let context = Context { krate: &krate, model };
    let super::rules::Rules { checks, within, needs } = super::rules::emit(model, &krate);
    let asserts = super::asserts::checks(model, &krate).and(within);
    let (asserts, check_first) = asserts.emit(model, &krate);
    let shape = super::shape::emit(model, &krate);
    let body = context.body(&model.body);
    let doc = model.doc.call();
    let changes = chain(&model.constraints, &krate);
    let (cel, tags) = (super::cel::declared(model, &krate), super::cel::tags(model));
    let replaced = model
        .constraints
        .schema_with
        .as_ref()
        .map(|path| quote!(#krate::__private::Schema::from(#path()).done()));
    let base = replaced.unwrap_or(body);
    let collect = match &model.constraints.schema_with {
        Some(_) => quote!(let _ = (at, into);),
        None => context.collect(&model.body),
    };
    let map_key = context.map_key(model);
    let json_schema = model.json_schema.then(|| json_schema(model, &krate, &generics));
    let missing = missing(model, &krate);
    let (derived_impl, _, derived_where) = model.generics.split_for_impl();
    let is_object = matches!(model.body, Body::Object(_));
    let lints = &model.lints;
    let casts =
        model.all_constraints().into_iter().any(Constraints::has_constant_bound).then(|| {
            // Bounds that are constants of Rust are cast to the types of the schema.
            quote! {
                #[allow(
                    clippy::as_conversions,
                    clippy::cast_lossless,
                    clippy::cast_possible_truncation,
                    clippy::cast_possible_wrap,
                    clippy::cast_precision_loss,
                    clippy::cast_sign_loss
                )]
            }
        });
    quote! {
        #lints
        #casts
        const _: () = {
            use #krate::__private::Missing as _;
            const _: bool = #krate::__private::Of::<#krate::__private::Nothing>::DERIVED;
            #tags

            #[automatically_derived]
            impl #derived_impl #krate::__private::Derived for #ident #type_generics #derived_where {
                const OBJECT: bool = #is_object;
            }

            #missing

            #[automatically_derived]
            impl #impl_generics #krate::CrdSchema for #ident #type_generics #where_clause {
                const SHAPE: #krate::crd_schema::Shape = {
                    #check_first
                    <Self as #krate::CrdSchema>::UNCHECKED_SHAPE
                };
                const UNCHECKED_SHAPE:
                    #krate::crd_schema::Shape = #shape;
                const CEL: #krate::crd_schema::Declared = #cel;
                #needs

                fn schema() -> #krate::model::JsonSchemaProps {
                    const { let _ = <Self as #krate::CrdSchema>::SHAPE; }
                    #krate::__private::Schema::from(#base) #doc #changes .done()
                }

                fn collect(at: &str, into: &mut #krate::__private::Collected) {
                    #collect
                }
            }

            #json_schema
            #map_key
            #asserts
            #checks
        };
    }
}

/// `impl JsonSchema`, which returns the schema of `CrdSchema`.
fn json_schema(model: &Model, krate: &TokenStream, generics: &syn::Generics) -> TokenStream {
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    let ident = &model.ident;
    let name = ident.to_string();
    let params = model.generics.type_params().map(|param| &param.ident);
    quote! {
        #[automatically_derived]
        impl #impl_generics #krate::__private::schemars::JsonSchema
            for #ident #type_generics #where_clause
        {
            fn schema_name() -> ::std::borrow::Cow<'static, str> {
                #krate::__private::schema_name(
                    #name,
                    &[#(::core::any::type_name::<#params>()),*],
                )
            }

            fn schema_id() -> ::std::borrow::Cow<'static, str> {
                ::std::borrow::Cow::Borrowed(::core::any::type_name::<Self>())
            }

            fn json_schema(
                _: &mut #krate::__private::schemars::SchemaGenerator,
            ) -> #krate::__private::schemars::Schema {
                #krate::crd_schema::bridge::to_schemars(
                    &<Self as #krate::CrdSchema>::schema(),
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
fn missing(model: &Model, krate: &TokenStream) -> TokenStream {
    if !model.generics.params.is_empty() || model.constraints.schema_with.is_some() {
        return TokenStream::new();
    }
    let parts = super::finite::parts(model).into_iter().map(|ty| has_schema(ty, krate));
    parts.collect()
}

/// A constant that uses a type's schema: rustc reports a missing schema at the type. If a check of a
/// generic type fails, rustc's note points at this type too.
pub(super) fn has_schema(ty: &dyn quote::ToTokens, krate: &TokenStream) -> TokenStream {
    let span = ty.span();
    quote_spanned! {span=>
        const _: #krate::crd_schema::Shape = <#ty as #krate::CrdSchema>::SHAPE;
    }
}

struct Context<'a> {
    krate: &'a TokenStream,
    model: &'a Model,
}

impl Context<'_> {
    /// An expression of type `JsonSchemaProps`.
    fn body(&self, body: &Body) -> TokenStream {
        let krate = self.krate;
        match body {
            Body::Object(object) => self.object(object),
            Body::Transparent(field) => self.field(field),
            Body::Tuple(fields) => {
                let Some(first) = fields.first() else {
                    return quote!(#krate::__private::empty_tuple());
                };
                // The description of one member is not that of all.
                let has_one_doc = fields.iter().all(|field| field.doc == first.doc);
                let doc = first.doc.call().filter(|_| has_one_doc);
                let first = self.field_with(first, doc.as_ref());
                let len = fields.len();
                quote!(#krate::__private::tuple(#first, #len))
            }
            Body::Unit => quote!(<() as #krate::CrdSchema>::schema()),
            Body::Delegate(ty) => {
                let of = super::of(self.model, ty);
                quote_spanned!(ty.span()=> #of::schema())
            }
            Body::Enum(data) => self.union(data),
        }
    }

    fn object(&self, object: &Object) -> TokenStream {
        let krate = self.krate;
        let tag = object.tag.as_ref().map(|(tag, name)| quote!(.tag(#tag, #name)));
        let fields = object.fields.iter().map(|field| {
            let presence = self.presence(field);
            let schema = self.field(field);
            if field.flatten {
                return quote!(.flatten(#presence, #schema));
            }
            let wire = &field.wire;
            let once = field.constraints.immutable.map(|_| quote!(.immutable_once_set(#wire)));
            quote!(.field(#wire, #presence, #schema) #once)
        });
        quote!(#krate::__private::Object::new() #tag #(#fields)* .done())
    }

    fn presence(&self, field: &Field) -> TokenStream {
        let krate = self.krate;
        match field.presence() {
            Presence::Required => quote!(#krate::__private::Presence::Required),
            Presence::Optional => quote!(#krate::__private::Presence::Optional),
            Presence::OfType => {
                let of = super::of(self.model, &field.ty);
                quote_spanned! {field.ty.span()=>
                    #krate::__private::Presence::optional_if(#of::SHAPE.optional)
                }
            }
        }
    }

    /// The schema of a field: that of its type, changed by its attributes.
    fn field(&self, field: &Field) -> TokenStream {
        self.field_with(field, field.doc.call().as_ref())
    }

    fn field_with(&self, field: &Field, doc: Option<&TokenStream>) -> TokenStream {
        let krate = self.krate;
        let ty = &field.ty;
        let of = super::of(self.model, ty);
        // `Option<T>` has the schema of `T`, which would reject the `null` that serde writes for
        // `None`.
        let null = field.may_be_null().then(|| quote!(.nullable(true)));
        let base = match &field.source {
            Source::Cut(cut) => {
                let open = self.open(cut);
                quote!(#krate::__private::Schema::from(#open) #null)
            }
            Source::Function(path) => {
                quote_spanned!(path.span()=> #krate::__private::Schema::from(#path()) #null)
            }
            Source::With(Some(path)) => quote!(#krate::__private::Schema::from(#path())),
            Source::Type | Source::With(None) if field.skip_if.is_some() && !field.flatten => {
                quote_spanned!(ty.span()=> #krate::__private::Schema::from(#of::schema_of_some()))
            }
            Source::Type | Source::With(None) => {
                quote_spanned!(ty.span()=> #krate::__private::Schema::from(#of::schema()))
            }
        };
        let default = self.default(field);
        let ty = (!field.is_converted()).then(|| types::held(&field.ty));
        let changes = chain_of(&field.constraints, ty, krate);
        quote!(#base #doc #changes #default .done())
    }

    /// The schema of a field where a recursive type is cut: nothing below it is checked.
    fn open(&self, cut: &Cut) -> TokenStream {
        let krate = self.krate;
        let schemas = quote!(#krate::crd_schema);
        match cut {
            Cut::List => quote!(#schemas::open_list()),
            Cut::Object => quote!(#schemas::open_object()),
            Cut::Any => quote!(#schemas::any()),
            Cut::Either(ty) => quote! {
                if #krate::__private::Of::<#ty>::OBJECT {
                    #schemas::open_object()
                } else {
                    #schemas::any()
                }
            },
        }
    }

    /// `default` without a value: the value that serde gives an absent field.
    fn default(&self, field: &Field) -> Option<TokenStream> {
        let krate = self.krate;
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
            quote!(#krate::__private::json_with::<#ty, _>(&#value, #path))
        } else {
            quote!(#krate::__private::json::<#ty>(&#value))
        };
        Some(quote!(.default(#json)))
    }

    fn union(&self, data: &Enum) -> TokenStream {
        let krate = self.krate;
        let union = match &data.tagging {
            Tagging::External => quote!(external()),
            Tagging::Internal(tag) => quote!(internal(#tag)),
            Tagging::Adjacent(tag, content) => quote!(adjacent(#tag, #content)),
            Tagging::Untagged => quote!(untagged()),
        };
        let variants = data.variants.iter().map(|variant| self.variant(variant));
        quote!(#krate::__private::Union::#union #(#variants)* .done())
    }

    fn variant(&self, variant: &Variant) -> TokenStream {
        let krate = self.krate;
        let changes = chain(&variant.constraints, krate);
        let doc = variant.doc.call();
        let names = variant.names();
        let schema = match (&variant.body, &variant.constraints.schema_with) {
            (_, Some(path)) => {
                quote!(#krate::__private::Schema::from(#path()))
            }
            (Body::Unit, None) if variant.untagged => {
                quote!(#krate::__private::Schema::of::<()>())
            }
            (Body::Unit, None) => {
                let other = variant.other;
                return quote!(.unit(&[#(#names),*], #other));
            }
            (body, None) => {
                let body = self.body(body);
                quote!(#krate::__private::Schema::from(#body))
            }
        };
        let schema = quote!(#schema #doc #changes .done());
        if variant.untagged {
            quote!(.untagged_variant(#schema))
        } else {
            quote!(.data(&[#(#names),*], #schema))
        }
    }

    /// Collects columns and selectable fields of an object and of the types in it.
    fn collect(&self, body: &Body) -> TokenStream {
        match body {
            Body::Object(object) => {
                let fields = object.fields.iter().map(|field| self.collect_field(field));
                quote! {
                    #(#fields)*
                    let _ = (at, into);
                }
            }
            Body::Transparent(field) if !field.has_replaced_schema() => {
                let of = super::of(self.model, &field.ty);
                quote!(#of::collect(at, into);)
            }
            Body::Delegate(ty) => {
                let of = super::of(self.model, ty);
                quote!(#of::collect(at, into);)
            }
            Body::Transparent(_) | Body::Tuple(_) | Body::Unit | Body::Enum(_) => {
                quote!(let _ = (at, into);)
            }
        }
    }

    fn collect_field(&self, field: &Field) -> TokenStream {
        let wire = &field.wire;
        let of = super::of(self.model, &field.ty);
        let columns = field.columns.iter().map(|column| {
            let column = column_tokens(column, self.krate);
            let schema = self.field(field);
            quote!(into.column(at, #wire, &#schema, #column);)
        });
        let selectable = field.selectable.map(|_| quote!(into.selectable(at, #wire);));
        let descend = (!field.has_replaced_schema()).then(|| {
            if field.flatten {
                quote!(#of::collect(at, into);)
            } else {
                quote!(into.descend(at, #wire, #of::collect);)
            }
        });
        quote!(#(#columns)* #selectable #descend)
    }

    /// Emits `impl MapKey` for a type that is serialized as `ty`, and is a map key if `ty` is one.
    fn map_key_of(&self, ty: &syn::Type) -> TokenStream {
        let (krate, ident) = (self.krate, &self.model.ident);
        let schema = quote!(#krate::crd_schema);
        let mut generics = self.model.generics.clone();
        let bound = syn::parse_quote!(for<'__k> #schema::KeyOf<'__k, #ty>: #schema::MapKey);
        generics.make_where_clause().predicates.push(bound);
        let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
        let key = quote!(<#schema::KeyOf<'static, #ty> as #schema::MapKey>);
        quote! {
            #[automatically_derived]
            impl #impl_generics #schema::MapKey for #ident #type_generics #where_clause {
                const FEW: bool = #key::FEW;

                fn names() -> ::core::option::Option<::std::vec::Vec<::std::string::String>> {
                    #key::names()
                }
            }
        }
    }

    fn map_key(&self, model: &Model) -> Option<TokenStream> {
        let krate = self.krate;
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
            impl #impl_generics #krate::crd_schema::MapKey for #ident #type_generics #where_clause {
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

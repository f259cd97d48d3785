//! Impls for the typed client: the subresources of a kind, and its selectable fields.
//!
//! The derive cannot see whether the feature `client` of `crd-runtime` is on. Capability traits exist without it;
//! everything else is passed to a macro of `crd-runtime` that emits nothing if the feature is off.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Generics, Member, Type, parse_quote};

use super::generics::mentions;
use crate::model::{Body, Enum, Field, Kind, Model, Object, Root};
use crate::names::snake_case;
use crate::types;

/// Emits the capability traits and the selectors, for the constant in which `__p` is `crd_runtime::__private`.
pub(crate) fn emit(model: &Model) -> TokenStream {
    let (kube, selectors) = match &model.kind {
        Some(kind) if kind.fields.as_deref() == Some(&false) => {
            (kube_traits(model, kind), TokenStream::new())
        }
        Some(kind) => (kube_traits(model, kind), kind_selectors(model, kind)),
        None => (TokenStream::new(), part_selectors(model)),
    };
    let capabilities = model.kind.as_ref().map(|kind| capabilities(model, kind));
    let krate = &model.krate;
    let import = (!selectors.is_empty()).then(|| quote!(use #krate::client as __c;));
    let in_client = in_client(&quote!(#kube #import #selectors));
    quote!(#capabilities #in_client)
}

/// Passes tokens to the macro that emits them with the feature `client`.
pub(super) fn in_client(tokens: &TokenStream) -> TokenStream {
    if tokens.is_empty() { TokenStream::new() } else { quote!(__p::client! { #tokens }) }
}

/// Emits the traits of the subresources that the CRD has.
fn capabilities(model: &Model, kind: &Kind) -> TokenStream {
    let root = kind.root_type(&model.ident);
    let krate = &model.krate;
    let has_status = kind.status().map(|status| {
        // With this span, rustc reports a type that is more private than the root at the type's name.
        let assigned = quote_spanned!(status.span()=> type Status = #status;);
        quote! {
            #[automatically_derived]
            impl #krate::HasStatus for #root {
                #assigned
            }
        }
    });
    let has_scale = kind.scale.as_ref().map(|scale| {
        let (spec, status) = (&scale.spec.value, &scale.status.value);
        quote! {
            #[automatically_derived]
            impl #krate::HasScale for #root {
                const SPEC_REPLICAS_PATH: &'static str = #spec;
                const STATUS_REPLICAS_PATH: &'static str = #status;
            }
        }
    });
    quote!(#has_status #has_scale)
}

/// Emits `HasSpec` and `HasStatus` of kube, for a handwritten root as far as it has the fields.
pub(super) fn kube_traits(model: &Model, kind: &Kind) -> TokenStream {
    let root = kind.root_type(&model.ident);
    let is_generated = matches!(kind.root, Root::Generated(_));
    let field = |name: &str| {
        let is_it = |field: &&Field| matches!(&field.member, Member::Named(ident) if ident == name);
        model.body.object()?.fields.iter().find(is_it)
    };
    let spec = if is_generated {
        let spec = &model.ident;
        Some(quote!(#spec))
    } else {
        field("spec").map(|field| field.type_in_rust().to_token_stream())
    };
    let has_spec = spec.map(|spec| {
        quote! {
            #[automatically_derived]
            impl __p::kube::core::object::HasSpec for #root {
                type Spec = #spec;

                fn spec(&self) -> &#spec {
                    &self.spec
                }

                fn spec_mut(&mut self) -> &mut #spec {
                    &mut self.spec
                }
            }
        }
    });
    // The field of a handwritten root may be an `Option<Box<Status>>`.
    let status = kind.status().filter(|_| is_generated).map(ToTokens::to_token_stream);
    let status = status.or_else(|| {
        kind.status()?;
        let inner = types::arguments(field("status")?.type_in_rust(), &["Option"])?;
        inner.first().map(ToTokens::to_token_stream)
    });
    let has_status = status.map(|status| {
        let assigned = quote_spanned!(status.span()=> type Status = #status;);
        quote! {
            #[automatically_derived]
            impl __p::kube::core::object::HasStatus for #root {
                #assigned

                fn status(&self) -> __p::Option<&#status> {
                    self.status.as_ref()
                }

                fn status_mut(&mut self) -> &mut __p::Option<#status> {
                    &mut self.status
                }
            }
        }
    });
    quote!(#has_spec #has_status)
}

/// Emits `CronTab::fields()`, and the type that it returns if there are other fields than those of any object.
fn kind_selectors(model: &Model, kind: &Kind) -> TokenStream {
    let root = kind.root_type(&model.ident);
    let vis = &model.vis;
    let types = types_in(model, kind.status());
    let mut methods = Methods::new(&quote!(#root #types));
    let prefix = match &kind.root {
        Root::Generated(_) => ".spec",
        Root::Itself(_) => "",
    };
    let object = model.body.object();
    let mut paths = kind.selectable.iter().map(|path| path.value.as_str()).collect();
    methods.object(object, prefix, &mut paths);
    if let (Root::Generated(_), Body::Transparent(field)) = (&kind.root, &model.body)
        && field.with.is_none()
    {
        let ty = &field.ty;
        methods.nested(&format_ident!("spec"), &quote!(#ty), prefix);
    }
    for path in paths {
        methods.selectable_path(path);
    }
    if matches!(kind.root, Root::Generated(_))
        && let Some(status) = kind.type_of_status()
    {
        methods.nested(&format_ident!("status"), &status, ".status");
    }
    let of_any = quote!(__c::KindFields);
    if methods.names.is_empty() {
        return quote! {
            impl #root {
                /// The selectable fields.
                #vis fn fields() -> #of_any<Self> {
                    #of_any::root()
                }
            }
        };
    }
    let fields = methods.fields_type(&of_any);
    let Methods { kind, fields_type, .. } = &methods;
    quote! {
        const _: () = {
            #fields

            #[automatically_derived]
            impl<#kind> ::core::ops::Deref for #fields_type<#kind> {
                type Target = #of_any<#kind>;

                fn deref(&self) -> &Self::Target {
                    &self.0
                }
            }

            impl #root {
                /// The selectable fields.
                #vis fn fields() -> #fields_type<Self> {
                    #fields_type(#of_any::root())
                }
            }
        };
    }
}

/// Emits the impls of a type inside a kind: its selectable fields, and how its values are compared.
fn part_selectors(model: &Model) -> TokenStream {
    match &model.body {
        Body::Object(object) => {
            let mut methods = Methods::new(&types_in(model, None));
            methods.object(Some(object), "", &mut BTreeSet::new());
            if methods.names.is_empty() {
                return TokenStream::new();
            }
            let (mut generics, kind) = (model.generics.clone(), &methods.kind);
            generics.params.push(parse_quote!(#kind));
            let of_part = methods.of_part(model, &generics);
            quote!(const _: () = { #of_part };)
        }
        Body::Enum(data) if data.is_units() && model.generics.params.is_empty() => {
            matches_of_units(&model.ident, data)
        }
        Body::Transparent(field) if field.with.is_none() => newtype(model, &field.ty),
        Body::Delegate(ty) => matches_as(model, ty),
        _ => TokenStream::new(),
    }
}

/// Emits the impls of a newtype, which has the selectable fields of its content and is compared as its content.
fn newtype(model: &Model, ty: &Type) -> TokenStream {
    let matches = matches_as(model, ty);
    let ident = &model.ident;
    let (_, type_generics, _) = model.generics.split_for_impl();
    let mut generics = model.generics.clone();
    let parameters: [syn::GenericParam; 2] = [parse_quote!(__K), parse_quote!(__F)];
    generics.params.extend(parameters);
    let bound = parse_quote!(#ty: __c::SelectFields<__K, __F>);
    generics.make_where_clause().predicates.push(bound);
    let (impl_generics, _, where_clause) = generics.split_for_impl();
    quote! {
        #matches

        #[automatically_derived]
        impl #impl_generics __c::SelectFields<__K, __F> for #ident #type_generics #where_clause {
            fn fields(path: __c::FieldPath<__K>) -> __F {
                <#ty as __c::SelectFields<__K, __F>>::fields(path)
            }
        }
    }
}

/// Emits `impl Matches` for a type that is compared as another: a newtype, or a type with `into` and `from`.
///
/// The impl has a type parameter so that rustc checks the bound where a selector is used; a bound without parameters
/// would be checked here.
fn matches_as(model: &Model, ty: &Type) -> TokenStream {
    let ident = &model.ident;
    let (_, type_generics, _) = model.generics.split_for_impl();
    let mut generics = model.generics.clone();
    generics.params.push(parse_quote!(__V));
    let bound = parse_quote!(#ty: __c::Matches<__V>);
    generics.make_where_clause().predicates.push(bound);
    let (impl_generics, _, where_clause) = generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #impl_generics __c::Matches<__V> for #ident #type_generics #where_clause {
            fn text(value: __V) -> __p::String {
                <#ty as __c::Matches<__V>>::text(value)
            }
        }
    }
}

/// The types that appear in the generated code, as tokens.
fn types_in(model: &Model, status: Option<&syn::Path>) -> TokenStream {
    let Model { ident, generics, .. } = model;
    let types = match &model.body {
        Body::Object(object) => object.fields.iter().map(|field| &field.ty).collect(),
        Body::Transparent(field) => vec![&field.ty],
        Body::Delegate(ty) => vec![&**ty],
        Body::Tuple(_) | Body::Enum(_) | Body::Unit => Vec::new(),
    };
    quote!(#ident #generics #(#types)* #status)
}

/// Returns `name`, which rustc shows, extended by `_` until it does not occur in the tokens `taken`.
fn unused(name: &str, taken: &TokenStream) -> Ident {
    let mut name = name.to_owned();
    while mentions(taken.clone(), std::slice::from_ref(&name)) {
        name.push('_');
    }
    format_ident!("{name}")
}

/// Emits `impl Matches` for an enum of unit variants, which are compared by their JSON names.
fn matches_of_units(ident: &Ident, data: &Enum) -> TokenStream {
    let arms = data.variants.iter().map(|variant| {
        let (name, wire) = (&variant.ident, &variant.wire);
        quote!(#ident::#name { .. } => #wire,)
    });
    quote! {
        #[automatically_derived]
        impl __c::Matches<&#ident> for #ident {
            fn text(value: &#ident) -> __p::String {
                let name = match value {
                    #(#arms)*
                    _ => "",
                };
                ::core::convert::From::from(name)
            }
        }

        #[automatically_derived]
        impl __c::Matches<#ident> for #ident {
            fn text(value: #ident) -> __p::String {
                <#ident as __c::Matches<&#ident>>::text(&value)
            }
        }
    }
}

/// Emits the declaration of the type that has the methods.
fn declaration(item: &TokenStream) -> TokenStream {
    quote! {
        /// The selectable fields.
        #[derive(::core::fmt::Debug, ::core::clone::Clone)]
        pub #item
    }
}

/// The methods of the type `Fields<K>`, one for each field.
struct Methods {
    /// The type parameter of the kind.
    kind: Ident,
    /// The name of the type.
    fields_type: Ident,
    names: BTreeSet<String>,
    tokens: TokenStream,
}

impl Methods {
    fn new(taken: &TokenStream) -> Self {
        let [kind, fields_type] = ["K", "Fields"].map(|name| unused(name, taken));
        Self { kind, fields_type, names: BTreeSet::new(), tokens: TokenStream::new() }
    }

    /// Emits `struct Fields<K>`, with the methods so far, around a value of the type `content<K>`.
    fn fields_type(&self, content: &TokenStream) -> TokenStream {
        let Self { kind, fields_type, .. } = self;
        let declared = declaration(&quote!(struct #fields_type<#kind>(#content<#kind>);));
        let methods = self.impl_block(&quote!(impl<#kind> #fields_type<#kind>));
        quote!(#declared #methods)
    }

    /// Emits `struct Fields<K>` of a part, and `impl SelectFields`. If the part is generic, `Fields` has it as a second
    /// parameter: `Fields<K, Part<T>>`.
    fn of_part(&self, model: &Model, generics: &Generics) -> TokenStream {
        let Self { kind, fields_type, .. } = self;
        let ident = &model.ident;
        let (_, type_generics, _) = model.generics.split_for_impl();
        let (impl_generics, _, where_clause) = generics.split_for_impl();
        let (declared, given, value) = if model.generics.params.is_empty() {
            (
                self.fields_type(&quote!(__c::FieldPath)),
                quote!(#fields_type<#kind>),
                quote!(#fields_type(path)),
            )
        } else {
            let marker = quote!(::core::marker::PhantomData);
            let declared = declaration(&quote! {
                struct #fields_type<K, S>(__c::FieldPath<K>, #marker<fn() -> S>);
            });
            let given = quote!(#fields_type<#kind, #ident #type_generics>);
            let methods = self.impl_block(&quote!(impl #impl_generics #given #where_clause));
            (quote!(#declared #methods), given, quote!(#fields_type(path, #marker)))
        };
        quote! {
            #declared

            #[automatically_derived]
            impl #impl_generics __c::SelectFields<#kind, #given> for #ident #type_generics #where_clause {
                fn fields(path: __c::FieldPath<#kind>) -> #given {
                    #value
                }
            }
        }
    }

    /// Emits an impl with the methods so far.
    fn impl_block(&self, header: &TokenStream) -> TokenStream {
        let methods = &self.tokens;
        quote! {
            #header {
                #methods
            }
        }
    }

    /// Returns a name that no method has yet.
    fn name(&mut self, ident: &Ident) -> Ident {
        let mut ident = ident.clone();
        while !self.names.insert(ident.to_string()) {
            ident = format_ident!("{ident}_");
        }
        ident
    }

    /// Adds methods for the selectable fields of an object, and for the parts that have some. Removes what it adds from
    /// `paths`, the paths that are selectable on the kind.
    fn object(&mut self, object: Option<&Object>, prefix: &str, paths: &mut BTreeSet<&str>) {
        for field in object.iter().flat_map(|object| &object.fields) {
            let Member::Named(ident) = &field.member else { continue };
            let ty = &field.ty;
            let path =
                if field.flatten { prefix.to_owned() } else { format!("{prefix}.{}", field.wire) };
            let foreign = field.has_replaced_schema();
            if paths.remove(path.as_str()) || field.selectable.is_some() {
                let ty =
                    if foreign { quote!(__c::Untyped) } else { quote_spanned!(field.span=> #ty) };
                self.selectable_field(ident, &ty, &path);
            } else if !foreign && !field.is_recognized() {
                self.nested(ident, &quote!(#ty), &path);
            }
        }
    }

    /// Adds a method for a selectable field.
    fn selectable_field(&mut self, ident: &Ident, ty: &TokenStream, path: &str) {
        let name = self.name(ident);
        let doc = format!("`{path}`");
        let Self { kind, tokens, .. } = self;
        tokens.extend(quote! {
            #[doc = #doc]
            #[must_use]
            pub fn #name(&self) -> __c::Field<#kind, #ty> {
                self.0.field(#path)
            }
        });
    }

    /// Adds a method that returns the fields of a part. This derive cannot see whether the part has selectable fields.
    fn nested(&mut self, ident: &Ident, ty: &TokenStream, path: &str) {
        let name = self.name(ident);
        let doc = format!("The fields below `{path}`.");
        let Self { kind, tokens, .. } = self;
        // rustc checks the bound where the method is used, because the kind is a type parameter here.
        tokens.extend(quote! {
            #[doc = #doc]
            #[must_use]
            pub fn #name<__F>(&self) -> __F
            where
                #ty: __c::SelectFields<#kind, __F>,
            {
                <#ty as __c::SelectFields<#kind, __F>>::fields(self.0.at(#path))
            }
        });
    }

    /// Adds a method for `selectable(".status.phase")` on the kind, which names a field of another type.
    fn selectable_path(&mut self, path: &str) {
        let name = snake_case(path.strip_prefix(".spec.").unwrap_or(path));
        let raw = || syn::parse_str::<Ident>(&format!("r#{name}"));
        let other = || syn::parse_str::<Ident>(&format!("{name}_"));
        let ident = syn::parse_str::<Ident>(&name).or_else(|_| raw()).or_else(|_| other());
        let Ok(ident) = ident else { return };
        self.selectable_field(&ident, &quote!(__c::Untyped), path);
    }
}

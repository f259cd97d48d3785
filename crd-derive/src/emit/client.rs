//! What a typed client asks of a kind: its subresources, and the fields that selectors may name.
//!
//! The derive cannot know whether `crd-runtime` has the feature `client`.
//! The traits of capabilities are there without it; the rest goes through a macro of `crd-runtime` that
//! drops it where the feature is off.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::Member;

use crate::attr::KindAttrs;
use crate::model::{Body, Enum, Kind, Model, Object, Root};
use crate::names::snake_case;
use crate::types::{self, Known};

/// Capabilities and selectors.
pub(crate) fn emit(model: &Model) -> TokenStream {
    let krate = &model.krate;
    let krate = quote!(#krate);
    let capabilities = model.kind.as_ref().map(|kind| capabilities(model, kind, &krate));
    let selectors = match &model.kind {
        Some(kind) => kind_selectors(model, kind, &krate),
        None => part_selectors(model, &krate),
    };
    quote!(#capabilities #selectors)
}

/// The type that clients read and write.
fn root_of<'a>(model: &'a Model, kind: &'a Kind) -> &'a Ident {
    match &kind.root {
        Root::Generated(root) => root,
        Root::Itself => &model.ident,
    }
}

/// The traits of the subresources that the CRD has.
pub(super) fn capabilities(model: &Model, kind: &Kind, krate: &TokenStream) -> TokenStream {
    let root = root_of(model, kind);
    let KindAttrs { status, scale, .. } = &kind.attrs;
    let has_status = status.as_deref().map(|status| {
        quote! {
            #[automatically_derived]
            impl #krate::HasStatus for #root {
                type Status = #status;
            }
        }
    });
    let has_scale = scale.as_deref().map(|scale| {
        let (spec, status) = (&scale.spec.value, &scale.status.value);
        quote! {
            #[automatically_derived]
            impl #krate::HasScale for #root {
                const SPEC_REPLICAS_PATH: &'static str = #spec;
                const STATUS_REPLICAS_PATH: &'static str = #status;
            }
        }
    });
    let kube = matches!(kind.root, Root::Generated(_)).then(|| {
        let spec = &model.ident;
        let kube_status = status.as_deref().map(|status| {
            quote! {
                #[automatically_derived]
                impl #krate::__private::kube::core::object::HasStatus for #root {
                    type Status = #status;

                    fn status(&self) -> ::core::option::Option<&#status> {
                        self.status.as_ref()
                    }

                    fn status_mut(&mut self) -> &mut ::core::option::Option<#status> {
                        &mut self.status
                    }
                }
            }
        });
        quote! {
            #krate::__private::client! {
                #[automatically_derived]
                impl #krate::__private::kube::core::object::HasSpec for #root {
                    type Spec = #spec;

                    fn spec(&self) -> &#spec {
                        &self.spec
                    }

                    fn spec_mut(&mut self) -> &mut #spec {
                        &mut self.spec
                    }
                }

                #kube_status
            }
        }
    });
    quote!(#has_status #has_scale #kube)
}

/// `CronTab::fields()` and what it gives.
fn kind_selectors(model: &Model, kind: &Kind, krate: &TokenStream) -> TokenStream {
    let root = root_of(model, kind);
    let vis = &model.vis;
    let mut methods = Methods::new(krate);
    let prefix = match &kind.root {
        Root::Generated(_) => ".spec",
        Root::Itself => "",
    };
    let object = match &model.body {
        Body::Object(object) => Some(object),
        _ => None,
    };
    let mut paths = kind.attrs.selectable.iter().map(|path| path.0.value.as_str()).collect();
    methods.object(model, object, prefix, &mut paths);
    for path in paths {
        methods.path(path);
    }
    if matches!(kind.root, Root::Generated(_))
        && let Some(status) = kind.attrs.status.as_deref()
    {
        methods.nested(&format_ident!("status"), &quote!(#status), ".status");
    }
    methods.metadata("metadata_name", ".metadata.name", "The object's name");
    if kind.attrs.namespaced.is_present() {
        methods.metadata("metadata_namespace", ".metadata.namespace", "The object's namespace");
    }
    let fields = methods.fields_type();
    quote! {
        #krate::__private::client! {
            const _: () = {
                #fields

                #[automatically_derived]
                impl #root {
                    /// The fields by which objects can be selected.
                    #vis fn fields() -> Fields<Self> {
                        Fields(#krate::client::FieldPath::root())
                    }
                }
            };
        }
    }
}

/// What a part of a kind adds: its own selectable fields, and how its values are compared.
fn part_selectors(model: &Model, krate: &TokenStream) -> TokenStream {
    // The type of the fields would need the same parameters; no kind has any.
    if !model.generics.params.is_empty() {
        return TokenStream::new();
    }
    let ident = &model.ident;
    let tokens = match &model.body {
        Body::Object(object) => {
            let mut methods = Methods::new(krate);
            methods.object(model, Some(object), "", &mut BTreeSet::new());
            if methods.names.is_empty() {
                return TokenStream::new();
            }
            let fields = methods.fields_type();
            quote! {
                const _: () = {
                    #fields

                    #[automatically_derived]
                    impl #krate::client::SelectFields for #ident {
                        type Fields<K> = Fields<K>;

                        fn fields<K>(path: #krate::client::FieldPath<K>) -> Fields<K> {
                            Fields(path)
                        }
                    }
                };
            }
        }
        Body::Enum(data) if data.is_units() => unit_value(ident, data, krate),
        Body::Transparent(field) if field.with.is_none() => {
            let ty = &field.ty;
            quote! {
                #[automatically_derived]
                impl<V> #krate::client::Matches<V> for #ident
                where
                    #ty: #krate::client::Matches<V>,
                {
                    fn text(value: V) -> ::std::string::String {
                        <#ty as #krate::client::Matches<V>>::text(value)
                    }
                }
            }
        }
        _ => return TokenStream::new(),
    };
    quote!(#krate::__private::client! { #tokens })
}

/// A value out of a known few is compared by its name in JSON.
fn unit_value(ident: &Ident, data: &Enum, krate: &TokenStream) -> TokenStream {
    let arms = data.variants.iter().map(|variant| {
        let (name, wire) = (&variant.ident, &variant.wire);
        quote!(#ident::#name { .. } => #wire,)
    });
    quote! {
        #[automatically_derived]
        impl #krate::client::Matches<&#ident> for #ident {
            fn text(value: &#ident) -> ::std::string::String {
                #[allow(unreachable_patterns, reason = "variants that serde skips have no name")]
                let name = match value {
                    #(#arms)*
                    _ => "",
                };
                ::std::string::String::from(name)
            }
        }

        #[automatically_derived]
        impl #krate::client::Matches<#ident> for #ident {
            fn text(value: #ident) -> ::std::string::String {
                <#ident as #krate::client::Matches<&#ident>>::text(&value)
            }
        }
    }
}

/// The methods of the type `Fields<K>`, one a field.
struct Methods<'a> {
    krate: &'a TokenStream,
    names: BTreeSet<String>,
    tokens: TokenStream,
}

impl<'a> Methods<'a> {
    fn new(krate: &'a TokenStream) -> Self {
        Self { krate, names: BTreeSet::new(), tokens: TokenStream::new() }
    }

    /// `struct Fields<K>` with the methods so far.
    fn fields_type(&self) -> TokenStream {
        let krate = self.krate;
        let methods = &self.tokens;
        quote! {
            /// The fields by which objects can be selected.
            #[derive(::core::fmt::Debug, ::core::clone::Clone)]
            #[allow(unreachable_pub, reason = "it is reached through what gives it")]
            pub struct Fields<K>(#krate::client::FieldPath<K>);

            #[automatically_derived]
            #[allow(
                dead_code,
                private_interfaces,
                private_bounds,
                unreachable_pub,
                reason = "a selector is for who wants it, and as visible as its field"
            )]
            impl<K> Fields<K> {
                #methods
            }
        }
    }

    /// A name that no method has yet.
    fn name(&mut self, ident: &Ident) -> Ident {
        let mut ident = ident.clone();
        while !self.names.insert(ident.to_string()) {
            ident = format_ident!("{ident}_");
        }
        ident
    }

    /// The selectable fields of an object, and the way to those of its parts. Takes what it finds out of
    /// `paths`, which the kind has selected.
    fn object(
        &mut self,
        model: &Model,
        object: Option<&Object>,
        prefix: &str,
        paths: &mut BTreeSet<&str>,
    ) {
        for field in object.iter().flat_map(|object| &object.fields) {
            let Member::Named(ident) = &field.member else { continue };
            let ty = &field.ty;
            let path =
                if field.flatten { prefix.to_owned() } else { format!("{prefix}.{}", field.wire) };
            let foreign = field.with.is_some()
                || field.constraints.schema_with.is_some()
                || field.is_cut(&model.ident);
            if paths.remove(path.as_str()) || field.selectable.is_some() {
                self.leaf(ident, &quote_spanned!(field.span=> #ty), &path);
            } else if !foreign && types::known(ty) == Known::Unknown {
                self.nested(ident, &quote!(#ty), &path);
            }
        }
    }

    fn leaf(&mut self, ident: &Ident, ty: &TokenStream, path: &str) {
        let krate = self.krate;
        let name = self.name(ident);
        let doc = format!("`{path}`");
        self.tokens.extend(quote! {
            #[doc = #doc]
            #[must_use]
            pub fn #name(&self) -> #krate::client::Field<K, #ty> {
                self.0.field(#path)
            }
        });
    }

    /// The way to the fields of a part. Whether it has any, its own derive knows.
    fn nested(&mut self, ident: &Ident, ty: &TokenStream, path: &str) {
        let krate = self.krate;
        let name = self.name(ident);
        let doc = format!("The fields below `{path}`.");
        // A bound on the type alone would be checked here; one on a parameter is checked where it is used.
        self.tokens.extend(quote! {
            #[doc = #doc]
            #[must_use]
            pub fn #name<T>(&self) -> <T as #krate::client::SelectFields>::Fields<K>
            where
                T: #krate::client::SelectFields,
                #ty: #krate::client::Is<Type = T>,
            {
                <T as #krate::client::SelectFields>::fields(self.0.at(#path))
            }
        });
    }

    fn metadata(&mut self, name: &str, path: &str, what: &str) {
        let krate = self.krate;
        let name = self.name(&format_ident!("{name}"));
        let doc = format!("{what}: `{path}`");
        self.tokens.extend(quote! {
            #[doc = #doc]
            #[must_use]
            pub fn #name(&self) -> #krate::client::Field<K, ::std::string::String> {
                self.0.field(#path)
            }
        });
    }

    /// `selectable(".status.phase")` on the kind, of a field that this macro does not see.
    fn path(&mut self, path: &str) {
        let krate = self.krate;
        let name = snake_case(path.strip_prefix(".spec.").unwrap_or(path));
        let Ok(ident) = syn::parse_str::<Ident>(&name) else { return };
        self.leaf(&ident, &quote!(#krate::client::Untyped), path);
    }
}

//! The struct of an apply configuration, with `new`, setters and the conversion from the full type.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::{Generics, Member};

use super::field::ConfigurationField;
use super::{Context, name_of, unused_parameters};
use crate::model::{Kind, Object, Root};

/// A struct under construction.
pub(super) struct Structure<'a> {
    context: &'a Context<'a>,
    /// The full type.
    of: &'a Ident,
    generics: Generics,
    parts: Vec<ConfigurationField>,
    serde: TokenStream,
    /// The functions of a root, and its implementation of `ApplyConfiguration`.
    root: (TokenStream, TokenStream),
}

impl<'a> Structure<'a> {
    pub(super) fn new(context: &'a Context<'a>, of: &'a Ident, generics: Generics) -> Self {
        let serde = context.container();
        Self {
            context,
            of,
            generics,
            parts: Vec::new(),
            serde,
            root: (TokenStream::new(), TokenStream::new()),
        }
    }

    pub(super) fn push(&mut self, part: ConfigurationField) {
        self.parts.push(part);
    }

    /// Adds attributes of serde.
    pub(super) fn serde(&mut self, attributes: TokenStream) {
        self.serde.extend(attributes);
    }

    /// Adds the parts that only the configuration of a root has: the fields for `apiVersion`, `kind` and
    /// metadata, the functions of [`root_functions`], and the implementation of `ApplyConfiguration`.
    ///
    /// A function with the name of a field of `object` is left out, because the field's setter has
    /// that name.
    pub(super) fn root(&mut self, kind: &Kind, object: &Object) {
        let krate = self.context.krate;
        let of = self.of;
        let meta = quote!(#krate::apply::ObjectMetaApply);
        let empty = self.context.path_in_text(&quote!(apply::ObjectMetaApply::is_empty));
        let metadata = match &kind.root {
            Root::Itself(member) => quote!(#member),
            Root::Generated(_) => quote!(metadata),
        };
        self.parts.push(ConfigurationField {
            name: format_ident!("type_meta"),
            declaration: quote! {
                /// `apiVersion` and `kind`: always written.
                #[serde(flatten)]
                pub type_meta: #krate::TypeMeta<#of>
            },
            initial: quote!(#krate::TypeMeta::new()),
            from: quote!(#krate::TypeMeta::new()),
            param: None,
            functions: TokenStream::new(),
        });
        self.parts.push(ConfigurationField {
            name: format_ident!("metadata"),
            declaration: quote! {
                /// Metadata.
                #[serde(default, skip_serializing_if = #empty)]
                pub metadata: #meta
            },
            initial: quote!(#meta::new()),
            from: quote!(::core::convert::From::from(value.#metadata)),
            param: None,
            functions: TokenStream::new(),
        });
        let taken = |name: &str| {
            object.fields.iter().any(|field| match &field.member {
                Member::Named(ident) => ident == name,
                Member::Unnamed(_) => false,
            })
        };
        let functions = root_functions(kind, of, krate);
        let functions = functions.into_iter().filter(|(name, _)| !taken(name));
        let functions = functions.map(|(_, function)| function).collect();
        let name = name_of(of);
        let lints = &self.context.model.lints;
        let implementation = quote! {
            #lints
            #[automatically_derived]
            impl #krate::apply::ApplyConfiguration for #name {
                type Kind = #of;

                fn metadata(&self) -> &#meta {
                    &self.metadata
                }

                fn metadata_mut(&mut self) -> &mut #meta {
                    &mut self.metadata
                }

                fn schema() -> &'static #krate::model::JsonSchemaProps {
                    static SCHEMA: #krate::__private::OnceLock<#krate::model::JsonSchemaProps> =
                        #krate::__private::OnceLock::new();
                    SCHEMA.get_or_init(<#of as #krate::CrdSchema>::schema)
                }
            }
        };
        self.root = (functions, implementation);
    }

    /// Emits the struct with its functions and impls.
    pub(super) fn emit(self) -> TokenStream {
        let Self { context, of, generics, mut parts, serde, root } = self;
        let name = name_of(of);
        let vis = &context.model.vis;
        let doc = format!(
            "Apply configuration of [`{of}`]: the fields that a field manager wants to own."
        );
        let derives = context.derives();
        let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
        let unused = parts.is_empty().then(|| quote!(let _ = value;));
        if let Some(ty) = unused_parameters(&generics, parts.iter().map(|part| &part.declaration)) {
            parts.push(ConfigurationField {
                name: format_ident!("__parameters"),
                declaration: quote!(#[doc(hidden)] #[serde(skip)] pub __parameters: #ty),
                initial: quote!(::core::marker::PhantomData),
                from: quote!(::core::marker::PhantomData),
                param: None,
                functions: TokenStream::new(),
            });
        }
        let declarations = parts.iter().map(|part| &part.declaration);
        let params: Vec<_> = parts.iter().filter_map(|part| part.param.as_ref()).collect();
        let names: Vec<_> = parts.iter().map(|part| &part.name).collect();
        let initial = parts.iter().map(|part| &part.initial);
        let from = parts.iter().map(|part| &part.from);
        let functions = parts.iter().map(|part| &part.functions);
        let new_doc = if params.is_empty() {
            "Returns a configuration that sets no field."
        } else {
            "Returns a configuration with the keys of the item only."
        };
        let lints = &context.model.lints;
        let default = params.is_empty().then(|| {
            quote! {
                #lints
                #[automatically_derived]
                impl #impl_generics ::core::default::Default for #name #type_generics #where_clause {
                    fn default() -> Self {
                        Self::new()
                    }
                }
            }
        });
        let (of_root, implementation) = root;
        quote! {
            #[doc = #doc]
            #derives
            #[serde(#serde)]
            #vis struct #name #generics #where_clause {
                #(#declarations,)*
            }

            #lints
            impl #impl_generics #name #type_generics #where_clause {
                #[doc = #new_doc]
                #[must_use]
                #vis fn new(#(#params),*) -> Self {
                    Self { #(#names: #initial),* }
                }

                #of_root
                #(#functions)*
            }

            #default

            #lints
            #[automatically_derived]
            impl #impl_generics ::core::convert::From<#of #type_generics>
                for #name #type_generics #where_clause
            {
                fn from(value: #of #type_generics) -> Self {
                    #unused
                    Self { #(#names: #from),* }
                }
            }

            #implementation
        }
    }
}

/// The functions of a root's configuration that set metadata or extract a configuration, with their
/// names.
fn root_functions(
    kind: &Kind,
    of: &Ident,
    krate: &TokenStream,
) -> Vec<(&'static str, TokenStream)> {
    let text = quote!(impl ::core::convert::Into<#krate::__private::String>);
    let pairs = quote!(impl ::core::iter::IntoIterator<Item = (#text, #text)>);
    let set = |name: &'static str, doc: &str, params: &[&str], types: &[&TokenStream]| {
        let function = format_ident!("{name}");
        let params: Vec<_> = params.iter().map(|param| format_ident!("{param}")).collect();
        let tokens = quote! {
            #[doc = #doc]
            #[must_use]
            pub fn #function(mut self, #(#params: #types),*) -> Self {
                self.metadata = self.metadata.#function(#(#params),*);
                self
            }
        };
        (name, tokens)
    };
    let owners = quote!(impl ::core::iter::IntoIterator<Item = #krate::__private::OwnerReference>);
    let finalizers = quote!(impl ::core::iter::IntoIterator<Item = #text>);
    let extract = |name: &'static str, doc: &str, subresource: &str| {
        let function = format_ident!("{name}");
        let tokens = quote! {
            #[doc = #doc]
            ///
            /// # Errors
            /// See `crd_runtime::apply::ApplyConfiguration::extract`.
            pub fn #function(
                object: &#of,
                manager: &str,
            ) -> ::core::result::Result<Self, #krate::managed_fields::Error> {
                #krate::apply::ApplyConfiguration::extract_subresource(object, manager, #subresource)
            }
        };
        (name, tokens)
    };
    let mut functions = vec![
        set("name", "Sets the name.", &["name"], &[&text]),
        set("namespace", "Sets the namespace.", &["namespace"], &[&text]),
        set("label", "Puts one label.", &["key", "value"], &[&text, &text]),
        set("labels", "Adds labels, replacing those with the same keys.", &["labels"], &[&pairs]),
        set("annotation", "Puts one annotation.", &["key", "value"], &[&text, &text]),
        set(
            "annotations",
            "Adds annotations, replacing those with the same keys.",
            &["annotations"],
            &[&pairs],
        ),
        set("owner_references", "Adds owners.", &["owners"], &[&owners]),
        set("finalizers", "Adds finalizers.", &["finalizers"], &[&finalizers]),
        extract(
            "extract",
            "Returns the fields of an object that `manager` has applied, to be changed and applied again.",
            "",
        ),
    ];
    if kind.status().is_some() {
        let doc = "Returns the fields of an object's status that `manager` has applied.";
        functions.push(extract("extract_status", doc, "status"));
    }
    functions
}

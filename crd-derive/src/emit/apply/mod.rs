//! Apply configurations: the types that `#[crd(apply)]` generates, and `impl IntoApply`.
//!
//! The types derive serde's traits with the names of the model, so that a configuration serializes
//! like the full type, the one that it is generated for.

mod choice;
mod field;
mod structure;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Generics, WherePredicate, parse_quote};

use super::CheckNames;
use super::generics::{has_parameters, held, mentions, written};
use crate::model::{Apply, Body, Enum, Field, Kind, Model, Object, Root};
use crate::types;
use field::ConfigurationField;
use structure::Structure;

/// The form of an apply configuration.
enum Form<'a> {
    /// The type itself.
    Whole,
    /// The apply configuration of the only field.
    Inner(&'a Field),
    /// A struct with the same fields, which are optional except for keys.
    Object(&'a Object),
    /// An enum of the same variants.
    Choice(&'a Enum),
}

/// The inputs that the emitters of this module share.
struct Context<'a> {
    krate: &'a TokenStream,
    model: &'a Model,
}

/// `impl IntoApply`, if it needs no types. A type that would need a generated configuration, but has no
/// `#[crd(apply)]`, sets `MISSING`, and rustc rejects a type with `#[crd(apply)]` that contains it.
pub(super) fn implementation(model: &Model) -> Option<TokenStream> {
    let krate = &model.krate;
    let context = Context { krate: &quote!(#krate), model };
    match form(model) {
        None => Some(context.whole(true)),
        Some(Form::Whole) => Some(context.whole(false)),
        Some(Form::Inner(field)) => Some(context.inner(field)),
        Some(Form::Object(_) | Form::Choice(_)) => None,
    }
}

/// The types of an apply configuration, with `impl IntoApply`.
pub(super) fn types(model: &Model) -> TokenStream {
    let krate = &model.krate;
    let context = Context { krate: &quote!(#krate), model };
    let own = match form(model) {
        Some(Form::Object(object)) => Some(context.object(object)),
        Some(Form::Choice(data)) => Some(choice::emit(&context, data)),
        _ => None,
    };
    let root = match (&model.apply, &model.kind) {
        (Some(_), Some(kind)) => context.root(kind),
        _ => None,
    };
    let alias = if own.is_some() || root.is_some() { context.alias() } else { None };
    let checks = context.checks();
    let lints = &model.lints;
    let checks = (!checks.is_empty()).then(|| quote!(#lints const _: () = { #checks };));
    quote!(#alias #own #root #checks)
}

/// The form of a type's configuration. `None` if it would have to be generated, and no `#[crd(apply)]` requests it.
fn form(model: &Model) -> Option<Form<'_>> {
    if is_applied_whole(model) {
        return Some(Form::Whole);
    }
    let is_requested = model.apply.is_some();
    match &model.body {
        Body::Tuple(_) | Body::Unit | Body::Delegate(_) => Some(Form::Whole),
        Body::Transparent(field) if field.is_converted() || types::is_scalar(&field.ty) => {
            Some(Form::Whole)
        }
        Body::Transparent(field) => is_requested.then_some(Form::Inner(field)),
        Body::Enum(data) if data.is_applied_whole() => Some(Form::Whole),
        Body::Enum(data) => is_requested.then_some(Form::Choice(data)),
        Body::Object(object) => is_requested.then_some(Form::Object(object)),
    }
}

fn is_applied_whole(model: &Model) -> bool {
    model.constraints.schema_with.is_some() || model.apply.as_ref().is_some_and(|apply| apply.whole)
}

/// The name of an apply configuration.
fn name_of(ident: &Ident) -> Ident {
    format_ident!("{ident}Apply", span = ident.span())
}

/// A type that mentions the parameters which the declarations do not, because serde skips the fields with them.
fn unused_parameters<'a>(
    generics: &Generics,
    declarations: impl Iterator<Item = &'a TokenStream>,
) -> Option<TokenStream> {
    let declarations = quote!(#(#declarations)*);
    let is_unused = |param: &&Ident| !mentions(declarations.clone(), &[param.to_string()]);
    let params = generics.type_params().map(|param| &param.ident);
    let unused: Vec<_> = params.filter(is_unused).collect();
    (!unused.is_empty()).then(|| quote!(::core::marker::PhantomData<(#(fn() -> #unused,)*)>))
}

impl Context<'_> {
    /// The name of the crate for strings of serde's attributes, if its path has a `$crate`, which no string can have.
    fn alias_name(&self) -> Option<Ident> {
        let has_dollar = self.krate.to_string().contains('$');
        has_dollar.then(|| format_ident!("__crd_runtime_of_{}", self.model.ident))
    }

    fn alias(&self) -> Option<TokenStream> {
        let krate = self.krate;
        let name = self.alias_name()?;
        Some(quote!(#[doc(hidden)] use #krate as #name;))
    }

    /// A path of the crate for strings of serde's attributes.
    fn path_in_text(&self, path: &TokenStream) -> String {
        let krate = self.krate;
        let path = if let Some(name) = self.alias_name() {
            quote!(#name::#path)
        } else {
            quote!(#krate::#path)
        };
        path.to_string()
    }

    /// The generics, with the bounds that the derives on the configuration need.
    fn generics(&self) -> Generics {
        let krate = self.krate;
        let mut generics = self.model.generics.clone();
        let serde = quote!(#krate::__private::serde);
        let serde = quote!(#serde::Serialize + #serde::de::DeserializeOwned);
        let applied = held(self.model).into_iter().map(|ty| {
            parse_quote! {
                #ty: #krate::apply::IntoApply<
                    Apply: ::core::clone::Clone + ::core::fmt::Debug + #serde
                >
            }
        });
        // Values that are applied as a whole are written as they are.
        let whole = written(self.model).into_iter().map(|ty| parse_quote!(#ty: #serde));
        let bounds: Vec<WherePredicate> = applied.chain(whole).collect();
        if !bounds.is_empty() {
            generics.make_where_clause().predicates.extend(bounds);
        }
        generics
    }

    /// The serde attributes of every apply configuration.
    fn container(&self) -> TokenStream {
        let serde = self.path_in_text(&quote!(__private::serde));
        // `generics` has the bounds; serde would add one for each type parameter.
        let bound = self.model.generics.type_params().next().map(|_| quote!(bound = "",));
        quote!(crate = #serde, #bound)
    }

    /// The derives of every apply configuration.
    fn derives(&self) -> TokenStream {
        let krate = self.krate;
        let serde = quote!(#krate::__private::serde);
        let extra = self.model.apply.iter().flat_map(|apply| &apply.derives);
        let extra = extra.filter(|path| !Apply::always_derives(path));
        let lints = &self.model.lints;
        quote! {
            #lints
            #[derive(
                ::core::clone::Clone, ::core::fmt::Debug, #serde::Serialize, #serde::Deserialize,
                #(#extra),*
            )]
        }
    }

    /// `impl IntoApply`. `items` are its constants; `apply` is the configuration, and `value` makes it of `self`.
    fn implementation(
        &self,
        generics: &Generics,
        apply: &TokenStream,
        items: &TokenStream,
        value: &TokenStream,
    ) -> TokenStream {
        let (krate, ident) = (self.krate, &self.model.ident);
        let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
        quote! {
            #[automatically_derived]
            impl #impl_generics #krate::apply::IntoApply for #ident #type_generics #where_clause {
                type Apply = #apply;
                #items

                fn into_apply(self) -> #apply {
                    #value
                }
            }
        }
    }

    /// `impl IntoApply` for a type that is its own apply configuration. With `missing`, the type
    /// has fields that would need one, but no `#[crd(apply)]`.
    fn whole(&self, missing: bool) -> TokenStream {
        let missing = missing.then(|| {
            quote!(
                const MISSING: bool = true;
            )
        });
        self.implementation(&self.model.generics, &quote!(Self), &quote!(#missing), &quote!(self))
    }

    fn inner(&self, field: &Field) -> TokenStream {
        let (krate, ty, member) = (self.krate, &field.ty, &field.member);
        let of = quote!(<#ty as #krate::apply::IntoApply>);
        let items = quote! {
            const KEYS: ::core::option::Option<&'static [&'static str]> = #of::KEYS;
            const MISSING: bool = #of::MISSING;
        };
        let value = quote!(#of::into_apply(self.#member));
        self.implementation(&self.generics(), &quote!(#of::Apply), &items, &value)
    }

    /// `impl IntoApply` that converts with `From`, for a type with a generated apply configuration.
    fn conversion(&self, keys: &TokenStream) -> TokenStream {
        let name = name_of(&self.model.ident);
        let generics = self.generics();
        let (_, type_generics, _) = generics.split_for_impl();
        let items = quote!(const KEYS: ::core::option::Option<&'static [&'static str]> = #keys;);
        let apply = quote!(#name #type_generics);
        let value = quote!(::core::convert::From::from(self));
        let implementation = self.implementation(&generics, &apply, &items, &value);
        let lints = &self.model.lints;
        quote!(#lints #implementation)
    }

    fn object(&self, object: &Object) -> TokenStream {
        let model = self.model;
        let keys: Vec<&str> =
            model.apply.iter().flat_map(|apply| &apply.keys).map(|key| &*key.value).collect();
        let root_kind = model.kind.as_ref().filter(|kind| kind.is_root());
        let mut structure = Structure::new(self, &model.ident, self.generics());
        if let Some(kind) = root_kind {
            structure.root(kind, object);
        }
        for (index, field) in object.fields.iter().enumerate() {
            // `Structure::root` adds these.
            let own = root_kind.is_some()
                && (types::is_type_meta(&field.ty)
                    || matches!(&*field.wire, "apiVersion" | "kind"));
            if !own && !field.skip_serializing {
                structure.push(ConfigurationField::named(
                    self,
                    field,
                    index,
                    keys.contains(&&*field.wire),
                ));
            }
        }
        if root_kind.is_none() && object.deny_unknown_fields {
            structure.serde(quote!(deny_unknown_fields,));
        }
        if let Some((tag, name)) = &object.tag {
            structure.serde(quote!(tag = #tag, rename = #name,));
        }
        let into = self.conversion(&quote!(::core::option::Option::Some(&[#(#keys),*])));
        let structure = structure.emit();
        quote!(#structure #into)
    }

    /// The configuration of a generated root.
    fn root(&self, kind: &Kind) -> Option<TokenStream> {
        let Root::Generated(root) = &kind.root else { return None };
        let mut structure = Structure::new(self, root, Generics::default());
        structure.root(kind, &Object { fields: Vec::new(), tag: None, deny_unknown_fields: false });
        let spec = &self.model.ident;
        structure.push(ConfigurationField::of_root(self, "spec", &quote!(#spec), (false, false)));
        if let Some(status) = kind.status() {
            let of = (true, kind.status_schema().is_some());
            structure.push(ConfigurationField::of_root(self, "status", &quote!(#status), of));
        }
        Some(structure.emit())
    }

    /// Constants that make rustc check that the types of fields have apply configurations, and that
    /// the configurations of items in `map` lists require the list's keys.
    fn checks(&self) -> TokenStream {
        let krate = self.krate;
        let model = self.model;
        if model.apply.is_none() || has_parameters(model) {
            return TokenStream::new();
        }
        let mut checks = Vec::new();
        let kind = model.kind.as_ref().filter(|kind| kind.status_schema().is_none());
        if let Some(status) = kind.and_then(|kind| kind.status()) {
            checks.push(self.has_apply(status.span(), &quote!(#status)));
        }
        let is_whole = matches!(form(model), Some(Form::Whole));
        // A tuple is applied whole.
        for field in model.body.fields_of_schema(0).into_iter().filter(|field| {
            !is_whole
                && !field.is_converted()
                && !types::is_of_scalars(&field.ty)
                && !types::is_type_meta(&field.ty)
        }) {
            let ty = &field.ty;
            checks.push(self.has_apply(ty.span(), &quote!(#ty)));
            for key in field.constraints.list_map_keys.iter().flat_map(|keys| &keys.0) {
                let name = &key.value;
                let message = format!(
                    "the apply configuration of an item must require the key `{name}`; write \
                     `#[crd(apply(keys(\"{name}\")))]` on the type of the items"
                );
                let path = crate::emit::at(key.span, krate);
                let check = quote_spanned! {key.span=>
                    #path::__private::check::require(
                        #krate::__private::check::requires_key(
                            <#ty as #krate::apply::IntoApply>::KEYS,
                            #name,
                        ),
                        #message
                    )
                };
                checks.push(("requires_key", key.span, check));
            }
        }
        let mut names = CheckNames::default();
        checks.into_iter().map(|(name, span, check)| names.constant(name, span, &check)).collect()
    }

    fn has_apply(&self, span: Span, ty: &TokenStream) -> (&'static str, Span, TokenStream) {
        let krate = self.krate;
        let message = "the type has no apply configuration; write `#[crd(apply)]` next to its derive, or `#[crd(apply(whole))]`";
        let path = crate::emit::at(span, krate);
        let check = quote_spanned! {span=>
            #path::__private::check::require(
                !<#ty as #krate::apply::IntoApply>::MISSING,
                #message,
            )
        };
        ("has_apply", span, check)
    }
}

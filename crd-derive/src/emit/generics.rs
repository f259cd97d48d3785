//! The generic parameters of a type: finds those that need a schema, and writes the type for constants outside the
//! impl, where the parameters are not in scope.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Generics, Type, TypePath, parse_quote};

use crate::model::{Body, Field, Model};
use crate::names::map_tokens;
use crate::serde_view::SerdeDefault;
use crate::types;

/// The generics with the bounds of `impl CrdSchema`: those of `#[crd(bound = "..")]`, or
/// `CrdSchema` for each parameter and associated type that a field holds.
///
/// ```ignore
/// struct Page<T: Source> { items: Vec<T::Item>, next: Token<T>, of: PhantomData<T> }
/// // where T::Item: CrdSchema, T: CrdSchema
/// ```
pub(super) fn with_bounds(model: &Model) -> Generics {
    let mut generics = model.generics.clone();
    if let Some(bound) = &model.bound {
        if !bound.is_empty() {
            generics.make_where_clause().predicates.extend(bound.iter().cloned());
        }
        return generics;
    }
    let schemas = held(model).into_iter().map(|ty| {
        let span = ty.span();
        (span, ty, quote!(__CrdSchema))
    });
    let names: Vec<_> = model.generics.type_params().map(|it| it.ident.to_string()).collect();
    // A default is serialized.
    let defaults = model.all_fields().into_iter().filter_map(|field| {
        let ty = field.type_in_rust().to_token_stream();
        let default = field.constraints.default.as_ref().filter(|_| field.with.is_none())?;
        let of_type = (default.value.is_none() && matches!(field.default, SerdeDefault::Trait))
            .then(|| quote!(+ ::core::default::Default));
        mentions(ty.clone(), &names).then(|| (field.span, ty, quote!(__serde::Serialize #of_type)))
    });
    for (span, ty, of) in schemas.chain(defaults) {
        let bound = quote_spanned!(span=> #ty: #of);
        generics.make_where_clause().predicates.push(parse_quote!(#bound));
    }
    generics
}

/// The parameters and associated types that the fields of the schema hold values of.
pub(super) fn held(model: &Model) -> Vec<TokenStream> {
    let fields = model.body.fields_of_schema(usize::MAX);
    let fields = fields.into_iter().filter(|field| !field.has_replaced_schema());
    used(model, fields.map(|field| (field, &field.ty)))
}

/// The parameters and associated types of fields that serde reads and writes by the implementations of their types.
pub(super) fn written(model: &Model) -> Vec<TokenStream> {
    let fields = model.all_fields().into_iter().filter(|field| field.with.is_none());
    used(model, fields.map(|field| (field, field.type_in_rust())))
}

/// Whether the type has type or const parameters, which have no names outside the impl. Lifetimes
/// are `'static` there.
pub(super) fn has_parameters(model: &Model) -> bool {
    model.generics.type_params().next().is_some() || model.generics.const_params().next().is_some()
}

/// Replaces the lifetimes of a type by `'static`.
pub(super) fn without_lifetimes(tokens: TokenStream, model: &Model) -> TokenStream {
    let names: Vec<_> = model.generics.lifetimes().map(|param| &param.lifetime.ident).collect();
    if names.is_empty() {
        return tokens;
    }
    let mut behind_quote = false;
    map_tokens(tokens, &mut |mut token| {
        if let TokenTree::Ident(ident) = &token
            && behind_quote
            && names.contains(&ident)
        {
            token = Ident::new("static", ident.span()).into();
        }
        behind_quote = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '\'');
        token.into()
    })
}

/// The parameters and associated types that the fields of a type hold.
#[derive(Default)]
struct Used {
    params: Vec<Ident>,
    associated: Vec<TypePath>,
}

fn used<'a>(
    model: &Model,
    fields: impl Iterator<Item = (&'a Field, &'a Type)>,
) -> Vec<TokenStream> {
    let all: Vec<Ident> = model.generics.type_params().map(|param| param.ident.clone()).collect();
    let mut found = Used::default();
    if all.is_empty() || model.constraints.schema_with.is_some() {
        return Vec::new();
    }
    let bounded = allowed(&all, model.serde_bound.as_ref());
    for (field, ty) in fields {
        add_of_type(ty, &allowed(&bounded, field.serde_bound.as_ref()), &mut found);
    }
    if let Body::Delegate(ty) = &model.body {
        add_of_type(ty, &bounded, &mut found);
    }
    // In the order of the declaration.
    let params = all.iter().filter(|param| found.params.contains(param));
    let params = params.map(ToTokens::to_token_stream);
    params.chain(found.associated.iter().map(ToTokens::to_token_stream)).collect()
}

/// The parameters that fields may hold values of. If there is a `#[serde(bound = "..")]`, these are the ones that it
/// mentions: without a bound, serde cannot write a value of the others.
fn allowed(params: &[Ident], bound: Option<&TokenStream>) -> Vec<Ident> {
    let is_allowed =
        |param: &&Ident| bound.is_none_or(|bound| mentions(bound.clone(), &[param.to_string()]));
    params.iter().filter(is_allowed).cloned().collect()
}

fn add_of_type(ty: &Type, params: &[Ident], found: &mut Used) {
    match ty {
        Type::Group(group) => add_of_type(&group.elem, params, found),
        Type::Paren(paren) => add_of_type(&paren.elem, params, found),
        Type::Reference(reference) => add_of_type(&reference.elem, params, found),
        Type::Array(array) => add_of_type(&array.elem, params, found),
        Type::Slice(slice) => add_of_type(&slice.elem, params, found),
        Type::Tuple(tuple) => tuple.elems.iter().for_each(|elem| add_of_type(elem, params, found)),
        Type::Path(path) => add_of_path(path, params, found),
        _ => {}
    }
}

fn add_of_path(path: &TypePath, params: &[Ident], found: &mut Used) {
    let is_param = |ident: &Ident| params.contains(ident);
    // `T::Item` and `<T as Source>::Item`.
    let of_a_param = match (&path.qself, path.path.segments.first()) {
        (Some(qself), _) => {
            let names: Vec<String> = params.iter().map(ToString::to_string).collect();
            let ty = &qself.ty;
            mentions(quote!(#ty), &names)
        }
        (None, Some(first)) => path.path.segments.len() > 1 && is_param(&first.ident),
        (None, None) => false,
    };
    if of_a_param {
        if !found.associated.contains(path) {
            found.associated.push(path.clone());
        }
        return;
    }
    let Some(last) = path.path.segments.last() else { return };
    // `PhantomData` contains no value of its parameter.
    if last.ident == "PhantomData" {
        return;
    }
    if path.path.get_ident().is_some_and(is_param) {
        if !found.params.contains(&last.ident) {
            found.params.push(last.ident.clone());
        }
        return;
    }
    for ty in path.path.segments.iter().flat_map(types::types_in) {
        add_of_type(ty, params, found);
    }
}

/// Whether the tokens contain one of these identifiers.
pub(super) fn mentions(tokens: TokenStream, names: &[String]) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => names.iter().any(|name| ident == name.as_str()),
        TokenTree::Group(group) => mentions(group.stream(), names),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

//! Reads `#[serde(..)]` with serde's own parser, `serde_derive_internals`.

use darling::error::Accumulator;
use darling::util::SpannedValue;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use serde_derive_internals::ast::{
    Container, Data, Field as SerdeField, Style, Variant as SerdeVariant,
};
use serde_derive_internals::attr::{self, TagType};
use serde_derive_internals::{Ctxt, Derive};
use syn::spanned::Spanned;
use syn::{DeriveInput, ExprPath, Path};

use crate::attr::places;
use crate::doc::Doc;
use crate::model::{
    Body, Enum, Field, Object, Variant, With, field_attrs, report, span_of, variant_attrs,
};
use crate::types::{self, Known};

/// The value that serde gives an absent field.
#[derive(Debug, Clone, Default)]
pub(crate) enum SerdeDefault {
    /// No default: the field is required.
    #[default]
    None,
    /// `Default::default()` of the field's type.
    Trait,
    /// The result of a function.
    Path(ExprPath),
    /// The field of the container's default.
    Container,
}

impl SerdeDefault {
    /// Whether there is one.
    pub(crate) fn is_some(&self) -> bool {
        !matches!(self, Self::None)
    }
}

/// How an enum is tagged.
#[derive(Debug, Clone)]
pub(crate) enum Tagging {
    /// `{"Variant": {..}}`
    External,
    /// `{"tag": "Variant", ..}`
    Internal(String),
    /// `{"tag": "Variant", "content": {..}}`
    Adjacent(String, String),
    /// `{..}`
    Untagged,
}

/// The result of reading a type.
pub(crate) struct Read {
    pub body: Body,
    /// `#[serde(bound = "..")]`
    pub bound: Option<TokenStream>,
}

/// The bounds given to serde in place of derived ones.
fn bound_of(predicates: Option<&[syn::WherePredicate]>) -> Option<TokenStream> {
    predicates.map(|predicates| quote!(#(#predicates,)*))
}

/// Reads a type. Errors of serde's parser are reported as errors of this derive.
pub(crate) fn read(input: &DeriveInput, errors: &mut Accumulator) -> Option<Read> {
    let context = Ctxt::new();
    let private = Ident::new("__private", Span::call_site());
    let container = Container::from_ast(&context, input, Derive::Deserialize, &private);
    let body = container.as_ref().and_then(|container| {
        check_container(container, errors);
        let body = body_of(container, errors)?;
        Some(Read { body, bound: bound_of(container.attrs.ser_bound()) })
    });
    if let Err(error) = context.check() {
        for error in error {
            errors.push(error.into());
        }
        return None;
    }
    body
}

fn check_container(container: &Container<'_>, errors: &mut Accumulator) {
    let span = container.ident.span();
    if let Some(remote) = container.attrs.remote() {
        report(
            errors,
            remote.span(),
            "`#[serde(remote)]` types have no schema; derive on the type itself",
        );
    }
    if matches!(container.attrs.identifier(), attr::Identifier::Field | attr::Identifier::Variant) {
        report(errors, span, "`field_identifier` and `variant_identifier` types have no schema");
    }
}

fn body_of(container: &Container<'_>, errors: &mut Accumulator) -> Option<Body> {
    let attrs = &container.attrs;
    match (attrs.type_from().or(attrs.type_try_from()), attrs.type_into()) {
        (None, None) => {}
        (Some(from), Some(into)) if from == into => {
            return Some(Body::Delegate(Box::new(from.clone())));
        }
        (from, into) => {
            let span = from.or(into).map_or(container.ident.span(), span_of);
            let advice = "a schema describes what is read and what is written; give `into` and `from` (or \
                          `try_from`) the same type";
            report(errors, span, advice);
            return None;
        }
    }
    match &container.data {
        Data::Enum(variants) => {
            let tagging = match attrs.tag() {
                TagType::External => Tagging::External,
                TagType::Internal { tag } => Tagging::Internal(tag.clone()),
                TagType::Adjacent { tag, content } => {
                    Tagging::Adjacent(tag.clone(), content.clone())
                }
                TagType::None => Tagging::Untagged,
            };
            let hides = variants.iter().any(hides);
            let variants =
                variants.iter().filter_map(|variant| variant_of(variant, errors)).collect();
            Some(Body::Enum(Enum { tagging, variants, hides }))
        }
        Data::Struct(style, fields) => {
            let default = !attrs.default().is_none();
            let tag = match attrs.tag() {
                TagType::Internal { tag } => {
                    Some((tag.clone(), attrs.name().serialize_name().to_string()))
                }
                _ => None,
            };
            let deny = attrs.deny_unknown_fields();
            let body = fields_of(*style, fields, default, attrs.transparent(), tag, deny, errors);
            Some(map_of_all_fields(body))
        }
    }
}

/// A struct with only a flattened map has the form of the map.
fn map_of_all_fields(body: Body) -> Body {
    match body {
        Body::Object(Object { mut fields, tag: None, deny_unknown_fields: false }) if matches!(fields.as_slice(), [field] if is_flattened_map(field)) => {
            fields.pop().map_or(Body::Unit, |field| {
                Body::Transparent(Box::new(Field { flatten: false, ..field }))
            })
        }
        body => body,
    }
}

fn is_flattened_map(field: &Field) -> bool {
    field.flatten
        && field.with.is_none()
        && types::option(&field.ty).is_none()
        && types::known(&field.ty) == Known::Map
}

fn fields_of(
    style: Style,
    fields: &[SerdeField<'_>],
    container_default: bool,
    transparent: bool,
    tag: Option<(String, String)>,
    deny_unknown_fields: bool,
    errors: &mut Accumulator,
) -> Body {
    let read = |field: &SerdeField<'_>, errors: &mut Accumulator| {
        field_of(field, container_default, errors)
    };
    if transparent {
        let inner = fields.iter().find(|field| field.attrs.transparent());
        if let Some(field) = inner.and_then(|field| read(field, errors)) {
            return Body::Transparent(Box::new(field));
        }
    }
    let mut fields: Vec<_> = fields.iter().filter_map(|field| read(field, errors)).collect();
    match style {
        Style::Struct => Body::Object(Object { fields, tag, deny_unknown_fields }),
        Style::Newtype if fields.len() == 1 => {
            fields.pop().map_or(Body::Unit, |field| Body::Transparent(Box::new(field)))
        }
        Style::Tuple | Style::Newtype => Body::Tuple(fields),
        Style::Unit => Body::Unit,
    }
}

/// Whether serde skips a variant, or an unnamed part of it, in one direction or both.
fn hides(variant: &SerdeVariant<'_>) -> bool {
    let unnamed = matches!(variant.style, Style::Tuple | Style::Newtype);
    let part =
        |field: &SerdeField<'_>| field.attrs.skip_serializing() || field.attrs.skip_deserializing();
    variant.attrs.skip_serializing()
        || variant.attrs.skip_deserializing()
        || (unnamed && variant.fields.iter().any(part))
}

fn variant_of(variant: &SerdeVariant<'_>, errors: &mut Accumulator) -> Option<Variant> {
    let attrs = &variant.attrs;
    let span = variant.original.ident.span();
    let own = variant_attrs(variant.original, errors);
    if attrs.skip_serializing() && attrs.skip_deserializing() {
        return None;
    }
    // The name for reading, or for writing if serde never reads it.
    let name = attrs.name();
    let wire =
        if attrs.skip_deserializing() { name.serialize_name() } else { name.deserialize_name() };
    let wire = wire.to_string();
    if !attrs.skip_serializing()
        && !attrs.skip_deserializing()
        && attrs.name().serialize_name().to_string() != wire
    {
        report(errors, span, DIFFERENT_NAMES);
    }
    if attrs.serialize_with().is_some() || attrs.deserialize_with().is_some() {
        let advice = "`with` on a variant is not supported; put it on a field, with `schema_with`";
        report(errors, span, advice);
    }
    let aliases = attrs.aliases().iter().map(ToString::to_string).filter(|a| *a != wire).collect();
    Some(Variant {
        span,
        ident: variant.ident.clone(),
        wire,
        aliases,
        doc: Doc::of(&variant.original.attrs),
        constraints: own.constraints,
        keys: match variant.style {
            Style::Unit => places(&variant.original.attrs),
            Style::Struct | Style::Tuple | Style::Newtype => Vec::new(),
        },
        body: fields_of(variant.style, &variant.fields, false, false, None, false, errors),
        other: attrs.other(),
        untagged: attrs.untagged(),
    })
}

const DIFFERENT_NAMES: &str =
    "a schema has one name for reading and writing; use `rename = \"..\"`";

fn field_of(
    field: &SerdeField<'_>,
    container_default: bool,
    errors: &mut Accumulator,
) -> Option<Field> {
    let attrs = &field.attrs;
    let own = field_attrs(field.original, errors);
    if attrs.skip_serializing() && attrs.skip_deserializing() {
        if let Some(written) = field.original.attrs.iter().find(|attr| attr.path().is_ident("crd"))
        {
            report(errors, written.span(), "serde skips this field, so `#[crd(..)]` has no effect");
        }
        return None;
    }
    // The name for reading, or for writing if serde never reads it.
    let name = attrs.name();
    let wire =
        if attrs.skip_deserializing() { name.serialize_name() } else { name.deserialize_name() };
    let wire = wire.to_string();
    let span = field.original.ident.as_ref().map_or_else(|| field.ty.span(), Ident::span);
    let both = !attrs.skip_serializing() && !attrs.skip_deserializing();
    if both && attrs.name().serialize_name().to_string() != wire {
        let written = serde_span(field.original, "rename").unwrap_or(span);
        report(errors, written, DIFFERENT_NAMES);
    }
    let read = !attrs.skip_deserializing() && !attrs.flatten();
    if read && attrs.aliases().iter().any(|alias| alias.to_string() != wire) {
        let advice = "the server prunes an `alias` before serde can read it; remove the alias, and rename the field \
                      in a new version with a conversion";
        report(errors, serde_span(field.original, "alias").unwrap_or(span), advice);
    }
    let default = match attrs.default() {
        attr::Default::None if container_default => SerdeDefault::Container,
        attr::Default::None => SerdeDefault::None,
        attr::Default::Default => SerdeDefault::Trait,
        attr::Default::Path(path) => SerdeDefault::Path(path.clone()),
    };
    let halves = (attrs.serialize_with(), attrs.deserialize_with());
    let with = match halves {
        (None, None) => None,
        // `#[serde(borrow)]` sets a function of serde's own, which reads the same JSON.
        (None, Some(function)) if is_of_borrowed_text(function) => None,
        (serialize, deserialize) => {
            let module = serialize.and_then(module_of);
            let module =
                module.filter(|module| deserialize.and_then(module_of).as_ref() == Some(module));
            let keys = ["with", "serialize_with", "deserialize_with"];
            let written = keys.iter().find_map(|key| serde_span(field.original, key));
            Some(With {
                module,
                serialize: serialize.cloned(),
                deserialize: deserialize.cloned(),
                span: written.unwrap_or(span),
            })
        }
    };
    Some(Field {
        span,
        member: field.member.clone(),
        vis: field.original.vis.clone(),
        wire,
        ty: field.ty.clone(),
        doc: Doc::of(&field.original.attrs),
        constraints: own.constraints,
        columns: own.print_column,
        recursive: place_of(own.recursive.as_ref()),
        required: place_of(own.required.as_ref()),
        optional: place_of(own.optional.as_ref()),
        keys: if attrs.flatten() { places(&field.original.attrs) } else { Vec::new() },
        selectable: place_of(own.selectable.as_ref()),
        default,
        skip_if: attrs.skip_serializing_if().cloned(),
        skip_serializing: attrs.skip_serializing(),
        skip_deserializing: attrs.skip_deserializing(),
        flatten: attrs.flatten(),
        serde_bound: bound_of(attrs.ser_bound()),
        with,
    })
}

/// The span of a flag that is on.
fn place_of(flag: Option<&SpannedValue<bool>>) -> Option<Span> {
    flag.filter(|flag| ***flag).map(SpannedValue::span)
}

/// Whether it is the function that serde uses for `#[serde(borrow)]` on a `Cow<'a, str>`.
fn is_of_borrowed_text(function: &ExprPath) -> bool {
    function.path.segments.last().is_some_and(|last| last.ident == "borrow_cow_str")
}

/// `a::b` of `a::b::serialize`.
fn module_of(function: &ExprPath) -> Option<Path> {
    let mut path = function.path.clone();
    path.segments.pop();
    path.segments.pop_punct();
    (!path.segments.is_empty()).then_some(path)
}

/// The span of a key of `#[serde(..)]`.
pub(crate) fn serde_span(field: &syn::Field, key: &str) -> Option<Span> {
    let mut found = None;
    for attr in field.attrs.iter().filter(|attr| attr.path().is_ident("serde")) {
        // Only looks for the span: serde has parsed the attribute already.
        let _ = attr.parse_nested_meta(|meta| {
            if meta.path.is_ident(key) {
                found = Some(meta.path.span());
            }
            if let Ok(value) = meta.value() {
                value.parse::<syn::Expr>()?;
            } else if meta.input.peek(syn::token::Paren) {
                meta.parse_nested_meta(|_| Ok(()))?;
            }
            Ok(())
        });
    }
    found
}

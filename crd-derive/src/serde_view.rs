//! Reads `#[serde(..)]` with serde's own parser, `serde_derive_internals`.

use darling::error::Accumulator;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens as _, quote};
use serde_derive_internals::ast::{Container, Data, Field, Style, Variant};
use serde_derive_internals::attr::{self, TagType};
use serde_derive_internals::name::MultiName;
use serde_derive_internals::{Ctxt, Derive};
use syn::spanned::Spanned;
use syn::{DeriveInput, ExprPath, Path, Type, parse_quote};

use crate::names::ends_in;
use crate::report::{report, span_of};

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
    /// The field of the container's default: `Default::default()`, or the result of a function.
    Container(Option<ExprPath>),
}

impl SerdeDefault {
    /// The default of a field in a container with the given default.
    pub(crate) fn of(field: &Field<'_>, of_container: &attr::Default) -> Self {
        match field.attrs.default() {
            attr::Default::None => match of_container {
                attr::Default::None => Self::None,
                attr::Default::Default => Self::Container(None),
                attr::Default::Path(path) => Self::Container(Some(path.clone())),
            },
            attr::Default::Default => Self::Trait,
            attr::Default::Path(path) => Self::Path(path.clone()),
        }
    }

    /// Whether there is one.
    pub(crate) fn is_some(&self) -> bool {
        !self.is_none()
    }

    /// Whether there is none.
    pub(crate) fn is_none(&self) -> bool {
        matches!(self, Self::None)
    }
}

/// The representation of an enum in JSON.
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

impl Tagging {
    /// The tagging of an enum.
    pub(crate) fn of(container: &Container<'_>) -> Self {
        match container.attrs.tag() {
            TagType::External => Self::External,
            TagType::Internal { tag } => Self::Internal(tag.clone()),
            TagType::Adjacent { tag, content } => Self::Adjacent(tag.clone(), content.clone()),
            TagType::None => Self::Untagged,
        }
    }
}

/// `#[serde(tag = "..")]` on a struct: the tag and the name.
pub(crate) fn tag_of_struct(container: &Container<'_>) -> Option<(String, String)> {
    match container.attrs.tag() {
        TagType::Internal { tag } => {
            Some((tag.clone(), container.attrs.name().serialize_name().to_string()))
        }
        _ => None,
    }
}

/// `#[serde(with = "..")]` or its halves.
#[derive(Debug, Clone)]
pub(crate) struct With {
    /// `base64` of `base64::serialize` and `base64::deserialize`; `None` if the halves are not of one module.
    pub module: Option<Path>,
    pub serialize: Option<ExprPath>,
    pub deserialize: Option<ExprPath>,
    /// The span of the key.
    pub span: Span,
}

impl With {
    /// The functions of a field, which is at `span`.
    pub(crate) fn of(field: &Field<'_>, span: Span) -> Option<Self> {
        let halves = (field.attrs.serialize_with(), field.attrs.deserialize_with());
        let (serialize, deserialize) = match halves {
            (None, None) => return None,
            // `#[serde(borrow)]` sets a function of serde's own, which reads the same JSON.
            (None, Some(function)) if is_of_borrowed_text(function) => return None,
            halves => halves,
        };
        let module = serialize.and_then(module_of);
        let module =
            module.filter(|module| deserialize.and_then(module_of).as_ref() == Some(module));
        let keys = ["with", "serialize_with", "deserialize_with"];
        let written = keys.iter().find_map(|key| span_of_key(field.original, key));
        Some(Self {
            module,
            serialize: serialize.cloned(),
            deserialize: deserialize.cloned(),
            span: written.unwrap_or(span),
        })
    }

    /// The schema function of the module, if it is `base64`, written with the path of `crd_runtime` or of
    /// `#[crd(crate = ..)]`, or imported.
    pub(crate) fn schema(&self, krate: &Path) -> Option<Path> {
        let module = self.module.as_ref()?;
        let segments = |path: &Path| path.segments.iter().map(|s| s.ident.to_string()).collect();
        let (names, krate): (Vec<String>, Vec<String>) = (segments(module), segments(krate));
        let (last, parent) = names.split_last()?;
        let is_ours = parent.is_empty()
            || parent.last().is_some_and(|name| name == "crd_runtime")
            || parent == krate;
        (last == "base64" && is_ours).then(|| parse_quote!(#module::schema))
    }
}

/// Whether it is the function that serde uses for `#[serde(borrow)]` on a `Cow<'a, str>`.
fn is_of_borrowed_text(function: &ExprPath) -> bool {
    ends_in(&function.path, &["borrow_cow_str"])
}

/// `a::b` of `a::b::serialize`.
fn module_of(function: &ExprPath) -> Option<Path> {
    let mut path = function.path.clone();
    path.segments.pop();
    path.segments.pop_punct();
    (!path.segments.is_empty()).then_some(path)
}

/// The bounds given to serde in place of derived ones.
pub(crate) fn bound_of(predicates: Option<&[syn::WherePredicate]>) -> Option<TokenStream> {
    predicates.map(|predicates| quote!(#(#predicates,)*))
}

/// Parses a type and passes it to `read`. Errors of serde's parser are reported as errors of this derive.
pub(crate) fn parse<T>(
    input: &DeriveInput,
    errors: &mut Accumulator,
    read: impl FnOnce(&Container<'_>, &mut Accumulator) -> Option<T>,
) -> Option<T> {
    let context = Ctxt::new();
    let private = Ident::new("__private", Span::call_site());
    let container = Container::from_ast(&context, input, Derive::Deserialize, &private);
    let result = container.as_ref().and_then(|container| {
        check_container(container, errors);
        read(container, errors)
    });
    if let Err(error) = context.check() {
        for error in error {
            errors.push(error.into());
        }
        return None;
    }
    result
}

fn check_container(container: &Container<'_>, errors: &mut Accumulator) {
    let span = container.ident.span();
    if matches!(container.attrs.identifier(), attr::Identifier::Field | attr::Identifier::Variant) {
        report(errors, span, "`field_identifier` and `variant_identifier` types have no schema");
    }
}

/// The conversion of a type by `#[serde(into)]`, `from` and `try_from`.
pub(crate) enum SerdeConversion<'a> {
    /// There is none.
    None,
    /// `into`, with `from` or `try_from`, of this type.
    Through(&'a Type),
    /// Only one direction is converted, or the directions have different types, which is an error.
    Inconsistent,
}

/// `into`, `from` and `try_from` of a type.
pub(crate) fn conversion_of<'a>(
    container: &'a Container<'_>,
    errors: &mut Accumulator,
) -> SerdeConversion<'a> {
    let attrs = &container.attrs;
    match (attrs.type_from().or(attrs.type_try_from()), attrs.type_into()) {
        (None, None) => SerdeConversion::None,
        (Some(from), Some(into)) if from == into => SerdeConversion::Through(from),
        // The other direction is that of the newtype itself, which has the form of its content.
        (Some(ty), None) | (None, Some(ty)) if content_of_newtype(container) == Some(ty) => {
            SerdeConversion::None
        }
        (from, into) => {
            let span = from.or(into).map_or(container.ident.span(), span_of);
            let name = |ty: &Type| ty.to_token_stream().to_string().replace(' ', "");
            let ident = &container.ident;
            let message = match (from, into) {
                (Some(from), Some(into)) => format!(
                    "serde reads `{}` and writes `{}`, but a schema describes both; give `from` (or `try_from`) and `into` \
                     the same type, or give the schema of both with `#[crd(schema_as = ..)]` on the type",
                    name(from),
                    name(into)
                ),
                (Some(ty), None) => format!(
                    "serde reads `{0}`, but writes `{ident}` as it is; add `into = \"{0}\"`, with `Clone` and `impl \
                     From<{ident}> for {0}`, or give the schema of both with `#[crd(schema_as = {0})]` on the type",
                    name(ty)
                ),
                (None, ty) => format!(
                    "serde writes `{0}`, but reads `{ident}` as it is; add `try_from = \"{0}\"` or `from = \"{0}\"`, or \
                     give the schema of both with `#[crd(schema_as = {0})]` on the type",
                    ty.map(name).unwrap_or_default()
                ),
            };
            report(errors, span, message);
            SerdeConversion::Inconsistent
        }
    }
}

/// The type of the content of a newtype struct that serde reads and writes by its own implementation.
fn content_of_newtype<'a>(container: &'a Container<'_>) -> Option<&'a Type> {
    match &container.data {
        Data::Struct(Style::Newtype, fields) => match fields.as_slice() {
            [field] if field.attrs.serialize_with().is_none() => Some(field.ty),
            _ => None,
        },
        _ => None,
    }
}

/// Whether serde skips a variant, or an unnamed part of it, in one direction or both.
pub(crate) fn hides(variant: &Variant<'_>) -> bool {
    let unnamed = matches!(variant.style, Style::Tuple | Style::Newtype);
    let is_skipped =
        |field: &Field<'_>| field.attrs.skip_serializing() || field.attrs.skip_deserializing();
    variant.attrs.skip_serializing()
        || variant.attrs.skip_deserializing()
        || (unnamed && variant.fields.iter().any(is_skipped))
}

/// Rejects a member without a name that serde skips in one direction only: it reads a list of another length than it
/// writes, or a variant without content in place of one with.
pub(crate) fn reject_half_skipped(fields: &[Field<'_>], errors: &mut Accumulator) {
    for field in fields {
        if field.attrs.skip_serializing() != field.attrs.skip_deserializing() {
            let message = "serde would read another form than it writes; skip this in both directions, with \
                           `#[serde(skip)]`, or use a struct with named fields";
            report(errors, span_of_skip(field), message);
        }
    }
}

/// Rejects `skip` on the content of a newtype struct, which serde reads and writes all the same.
pub(crate) fn reject_skipped_newtype(fields: &[Field<'_>], errors: &mut Accumulator) {
    for field in fields {
        if field.attrs.skip_serializing() || field.attrs.skip_deserializing() {
            let message = "serde ignores `skip` on the content of a newtype struct, and writes the content; remove it";
            report(errors, span_of_skip(field), message);
        }
    }
}

/// Rejects `skip_serializing_if` on a member without a name.
pub(crate) fn reject_skip_if(style: Style, fields: &[Field<'_>], errors: &mut Accumulator) {
    for field in fields.iter().filter(|field| field.attrs.skip_serializing_if().is_some()) {
        let message = match style {
            Style::Tuple => {
                "serde would leave this out of the list, whose length the schema fixes; remove it, or use a struct \
                 with named fields"
            }
            _ => {
                "serde ignores `skip_serializing_if` on the content of a newtype, and writes it; remove it"
            }
        };
        let span = span_of_key(field.original, "skip_serializing_if");
        report(errors, span.unwrap_or_else(|| field.ty.span()), message);
    }
}

fn span_of_skip(field: &Field<'_>) -> Span {
    let keys = ["skip", "skip_serializing", "skip_deserializing"];
    let written = keys.iter().find_map(|key| span_of_key(field.original, key));
    written.unwrap_or_else(|| field.ty.span())
}

/// The name for reading, or for writing if serde never reads it. Reports another name for writing.
fn one_name(
    name: &MultiName,
    (skips_writing, skips_reading): (bool, bool),
    span: impl FnOnce() -> Span,
    errors: &mut Accumulator,
) -> String {
    let wire = if skips_reading { name.serialize_name() } else { name.deserialize_name() };
    if !skips_writing && !skips_reading && name.serialize_name() != wire {
        let message = "a schema has one name for reading and writing; use `rename = \"..\"`";
        report(errors, span(), message);
    }
    wire.to_string()
}

/// The name of a field in JSON. Reports a second name, for writing or as an alias, at its key or at `span`.
/// `keeps` returns whether `unchecked` keeps aliases.
pub(crate) fn name_of_field(
    field: &Field<'_>,
    span: Span,
    keeps: impl FnOnce() -> bool,
    errors: &mut Accumulator,
) -> String {
    let attrs = &field.attrs;
    let skips = (attrs.skip_serializing(), attrs.skip_deserializing());
    let written = || span_of_key(field.original, "rename").unwrap_or(span);
    let wire = one_name(attrs.name(), skips, written, errors);
    let read = !attrs.skip_deserializing() && !attrs.flatten();
    if read && attrs.aliases().iter().any(|alias| alias.to_string() != wire) && !keeps() {
        let advice = "the server prunes an `alias` before serde can read it; remove the alias, and rename the field \
                      in a new version with a conversion; to read it from elsewhere, add `#[crd(unchecked(\"why\"))]`";
        report(errors, span_of_key(field.original, "alias").unwrap_or(span), advice);
    }
    wire
}

/// The name of a variant in JSON, and the other names by which serde reads it. Reports a second name for writing, and
/// `with`.
pub(crate) fn names_of_variant(
    variant: &Variant<'_>,
    errors: &mut Accumulator,
) -> (String, Vec<String>) {
    let attrs = &variant.attrs;
    let span = variant.original.ident.span();
    let skips = (attrs.skip_serializing(), attrs.skip_deserializing());
    let wire = one_name(attrs.name(), skips, || span, errors);
    if attrs.serialize_with().is_some() || attrs.deserialize_with().is_some() {
        let advice = "`with` on a variant is not supported; put it on a field, with `schema_with`";
        report(errors, span, advice);
    }
    let aliases = attrs.aliases().iter().map(ToString::to_string);
    let aliases = aliases.filter(|alias| *alias != wire).collect();
    (wire, aliases)
}

/// The span of a key of `#[serde(..)]`.
fn span_of_key(field: &syn::Field, key: &str) -> Option<Span> {
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
                // As in `rename(serialize = "a", deserialize = "b")`.
                let inner;
                syn::parenthesized!(inner in meta.input);
                inner.parse::<TokenStream>()?;
            }
            Ok(())
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks what the first variant of an enum hides, and the errors in its names.
    #[track_caller]
    fn check(variant: &str, want: (bool, usize)) {
        let input = syn::parse_str(&format!("enum E {{ {variant}, B }}")).expect(variant);
        let mut errors = Accumulator::default();
        let hidden = parse(&input, &mut errors, |container, errors| {
            let Data::Enum(variants) = &container.data else { return None };
            names_of_variant(&variants[0], errors);
            Some(hides(&variants[0]))
        });
        let errors = errors.finish().err().map_or(0, |errors| errors.len());
        assert_eq!((hidden.expect(variant), errors), want, "{variant}");
    }

    #[test]
    fn a_variant_can_be_skipped_in_one_direction() {
        check("A", (false, 0));
        check("A(u8)", (false, 0));
        check("#[serde(skip_serializing)] A", (true, 0));
        check("#[serde(skip_deserializing)] A", (true, 0));
        check("A(#[serde(skip_serializing)] u8)", (true, 0));
        check("A(#[serde(skip_deserializing)] u8, u8)", (true, 0));
        check("A { #[serde(skip)] a: u8 }", (false, 0));
        // One that is skipped in a direction has one name.
        check(r#"#[serde(rename(serialize = "a"))] A"#, (false, 1));
        check(r#"#[serde(skip_serializing, rename(serialize = "a"))] A"#, (true, 0));
        check(r#"#[serde(skip_deserializing, rename(serialize = "a"))] A"#, (true, 0));
    }
}

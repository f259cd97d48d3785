//! Reads a type: joins the attributes of `#[crd(..)]` with what serde does.

use std::borrow::Cow;

use darling::error::Accumulator;
use darling::util::{Override, SpannedValue};
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use serde_derive_internals::ast::{
    Container as SerdeContainer, Data, Field as SerdeField, Style, Variant as SerdeVariant,
};
use serde_derive_internals::attr::Default;
use syn::spanned::Spanned;
use syn::{DeriveInput, Path, Type, parse_quote, parse_quote_spanned};

use super::field::Container;
use super::{Apply, Body, Column, Constraints, Enum, Field, Kind, Model, Object, Source, Variant};
use crate::attr::{
    self, CommonAttrs, DefaultValue, Derive, FieldAttrs, Key, KindAttrs, TypeAttrs, VariantAttrs,
    on,
};
use crate::doc::Doc;
use crate::report::report;
use crate::serde_view::{self, SerdeConversion, SerdeDefault, Tagging};
use crate::types::{self, JsonType};

impl Model {
    /// Reads a type, and reports malformed attributes. The second value is whether it has a body that serde accepts.
    pub(crate) fn read(
        input: &DeriveInput,
        derive: Derive,
        errors: &mut Accumulator,
    ) -> (Self, bool) {
        let (attrs, kind) = attributes(input, derive, errors);
        let TypeAttrs { bound, schema_as, common } = attrs;
        let CommonAttrs { mut constraints, krate, _defaults: _, apply, json_schema, allow } =
            common;
        let krate = krate.unwrap_or_else(|| parse_quote!(::crd_runtime));
        let is_replaced = constraints.schema_with.is_some();
        let disabled = kind.as_ref().and_then(|kind| kind.schema).map(|schema| schema.0);
        let is_disabled = disabled.is_some();
        let (mut is_converted, mut is_newtype) = (false, false);
        let read = serde_view::parse(input, errors, |container, errors| {
            is_converted = self::is_converted(container);
            is_newtype = matches!(container.data, Data::Struct(Style::Newtype, _))
                && !container.attrs.transparent();
            if is_replaced {
                report_all_unused(container, REPLACED, errors);
            }
            if is_disabled {
                report_all_unused(container, DISABLED, errors);
                report_keys_of_a_schema(&input.attrs, errors);
                // Only whether it has metadata is needed, and the schema of a field may be unknown.
                let mut ignored = darling::Error::accumulator();
                let mut reader = Reader::of(container, &input.ident, &krate, &mut ignored);
                let body = reader.body(container).unwrap_or(Body::Unit);
                drop(ignored.into_inner());
                return Some((body, None));
            }
            let body = match &schema_as {
                Some(ty) => {
                    if is_replaced {
                        let message = "`schema_as` conflicts with `schema_with`";
                        report(errors, ty.span(), message);
                    }
                    report_all_unused(container, SHOWN_AS, errors);
                    Body::Delegate(Box::new(Type::clone(ty)))
                }
                None if is_replaced && is_converted => Body::Unit,
                None => Reader::of(container, &input.ident, &krate, errors).body(container)?,
            };
            Some((body, serde_view::bound_of(container.attrs.ser_bound())))
        });
        let is_read = read.is_some();
        let (mut body, serde_bound) = read.unwrap_or((Body::Unit, None));
        if attr::has_validate(&input.attrs) {
            constraints.keeps_unchecked();
        }
        if let (Some(_), Body::Object(object)) = (constraints.inherited_default(), &mut body) {
            constraints.default = None;
            object.fields.iter_mut().for_each(take_default_of_serde);
        }
        let kind = kind.map(|attrs| Kind::of(attrs, &body));
        if let Some(span) = disabled {
            constraints = Constraints::default();
            if kind.as_ref().is_some_and(Kind::is_root) {
                let message = "a struct with `metadata` is the root type, which `schema = \"disabled\"` does not support; put \
                               the derive on the spec, or add `root = Name`";
                report(errors, span, message);
            }
            body = Body::Unit;
        }
        if kind.as_ref().is_some_and(Kind::is_root)
            && let Body::Object(object) = &mut body
        {
            take_metadata(object, errors);
        }
        let model = Self {
            ident: input.ident.clone(),
            vis: input.vis.clone(),
            generics: input.generics.clone(),
            bound: bound.map(|bound| bound.0),
            serde_bound,
            is_converted,
            is_newtype,
            krate,
            json_schema: !is_disabled
                && (json_schema.is_none() || on(json_schema.as_ref()).is_some()),
            lints: lints(input),
            doc: Doc::of(&input.attrs),
            constraints,
            body,
            allows: attr::lints(allow),
            apply: Apply::of(apply),
            kind,
        };
        (model, is_read)
    }
}

/// The attributes of a type, and those of a kind.
fn attributes(
    input: &DeriveInput,
    derive: Derive,
    errors: &mut Accumulator,
) -> (TypeAttrs, Option<KindAttrs>) {
    match derive {
        Derive::Schema => {
            (attr::read(&input.attrs, &input.ident, errors).unwrap_or_default(), None)
        }
        Derive::Kind => match attr::read::<KindAttrs>(&input.attrs, &input.ident, errors) {
            Some(mut attrs) => {
                let common = std::mem::take(&mut attrs.common);
                (TypeAttrs { common, ..TypeAttrs::default() }, Some(attrs))
            }
            None => (TypeAttrs::default(), None),
        },
    }
}

/// Gives a field the default that serde has for it, for `default` on the type. The default of an `Option` is mostly
/// `None`, which is not a value; one with a function of its own is taken.
fn take_default_of_serde(field: &mut Field) {
    let has_value = match field.default {
        SerdeDefault::None => false,
        SerdeDefault::Path(_) => true,
        SerdeDefault::Trait | SerdeDefault::Container(_) => !field.is_option,
    };
    let is_written = !field.flatten
        && !field.skip_deserializing
        && !field.writes_null()
        && field.required.is_none();
    if has_value && is_written && field.constraints.default.is_none() {
        field.constraints.default = Some(DefaultValue { span: field.span, value: None });
    }
}

/// Removes the metadata of a root, for which the server rejects a schema.
fn take_metadata(object: &mut Object, errors: &mut Accumulator) {
    let metadata = object.fields.iter().find(|field| field.wire == "metadata");
    // A recognized type, such as `String`, is not `ObjectMeta`.
    if let Some(field) = metadata.filter(|field| field.is_recognized()) {
        let message = "`metadata` of a root type must be an `ObjectMeta`; if this struct is a spec, remove its \
                       `TypeMeta` or add `root = Name`";
        report(errors, field.ty.span(), message);
    }
    object.fields.retain(|field| field.wire != "metadata");
}

/// The lints that the generated code allows: those against the full paths and deprecated fields
/// that it uses, and those that the type itself allows.
fn lints(input: &DeriveInput) -> TokenStream {
    let of_variants = match &input.data {
        syn::Data::Enum(data) => data.variants.iter().flat_map(|variant| &variant.attrs).collect(),
        _ => Vec::new(),
    };
    let allowed = input.attrs.iter().chain(of_variants);
    let allowed = allowed.filter(|attr| attr.path().is_ident("allow"));
    // Only then is the lint allowed, because `allow` is an error in a crate that forbids it.
    let mut attributes = attr::attributes(input).into_iter().flatten();
    let is_deprecated = attributes.any(|attr| attr.path().is_ident("deprecated"));
    let deprecated = is_deprecated.then(|| quote!(#[allow(deprecated)]));
    quote! {
        #[allow(unused_qualifications, clippy::absolute_paths)]
        #deprecated
        #(#allowed)*
    }
}

/// Reads the body of a type.
struct Reader<'a> {
    container: Container<'a>,
    errors: &'a mut Accumulator,
}

impl<'a> Reader<'a> {
    fn of(
        container: &SerdeContainer<'_>,
        ident: &'a Ident,
        krate: &'a Path,
        errors: &'a mut Accumulator,
    ) -> Self {
        let is_enum = matches!(container.data, Data::Enum(_));
        let is_generic = !container.original.generics.params.is_empty();
        Self { container: Container { ident, krate, is_enum, is_generic }, errors }
    }

    fn body(&mut self, container: &SerdeContainer<'_>) -> Option<Body> {
        match serde_view::conversion_of(container, self.errors) {
            SerdeConversion::None => {}
            SerdeConversion::Through(ty) => {
                const CONVERTED: &str =
                    "serde reads and writes another type in place of this one (`from` and `into`)";
                report_all_unused(container, CONVERTED, self.errors);
                return Some(Body::Delegate(Box::new(ty.clone())));
            }
            SerdeConversion::Inconsistent => return None,
        }
        Some(match &container.data {
            Data::Enum(variants) => Body::Enum(Enum {
                tagging: Tagging::of(container),
                hides: variants.iter().any(serde_view::hides),
                variants: {
                    let denies = container.attrs.deny_unknown_fields();
                    variants.iter().filter_map(|variant| self.variant(variant, denies)).collect()
                },
            }),
            Data::Struct(style, fields) => self.structure(container, *style, fields),
        })
    }

    fn structure(
        &mut self,
        container: &SerdeContainer<'_>,
        style: Style,
        fields: &[SerdeField<'_>],
    ) -> Body {
        let default = container.attrs.default();
        if container.attrs.transparent() {
            serde_view::reject_skip_if(Style::Newtype, fields, self.errors);
            let inner = fields.iter().find(|field| field.attrs.transparent());
            if let Some(field) = inner.and_then(|field| self.field(field, default)) {
                return Body::Transparent(Box::new(field));
            }
        }
        if matches!(style, Style::Newtype) {
            serde_view::reject_skipped_newtype(fields, self.errors);
        } else if matches!(style, Style::Tuple) {
            serde_view::reject_half_skipped(fields, self.errors);
        }
        match self.fields(style, fields, default) {
            Body::Object(object) => transparent_if_only_a_map(Object {
                tag: serde_view::tag_of_struct(container),
                deny_unknown_fields: container.attrs.deny_unknown_fields(),
                ..object
            }),
            body => body,
        }
    }

    /// The fields of a struct with the given `#[serde(default)]`, or of a variant.
    fn fields(&mut self, style: Style, fields: &[SerdeField<'_>], default: &Default) -> Body {
        if !matches!(style, Style::Struct) {
            serde_view::reject_skip_if(style, fields, self.errors);
        }
        let mut fields: Vec<_> =
            fields.iter().filter_map(|field| self.field(field, default)).collect();
        match style {
            Style::Struct => Body::Object(Object { fields, tag: None, deny_unknown_fields: false }),
            // serde reads and writes a newtype variant as one without content if it skips the field.
            Style::Newtype => {
                fields.pop().map_or(Body::Unit, |field| Body::Transparent(Box::new(field)))
            }
            Style::Tuple => Body::Tuple(fields),
            Style::Unit => Body::Unit,
        }
    }

    /// `denies` is whether the enum has `deny_unknown_fields`.
    fn variant(&mut self, variant: &SerdeVariant<'_>, denies: bool) -> Option<Variant> {
        let attrs = &variant.attrs;
        let span = variant.original.ident.span();
        let own: VariantAttrs =
            attr::read(&variant.original.attrs, &variant.original.ident, self.errors)
                .unwrap_or_default();
        if attrs.skip_serializing() && attrs.skip_deserializing() {
            const SKIPPED: &str = "serde skips this variant";
            report_unused(&variant.original.attrs, SKIPPED, self.errors);
            for field in &variant.fields {
                report_unused(&field.original.attrs, SKIPPED, self.errors);
            }
            return None;
        }
        if attrs.skip_serializing() != attrs.skip_deserializing()
            && !own.constraints.keeps_unchecked()
        {
            let does = if attrs.skip_serializing() {
                "reads this variant, but cannot write"
            } else {
                "writes this variant, but does not read"
            };
            let message = format_args!(
                "serde {does} it; skip it in both directions, with `#[serde(skip)]`, or keep it with \
                 `#[crd(unchecked(\"why\"))]`"
            );
            report(self.errors, span, message);
        }
        if own.constraints.schema_with.is_some() {
            for field in &variant.fields {
                report_unused(&field.original.attrs, REPLACED, self.errors);
            }
        }
        let (wire, aliases) = serde_view::names_of_variant(variant, self.errors);
        Some(Variant {
            span,
            ident: variant.ident.clone(),
            wire,
            aliases,
            doc: Doc::of(&variant.original.attrs),
            constraints: own.constraints,
            attrs: attr::ours(&variant.original.attrs),
            body: match self.content(variant) {
                Body::Object(object) => {
                    Body::Object(Object { deny_unknown_fields: denies, ..object })
                }
                body => body,
            },
            other: attrs.other(),
            untagged: attrs.untagged(),
        })
    }

    /// The content of a variant.
    fn content(&mut self, variant: &SerdeVariant<'_>) -> Body {
        let style = variant.style;
        if !matches!(style, Style::Struct) {
            serde_view::reject_half_skipped(&variant.fields, self.errors);
        }
        self.fields(style, &variant.fields, &Default::None)
    }

    fn field(&mut self, field: &SerdeField<'_>, default: &Default) -> Option<Field> {
        let attrs = &field.attrs;
        let original = field.original;
        let own: FieldAttrs =
            attr::read(&original.attrs, original, self.errors).unwrap_or_default();
        if attrs.skip_serializing() && attrs.skip_deserializing() {
            report_unused(&original.attrs, "serde skips this field", self.errors);
            return None;
        }
        let span = original.ident.as_ref().map_or_else(|| field.ty.span(), Ident::span);
        let with = serde_view::With::of(field, span);
        let mut constraints = own.constraints;
        if let Some(with) = &with
            && let (Some(span), Some(module)) = (constraints.schema_of_module, &with.module)
        {
            constraints.schema_of_module = None;
            constraints.schema_with = Some(parse_quote_spanned!(span=> #module::schema));
        }
        let held = types::held(field.ty);
        constraints.schema_with =
            constraints.schema_with.map(|path| types::replaced(&path, "_", held));
        let recursive = on(own.recursive.as_ref());
        if let Some(ty) = &own.schema_as {
            let conflicts = [
                (constraints.schema_with.is_some(), "schema_with"),
                (recursive.is_some(), "recursive"),
            ];
            for (_, key) in conflicts.iter().filter(|(is_there, _)| *is_there) {
                let message =
                    format_args!("`schema_as` conflicts with `{key}`; remove one of the two");
                report(self.errors, ty.span(), message);
            }
        }
        let ty = own.schema_as.map(|ty| shown_as(ty.into_inner(), field.ty));
        let keeps = || constraints.keeps_unchecked();
        if attr::has_validate(&original.attrs) {
            keeps();
        }
        let wire = serde_view::name_of_field(field, span, keeps, self.errors);
        let type_in_rust = ty.is_some().then(|| field.ty.clone());
        // With `schema_as`, the schema is that of a type.
        let of_module = with.as_ref().filter(|_| ty.is_none());
        let ty = ty.as_ref().unwrap_or(field.ty);
        Some(Field {
            span,
            member: field.member.clone(),
            vis: original.vis.clone(),
            cel_name: crd_cel::escape::escape(&wire).map(Cow::into_owned),
            wire,
            ty: ty.clone(),
            type_in_rust,
            json: types::json_type(ty),
            is_option: types::option(ty).is_some(),
            source: Source::of(ty, &constraints, of_module, recursive, &self.container),
            doc: Doc::of(&original.attrs),
            constraints,
            columns: own.print_column.into_iter().map(column).collect(),
            recursive,
            required: on(own.required.as_ref()),
            optional: on(own.optional.as_ref()),
            allows: attr::lints(own.allow),
            attrs: attr::ours(&original.attrs),
            selectable: on(own.selectable.as_ref()),
            default: SerdeDefault::of(field, default),
            skip_if: attrs.skip_serializing_if().cloned(),
            skip_serializing: attrs.skip_serializing(),
            skip_deserializing: attrs.skip_deserializing(),
            flatten: attrs.flatten(),
            is_kept: attrs.flatten(),
            serde_bound: serde_view::bound_of(attrs.ser_bound()),
            with,
        })
    }
}

/// A column, which may have no keys.
fn column(column: SpannedValue<Override<Column>>) -> SpannedValue<Column> {
    let span = column.span();
    SpannedValue::new(column.into_inner().explicit().unwrap_or_default(), span)
}

/// Why attributes have no effect in a kind with `schema = "disabled"`.
const DISABLED: &str = "the kind has no schema";

/// The keys of a kind with `schema = "disabled"`.
const KEYS_WITHOUT_A_SCHEMA: [&str; 14] = [
    "group",
    "version",
    "kind",
    "plural",
    "singular",
    "list_kind",
    "namespaced",
    "cluster",
    "root",
    "status",
    "schema",
    "derive",
    "attr",
    "crate",
];

/// Reports the keys of a kind that are about its schema or its definition.
fn report_keys_of_a_schema(attrs: &[syn::Attribute], errors: &mut Accumulator) {
    let is_of_schema = |key: &Key| !KEYS_WITHOUT_A_SCHEMA.contains(&key.name.as_str());
    for Key { name, span, .. } in Key::all(attrs).into_iter().filter(is_of_schema) {
        report(errors, span, format_args!("{DISABLED}, so `{name}` has no effect; remove it"));
    }
}

/// The type in JSON of a field with `schema_as`: an `Option` if the field is one.
fn shown_as(ty: Type, of: &Type) -> Type {
    match types::option(of) {
        Some(_) if types::option(&ty).is_none() => {
            parse_quote_spanned!(types::span(&ty)=> ::core::option::Option<#ty>)
        }
        _ => ty,
    }
}

/// Whether serde reads or writes another type in place of this one.
fn is_converted(container: &SerdeContainer<'_>) -> bool {
    let attrs = &container.attrs;
    let types = [attrs.type_from(), attrs.type_try_from(), attrs.type_into()];
    types.into_iter().any(|ty| ty.is_some())
}

/// Why the attributes of fields have no effect in a type with `schema_as`.
const SHOWN_AS: &str = "the type has the schema of `schema_as`";

/// Why the attributes of fields have no effect in a type or variant with `schema_with`.
const REPLACED: &str = "`schema_with` replaces the schema of this field";

/// Reports the keys of a field or variant that has no place in the schema.
fn report_unused(attrs: &[syn::Attribute], why: &str, errors: &mut Accumulator) {
    for Key { name, span, .. } in Key::all(attrs) {
        report(errors, span, format_args!("{why}, so `{name}` has no effect; remove it"));
    }
}

/// Reports the keys of all fields and variants of a type.
fn report_all_unused(container: &SerdeContainer<'_>, why: &str, errors: &mut Accumulator) {
    if let Data::Enum(variants) = &container.data {
        for variant in variants {
            report_unused(&variant.original.attrs, why, errors);
        }
    }
    for field in container.data.all_fields() {
        report_unused(&field.original.attrs, why, errors);
    }
}

/// A struct with only a flattened map has the form of the map.
fn transparent_if_only_a_map(mut object: Object) -> Body {
    match (object.fields.pop(), &object) {
        (Some(field), Object { fields, tag: None, deny_unknown_fields: false })
            if fields.is_empty() && is_flattened_map(&field) =>
        {
            Body::Transparent(Box::new(Field { flatten: false, is_kept: true, ..field }))
        }
        (field, _) => {
            object.fields.extend(field);
            Body::Object(object)
        }
    }
}

fn is_flattened_map(field: &Field) -> bool {
    field.flatten && field.with.is_none() && !field.is_option && field.json == JsonType::Map
}

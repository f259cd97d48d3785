//! Rejects types whose serde attributes no structural schema can describe. Each error says what to write instead.

use std::collections::BTreeSet;

use darling::error::Accumulator;
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::{Expr, Type};

use crate::attr::Key;
use crate::literal::Value;
use crate::model::{
    Body, Constraints, Enum, Field, Model, NULL_FOR_NONE, NULL_FOR_NULLABLE_NONE,
    NULL_FOR_SOME_NONE, Object,
};
use crate::report::report;
use crate::serde_view::{SerdeDefault, Tagging, With};
use crate::types::{self, JsonType};

/// Checks the attributes of the container.
pub(super) fn container(model: &Model, errors: &mut Accumulator) {
    embedded(&model.constraints, &model.body, "type", errors);
    if let Body::Object(Object { tag: Some((tag, _)), deny_unknown_fields: true, .. }) = &model.body
    {
        let message = format_args!(
            "`deny_unknown_fields` rejects the tag `{tag}`, which serde writes; remove one of the two"
        );
        report(errors, model.ident.span(), message);
    }
    if let Body::Enum(data) = &model.body
        && !matches!(data.tagging, Tagging::Untagged)
        && let Some(span) = model.constraints.int_or_string
    {
        let message = "`int_or_string` allows integers and strings, which only an untagged enum can deserialize";
        report(errors, span, message);
    }
    if let Body::Object(object) = &model.body
        && object.deny_unknown_fields
        && let Some(span) = model.constraints.preserve_unknown_fields
    {
        let message = "`preserve_unknown_fields` conflicts with `#[serde(deny_unknown_fields)]`: the server would \
                       keep fields that serde rejects";
        report(errors, span, message);
    }
}

/// Requires `apiVersion` and `kind` in a type or variant that is an embedded resource.
pub(super) fn embedded(
    constraints: &Constraints,
    body: &Body,
    what: &str,
    errors: &mut Accumulator,
) {
    let Some(span) = constraints.embedded_resource else { return };
    let missing = match body {
        Body::Object(object) if object.fields.iter().all(|field| !field.flatten) => {
            let has = |name: &&str| object.fields.iter().any(|field| field.wire == *name);
            ["apiVersion", "kind"].into_iter().find(|name| !has(name))
        }
        // rustc checks the content of a variant.
        Body::Enum(_) | Body::Tuple(_) | Body::Unit if what == "type" => Some("apiVersion"),
        _ => None,
    };
    if let Some(name) = missing {
        let message = format_args!(
            "`embedded_resource` needs an object with `apiVersion`, `kind` and `metadata`; this {what} has no field `{name}`"
        );
        report(errors, span, message);
    }
}

/// Rejects two fields with one JSON name.
pub(super) fn names(object: &Object, errors: &mut Accumulator) {
    let mut seen = BTreeSet::new();
    if let Some((tag, _)) = &object.tag {
        seen.insert(tag.as_str());
    }
    for field in object.fields.iter().filter(|field| !field.flatten) {
        if !seen.insert(&field.wire) {
            report(errors, field.span, format_args!("duplicate field `{}`", field.wire));
        }
    }
}

/// Rejects two variants with one JSON name: serde reads the first of them.
pub(super) fn names_of_variants(data: &Enum, errors: &mut Accumulator) {
    if matches!(data.tagging, Tagging::Untagged) {
        return;
    }
    let mut seen = BTreeSet::new();
    for variant in data.variants.iter().filter(|variant| !variant.untagged) {
        if let Some(name) = variant.names().find(|name| seen.contains(name)) {
            let span = variant.ident.span();
            report(errors, span, format_args!("duplicate variant `{name}`"));
        }
        seen.extend(variant.names());
    }
}

/// Rejects a tuple of different types, or with an attribute that not all members have: the elements of a list have one
/// schema.
pub(super) fn tuple(fields: &[Field], errors: &mut Accumulator) {
    let Some((first, rest)) = fields.split_first() else { return };
    for field in rest {
        // rustc compares the others: an alias may be the same type.
        if types::are_different(&first.ty, &field.ty) {
            report(errors, field.ty.span(), MIXED_TUPLE);
        }
    }
    let functions = |field: &Field| {
        field
            .with
            .as_ref()
            .map(|With { serialize, deserialize, .. }| quote!(#serialize, #deserialize).to_string())
    };
    let advice = "the members of a tuple are elements of one list, which have one schema";
    for field in fields {
        let has =
            |other: &Field, key: &Key| Key::all(&other.attrs).iter().any(|it| it.meta == key.meta);
        for key in Key::all(&field.attrs) {
            if fields.iter().all(|other| has(other, &key)) {
                continue;
            }
            let Key { name, span, .. } = key;
            // The checks of columns and presence reject these on any member.
            let of_named = ["print_column", "selectable", "required", "optional", "allow"];
            if of_named.contains(&name.as_str()) {
                continue;
            }
            let message = format_args!(
                "{advice}; put `{name}` on each of them, or use a struct with named fields"
            );
            report(errors, span, message);
        }
        if let Some(with) = &field.with
            && fields.iter().any(|other| functions(other) != functions(field))
        {
            let message = format_args!(
                "{advice}; convert each of them `with` the same functions, or use a struct with named fields"
            );
            report(errors, with.span, message);
        }
    }
}

/// Rejects `required`, `optional` and `allow` on content without a name.
pub(super) fn no_presence(fields: &[Field], errors: &mut Accumulator) {
    for field in fields {
        let allow =
            Key::all(&field.attrs).into_iter().find(|key| key.name == "allow").map(|key| key.span);
        for (span, key) in
            [(field.required, "required"), (field.optional, "optional"), (allow, "allow")]
        {
            if let Some(span) = span {
                let message = format_args!(
                    "`{key}` applies only to named fields; put it on the field that has this type"
                );
                report(errors, span, message);
            }
        }
    }
}

const MIXED_TUPLE: &str = "serde writes a tuple as a list, whose elements all have one schema; use a struct with \
                           named fields";

const OPTION_OF_NOTHING: &str =
    "serde writes `Some(())` as `null`, and reads that as `None`; use a `bool`";

fn is_same(a: &impl ToTokens, b: &impl ToTokens) -> bool {
    a.to_token_stream().to_string() == b.to_token_stream().to_string()
}

/// Checks a field's serde attributes against its schema.
pub(super) fn field(model: &Model, field: &Field, errors: &mut Accumulator) {
    let has_own_schema = field.constraints.schema_with.is_some();
    if let Some(with) = &field.with
        && with.schema(&model.krate).is_none()
        && field.constraints.schema_of_module.is_none()
        && !has_own_schema
        && field.type_in_rust.is_none()
    {
        // The name, because a macro such as `serde_as` writes the key without a place in the source.
        let name = field.member.to_token_stream();
        report(
            errors,
            with.span,
            format_args!(
                "`with` changes what serde writes for `{name}`; give its schema with `#[crd(schema_with = function)]`, or \
                 the type that it is written as with `#[crd(schema_as = Type)]`"
            ),
        );
    }
    if field.skip_deserializing
        && model.body.object().is_some_and(|object| object.deny_unknown_fields)
    {
        let message = "`deny_unknown_fields` rejects this field, which serde writes but does not read; remove `deny_unknown_fields` or the `skip`";
        report(errors, field.span, message);
    }
    skipped_field(field, errors);
    explicit_presence(field, errors);
    written_null(field, errors);
    skipped_default(field, errors);
    default_of_type(field, errors);
    if field.flatten {
        flatten(field, errors);
    }
    let mut ty = &field.ty;
    while let Some(inner) = types::option(ty).or_else(|| types::inner(ty)) {
        if types::option(ty).is_some() && types::is_unit(inner) && !field.has_replaced_schema() {
            report(errors, ty.span(), OPTION_OF_NOTHING);
        }
        ty = inner;
    }
    if let Type::Tuple(tuple) = ty
        && !has_own_schema
        && let Some(first) = tuple.elems.first()
        && let Some(other) = tuple.elems.iter().find(|other| types::are_different(first, other))
    {
        report(errors, other.span(), MIXED_TUPLE);
    }
    if !has_own_schema && !field.is_cut() && types::mentions(&field.ty, &model.ident) {
        let message = format_args!(
            "`{}` contains itself, but a structural schema is finite; end it here with `#[crd(recursive)]`",
            model.ident
        );
        report(errors, field.ty.span(), message);
    }
    if let Some(span) = field.recursive
        && field.type_in_rust.is_none()
        && types::json_type(ty).is_scalar()
    {
        let message =
            "a scalar cannot contain itself, and `recursive` would allow any value here; remove it";
        report(errors, span, message);
    }
    if let Some(span) = field.constraints.inherited_default()
        && matches!(field.default, SerdeDefault::None)
    {
        let message = "`default` without a value uses serde's default; add `#[serde(default)]` to the field, or give \
                       a value";
        report(errors, span, message);
    }
    if let Some(span) = field.constraints.inherited_default()
        && matches!(field.default, SerdeDefault::Trait)
        && field.skip_if.is_some()
        && field.is_option
    {
        let message = "the default of an `Option` is `None`, which is not a value; give one, or remove `default`";
        report(errors, span, message);
    }
}

/// Requires the `Default` value of a number, string, list or boolean to be within the field's
/// bounds.
fn default_of_type(field: &Field, errors: &mut Accumulator) {
    let Some(span) = field.constraints.inherited_default() else { return };
    // Without keys of its own, the field has no bounds.
    if field.attrs.is_empty()
        || !matches!(field.default, SerdeDefault::Trait)
        || field.is_option
        || types::is_char(&field.ty)
    {
        return;
    }
    let value: Expr = match field.json {
        JsonType::Integer => syn::parse_quote_spanned!(span=> 0),
        JsonType::Number => syn::parse_quote_spanned!(span=> 0.0),
        JsonType::Text => syn::parse_quote_spanned!(span=> ""),
        JsonType::Boolean => syn::parse_quote_spanned!(span=> false),
        JsonType::List if !matches!(field.ty, Type::Array(_) | Type::Tuple(_)) => {
            syn::parse_quote_spanned!(span=> [])
        }
        _ => return,
    };
    let what = format!("the default `{}`", value.to_token_stream());
    let target = super::Target::of_type(&field.ty);
    super::value::check_value(&Value(value), &field.constraints, target, &what, errors);
}

/// Rejects a default that would replace a value that serde skips.
///
/// ```ignore
/// #[crd(default = 3)]
/// #[serde(default, skip_serializing_if = "is_zero")]
/// retries: u32, // 0 is skipped, and the server makes it 3
/// ```
fn skipped_default(field: &Field, errors: &mut Accumulator) {
    let (Some(skip_if), Some(default)) = (&field.skip_if, &field.constraints.default) else {
        return;
    };
    let Some(value) = &default.value else { return };
    let last = skip_if.path.segments.last().map(|segment| segment.ident.to_string());
    let skips_empty = last.as_deref() == Some("is_empty");
    // Assumes that the predicate loses no data: it skips only the value that serde gives an absent
    // field.
    let skips_zero =
        matches!(field.default, SerdeDefault::Trait | SerdeDefault::Container(_)) || skips_empty;
    let is_other = value.as_number().is_some_and(|number| number.as_f64() != 0.0)
        || value.as_text().is_some_and(|text| !text.is_empty())
        || value.as_bool() == Some(true)
        || matches!(&value.0, Expr::Array(array) if !array.elems.is_empty());
    // What serde gives an absent field is a value of its own, unless it is the same function.
    if let SerdeDefault::Path(path) = &field.default
        && !matches!(&value.0, Expr::Call(call) if call.args.is_empty() && is_same(&call.func, path))
    {
        let message = format_args!(
            "serde omits the value of `{}`, and the server would replace it with this default; write `default` \
             without a value, which is that of serde, or remove `skip_serializing_if`",
            path.to_token_stream().to_string().replace(' ', "")
        );
        report(errors, default.span, message);
        return;
    }
    if !field.is_option && skips_zero && is_other {
        let message = "the server would replace a value that `skip_serializing_if` omits with this default; remove \
                       `skip_serializing_if`, or make the field an `Option`";
        report(errors, default.span, message);
    }
}

/// Requires a field that serde may skip to be optional when read.
fn skipped_field(field: &Field, errors: &mut Accumulator) {
    // serde reads a flattened map from no fields at all.
    if field.reads_absence() || !field.is_presence_certain() || field.flatten {
        return;
    }
    if field.skip_if.is_some() {
        let message =
            "serde may skip this field, but cannot deserialize without it; add `#[serde(default)]`";
        report(errors, field.span, message);
    } else if field.skip_serializing {
        let message = "serde never writes this field, but cannot deserialize without it; add `#[serde(default)]`";
        report(errors, field.span, message);
    }
}

/// Checks `required` and `optional` against what serde does with the field.
fn explicit_presence(field: &Field, errors: &mut Accumulator) {
    let Field { required, optional, constraints, .. } = field;
    if let (Some(_), Some(optional)) = (required, optional) {
        report(errors, *optional, "`optional` conflicts with `required`");
        return;
    }
    if let Some(span) = required {
        let message = if field.may_be_skipped() {
            "serde may skip this field, and the server would reject an object without it; remove `skip_serializing_if`"
        } else if constraints.default.is_some() {
            "`required` has no effect with `default`, which the server applies first; remove one of the two"
        } else {
            return;
        };
        report(errors, *span, message);
    }
    if let Some(span) = optional {
        let can_be_omitted = field.skip_deserializing || field.reads_absence();
        if !can_be_omitted && field.is_presence_certain() {
            let message = "serde cannot deserialize without this field; make it an `Option`, or add \
                           `#[serde(default)]`";
            report(errors, *span, message);
        }
    }
}

/// Rejects fields for which serde writes a `null` that the server would reject or not default.
fn written_null(field: &Field, errors: &mut Accumulator) {
    let constraints = &field.constraints;
    if field.type_of_some().is_some_and(|inner| types::option(inner).is_some()) {
        match &constraints.enum_values {
            Some(values) => report(errors, values.span(), NULL_FOR_SOME_NONE),
            None => report(
                errors,
                field.ty.span(),
                "serde writes `Some(None)` as `null`, and reads that as `None`; remove one `Option`, or read it with \
                 `#[serde(with = \"..\")]`",
            ),
        }
    }
    if !field.writes_null() {
        return;
    }
    if let Some(nullable) = &constraints.nullable {
        if !**nullable {
            let message = "serde writes `None` as `null`, which `nullable = false` rejects; add \
                           `#[serde(skip_serializing_if = \"Option::is_none\")]`";
            report(errors, nullable.span(), message);
        } else if constraints.enum_values.is_some() {
            report(errors, nullable.span(), NULL_FOR_NULLABLE_NONE);
        }
        return;
    }
    let skip = "add `#[serde(skip_serializing_if = \"Option::is_none\")]`, or `#[crd(nullable)]` to keep `null`";
    if let Some(default) = &constraints.default {
        let message = format_args!(
            "serde writes `None` as `null`, which the server does not replace with the default; {skip}"
        );
        report(errors, default.span, message);
    }
    if let Some(values) = &constraints.enum_values {
        report(errors, values.span(), NULL_FOR_NONE);
    }
}

/// Rejects constraints on a flattened field.
fn flatten(field: &Field, errors: &mut Accumulator) {
    let mut reported = false;
    for Key { name, span, .. } in Key::all(&field.attrs) {
        // `kind::field_columns` reports the first two, and `recursive` only ends a recursive type.
        if !matches!(name.as_str(), "print_column" | "selectable" | "recursive") {
            let message = format_args!(
                "`{name}` is not allowed on a flattened field, which has no schema of its own; put it on the field's \
                 type, or on the fields of that type"
            );
            report(errors, span, message);
            reported = true;
        }
    }
    if !reported && !crate::emit::is_empty(&field.constraints) {
        let message = "a flattened field has no schema of its own; put this on the field's type, or on the fields of that type";
        report(errors, field.span, message);
    }
}

/// Checks variants against the tagging of their enum.
pub(super) fn tagging(data: &Enum, errors: &mut Accumulator) {
    let untagged = data.variants.iter().filter(|variant| data.is_untagged(variant));
    let before = usize::from(!matches!(data.tagging, Tagging::Internal(_)));
    for variant in untagged.skip(before) {
        // Only rustc knows whether an earlier or a tagged variant reads it.
        let _ = variant.constraints.keeps_unchecked();
    }
    for variant in &data.variants {
        let unit = matches!(variant.body, Body::Unit);
        if !variant.aliases.is_empty()
            && !unit
            && matches!(data.tagging, Tagging::External)
            && !variant.constraints.keeps_unchecked()
        {
            let message = "the server prunes an `alias` before serde can read it; remove the alias, or add \
                           `#[crd(unchecked(\"why\"))]` to admit it too";
            report(errors, variant.span, message);
        }
        if let Tagging::Internal(tag) = &data.tagging
            && let Body::Object(object) = &variant.body
            && let Some(field) = object.fields.iter().find(|field| field.wire == *tag)
        {
            report(errors, field.span, format_args!("this field has the name of the tag, `{tag}`"));
        }
    }
}

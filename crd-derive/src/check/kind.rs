//! Checks of a kind: scope, versions, subresources, columns, conversion.
//!
//! Source: `pkg/apis/apiextensions/validation/validation.go`, the parts that need one version only.

use std::collections::BTreeSet;

use crd_cel::attribute::{self, is_label, is_subdomain};
use crd_cel::domain::url::Url;
use darling::error::Accumulator;
use darling::util::{Override, SpannedValue};
use quote::ToTokens;
use syn::spanned::Spanned;

use super::names::{self, is_qualified};
use super::{paths, rules, webhook};
use crate::literal::Text;
use crate::model::{
    Column, Field, Kind, Model, Object, Oldest, Pair, Root, Scale, is_always_derived,
};
use crate::needs::{self, Need};
use crate::report::{report, report_duplicates};
use crate::types::{self, JsonType};

/// The most selectable fields of a version. Source: `validation.go`, `MaxSelectableFields`.
const MAX_SELECTABLE: usize = 8;
/// The longest warning of a deprecated version, in bytes. Source: `validateDeprecationWarning`.
const MAX_WARNING_BYTES: usize = 256;
/// The types of columns.
const COLUMN_TYPES: [&str; 5] = ["boolean", "date", "integer", "number", "string"];
/// The formats of columns.
const COLUMN_FORMATS: [&str; 8] =
    ["byte", "date", "date-time", "double", "float", "int32", "int64", "password"];

pub(super) fn check(model: &Model, kind: &Kind, errors: &mut Accumulator) {
    names::check(kind, errors);
    root(model, kind, errors);
    require_type_meta(model, kind, errors);
    scope(kind, errors);
    deprecation(kind, errors);
    if let Some(scale) = kind.scale.as_deref() {
        check_scale(scale, errors);
    }
    columns(kind, errors);
    selectable(model, kind, errors);
    metadata(kind, errors);
    if let Some(conversion) = &kind.conversion {
        webhook::check(&conversion.webhook, errors);
    }
    for rule in &kind.root_rule {
        rules::check_rule(rule, errors);
    }
    oldest_server(model, kind, errors);
}

/// Rejects attributes that need a newer Kubernetes than the oldest one that the kind supports.
fn oldest_server(model: &Model, kind: &Kind, errors: &mut Accumulator) {
    // rustc compares a constant.
    let Oldest::Version(oldest) = kind.oldest else { return };
    let oldest = oldest.minor();
    for Need { what, since, span } in needs::of_kind(model, kind) {
        if since > oldest {
            let message = format_args!(
                "{what} needs Kubernetes 1.{since}; this kind is for 1.{oldest} and later"
            );
            report(errors, span, message);
        }
    }
}

/// Requires `apiVersion` and `kind` in a root type, because the server rejects objects without them.
///
/// A flattened field of an unrecognized type may have them.
fn require_type_meta(model: &Model, kind: &Kind, errors: &mut Accumulator) {
    let Some(object) = model.body.object().filter(|_| kind.is_root()) else { return };
    let has_field = |name: &str| object.fields.iter().any(|field| field.wire == name);
    let may_have_them = |field: &Field| field.flatten && !field.is_recognized();
    if object.fields.iter().any(may_have_them) || (has_field("apiVersion") && has_field("kind")) {
        return;
    }
    let message = format_args!(
        "`{}` has `metadata`, which makes it a root type, but no `apiVersion` and `kind`; add \
         `#[serde(flatten)] type_meta: crd_runtime::TypeMeta<Self>`, or `root = ..` if this is a field of the spec",
        model.ident
    );
    report(errors, model.ident.span(), message);
}

/// Requires `apiVersion` and `kind` to be strings, as the server declares them for every object.
///
/// Source: `pkg/apiserver/schema/validation.go`, `validateStructuralInvariants` with `isRoot`.
fn require_text_type_meta(model: &Model, errors: &mut Accumulator) {
    for field in model.body.fields().iter().filter(|field| !field.flatten) {
        if matches!(field.wire.as_str(), "apiVersion" | "kind")
            && !matches!(field.json, JsonType::Text | JsonType::Unknown)
        {
            let message = format_args!(
                "`{}` of a root type must be a string; replace the field with `#[serde(flatten)] type_meta: TypeMeta<Self>`",
                field.wire
            );
            report(errors, field.ty.span(), message);
        }
    }
}

/// Rejects a list `items` at the root of objects: the server takes such an object for a list of objects.
///
/// Source: `unstructuredJSONScheme.decode` of apimachinery `pkg/apis/meta/v1/unstructured/helpers.go`.
fn reject_list_of_items(model: &Model, errors: &mut Accumulator) {
    let is_list =
        |field: &&Field| !field.flatten && field.wire == "items" && field.json == JsonType::List;
    if let Some(field) = model.body.fields().iter().find(is_list) {
        let message = "`items` of a root type cannot be a list, because the server takes such an object for a list of \
                       objects; rename the field, or move it below `spec`";
        report(errors, field.ty.span(), message);
    }
}

fn root(model: &Model, kind: &Kind, errors: &mut Accumulator) {
    if !model.generics.params.is_empty() {
        let message = "a kind has one schema, so its type cannot be generic";
        report(errors, model.generics.span(), message);
    }
    match &kind.root {
        Root::Generated(root) if *root == model.ident => {
            let message = format_args!(
                "the generated root type has the name of this struct; rename the struct to `{root}Spec`, name the \
                 root type with `root = ..`, or add `metadata: ObjectMeta` to make this struct the root"
            );
            report(errors, model.ident.span(), message);
        }
        Root::Generated(root) if kind.is_status(root) => {
            let message = format_args!(
                "`{root}` is the generated root type; rename the type of the status, or name the root type with `root = ..`"
            );
            report(errors, kind.status().span(), message);
        }
        Root::Generated(_)
            if kind.attrs.root.is_none()
                && is_label(&kind.kind.value.to_lowercase())
                && syn::parse_str::<syn::Ident>(&kind.kind.value).is_err() =>
        {
            let Text { value, span } = &kind.kind;
            let message = format_args!(
                "`{value}` is not a valid Rust name for the generated root type; name it with `root = ..`"
            );
            report(errors, *span, message);
        }
        Root::Generated(_) => root_derives_and_attributes(kind, errors),
        Root::Itself(_) => {
            require_text_type_meta(model, errors);
            reject_list_of_items(model, errors);
            let what = "applies only to a generated root type; this struct has `metadata`, which makes it the root";
            for (span, key) in [
                (kind.attrs.root.as_ref().map(SpannedValue::span), "root"),
                (kind.derive.as_ref().map(SpannedValue::span), "derive"),
                (kind.attributes().next().map(Spanned::span), "attr"),
            ] {
                if let Some(span) = span {
                    report(errors, span, format_args!("`{key}` {what}"));
                }
            }
            if let Some(rule) = kind.root_rule.first() {
                let message = "`root_rule` applies only to a generated root type; this struct is the root, so use `rule`";
                report(errors, rule.expression.span(), message);
            }
            if let Some(description) = &kind.root_description {
                let message = "`root_description` applies only to a generated root type; this struct is the root, so use a \
                               doc comment, or `description`";
                report(errors, description.span(), message);
            }
            status(model, kind, errors);
        }
    }
}

/// Rejects derives that the generated root always has, and the attributes `serde` and `crd`, which belong on the spec.
fn root_derives_and_attributes(kind: &Kind, errors: &mut Accumulator) {
    for path in kind.derive.iter().flat_map(|list| list.iter()) {
        if is_always_derived(path) {
            let name = path.segments.last().map(|segment| segment.ident.to_string());
            let name = name.unwrap_or_default();
            let message =
                format_args!("the generated root type always derives `{name}`; remove it here");
            report(errors, path.span(), message);
        }
    }
    for meta in kind.attributes() {
        let path = meta.path();
        if path.is_ident("serde") || path.is_ident("crd") {
            let message = "the generated root type takes no `serde` and `crd` attributes; put this on the spec";
            report(errors, path.span(), message);
        }
    }
}

/// Requires the field `status` of a handwritten root to have the type of `status = ..`.
fn status(model: &Model, kind: &Kind, errors: &mut Accumulator) {
    let (Some(status), Some(object)) = (kind.status(), model.body.object()) else { return };
    // Errors show the path of the status as a type: `Status<T>`, not `Status::<T>`.
    let ty = status.to_token_stream().to_string().replace(' ', "").replace("::<", "<");
    let Some(field) = object.fields.iter().find(|field| field.wire == "status") else {
        if !object.fields.iter().any(|field| field.flatten && !types::is_type_meta(&field.ty)) {
            let message =
                format_args!("the struct has no field `status`; add `status: Option<{ty}>`");
            report(errors, status.span(), message);
        }
        return;
    };
    if let Some(schema) = kind.status_schema() {
        let message = "this struct is the root; put this key on its field `status`";
        report(errors, schema.span(), message);
    }
    // rustc compares the type with the `Option` of that of the attribute: it may be an alias.
    let is_status = match (&field.ty, status.segments.last()) {
        (syn::Type::Path(ty), Some(status)) => {
            ty.path.segments.last().is_some_and(|last| last.ident == status.ident)
        }
        _ => false,
    };
    if types::option(&field.ty).is_none() && (is_status || field.json != JsonType::Unknown) {
        let message = format_args!(
            "`status` cannot be required, because the server removes it from created objects; use `Option<{ty}>`"
        );
        report(errors, field.ty.span(), message);
    }
}

fn scope(kind: &Kind, errors: &mut Accumulator) {
    match (kind.namespaced.is_present(), kind.cluster.is_present()) {
        (true, true) => {
            report(errors, kind.cluster.span(), "`cluster` conflicts with `namespaced`");
        }
        (false, false) => {
            let message = "a kind needs a scope; add `namespaced` or `cluster`";
            report(errors, kind.kind.span, message);
        }
        _ => {}
    }
}

fn deprecation(kind: &Kind, errors: &mut Accumulator) {
    let Some(Override::Explicit(warning)) = kind.deprecated.as_deref() else { return };
    if warning.value.is_empty() {
        let message = "the warning is empty; write `deprecated` without a value for the server's default warning";
        report(errors, warning.span, message);
    } else if warning.value.len() > MAX_WARNING_BYTES {
        let message = format_args!("the warning is longer than {MAX_WARNING_BYTES} bytes");
        report(errors, warning.span, message);
    } else if warning.value.chars().any(char::is_control) {
        report(errors, warning.span, "the warning contains a control character");
    }
}

fn check_scale(scale: &Scale, errors: &mut Accumulator) {
    let mut path = |text: &Text, roots: &[&str]| {
        if let Err(message) = paths::scale(&text.value, roots) {
            report(errors, text.span, message);
        }
    };
    path(&scale.spec, &[".spec"]);
    path(&scale.status, &[".status"]);
    if let Some(selector) = &scale.selector {
        path(selector, &[".spec", ".status"]);
    }
}

fn columns(kind: &Kind, errors: &mut Accumulator) {
    let mut seen = BTreeSet::new();
    for column in &kind.print_column {
        let span = column.span();
        for (text, key, example) in [
            (&column.name, "name", "name = \"Replicas\""),
            (&column.ty, "type", "type = \"integer\""),
            (&column.path, "path", "path = \".spec.replicas\""),
        ] {
            if text.is_none() {
                let message =
                    format_args!("a printer column on the kind needs `{key}`, such as `{example}`");
                report(errors, span, message);
            }
        }
        check_column(column, errors);
        if !column.unchecked {
            duplicate(column.name.as_ref(), &mut seen, errors);
        }
    }
}

fn duplicate(name: Option<&Text>, seen: &mut BTreeSet<String>, errors: &mut Accumulator) {
    if let Some(name) = name
        && !seen.insert(name.value.to_lowercase())
    {
        report(errors, name.span, format_args!("duplicate printer column `{}`", name.value));
    }
}

/// Checks a column of the kind or of a field.
fn check_column(column: &SpannedValue<Column>, errors: &mut Accumulator) {
    let Column { name, ty, path, description: _, format, priority: _, unchecked: _ } = &**column;
    if let Some(name) = name
        && name.value.trim().is_empty()
    {
        report(errors, name.span, "the column's name is blank");
    }
    let types = (ty, COLUMN_TYPES.as_slice(), "type");
    let formats = (format, COLUMN_FORMATS.as_slice(), "format");
    for (text, known, key) in [types, formats] {
        if let Some(text) = text
            && !known.contains(&text.value.as_str())
        {
            let similar = rules::similar(&text.value, known.iter().copied());
            let hint = similar.map(|other| format!("; did you mean `{other}`?"));
            let (known, hint) = (known.join(", "), hint.unwrap_or_default());
            let message = format_args!("`{key}` of a column must be one of {known}{hint}");
            report(errors, text.span, message);
        }
    }
    if let Some(path) = path
        && let Err(message) = paths::column(&path.value)
    {
        report(errors, path.span, message);
    }
}

/// Rejects `print_column` and `selectable` on fields without a JSON path.
pub(super) fn no_columns(fields: &[Field], errors: &mut Accumulator) {
    for field in fields {
        let columns = field.columns.iter().map(|column| (column.span(), "print_column"));
        let selectable = field.selectable.iter().map(|span| (*span, "selectable"));
        for (span, key) in columns.chain(selectable) {
            let message = format_args!(
                "`{key}` applies only to fields of structs, which have a path; put it on the kind, such as \
                 `{key}({} \".spec.path\")`",
                if key == "selectable" { "path =" } else { "name = \"..\", type = \"..\", path =" }
            );
            report(errors, span, message);
        }
    }
}

/// Checks `print_column` and `selectable` of a field.
pub(super) fn field_columns(field: &Field, errors: &mut Accumulator) {
    for column in &field.columns {
        check_column(column, errors);
        if field.flatten {
            report(
                errors,
                column.span(),
                "`print_column` does not apply to a flattened field, which has no value of its own",
            );
        }
    }
    let Some(span) = field.selectable else { return };
    if field.wire.contains(['.', '[', ']']) {
        let message = format_args!(
            "`{}` cannot be selectable: field selectors split paths at dots",
            field.wire
        );
        report(errors, span, message);
    }
    if field.flatten || matches!(field.json, JsonType::Number | JsonType::List | JsonType::Map) {
        let is = if field.flatten { "a flattened field" } else { field.json.with_article() };
        let message =
            format_args!("only strings, booleans and integers can be selectable; this is {is}");
        report(errors, span, message);
    }
}

/// Rejects columns of a struct that have the same name.
pub(super) fn duplicate_field_columns(object: &Object, errors: &mut Accumulator) {
    let mut seen = BTreeSet::new();
    for column in object.fields.iter().flat_map(|field| &field.columns) {
        if !column.unchecked {
            duplicate(column.name.as_ref(), &mut seen, errors);
        }
    }
}

fn selectable(model: &Model, kind: &Kind, errors: &mut Accumulator) {
    let mut seen = BTreeSet::new();
    let spans: Vec<_> = model.body.fields().iter().filter_map(|field| field.selectable).collect();
    let own = spans.len();
    if let Some(span) = spans.get(MAX_SELECTABLE) {
        let message = format_args!("a version has at most {MAX_SELECTABLE} selectable fields");
        report(errors, *span, message);
    }
    for (index, Text { value, span }) in kind.selectable.iter().enumerate() {
        if let Err(message) = paths::selectable(value) {
            report(errors, *span, message);
        } else if !seen.insert(value) {
            report(errors, *span, format_args!("duplicate path `{value}`"));
        }
        if index + own == MAX_SELECTABLE {
            let message = format_args!("a version has at most {MAX_SELECTABLE} selectable fields");
            report(errors, *span, message);
        }
    }
}

/// Checks labels and annotations of the CRD, and the approval that a group below `k8s.io` or `kubernetes.io` needs.
fn metadata(kind: &Kind, errors: &mut Accumulator) {
    for pairs in [&kind.annotation, &kind.label] {
        report_duplicates(errors, pairs.iter().map(|pair| &pair.key), "key");
    }
    let annotations = kind.annotation.iter().map(|pair| (pair, false));
    let labels = kind.label.iter().map(|pair| (pair, true));
    for (Pair { key, value }, label) in annotations.chain(labels) {
        let (prefix, name) = match key.value.split_once('/') {
            Some((prefix, name)) => (Some(prefix), name),
            None => (None, key.value.as_str()),
        };
        // The server converts the keys of annotations to lowercase before it checks them.
        let is_prefix = |prefix: &str| {
            if label { is_subdomain(prefix) } else { is_subdomain(&prefix.to_lowercase()) }
        };
        if prefix.is_some_and(|prefix| !is_prefix(prefix)) || !is_qualified(name) {
            let message = "a key must be at most 63 letters, digits, `-`, `_` or `.`, and start and end with a letter \
                           or digit, optionally after a lowercase domain and `/`";
            report(errors, key.span, message);
        }
        if label && !value.value.is_empty() && !is_qualified(&value.value) {
            let message = "a label value must be at most 63 letters, digits, `-`, `_` or `.`, and start and end with \
                           a letter or digit";
            report(errors, value.span, message);
        }
    }
    if kind.group.text().is_none_or(|group| attribute::is_protected(&group.value)) {
        approval(kind, errors);
    }
}

/// Checks the annotation with the approval of a kind whose group is protected, or is a constant.
fn approval(kind: &Kind, errors: &mut Accumulator) {
    let Some(Pair { value: Text { value, span }, .. }) = kind.approval() else {
        if let Some(group) = kind.group.text() {
            names::pass(errors, group.span, attribute::unapproved(&group.value));
        }
        return;
    };
    let is_url = |text: &str| {
        Url::parse_request(text).is_ok_and(|url| !url.host().is_empty() && !url.scheme().is_empty())
    };
    if !value.starts_with("unapproved") && !is_url(value) {
        let message = "`api-approved.kubernetes.io` must be the URL of the approval, or start with `unapproved`";
        report(errors, *span, message);
    }
}

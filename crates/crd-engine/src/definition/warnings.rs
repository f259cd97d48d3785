//! The server's warnings.

use std::collections::BTreeSet;

use crd_cel::gofmt;
use crd_cel::kubernetes::KubernetesVersion;

use super::internal::Internal;
use super::search;
use crate::compiled::is_format_of_type;
use crate::differences::Difference;
use crate::model::SchemaOrArray;

/// Returns the warnings for a new definition.
///
/// Source: `strategy.WarningsOnCreate`.
pub(super) fn of_create(crd: &Internal<'_>, kubernetes: KubernetesVersion) -> Vec<String> {
    let formats = unrecognized_formats(crd, kubernetes).into_iter().map(text);
    formats.chain(warnings_of_sets(crd, kubernetes)).collect()
}

/// Returns the warnings for a definition that replaces another, without those that the old one has
/// too.
///
/// Source: `strategy.WarningsOnUpdate`.
pub(super) fn of_update(
    crd: &Internal<'_>,
    old: &Internal<'_>,
    kubernetes: KubernetesVersion,
) -> Vec<String> {
    let known: BTreeSet<&str> = unrecognized_formats(old, kubernetes).into_iter().collect();
    let formats = unrecognized_formats(crd, kubernetes);
    let formats = formats.into_iter().filter(|format| !known.contains(format)).map(text);
    let known = warnings_of_sets(old, kubernetes);
    let sets = warnings_of_sets(crd, kubernetes).into_iter().filter(|text| !known.contains(text));
    formats.chain(sets).collect()
}

fn text(format: &str) -> String {
    format!("unrecognized format {}", gofmt::quote(format))
}

/// The formats that are unknown for their type, each as often as it occurs.
fn unrecognized_formats<'a>(crd: &Internal<'a>, kubernetes: KubernetesVersion) -> Vec<&'a str> {
    let mut formats = Vec::new();
    if !Difference::FormatWarnings.is_in(kubernetes) {
        return formats;
    }
    let all_types = Difference::FormatWarningsOfAllTypes.is_in(kubernetes);
    for schema in crd.schemas() {
        search::each(schema, &mut |schema| {
            if !schema.format.is_empty()
                && (all_types || schema.type_ == "string")
                && !is_format_of_type(&schema.format, &schema.type_, kubernetes)
            {
                formats.push(schema.format.as_str());
            }
        });
    }
    formats
}

/// The sorted warnings for sets whose items are objects or lists, one for each of these two types.
///
/// Source: `getNonScalarListTypeSetWarnings`.
fn warnings_of_sets(crd: &Internal<'_>, kubernetes: KubernetesVersion) -> BTreeSet<String> {
    let mut warnings = BTreeSet::new();
    if !Difference::ListTypeWarnings.is_in(kubernetes) {
        return warnings;
    }
    for schema in crd.schemas() {
        search::each(schema, &mut |schema| {
            let Some(SchemaOrArray::Schema(items)) = &schema.items else { return };
            let is_set = schema.x_list_type.as_deref() == Some("set");
            if is_set && matches!(items.type_.as_str(), "object" | "array") {
                warnings.insert(format!(
                    "x-kubernetes-list-type: set for items of type \"{}\" is not supported by \
                     server-side apply or CEL validation rules",
                    items.type_
                ));
            }
        });
    }
    warnings
}

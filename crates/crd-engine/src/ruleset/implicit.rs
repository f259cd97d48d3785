//! The type and the metadata of a resource, which rules see whether its schema declares them or not.
//!
//! Source: `pkg/apiserver/schema/cel/model/schemas.go`.

use std::sync::LazyLock;

use crd_cel::kubernetes::{Change, KubernetesVersion};

use crate::schema::{Generic, Structural};

/// The properties that resources have, whether their schema declares them or not.
static TYPE_AND_OBJECT_META: LazyLock<[(&str, Structural); 3]> = LazyLock::new(|| {
    let of_type = |type_: &str| Structural {
        generic: Generic { type_: type_.to_owned(), ..Generic::default() },
        ..Structural::default()
    };
    let mut metadata = of_type("object");
    for name in ["name", "generateName"] {
        metadata.properties.insert(name.to_owned(), of_type("string"));
    }
    [("apiVersion", of_type("string")), ("kind", of_type("string")), ("metadata", metadata)]
});

/// The metadata that resources have.
fn implicit_metadata() -> &'static Structural {
    let [_, _, (_, metadata)] = &*TYPE_AND_OBJECT_META;
    metadata
}

/// As [`implicit_metadata`], with the largest length of `name`: that of a DNS subdomain, or less if the schema has a
/// smaller `maxLength`. `generateName` is shorter, because the server appends at least one byte.
///
/// Source: `pkg/apiserver/schema/cel/model/schemas.go`, `cappedLengthStringType`.
pub(super) fn metadata_of(schema: &Structural, kubernetes: KubernetesVersion) -> Structural {
    /// In code points. Source: `DNS1123SubdomainMaxLength`.
    const MAX_NAME: i64 = 253;
    let mut metadata = implicit_metadata().clone();
    if kubernetes.has(Change::NamesAreBounded) {
        let declared = schema.properties.get("metadata");
        for (name, most) in [("name", MAX_NAME), ("generateName", MAX_NAME - 1)] {
            let own = declared.and_then(|metadata| metadata.properties.get(name));
            let own = own.and_then(|name| name.validation.max_length);
            if let Some(name) = metadata.properties.get_mut(name) {
                name.validation.max_length = Some(own.map_or(most, |own| own.min(most)));
            }
        }
    }
    metadata
}

/// Whether a property is [`implicit_metadata`], not the metadata that a schema declares.
pub(super) fn is_metadata(property: &Structural) -> bool {
    std::ptr::eq(property, implicit_metadata())
}

/// The schema of a list's elements.
///
/// Upstream: `WithTypeAndObjectMeta` drops it, so that a list that is a resource has no schema for its elements.
pub(super) fn items(schema: &Structural, resource: bool) -> Option<&Structural> {
    schema.items.as_deref().filter(|_| !resource || has_type_and_object_meta(schema))
}

/// The properties that rules see; those of a resource include `apiVersion`, `kind` and `metadata`.
///
/// Source: `pkg/apiserver/schema/cel/model/schemas.go`, `WithTypeAndObjectMeta`.
pub(super) fn properties(schema: &Structural, resource: bool) -> Vec<(&str, &Structural)> {
    let declared = schema.properties.iter().map(|(name, schema)| (name.as_str(), schema));
    if !resource || has_type_and_object_meta(schema) {
        return declared.collect();
    }
    let implicit = TYPE_AND_OBJECT_META.iter().map(|(name, schema)| (*name, schema));
    let is_implicit = |name: &str| TYPE_AND_OBJECT_META.iter().any(|(other, _)| *other == name);
    let mut all: Vec<_> = declared.filter(|(name, _)| !is_implicit(name)).chain(implicit).collect();
    all.sort_by_key(|(name, _)| *name);
    all
}

/// Returns one of [`properties`] by its name.
pub(super) fn property<'s>(
    schema: &'s Structural,
    resource: bool,
    name: &str,
) -> Option<&'s Structural> {
    let implicit = (resource && !has_type_and_object_meta(schema))
        .then(|| TYPE_AND_OBJECT_META.iter().find(|(other, _)| *other == name))
        .flatten();
    match implicit {
        Some((_, property)) => Some(property),
        None => schema.properties.get(name),
    }
}

fn has_type_and_object_meta(schema: &Structural) -> bool {
    let is = |schema: Option<&Structural>, type_| schema.is_some_and(|s| s.generic.type_ == type_);
    let property = |name: &str| schema.properties.get(name);
    let metadata = |name: &str| property("metadata").and_then(|s| s.properties.get(name));
    is(property("kind"), "string")
        && is(property("apiVersion"), "string")
        && is(property("metadata"), "object")
        && is(metadata("name"), "string")
        && is(metadata("generateName"), "string")
}

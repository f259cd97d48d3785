//! Visits the schemas with rules, children before parents, with their types and bounds.
//!
//! Source: `pkg/apis/apiextensions/validation/cel_validation.go`, `CELSchemaContext`.

use std::rc::Rc;

use crd_cel::kubernetes::KubernetesVersion;

use super::cost;
use super::declare::{LazyDecl, TypedSchema, not_negative};
use crate::field::Path;
use crate::schema::{AdditionalProperties, Structural, ValueValidation};

/// A schema in the walk.
pub(super) struct SchemaVisit<'s> {
    pub(super) schema: &'s Structural,
    /// The server that checks it.
    pub(super) kubernetes: KubernetesVersion,
    /// The CEL type of its values.
    pub(super) typing: Typing<'s>,
    /// How many such values an object can have, if that is bounded.
    pub(super) cardinality: Option<u64>,
    /// The product of the bounds above; lists and maps without a bound are left out.
    pub(super) bounded: u64,
    /// The schemas above that lack a bound, innermost first.
    pub(super) unbounded: Option<Rc<Unbounded>>,
    /// The path of the outermost schema above whose items or properties cannot be correlated with old ones.
    pub(super) uncorrelatable: Option<String>,
}

/// The CEL type of the values of a schema.
///
/// Source: `CELSchemaContext.TypeInfo`.
#[derive(Debug, Clone)]
pub(super) enum Typing<'s> {
    /// No type is needed, because this schema and those above have no rules.
    Unneeded,
    /// CEL has no type for this schema or for one above it, up to the topmost one with rules. The schemas below have no
    /// type either.
    Failed,
    /// The declared type; `None` if the type of the schema above is neither a list nor a map.
    As(Option<LazyDecl<'s>>),
}

impl<'s> Typing<'s> {
    /// The typing by a schema's own declaration; [`Typing::Failed`] if it has none.
    fn of(seen: Option<LazyDecl<'s>>) -> Self {
        seen.map_or(Self::Failed, |seen| Self::As(Some(seen.sharing())))
    }

    /// The typing of a schema below; `from_above` finds its declaration in that of this schema, if there is one.
    fn below(
        &self,
        schema: &'s Structural,
        kubernetes: KubernetesVersion,
        from_above: impl FnOnce(Option<&LazyDecl<'s>>) -> Option<Self>,
    ) -> Self {
        let own = || Self::of(LazyDecl::of(TypedSchema::of(schema, kubernetes)));
        match self {
            Self::Unneeded if has_rules(schema) => own(),
            Self::Unneeded => Self::Unneeded,
            Self::Failed => Self::Failed,
            Self::As(seen) => from_above(seen.as_ref()).unwrap_or_else(own),
        }
    }
}

/// A list or map without a bound on the number of its entries.
#[derive(Debug)]
pub(super) struct Unbounded {
    pub(super) path: String,
    pub(super) keyword: &'static str,
    /// Whether `allOf` has a bound, which does not count.
    pub(super) is_bounded_in_all_of: bool,
    pub(super) above: Option<Rc<Unbounded>>,
}

/// Returns whether a bound is given in `allOf`, where estimates do not look.
pub(super) fn is_in_all_of(bounds: &ValueValidation, keyword: &str) -> bool {
    let of = |bounds: &ValueValidation| match keyword {
        "maxLength" => bounds.max_length,
        "maxItems" => bounds.max_items,
        _ => bounds.max_properties,
    };
    bounds.all_of.iter().any(|part| of(&part.validation).is_some())
}

impl<'s> SchemaVisit<'s> {
    /// The root of a CRD's schema.
    pub(super) fn root(schema: &'s Structural, kubernetes: KubernetesVersion) -> Self {
        let typing = if has_rules(schema) {
            Typing::of(LazyDecl::of(TypedSchema { schema, resource: true, kubernetes }))
        } else {
            Typing::Unneeded
        };
        Self {
            schema,
            kubernetes,
            typing,
            cardinality: Some(1),
            bounded: 1,
            unbounded: None,
            uncorrelatable: None,
        }
    }
}

/// Visits the schemas with rules. Recursion follows the schema, whose depth is bounded.
pub(super) fn walk<'s>(
    visited: &SchemaVisit<'s>,
    path: &Path<'_>,
    visit: &mut dyn FnMut(&SchemaVisit<'_>, &Path<'_>),
) {
    let SchemaVisit { schema, typing, .. } = visited;
    let max = max_elements(schema);
    let cardinality = visited.cardinality.and_then(|count| Some(cost::times(count, max?)));
    let unbounded = if max.is_some() {
        visited.unbounded.clone()
    } else {
        let keyword = if schema.items.is_some() { "maxItems" } else { "maxProperties" };
        Some(Rc::new(Unbounded {
            path: path.to_string(),
            keyword,
            is_bounded_in_all_of: is_in_all_of(&schema.validation, keyword),
            above: visited.unbounded.clone(),
        }))
    };
    let kubernetes = visited.kubernetes;
    let child = |schema, typing, uncorrelatable| SchemaVisit {
        schema,
        kubernetes,
        typing,
        cardinality,
        bounded: cost::times(visited.bounded, max.unwrap_or(1)),
        unbounded: unbounded.clone(),
        uncorrelatable,
    };
    let element = |seen: Option<&LazyDecl<'s>>| Some(Typing::As(seen.and_then(LazyDecl::element)));
    if let Some(AdditionalProperties::Schema(values)) = &schema.additional_properties {
        let visited = child(
            values,
            typing.below(values, kubernetes, element),
            visited.uncorrelatable.clone(),
        );
        walk(&visited, &path.field("additionalProperties"), visit);
    }
    if !schema.properties.is_empty() {
        let correlates = is_correlatable(schema.extensions.map_type.as_deref());
        let properties_path = path.field("properties");
        for (name, property) in &schema.properties {
            let typing = typing.below(property, kubernetes, |seen| {
                let seen = seen?;
                let unnamed = || Typing::of(seen.unnamed(name, property));
                Some(seen.field(name).map_or_else(unnamed, |seen| Typing::As(Some(seen))))
            });
            let outermost = uncorrelatable(visited, correlates, path);
            walk(&child(property, typing, outermost), &properties_path.key(name), visit);
        }
    }
    if let Some(items) = &schema.items {
        let correlates = schema.extensions.list_type.as_deref() == Some("map");
        let outermost = uncorrelatable(visited, correlates, path);
        let visited = child(items, typing.below(items, kubernetes, element), outermost);
        walk(&visited, &path.field("items"), visit);
    }
    if has_rules(schema) {
        visit(visited, path);
    }
}

/// Whether a schema has rules of its own.
pub(super) fn has_rules(schema: &Structural) -> bool {
    schema.rules.as_ref().is_some_and(|rules| !rules.is_empty())
}

/// Whether the values of an object are correlated by key.
pub(super) fn is_correlatable(map_type: Option<&str>) -> bool {
    matches!(map_type, None | Some("granular" | "atomic"))
}

fn uncorrelatable(visited: &SchemaVisit<'_>, correlates: bool, path: &Path<'_>) -> Option<String> {
    let own = || (!correlates).then(|| path.to_string());
    visited.uncorrelatable.clone().or_else(own)
}

/// How many values a value of the schema can contain for each of its child schemas.
fn max_elements(schema: &Structural) -> Option<u64> {
    match schema.generic.type_.as_str() {
        "object" if schema.additional_properties.is_some() => {
            schema.validation.max_properties.map(not_negative)
        }
        "array" => schema.validation.max_items.map(not_negative),
        _ => Some(1),
    }
}

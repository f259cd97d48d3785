//! The schemas with rules, children before parents, with what the server knows of each place.
//!
//! Source: `pkg/apis/apiextensions/validation/cel_validation.go`, `CELSchemaContext`.

use std::collections::HashMap;
use std::rc::Rc;

use super::cost;
use super::declare::{self, not_negative};
use crate::field::Path;
use crate::schema::{AdditionalProperties, Structural};

/// A schema in the walk.
pub(super) struct Place<'s> {
    pub(super) schema: &'s Structural,
    /// What the schema is declared as: the implicit metadata of a resource in place of its own.
    pub(super) typed: &'s Structural,
    pub(super) resource: bool,
    /// Whether a schema above has rules.
    in_scope: bool,
    /// How often a value can be here in one object, where that is bounded.
    pub(super) cardinality: Option<u64>,
    /// The product of the bounds above, without what has none.
    pub(super) bounded: u64,
    /// The schemas above that lack a bound, innermost first.
    pub(super) unbounded: Option<Rc<Unbounded>>,
    /// The outermost schema whose values cannot be paired with old ones.
    pub(super) uncorrelatable: Option<String>,
}

/// A list or map without a bound on what it holds.
#[derive(Debug)]
pub(super) struct Unbounded {
    pub(super) path: String,
    pub(super) keyword: &'static str,
    pub(super) above: Option<Rc<Unbounded>>,
}

impl<'s> Place<'s> {
    /// The root of a CRD's schema.
    pub(super) fn root(schema: &'s Structural) -> Self {
        Self {
            schema,
            typed: schema,
            resource: true,
            in_scope: false,
            cardinality: Some(1),
            bounded: 1,
            unbounded: None,
            uncorrelatable: None,
        }
    }
}

/// Visits the schemas with rules. Recursion follows the schema, whose depth is bounded.
pub(super) fn walk(
    place: &Place<'_>,
    path: &Path<'_>,
    visit: &mut dyn FnMut(&Place<'_>, &Path<'_>),
) {
    let Place { schema, typed, .. } = *place;
    let in_scope = place.in_scope || has_rules(schema);
    let max = max_elements(schema);
    let cardinality = place.cardinality.and_then(|count| Some(cost::times(count, max?)));
    let unbounded = match max {
        Some(_) => place.unbounded.clone(),
        None => Some(Rc::new(Unbounded {
            path: path.to_string(),
            keyword: if schema.items.is_some() { "maxItems" } else { "maxProperties" },
            above: place.unbounded.clone(),
        })),
    };
    let child = |schema, typed: Option<_>, uncorrelatable| Place {
        schema,
        typed: typed.filter(|_| in_scope).unwrap_or(schema),
        resource: declare::is_resource(schema),
        in_scope,
        cardinality,
        bounded: cost::times(place.bounded, max.unwrap_or(1)),
        unbounded: unbounded.clone(),
        uncorrelatable,
    };
    if let Some(AdditionalProperties::Schema(values)) = &schema.additional_properties {
        let place = child(values, typed.additional_schema(), place.uncorrelatable.clone());
        walk(&place, &path.field("additionalProperties"), visit);
    }
    if !schema.properties.is_empty() {
        let exposed: HashMap<&str, &Structural> =
            declare::properties(typed, place.resource).into_iter().collect();
        let correlates = is_correlatable(schema.extensions.map_type.as_deref());
        let properties_path = path.field("properties");
        for (name, property) in &schema.properties {
            let typed = exposed.get(name.as_str()).copied();
            let outermost = uncorrelatable(place, correlates, path);
            walk(&child(property, typed, outermost), &properties_path.key(name), visit);
        }
    }
    if let Some(items) = &schema.items {
        let correlates = schema.extensions.list_type.as_deref() == Some("map");
        let outermost = uncorrelatable(place, correlates, path);
        walk(&child(items, typed.items.as_deref(), outermost), &path.field("items"), visit);
    }
    if has_rules(schema) {
        visit(place, path);
    }
}

/// Whether a schema has rules of its own.
pub(super) fn has_rules(schema: &Structural) -> bool {
    schema.rules.as_ref().is_some_and(|rules| !rules.is_empty())
}

/// Whether the values of an object's keys are paired by key.
pub(super) fn is_correlatable(map_type: Option<&str>) -> bool {
    matches!(map_type, None | Some("granular" | "atomic"))
}

fn uncorrelatable(place: &Place<'_>, correlates: bool, path: &Path<'_>) -> Option<String> {
    let own = || (!correlates).then(|| path.to_string());
    place.uncorrelatable.clone().or_else(own)
}

/// How many values a schema's value can hold, each of its child schemas taken for itself.
fn max_elements(schema: &Structural) -> Option<u64> {
    match schema.generic.type_.as_str() {
        "object" if schema.additional_properties.is_some() => {
            schema.validation.max_properties.map(not_negative)
        }
        "array" => schema.validation.max_items.map(not_negative),
        _ => Some(1),
    }
}

//! The compiled rules of a schema: a tree with a node for each schema that has rules, or that contains one that has.
//!
//! Source: `pkg/apiserver/schema/cel/validation.go`, `NewValidator`.

use std::sync::Arc;

use crd_cel::decl::Decl;
use crd_cel::escape::escape;
use crd_cel::kubernetes::KubernetesVersion;

use super::compile::{self, CompiledRule};
use super::declare::{LazyDecl, TypedSchema};
use super::walk::{has_rules, is_correlatable};
use crate::schema::Structural;

/// The compiled rules of a schema; empty if it has none.
///
/// It also has rules that do not compile, with their errors, and rules of a schema that the server rejects: check the
/// schema before you evaluate rules.
#[derive(Debug, Default)]
pub(crate) struct RuleTree {
    pub(crate) root: Option<RuleNode>,
}

/// The rules of one schema and of those below it.
#[derive(Debug)]
pub(crate) struct RuleNode {
    /// `type`; empty if absent.
    pub(crate) type_: String,
    /// The CEL type of the values; `None` if CEL has none.
    pub(crate) decl: Option<Arc<Decl>>,
    /// Whether the schema has rules that do not compile, because CEL has no type for the values.
    pub(crate) is_undeclared: bool,
    pub(crate) rules: Vec<CompiledRule>,
    /// Whether some rule refers to `oldSelf`.
    pub(crate) uses_old_self: bool,
    /// Whether old values are found by the keys of an object.
    pub(crate) correlates: bool,
    /// The keys by which old values are found in a list; empty if they are not found.
    pub(crate) list_map_keys: Vec<Box<str>>,
    pub(crate) items: Option<Box<RuleNode>>,
    pub(crate) additional: Option<Box<RuleNode>>,
    /// Sorted by name.
    pub(crate) properties: Vec<(Box<str>, RuleNode)>,
}

impl RuleTree {
    /// Compiles the rules of a structural schema that a server has stored. If `resource` is true, it is the schema of a
    /// whole object.
    pub(crate) fn compile(
        schema: &Structural,
        resource: bool,
        kubernetes: KubernetesVersion,
    ) -> Self {
        if !has_rules_within(schema) {
            return Self::default();
        }
        let typed = TypedSchema { schema, resource, kubernetes };
        Self { root: node(schema, LazyDecl::of(typed), kubernetes) }
    }
}

/// Whether a schema or one below it has rules. Recursion follows the schema, whose depth is bounded.
fn has_rules_within(schema: &Structural) -> bool {
    has_rules(schema)
        || schema.items.as_deref().is_some_and(has_rules_within)
        || schema.additional_schema().is_some_and(has_rules_within)
        || schema.properties.values().any(has_rules_within)
}

/// The rules at and below a schema, whose values have the CEL type `seen`; `None` if there are no rules.
/// Recursion follows the schema, whose depth is bounded.
fn node(
    schema: &Structural,
    seen: Option<LazyDecl<'_>>,
    kubernetes: KubernetesVersion,
) -> Option<RuleNode> {
    let own = has_rules(schema);
    let seen = if own { seen.map(LazyDecl::sharing) } else { seen };
    let decl = seen.as_ref().filter(|_| own).map(LazyDecl::declared);
    let target = compile::RuleTarget::stored(kubernetes);
    let rules =
        decl.as_ref().map(|decl| compile::compile(schema, decl, target)).unwrap_or_default();
    // Upstream: if items or values of a map have no CEL type, rules of their schema are an error. A property without a
    // CEL type is left out, with all rules below it.
    let element = |schema| {
        let seen = seen.as_ref().filter(|_| has_rules_within(schema));
        node(schema, seen.and_then(LazyDecl::element), kubernetes).map(Box::new)
    };
    let items = schema.items.as_deref().and_then(element);
    let additional = schema.additional_schema().and_then(element);
    let mut properties = Vec::new();
    for (name, property) in &schema.properties {
        let seen = match (escape(name), &seen) {
            (Some(_), seen) => seen.as_ref().and_then(|seen| seen.field(name)),
            // A property that rules cannot name is declared by itself.
            (None, Some(seen)) => seen.unnamed(name, property),
            (None, None) => LazyDecl::of(TypedSchema::of(property, kubernetes)),
        };
        if let Some(node) = seen.and_then(|seen| node(property, Some(seen), kubernetes)) {
            properties.push((name.as_str().into(), node));
        }
    }
    if !own && items.is_none() && additional.is_none() && properties.is_empty() {
        return None;
    }
    let extensions = &schema.extensions;
    let is_map_list = extensions.list_type.as_deref() == Some("map");
    let keys = extensions.list_map_keys.as_deref().filter(|_| is_map_list).unwrap_or_default();
    Some(RuleNode {
        type_: schema.generic.type_.clone(),
        uses_old_self: rules.iter().any(|rule| rule.uses_old_self),
        is_undeclared: own && decl.is_none(),
        decl,
        rules,
        correlates: is_correlatable(extensions.map_type.as_deref()),
        list_map_keys: keys.iter().map(|key| key.as_str().into()).collect(),
        items,
        additional,
        properties,
    })
}

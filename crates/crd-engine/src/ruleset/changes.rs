//! Finds rules that evaluate differently, or cost a different amount, on different servers.

use crd_cel::env::Env;
use crd_cel::kubernetes::{Change, Environment, KubernetesVersion};

use super::compile::environment;
use super::walk::{SchemaVisit, Typing, walk};
use crate::field::Path;
use crate::model::ValidationRule;
use crate::schema::{AdditionalProperties, Structural};

/// An expression of a rule, and a change between servers that can affect it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedRule {
    /// Where the expression is, `...x-kubernetes-validations[0].rule`.
    pub path: String,
    /// What changed between minor versions.
    pub change: Change,
    /// What it affects.
    pub effect: Effect,
}

/// What can differ when an expression is evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// The value of the expression.
    Value,
    /// The cost of its evaluation.
    Cost,
}

/// Finds the expressions of rules that a change between servers can affect. `path` is that of the schema. Expressions
/// that do not compile on the newest server are skipped.
pub fn changed_rules(schema: &Structural, path: &Path<'_>) -> Vec<ChangedRule> {
    let newest = KubernetesVersion::NEWEST;
    let mut found = Vec::new();
    walk(&SchemaVisit::root(schema, newest), path, &mut |visited, path| {
        let Typing::As(Some(seen)) = &visited.typing else { return };
        let declared = seen.declared();
        let rules = path.field("x-kubernetes-validations");
        for (i, rule) in visited.schema.rules.iter().flatten().enumerate() {
            let env = environment(rule, &declared, Environment::stored(newest));
            let ValidationRule { rule: source, message_expression, .. } = rule;
            for (name, source) in [("rule", source), ("messageExpression", message_expression)] {
                let changes = of_expression(source, &env, visited.schema).into_iter();
                let path = || rules.index(i).field(name).to_string();
                found.extend(changes.map(|(change, effect)| ChangedRule {
                    path: path(),
                    change,
                    effect,
                }));
            }
        }
    });
    found
}

fn of_expression(source: &str, env: &Env, schema: &Structural) -> Vec<(Change, Effect)> {
    if source.trim().is_empty() {
        return Vec::new();
    }
    let Ok(checked) = env.compile(source) else { return Vec::new() };
    let concerns_schema = |change: &Change| match change {
        Change::SetsOfValues => holds_lists_of_type(schema, &["set"]),
        Change::MapListsCompareBothWays => holds_lists_of_type(schema, &["map"]),
        Change::ListsAddValues => holds_lists_of_type(schema, &["set", "map"]),
        Change::NullFieldsAreEqual => holds_nullable_field(schema),
        _ => true,
    };
    let values = |change: &Change| change.concerns(&checked) && concerns_schema(change);
    let values = Change::ALL.iter().copied().filter(values).map(|change| (change, Effect::Value));
    let costs = Change::ALL.iter().copied().filter(|change| change.concerns_cost(&checked));
    values.chain(costs.map(|change| (change, Effect::Cost))).collect()
}

/// Whether there is a list of one of these types at a schema or below it.
fn holds_lists_of_type(schema: &Structural, types: &[&str]) -> bool {
    let is_one = schema.extensions.list_type.as_deref().is_some_and(|ty| types.contains(&ty));
    let below = |schema: &Structural| holds_lists_of_type(schema, types);
    is_one
        || schema.properties.values().any(below)
        || schema.items.as_deref().is_some_and(below)
        || matches!(&schema.additional_properties, Some(AdditionalProperties::Schema(values)) if below(values))
}

/// Whether a declared field at a schema or below it may be null.
fn holds_nullable_field(schema: &Structural) -> bool {
    schema
        .properties
        .values()
        .any(|property| property.generic.nullable || holds_nullable_field(property))
        || schema.items.as_deref().is_some_and(holds_nullable_field)
        || matches!(&schema.additional_properties, Some(AdditionalProperties::Schema(values)) if holds_nullable_field(values))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::model::JsonSchemaProps;

    #[test]
    fn lists_that_are_sets_may_compare_otherwise() {
        let schema = |list_type: &str| {
            let schema = json!({"type": "object", "properties": {"a": {
                "type": "array", "x-kubernetes-list-type": list_type, "items": {"type": "string"}}},
                "x-kubernetes-validations": [{"rule": "true"}, {"rule": "self.a == oldSelf.a"}]});
            let props: JsonSchemaProps = serde_json::from_value(schema).expect("a schema");
            Structural::try_from(&props).expect("a structural schema")
        };
        let found = |list_type| changed_rules(&schema(list_type), &Path::new("p"));
        let path = "p.x-kubernetes-validations[1].rule".to_owned();
        let change = Change::SetsOfValues;
        assert_eq!(found("set"), [ChangedRule { path, change, effect: Effect::Value }]);
        assert_eq!(found("atomic"), []);
    }
}

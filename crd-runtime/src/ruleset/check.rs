//! The rules of a schema as they are checked when a CRD is written: they compile, and the worst case
//! of all of them together stays within the server's limits.
//!
//! Source: `pkg/apis/apiextensions/validation/validation.go`,
//! `ValidateCustomResourceDefinitionOpenAPISchema`, and `cel_validation.go`, `CELSchemaContext`.

use super::compile::{self, Rule};
use super::cost::{self, RULE_COST_LIMIT, SCHEMA_COST_LIMIT, Total};
use super::declare::{self, declare, not_negative};
use crate::field::{BadValue, Error, ErrorList, Path};
use crate::json;
use crate::model::ValidationRule;
use crate::schema::{AdditionalProperties, Structural};

/// How the rules of a schema are checked.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Options {
    /// The schema is that of the stored CRD: the limit of a single rule is passed over, that of all
    /// of them is not.
    pub(crate) unchanged: bool,
}

/// Checks the rules of a whole schema that is structural and whose defaults are valid.
///
/// `schema_errors` are the other errors of the schema: where there is one at or below a schema, its
/// rules are not looked at. `path` is that of the root, `...openAPIV3Schema`.
pub(crate) fn check_rules(
    schema: &Structural,
    path: &Path<'_>,
    schema_errors: &ErrorList,
    options: Options,
) -> ErrorList {
    let mut checker =
        Checker { schema_errors, options, total: Total::default(), errors: ErrorList::new() };
    let root = Place {
        schema,
        typed: schema,
        resource: true,
        in_scope: false,
        cardinality: Some(1),
        uncorrelatable: None,
    };
    checker.walk(&root, path);
    let Checker { total, mut errors, .. } = checker;
    if total.sum > SCHEMA_COST_LIMIT {
        for (_, place) in &total.most_expensive {
            let detail = "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 \
                 schema";
            errors.push(Error::forbidden(&Path::new(place), detail));
        }
        let name = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema";
        let detail = cost::exceeds(name, total.sum, SCHEMA_COST_LIMIT);
        errors.push(Error::forbidden(path, detail));
    }
    errors
}

/// A schema in the walk.
struct Place<'s> {
    schema: &'s Structural,
    /// What the schema is declared as: the implicit metadata of a resource in place of its own.
    typed: &'s Structural,
    resource: bool,
    /// Whether a schema above has rules.
    in_scope: bool,
    /// How often a value can be here in one object, where that is bounded.
    cardinality: Option<u64>,
    /// The outermost schema whose values cannot be paired with old ones.
    uncorrelatable: Option<String>,
}

struct Checker<'e> {
    schema_errors: &'e ErrorList,
    options: Options,
    total: Total,
    errors: ErrorList,
}

impl Checker<'_> {
    /// Children before parents. Recursion follows the schema, whose depth is bounded.
    fn walk(&mut self, place: &Place<'_>, path: &Path<'_>) {
        let Place { schema, typed, .. } = *place;
        let in_scope = place.in_scope || has_rules(schema);
        let cardinality =
            place.cardinality.and_then(|count| Some(cost::times(count, max_elements(schema)?)));
        let child = |schema, typed: Option<_>, uncorrelatable| Place {
            schema,
            typed: typed.filter(|_| in_scope).unwrap_or(schema),
            resource: declare::is_resource(schema),
            in_scope,
            cardinality,
            uncorrelatable,
        };
        if let Some(AdditionalProperties::Schema(values)) = &schema.additional_properties {
            let place = child(values, typed.additional_schema(), place.uncorrelatable.clone());
            self.walk(&place, &path.field("additionalProperties"));
        }
        if !schema.properties.is_empty() {
            let exposed = declare::properties(typed, place.resource);
            let correlates = is_correlatable(schema.extensions.map_type.as_deref());
            let properties_path = path.field("properties");
            for (name, property) in &schema.properties {
                let typed = exposed.iter().find(|(other, _)| other == name).map(|(_, s)| *s);
                let outermost = uncorrelatable(place, correlates, path);
                self.walk(&child(property, typed, outermost), &properties_path.key(name));
            }
        }
        if let Some(items) = &schema.items {
            let correlates = schema.extensions.list_type.as_deref() == Some("map");
            let outermost = uncorrelatable(place, correlates, path);
            self.walk(&child(items, typed.items.as_deref(), outermost), &path.field("items"));
        }
        if has_rules(schema) {
            self.check(place, path);
        }
    }

    fn check(&mut self, place: &Place<'_>, path: &Path<'_>) {
        let own = path.to_string();
        if self.schema_errors.iter().any(|error| is_within(&error.field, &own)) {
            return;
        }
        let rules_path = path.field("x-kubernetes-validations");
        let declared = declare(place.typed, place.resource, TYPE_NAME);
        if !declared.exposed {
            let detail = "internal error: failed to construct type information for \
                          x-kubernetes-validations rules: unable to convert structural schema to CEL \
                          declarations";
            self.errors.push(Error::internal(&rules_path, detail));
            return;
        }
        for (i, rule) in compile::compile(place.schema, &declared.decl).iter().enumerate() {
            self.check_rule(rule, place, &rules_path.index(i));
        }
    }

    fn check_rule(&mut self, rule: &Rule, place: &Place<'_>, path: &Path<'_>) {
        let rule_path = path.field("rule");
        let cost = cost::times(rule.max_cost, place.cardinality.unwrap_or(rule.max_cardinality));
        if !self.options.unchanged && cost > RULE_COST_LIMIT {
            let detail = cost::exceeds("estimated rule cost", cost, RULE_COST_LIMIT);
            self.errors.push(Error::forbidden(&rule_path, detail));
        }
        self.total.add(cost, &rule_path);
        let invalid = |path: &Path<'_>, detail: &str| {
            Error::invalid(path, BadValue::Json(go_json(&rule.source)), detail)
        };
        if let Some(error) = &rule.error {
            self.errors.push(invalid(&rule_path, error));
        }
        let message_path = path.field("messageExpression");
        if let Some(error) = &rule.message_error {
            self.errors.push(invalid(&message_path, error));
        } else if let Some(message) = &rule.message {
            if !self.options.unchanged && message.max_cost > RULE_COST_LIMIT {
                let name = "estimated messageExpression cost";
                let detail = cost::exceeds(name, message.max_cost, RULE_COST_LIMIT);
                self.errors.push(Error::forbidden(&message_path, detail));
            }
            self.total.add(message.max_cost, &message_path);
        }
        if rule.uses_old_self {
            if let Some(outermost) = &place.uncorrelatable {
                let detail = format!(
                    "oldSelf cannot be used on the uncorrelatable portion of the schema within \
                     {outermost}"
                );
                self.errors.push(Error::invalid(&rule_path, &*rule.source.rule, detail));
            }
        } else if let Some(optional) = rule.source.optional_old_self {
            let detail = "may not be set if oldSelf is not used in rule";
            self.errors.push(Error::invalid(&path.field("optionalOldSelf"), optional, detail));
        }
    }
}

/// What the object types of a rule are called. The server has a number here that differs from run to
/// run, so that nobody writes it into a rule; error texts compare with the number left out.
pub(super) const TYPE_NAME: &str = "selfType0";

fn has_rules(schema: &Structural) -> bool {
    schema.rules.as_ref().is_some_and(|rules| !rules.is_empty())
}

fn uncorrelatable(place: &Place<'_>, correlates: bool, path: &Path<'_>) -> Option<String> {
    let own = || (!correlates).then(|| path.to_string());
    place.uncorrelatable.clone().or_else(own)
}

/// Whether the values of an object's keys are paired by key.
pub(super) fn is_correlatable(map_type: Option<&str>) -> bool {
    matches!(map_type, None | Some("granular" | "atomic"))
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

/// Whether a rendered path is `parent` or below it.
fn is_within(path: &str, parent: &str) -> bool {
    path.strip_prefix(parent).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

/// A rule as Go prints the internal type of it.
fn go_json(rule: &ValidationRule) -> String {
    let mut out = String::new();
    let fields = [
        ("{\"Rule\":", Some(&rule.rule)),
        (",\"Message\":", Some(&rule.message)),
        (",\"MessageExpression\":", Some(&rule.message_expression)),
        (",\"Reason\":", rule.reason.as_ref()),
        (",\"FieldPath\":", Some(&rule.field_path)),
    ];
    for (key, value) in fields {
        out.push_str(key);
        match value {
            Some(text) => json::write_string(&mut out, text),
            None => out.push_str("null"),
        }
    }
    let optional = match rule.optional_old_self {
        None => "null",
        Some(true) => "true",
        Some(false) => "false",
    };
    out + ",\"OptionalOldSelf\":" + optional + "}"
}

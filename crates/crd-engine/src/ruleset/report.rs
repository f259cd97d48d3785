//! Reports the estimated cost of each rule, and the missing bounds that would lower it most.
//!
//! The server reports neither.

use crd_cel::kubernetes::KubernetesVersion;

use super::bounds::{self, Bound};
use super::compile::{self, CompiledRule, RuleTarget};
use super::cost::{self, RULE_COST_LIMIT};
use super::declare::TypedSchema;
use super::walk::{SchemaVisit, Typing, walk};
use crate::field::Path;
use crate::model::ValidationRule;
use crate::schema::Structural;

/// A rule and its worst-case cost.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RuleReport {
    /// Where the rule is, `...x-kubernetes-validations[0]`.
    pub path: String,
    /// The rule as written.
    pub rule: String,
    /// The most that one evaluation is estimated to cost, in cost units.
    pub cost: u64,
    /// How often the rule can run in one object, if the schema bounds it.
    pub bounded_runs: Option<u64>,
    /// How often it can run in a request of the greatest size.
    pub unbounded_runs: u64,
    /// Whether the rule refers to `oldSelf`.
    pub uses_old_self: bool,
    /// Why the rule does not compile.
    pub error: Option<String>,
    /// The most that one evaluation of `messageExpression` is estimated to cost, in cost units.
    pub message_cost: Option<u64>,
    /// The bounds that would bring the rule within the limit, the one that lowers the cost most first. Empty if
    /// the rule is within the limit, or still above it with four bounds. There can be more than four, because the
    /// bounds of all lists and maps above the rule are added together.
    pub helpful_bounds: Vec<Bound>,
}

impl RuleReport {
    /// How often the rule can run in one object, by the estimate.
    pub fn runs(&self) -> u64 {
        self.bounded_runs.unwrap_or(self.unbounded_runs)
    }

    /// The most that the rule is estimated to cost in one object, in cost units.
    pub fn total(&self) -> u64 {
        cost::times(self.cost, self.runs())
    }

    /// The cost as a fraction of the limit of a rule: above 1 the server rejects the rule.
    #[expect(clippy::cast_precision_loss, reason = "a share for people to read")]
    pub fn share(&self) -> f64 {
        self.total() as f64 / RULE_COST_LIMIT as f64
    }
}

/// Reports every rule of a CRD's schema, which is at `path`, for a new definition on the server of a Kubernetes version.
pub fn report(
    schema: &Structural,
    path: &Path<'_>,
    kubernetes: KubernetesVersion,
) -> Vec<RuleReport> {
    report_within(schema, path, kubernetes, RULE_COST_LIMIT)
}

/// As [`report`], but [`RuleReport::helpful_bounds`] are those with which a rule would be within `limit`, in cost
/// units, in place of the server's limit. With a lower limit, they show what makes a rule expensive that the server
/// accepts.
pub fn report_within(
    schema: &Structural,
    path: &Path<'_>,
    kubernetes: KubernetesVersion,
    limit: u64,
) -> Vec<RuleReport> {
    reports(schema, path, kubernetes, |rule, visited, typed, path| {
        bounds::helpful(rule, visited, typed, path, limit)
    })
}

/// As [`report`], without the search for bounds, which takes longer than the rest.
pub fn estimate(
    schema: &Structural,
    path: &Path<'_>,
    kubernetes: KubernetesVersion,
) -> Vec<RuleReport> {
    reports(schema, path, kubernetes, |_, _, _, _| Vec::new())
}

fn reports(
    schema: &Structural,
    path: &Path<'_>,
    kubernetes: KubernetesVersion,
    helpful: impl Fn(&ValidationRule, &SchemaVisit<'_>, TypedSchema<'_>, &Path<'_>) -> Vec<Bound>,
) -> Vec<RuleReport> {
    let mut reports = Vec::new();
    walk(&SchemaVisit::root(schema, kubernetes), path, &mut |visited, path| {
        let Typing::As(Some(seen)) = &visited.typing else { return };
        let rules = compile::compile(visited.schema, &seen.declared(), RuleTarget::new(kubernetes));
        let rules_path = path.field("x-kubernetes-validations");
        for (i, rule) in rules.into_iter().enumerate() {
            let helpful_bounds = helpful(&rule.source, visited, seen.typed, path);
            reports.push(of_rule(rule, visited, &rules_path.index(i), helpful_bounds));
        }
    });
    reports
}

fn of_rule(
    rule: CompiledRule,
    visited: &SchemaVisit<'_>,
    path: &Path<'_>,
    helpful_bounds: Vec<Bound>,
) -> RuleReport {
    RuleReport {
        path: path.to_string(),
        rule: rule.source.rule,
        cost: rule.max_cost,
        bounded_runs: visited.cardinality,
        unbounded_runs: rule.max_cardinality,
        uses_old_self: rule.uses_old_self,
        error: rule.error.or(rule.message_error),
        message_cost: rule.message.map(|message| message.max_cost),
        helpful_bounds,
    }
}

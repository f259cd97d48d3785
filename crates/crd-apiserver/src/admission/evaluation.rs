//! Evaluates the expressions of webhooks and policies for a write.
//!
//! Source: `pkg/admission/plugin/cel/condition.go` and `activation.go` of k8s.io/apiserver.

use crd_cel::error::EvalError;
use crd_cel::value::Value as Cel;

use crd_engine::policy::{Expression, VARIABLES, Variable};

/// The limit of the CEL cost of a single expression. Source: `PerCallLimit`.
const PER_CALL: u64 = 1_000_000;
/// The limit of the CEL cost of all match conditions together. Source: `RuntimeCELCostBudgetMatchConditions`.
const CONDITIONS: u64 = 2_500_000;
/// The limit of the CEL cost of all validations of a policy together. Source: `RuntimeCELCostBudget`.
pub(super) const VALIDATIONS: u64 = 10_000_000;
/// The error if expressions exceed their common cost limit.
const OUT_OF_BUDGET: &str =
    "validation failed due to running out of cost budget, no further validation rules will be run";

/// The value of a variable of CEL, or the error of its use.
type Bound<'v> = (&'v str, Result<Cel<'v>, EvalError>);

/// The values of expressions, and the cost that is left; `None` stands for an expression that does not exist.
pub(super) type Evaluated<'v> = (Vec<Option<Result<Cel<'v>, String>>>, u64);

/// The variables that expressions see.
#[derive(Debug, Clone)]
pub(super) struct Scope<'v> {
    bound: Vec<Bound<'v>>,
    /// The variables of the policy.
    variables: &'v [Variable],
}

impl<'v> Scope<'v> {
    pub(super) fn new(bound: Vec<(&'v str, Cel<'v>)>, variables: &'v [Variable]) -> Self {
        Self {
            bound: bound.into_iter().map(|(name, value)| (name, Ok(value))).collect(),
            variables,
        }
    }

    /// Returns the scope without some of its variables.
    pub(super) fn without(&self, names: &[&str]) -> Self {
        let kept = self.bound.iter().filter(|(name, _)| !names.contains(name));
        Self { bound: kept.cloned().collect(), variables: self.variables }
    }

    /// Evaluates expressions. Each variable of the policy that they name is evaluated once.
    ///
    /// Upstream evaluates such a variable when it is first used, so one that is named and not used costs nothing there.
    ///
    /// # Errors
    /// [`OUT_OF_BUDGET`] if the expressions together cost more than `budget`.
    pub(super) fn evaluate(
        &self,
        expressions: impl IntoIterator<Item = Option<&'v Expression>>,
        mut budget: u64,
    ) -> Result<Evaluated<'v>, String> {
        let mut bound = self.bound.clone();
        let mut is_bound = vec![false; self.variables.len()];
        let mut results = Vec::new();
        for expression in expressions {
            let Some(expression) = expression else {
                results.push(None);
                continue;
            };
            self.bind(expression, &mut bound, &mut is_bound, &mut budget)?;
            let program = match &expression.program {
                Ok(program) => program,
                Err(why) => {
                    results.push(Some(Err(format!("compilation error: {why}"))));
                    continue;
                }
            };
            let outcome = program.eval_bound(&bound, PER_CALL);
            budget = budget.checked_sub(outcome.cost).ok_or(OUT_OF_BUDGET)?;
            results.push(Some(outcome.result.map_err(|error| {
                format!("expression '{}' resulted in error: {error}", expression.text)
            })));
        }
        Ok((results, budget))
    }

    /// Binds the variables of the policy that an expression names, and those that these name.
    fn bind(
        &self,
        expression: &Expression,
        bound: &mut Vec<Bound<'v>>,
        is_bound: &mut [bool],
        budget: &mut u64,
    ) -> Result<(), String> {
        let mut needed = vec![false; self.variables.len()];
        let mut need = |uses: &[usize]| uses.iter().for_each(|index| needed[*index] = true);
        need(&expression.uses);
        // A variable names only earlier ones.
        for (index, variable) in self.variables.iter().enumerate().rev() {
            if needed[index] {
                variable.expression.uses.iter().for_each(|index| needed[*index] = true);
            }
        }
        for (index, variable) in self.variables.iter().enumerate() {
            if !needed[index] || std::mem::replace(&mut is_bound[index], true) {
                continue;
            }
            let name = &variable.name;
            let value = match &variable.expression.program {
                Err(why) => Err(format!("composited variable {name:?} fails to compile: {why}")),
                Ok(program) => {
                    let outcome = program.eval_bound(bound, PER_CALL);
                    *budget = budget.checked_sub(outcome.cost).ok_or(OUT_OF_BUDGET)?;
                    outcome.result.map_err(|error| {
                        format!("composited variable {name:?} fails to evaluate: {error}")
                    })
                }
            };
            bound.push((&variable.full_name, value.map_err(EvalError::new)));
        }
        Ok(())
    }

    /// Returns whether all match conditions are true. Source: `matcher.Match`.
    ///
    /// # Errors
    /// If no condition is false: the errors of those that cannot be compiled or evaluated, or [`OUT_OF_BUDGET`].
    pub(super) fn holds(&self, conditions: &'v [Expression]) -> Result<bool, String> {
        let (results, _) = self.evaluate(conditions.iter().map(Some), CONDITIONS)?;
        let mut errors = Vec::new();
        for result in results.into_iter().flatten() {
            match result {
                Ok(Cel::Bool(true)) => {}
                // A single false condition decides, whatever the others evaluate to.
                Ok(_) => return Ok(false),
                Err(error) => errors.push(error),
            }
        }
        match errors.as_slice() {
            [] => Ok(true),
            [only] => Err(only.clone()),
            many => Err(format!("[{}]", many.join(", "))),
        }
    }
}

/// Returns the names of the variables of a policy as an object, whose fields expressions can test for presence.
pub(super) fn names_of(variables: &[Variable]) -> serde_json::Value {
    variables.iter().map(|variable| (variable.name.clone(), true)).collect()
}

/// Returns the binding of [`VARIABLES`].
pub(super) fn variables_as(names: &serde_json::Value) -> (&'static str, Cel<'_>) {
    (VARIABLES, Cel::undeclared(names))
}

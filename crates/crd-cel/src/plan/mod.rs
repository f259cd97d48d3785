//! Plans a checked expression for evaluation: variables become slots, overloads become functions,
//! and literals become values.
//!
//! The planner folds the same constants as cel-go's, because folding changes the cost of an
//! evaluation, and because an expression cannot be planned if folding a conversion fails.
//!
//! Source: `cel-go/interpreter/planner.go`, `decorators.go`; `cel-go/cel/program.go`, `newProgram`.

mod attribute;
mod call;
mod constant;
mod invoke;
mod node;
mod planner;

use std::fmt;
use std::sync::Arc;

pub(crate) use node::{
    Append, Attribute, Base, Call, Compare, FieldKey, Fold, Insert, MessageField, Node, Qualifier,
    QualifierKey, Quantifier, TextTestCall,
};

use crate::checked::Checked;
use crate::env::Env;
use crate::minors::KubernetesVersion;
use planner::Planner;

/// The deepest nesting of an expression, in nodes. The parser allows 250 levels, each of which may
/// become several nodes.
const MAX_DEPTH: u32 = 2_000;

/// A program: an expression that is ready to be evaluated, any number of times and in parallel.
#[derive(Debug)]
pub struct Program {
    pub(crate) root: Node,
    /// The environment's variables; the index of each is its slot.
    pub(crate) variables: Vec<Arc<str>>,
    /// The number of slots that an evaluation needs.
    pub(crate) slots: usize,
    /// The version of the server whose results and costs the evaluation reproduces.
    pub(crate) version: KubernetesVersion,
}

/// The error of an expression that cannot be planned. Displays cel-go's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanError(String);

impl PlanError {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PlanError {}

impl Program {
    /// Plans an expression that was checked in the same environment.
    ///
    /// # Errors
    /// If a conversion of a constant fails, a constant pattern is invalid, a name used as a type is
    /// not one, or a constant cannot be an index.
    pub fn plan(checked: &Checked, env: &Env) -> Result<Self, PlanError> {
        let mut planner = Planner::new(checked, env);
        let root = planner.plan(&checked.ast.root)?;
        let slots = planner.slots();
        let variables = env.variable_names().cloned().collect();
        Ok(Self { root, variables, slots, version: env.version() })
    }
}

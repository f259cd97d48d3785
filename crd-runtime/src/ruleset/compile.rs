//! The rules of one schema, compiled.
//!
//! Source: `pkg/apiserver/schema/cel/compilation.go`.

use std::sync::Arc;

use crd_cel::checked::{Checked, Reference};
use crd_cel::cost;
use crd_cel::decl::{Decl, Named};
use crd_cel::env::Env;
use crd_cel::plan::Program;
use crd_cel::types::Type;

use super::declare::{MAX_REQUEST_BYTES, TYPE_NAME};
use super::field_path;
use crate::model::ValidationRule;
use crate::schema::Structural;

/// The value a rule is about.
pub(crate) const SELF: &str = "self";
/// The value that was there before.
pub(crate) const OLD_SELF: &str = "oldSelf";

/// A rule, as far as it compiles.
#[derive(Debug)]
pub(crate) struct Rule {
    /// The rule as written.
    pub(crate) source: ValidationRule,
    /// `None` where the rule is blank or does not compile.
    pub(crate) program: Option<Program>,
    /// Why the rule does not compile.
    pub(crate) error: Option<String>,
    /// Whether the rule refers to `oldSelf`.
    pub(crate) uses_old_self: bool,
    /// The worst-case cost of one evaluation, in cost units.
    pub(crate) max_cost: u64,
    /// How often the rule can run in a request, where nothing bounds that.
    pub(crate) max_cardinality: u64,
    /// The compiled `messageExpression`.
    pub(crate) message: Option<Message>,
    /// Why `messageExpression` does not compile.
    pub(crate) message_error: Option<String>,
    /// `fieldPath` as errors print it; empty where there is none.
    pub(crate) field_path: String,
}

/// A compiled `messageExpression`.
#[derive(Debug)]
pub(crate) struct Message {
    pub(crate) program: Program,
    /// The worst-case cost of one evaluation, in cost units.
    pub(crate) max_cost: u64,
}

impl Rule {
    /// Whether `oldSelf` is an optional.
    pub(crate) fn optional_old_self(&self) -> bool {
        self.source.optional_old_self == Some(true)
    }
}

/// Compiles the rules of a schema that is declared as `decl`.
pub(super) fn compile(schema: &Structural, decl: &Arc<Decl>) -> Vec<Rule> {
    let rules = schema.rules.as_deref().unwrap_or_default();
    if rules.is_empty() {
        return Vec::new();
    }
    let max_cardinality = max_cardinality(decl);
    let each = rules.iter().map(|rule| {
        let mut compiled = one(rule, &environment(rule, decl));
        compiled.max_cardinality = max_cardinality;
        // Upstream: what compiles a rule returns before it looks at `fieldPath` where the rule or its message is wrong.
        let compiles = compiled.program.is_some() && compiled.message_error.is_none();
        if compiles && !rule.field_path.is_empty() {
            compiled.field_path = field_path::resolve(&rule.field_path, schema).unwrap_or_default();
        }
        compiled
    });
    each.collect()
}

/// How often values that are declared as `decl` fit into a request.
pub(super) fn max_cardinality(decl: &Decl) -> u64 {
    MAX_REQUEST_BYTES / (decl.min_serialized_size + 1)
}

/// The environment of a rule over values that are declared as `decl`.
pub(super) fn environment(rule: &ValidationRule, decl: &Arc<Decl>) -> Env {
    let declared = Named::new(TYPE_NAME, Arc::clone(decl));
    let self_type = declared.type_();
    let old_type = match rule.optional_old_self {
        Some(true) => Type::optional(self_type.clone()),
        Some(false) | None => self_type.clone(),
    };
    Env::kubernetes().with_variable(SELF, self_type, Some(declared.clone())).with_variable(
        OLD_SELF,
        old_type,
        Some(declared),
    )
}

fn one(rule: &ValidationRule, env: &Env) -> Rule {
    let mut compiled = Rule {
        source: rule.clone(),
        program: None,
        error: None,
        uses_old_self: false,
        max_cost: 0,
        max_cardinality: 0,
        message: None,
        message_error: None,
        field_path: String::new(),
    };
    if rule.rule.trim().is_empty() {
        return compiled;
    }
    let checked = match check(&rule.rule, env, &Type::Bool) {
        Ok(checked) => checked,
        Err(Failure::Issues(issues)) => {
            compiled.error = Some(format!("compilation failed: {issues}"));
            return compiled;
        }
        Err(Failure::Type) => {
            compiled.error = Some("cel expression must evaluate to a bool".to_owned());
            return compiled;
        }
    };
    // Upstream: goes by the name alone, so that a variable of a macro counts as well.
    compiled.uses_old_self = checked
        .references
        .iter()
        .flatten()
        .any(|reference| matches!(reference, Reference::Variable(name) if &**name == OLD_SELF));
    match Program::plan(&checked, env) {
        Ok(program) => compiled.program = Some(program),
        Err(error) => {
            compiled.error = Some(format!("program instantiation failed: {error}"));
            return compiled;
        }
    }
    compiled.max_cost = cost::estimate(&checked, env).max;
    if !rule.message_expression.is_empty() {
        match message(&rule.message_expression, env) {
            Ok(message) => compiled.message = Some(message),
            Err(error) => compiled.message_error = Some(error),
        }
    }
    compiled
}

fn message(expression: &str, env: &Env) -> Result<Message, String> {
    let checked = check(expression, env, &Type::String).map_err(|failure| match failure {
        Failure::Issues(issues) => format!("messageExpression compilation failed: {issues}"),
        Failure::Type => "messageExpression must evaluate to a string".to_owned(),
    })?;
    let program = Program::plan(&checked, env)
        .map_err(|error| format!("messageExpression instantiation failed: {error}"))?;
    Ok(Message { program, max_cost: cost::estimate(&checked, env).max })
}

enum Failure {
    Issues(String),
    Type,
}

fn check(expression: &str, env: &Env, want: &Type) -> Result<Checked, Failure> {
    let checked = env.compile(expression).map_err(|issues| Failure::Issues(issues.to_string()))?;
    if checked.result_type() == want { Ok(checked) } else { Err(Failure::Type) }
}

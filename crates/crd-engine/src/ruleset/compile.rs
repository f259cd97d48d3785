//! The rules of one schema, compiled.
//!
//! Source: `pkg/apiserver/schema/cel/compilation.go`.

use std::collections::BTreeSet;
use std::sync::Arc;

use crd_cel::checked::{Checked, Reference};
use crd_cel::cost;
use crd_cel::decl::{Decl, Named};
use crd_cel::env::Env;
use crd_cel::kubernetes::{Environment, KubernetesVersion};
use crd_cel::plan::Program;
use crd_cel::types::Type;

use super::declare::{MAX_REQUEST_BYTES, TYPE_NAME};
use super::field_path;
use crate::differences::Difference;
use crate::model::ValidationRule;
use crate::schema::Structural;

/// The variable with the value that a rule checks.
pub(crate) const SELF: &str = "self";
/// The variable with the old value.
pub(crate) const OLD_SELF: &str = "oldSelf";

/// A rule, compiled if it is valid.
#[derive(Debug)]
pub(crate) struct CompiledRule {
    /// The rule as written.
    pub(crate) source: ValidationRule,
    /// `None` if the rule is blank or does not compile.
    pub(crate) program: Option<Program>,
    /// Why the rule does not compile.
    pub(crate) error: Option<String>,
    /// Whether the rule refers to `oldSelf`.
    pub(crate) uses_old_self: bool,
    /// The worst-case cost of one evaluation, in cost units.
    pub(crate) max_cost: u64,
    /// How often the rule can run in a request if no bound limits it.
    pub(crate) max_cardinality: u64,
    /// The compiled `messageExpression`.
    pub(crate) message: Option<MessageExpression>,
    /// Why `messageExpression` does not compile.
    pub(crate) message_error: Option<String>,
    /// `fieldPath` as errors print it; empty if there is none.
    pub(crate) field_path: String,
}

/// A compiled `messageExpression`.
#[derive(Debug)]
pub(crate) struct MessageExpression {
    pub(crate) program: Program,
    /// The worst-case cost of one evaluation, in cost units.
    pub(crate) max_cost: u64,
}

impl CompiledRule {
    /// Whether `oldSelf` is an optional.
    pub(crate) fn optional_old_self(&self) -> bool {
        self.source.optional_old_self == Some(true)
    }
}

/// The server that rules are compiled for, and which of their expressions it has stored.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RuleTarget<'a> {
    pub(crate) kubernetes: KubernetesVersion,
    pub(crate) stored: StoredExpressions<'a>,
}

/// The expressions that the server has stored already. They may use all functions that it was built with.
#[derive(Debug, Clone, Copy)]
pub(crate) enum StoredExpressions<'a> {
    /// All: the definition is stored.
    All,
    /// None: the definition is new.
    None,
    /// These, of the definition that is replaced.
    Texts(&'a StoredTexts),
}

/// The rules and message expressions of a stored definition.
#[derive(Debug, Clone, Default)]
pub(crate) struct StoredTexts {
    pub(crate) rules: BTreeSet<String>,
    pub(crate) messages: BTreeSet<String>,
}

impl RuleTarget<'_> {
    /// A definition that a server has stored.
    pub(crate) const fn stored(kubernetes: KubernetesVersion) -> Self {
        Self { kubernetes, stored: StoredExpressions::All }
    }

    /// A new definition.
    pub(crate) const fn new(kubernetes: KubernetesVersion) -> Self {
        Self { kubernetes, stored: StoredExpressions::None }
    }

    fn environment_of_rule(&self, rule: &ValidationRule) -> Environment {
        self.environment(|texts| texts.rules.contains(&rule.rule))
    }

    fn environment_of_message(&self, rule: &ValidationRule) -> Environment {
        self.environment(|texts| {
            if Difference::StoredMessages.is_in(self.kubernetes) {
                texts.messages.contains(&rule.message_expression)
            } else {
                texts.messages.contains(&rule.rule)
            }
        })
    }

    fn environment(&self, is_stored: impl FnOnce(&StoredTexts) -> bool) -> Environment {
        let stored = match self.stored {
            StoredExpressions::All => true,
            StoredExpressions::None => false,
            StoredExpressions::Texts(texts) => is_stored(texts),
        };
        if stored {
            Environment::stored(self.kubernetes)
        } else {
            Environment::new(self.kubernetes)
        }
    }
}

/// Compiles the rules of a schema that is declared as `decl`.
pub(super) fn compile(
    schema: &Structural,
    decl: &Arc<Decl>,
    target: RuleTarget<'_>,
) -> Vec<CompiledRule> {
    let rules = schema.rules.as_deref().unwrap_or_default();
    if rules.is_empty() {
        return Vec::new();
    }
    let max_cardinality = max_cardinality(decl);
    let each = rules.iter().map(|rule| {
        let mut compiled = compile_rule(rule, decl, target);
        compiled.max_cardinality = max_cardinality;
        // Upstream: `fieldPath` is not checked if the rule or its message expression does not compile.
        let compiles = compiled.program.is_some() && compiled.message_error.is_none();
        if compiles && !rule.field_path.is_empty() {
            compiled.field_path = field_path::resolve(&rule.field_path, schema).unwrap_or_default();
        }
        compiled
    });
    each.collect()
}

/// How many values that are declared as `decl` fit into a request.
pub(super) fn max_cardinality(decl: &Decl) -> u64 {
    MAX_REQUEST_BYTES / (decl.min_serialized_size + 1)
}

/// The environment of a rule over values that are declared as `decl`.
pub(super) fn environment(
    rule: &ValidationRule,
    decl: &Arc<Decl>,
    environment: Environment,
) -> Env {
    let declared = Named::new(TYPE_NAME, Arc::clone(decl));
    let self_type = declared.type_();
    let old_type = match rule.optional_old_self {
        Some(true) => Type::optional(self_type.clone()),
        Some(false) | None => self_type.clone(),
    };
    Env::of(environment).with_variable(SELF, self_type, Some(declared.clone())).with_variable(
        OLD_SELF,
        old_type,
        Some(declared),
    )
}

fn compile_rule(rule: &ValidationRule, decl: &Arc<Decl>, target: RuleTarget<'_>) -> CompiledRule {
    let mut compiled = CompiledRule {
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
    let of_rule = target.environment_of_rule(rule);
    let env = &environment(rule, decl, of_rule);
    let checked = match check(&rule.rule, env, &Type::Bool) {
        Ok(checked) => checked,
        Err(CompileFailure::Issues(issues)) => {
            compiled.error = Some(format!("compilation failed: {issues}"));
            return compiled;
        }
        Err(CompileFailure::Type) => {
            compiled.error = Some("cel expression must evaluate to a bool".to_owned());
            return compiled;
        }
    };
    // Upstream: only the name is compared, so that a variable `oldSelf` of a macro counts too.
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
        let of_message = target.environment_of_message(rule);
        let own = (of_message != of_rule).then(|| environment(rule, decl, of_message));
        let env = own.as_ref().unwrap_or(env);
        match compile_message(&rule.message_expression, env) {
            Ok(message) => compiled.message = Some(message),
            Err(error) => compiled.message_error = Some(error),
        }
    }
    compiled
}

fn compile_message(expression: &str, env: &Env) -> Result<MessageExpression, String> {
    let checked = check(expression, env, &Type::String).map_err(|failure| match failure {
        CompileFailure::Issues(issues) => format!("messageExpression compilation failed: {issues}"),
        CompileFailure::Type => "messageExpression must evaluate to a string".to_owned(),
    })?;
    let program = Program::plan(&checked, env)
        .map_err(|error| format!("messageExpression instantiation failed: {error}"))?;
    Ok(MessageExpression { program, max_cost: cost::estimate(&checked, env).max })
}

enum CompileFailure {
    Issues(String),
    Type,
}

fn check(expression: &str, env: &Env, want: &Type) -> Result<Checked, CompileFailure> {
    let checked =
        env.compile(expression).map_err(|issues| CompileFailure::Issues(issues.to_string()))?;
    if checked.result_type() == want { Ok(checked) } else { Err(CompileFailure::Type) }
}

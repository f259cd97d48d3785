//! Compiles the expressions of policies, which may use the variables that the policy defines.
//!
//! CEL resolves `variables.x` as one name before it looks for the field `x` of `variables`. So each variable of a policy
//! is a variable of CEL with a dotted name, which has the type of its expression.
//!
//! Source: `pkg/admission/plugin/cel/composition.go` of k8s.io/apiserver.

use crd_cel::checked::{Checked, Reference};
use crd_cel::decl::Named;
use crd_cel::env::Env;
use crd_cel::kubernetes::{Environment, KubernetesVersion};
use crd_cel::plan::Program;
use crd_cel::types::Type;

use crate::match_condition::{self, Declares, Wanted};

/// The variable whose fields are the variables of the policy.
pub const VARIABLES: &str = "variables";

/// A compiled expression.
#[derive(Debug)]
#[non_exhaustive]
pub struct Expression {
    /// The expression itself.
    pub text: String,
    /// The program, or why the expression cannot be compiled.
    pub program: Result<Program, String>,
    /// The variables of the policy that the expression names, by their positions.
    pub uses: Vec<usize>,
}

/// A variable of a policy.
#[derive(Debug)]
#[non_exhaustive]
pub struct Variable {
    /// The name that the policy gives it.
    pub name: String,
    /// Its name in CEL: `variables.x`.
    pub full_name: String,
    type_: Type,
    /// The expression whose value it has.
    pub expression: Expression,
}

/// Compiles the expressions of one policy.
#[derive(Debug)]
pub struct Composer {
    environment: Environment,
    has_params: bool,
    /// Whether expressions may refer to `variables`.
    composes: bool,
    variables: Vec<Variable>,
}

impl Composer {
    /// Returns a compiler for a stored policy.
    #[must_use]
    pub fn stored(kubernetes: KubernetesVersion, has_params: bool) -> Self {
        Self::new(Environment::stored(kubernetes), has_params, true)
    }

    /// Returns a compiler. With `composes`, expressions may refer to the variables that are [added](Self::add).
    #[must_use]
    pub fn new(environment: Environment, has_params: bool, composes: bool) -> Self {
        Self { environment, has_params, composes, variables: Vec::new() }
    }

    /// Sets whether the next expressions are new or stored ones.
    pub fn set_environment(&mut self, environment: Environment) {
        self.environment = environment;
    }

    /// Adds a variable. Those that are added later may refer to it.
    ///
    /// Source: `CompileAndStoreVariable`.
    pub fn add(&mut self, name: &str, text: &str) -> &Variable {
        let (expression, type_) = self.compile_typed(text, Wanted::Any, true);
        let full_name = format!("{VARIABLES}.{name}");
        let type_ = type_.map_or(Type::Dyn, |type_| kept(&type_));
        let at = self.variables.len();
        self.variables.push(Variable { name: name.to_owned(), full_name, type_, expression });
        &self.variables[at]
    }

    /// Compiles an expression.
    #[must_use]
    pub fn compile(&self, text: &str, wanted: Wanted, has_authorizer: bool) -> Expression {
        self.compile_typed(text, wanted, has_authorizer).0
    }

    /// Returns the variables.
    #[must_use]
    pub fn into_variables(self) -> Vec<Variable> {
        self.variables
    }

    fn compile_typed(
        &self,
        text: &str,
        wanted: Wanted,
        has_authorizer: bool,
    ) -> (Expression, Option<Type>) {
        let env = self.env(has_authorizer, wanted);
        let compiled = match_condition::compile(&env, text, wanted).and_then(|checked| {
            let program = Program::plan(&checked, &env)
                .map_err(|error| format!("program instantiation failed: {error}"))?;
            Ok((program, self.uses(&checked), checked.result_type().clone()))
        });
        let text = text.to_owned();
        match compiled {
            Ok((program, uses, type_)) => {
                (Expression { text, program: Ok(program), uses }, Some(type_))
            }
            Err(why) => (Expression { text, program: Err(why), uses: Vec::new() }, None),
        }
    }

    fn env(&self, authorizer: bool, wanted: Wanted) -> Env {
        let declares = Declares { params: self.has_params, authorizer };
        let environment = self.environment;
        let environment = if wanted.is_patch() { environment.patching() } else { environment };
        let env = match_condition::environment(environment, declares);
        if !self.composes {
            return env;
        }
        let names = self.variables.iter().map(|variable| variable.name.as_str());
        let all = Named::new("kubernetes.variables", match_condition::dynamic_object(names));
        let env = env.with_variable(VARIABLES, all.type_(), Some(all));
        self.variables.iter().fold(env, |env, variable| {
            env.with_variable(&variable.full_name, variable.type_.clone(), None)
        })
    }

    fn uses(&self, checked: &Checked) -> Vec<usize> {
        let is_named = |variable: &Variable| {
            checked.references.iter().flatten().any(|reference| {
                matches!(reference, Reference::Variable(name) if **name == *variable.full_name)
            })
        };
        let variables = self.variables.iter().enumerate();
        variables.filter(|(_, variable)| is_named(variable)).map(|(index, _)| index).collect()
    }
}

/// Returns the part of a type that expressions know of a variable: objects and types of libraries are checked at run
/// time. Recursion follows the type, whose nesting CEL limits.
///
/// Source: `convertCelTypeToDeclType`.
fn kept(type_: &Type) -> Type {
    match type_ {
        Type::Any
        | Type::Bool
        | Type::Bytes
        | Type::Double
        | Type::Duration
        | Type::Int
        | Type::Null
        | Type::String
        | Type::Timestamp
        | Type::Uint => type_.clone(),
        Type::List(element) => Type::list(kept(element)),
        Type::Map(key, value) => Type::map(kept(key), kept(value)),
        _ => Type::Dyn,
    }
}

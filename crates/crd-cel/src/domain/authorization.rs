//! What expressions with the variable `authorizer` ask: which actions are allowed.
//!
//! Source: `k8s.io/apiserver/pkg/cel/library/authz.go`, `k8s.io/apiserver/pkg/authorization/authorizer/interfaces.go`.

use std::fmt;
use std::sync::Arc;

/// Decides which actions are allowed: the value of the variable `authorizer`.
///
/// ```
/// use crd_cel::domain::authorization::{Action, Authorizer, Decision, Target};
/// use crd_cel::env::Env;
/// use crd_cel::plan::Program;
/// use crd_cel::types::Type;
/// use crd_cel::value::Value;
///
/// #[derive(Debug)]
/// struct OnlyReads;
///
/// impl Authorizer for OnlyReads {
///     fn authorize(&self, action: &Action<'_>) -> Decision {
///         match action.target {
///             Target::Resource(_) if action.verb == "get" => Decision::allow("everybody reads"),
///             _ => Decision::no_opinion(""),
///         }
///     }
/// }
///
/// let authorizer = Type::object("kubernetes.authorization.Authorizer");
/// let env = Env::kubernetes().with_variable("authorizer", authorizer, None);
/// let text = "authorizer.group('apps').resource('deployments').check('get').allowed()";
/// let checked = env.compile(text).map_err(|issues| issues.to_string())?;
/// let program = Program::plan(&checked, &env).map_err(|error| error.to_string())?;
/// let outcome = program.eval(&[("authorizer", Value::authorizer(&OnlyReads))], 1_000_000);
/// assert!(matches!(outcome.result, Ok(Value::Bool(true))));
/// # Ok::<(), String>(())
/// ```
pub trait Authorizer: fmt::Debug + Send + Sync {
    /// Decides whether an action is allowed.
    fn authorize(&self, action: &Action<'_>) -> Decision;
}

/// An action that an expression asks about.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Action<'a> {
    /// The namespace and the name of the service account that would perform the action; `None` for
    /// the user of the request that the expression is evaluated for.
    pub service_account: Option<(&'a str, &'a str)>,
    /// The verb, such as `get`, as the expression has it.
    pub verb: &'a str,
    /// What the action is performed on.
    pub target: Target<'a>,
}

/// What an action is performed on.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Target<'a> {
    /// A path that is not that of a resource, such as `/healthz`.
    Path(&'a str),
    /// A resource.
    Resource(&'a Resource),
}

/// A resource that an action is performed on. Fields that are empty are not set.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Resource {
    /// The API group; empty for the core group.
    pub group: Arc<str>,
    /// The plural name, such as `deployments`.
    pub resource: Arc<str>,
    /// The subresource, such as `status`.
    pub subresource: Arc<str>,
    /// The namespace; empty for the scope of the cluster.
    pub namespace: Arc<str>,
    /// The name of a single object.
    pub name: Arc<str>,
    /// A field selector, which may be invalid.
    pub field_selector: Arc<str>,
    /// A label selector, which may be invalid.
    pub label_selector: Arc<str>,
}

impl Resource {
    /// All texts.
    pub(crate) fn texts(&self) -> [&Arc<str>; 7] {
        [
            &self.group,
            &self.resource,
            &self.subresource,
            &self.namespace,
            &self.name,
            &self.field_selector,
            &self.label_selector,
        ]
    }
}

/// Whether an action is allowed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Decision {
    /// Whether it is allowed. False if it is denied and if the authorizer has no opinion: expressions
    /// cannot tell these apart.
    pub allowed: bool,
    /// The reason; may be empty.
    pub reason: String,
    /// The error, if one occurred while deciding.
    pub error: Option<String>,
}

impl Decision {
    /// The decision that an action is allowed.
    pub fn allow(reason: impl Into<String>) -> Self {
        Self { allowed: true, reason: reason.into(), error: None }
    }

    /// The decision of an authorizer that does not allow an action.
    pub fn no_opinion(reason: impl Into<String>) -> Self {
        Self { allowed: false, reason: reason.into(), error: None }
    }

    /// The same with an error.
    #[must_use]
    pub fn with_error(self, error: impl Into<String>) -> Self {
        Self { error: Some(error.into()), ..self }
    }
}

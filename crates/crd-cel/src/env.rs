//! The environment of an expression: the functions, variables and types that it can refer to.

use std::sync::Arc;

use crate::decl::{Decl, Named, ObjectDecl};
use crate::escape::is_reserved;
use crate::library::{Declarations, Function, KUBERNETES};
use crate::minors::libraries::ESCAPED_KEYWORDS;
use crate::minors::{Environment, KubernetesVersion};
use crate::types::Type;
use crate::value::constructed;

/// An environment: the libraries that Kubernetes offers to CRD rules, and variables.
///
/// All environments share the libraries, so making one is cheap.
///
/// ```
/// use crd_cel::env::Env;
/// use crd_cel::types::Type;
///
/// let env = Env::kubernetes().with_variable("replicas", Type::Int, None);
/// assert_eq!(env.compile("replicas > 1")?.result_type(), &Type::Bool);
/// assert!(env.compile("replicas > 'many'").is_err());
/// # Ok::<(), crd_cel::syntax::Issues>(())
/// ```
#[derive(Debug, Clone)]
pub struct Env {
    environment: Environment,
    container: String,
    variables: Vec<Variable>,
}

/// A variable.
#[derive(Debug, Clone)]
pub(crate) struct Variable {
    pub(crate) name: Arc<str>,
    pub(crate) ty: Type,
    pub(crate) decl: Option<Named>,
}

/// The result of looking up a field of an object type.
#[derive(Debug)]
pub(crate) enum FieldLookup {
    Found(Type),
    /// The object type has no such field.
    NoField,
    /// There is no such object type.
    NoType,
}

impl Env {
    /// The environment of new CRD rules on the reference version of the server, without
    /// variables.
    pub fn kubernetes() -> Self {
        Self::of(Environment::default())
    }

    /// The environment of CRD rules on a server, new ones or stored ones, without variables.
    pub fn of(environment: Environment) -> Self {
        Self { environment, container: String::new(), variables: Vec::new() }
    }

    /// Adds a variable; one of the same name is replaced.
    ///
    /// A declaration has the object types in the variable, and the sizes for cost estimates.
    /// Without one, sizes are unknown.
    #[must_use]
    pub fn with_variable(mut self, name: &str, ty: Type, decl: Option<Named>) -> Self {
        self.variables.retain(|variable| &*variable.name != name);
        self.variables.push(Variable { name: name.into(), ty, decl });
        self
    }

    /// Sets the container: a name `x` can mean `container.x`. CRD rules have no container.
    #[must_use]
    pub fn with_container(mut self, container: &str) -> Self {
        container.clone_into(&mut self.container);
        self
    }

    /// The container's name; empty if there is none.
    pub(crate) fn container(&self) -> &str {
        &self.container
    }

    /// The server that the expressions are compiled for, and whether they are new or stored.
    pub(crate) fn environment(&self) -> Environment {
        self.environment
    }

    /// The version of the server that the expressions are compiled for.
    pub(crate) fn version(&self) -> KubernetesVersion {
        self.environment.version
    }

    /// The functions and type names of all environments.
    pub(crate) fn library() -> &'static Declarations {
        &KUBERNETES
    }

    /// The function of this name.
    pub(crate) fn function(&self, name: &str) -> Option<&'static Function> {
        KUBERNETES.function_in(name, self.environment)
    }

    /// The type of this name in the libraries.
    pub(crate) fn library_type(&self, name: &str) -> Option<&'static Type> {
        KUBERNETES.type_named(name, self.environment)
    }

    /// The type of this name that an expression can construct if it makes a patch.
    pub(crate) fn constructed_type(&self, name: &str) -> Option<Type> {
        (self.environment.patches && constructed::is_type(name)).then(|| Type::object(name))
    }

    /// The variable of this name.
    pub(crate) fn variable(&self, name: &str) -> Option<&Variable> {
        self.variables.iter().find(|variable| &*variable.name == name)
    }

    /// The names of the variables, in the order in which they were added.
    pub(crate) fn variable_names(&self) -> impl Iterator<Item = &Arc<str>> {
        self.variables.iter().map(|variable| &variable.name)
    }

    /// The object type of this name.
    pub(crate) fn object(&self, name: &str) -> Option<&ObjectDecl> {
        self.variables.iter().find_map(|variable| variable.decl.as_ref()?.object(name))
    }

    /// The declaration at which every path of a cost estimate starts, whatever its variable: that of
    /// the first variable with a declaration.
    pub(crate) fn root_decl(&self) -> Option<&Decl> {
        self.variables.iter().find_map(|variable| variable.decl.as_ref().map(|named| &*named.decl))
    }

    /// The type of a field of an object type in the declaration of some variable. A field whose
    /// name is a reserved word is found by `__word__` and, on some servers, by the word.
    ///
    /// Source: `k8s.io/apiserver/pkg/cel/types.go`, `DeclTypeProvider.FindStructFieldType`.
    pub(crate) fn object_field(&self, object: &str, field: &str) -> FieldLookup {
        if self.environment.patches && constructed::is_type(object) {
            return constructed::field_type(object, field)
                .map_or(FieldLookup::NoField, FieldLookup::Found);
        }
        let Some(declared) = self.object(object) else {
            return FieldLookup::NoType;
        };
        let found = declared.field(field).or_else(|| {
            (is_reserved(field) && self.environment.has(ESCAPED_KEYWORDS))
                .then(|| declared.field(&format!("__{field}__")))
                .flatten()
        });
        found.map_or(FieldLookup::NoField, |found| {
            FieldLookup::Found(found.decl.type_in(&mut format!("{object}.{}", found.ident)))
        })
    }

    /// The types `duration` and `timestamp`, which exist under these names only if some variable
    /// has a declaration.
    ///
    /// Source: `k8s.io/apiserver/pkg/cel/types.go`, `findScalar`.
    pub(crate) fn scalar_type(&self, name: &str) -> Option<Type> {
        self.root_decl()?;
        match name {
            "duration" => Some(Type::Duration),
            "timestamp" => Some(Type::Timestamp),
            _ => None,
        }
    }
}

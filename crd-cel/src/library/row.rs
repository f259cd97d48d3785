//! A row of the table of overloads: all that the checker, the estimator, the planner and the
//! documentation know of one.

use super::binding::Binding;
use super::estimate::{EstimateRule, Extension, Kubernetes, Standard};
use crate::minors::{Change, KubernetesVersion, Presence};
use crate::types::Type;

/// One overload of a function.
#[derive(Debug)]
pub(crate) struct Row {
    /// The function's name; operators have the names of cel-go's `common/operators`.
    pub(crate) function: &'static str,
    /// cel-go's id, unique among all overloads.
    pub(crate) id: &'static str,
    /// Called as `receiver.name(..)`; the receiver is the first parameter.
    pub(crate) is_method: bool,
    /// The types of its parameters and of its result.
    pub(crate) signature: Signature,
    /// The rule by which its cost is estimated.
    pub(crate) estimate: EstimateRule,
    /// The environments that have it, if not those of its library.
    pub(crate) presence: Option<Presence>,
    /// Whether a call whose overload is found only at run time costs what this overload does: the
    /// API server's costs depend on the name of the function, but cel-go's on the overload, which
    /// is not known.
    ///
    /// Source: `k8s.io/apiserver/pkg/cel/library/cost.go`, `CallCost`.
    pub(crate) is_costed_by_name: bool,
    /// How it is evaluated; `None` if the planner has a node for it.
    binding: Option<Binding>,
    /// How it is evaluated by servers before a change.
    before: Option<(Change, Binding)>,
}

impl Row {
    /// An overload called as `name(..)`, which costs one unit by estimate.
    pub(super) const fn function(
        function: &'static str,
        id: &'static str,
        signature: Signature,
        binding: Binding,
    ) -> Self {
        Self { binding: Some(binding), ..Self::node(function, id, signature) }
    }

    /// The same, called as `receiver.name(..)`.
    pub(super) const fn method(
        function: &'static str,
        id: &'static str,
        signature: Signature,
        binding: Binding,
    ) -> Self {
        Self { is_method: true, ..Self::function(function, id, signature, binding) }
    }

    /// An operator or function that the planner has a node for.
    pub(super) const fn node(
        function: &'static str,
        id: &'static str,
        signature: Signature,
    ) -> Self {
        Self {
            function,
            id,
            is_method: false,
            signature,
            estimate: EstimateRule::One,
            presence: None,
            is_costed_by_name: false,
            binding: None,
            before: None,
        }
    }

    /// The same, called as `receiver.name(..)`.
    pub(super) const fn node_method(
        function: &'static str,
        id: &'static str,
        signature: Signature,
    ) -> Self {
        Self { is_method: true, ..Self::node(function, id, signature) }
    }

    /// The same, with a cost of the standard library.
    pub(super) const fn standard(self, estimate: Standard) -> Self {
        Self { estimate: EstimateRule::Standard(estimate), ..self }
    }

    /// The same, with a cost of the API server.
    pub(super) const fn kubernetes(self, estimate: Kubernetes) -> Self {
        Self { estimate: EstimateRule::Kubernetes(estimate), ..self }
    }

    /// The same, with a cost of cel-go's extensions.
    pub(super) const fn extension(self, estimate: Extension) -> Self {
        Self { estimate: EstimateRule::Extension(estimate), ..self }
    }

    /// The same, in other environments than its library.
    pub(super) const fn within(self, presence: Presence) -> Self {
        Self { presence: Some(presence), ..self }
    }

    /// The same, and its cost is that of the function if the overload is found only at run time.
    pub(super) const fn costed_by_name(self) -> Self {
        Self { is_costed_by_name: true, ..self }
    }

    /// The same, evaluated differently by servers before a change.
    pub(super) const fn before(self, change: Change, binding: Binding) -> Self {
        Self { before: Some((change, binding)), ..self }
    }

    /// How a server evaluates it; `None` if the planner has a node for it.
    pub(crate) fn binding_in(&self, version: KubernetesVersion) -> Option<Binding> {
        match self.before {
            Some((change, binding)) if !version.has(change) => Some(binding),
            _ => self.binding,
        }
    }
}

/// The types of the parameters of an overload, the receiver first, and of its result.
#[derive(Debug)]
pub(crate) struct Signature {
    pub(crate) params: &'static [Sig],
    pub(crate) result: Sig,
}

/// A type in a signature.
#[derive(Debug)]
pub(crate) enum Sig {
    /// A type parameter.
    Var(u32),
    Dyn,
    Null,
    Bool,
    Int,
    Uint,
    Double,
    String,
    Bytes,
    Duration,
    Timestamp,
    List(&'static Sig),
    Map(&'static Sig, &'static Sig),
    Optional(&'static Sig),
    TypeOf(&'static Sig),
    /// The type of all types.
    Type,
    Opaque(&'static str),
    Object(&'static str),
    /// A type parameter of the type constant of a name such as `list`.
    Param(&'static str),
}

impl Sig {
    /// The type, for the checker.
    pub(super) fn to_type(&self) -> Type {
        match self {
            Self::Var(n) => Type::Var(*n),
            Self::Dyn => Type::Dyn,
            Self::Null => Type::Null,
            Self::Bool => Type::Bool,
            Self::Int => Type::Int,
            Self::Uint => Type::Uint,
            Self::Double => Type::Double,
            Self::String => Type::String,
            Self::Bytes => Type::Bytes,
            Self::Duration => Type::Duration,
            Self::Timestamp => Type::Timestamp,
            Self::List(element) => Type::list(element.to_type()),
            Self::Map(key, value) => Type::map(key.to_type(), value.to_type()),
            Self::Optional(inner) => Type::optional(inner.to_type()),
            Self::TypeOf(inner) => Type::type_of(inner.to_type()),
            Self::Type => Type::Type(None),
            Self::Opaque(name) => Type::opaque(name),
            Self::Object(name) => Type::object(name),
            Self::Param(name) => Type::Param((*name).into()),
        }
    }

    /// One more than the highest type parameter.
    pub(super) fn vars(&self) -> u32 {
        match self {
            Self::Var(n) => n + 1,
            Self::List(inner) | Self::TypeOf(inner) | Self::Optional(inner) => inner.vars(),
            Self::Map(key, value) => key.vars().max(value.vars()),
            _ => 0,
        }
    }
}

/// The name of a type, which expressions can use as a value.
#[derive(Debug)]
pub(crate) struct NamedType {
    pub(crate) name: &'static str,
    pub(crate) sig: Sig,
    /// The environments that have it, if not those of its library.
    pub(crate) presence: Option<Presence>,
}

impl NamedType {
    pub(super) const fn new(name: &'static str, sig: Sig) -> Self {
        Self { name, sig, presence: None }
    }

    /// The same, in other environments than its library.
    pub(super) const fn within(self, presence: Presence) -> Self {
        Self { presence: Some(presence), ..self }
    }
}

/// A signature, such as `sig!(([A] int) -> (optional A))`: `[A]` is a list, `{A B}` a map.
macro_rules! sig {
    (($($param:tt)*) -> $result:tt) => {
        $crate::library::row::Signature {
            params: &[$($crate::library::row::sig_type!($param)),*],
            result: $crate::library::row::sig_type!($result),
        }
    };
}

/// A type of a [`sig!`].
macro_rules! sig_type {
    (A) => {
        $crate::library::row::Sig::Var(0)
    };
    (B) => {
        $crate::library::row::Sig::Var(1)
    };
    ([$element:tt]) => {
        $crate::library::row::Sig::List(&$crate::library::row::sig_type!($element))
    };
    ({$key:tt $value:tt}) => {
        $crate::library::row::Sig::Map(
            &$crate::library::row::sig_type!($key),
            &$crate::library::row::sig_type!($value),
        )
    };
    ((optional $inner:tt)) => {
        $crate::library::row::Sig::Optional(&$crate::library::row::sig_type!($inner))
    };
    ((type $inner:tt)) => {
        $crate::library::row::Sig::TypeOf(&$crate::library::row::sig_type!($inner))
    };
    (dyn) => {
        $crate::library::row::Sig::Dyn
    };
    (bool) => {
        $crate::library::row::Sig::Bool
    };
    (int) => {
        $crate::library::row::Sig::Int
    };
    (uint) => {
        $crate::library::row::Sig::Uint
    };
    (double) => {
        $crate::library::row::Sig::Double
    };
    (string) => {
        $crate::library::row::Sig::String
    };
    (bytes) => {
        $crate::library::row::Sig::Bytes
    };
    (duration) => {
        $crate::library::row::Sig::Duration
    };
    (timestamp) => {
        $crate::library::row::Sig::Timestamp
    };
    (IP) => {
        $crate::library::row::Sig::Opaque($crate::types::type_names::IP)
    };
    (CIDR) => {
        $crate::library::row::Sig::Opaque($crate::types::type_names::CIDR)
    };
    (URL) => {
        $crate::library::row::Sig::Object($crate::types::type_names::URL)
    };
    (Quantity) => {
        $crate::library::row::Sig::Object($crate::types::type_names::QUANTITY)
    };
    (NamedFormat) => {
        $crate::library::row::Sig::Object($crate::types::type_names::FORMAT)
    };
    (Semver) => {
        $crate::library::row::Sig::Object($crate::types::type_names::SEMVER)
    };
    (Authorizer) => {
        $crate::library::row::Sig::Object("kubernetes.authorization.Authorizer")
    };
    (PathCheck) => {
        $crate::library::row::Sig::Object("kubernetes.authorization.PathCheck")
    };
    (GroupCheck) => {
        $crate::library::row::Sig::Object("kubernetes.authorization.GroupCheck")
    };
    (ResourceCheck) => {
        $crate::library::row::Sig::Object("kubernetes.authorization.ResourceCheck")
    };
    (Decision) => {
        $crate::library::row::Sig::Object("kubernetes.authorization.Decision")
    };
}

pub(super) use {sig, sig_type};

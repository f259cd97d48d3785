//! A row of the table of overloads: all that the checkers, the estimators, the planner and the
//! documentation read about an overload.
//!
//! The checks in rustc read the rows too, but have no evaluator. Therefore rows have the binding only
//! with the feature `eval`, and [`rows!`] drops it otherwise.

#[cfg(feature = "eval")]
use super::binding::Binding;
use super::estimate::{EstimateRule, Extension, Kubernetes, Standard};
use crate::basic;
#[cfg(feature = "eval")]
use crate::minors::KubernetesVersion;
use crate::minors::Presence;
#[cfg(feature = "eval")]
use crate::types::Type;

/// One overload of a function.
#[derive(Debug)]
pub(crate) struct Row {
    /// The function's name; operators have the names of cel-go's `common/operators`.
    pub(crate) function: &'static str,
    /// cel-go's id, unique among all overloads.
    #[cfg_attr(
        not(feature = "eval"),
        expect(dead_code, reason = "rustc knows overloads by number")
    )]
    pub(crate) id: &'static str,
    /// Whether it is called as `receiver.name(..)`; the receiver is the first parameter.
    pub(crate) is_method: bool,
    /// The types of its parameters and of its result.
    pub(crate) signature: Signature,
    /// The rule by which its cost is estimated; one unit unless a column says otherwise.
    #[cfg_attr(
        not(feature = "eval"),
        expect(dead_code, reason = "costs are estimated with `eval`")
    )]
    pub(crate) estimate: EstimateRule,
    /// The environments that have it, if not those of its library.
    pub(crate) presence: Option<Presence>,
    /// Whether a call whose overload is found only at run time costs what this overload does: the
    /// API server's costs depend on the name of the function, but cel-go's on the overload, which
    /// is not known.
    ///
    /// Source: `k8s.io/apiserver/pkg/cel/library/cost.go`, `CallCost`.
    #[cfg_attr(not(feature = "eval"), expect(dead_code, reason = "a cost at run time"))]
    pub(crate) gives_cost_by_function_name: bool,
    /// How it is evaluated; `None` if the planner has a node for it.
    #[cfg(feature = "eval")]
    pub(crate) binding: Option<Binding>,
}

impl Row {
    pub(super) const fn new(
        function: &'static str,
        is_method: bool,
        id: &'static str,
        signature: Signature,
    ) -> Self {
        Self {
            function,
            id,
            is_method,
            signature,
            estimate: EstimateRule::One,
            presence: None,
            gives_cost_by_function_name: false,
            #[cfg(feature = "eval")]
            binding: None,
        }
    }

    /// Sets a rule of the standard library for the estimate.
    pub(super) const fn standard(self, estimate: Standard) -> Self {
        Self { estimate: EstimateRule::Standard(estimate), ..self }
    }

    /// Sets a rule of the API server for the estimate.
    pub(super) const fn kubernetes(self, estimate: Kubernetes) -> Self {
        Self { estimate: EstimateRule::Kubernetes(estimate), ..self }
    }

    /// Sets a rule of cel-go's extensions for the estimate.
    pub(super) const fn extension(self, estimate: Extension) -> Self {
        Self { estimate: EstimateRule::Extension(estimate), ..self }
    }

    /// Sets the environments, if they are not those of the library.
    pub(super) const fn within(self, presence: Presence) -> Self {
        Self { presence: Some(presence), ..self }
    }

    /// Gives the cost of this overload to calls of the function whose overload is found only at run
    /// time.
    pub(super) const fn gives_cost_by_function_name(self) -> Self {
        Self { gives_cost_by_function_name: true, ..self }
    }

    /// Sets the evaluation.
    #[cfg(feature = "eval")]
    pub(super) const fn bound(self, binding: Binding) -> Self {
        Self { binding: Some(binding), ..self }
    }

    /// How a server evaluates it; `None` if the planner has a node for it.
    #[cfg(feature = "eval")]
    pub(crate) fn binding_in(&self, version: KubernetesVersion) -> Option<Binding> {
        Some(self.binding?.in_version(version))
    }
}

/// The types of the parameters of an overload, the receiver first, and of its result.
#[derive(Debug)]
pub(crate) struct Signature {
    pub(crate) params: &'static [Sig],
    pub(crate) result: Sig,
    /// The number of type parameters.
    pub(crate) vars: u16,
}

impl Signature {
    pub(super) const fn new(params: &'static [Sig], result: Sig) -> Self {
        let mut vars = result.vars();
        let mut i = 0;
        while i < params.len() {
            let here = params[i].vars();
            vars = if here > vars { here } else { vars };
            i += 1;
        }
        Self { params, result, vars }
    }
}

/// A type in a signature.
#[derive(Debug)]
pub(crate) enum Sig {
    /// A type without parts, by its code in [`basic`].
    Basic(u8),
    /// A type parameter.
    Var(u16),
    List(&'static Sig),
    Map(&'static Sig, &'static Sig),
    Optional(&'static Sig),
    TypeOf(&'static Sig),
}

impl Sig {
    /// One more than the highest type parameter.
    const fn vars(&self) -> u16 {
        match self {
            Self::Basic(_) => 0,
            Self::Var(n) => *n + 1,
            Self::List(inner) | Self::TypeOf(inner) | Self::Optional(inner) => inner.vars(),
            Self::Map(key, value) => {
                let (key, value) = (key.vars(), value.vars());
                if key > value { key } else { value }
            }
        }
    }

    /// The type, for the checker.
    #[cfg(feature = "eval")]
    pub(super) fn to_type(&self) -> Type {
        match self {
            Self::Basic(code) => Type::of_code(*code),
            Self::Var(n) => Type::Var(u32::from(*n)),
            Self::List(element) => Type::list(element.to_type()),
            Self::Map(key, value) => Type::map(key.to_type(), value.to_type()),
            Self::Optional(inner) => Type::optional(inner.to_type()),
            Self::TypeOf(inner) => Type::type_of(inner.to_type()),
        }
    }
}

/// The name of a type, which expressions can use as a value.
#[derive(Debug)]
pub(crate) struct NamedType {
    pub(crate) name: &'static str,
    pub(crate) stands_for: StandsFor,
    /// The environments that have it, if not those of its library.
    pub(crate) presence: Option<Presence>,
}

/// The type that a name stands for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum StandsFor {
    /// A type without parts, by its code in [`basic`].
    Basic(u8),
    /// `list(A)`
    List,
    /// `map(A, B)`
    Map,
    /// `optional_type`, without a parameter.
    Optional,
    /// The type of all types.
    Type,
}

impl StandsFor {
    /// The type, for the checker.
    #[cfg(feature = "eval")]
    pub(super) fn to_type(self) -> Type {
        let param = |name: &str| Type::Param(name.into());
        match self {
            Self::Basic(code) => Type::of_code(code),
            Self::List => Type::list(param("A")),
            Self::Map => Type::map(param("A"), param("B")),
            Self::Optional => Type::opaque(basic::OPTIONAL),
            Self::Type => Type::Type(None),
        }
    }

    /// The code of the type for the checks in rustc, where a type with parts, such as `list`, is of
    /// unknown type.
    #[cfg(feature = "compile-time")]
    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::Basic(code) => code,
            Self::List | Self::Map | Self::Optional | Self::Type => basic::UNKNOWN,
        }
    }
}

impl NamedType {
    pub(super) const fn new(name: &'static str, stands_for: StandsFor) -> Self {
        Self { name, stands_for, presence: None }
    }

    /// Sets the environments, if they are not those of the library.
    pub(super) const fn within(self, presence: Presence) -> Self {
        Self { presence: Some(presence), ..self }
    }
}

/// Defines rows, grouped by function. A row has a style, an id and a signature; after a colon, the
/// columns that differ from the default, each a method of [`Row`]; and after `=>` the binding, unless
/// the planner has a node for the overload:
///
/// ```ignore
/// rows! {
///     "isSorted":
///         method "list_int_is_sorted_bool" ([int]) -> bool: kubernetes(Elements), gives_cost_by_function_name()
///             => traversing(is_sorted);
///         method "list_uint_is_sorted_bool" ([uint]) -> bool: kubernetes(Elements)
///             => traversing(is_sorted);
/// }
/// ```
///
/// In a signature, `[A]` is a list and `{A B}` a map. A binding can use all items of the module
/// `calls` of the library.
macro_rules! rows {
    ($($function:literal:
        $($style:ident $id:tt ($($param:tt)*) -> $result:tt
            $(: $($column:ident($($value:tt)*)),+)? $(=> $binding:expr)?;)+
    )+) => {{
        #[allow(unused_imports, clippy::enum_glob_use, reason = "not all libraries use all")]
        use $crate::library::estimate::{Extension::*, Kubernetes::*, Standard::*};
        const ROWS: &[$crate::library::row::Row] = &[$($(
            $crate::library::row::bound!(
                $crate::library::row::Row::new(
                    $function,
                    $crate::library::row::is_method!($style),
                    $id,
                    $crate::library::row::Signature::new(
                        &[$($crate::library::row::sig!($param)),*],
                        $crate::library::row::sig!($result),
                    ),
                ) $($(.$column($($value)*))+)? $(, $binding)?
            ),
        )+)+];
        ROWS
    }};
}

/// Whether a style is that of a method: `method` is called as `receiver.name(..)`, `fn` as `name(..)`.
macro_rules! is_method {
    (fn) => {
        false
    };
    (method) => {
        true
    };
}

/// A row with its binding.
#[cfg(feature = "eval")]
macro_rules! bound {
    ($row:expr) => {
        $row
    };
    ($row:expr, $binding:expr) => {{
        #[allow(unused_imports, reason = "not all bindings use all")]
        use {calls::*, $crate::library::binding::*};
        $row.bound($binding)
    }};
}

/// A row without its binding.
#[cfg(not(feature = "eval"))]
macro_rules! bound {
    ($row:expr $(, $binding:expr)?) => {
        $row
    };
}

/// A type of a signature.
macro_rules! sig {
    (A) => {
        $crate::library::row::Sig::Var(0)
    };
    (B) => {
        $crate::library::row::Sig::Var(1)
    };
    ([$element:tt]) => {
        $crate::library::row::Sig::List(&$crate::library::row::sig!($element))
    };
    ({$key:tt $value:tt}) => {
        $crate::library::row::Sig::Map(
            &$crate::library::row::sig!($key),
            &$crate::library::row::sig!($value),
        )
    };
    ((optional $inner:tt)) => {
        $crate::library::row::Sig::Optional(&$crate::library::row::sig!($inner))
    };
    ((type $inner:tt)) => {
        $crate::library::row::Sig::TypeOf(&$crate::library::row::sig!($inner))
    };
    (dyn) => {
        $crate::library::row::Sig::Basic($crate::basic::DYN)
    };
    ($basic:ident) => {
        $crate::library::row::Sig::Basic($crate::basic::signature::$basic)
    };
}

pub(super) use {bound, is_method, rows, sig};

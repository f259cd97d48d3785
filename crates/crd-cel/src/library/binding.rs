//! The evaluation of an overload, and the run-time cost of a call.
//!
//! Arguments are in the order of the call, the receiver of a method first.

use super::costs::{Operand, traversal};
use crate::budget::Budget;
use crate::error::EvalError;
use crate::minors::{Change, KubernetesVersion};
use crate::re2::Regex;
use crate::value::Value;

/// A function that evaluates a call whose arguments all have values.
pub(crate) type Call = for<'a> fn(&mut Budget, &[Value<'a>]) -> Result<Value<'a>, EvalError>;

/// Binds a parser, which costs one traversal of its text.
pub(crate) const fn parsing(call: Call) -> Binding {
    Binding::new(call).costing(Cost::Of(traversal))
}

/// A function that evaluates a call whose second argument is a pattern that is already compiled.
pub(crate) type RegexCall =
    for<'a> fn(&mut Budget, &Regex, &[Value<'a>]) -> Result<Value<'a>, EvalError>;

/// A test of two texts, for operands that are known to be texts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TextTest {
    /// Whether the test holds.
    pub(crate) holds: fn(&str, &str) -> bool,
    /// The run-time cost of a call.
    pub(crate) cost: fn(&str, &str) -> u64,
}

/// The run-time cost of a call.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Cost {
    /// The same for every call.
    Fixed(u64),
    /// Computed from the operands and the result.
    Of(for<'v, 'a> fn(&[Operand<'v, 'a>], Operand<'v, 'a>) -> u64),
    /// Computed from operands of certain types. Operands of other types end the evaluation.
    Strict(for<'v, 'a> fn(&[Operand<'v, 'a>]) -> Result<u64, EvalError>),
}

impl Cost {
    /// The cost of a call.
    ///
    /// # Errors
    /// If the server's own count of costs panics on the operands; the evaluation must end with this
    /// error.
    #[inline]
    pub(crate) fn of(
        self,
        args: &[Operand<'_, '_>],
        result: Operand<'_, '_>,
    ) -> Result<u64, EvalError> {
        match self {
            Self::Fixed(cost) => Ok(cost),
            Self::Of(cost) => Ok(cost(args, result)),
            Self::Strict(cost) => cost(args),
        }
    }
}

/// How an overload is evaluated.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Binding {
    /// The function.
    pub(crate) call: Call,
    /// The run-time cost.
    pub(crate) cost: Cost,
    /// Whether each call first checks the run-time types of the arguments against the declaration
    /// (cel-go's type guards). Functions that check their operands themselves, such
    /// as the standard operators, have no guard.
    pub(crate) has_type_guards: bool,
    /// Whether a call with constant arguments is made only once, when the program is planned, as for
    /// parsers such as `quantity`. The cost is charged as if the call were made each time.
    pub(crate) once: bool,
    /// Whether the first argument that is an error ends the call before the next one is evaluated,
    /// as it does if cel-go binds a `FunctionOp`: always for three or more arguments, and for some
    /// functions with fewer.
    pub(crate) stops_at_error: bool,
    /// If the second argument is a pattern: the function to call if the pattern is a constant,
    /// which is compiled when the program is planned.
    pub(crate) regex: Option<RegexCall>,
    /// If the function is a test of two texts: the test itself.
    pub(crate) text: Option<TextTest>,
    /// A change, and how servers without it evaluate the overload.
    pub(super) before: Option<(Change, &'static Binding)>,
}

impl Binding {
    /// Binds a function with type guards and cost 1.
    pub(crate) const fn new(call: Call) -> Self {
        Self {
            call,
            cost: Cost::Fixed(1),
            has_type_guards: true,
            once: false,
            stops_at_error: false,
            regex: None,
            text: None,
            before: None,
        }
    }

    /// Sets the cost.
    pub(crate) const fn costing(self, cost: Cost) -> Self {
        Self { cost, ..self }
    }

    /// Removes the type guards.
    pub(crate) const fn without_type_guards(self) -> Self {
        Self { has_type_guards: false, ..self }
    }

    /// Lets the first argument that is an error end the call.
    pub(crate) const fn stops_at_error(self) -> Self {
        Self { stops_at_error: true, ..self }
    }

    /// Sets the function that is called if the second argument is a constant pattern.
    pub(crate) const fn with_regex(self, call: RegexCall) -> Self {
        Self { regex: Some(call), ..self }
    }

    /// Sets the test for operands that are known to be texts.
    pub(crate) const fn with_text(self, test: TextTest) -> Self {
        Self { text: Some(test), ..self }
    }

    /// Sets how servers without a change evaluate it.
    pub(crate) const fn before(self, change: Change, binding: &'static Self) -> Self {
        Self { before: Some((change, binding)), ..self }
    }

    /// The binding that a server of a version has.
    pub(crate) fn in_version(self, version: KubernetesVersion) -> Self {
        match self.before {
            Some((change, binding)) if !version.has(change) => *binding,
            _ => self,
        }
    }

    /// Makes calls with constant arguments only once, when the program is planned.
    pub(crate) const fn once(self) -> Self {
        Self { once: true, ..self }
    }
}

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

/// A parser, which costs one traversal of its text.
pub(crate) const fn parsing(call: Call) -> Binding {
    Binding::new(call).costing(Cost::Of(traversal))
}

/// A function that evaluates a call whose second argument is a pattern that was compiled before.
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
    /// Always this.
    Fixed(u64),
    /// Computed from the operands and the result.
    Of(for<'v, 'a> fn(&[Operand<'v, 'a>], Operand<'v, 'a>) -> u64),
    /// Computed from operands that have to be of certain types: others end the evaluation.
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
    /// Whether the planner checks the run-time types of the arguments against the declaration
    /// before the call (cel-go's type guards). Functions that look at their operands themselves, as
    /// the standard operators do, go without.
    pub(crate) guarded: bool,
    /// Whether a call on constants is worth making once, when the program is planned: parsers such
    /// as `quantity`. The cost is charged as if the call were made each time.
    pub(crate) once: bool,
    /// Whether the first argument that is an error ends the call before the next is evaluated. It
    /// does if cel-go binds a `FunctionOp`: always with three or more arguments, and in some
    /// functions with fewer.
    pub(crate) sequential: bool,
    /// If the second argument is a pattern: the function to call if the pattern is a constant,
    /// which is compiled when the program is planned.
    pub(crate) regex: Option<RegexCall>,
    /// If the function is a test of two texts: the test itself.
    pub(crate) text: Option<TextTest>,
    /// How servers before a change evaluate it.
    pub(super) before: Option<(Change, &'static Binding)>,
}

impl Binding {
    /// A guarded function of cost 1.
    pub(crate) const fn new(call: Call) -> Self {
        Self {
            call,
            cost: Cost::Fixed(1),
            guarded: true,
            once: false,
            sequential: false,
            regex: None,
            text: None,
            before: None,
        }
    }

    /// The same with another cost.
    pub(crate) const fn costing(self, cost: Cost) -> Self {
        Self { cost, ..self }
    }

    /// The same without type guards.
    pub(crate) const fn unguarded(self) -> Self {
        Self { guarded: false, ..self }
    }

    /// The same, ended by the first argument that is an error.
    pub(crate) const fn sequential(self) -> Self {
        Self { sequential: true, ..self }
    }

    /// The same, with a function for a constant pattern as second argument.
    pub(crate) const fn with_regex(self, call: RegexCall) -> Self {
        Self { regex: Some(call), ..self }
    }

    /// The same, with a test for operands that are texts.
    pub(crate) const fn with_text(self, test: TextTest) -> Self {
        Self { text: Some(test), ..self }
    }

    /// The same, evaluated differently by servers before a change.
    pub(crate) const fn before(self, change: Change, binding: &'static Self) -> Self {
        Self { before: Some((change, binding)), ..self }
    }

    /// How a server evaluates it.
    pub(crate) fn in_version(self, version: KubernetesVersion) -> Self {
        match self.before {
            Some((change, binding)) if !version.has(change) => *binding,
            _ => self,
        }
    }

    /// The same, called once if the arguments are constants.
    pub(crate) const fn once(self) -> Self {
        Self { once: true, ..self }
    }
}

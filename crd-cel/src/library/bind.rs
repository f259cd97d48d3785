//! How overloads are evaluated, and what a call costs at run time.
//!
//! A library file exposes `bind(overload)`: what a call of that overload (by cel-go's id) does and
//! costs. Arguments are in call order, the receiver of a method first.

use crate::budget::Budget;
use crate::error::EvalError;
use crate::minors::{Change, KubernetesVersion};
use crate::re2::Regex;
use crate::value::{Value, code_points};

/// What evaluates a call whose arguments all have values.
pub(crate) type Call = for<'a> fn(&mut Budget, &[Value<'a>]) -> Result<Value<'a>, EvalError>;

/// What evaluates a call whose second argument is a pattern that was compiled beforehand.
pub(crate) type RegexCall =
    for<'a> fn(&mut Budget, &Regex, &[Value<'a>]) -> Result<Value<'a>, EvalError>;

/// A question about two texts, for operands that are known to be texts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TextTest {
    /// The answer.
    pub(crate) holds: fn(&str, &str) -> bool,
    /// What it costs at run time.
    pub(crate) cost: fn(&str, &str) -> u64,
}

/// An operand or result for the purpose of cost: `None` if it was an error.
pub(crate) type Operand<'v, 'a> = Option<&'v Value<'a>>;

/// What a call costs at run time.
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
    /// If the server's own accounting stumbles over the operands; the evaluation must end with it.
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
    /// Whether the planner checks the run-time types of the arguments against the declaration before
    /// the call (cel-go's type guards). Functions that look at their operands themselves, as the
    /// standard operators do, go without.
    pub(crate) guarded: bool,
    /// Whether a call on constants is worth making once, when the program is planned: parsers such as
    /// `quantity`. The cost is charged as if the call were made each time.
    pub(crate) once: bool,
    /// Whether the first argument that is an error ends the call before the next is evaluated. It does
    /// wherever cel-go binds a `FunctionOp`: always with three arguments or more, and in few functions
    /// of fewer.
    pub(crate) sequential: bool,
    /// Where the second argument is a pattern: the function to call when the pattern is a constant,
    /// which is compiled when the program is planned.
    pub(crate) regex: Option<RegexCall>,
    /// Where the function asks something about two texts: the question itself.
    pub(crate) text: Option<TextTest>,
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

    /// The same, with a question for operands that are texts.
    pub(crate) const fn with_text(self, test: TextTest) -> Self {
        Self { text: Some(test), ..self }
    }

    /// The same, made once where the arguments are constants.
    pub(crate) const fn once(self) -> Self {
        Self { once: true, ..self }
    }
}

/// The binding of an overload, by cel-go's id, as on a server.
pub(crate) fn bind(overload: &str, version: KubernetesVersion) -> Option<Binding> {
    // One line a library.
    const LIBRARIES: &[fn(&str) -> Option<Binding>] = &[
        super::aggregates::bind,
        super::authz::bind,
        super::cidr::bind,
        super::conversions::bind,
        super::format::bind,
        super::ip::bind,
        super::operators::bind,
        super::optionals::bind,
        super::quantity::bind,
        super::regex::bind,
        super::semver::bind,
        super::set_functions::bind,
        super::string_format::bind,
        super::text::bind,
        super::timestamps::bind,
        super::urls::bind,
    ];
    let binding = LIBRARIES.iter().find_map(|library| library(overload))?;
    Some(match overload {
        "starts_with_string" | "ends_with_string"
            if !version.has(Change::PrefixesCostTheirLength) =>
        {
            super::text::costing_by_text(binding)
        }
        "matches" if !version.has(Change::GlobalMatchesCosts) => binding.costing(Cost::Fixed(1)),
        _ => binding,
    })
}

/// What a call costs whose overload is found at run time only: the API server's costs go by the
/// function's name, cel-go's by the overload, of which there is none.
///
/// Source: `k8s.io/apiserver/pkg/cel/library/cost.go`, `CallCost`.
pub(crate) fn cost_by_name(function: &str, version: KubernetesVersion) -> Option<Cost> {
    let overload = match function {
        "isSorted" | "sum" | "max" | "min" | "indexOf" | "lastIndexOf" | "includes" => {
            "list_a_index_of_int"
        }
        "lowerAscii" | "upperAscii" | "substring" | "trim" | "url" | "cidr" | "isIP" | "isCIDR"
        | "ip" | "quantity" | "isQuantity" | "semver" | "isSemver" => "string_trim",
        "check" => "pathcheck_check",
        "fieldSelector" | "labelSelector" => "authorizer_labelselector",
        "replace" | "split" | "ip.isCanonical" => "string_split_string",
        "join" => "list_join",
        "find" | "findAll" => "matches_string",
        "containsIP" => "cidr_contains_ip_ip",
        "containsCIDR" => "cidr_contains_cidr",
        _ => return None,
    };
    bind(overload, version).map(|binding| binding.cost)
}

/// The size of an operand in a cost formula; an error counts 1.
pub(crate) fn size(operand: Operand<'_, '_>) -> u64 {
    operand.map_or(1, Value::cost_size)
}

/// The cost of going through the first operand once.
pub(crate) fn traversal(operands: &[Operand<'_, '_>], _: Operand<'_, '_>) -> u64 {
    traversed(size(operands.first().copied().flatten()))
}

/// `ceil(n * 0.1)`, as cel-go rounds costs: the cost of going through so many code points or bytes once.
pub(crate) fn traversed(n: u64) -> u64 {
    // That 0.1 is not a float, and the next above it the factor, is lost in rounding to 53 bits.
    n.div_ceil(10)
}

/// The cost of going through a text once.
pub(crate) fn text_traversed(text: &str) -> u64 {
    match text.len() {
        // Of so few bytes there are at least one and at most ten code points.
        1..=10 => 1,
        _ => traversed(code_points(text)),
    }
}

/// `ceil(n * factor)`, as cel-go rounds costs.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "sizes are far below 2^52, and the factor is positive"
)]
pub(crate) fn scaled(n: u64, factor: f64) -> u64 {
    (n as f64 * factor).ceil() as u64
}

/// The cost of going through a string once, per code point or byte.
/// Source: `cel-go/common/cost.go`, `StringTraversalCostFactor`.
pub(crate) const STRING_TRAVERSAL: f64 = 0.1;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tenths_are_rounded_as_floats_are() {
        let near = |n: u64| n.saturating_sub(20)..n.saturating_add(20);
        let powers = (0..50).flat_map(|power| near(1 << power));
        let tens = (0..15).flat_map(|power| near(10_u64.pow(power)));
        for n in (0..100_000).chain(powers).chain(tens) {
            assert_eq!(traversed(n), scaled(n, STRING_TRAVERSAL), "{n}");
        }
    }
}

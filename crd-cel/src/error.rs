//! Errors of evaluation, with the texts of cel-go, and of parsing, with the texts of Go's parsers.

use std::borrow::Cow;
use std::fmt::{self, Write as _};
use std::sync::Arc;

/// The prefix by which the API server recognises an exhausted budget.
/// Source: `cel-go/interpreter/runtimecost.go`, `costTrackerFactory.Observe`.
const COST_LIMIT: &str = "operation cancelled: actual cost limit exceeded";

/// The text of our own limit; cel-go has none and is killed by the system instead.
const MEMORY_LIMIT: &str = "operation cancelled: evaluation memory limit exceeded";

/// The text of our own limit of steps; the server has a deadline for the request instead.
const STEP_LIMIT: &str = "operation cancelled: evaluation step limit exceeded";

/// The longest text of an error, in bytes.
const MOST_TEXT: usize = 16 << 10;

/// What a text ends with that is longer.
const CUT: &str = "...";

/// A text that takes no more than [`MOST_TEXT`] bytes, and then [`CUT`].
struct Short(String);

impl fmt::Write for Short {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = MOST_TEXT.saturating_sub(self.0.len());
        if text.len() <= room {
            self.0.push_str(text);
            return Ok(());
        }
        let end = (0..=room).rev().find(|end| text.is_char_boundary(*end)).unwrap_or_default();
        self.0.push_str(text.get(..end).unwrap_or_default());
        self.0.push_str(CUT);
        Err(fmt::Error)
    }
}

/// Why an expression has no value. Displays as cel-go words it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvalError(Text);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Text {
    Fixed(&'static str),
    Built(Arc<str>),
    Internal(Arc<str>),
    CostLimit,
    MemoryLimit,
    StepLimit,
}

impl EvalError {
    /// The error of an operation that is not defined for its operands.
    pub const NO_SUCH_OVERLOAD: Self = Self::fixed("no such overload");
    /// The run-time cost exceeded the limit of the call.
    pub(crate) const COST_LIMIT: Self = Self(Text::CostLimit);
    /// The values built by the evaluation exceeded our memory limit.
    pub(crate) const MEMORY_LIMIT: Self = Self(Text::MemoryLimit);
    /// The evaluation took more steps than its cost pays for.
    pub(crate) const STEP_LIMIT: Self = Self(Text::StepLimit);

    /// An error of a constant text.
    pub const fn fixed(text: &'static str) -> Self {
        Self(Text::Fixed(text))
    }

    /// An error of a text made for the occasion.
    pub fn new(text: impl Into<Arc<str>>) -> Self {
        Self(Text::Built(text.into()))
    }

    /// An error of a text made for the occasion, which ends after [`MOST_TEXT`] bytes: a value that it shows may
    /// be shared many times over, and take more as text than there is memory.
    pub(crate) fn of(text: fmt::Arguments<'_>) -> Self {
        let mut short = Short(String::new());
        // It fails where it is full, which ends what writes to it.
        let _ = short.write_fmt(text);
        Self::new(short.0)
    }

    /// What the server's own evaluator stumbles over: it gives the evaluation up, and so do we.
    ///
    /// Source: cel-go `cel/program.go`, `prog.Eval`, which recovers from a panic.
    pub(crate) fn internal(text: &fmt::Arguments<'_>) -> Self {
        Self(Text::Internal(format!("internal error: {text}").into()))
    }

    /// A map or object without the asked key.
    pub(crate) fn no_such_key(key: &impl fmt::Display) -> Self {
        Self::of(format_args!("no such key: {key}"))
    }

    /// A variable that is not bound.
    pub(crate) fn no_such_attribute(name: &str) -> Self {
        Self::of(format_args!("no such attribute(s): {name}"))
    }

    /// An index of a type that nothing is indexed by, by the name of its Go type.
    pub(crate) fn invalid_qualifier(go_type: &str) -> Self {
        Self::of(format_args!("invalid qualifier type: {go_type}"))
    }

    /// A list without the asked index.
    pub(crate) fn index_out_of_bounds(index: &impl fmt::Display) -> Self {
        Self::of(format_args!("index out of bounds: {index}"))
    }

    /// A conversion that is not defined, or not for this value.
    pub(crate) fn conversion(from: &str, to: &str) -> Self {
        Self::new(format!("type conversion error from '{from}' to '{to}'"))
    }

    /// The text.
    pub fn text(&self) -> &str {
        match &self.0 {
            Text::Fixed(text) => text,
            Text::Built(text) | Text::Internal(text) => text,
            Text::CostLimit => COST_LIMIT,
            Text::MemoryLimit => MEMORY_LIMIT,
            Text::StepLimit => STEP_LIMIT,
        }
    }

    /// Whether the evaluation was given up because it exceeded its cost limit.
    pub fn is_cost_limit(&self) -> bool {
        matches!(self.0, Text::CostLimit)
    }

    /// Whether the evaluation was given up because it exceeded a limit.
    pub fn is_cancelled(&self) -> bool {
        matches!(self.0, Text::CostLimit | Text::MemoryLimit | Text::StepLimit)
    }

    /// Whether the evaluation was given up for any reason: no operator may absorb such an error.
    pub(crate) fn ends_evaluation(&self) -> bool {
        self.is_cancelled() || matches!(self.0, Text::Internal(_))
    }

    /// Whether a function met operands it is not defined for.
    pub fn is_no_such_overload(&self) -> bool {
        self.text().starts_with("no such overload")
    }
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl std::error::Error for EvalError {}

/// Why a text is not a quantity, version, address, URL or time. Displays the text of the Go package that parses it.
///
/// # Examples
///
/// ```
/// use crd_cel::domain::quantity::Quantity;
///
/// let error = Quantity::parse("1Gu").unwrap_err();
/// assert_eq!(error.to_string(), "unable to parse quantity's suffix");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError(Cow<'static, str>);

impl From<ParseError> for EvalError {
    fn from(error: ParseError) -> Self {
        match error.0 {
            Cow::Borrowed(text) => Self::fixed(text),
            Cow::Owned(text) => Self::new(text),
        }
    }
}

impl From<String> for ParseError {
    fn from(text: String) -> Self {
        Self(Cow::Owned(text))
    }
}

impl From<&'static str> for ParseError {
    fn from(text: &'static str) -> Self {
        Self(Cow::Borrowed(text))
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ParseError {}

//! Errors of evaluation, with the texts of cel-go, and of parsing, with the texts of Go's parsers.

use std::borrow::Cow;
use std::fmt::{self, Write as _};
use std::sync::Arc;

/// The text of an exceeded cost limit; the API server recognises it by this prefix.
/// Source: `cel-go/interpreter/runtimecost.go`, `costTrackerFactory.Observe`.
const COST_LIMIT: &str = "operation cancelled: actual cost limit exceeded";

/// The text of our limit of memory. The server has no such limit, and can run out of memory.
const MEMORY_LIMIT: &str = "operation cancelled: evaluation memory limit exceeded";

/// The text of our limit of steps. The server has a deadline for the request instead.
const STEP_LIMIT: &str = "operation cancelled: evaluation step limit exceeded";

/// The longest text that [`EvalError::of`] keeps, in bytes, without [`CUT`].
const MOST_TEXT: usize = 16 << 10;

/// The end of a text that was cut.
const CUT: &str = "...";

/// A text of at most [`MOST_TEXT`] bytes, followed by [`CUT`] if more was written to it.
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

/// The error of an evaluation. Displays cel-go's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvalError(ErrorText);

#[derive(Debug, Clone, PartialEq, Eq)]
enum ErrorText {
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
    pub(crate) const COST_LIMIT: Self = Self(ErrorText::CostLimit);
    /// The values built by the evaluation exceeded our memory limit.
    pub(crate) const MEMORY_LIMIT: Self = Self(ErrorText::MemoryLimit);
    /// The evaluation took more steps than its cost limit allows.
    pub(crate) const STEP_LIMIT: Self = Self(ErrorText::StepLimit);

    /// An error with a constant text.
    pub const fn fixed(text: &'static str) -> Self {
        Self(ErrorText::Fixed(text))
    }

    /// An error with a text that is built at run time.
    pub fn new(text: impl Into<Arc<str>>) -> Self {
        Self(ErrorText::Built(text.into()))
    }

    /// An error with a text that is cut after [`MOST_TEXT`] bytes. The text of a value can exceed
    /// the memory that the value takes, because parts of the value may be shared.
    pub(crate) fn of(text: fmt::Arguments<'_>) -> Self {
        let mut short = Short(String::new());
        // A full `Short` fails, which ends the formatting.
        let _ = short.write_fmt(text);
        Self::new(short.0)
    }

    /// An error where the server's evaluator panics. Like the panic, it ends the evaluation: no operator
    /// absorbs it.
    ///
    /// Source: cel-go `cel/program.go`, `prog.Eval`, which recovers from a panic.
    pub(crate) fn internal(text: &fmt::Arguments<'_>) -> Self {
        Self(ErrorText::Internal(format!("internal error: {text}").into()))
    }

    /// A map or object has no such key.
    pub(crate) fn no_such_key(key: &impl fmt::Display) -> Self {
        Self::of(format_args!("no such key: {key}"))
    }

    /// A variable that is not bound.
    pub(crate) fn no_such_attribute(name: &str) -> Self {
        Self::of(format_args!("no such attribute(s): {name}"))
    }

    /// An index has a type that cannot be an index; `go_type` is the name of its Go type.
    pub(crate) fn invalid_qualifier(go_type: &str) -> Self {
        Self::of(format_args!("invalid qualifier type: {go_type}"))
    }

    /// A list has no such index.
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
            ErrorText::Fixed(text) => text,
            ErrorText::Built(text) | ErrorText::Internal(text) => text,
            ErrorText::CostLimit => COST_LIMIT,
            ErrorText::MemoryLimit => MEMORY_LIMIT,
            ErrorText::StepLimit => STEP_LIMIT,
        }
    }

    /// Whether the evaluation ended because it exceeded its cost limit.
    pub fn is_cost_limit(&self) -> bool {
        matches!(self.0, ErrorText::CostLimit)
    }

    /// Whether the evaluation ended because it exceeded a limit.
    pub fn is_cancelled(&self) -> bool {
        matches!(self.0, ErrorText::CostLimit | ErrorText::MemoryLimit | ErrorText::StepLimit)
    }

    /// Whether the error ends the evaluation, so that no operator may absorb it.
    pub(crate) fn ends_evaluation(&self) -> bool {
        self.is_cancelled() || matches!(self.0, ErrorText::Internal(_))
    }

    /// Whether a function is not defined for its operands.
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

/// The error of parsing a quantity, version, address, URL or time. Displays the text of the Go package
/// that parses it.
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

//! The clauses of format strings: `%s`, `%.3f`.
//!
//! Source: cel-go `ext/formatting.go`, `parseFormattingClause`, `parsePrecision`.

use crate::basic;
use crate::syntax::{Expr, ExprKind, Literal};

/// The type of a clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Clause {
    String,
    Decimal,
    Fixed,
    Scientific,
    Binary,
    Hex,
    Octal,
}

/// A clause with its modifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Directive {
    pub(crate) clause: Clause,
    /// The number of digits after the point, if given.
    pub(crate) precision: Option<u64>,
    /// Whether hexadecimal digits are in upper case (`%X`).
    pub(crate) upper: bool,
}

impl Directive {
    /// Reads the directive after a `%`, and returns it with the rest of the text.
    ///
    /// # Errors
    /// The error text of cel-go.
    pub(crate) fn parse(text: &[u8]) -> Result<(Self, &[u8]), String> {
        let (precision, rest) =
            parse_precision(text).map_err(|why| format!("error while parsing precision: {why}"))?;
        let [letter, rest @ ..] = rest else {
            return Err("could not find end of precision specifier".to_owned());
        };
        let clause = match letter {
            b's' => Clause::String,
            b'd' => Clause::Decimal,
            b'f' => Clause::Fixed,
            b'e' => Clause::Scientific,
            b'b' => Clause::Binary,
            b'x' | b'X' => Clause::Hex,
            b'o' => Clause::Octal,
            other => {
                return Err(format!("unrecognized formatting clause \"{}\"", char::from(*other)));
            }
        };
        Ok((Self { clause, precision, upper: *letter == b'X' }, rest))
    }
}

/// The format string and the arguments of a call of `format` that has both as literals.
pub(crate) fn literal_call<'a>(
    target: Option<&'a Expr>,
    function: &str,
    args: &'a [Expr],
) -> Option<(&'a str, &'a [Expr])> {
    let ExprKind::Literal(Literal::String(format)) = &target?.kind else { return None };
    let [Expr { kind: ExprKind::List { elements, .. }, .. }] = args else { return None };
    (function == "format").then_some((format, elements))
}

/// The expressions that the clauses of a literal format string print, each with its clause, in the
/// order in which they are checked. The last item is the first error, if there is one; more
/// arguments than clauses are an error too.
///
/// Source: cel-go `ext/formatting.go`, `stringFormatValidator`, `parseFormatString`.
pub(crate) fn printed<'a>(
    format: &str,
    args: &'a [Expr],
) -> impl Iterator<Item = Result<(&'a Expr, Clause), String>> {
    arguments(format, args).flat_map(|argument| {
        let mut parts = Vec::new();
        match argument {
            Ok((arg, clause)) => add_parts(arg, clause, &mut parts),
            Err(why) => parts.push(Err(why)),
        }
        parts
    })
}

/// Adds an argument and, for `%s`, the elements of list and map literals in it, which it prints
/// too.
fn add_parts<'a>(
    arg: &'a Expr,
    clause: Clause,
    parts: &mut Vec<Result<(&'a Expr, Clause), String>>,
) {
    parts.push(Ok((arg, clause)));
    if clause != Clause::String {
        return;
    }
    match &arg.kind {
        ExprKind::List { elements, .. } => {
            for element in elements {
                add_parts(element, clause, parts);
            }
        }
        ExprKind::Map(entries) => {
            for entry in entries {
                add_parts(&entry.key, clause, parts);
                add_parts(&entry.value, clause, parts);
            }
        }
        _ => {}
    }
}

/// The arguments that the clauses print.
fn arguments<'a>(
    format: &str,
    args: &'a [Expr],
) -> impl Iterator<Item = Result<(&'a Expr, Clause), String>> {
    let mut rest = Some(format.as_bytes());
    let mut used = 0;
    std::iter::from_fn(move || {
        let after = match rest.take().map(after_percent)? {
            Some(after) => after,
            None if args.len() > used => {
                let given = args.len();
                return Some(Err(format!(
                    "too many arguments supplied to string.format (expected {used}, got {given})"
                )));
            }
            None => return None,
        };
        if after.is_empty() {
            return Some(Err("unexpected end of string".to_owned()));
        }
        let Some(arg) = args.get(used) else {
            return Some(Err(format!("index {used} out of range")));
        };
        used += 1;
        Some(match Directive::parse(after) {
            Ok((directive, tail)) => {
                rest = Some(tail);
                Ok((arg, directive.clause))
            }
            Err(why) => Err(format!("could not parse formatting clause: {why}")),
        })
    })
}

/// The text after the next `%` that begins a clause, which `%%` does not.
fn after_percent(mut text: &[u8]) -> Option<&[u8]> {
    loop {
        text = match text {
            [b'%', b'%', tail @ ..] => tail,
            [b'%', tail @ ..] => return Some(tail),
            [_, tail @ ..] => tail,
            [] => return None,
        };
    }
}

fn parse_precision(text: &[u8]) -> Result<(Option<u64>, &[u8]), String> {
    let [b'.', rest @ ..] = text else { return Ok((None, text)) };
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, rest) = rest.split_at(digits);
    if rest.is_empty() {
        return Err("could not find end of precision specifier".to_owned());
    }
    let digits = String::from_utf8_lossy(digits);
    let why = match digits.parse::<u64>() {
        Ok(precision) if i64::try_from(precision).is_ok() => return Ok((Some(precision), rest)),
        Err(_) if digits.is_empty() => "invalid syntax",
        Ok(_) | Err(_) => "value out of range",
    };
    Err(format!(
        "error while converting precision to integer: strconv.Atoi: parsing {digits:?}: {why}"
    ))
}

impl Clause {
    /// All types of clauses, in the order of their numbers.
    #[cfg(feature = "compile-time")]
    pub(crate) const ALL: [Self; 7] = [
        Self::String,
        Self::Decimal,
        Self::Fixed,
        Self::Scientific,
        Self::Binary,
        Self::Hex,
        Self::Octal,
    ];

    /// Whether it prints values of a type without parts, by its code.
    ///
    /// Source: cel-go `ext/formatting.go`, `stringFormatChecker`.
    pub(crate) const fn prints(self, code: u8) -> bool {
        if matches!(code, basic::UNKNOWN | basic::DYN | basic::FREE) {
            return true;
        }
        match self {
            Self::String => code <= basic::TIMESTAMP,
            Self::Decimal | Self::Octal => matches!(code, basic::INT | basic::UINT),
            Self::Fixed | Self::Scientific => matches!(code, basic::DOUBLE | basic::STRING),
            Self::Binary => matches!(code, basic::INT | basic::UINT | basic::BOOL),
            Self::Hex => {
                matches!(code, basic::INT | basic::UINT | basic::STRING | basic::BYTES)
            }
        }
    }

    /// The error of an argument whose type the clause cannot print.
    pub(crate) const fn type_error(self) -> &'static str {
        match self {
            Self::String => {
                "string clause can only be used on strings, bools, bytes, ints, doubles, maps, \
                 lists, types, durations, and timestamps"
            }
            Self::Decimal => "decimal clause can only be used on integers",
            Self::Fixed => "fixed-point clause can only be used on doubles",
            Self::Scientific => "scientific clause can only be used on doubles",
            Self::Binary => "only integers and bools can be formatted as binary",
            Self::Hex => "only integers, byte buffers, and strings can be formatted as hex",
            Self::Octal => "octal clause can only be used on integers",
        }
    }
}

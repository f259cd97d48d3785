//! Literal format strings with literal argument lists: each clause is checked against the type of
//! its argument.
//!
//! Source: cel-go `ext/formatting.go`, `stringFormatValidator`, `stringFormatChecker`.

use super::{Findings, walk};
use crate::checked::Reference;
use crate::syntax::{Expr, ExprId, ExprKind, Literal};
use crate::types::Type;

/// What is wrong with a clause, and the argument it is about; `None` for the call itself.
type Wrong = (Option<ExprId>, String);

/// Reports the first wrong clause of each call, or surplus arguments.
pub(super) fn calls(findings: &mut Findings<'_>) {
    for node in walk::nodes(&findings.checked.ast.root) {
        let id = node.expr.id;
        let Some((format, args)) = literal_call(findings, node.expr) else { continue };
        match check(findings, format, args) {
            Err((at, message)) => findings.report(at.unwrap_or(id), message),
            Ok(used) if args.len() > used => {
                let given = args.len();
                findings.report(
                    id,
                    format!(
                        "too many arguments supplied to string.format (expected {used}, got {given})"
                    ),
                );
            }
            Ok(_) => {}
        }
    }
}

/// The format string and the arguments of a call that has both as literals.
fn literal_call<'a>(findings: &Findings<'_>, e: &'a Expr) -> Option<(&'a str, &'a [Expr])> {
    let ExprKind::Call { target: Some(target), function, args } = &e.kind else { return None };
    let ExprKind::Literal(Literal::String(format)) = &target.kind else { return None };
    let [Expr { kind: ExprKind::List { elements, .. }, .. }] = args.as_slice() else { return None };
    let matched = match findings.checked.reference_of(e.id) {
        Some(Reference::Overloads(overloads)) => overloads.contains(&"string_format"),
        _ => true,
    };
    (&**function == "format" && matched).then_some((&**format, elements))
}

/// How many arguments a format string uses.
fn check(findings: &Findings<'_>, format: &str, args: &[Expr]) -> Result<usize, Wrong> {
    let mut used = 0;
    let mut rest = format.as_bytes();
    while let [byte, tail @ ..] = rest {
        rest = tail;
        if *byte != b'%' {
            continue;
        }
        if let [b'%', tail @ ..] = rest {
            rest = tail;
            continue;
        }
        if rest.is_empty() {
            return Err((None, "unexpected end of string".to_owned()));
        }
        let Some(arg) = args.get(used) else {
            return Err((None, format!("index {used} out of range")));
        };
        used += 1;
        let (clause, tail) = parse_clause(rest)
            .map_err(|why| (None, format!("could not parse formatting clause: {why}")))?;
        rest = tail;
        clause.accepts(findings, arg).map_err(|(id, message)| {
            let found = findings.checked.type_of(id).runtime_name();
            (Some(id), format!("error during formatting: {message}, was given {found}"))
        })?;
    }
    Ok(used)
}

/// What a clause prints.
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

/// The clause after a `%` with its precision skipped, and what follows it.
fn parse_clause(text: &[u8]) -> Result<(Clause, &[u8]), String> {
    let rest =
        skip_precision(text).map_err(|why| format!("error while parsing precision: {why}"))?;
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
    Ok((clause, rest))
}

fn skip_precision(text: &[u8]) -> Result<&[u8], String> {
    let [b'.', rest @ ..] = text else { return Ok(text) };
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, rest) = rest.split_at(digits);
    if rest.is_empty() {
        return Err("could not find end of precision specifier".to_owned());
    }
    let digits = String::from_utf8_lossy(digits);
    let why = match digits.parse::<i64>() {
        Ok(_) => return Ok(rest),
        Err(_) if digits.is_empty() => "invalid syntax",
        Err(_) => "value out of range",
    };
    Err(format!(
        "error while converting precision to integer: strconv.Atoi: parsing {digits:?}: {why}"
    ))
}

impl Clause {
    /// Checks the type of an argument; an error names the node that does not fit.
    fn accepts(self, findings: &Findings<'_>, arg: &Expr) -> Result<(), (ExprId, &'static str)> {
        if self == Self::String {
            return accepts_string(findings, arg).map_err(|id| (id, self.wants()));
        }
        let ty = bare(findings, arg);
        let fits = match self {
            Self::String => true,
            Self::Decimal | Self::Octal => matches!(ty, Type::Int | Type::Uint),
            Self::Fixed | Self::Scientific => matches!(ty, Type::Double | Type::String),
            Self::Binary => matches!(ty, Type::Int | Type::Uint | Type::Bool),
            Self::Hex => matches!(ty, Type::Int | Type::Uint | Type::String | Type::Bytes),
        };
        if fits || *ty == Type::Dyn { Ok(()) } else { Err((arg.id, self.wants())) }
    }

    fn wants(self) -> &'static str {
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

/// Whether `%s` can print a node; an error names the node, which may be within a literal.
fn accepts_string(findings: &Findings<'_>, e: &Expr) -> Result<(), ExprId> {
    let fits = matches!(
        bare(findings, e),
        Type::Dyn
            | Type::List(_)
            | Type::Map(..)
            | Type::Int
            | Type::Uint
            | Type::Double
            | Type::Bool
            | Type::String
            | Type::Timestamp
            | Type::Bytes
            | Type::Duration
            | Type::Type(_)
            | Type::Null
    );
    if !fits {
        return Err(e.id);
    }
    match &e.kind {
        ExprKind::List { elements, .. } => {
            elements.iter().try_for_each(|element| accepts_string(findings, element))
        }
        ExprKind::Map(entries) => entries.iter().try_for_each(|entry| {
            accepts_string(findings, &entry.key)?;
            accepts_string(findings, &entry.value)
        }),
        _ => Ok(()),
    }
}

/// The type of a node; of a wrapper, what it wraps.
fn bare<'a>(findings: &Findings<'a>, e: &Expr) -> &'a Type {
    match findings.checked.type_of(e.id) {
        Type::Wrapper(inner) => inner,
        ty => ty,
    }
}

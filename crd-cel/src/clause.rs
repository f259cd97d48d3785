//! The clauses of format strings: `%s`, `%.3f`.
//!
//! Source: cel-go `ext/formatting.go`, `parseFormattingClause`, `parsePrecision`.

use crate::syntax::Expr;

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
    /// The text of cel-go.
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

/// The arguments that the clauses of a literal format string print, each with its clause. The last
/// item is the first error, if there is one; more arguments than clauses are an error too.
///
/// Source: cel-go `ext/formatting.go`, `stringFormatValidator`, `parseFormatString`.
pub(crate) fn printed<'a>(
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

/// The text after the next `%` that begins a clause; `%%` does not.
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

    /// The error of a clause for an argument that it cannot print.
    pub(crate) const fn wants(self) -> &'static str {
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

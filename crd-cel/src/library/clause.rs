//! The clauses of format strings: `%s`, `%.3f`.
//!
//! Source: cel-go `ext/formatting.go`, `parseFormattingClause`, `parsePrecision`.

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

/// A clause with what modifies it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Directive {
    pub(crate) clause: Clause,
    /// Digits after the point, where given.
    pub(crate) precision: Option<u64>,
    /// `%X`
    pub(crate) upper: bool,
}

impl Directive {
    /// The directive after a `%`, and what follows it.
    ///
    /// # Errors
    /// What cel-go says of it.
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
    /// What a clause says of an argument that it does not print.
    pub(crate) fn wants(self) -> &'static str {
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

//! Decides whether a string needs quotes, so that every YAML parser reads it back as that string.
//!
//! It considers YAML 1.1 as read by go-yaml v2 and `PyYAML`, and the core schema of YAML 1.2. In case of doubt a string
//! is quoted, which is always correct.

/// How a string is written on one line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// Without quotes.
    Plain,
    /// In single quotes: it contains YAML syntax.
    Single,
    /// In double quotes: it would be read as another type, or has characters to escape.
    Double,
}

/// Returns the simplest style in which every parser reads the string back as that string.
pub(super) fn style(text: &str) -> Style {
    if is_name(text) {
        return if is_word(text) { Style::Double } else { Style::Plain };
    }
    if !all_printable(text) || text.contains('\n') || reads_as_other(text) {
        return Style::Double;
    }
    if means_syntax(text) { Style::Single } else { Style::Plain }
}

/// Returns whether a text is a letter followed by letters, digits and connecting characters, as nearly all keys are.
///
/// PERF: such a text is not a number, a date or syntax, which need not be checked then.
fn is_name(text: &str) -> bool {
    let (first, rest) = text.as_bytes().split_first().unwrap_or((&b' ', &[]));
    first.is_ascii_alphabetic()
        && rest
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'/'))
}

/// A one in each byte.
const ONES: u64 = 0x0101_0101_0101_0101;
/// The highest bit of each byte.
const HIGH: u64 = 0x80 * ONES;

/// Returns a word with the highest bit set in each byte of `word` that is zero. No byte of `word` may have that bit
/// set.
const fn zeros(word: u64) -> u64 {
    !(word + 0x7f * ONES) & HIGH
}

/// Returns whether a text can be written as a block without escapes, for any parser.
pub(super) fn all_printable(text: &str) -> bool {
    // PERF: tests eight ASCII characters at a time, because descriptions make up most of a manifest.
    let (words, _) = text.as_bytes().as_chunks::<8>();
    let plain = words.iter().take_while(|word| {
        let word = u64::from_le_bytes(**word);
        let control = zeros(word & (0x60 * ONES));
        let allowed = zeros((word & !HIGH) ^ (0x0a * ONES));
        let delete = zeros((word & !HIGH) ^ (0x7f * ONES));
        (word & HIGH) | (control & !allowed) | delete == 0
    });
    let rest = text.get(plain.count() * 8..).unwrap_or(text);
    rest.chars().all(is_printable)
}

/// Returns whether a text has two consecutive spaces.
pub(super) fn has_two_spaces(text: &str) -> bool {
    let (words, _) = text.as_bytes().as_chunks::<8>();
    let mut before = 0;
    for word in words {
        let word = u64::from_le_bytes(*word);
        let spaces = zeros((word & !HIGH) ^ (0x20 * ONES)) & !word;
        if spaces & (spaces << 8 | before) != 0 {
            return true;
        }
        before = spaces >> 56;
    }
    let rest = text.as_bytes().get((words.len() * 8).saturating_sub(1)..).unwrap_or_default();
    rest.windows(2).any(|pair| pair == b"  ")
}

/// Returns whether a character needs no escape, for any parser. A newline needs none in a block.
pub(super) fn is_printable(c: char) -> bool {
    matches!(c, '\n' | ' '..='~' | '\u{a0}'..='\u{2027}' | '\u{202a}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..='\u{10fffd}')
        && c != '\u{feff}'
}

/// Returns whether a string contains YAML syntax.
fn means_syntax(text: &str) -> bool {
    let mut chars = text.chars();
    let first = chars.next();
    let second = chars.next();
    let opens = match first {
        None
        | Some(
            ' ' | ',' | '[' | ']' | '{' | '}' | '#' | '&' | '*' | '!' | '|' | '>' | '\'' | '"'
            | '%' | '@' | '`',
        ) => true,
        Some('-' | '?' | ':') => second.is_none_or(|c| !c.is_alphanumeric()),
        Some(_) => false,
    };
    opens
        || text.ends_with([' ', ':'])
        || text.as_bytes().windows(2).any(|pair| matches!(pair, b": " | b" #"))
        || text.starts_with("...")
        // `---` at the beginning of a line ends the document for readers that split streams by lines.
        || text.starts_with("---")
}

/// Returns whether some parser reads a plain string as null, a boolean, a number, a date or a merge key.
fn reads_as_other(text: &str) -> bool {
    is_word(text) || is_numeric(text) || is_date(text)
}

fn is_word(text: &str) -> bool {
    const WORDS: &[&str] = &[
        "", "~", "=", "<<", "null", "y", "n", "yes", "no", "true", "false", "on", "off", ".nan",
        ".inf", "+.inf", "-.inf",
    ];
    /// The length of the longest word, in bytes.
    const LONGEST: usize = 5;
    // In any mixture of upper and lower case, because an unneeded quote does no harm.
    text.len() <= LONGEST && WORDS.iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// Returns whether a text resembles a number: decimal, hex, octal, binary, with `_`, base 60, floats with missing
/// parts.
fn is_numeric(text: &str) -> bool {
    let body = text.strip_prefix(['+', '-']).unwrap_or(text);
    if !body.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return false;
    }
    let lower = body.to_ascii_lowercase();
    let in_base = |prefix: &str, radix: u32| {
        lower
            .strip_prefix(prefix)
            .is_some_and(|digits| digits.chars().all(|c| c == '_' || c.is_digit(radix)))
    };
    if in_base("0x", 16) || in_base("0o", 8) || in_base("0b", 2) {
        return true;
    }
    let like_decimal = lower
        .bytes()
        .all(|byte| matches!(byte, b'0'..=b'9' | b'_' | b'.' | b':' | b'e' | b'+' | b'-'));
    let dots = lower.bytes().filter(|byte| *byte == b'.').count();
    like_decimal && lower.bytes().any(|byte| byte.is_ascii_digit()) && dots < 2
}

/// Returns whether a text begins like the date `2001-1-1`.
fn is_date(text: &str) -> bool {
    let mut parts = text.splitn(3, '-');
    let digits = |part: Option<&str>| {
        part.filter(|part| part.bytes().all(|byte| byte.is_ascii_digit())).map(str::len)
    };
    digits(parts.next()) == Some(4)
        && matches!(digits(parts.next()), Some(1 | 2))
        && parts.next().is_some_and(|day| day.starts_with(|c: char| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(want: Style, texts: &[&str]) {
        for text in texts {
            assert_eq!(style(text), want, "{text:?}");
        }
    }

    #[test]
    fn strings_that_resemble_other_types_are_quoted() {
        check(
            Style::Double,
            &[
                "",
                "~",
                "=",
                "<<",
                "on",
                "No",
                "y",
                "nULL",
                "1",
                "-1",
                "+1",
                "1e3",
                "012",
                "0o17",
                "0x1F",
                "0b1",
                "1_000",
                "1:30",
                "-1:30.5",
                ".5",
                "1.",
                "5e-3",
                ".inf",
                "2001-01-01",
                "2001-1-1 10:00:00",
                "2001-01-01T00:00:00Z",
            ],
        );
    }

    #[test]
    fn checks_of_eight_characters_agree_with_those_of_one() {
        let odd = ['\n', '\t', '\u{7f}', '\u{1f}', ' ', '~', '\u{a0}', 'é', '\u{85}', '\u{feff}'];
        for (at, c) in (0..20).flat_map(|at| odd.map(|c| (at, c))) {
            let text: String = (0..20).map(|index| if index == at { c } else { 'a' }).collect();
            assert_eq!(all_printable(&text), is_printable(c), "{text:?}");
            for next in (0..20).filter(|next| *next != at) {
                let with = |index| if index == next || index == at { ' ' } else { c };
                let text: String = (0..20).map(with).collect();
                assert_eq!(has_two_spaces(&text), text.contains("  "), "{text:?}");
            }
        }
    }

    #[test]
    fn strings_with_syntax_are_quoted() {
        check(
            Style::Single,
            &[
                "- a", "-", "? a", ":", "a: b", "a #b", "a:", " a", "a ", "*", "&a", "!x", "@a",
                "`a", "%a", "[a]", "{a}", "'a'", "---a",
            ],
        );
    }

    #[test]
    fn invisible_characters_are_escaped() {
        check(Style::Double, &["a\tb", "a\u{85}b", "a\u{2028}b", "a\u{feff}", "\u{7f}", "a\r"]);
    }

    #[test]
    fn other_strings_are_plain() {
        check(
            Style::Plain,
            &[
                "a",
                "v1",
                ".spec.replicas",
                "-foo",
                "a:b",
                "a#b",
                "10.0.0.1",
                "5Gi",
                "1d",
                "^a$",
                "é",
                "日本",
                "v1.2",
                "a, b",
                "nope",
            ],
        );
    }
}

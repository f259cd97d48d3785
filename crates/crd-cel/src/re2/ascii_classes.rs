//! The named ASCII classes: Perl's `\d` and POSIX's `[:alpha:]`.

type Ranges = &'static [(u8, u8)];

const DIGIT: Ranges = &[(b'0', b'9')];
const WORD: Ranges = &[(b'0', b'9'), (b'A', b'Z'), (b'_', b'_'), (b'a', b'z')];
/// Perl's white space has no vertical tab; POSIX's `[:space:]` has.
const PERL_SPACE: Ranges = &[(b'\t', b'\n'), (0x0c, b'\r'), (b' ', b' ')];

/// The class of an escape letter, and whether it is negated.
pub(super) fn perl(letter: u8) -> Option<(Ranges, bool)> {
    let ranges = match letter.to_ascii_lowercase() {
        b'd' => DIGIT,
        b's' => PERL_SPACE,
        b'w' => WORD,
        _ => return None,
    };
    Some((ranges, letter.is_ascii_uppercase()))
}

/// The class of a name between `[:` and `:]`, and whether it is negated.
pub(super) fn posix(name: &str) -> Option<(Ranges, bool)> {
    let (name, negated) = match name.strip_prefix('^') {
        Some(rest) => (rest, true),
        None => (name, false),
    };
    let ranges: Ranges = match name {
        "alnum" => &[(b'0', b'9'), (b'A', b'Z'), (b'a', b'z')],
        "alpha" => &[(b'A', b'Z'), (b'a', b'z')],
        "ascii" => &[(0, 0x7f)],
        "blank" => &[(b'\t', b'\t'), (b' ', b' ')],
        "cntrl" => &[(0, 0x1f), (0x7f, 0x7f)],
        "digit" => DIGIT,
        "graph" => &[(b'!', b'~')],
        "lower" => &[(b'a', b'z')],
        "print" => &[(b' ', b'~')],
        "punct" => &[(b'!', b'/'), (b':', b'@'), (b'[', b'`'), (b'{', b'~')],
        "space" => &[(b'\t', b'\r'), (b' ', b' ')],
        "upper" => &[(b'A', b'Z')],
        "word" => WORD,
        "xdigit" => &[(b'0', b'9'), (b'A', b'F'), (b'a', b'f')],
        _ => return None,
    };
    Some((ranges, negated))
}

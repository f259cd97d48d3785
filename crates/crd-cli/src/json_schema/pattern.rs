//! Whether a regular expression of Go means the same in JSON Schema, whose patterns are those of ECMA-262.

use crd_cel::re2;

/// Returns whether a pattern is one of both languages with one meaning, for texts without line separators.
///
/// Flags, named groups, classes with names, and positions that only Go has are not.
pub(super) fn is_shared(pattern: &str) -> bool {
    if re2::check(pattern).is_err() {
        return false;
    }
    let mut chars = pattern.chars().peekable();
    let mut is_class = false;
    while let Some(char) = chars.next() {
        match char {
            '\\' => {
                let Some(escaped) = chars.next() else { return false };
                // ECMA-262 has other white space, and no other letters and digits here.
                let is_shared = match escaped {
                    'd' | 'D' | 'w' | 'W' | 't' | 'n' | 'r' | 'f' | 'v' => true,
                    'b' | 'B' => !is_class,
                    '-' => is_class,
                    other => "^$\\.*+?()[]{}|/".contains(other),
                };
                if !is_shared {
                    return false;
                }
            }
            '[' if is_class => return false,
            '[' => {
                is_class = true;
                // Go takes a bracket that comes first for a literal.
                chars.next_if_eq(&'^');
                if chars.peek() == Some(&']') {
                    return false;
                }
            }
            ']' if is_class => is_class = false,
            '(' if !is_class && chars.peek() == Some(&'?') => {
                chars.next();
                if chars.next() != Some(':') {
                    return false;
                }
            }
            // A brace that begins no repetition, and a bracket that ends no class, are literals in Go only.
            '{' if !is_class => {
                let inside: String = chars.by_ref().take_while(|char| *char != '}').collect();
                let is_number = |text: &str| text.chars().all(|char| char.is_ascii_digit());
                let (least, most) = inside.split_once(',').unwrap_or((&inside, ""));
                if least.is_empty() || !is_number(least) || !is_number(most) {
                    return false;
                }
            }
            ']' | '}' if !is_class => return false,
            _ => {}
        }
    }
    !is_class
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_of_go_alone_are_found() {
        for pattern in [
            "^[a-z]([-a-z0-9]*[a-z0-9])?$",
            r"^\d{1,3}(?:\.\d+)?$",
            r"a|b\.c",
            r"[\w\-]+",
            "a{2}",
            "",
        ] {
            assert!(is_shared(pattern), "{pattern}");
        }
        for pattern in [
            "*a",
            "(?i)a",
            "(?P<n>a)",
            r"\A",
            r"\z",
            r"\s",
            r"\pL",
            "[[:alpha:]]",
            "[]a]",
            "a{b",
            "a}",
            "a]",
            r"\-",
            r"\Qa\E",
        ] {
            assert!(!is_shared(pattern), "{pattern}");
        }
    }
}

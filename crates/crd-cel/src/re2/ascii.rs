//! Unicode classes of the code points up to U+007F, without Unicode's tables.
//!
//! Source: Unicode 15, `DerivedGeneralCategory.txt` and `Scripts.txt`, U+0000 to U+007F.

use super::unicode_names::UnicodeClass;

/// Whether a byte up to U+007F belongs to a class.
pub(super) fn holds(class: UnicodeClass, byte: u8) -> bool {
    match class {
        UnicodeClass::Any | UnicodeClass::Ascii | UnicodeClass::Assigned => true,
        UnicodeClass::Category("LC") | UnicodeClass::Script("Latin") => byte.is_ascii_alphabetic(),
        // The name of a group of categories is their first letter.
        UnicodeClass::Category(name) => category(byte).starts_with(name),
        UnicodeClass::Script(name) => name == "Common" && !byte.is_ascii_alphabetic(),
    }
}

fn category(byte: u8) -> &'static str {
    match byte {
        b'0'..=b'9' => "Nd",
        b'A'..=b'Z' => "Lu",
        b'a'..=b'z' => "Ll",
        b' ' => "Zs",
        b'$' => "Sc",
        b'+' | b'<' | b'=' | b'>' | b'|' | b'~' => "Sm",
        b'^' | b'`' => "Sk",
        b'-' => "Pd",
        b'_' => "Pc",
        b'(' | b'[' | b'{' => "Ps",
        b')' | b']' | b'}' => "Pe",
        byte if byte.is_ascii_punctuation() => "Po",
        _ => "Cc",
    }
}

#[cfg(all(test, feature = "eval"))]
mod tests {
    use super::super::{Regex, unicode_names};
    use super::*;

    #[test]
    fn agrees_with_the_tables() {
        // Most scripts have no code points up to U+007F, and compiling a regex for each would take long.
        let scripts = ["Common", "Cyrillic", "Greek", "Han", "Inherited", "Latin"];
        let is_compared = |class: &UnicodeClass| match class {
            UnicodeClass::Script(name) => scripts.contains(name),
            _ => true,
        };
        for class in unicode_names::all().filter(is_compared) {
            let name = match class {
                UnicodeClass::Any => "Any",
                UnicodeClass::Ascii => "ASCII",
                UnicodeClass::Assigned => "Assigned",
                UnicodeClass::Category(name) | UnicodeClass::Script(name) => name,
            };
            let regex = Regex::new(&format!("\\p{{{name}}}")).expect(name);
            for byte in 0..=0x7f_u8 {
                let text = char::from(byte).to_string();
                assert_eq!(holds(class, byte), regex.is_match(&text), "{name} {byte}");
            }
        }
    }
}

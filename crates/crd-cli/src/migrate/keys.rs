//! Keys of `#[crd(..)]`, and their layout.

/// The width of a line, as in rustfmt.
const WIDTH: usize = 100;
/// The width of the keys of an attribute on one line, as in rustfmt.
const KEYS_WIDTH: usize = 70;
/// The indentation of a level.
const INDENT: usize = 4;

/// A key with its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Key {
    /// Written as it is, such as `minimum = 1`.
    Plain(String),
    /// Written with arguments in parentheses.
    List(&'static str, Vec<String>),
}

impl Key {
    /// A key with a value, both as source.
    pub(super) fn value(name: &str, value: impl std::fmt::Display) -> Self {
        Self::Plain(format!("{name} = {value}"))
    }

    pub(super) fn word(name: &str) -> Self {
        Self::Plain(name.to_owned())
    }

    /// Writes it on one line.
    pub(super) fn on_one_line(&self) -> String {
        match self {
            Self::Plain(text) => text.clone(),
            Self::List(name, values) => format!("{name}({})", values.join(", ")),
        }
    }

    /// Writes it after `indent` spaces, with the arguments on lines of their own if one line is too short.
    fn lines(&self, indent: usize) -> String {
        let text = self.on_one_line();
        match self {
            Self::List(name, values) if indent + text.chars().count() >= WIDTH => {
                let inner = " ".repeat(indent + INDENT);
                let values: Vec<_> = values.iter().map(|it| format!("{inner}{it}")).collect();
                format!("{name}(\n{}\n{})", values.join(",\n"), " ".repeat(indent))
            }
            _ => text,
        }
    }
}

/// Writes keys between the start and the end of an attribute that is indented by `indent` spaces.
pub(super) fn attribute(open: &str, keys: &[Key], close: &str, indent: usize) -> String {
    let flat: Vec<_> = keys.iter().map(Key::on_one_line).collect();
    let flat = flat.join(", ");
    let width = indent + open.len() + flat.chars().count() + close.len();
    if width <= WIDTH && flat.chars().count() <= KEYS_WIDTH {
        return format!("{open}{flat}{close}");
    }
    if let [key] = keys {
        return format!("{open}{}{close}", key.lines(indent));
    }
    let inner = " ".repeat(indent + INDENT);
    let lines: Vec<_> =
        keys.iter().map(|key| format!("{inner}{}", key.lines(indent + INDENT))).collect();
    format!("{open}\n{}\n{}{close}", lines.join(",\n"), " ".repeat(indent))
}

/// Writes a text as a literal of Rust that a person would write.
pub(super) fn literal(text: &str) -> String {
    if !text.contains(['"', '\\', '\r', '\n']) {
        return format!("{text:?}").replace("\\'", "'");
    }
    if text.contains('\r') {
        return format!("{text:?}");
    }
    let hashes = (1..).map(|count| "#".repeat(count));
    let hashes = hashes.into_iter().find(|hashes| !text.contains(&format!("\"{hashes}")));
    let hashes = if text.contains('"') { hashes.unwrap_or_default() } else { String::new() };
    format!("r{hashes}\"{text}\"{hashes}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_attribute_is_one_line() {
        let keys = [Key::value("minimum", 1), Key::word("default")];
        assert_eq!(attribute("#[crd(", &keys, ")]", 4), "#[crd(minimum = 1, default)]");
    }

    #[test]
    fn a_long_rule_has_a_line_for_each_argument() {
        let key = Key::List("rule", vec![literal(&"x".repeat(60)), literal(&"y".repeat(30))]);
        let long = format!("{:?},\n    {:?}", "x".repeat(60), "y".repeat(30));
        let keys = std::slice::from_ref(&key);
        assert_eq!(attribute("#[crd(", keys, ")]", 0), format!("#[crd(rule(\n    {long}\n))]"));
        let two = attribute("#[crd(", &[Key::word("default"), key.clone()], ")]", 0);
        assert!(two.starts_with("#[crd(\n    default,\n    rule(\n        \"x"), "{two}");
    }

    #[test]
    fn literals_read_back() {
        for text in ["a", "self != 'b'", r"^\d+$", "say \"hi\"#", "two\nlines", "tab\t"] {
            let read: syn::LitStr = syn::parse_str(&literal(text)).expect(text);
            assert_eq!(read.value(), text);
        }
        assert_eq!(literal(r"^\d$"), r#"r"^\d$""#);
    }
}

//! What serde does with a type and its fields, by their attributes.

use syn::{Expr, ExprLit, Lit, Meta};

use super::source::{Attr, name_of};

/// The default that serde has for a field.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) enum SerdeDefault {
    #[default]
    None,
    /// `#[serde(default)]` on the field, or on its struct.
    Value,
    /// `#[serde(default = "..")]`
    Function,
}

/// The attributes of serde on an item.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
pub(super) struct Serde {
    pub default: SerdeDefault,
    /// The path of `skip_serializing_if`.
    pub skip_if: Option<String>,
    pub skip: bool,
    pub skip_serializing: bool,
    pub skip_deserializing: bool,
    pub flatten: bool,
    /// Whether serde uses functions in place of the implementations of the type.
    pub with: bool,
    pub alias: bool,
    pub rename: Option<String>,
    pub rename_all: Option<String>,
    /// Whether an enum has no tag around its content.
    pub is_flat: bool,
}

impl Serde {
    pub(super) fn of(attrs: &[Attr]) -> Self {
        let mut serde = Self::default();
        let attrs = attrs.iter().filter(|attr| attr.name == "serde");
        for meta in attrs.filter_map(Attr::keys).flatten() {
            serde.read(&meta);
        }
        serde
    }

    fn read(&mut self, meta: &Meta) {
        match &*name_of(meta) {
            "default" if text(meta).is_some() => self.default = SerdeDefault::Function,
            "default" => self.default = SerdeDefault::Value,
            "skip_serializing_if" => self.skip_if = text(meta),
            "skip" => self.skip = true,
            "skip_serializing" => self.skip_serializing = true,
            "skip_deserializing" => self.skip_deserializing = true,
            "flatten" => self.flatten = true,
            "with" | "serialize_with" | "deserialize_with" => self.with = true,
            "alias" => self.alias = true,
            "rename" => self.rename = text(meta),
            "rename_all" => self.rename_all = text(meta),
            "tag" | "untagged" => self.is_flat = true,
            _ => {}
        }
    }

    /// Whether serde leaves `None` out.
    pub(super) fn skips_none(&self) -> bool {
        self.skip_if.is_some() || self.skip_serializing
    }

    /// Whether serde surely leaves out the value of `Default`.
    pub(super) fn skips_default(&self) -> bool {
        self.skip_if.is_some()
    }
}

/// Returns the text of a key with a string.
pub(super) fn text(meta: &Meta) -> Option<String> {
    match meta {
        Meta::NameValue(pair) => string(&pair.value),
        _ => None,
    }
}

/// Returns the text of a literal.
pub(super) fn string(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
        Expr::Group(group) => string(&group.expr),
        _ => None,
    }
}

/// Returns the name of a variant in JSON.
pub(super) fn name_of_variant(name: &str, rename_all: Option<&str>) -> String {
    let words = || {
        let mut words = String::new();
        for (index, c) in name.char_indices() {
            if index > 0 && c.is_uppercase() {
                words.push('_');
            }
            words.extend(c.to_lowercase());
        }
        words
    };
    match rename_all {
        Some("lowercase") => name.to_lowercase(),
        Some("UPPERCASE") => name.to_uppercase(),
        Some("camelCase") => {
            let mut rest = name.chars();
            let first = rest.next().map(|c| c.to_lowercase().to_string());
            first.unwrap_or_default() + rest.as_str()
        }
        Some("snake_case") => words(),
        Some("SCREAMING_SNAKE_CASE") => words().to_uppercase(),
        Some("kebab-case") => words().replace('_', "-"),
        Some("SCREAMING-KEBAB-CASE") => words().to_uppercase().replace('_', "-"),
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_serde() {
        for (rule, name) in [
            ("lowercase", "inprocess"),
            ("camelCase", "inProcess"),
            ("kebab-case", "in-process"),
            ("SCREAMING_SNAKE_CASE", "IN_PROCESS"),
            ("PascalCase", "InProcess"),
        ] {
            assert_eq!(name_of_variant("InProcess", Some(rule)), name);
        }
    }
}

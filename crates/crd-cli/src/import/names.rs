//! Names of kinds and types, and the rules by which serde renames fields.

use std::collections::BTreeSet;

use crate::identifiers::{is_type, pascal};

/// Names that a generated type cannot have, because the source uses them otherwise.
pub(super) const TAKEN: [&str; 35] = [
    "BTreeMap",
    "Box",
    "ByteString",
    "Clone",
    "Condition",
    "Copy",
    "CrdSchema",
    "CustomResource",
    "Debug",
    "Default",
    "Deserialize",
    "Drop",
    "Eq",
    "Err",
    "IntOrString",
    "None",
    "ObjectMeta",
    "Ok",
    "Option",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Quantity",
    "Result",
    "Self",
    "Send",
    "Serialize",
    "Sized",
    "Some",
    "String",
    "Sync",
    "Time",
    "ToString",
    "TypeMeta",
    "Vec",
];

/// Returns a kind as the name of its type: as it is, if Rust takes it and nothing else has it.
pub(super) fn kind(kind: &str) -> String {
    let name = if is_type(kind) { kind.to_owned() } else { pascal(kind) };
    if TAKEN.contains(&&*name) { format!("{name}Resource") } else { name }
}

/// Returns the singular of an English word: `policies` is `policy`, `addresses` is `address`.
pub(super) fn singular(word: &str) -> String {
    let lower = word.to_lowercase();
    let without = |end: &str, with: &str| {
        let stem = word.get(..word.len() - end.len()).unwrap_or(word);
        format!("{stem}{with}")
    };
    if lower.len() > 4 && lower.ends_with("ies") {
        without("ies", "y")
    } else if ["sses", "xes", "zes", "ches", "shes"].iter().any(|end| lower.ends_with(end)) {
        without("es", "")
    } else if lower.len() > 2
        && lower.ends_with('s')
        && !["ss", "us", "is", "as"].iter().any(|end| lower.ends_with(end))
    {
        without("s", "")
    } else {
        word.to_owned()
    }
}

/// Returns the first of `name`, `name2`, `name3` .. that is free.
pub(super) fn numbered(name: &str, taken: &BTreeSet<String>) -> String {
    let mut free = name.to_owned();
    let mut number = 2;
    while taken.contains(&free) {
        // A name that is no keyword only because of its `_`.
        free = format!("{}{number}", name.trim_end_matches('_'));
        number += 1;
    }
    free
}

/// What serde makes of an identifier.
type RenameRule = fn(&str) -> String;

/// The rules of `#[serde(rename_all = "..")]` that a struct may need, with their effect on an identifier.
pub(super) const RENAME_RULES: [(&str, RenameRule); 3] =
    [("camelCase", camel), ("kebab-case", kebab), ("PascalCase", upper_camel)];

/// Returns what serde writes for a field of this identifier with `rename_all = "camelCase"`.
fn camel(ident: &str) -> String {
    let upper = upper_camel(ident);
    let mut chars = upper.chars();
    chars
        .next()
        .map_or(String::new(), |first| format!("{}{}", first.to_ascii_lowercase(), chars.as_str()))
}

fn kebab(ident: &str) -> String {
    ident.trim_start_matches("r#").replace('_', "-")
}

fn upper_camel(ident: &str) -> String {
    let mut out = String::new();
    let mut capital = true;
    for c in ident.trim_start_matches("r#").chars() {
        if c == '_' {
            capital = true;
        } else if capital {
            out.push(c.to_ascii_uppercase());
            capital = false;
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_singulars() {
        for (word, want) in [
            ("policies", "policy"),
            ("addresses", "address"),
            ("status", "status"),
            ("ports", "port"),
            ("class", "class"),
            ("boxes", "box"),
            ("alias", "alias"),
        ] {
            assert_eq!(singular(word), want, "{word}");
        }
    }
}

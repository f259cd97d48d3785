//! Names of Rust items, from names in JSON.

/// Words that an identifier cannot be, even raw.
const NEVER_RAW: [&str; 5] = ["self", "Self", "super", "crate", "_"];

/// Keywords of Rust 2024, which are written raw: `r#type`.
const KEYWORDS: [&str; 48] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let",
    "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return",
    "static", "struct", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use",
    "virtual", "where", "while", "yield",
];

/// Splits a name into its words: `podIPAddress-v2` has `pod`, `IP`, `Address`, `v2`.
fn words(name: &str) -> Vec<String> {
    let chars: Vec<char> = name.chars().collect();
    let mut words = vec![String::new()];
    for (index, &c) in chars.iter().enumerate() {
        if !c.is_alphanumeric() {
            words.push(String::new());
            continue;
        }
        let before = index.checked_sub(1).and_then(|before| chars.get(before));
        let after = chars.get(index + 1);
        // The plural of an acronym is one word: `podIPs`, `URLs`.
        let plural_acronym =
            after == Some(&'s') && chars.get(index + 2).is_none_or(|c| !c.is_lowercase());
        let starts_word = c.is_uppercase()
            && before.is_some_and(|before| {
                before.is_lowercase()
                    || before.is_numeric()
                    || (before.is_uppercase()
                        && after.is_some_and(|after| after.is_lowercase())
                        && !plural_acronym)
            });
        if starts_word {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut() {
            word.push(c);
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Returns a name as an identifier of a field or module. An invalid first character gets a prefix, and a keyword is
/// written raw.
pub(super) fn snake(name: &str) -> String {
    let words: Vec<String> = words(name).iter().map(|word| word.to_lowercase()).collect();
    let joined = words.join("_");
    if joined.is_empty() {
        return "field".to_owned();
    }
    if joined.starts_with(|c: char| c.is_numeric()) {
        return format!("_{joined}");
    }
    if NEVER_RAW.contains(&&*joined) {
        return format!("{joined}_");
    }
    if KEYWORDS.contains(&&*joined) { format!("r#{joined}") } else { joined }
}

/// Returns a name as an identifier of a type or variant. It is empty if the name has no letter or digit.
pub(super) fn pascal(name: &str) -> String {
    let mut out = String::new();
    for word in words(name) {
        let mut chars = word.chars();
        if let Some(first) = chars.next() {
            // An acronym stays in capitals only if it is the whole name, such as `AWS`.
            let is_acronym = word.chars().all(|c| !c.is_lowercase());
            out.extend(first.to_uppercase());
            if is_acronym {
                out.extend(chars.flat_map(char::to_lowercase));
            } else {
                out.push_str(chars.as_str());
            }
        }
    }
    if out.starts_with(|c: char| c.is_numeric()) {
        out.insert(0, 'V');
    }
    if NEVER_RAW.contains(&&*out) {
        out.push('_');
    }
    out
}

/// Returns a kind as the name of its type: as it is, if Rust takes it.
pub(super) fn kind(kind: &str) -> String {
    let is_type = kind.starts_with(|c: char| c.is_ascii_uppercase())
        && kind.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && kind != "Self";
    if is_type { kind.to_owned() } else { pascal(kind) }
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
    fn fields_are_in_snake_case() {
        for (name, want) in [
            ("replicas", "replicas"),
            ("podIPs", "pod_ips"),
            ("caBundleURL", "ca_bundle_url"),
            ("type", "r#type"),
            ("self", "self_"),
            ("x-y.z", "x_y_z"),
            ("$ref", "r#ref"),
            ("2fa", "_2fa"),
            ("http2Port", "http2_port"),
            ("$", "field"),
        ] {
            assert_eq!(snake(name), want, "{name}");
        }
    }

    #[test]
    fn types_are_in_pascal_case() {
        for (name, want) in [
            ("issuerRef", "IssuerRef"),
            ("dns01", "Dns01"),
            ("AWS", "Aws"),
            ("podIPs", "PodIPs"),
            ("!=", ""),
            ("1.2", "V12"),
            ("self", "Self_"),
        ] {
            assert_eq!(pascal(name), want, "{name}");
        }
    }

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

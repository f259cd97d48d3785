//! Identifiers of Rust, from names in Kubernetes and JSON.

/// Words that an identifier cannot be, even raw.
const NEVER_RAW: [&str; 5] = ["self", "Self", "super", "crate", "_"];

/// Keywords of Rust 2024 that can be written raw: `r#type`.
const RAW_KEYWORDS: [&str; 48] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let",
    "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return",
    "static", "struct", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use",
    "virtual", "where", "while", "yield",
];

/// Returns whether a word is a keyword of Rust 2024.
pub(super) fn is_keyword(word: &str) -> bool {
    NEVER_RAW.contains(&word) || RAW_KEYWORDS.contains(&word)
}

/// Splits a name into its words: `podIPAddress-v2` has `pod`, `IP`, `Address`, `v2`. Letters that are not ASCII separate
/// words: rustc takes some of them for equal, and warns of others.
fn words(name: &str) -> Vec<String> {
    let chars: Vec<char> = name.chars().collect();
    let mut words = vec![String::new()];
    for (index, &c) in chars.iter().enumerate() {
        if !c.is_ascii_alphanumeric() {
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

/// Returns the words of a name in lower case, joined by `_`. This may be a keyword.
pub(super) fn snake_words(name: &str) -> String {
    words(name).iter().map(|word| word.to_lowercase()).collect::<Vec<_>>().join("_")
}

/// Returns a name as an identifier of a field or module. An invalid first character gets a prefix, and a keyword is
/// written raw.
pub(super) fn snake(name: &str) -> String {
    let joined = snake_words(name);
    if joined.is_empty() {
        return "field".to_owned();
    }
    if joined.starts_with(|c: char| c.is_numeric()) {
        return format!("_{joined}");
    }
    if NEVER_RAW.contains(&&*joined) {
        return format!("{joined}_");
    }
    if is_keyword(&joined) { format!("r#{joined}") } else { joined }
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

/// Returns whether a kind is the name of a type as it is.
pub(super) fn is_type(kind: &str) -> bool {
    kind.starts_with(|c: char| c.is_ascii_uppercase())
        && kind.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && kind != "Self"
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
            ("na\u{ef}ve", "na_ve"),
            ("\u{65e5}\u{672c}", "field"),
        ] {
            assert_eq!(snake(name), want, "{name}");
        }
    }

    #[test]
    fn a_kind_names_a_module() {
        for (kind, want) in [
            ("Memcached", "memcached"),
            ("CronTab", "cron_tab"),
            ("HTTPRoute", "http_route"),
            ("V2Thing", "v2_thing"),
            ("AWS", "aws"),
        ] {
            assert_eq!(snake(kind), want);
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
}

//! Derived names: plurals, identifiers, method names; names in tokens.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};

/// The plural of a kind in lower case: `CronTab` is `crontabs`, `Proxy` is `proxies`.
pub(crate) fn plural(kind: &str) -> String {
    let word = kind.to_lowercase();
    let before_last = word.chars().rev().nth(1);
    let vowel = before_last.is_some_and(|c| "aeiou".contains(c));
    if ["s", "x", "z", "ch", "sh"].iter().any(|end| word.ends_with(end)) {
        format!("{word}es")
    } else if let Some(stem) = word.strip_suffix('y').filter(|_| !vowel) {
        format!("{stem}ies")
    } else {
        format!("{word}s")
    }
}

/// A kind as the name of a type. If it is not an identifier, which `check` reports, the name is
/// `Root`.
pub(crate) fn identifier(kind: &str, span: Span) -> Ident {
    let is_plain = kind.starts_with(|c: char| c.is_ascii_uppercase())
        && kind.chars().all(|c| c.is_ascii_alphanumeric())
        && kind != "Self";
    let is_ident = || syn::parse_str::<Ident>(kind).is_ok_and(|_| !kind.starts_with("r#"));
    Ident::new(if is_plain || is_ident() { kind } else { "Root" }, span)
}

/// Whether the last name of a path is one of these.
pub(crate) fn ends_in(path: &syn::Path, names: &[&str]) -> bool {
    path.segments.last().is_some_and(|last| names.iter().any(|name| last.ident == name))
}

/// A path in JSON as the name of a method: `a.bC` is `a_b_c`.
pub(crate) fn snake_case(path: &str) -> String {
    let mut name = String::new();
    let mut after_lower = false;
    for c in path.chars() {
        if c.is_uppercase() && after_lower {
            name.push('_');
        }
        after_lower = c.is_lowercase() || c.is_numeric();
        if c.is_alphanumeric() {
            name.extend(c.to_lowercase());
        } else if !name.ends_with('_') {
            name.push('_');
        }
    }
    name.trim_matches('_').to_owned()
}

/// The tokens with those that are no groups replaced, in groups too.
pub(crate) fn map_tokens(
    tokens: TokenStream,
    replace: &mut dyn FnMut(TokenTree) -> TokenStream,
) -> TokenStream {
    let map = |token| match token {
        TokenTree::Group(group) => {
            let mut mapped = Group::new(group.delimiter(), map_tokens(group.stream(), replace));
            mapped.set_span(group.span());
            TokenTree::Group(mapped).into()
        }
        token => replace(token),
    };
    tokens.into_iter().map(map).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods() {
        for (path, want) in [
            ("phase", "phase"),
            ("a.bC", "a_b_c"),
            ("repositoryURL", "repository_url"),
            ("x-y", "x_y"),
        ] {
            assert_eq!(snake_case(path), want);
        }
    }

    #[test]
    fn plurals() {
        for (kind, want) in [
            ("CronTab", "crontabs"),
            ("Proxy", "proxies"),
            ("Gateway", "gateways"),
            ("Ingress", "ingresses"),
            ("Box", "boxes"),
            ("Switch", "switches"),
        ] {
            assert_eq!(plural(kind), want);
        }
    }
}

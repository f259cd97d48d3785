//! JSON that is written in Rust source, as in `json!({..})`.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use serde_json::{Map, Value};
use syn::Lit;

/// The object that stands for an expression, of which it has the source.
const EXPRESSION: &str = "$expression";

/// Reads JSON from tokens. An expression that is no literal is read by `expression`, which gets its tokens.
pub(super) fn read(
    tokens: &TokenStream,
    expression: &dyn Fn(&TokenStream) -> Option<Value>,
) -> Option<Value> {
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    match &trees[..] {
        [TokenTree::Group(group)] if group.delimiter() == Delimiter::Brace => {
            let mut object = Map::new();
            for entry in split(group.stream()) {
                let colon = entry.iter().position(|tree| is_punct(tree, ':'))?;
                let name = text(&entry[..colon])?;
                let value = entry[colon + 1..].iter().cloned().collect();
                object.insert(name, read(&value, expression)?);
            }
            Some(Value::Object(object))
        }
        [TokenTree::Group(group)] if group.delimiter() == Delimiter::Bracket => {
            let items = split(group.stream()).into_iter();
            let items = items.map(|item| read(&item.into_iter().collect(), expression));
            items.collect::<Option<_>>().map(Value::Array)
        }
        [TokenTree::Ident(ident)] if ident == "null" => Some(Value::Null),
        [TokenTree::Punct(minus), TokenTree::Literal(_)] if minus.as_char() == '-' => {
            tokens.to_string().replace(' ', "").parse().ok()
        }
        [_] => scalar(tokens.clone()).or_else(|| expression(tokens)),
        _ => expression(tokens),
    }
}

/// Returns a value that stands for an expression.
pub(super) fn expression(name: &str, source: &str) -> Value {
    serde_json::json!({EXPRESSION: {name: source}})
}

/// Returns the source of an expression of this name.
pub(super) fn expression_of<'a>(name: &str, value: &'a Value) -> Option<&'a str> {
    value.get(EXPRESSION)?.get(name)?.as_str()
}

fn scalar(tokens: TokenStream) -> Option<Value> {
    match syn::parse2::<Lit>(tokens).ok()? {
        Lit::Str(text) => Some(Value::String(text.value())),
        Lit::Bool(flag) => Some(Value::Bool(flag.value)),
        Lit::Int(number) => number.base10_digits().parse().ok(),
        Lit::Float(number) => number.base10_digits().parse().ok(),
        _ => None,
    }
}

fn text(trees: &[TokenTree]) -> Option<String> {
    match scalar(trees.iter().cloned().collect())? {
        Value::String(text) => Some(text),
        _ => None,
    }
}

fn is_punct(tree: &TokenTree, c: char) -> bool {
    matches!(tree, TokenTree::Punct(punct) if punct.as_char() == c)
}

/// Returns the parts between commas; one after the last comma may be absent.
pub(super) fn split(tokens: TokenStream) -> Vec<Vec<TokenTree>> {
    let mut parts = vec![Vec::new()];
    for tree in tokens {
        if is_punct(&tree, ',') {
            parts.push(Vec::new());
        } else if let Some(part) = parts.last_mut() {
            part.push(tree);
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// Writes JSON as the argument of `json!(..)`.
pub(super) fn source(value: &Value) -> String {
    match value {
        Value::String(text) => super::keys::literal(text),
        Value::Array(items) => {
            let items: Vec<_> = items.iter().map(source).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(object) => {
            let fields = object.iter();
            let fields: Vec<_> =
                fields.map(|(name, value)| format!("{name:?}: {}", source(value))).collect();
            format!("{{{}}}", fields.join(", "))
        }
        scalar => scalar.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn literals_objects_and_lists_are_read() {
        let tokens = r##"{"a": [1, -2, 1.5, true, null], "b": {"c": r#"d"#},}"##;
        let value = read(&tokens.parse().expect("tokens"), &|_| None);
        assert_eq!(value, Some(json!({"a": [1, -2, 1.5, true, null], "b": {"c": "d"}})));
    }

    #[test]
    fn expressions_are_read_by_the_caller() {
        let of = |tokens: &TokenStream| Some(expression("of", &tokens.to_string()));
        let value = read(&"{\"a\": b}".parse().expect("tokens"), &of).expect("JSON");
        assert_eq!(expression_of("of", &value["a"]), Some("b"));
        assert_eq!(read(&"{\"a\": b + 1}".parse().expect("tokens"), &|_| None), None);
    }
}

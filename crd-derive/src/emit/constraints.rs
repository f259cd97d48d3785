//! Writes constraints as a chain of calls on `__private::Schema`.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned as _;
use syn::{Expr, ExprCall, Stmt, Token, Type};

use crate::literal::{Constant, Number, Text, Value, as_number, plain};
use crate::model::{Constraints, ExternalDocs, Rule};
use crate::types;

/// `.minimum(1.0).pattern("..")`, for each key that is given.
pub(crate) fn chain(constraints: &Constraints) -> TokenStream {
    chain_of(constraints, None)
}

/// As [`chain`], for a value of a type, which is that of expressions such as `"a".into()`.
pub(crate) fn chain_of(constraints: &Constraints, ty: Option<&Type>) -> TokenStream {
    let mut chain = Chain { ty, tokens: TokenStream::new() };
    // Keys that change the type come first, so that the others apply to the result.
    chain.flags(constraints);
    chain.texts(constraints);
    chain.numbers(constraints);
    chain.values(constraints);
    chain.rules(constraints);
    chain.nested(constraints);
    // Last, because it changes what the other keys make.
    if let Some(patch) = &constraints.patch {
        chain.call("patch", &json(patch, None));
    }
    chain.tokens
}

/// Whether no key is given, except for `schema_with`, `unchecked`, `unique_items` and a `default` without a value.
pub(crate) fn is_empty(constraints: &Constraints) -> bool {
    chain(constraints).is_empty()
}

/// A chain of calls under construction.
struct Chain<'a> {
    ty: Option<&'a Type>,
    tokens: TokenStream,
}

impl Chain<'_> {
    fn call(&mut self, name: &str, args: &dyn ToTokens) {
        let name = quote::format_ident!("{name}");
        self.tokens.extend(quote!(.#name(#args)));
    }

    fn flags(&mut self, c: &Constraints) {
        for (name, flag) in [
            ("int_or_string", c.int_or_string),
            ("preserve_unknown_fields", c.preserve_unknown_fields),
            ("embedded_resource", c.embedded_resource),
        ] {
            if flag.is_some() {
                self.call(name, &TokenStream::new());
            }
        }
    }

    fn texts(&mut self, c: &Constraints) {
        for (name, words) in
            [("title", &c.title), ("description", &c.description), ("pattern", &c.pattern)]
        {
            if let Some(words) = words {
                self.call(name, words);
            }
        }
        for (name, text) in
            [("format", &c.format), ("list_type", &c.list_type), ("map_type", &c.map_type)]
        {
            if let Some(text) = text {
                self.call(name, &text.value);
            }
        }
    }

    fn numbers(&mut self, c: &Constraints) {
        for (name, number) in c.bounds() {
            if let Some(number) = number {
                match &**number {
                    Constant::Literal(literal) => self.call(name, &literal.as_f64()),
                    Constant::Expr(_) => self.call(name, &as_number(number, "f64")),
                }
            }
        }
        for (name, switch) in [
            ("nullable", &c.nullable),
            ("exclusive_minimum", &c.exclusive_minimum),
            ("exclusive_maximum", &c.exclusive_maximum),
        ] {
            if let Some(switch) = switch {
                self.call(name, &**switch);
            }
        }
        for (name, count) in c.counts().into_iter().flat_map(|(_, pair)| pair) {
            if let Some(count) = count {
                match &**count {
                    Constant::Literal(literal) => self.call(name, &i64::from(*literal)),
                    Constant::Expr(_) => self.call(name, &as_number(count, "i64")),
                }
            }
        }
    }

    fn values(&mut self, c: &Constraints) {
        if let Some(ExternalDocs { url, description }) = c.external_docs.as_deref() {
            let url = &url.value;
            let description = description.as_ref().map_or("", |text| &text.value);
            self.call("external_docs", &quote!(#url, #description));
        }
        if let Some(example) = &c.example {
            self.call("example", &json(example, self.ty));
        }
        if let Some(value) = c.default_value() {
            self.call("default", &json(value, self.ty));
        }
        if let Some(list) = &c.enum_values {
            let values = list.0.iter().map(|expr| json(&Value(expr.clone()), self.ty));
            self.call("enum_values", &quote!(__p::vec![#(#values),*]));
        }
        if let Some(keys) = &c.list_map_keys {
            let keys = keys.0.iter().map(|key| &key.value);
            self.call("list_map_keys", &quote!(&[#(#keys),*]));
        }
    }

    fn rules(&mut self, c: &Constraints) {
        for rule in &c.rules {
            self.tokens.extend(rule_call(rule));
        }
        for (name, groups) in [
            ("at_most_one_of", &c.at_most_one_of),
            ("exactly_one_of", &c.exactly_one_of),
            ("at_least_one_of", &c.at_least_one_of),
        ] {
            for group in groups {
                let fields = group.0.iter().map(|field| &field.value);
                self.call(name, &quote!(&[#(#fields),*]));
            }
        }
        if c.immutable.is_some() {
            self.call("immutable", &TokenStream::new());
        }
    }

    fn nested(&mut self, c: &Constraints) {
        for (name, inner) in [("items", &c.items), ("values", &c.values)] {
            if let Some(inner) = inner {
                let inner = chain_of(inner, self.ty.and_then(types::inner));
                self.call(name, &quote!(|schema| schema #inner));
            }
        }
    }
}

/// `.rule("..")`, or `.rule_with(Rule { .. })` for a rule with keys.
pub(crate) fn rule_call(rule: &Rule) -> TokenStream {
    let Rule { expression, options } = rule;
    let mut keys = TokenStream::new();
    let texts =
        [("message", &options.message), ("message_expression", &options.message_expression)];
    for (name, words) in texts {
        if let Some(words) = words {
            let name = quote::format_ident!("{name}");
            keys.extend(quote!(#name: #words,));
        }
    }
    if let Some(Text { value, .. }) = &options.field_path {
        keys.extend(quote!(field_path: #value,));
    }
    if let Some(Text { value, .. }) = &options.reason {
        keys.extend(quote!(reason: __p::Some(#value),));
    }
    if let Some(flag) = options.optional_old_self.as_deref() {
        keys.extend(quote!(optional_old_self: __p::Some(#flag),));
    }
    if keys.is_empty() {
        return quote!(.rule(#expression));
    }
    quote!(.rule_with(__p::Rule { rule: #expression, #keys ..__p::Rule::NONE }))
}

/// Whether an expression may have no type of its own: `Vec::new()`, `Default::default()`, `"x".into()`.
fn has_no_type(expr: &Expr) -> bool {
    match plain(expr) {
        Expr::Array(array) => array.elems.is_empty() || array.elems.iter().any(has_no_type),
        Expr::Block(block) => {
            matches!(block.block.stmts.last(), Some(Stmt::Expr(expr, None)) if has_no_type(expr))
        }
        Expr::Call(call) if call.args.is_empty() => calls(call, &["new", "default"]),
        Expr::Call(call) => calls(call, &["from"]) && call.args.iter().any(has_no_type),
        Expr::MethodCall(call) if call.turbofish.is_none() => {
            match call.method.to_string().as_str() {
                "collect" | "into" | "parse" | "try_into" => true,
                "expect" | "unwrap" | "unwrap_or_default" => has_no_type(&call.receiver),
                _ => false,
            }
        }
        _ => false,
    }
}

/// Whether a call is of a function with one of these names, before which there may be a path.
fn calls(call: &ExprCall, names: &[&str]) -> bool {
    let function = format!("::{}", call.func.to_token_stream()).replace(' ', "");
    names.iter().any(|name| function.ends_with(&format!("::{name}")))
}

/// An expression of type `serde_json::Value`: a list is converted element by element, `json!(..)` by the macro of
/// `serde_json`, and any other value is serialized, as a `ty` if it has no type of its own.
fn json(value: &Value, ty: Option<&Type>) -> TokenStream {
    let list = |elements: &Punctuated<Expr, Token![,]>| {
        let ty = ty.and_then(types::inner);
        let elements = elements.iter().map(|expr| json(&Value(expr.clone()), ty));
        quote!(__p::serde_json::Value::Array(__p::vec![#(#elements),*]))
    };
    match plain(&value.0) {
        Expr::Array(array) => return list(&array.elems),
        Expr::Macro(mac) if mac.mac.path.is_ident("vec") => {
            if let Ok(elements) = mac.mac.parse_body_with(Punctuated::parse_terminated) {
                return list(&elements);
            }
        }
        // `json!(..)` works without an import of serde_json.
        Expr::Macro(mac) if mac.mac.path.is_ident("json") => {
            let tokens = &mac.mac.tokens;
            return quote!(__p::serde_json::json!(#tokens));
        }
        Expr::Path(path) if path.path.is_ident("None") => {
            return quote!(__p::serde_json::Value::Null);
        }
        // These are serialized as their contents.
        Expr::Call(call) if calls(call, &["Some", "Box::new", "Arc::new", "Rc::new"]) => {
            if let Some(content) = call.args.first() {
                return json(&Value(content.clone()), ty);
            }
        }
        _ => {}
    }
    match value.as_number() {
        // Without a suffix, rustc would take the literal for an `i32`.
        Some(Number::Int(int)) => {
            let int = i64::try_from(int).map_or_else(|_| quote!(#int), |int| quote!(#int));
            quote!(__p::json(&#int))
        }
        Some(Number::Float(float)) => quote!(__p::json(&#float)),
        // A value that does not serialize is an error at its tokens.
        None => {
            let expr = plain(&value.0);
            let ty = ty.filter(|_| has_no_type(expr)).map(|ty| quote!(::<#ty>));
            quote_spanned!(expr.span()=> __p::json #ty(&(#expr)))
        }
    }
}

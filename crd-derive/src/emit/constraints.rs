//! Writes constraints as a chain of calls on `__private::Schema`.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Expr, Type};

use crate::literal::{Constant, Number, Text, Value, as_number, plain};
use crate::model::{Constraints, ExternalDocs, Rule};

/// `.minimum(1.0).pattern("..")`, for each key that is given.
pub(crate) fn chain(constraints: &Constraints) -> TokenStream {
    chain_of(constraints, None)
}

/// As [`chain`], for a value of a type, which is that of a default such as `vec![]`.
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
        chain.call("patch", &json(patch));
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
            self.call("example", &json(example));
        }
        if let Some(value) = c.default_value() {
            let value = match self.ty.filter(|_| has_no_type(&value.0)) {
                Some(ty) => {
                    let expr = &value.0;
                    quote_spanned!(expr.span()=> __p::json::<#ty>(&(#expr)))
                }
                None => json(value),
            };
            self.call("default", &value);
        }
        if let Some(list) = &c.enum_values {
            let values = list.0.iter().map(|expr| json(&Value(expr.clone())));
            self.call("enum_values", &quote!(::std::vec![#(#values),*]));
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
                let inner = chain(inner);
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

/// Whether an expression may have no type of its own: `vec![]`, `Vec::new()`, `Default::default()`, `"x".into()`.
fn has_no_type(expr: &Expr) -> bool {
    match plain(expr) {
        Expr::Macro(mac) => mac.mac.path.is_ident("vec") && mac.mac.tokens.is_empty(),
        Expr::Call(call) if call.args.is_empty() => match plain(&call.func) {
            Expr::Path(path) => path
                .path
                .segments
                .last()
                .is_some_and(|last| last.ident == "new" || last.ident == "default"),
            _ => false,
        },
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

/// An expression of type `serde_json::Value`: an array is converted element by element, `json!(..)`
/// by the macro of `serde_json`, and any other value is serialized.
fn json(value: &Value) -> TokenStream {
    match plain(&value.0) {
        Expr::Array(array) => {
            let elements = array.elems.iter().map(|expr| json(&Value(expr.clone())));
            quote!(__p::serde_json::Value::Array(::std::vec![#(#elements),*]))
        }
        // `json!(..)` works without an import of serde_json.
        Expr::Macro(mac) if mac.mac.path.is_ident("json") => {
            let tokens = &mac.mac.tokens;
            quote!(__p::serde_json::json!(#tokens))
        }
        expr => match Value(expr.clone()).as_number() {
            // Without a suffix, rustc would take the literal for an `i32`.
            Some(Number::Int(int)) => {
                let int = i64::try_from(int).map_or_else(|_| quote!(#int), |int| quote!(#int));
                quote!(__p::json(&#int))
            }
            Some(Number::Float(float)) => quote!(__p::json(&#float)),
            // A value that does not serialize is an error at its tokens.
            None => {
                let span = expr.span();
                quote_spanned!(span=> __p::json(&(#expr)))
            }
        },
    }
}

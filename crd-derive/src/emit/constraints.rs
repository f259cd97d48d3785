//! Writes constraints as a chain of calls on `__private::Schema`.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::Expr;
use syn::spanned::Spanned as _;

use crate::attr::{
    Constant, Constraints, ExternalDocs, Number, RuleAttr, Strings, Value, as_number, plain,
};

/// `.minimum(1.0).pattern("..")`, for each key that is given.
///
/// Destructured without `..`: a new key must be emitted somewhere.
#[expect(clippy::too_many_lines, reason = "one line a key")]
pub(crate) fn chain(constraints: &Constraints, krate: &TokenStream) -> TokenStream {
    let Constraints {
        title,
        description,
        example,
        external_docs,
        default,
        nullable,
        minimum,
        maximum,
        exclusive_minimum,
        exclusive_maximum,
        multiple_of,
        min_length,
        max_length,
        pattern,
        format,
        min_items,
        max_items,
        unique_items: _refused,
        min_properties,
        max_properties,
        enum_values,
        int_or_string,
        preserve_unknown_fields,
        embedded_resource,
        list_type,
        list_map_keys,
        map_type,
        rule,
        immutable,
        at_most_one_of,
        exactly_one_of,
        at_least_one_of,
        schema_with: _replaces_the_schema,
        items,
        values,
    } = constraints;
    let mut tokens = TokenStream::new();
    let mut call = |name: &str, args: &dyn ToTokens| {
        let name = quote::format_ident!("{name}");
        tokens.extend(quote!(.#name(#args)));
    };
    // Keys that change the type come first, so that the others apply to the result.
    for (name, flag) in [
        ("int_or_string", int_or_string),
        ("preserve_unknown_fields", preserve_unknown_fields),
        ("embedded_resource", embedded_resource),
    ] {
        if flag.as_ref().is_some_and(|flag| **flag) {
            call(name, &TokenStream::new());
        }
    }
    for (name, words) in [("title", title), ("description", description), ("pattern", pattern)] {
        if let Some(words) = words {
            call(name, words);
        }
    }
    for (name, text) in [("format", format), ("list_type", list_type), ("map_type", map_type)] {
        if let Some(text) = text {
            call(name, &text.value);
        }
    }
    for (name, number) in [("minimum", minimum), ("maximum", maximum), ("multiple_of", multiple_of)]
    {
        if let Some(number) = number {
            match &**number {
                Constant::Literal(literal) => call(name, &literal.as_f64()),
                Constant::Expr(_) => call(name, &as_number(number, "f64")),
            }
        }
    }
    for (name, flag) in [
        ("nullable", nullable),
        ("exclusive_minimum", exclusive_minimum),
        ("exclusive_maximum", exclusive_maximum),
    ] {
        if let Some(flag) = flag {
            call(name, &**flag);
        }
    }
    for (name, count) in [
        ("min_length", min_length),
        ("max_length", max_length),
        ("min_items", min_items),
        ("max_items", max_items),
        ("min_properties", min_properties),
        ("max_properties", max_properties),
    ] {
        if let Some(count) = count {
            match &**count {
                Constant::Literal(literal) => call(name, &i64::from(*literal)),
                Constant::Expr(_) => call(name, &as_number(count, "i64")),
            }
        }
    }
    if let Some(ExternalDocs { url, description }) = external_docs.as_deref() {
        let url = &url.value;
        let description = description.as_ref().map_or("", |text| &text.value);
        call("external_docs", &quote!(#url, #description));
    }
    if let Some(example) = example {
        call("example", &json(example, krate));
    }
    if let Some(darling::util::Override::Explicit(value)) = default.as_deref() {
        call("default", &json(value, krate));
    }
    if let Some(list) = enum_values {
        let values = list.0.iter().map(|expr| json(&Value(expr.clone()), krate));
        call("enum_values", &quote!(::std::vec![#(#values),*]));
    }
    if let Some(keys) = list_map_keys {
        let keys = keys.0.iter().map(|key| &key.value);
        call("list_map_keys", &quote!(&[#(#keys),*]));
    }
    for rule in rule {
        call("rule", &rule_tokens(rule, krate));
    }
    for (name, groups) in [
        ("at_most_one_of", at_most_one_of),
        ("exactly_one_of", exactly_one_of),
        ("at_least_one_of", at_least_one_of),
    ] {
        for group in groups {
            let Strings(fields) = &**group;
            let fields = fields.iter().map(|field| &field.value);
            call(name, &quote!(&[#(#fields),*]));
        }
    }
    if immutable.as_ref().is_some_and(|flag| **flag) {
        call("immutable", &TokenStream::new());
    }
    for (name, inner) in [("items", items), ("values", values)] {
        if let Some(inner) = inner {
            let inner = chain(inner, krate);
            call(name, &quote!(|schema| schema #inner));
        }
    }
    tokens
}

/// A `__private::Rule`.
pub(crate) fn rule_tokens(rule: &RuleAttr, krate: &TokenStream) -> TokenStream {
    let expression = &rule.rule;
    let options = &rule.options;
    let texts =
        [("message", &options.message), ("message_expression", &options.message_expression)];
    let texts = texts.into_iter().filter_map(|(name, words)| {
        let (name, words) = (quote::format_ident!("{name}"), words.as_ref()?);
        Some(quote!(#name: #words,))
    });
    let field_path = options.field_path.as_ref().map(|path| {
        let value = &path.value;
        quote!(field_path: #value,)
    });
    let reason = options.reason.as_ref().map(|reason| {
        let value = &reason.value;
        quote!(reason: ::core::option::Option::Some(#value),)
    });
    let optional_old_self = options.optional_old_self.as_ref().map(|flag| {
        let flag = **flag;
        quote!(optional_old_self: ::core::option::Option::Some(#flag),)
    });
    quote! {
        #krate::__private::Rule {
            rule: #expression,
            #(#texts)*
            #field_path
            #reason
            #optional_old_self
            ..#krate::__private::Rule::NONE
        }
    }
}

/// An expression as JSON: lists and objects of literals element by element, the rest serialized.
fn json(value: &Value, krate: &TokenStream) -> TokenStream {
    match plain(&value.0) {
        Expr::Array(array) => {
            let elements = array.elems.iter().map(|expr| json(&Value(expr.clone()), krate));
            quote!(#krate::__private::serde_json::Value::Array(::std::vec![#(#elements),*]))
        }
        // `json!(..)` works without an import of serde_json.
        Expr::Macro(mac) if mac.mac.path.is_ident("json") => {
            let tokens = &mac.mac.tokens;
            quote!(#krate::__private::serde_json::json!(#tokens))
        }
        expr => match Value(expr.clone()).as_number() {
            // A literal has the type of its field, not `i32`.
            Some(Number::Int(int)) => {
                let int = i64::try_from(int).map_or_else(|_| quote!(#int), |int| quote!(#int));
                quote!(#krate::__private::json(&#int))
            }
            Some(Number::Float(float)) => quote!(#krate::__private::json(&#float)),
            // A value that does not serialize is an error at its tokens.
            None => {
                let span = expr.span();
                let path = super::at(span, krate);
                quote_spanned!(span=> #path::__private::json(&(#expr)))
            }
        },
    }
}

//! Rules, checked by rustc: what rules see of the type, and a constant beside each rule whose evaluation
//! is the check.

use proc_macro2::{Literal, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};

use crate::attr::{Constraints, RuleAttr, Text};
use crate::model::{Body, Enum, Field, Model, Object};
use crate::serde_view::Tagging;
use crate::types::{self, Known};

/// An expression of type `Declared` for `CrdSchema::CEL`.
pub(crate) fn declared(model: &Model, krate: &TokenStream) -> TokenStream {
    Emitter { krate, model, concrete: false }.whole()
}

/// The checks of all rules of a type.
pub(crate) fn checks(model: &Model, krate: &TokenStream) -> TokenStream {
    let emitter = Emitter { krate, model, concrete: true };
    let mut tokens = TokenStream::new();
    if !model.constraints.rule.is_empty() {
        let ident = &model.ident;
        let of = if model.generics.params.is_empty() {
            quote!(<#ident as #krate::CrdSchema>::CEL)
        } else {
            emitter.whole()
        };
        for rule in &model.constraints.rule {
            tokens.extend(check(rule, &of, krate));
        }
    }
    emitter.body_checks(&model.body, &mut tokens);
    tokens
}

/// The checks of the rules of a root that is generated.
pub(crate) fn root_checks(
    rules: &[RuleAttr],
    root: &proc_macro2::Ident,
    krate: &TokenStream,
) -> TokenStream {
    let of = quote!(<#root as #krate::CrdSchema>::CEL);
    rules.iter().map(|rule| check(rule, &of, krate)).collect()
}

/// What rules see of a generated root.
pub(crate) fn root(
    spec: &proc_macro2::Ident,
    status: Option<&syn::Path>,
    name: &proc_macro2::Ident,
    krate: &TokenStream,
) -> TokenStream {
    let cel = quote!(#krate::__private::cel);
    let status = status.map(
        |status| quote!(#cel::Field { name: "status", of: &<#status as #krate::CrdSchema>::CEL },),
    );
    let name = name.to_string();
    quote! {
        #cel::Declared::Object(&#cel::Object {
            name: #name,
            fields: &[
                #cel::Field { name: "", of: &#cel::Declared::RESOURCE },
                #cel::Field { name: "spec", of: &<#spec as #krate::CrdSchema>::CEL },
                #status
            ],
        })
    }
}

struct Emitter<'a> {
    krate: &'a TokenStream,
    model: &'a Model,
    /// Outside of the implementation, where the type's parameters have no names: what mentions them is
    /// unknown there.
    concrete: bool,
}

impl Emitter<'_> {
    fn cel(&self) -> TokenStream {
        let krate = self.krate;
        quote!(#krate::__private::cel)
    }

    fn variant(&self, name: &str) -> TokenStream {
        let cel = self.cel();
        let name = proc_macro2::Ident::new(name, Span::call_site());
        quote!(#cel::Declared::#name)
    }

    fn whole(&self) -> TokenStream {
        if self.model.constraints.schema_with.is_some() {
            return self.variant("Unknown");
        }
        let body = self.body(&self.model.body);
        self.changed(body, &self.model.constraints)
    }

    fn body(&self, body: &Body) -> TokenStream {
        match body {
            Body::Object(object) => self.object(object),
            Body::Transparent(field) => self.field(field),
            Body::Tuple(fields) => match fields.first() {
                Some(first) => {
                    let (list, first) = (self.variant("List"), self.field(first));
                    quote!(#list(&const { #first }))
                }
                None => self.variant("Hidden"),
            },
            Body::Unit => self.variant("OPEN_OBJECT"),
            Body::Delegate(ty) => self.of_type(ty),
            Body::Enum(data) => self.union(data),
        }
    }

    fn object(&self, object: &Object) -> TokenStream {
        let cel = self.cel();
        let mut fields = TokenStream::new();
        let itself = self.model.kind.as_ref();
        if itself.is_some_and(|kind| matches!(kind.root, crate::model::Root::Itself)) {
            fields.extend(quote!(#cel::Field { name: "", of: &#cel::Declared::RESOURCE },));
        }
        if let Some((tag, _)) = &object.tag
            && let Some(tag) = crd_cel::escape::escape(tag)
        {
            fields.extend(quote!(#cel::Field { name: #tag, of: &#cel::Declared::String },));
        }
        for field in &object.fields {
            let of = self.field(field);
            let name =
                if field.flatten { Some("".into()) } else { crd_cel::escape::escape(&field.wire) };
            // A name without an identifier is out of reach for rules.
            if let Some(name) = name {
                let of = if changes_type(&field.constraints) { quote!(const { #of }) } else { of };
                fields.extend(quote!(#cel::Field { name: #name, of: &#of },));
            }
        }
        let name = self.model.ident.to_string();
        quote!(#cel::Declared::Object(&#cel::Object { name: #name, fields: &[#fields] }))
    }

    /// Each variant is a property of its own; other shapes are not followed.
    fn union(&self, data: &Enum) -> TokenStream {
        if data.is_units() {
            return self.variant("String");
        }
        let _ = Tagging::Untagged;
        self.variant("Unknown")
    }

    fn field(&self, field: &Field) -> TokenStream {
        let base = if field.is_cut(&self.model.ident) {
            match types::known(&field.ty) {
                Known::List => self.variant("Hidden"),
                _ if matches!(self.model.body, Body::Enum(_)) => self.variant("Hidden"),
                _ => self.variant("OPEN_OBJECT"),
            }
        } else if field.constraints.schema_with.is_some() || field.with.is_some() {
            self.variant("Unknown")
        } else {
            self.of_type(&field.ty)
        };
        self.changed(base, &field.constraints)
    }

    fn of_type(&self, ty: &syn::Type) -> TokenStream {
        let krate = self.krate;
        if self.concrete && self.mentions_a_parameter(quote!(#ty)) {
            return self.variant("Unknown");
        }
        quote!(<#ty as #krate::CrdSchema>::CEL)
    }

    fn mentions_a_parameter(&self, tokens: TokenStream) -> bool {
        let mut params = self.model.generics.params.iter().peekable();
        if params.peek().is_none() {
            return false;
        }
        let names: Vec<String> = params
            .map(|param| match param {
                syn::GenericParam::Type(param) => param.ident.to_string(),
                syn::GenericParam::Const(param) => param.ident.to_string(),
                syn::GenericParam::Lifetime(param) => param.lifetime.ident.to_string(),
            })
            .collect();
        mentions(tokens, &names)
    }

    /// What attributes make of a type.
    fn changed(&self, base: TokenStream, constraints: &Constraints) -> TokenStream {
        let is_set = |flag: &Option<darling::util::SpannedValue<bool>>| {
            flag.as_ref().is_some_and(|flag| **flag)
        };
        let mut tokens = base;
        if is_set(&constraints.int_or_string) {
            tokens = self.variant("Dyn");
        }
        if is_set(&constraints.embedded_resource) {
            let cel = self.cel();
            tokens = quote!(#tokens.embedded_resource(&const { #cel::Object {
                name: "resource",
                fields: &[
                    #cel::Field { name: "", of: &#cel::Declared::RESOURCE },
                    #cel::Field { name: "", of: &const { #tokens } },
                ],
            } }));
        }
        if let Some(format) = &constraints.format {
            let format = &format.value;
            tokens = quote!(#tokens.with_format(#format));
        }
        for (inner, container) in [(&constraints.items, "List"), (&constraints.values, "Map")] {
            let Some(inner) = inner else { continue };
            if changes_type(inner) {
                let container = self.variant(container);
                let changed = self.changed(quote!(#tokens.inner()), inner);
                // What is no list or map by its constant stays unknown: so is then what is in it.
                tokens = quote!(#container(&const { #changed }).or_unknown(&const { #tokens }));
            }
        }
        tokens
    }

    fn body_checks(&self, body: &Body, tokens: &mut TokenStream) {
        match body {
            Body::Object(object) => {
                for field in &object.fields {
                    self.field_checks(field, tokens);
                }
            }
            Body::Transparent(field) => self.field_checks(field, tokens),
            Body::Tuple(fields) => {
                for field in fields {
                    self.field_checks(field, tokens);
                }
            }
            Body::Enum(data) => {
                for variant in &data.variants {
                    let unknown = self.variant("Unknown");
                    self.constraint_checks(&variant.constraints, &unknown, tokens);
                    self.body_checks(&variant.body, tokens);
                }
            }
            Body::Unit | Body::Delegate(_) => {}
        }
    }

    fn field_checks(&self, field: &Field, tokens: &mut TokenStream) {
        let constraints = &field.constraints;
        if constraints.rule.is_empty()
            && constraints.items.is_none()
            && constraints.values.is_none()
        {
            return;
        }
        let of = self.field(field);
        self.constraint_checks(constraints, &of, tokens);
    }

    fn constraint_checks(
        &self,
        constraints: &Constraints,
        of: &TokenStream,
        tokens: &mut TokenStream,
    ) {
        for rule in &constraints.rule {
            tokens.extend(check(rule, of, self.krate));
        }
        for inner in [&constraints.items, &constraints.values].into_iter().flatten() {
            self.constraint_checks(inner, &quote!(#of.inner()), tokens);
        }
    }
}

/// Whether constraints of elements make another type of them, at any depth.
fn changes_type(constraints: &Constraints) -> bool {
    let inner = [&constraints.items, &constraints.values];
    constraints.int_or_string.is_some()
        || constraints.embedded_resource.is_some()
        || constraints.format.is_some()
        || inner.into_iter().flatten().any(|inner| changes_type(inner))
}

fn mentions(tokens: TokenStream, names: &[String]) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => names.iter().any(|name| ident == name.as_str()),
        TokenTree::Group(group) => mentions(group.stream(), names),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// The constants that check a rule and its message expression.
fn check(rule: &RuleAttr, of: &TokenStream, krate: &TokenStream) -> TokenStream {
    let optional = rule.options.optional_old_self.as_ref().is_some_and(|flag| **flag);
    let mut tokens = expression(&rule.rule, "Rule", optional, of, krate);
    if let Some(message) = &rule.options.message_expression {
        tokens.extend(expression(message, "Message", optional, of, krate));
    }
    tokens
}

/// Expands to, with the program of `self.a <= self.b`:
///
/// ```text
/// const _: () = check(Rule { of: &const { <T as CrdSchema>::CEL }, .., program: b"\0\x02\0\0\x04\0.." });
/// ```
fn expression(
    text: &Text,
    want: &str,
    optional_old_self: bool,
    of: &TokenStream,
    krate: &TokenStream,
) -> TokenStream {
    // What does not parse has been reported.
    let Ok(ast) = crd_cel::syntax::parse(&text.value) else { return TokenStream::new() };
    let Some(program) = crd_cel::compile_time::Program::write(&ast) else {
        return TokenStream::new();
    };
    let code = Literal::byte_string(&program.code);
    let want = proc_macro2::Ident::new(want, Span::call_site());
    let source = &text.value;
    // rustc shows the error from the call's first token on.
    let path = respanned(krate.clone(), text.span);
    quote_spanned! {text.span=>
        const _: () = #path::__private::cel::check(#krate::__private::cel::Rule {
            of: &const { #of },
            optional_old_self: #optional_old_self,
            want: #krate::__private::cel::Want::#want,
            source: #source,
            program: #code,
        });
    }
}

/// Tokens at another place.
fn respanned(tokens: TokenStream, span: Span) -> TokenStream {
    let respan = |mut token: TokenTree| {
        token.set_span(span);
        token
    };
    tokens.into_iter().map(respan).collect()
}

//! Checks that need to know other types: constants that rustc evaluates, with the error at the
//! attribute.
//!
//! What the text of a field's type already tells is checked by `check`; an alias or a type of the
//! user's is asked for its `SHAPE` here.

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;

use crate::attr::Constraints;
use crate::model::{Body, Field, Model};
use crate::types::{self, Known};

/// Constants that fail to evaluate where a field's attributes do not fit its type.
pub(crate) fn emit(model: &Model, krate: &TokenStream) -> TokenStream {
    // The shape of a parameter is not known before the type is used.
    if model.generics.type_params().next().is_some() {
        return TokenStream::new();
    }
    let mut asserts = Asserts { krate, tokens: TokenStream::new() };
    asserts.body(model, &model.body);
    asserts.tokens
}

struct Asserts<'a> {
    krate: &'a TokenStream,
    tokens: TokenStream,
}

impl Asserts<'_> {
    fn body(&mut self, model: &Model, body: &Body) {
        match body {
            Body::Object(object) => object.fields.iter().for_each(|field| self.field(model, field)),
            Body::Transparent(field) => self.field(model, field),
            Body::Tuple(fields) => fields.iter().for_each(|field| self.field(model, field)),
            Body::Enum(data) => {
                data.variants.iter().for_each(|variant| self.body(model, &variant.body));
            }
            Body::Unit | Body::Delegate(_) => {}
        }
    }

    fn field(&mut self, model: &Model, field: &Field) {
        let foreign = field.with.is_some()
            || field.constraints.schema_with.is_some()
            || field.is_cut(&model.ident);
        if foreign {
            return;
        }
        if types::known(&field.ty) == Known::Unknown {
            self.applies(field);
            self.absence(field);
        }
        self.null(field);
        self.keys(field);
        if field.flatten {
            let message = "only structs, maps of `serde_json::Value` and enums of structs can be \
                           flattened into an object";
            self.push(field.span, field, "flattens", message);
        }
    }

    fn push(&mut self, span: Span, field: &Field, check: &str, message: &str) {
        let krate = self.krate;
        let check = syn::Ident::new(check, Span::call_site());
        let ty = &field.ty;
        self.tokens.extend(quote_spanned! {span=>
            const _: () = ::core::assert!(
                #krate::__private::check::#check(<#ty as #krate::CrdSchema>::SHAPE),
                #message
            );
        });
    }

    /// Each key is on a type that it looks at.
    fn applies(&mut self, field: &Field) {
        let c: &Constraints = &field.constraints;
        if c.int_or_string.as_deref() == Some(&true) {
            return;
        }
        let number = |value: &Option<darling::util::SpannedValue<crate::attr::Number>>| {
            value.as_ref().map(darling::util::SpannedValue::span)
        };
        let count = |value: &Option<darling::util::SpannedValue<u32>>| {
            value.as_ref().map(darling::util::SpannedValue::span)
        };
        let text = |value: &Option<crate::attr::Text>| value.as_ref().map(|text| text.span);
        for (span, key, check, wants) in [
            (number(&c.minimum), "minimum", "is_number", "a number"),
            (number(&c.maximum), "maximum", "is_number", "a number"),
            (number(&c.multiple_of), "multiple_of", "is_number", "a number"),
            (count(&c.min_length), "min_length", "is_text", "a string"),
            (count(&c.max_length), "max_length", "is_text", "a string"),
            (text(&c.pattern), "pattern", "is_text", "a string"),
            (count(&c.min_items), "min_items", "is_list", "a list"),
            (count(&c.max_items), "max_items", "is_list", "a list"),
            (text(&c.list_type), "list_type", "is_list", "a list"),
            (count(&c.min_properties), "min_properties", "is_object", "an object"),
            (count(&c.max_properties), "max_properties", "is_object", "an object"),
            (text(&c.map_type), "map_type", "is_object", "an object"),
            (field.selectable, "selectable", "is_selectable", "a string, boolean or integer"),
        ] {
            if let Some(span) = span {
                let message = format!("`{key}` is for {wants}, which the field's type is not");
                self.push(span, field, check, &message);
            }
        }
    }

    /// What serde may leave out, it must also read the absence of.
    fn absence(&mut self, field: &Field) {
        let readable = field.default.is_some() || field.constraints.default.is_some();
        if !readable && (field.skip_if.is_some() || field.skip_serializing) {
            let message =
                "serde may skip this field and cannot read it back without: add `default`";
            self.push(field.span, field, "is_optional", message);
        }
    }

    /// The server refuses `null` for an enumeration.
    fn null(&mut self, field: &Field) {
        let written = !field.skip_if.is_some()
            && !field.skip_serializing
            && field.constraints.nullable.is_none();
        if !written {
            return;
        }
        let message = "serde writes `None` as `null`, which no enumeration admits; add \
                       `#[serde(skip_serializing_if = \"Option::is_none\")]`, or say `#[crd(nullable)]`";
        self.push(field.span, field, "is_no_optional_enum", message);
    }

    /// Keys of a list map are scalar fields of the items that are always there.
    fn keys(&mut self, field: &Field) {
        let Some(keys) = &field.constraints.list_map_keys else { return };
        let krate = self.krate;
        let ty = &field.ty;
        for key in &keys.0 {
            let name = &key.value;
            for (check, message) in [
                ("has_key", format!("the items have no field `{name}`")),
                ("has_scalar_key", format!("the key `{name}` must be a string, number or boolean")),
                (
                    "has_present_key",
                    format!(
                        "the key `{name}` must be required, or have a `default` and be no `Option`"
                    ),
                ),
            ] {
                let check = syn::Ident::new(check, Span::call_site());
                self.tokens.extend(quote_spanned! {key.span=>
                    const _: () = ::core::assert!(
                        #krate::__private::check::#check(<#ty as #krate::CrdSchema>::SHAPE, #name),
                        #message
                    );
                });
            }
        }
    }
}

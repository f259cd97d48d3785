//! Checks of the literals in `default` and `enum_values` against the shape of a type.

use crd_cel::domain::format;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Expr, Type};

use super::{Asserts, is_recognized};
use crate::emit::shape::bounds;
use crate::literal::{Json, Number, Value};
use crate::model::Constraints;
use crate::report::span_of;
use crate::types;

impl Asserts<'_> {
    /// Checks literals in `default` and `enum_values`, as far as `check` has not checked them.
    pub(super) fn literals(&mut self, c: &Constraints, shape: &TokenStream, ty: Option<&Type>) {
        if c.default_value().is_none() && c.enum_values.is_none() {
            return;
        }
        // Bounds of the field override those of the type.
        let bounds = bounds(c);
        let shape = if bounds.is_empty() { shape.clone() } else { quote!(&(*#shape) #bounds) };
        let shape = &shape;
        if let Some(value) = c.default_value()
            // `items(..)` may change the shape of the elements.
            && !c.items.as_ref().is_some_and(|items| items.change_shape())
        {
            self.default(&value.0, "default", shape, ty);
        }
        if is_recognized(ty) {
            return;
        }
        for expr in c.enum_values.iter().flat_map(|values| &values.0) {
            self.literal(&Value(expr.clone()), "value", shape);
        }
    }

    /// Checks a default, or an element of one.
    fn default(&mut self, value: &Expr, what: &str, shape: &TokenStream, ty: Option<&Type>) {
        // The length of an array is a bound of its type.
        let is_array = ty.is_some_and(types::is_array) && matches!(value, Expr::Array(_));
        if !is_recognized(ty) || is_array {
            self.literal(&Value(value.clone()), what, shape);
        }
        if let Expr::Macro(mac) = value
            && let Some(json) = Json::read(mac)
        {
            self.json(&json, what, shape);
        }
        let Expr::Array(array) = value else { return };
        let items = quote!(__check::items(#shape));
        for element in &array.elems {
            self.default(element, "element", &items, ty.and_then(types::inner));
        }
    }

    fn literal(&mut self, value: &Value, what: &str, shape: &TokenStream) {
        let span = span_of(&value.0);
        if let Some(text) = value.as_text() {
            // The formats that the text does not have.
            let others = format::names_not_of(&text);
            self.call(span, "literal_text", &quote!(#shape, #what, #text, &[#(#others),*]));
        } else if let Some(number) = value.as_number() {
            let whole = match number {
                Number::Int(_) => true,
                Number::Float(float) => float.fract() == 0.0,
            };
            let value = number.as_f64();
            self.call(span, "literal_number", &quote!(#shape, #what, #whole, #value));
        } else if value.as_bool().is_some() {
            self.call(span, "literal_bool", &quote!(#shape, #what));
        } else if let Expr::Array(array) = &value.0 {
            let count = array.elems.len() as u64;
            self.call(span, "literal_list", &quote!(#shape, #what, #count));
        }
    }

    /// Checks a default, or a part of one, that is written as `json!(..)`. `shape` is an expression
    /// of type `&Shape`; `what` names the part in errors, such as `element`.
    fn json(&mut self, json: &Json, what: &str, shape: &TokenStream) {
        match json {
            Json::Object(span, members) => {
                let names = members.iter().map(|(key, _)| key.value());
                self.call(*span, "literal_object", &quote!(#shape, #what, &[#(#names),*]));
                for (key, value) in members {
                    let name = key.value();
                    self.call(key.span(), "literal_field", &quote!(#shape, #what, #name));
                    let property = quote!(__check::property(#shape, #name));
                    self.json(value, "value", &property);
                }
            }
            Json::List(span, elements) => {
                let count = elements.len() as u64;
                self.call(*span, "literal_list", &quote!(#shape, #what, #count));
                let items = quote!(__check::items(#shape));
                for element in elements {
                    self.json(element, "element", &items);
                }
            }
            Json::Expr(expr) => self.literal(&Value((**expr).clone()), what, shape),
            Json::Null => {}
        }
    }
}

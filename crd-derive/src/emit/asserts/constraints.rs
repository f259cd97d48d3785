//! Checks of constraints against the shape of a type that `check` does not recognize.

use darling::util::SpannedValue;
use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};
use syn::Type;

use super::{Asserts, does_not_apply, is_recognized};
use crate::emit::constants;
use crate::emit::paths::steps_tokens;
use crate::json_path;
use crate::literal::{Constant, Text, as_number};
use crate::model::Constraints;
use crate::report::span_of;
use crate::types::{self, JsonType};

impl Asserts<'_> {
    /// Checks constraints against a shape. `ty` is the type as written; if it is recognized, `check` has checked most
    /// of them. `are_fields_known` is whether `check` knows all fields.
    pub(super) fn constraints(
        &mut self,
        c: &Constraints,
        shape: &TokenStream,
        ty: Option<&Type>,
        are_fields_known: bool,
    ) {
        self.check_readable(c, shape, ty);
        if c.int_or_string.is_some() {
            return;
        }
        if !c.keeps_unknown_fields() {
            self.names(c, shape, are_fields_known);
        }
        for key in c.list_map_keys.iter().flat_map(|keys| &keys.0) {
            let name = &key.value;
            self.call(key.span, "list_map_key", &quote!(#shape, #name));
        }
        if let Some(Text { value, span }) = &c.list_type
            && matches!(value.as_str(), "set" | "map")
            // `items(..)` may change the shape of the elements.
            && !c.items.as_ref().is_some_and(|items| items.change_shape())
        {
            self.call(*span, "list_type", &quote!(#shape, #value));
        }
        if !is_recognized(ty) {
            self.check_keys_apply(c, shape);
        }
        self.literals(c, shape, ty);
        constants::checks(c, shape, &mut |span, check, arguments| {
            self.call(span, check, arguments);
        });
        let inner = ty.and_then(types::inner);
        for (nested, check) in [(&c.items, "has_items"), (&c.values, "has_values")] {
            // The values of a recognized map may be any JSON.
            let is_known = is_recognized(ty) && (check == "has_items" || is_recognized(inner));
            if let Some(nested) = nested.as_ref().filter(|_| !is_known) {
                self.call(nested.span(), check, shape);
            }
        }
        for nested in c.nested() {
            let items = quote!(__check::items(#shape));
            if let Some(values) = nested.enum_values.as_ref().and_then(|values| values.0.first())
                && !is_recognized(inner)
            {
                let message = "serde writes `None` as `null`, which an enumeration does not allow; remove the `Option`";
                self.assert(span_of(values), &quote!(*#items), "is_no_option", message);
            }
            self.constraints(nested, &items, inner, false);
        }
    }

    /// Rejects attributes that allow values which the type cannot deserialize, or reject values that it serializes.
    pub(super) fn check_readable(
        &mut self,
        c: &Constraints,
        shape: &TokenStream,
        ty: Option<&Type>,
    ) {
        let switch = |switch: &Option<SpannedValue<bool>>, on: bool| {
            switch.as_ref().filter(|switch| ***switch == on).map(SpannedValue::span)
        };
        for (span, check) in [
            (c.int_or_string, "int_or_string"),
            (c.embedded_resource, "embedded_resource"),
            (switch(&c.nullable, true), "nullable"),
            (c.preserve_unknown_fields, "keeps_unknown_fields"),
            (switch(&c.nullable, false).filter(|_| ty.is_some()), "never_null"),
        ] {
            if let Some(span) = span.filter(|_| !is_recognized(ty)) {
                self.call(span, check, shape);
            }
        }
        // `check` does not know the values of a map of an unrecognized type.
        let is_map = ty.is_some_and(|ty| types::json_type(ty) == JsonType::Map);
        if let Some(span) = c.embedded_resource.filter(|_| is_map) {
            self.call(span, "embedded_resource", shape);
        }
        if is_recognized(ty) || c.int_or_string.is_some() {
            return;
        }
        for (bound, key) in [(&c.minimum, "minimum"), (&c.maximum, "maximum")] {
            // Constants are checked in `constants`.
            if let Some(bound) = bound.as_ref().filter(|bound| bound.literal().is_some()) {
                let (int, float) = (as_number(bound, "i128"), as_number(bound, "f64"));
                self.call(bound.span(), "constant_bound", &quote!(#shape, #key, #int, #float));
            }
        }
        if c.enum_values.is_some() {
            return;
        }
        for (length, key) in [(&c.min_length, "min_length"), (&c.max_length, "max_length")] {
            if let Some(length) = length {
                let bound = match &**length {
                    Constant::Literal(bound) => {
                        usize::try_from(*bound).unwrap_or(usize::MAX).to_token_stream()
                    }
                    Constant::Expr(_) => as_number(length, "usize"),
                };
                self.call(length.span(), "length_of_values", &quote!(#shape, #key, #bound));
            }
        }
        let pattern = c.pattern.as_ref().map(|pattern| (pattern.span(), "pattern"));
        let format = c.format.as_ref().map(|format| (format.span, "format"));
        for (span, key) in pattern.into_iter().chain(format) {
            self.call(span, "text_of_values", &quote!(#shape, #key));
        }
    }

    /// Checks `field_path` of rules, and the fields named by `exactly_one_of` and the like.
    fn names(&mut self, c: &Constraints, shape: &TokenStream, are_fields_known: bool) {
        for path in c.rules.iter().filter_map(|rule| rule.options.field_path.as_ref()) {
            let steps = json_path::fields(&path.value);
            if !steps.is_empty() {
                let steps = steps_tokens(&steps);
                self.call(path.span, "field_path", &quote!(#shape, #steps));
            }
        }
        if are_fields_known {
            return;
        }
        for (groups, at_most) in
            [(&c.at_most_one_of, true), (&c.exactly_one_of, true), (&c.at_least_one_of, false)]
        {
            for Text { value, span } in groups.iter().flat_map(|group| &group.0) {
                self.call(*span, "member", &quote!(#shape, #value, #at_most));
            }
        }
    }

    /// Rejects keys that do not apply to the type.
    pub(super) fn check_keys_apply(&mut self, c: &Constraints, shape: &TokenStream) {
        let text = |value: &Option<Text>| value.as_ref().map(|text| text.span);
        let format = c.format.as_ref().map_or("", |format| format.value.as_str());
        let of_format = match format {
            "int32" | "int64" | "float" | "double" => JsonType::Number,
            _ => JsonType::Text,
        };
        let keys = c.typed_keys().into_iter().map(|(key, span, of)| (Some(span), key, of));
        for (span, key, of) in keys.chain([(text(&c.format), "format", of_format)]) {
            let (check, wants) = match of {
                JsonType::Number => ("is_number", "a number"),
                JsonType::Text => ("is_text", "a string"),
                JsonType::List => ("is_list", "a list"),
                _ => ("is_object", "an object"),
            };
            if let Some(span) = span {
                self.assert(span, &quote!(*#shape), check, &does_not_apply(key, wants));
            }
        }
        // An embedded resource is an object, whatever the type.
        let embedded = c.embedded_resource.is_some();
        let map_type = if embedded { "is_object" } else { "has_map_type" };
        for (span, key, check, wants) in [
            (text(&c.list_type), "list_type", "has_list_type", "a list"),
            (text(&c.map_type), "map_type", map_type, "an object"),
        ] {
            if let Some(span) = span {
                self.assert(span, &quote!(*#shape), check, &does_not_apply(key, wants));
            }
        }
    }
}

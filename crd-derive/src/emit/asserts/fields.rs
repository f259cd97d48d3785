//! Checks of fields: their presence, `null`, elements, columns and flattening.

use darling::util::SpannedValue;
use proc_macro2::TokenStream;
use quote::quote;
use syn::spanned::Spanned as _;

use super::{Asserts, IN_A_TUPLE, does_not_apply};
use crate::emit::of;
use crate::literal::Text;
use crate::model::{Constraints, Field, NULL_FOR_NONE, NULL_FOR_NULLABLE_NONE, NULL_FOR_SOME_NONE};
use crate::serde_view::SerdeDefault;
use crate::types::{self, JsonType};

impl Asserts<'_> {
    pub(super) fn field(&mut self, field: &Field, container: &str) {
        if field.has_replaced_schema() {
            return;
        }
        if !field.is_recognized() {
            self.absence(field);
            if let Some(span) = field.constraints.inherited_default()
                && matches!(field.default, SerdeDefault::Trait)
            {
                let message = "the default of this type is `null` in JSON, which is not a value; give one, or remove `default`";
                self.assert_field_type(span, field, "has_default", message);
            }
            let can_be_omitted = field.default.is_some()
                || field.skip_deserializing
                || field.constraints.default.is_some();
            if let Some(span) = field.optional.filter(|_| !can_be_omitted) {
                let message = "serde cannot deserialize without this field; make it an `Option`, or add \
                               `#[serde(default)]`";
                self.assert_field_type(span, field, "is_optional", message);
            }
            if let Some(span) = field.selectable {
                let message = does_not_apply("selectable", "a string, boolean or integer");
                self.assert_field_type(span, field, "is_selectable", &message);
            }
        }
        if container != IN_A_TUPLE {
            self.null(field);
        }
        self.elements(field, container);
        if field.attrs.is_empty() && !field.is_kept {
            return;
        }
        let ty = &field.ty;
        let of = of(self.model, ty);
        let shape = quote!(&#of::SHAPE);
        self.constraints(&field.constraints, &shape, Some(ty), false);
        self.columns(field, &shape);
        if field.is_kept {
            self.call(types::span(ty), "kept", &shape);
        }
        if field.flatten {
            let span = match types::inner(ty) {
                Some(values) if field.json == JsonType::Map => values.span(),
                _ => field.span,
            };
            self.call(span, "flattens", &shape);
            if !field.skip_deserializing {
                self.call(types::span(ty), "absent_part", &shape);
                if field.may_be_skipped() && !field.is_recognized() {
                    self.call(field.span, "skipped_part", &shape);
                }
            }
        }
    }

    /// Checks the elements of lists, maps and tuples: whether they can be `null`, and whether they have columns.
    ///
    /// `container` names the container of the field, if the field has no JSON path.
    fn elements(&mut self, field: &Field, container: &str) {
        if !field.holds_types_of_users() {
            return;
        }
        let of = of(self.model, &field.ty);
        let changed = field.constraints.nested().any(Constraints::change_shape);
        self.call(types::span(&field.ty), "elements", &quote!(&#of::SHAPE, #container, #changed));
    }

    /// Checks the type of a tuple's member, which is an element of a list, as [`Self::elements`] checks the types of
    /// elements.
    pub(super) fn element(&mut self, field: &Field) {
        if !field.has_replaced_schema() && !field.is_recognized() {
            let of = of(self.model, &field.ty);
            self.call(types::span(&field.ty), "element", &quote!(&#of::SHAPE));
        }
    }

    /// Requires a field that serde may skip to be optional when read.
    fn absence(&mut self, field: &Field) {
        let readable = field.default.is_some() || field.constraints.default.is_some();
        // [`Self::field`] checks flattened fields: serde ignores their defaults.
        if !readable && field.may_be_skipped() && !field.flatten {
            let message = "serde may skip this field, but cannot deserialize without it; add `#[serde(default)]`";
            self.assert_field_type(field.span, field, "is_optional", message);
        }
    }

    /// Rejects an `Option` of an enumeration if serde writes `None` as `null`, which the server rejects.
    fn null(&mut self, field: &Field) {
        // A recognized type is never an enumeration. [`Self::check_readable`] checks `nullable = false`.
        let nullable = field.constraints.nullable.as_ref();
        if field.is_recognized() || nullable.is_some_and(|nullable| !**nullable) {
            return;
        }
        let span = nullable.map_or(field.span, SpannedValue::span);
        let check = match field.constraints.enum_values {
            Some(_) => "is_no_option",
            None => "is_no_optional_enum",
        };
        if let Some(inner) = field.type_of_some() {
            let of = of(self.model, inner);
            self.assert(span, &quote!(#of::SHAPE), check, NULL_FOR_SOME_NONE);
        }
        if field.may_be_skipped() {
            return;
        }
        let message = nullable.map_or(NULL_FOR_NONE, |_| NULL_FOR_NULLABLE_NONE);
        self.assert_field_type(span, field, check, message);
    }

    /// Checks the type of the field's columns that show the field itself.
    fn columns(&mut self, field: &Field, shape: &TokenStream) {
        if field.flatten || field.constraints.int_or_string.is_some() {
            return;
        }
        for column in &field.columns {
            if let (Some(Text { value, span }), None) = (&column.ty, &column.path)
                // The shape does not include the field's own format.
                && (value != "date" || field.constraints.format.is_none())
            {
                self.call(*span, "column_type", &quote!(#shape, #value));
            }
        }
    }
}

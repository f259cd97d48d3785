//! Checks that depend on other types: constants that rustc evaluates, with the error at the attribute.
//!
//! Fields of recognized types, such as `String`, are checked by `check`. For an alias or a user's type, the constants
//! here evaluate its `SHAPE`.

use crd_cel::domain::format;
use darling::util::{Override, SpannedValue};
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens as _, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Expr, Type};

use super::generics::{has_parameters, with_bounds, without_lifetimes};
use super::json;
use super::old_self::transitions;
use super::paths::steps_tokens;
use super::shape::{bounds, is_changed};
use super::{holds_types_of_users, is_foreign};
use crate::attr::{Bound, Constant, Constraints, Count, Number, Text, Value, Words, as_number};
use crate::json_path;
use crate::model::{Body, Field, Model, Object, Variant};
use crate::serde_view::{SerdeDefault, Tagging};
use crate::types::{self, Known};

/// Checks of the attributes of a type and of its fields.
///
/// Of a type without parameters:
///
/// ```ignore
/// const _: () = check::list_map_key(&<Vec<Port> as CrdSchema>::SHAPE, "name");
/// ```
///
/// The shape of a generic parameter is known only where the type is used, so a generic type has one constant with all
/// checks, which its `SHAPE` evaluates.
pub(crate) struct Checks(Vec<(Span, TokenStream)>);

/// The checks of a type.
pub(crate) fn checks(model: &Model, krate: &TokenStream) -> Checks {
    let mut asserts = Asserts { krate, model, checks: Vec::new() };
    asserts.container(model);
    asserts.body(model, &model.body, "");
    Checks(asserts.checks)
}

impl Checks {
    /// Adds checks of the same type.
    pub(crate) fn and(mut self, checks: Vec<(Span, TokenStream)>) -> Self {
        self.0.extend(checks);
        self
    }

    /// The items with the checks, and a statement to emit before the value of `SHAPE`.
    pub(crate) fn emit(&self, model: &Model, krate: &TokenStream) -> (TokenStream, TokenStream) {
        let checks = self.0.iter();
        if !has_parameters(model) {
            let items = checks.map(|(span, check)| {
                let check = without_lifetimes(check.clone(), model);
                quote_spanned!(*span=> const _: () = #check;)
            });
            return (quote!(#(#items)*), TokenStream::new());
        }
        if self.0.is_empty() {
            return (TokenStream::new(), TokenStream::new());
        }
        let generics = with_bounds(model, krate);
        let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
        let ident = &model.ident;
        let checks = checks.map(|(span, check)| quote_spanned!(*span=> #check;));
        let items = quote! {
            #[automatically_derived]
            impl #impl_generics #krate::__private::check::Checked for #ident #type_generics #where_clause {
                const CHECKED: () = { #(#checks)* };
            }
        };
        let first = quote!(let () = <Self as #krate::__private::check::Checked>::CHECKED;);
        (items, first)
    }
}

/// The `place` of a tuple's fields.
const IN_A_TUPLE: &str = "a tuple";

/// The error for a key on a type that it does not apply to.
fn not_for(key: &str, wants: &str) -> String {
    format!("`{key}` does not apply here: this type is not {wants}")
}

/// Whether attributes replace the schema of a type, at any depth, so that its rules may be dropped.
fn replaces(c: &Constraints) -> bool {
    let is = |flag: &Option<SpannedValue<bool>>| flag.as_deref() == Some(&true);
    is(&c.int_or_string)
        || is(&c.embedded_resource)
        || [&c.items, &c.values].into_iter().flatten().any(|nested| replaces(nested))
}

/// Whether a type is recognized by its path, so that `check` has checked its values.
fn is_recognized(ty: Option<&Type>) -> bool {
    ty.is_some_and(|ty| types::known(ty) != Known::Unknown)
}

pub(super) struct Asserts<'a> {
    pub(super) krate: &'a TokenStream,
    model: &'a Model,
    checks: Vec<(Span, TokenStream)>,
}

impl Asserts<'_> {
    /// `place` names the container if the body's fields have no JSON path: `a variant`.
    fn body(&mut self, model: &Model, body: &Body, place: &str) {
        match body {
            Body::Object(object) => {
                self.parts(model, object, None);
                for field in &object.fields {
                    self.field(model, field, place);
                    self.pairs(model, field, &field.wire, &[&field.constraints]);
                }
            }
            Body::Transparent(field) => self.field(model, field, place),
            Body::Tuple(fields) => {
                for field in fields {
                    self.field(model, field, IN_A_TUPLE);
                    self.element(field, model);
                }
            }
            Body::Enum(data) => {
                for variant in &data.variants {
                    self.body(model, &variant.body, "a variant");
                    self.variant(model, variant, &data.tagging);
                }
            }
            Body::Unit | Body::Delegate(_) => {}
        }
    }

    /// Checks that flattened types have no field in common with each other, the struct or the tag.
    fn parts(&mut self, model: &Model, object: &Object, tag: Option<&String>) {
        let named = object.fields.iter().filter(|field| !field.flatten).map(|field| &field.wire);
        let own_tag = object.tag.as_ref().map(|(tag, _)| tag);
        let names: Vec<_> = named.chain(own_tag).chain(tag).collect();
        let mut before = Vec::new();
        let parts = object.fields.iter().filter(|field| field.flatten);
        for field in parts.filter(|field| !is_foreign(field, model)) {
            let ty = &field.ty;
            let of = super::of(self.model, ty);
            let shape = quote!(&#of::SHAPE);
            self.ask(ty.span(), "part", &quote!(#shape, &[#(#names),*], &[#(#before),*]));
            before.push(shape);
            if object.deny_unknown_fields {
                let message = "this type keeps unknown fields, which `deny_unknown_fields` rejects; remove one of \
                               the two";
                self.push(ty.span(), field, "keeps_nothing", message);
            }
        }
    }

    /// Checks the content of a variant.
    fn variant(&mut self, model: &Model, variant: &Variant, tagging: &Tagging) {
        if let Body::Transparent(field) = &variant.body
            && !is_foreign(field, model)
        {
            let of = super::of(self.model, &field.ty);
            self.readable(&variant.constraints, &quote!(&#of::SHAPE), Some(&field.ty));
        }
        let name = match tagging {
            _ if variant.untagged || variant.constraints.schema_with.is_some() => return,
            Tagging::External => &variant.wire,
            Tagging::Adjacent(_, content) => content,
            Tagging::Internal(tag) => {
                match &variant.body {
                    Body::Transparent(field) if !is_foreign(field, model) => {
                        let message = "serde adds the tag to the fields of the variant's content, which must be a \
                                       struct, a map of `serde_json::Value` or an enum of structs; write `V` for a \
                                       variant without content";
                        self.push(field.ty.span(), field, "is_taggable", message);
                        let of = super::of(self.model, &field.ty);
                        self.ask(field.ty.span(), "beside_tag", &quote!(&#of::SHAPE, #tag));
                    }
                    Body::Object(object) => self.parts(model, object, Some(tag)),
                    _ => {}
                }
                return;
            }
            Tagging::Untagged => return,
        };
        if let Body::Transparent(field) = &variant.body {
            self.pairs(model, field, name, &[&field.constraints, &variant.constraints]);
        }
    }

    /// Rejects rules with `oldSelf` below a list that is not correlatable.
    ///
    /// Only a property is checked: an attribute of a type that holds this one may still make it a list of type `map`.
    fn pairs(&mut self, model: &Model, field: &Field, name: &str, said: &[&Constraints]) {
        let replaced = |c: &&Constraints| c.schema_with.is_some() || replaces(c);
        if field.with.is_some()
            || field.is_cut(&model.ident)
            || model.constraints.schema_with.is_some()
            || said.iter().any(replaced)
        {
            return;
        }
        let ty = &field.ty;
        let of = super::of(self.model, ty);
        let shape = quote!(&#of::SHAPE);
        let list_type = said.iter().rev().find_map(|c| c.list_type.as_ref());
        let list_type = list_type.map_or("", |text| text.value.as_str());
        if holds_types_of_users(ty) {
            let nested = said.iter().flat_map(|c| [&c.items, &c.values]).flatten();
            let changed = nested.into_iter().any(|nested| is_changed(nested));
            self.ask(ty.span(), "pairs", &quote!(#name, #shape, #list_type, #changed));
        }
        for constraints in said {
            self.pairs_items(constraints, &shape, list_type);
        }
    }

    /// Does the same for rules in `items(..)`.
    fn pairs_items(&mut self, c: &Constraints, shape: &TokenStream, list_type: &str) {
        let krate = self.krate;
        let mut items = c.items.as_ref().map(|items| &***items);
        while let Some(constraints) = items {
            for span in transitions(constraints) {
                self.ask(span, "pairs_items", &quote!(#shape, #list_type));
            }
            items = constraints.values.as_ref().map(|values| &***values);
        }
        for nested in [&c.items, &c.values].into_iter().flatten() {
            let shape = quote!(#krate::__private::check::items(#shape));
            let list_type = nested.list_type.as_ref().map_or("", |text| text.value.as_str());
            self.pairs_items(nested, &shape, list_type);
        }
    }

    /// Checks the attributes of the container.
    fn container(&mut self, model: &Model) {
        if model.constraints.schema_with.is_some() {
            return;
        }
        let krate = self.krate;
        let shape = if has_parameters(model) {
            quote!(&<Self as #krate::CrdSchema>::UNCHECKED_SHAPE)
        } else {
            let ident = &model.ident;
            let (_, type_generics, _) = model.generics.split_for_impl();
            quote!(&<#ident #type_generics as #krate::CrdSchema>::SHAPE)
        };
        let seen = match &model.body {
            Body::Object(object) => !object.fields.iter().any(|field| field.flatten),
            _ => false,
        };
        self.constraints(&model.constraints, &shape, None, seen);
        if let Body::Enum(data) = &model.body
            && data.variants.len() > 1
        {
            self.ask(model.ident.span(), "variants", &shape);
        }
    }

    fn field(&mut self, model: &Model, field: &Field, place: &str) {
        if is_foreign(field, model) {
            return;
        }
        let known = types::known(&field.ty);
        if known == Known::Unknown {
            self.absence(field);
            if let Some(default) = &field.constraints.default
                && matches!(**default, Override::Inherit)
                && matches!(field.default, SerdeDefault::Trait)
            {
                let message = "the default of this type is `null` in JSON, which is not a value; give one, or remove `default`";
                self.push(default.span(), field, "has_default", message);
            }
            let is_read = field.default.is_some()
                || field.skip_deserializing
                || field.constraints.default.is_some();
            if let Some(span) = field.optional.filter(|_| !is_read) {
                let message = "serde cannot deserialize without this field; make it an `Option`, or add \
                               `#[serde(default)]`";
                self.push(span, field, "is_optional", message);
            }
            if let Some(span) = field.selectable {
                let message = not_for("selectable", "a string, boolean or integer");
                self.push(span, field, "is_selectable", &message);
            }
        }
        if place != IN_A_TUPLE {
            self.null(field, known);
        }
        self.elements(field, place);
        let ty = &field.ty;
        let of = super::of(self.model, ty);
        let shape = quote!(&#of::SHAPE);
        self.constraints(&field.constraints, &shape, Some(ty), false);
        self.columns(field, &shape);
        if field.flatten {
            let (span, message) = match types::inner(ty) {
                Some(values) if known == Known::Map => (
                    values.span(),
                    "a schema with properties cannot describe further ones; flatten a map of `serde_json::Value`, or \
                     give the map a field of its own",
                ),
                _ => (
                    field.span,
                    "only structs, maps of `serde_json::Value`, and enums of structs or of variants without \
                     content can be flattened into an object",
                ),
            };
            self.push(span, field, "flattens", message);
        }
    }

    /// Checks the elements of lists, maps and tuples: whether they can be `null`, and whether they have columns.
    ///
    /// `place` names the container of the field, if the field has no JSON path.
    fn elements(&mut self, field: &Field, place: &str) {
        if !holds_types_of_users(&field.ty) {
            return;
        }
        let of = super::of(self.model, &field.ty);
        let nested = [&field.constraints.items, &field.constraints.values];
        let changed = nested.into_iter().flatten().any(|nested| is_changed(nested));
        self.ask(field.ty.span(), "elements", &quote!(&#of::SHAPE, #place, #changed));
    }

    /// The same of a member of a tuple, which is an element itself.
    fn element(&mut self, field: &Field, model: &Model) {
        if !is_foreign(field, model) && types::known(&field.ty) == Known::Unknown {
            let of = super::of(self.model, &field.ty);
            self.ask(field.ty.span(), "element", &quote!(&#of::SHAPE));
        }
    }

    fn push(&mut self, span: Span, field: &Field, check: &str, message: &str) {
        let of = super::of(self.model, &field.ty);
        self.assert(span, &quote!(#of::SHAPE), check, message);
    }

    /// Requires a predicate to hold for a shape.
    fn assert(&mut self, span: Span, shape: &TokenStream, check: &str, message: &str) {
        let krate = self.krate;
        let check = syn::Ident::new(check, Span::call_site());
        let holds = quote!(#krate::__private::check::#check(#shape));
        self.ask(span, "require", &quote!(#holds, #message));
    }

    /// A check that writes its own message.
    pub(super) fn ask(&mut self, span: Span, check: &str, arguments: &TokenStream) {
        let krate = super::at(span, self.krate);
        let check = syn::Ident::new(check, span);
        self.checks
            .push((span, quote_spanned!(span=> #krate::__private::check::#check(#arguments))));
    }

    /// Checks constraints against a shape. `ty` is the type as written; if it is recognized, `check` has checked most
    /// of them. `seen` is whether `check` sees all fields.
    fn constraints(&mut self, c: &Constraints, shape: &TokenStream, ty: Option<&Type>, seen: bool) {
        let krate = self.krate;
        let is = |flag: &Option<SpannedValue<bool>>| flag.as_deref() == Some(&true);
        if let Some(format) = &c.format {
            let name = &format.value;
            self.ask(format.span, "format", &quote!(#name));
        }
        self.readable(c, shape, ty);
        if is(&c.int_or_string) {
            return;
        }
        let open = is(&c.preserve_unknown_fields) || is(&c.embedded_resource);
        if !open {
            self.names(c, shape, seen);
        }
        for key in c.list_map_keys.iter().flat_map(|keys| &keys.0) {
            let name = &key.value;
            self.ask(key.span, "list_map_key", &quote!(#shape, #name));
        }
        if let Some(Text { value, span }) = &c.list_type
            && matches!(value.as_str(), "set" | "map")
            // `items(..)` may change what the elements are.
            && !c.items.as_ref().is_some_and(|items| is_changed(items))
        {
            self.ask(*span, "list_type", &quote!(#shape, #value));
        }
        if !is_recognized(ty) {
            self.applies(c, shape);
        }
        self.literals(c, shape, ty);
        super::constants::checks(c, shape, &mut |span, check, arguments| {
            self.ask(span, check, arguments);
        });
        let inner = ty.and_then(types::inner);
        for nested in [&c.items, &c.values].into_iter().flatten() {
            let items = quote!(#krate::__private::check::items(#shape));
            self.constraints(nested, &items, inner, false);
        }
    }

    /// Rejects attributes that allow values which the type cannot deserialize, or reject what it serializes.
    fn readable(&mut self, c: &Constraints, shape: &TokenStream, ty: Option<&Type>) {
        let flag = |value: &Option<SpannedValue<bool>>, wanted: bool| {
            value.as_ref().filter(|flag| ***flag == wanted).map(SpannedValue::span)
        };
        for (span, check) in [
            (flag(&c.int_or_string, true), "int_or_string"),
            (flag(&c.embedded_resource, true), "embedded_resource"),
            (flag(&c.nullable, true), "nullable"),
            (flag(&c.preserve_unknown_fields, true), "keeps_unknown_fields"),
            (
                flag(&c.nullable, false).filter(|_| ty.is_some_and(|_| !is_recognized(ty))),
                "never_null",
            ),
        ] {
            if let Some(span) = span.filter(|_| !is_recognized(ty)) {
                self.ask(span, check, shape);
            }
        }
        if is_recognized(ty) || c.int_or_string.as_deref() == Some(&true) {
            return;
        }
        for (bound, key) in [(&c.minimum, "minimum"), (&c.maximum, "maximum")] {
            match bound.as_ref().and_then(|bound| bound.literal()) {
                Some(Number::Int(value)) => {
                    let span = bound.as_ref().map_or_else(Span::call_site, SpannedValue::span);
                    self.ask(span, "bound", &quote!(#shape, #key, #value));
                }
                Some(Number::Float(_)) => {
                    let span = bound.as_ref().map_or_else(Span::call_site, SpannedValue::span);
                    self.ask(span, "bound_with_fraction", &quote!(#shape, #key));
                }
                None => {}
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
                self.ask(length.span(), "length_of_values", &quote!(#shape, #key, #bound));
            }
        }
        let pattern = c.pattern.as_ref().map(|pattern| (pattern.span(), "pattern"));
        let format = c.format.as_ref().map(|format| (format.span, "format"));
        for (span, key) in pattern.into_iter().chain(format) {
            self.ask(span, "text_of_values", &quote!(#shape, #key));
        }
    }

    /// Checks `field_path` of rules, and the fields named by `exactly_one_of` and the like.
    fn names(&mut self, c: &Constraints, shape: &TokenStream, seen: bool) {
        for path in c.rule.iter().filter_map(|rule| rule.options.field_path.as_ref()) {
            let steps = json_path::fields(&path.value);
            if !steps.is_empty() {
                let steps = steps_tokens(&steps, self.krate);
                self.ask(path.span, "field_path", &quote!(#shape, #steps));
            }
        }
        if seen {
            return;
        }
        for (groups, at_most) in
            [(&c.at_most_one_of, true), (&c.exactly_one_of, true), (&c.at_least_one_of, false)]
        {
            for Text { value, span } in groups.iter().flat_map(|group| &group.0) {
                self.ask(*span, "member", &quote!(#shape, #value, #at_most));
            }
        }
    }

    /// Checks literals in `default` and `enum_values` of unrecognized types.
    fn literals(&mut self, c: &Constraints, shape: &TokenStream, ty: Option<&Type>) {
        // Bounds of the field override those of the type.
        let bounds = bounds(c);
        let shape = if bounds.is_empty() { shape.clone() } else { quote!(&(*#shape) #bounds) };
        let shape = &shape;
        if let Some(Override::Explicit(value)) = c.default.as_deref()
            // `items(..)` may change what the elements are.
            && !c.items.as_ref().is_some_and(|items| is_changed(items))
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
            && let Some(json) = json::read(mac)
        {
            self.json(&json, what, shape);
        }
        let Expr::Array(array) = value else { return };
        let krate = self.krate;
        let items = quote!(#krate::__private::check::items(#shape));
        for element in &array.elems {
            self.default(element, "element", &items, ty.and_then(types::inner));
        }
    }

    pub(super) fn literal(&mut self, value: &Value, what: &str, shape: &TokenStream) {
        let span = crate::model::span_of(&value.0);
        if let Some(text) = value.as_text() {
            let not = format::names_not_of(&text);
            self.ask(span, "literal_text", &quote!(#shape, #what, #text, &[#(#not),*]));
        } else if let Some(number) = value.as_number() {
            let whole = match number {
                Number::Int(_) => true,
                Number::Float(float) => float.fract() == 0.0,
            };
            let value = number.as_f64();
            self.ask(span, "literal_number", &quote!(#shape, #what, #whole, #value));
        } else if value.as_bool().is_some() {
            self.ask(span, "literal_bool", &quote!(#shape, #what));
        } else if let Expr::Array(array) = &value.0 {
            let count = array.elems.len() as u64;
            self.ask(span, "literal_list", &quote!(#shape, #what, #count));
        }
    }

    /// Checks the type of the field's columns that show the field itself.
    fn columns(&mut self, field: &Field, shape: &TokenStream) {
        if field.flatten || field.constraints.int_or_string.as_deref() == Some(&true) {
            return;
        }
        for column in &field.columns {
            if let Override::Explicit(column) = &**column
                && let (Some(Text { value, span }), None) = (&column.ty, &column.path)
                // The shape does not include the field's own format.
                && (value != "date" || field.constraints.format.is_none())
            {
                self.ask(*span, "column_type", &quote!(#shape, #value));
            }
        }
    }

    /// Rejects keys that do not apply to the type.
    fn applies(&mut self, c: &Constraints, shape: &TokenStream) {
        let number = |value: &Option<Bound>| value.as_ref().map(SpannedValue::span);
        let flag = |value: &Option<SpannedValue<bool>>| value.as_ref().map(SpannedValue::span);
        let count = |value: &Option<Count>| value.as_ref().map(SpannedValue::span);
        let text = |value: &Option<Text>| value.as_ref().map(|text| text.span);
        let nested = |value: &Option<Box<SpannedValue<Constraints>>>| {
            value.as_ref().map(|nested| nested.span())
        };
        let format = c.format.as_ref().map_or("", |format| format.value.as_str());
        let (of_format, wants) = match format {
            "int32" | "int64" | "float" | "double" => ("is_number", "a number"),
            _ => ("is_text", "a string"),
        };
        // An embedded resource is an object, whatever the type.
        let embedded = c.embedded_resource.as_deref() == Some(&true);
        let map_type = if embedded { "is_object" } else { "has_map_type" };
        for (span, key, check, wants) in [
            (text(&c.format), "format", of_format, wants),
            (number(&c.minimum), "minimum", "is_number", "a number"),
            (number(&c.maximum), "maximum", "is_number", "a number"),
            (flag(&c.exclusive_minimum), "exclusive_minimum", "is_number", "a number"),
            (flag(&c.exclusive_maximum), "exclusive_maximum", "is_number", "a number"),
            (number(&c.multiple_of), "multiple_of", "is_number", "a number"),
            (count(&c.min_length), "min_length", "is_text", "a string"),
            (count(&c.max_length), "max_length", "is_text", "a string"),
            (c.pattern.as_ref().map(Words::span), "pattern", "is_text", "a string"),
            (count(&c.min_items), "min_items", "is_list", "a list"),
            (count(&c.max_items), "max_items", "is_list", "a list"),
            (text(&c.list_type), "list_type", "has_list_type", "a list"),
            (nested(&c.items), "items", "is_list", "a list"),
            (nested(&c.values), "values", "is_map", "a map"),
            (count(&c.min_properties), "min_properties", "is_object", "an object"),
            (count(&c.max_properties), "max_properties", "is_object", "an object"),
            (text(&c.map_type), "map_type", map_type, "an object"),
        ] {
            if let Some(span) = span {
                self.assert(span, &quote!(*#shape), check, &not_for(key, wants));
            }
        }
    }

    /// Requires a field that serde may skip to be optional when read.
    fn absence(&mut self, field: &Field) {
        let readable = field.default.is_some() || field.constraints.default.is_some();
        if !readable && (field.skip_if.is_some() || field.skip_serializing) {
            let message = "serde may skip this field, but cannot deserialize without it; add `#[serde(default)]`";
            self.push(field.span, field, "is_optional", message);
        }
    }

    /// Rejects an `Option` of an enumeration that serde writes as `null`, which the server rejects.
    fn null(&mut self, field: &Field, known: Known) {
        let written = field.skip_if.is_none()
            && !field.skip_serializing
            && field.constraints.nullable.is_none();
        // A recognized type is never an enumeration.
        if !written || known != Known::Unknown {
            return;
        }
        let message = "serde writes `None` as `null`, which an enumeration does not allow; add \
                       `#[serde(skip_serializing_if = \"Option::is_none\")]`, or `#[crd(nullable)]`";
        self.push(field.span, field, "is_no_optional_enum", message);
    }
}

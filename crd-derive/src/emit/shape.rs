//! `CrdSchema::SHAPE`: what other types' checks see of a type.
//!
//! Emits literals instead of function calls, because a value borrowed in a constant's literal is `'static`.

use crd_cel::compile_time::{pattern_program, rule_program};
use darling::util::{Override, SpannedValue};
use proc_macro2::{Literal, TokenStream};
use quote::{quote, quote_spanned};
use syn::Member;
use syn::ext::IdentExt as _;
use syn::spanned::Spanned;

use super::is_foreign;
use super::old_self::transition;
use super::paths::column_paths;
use crate::attr::{Constraints, Strings, Text, as_number};
use crate::model::{Body, Enum, Field, Model, Object, Variant};
use crate::serde_view::Tagging;
use crate::types::{self, Known};

/// A constant of type `Shape`.
pub(crate) fn emit(model: &Model, krate: &TokenStream) -> TokenStream {
    let shapes = Shapes { krate, model };
    let constraints = &model.constraints;
    if constraints.schema_with.is_some() {
        return shapes.of("Opaque");
    }
    if is(constraints.int_or_string.as_ref()) {
        return with_transition(&shapes.of("IntOrString"), constraints);
    }
    shapes.body(&model.body, &model.ident.to_string(), constraints, true)
}

/// Adds bounds that fail for types which contain each other, so that rustc reports the fields that close the cycle.
///
/// ```ignore
/// impl CrdSchema for Folder where Part<Entry, { Of::<Entry>::DERIVED }>: FiniteOrMarkedRecursive
/// ```
pub(crate) fn finite(model: &Model, krate: &TokenStream, generics: &mut syn::Generics) {
    // The contents of a generic type are known only where it is used.
    if !model.generics.params.is_empty() || model.constraints.schema_with.is_some() {
        return;
    }
    for ty in parts(model) {
        let krate = super::at(ty.span(), krate);
        let private = quote_spanned!(ty.span()=> #krate::__private);
        let bound = quote_spanned! {ty.span()=>
            #private::Part<#ty, { #private::Of::<#ty>::DERIVED }>:
                #krate::crd_schema::FiniteOrMarkedRecursive
        };
        generics.make_where_clause().predicates.push(syn::parse_quote!(#bound));
    }
}

/// The types inside a type, without their containers. Recognized types, which have a schema, are left out.
pub(super) fn parts(model: &Model) -> Vec<&syn::Type> {
    let mut parts = Vec::new();
    types_of(&model.body, model, &mut parts);
    parts
}

fn types_of<'a>(body: &'a Body, model: &Model, into: &mut Vec<&'a syn::Type>) {
    let mut add = |field: &'a Field| {
        let part = types::part(&field.ty);
        if !is_foreign(field, model) && !types::is_scalar(part) {
            into.push(part);
        }
    };
    match body {
        Body::Object(object) => object.fields.iter().for_each(add),
        Body::Transparent(field) => add(field),
        Body::Tuple(fields) => fields.iter().for_each(add),
        Body::Enum(data) => {
            let schemas =
                data.variants.iter().filter(|variant| variant.constraints.schema_with.is_none());
            for variant in schemas {
                types_of(&variant.body, model, into);
            }
        }
        Body::Delegate(ty) => into.push(ty),
        Body::Unit => {}
    }
}

fn is(flag: Option<&SpannedValue<bool>>) -> bool {
    flag.is_some_and(|flag| **flag)
}

struct Shapes<'a> {
    krate: &'a TokenStream,
    model: &'a Model,
}

impl Shapes<'_> {
    fn of(&self, kind: &str) -> TokenStream {
        let krate = self.krate;
        let kind = quote::format_ident!("{kind}");
        quote!(#krate::crd_schema::Shape::of(#krate::crd_schema::Kind::#kind))
    }

    /// The same with the transition rules of the constraints.
    fn opaque(&self, constraints: &Constraints) -> TokenStream {
        with_transition(&self.of("Opaque"), constraints)
    }

    /// A `Shape` literal with the given members and defaults for the rest.
    fn literal(&self, kind: &str, members: &TokenStream, constraints: &Constraints) -> TokenStream {
        let krate = self.krate;
        let open = is_open(constraints).then(|| quote!(open: true,));
        let atomic = is_atomic(constraints).then(|| quote!(atomic: true,));
        let whole =
            whole(constraints).map(|key| quote!(whole: ::core::option::Option::Some(#key),));
        let transition = transition_member(constraints);
        let of = self.of(kind);
        quote!(#krate::crd_schema::Shape { #members #open #atomic #whole #transition ..#of })
    }

    /// The shape of a type's or variant's body. Columns of a variant's fields are left out, because `collect` does not
    /// visit variants.
    fn body(&self, body: &Body, name: &str, constraints: &Constraints, asks: bool) -> TokenStream {
        let krate = self.krate;
        match body {
            Body::Object(object) => {
                let fields = self.fields(object, asks);
                let path = format!("::{name}");
                let source = quote! {
                    #krate::crd_schema::Source {
                        type_: ::core::concat!(::core::module_path!(), #path),
                        file: ::core::file!(),
                    }
                };
                let asks = asks.then(|| self.asks(object));
                let members = quote!(fields: &[#fields], source: ::core::option::Option::Some(&#source), #asks);
                self.literal("Object", &members, constraints)
            }
            Body::Transparent(field) if is_foreign(field, self.model) => {
                let inner = self.opaque(&field.constraints);
                with_transition(&inner, constraints)
            }
            Body::Transparent(field) => {
                let ty = &field.ty;
                let of = super::of(self.model, ty);
                let inner = quote_spanned!(ty.span()=> #of::SHAPE);
                let inner = self.changed(&inner, &field.constraints);
                let whole = whole(&field.constraints).or_else(|| whole(constraints));
                let whole = whole.map(|key| quote!(.whole(#key)));
                let inner = quote!(#inner #whole);
                self.changed(&inner, constraints)
            }
            Body::Tuple(_) => with_transition(&self.of("List"), constraints),
            Body::Unit => with_transition(&self.of("Null"), constraints),
            Body::Delegate(ty) => {
                let of = super::of(self.model, ty);
                let inner = quote_spanned!(ty.span()=> #of::SHAPE);
                let whole = whole(constraints).map(|key| quote!(.whole(#key)));
                self.changed(&quote!(#inner #whole), constraints)
            }
            Body::Enum(data) => self.union(data, constraints),
        }
    }

    /// A shape, changed by attributes.
    fn changed(&self, shape: &TokenStream, constraints: &Constraints) -> TokenStream {
        let krate = self.krate;
        let Constraints {
            int_or_string, enum_values, list_type, list_map_keys, items, values, ..
        } = constraints;
        if is(int_or_string.as_ref()) {
            return with_transition(&quote!(#shape.int_or_string()), constraints);
        }
        let mut calls = TokenStream::new();
        if is_open(constraints) {
            calls.extend(quote!(.open()));
        }
        if is_atomic(constraints) {
            calls.extend(quote!(.atomic()));
        }
        calls.extend(bounds(constraints));
        calls.extend(kept_rules(constraints, shape, krate));
        if let Some(values) = enum_values {
            let texts: darling::Result<Vec<_>> = values.0.iter().map(Text::parse).collect();
            let texts = texts.unwrap_or_default();
            let texts = texts.iter().map(|text| &text.value);
            calls.extend(quote!(.of_values(&[#(#texts),*])));
        }
        if let Some(list_type) = list_type {
            let list_type = match list_type.value.as_str() {
                "set" => quote!(Set),
                "map" => quote!(Map),
                _ => quote!(Atomic),
            };
            let keys = list_map_keys.as_deref().map(|Strings(keys)| keys.as_slice());
            let keys = keys.unwrap_or_default().iter().map(|key| &key.value);
            calls.extend(quote!(.listed(#krate::crd_schema::ListType::#list_type, &[#(#keys),*])));
        }
        let nested = [items, values].into_iter().flatten();
        // A shape cannot hold changes of its items, so changed items are opaque.
        let mut rules = nested.clone().filter_map(|nested| nested_transition(nested));
        if nested.clone().any(|nested| is_changed(nested)) {
            calls.extend(quote!(.of_opaque_items()));
        } else if let Some(rules) = rules.next() {
            calls.extend(quote! {
                .of_items(&const {
                    (*#krate::__private::check::items(&#shape)).transition(#rules)
                })
            });
        }
        with_transition(&quote!(#shape #calls), constraints)
    }

    /// The first field of an object, or of a type in it, that has a column or is selectable.
    fn asks(&self, object: &Object) -> TokenStream {
        let krate = self.krate;
        let own = |field: &&Field| field.selectable.is_some() || !field.columns.is_empty();
        if let Some(field) = object.fields.iter().find(own) {
            let name = &field.wire;
            return quote!(asks: ::core::option::Option::Some(#name),);
        }
        let inside = object.fields.iter().filter(|field| {
            !is_foreign(field, self.model) && types::known(&field.ty) == Known::Unknown
        });
        let mut shapes = inside
            .map(|Field { ty, .. }| {
                let of = super::of(self.model, ty);
                quote_spanned!(ty.span()=> #of::SHAPE)
            })
            .peekable();
        if shapes.peek().is_none() {
            return TokenStream::new();
        }
        quote!(asks: #krate::__private::check::asks(&[#(#shapes),*]),)
    }

    /// Literals of type `FieldShape`, separated by commas.
    fn fields(&self, object: &Object, asks: bool) -> TokenStream {
        let tag = object.tag.as_ref().map(|(tag, name)| self.tag(tag, &[name]));
        let fields = object.fields.iter().map(|field| self.field(field, asks));
        quote!(#tag #(#fields),*)
    }

    /// The tag, and a comma.
    fn tag(&self, tag: &str, names: &[&String]) -> TokenStream {
        let krate = self.krate;
        let of = self.of("Enum");
        quote! {
            #krate::crd_schema::FieldShape {
                name: #tag,
                shape: &#krate::crd_schema::Shape { values: &[#(#names),*], ..#of },
                ..#krate::crd_schema::FieldShape::FLATTENED
            },
        }
    }

    fn field(&self, field: &Field, asks: bool) -> TokenStream {
        let krate = self.krate;
        let ty = &field.ty;
        // A flattened type has no name: its fields are the object's own.
        let wire = if field.flatten { "" } else { &field.wire };
        let foreign = is_foreign(field, self.model);
        let shape = if foreign {
            self.opaque(&field.constraints)
        } else {
            let of = super::of(self.model, ty);
            let shape = quote_spanned!(ty.span()=> #of::SHAPE);
            self.changed(&shape, &field.constraints)
        };
        let presence = self.presence(field, foreign);
        let always = field.skip_if.is_none() && !field.skip_serializing && !field.flatten;
        let always = always.then(|| quote!(always_written: true,));
        let selectable = (asks && field.selectable.is_some()).then(|| quote!(selectable: true,));
        let columns = asks.then(|| column_paths(self.model, field, krate)).flatten();
        let headings = (asks && !field.columns.is_empty()).then(|| headings(field));
        let member = match &field.member {
            Member::Named(name) => name.unraw().to_string(),
            Member::Unnamed(index) => index.index.to_string(),
        };
        // `line!` returns the line of its span, which is the field's.
        let line = quote_spanned!(field.span=> ::core::line!());
        quote! {
            #krate::crd_schema::FieldShape {
                name: #wire,
                written: ::core::option::Option::Some((#member, #line)),
                presence: #presence,
                shape: &#shape,
                #always
                #selectable
                #columns
                #headings
                ..#krate::crd_schema::FieldShape::FLATTENED
            }
        }
    }

    fn presence(&self, field: &Field, foreign: bool) -> TokenStream {
        let krate = self.krate;
        let ty = &field.ty;
        let presence = if field.constraints.default.is_some() {
            quote!(Defaulted)
        } else if field.required.is_some() {
            quote!(Required)
        } else if field.optional.is_some()
            || field.default.is_some()
            || field.skip_deserializing
            || types::option(ty).is_some()
        {
            quote!(Optional)
        } else if foreign || types::known(ty) != Known::Unknown {
            quote!(Required)
        } else {
            let of = super::of(self.model, ty);
            let shape = quote_spanned!(ty.span()=> #of::SHAPE);
            return quote!(#krate::__private::check::presence(#shape));
        };
        quote!(#krate::crd_schema::FieldPresence::#presence)
    }

    /// An enum: its own fields, such as the tag, and those of its variants.
    fn union(&self, data: &Enum, constraints: &Constraints) -> TokenStream {
        if data.is_units() {
            // `#[serde(other)]` reads any string.
            if data.variants.iter().any(|variant| variant.other) {
                return with_transition(&self.of("String"), constraints);
            }
            let names = data.variants.iter().flat_map(names);
            let members = quote!(values: &[#(#names),*], units: true,);
            return self.literal("Enum", &members, constraints);
        }
        let (untagged, tagged): (Vec<_>, Vec<_>) =
            data.variants.iter().partition(|variant| variant.untagged);
        let mixed = !untagged.is_empty();
        let untagged = untagged.into_iter().map(|variant| self.variant(variant));
        match &data.tagging {
            Tagging::External => {
                let units = tagged.iter().any(|variant| matches!(variant.body, Body::Unit));
                let fields = tagged
                    .iter()
                    .filter(|variant| !matches!(variant.body, Body::Unit))
                    .map(|variant| self.named(&variant.wire, &self.variant(variant)));
                // An enum that can be a string has no `type: object`, so the server prunes nothing.
                let open = (units || mixed).then(|| {
                    let transition = transition_member(constraints);
                    quote!(open: true, #transition)
                });
                let kind = if units || mixed { "Union" } else { "Object" };
                let units = units.then(|| quote!(units: true,));
                let members =
                    quote!(fields: &[#(#fields)*], variants: &[#(#untagged),*], #units #open);
                let plain = Constraints::default();
                self.literal(kind, &members, if open.is_some() { &plain } else { constraints })
            }
            Tagging::Internal(tag) => {
                let names: Vec<_> = tagged.iter().copied().flat_map(names).collect();
                let open = data.variants.iter().any(|variant| variant.other);
                let tag = if open || mixed {
                    self.named(tag, &self.of("String"))
                } else {
                    self.tag(tag, &names)
                };
                let parts = tagged.iter().map(|variant| self.variant(variant)).chain(untagged);
                let kind = if mixed { "Union" } else { "Object" };
                self.literal(kind, &quote!(fields: &[#tag], variants: &[#(#parts),*],), constraints)
            }
            Tagging::Adjacent(tag, content) => {
                let contents = tagged
                    .iter()
                    .filter(|variant| !matches!(variant.body, Body::Unit))
                    .map(|variant| self.variant(variant));
                let of = self.of("Union");
                let krate = self.krate;
                let contents =
                    quote!(#krate::crd_schema::Shape { variants: &[#(#contents),*], ..#of });
                let tag = self.named(tag, &self.of("String"));
                let content = self.named(content, &contents);
                let kind = if mixed { "Union" } else { "Object" };
                let members = quote!(fields: &[#tag #content], variants: &[#(#untagged),*],);
                self.literal(kind, &members, constraints)
            }
            Tagging::Untagged => {
                let parts = tagged.iter().map(|variant| self.variant(variant)).chain(untagged);
                self.literal("Union", &quote!(variants: &[#(#parts),*],), constraints)
            }
        }
    }

    /// An optional field, and a comma.
    fn named(&self, name: &str, shape: &TokenStream) -> TokenStream {
        let krate = self.krate;
        quote! {
            #krate::crd_schema::FieldShape {
                name: #name,
                presence: #krate::crd_schema::FieldPresence::Optional,
                shape: &#shape,
                ..#krate::crd_schema::FieldShape::FLATTENED
            },
        }
    }

    /// The content of a variant.
    fn variant(&self, variant: &Variant) -> TokenStream {
        let constraints = &variant.constraints;
        if constraints.schema_with.is_some() {
            return self.opaque(constraints);
        }
        if is(constraints.int_or_string.as_ref()) {
            return with_transition(&self.of("IntOrString"), constraints);
        }
        let name = format!("{}::{}", self.model.ident, variant.ident);
        self.body(&variant.body, &name, constraints, false)
    }
}

/// The names by which serde reads a variant.
fn names(variant: &Variant) -> impl Iterator<Item = &String> {
    std::iter::once(&variant.wire).chain(&variant.aliases)
}

/// A shape with the first transition rule of the constraints, if there is one.
fn with_transition(shape: &TokenStream, constraints: &Constraints) -> TokenStream {
    let call = transition(constraints).map(|rule| quote!(.transition(#rule)));
    quote!(#shape #call)
}

fn transition_member(constraints: &Constraints) -> Option<TokenStream> {
    transition(constraints).map(|rule| quote!(transition: ::core::option::Option::Some(#rule),))
}

/// `.minimum(1.0, false)` and so on: the bounds against which defaults of fields of the type are checked.
pub(super) fn bounds(constraints: &Constraints) -> TokenStream {
    let Constraints {
        minimum,
        maximum,
        exclusive_minimum,
        exclusive_maximum,
        min_length,
        max_length,
        min_items,
        max_items,
        min_properties,
        max_properties,
        pattern,
        format,
        ..
    } = constraints;
    let mut calls = TokenStream::new();
    for (bound, exclusive, name) in
        [(minimum, exclusive_minimum, "minimum"), (maximum, exclusive_maximum, "maximum")]
    {
        if let Some(bound) = bound {
            let (bound, exclusive) = (as_number(bound, "f64"), is(exclusive.as_ref()));
            let name = quote::format_ident!("{name}");
            calls.extend(quote!(.#name(#bound, #exclusive)));
        }
    }
    for (bound, name) in [
        (min_length, "min_length"),
        (max_length, "max_length"),
        (min_items, "min_items"),
        (max_items, "max_items"),
        (min_properties, "min_properties"),
        (max_properties, "max_properties"),
    ] {
        if let Some(bound) = bound {
            let (bound, name) = (as_number(bound, "u64"), quote::format_ident!("{name}"));
            calls.extend(quote!(.#name(#bound)));
        }
    }
    if let Some(pattern) = pattern {
        // Of a constant nothing is known but that it takes the place of another.
        let program = pattern.text().and_then(|text| pattern_program(&text.value));
        let program = Literal::byte_string(&program.unwrap_or_default());
        calls.extend(quote!(.pattern(#program)));
    }
    if let Some(format) = format {
        let format = &format.value;
        calls.extend(quote!(.formatted(#format)));
    }
    calls
}

/// `.keeping(..)`: the rules of a scalar type, against which rustc checks the defaults of fields of that type, after the
/// rules of `shape`.
fn kept_rules(
    constraints: &Constraints,
    shape: &TokenStream,
    krate: &TokenStream,
) -> Option<TokenStream> {
    let rules = constraints.rule.iter().filter_map(|rule| {
        let source = &rule.rule.text()?.value;
        let program = rule_program(&crd_cel::syntax::parse(source).ok()?)?;
        let program = Literal::byte_string(&program);
        Some(quote!((#source, #program)))
    });
    let rules: Vec<_> = rules.collect();
    (!rules.is_empty()).then(|| {
        quote! {
            .keeping(&const {
                #krate::crd_schema::KeptRules {
                    own: &[#(#rules),*],
                    below: (#shape).bounds.rules,
                }
            })
        }
    })
}

/// The first transition rule of elements, or of their own elements.
fn nested_transition(elements: &Constraints) -> Option<&str> {
    let mut below = [&elements.items, &elements.values].into_iter().flatten();
    transition(elements).or_else(|| below.find_map(|nested| nested_transition(nested)))
}

/// The names of a field's columns, stored in the shape so that kinds with the type can compare them.
fn headings(field: &Field) -> TokenStream {
    let headings = field.columns.iter().map(|column| {
        let name = match &**column {
            Override::Explicit(column) => column.name.as_ref(),
            Override::Inherit => None,
        };
        if let Some(Text { value, .. }) = name {
            quote!(::core::option::Option::Some(#value))
        } else {
            quote!(::core::option::Option::None)
        }
    });
    quote!(headings: &[#(#headings),*],)
}

/// An attribute that applies to the object as a whole, so that the type cannot be flattened.
fn whole(constraints: &Constraints) -> Option<&'static str> {
    let Constraints {
        immutable,
        min_properties,
        max_properties,
        map_type,
        embedded_resource,
        default,
        rule,
        ..
    } = constraints;
    let texts = rule.iter().map(|rule| rule.rule.text());
    let keys = [
        (is(immutable.as_ref()), "immutable"),
        (min_properties.is_some(), "min_properties"),
        (max_properties.is_some(), "max_properties"),
        (map_type.is_some(), "map_type"),
        (is(embedded_resource.as_ref()), "embedded_resource"),
        (default.is_some(), "default"),
        (texts.clone().flatten().any(|text| super::old_self::uses_whole_self(&text.value)), "rule"),
        (texts.clone().any(|text| text.is_none()), "constant"),
    ];
    keys.into_iter().find_map(|(there, key)| there.then_some(key))
}

/// Whether the server keeps fields that the shape does not have.
fn is_open(constraints: &Constraints) -> bool {
    is(constraints.preserve_unknown_fields.as_ref()) || is(constraints.embedded_resource.as_ref())
}

fn is_atomic(constraints: &Constraints) -> bool {
    constraints.map_type.as_ref().is_some_and(|map_type| map_type.value == "atomic")
}

/// Whether attributes change the shape of elements.
pub(crate) fn is_changed(items: &Constraints) -> bool {
    is(items.int_or_string.as_ref())
        || is_open(items)
        || items.nullable.is_some()
        || items.list_type.is_some()
        || items.map_type.is_some()
        || [&items.items, &items.values].into_iter().flatten().any(|nested| is_changed(nested))
}

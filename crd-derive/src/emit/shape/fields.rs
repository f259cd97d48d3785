//! The shapes of an object's fields.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::Member;
use syn::ext::IdentExt as _;
use syn::spanned::Spanned;

use super::{Shapes, digest};
use crate::emit::of;
use crate::emit::paths::column_paths;
use crate::literal::Text;
use crate::model::{Field, Object, Presence};

impl Shapes<'_> {
    /// The first field of an object, or of a type in it, that has a column or is selectable.
    pub(super) fn needs_path(&self, object: &Object) -> TokenStream {
        let krate = self.krate;
        let own = |field: &&Field| field.selectable.is_some() || !field.columns.is_empty();
        if let Some(field) = object.fields.iter().find(own) {
            let name = &field.wire;
            return quote!(needs_path: ::core::option::Option::Some(#name),);
        }
        let inside = object.fields.iter();
        let inside = inside.filter(|field| !field.has_replaced_schema() && !field.is_recognized());
        let mut shapes = inside
            .map(|Field { ty, .. }| {
                let of = of(self.model, ty);
                quote_spanned!(ty.span()=> #of::SHAPE)
            })
            .peekable();
        if shapes.peek().is_none() {
            return TokenStream::new();
        }
        quote!(needs_path: #krate::__private::check::needs_path(&[#(#shapes),*]),)
    }

    /// The rules of parts of an object that become rules of the object, as expressions of type `RuleDigest`: the rules
    /// of flattened types, and the rules that an `immutable` field cannot be removed once it is set.
    pub(super) fn rules_of_parts(&self, object: &Object) -> Vec<TokenStream> {
        let of_part = |field: &Field| {
            let is_optional = match field.presence() {
                Presence::Required => Some(false),
                Presence::Optional => Some(true),
                Presence::OfType => None,
            };
            let is_optional_type = || {
                let of = of(self.model, &field.ty);
                quote_spanned!(field.ty.span()=> #of::SHAPE.optional)
            };
            if field.flatten && !field.has_replaced_schema() {
                let of = of(self.model, &field.ty);
                let rules = quote_spanned!(field.ty.span()=> #of::SHAPE.rules);
                return match is_optional {
                    Some(false) => Some(rules),
                    // The rules of an optional part hold for objects without it.
                    Some(true) => Some(quote!(#rules.changed_if(true))),
                    None => {
                        let is_optional = is_optional_type();
                        Some(quote!(#rules.changed_if(#is_optional)))
                    }
                };
            }
            field.constraints.immutable?;
            let rule = digest::immutable_once_set(&field.wire, self.krate);
            match is_optional {
                _ if field.constraints.default.is_some() => Some(rule),
                Some(false) => None,
                Some(true) => Some(rule),
                None => {
                    let is_optional = is_optional_type();
                    Some(quote!(#rule.only_if(#is_optional)))
                }
            }
        };
        object.fields.iter().filter_map(of_part).collect()
    }

    /// A tuple. All its members have the type of the first.
    pub(super) fn tuple(&self, fields: &[Field]) -> TokenStream {
        let list = self.kind("List");
        match fields.first() {
            Some(first)
                if !first.has_replaced_schema()
                    && !fields.iter().any(|field| field.constraints.change_shape()) =>
            {
                let krate = self.krate;
                let of = of(self.model, &first.ty);
                let shape = quote_spanned!(first.ty.span()=> #of::SHAPE);
                quote! {
                    #krate::crd_schema::Shape {
                        items: ::core::option::Option::Some(&#shape), ..#list
                    }
                }
            }
            _ => list,
        }
    }

    /// Literals of type `FieldShape`, separated by commas; with the JSON paths of columns and selectable fields if
    /// `with_paths` is set.
    pub(super) fn fields(&self, object: &Object, with_paths: bool) -> TokenStream {
        let tag = object.tag.as_ref().map(|(tag, name)| self.tag(tag, &[name]));
        let fields = object.fields.iter().map(|field| self.field(field, with_paths));
        quote!(#tag #(#fields),*)
    }

    /// The tag, and a comma.
    pub(super) fn tag(&self, tag: &str, names: &[&String]) -> TokenStream {
        let krate = self.krate;
        let of = self.kind("Enum");
        quote! {
            #krate::crd_schema::FieldShape {
                name: #tag,
                shape: &#krate::crd_schema::Shape { values: &[#(#names),*], ..#of },
                ..#krate::crd_schema::FieldShape::FLATTENED
            },
        }
    }

    fn field(&self, field: &Field, with_paths: bool) -> TokenStream {
        let krate = self.krate;
        let ty = &field.ty;
        // A flattened type has no name: its fields are the object's own.
        let wire = if field.flatten { "" } else { &field.wire };
        let shape = if field.has_replaced_schema() {
            self.opaque(&field.constraints)
        } else {
            let of = of(self.model, ty);
            let shape = quote_spanned!(ty.span()=> #of::SHAPE);
            self.changed(&shape, &field.constraints)
        };
        let presence = self.presence(field);
        let always = !field.may_be_skipped() && !field.flatten;
        let always = always.then(|| quote!(always_written: true,));
        let needs_default = self.needs_default(field);
        let selectable =
            (with_paths && field.selectable.is_some()).then(|| quote!(selectable: true,));
        let columns = with_paths.then(|| column_paths(self.model, field, krate)).flatten();
        let headings = (with_paths && !field.columns.is_empty()).then(|| headings(field));
        let member = match &field.member {
            Member::Named(name) => name.unraw().to_string(),
            Member::Unnamed(index) => index.index.to_string(),
        };
        let allows = super::allows(&field.allows);
        // `line!` returns the line of its span, which is that of the field.
        let line = quote_spanned!(field.span=> line!());
        quote! {
            #krate::crd_schema::FieldShape {
                name: #wire,
                written: ::core::option::Option::Some((#member, #line)),
                presence: #presence,
                shape: &#shape,
                #always
                #needs_default
                #selectable
                #columns
                #headings
                #allows
                ..#krate::crd_schema::FieldShape::FLATTENED
            }
        }
    }

    /// `needs_default: ..,` for a field that serde cannot read if it is absent, and whose default in the schema the
    /// server sets.
    fn needs_default(&self, field: &Field) -> Option<TokenStream> {
        let can_be_omitted = field.default.is_some() || field.skip_deserializing;
        if field.constraints.default.is_none() || can_be_omitted {
            return None;
        }
        if field.has_replaced_schema() || field.is_recognized() {
            let needs = !field.is_option || field.with.is_some();
            return needs.then(|| quote!(needs_default: true,));
        }
        let of = of(self.model, &field.ty);
        Some(quote_spanned!(field.ty.span()=> needs_default: !#of::SHAPE.optional,))
    }

    fn presence(&self, field: &Field) -> TokenStream {
        let krate = self.krate;
        let presence = match field.presence() {
            _ if field.constraints.default.is_some() => quote!(Defaulted),
            Presence::Required => quote!(Required),
            Presence::Optional => quote!(Optional),
            Presence::OfType => {
                let ty = &field.ty;
                let of = of(self.model, ty);
                let shape = quote_spanned!(ty.span()=> #of::SHAPE);
                return quote!(#krate::__private::check::presence(#shape));
            }
        };
        quote!(#krate::crd_schema::FieldPresence::#presence)
    }

    /// An optional field, and a comma.
    pub(super) fn optional_field(&self, name: &str, shape: &TokenStream) -> TokenStream {
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
}

/// The names of a field's columns, stored in the shape so that kinds with the type can compare them.
fn headings(field: &Field) -> TokenStream {
    let headings = field.columns.iter().map(|column| {
        if let Some(Text { value, .. }) = &column.name {
            quote!(::core::option::Option::Some(#value))
        } else {
            quote!(::core::option::Option::None)
        }
    });
    quote!(headings: &[#(#headings),*],)
}

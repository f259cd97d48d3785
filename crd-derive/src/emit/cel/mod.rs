//! The declaration of a type for rules.

mod attributes;
mod enums;

pub(super) use enums::tags;

use attributes::changed;

use std::collections::BTreeSet;

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::generics::{has_parameters, mentions, without_lifetimes};
use super::tables::table_of;
use super::{has_statics, of};
use crate::model::{Body, Cut, Field, Model, Object, Source};

/// An expression of type `Declared`.
pub(crate) fn declared(model: &Model) -> TokenStream {
    Emitter { by_table: true, ..Emitter::inside(model) }.whole()
}

pub(super) struct Emitter<'a> {
    pub(super) model: &'a Model,
    /// Whether the tokens are emitted outside the impl, where generic parameters have no names: types that mention one
    /// are `Unknown`.
    pub(super) concrete: bool,
    /// Whether an object is declared by its table, `CrdSchema::FIELDS`.
    pub(super) by_table: bool,
    /// The names that a rule mentions; other fields of an enum's alternatives are left out.
    pub(super) only: Option<&'a BTreeSet<String>>,
    /// The variant that has the rule. In an enum with many newtype variants, the others are left out.
    pub(super) own: Option<&'a proc_macro2::Ident>,
}

/// `static __DECLARED`, with the declarations of the fields of a struct. It is a static of its own, because rustc evaluates
/// a static anew in each build if it refers to parts that it computes from another one.
pub(crate) fn declared_fields(model: &Model) -> Option<TokenStream> {
    let object = model.body.object().filter(|_| has_statics(model))?;
    model.constraints.schema_with.is_none().then(|| {
        let (len, fields) = declarations(model, object);
        quote!(static __DECLARED: [__Field; #len] = #fields;)
    })
}

/// The number of declarations in the table of an object, and an expression for them. Those of a root start with the
/// fields of any resource.
fn declarations(model: &Model, object: &Object) -> (Literal, TokenStream) {
    let is_root = model.is_root();
    let table = table_of(model, object);
    let declared = if is_root { quote!(declared_in_root) } else { quote!(declared) };
    let len = object.fields.len() + usize::from(object.tag.is_some()) + usize::from(is_root);
    let len = Literal::usize_unsuffixed(len);
    (len.clone(), quote!(#table.#declared::<#len>()))
}

impl<'a> Emitter<'a> {
    /// Writes declarations for inside the impl.
    pub(super) fn inside(model: &'a Model) -> Self {
        Self { model, concrete: false, by_table: false, only: None, own: None }
    }

    /// Writes declarations for outside the impl.
    pub(super) fn outside(model: &'a Model) -> Self {
        Self { concrete: true, ..Self::inside(model) }
    }
}

impl Emitter<'_> {
    pub(super) fn whole(&self) -> TokenStream {
        if self.model.constraints.schema_with.is_some() {
            return quote!(__Declared::Unknown);
        }
        let body = self.body(&self.model.body);
        changed(body, &self.model.constraints)
    }

    fn body(&self, body: &Body) -> TokenStream {
        match body {
            Body::Object(object) => self.object(object),
            Body::Transparent(field) => self.field(field),
            Body::Tuple(fields) => {
                let first = fields.first().map(|first| self.field(first));
                first.map_or_else(
                    || quote!(__Declared::Hidden),
                    |first| quote!(__Declared::List(&const { #first })),
                )
            }
            Body::Unit => quote!(__Declared::OPEN_OBJECT),
            Body::Delegate(ty) => self.of_type(ty),
            Body::Enum(data) => self.union(data),
        }
    }

    fn object(&self, object: &Object) -> TokenStream {
        if !self.by_table {
            return self.object_of([self.fields(object)]);
        }
        let name = self.model.ident.to_string();
        let fields = if has_statics(self.model) && self.model.body.object().is_some() {
            quote!(__DECLARED)
        } else {
            let (_, declarations) = declarations(self.model, object);
            quote!(const { #declarations })
        };
        quote!(__Declared::Object(&__Object { name: #name, fields: &#fields }))
    }

    fn fields(&self, object: &Object) -> TokenStream {
        let mut fields = TokenStream::new();
        if self.model.is_root() {
            fields.extend(quote!(__Field { name: "", of: &__Declared::RESOURCE },));
        }
        if let Some((tag, name)) = &object.tag {
            fields.extend(property(tag, &quote!(__Declared::Enum(&[#name]))));
        }
        for field in &object.fields {
            let of = self.field(field);
            let of = if field.flatten && !field.is_recognized() {
                quote!(*__s::as_part(&const { #of }))
            } else if field.constraints.change_declaration() {
                quote!(const { #of })
            } else {
                of
            };
            let name = if field.flatten { Some("") } else { field.cel_name.as_deref() };
            fields.extend(name.map(|name| quote!(__Field { name: #name, of: &#of },)));
        }
        fields
    }

    /// The declaration of an object with these fields.
    fn object_of(&self, fields: impl IntoIterator<Item = TokenStream>) -> TokenStream {
        let object = self.object_with(fields);
        quote!(__Declared::Object(&#object))
    }

    fn object_with(&self, fields: impl IntoIterator<Item = TokenStream>) -> TokenStream {
        let name = self.model.ident.to_string();
        let fields = fields.into_iter();
        quote!(__Object { name: #name, fields: &[#(#fields)*] })
    }

    pub(super) fn field(&self, field: &Field) -> TokenStream {
        let (open, hidden) = (quote!(__Declared::OPEN_OBJECT), quote!(__Declared::Hidden));
        let base = match &field.source {
            Source::Cut(Cut::List | Cut::Any) => hidden,
            Source::Cut(Cut::Object) => open,
            Source::Cut(Cut::Either(ty)) => {
                quote!(if __Of::<#ty>::OBJECT { #open } else { #hidden })
            }
            Source::Function(_) | Source::With(_) => quote!(__Declared::Unknown),
            Source::Type => self.of_type(&field.ty),
        };
        changed(base, &field.constraints)
    }

    /// A reference to the declaration of a field, if it is that of the field's type.
    pub(super) fn reference(&self, field: &Field) -> Option<TokenStream> {
        let is_of_type = matches!(field.source, Source::Type)
            && !field.constraints.change_declaration()
            && !has_parameters(self.model);
        is_of_type.then(|| {
            let of = of(self.model, &field.ty);
            without_lifetimes(quote!(&#of::AS_FIELD.cel), self.model)
        })
    }

    pub(super) fn of_type(&self, ty: &syn::Type) -> TokenStream {
        if self.concrete && self.mentions_a_parameter(quote!(#ty)) {
            return quote!(__Declared::Unknown);
        }
        let of = of(self.model, ty);
        let of = quote!(#of::AS_FIELD.cel);
        if self.concrete { without_lifetimes(of, self.model) } else { of }
    }

    fn mentions_a_parameter(&self, tokens: TokenStream) -> bool {
        let params = self.model.generics.params.iter();
        let names = params.filter_map(|param| match param {
            syn::GenericParam::Type(param) => Some(param.ident.to_string()),
            syn::GenericParam::Const(param) => Some(param.ident.to_string()),
            syn::GenericParam::Lifetime(_) => None,
        });
        mentions(tokens, &names.chain(["Self".to_owned()]).collect::<Vec<_>>())
    }
}

/// A `Field` and a comma, or nothing if rules cannot write the name.
fn property(name: &str, of: &TokenStream) -> TokenStream {
    match crd_cel::escape::escape(name) {
        Some(name) => quote!(__Field { name: #name, of: &const { #of } },),
        None => TokenStream::new(),
    }
}

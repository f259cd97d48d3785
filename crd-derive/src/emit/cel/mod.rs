//! The declaration of a type for rules: `CrdSchema::CEL`.

mod attributes;
mod enums;

pub(super) use enums::tags;

use std::collections::BTreeSet;

use proc_macro2::{Literal, Span, TokenStream};
use quote::quote;

use super::generics::{mentions, without_lifetimes};
use super::tables::table_of;
use super::{has_statics, of};
use crate::model::{Body, Cut, Field, Model, Object, Source};

/// An expression of type `Declared` for `CrdSchema::CEL`.
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

/// `static __DECLARED`, with the declarations of the fields of a struct.
pub(crate) fn declared_fields(model: &Model) -> Option<TokenStream> {
    let object = model.body.object().filter(|_| has_statics(model))?;
    model.constraints.schema_with.is_none().then(|| {
        let (len, fields) = declarations(model, object);
        quote!(static __DECLARED: [__p::cel::Field; #len] = #fields;)
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
    #[expect(clippy::unused_self, reason = "called as the others are")]
    fn cel(&self) -> TokenStream {
        quote!(__p::cel)
    }

    /// The path of an item of `Declared`: a variant, or a constant such as `OPEN_OBJECT`.
    pub(super) fn declared_item(&self, name: &str) -> TokenStream {
        let cel = self.cel();
        let name = proc_macro2::Ident::new(name, Span::call_site());
        quote!(#cel::Declared::#name)
    }

    pub(super) fn whole(&self) -> TokenStream {
        if self.model.constraints.schema_with.is_some() {
            return self.declared_item("Unknown");
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
                    let (list, first) = (self.declared_item("List"), self.field(first));
                    quote!(#list(&const { #first }))
                }
                None => self.declared_item("Hidden"),
            },
            Body::Unit => self.declared_item("OPEN_OBJECT"),
            Body::Delegate(ty) => self.of_type(ty),
            Body::Enum(data) => self.union(data),
        }
    }

    fn object(&self, object: &Object) -> TokenStream {
        let variant = self.declared_item("Object");
        if !self.by_table {
            let object = self.object_of([self.fields(object)]);
            return quote!(#variant(&#object));
        }
        let (name, fields) = (self.model.ident.to_string(), self.fields_of_table(object));
        let cel = self.cel();
        quote!(#variant(&#cel::Object { name: #name, fields: &#fields }))
    }

    fn fields_of_table(&self, object: &Object) -> TokenStream {
        if has_statics(self.model) && self.model.body.object().is_some() {
            return quote!(__DECLARED);
        }
        let (_, declarations) = declarations(self.model, object);
        quote!(const { #declarations })
    }

    fn fields(&self, object: &Object) -> TokenStream {
        let cel = self.cel();
        let mut fields = TokenStream::new();
        if self.model.is_root() {
            fields.extend(quote!(#cel::Field { name: "", of: &#cel::Declared::RESOURCE },));
        }
        if let Some((tag, name)) = &object.tag {
            let of = self.declared_item("Enum");
            fields.extend(self.property(tag, &quote!(#of(&[#name]))));
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
            fields.extend(match name {
                Some(name) => {
                    quote!(#cel::Field { name: #name, of: &#of },)
                }
                None => self.unnamed(),
            });
        }
        fields
    }

    /// A `Field` and a comma.
    fn property(&self, name: &str, of: &TokenStream) -> TokenStream {
        let cel = self.cel();
        match crd_cel::escape::escape(name) {
            Some(name) => quote!(#cel::Field { name: #name, of: &const { #of } },),
            None => self.unnamed(),
        }
    }

    /// A field that rules cannot name.
    fn unnamed(&self) -> TokenStream {
        let (cel, hidden) = (self.cel(), self.declared_item("Hidden"));
        quote!(#cel::Field { name: "", of: &#hidden },)
    }

    fn object_of(&self, fields: impl IntoIterator<Item = TokenStream>) -> TokenStream {
        let cel = self.cel();
        let name = self.model.ident.to_string();
        let fields = fields.into_iter();
        quote!(#cel::Object { name: #name, fields: &[#(#fields)*] })
    }

    pub(super) fn field(&self, field: &Field) -> TokenStream {
        let (open, hidden) = (self.declared_item("OPEN_OBJECT"), self.declared_item("Hidden"));
        let base = match &field.source {
            Source::Cut(Cut::List | Cut::Any) => hidden,
            Source::Cut(Cut::Object) => open,
            Source::Cut(Cut::Either(ty)) => {
                quote!(if __p::Of::<#ty>::OBJECT { #open } else { #hidden })
            }
            Source::Function(_) | Source::With(_) => self.declared_item("Unknown"),
            Source::Type => self.of_type(&field.ty),
        };
        self.changed(base, &field.constraints)
    }

    pub(super) fn of_type(&self, ty: &syn::Type) -> TokenStream {
        if self.concrete && self.mentions_a_parameter(quote!(#ty)) {
            return self.declared_item("Unknown");
        }
        let of = of(self.model, ty);
        let of = quote!(#of::CEL);
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

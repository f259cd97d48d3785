//! `CrdSchema::SHAPE`: the facts about a type that the checks of other types use.
//!
//! Fields and variants are emitted in literals of `Shape` instead of being passed to functions, because a value
//! borrowed in a constant's literal is `'static`.

mod changes;
mod digest;
mod enums;
mod fields;

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use super::of;
use crate::model::{Body, Constraints, Model};

pub(super) use changes::bounds;
use changes::{rule_members, whole_object_key, with_rules};

/// A constant of type `Shape`.
pub(crate) fn emit(model: &Model, krate: &TokenStream) -> TokenStream {
    let shape = of_type(&Shapes { krate, model });
    let allows = allows(&model.allows);
    if allows.is_none() {
        return shape;
    }
    quote!(#krate::crd_schema::Shape { #allows ..#shape })
}

/// A member, with its comma, for the lints that do not report an item; none if all do.
pub(super) fn allows(lints: &[String]) -> Option<TokenStream> {
    (!lints.is_empty()).then(|| quote!(allows: &[#(#lints),*],))
}

/// The shape of the type without its lints.
fn of_type(shapes: &Shapes<'_>) -> TokenStream {
    let Shapes { krate, model } = shapes;
    let constraints = &model.constraints;
    if constraints.schema_with.is_some() {
        return shapes.kind("Opaque");
    }
    if constraints.int_or_string.is_some() {
        return with_rules(&shapes.kind("IntOrString"), constraints, krate);
    }
    shapes.body(&model.body, &model.ident.to_string(), constraints, true)
}

struct Shapes<'a> {
    krate: &'a TokenStream,
    model: &'a Model,
}

impl Shapes<'_> {
    fn kind(&self, kind: &str) -> TokenStream {
        let krate = self.krate;
        let kind = quote::format_ident!("{kind}");
        quote!(#krate::crd_schema::Shape::of(#krate::crd_schema::ShapeKind::#kind))
    }

    /// An opaque shape with the default and the rules of the constraints.
    fn opaque(&self, constraints: &Constraints) -> TokenStream {
        with_rules(&self.kind("Opaque"), constraints, self.krate)
    }

    /// A `Shape` literal with the given members, those of the constraints, and defaults for the rest. `rules` are
    /// the rules of parts of the type that become its own rules, as expressions of type `RuleDigest`.
    fn literal(
        &self,
        kind: &str,
        members: &TokenStream,
        constraints: &Constraints,
        rules: &[TokenStream],
    ) -> TokenStream {
        let krate = self.krate;
        let open = constraints.keeps_unknown_fields().then(|| quote!(open: true,));
        let atomic = constraints.is_atomic_map().then(|| quote!(atomic: true,));
        let whole = whole_object_key(constraints)
            .map(|key| quote!(whole: ::core::option::Option::Some(#key),));
        let rules = rule_members(constraints, rules, krate);
        let of = self.kind(kind);
        quote!(#krate::crd_schema::Shape { #members #open #atomic #whole #rules ..#of })
    }

    /// The shape of a type's or variant's body. Columns of a variant's fields are left out, because `collect` does not
    /// visit variants.
    fn body(
        &self,
        body: &Body,
        name: &str,
        constraints: &Constraints,
        with_paths: bool,
    ) -> TokenStream {
        let krate = self.krate;
        match body {
            Body::Object(object) => {
                let fields = self.fields(object, with_paths);
                let path = format!("::{name}");
                // `line!` returns the line of its span, which is that of the type.
                let line = quote_spanned!(self.model.ident.span()=> line!());
                let source = quote! {
                    #krate::crd_schema::Source {
                        type_: ::core::concat!(::core::module_path!(), #path),
                        file: ::core::file!(),
                        line: #line,
                    }
                };
                let needs_path = with_paths.then(|| self.needs_path(object));
                let denies = object.deny_unknown_fields.then(|| quote!(denies_unknown: true,));
                let leaves =
                    object.leaves_fields_unread().then(|| quote!(leaves_fields_unread: true,));
                let members = quote! {
                    fields: &[#fields], source: ::core::option::Option::Some(&#source), #needs_path #denies #leaves
                };
                self.literal("Object", &members, constraints, &self.rules_of_parts(object))
            }
            Body::Transparent(field) if field.has_replaced_schema() => {
                let inner = self.opaque(&field.constraints);
                with_rules(&inner, constraints, krate)
            }
            Body::Transparent(field) => {
                let ty = &field.ty;
                let of = of(self.model, ty);
                let inner = quote_spanned!(ty.span()=> #of::SHAPE);
                let inner = self.changed(&inner, &field.constraints);
                let whole =
                    whole_object_key(&field.constraints).or_else(|| whole_object_key(constraints));
                let whole = whole.map(|key| quote!(.whole(#key)));
                let inner = quote!(#inner #whole);
                self.changed(&inner, constraints)
            }
            Body::Tuple(fields) => with_rules(&self.tuple(fields), constraints, krate),
            Body::Unit => with_rules(&self.kind("Null"), constraints, krate),
            Body::Delegate(ty) => {
                let of = of(self.model, ty);
                let inner = quote_spanned!(ty.span()=> #of::SHAPE);
                let whole = whole_object_key(constraints).map(|key| quote!(.whole(#key)));
                self.changed(&quote!(#inner #whole), constraints)
            }
            Body::Enum(data) => self.union(data, constraints),
        }
    }
}

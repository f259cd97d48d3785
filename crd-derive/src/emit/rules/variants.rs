//! The rules of an enum's variants.

use syn::spanned::Spanned as _;

use super::{Part, RuleTarget, Writer, name_of, optional};
use crate::emit::generics::has_parameters;
use crate::model::{Body, Enum, Field, Variant};
use crate::serde_view::Tagging;
use quote::quote;

impl Writer<'_> {
    /// The rules of a variant. Their `self` is the property of the variant, which other variants may widen, or the enum
    /// itself. They do not count for the cost of a kind, because the schema of an enum of several variants has them
    /// with other texts, such as `!has(self.a) || ..`.
    pub(super) fn variant(&mut self, data: &Enum, variant: &Variant) {
        let path = match &data.tagging {
            _ if variant.untagged => Some(Vec::new()),
            Tagging::External => {
                crd_cel::escape::escape(&variant.wire).map(|name| vec![name.into_owned()])
            }
            Tagging::Adjacent(_, content) => {
                crd_cel::escape::escape(content).map(|name| vec![name.into_owned()])
            }
            Tagging::Internal(_) | Tagging::Untagged => Some(Vec::new()),
        };
        let unknown = self.types.variant("Unknown");
        let unknown = || RuleTarget::all(quote!(&#unknown));
        let of = match path {
            Some(path) => {
                let narrow = (!has_parameters(self.types.model)).then(|| variant.ident.clone());
                RuleTarget { path, narrow, ..self.target_itself() }
            }
            None => unknown(),
        };
        let before = self.count;
        let mut parts = Vec::new();
        let place = of.path.join(".");
        self.constraints(&variant.constraints, &of, None);
        match &variant.body {
            Body::Object(object) => {
                let rules = &variant.constraints.rules;
                self.checks.extend(optional::of_object(rules, object, self.types.model));
                for field in &object.fields {
                    let dot = if place.is_empty() { "" } else { "." };
                    let name = format!("{place}{dot}{}", field.wire);
                    parts.extend(self.part_of_variant(field, &name));
                    let of = match crd_cel::escape::escape(&field.wire) {
                        Some(name) if !field.flatten => of.below(&name),
                        _ => unknown(),
                    };
                    self.constraints(&field.constraints, &of, None);
                }
            }
            Body::Transparent(field) => {
                parts.extend(self.part_of_variant(field, &place));
                self.constraints(&field.constraints, &of, None);
            }
            body => {
                parts.extend(self.body(body));
            }
        }
        let own: Vec<_> = (before..self.count).map(name_of).collect();
        if !own.is_empty() || !parts.is_empty() {
            let rules = self.node(&own, &parts);
            self.variants.push(rules);
        }
    }

    /// The rules of the type of a variant's field. `name` is the field's path, for errors.
    fn part_of_variant(&mut self, field: &Field, name: &str) -> Option<Part> {
        if field.is_foreign() || !field.holds_types_of_users() {
            return None;
        }
        let (rules, span) = (self.of_type(&field.ty), field.ty.span());
        let name = if field.flatten { "" } else { name };
        self.part_available(&rules, name, span);
        let name = name.to_owned();
        Some(Part { name, rules, counts: false, span })
    }
}

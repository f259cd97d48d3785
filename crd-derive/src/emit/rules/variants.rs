//! The rules of an enum's variants.

use quote::quote;

use super::{RuleTarget, Writer, optional};
use crate::emit::generics::has_parameters;
use crate::model::{Body, Enum, Field, Variant};
use crate::serde_view::Tagging;

impl Writer<'_> {
    /// The rules of a variant. Their `self` is the property that holds the variant's content, whose schema may also
    /// admit the content of other variants; or, if there is no such property, the enum itself.
    pub(super) fn variant(&mut self, data: &Enum, variant: &Variant) {
        let (path, target) = self.path_of_variant(data, variant);
        self.constraints(&variant.constraints, &target);
        match &variant.body {
            _ if variant.has_own_schema() => {}
            Body::Object(object) => {
                let rules = &variant.constraints.rules;
                self.checks.extend(optional::of_object(rules, object, self.types.model));
                for field in &object.fields {
                    let of_field = match &field.cel_name {
                        Some(name) if !field.flatten => target.below(name),
                        _ => unknown(),
                    };
                    let dot = if path.is_empty() || field.flatten { "" } else { "." };
                    let name = if field.flatten { "" } else { &field.wire };
                    self.field_of_variant(field, &format!("{path}{dot}{name}"), &of_field);
                }
            }
            Body::Transparent(field) => self.field_of_variant(field, &path, &target),
            body => self.body(body),
        }
    }

    fn field_of_variant(&mut self, field: &Field, path: &str, target: &RuleTarget) {
        self.type_of_field(field, path);
        self.constraints(&field.constraints, target);
    }

    /// The path from the enum to the content of a variant, and the content as the value of rules.
    fn path_of_variant(&mut self, data: &Enum, variant: &Variant) -> (String, RuleTarget) {
        let name = match &data.tagging {
            _ if variant.untagged => "",
            Tagging::External => &variant.wire,
            Tagging::Adjacent(_, content) => content,
            Tagging::Internal(_) | Tagging::Untagged => "",
        };
        let path = if name.is_empty() {
            Vec::new()
        } else {
            match crd_cel::escape::escape(name) {
                Some(name) => vec![name.into_owned()],
                None => return (name.to_owned(), unknown()),
            }
        };
        let narrow = (!has_parameters(self.types.model)).then(|| variant.ident.clone());
        (name.to_owned(), RuleTarget { path, narrow, known: None, ..self.target_itself() })
    }
}

/// A value of unknown type, because rules cannot write its name.
fn unknown() -> RuleTarget {
    RuleTarget::all(quote!(&__Declared::Unknown))
}

//! The rules of an enum's variants.

use proc_macro2::{Ident, Span, TokenStream};
use syn::spanned::Spanned as _;

use super::{Part, RuleTarget, Writer, optional};
use crate::emit::cel::Emitter;
use crate::emit::generics::has_parameters;
use crate::model::{Body, Enum, Field, Variant};
use crate::serde_view::Tagging;
use quote::quote;

impl Writer<'_> {
    /// The rules of a variant. Their `self` is the property that holds the variant's content, whose schema may also
    /// admit the content of other variants; or, if there is no such property, the enum itself. The schema of an enum
    /// of several variants may have these rules with a test before them, such as `!has(self.a) || ..`, with which they
    /// cost at least as much.
    pub(super) fn variant(&mut self, data: &Enum, variant: &Variant) {
        let (path, of) = self.path_of_variant(data, variant);
        let mut found = VariantRules { path, own: Vec::new(), parts: Vec::new() };
        let (own, below) = self.constraints(&variant.constraints, &of, None);
        self.add(&mut found, "", (own, below), &of, |types| types.content(variant));
        match &variant.body {
            Body::Object(object) => {
                let rules = &variant.constraints.rules;
                self.checks.extend(optional::of_object(rules, object, self.types.model));
                for field in &object.fields {
                    let of_type = self.part_of_variant(field, &found.below(&field.wire));
                    let name = field.cel_name.as_ref().filter(|_| !field.flatten);
                    let of = name.map_or_else(|| self.unknown(), |name| of.below(name));
                    let (own, mut below) = self.constraints(&field.constraints, &of, None);
                    below.extend(of_type);
                    if field.flatten {
                        self.add(&mut found, "", (own, below), &of, |types| types.content(variant));
                    } else {
                        let declare = |types: &Emitter<'_>| types.field(field);
                        self.add(&mut found, &field.wire, (own, below), &of, declare);
                    }
                }
            }
            Body::Transparent(field) => {
                let of_type = self.part_of_variant(field, &found.path);
                let (own, mut below) = self.constraints(&field.constraints, &of, None);
                below.extend(of_type);
                self.add(&mut found, "", (own, below), &of, |types| types.content(variant));
            }
            body => {
                let below = self.body(body);
                self.add(&mut found, "", (Vec::new(), below), &of, |types| types.content(variant));
            }
        }
        let VariantRules { own, parts, path } = found;
        // If the content is not a property of the enum's object, its rules are also rules of the enum.
        let has_rules_outside_tree = if path.is_empty() {
            self.has_rules_outside_tree(&variant.constraints, variant.body.fields())
        } else {
            None
        };
        if !own.is_empty() || !parts.is_empty() || has_rules_outside_tree.is_some() {
            let others = has_rules_outside_tree.map(|has| quote!(others: #has,));
            let rules = self.node_with(&own, &parts, &quote!(#others));
            self.variants.push(rules);
        }
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
                None => return (name.to_owned(), self.unknown()),
            }
        };
        let narrow = (!has_parameters(self.types.model)).then(|| variant.ident.clone());
        (name.to_owned(), RuleTarget { path, narrow, ..self.target_itself() })
    }

    /// A value of unknown type, because rules cannot write its name.
    fn unknown(&self) -> RuleTarget {
        let unknown = self.types.declared_item("Unknown");
        RuleTarget { is_known: false, ..RuleTarget::all(quote!(&#unknown)) }
    }

    /// Adds the rules of a variant's content or of one of its fields, with the rules inside it. `name` is the field's name,
    /// or empty for the content; `declare` writes the declaration.
    fn add(
        &self,
        found: &mut VariantRules,
        name: &str,
        (own, mut below): (Vec<Ident>, Vec<Part>),
        of: &RuleTarget,
        declare: impl Fn(&Emitter<'_>) -> TokenStream,
    ) {
        if of.is_known {
            found.own.extend(own);
        } else if !own.is_empty() {
            let (rules, span) = (self.node(&own, &[]), Span::call_site());
            below.push(Part { name: String::new(), rules, kind_checks_cost: true, span });
        }
        let Some(span) = below.first().map(|part| part.span) else { return };
        let Emitter { krate, model, .. } = self.types;
        let at = declare(&Emitter { krate, model, concrete: false, only: None, own: None });
        let name = found.below(name);
        found.parts.push(Part {
            name,
            rules: self.node_at(&at, &below),
            kind_checks_cost: true,
            span,
        });
    }

    /// The rules of the type of a variant's field. `name` is the field's path, for errors.
    fn part_of_variant(&mut self, field: &Field, name: &str) -> Option<Part> {
        if field.has_replaced_schema() || !field.holds_types_of_users() {
            return None;
        }
        let (rules, span) = (self.of_type(&field.ty), field.ty.span());
        self.part_available(&rules, if field.flatten { "" } else { name }, span);
        Some(Part { name: String::new(), rules, kind_checks_cost: true, span })
    }
}

/// The rules of a variant.
struct VariantRules {
    /// The path from the enum to the content.
    path: String,
    /// The statics of the rules of the content and of its fields, except for rules on values of unknown type.
    own: Vec<Ident>,
    /// The fields of the content, and the content itself. Their names are paths from the enum.
    parts: Vec<Part>,
}

impl VariantRules {
    /// The path of a field of the content, or of the content itself.
    fn below(&self, name: &str) -> String {
        let dot = if self.path.is_empty() || name.is_empty() { "" } else { "." };
        format!("{}{dot}{name}", self.path)
    }
}

//! The declaration of an enum for rules: the list of its alternatives, with objects merged into one.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::quote;

use super::attributes::changed;
use super::{Emitter, property};
use crate::model::{Body, Enum, Model, Object, Variant};
use crate::serde_view::Tagging;
use crate::types::JsonType;

/// The declaration of a variant for rules.
enum Alternative {
    /// An object of named fields.
    Object(Vec<Named>),
    /// An expression of type `Declared`.
    Other(TokenStream),
}

/// The tag of an internally tagged enum.
struct Tag<'a> {
    name: &'a str,
    /// The names of all variants, as an expression of type `Declared`.
    of: TokenStream,
    /// See [`Emitter::tag`].
    field: Vec<Named>,
}

/// A field of an alternative.
#[derive(Clone)]
struct Named {
    /// The name as rules write it, escaped.
    name: String,
    /// An expression of type `Declared`.
    of: TokenStream,
    /// Whether it is the tag, of the same type in all alternatives.
    is_tag: bool,
}

/// A field that several alternatives may have.
struct Merged {
    name: String,
    /// The distinct declarations of the field. Tokens are converted to text only when two are compared, because the
    /// conversion takes longer than creating them.
    of: Vec<(TokenStream, Option<String>)>,
}

impl Merged {
    fn add(&mut self, of: TokenStream) {
        if self.of.is_empty() {
            self.of.push((of, None));
            return;
        }
        let text = of.to_string();
        let mut known = self.of.iter_mut();
        let is_known =
            known.any(|(of, known_text)| *known_text.get_or_insert_with(|| of.to_string()) == text);
        if !is_known {
            self.of.push((of, Some(text)));
        }
    }
}

/// The largest number of newtype variants against which the rule of a variant is checked: rustc evaluates each of them
/// for each rule.
const MAX_NEWTYPES: usize = 16;

impl Emitter<'_> {
    /// The declaration of an enum, whose schema `__private::Union` builds at run time.
    pub(super) fn union(&self, data: &Enum) -> TokenStream {
        if data.is_units() {
            return names_of(&data.variants.iter().collect::<Vec<_>>());
        }
        if mixes_free_keys(data) {
            return quote!(__Declared::Unknown);
        }
        let alone = self.checked_alone(data);
        let is_checked = |variant: &&Variant| {
            alone.is_none_or(|own| variant.ident == *own || !has_other_type(variant))
        };
        let (untagged, tagged): (Vec<_>, Vec<_>) =
            data.variants.iter().filter(is_checked).partition(|variant| data.is_untagged(variant));
        let mut parts = match &data.tagging {
            Tagging::External => {
                self.external(&tagged).into_iter().map(Alternative::Other).collect()
            }
            Tagging::Internal(tag) => {
                let of = self.tag_of(tag, || {
                    if repeats_tag(data) {
                        quote!(__Declared::Enum(__TAGS))
                    } else {
                        names_of(&tagged)
                    }
                });
                let field = self.tag(tag, &of);
                let tag = Tag { name: tag, of, field };
                tagged.into_iter().map(|variant| self.internal(&tag, variant)).collect()
            }
            Tagging::Adjacent(tag, content) => self.adjacent(tag, content, &tagged),
            Tagging::Untagged => Vec::new(),
        };
        parts.extend(untagged.into_iter().map(|variant| self.alternative(variant)));
        self.one_of(parts)
    }

    /// The variant whose rule is checked without the variants of other types; `None` if the rule is checked against all
    /// variants. If more than [`MAX_NEWTYPES`] variants have another type as content, only `definition::validate` finds
    /// how they change a field that the rule's own variant has too.
    fn checked_alone(&self, data: &Enum) -> Option<&proc_macro2::Ident> {
        let own = self.own.filter(|_| !matches!(data.tagging, Tagging::External))?;
        let newtypes = data.variants.iter().filter(|variant| has_other_type(variant));
        (newtypes.count() > MAX_NEWTYPES).then_some(own)
    }

    /// Joins alternatives. Objects are merged into one, so that the time to check a rule does not grow with the number
    /// of variants.
    fn one_of(&self, alternatives: Vec<Alternative>) -> TokenStream {
        let mut fields = Vec::<Merged>::new();
        let mut index = BTreeMap::<String, usize>::new();
        let (mut has_object, mut parts) = (false, Vec::new());
        for alternative in alternatives {
            match alternative {
                Alternative::Other(tokens) => parts.push(tokens),
                Alternative::Object(named) => {
                    has_object = true;
                    for Named { name, of, is_tag } in named {
                        let at = *index.entry(name.clone()).or_insert_with(|| {
                            fields.push(Merged { name, of: Vec::new() });
                            fields.len() - 1
                        });
                        match fields[at].of.as_slice() {
                            // All alternatives have the same tag.
                            [_] if is_tag => {}
                            _ => fields[at].add(of),
                        }
                    }
                }
            }
        }
        if has_object {
            let fields = fields.iter().map(merged);
            parts.insert(0, self.object_of(fields));
        }
        match parts.as_slice() {
            [] => quote!(__Declared::OPEN_OBJECT),
            [part] => part.clone(),
            parts => {
                quote!(__Declared::OneOf(&const { [#(#parts),*] }))
            }
        }
    }

    /// The content of a variant, as an alternative.
    fn alternative(&self, variant: &Variant) -> Alternative {
        match &variant.body {
            Body::Object(object) if variant.is_declared_by_fields() => {
                self.named(object, Vec::new())
            }
            _ => None,
        }
        .unwrap_or_else(|| Alternative::Other(self.content(variant)))
    }

    /// The fields of an object that rules can name, after `named`; `None` if a field is flattened.
    fn named(&self, object: &Object, mut named: Vec<Named>) -> Option<Alternative> {
        for field in &object.fields {
            if field.flatten {
                return None;
            }
            let name = field.cel_name.as_ref().filter(|name| self.is_mentioned(name));
            named.extend(name.map(|name| Named {
                name: name.clone(),
                of: self.field(field),
                is_tag: false,
            }));
        }
        Some(Alternative::Object(named))
    }

    fn is_mentioned(&self, name: &str) -> bool {
        self.only.is_none_or(|only| only.contains(name))
    }

    /// A string for the variants without content, and an object with a property for each of the others.
    fn external(&self, variants: &[&Variant]) -> Vec<TokenStream> {
        let (units, data): (Vec<&Variant>, Vec<&Variant>) =
            variants.iter().partition(|variant| variant.is_unit());
        let mut parts = Vec::new();
        if !units.is_empty() {
            parts.push(quote!(__Declared::String));
        }
        if !data.is_empty() {
            let mentioned = data.iter().filter(|variant| {
                let mut names = variant.names();
                names.any(|name| {
                    crd_cel::escape::escape(name).is_none_or(|name| self.is_mentioned(&name))
                })
            });
            let fields = mentioned.flat_map(|variant| {
                let content = self.content(variant);
                let names = variant.names();
                names.map(move |name| property(name, &content))
            });
            parts.push(self.object_of(fields));
        }
        parts
    }

    /// The type of the tag: `names`, or any string if the rule does not mention the tag.
    fn tag_of(&self, tag: &str, names: impl FnOnce() -> TokenStream) -> TokenStream {
        match crd_cel::escape::escape(tag) {
            Some(name) if self.is_mentioned(&name) => names(),
            _ => quote!(__Declared::String),
        }
    }

    /// The tag as a field, unless the rule does not mention it or rules cannot write its name.
    fn tag(&self, tag: &str, names: &TokenStream) -> Vec<Named> {
        let name = crd_cel::escape::escape(tag).filter(|name| self.is_mentioned(name));
        let field = |name| Named { name, of: names.clone(), is_tag: true };
        name.map(|name| field(name.into_owned())).into_iter().collect()
    }

    /// An internally tagged variant.
    fn internal(&self, tag: &Tag<'_>, variant: &Variant) -> Alternative {
        let field = tag.field.clone();
        let named = match &variant.body {
            Body::Unit if variant.is_unit() => return Alternative::Object(field),
            Body::Object(object) if variant.is_declared_by_fields() => self.named(object, field),
            _ => None,
        };
        if let Some(named) = named {
            return named;
        }
        let tag = property(tag.name, &tag.of);
        if let Body::Object(object) = &variant.body
            && variant.is_declared_by_fields()
        {
            return Alternative::Other(self.object_of([tag, self.fields(object)]));
        }
        let content = self.content(variant);
        let flattened = quote!(__Field { name: "", of: &const { #content } },);
        let with_tag = self.object_with([tag, flattened]);
        Alternative::Other(quote!(#content.tagged(&const { #with_tag })))
    }

    fn adjacent(&self, tag: &str, content: &str, variants: &[&Variant]) -> Vec<Alternative> {
        let data: Vec<&Variant> =
            variants.iter().copied().filter(|variant| !variant.is_unit()).collect();
        if variants.is_empty() {
            return Vec::new();
        }
        let of_tag = self.tag_of(tag, || names_of(variants));
        let mut named = self.tag(tag, &of_tag);
        if let Some(name) = crd_cel::escape::escape(content).filter(|_| !data.is_empty()) {
            let of = self.one_of(data.iter().map(|variant| self.alternative(variant)).collect());
            named.push(Named { name: name.into_owned(), of, is_tag: false });
        }
        vec![Alternative::Object(named)]
    }

    /// The content of a variant.
    pub(in super::super) fn content(&self, variant: &Variant) -> TokenStream {
        let body = match (&variant.body, variant.has_own_schema()) {
            (_, true) => quote!(__Declared::Unknown),
            (body, false) => self.body(body),
        };
        changed(body, &variant.constraints)
    }
}

/// A `Field` and a comma.
fn merged(Merged { name, of }: &Merged) -> TokenStream {
    let of = match of.as_slice() {
        [(of, _)] => of.clone(),
        several => {
            let several = several.iter().map(|(of, _)| of);
            quote!(__Declared::OneOf(&const { [#(#several),*] }))
        }
    };
    quote!(__Field { name: #name, of: &const { #of } },)
}

/// A string that is the name of one of these variants.
fn names_of(variants: &[&Variant]) -> TokenStream {
    // `#[serde(other)]` reads any string.
    if variants.iter().any(|variant| variant.other) {
        return quote!(__Declared::String);
    }
    let names = variants.iter().flat_map(|v| v.names());
    quote!(__Declared::Enum(&[#(#names),*]))
}

/// A constant with the values of the tag, for the enums of which [`repeats_tag`] holds. Written out for each variant, the
/// values would take rustc time that grows with the square of the number of variants.
pub(in super::super) fn tags(model: &Model) -> Option<TokenStream> {
    let Body::Enum(data) = &model.body else { return None };
    let names = repeats_tag(data).then(|| tagged(data).flat_map(Variant::names))?;
    Some(quote!(const __TAGS: &[&str] = &[#(#names),*];))
}

/// Whether the declaration of an internally tagged enum repeats the values of the tag for each variant: the content of
/// one is a value of another type, and the tag cannot have other values.
fn repeats_tag(data: &Enum) -> bool {
    matches!(data.tagging, Tagging::Internal(_))
        && tagged(data).any(has_other_type)
        && !tagged(data).any(|variant| variant.other)
}

fn tagged(data: &Enum) -> impl Iterator<Item = &Variant> {
    data.variants.iter().filter(|variant| !data.is_untagged(variant))
}

/// Whether the content of a variant is a value of another type.
fn has_other_type(variant: &Variant) -> bool {
    !matches!(variant.body, Body::Object(_) | Body::Unit)
}

/// Whether one variant allows any key and another has named fields. The schema of a named field is then wider than the
/// field's type, and the macro cannot compute how wide.
fn mixes_free_keys(data: &Enum) -> bool {
    let is_free = |variant: &Variant| {
        variant.constraints.preserve_unknown_fields.is_some()
            || match &variant.body {
                Body::Object(object) => {
                    object.fields.iter().any(|field| field.flatten && field.json == JsonType::Map)
                }
                Body::Transparent(field) => field.json == JsonType::Map,
                _ => false,
            }
    };
    let names_some = |variant: &Variant| match &variant.body {
        Body::Object(object) => !object.fields.is_empty(),
        Body::Transparent(field) => !field.is_recognized(),
        _ => false,
    };
    let of_one_object = !matches!(data.tagging, Tagging::External | Tagging::Adjacent(..));
    let mut free = data.variants.iter().enumerate().filter(|(_, variant)| is_free(variant));
    of_one_object
        && free.any(|(free, _)| {
            let others = data.variants.iter().enumerate().filter(|(other, _)| *other != free);
            others.into_iter().any(|(_, other)| names_some(other))
        })
}

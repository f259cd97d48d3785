//! The derives of a type.

use std::ops::Range;

use syn::parse::Parser as _;
use syn::punctuated::Punctuated;
use syn::{Meta, Path, Token};

use super::edit::Edits;
use super::source::{Attr, Source, range};
use super::write;

/// The derives of schemas: schemars' own, and kube's with its earlier names.
pub(super) const SCHEMAS: &[&str] = &["JsonSchema", "KubeSchema", "CELSchema", "ValidateSchema"];

/// The derives of a type.
#[expect(clippy::struct_excessive_bools, reason = "each is a derive that may be there")]
#[derive(Debug, Default)]
pub(super) struct Derives {
    lists: Vec<(Attr, Vec<Derive>)>,
    /// Whether it derives `CustomResource`.
    pub has_kind: bool,
    /// Whether it derives a schema.
    pub has_schema: bool,
    /// Whether it derives one of ours.
    pub is_migrated: bool,
    /// The condition of the derive of the schema.
    pub condition: Option<String>,
    /// Whether another derive reads `#[validate(..)]`.
    pub reads_validate: bool,
}

#[derive(Debug)]
struct Derive {
    name: String,
    range: Range<usize>,
    /// Whether it is written with a path, such as `kube::CustomResource`.
    is_qualified: bool,
}

impl Derives {
    pub(super) fn of(attrs: &[Attr], source: &Source) -> Self {
        let mut derives = Self::default();
        for attr in attrs.iter().filter(|attr| attr.name == "derive") {
            let Meta::List(list) = &attr.meta else { continue };
            let parser = Punctuated::<Path, Token![,]>::parse_terminated;
            let Ok(paths) = parser.parse2(list.tokens.clone()) else { continue };
            let each = paths.iter().map(|path| {
                let name = path.segments.last().map(|it| it.ident.to_string());
                let is_qualified = path.segments.len() > 1;
                let is_ours = source.of(path).starts_with("crd_runtime");
                derives.is_migrated |= is_ours || path.is_ident("CrdSchema");
                Derive { name: name.unwrap_or_default(), range: range(path), is_qualified }
            });
            let each: Vec<_> = each.collect();
            for derive in &each {
                derives.has_kind |= derive.name == "CustomResource";
                derives.reads_validate |= derive.name == "Validate";
                if SCHEMAS.contains(&&*derive.name) {
                    derives.has_schema = true;
                    derives.condition = attr.condition.as_ref().map(|it| it.text.clone());
                }
            }
            derives.lists.push((attr.clone(), each));
        }
        derives
    }

    /// Replaces the derives. A kind derives its schema with `CustomResource`.
    pub(super) fn migrate(&self, is_kind: bool, source: &Source, edits: &mut Edits) {
        let mut has_schema = is_kind;
        for (attr, list) in &self.lists {
            let new: Vec<Option<String>> = list
                .iter()
                .map(|derive| {
                    let name = match &*derive.name {
                        "CustomResource" if is_kind => "CustomResource",
                        name if SCHEMAS.contains(&name) => {
                            if std::mem::replace(&mut has_schema, true) {
                                return None;
                            }
                            "CrdSchema"
                        }
                        _ => return Some(source.at(&derive.range).to_owned()),
                    };
                    let path = if derive.is_qualified { "crd_runtime::" } else { "" };
                    Some(format!("{path}{name}"))
                })
                .collect();
            if new.iter().all(Option::is_none) {
                write::remove(attr, source, edits);
                continue;
            }
            let (Some(first), Some(last)) = (list.first(), list.last()) else { continue };
            let mut text = String::new();
            let mut separator = "";
            for (index, (derive, new)) in list.iter().zip(&new).enumerate() {
                let Some(new) = new else { continue };
                text.push_str(separator);
                text.push_str(new);
                let next = list.get(index + 1).map_or(derive.range.end, |next| next.range.start);
                separator = source.at(&(derive.range.end..next));
            }
            let whole = first.range.start..last.range.end;
            if text != source.at(&whole) {
                edits.replace(whole, text);
            }
        }
    }
}

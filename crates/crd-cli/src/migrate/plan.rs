//! What becomes of the types of a file.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::{Fields, Meta, Path, Variant};

use super::derives::Derives;
use super::edit::Edits;
use super::keys::Key;
use super::kind::{self, Mode, Outcome};
use super::note::{Note, Severity};
use super::schemars::{Converted, Target};
use super::scope::{self, Names, Origin, Uses};
use super::serde::{self, Serde, SerdeDefault};
use super::source::{self, Attr, Body, Source, Type, name_of, range};
use super::write::{Item, Slot, whole};
use crate::location::line_of;

/// The attributes of kube's derives and of schemars.
const MIGRATED: &[&str] = &["kube", "schemars", "x_kube", "validate", "cel_validate"];

/// A use of a schema function by a field.
#[derive(Debug, Clone)]
pub(super) struct FunctionUse {
    pub file: usize,
    pub name: String,
    /// Whether the derive calls it, because keys cannot say what it does.
    pub is_bridged: bool,
}

/// What is known of the type around a field.
#[derive(Debug, Clone, Copy)]
pub(super) struct Container<'a> {
    /// `#[serde(default)]` on the struct.
    pub has_default: bool,
    /// Whether it is a variant whose fields are in one object with those of others.
    pub is_merged: bool,
    /// The condition of the derive.
    pub condition: Option<&'a str>,
    /// Whether the type derives another trait that reads `#[validate(..)]`.
    pub keeps_validate: bool,
}

/// The edits of a file, and what is reported of it.
pub(super) struct Plan<'a> {
    pub sources: &'a [Source],
    pub source: &'a Source,
    pub index: usize,
    pub names: &'a Names<'a>,
    pub uses: Uses,
    pub edits: Edits,
    pub notes: Vec<Note>,
    pub functions: Vec<FunctionUse>,
    /// The crates that types of fields come from.
    pub features: BTreeSet<String>,
    /// How many defaults of serde were taken over.
    pub defaults: usize,
    /// How many optional fields are no longer nullable.
    pub not_nullable: usize,
    /// How many kinds keep kube's derive.
    pub kept: usize,
    /// How many kinds do not.
    pub kinds: usize,
    /// Where the attributes are that were read.
    seen: BTreeSet<usize>,
}

impl<'a> Plan<'a> {
    pub(super) fn new(sources: &'a [Source], index: usize, names: &'a Names<'a>) -> Option<Self> {
        let source = sources.get(index)?;
        Some(Self {
            sources,
            source,
            index,
            names,
            uses: scope::uses(&source.file),
            edits: Edits::default(),
            notes: Vec::new(),
            functions: Vec::new(),
            features: BTreeSet::new(),
            defaults: 0,
            not_nullable: 0,
            kept: 0,
            kinds: 0,
            seen: BTreeSet::new(),
        })
    }

    /// Plans the edits of the file.
    pub(super) fn run(&mut self) {
        for ty in source::types(&self.source.file) {
            self.type_(&ty);
        }
        if let Ok(tokens) = self.source.text.parse() {
            self.report_unseen(tokens);
        }
        if self.not_nullable > 0 {
            let text = format!(
                "{} optional fields are not `nullable`: serde leaves out `None`, and the server drops a `null` of a \
                 user; for kube's schema add `#[crd(nullable)]`",
                self.not_nullable
            );
            self.note(0, Severity::Differs, &text);
        }
        self.notes.sort();
        self.notes.dedup();
    }

    pub(super) fn note(&mut self, at: usize, severity: Severity, text: &str) {
        let line = line_of(&self.source.text, at);
        self.notes.push(Note { line, severity, text: text.to_owned() });
    }

    /// Notes what the conversion of a key reports.
    pub(super) fn noted(&mut self, key: &Meta, (outcome, note): Converted) -> Outcome {
        if let Outcome::Unknown(text) = &outcome {
            self.note(range(key).start, Severity::ByHand, text);
        }
        if let Some(note) = note {
            self.note(range(key).start, Severity::Differs, &note);
        }
        outcome
    }

    /// Whether the attribute is one that `#[crd(..)]` replaces. Remembers that it was read.
    pub(super) fn is_migrated(&mut self, attr: &Attr) -> bool {
        self.seen.insert(whole(attr).start);
        MIGRATED.contains(&&*attr.name)
    }

    /// Returns the keys of an attribute; none if they cannot be read, which is reported.
    pub(super) fn keys(&mut self, attr: &Attr) -> Vec<Meta> {
        attr.keys().unwrap_or_else(|| {
            let text = format!(
                "`{}` is not understood; write `#[crd(..)]` in its place",
                self.source.at(&attr.range)
            );
            self.note(attr.range.start, Severity::ByHand, &text);
            Vec::new()
        })
    }

    fn type_(&mut self, ty: &Type<'_>) {
        let attrs = Attr::all(ty.attrs, self.source);
        let derives = Derives::of(&attrs, self.source);
        let kube: Vec<_> = attrs.iter().filter(|attr| attr.name == "kube").collect();
        let kube_keys: Vec<_> = kube.iter().filter_map(|attr| attr.keys()).flatten().collect();
        let is_kind = derives.has_kind && !kube.is_empty();
        let mode = if is_kind { kind::mode(&kube_keys) } else { Mode::Derived };
        if mode == Mode::Disabled {
            self.kept += 1;
            self.see_all(ty);
            let text = "a kind without a schema keeps kube's derive";
            return self.note(ty.start, Severity::Differs, text);
        }
        if !is_kind && !derives.has_schema {
            if self.names.impls.contains_key(&ty.ident.to_string()) && !derives.is_migrated {
                self.own_impl(ty);
            }
            return;
        }
        derives.migrate(is_kind, self.source, &mut self.edits);
        let mut item = Item::default();
        for attr in &attrs {
            self.attribute_of_type(attr, &kube_keys, &mut item);
        }
        if is_kind {
            self.kind(ty, &kube_keys, mode, &mut item);
        }
        let condition = derives.condition.as_deref().filter(|_| !is_kind);
        let slot = Slot { start: ty.start, condition };
        item.write(&[], slot, self.source, &mut self.edits);
        let serde = Serde::of(&attrs);
        let container = Container {
            has_default: serde.default != SerdeDefault::None,
            is_merged: false,
            condition,
            keeps_validate: derives.reads_validate,
        };
        match ty.body {
            Body::Struct(fields) => fields.iter().for_each(|field| self.field(field, container)),
            Body::Enum(variants) => {
                let container =
                    Container { has_default: false, is_merged: serde.is_flat, ..container };
                for variant in variants {
                    self.variant(variant, container);
                }
            }
        }
    }

    /// Marks all attributes of a type as read.
    fn see_all(&mut self, ty: &Type<'_>) {
        let mut see = |attrs: &[syn::Attribute]| {
            for attr in attrs {
                self.seen.insert(range(attr).start);
            }
        };
        see(ty.attrs);
        match ty.body {
            Body::Struct(fields) => fields.iter().for_each(|field| see(&field.attrs)),
            Body::Enum(variants) => {
                for variant in variants {
                    see(&variant.attrs);
                    variant.fields.iter().for_each(|field| see(&field.attrs));
                }
            }
        }
    }

    /// Converts an attribute of a type or variant.
    fn attribute_of_type(&mut self, attr: &Attr, kube: &[Meta], item: &mut Item) {
        if !self.is_migrated(attr) {
            return;
        }
        let target = Target { ty: None, names: self.names, source: self.source };
        let is_first = !item.attrs.iter().flat_map(|it| &it.1).any(|it| name_of(&it.0) == "derive");
        let mut is_first = is_first;
        let mut converted = Vec::new();
        for key in self.keys(attr) {
            let outcome = match (&*attr.name, &*name_of(&key)) {
                ("kube", "derive") => {
                    let first = std::mem::take(&mut is_first);
                    let all = first.then(|| Key::List("derive", kind::derives(kube)));
                    (Outcome::Keys(all.into_iter().collect()), None)
                }
                ("kube", "schema") => (Outcome::Keys(Vec::new()), None),
                ("kube", "status") => (self.status(&key), None),
                ("kube", _) => (kind::convert(&key, self.source), None),
                ("x_kube", _) => target.x_kube(&key),
                // The name of the schema, and the default of the whole type, are not in a CRD.
                (_, "default") => (Outcome::Keys(Vec::new()), None),
                _ => target.schemars(&key),
            };
            let outcome = self.noted(&key, outcome);
            converted.push((key, outcome));
        }
        item.attrs.push((attr.clone(), converted));
    }

    /// Adds what a kind needs besides the counterparts of its keys.
    fn kind(&mut self, ty: &Type<'_>, kube: &[Meta], mode: Mode, item: &mut Item) {
        self.kinds += 1;
        if !kube.iter().any(|key| name_of(key) == "namespaced") {
            item.added.push(Key::word("cluster"));
        }
        let all = item.attrs.iter().flat_map(|(_, keys)| keys);
        let written = all.filter_map(|(_, outcome)| match outcome {
            Outcome::Keys(keys) => Some(keys.clone()),
            _ => None,
        });
        let written: Vec<Key> = written.flatten().collect();
        if kind::has_repeated_types(&written) {
            item.comments.push("#[allow(clippy::duplicated_attributes)]".to_owned());
        }
        let text = |name: &str| {
            let key = kube.iter().find(|key| name_of(key) == name);
            key.and_then(|key| self.text(key))
        };
        if mode == Mode::Manual {
            let root = text("root").or_else(|| text("kind")).unwrap_or_default();
            self.own_root(ty, &root, item);
        }
    }

    /// Converts the key `status`. A type of another crate has the schema of schemars.
    fn status(&self, key: &Meta) -> Outcome {
        let status = self.text(key).unwrap_or_default();
        let foreign = syn::parse_str::<Path>(&status).is_ok_and(|path| {
            let segments: Vec<_> = path.segments.iter().map(|it| it.ident.to_string()).collect();
            let origin = self.names.origin(&segments, path.leading_colon.is_some(), &self.uses);
            matches!(origin, Origin::Foreign(_))
        });
        if foreign {
            let schema = "schema_with = crd_runtime::crd_schema::bridge::schema::<_>".to_owned();
            Outcome::Keys(vec![Key::List("status", vec![status, schema])])
        } else {
            kind::convert(key, self.source)
        }
    }

    /// Returns the value of a key, whether it is a string or not.
    fn text(&self, key: &Meta) -> Option<String> {
        serde::text(key).or_else(|| match key {
            Meta::NameValue(pair) => Some(self.source.of(&pair.value).to_owned()),
            _ => None,
        })
    }

    fn variant(&mut self, variant: &Variant, container: Container<'_>) {
        let attrs = Attr::all(&variant.attrs, self.source);
        let mut item = Item::default();
        for attr in &attrs {
            self.attribute_of_type(attr, &[], &mut item);
        }
        let slot = Slot { start: range(&variant.ident).start, condition: container.condition };
        item.write(&attrs, slot, self.source, &mut self.edits);
        if !matches!(variant.fields, Fields::Unit) {
            variant.fields.iter().for_each(|field| self.field(field, container));
        }
    }

    /// Reports attributes of kube's derives in macros and in other places that are not read.
    fn report_unseen(&mut self, tokens: TokenStream) {
        let trees: Vec<_> = tokens.into_iter().collect();
        for (index, tree) in trees.iter().enumerate() {
            let TokenTree::Group(group) = tree else { continue };
            let hash = index.checked_sub(1).and_then(|before| trees.get(before));
            let at = match hash {
                Some(TokenTree::Punct(hash)) if hash.as_char() == '#' => {
                    hash.span().byte_range().start
                }
                _ => {
                    self.report_unseen(group.stream());
                    continue;
                }
            };
            let names = ["kube", "x_kube", "schemars"];
            let is_theirs = group.delimiter() == Delimiter::Bracket
                && names.iter().any(|name| starts_with(group.stream(), name));
            if is_theirs && !self.seen.contains(&at) {
                let text = format!(
                    "`#{}` is in a macro, or on a type without kube's derive and schemars'; write `#[crd(..)]` in its place",
                    self.source.at(&group.span().byte_range())
                );
                self.note(at, Severity::ByHand, &text);
            }
        }
    }
}

/// Whether tokens are a list of this name, such as `kube(..)`.
fn starts_with(tokens: TokenStream, name: &str) -> bool {
    let mut trees = tokens.into_iter();
    matches!(trees.next(), Some(TokenTree::Ident(ident)) if ident == name)
        && matches!(trees.next(), Some(TokenTree::Group(_)))
}

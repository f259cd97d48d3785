//! Puts the types of a version, and those of several kinds, into files.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::model::Purpose;

/// The source of a version.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) purpose: Purpose,
    /// The struct with the derive.
    pub(super) root: Part,
    pub(super) parts: Vec<Part>,
    pub(super) has_type_meta: bool,
}

/// A type of the source.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) name: String,
    pub(super) text: String,
    pub(super) imports: BTreeSet<&'static str>,
    /// The generated types in it, by their places.
    pub(super) mentions: BTreeSet<usize>,
    /// Whether several kinds have it, so that it is in the file for all of them.
    pub(super) is_common: bool,
    /// How many descriptions lose line breaks inside of paragraphs.
    pub(super) joined: usize,
}

/// Returns the file of the types that several kinds have, or none if there are no such types.
pub(super) fn common_file(sources: &[&Source], purpose: Purpose) -> Option<String> {
    let all = sources.iter().flat_map(|source| &source.parts).filter(|part| part.is_common);
    let parts: BTreeMap<&str, &Part> = all.map(|part| (&*part.name, part)).collect();
    let used: BTreeSet<&str> = parts.values().flat_map(|it| it.imports.iter().copied()).collect();
    let runtime: &[&str] = if purpose == Purpose::Definition { &["CrdSchema"] } else { &[] };
    let mut out = declarations(&used, runtime);
    for part in parts.values() {
        out.push('\n');
        out.push_str(&part.text);
    }
    (!parts.is_empty()).then_some(out)
}

/// Returns the `use` declarations of a file.
fn declarations(used: &BTreeSet<&str>, runtime: &[&str]) -> String {
    let mut out = String::new();
    if used.contains("std::collections::BTreeMap") {
        out.push_str("use std::collections::BTreeMap;\n\n");
    }
    let _ = match runtime {
        [] => Ok(()),
        [one] => writeln!(out, "use crd_runtime::{one};"),
        _ => writeln!(out, "use crd_runtime::{{{}}};", runtime.join(", ")),
    };
    for path in used.iter().filter(|path| path.starts_with("k8s_openapi::")) {
        let _ = writeln!(out, "use {path};");
    }
    out.push_str("use serde::{Deserialize, Serialize};\n");
    out
}

impl Source {
    /// Returns how many descriptions lose line breaks inside of paragraphs.
    pub(super) fn joined(&self) -> usize {
        self.root.joined + self.parts.iter().map(|part| part.joined).sum::<usize>()
    }

    /// Returns the file of the version. Types that `base` has too are taken from there, and those of several kinds from
    /// the module `common`.
    pub(super) fn file(&self, base: Option<(&str, &Self)>, common: &str) -> String {
        let shared = base.map_or_else(BTreeSet::new, |(_, base)| self.shared_with(base));
        let own = self.parts.iter().enumerate();
        let own: Vec<&Part> = own
            .filter(|(index, part)| {
                !shared.contains(index) && !part.is_common && !part.text.is_empty()
            })
            .map(|(_, part)| part)
            .collect();
        let mut used: BTreeSet<&str> = self.root.imports.iter().copied().collect();
        used.extend(own.iter().flat_map(|part| part.imports.iter().copied()));
        let mut runtime = Vec::new();
        if self.purpose == Purpose::Definition {
            if !own.is_empty() {
                runtime.push("CrdSchema");
            }
            runtime.push("CustomResource");
            if self.has_type_meta {
                runtime.push("TypeMeta");
            }
        }
        let mut out = declarations(&used, &runtime);
        let common_types = self.parts.iter().filter(|part| part.is_common);
        let common_types = common_types.map(|part| format!("{common}::{}", part.name));
        // Without a base, no types are shared with it.
        let module = base.map_or("", |(module, _)| module);
        let of_base = shared.iter().map(|index| &self.parts[*index]).filter(|it| !it.is_common);
        let of_base = of_base.map(|part| format!("super::{module}::{}", part.name));
        let elsewhere: BTreeSet<String> = common_types.chain(of_base).collect();
        if !elsewhere.is_empty() {
            out.push('\n');
        }
        for path in elsewhere {
            let _ = writeln!(out, "pub use {path};");
        }
        for part in std::iter::once(&self.root).chain(own) {
            out.push('\n');
            out.push_str(&part.text);
        }
        out
    }

    /// Returns the types that are the same in both, with all that is in them.
    fn shared_with(&self, base: &Self) -> BTreeSet<usize> {
        let in_base: BTreeMap<&str, &str> = base
            .parts
            .iter()
            .filter(|part| !part.text.is_empty())
            .map(|part| (&*part.name, &*part.text))
            .collect();
        let mut shared: BTreeSet<usize> = (0..self.parts.len())
            .filter(|index| {
                let part = &self.parts[*index];
                !part.text.is_empty() && in_base.get(&*part.name) == Some(&&*part.text)
            })
            .collect();
        // A type of one name with other content makes those that mention it different.
        loop {
            let before = shared.len();
            let all = shared.clone();
            shared.retain(|index| self.parts[*index].mentions.iter().all(|it| all.contains(it)));
            if shared.len() == before {
                return shared;
            }
        }
    }
}

/// The lints that the source of a definition may not meet: its names and sentences are the definition's.
pub(super) const ALLOWED: &str = "\
#![allow(
    clippy::doc_markdown,
    clippy::doc_lazy_continuation,
    clippy::doc_link_with_quotes,
    clippy::duplicated_attributes,
    clippy::enum_variant_names,
    clippy::large_enum_variant,
    clippy::module_name_repetitions,
    clippy::struct_excessive_bools,
    clippy::struct_field_names,
    clippy::unicode_not_nfc,
    clippy::unreadable_literal,
    clippy::upper_case_acronyms,
    clippy::derive_partial_eq_without_eq,
    missing_docs,
    unused_imports,
    rustdoc::bare_urls,
    rustdoc::broken_intra_doc_links,
    rustdoc::invalid_html_tags,
    reason = \"the names and descriptions are those of the definition\"
)]
";

//! The `use` declarations of a migrated file.

use std::collections::BTreeSet;
use std::ops::Range;

use proc_macro2::{TokenStream, TokenTree};
use syn::{Item, ItemUse, UseTree, Visibility};

use super::derives::SCHEMAS;
use super::edit::{Edits, indentation, line_start, whole_lines};
use super::source::{self, Source, range};

/// The names of kube's derives, of its traits for them, and of schemars, that a migrated file may no longer use.
const REPLACED: &[&str] = &[
    "CELSchema",
    "CustomResource",
    "CustomResourceExt",
    "JsonSchema",
    "KubeSchema",
    "ListMerge",
    "MapMerge",
    "Message",
    "Reason",
    "Rule",
    "Schema",
    "SchemaGenerator",
    "SchemaObject",
    "StructMerge",
    "ValidateSchema",
    "json_schema",
    "r#gen",
    "schemars",
];

/// The crates that these names come from.
const CRATES: &[&str] = &["kube", "kube_core", "kube_derive", "schemars"];

/// Edits the `use` declarations of a file whose types were migrated. `keeps_kube` is whether some types keep kube's
/// derive.
pub(super) fn edit(source: &Source, keeps_kube: bool) -> Edits {
    let mut edits = Edits::default();
    let Ok(tokens) = source.text.parse() else { return edits };
    let used = Used::of(tokens);
    let mut groups = vec![&source.file.items];
    source::items(&source.file.items, &mut |item| {
        if let Item::Mod(module) = item
            && let Some((_, items)) = &module.content
        {
            groups.push(items);
        }
    });
    for items in groups {
        let declarations = items.iter().filter_map(|item| match item {
            Item::Use(it) => Some(it),
            _ => None,
        });
        let declarations: Vec<_> = declarations.collect();
        let already: Vec<_> = declarations
            .iter()
            .filter(|it| first(&it.tree) == Some("crd_runtime".to_owned()))
            .collect();
        let has = |name: &str| already.iter().any(|it| source.of(**it).contains(name));
        let mut scope =
            Scope { source, used: &used, keeps_kube, has: &has, added: BTreeSet::new() };
        let mut plain = (None, BTreeSet::new());
        for declaration in &declarations {
            let Some(change) = scope.one(declaration) else { continue };
            let place = range(*declaration);
            if declaration.attrs.is_empty() && matches!(declaration.vis, Visibility::Inherited) {
                plain.0.get_or_insert(place);
                plain.1.extend(change.new.iter().copied());
                change.write(declaration, source, &mut edits);
            } else {
                let new = of_names(&change.new);
                write_conditional(declaration, &change, new, source, &mut edits);
            }
        }
        if let (Some(place), Some(new)) = (plain.0, of_names(&plain.1)) {
            let indent = indentation(&source.text, place.start).unwrap_or_default();
            edits.insert(line_start(&source.text, place.start), format!("{indent}{new}\n"));
        }
    }
    edits
}

/// Writes a declaration of names of ours.
fn of_names(names: &BTreeSet<&'static str>) -> Option<String> {
    let names: Vec<_> = names.iter().copied().collect();
    match names[..] {
        [] => None,
        [one] => Some(format!("use crd_runtime::{one};")),
        _ => Some(format!("use crd_runtime::{{{}}};", names.join(", "))),
    }
}

/// What becomes of a declaration.
struct Change {
    /// The tree without the names that are no longer used.
    rest: Option<String>,
    /// The names of ours in their place.
    new: BTreeSet<&'static str>,
}

impl Change {
    fn write(&self, declaration: &ItemUse, source: &Source, edits: &mut Edits) {
        match &self.rest {
            Some(rest) => edits.replace(range(&declaration.tree), rest),
            None => edits.replace(whole_lines(&source.text, &range(declaration)), ""),
        }
    }
}

/// Edits a declaration with attributes, such as a `cfg`, which the new one gets too.
fn write_conditional(
    declaration: &ItemUse,
    change: &Change,
    new: Option<String>,
    source: &Source,
    edits: &mut Edits,
) {
    let whole = range(declaration);
    let start = range(&declaration.use_token).start;
    match (&change.rest, new) {
        (None, Some(new)) => edits.replace(start..whole.end, new),
        (Some(_), Some(new)) => {
            let attributes = source.at(&(whole.start..start));
            edits.insert(whole.start, format!("{attributes}{new}\n"));
            change.write(declaration, source, edits);
        }
        (_, None) => change.write(declaration, source, edits),
    }
}

/// The declarations of one module.
struct Scope<'a> {
    source: &'a Source,
    used: &'a Used,
    keeps_kube: bool,
    /// Whether a name of ours is there already.
    has: &'a dyn Fn(&str) -> bool,
    added: BTreeSet<&'static str>,
}

impl Scope<'_> {
    /// Returns the change of a declaration; `None` if it stays.
    fn one(&mut self, declaration: &ItemUse) -> Option<Change> {
        first(&declaration.tree).filter(|name| CRATES.contains(&&**name))?;
        let mut new = BTreeSet::new();
        let mut removed = Vec::new();
        names(&declaration.tree, &mut |name, range| {
            let all = &self.used.names;
            let ours = match name {
                "CustomResourceExt" | "CustomResource"
                    if self.keeps_kube && self.used.has_kube_derive =>
                {
                    return;
                }
                "CustomResourceExt" if self.keeps_kube => return,
                // The trait of ours has the functions of the extension trait.
                "CustomResourceExt" => Some("CustomResource"),
                "CustomResource" => all.contains("CustomResource").then_some("CustomResource"),
                name if SCHEMAS.contains(&name) => all.contains("CrdSchema").then_some("CrdSchema"),
                _ => None,
            };
            if let Some(ours) = ours.filter(|ours| !(self.has)(ours) && !self.added.contains(ours))
            {
                self.added.insert(ours);
                new.insert(ours);
            }
            let is_free = match name {
                "CustomResource" | "CustomResourceExt" => true,
                // The trait is in scope for its function.
                "JsonSchema" => {
                    !all.contains(name) && !self.used.after_colons.contains("json_schema")
                }
                name => REPLACED.contains(&name) && !all.contains(name),
            };
            if is_free {
                removed.push(range);
            }
        });
        if removed.is_empty() && new.is_empty() {
            return None;
        }
        Some(Change { rest: without(&declaration.tree, self.source, &removed), new })
    }
}

/// Returns the first name of the path.
fn first(tree: &UseTree) -> Option<String> {
    match tree {
        UseTree::Path(it) => Some(it.ident.to_string()),
        UseTree::Name(it) => Some(it.ident.to_string()),
        _ => None,
    }
}

/// Calls `each` with the names that a declaration brings in.
fn names(tree: &UseTree, each: &mut dyn FnMut(&str, Range<usize>)) {
    match tree {
        UseTree::Path(it) => names(&it.tree, each),
        UseTree::Group(group) => group.items.iter().for_each(|tree| names(tree, each)),
        UseTree::Name(it) => each(&it.ident.to_string(), range(it)),
        UseTree::Rename(it) => each(&it.rename.to_string(), range(it)),
        UseTree::Glob(_) => {}
    }
}

/// Writes a tree without some of its names; `None` if nothing is left.
fn without(tree: &UseTree, source: &Source, removed: &[Range<usize>]) -> Option<String> {
    match tree {
        UseTree::Path(it) => {
            let inner = without(&it.tree, source, removed)?;
            Some(format!("{}::{inner}", it.ident))
        }
        UseTree::Group(group) => {
            let kept: Vec<_> =
                group.items.iter().filter_map(|tree| without(tree, source, removed)).collect();
            match &kept[..] {
                [] => None,
                [one] if one != "self" => Some(one.clone()),
                _ if kept.len() == group.items.len() && !has_removed(tree, removed) => {
                    Some(source.of(tree).to_owned())
                }
                _ => Some(group_of(&kept, source.of(tree))),
            }
        }
        tree => (!removed.contains(&range(tree))).then(|| source.of(tree).to_owned()),
    }
}

fn has_removed(tree: &UseTree, removed: &[Range<usize>]) -> bool {
    let whole = range(tree);
    removed.iter().any(|it| whole.start <= it.start && it.end <= whole.end)
}

/// Writes a group on as many lines as it was.
fn group_of(kept: &[String], before: &str) -> String {
    let flat = format!("{{{}}}", kept.join(", "));
    let indent = before.lines().nth(1).map(|line| &line[..line.len() - line.trim_start().len()]);
    match indent {
        // As short groups are with rustfmt.
        Some(indent) if flat.len() > 60 || kept.iter().any(|it| it.contains('\n')) => {
            let lines: Vec<_> = kept.iter().map(|it| format!("{indent}{it},\n")).collect();
            let outer = indent.strip_prefix("    ").unwrap_or_default();
            format!("{{\n{}{outer}}}", lines.concat())
        }
        _ => flat,
    }
}

/// The names that a file uses without a path, apart from its `use` declarations.
#[derive(Debug, Default)]
struct Used {
    names: BTreeSet<String>,
    /// The names at the end of a path.
    after_colons: BTreeSet<String>,
    /// Whether a type has an attribute of kube's derive.
    has_kube_derive: bool,
}

impl Used {
    fn of(tokens: TokenStream) -> Self {
        let mut used = Self::default();
        used.read(tokens);
        used
    }

    fn read(&mut self, tokens: TokenStream) {
        let mut in_use = false;
        let mut colons = 0;
        for tree in tokens {
            match tree {
                TokenTree::Ident(ident) => {
                    let name = ident.to_string();
                    if name == "use" {
                        in_use = true;
                    } else if !in_use && colons < 2 {
                        self.names.insert(name);
                    } else if !in_use {
                        self.after_colons.insert(name);
                    }
                    colons = 0;
                }
                TokenTree::Punct(punct) => {
                    if punct.as_char() == ';' {
                        in_use = false;
                    }
                    colons = if punct.as_char() == ':' { colons + 1 } else { 0 };
                }
                TokenTree::Group(group) => {
                    self.has_kube_derive |= group.stream().to_string().starts_with("kube (");
                    if !in_use {
                        self.read(group.stream());
                    }
                    colons = 0;
                }
                TokenTree::Literal(_) => colons = 0,
            }
        }
    }
}

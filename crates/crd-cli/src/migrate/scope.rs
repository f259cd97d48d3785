//! The names of the migrated files: which types are there, and where others come from.

use std::collections::{BTreeMap, BTreeSet};

use syn::{GenericArgument, Item, ItemFn, ItemImpl, PathArguments, Type, UseTree};

use super::serde::{Serde, name_of_variant};
use super::source::{self, Attr, Source};

/// The crates whose types have a structural schema, some by a feature of `crd-runtime`.
const KNOWN_CRATES: &[&str] = &[
    "alloc",
    "chrono",
    "core",
    "crd_runtime",
    "indexmap",
    "jiff",
    "k8s_openapi",
    "kube",
    "serde_json",
    "std",
    "url",
    "uuid",
];

/// The crates among them that need a feature of the same name.
pub(super) const FEATURES: &[&str] = &["chrono", "indexmap", "jiff", "url", "uuid"];

/// The names that all files define.
#[derive(Default)]
pub(super) struct Names<'a> {
    /// The structs and enums.
    pub types: BTreeMap<String, Vec<Local>>,
    aliases: BTreeMap<String, &'a Type>,
    /// What `pub use` exports, by name.
    exports: BTreeMap<String, Vec<String>>,
    /// The names of the packages of the files, and of modules in them.
    crates: BTreeSet<String>,
    /// The functions, each with the index of its file.
    pub functions: BTreeMap<String, Vec<(usize, &'a ItemFn)>>,
    /// The hand-written `impl JsonSchema`, by type.
    pub impls: BTreeMap<String, Vec<(usize, &'a ItemImpl)>>,
}

/// A struct or enum of the files.
#[derive(Debug)]
pub(super) struct Local {
    /// The names in JSON, if it is an enum without content.
    pub units: Option<Vec<String>>,
}

/// Where a type comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Origin {
    /// One of the files, or a prelude.
    Own,
    /// A crate whose types have a structural schema.
    Known(String),
    /// Another crate.
    Foreign(String),
}

/// What `use` brings into a file, by name.
pub(super) type Uses = BTreeMap<String, Vec<String>>;

impl<'a> Names<'a> {
    pub(super) fn of(sources: &'a [Source], crates: BTreeSet<String>) -> Self {
        let mut names = Self { crates, ..Self::default() };
        for (index, source) in sources.iter().enumerate() {
            for it in source::types(&source.file) {
                let rename_all = Serde::of(&Attr::all(it.attrs, source)).rename_all;
                let units = it.units().map(|variants| {
                    let names = variants.iter().map(|variant| {
                        let own = Serde::of(&Attr::all(&variant.attrs, source)).rename;
                        let ident = variant.ident.to_string();
                        own.unwrap_or_else(|| name_of_variant(&ident, rename_all.as_deref()))
                    });
                    names.collect()
                });
                names.types.entry(it.ident.to_string()).or_default().push(Local { units });
            }
            source::items(&source.file.items, &mut |item| names.add(index, item));
        }
        names
    }

    fn add(&mut self, index: usize, item: &'a Item) {
        match item {
            Item::Type(alias) => {
                self.aliases.insert(alias.ident.to_string(), &alias.ty);
            }
            Item::Fn(function) => {
                let name = function.sig.ident.to_string();
                self.functions.entry(name).or_default().push((index, function));
            }
            Item::Impl(it) => {
                let is_schema = it.trait_.as_ref().and_then(|(path, _)| path.segments.last());
                if is_schema.is_some_and(|segment| segment.ident == "JsonSchema")
                    && let Type::Path(path) = &*it.self_ty
                    && let Some(last) = path.path.segments.last()
                {
                    self.impls.entry(last.ident.to_string()).or_default().push((index, it));
                }
            }
            Item::Use(it) if !matches!(it.vis, syn::Visibility::Inherited) => {
                leaves(&it.tree, &mut Vec::new(), &mut |name, path| {
                    if name != "*" {
                        self.exports.insert(name, path);
                    }
                });
            }
            // A module with all names of another crate.
            Item::Mod(module) => {
                self.crates.insert(module.ident.to_string());
                let items = module.content.iter().flat_map(|(_, items)| items);
                for item in items {
                    let Item::Use(it) = item else { continue };
                    leaves(&it.tree, &mut Vec::new(), &mut |name, path| {
                        if name == "*" {
                            self.exports.insert(module.ident.to_string(), path);
                        }
                    });
                }
            }
            _ => {}
        }
    }

    /// Returns the units of an enum of this name, if all types of the name agree.
    pub(super) fn units(&self, ty: &Type) -> Option<&[String]> {
        let Type::Path(path) = ty else { return None };
        let locals = self.types.get(&path.path.segments.last()?.ident.to_string())?;
        let [local] = &locals[..] else { return None };
        local.units.as_deref()
    }

    /// Returns where the first type comes from that has no structural schema, and else what crates the types come from.
    pub(super) fn origins(&self, ty: &Type, uses: &Uses) -> Result<Vec<String>, String> {
        let mut known = Vec::new();
        self.collect(ty, uses, &mut known, 0)?;
        Ok(known)
    }

    fn collect(
        &self,
        ty: &Type,
        uses: &Uses,
        known: &mut Vec<String>,
        depth: usize,
    ) -> Result<(), String> {
        /// How deep types and aliases are followed.
        const MAX_DEPTH: usize = 32;
        if depth > MAX_DEPTH {
            return Ok(());
        }
        let mut inner = |ty: &Type| self.collect(ty, uses, known, depth + 1);
        match ty {
            Type::Array(it) => inner(&it.elem),
            Type::Slice(it) => inner(&it.elem),
            Type::Reference(it) => inner(&it.elem),
            Type::Paren(it) => inner(&it.elem),
            Type::Group(it) => inner(&it.elem),
            Type::Tuple(it) => it.elems.iter().try_for_each(inner),
            Type::Path(it) => {
                for argument in it.path.segments.iter().flat_map(|it| arguments(&it.arguments)) {
                    inner(argument)?;
                }
                let segments: Vec<_> =
                    it.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
                match self.origin(&segments, it.path.leading_colon.is_some(), uses) {
                    Origin::Own => Ok(()),
                    Origin::Known(name) => {
                        known.push(name);
                        Ok(())
                    }
                    Origin::Foreign(path) => Err(path),
                }
            }
            _ => Ok(()),
        }
    }

    /// Returns where the type of a path comes from.
    pub(super) fn origin(&self, segments: &[String], is_absolute: bool, uses: &Uses) -> Origin {
        let Some(first) = segments.first() else { return Origin::Own };
        let used = uses.get(first).filter(|_| !is_absolute);
        let full = match used {
            Some(path) => [path, &segments[1..]].concat(),
            None if segments.len() == 1 => return Origin::Own,
            None => segments.to_vec(),
        };
        let krate = full.first().map(String::as_str).unwrap_or_default();
        let is_own = matches!(krate, "crate" | "self" | "super") || self.crates.contains(krate);
        let is_module = used.is_none() && !is_absolute && krate.starts_with(char::is_uppercase);
        if is_own || is_module {
            // A `pub use` of another crate.
            let last = full.last().filter(|last| !self.types.contains_key(*last));
            let exported = last.and_then(|_| full.iter().rev().find_map(|it| self.exports.get(it)));
            return match exported.and_then(|path| path.first()) {
                Some(krate) if !self.is_own(krate) => Self::of_crate(krate, &full),
                _ => Origin::Own,
            };
        }
        Self::of_crate(krate, &full)
    }

    fn is_own(&self, krate: &str) -> bool {
        matches!(krate, "crate" | "self" | "super") || self.crates.contains(krate)
    }

    fn of_crate(krate: &str, path: &[String]) -> Origin {
        if KNOWN_CRATES.contains(&krate) {
            Origin::Known(krate.to_owned())
        } else {
            Origin::Foreign(path.join("::"))
        }
    }

    /// Returns the JSON type of a Rust type.
    pub(super) fn json(&self, ty: &'a Type) -> Json<'a> {
        let ty = held(ty);
        let Type::Path(path) = ty else {
            return match ty {
                Type::Array(it) => Json::List(&it.elem),
                Type::Slice(it) => Json::List(&it.elem),
                _ => Json::Other,
            };
        };
        let Some(last) = path.path.segments.last() else { return Json::Other };
        let mut arguments = arguments(&last.arguments);
        match &*last.ident.to_string() {
            "String" | "str" | "PathBuf" | "char" => Json::Text,
            "bool" => Json::Boolean,
            "i8" | "i16" | "i32" | "i64" | "isize" | "u8" | "u16" | "u32" | "u64" | "usize" => {
                Json::Integer
            }
            "f32" | "f64" => Json::Number,
            "Vec" | "VecDeque" | "BTreeSet" | "HashSet" | "IndexSet" | "LinkedList" => {
                arguments.next().map_or(Json::Other, Json::List)
            }
            "HashMap" | "BTreeMap" | "IndexMap" => arguments.nth(1).map_or(Json::Other, Json::Map),
            "Value" => Json::Any,
            name => match self.aliases.get(name) {
                // An alias of an alias is rare, and could be a circle.
                Some(alias) if !self.is_alias(held(alias)) => self.json(alias),
                _ => Json::Other,
            },
        }
    }

    fn is_alias(&self, ty: &Type) -> bool {
        let Type::Path(path) = ty else { return false };
        let last = path.path.segments.last();
        last.is_some_and(|last| self.aliases.contains_key(&last.ident.to_string()))
    }
}

/// What a type is in JSON.
#[derive(Debug, Clone, Copy)]
pub(super) enum Json<'a> {
    Text,
    Boolean,
    Integer,
    Number,
    List(&'a Type),
    Map(&'a Type),
    /// Any JSON.
    Any,
    /// An object, or a type that is not known here.
    Other,
}

fn arguments(arguments: &PathArguments) -> impl Iterator<Item = &Type> {
    let arguments = match arguments {
        PathArguments::AngleBracketed(it) => Some(it.args.iter()),
        _ => None,
    };
    arguments.into_iter().flatten().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

/// Returns the type in an `Option`.
pub(super) fn option(ty: &Type) -> Option<&Type> {
    inner(ty, &["Option"])
}

/// Returns the type in an `Option`, or in a pointer that serde does not show.
pub(super) fn held(ty: &Type) -> &Type {
    match ty {
        Type::Reference(it) => held(&it.elem),
        Type::Paren(it) => held(&it.elem),
        Type::Group(it) => held(&it.elem),
        _ => inner(ty, &["Option", "Box", "Arc", "Rc", "Cow"]).map_or(ty, held),
    }
}

fn inner<'a>(ty: &'a Type, names: &[&str]) -> Option<&'a Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    names.iter().any(|name| last.ident == name).then(|| arguments(&last.arguments).last()).flatten()
}

/// Returns what a file's `use` declarations bring into it. Modules of the file share them.
pub(super) fn uses(file: &syn::File) -> Uses {
    let mut uses = Uses::new();
    source::items(&file.items, &mut |item| {
        if let Item::Use(it) = item {
            leaves(&it.tree, &mut Vec::new(), &mut |name, path| {
                uses.insert(name, path);
            });
        }
    });
    uses
}

/// Calls `leaf` with each name of a `use`, or `*`, and the path that it is for.
fn leaves(tree: &UseTree, path: &mut Vec<String>, leaf: &mut dyn FnMut(String, Vec<String>)) {
    match tree {
        UseTree::Path(it) => {
            path.push(it.ident.to_string());
            leaves(&it.tree, path, leaf);
            path.pop();
        }
        UseTree::Group(group) => {
            for tree in &group.items {
                leaves(tree, path, leaf);
            }
        }
        UseTree::Name(it) if it.ident == "self" => {
            if let Some(name) = path.last() {
                leaf(name.clone(), path.clone());
            }
        }
        UseTree::Name(it) => {
            let name = it.ident.to_string();
            leaf(name.clone(), [&path[..], &[name]].concat());
        }
        UseTree::Rename(it) => {
            let own = if it.ident == "self" { Vec::new() } else { vec![it.ident.to_string()] };
            leaf(it.rename.to_string(), [&path[..], &own].concat());
        }
        UseTree::Glob(_) => leaf("*".to_owned(), path.clone()),
    }
}

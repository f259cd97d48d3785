//! The files of definitions: a module for each kind, and one for the types that several of them have.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::common;
use super::kind::{self, Version};
use super::model::Purpose;
use super::names;
use super::print;
use super::source::{ALLOWED, Source, common_file};
use super::type_names::{item_docs, item_names};
use crate::definition;
use crate::identifiers::snake;

/// The Rust source of a definition.
#[derive(Debug)]
pub struct Imported {
    /// The name of the module, such as `cron_tab`.
    module: String,
    /// The API group.
    group: String,
    /// The only version, or the file that declares a module for each version.
    pub(super) main: String,
    /// The modules of several versions, by their names.
    pub(super) versions: Vec<(String, String)>,
    /// The names of the versions, and their kinds as Rust types.
    kinds: Vec<(String, String)>,
    /// How many descriptions lose line breaks inside of paragraphs.
    pub(super) joined: usize,
}

impl Imported {
    /// Returns the files, if the module is the file `main`: several versions are modules in a directory of its name.
    #[must_use]
    pub fn files(&self, main: &Path) -> Vec<(PathBuf, String)> {
        let directory = main.with_extension("");
        let versions = self.versions.iter();
        let versions =
            versions.map(|(name, text)| (directory.join(format!("{name}.rs")), text.clone()));
        std::iter::once((main.to_owned(), self.main.clone())).chain(versions).collect()
    }

    /// Returns the name of each version with the path of its kind below a module.
    pub(super) fn types<'a>(&'a self, module: &'a str) -> impl Iterator<Item = (&'a str, String)> {
        self.kinds.iter().map(move |(version, kind)| {
            let path = if self.versions.is_empty() {
                format!("{module}::{kind}")
            } else {
                format!("{module}::{}::{kind}", snake(version))
            };
            (version.as_str(), path)
        })
    }
}

/// A definition whose schemas have been read.
#[derive(Debug)]
pub struct Readable {
    name: String,
    versions: Vec<Version>,
}

impl Readable {
    /// Reads a definition.
    ///
    /// # Errors
    /// If it is not a `CustomResourceDefinition` of apiextensions.k8s.io/v1, or a version has no schema.
    pub fn new(definition: &Value) -> Result<Self, String> {
        let decoded = definition::decode(definition).map_err(|error| error.to_string())?;
        let definition = serde_json::to_value(&decoded.crd).map_err(|error| error.to_string())?;
        let versions = kind::versions(&definition).map_err(|kind::Unreadable(why)| why)?;
        if versions.is_empty() {
            return Err("it has no versions".to_owned());
        }
        let name = definition.pointer("/metadata/name").and_then(Value::as_str).unwrap_or_default();
        Ok(Self { name: name.to_owned(), versions })
    }
}

/// Keeps the names that types had in older definitions, so that a change does not rename others. A type is the same if
/// it is at the same place, or else if it has the same schema.
pub(super) fn keep_names(definitions: &mut [Readable], old: &[Readable]) {
    let common = common::of_kinds(old.iter().map(|it| &it.versions[..]));
    for Readable { name, versions } in definitions {
        let Some(old) = old.iter().find(|old| old.name == *name) else { continue };
        for version in versions {
            let same = old.versions.iter().find(|old| old.name == version.name);
            let same = same.or_else(|| old.versions.iter().find(|old| old.is_stored));
            let Some(old) = same else { continue };
            let names = item_names(old, &item_docs(old, &common), &common);
            let of_path: HashMap<_, _> = old.items.iter().map(|it| &it.path).zip(&names).collect();
            let schemas = old.items.iter().zip(&names);
            let schemas = schemas.filter_map(|(it, name)| Some((it.schema.as_ref()?, name)));
            let of_schema: HashMap<_, _> = schemas.collect();
            for item in &mut version.items {
                let by_schema = item.schema.as_ref().and_then(|it| of_schema.get(it));
                let name = of_path.get(&item.path).or(by_schema);
                item.previous = name.map(|&name| name.clone());
            }
        }
    }
}

/// The Rust source of several definitions, which share types.
#[derive(Debug)]
pub struct Directory {
    /// The source of each definition.
    pub kinds: Vec<Imported>,
    /// The module of the types that several kinds have, with its text.
    pub(super) shared: Option<(String, String)>,
    pub(super) purpose: Purpose,
}

impl Directory {
    /// Writes definitions. Types that several of them have go to a module of their own.
    #[must_use]
    pub fn new(definitions: &[Readable], purpose: Purpose) -> Self {
        let common = common::of_kinds(definitions.iter().map(|it| &it.versions[..]));
        let sources: Vec<Vec<Source>> = definitions
            .iter()
            .map(|it| it.versions.iter().map(|it| print::version(it, &common, purpose)).collect())
            .collect();
        let modules = definitions.iter().map(|it| snake(&it.versions[0].kind)).collect();
        let module = names::numbered("shared", &modules);
        let shared = common_file(&sources.iter().flatten().collect::<Vec<_>>(), purpose);
        let shared = shared.map(|text| {
            let text = format!("//! Types that several kinds have.\n\n{ALLOWED}\n{text}");
            (module.clone(), text)
        });
        let kinds = definitions.iter().zip(&sources);
        let kinds = kinds.map(|(definition, sources)| imported(definition, sources, &module));
        Self { kinds: kinds.collect(), shared, purpose }
    }

    /// Writes each definition for itself.
    #[must_use]
    pub fn apart(definitions: &[Readable], purpose: Purpose) -> Self {
        let alone = definitions.iter().map(|it| Self::new(std::slice::from_ref(it), purpose));
        Self { kinds: alone.flat_map(|it| it.kinds).collect(), shared: None, purpose }
    }

    /// Returns the number of types that several kinds have.
    #[must_use]
    pub fn shared_types(&self) -> usize {
        self.shared.as_ref().map_or(0, |(_, text)| text.matches("\npub ").count())
    }

    /// Returns the files in a directory, with a `mod.rs`.
    #[must_use]
    pub fn files(&self, directory: &Path) -> Vec<(PathBuf, String)> {
        let mut files = Vec::new();
        let mut names = BTreeSet::new();
        let file = |module: &str| directory.join(format!("{}.rs", module.trim_start_matches("r#")));
        for (sources, module) in self.kinds.iter().zip(modules(&self.kinds)) {
            files.extend(sources.files(&file(&module)));
            names.insert(module);
        }
        if let Some((module, text)) = &self.shared {
            files.push((file(module), text.clone()));
            names.insert(module.clone());
        }
        let declarations = names.iter().map(|module| format!("pub mod {module};\n"));
        files.push((directory.join("mod.rs"), declarations.collect()));
        files
    }
}

/// Puts the versions of a definition into files.
fn imported(definition: &Readable, sources: &[Source], shared: &str) -> Imported {
    let Readable { name, versions } = definition;
    let head = |version: &str| format!("//! `{name}`, version `{version}`.\n\n{ALLOWED}\n");
    let joined = sources.iter().map(Source::joined).sum();
    let kinds = versions.iter().map(|it| (it.name.clone(), names::kind(&it.kind))).collect();
    let module = snake(&versions[0].kind);
    let group = versions[0].group.clone();
    if let ([version], [source]) = (&versions[..], sources) {
        let text = source.file(None, &format!("super::{shared}"));
        let main = format!("{}{text}", head(&version.name));
        return Imported { module, group, main, versions: Vec::new(), kinds, joined };
    }
    let shared = format!("super::super::{shared}");
    // The types that versions share are in the module of the version that is stored.
    let stored = versions.iter().position(|version| version.is_stored).unwrap_or_default();
    let base = (snake(&versions[stored].name), &sources[stored]);
    let files = versions.iter().zip(sources).enumerate().map(|(index, (version, source))| {
        let base = (index != stored).then_some((base.0.as_str(), base.1));
        (snake(&version.name), format!("{}{}", head(&version.name), source.file(base, &shared)))
    });
    let files: Vec<_> = files.collect();
    let modules = files.iter().map(|(name, _)| format!("pub mod {name};\n"));
    let main = format!("//! The versions of `{name}`.\n\n{}", modules.collect::<String>());
    Imported { module, group, main, versions: files, kinds, joined }
}

/// Names the modules of several kinds. Kinds of several groups can have one name; each of these is named after its
/// group, too: `networking_gateway` is `Gateway` of `networking.istio.io`.
fn modules(imported: &[Imported]) -> Vec<String> {
    let names: [&dyn Fn(&Imported) -> String; 3] = [
        &|it| it.module.clone(),
        &|it| {
            let label = it.group.split('.').next().unwrap_or_default();
            snake(&format!("{label}-{}", it.module.trim_start_matches("r#")))
        },
        &|it| snake(&format!("{}-{}", it.group, it.module.trim_start_matches("r#"))),
    ];
    let mut modules = vec![None; imported.len()];
    for name in names {
        let all: Vec<String> = imported.iter().map(name).collect();
        for (index, module) in modules.iter_mut().enumerate() {
            let name = &all[index];
            if module.is_none() && all.iter().filter(|it| *it == name).count() == 1 {
                *module = Some(name.clone());
            }
        }
    }
    let mut taken: BTreeSet<String> = modules.iter().flatten().cloned().collect();
    let named = modules.into_iter().zip(imported).map(|(module, sources)| {
        // One kind was passed twice.
        module.unwrap_or_else(|| {
            let name = names::numbered(&sources.module, &taken);
            taken.insert(name.clone());
            name
        })
    });
    named.collect()
}

/// Writes the types of a definition.
///
/// # Errors
/// If it is not a `CustomResourceDefinition` of apiextensions.k8s.io/v1, or a version has no schema.
pub fn import(definition: &Value, purpose: Purpose) -> Result<Imported, String> {
    let mut directory = Directory::new(&[Readable::new(definition)?], purpose);
    directory.kinds.pop().ok_or_else(|| "it has no versions".to_owned())
}

//! The files of `init`: all are prepared before the first is written.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, TableLike, Value, value};

use crate::CommandError;

/// How a file was changed.
pub(super) const CREATED: &str = "created";
const UPDATED: &str = "updated";

/// The changes to write.
#[derive(Default)]
pub(super) struct Plan {
    /// Texts of new files.
    created: BTreeMap<PathBuf, String>,
    /// New texts of existing files.
    updated: BTreeMap<PathBuf, String>,
    /// Changed TOML files.
    documents: BTreeMap<PathBuf, DocumentMut>,
}

/// A dependency to add.
pub(super) struct Dependency {
    pub(super) name: &'static str,
    pub(super) version: String,
    pub(super) default_features: bool,
    pub(super) features: Vec<String>,
    pub(super) path: Option<String>,
}

impl Dependency {
    pub(super) fn new(name: &'static str, version: &str, features: &[&str]) -> Self {
        let features = features.iter().map(|feature| (*feature).to_owned()).collect();
        Self { name, version: version.to_owned(), default_features: true, features, path: None }
    }

    /// Returns the dependency without its default features.
    pub(super) fn without_default_features(self) -> Self {
        Self { default_features: false, ..self }
    }
}

impl Plan {
    /// Adds a file, which must not exist.
    pub(super) fn create(&mut self, path: PathBuf, text: String) {
        self.created.insert(path, text);
    }

    /// Adds a file unless it exists.
    pub(super) fn create_if_absent(&mut self, path: PathBuf, text: String) {
        if !path.exists() {
            self.create(path, text);
        }
    }

    /// Adds the manifest of a new package.
    pub(super) fn new_package(&mut self, dir: &Path, name: &str) -> Result<(), CommandError> {
        let text = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\npublish = false\n\n[dependencies]\n"
        );
        let document = parse(&dir.join("Cargo.toml"), &text)?;
        self.documents.insert(dir.join("Cargo.toml"), document);
        Ok(())
    }

    /// Returns the name of the package in a directory, and the name of its library if the manifest sets one.
    pub(super) fn package_of(
        &mut self,
        dir: &Path,
    ) -> Result<(String, Option<String>), CommandError> {
        let path = dir.join("Cargo.toml");
        let document = self.document(&path)?;
        let name_of = |table: &str| {
            let name = document.get(table).and_then(|table| table.get("name"));
            name.and_then(Item::as_str).map(str::to_owned)
        };
        let package = name_of("package").ok_or_else(|| {
            CommandError(format!(
                "{}: no package found; pass the directory of a package",
                path.display()
            ))
        })?;
        Ok((package, name_of("lib")))
    }

    /// Declares a module in the library of a package.
    pub(super) fn declare_module(&mut self, dir: &Path, module: &str) -> Result<(), CommandError> {
        let document = self.document(&dir.join("Cargo.toml"))?;
        let path = document.get("lib").and_then(|lib| lib.get("path")).and_then(Item::as_str);
        let path = dir.join(path.unwrap_or("src/lib.rs"));
        let line = format!("pub mod {module};\n");
        if path.exists() {
            let text = read(&path)?;
            let gap = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
            self.updated.insert(path, format!("{text}{gap}\n{line}"));
        } else {
            self.create(path, format!("//! The kinds of this operator.\n\n{line}"));
        }
        Ok(())
    }

    /// Adds a dependency to a table of the package in a directory, or its features to an existing one.
    pub(super) fn depend(
        &mut self,
        dir: &Path,
        table_name: &str,
        dependency: &Dependency,
    ) -> Result<(), CommandError> {
        let path = dir.join("Cargo.toml");
        let document = self.document(&path)?;
        let table = table(document, table_name, &path)?;
        add(table, dependency);
        Ok(())
    }

    /// Adds the manifest of `xtask`, which depends on the package at the path `below` the root;
    /// `None` is the root.
    pub(super) fn xtask(
        &mut self,
        root: &Path,
        below: Option<String>,
        package: &str,
        runtime: &Dependency,
    ) -> Result<(), CommandError> {
        let path = root.join("xtask/Cargo.toml");
        let text = "[package]\nname = \"xtask\"\nversion = \"0.1.0\"\nedition = \"2024\"\npublish = false\n\n[dependencies]\n";
        let mut document = parse(&path, text)?;
        let package_path = below.map_or_else(|| "..".to_owned(), |below| format!("../{below}"));
        let dependencies = table(&mut document, "dependencies", &path)?;
        let mut inline = InlineTable::new();
        inline.insert("path", Value::from(package_path));
        dependencies.insert(package, value(inline));
        add(dependencies, runtime);
        self.documents.insert(path, document);
        Ok(())
    }

    /// Adds the alias `cargo xtask`.
    pub(super) fn alias(&mut self, root: &Path) -> Result<(), CommandError> {
        let path = root.join(".cargo/config.toml");
        if !path.exists() {
            self.documents.insert(path.clone(), DocumentMut::new());
        }
        let document = self.document(&path)?;
        let aliases = table(document, "alias", &path)?;
        if !aliases.contains_key("xtask") {
            aliases.insert("xtask", value("run --quiet --package xtask --"));
        }
        Ok(())
    }

    /// Adds a member to the workspace of a directory.
    pub(super) fn member(&mut self, root: &Path, member: &str) -> Result<(), CommandError> {
        let path = root.join("Cargo.toml");
        let document = self.document(&path)?;
        let workspace = table(document, "workspace", &path)?;
        if !workspace.contains_key("members") {
            workspace.insert("members", value(Array::new()));
        }
        let members = workspace.get_mut("members").and_then(Item::as_array_mut);
        let Some(members) = members else {
            return Err(CommandError(format!(
                "{}: `workspace.members` is not a list",
                path.display()
            )));
        };
        if !members.iter().any(|known| known.as_str() == Some(member)) {
            members.push(member);
        }
        Ok(())
    }

    /// Writes all files. Returns how each was changed.
    pub(super) fn write(self) -> Result<Vec<(PathBuf, &'static str)>, CommandError> {
        if let Some(path) = self.created.keys().find(|path| path.exists()) {
            return Err(CommandError(format!(
                "{} already exists; nothing was written",
                path.display()
            )));
        }
        let mut all: BTreeMap<PathBuf, String> = self.created;
        all.extend(self.updated);
        all.extend(self.documents.into_iter().map(|(path, document)| (path, document.to_string())));
        let mut done = Vec::new();
        for (path, text) in all {
            let what = match fs::read_to_string(&path) {
                Ok(old) if old == text => continue,
                Ok(_) => UPDATED,
                Err(_) => CREATED,
            };
            let written = match path.parent() {
                Some(dir) => fs::create_dir_all(dir).and_then(|()| fs::write(&path, text)),
                None => fs::write(&path, text),
            };
            written.map_err(|error| CommandError(format!("{}: {error}", path.display())))?;
            done.push((path, what));
        }
        Ok(done)
    }

    /// Returns a TOML file, read on first use.
    fn document(&mut self, path: &Path) -> Result<&mut DocumentMut, CommandError> {
        if !self.documents.contains_key(path) {
            let document = parse(path, &read(path)?)?;
            self.documents.insert(path.to_owned(), document);
        }
        let missing = || CommandError(format!("{}: cannot be read", path.display()));
        self.documents.get_mut(path).ok_or_else(missing)
    }
}

fn read(path: &Path) -> Result<String, CommandError> {
    fs::read_to_string(path).map_err(|error| CommandError(format!("{}: {error}", path.display())))
}

fn parse(path: &Path, text: &str) -> Result<DocumentMut, CommandError> {
    text.parse().map_err(|error| CommandError(format!("{}: {error}", path.display())))
}

/// Returns a table at the root of a document, created if absent.
fn table<'d>(
    document: &'d mut DocumentMut,
    name: &str,
    path: &Path,
) -> Result<&'d mut dyn TableLike, CommandError> {
    let item = document.entry(name).or_insert_with(|| Item::Table(Table::new()));
    let message = || CommandError(format!("{}: `{name}` is not a table", path.display()));
    item.as_table_like_mut().ok_or_else(message)
}

/// Adds a dependency, or its features to an existing one.
fn add(table: &mut dyn TableLike, dependency: &Dependency) {
    let Dependency { name, version, default_features, features, path } = dependency;
    let Some(known) = table.get_mut(name) else {
        if *default_features && features.is_empty() && path.is_none() {
            table.insert(name, value(version));
            return;
        }
        let mut inline = InlineTable::new();
        match path {
            Some(path) => inline.insert("path", Value::from(path)),
            None => inline.insert("version", Value::from(version)),
        };
        if !default_features {
            inline.insert("default-features", Value::from(false));
        }
        if !features.is_empty() {
            inline.insert("features", Value::Array(features.iter().collect()));
        }
        table.insert(name, value(inline));
        return;
    };
    if features.is_empty() {
        return;
    }
    if let Some(version) = known.as_str().map(str::to_owned) {
        let mut inline = InlineTable::new();
        inline.insert("version", Value::from(version));
        *known = value(inline);
    }
    let Some(known) = known.as_table_like_mut() else { return };
    if !known.contains_key("features") {
        known.insert("features", value(Array::new()));
    }
    let Some(list) = known.get_mut("features").and_then(Item::as_array_mut) else { return };
    // k8s-openapi takes one version feature only, so an existing one is kept.
    let is_version =
        |feature: &str| feature.starts_with("v1_") || feature == "latest" || feature == "earliest";
    let has_version = list.iter().filter_map(Value::as_str).any(is_version);
    for feature in features {
        let is_present = list.iter().any(|known| known.as_str() == Some(feature));
        let is_second_version = has_version && is_version(feature);
        if !is_present && !is_second_version {
            list.push(feature);
        }
    }
}

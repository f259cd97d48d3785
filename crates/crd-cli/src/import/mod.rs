//! `import`: writes Rust types from CRDs, which derive back to them.

mod code;
mod compare;
mod into;
mod keys;
mod keywords;
mod kind;
mod known;
mod merge;
mod model;
mod names;
mod paths;
mod print;
mod prove;
mod schema;
mod type_names;
mod union;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::Value;

pub use self::compare::Difference;
pub use self::print::Purpose;
pub use self::prove::Proof;
use super::args::{Files, Paths};
use super::{CommandError, CommandOutcome, Context, manifests, objects};
use crate::definition;
use crate::identifiers::snake;

/// Arguments of `import`.
#[derive(Debug, Args)]
pub(super) struct Import {
    #[command(flatten)]
    files: Files,
    /// The Rust file to write, or a directory for a file per CRD. Default: standard output.
    #[arg(short, long, value_name = "PATH")]
    out: Option<PathBuf>,
    /// Replace files that exist.
    #[arg(long)]
    force: bool,
    /// Write only what has changed in the CRD since `--since`, into a file that `crd import` has written and that may have
    /// been edited. The changes are shown. Where both have changed, the file is kept, and the exit status is 1.
    #[arg(long, value_name = "FILE", requires = "since", conflicts_with_all = ["out", "force", "prove"])]
    into: Option<PathBuf>,
    /// The CRD from which the file of `--into` was written.
    #[arg(long, value_name = "FILE", requires = "into")]
    since: Option<PathBuf>,
    /// Write types for clients only, without a schema: for kinds that somebody else installs. They need serde and
    /// k8s-openapi, not crd-runtime.
    #[arg(long, conflicts_with = "prove")]
    types_only: bool,
    /// Compile the types with cargo, and compare what they derive with the CRDs. Each difference is printed, and none is
    /// what you want: exit status 1 otherwise.
    #[arg(long)]
    prove: bool,
    /// Depend on `crd-runtime` in this directory, not in the registry.
    #[arg(long, value_name = "DIR", hide = true)]
    crd_runtime_path: Option<PathBuf>,
}

/// The Rust source of a definition.
#[derive(Debug)]
pub struct Imported {
    /// The name of the module, such as `cron_tab`.
    module: String,
    /// The API group.
    group: String,
    /// The only version, or the file that declares a module for each version.
    main: String,
    /// The modules of several versions, by their names.
    versions: Vec<(String, String)>,
    /// The names of the versions, and their kinds as Rust types.
    kinds: Vec<(String, String)>,
    /// How many descriptions lose line breaks inside of paragraphs.
    joined: usize,
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
    fn types<'a>(&'a self, module: &'a str) -> impl Iterator<Item = (&'a str, String)> {
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

/// Writes the types of each CRD.
pub(super) fn run(
    context: &mut Context<'_>,
    args: &Import,
) -> Result<CommandOutcome, CommandError> {
    args.files.required()?;
    let loaded = objects::load(context, &args.files.paths())?;
    let mut outcome = loaded.outcome(true);
    let purpose = if args.types_only { Purpose::Client } else { Purpose::Definition };
    let (mut definitions, mut imported) = (Vec::new(), Vec::new());
    for placed in &loaded.crds {
        let read = import(&placed.value, purpose).map(|sources| (placed.value.clone(), sources));
        match read {
            Ok((crd, sources)) => {
                definitions.push(crd);
                imported.push(sources);
            }
            Err(error) => {
                writeln!(context.err, "{}: {error}", placed.place)?;
                outcome = CommandOutcome::Invalid;
            }
        }
    }
    if imported.is_empty() {
        return Err(CommandError("no CRDs found in the documents; nothing to import".to_owned()));
    }
    if let (Some(file), Some(since)) = (&args.into, &args.since) {
        return write_changes(context, since, purpose, &imported, file);
    }
    write(context, args, &imported)?;
    let joined: usize = imported.iter().map(|sources| sources.joined).sum();
    if joined > 0 {
        writeln!(
            context.err,
            "note: {joined} descriptions have line breaks inside of paragraphs, which doc comments do not keep"
        )?;
    }
    if args.prove && !is_proven(context, args, &definitions, &imported)? {
        return Ok(CommandOutcome::Invalid);
    }
    Ok(outcome)
}

/// Writes what has changed since another CRD.
fn write_changes(
    context: &mut Context<'_>,
    since: &Path,
    purpose: Purpose,
    imported: &[Imported],
    file: &Path,
) -> Result<CommandOutcome, CommandError> {
    let paths = Paths { paths: vec![since.to_owned()], ignore: Vec::new() };
    let loaded = objects::load(context, &paths)?;
    let ([old], [new]) = (&loaded.crds[..], imported) else {
        let message = "`--into` takes one CRD, and one of `--since`";
        return Err(CommandError(message.to_owned()));
    };
    let old = import(&old.value, purpose)
        .map_err(|error| CommandError(format!("{}: {error}", old.place)))?;
    into::run(context, &old, new, file)
}

/// Compiles and compares, and prints each difference.
fn is_proven(
    context: &mut Context<'_>,
    args: &Import,
    definitions: &[Value],
    imported: &[Imported],
) -> Result<bool, CommandError> {
    let proof = Proof::new(definitions.iter().zip(imported));
    let proofs = prove::run(&proof, args.crd_runtime_path.as_deref())?;
    let mut is_equal = true;
    for (definition, differences) in definitions.iter().zip(proofs) {
        let name = definition["metadata"]["name"].as_str().unwrap_or_default();
        if differences.is_empty() {
            writeln!(context.err, "{name}: derives back to an equal CRD")?;
        }
        for Difference { path, text } in differences {
            is_equal = false;
            writeln!(context.err, "{name}: {path}: {text}")?;
        }
    }
    Ok(is_equal)
}

fn write(
    context: &mut Context<'_>,
    args: &Import,
    imported: &[Imported],
) -> Result<(), CommandError> {
    let Some(out) = &args.out else {
        for sources in imported {
            write!(context.out, "{}", sources.main)?;
            for (name, text) in &sources.versions {
                write!(context.out, "\n// {name}.rs\n\n{text}")?;
            }
        }
        return Ok(());
    };
    let mut files = Vec::new();
    if out.extension().is_some_and(|extension| extension == "rs") {
        let [sources] = imported else {
            return Err(CommandError(format!(
                "`{}` is one file, and there are {} CRDs; pass a directory with `--out`",
                out.display(),
                imported.len()
            )));
        };
        files.extend(sources.files(out));
    } else {
        let mut names = BTreeSet::new();
        for (sources, module) in imported.iter().zip(modules(imported)) {
            files.extend(
                sources.files(&out.join(format!("{}.rs", module.trim_start_matches("r#")))),
            );
            names.insert(module);
        }
        let declarations = names.iter().map(|module| format!("pub mod {module};\n"));
        files.push((out.join("mod.rs"), declarations.collect()));
    }
    if let Some((path, _)) = files.iter().find(|(path, _)| !args.force && path.exists()) {
        return Err(CommandError(format!(
            "`{}` exists; pass `--force` to replace it. Nothing was written",
            path.display()
        )));
    }
    for (path, text) in files {
        let failed = |error: std::io::Error| CommandError(format!("{}: {error}", path.display()));
        if let Some(directory) = path.parent() {
            std::fs::create_dir_all(directory).map_err(failed)?;
        }
        manifests::replace(&path, &text).map_err(failed)?;
        writeln!(context.out, "{}", path.display())?;
    }
    Ok(())
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
    let decoded = definition::decode(definition).map_err(|error| error.to_string())?;
    let definition = &serde_json::to_value(&decoded.crd).map_err(|error| error.to_string())?;
    let versions = kind::versions(definition).map_err(|kind::Unreadable(why)| why)?;
    let kind = versions.first().ok_or_else(|| "it has no versions".to_owned())?.kind.clone();
    let name = definition.pointer("/metadata/name").and_then(Value::as_str).unwrap_or_default();
    let head =
        |version: &str| format!("//! `{name}`, version `{version}`.\n\n{}\n", print::ALLOWED);
    let sources: Vec<_> = versions.iter().map(|version| print::version(version, purpose)).collect();
    let joined = sources.iter().map(|source| source.joined).sum();
    // The types that versions share are in the module of the version that is stored.
    let stored = versions.iter().position(|version| version.is_stored).unwrap_or_default();
    let base = (snake(&versions[stored].name), &sources[stored]);
    let mut files: Vec<_> = versions
        .iter()
        .zip(&sources)
        .enumerate()
        .map(|(index, (version, source))| {
            let base = (index != stored).then_some((base.0.as_str(), base.1));
            let text = format!("{}{}", head(&version.name), source.file(base));
            (snake(&version.name), text)
        })
        .collect();
    let kinds = versions.iter().map(|it| (it.name.clone(), names::kind(&it.kind))).collect();
    let module = snake(&kind);
    let group = versions.first().map(|version| version.group.clone()).unwrap_or_default();
    if let [(_, text)] = &mut files[..] {
        let main = std::mem::take(text);
        return Ok(Imported { module, group, main, versions: Vec::new(), kinds, joined });
    }
    let modules = files.iter().map(|(name, _)| format!("pub mod {name};\n"));
    let main = format!("//! The versions of `{name}`.\n\n{}", modules.collect::<String>());
    Ok(Imported { module, group, main, versions: files, kinds, joined })
}

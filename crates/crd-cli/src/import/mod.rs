//! `import`: writes Rust types from CRDs, which derive back to them.

mod code;
mod common;
mod compare;
mod files;
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
mod source;
mod type_names;
mod union;

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::Value;

pub use self::compare::Difference;
pub use self::files::{Directory, Imported, Readable, import};
pub use self::model::Purpose;
pub use self::prove::Proof;
use super::args::{Files, Paths};
use super::{CommandError, CommandOutcome, Context, manifests, objects};

/// Arguments of `import`.
#[derive(Debug, Args)]
pub(super) struct Import {
    #[command(flatten)]
    files: Files,
    /// The Rust file to write, or a directory for a file per CRD, which share their equal types. Default: standard output.
    #[arg(short, long, value_name = "PATH")]
    out: Option<PathBuf>,
    /// Replace files that exist.
    #[arg(long)]
    force: bool,
    /// Write only what has changed in the CRD since `--since`, into a file that `crd import` has written and that may have
    /// been edited, or into a directory of such files. The changes are shown. Where both have changed, the file is kept,
    /// and the exit status is 1.
    #[arg(long, value_name = "PATH", requires = "since", conflicts_with_all = ["out", "force", "prove"])]
    into: Option<PathBuf>,
    /// The CRD, or the directory of CRDs, from which `--into` was written.
    #[arg(long, value_name = "PATH", requires = "into")]
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

/// Writes the types of each CRD.
pub(super) fn run(
    context: &mut Context<'_>,
    args: &Import,
) -> Result<CommandOutcome, CommandError> {
    args.files.required()?;
    let purpose = if args.types_only { Purpose::Client } else { Purpose::Definition };
    let mut read = read(context, &args.files.paths())?;
    if let (Some(file), Some(since)) = (&args.into, &args.since) {
        let since = Paths { paths: vec![since.to_owned()], ignore: Vec::new() };
        let old = self::read(context, &since)?;
        files::keep_names(&mut read.readable, &old.readable);
        let changed =
            into::run(context, written(&old, purpose, file)?, written(&read, purpose, file)?)?;
        return Ok(match changed {
            CommandOutcome::Valid => read.outcome,
            changed => changed,
        });
    }
    let joined = write(context, args, &read, purpose)?;
    if joined > 0 {
        writeln!(
            context.err,
            "note: {joined} descriptions have line breaks inside of paragraphs, which doc comments do not keep"
        )?;
    }
    if args.prove && !is_proven(context, args, &read)? {
        return Ok(CommandOutcome::Invalid);
    }
    Ok(read.outcome)
}

/// The CRDs of the arguments.
struct Read {
    definitions: Vec<Value>,
    readable: Vec<Readable>,
    outcome: CommandOutcome,
}

fn read(context: &mut Context<'_>, paths: &Paths) -> Result<Read, CommandError> {
    let loaded = objects::load(context, paths)?;
    let mut outcome = loaded.outcome(true);
    let (mut definitions, mut readable) = (Vec::new(), Vec::new());
    for placed in loaded.crds {
        match Readable::new(&placed.value) {
            Ok(read) => {
                definitions.push(placed.value);
                readable.push(read);
            }
            Err(error) => {
                writeln!(context.err, "{}: {error}", placed.place)?;
                outcome = CommandOutcome::Invalid;
            }
        }
    }
    if readable.is_empty() {
        return Err(CommandError("no CRDs found in the documents; nothing to import".to_owned()));
    }
    Ok(Read { definitions, readable, outcome })
}

/// Returns the files of the CRDs at a path, which is a file of Rust or a directory.
fn written(
    read: &Read,
    purpose: Purpose,
    out: &Path,
) -> Result<Vec<(PathBuf, String)>, CommandError> {
    let directory = Directory::new(&read.readable, purpose);
    if out.extension().is_none_or(|extension| extension != "rs") {
        return Ok(directory.files(out));
    }
    let [sources] = &directory.kinds[..] else {
        return Err(CommandError(format!(
            "`{}` is one file, and there are {} CRDs; pass a directory",
            out.display(),
            read.readable.len()
        )));
    };
    Ok(sources.files(out))
}

/// Compiles and compares, and prints each difference.
fn is_proven(context: &mut Context<'_>, args: &Import, read: &Read) -> Result<bool, CommandError> {
    let directory = Directory::new(&read.readable, Purpose::Definition);
    let proof = Proof::new(&read.definitions, &directory);
    let proofs = prove::run(&proof, args.crd_runtime_path.as_deref())?;
    let mut is_equal = true;
    for (definition, differences) in read.definitions.iter().zip(proofs) {
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

/// Writes the types, and returns how many descriptions lose line breaks.
fn write(
    context: &mut Context<'_>,
    args: &Import,
    read: &Read,
    purpose: Purpose,
) -> Result<usize, CommandError> {
    let joined = |kinds: &[Imported]| kinds.iter().map(|sources| sources.joined).sum();
    let Some(out) = &args.out else {
        let kinds = Directory::apart(&read.readable, purpose).kinds;
        for sources in &kinds {
            write!(context.out, "{}", sources.main)?;
            for (name, text) in &sources.versions {
                write!(context.out, "\n// {name}.rs\n\n{text}")?;
            }
        }
        return Ok(joined(&kinds));
    };
    let files = written(read, purpose, out)?;
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
    Ok(joined(&Directory::new(&read.readable, purpose).kinds))
}

//! `migrate`: rewrites the attributes of kube's derive and of schemars to `#[crd(..)]`, in place.
//!
//! Three stages: the attributes are read ([`source`], [`serde`], [`scope`]), become a plan of edits ([`plan`] and what it
//! uses), and the edits are applied to the text ([`mod@edit`]). What is not edited stays byte for byte. The `use`
//! declarations follow in a second pass, over the text with the new attributes.

mod compare;
mod constant;
mod derives;
mod edit;
mod field;
mod function;
mod functions;
mod imports;
mod json;
mod keys;
mod keywords;
mod kind;
mod manual;
mod note;
mod plan;
mod rule;
mod schemars;
mod scope;
mod serde;
mod source;
mod write;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

pub use self::note::{Note, Severity};
use self::plan::{FunctionUse, Plan};
use self::scope::Names;
use self::source::Source;
use super::{CommandError, CommandOutcome, Context, manifests, style, unified};

/// Arguments of `migrate`.
#[derive(Debug, Args)]
pub(super) struct Migrate {
    /// Files of Rust, and directories with them. Pass all that hold types of your kinds at once, so that one file's
    /// types are known in another.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Print what would change as a diff, and write nothing. Exit status 1 if something would.
    #[arg(long, visible_alias = "dry-run")]
    check: bool,
    /// A program that prints your definitions as YAML, with its arguments, such as "cargo run --quiet --bin crdgen". It
    /// runs before and after the edits, and what these change in the definitions is printed as by `crd diff`.
    #[arg(long, conflicts_with = "check")]
    program: Option<String>,
}

/// A file after the migration.
#[derive(Debug)]
pub struct Migrated {
    /// The path as it was given.
    pub path: PathBuf,
    /// The new text, or why the file stays as it is.
    pub text: Result<String, String>,
    /// What is to be said of lines of the old text.
    pub notes: Vec<Note>,
}

/// The result of a migration.
#[derive(Debug, Default)]
pub struct Migration {
    /// All files, in the order given.
    pub files: Vec<Migrated>,
    /// The features of `crd-runtime` that the types need.
    pub features: BTreeSet<String>,
    /// How many of serde's defaults were taken over into the schema.
    pub defaults: usize,
}

/// Migrates files, each with its text. `crates` are the names of the packages that they are in.
#[must_use]
pub fn migrate(files: Vec<(PathBuf, String)>, crates: BTreeSet<String>) -> Migration {
    let mut migration = Migration::default();
    let (mut sources, mut texts) = (Vec::new(), Vec::new());
    for (path, text) in files {
        match Source::parse(path.clone(), &text) {
            Ok(source) => {
                sources.push(source);
                texts.push(text);
            }
            Err(error) => {
                migration.files.push(Migrated { path, text: Err(error), notes: Vec::new() });
            }
        }
    }
    let names = Names::of(&sources, crates);
    let (mut edits, mut notes, mut uses, mut kinds) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for index in 0..sources.len() {
        let Some(mut plan) = Plan::new(&sources, index, &names) else { continue };
        plan.run();
        let Plan { edits: own, notes: said, functions, features, defaults, .. } = plan;
        kinds.push((plan.kept, plan.kinds));
        edits.push(own);
        notes.push(said);
        uses.extend::<Vec<FunctionUse>>(functions);
        migration.features.extend(features);
        migration.defaults += defaults;
    }
    migration.features.retain(|name| scope::FEATURES.contains(&&**name));
    functions::edit(&uses, &names, &sources, &mut edits);
    let any_kept = kinds.iter().any(|(kept, _)| *kept > 0);
    let results = sources.iter().zip(edits).zip(notes).zip(texts).zip(kinds);
    for ((((source, edits), notes), text), (kept, kinds)) in results {
        // A file without kinds may use those of the other files.
        let new = apply(source, edits, kept > 0 || (any_kept && kinds == 0));
        let new = new.map_err(|error| format!("{}: {error}", source.path.display()));
        let text = new.map(|new| if text.contains("\r\n") { with_returns(&new) } else { new });
        migration.files.push(Migrated { path: source.path.clone(), text, notes });
    }
    migration
}

/// Applies the edits to a file, and then those of its `use` declarations.
fn apply(source: &Source, edits: edit::Edits, keeps_kube: bool) -> Result<String, String> {
    let text = edits.apply(&source.text)?;
    let broken = |error: String| {
        format!("the result would not be Rust ({error}); migrate this file by hand")
    };
    let edited = Source::parse(source.path.clone(), &text).map_err(broken)?;
    let text = imports::edit(&edited, keeps_kube).apply(&text)?;
    source::parse(&text).map_err(|error| broken(error.to_string()))?;
    Ok(if source.has_mark { format!("\u{feff}{text}") } else { text })
}

/// Ends all lines as the file did.
fn with_returns(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\n', "\r\n")
}

/// Runs the command.
pub(super) fn run(
    context: &mut Context<'_>,
    args: &Migrate,
) -> Result<CommandOutcome, CommandError> {
    let Some(program) = &args.program else { return edit(context, args) };
    let printed = || compare::printed(program);
    compare::around(context, Path::new(compare::BEFORE), &printed, |context| edit(context, args))
}

/// Edits the files.
fn edit(context: &mut Context<'_>, args: &Migrate) -> Result<CommandOutcome, CommandError> {
    let mut paths = Vec::new();
    for path in &args.paths {
        rust_files(path, &mut paths)?;
    }
    paths.sort();
    paths.dedup();
    if paths.is_empty() {
        return Err(CommandError("there are no files of Rust in these paths".to_owned()));
    }
    let mut files = Vec::new();
    for path in &paths {
        let text = fs::read_to_string(path).map_err(|error| about(path, &error))?;
        files.push((path.clone(), text));
    }
    let before: std::collections::BTreeMap<_, _> = files.iter().cloned().collect();
    let crates = paths.iter().filter_map(|path| package(path)).collect();
    let migration = migrate(files, crates);
    let (mut changed, mut by_hand, mut broken) = (0_usize, 0_usize, 0_usize);
    for file in &migration.files {
        let path = file.path.display();
        match &file.text {
            Err(error) => {
                broken += 1;
                writeln!(context.err, "{}: {}", style::bad("error"), style::text(error))?;
            }
            Ok(text) => {
                let old = before.get(&file.path).map_or("", String::as_str);
                if old != text {
                    changed += 1;
                    let name = path.to_string();
                    if args.check {
                        unified::write(context.out, (&name, old), (&name, text))?;
                    } else {
                        manifests::replace(&file.path, text)
                            .map_err(|error| about(&file.path, &error))?;
                        writeln!(context.out, "{name}")?;
                    }
                }
                for Note { line, severity, text } in &file.notes {
                    by_hand += usize::from(*severity == Severity::ByHand);
                    writeln!(context.err, "{path}:{line}: {severity}: {}", style::text(text))?;
                }
            }
        }
    }
    summarize(context, &migration, changed, by_hand)?;
    if broken > 0 {
        return Ok(CommandOutcome::Unreadable);
    }
    let is_done = by_hand == 0 && !(args.check && changed > 0);
    Ok(if is_done { CommandOutcome::Valid } else { CommandOutcome::Invalid })
}

fn summarize(
    context: &mut Context<'_>,
    migration: &Migration,
    changed: usize,
    by_hand: usize,
) -> Result<(), CommandError> {
    let defaults = migration.defaults;
    writeln!(
        context.err,
        "{changed} files changed, {defaults} defaults of serde taken over, {by_hand} edits left to do by hand"
    )?;
    if changed > 0 {
        let features: Vec<_> = std::iter::once("client")
            .chain(migration.features.iter().map(String::as_str))
            .collect();
        writeln!(
            context.err,
            "next: `cargo add crd-runtime --features {}`, `cargo fmt`, and compare the manifests",
            features.join(",")
        )?;
    }
    Ok(())
}

fn about(path: &Path, error: &std::io::Error) -> CommandError {
    CommandError(format!("{}: {error}", path.display()))
}

/// Adds the files of Rust at a path, without those that cargo has built and hidden ones.
fn rust_files(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), CommandError> {
    let mut open = vec![path.to_owned()];
    while let Some(path) = open.pop() {
        if !path.is_dir() {
            files.push(path);
            continue;
        }
        for entry in fs::read_dir(&path).map_err(|error| about(&path, &error))? {
            let entry = entry.map_err(|error| about(&path, &error))?;
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let kind = entry.file_type().map_err(|error| about(&path, &error))?;
            // A link to a directory could lead back.
            if kind.is_dir() && name != "target" && !name.starts_with('.') {
                open.push(entry.path());
            } else if kind.is_file() && entry.path().extension().is_some_and(|it| it == "rs") {
                files.push(entry.path());
            }
        }
    }
    Ok(())
}

/// Returns the name of the package of a file, as code writes it.
fn package(path: &Path) -> Option<String> {
    let path = fs::canonicalize(path).ok()?;
    let manifest = path.ancestors().map(|it| it.join("Cargo.toml")).find(|it| it.is_file())?;
    let manifest: toml_edit::DocumentMut = fs::read_to_string(manifest).ok()?.parse().ok()?;
    Some(manifest.get("package")?.get("name")?.as_str()?.replace('-', "_"))
}

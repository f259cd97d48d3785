//! `crds`: writes the manifests of the registered kinds, or checks that they are up to date.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

use clap::Args;
use serde_json::Value;

use super::args::ManifestFormat;
use super::check::write_incompatibilities;
use super::kubernetes::Minors;
use super::location::FileLine;
use super::objects::Placed;
use super::verdict::Incompatibility;
use super::{
    CommandError, CommandOutcome, Context, Registry, catalog, descriptions, diff, last_applied,
    minors, pipeline, report, style, unified, workspace,
};
use crate::field::Error;
use crate::{definition, yaml};

/// Arguments of `crds`.
#[derive(Debug, Args)]
pub(super) struct Crds {
    /// The directory to write to, or `-` for standard output.
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    /// The format to write.
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: ManifestFormat,
    /// Write nothing. Fail, with a diff, if a file is out of date.
    #[arg(long)]
    pub(super) check: bool,
    /// Also check the CRDs on these versions of Kubernetes, and fail if one of them rejects a CRD. Differences from the
    /// newest version are warnings. MINORS is a version (`1.33`), an inclusive range (`1.31..1.37`, `1.33..`), or a
    /// list of both (`1.31,1.33..1.35`).
    #[arg(long, value_name = "MINORS")]
    pub(super) kubernetes: Option<Minors>,
    /// Delete manifests that belong to no registered kind.
    #[arg(long, conflicts_with = "check")]
    pub(super) prune: bool,
    /// Write nothing. Compare the registered kinds with these definitions, as `diff` does: a file, a directory,
    /// `git:REF:PATH`, or `git:REF` for the manifests in the same directory.
    #[arg(long, value_name = "OLD", conflicts_with_all = ["check", "prune"])]
    pub(super) against: Option<String>,
    #[command(flatten)]
    pub(super) comparison: diff::Options,
    /// Shorten descriptions to at most N characters, at the end of a sentence or word; 0 removes them.
    #[arg(long, value_name = "N")]
    pub(super) max_description_length: Option<usize>,
}

/// The advice for a manifest without a registered kind.
const DELETE: &str = "delete it, or run `crds --prune`";

/// Writes the manifests, or compares them with the files on disk.
pub(super) fn run(context: &mut Context<'_>, args: &Crds) -> Result<CommandOutcome, CommandError> {
    let out = args.out.clone().unwrap_or_else(|| workspace::anchor(&context.registry.out));
    if args.check && out.as_os_str() == "-" {
        let message = "`--check` needs a directory to compare with; pass `--out DIR`";
        return Err(CommandError(message.to_owned()));
    }
    if let Some(old) = &args.against {
        return diff::against(context, old, &out, &args.comparison);
    }
    let crds = registered(context.registry)?;
    let mut made = Vec::with_capacity(crds.len());
    pipeline::run(
        crds.iter(),
        |crd| ManifestText::of(crd, args),
        |one| {
            made.push(one);
            Ok(())
        },
    )?;
    let files = files(&crds, &made, args.format)?;
    let mut valid = true;
    for (crd, made) in crds.iter().zip(&made) {
        let checked = made.checked.as_ref().map_err(|text| CommandError(text.clone()))?;
        valid &= checked.report(context, crd)?;
    }
    if !valid {
        return Ok(CommandOutcome::Invalid);
    }
    if out.as_os_str() == "-" {
        for (index, text) in files.values().enumerate() {
            if index > 0 && args.format == ManifestFormat::Yaml {
                context.out.write_all(b"---\n")?;
            }
            context.out.write_all(text.as_bytes())?;
        }
        return Ok(CommandOutcome::Valid);
    }
    if args.check { check(context, &out, &files) } else { write(context, &out, &files, args.prune) }
}

/// Returns the manifests of all kinds.
fn registered(registry: &Registry) -> Result<Vec<&Value>, CommandError> {
    if registry.crds.is_empty() {
        return Err(CommandError("no kinds registered; nothing to write".to_owned()));
    }
    let crds =
        registry.crds.iter().map(|crd| crd.as_ref().map_err(|error| CommandError(error.clone())));
    crds.collect()
}

/// A registered manifest, ready to be written.
struct ManifestText {
    /// The text of the file.
    text: Result<String, String>,
    /// The server's errors and warnings, or why it does not decode.
    checked: Result<ManifestCheck, String>,
}

impl ManifestText {
    fn of(crd: &Value, args: &Crds) -> Self {
        let written = written(crd, args);
        let mut checked = ManifestCheck::of(crd, args.kubernetes.as_ref());
        if let Ok(checked) = &mut checked {
            checked.warnings.extend(last_applied::warning(&written));
        }
        Self { text: manifest(&written, args.format), checked }
    }
}

/// The errors and warnings that the API server and kubectl would return for a manifest.
struct ManifestCheck {
    name: String,
    errors: Vec<Error>,
    warnings: Vec<String>,
    incompatibilities: Vec<Incompatibility>,
}

impl ManifestCheck {
    fn of(crd: &Value, minors: Option<&Minors>) -> Result<Self, String> {
        let crd = definition::decode(crd).map_err(|error| error.to_string())?.crd;
        let (errors, incompatibilities) = match minors {
            Some(minors) => {
                let compared = minors::compare(&crd, None, minors);
                (compared.errors, compared.incompatibilities)
            }
            None => (definition::validate(&crd).into_iter().collect(), Vec::new()),
        };
        let kubernetes = minors.map(Minors::newest).unwrap_or_default();
        let warnings = definition::warnings_on(&crd, kubernetes);
        Ok(Self { errors, warnings, incompatibilities, name: crd.metadata.name })
    }

    /// Prints the errors and warnings. Returns whether the server would accept the manifest.
    fn report(&self, context: &mut Context<'_>, crd: &Value) -> io::Result<bool> {
        let Self { name, errors, warnings, incompatibilities } = self;
        let place = FileLine { file: name.clone(), line: 0 };
        let placed = Placed { place, value: crd.clone(), source: None };
        if !errors.is_empty() {
            let errors = placed.located(context.registry, errors.clone());
            report::write_invalid(context.err, catalog::CRD_KIND, name, &errors)?;
        }
        for warning in warnings {
            writeln!(context.err, "{name}: {}: {warning}", style::warning("Warning"))?;
        }
        let mut found = incompatibilities.clone();
        minors::locate(context.registry, &placed, &mut found);
        write_incompatibilities(context.err, &placed.place, &found)?;
        Ok(errors.is_empty() && !found.iter().any(|found| found.rejected))
    }
}

/// Returns the manifest that is written: without a status, and with short descriptions if asked for.
fn written<'c>(crd: &'c Value, args: &Crds) -> Cow<'c, Value> {
    let mut crd = Cow::Borrowed(crd);
    if crd.get("status").is_some()
        && let Some(root) = crd.to_mut().as_object_mut()
    {
        // The server sets the status; a manifest to be applied must not have one.
        root.remove("status");
    }
    if let Some(longest) = args.max_description_length {
        descriptions::shorten(crd.to_mut(), longest);
    }
    crd
}

/// Returns the text of a file with a definition.
fn manifest(crd: &Value, format: ManifestFormat) -> Result<String, String> {
    Ok(match format {
        ManifestFormat::Yaml => yaml::to_string(crd),
        ManifestFormat::Json => format!("{}\n", pretty(crd)?),
    })
}

/// Returns the texts of the files to write, by file name.
fn files<'m>(
    crds: &[&Value],
    made: &'m [ManifestText],
    format: ManifestFormat,
) -> Result<BTreeMap<String, &'m str>, CommandError> {
    let mut files = BTreeMap::new();
    for (crd, made) in crds.iter().zip(made) {
        let name = file_name(crd, format)?;
        let text = made.text.as_ref().map_err(|error| CommandError(error.clone()))?;
        if files.insert(name.clone(), text.as_str()).is_some() {
            return Err(CommandError(format!("two registered kinds are named {name}")));
        }
    }
    Ok(files)
}

/// Returns JSON with sorted keys: another crate may enable `preserve_order` of `serde_json`.
fn pretty(value: &Value) -> Result<String, String> {
    let mut sorted = value.clone();
    sorted.sort_all_objects();
    serde_json::to_string_pretty(&sorted).map_err(|error| error.to_string())
}

/// Returns the file name, such as `crontabs.stable.example.com.yaml`.
fn file_name(crd: &Value, format: ManifestFormat) -> Result<String, CommandError> {
    let text = |pointer| crd.pointer(pointer).and_then(Value::as_str);
    let plural = text("/spec/names/plural");
    let (Some(plural), Some(group)) = (plural, text("/spec/group")) else {
        return Err(CommandError("a registered kind has no plural name or no group".to_owned()));
    };
    if [plural, group].iter().any(|part| part.is_empty() || part.contains(['/', '\\'])) {
        return Err(CommandError(format!("`{plural}.{group}` is not a valid file name")));
    }
    Ok(format!("{plural}.{group}.{}", extension(format)))
}

fn extension(format: ManifestFormat) -> &'static str {
    match format {
        ManifestFormat::Yaml => "yaml",
        ManifestFormat::Json => "json",
    }
}

fn write(
    context: &mut Context<'_>,
    out: &Path,
    files: &BTreeMap<String, &str>,
    prune: bool,
) -> Result<CommandOutcome, CommandError> {
    fs::create_dir_all(out).map_err(|error| about(out, &error))?;
    for (name, text) in files {
        let path = out.join(name);
        let old = read(&path)?;
        let what = match &old {
            Some(old) if old == *text => "unchanged",
            Some(_) => "updated",
            None => "created",
        };
        if old.as_deref() != Some(*text) {
            replace(&path, text).map_err(|error| about(&path, &error))?;
        }
        writeln!(context.out, "{} {what}", path.display())?;
    }
    for path in left_over(out, files)? {
        if prune {
            fs::remove_file(&path).map_err(|error| about(&path, &error))?;
            writeln!(context.out, "{} deleted", path.display())?;
            continue;
        }
        let message = format!("{}: belongs to no registered kind; {DELETE}", path.display());
        writeln!(context.err, "{}: {message}", style::warning("warning"))?;
    }
    Ok(CommandOutcome::Valid)
}

fn check(
    context: &mut Context<'_>,
    out: &Path,
    files: &BTreeMap<String, &str>,
) -> Result<CommandOutcome, CommandError> {
    let mut stale = 0;
    for (name, text) in files {
        let path = out.join(name);
        let shown = path.display().to_string();
        let old = read(&path)?;
        if old.as_deref() == Some(*text) {
            continue;
        }
        let (from, old) = old.map_or(("/dev/null", String::new()), |old| (shown.as_str(), old));
        unified::write(context.out, (from, &old), (&format!("{shown} (registered)"), text))?;
        stale += 1;
    }
    let left_over = left_over(out, files)?;
    for path in &left_over {
        writeln!(context.out, "{}: belongs to no registered kind", path.display())?;
    }
    let error = style::bad("error");
    if stale > 0 {
        let stale = count(stale, "manifest");
        writeln!(context.err, "{error}: {stale} out of date: run `crds`")?;
    }
    if !left_over.is_empty() {
        let left_over = count(left_over.len(), "manifest");
        writeln!(context.err, "{error}: {left_over} of no registered kind: {DELETE}")?;
    }
    if stale > 0 || !left_over.is_empty() {
        return Ok(CommandOutcome::Invalid);
    }
    writeln!(context.out, "{} up to date", count(files.len(), "manifest"))?;
    Ok(CommandOutcome::Valid)
}

/// Writes a file at once: readers see the old text or the new one. A link is replaced, not followed.
pub(super) fn replace(path: &Path, text: &str) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    let temporary = path.with_file_name(name);
    let mut file = fs::OpenOptions::new().write(true).create_new(true).open(&temporary)?;
    let written = file.write_all(text.as_bytes()).and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// Returns the manifests in a directory that this command has written for kinds that are no longer registered, sorted by
/// name.
fn left_over(out: &Path, files: &BTreeMap<String, &str>) -> Result<Vec<PathBuf>, CommandError> {
    let mut paths = Vec::new();
    let entries = match fs::read_dir(out) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(paths),
        Err(error) => return Err(about(out, &error)),
    };
    let extension = files.keys().next().and_then(|name| Path::new(name).extension());
    for entry in entries {
        let path = entry.map_err(|error| about(out, &error))?.path();
        let named =
            path.file_name().and_then(OsStr::to_str).is_some_and(|name| files.contains_key(name));
        if named || path.extension() != extension || !path.is_file() {
            continue;
        }
        if read(&path)?.is_some_and(|text| is_generated(&path, &text)) {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

/// Returns whether a file is exactly what this command writes for the definition in it, under the name that it gives to
/// the file. Definitions of others, files with further documents and files that somebody has edited are not.
fn is_generated(path: &Path, text: &str) -> bool {
    let mut documents = yaml::documents(text);
    let (Some(Ok(document)), None) = (documents.next(), documents.next()) else { return false };
    let crd = document.value;
    let is_json = path.extension().is_some_and(|extension| extension == "json");
    let format = if is_json { ManifestFormat::Json } else { ManifestFormat::Yaml };
    crd.get("kind").is_some_and(|kind| kind == catalog::CRD_KIND)
        && file_name(&crd, format).is_ok_and(|name| path.file_name() == Some(OsStr::new(&name)))
        && manifest(&crd, format).is_ok_and(|written| written == text)
}

/// Returns a file's text, or `None` if there is no file. Lines may end with CRLF, as Git checks them out on Windows.
/// Invalid UTF-8 is replaced, so that the file differs from any manifest.
fn read(path: &Path) -> Result<Option<String>, CommandError> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).replace("\r\n", "\n"))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(about(path, &error)),
    }
}

fn about(path: &Path, error: &io::Error) -> CommandError {
    CommandError(format!("{}: {error}", path.display()))
}

/// Counts things: `1 manifest`, `2 manifests`.
fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

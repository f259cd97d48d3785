//! `crds`: writes the manifests of the registered kinds, or checks that they are up to date.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::Value;

use super::args::Files;
use super::check::write_incompatibilities;
use super::kubernetes::Minors;
use super::location::FileLine;
use super::manifests::{self, Layout, Manifest, Subject, Target};
use super::objects::{self, Definitions, Placed};
use super::verdict::Incompatibility;
use super::{
    CommandError, CommandOutcome, Context, Registry, catalog, descriptions, diff, last_applied,
    minors, pipeline, report, style, workspace,
};
use crate::field::Error;
use crate::{Server, definition};

/// Arguments of `crds`.
#[derive(Debug, Args)]
pub(super) struct Crds {
    /// The directory to write to, or `-` for standard output.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    layout: Layout,
    #[command(flatten)]
    content: Content,
    /// Also check the CRDs on these versions of Kubernetes, and fail if one of them rejects a CRD. Differences from the
    /// newest version are warnings. MINORS is a version (`1.33`), an inclusive range (`1.31..1.37`, `1.33..`), or a
    /// list of both (`1.31,1.33..1.35`).
    #[arg(long, value_name = "MINORS")]
    kubernetes: Option<Minors>,
    /// Write nothing. Compare the registered kinds with these definitions, as `diff` does: a file, a directory,
    /// `git:REF:PATH`, or `git:REF` for the manifests in the same directory.
    #[arg(long, value_name = "OLD", conflicts_with_all = ["check", "prune"])]
    against: Option<String>,
    #[command(flatten)]
    comparison: diff::Options,
}

/// Arguments of `package`.
#[derive(Debug, Args)]
pub(super) struct Package {
    #[command(flatten)]
    files: Files,
    /// The directory to write to, or `-` for standard output, which is the default.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    layout: Layout,
    #[command(flatten)]
    content: Content,
}

/// What is written of definitions.
#[derive(Debug, Args)]
struct Content {
    /// Delete manifests that belong to none of the kinds.
    #[arg(long, conflicts_with = "check")]
    prune: bool,
    /// Shorten descriptions to at most N characters, at the end of a sentence or word; 0 removes them.
    #[arg(long, value_name = "N")]
    max_description_length: Option<usize>,
}

/// Writes the manifests of the registered kinds, or compares them with the files on disk.
pub(super) fn run(context: &mut Context<'_>, args: &Crds) -> Result<CommandOutcome, CommandError> {
    let out = args.out.clone().unwrap_or_else(|| workspace::anchor(&context.registry.out));
    if let Some(old) = &args.against {
        return diff::against(context, old, &out, &args.comparison);
    }
    let crds = registered(context.registry)?;
    let options = Options {
        layout: &args.layout,
        content: &args.content,
        minors: args.kubernetes.as_ref(),
        command: "crds",
        label: "registered",
        source: "registered kind",
    };
    options.run(context, &crds, &out)
}

/// Writes the CRDs of files in the form in which they are installed.
pub(super) fn package(
    context: &mut Context<'_>,
    args: &Package,
) -> Result<CommandOutcome, CommandError> {
    args.files.required()?;
    let Definitions { crds, unreadable } = objects::definitions(context, &args.files, true)?;
    if !unreadable.is_empty() {
        return Ok(CommandOutcome::Unreadable);
    }
    let crds: Vec<&Value> = crds.iter().map(|placed| &placed.value).collect();
    let options = Options {
        layout: &args.layout,
        content: &args.content,
        minors: None,
        command: "package",
        label: "given",
        source: "given definition",
    };
    let out = args.out.clone().unwrap_or_else(|| "-".into());
    options.run(context, &crds, &out)
}

/// The options of both commands.
struct Options<'a> {
    layout: &'a Layout,
    content: &'a Content,
    minors: Option<&'a Minors>,
    command: &'static str,
    label: &'static str,
    source: &'static str,
}

impl Options<'_> {
    fn run(
        &self,
        context: &mut Context<'_>,
        crds: &[&Value],
        out: &Path,
    ) -> Result<CommandOutcome, CommandError> {
        let is_printed = out.as_os_str() == "-";
        if self.layout.check && is_printed {
            let message = "`--check` needs a directory to compare with; pass `--out DIR`";
            return Err(CommandError(message.to_owned()));
        }
        let mut made = Vec::with_capacity(crds.len());
        pipeline::run(
            crds.iter(),
            |crd| self.make(crd),
            |one| {
                made.push(one);
                Ok(())
            },
        )?;
        let mut valid = true;
        let mut all = Vec::with_capacity(crds.len());
        for (crd, made) in crds.iter().zip(made) {
            let (manifest, checked) = made.map_err(CommandError)?;
            valid &= checked.report(context, crd)?;
            all.push(manifest);
        }
        if !valid {
            return Ok(CommandOutcome::Invalid);
        }
        let entries = manifests::entries(Subject::Crds, &all, self.layout.format, out)?;
        if is_printed {
            manifests::print(context, &entries, self.layout.format)?;
            return Ok(CommandOutcome::Valid);
        }
        let Self { command, label, source, .. } = *self;
        let target = Target {
            directory: out,
            entries: &entries,
            command,
            label,
            what: "manifest",
            source: Some(source),
        };
        target.run(context, self.layout.check, self.content.prune)
    }

    /// Returns a manifest, with what the server and kubectl say of it.
    fn make(&self, crd: &Value) -> Result<(Manifest, ManifestCheck), String> {
        let written = written(crd, self.content);
        let mut checked = ManifestCheck::of(crd, self.minors)?;
        checked.warnings.extend(last_applied::warning(&written));
        let manifest = Manifest { name: file_name(crd)?, objects: vec![written.into_owned()] };
        Ok((manifest, checked))
    }
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
        let warnings = Server::of(kubernetes).warnings(&crd);
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
fn written<'c>(crd: &'c Value, content: &Content) -> Cow<'c, Value> {
    let mut crd = Cow::Borrowed(crd);
    if crd.get("status").is_some()
        && let Some(root) = crd.to_mut().as_object_mut()
    {
        // The server sets the status; a manifest to be applied must not have one.
        root.remove("status");
    }
    if let Some(longest) = content.max_description_length {
        descriptions::shorten(crd.to_mut(), longest);
    }
    crd
}

/// Returns the name of the file, such as `crontabs.stable.example.com`, without its extension.
fn file_name(crd: &Value) -> Result<String, String> {
    let text = |pointer| crd.pointer(pointer).and_then(Value::as_str);
    let plural = text("/spec/names/plural");
    let (Some(plural), Some(group)) = (plural, text("/spec/group")) else {
        return Err("a definition has no plural name or no group".to_owned());
    };
    if [plural, group].iter().any(|part| part.is_empty() || part.contains(['/', '\\'])) {
        return Err(format!("`{plural}.{group}` is not a valid file name"));
    }
    Ok(format!("{plural}.{group}"))
}

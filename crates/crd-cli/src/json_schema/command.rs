//! The command `schema`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use serde_json::Value;

use super::index::{self, Listed};
use super::{layout, of_version};
use crate::args::Files;
use crate::manifests::{self, Entry, ManifestFormat, Target};
use crate::objects::{self, Definitions};
use crate::selection::{Selected, Selection};
use crate::{CommandError, CommandOutcome, Context, json};

/// Arguments of `schema`.
#[derive(Debug, Args)]
pub(crate) struct SchemaArgs {
    #[command(flatten)]
    files: Files,
    /// The directory to write to, or `-` for standard output.
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Also write `catalog.json`, a list of the schemas, and `all.json`, one schema for files with objects of all kinds.
    #[arg(long)]
    index: bool,
    /// Where the directory is published. The list then has whole addresses. Default: paths from the list.
    #[arg(long, value_name = "URL", requires = "index")]
    base_url: Option<String>,
    /// Write nothing. Fail, with a diff, if a file is out of date.
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    selection: Selection,
}

/// Writes the schemas of kinds, or compares them with the files.
pub(crate) fn run(
    context: &mut Context<'_>,
    args: &SchemaArgs,
) -> Result<CommandOutcome, CommandError> {
    let Some(out) = &args.out else {
        let message = "no directory given; pass `--out DIR`, or `-` for standard output";
        return Err(CommandError(message.to_owned()));
    };
    let is_printed = out.as_os_str() == "-";
    if is_printed && args.check {
        let message = "`--check` needs a directory to compare with; pass `--out DIR`";
        return Err(CommandError(message.to_owned()));
    }
    let Definitions { crds, unreadable } = objects::definitions(context, &args.files, true)?;
    if !unreadable.is_empty() {
        return Ok(CommandOutcome::Unreadable);
    }
    let entries = entries(args, &args.selection.of(&crds)?)?;
    if is_printed {
        manifests::print(context, &entries, ManifestFormat::Json)?;
        return Ok(CommandOutcome::Valid);
    }
    let target = Target {
        directory: out,
        entries: &entries,
        command: "schema",
        label: "generated",
        what: "schema",
        source: None,
    };
    target.run(context, args.check, false)
}

/// Returns the files by their paths.
fn entries(
    args: &SchemaArgs,
    selected: &[Selected],
) -> Result<BTreeMap<String, Entry>, CommandError> {
    let mut entries = BTreeMap::new();
    let mut all = Vec::new();
    for Selected { crd, versions } in selected {
        for version in versions {
            let (group, kind) = (&crd.spec.group, &crd.spec.names.kind);
            let shown = format!("{}/{}", crd.metadata.name, version.name);
            let path = layout::path(group, kind, &version.name).ok_or_else(|| {
                CommandError(format!("{shown}: its names cannot be names of files"))
            })?;
            let schema = of_version(crd, version)
                .ok_or_else(|| CommandError(format!("{shown}: the version has no schema")))?;
            let listed = Listed::of(crd, version, &path);
            if entries.insert(path, text(schema)?).is_some() {
                return Err(CommandError(format!("{shown}: the kind is defined twice")));
            }
            all.push(listed);
        }
    }
    if args.index {
        let base = args.base_url.as_deref();
        entries.insert(index::CATALOG.to_owned(), text(index::catalog(&all, base))?);
        entries.insert(index::ALL.to_owned(), text(index::all(&all))?);
    }
    Ok(entries)
}

fn text(value: Value) -> Result<Entry, CommandError> {
    // Numbers as the server stores them: `10`, not `10.0`.
    manifests::pretty(json::stored(value)).map(Entry::Text)
}

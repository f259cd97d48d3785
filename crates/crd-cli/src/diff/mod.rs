//! `diff`: compares definitions, and says for whom each change is breaking.
//!
//! A comparison is data: a [`Change`] has its kind, its place, what was there before and after, and an object that shows
//! it. [`mod@print`] makes findings of changes.

mod allowed;
mod change;
mod definition;
mod keywords;
mod kinds;
pub(super) mod literals;
mod objects;
mod print;
mod rules;
mod schema;
mod search;
mod side;
pub(super) mod source;
mod versions;
mod webhook;

pub(super) use search::mended;
pub(super) use side::Side;

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum as _};
use serde_json::Map;

use super::objects::Placed;
use super::report::{FindingFormat, FindingReport, Severity};
use super::{CommandError, CommandOutcome, Context, cluster, style};
use crate::model::{CustomResourceDefinition, ObjectMeta};
use change::{Change, Site};
use kinds::Audience;
use versions::Conversion;

/// Arguments of `diff`.
#[derive(Debug, Args)]
pub(super) struct Diff {
    /// The definitions before: a file, a directory, `-` for standard input, `git:REF:PATH` for those of a revision, or
    /// `cluster:CONTEXT` for those of a cluster. Without a path, `git:REF` has that of NEW; without a context, `cluster:`
    /// is the current one.
    old: String,
    /// The definitions after, in the same forms. Default: the registered kinds, if there are any.
    new: Option<String>,
    #[command(flatten)]
    options: Options,
}

/// The number of objects to generate for each version, unless told otherwise.
const OBJECTS: u64 = 10_000;

/// What a comparison reports, and how.
#[derive(Debug, Args)]
#[command(next_help_heading = "Comparison")]
pub(super) struct Options {
    /// The format of the output.
    #[arg(short, long, value_enum, default_value_t)]
    output: FindingFormat,
    /// Whose breaking changes are errors; those of others are warnings.
    #[arg(
        long,
        value_enum,
        value_delimiter = ',',
        value_name = "WHO",
        default_values = ["writers", "readers", "stored", "clients"]
    )]
    errors_for: Vec<Audience>,
    /// Also print changes that break nothing. JSON always has them.
    #[arg(long)]
    all: bool,
    /// Fail if there are warnings.
    #[arg(long)]
    deny_warnings: bool,
    /// The number of objects to generate for each version whose schema has changed.
    #[arg(long, value_name = "N", default_value_t = OBJECTS)]
    objects: u64,
    /// The kubeconfig in which the context of `cluster:CONTEXT` is. Default: that of `kubectl`.
    #[arg(long, value_name = "FILE")]
    kubeconfig: Option<PathBuf>,
    /// Convert generated objects by the webhook at this URL, such as `http://localhost:8080/convert`, to the other
    /// versions and back. Its certificate is not checked.
    #[arg(long, value_name = "URL")]
    conversion_webhook: Option<String>,
    /// The file with changes that are allowed, each with a reason.
    #[arg(long, value_name = "FILE")]
    allowed: Option<PathBuf>,
}

/// The comparison of a definition.
struct Compared {
    name: String,
    changes: Vec<Change>,
}

/// Compares the definitions of two sides.
pub(super) fn run(context: &mut Context<'_>, args: &Diff) -> Result<CommandOutcome, CommandError> {
    if args.new.is_none() && context.registry.crds.is_empty() {
        let message = "no kinds registered; pass the definitions after as a second argument";
        return Err(CommandError(message.to_owned()));
    }
    let shown = args.new.clone().unwrap_or_else(|| context.registry.out.display().to_string());
    let kubeconfig = args.options.kubeconfig.as_deref();
    let mut old = source::read(context.registry, &args.old, source::path(&shown), kubeconfig)?;
    let mut new = match &args.new {
        Some(new) => source::read(context.registry, new, source::path(&args.old), kubeconfig)?,
        None => super::objects::registered(context.registry)?,
    };
    let is_cluster = |argument: &str| cluster::context(argument).is_some();
    match (is_cluster(&args.old), args.new.as_deref().is_some_and(is_cluster)) {
        (true, false) => keep_names(&mut old, &new),
        (false, true) => keep_names(&mut new, &old),
        _ => {}
    }
    compare(context, &old, &new, &args.options)
}

/// Compares the registered kinds with the manifests of a revision or directory. `out` is where they are written.
pub(super) fn against(
    context: &mut Context<'_>,
    old: &str,
    out: &Path,
    options: &Options,
) -> Result<CommandOutcome, CommandError> {
    let (shown, kubeconfig) = (out.display().to_string(), options.kubeconfig.as_deref());
    let mut before = source::read(context.registry, old, &shown, kubeconfig)?;
    let new = super::objects::registered(context.registry)?;
    if cluster::context(old).is_some() {
        keep_names(&mut before, &new);
    }
    compare(context, &before, &new, options)
}

/// Returns the definitions in a text that a program has printed.
pub(super) fn printed(shown: &str, text: Vec<u8>) -> Result<Vec<Placed>, CommandError> {
    source::of_text(shown, text)
}

/// Compares definitions, and prints all changes, also those that break nothing.
pub(super) fn all_changes(
    context: &mut Context<'_>,
    old: &[Placed],
    new: &[Placed],
) -> Result<CommandOutcome, CommandError> {
    let options = Options {
        output: FindingFormat::default(),
        errors_for: Audience::value_variants().to_vec(),
        all: true,
        deny_warnings: false,
        objects: OBJECTS,
        kubeconfig: None,
        conversion_webhook: None,
        allowed: None,
    };
    compare(context, old, new, &options)
}

/// Keeps the definitions that the other side has, because a cluster has also those of others.
fn keep_names(of_cluster: &mut Vec<Placed>, other: &[Placed]) {
    of_cluster.retain(|one| other.iter().any(|other| name(other) == name(one)));
}

/// A definition of each side, if both have it.
type Pair<'p> = (Option<&'p Placed>, Option<&'p Placed>);

fn compare(
    context: &mut Context<'_>,
    old: &[Placed],
    new: &[Placed],
    options: &Options,
) -> Result<CommandOutcome, CommandError> {
    let mut allowed = allowed::read(options.allowed.as_deref())?;
    for side in [old, new] {
        only_one_of_each(side)?;
    }
    let has_webhook = |one: &Placed| one.value.pointer("/spec/conversion/webhook").is_some();
    if options.conversion_webhook.is_some() && !new.iter().any(has_webhook) {
        let message = "`--conversion-webhook`: no definition of NEW is converted by a webhook";
        return Err(CommandError(message.to_owned()));
    }
    let pairs = pairs(old, new);
    let conversion = Conversion {
        registered: &context.registry.converters,
        url: options.conversion_webhook.as_deref(),
    };
    let compared: Result<Vec<Compared>, CommandError> =
        pairs.iter().map(|pair| compare_pair(*pair, options.objects, conversion)).collect();
    let mut report = FindingReport::new(options.output, print::describe);
    for (pair, Compared { name, mut changes }) in pairs.iter().zip(compared?) {
        allowed::apply(&mut allowed, &name, &mut changes);
        changes.sort_by_key(|change| print::severity(change, &options.errors_for));
        write(context, *pair, (&name, &changes), options, &mut report)?;
    }
    for unused in allowed::unused(&allowed) {
        writeln!(context.err, "{}: {unused} allows no change", style::warning("warning"))?;
    }
    let counts = report.counts();
    report.finish(context.out, Map::new())?;
    let is_bad = counts.errors > 0 || options.deny_warnings && counts.warnings > 0;
    Ok(if is_bad { CommandOutcome::Invalid } else { CommandOutcome::Valid })
}

fn write(
    context: &mut Context<'_>,
    (old, new): Pair<'_>,
    (name, changes): (&str, &[Change]),
    options: &Options,
    report: &mut FindingReport,
) -> Result<(), CommandError> {
    for change in changes {
        let severity = print::severity(change, &options.errors_for);
        let is_shown = options.all || severity < Severity::Note || change.allowed.is_some();
        // Both versions are those of NEW.
        let old = if change.between().is_some() { new } else { old };
        // What is gone has a place only in OLD.
        let in_new = new.filter(|_| change.after.is_some() || change.before.is_none());
        let place = match (in_new, old, new) {
            (Some(new), _, _) => Some((new, &change.site.new_field)),
            (None, Some(old), _) => Some((old, &change.site.old_field)),
            (None, None, new) => new.map(|new| (new, &change.site.new_field)),
        };
        let Some((placed, field)) = place else { continue };
        let located = placed.locate(context.registry, &[field.as_str()]);
        let place = located
            .first()
            .map_or_else(|| placed.place.clone(), |found| found.place(&placed.place));
        let finding = print::finding(change, name, place, severity);
        if is_shown || options.output == FindingFormat::Json {
            report.write(context.out, &finding)?;
        } else {
            report.count(severity);
        }
    }
    Ok(())
}

/// Rejects a side that has several definitions of one name, of which only one could be compared.
fn only_one_of_each(side: &[Placed]) -> Result<(), CommandError> {
    for (index, one) in side.iter().enumerate() {
        let before = side.iter().take(index).find(|other| name(other) == name(one));
        if let Some(before) = before.filter(|before| before.value != one.value) {
            let (name, place) = (name(one), &one.place);
            return Err(CommandError(format!(
                "{place}: {name} is already defined in {}; name the one to compare",
                before.place
            )));
        }
    }
    Ok(())
}

/// Pairs definitions by name: those of NEW in their order, then those that are gone.
fn pairs<'p>(old: &'p [Placed], new: &'p [Placed]) -> Vec<Pair<'p>> {
    let find = |all: &'p [Placed], one: &Placed| all.iter().find(|other| name(other) == name(one));
    let kept = new.iter().map(|one| (find(old, one), Some(one)));
    let gone = old.iter().filter(|one| find(new, one).is_none()).map(|one| (Some(one), None));
    kept.chain(gone).collect()
}

fn name(placed: &Placed) -> &str {
    placed.value.pointer("/metadata/name").and_then(serde_json::Value::as_str).unwrap_or_default()
}

fn compare_pair(
    (old, new): Pair<'_>,
    objects: u64,
    conversion: Conversion<'_>,
) -> Result<Compared, CommandError> {
    let decode = |placed: &Placed| -> Result<CustomResourceDefinition, CommandError> {
        let decoded = crate::definition::decode(&placed.value);
        let mut crd =
            decoded.map_err(|error| CommandError(format!("{}: {error}", placed.place)))?.crd;
        // A cluster has defaults and metadata that manifests do not have.
        crate::definition::apply_defaults(&mut crd);
        let ObjectMeta { name, labels, annotations, .. } = crd.metadata;
        crd.metadata = ObjectMeta { name, labels, annotations, ..ObjectMeta::default() };
        Ok(crd)
    };
    let site = Site::of_field("metadata.name");
    let name = old.or(new).map(name).unwrap_or_default().to_owned();
    let mut out = Compared { name, changes: Vec::new() };
    match (old, new) {
        (Some(old), Some(new)) => {
            let (old, new) = (decode(old)?, decode(new)?);
            definition::compare(&old, &new, &mut out.changes);
            versions::same(&old, &new, objects, &mut out)?;
            versions::served(&old, &new, &mut out)?;
            versions::converted(&new, conversion, objects, &mut out).map_err(CommandError)?;
        }
        (Some(_), None) => out.changes.push(Change::new(
            &kinds::DEFINITION_REMOVED,
            &site,
            "the definition is gone",
        )),
        (None, _) => {
            out.changes.push(Change::new(&kinds::DEFINITION_ADDED, &site, "the definition is new"));
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests;

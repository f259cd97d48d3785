//! The command `lint`.

use std::collections::HashSet;

use clap::Args;
use crd_cel::re2::Regex;
use serde_json::{Map, Value};

use super::definition::Definition;
use super::kind::{Found, Level, Lint};
use super::levels::{self, Levels};
use super::{page, table};
use crate::args::Files;
use crate::location::{FieldLocation, FileLine};
use crate::model::CustomResourceDefinition;
use crate::objects::{self, Definitions};
use crate::report::{Finding, FindingFormat, FindingReport, Note, RuleText, Severity};
use crate::{CommandError, CommandOutcome, Context, Registry, columns, definition, origin, style};

/// Arguments of `lint`.
#[derive(Debug, Args)]
pub(crate) struct LintArgs {
    #[command(flatten)]
    files: Files,
    #[command(flatten)]
    levels: Levels,
    /// The format of the output.
    #[arg(short, long, value_enum, default_value_t)]
    output: FindingFormat,
    /// Print the names of all lints with their levels, and what they find.
    #[arg(long)]
    list: bool,
    /// Print why a lint matters and how to mend what it finds, with examples.
    #[arg(long, value_name = "LINT", value_parser = levels::lint, conflicts_with = "list")]
    explain: Option<&'static Lint>,
}

/// Reports what lints find in the CRDs of files, or in the registered ones.
pub(crate) fn run(
    context: &mut Context<'_>,
    args: &LintArgs,
) -> Result<CommandOutcome, CommandError> {
    if let Some(lint) = args.explain {
        write!(context.out, "{}", page::section(lint, &[]))?;
        return Ok(CommandOutcome::Valid);
    }
    if args.list {
        return list(context, &args.levels);
    }
    let Definitions { crds, unreadable } = objects::definitions(context, &args.files, true)?;
    let registry = context.registry;
    let run = Run { registry, levels: &args.levels, forbidden: args.levels.forbidden() };
    let mut report = FindingReport::new(args.output, describe);
    // People read the help of a lint once; each other reader sees one finding at a time.
    let mut helped: HashSet<&str> = HashSet::new();
    let mut is_partial = !unreadable.is_empty();
    for placed in &crds {
        let crd = match definition::decode(&placed.value) {
            Ok(decoded) => decoded.crd,
            Err(error) => {
                let (place, error) = (style::place(&placed.place), style::text(error));
                writeln!(context.err, "{place}: {}: {error}", style::bad("error"))?;
                is_partial = true;
                continue;
            }
        };
        let found = run.find(&Definition::new(&crd, &run.forbidden), &placed.value);
        let fields: Vec<&str> = found.iter().map(|(found, _)| found.field()).collect();
        let locations = placed.locate(context.registry, &fields);
        for ((found, level), location) in found.iter().zip(locations) {
            let mut finding = finding(&crd, found, location.place(&placed.place), location);
            finding.severity =
                if *level == Level::Deny { Severity::Error } else { Severity::Warning };
            if args.output == FindingFormat::Human && !helped.insert(found.lint.id) {
                finding.help = None;
            }
            report.write(context.out, &finding)?;
        }
    }
    if args.files.is_empty() {
        for finding in unknown_lints(registry) {
            report.write(context.out, &finding)?;
        }
    }
    let errors = report.counts().errors;
    report.finish(context.out, Map::new())?;
    Ok(if is_partial {
        CommandOutcome::Unreadable
    } else if errors > 0 {
        CommandOutcome::Invalid
    } else {
        CommandOutcome::Valid
    })
}

/// The options of a run.
struct Run<'a> {
    registry: &'a Registry,
    levels: &'a Levels,
    forbidden: Vec<Regex>,
}

impl Run<'_> {
    /// Returns what is reported of a definition, each with its level, in the order of the definition's fields.
    fn find(&self, definition: &Definition<'_>, manifest: &Value) -> Vec<(Found, Level)> {
        let name = &definition.crd.metadata.name;
        let reported = table::LINTS.iter().filter(|lint| self.levels.of(lint) > Level::Allow);
        let found = super::find(definition, reported).into_iter();
        let found = found.filter(|found| !self.levels.allow(name, found));
        let found = found.filter_map(|mut found| {
            let lint = found.lint.id;
            found
                .places
                .retain(|place| !origin::allows(self.registry, manifest, &place.field, lint));
            (!found.places.is_empty()).then_some(found)
        });
        let mut found: Vec<_> = found.map(|it| (self.levels.of(it.lint), it)).collect();
        // Fields come in the order of their paths; lints of one field in that of the table.
        found.sort_by(|(_, one), (_, other)| one.field().cmp(other.field()));
        found.into_iter().map(|(level, found)| (found, level)).collect()
    }
}

/// Returns a finding at its place.
fn finding(
    crd: &CustomResourceDefinition,
    found: &Found,
    place: FileLine,
    location: FieldLocation,
) -> Finding {
    let Found { lint, value, message, .. } = found;
    let versions = found.versions();
    // Most definitions have one version.
    let shown = if crd.spec.versions.len() > 1 { versions.join(", ") } else { String::new() };
    let parts = [&shown, value].into_iter().filter(|part| !part.is_empty());
    let text: String = parts.flat_map(|part| [part, ": "]).chain([&**message]).collect();
    let mut finding = Finding::new(crd.metadata.name.clone(), place, lint.id, text);
    let is_in_rust = location.origin.is_some();
    finding.help = Some((if is_in_rust { lint.in_rust } else { lint.in_yaml }).to_owned());
    let keys = [
        ("versions", Value::from(versions)),
        ("field", found.field().into()),
        ("value", value.as_str().into()),
    ];
    finding.more = keys.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
    if let Some(origin) = location.origin {
        finding.more.insert("at".to_owned(), origin.text.as_str().into());
        finding.notes.push(Note { title: "at".to_owned(), text: origin.text, language: None });
    }
    finding
}

/// Returns an error for each name in `#[crd(allow(..))]` that is not that of a lint.
fn unknown_lints(registry: &Registry) -> Vec<Finding> {
    let mut findings: Vec<Finding> = Vec::new();
    for derived in &registry.derived {
        for (lint, origin) in derived.root.allowed() {
            if table::named(lint).is_some() {
                continue;
            }
            let message =
                format!("`allow({lint}, ..)` names no lint; `crd lint --list` prints all names");
            let place = origin.map_or_else(objects::place_of_registered, |origin| origin.place);
            let finding = Finding::new(derived.crd.clone(), place, UNKNOWN, message);
            // A type may be in several fields and versions.
            if !findings.contains(&finding) {
                findings.push(finding);
            }
        }
    }
    findings
}

/// The identifier of a finding about `#[crd(allow(..))]`.
const UNKNOWN: &str = "unknown_lint";

/// Describes a lint for code scanning.
fn describe(id: &str) -> RuleText {
    let lint = table::named(id);
    RuleText { summary: lint.map_or("an unknown name in `allow`", |lint| lint.finds), page: None }
}

/// Prints a table of all lints.
fn list(context: &mut Context<'_>, levels: &Levels) -> Result<CommandOutcome, CommandError> {
    let heading = ["LINT", "LEVEL", "FINDS"].map(str::to_owned).to_vec();
    let rows = table::LINTS.iter().map(|lint| {
        vec![lint.id.to_owned(), levels.of(lint).name().to_owned(), lint.finds.to_owned()]
    });
    let rows: Vec<_> = std::iter::once(heading).chain(rows).collect();
    context.out.write_all(columns::lay_out(&rows).as_bytes())?;
    Ok(CommandOutcome::Valid)
}

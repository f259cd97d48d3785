//! `check`: reports whether the API server would accept CRDs, and the estimated costs of their rules.

use std::io;
use std::path::Path;

use crd_cel::kubernetes::KubernetesVersion;
use serde_json::{Map, Value, json};

use super::args::{Check, Output, Verbosity};
use super::diff::source;
use super::kubernetes::{MinorRanges, Minors};
use super::location::FileLine;
use super::objects::{self, Definitions, Placed};
use super::report::{self, Counts, Report};
use super::verdict::{DocumentResult, Incompatibility, Subject, Verdict};
use super::{
    CommandError, CommandOutcome, Context, Registry, catalog, columns, last_applied, minors, style,
    warnings, workspace,
};
use crate::field;
use crate::model::CustomResourceDefinition;
use crate::ruleset::{self, Bound, RuleReport};
use crate::{Server, definition};

/// The results for a CRD.
struct CheckedDefinition {
    verdict: Verdict,
    /// The minors in `--kubernetes` that would accept it.
    accepting: Option<Vec<KubernetesVersion>>,
    /// Its rules with their estimated costs, each with the name of its version, most expensive last.
    rules: Vec<(String, RuleReport)>,
}

/// Checks each CRD, as new or as an update of the old one with its name.
pub(super) fn run(context: &mut Context<'_>, args: &Check) -> Result<CommandOutcome, CommandError> {
    let Definitions { crds, unreadable } =
        objects::definitions(context, &args.files, args.output == Output::Human)?;
    let old = match &args.old {
        Some(argument) => old(context, args, argument)?,
        None => Some(Vec::new()),
    };
    let Some(old) = old else { return Ok(CommandOutcome::Unreadable) };
    let mut counts = Counts::default();
    let mut report = Report::new(args.output, "check", Verbosity::All);
    for objects::Unreadable { place, message, hint } in unreadable {
        let result = DocumentResult::Unreadable { message, hint };
        let verdict = Verdict::of(place, Subject::default(), result);
        counts.count(&verdict);
        if args.output != Output::Human {
            report.write(context.out, &verdict, Map::new())?;
        }
    }
    for placed in &crds {
        let checked = check(context.registry, placed, &old, args.kubernetes.as_ref());
        counts.count(&checked.verdict);
        match args.output {
            Output::Human => write_human(context, &checked, args.wide)?,
            _ => report.write(context.out, &checked.verdict, checked.to_json())?,
        }
    }
    if args.output != Output::Human {
        report.finish(context.out, &counts)?;
    }
    Ok(counts.outcome())
}

/// Returns the old CRDs; `None` if some document cannot be read, because a CRD whose old one is missing would be checked
/// as a new one.
fn old(
    context: &mut Context<'_>,
    args: &Check,
    argument: &Path,
) -> Result<Option<Vec<CustomResourceDefinition>>, CommandError> {
    let argument = &argument.display().to_string();
    let new = args.files.paths().paths.first().cloned();
    let new = new.unwrap_or_else(|| workspace::anchor(&context.registry.out));
    let loaded = source::load(context.registry, argument, &new.display().to_string(), None)?;
    loaded.print_unreadable(context)?;
    if loaded.is_partial() {
        return Ok(None);
    }
    if loaded.crds.is_empty() {
        return Err(CommandError(format!("{argument}: no CRDs found in the documents")));
    }
    let decode = |placed: Placed| {
        let decoded = definition::decode(&placed.value);
        decoded
            .map(|decoded| decoded.crd)
            .map_err(|error| CommandError(format!("{}: {error}", placed.place)))
    };
    loaded.crds.into_iter().map(decode).collect::<Result<_, _>>().map(Some)
}

/// Checks one CRD.
fn check(
    registry: &Registry,
    placed: &Placed,
    old: &[CustomResourceDefinition],
    minors: Option<&Minors>,
) -> CheckedDefinition {
    let Placed { place, value: manifest, .. } = placed;
    let subject = Subject::of(manifest);
    let decoded = match definition::decode(manifest) {
        Ok(decoded) => decoded,
        Err(error) => {
            let result =
                DocumentResult::Rejected { reason: "BadRequest", message: error.to_string() };
            let verdict = Verdict::of(place.clone(), subject, result);
            return CheckedDefinition { verdict, accepting: None, rules: Vec::new() };
        }
    };
    let mut crd = decoded.crd;
    let old = old.iter().find(|old| old.metadata.name == crd.metadata.name);
    if let Some(old) = old {
        catalog::complete_update(&mut crd, old);
    }
    let kubernetes = minors.map_or(KubernetesVersion::REFERENCE, Minors::newest);
    let mut warnings = match old {
        Some(old) => Server::of(kubernetes).update_warnings(&crd, old),
        None => Server::of(kubernetes).warnings(&crd),
    };
    warnings.extend(decoded.unknown_fields);
    let mut warnings = warnings::once(warnings, &crd);
    warnings.extend(warnings::of_items_at_root(&crd));
    warnings.extend(last_applied::warning(manifest));
    let (errors, mut incompatibilities) = match (minors, old) {
        (Some(minors), old) => {
            let compared = minors::compare(&crd, old, minors);
            (compared.errors, compared.incompatibilities)
        }
        (None, Some(old)) => {
            (definition::validate_update(&crd, old).into_iter().collect(), Vec::new())
        }
        (None, None) => (definition::validate(&crd).into_iter().collect(), Vec::new()),
    };
    minors::locate(registry, placed, &mut incompatibilities);
    let accepting = minors.map(|minors| minors::accepting(minors, &incompatibilities));
    let result = if errors.is_empty() {
        DocumentResult::Valid
    } else {
        DocumentResult::Invalid(placed.located(registry, errors))
    };
    let verdict = Verdict::of(place.clone(), subject, result);
    let is_update = old.is_some();
    let verdict = Verdict { is_update, warnings, incompatibilities, ..verdict };
    CheckedDefinition { verdict, accepting, rules: rules(&crd, kubernetes) }
}

/// Returns the estimated maximum cost of each rule, most expensive last.
fn rules(
    crd: &CustomResourceDefinition,
    kubernetes: KubernetesVersion,
) -> Vec<(String, RuleReport)> {
    let mut rules = Vec::new();
    for version in &crd.spec.versions {
        // A schema that does not compile is among the errors.
        let schema = Server::of(kubernetes).compile(crd, &version.name);
        let Ok(schema) = schema else { continue };
        if let Some(structural) = schema.structural() {
            let path = field::Path::new(&version.name);
            let reports = ruleset::report(structural, &path, kubernetes);
            rules.extend(reports.into_iter().map(|report| (version.name.clone(), report)));
        }
    }
    rules.sort_by_key(|(_, rule)| rule.total());
    rules
}

impl CheckedDefinition {
    /// Returns the additional keys of JSON output: rules and, with `--kubernetes`, the minors that would accept the CRD
    /// and the differences of minors.
    fn to_json(&self) -> Map<String, Value> {
        let rules = self.rules.iter().map(|(version, rule)| {
            let bound = |Bound { path, keyword, value, .. }: &Bound| {
                json!({"path": path, "keyword": keyword, "value": value})
            };
            json!({
                "version": version,
                "path": rule.path,
                "rule": rule.rule,
                "cost": rule.total(),
                "costOfOneRun": rule.cost,
                "runs": rule.runs(),
                "isBounded": rule.bounded_runs.is_some(),
                "shareOfLimit": rule.share(),
                "helpfulBounds": rule.helpful_bounds.iter().map(bound).collect::<Vec<_>>(),
            })
        });
        let rules = ("rules".to_owned(), rules.collect());
        let mut more: Map<String, Value> = std::iter::once(rules).collect();
        if let Some(accepting) = &self.accepting {
            let accepting = accepting.iter().map(|minor| Value::from(minor.to_string()));
            more.insert("acceptedBy".to_owned(), accepting.collect());
            let found = self.verdict.incompatibilities.iter().map(incompatibility);
            more.insert("incompatibilities".to_owned(), found.collect());
        }
        more
    }
}

/// Renders how a minor treats the CRD, as JSON.
fn incompatibility(found: &Incompatibility) -> Value {
    let Incompatibility { kubernetes, rejected, is_general, field, message, location } = found;
    let mut entry = json!({
        "kubernetes": kubernetes.to_string(),
        "rejected": rejected,
        "isGeneral": is_general,
        "field": field,
        "message": message,
    });
    location.add_to(&mut entry);
    entry
}

/// Writes a line for each difference of a minor.
pub(super) fn write_incompatibilities(
    out: &mut dyn io::Write,
    document: &FileLine,
    found: &[Incompatibility],
) -> io::Result<()> {
    for found in found {
        let place = found.location.place(document);
        let (place, text) = (style::place(&place), found.text());
        let kubernetes = found.kubernetes;
        if found.rejected {
            writeln!(out, "{place}: {}: {}", style::bad(kubernetes), style::text(text))?;
        } else {
            let warning = style::warning("Warning");
            let text = style::text(text);
            writeln!(out, "{place}: {}: {warning}: {text}", style::warning(kubernetes))?;
        }
    }
    Ok(())
}

fn write_human(
    context: &mut Context<'_>,
    checked: &CheckedDefinition,
    wide: bool,
) -> Result<(), CommandError> {
    let CheckedDefinition { verdict, accepting, rules } = checked;
    let place = style::place(&verdict.place);
    for warning in &verdict.warnings {
        let warning = style::text(warning);
        writeln!(context.out, "{place}: {}: {warning}", style::warning("Warning"))?;
    }
    write_incompatibilities(context.out, &verdict.place, &verdict.incompatibilities)?;
    let name = &verdict.subject.name;
    let shown = style::word(name);
    match &verdict.result {
        DocumentResult::Valid if verdict.is_bad() => {
            write!(context.out, "{place}: {} {shown} ", catalog::CRD_KIND)?;
            match accepting.as_deref() {
                None | Some([]) => {
                    let text = style::bad("rejected by each of these versions of Kubernetes");
                    writeln!(context.out, "{text}")?;
                }
                Some(minors) => {
                    let text = format!("valid on Kubernetes {} only", MinorRanges(minors));
                    writeln!(context.out, "{}", style::bad(text))?;
                }
            }
        }
        DocumentResult::Invalid(errors) => {
            write!(context.out, "{place}: ")?;
            report::write_invalid(context.out, catalog::CRD_KIND, name, errors)?;
        }
        DocumentResult::Valid => {
            let on = |minors: &Vec<_>| format!(" on Kubernetes {}", MinorRanges(minors));
            let on = accepting.as_ref().map(on).unwrap_or_default();
            let what = style::good(format!("{}{on}", verdict.valid()));
            writeln!(context.out, "{place}: {} {shown} {what}", catalog::CRD_KIND)?;
        }
        DocumentResult::Rejected { reason, message } => {
            let head = style::bad("Error from server");
            let message = style::text(message);
            writeln!(context.out, "{place}: {head} ({reason}): {message}")?;
        }
        // Reported on the error stream, or nothing to report.
        DocumentResult::Unreadable { .. } | DocumentResult::Skipped => {}
    }
    write_costs(context, rules, wide)
}

/// Writes the rules as a table, each with its share of the server's cost limit of a rule.
fn write_costs(
    context: &mut Context<'_>,
    rules: &[(String, RuleReport)],
    wide: bool,
) -> Result<(), CommandError> {
    if rules.is_empty() {
        return Ok(());
    }
    let header = ["", "COST", "RUNS", "OF LIMIT", "PATH", "RULE"].map(str::to_owned).to_vec();
    let rows = rules.iter().map(|(_, rule)| {
        let bound = if rule.bounded_runs.is_some() { "" } else { " (unbounded)" };
        vec![
            String::new(),
            count(rule.total(), wide),
            format!("{}{bound}", count(rule.runs(), wide)),
            percent(rule.share(), wide),
            // The rule itself says which one of its schema it is.
            rule.path.split(".x-kubernetes-validations[").next().unwrap_or_default().to_owned(),
            columns::one_line(&rule.rule),
        ]
    });
    let mut rows: Vec<Vec<String>> = std::iter::once(header).chain(rows).collect();
    if !wide {
        columns::fit(&mut rows, context.width);
    }
    context.out.write_all(columns::lay_out(&rows).as_bytes())?;
    for rule in rules.iter().map(|(_, rule)| rule).filter(|rule| !rule.helpful_bounds.is_empty()) {
        writeln!(context.out, "  {} would be within the limit with", rule.path)?;
        for bound in &rule.helpful_bounds {
            let Bound { keyword, value, path, .. } = bound;
            let note = match bound {
                Bound { lowers: true, .. } => ", in place of a higher one",
                Bound { is_in_all_of: true, .. } => ", because the one in `allOf` does not count",
                _ => "",
            };
            writeln!(context.out, "    {keyword}: {value} at {path}{note}")?;
        }
    }
    Ok(())
}

/// The number from which on one is written in short, as otherwise 20 digits would leave no room for paths.
const LONG: f64 = 1e9;

/// Returns a number, or `1.6e18` for one of many digits in a table that is not wide.
#[expect(clippy::cast_precision_loss, reason = "two of its digits are shown")]
fn count(number: u64, wide: bool) -> String {
    let short = number as f64;
    if wide || short < LONG { number.to_string() } else { format!("{short:.1e}") }
}

/// Returns a share in percent with one decimal, `<0.1%` or, of many digits, `1.6e13%`.
fn percent(share: f64, wide: bool) -> String {
    match share * 100.0 {
        percent if percent > 0.0 && percent < 0.1 => "<0.1%".to_owned(),
        percent if percent < LONG || wide => format!("{percent:.1}%"),
        percent => format!("{percent:.1e}%"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_many_digits_are_short() {
        let long = 1_621_289_681_107_812_352;
        assert_eq!(
            (count(999_999_999, false), count(long, false)),
            ("999999999".to_owned(), "1.6e18".to_owned())
        );
        assert_eq!(count(long, true), long.to_string());
        let shares = [0.0, 0.000_3, 0.5, 16.21, 1.6e11];
        let shown = shares.map(|share| percent(share, false));
        assert_eq!(shown, ["0.0%", "<0.1%", "50.0%", "1621.0%", "1.6e13%"]);
        assert_eq!(percent(1.6e11, true), "16000000000000.0%");
    }
}

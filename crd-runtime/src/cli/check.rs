//! `check`: would the API server accept these CRDs, and what do their rules cost?

use std::path::PathBuf;

use serde_json::Value;

use super::args::Check;
use super::objects::{self, Placed};
use super::validate::report;
use super::{Context, Outcome, Unable, catalog, columns, origin, style};
use crate::compiled::CompiledSchema;
use crate::definition;
use crate::field::{Error, Path};
use crate::model::CustomResourceDefinition;
use crate::ruleset::{self, RuleReport};

/// The resource version that stands for that of the old CRD.
const STORED: &str = "1";

/// What stands in the place of the file of a CRD that is registered.
const REGISTERED: &str = "(registered)";

/// Checks each CRD, as new or in place of an old one of its name.
pub(super) fn run(context: &mut Context<'_>, args: &Check) -> Result<Outcome, Unable> {
    let (crds, mut is_well) = crds(context, &args.files)?;
    if crds.is_empty() {
        return Err(Unable(
            "no CRD is given and none is registered: there is nothing to check".to_owned(),
        ));
    }
    let old = match &args.old {
        Some(path) => old(context, path)?,
        None => Vec::new(),
    };
    for Placed { place, value } in &crds {
        is_well &= check(context, place, value, &old)?;
    }
    Ok(if is_well { Outcome::Well } else { Outcome::Invalid })
}

/// The CRDs that the arguments name, else those that are registered; and whether all could be read.
fn crds(context: &mut Context<'_>, files: &[PathBuf]) -> Result<(Vec<Placed>, bool), Unable> {
    if !files.is_empty() {
        let loaded = objects::load(context, files)?;
        return Ok((loaded.crds, !loaded.is_partial));
    }
    let registered = context.registry.crds.iter().map(|crd| {
        let value = crd.clone().map_err(Unable)?;
        Ok(Placed { place: REGISTERED.to_owned(), value })
    });
    Ok((registered.collect::<Result<_, Unable>>()?, true))
}

fn old(context: &mut Context<'_>, path: &PathBuf) -> Result<Vec<CustomResourceDefinition>, Unable> {
    let loaded = objects::load(context, std::slice::from_ref(path))?;
    let decode = |placed: Placed| {
        let decoded = definition::decode(&placed.value);
        decoded
            .map(|decoded| decoded.crd)
            .map_err(|error| Unable(format!("{}: {error}", placed.place)))
    };
    loaded.crds.into_iter().map(decode).collect()
}

/// Checks one CRD; whether it is valid.
fn check(
    context: &mut Context<'_>,
    place: &str,
    manifest: &Value,
    old: &[CustomResourceDefinition],
) -> Result<bool, Unable> {
    let is_registered = place == REGISTERED;
    let place = style::place(place);
    let decoded = match definition::decode(manifest) {
        Ok(decoded) => decoded,
        Err(message) => {
            writeln!(
                context.out,
                "{place}: {} (BadRequest): {message}",
                style::bad("Error from server")
            )?;
            return Ok(false);
        }
    };
    let mut crd = decoded.crd;
    let old = old.iter().find(|old| old.metadata.name == crd.metadata.name);
    if crd.metadata.resource_version.is_empty() && old.is_some() {
        // An update names what it replaces; manifests in files do not, and `kubectl apply` fills it in.
        STORED.clone_into(&mut crd.metadata.resource_version);
    }
    let name = &crd.metadata.name;
    let (errors, warnings) = match old {
        Some(old) => {
            (definition::validate_update(&crd, old), definition::update_warnings(&crd, old))
        }
        None => (definition::validate(&crd), definition::warnings(&crd)),
    };
    for warning in warnings.iter().chain(&decoded.unknown_fields) {
        writeln!(context.out, "{place}: {}: {warning}", style::warning("Warning"))?;
    }
    write!(context.out, "{place}: ")?;
    if errors.is_empty() {
        let what = if old.is_some() { "valid as an update" } else { "valid" };
        writeln!(context.out, "{} {name} {}", catalog::CRD_KIND, style::good(what))?;
    } else {
        let registry = context.registry;
        let locate = |error: &Error| {
            is_registered.then(|| origin::locate(registry, manifest, &error.field)).flatten()
        };
        report::write_invalid_at(context.out, catalog::CRD_KIND, name, &errors, locate)?;
    }
    write_costs(context, &crd)?;
    Ok(errors.is_empty())
}

/// What each rule is estimated to cost at most, dearest last, and its share of what the server allows a rule.
fn write_costs(context: &mut Context<'_>, crd: &CustomResourceDefinition) -> Result<(), Unable> {
    let mut reports = Vec::new();
    for version in &crd.spec.versions {
        // What does not compile has been told among the errors.
        let Ok(schema) = CompiledSchema::for_version(crd, &version.name) else { continue };
        if let Some(structural) = schema.structural() {
            reports.extend(ruleset::report(structural, &Path::new(&version.name)));
        }
    }
    if reports.is_empty() {
        return Ok(());
    }
    reports.sort_by_key(RuleReport::total);
    let header = ["", "COST", "RUNS", "OF LIMIT", "PATH", "RULE"].map(str::to_owned).to_vec();
    let rows = reports.iter().map(|rule| {
        let bound = if rule.bounded_runs.is_some() { "" } else { " (unbounded)" };
        vec![
            String::new(),
            rule.total().to_string(),
            format!("{}{bound}", rule.runs()),
            percent(rule.share()),
            rule.path.clone(),
            columns::one_line(&rule.rule),
        ]
    });
    let rows: Vec<Vec<String>> = std::iter::once(header).chain(rows).collect();
    context.out.write_all(columns::lay_out(&rows).as_bytes())?;
    for rule in reports.iter().filter(|rule| !rule.helpful_bounds.is_empty()) {
        writeln!(context.out, "  {} would be within the limit with", rule.path)?;
        for bound in &rule.helpful_bounds {
            writeln!(context.out, "    {}: {} at {}", bound.keyword, bound.value, bound.path)?;
        }
    }
    Ok(())
}

/// A share in percent, with as many digits as one needs near nothing.
fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if percent > 0.0 && percent < 0.1 { "<0.1%".to_owned() } else { format!("{percent:.1}%") }
}

//! `get`: prints objects as a table.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::SystemTime;

use serde_json::Value;

use super::args::{Get, TableOutput};
use super::catalog::KindLookup;
use super::objects::{self, Placed};
use super::verdict::Subject;
use super::{CommandError, CommandOutcome, Context, columns, style};
use crate::admit;
use crate::compiled::CompiledSchema;
use crate::field_selector::FieldSelector;
use crate::table::{self, Table};

/// The objects of one kind and version, read as the server reads them.
struct KindGroup {
    schema: Arc<CompiledSchema>,
    objects: Vec<Value>,
}

/// Prints a table for each kind, in the order of their first objects.
pub(super) fn run(context: &mut Context<'_>, args: &Get) -> Result<CommandOutcome, CommandError> {
    let selector = args
        .field_selector
        .as_deref()
        .map(FieldSelector::parse)
        .transpose()
        .map_err(|error| CommandError(error.to_string()))?;
    args.files.required()?;
    let mut loaded = objects::load(context, &args.files.paths())?;
    let mut is_valid = loaded.print_undecodable(context)?;
    let mut foreign: BTreeSet<String> = BTreeSet::new();
    let mut groups: Vec<KindGroup> = Vec::new();
    let mut indices: BTreeMap<(String, String), usize> = BTreeMap::new();
    for Placed { place, value, .. } in std::mem::take(&mut loaded.objects) {
        let text = |key| value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let key = (text("apiVersion"), text("kind"));
        let schema = match loaded.catalog.find(&key.0, &key.1, u64::MAX) {
            KindLookup::Schema(Ok(schema)) => schema,
            KindLookup::Foreign => {
                foreign.insert(Subject::of(&value).kind);
                continue;
            }
            KindLookup::Schema(Err(error)) => {
                is_valid = false;
                writeln!(
                    context.err,
                    "{}: {}: the schema of its CRD is invalid: {}",
                    style::place(&place),
                    style::bad("error"),
                    style::text(error)
                )?;
                continue;
            }
            KindLookup::NoMatch => {
                is_valid = false;
                let (version, kind) = &key;
                writeln!(
                    context.err,
                    "{}: {}: no matches for kind \"{}\" in version \"{}\"",
                    style::place(&place),
                    style::bad("error"),
                    style::word(kind),
                    style::word(version)
                )?;
                continue;
            }
        };
        let object = match admit::read(&schema, value) {
            Ok(object) => with_shown_name(object),
            Err(rejection) => {
                is_valid = false;
                let (place, rejection) = (style::place(&place), style::text(rejection));
                writeln!(context.err, "{place}: {}: {rejection}", style::bad("error"))?;
                continue;
            }
        };
        let index = *indices.entry(key).or_insert(groups.len());
        if index == groups.len() {
            if let Some(selector) = &selector {
                selector.check(&schema).map_err(|error| CommandError(error.to_string()))?;
            }
            groups.push(KindGroup { schema, objects: Vec::new() });
        }
        let Some(group) = groups.get_mut(index) else { continue };
        let is_selected =
            selector.as_ref().map(|selector| selector.matches(&group.schema, &object)).transpose();
        if is_selected.map_err(|error| CommandError(error.to_string()))?.unwrap_or(true) {
            group.objects.push(object);
        }
    }
    groups.retain(|group| !group.objects.is_empty());
    if !foreign.is_empty() {
        let kinds = style::word(foreign.into_iter().collect::<Vec<_>>().join(", ")).to_string();
        writeln!(context.err, "skipped, without a CRD among the files: {kinds}")?;
    }
    if groups.is_empty() {
        writeln!(context.err, "No resources found")?;
    }
    for (index, group) in groups.iter().enumerate() {
        if index > 0 {
            writeln!(context.out)?;
        }
        let table = table::render(&group.schema, &group.objects, SystemTime::now());
        context.out.write_all(columns::lay_out(&lines(&table, group, args)).as_bytes())?;
    }
    Ok(loaded.outcome(is_valid))
}

/// Sets the name of an object whose name the server will generate to the beginning of that name.
fn with_shown_name(mut object: Value) -> Value {
    let name = Subject::of(&object).name;
    let metadata = object.get_mut("metadata").and_then(Value::as_object_mut);
    if let Some(metadata) = metadata.filter(|_| !name.is_empty()) {
        metadata.insert("name".to_owned(), name.into());
    }
    object
}

/// Returns the rows to show, headers first. The first of them is padded to the longest value of each column but the last,
/// in bytes and before the value is shortened to a line, as `kubectl` pads it to align tables that it prints in parts.
///
/// Source: `printTable` in `k8s.io/cli-runtime/pkg/printers/tableprinter.go`, since 1.37.
fn lines(table: &Table, group: &KindGroup, args: &Get) -> Vec<Vec<String>> {
    let is_shown = |priority: i32| priority == 0 || args.output == Some(TableOutput::Wide);
    let with_namespace = args.all_namespaces && group.schema.resource().namespaced;
    let namespaced = |namespace: &str| with_namespace.then(|| namespace.to_owned()).into_iter();
    let values = table.rows.iter().zip(&group.objects).map(|(row, object)| {
        let namespace =
            object.pointer("/metadata/namespace").and_then(Value::as_str).unwrap_or_default();
        let cells = table.columns.iter().zip(row).filter(|(column, _)| is_shown(column.priority));
        let cells =
            cells.map(|(_, cell)| if cell.is_null() { String::new() } else { table::text(cell) });
        namespaced(namespace).chain(cells).collect()
    });
    let values: Vec<Vec<String>> = values.collect();
    let mut longest = Vec::new();
    for row in &values {
        longest.resize(row.len(), 0);
        for (longest, value) in longest.iter_mut().zip(row) {
            *longest = value.len().max(*longest);
        }
    }
    longest.pop();
    let pad = |line: &mut Vec<String>, values: &[String]| {
        for ((cell, value), longest) in line.iter_mut().zip(values).zip(&longest) {
            cell.extend(std::iter::repeat_n(' ', longest.saturating_sub(value.len())));
        }
    };
    let mut lines: Vec<Vec<String>> = Vec::new();
    if !args.no_headers {
        let names = table.columns.iter().filter(|column| is_shown(column.priority));
        let names = names.map(|column| column.name.to_uppercase());
        let names: Vec<String> = namespaced("NAMESPACE").chain(names).collect();
        let mut line = names.clone();
        pad(&mut line, &names);
        lines.push(line);
    }
    for (index, row) in values.iter().enumerate() {
        let mut line = row.iter().map(|value| columns::one_line(value)).collect();
        if index == 0 && args.no_headers {
            pad(&mut line, row);
        }
        lines.push(line);
    }
    lines
}

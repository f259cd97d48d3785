//! Changes as findings.

use serde_json::{Map, Value, json};

use super::change::{Change, StoredEffect, Witness};
use super::kinds::{self, Audience, Level};
use crate::location::FileLine;
use crate::report::{Finding, Note, RuleText, Severity};
use crate::yaml;

/// Describes a kind of change.
pub(super) fn describe(id: &str) -> RuleText {
    RuleText { summary: kinds::find(id).map_or("", |kind| kind.summary), page: None }
}

/// Returns the severity of a change for those for whom breaking changes are errors.
pub(super) fn severity(change: &Change, errors_for: &[Audience]) -> Severity {
    let breaks = change.grades().iter().any(|audience| errors_for.contains(&audience));
    match change.level {
        _ if change.allowed.is_some() => Severity::Note,
        Level::Certain | Level::Likely if breaks => Severity::Error,
        Level::Certain | Level::Likely | Level::Undecided | Level::Caution => Severity::Warning,
        Level::Compatible => Severity::Note,
    }
}

/// Returns the finding of a change in a definition.
pub(super) fn finding(
    change: &Change,
    definition: &str,
    place: FileLine,
    severity: Severity,
) -> Finding {
    let subject = match change.version.as_str() {
        "" => definition.to_owned(),
        version => format!("{definition} {version}"),
    };
    let message = format!("{}: {}", change.site.shown(), change.message);
    let mut finding = Finding::new(subject, place, change.kind.id, message);
    finding.severity = severity;
    let grades: Vec<&str> = change.grades().iter().map(Audience::name).collect();
    if change.level != Level::Compatible && !grades.is_empty() {
        finding.notes.push(prose("matters for", grades.join(", ")));
    }
    if let Some((before, after)) = change.cost {
        let text =
            |cost: Option<u64>| cost.map_or_else(|| "none".to_owned(), |cost| cost.to_string());
        finding.notes.push(prose("estimated cost", format!("{} -> {}", text(before), text(after))));
    }
    match &change.witness {
        Some(witness) => witness_notes(witness, change.sides(), &mut finding.notes),
        None => finding
            .notes
            .extend(change.unshown.iter().map(|why| prose("no object shows it", why.clone()))),
    }
    finding.notes.extend(change.allowed.iter().map(|reason| prose("allowed", reason.clone())));
    finding.more = more(change, definition, &grades);
    finding
}

fn prose(title: &str, text: String) -> Note {
    Note { title: title.to_owned(), text, language: None }
}

fn object(title: &str, object: &Value) -> Note {
    Note { title: title.to_owned(), text: yaml::to_string(object), language: Some("yaml") }
}

fn witness_notes(witness: &Witness, (before, after): (&str, &str), notes: &mut Vec<Note>) {
    match witness {
        Witness::Refused { object: shown, old, error, stored } => {
            if let Some(old) = old {
                notes.push(object("stored", old));
            }
            let admits = format!("{before} admits");
            let title = if old.is_some() { format!("update that {admits}") } else { admits };
            notes.push(object(&title, shown));
            notes.push(prose(&format!("{after} refuses it"), error.clone()));
            notes.extend(
                effect(*stored).map(|text| prose("if it is stored already", text.to_owned())),
            );
        }
        Witness::Appears { object: shown, error } => {
            notes.push(object(&format!("{after} admits"), shown));
            notes.push(prose(&format!("{before} refuses it"), error.clone()));
        }
        Witness::Differs { object: shown, before, after } => {
            notes.push(object("both admit", shown));
            let text = |value: &Value| {
                if value.is_null() { "absent".to_owned() } else { value.to_string() }
            };
            notes.push(prose(
                "the field is stored as",
                format!("{} -> {}", text(before), text(after)),
            ));
        }
        Witness::Converted { object: shown, between, back } => {
            notes.push(object("before", shown));
            notes.push(object("in the other version", between));
            notes.push(match back {
                Ok(back) => object("after", back),
                Err(error) => prose("it does not come back", error.clone()),
            });
        }
        Witness::Definition { error } => notes.push(prose("the server", error.clone())),
    }
}

fn effect(stored: StoredEffect) -> Option<&'static str> {
    match stored {
        StoredEffect::WhenTouched => Some("a write that leaves the value as it is, is admitted"),
        StoredEffect::Always => Some("every write of it is refused"),
        StoredEffect::Lost => Some("the value is dropped when it is read"),
        StoredEffect::None => None,
    }
}

/// Returns the further keys of JSON output.
fn more(change: &Change, definition: &str, grades: &[&str]) -> Map<String, Value> {
    let mut out = Map::new();
    let mut put = |key: &str, value: Value| {
        if !value.is_null() {
            out.insert(key.to_owned(), value);
        }
    };
    put("definition", definition.into());
    put("version", Value::from(change.version.as_str()));
    put("path", change.site.shown().into());
    put("mattersFor", json!(grades));
    put("before", json!(change.before));
    put("after", json!(change.after));
    if let Some((before, after)) = change.cost {
        put("cost", json!({"before": before, "after": after}));
    }
    put(
        "witness",
        json!(change.witness.as_ref().map(|witness| {
            // The name of a version, or that of a side.
            let sides = change.between().unwrap_or(("old", "new"));
            witness_json(witness, sides)
        })),
    );
    put("noWitness", json!(change.unshown));
    put("allowed", json!(change.allowed));
    out
}

fn witness_json(witness: &Witness, (before, after): (&str, &str)) -> Value {
    match witness {
        Witness::Refused { object, old, error, stored } => {
            let stored = match stored {
                StoredEffect::WhenTouched => "refused when touched",
                StoredEffect::Always => "refused",
                StoredEffect::Lost => "lost",
                StoredEffect::None => "not affected",
            };
            json!({"admittedBy": before, "object": object, "stored": old, "error": error, "ifStored": stored})
        }
        Witness::Appears { object, error } => {
            json!({"admittedBy": after, "object": object, "error": error})
        }
        Witness::Differs { object, before, after } => {
            json!({"admittedBy": "both", "object": object, "before": before, "after": after})
        }
        Witness::Converted { object, between, back } => match back {
            Ok(back) => json!({"object": object, "between": between, "after": back}),
            Err(error) => json!({"object": object, "between": between, "error": error}),
        },
        Witness::Definition { error } => json!({"error": error}),
    }
}

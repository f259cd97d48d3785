//! Searches objects that show a change.
//!
//! An object is generated from the schema of the side that has to admit it, with a value at the place of the change that
//! the other side is likely to refuse. What else the first side refuses is mended. The object shows the change if the
//! other side refuses it with an error that the change explains.

use serde_json::{Value, json};

use super::change::{Change, Step, StoredEffect, Witness};
use super::kinds::{self, Level, Search};
use super::literals;
use super::side::{Problem, Side};
use crate::field::ErrorKind;
use crate::generate::{self, Options, Random};
use crate::model::JsonSchemaProps;
use crate::{json, schemas};

/// The largest number of objects tried for a change.
const TRIES: usize = 400;
/// The number of admitted objects after which a change that none of them shows is taken for harmless.
const ENOUGH: usize = 100;
/// The number of mends of an object.
const MENDS: usize = 12;

/// Searches what shows a change, and sets its level by the result.
pub(super) fn show(change: &mut Change, old: &Side, new: &Side) {
    let (from, to) = match change.kind.search {
        Search::Nothing => return,
        Search::Refused | Search::Differs => (old, new),
        Search::Appears => (new, old),
    };
    let mut hunt = Hunt::new(change, from, to);
    let witness = hunt.run();
    // Without any object, nothing is known about the change; or no such value was valid before.
    let is_implied =
        witness.is_none() && (hunt.admitted > 0 || hunt.has_no_value() || hunt.is_refused_before());
    let (admitted, last) = (hunt.admitted, std::mem::take(&mut hunt.last));
    let is_shown = witness.is_some();
    change.witness = witness;
    if is_shown {
        if change.level == Level::Undecided {
            change.level = Level::Likely;
        }
        return;
    }
    let (before, after) = change.sides();
    let (one, other) =
        if change.kind.search == Search::Appears { (after, before) } else { (before, after) };
    change.unshown = Some(match admitted {
        0 => format!(
            "{one} admits none of {TRIES} generated objects with such a value; an error: {last}"
        ),
        _ => format!(
            "of {admitted} generated objects that {one} admits, {other} refuses none because of it"
        ),
    });
    if change.level == Level::Undecided || change.level == Level::Likely && is_implied {
        change.level = Level::Caution;
    }
}

struct Hunt<'c> {
    change: &'c Change,
    from: &'c Side,
    to: &'c Side,
    random: Random,
    options: Options,
    admitted: usize,
    last: String,
}

impl<'c> Hunt<'c> {
    fn new(change: &'c Change, from: &'c Side, to: &'c Side) -> Self {
        let mut options = Options::default();
        literals::add(&change.rules, &mut options);
        Self { change, from, to, random: Random::new(0), options, admitted: 0, last: String::new() }
    }

    fn run(&mut self) -> Option<Witness> {
        for attempt in 0..TRIES {
            if self.admitted >= ENOUGH {
                break;
            }
            // Small objects first, because they are easier to admit and to read.
            self.options.is_sparse = attempt % 4 != 3;
            let Some(content) = self.admitted_object(self.change.probe.as_deref()) else {
                continue;
            };
            self.admitted += 1;
            if let Some(witness) = self.judge(&content) {
                return Some(witness);
            }
        }
        None
    }

    /// Whether no value at the place is valid for the first side, because its bounds exclude each other.
    fn has_no_value(&self) -> bool {
        let mut steps = self.change.site.steps.iter();
        let schema = steps.try_fold(&self.from.root, below);
        schema.is_some_and(|schema| {
            let excludes = |least: Option<i64>, most: Option<i64>| {
                least.is_some_and(|least| most.is_some_and(|most| least > most))
            };
            let is_closed = schema.type_ == "object"
                && schema.additional_properties.is_none()
                && schema.x_preserve_unknown_fields != Some(true);
            let listed = schema.properties.iter().flatten().count();
            let listed = is_closed.then(|| i64::try_from(listed).unwrap_or(i64::MAX));
            excludes(schema.min_properties, schema.max_properties)
                || excludes(schema.min_properties, listed)
                || excludes(schema.min_items, schema.max_items)
                || excludes(schema.min_length, schema.max_length)
        })
    }

    /// Whether the first side admits objects with other values at the place: then it refuses those that would show the
    /// change.
    fn is_refused_before(&mut self) -> bool {
        (0..ENOUGH).any(|attempt| {
            self.options.is_sparse = attempt % 2 == 0;
            self.admitted_object(None).is_some()
        })
    }

    /// Generates an object, with a value of a schema at the place, that the first side admits.
    fn admitted_object(&mut self, probe: Option<&JsonSchemaProps>) -> Option<Value> {
        let root = generate::value(&mut self.random, &self.from.root, &self.options, 0);
        let mut content = generate::content(&root);
        let steps = &self.change.site.steps;
        if self.is_absent() {
            let (last, above) = steps.split_last()?;
            let Step::Property(name) = last else { return None };
            let parent = self.reach(&mut content, above, None)?;
            parent.as_object_mut()?.remove(name);
        } else {
            self.reach(&mut content, steps, probe)?;
        }
        let (admitted, last) =
            mended(&mut self.random, &self.options, self.from, content, steps, MENDS);
        if let Some(last) = last {
            self.last = last.text;
        }
        // A mend may have replaced what is around the place.
        admitted.map(|(content, _)| content).filter(|content| self.has_place(content))
    }

    fn has_place(&self, content: &Value) -> bool {
        self.is_absent() || content.pointer(&self.pointer(content)).is_some()
    }

    /// Whether the value at the place has to be absent for the change to show.
    fn is_absent(&self) -> bool {
        [&kinds::DEFAULT_ADDED, &kinds::DEFAULT_CHANGED, &kinds::DEFAULT_REMOVED]
            .contains(&self.change.kind)
    }

    /// Returns the place at the end of some steps, and generates what is absent. The value there is replaced by one of a
    /// schema.
    fn reach<'v>(
        &mut self,
        content: &'v mut Value,
        steps: &[Step],
        probe: Option<&JsonSchemaProps>,
    ) -> Option<&'v mut Value> {
        let mut schema = Some(&self.from.root);
        let mut value = content;
        for step in steps {
            let below = schema.and_then(|schema| below(schema, step));
            let depth = 2;
            let fresh = |random: &mut Random| match below {
                Some(below) => generate::value(random, below, &self.options, depth),
                None => json!({}),
            };
            value = match step {
                Step::Items => {
                    if value.as_array().is_none_or(Vec::is_empty) {
                        *value = json!([fresh(&mut self.random)]);
                    }
                    value.get_mut(0)?
                }
                Step::Property(name) => {
                    if !value.is_object() {
                        *value = json!({});
                    }
                    value
                        .as_object_mut()?
                        .entry(name.clone())
                        .or_insert_with(|| fresh(&mut self.random))
                }
                Step::Values => {
                    if !value.is_object() {
                        *value = json!({});
                    }
                    value.as_object_mut()?.entry("key").or_insert_with(|| fresh(&mut self.random))
                }
            };
            schema = below;
        }
        if let Some(probe) = probe {
            let probed = generate::value(&mut self.random, probe, &self.options, 2);
            // At the root, the other fields are those of the object.
            *value = if steps.is_empty() { generate::content(&probed) } else { probed };
            // Rules of lists are often about items that occur twice.
            if let Value::Array(items) = value
                && self.random.one_in(3)
            {
                items.extend(items.first().cloned());
            }
        }
        Some(value)
    }

    fn judge(&mut self, content: &Value) -> Option<Witness> {
        if let Some(error) = self.error(content) {
            let object = generate::shrink(self.from.object(content), |smaller| {
                self.from.create(smaller).is_ok() && self.error(smaller).is_some()
            });
            let error = self.error(&object).unwrap_or(error);
            return Some(if self.change.kind.search == Search::Appears {
                Witness::Appears { object, error }
            } else {
                let stored = self.stored(&object);
                Witness::Refused { object, old: None, error, stored }
            });
        }
        if self.change.kind.search == Search::Differs {
            return self.difference(content).or_else(|| self.refused_without_default(content));
        }
        if self.change.kind == &kinds::NULLABLE_ADDED {
            // The first side is NEW.
            return self.difference(content).map(|witness| match witness {
                Witness::Differs { object, before, after } => {
                    Witness::Differs { object, before: after, after: before }
                }
                other => other,
            });
        }
        if self.change.rules.iter().any(|rule| rule.contains("oldSelf")) {
            return self.refused_update(content);
        }
        None
    }

    /// Returns the error of the other side that the change explains.
    fn error(&self, content: &Value) -> Option<String> {
        let problems = self.to.create(content).err()?;
        self.explained(content, &problems)
    }

    fn explained(&self, content: &Value, problems: &[Problem]) -> Option<String> {
        problems
            .iter()
            .find(|problem| explains(self.change, self.to, content, problem))
            .map(|it| it.text.clone())
    }

    fn difference(&self, content: &Value) -> Option<Witness> {
        let outcome = |content: &Value| {
            let before = self.from.create(content).ok()?;
            let after = self.to.create(content).ok()?;
            let pointer = self.pointer(content);
            let at = |object: &Value| object.pointer(&pointer).cloned();
            (at(&before) != at(&after)).then(|| (at(&before), at(&after)))
        };
        outcome(content)?;
        let object =
            generate::shrink(self.from.object(content), |smaller| outcome(smaller).is_some());
        let (before, after) = outcome(&object)?;
        Some(Witness::Differs {
            object,
            before: before.unwrap_or_default(),
            after: after.unwrap_or_default(),
        })
    }

    /// Returns an object that NEW refuses unless it has what OLD sets in it, for a default that is gone.
    fn refused_without_default(&self, content: &Value) -> Option<Witness> {
        let refused = |content: &Value| {
            let before = self.from.create(content).ok()?;
            needs_default(self.change, self.to, content, &before)
        };
        refused(content)?;
        let object =
            generate::shrink(self.from.object(content), |smaller| refused(smaller).is_some());
        let error = refused(&object)?;
        let stored = self.stored(&object);
        Some(Witness::Refused { object, old: None, error, stored })
    }

    /// Returns the JSON pointer of the place in an object; a list and a map have one item.
    fn pointer(&self, content: &Value) -> String {
        let mut value = Some(content);
        let keys = self.change.site.steps.iter().map(|step| {
            let key = match step {
                Step::Property(name) => name.as_str(),
                Step::Items => "0",
                Step::Values => {
                    let first = value.and_then(|value| value.as_object()?.keys().next());
                    first.map_or("", String::as_str)
                }
            };
            value = value.and_then(|value| value.pointer(&generate::pointer([key])));
            key
        });
        generate::pointer(keys)
    }

    /// Returns an update that was admitted and is refused, for a rule that compares with the old value.
    fn refused_update(&mut self, content: &Value) -> Option<Witness> {
        let mut next = content.clone();
        let steps = self.change.site.steps.clone();
        self.reach(&mut next, &steps, self.change.probe.as_deref())?;
        if self.random.one_in(2) {
            // One part of the value is another one.
            next = generate::content(&generate::edited(
                &mut self.random,
                &self.from.root,
                &self.options,
                content,
                1,
            ));
        }
        let refused = |next: &Value| {
            self.from.update(next, content).ok()?;
            self.explained(next, &self.to.update(next, content).err()?)
        };
        let error = refused(&next)?;
        let object =
            generate::shrink(self.from.object(&next), |smaller| refused(smaller).is_some());
        let old = Some(self.from.object(content));
        Some(Witness::Refused { object, old, error, stored: StoredEffect::None })
    }

    /// Asks the engine what happens to the object if it is stored already.
    fn stored(&self, object: &Value) -> StoredEffect {
        let Ok(stored) = self.from.create(object) else { return StoredEffect::WhenTouched };
        if self.change.kind == &kinds::FIELD_REMOVED
            || self.change.kind == &kinds::UNKNOWN_FIELDS_DROPPED
        {
            return StoredEffect::Lost;
        }
        let Some(read) = self.to.read(&stored) else { return StoredEffect::Always };
        let mut touched = read.clone();
        touched["metadata"]["labels"] = json!({"touched": "yes"});
        match self.to.update(&touched, &read) {
            Ok(_) => StoredEffect::WhenTouched,
            Err(_) => StoredEffect::Always,
        }
    }
}

/// Returns the error of an object that NEW refuses, but not with what OLD sets in it, if a default is gone or another one.
pub(super) fn needs_default(
    change: &Change,
    new: &Side,
    content: &Value,
    before: &Value,
) -> Option<String> {
    let is_of_default = [&kinds::DEFAULT_CHANGED, &kinds::DEFAULT_REMOVED].contains(&change.kind);
    let problems = if is_of_default { new.create(content).err()? } else { return None };
    new.create(&generate::content(before)).ok()?;
    Some(problems.first()?.text.clone())
}

/// Whether a change explains an error: it is at the place of the change or below it, and about the same.
pub(super) fn explains(change: &Change, to: &Side, content: &Value, problem: &Problem) -> bool {
    let found = to.locate(content, &problem.field);
    let site = &change.site.steps;
    if !found.is_in(site) {
        return false;
    }
    let is_here = found.steps.len() == site.len();
    let kind = change.kind;
    let detail = &problem.detail;
    if kind == &kinds::REQUIRED_ADDED || kind == &kinds::REQUIRED_REMOVED {
        let is_named = change.names.first() == found.pointer.last();
        return problem.kind == Some(ErrorKind::Required)
            && is_named
            && found.steps.len() == site.len() + 1;
    }
    if [
        &kinds::ENUM_ADDED,
        &kinds::ENUM_REMOVED,
        &kinds::ENUM_VALUE_ADDED,
        &kinds::ENUM_VALUE_REMOVED,
    ]
    .contains(&kind)
    {
        return is_here && problem.kind == Some(ErrorKind::NotSupported);
    }
    if kind == &kinds::BOUND_NARROWED {
        return is_here
            && !matches!(problem.kind, None | Some(ErrorKind::Required | ErrorKind::NotSupported));
    }
    if kind == &kinds::PATTERN_ADDED || kind == &kinds::PATTERN_CHANGED {
        return is_here && detail.contains("should match");
    }
    if kind == &kinds::RULE_ADDED || kind == &kinds::RULE_CHANGED {
        let is_of_rule =
            !matches!(problem.kind, None | Some(ErrorKind::NotSupported | ErrorKind::TypeInvalid));
        return is_of_rule && change.names.iter().all(|name| detail.contains(name.as_str()));
    }
    true
}

/// Changes an object until a side admits it, except at the place that has to stay. Returns the object and what is stored,
/// and the last problem.
pub(crate) fn mended(
    random: &mut Random,
    options: &Options,
    side: &Side,
    mut content: Value,
    keep: &[Step],
    mends: usize,
) -> (Option<(Value, Value)>, Option<Problem>) {
    let mut last = None;
    for _ in 0..mends {
        match side.create(&content) {
            Ok(stored) => return (Some((content, stored)), last),
            Err(problems) => {
                let Some(first) = problems.into_iter().next() else { return (None, last) };
                let is_mended = mend(random, options, side, &mut content, &first, keep);
                last = Some(first);
                if !is_mended {
                    break;
                }
            }
        }
    }
    (None, last)
}

/// Changes an object so that it does not have a problem any more, except at the place that has to stay. Returns whether
/// something was changed.
fn mend(
    random: &mut Random,
    options: &Options,
    side: &Side,
    content: &mut Value,
    problem: &Problem,
    keep: &[Step],
) -> bool {
    let found = side.locate(content, &problem.field);
    let Some((last, above)) = found.pointer.split_last() else { return false };
    if problem.kind == Some(ErrorKind::Required) {
        let Some(schema) = found.schema else { return false };
        let fresh = generate::value(random, schema, options, 2);
        return match content.pointer_mut(&generate::pointer(above)) {
            Some(Value::Object(map)) if !map.contains_key(last) => {
                map.insert(last.clone(), fresh);
                true
            }
            _ => false,
        };
    }
    let is_kept = keep.starts_with(&found.steps);
    let whole = generate::pointer(&found.pointer);
    if !is_kept && !found.is_required() && random.one_in(2) {
        return generate::remove(content, &whole).is_some();
    }
    let Some(value) = content.pointer_mut(&whole) else { return false };
    let Some(schema) = found.schema else { return false };
    if keep == found.steps {
        return false;
    }
    if is_kept {
        // Another part of the value may be what is wrong.
        let edited = generate::edited(random, schema, options, value, 2);
        let is_same = json::equal(value, &edited);
        *value = edited;
        return !is_same;
    }
    *value = generate::value(random, schema, options, 2);
    true
}

fn below<'s>(schema: &'s JsonSchemaProps, step: &Step) -> Option<&'s JsonSchemaProps> {
    match step {
        Step::Property(name) => schemas::property(schema, name).or_else(|| schemas::values(schema)),
        Step::Items => schemas::items(schema),
        Step::Values => schemas::values(schema),
    }
}

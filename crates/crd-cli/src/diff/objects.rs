//! Compares what both sides do with generated objects.

use std::io;

use serde_json::Value;

use super::change::{Change, Site, Step, StoredEffect, Witness};
use super::kinds;
use super::literals;
use super::search::{explains, mended, needs_default};
use super::side::Side;
use crate::generate::{self, Options, Random};
use crate::{json, pipeline};

/// The number of mends of an object.
const MENDS: usize = 6;
/// The beginning of the server's text for an object whose rules are not checked, because it has other errors.
const UNCHECKED: &str = "some validation rules were not checked";
/// The largest number of unexplained objects that are reported.
const MOST: usize = 3;

/// The number of objects that a thread generates at a time. Their order does not depend on the number of threads.
const CHUNK: u64 = 250;

/// What some objects show.
#[derive(Default)]
struct Shown {
    admitted: u64,
    equal: u64,
    explained: u64,
    unexplained: Vec<Change>,
}

/// Adds what generated objects show and no other change explains, and how many objects come out equal.
///
/// # Errors
/// If a thread cannot be started.
pub(super) fn compare(
    old: &Side,
    new: &Side,
    field: &str,
    count: u64,
    changes: &mut Vec<Change>,
) -> io::Result<()> {
    let mut options = Options::default();
    literals::add(&old.rules, &mut options);
    let mut all = Shown::default();
    let chunks = (0..count.div_ceil(CHUNK)).map(|chunk| (chunk, CHUNK.min(count - chunk * CHUNK)));
    pipeline::run(
        chunks,
        |(chunk, count)| try_objects((chunk, count), &options, (old, new), changes),
        |shown| {
            all.admitted += shown.admitted;
            all.equal += shown.equal;
            all.explained += shown.explained;
            for change in shown.unexplained {
                let is_new =
                    all.unexplained.iter().all(|other| other.site.steps != change.site.steps);
                if is_new && all.unexplained.len() < MOST {
                    all.unexplained.push(change);
                }
            }
            Ok(())
        },
    )?;
    for change in &mut all.unexplained {
        field.clone_into(&mut change.site.old_field);
        field.clone_into(&mut change.site.new_field);
    }
    changes.extend(all.unexplained);
    let Shown { admitted, equal, explained, .. } = all;
    let message = format!(
        "of {count} generated objects, OLD admits {admitted}; of these, {equal} come out equal, and {explained} show other findings"
    );
    changes.push(Change::new(&kinds::OBJECTS_COMPARED, &Site::of_field(field), message));
    Ok(())
}

/// Generates some objects of OLD, and admits them by both sides.
fn try_objects(
    (seed, count): (u64, u64),
    options: &Options,
    (old, new): (&Side, &Side),
    changes: &[Change],
) -> Shown {
    let (mut options, mut random) = (options.clone(), Random::new(seed));
    let mut shown = Shown::default();
    for number in 0..count {
        options.is_sparse = number % 4 == 3;
        let generated = generate::content(&generate::value(&mut random, &old.root, &options, 0));
        let (admitted, _) = mended(&mut random, &options, old, generated, &[], MENDS);
        let Some((content, before)) = admitted else { continue };
        shown.admitted += 1;
        match outcome(&content, &before, (old, new), changes) {
            Outcome::Equal => shown.equal += 1,
            Outcome::Explained => shown.explained += 1,
            Outcome::Unexplained(change) => shown.unexplained.push(*change),
        }
    }
    shown
}

enum Outcome {
    Equal,
    Explained,
    Unexplained(Box<Change>),
}

fn outcome(
    content: &Value,
    before: &Value,
    (old, new): (&Side, &Side),
    changes: &[Change],
) -> Outcome {
    let suspects = || changes.iter().filter(|change| change.explains_differences());
    let after = match new.create(content) {
        Ok(after) => after,
        Err(mut problems) => {
            // It says only that there are others.
            problems.retain(|problem| !problem.detail.starts_with(UNCHECKED));
            if suspects().any(|change| needs_default(change, new, content, before).is_some()) {
                return Outcome::Explained;
            }
            let is_explained =
                |problem| suspects().any(|change| explains(change, new, content, problem));
            let Some(problem) = problems.iter().find(|problem| !is_explained(problem)) else {
                return Outcome::Explained;
            };
            let steps = new.locate(content, &problem.field).steps;
            let refuses = |content: &Value| {
                let problems = new.create(content).err()?;
                problems.into_iter().find(|other| new.locate(content, &other.field).steps == steps)
            };
            let object = generate::shrink(new.object(content), |smaller| {
                old.create(smaller).is_ok() && refuses(smaller).is_some()
            });
            let error =
                refuses(&object).map_or_else(|| problem.text.clone(), |problem| problem.text);
            let site = Site { steps, ..Site::default() };
            let mut change = Change::new(&kinds::OBJECT_REFUSED, &site, "an object is refused");
            change.witness = Some(Witness::Refused {
                object,
                old: None,
                error,
                stored: StoredEffect::WhenTouched,
            });
            return Outcome::Unexplained(Box::new(change));
        }
    };
    // What OLD does not know is what NEW adds.
    let mut known = after;
    old.compiled.prune(&mut known);
    // The scope is compared elsewhere.
    let (before, known) = (&generate::content(before), &generate::content(&known));
    let mut paths = Vec::new();
    differences(before, known, &mut Vec::new(), &mut paths);
    let is_explained = |path: &Vec<String>| {
        let field = path.iter().flat_map(|key| ["[", key, "]"]).collect::<String>();
        let found = old.locate(before, &field);
        suspects().any(|change| {
            let site = &change.site.steps;
            found.is_in(site) || site.starts_with(&found.steps)
        })
    };
    if paths.is_empty() {
        return Outcome::Equal;
    }
    let Some(path) = paths.iter().find(|path| !is_explained(path)) else {
        return Outcome::Explained;
    };
    let pointer = generate::pointer(path);
    let at = |object: &Value| object.pointer(&pointer).cloned().unwrap_or_default();
    let steps = path.iter().map(|key| Step::Property(key.clone())).collect();
    let site = Site { steps, ..Site::default() };
    let mut change = Change::new(&kinds::OBJECT_CHANGED, &site, "an object comes out different");
    let object = new.object(content);
    change.witness = Some(Witness::Differs { object, before: at(before), after: at(known) });
    Outcome::Unexplained(Box::new(change))
}

/// Collects the paths at which two values differ. Recurses at most as deep as objects are generated.
fn differences(a: &Value, b: &Value, at: &mut Vec<String>, into: &mut Vec<Vec<String>>) {
    match (a, b) {
        (Value::Object(a), Value::Object(b)) => {
            let keys = a.keys().chain(b.keys().filter(|key| !a.contains_key(*key)));
            for key in keys {
                at.push(key.clone());
                match (a.get(key), b.get(key)) {
                    (Some(a), Some(b)) => differences(a, b, at, into),
                    _ => into.push(at.clone()),
                }
                at.pop();
            }
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            for (index, (a, b)) in a.iter().zip(b).enumerate() {
                at.push(index.to_string());
                differences(a, b, at, into);
                at.pop();
            }
        }
        (a, b) if !json::equal(a, b) => into.push(at.clone()),
        _ => {}
    }
}

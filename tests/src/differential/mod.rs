//! Differential testing: generated definitions, rules and objects, decided by this workspace and by the
//! API server's own code.
//!
//! Every case is a vector in the format of the recorded verdicts, with the expectation asked live. What
//! disagrees is shrunk and kept as one.

mod object;
mod rule;
mod schema;
mod shrink;

pub use schema::root_schema;

use fastrand::Rng;
use serde_json::{Value, json};

use crate::conformance::without_numbers;
use crate::oracle::Oracle;

/// Definitions whose questions go out together.
const BATCH: u64 = 100;
/// Objects written for each accepted definition.
const OBJECTS: u64 = 9;
/// Disagreements kept before a run gives up.
const MAX_DISAGREEMENTS: usize = 20;

/// How often the server is asked before its answer counts as the only one.
const REPETITIONS: usize = 40;

/// Decides a vector; says what differs.
pub type Check<'a> = &'a mut dyn FnMut(&Value) -> Option<String>;

/// What a run is asked to do.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// Cases to decide at the least.
    pub cases: u64,
    /// The same seed gives the same cases.
    pub seed: u64,
    /// Only cases of this number, to repeat one disagreement.
    pub only: Option<u64>,
}

/// What a run found.
#[derive(Debug, Default)]
pub struct Summary {
    /// Definitions decided.
    pub definitions: u64,
    /// Of them, accepted by the server.
    pub accepted: u64,
    /// Objects decided.
    pub objects: u64,
    /// Of them, admitted by the server.
    pub admitted: u64,
    /// Cases to which the server itself gives different answers, ours among them.
    pub varying: u64,
    /// Cases that differ.
    pub disagreements: Vec<Disagreement>,
}

/// A case that differs.
#[derive(Debug)]
pub struct Disagreement {
    /// The number that `Options::only` takes.
    pub number: u64,
    /// The vector, shrunk.
    pub case: Value,
    /// What differs.
    pub difference: String,
}

impl Summary {
    /// Cases decided.
    pub fn cases(&self) -> u64 {
        self.definitions + self.objects
    }
}

/// Runs until enough cases are decided or too many disagree. `progress` is told after each batch.
///
/// # Errors
/// Where the oracle fails.
pub fn run(
    oracle: &mut Oracle,
    options: Options,
    definition: Check<'_>,
    object: Check<'_>,
    mut progress: impl FnMut(&Summary),
) -> std::io::Result<Summary> {
    let mut summary = Summary::default();
    let mut number = options.only.unwrap_or(0);
    while summary.cases() < options.cases && summary.disagreements.len() < MAX_DISAGREEMENTS {
        let last = if options.only.is_some() { number + 1 } else { number + BATCH };
        let definitions: Vec<(u64, Value)> = (number..last)
            .map(|n| (n, json!({"crd": generate_definition(options.seed, n)})))
            .collect();
        let verdicts = expect(oracle, &definitions)?;
        let mut objects = Vec::new();
        for ((n, _), case) in definitions.iter().zip(&verdicts) {
            summary.definitions += 1;
            if case
                .pointer("/expectCrd/errors")
                .and_then(Value::as_array)
                .is_some_and(Vec::is_empty)
            {
                summary.accepted += 1;
                objects.extend(
                    generate_objects(options.seed, *n, &case["crd"]).map(|case| (*n, case)),
                );
            }
        }
        let numbered = definitions.iter().map(|(n, _)| *n).zip(verdicts);
        decide(oracle, &mut summary, numbered.collect(), definition)?;
        let written = expect(oracle, &objects)?;
        for case in &written {
            summary.objects += 1;
            let errors = case.pointer("/expectObject/errors").and_then(Value::as_array);
            summary.admitted += u64::from(errors.is_some_and(Vec::is_empty));
        }
        let numbered = objects.iter().map(|(n, _)| *n).zip(written);
        decide(oracle, &mut summary, numbered.collect(), object)?;
        progress(&summary);
        number = last;
        if options.only.is_some() {
            break;
        }
    }
    Ok(summary)
}

fn decide(
    oracle: &mut Oracle,
    summary: &mut Summary,
    cases: Vec<(u64, Value)>,
    check: Check<'_>,
) -> std::io::Result<()> {
    for (number, case) in cases {
        let Some(difference) = check(&case) else { continue };
        if summary.disagreements.len() >= MAX_DISAGREEMENTS {
            continue;
        }
        if sometimes_agrees(oracle, &case, check)? {
            summary.varying += 1;
            continue;
        }
        let kind = kind(&difference);
        let small = shrink::shrink(&case, |candidate| {
            serves(oracle, candidate)
                && expect(oracle, &[(number, candidate.clone())]).is_ok_and(|cases| {
                    let differs = cases.first().and_then(&mut *check);
                    differs.is_some_and(|difference| self::kind(&difference) == kind)
                })
        });
        let asked = expect(oracle, &[(number, small)])?;
        for case in asked {
            let difference = check(&case).unwrap_or_else(|| "differs only unshrunk".to_owned());
            summary.disagreements.push(Disagreement { number, case, difference });
        }
    }
    Ok(())
}

/// Whether the server gives our answer at times: it walks maps, and in equality of objects or in a fold over
/// a map the first error or difference it meets decides.
fn sometimes_agrees(oracle: &mut Oracle, case: &Value, check: Check<'_>) -> std::io::Result<bool> {
    let again = vec![(0, case.clone()); REPETITIONS];
    Ok(expect(oracle, &again)?.iter().any(|case| check(case).is_none()))
}

/// What a difference is about, without its places and values: a smaller case must not disagree for another
/// reason.
fn kind(difference: &str) -> Vec<&str> {
    difference
        .split_whitespace()
        .filter(|word| {
            matches!(*word, "+" | "-")
                || word
                    .strip_suffix([':', ','])
                    .unwrap_or(word)
                    .bytes()
                    .all(|b| b.is_ascii_alphabetic())
        })
        .collect()
}

/// Whether a smaller case is still one: a write needs a definition that the server accepts.
fn serves(oracle: &mut Oracle, case: &Value) -> bool {
    let Some(crd) = case.get("crd") else { return false };
    if case.get("object").is_none() {
        return true;
    }
    expect(oracle, &[(0, json!({"crd": crd}))]).is_ok_and(|cases| {
        let errors = cases.first().and_then(|case| case.pointer("/expectCrd/errors")?.as_array());
        errors.is_some_and(Vec::is_empty)
    })
}

/// Asks the oracle for the expectation of each case.
fn expect(oracle: &mut Oracle, cases: &[(u64, Value)]) -> std::io::Result<Vec<Value>> {
    let questions: Vec<Value> = cases
        .iter()
        .map(|(_, case)| {
            let mut question = case.clone();
            if let Value::Object(question) = &mut question {
                question.remove("expectCrd");
                question.remove("expectObject");
                let writes = question.contains_key("object");
                question.insert("op".into(), if writes { "object" } else { "crd" }.into());
                if writes {
                    question.insert("cost".into(), true.into());
                }
            }
            question
        })
        .collect();
    let answers = oracle.ask(&questions)?;
    Ok(cases
        .iter()
        .zip(answers)
        .map(|((_, case), answer)| {
            let mut case = case.clone();
            // The names of object types hold a number that differs from run to run.
            let answer = without_numbers(&answer.to_string()).parse().unwrap_or(answer);
            if let Value::Object(case) = &mut case {
                let key = if case.contains_key("object") { "expectObject" } else { "expectCrd" };
                case.insert(key.into(), answer);
            }
            case
        })
        .collect())
}

fn generator(seed: u64, number: u64) -> Rng {
    Rng::with_seed(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(number))
}

fn generate_definition(seed: u64, number: u64) -> Value {
    let mut rng = generator(seed, number);
    let settings = schema::Settings { broken: rng.u8(..3) == 0, rules: rng.u8(..2) == 0 };
    schema::definition(&mut rng, settings)
}

fn generate_objects(seed: u64, number: u64, crd: &Value) -> impl Iterator<Item = Value> + use<> {
    let mut rng = generator(!seed, number);
    let crd = crd.clone();
    let root = root_schema(&crd).clone();
    let has_status = crd.pointer("/spec/versions/0/subresources/status").is_some();
    (0..OBJECTS).map(move |n| {
        let wild = [0, 2, 8, 20][rng.usize(..4)];
        let object = object::object(&mut rng, &crd, &root, wild);
        let mut case = json!({"crd": crd, "object": object});
        if let Value::Object(case) = &mut case
            && n % 3 != 0
        {
            let old = object::edited(&mut rng, &case["object"], wild);
            case.insert("old".into(), old);
            if has_status && n % 3 == 2 {
                case.insert("subresource".into(), "status".into());
            }
        }
        case
    })
}

/// An object near the boundary of a definition's schema.
pub fn generated_object(number: u64, crd: &Value) -> Value {
    let mut rng = generator(0, number);
    let wild = [0, 0, 5, 15][rng.usize(..4)];
    object::object(&mut rng, crd, root_schema(crd), wild)
}

/// A definition, a third of them broken on purpose.
pub fn generated_definition(number: u64) -> Value {
    generate_definition(0, number)
}

/// A write of an object like `base`: a few edits away from it, or near the boundary of the definition's
/// schema. It is the same object, of the same version.
pub fn generated_write(number: u64, crd: &Value, base: &Value) -> Value {
    let mut rng = generator(1, number);
    let wild = [0, 2, 8, 20][rng.usize(..4)];
    let mut out = if rng.u8(..2) == 0 {
        object::object(&mut rng, crd, root_schema(crd), wild)
    } else {
        object::edited(&mut rng, base, wild.max(5))
    };
    for key in ["apiVersion", "kind"] {
        out[key] = base[key].clone();
    }
    let metadata = out["metadata"].take();
    out["metadata"] = base["metadata"].clone();
    // The rest says which object it is, or is not the strategy's but the server's around it.
    for key in ["labels", "annotations", "finalizers", "unknown"] {
        if let Some(value) = metadata.get(key) {
            out["metadata"][key] = value.clone();
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_cases() {
        for number in 0..50 {
            let definition = generate_definition(7, number);
            assert_eq!(definition, generate_definition(7, number));
            let objects: Vec<Value> = generate_objects(7, number, &definition).collect();
            assert_eq!(objects, generate_objects(7, number, &definition).collect::<Vec<_>>());
            assert_eq!(objects.len(), 9);
        }
        assert_ne!(generate_definition(7, 0), generate_definition(8, 0));
    }
}

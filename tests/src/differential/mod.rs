//! Differential testing: generated definitions, rules and objects, decided by this workspace and by the API server's
//! own code.
//!
//! Every case is a vector in the format of the recorded verdicts, with the oracle's answer as the expectation. A
//! disagreement is shrunk and kept as a vector.

mod cases;
mod changes;
mod narrow;
mod object;
mod recorded;
mod rule;
mod scale;
mod schema;
mod shrink;
mod strings;
mod update;
mod views;

pub use cases::{generated_definition, generated_object, generated_value, generated_write};
pub use recorded::Corpus;
pub(crate) use rule::rule;
pub use schema::root_schema;

use std::collections::BTreeMap;
use std::io;
use std::num::NonZero;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

use crd_cel::kubernetes::KubernetesVersion;
use serde_json::{Map, Value, json};

use self::cases::{first_version, generate_definition, generate_objects, generator, identify};
use crate::conformance::{Depth, Objects, decide_definition};
use crate::oracle::Oracle;

/// Definitions that are sent to the oracle together.
const BATCH: u64 = 100;
/// Scales read and written for each accepted definition that has them.
const SCALES: u64 = 6;
/// The number of disagreements after which a run stops.
const MAX_DISAGREEMENTS: usize = 20;

/// The placeholder for the text of an object in a request.
const PLACEHOLDER: &str = "the text of the object";

/// How often a request is repeated before the server's answer counts as deterministic.
const REPETITIONS: usize = 40;

/// Options of a run.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// The least number of cases to decide.
    pub cases: u64,
    /// The seed of the generator; the same seed gives the same cases.
    pub seed: u64,
    /// Only cases of this number, to repeat one disagreement.
    pub only: Option<u64>,
    /// The version of the server.
    pub kubernetes: KubernetesVersion,
    /// How much of its answers is compared.
    pub depth: Depth,
}

/// The counts of a run, and its disagreements.
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
    /// Scales read or written.
    pub scales: u64,
    /// Rules whose estimated costs were compared.
    pub rules: u64,
    /// Objects whose rules' actual cost was compared.
    pub costs: u64,
    /// Cases to which the server gives different answers when asked again, one of which is ours.
    pub varying: u64,
    /// Cases on which the server's own code panics, or whose stored object it cannot decode. They are not compared,
    /// and not counted elsewhere.
    pub crashed: u64,
    /// Cases that differ.
    pub disagreements: Vec<Disagreement>,
}

/// A case that differs.
#[derive(Debug)]
pub struct Disagreement {
    /// The number of the case, for `Options::only`.
    pub number: u64,
    /// The vector, shrunk.
    pub case: Value,
    /// A description of the difference.
    pub difference: String,
}

impl Summary {
    /// Cases decided.
    pub fn cases(&self) -> u64 {
        self.definitions + self.objects + self.scales
    }

    fn add(&mut self, other: Self) {
        let Self {
            definitions,
            accepted,
            objects,
            admitted,
            scales,
            rules,
            costs,
            varying,
            crashed,
            disagreements,
        } = other;
        self.definitions += definitions;
        self.accepted += accepted;
        self.objects += objects;
        self.admitted += admitted;
        self.scales += scales;
        self.rules += rules;
        self.costs += costs;
        self.varying += varying;
        self.crashed += crashed;
        self.disagreements.extend(disagreements);
    }
}

/// Runs until enough cases are decided or too many disagree, and calls `progress` after each batch. With a corpus, the
/// cases are changes of its entries; otherwise they are generated.
///
/// Each core has a worker with an oracle of its own. The result depends on the options alone: batches are counted in
/// order, and those after the last one needed are ignored.
///
/// # Errors
/// If an oracle fails.
pub fn run(
    program: &Path,
    options: Options,
    corpus: Option<&Corpus>,
    mut progress: impl FnMut(&Summary),
) -> io::Result<Summary> {
    let next = AtomicU64::new(0);
    let done = AtomicBool::new(false);
    let workers = match options.only {
        Some(_) => 1,
        None => thread::available_parallelism().map_or(1, NonZero::get),
    };
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..workers {
            let (sender, next, done) = (sender.clone(), &next, &done);
            scope.spawn(move || {
                let mut worker = match Worker::start(program, corpus, options) {
                    Ok(worker) => worker,
                    Err(error) => return drop(sender.send((u64::MAX, Err(error)))),
                };
                while !done.load(Ordering::Relaxed) {
                    let batch = next.fetch_add(1, Ordering::Relaxed);
                    if sender.send((batch, worker.batch(options, batch))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut summary = Summary::default();
        let mut early = BTreeMap::new();
        let mut expected = 0;
        for (number, batch) in receiver {
            early.insert(number, batch.inspect_err(|_| done.store(true, Ordering::Relaxed))?);
            while let Some(batch) = early.remove(&expected) {
                expected += 1;
                summary.add(batch);
                progress(&summary);
                if options.only.is_some()
                    || summary.cases() >= options.cases
                    || summary.disagreements.len() >= MAX_DISAGREEMENTS
                {
                    done.store(true, Ordering::Relaxed);
                    return Ok(summary);
                }
            }
        }
        Err(io::Error::other("no worker is left"))
    })
}

/// Decides batches of cases, with its own oracle.
#[derive(Debug)]
struct Worker<'c> {
    oracle: Oracle,
    corpus: Option<&'c Corpus>,
    objects: Objects,
    kubernetes: KubernetesVersion,
    depth: Depth,
}

impl<'c> Worker<'c> {
    fn start(program: &Path, corpus: Option<&'c Corpus>, options: Options) -> io::Result<Self> {
        let Options { kubernetes, depth, .. } = options;
        let objects = Objects::of(kubernetes, depth);
        Ok(Self { oracle: Oracle::start(program, 1)?, corpus, objects, kubernetes, depth })
    }

    /// Decides the definitions of a batch, and objects and scales of those that the server accepts.
    fn batch(&mut self, options: Options, batch: u64) -> io::Result<Summary> {
        let mut summary = Summary::default();
        let numbers = match options.only {
            Some(number) => number..number + 1,
            None => batch * BATCH..(batch + 1) * BATCH,
        };
        let definitions: Vec<(u64, Value)> =
            numbers.map(|n| (n, self.generate_definition(options.seed, n))).collect();
        let definitions = self.expect(definitions)?;
        let mut objects = Vec::new();
        for (n, case) in &definitions {
            if has_crashed(case) {
                summary.crashed += 1;
                continue;
            }
            summary.definitions += 1;
            if case.get("oldCrd").is_none() && is_accepted(case) {
                summary.accepted += 1;
                objects.extend(
                    self.generate_objects(options.seed, *n, &case["crd"])
                        .into_iter()
                        .chain(self.generate_scales(options.seed, *n, &case["crd"]))
                        .map(|case| (*n, case)),
                );
            }
            let rules = case.get("expectRules").and_then(Value::as_array);
            summary.rules += rules.map_or(0, |rules| rules.len() as u64);
        }
        self.decide(&mut summary, definitions)?;
        let objects = self.expect(objects)?;
        for (_, case) in &objects {
            if has_crashed(case) {
                summary.crashed += 1;
                continue;
            }
            if case.get("scale").is_some() {
                summary.scales += 1;
                continue;
            }
            summary.objects += 1;
            let errors = case.pointer("/expectObject/errors").and_then(Value::as_array);
            summary.admitted += u64::from(errors.is_some_and(Vec::is_empty));
            summary.costs += u64::from(case.pointer("/expectObject/celCost").is_some());
        }
        self.decide(&mut summary, objects)?;
        Ok(summary)
    }

    fn generate_definition(&self, seed: u64, number: u64) -> Value {
        let mut case = match self.corpus {
            Some(corpus) => corpus.definition(&mut generator(seed, number)),
            None => generate_definition(seed, number),
        };
        // An empty list is printed differently: `docs/guide/src/differences.md`,
        // `an_empty_list_of_versions_prints_as_null`.
        for crd in ["crd", "oldCrd"] {
            if let Some(versions) = case.pointer_mut(&format!("/{crd}/spec/versions"))
                && versions.as_array().is_some_and(Vec::is_empty)
            {
                versions.take();
            }
        }
        case
    }

    fn generate_objects(&self, seed: u64, number: u64, crd: &Value) -> Vec<Value> {
        match self.corpus {
            Some(corpus) => corpus.objects(&mut generator(!seed, number), crd),
            None => generate_objects(seed, number, crd).collect(),
        }
    }

    fn generate_scales(&self, seed: u64, number: u64, crd: &Value) -> Vec<Value> {
        match self.corpus {
            None if first_version(crd) == Some("v1") => scale::cases(seed, number, crd).collect(),
            _ => Vec::new(),
        }
    }

    fn check(&mut self, case: &Value) -> Option<String> {
        let difference = match (case.get("object"), case.get("scale")) {
            (Some(_), _) => self.objects.decide(case),
            (None, Some(_)) => self.objects.decide_scale(case),
            (None, None) => decide_definition(case, self.kubernetes, self.depth),
        };
        // If the server panics, the only requirement is that our code terminates, which it has done here.
        difference.filter(|_| !has_crashed(case))
    }

    fn decide(&mut self, summary: &mut Summary, cases: Vec<(u64, Value)>) -> io::Result<()> {
        for (number, case) in cases {
            let Some(difference) = self.check(&case) else { continue };
            if summary.disagreements.len() >= MAX_DISAGREEMENTS {
                continue;
            }
            if self.sometimes_agrees(&case)? {
                summary.varying += 1;
                continue;
            }
            let words = words(&difference);
            let small = shrink::shrink(&case, |candidate| {
                self.is_valid_case(candidate)
                    && self.expect(vec![(number, candidate.clone())]).is_ok_and(|cases| {
                        let differs = cases.first().and_then(|(_, case)| self.check(case));
                        differs.is_some_and(|difference| self::words(&difference) == words)
                    })
            });
            for (number, case) in self.expect(vec![(number, small)])? {
                let difference =
                    self.check(&case).unwrap_or_else(|| "differs only unshrunk".to_owned());
                summary.disagreements.push(Disagreement { number, case, difference });
            }
        }
        Ok(())
    }

    /// Whether the server sometimes gives our answer. It iterates over maps in random order. For example, which error
    /// it finds first varies when a macro iterates over a map with two wrong entries.
    fn sometimes_agrees(&mut self, case: &Value) -> io::Result<bool> {
        let again = vec![(0, case.clone()); REPETITIONS];
        Ok(self.expect(again)?.iter().any(|(_, case)| self.check(case).is_none()))
    }

    /// Whether a smaller case is still valid: a write needs a definition that the server accepts.
    fn is_valid_case(&mut self, case: &Value) -> bool {
        let Some(crd) = case.get("crd") else { return false };
        if case.get("object").is_none() && case.get("scale").is_none() {
            return true;
        }
        let has_scale = crd.pointer("/spec/versions/0/subresources/scale").is_some();
        if case.get("scale").is_some() && !has_scale {
            return false;
        }
        let answered = self.expect(vec![(0, json!({"crd": crd}))]);
        answered.is_ok_and(|cases| cases.first().is_some_and(|(_, case)| is_accepted(case)))
    }

    /// Adds the oracle's answers to the cases, as their expectations.
    fn expect(&mut self, mut cases: Vec<(u64, Value)>) -> io::Result<Vec<(u64, Value)>> {
        let mut questions = Vec::new();
        for (_, case) in &mut cases {
            let Value::Object(case) = case else { continue };
            case.retain(|key, _| !key.starts_with("expect"));
            let about = About::of(case);
            let mut question = case.clone();
            if let Some(old) = question.remove("oldCrd") {
                question.insert("old".into(), old);
            }
            let (op, option) = match about {
                About::Object => ("object", Some("cost")),
                About::Scale => ("scale", None),
                // Requests the costs of the rules of the first version, which the oracle finds by its name.
                About::Definition => ("crd", first_version(&case["crd"]).map(|_| "rules")),
            };
            if let (About::Definition, Some(version)) = (about, first_version(&case["crd"])) {
                question.insert("version".into(), version.into());
            }
            question.insert("op".into(), op.into());
            if let Some(option) = option {
                question.insert(option.into(), true.into());
            }
            // A null scale is a read, and has no member in the request.
            question.retain(|key, value| key != "scale" || !value.is_null());
            // An object that is given as text is sent as that text.
            let text = question.remove("text");
            let text = text.as_ref().and_then(Value::as_str).map(str::to_owned);
            if text.is_some() {
                question.insert("object".into(), PLACEHOLDER.into());
                question.insert("body".into(), true.into());
            }
            let line = Value::Object(question).to_string();
            questions.push(match text {
                Some(text) => line.replacen(&format!("\"{PLACEHOLDER}\""), &text, 1),
                None => line,
            });
        }
        let answers = self.oracle.ask_lines(&questions)?;
        for ((_, case), mut answer) in cases.iter_mut().zip(answers) {
            let Value::Object(case) = case else { continue };
            if let Some(answer) = answer.as_object_mut()
                && let Some(rules) = answer.remove("rules")
            {
                case.insert("expectRules".into(), rules);
            }
            let key = match About::of(case) {
                About::Object => "expectObject",
                About::Scale => "expectScale",
                About::Definition => "expectCrd",
            };
            case.insert(key.into(), answer);
        }
        Ok(cases)
    }
}

/// The kind of request that a case makes.
#[derive(Debug, Clone, Copy)]
enum About {
    Definition,
    Object,
    Scale,
}

impl About {
    fn of(case: &Map<String, Value>) -> Self {
        if case.contains_key("object") {
            Self::Object
        } else if case.contains_key("scale") {
            Self::Scale
        } else {
            Self::Definition
        }
    }
}

/// Whether there is no answer to compare with: the server's own code panicked, or the stored object does not decode.
fn has_crashed(case: &Value) -> bool {
    let stored = ["/expectCrd/decodeError", "/expectObject/decodeError"].iter().any(|at| {
        case.pointer(at).and_then(Value::as_str).is_some_and(|text| text.starts_with("old: "))
    });
    if stored {
        return true;
    }
    ["/expectCrd/failure", "/expectObject/failure", "/expectScale/failure"].iter().any(|at| {
        case.pointer(at).and_then(Value::as_str).is_some_and(|text| text.starts_with("panic: "))
    })
}

/// Whether the server accepts a definition.
fn is_accepted(case: &Value) -> bool {
    let errors = case.pointer("/expectCrd/errors").and_then(Value::as_array);
    errors.is_some_and(Vec::is_empty)
}

/// Returns the words of a difference without paths and values. A smaller case must have the same words, so that it
/// does not disagree for another reason.
fn words(difference: &str) -> Vec<&str> {
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

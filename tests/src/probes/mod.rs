//! Probes: small programs with right and wrong attributes, with rustc's verdict on each, and the API server's verdict
//! on the resulting definition, or on the one that the author intends.
//!
//! The server's verdicts are recorded beside the programs in `tests/probes`. `cargo test -p crd-tests --test probes`
//! compares rustc and the checks of definitions with them.

mod compile;
mod file;
pub mod generate;
mod judge;
mod table;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

use crd_runtime::model::CustomResourceDefinition;
use serde_json::{Value, json};

pub use file::{Family, Probe, ProbeOutcome, RustcVerdict, ServerVerdict};
pub use table::table;

use crate::cores::on_all_cores;
use crate::oracle::Oracle;
use crate::rustc::Rustc;
use crate::zoo::definition_of;

/// Returns the directory of the files.
#[must_use]
pub fn dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("probes")
}

/// Reads all files, by their names.
///
/// # Errors
/// If a file cannot be read, or has a line that does not belong in a file of probes.
pub fn read() -> io::Result<BTreeMap<String, Family>> {
    let mut families = BTreeMap::new();
    for entry in fs::read_dir(dir())? {
        let path = entry?.path();
        let Some(name) = path.file_stem().and_then(|name| name.to_str()) else { continue };
        let family = Family::parse(&fs::read_to_string(&path)?)
            .map_err(|error| io::Error::other(format!("{}: {error}", path.display())))?;
        families.insert(name.to_owned(), family);
    }
    Ok(families)
}

/// Writes a file.
///
/// # Errors
/// If the file cannot be written.
pub fn write(name: &str, family: &Family) -> io::Result<()> {
    fs::write(dir().join(name).with_extension("txt"), family.render())
}

/// The result of running a probe.
#[derive(Debug)]
pub struct Found {
    /// The outcome to record.
    pub outcome: ProbeOutcome,
    /// Details for the reader: rustc's errors, or the law that does not hold.
    pub text: String,
    /// The verdict of this workspace's checks on the definition. The server's own verdict is
    /// [`ProbeOutcome::server`].
    pub local: ServerVerdict,
}

/// The number of probes in one crate. rustc needs some 1.3 MiB of memory for each.
const CRATE: usize = 400;

/// Runs probes: compiles them and checks those that compile. The server's verdicts are those of the oracle, or the
/// recorded ones without an oracle.
///
/// # Errors
/// If a file cannot be written, rustc cannot be run or reports an error outside of the probes, or the oracle fails.
pub fn run(
    probes: &[&Probe],
    rustc: &Rustc,
    dir: &Path,
    oracle: Option<&mut Oracle>,
) -> io::Result<Vec<Found>> {
    let crates: Vec<_> = probes.chunks(CRATE).enumerate().collect();
    let done = on_all_cores(&crates, |_, (index, probes)| {
        run_crate(probes, rustc, &dir.join(index.to_string()))
    });
    let (mut found, mut definitions) = (Vec::new(), Vec::new());
    for of_crate in done {
        let (of_crate, definitions_of_crate): (Vec<_>, Vec<_>) = of_crate?.into_iter().unzip();
        found.extend(of_crate);
        definitions.extend(definitions_of_crate);
    }
    if let Some(oracle) = oracle {
        ask_the_server(oracle, &definitions, &mut found)?;
    }
    Ok(found)
}

/// Runs the probes of one crate, and returns the result and the definition of each.
fn run_crate(probes: &[&Probe], rustc: &Rustc, dir: &Path) -> io::Result<Vec<(Found, Value)>> {
    let sources: Vec<_> = probes.iter().map(|probe| probe.source.as_str()).collect();
    let rejected = |number: usize| {
        let outcome: Option<&ProbeOutcome> = probes[number].outcome.as_ref();
        outcome.is_none_or(|outcome| outcome.rustc != RustcVerdict::Compiles)
    };
    let mut compiled = compile::ProbeCompiler { rustc, dir }.compile(&sources, rejected)?;
    let numbers: Vec<_> = compiled
        .verdicts
        .iter()
        .filter(|(_, verdict)| **verdict == RustcVerdict::Compiles)
        .map(|(number, _)| *number)
        .collect();
    let judged = match &compiled.program {
        Some(program) => judge::judge(program, &numbers, &|number| probes[number].objects.clone())?,
        None => Vec::new(),
    };
    let mut judged: BTreeMap<usize, judge::Judged> =
        judged.into_iter().map(|judged| (judged.number, judged)).collect();
    let mut found = Vec::with_capacity(probes.len());
    for (number, probe) in probes.iter().enumerate() {
        let judged = judged.remove(&number);
        let (definition, local) = match (&judged, &probe.meant) {
            (Some(judged), _) if judged.definition.is_object() => {
                (judged.definition.clone(), ServerVerdict::of(judged.errors.clone()))
            }
            (None, Some(schema)) => {
                let definition = intended_definition(schema);
                let local = local_verdict(&definition);
                (definition, local)
            }
            _ => (Value::Null, ServerVerdict::NotAsked),
        };
        let broken = judged.as_ref().and_then(|judged| judged.broken.clone());
        let verdict = compiled.verdicts.remove(&number);
        let outcome = ProbeOutcome {
            rustc: verdict.unwrap_or_else(|| RustcVerdict::Elsewhere(String::new())),
            server: probe.outcome.as_ref().map_or(ServerVerdict::NotAsked, |it| it.server.clone()),
            broken: broken.is_some(),
            objects: judged.map(|judged| judged.objects).unwrap_or_default(),
        };
        let text = compiled.texts.remove(&number).or(broken).unwrap_or_default();
        found.push((Found { outcome, text, local }, definition));
    }
    Ok(found)
}

/// Returns the definition that the author intends, given as a schema, a rule on `Fields`, or a whole definition.
fn intended_definition(intended: &Value) -> Value {
    if let Some(rule) = intended.get("rule") {
        return definition_of(&generate::rules::ruled(rule));
    }
    if intended.get("spec").is_some() { intended.clone() } else { definition_of(intended) }
}

/// Returns the verdict of this workspace's checks on a definition.
fn local_verdict(definition: &Value) -> ServerVerdict {
    match serde_json::from_value::<CustomResourceDefinition>(definition.clone()) {
        Ok(crd) => ServerVerdict::of(judge::errors_of(&crd)),
        Err(error) => ServerVerdict::of(vec![error.to_string()]),
    }
}

fn ask_the_server(
    oracle: &mut Oracle,
    definitions: &[Value],
    found: &mut [Found],
) -> io::Result<()> {
    for found in found.iter_mut() {
        found.outcome.server = ServerVerdict::NotAsked;
    }
    let checked = definitions.iter().zip(found).filter(|(definition, _)| definition.is_object());
    let (questions, mut found): (Vec<_>, Vec<_>) =
        checked.map(|(definition, found)| (json!({"op": "crd", "crd": definition}), found)).unzip();
    for (found, answer) in found.iter_mut().zip(oracle.ask(&questions)?) {
        let errors = answer["errors"].as_array().into_iter().flatten();
        let errors = errors.filter_map(|error| error["error"].as_str());
        let decode = ["decodeError", "failure"].into_iter().filter_map(|key| answer[key].as_str());
        found.outcome.server = ServerVerdict::of(errors.chain(decode).map(str::to_owned).collect());
    }
    Ok(())
}

/// The classes of probes, by the verdicts of rustc and the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// It compiles, the server accepts it, and the laws hold.
    Valid,
    /// The server rejects it, and rustc marks the mistake.
    AtTheToken,
    /// It compiles, and the server rejects it because a rule costs too much, which the test of the kind says.
    ByItsTest,
    /// The derives reject it, with a reason, although the server would accept it or was not asked.
    WithReason,
    /// It is rejected, but not by the derives or not at a token.
    Elsewhere,
    /// It compiles, but the server rejects it.
    Missed,
    /// It compiles and the server accepts it, but a law does not hold, or the probe has a reason to reject it.
    Silent,
    /// It is rejected without a reason.
    False,
}

impl Class {
    /// The class of a probe with this outcome.
    #[must_use]
    pub fn of(probe: &Probe, outcome: &ProbeOutcome) -> Self {
        let rejected = matches!(outcome.server, ServerVerdict::Rejected(_));
        let costs = matches!(&outcome.server, ServerVerdict::Rejected(errors) if errors.iter().all(|error| is_about_costs(error)));
        match &outcome.rustc {
            RustcVerdict::Compiles if costs => Self::ByItsTest,
            RustcVerdict::Compiles if rejected => Self::Missed,
            RustcVerdict::Compiles if outcome.broken || probe.why.is_some() => Self::Silent,
            RustcVerdict::Compiles => Self::Valid,
            RustcVerdict::Elsewhere(_) => Self::Elsewhere,
            RustcVerdict::At(_) if rejected => Self::AtTheToken,
            RustcVerdict::At(_) if probe.why.is_some() => Self::WithReason,
            RustcVerdict::At(_) => Self::False,
        }
    }

    /// Whether the outcome is one that the derives document: a valid program compiles, and an invalid one is an
    /// error at a token, or fails the test of its kind.
    #[must_use]
    pub fn is_documented(self) -> bool {
        matches!(self, Self::Valid | Self::AtTheToken | Self::ByItsTest | Self::WithReason)
    }
}

/// Whether an error of a definition is about the estimated costs of rules.
fn is_about_costs(error: &str) -> bool {
    error.contains(": Forbidden: contributed to estima")
        || error.contains(": Forbidden: estimated ")
        || error.contains(": Forbidden: x-kubernetes-validations estimated rule cost total")
}

/// Describes the probes whose class is neither documented nor a known gap.
#[must_use]
pub fn complaints(probes: &[(String, &Probe)], found: &[Found]) -> String {
    let mut out = String::new();
    for ((name, probe), found) in probes.iter().zip(found) {
        let class = Class::of(probe, &found.outcome);
        if class.is_documented() || probe.gap.is_some() {
            continue;
        }
        // Writing to a string does not fail.
        let _ = writeln!(
            out,
            "--- {name}: {class:?}: rustc {}, server {:?}\n{}\n{}",
            found.outcome.rustc.text(),
            found.outcome.server,
            probe.source,
            found.text
        );
    }
    out
}

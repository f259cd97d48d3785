//! Probes: small programs with attributes right and wrong, what rustc says of each, and what the API server says of the
//! definition that comes out, or that its author had in mind.
//!
//! What the server says was recorded, beside the program in `tests/probes`; `cargo test -p crd-tests --test probes` holds
//! rustc and the checks of the definition to it.

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

pub use file::{Family, Outcome, Probe, Said, Verdict};
pub use table::table;

use crate::cores::on_all_cores;
use crate::oracle::Oracle;
use crate::rustc::Rustc;
use crate::zoo::definition_of;

/// Where the files are.
#[must_use]
pub fn dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("probes")
}

/// Reads all files, by their names.
///
/// # Errors
/// Those of the file system, and a line that is none of a file of probes.
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
/// Those of the file system.
pub fn write(name: &str, family: &Family) -> io::Result<()> {
    fs::write(dir().join(name).with_extension("txt"), family.render())
}

/// What a run found of each probe.
#[derive(Debug)]
pub struct Found {
    /// What there is to record.
    pub outcome: Outcome,
    /// What a person wants to know: rustc's text, or the law that does not hold.
    pub text: String,
    /// What the checks here say of the definition; [`Outcome::server`] has the server's where it was asked.
    pub local: Verdict,
}

/// Probes in one crate. More of them need more memory: rustc takes some 1.3 MiB for each.
const CRATE: usize = 400;

/// Runs probes: compiles them, judges what compiles, and asks the server if it is there.
///
/// # Errors
/// Those of the file system, a rustc that cannot be run or that says what is about no probe, and those of the server.
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

/// What is found of the probes of one crate, each with its definition.
fn run_crate(probes: &[&Probe], rustc: &Rustc, dir: &Path) -> io::Result<Vec<(Found, Value)>> {
    let sources: Vec<_> = probes.iter().map(|probe| probe.source.as_str()).collect();
    let refused = |number: usize| {
        let outcome: Option<&Outcome> = probes[number].outcome.as_ref();
        outcome.is_none_or(|outcome| outcome.rustc != Said::Compiles)
    };
    let mut compiled = compile::Workshop { rustc, dir }.compile(&sources, refused)?;
    let numbers: Vec<_> = compiled
        .said
        .iter()
        .filter(|(_, said)| **said == Said::Compiles)
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
                (judged.definition.clone(), Verdict::of(judged.errors.clone()))
            }
            (None, Some(schema)) => {
                let definition = meant(schema);
                let local = local(&definition);
                (definition, local)
            }
            _ => (Value::Null, Verdict::NotAsked),
        };
        let broken = judged.as_ref().and_then(|judged| judged.broken.clone());
        let said = compiled.said.remove(&number);
        let outcome = Outcome {
            rustc: said.unwrap_or_else(|| Said::Elsewhere(String::new())),
            server: local.clone(),
            broken: broken.is_some(),
            objects: judged.map(|judged| judged.objects).unwrap_or_default(),
        };
        let text = compiled.texts.remove(&number).or(broken).unwrap_or_default();
        found.push((Found { outcome, text, local }, definition));
    }
    Ok(found)
}

/// The definition of what the author has in mind: a schema, a rule about `Fields`, or a whole definition.
fn meant(meant: &Value) -> Value {
    if let Some(rule) = meant.get("rule") {
        return definition_of(&generate::rules::ruled(rule));
    }
    if meant.get("spec").is_some() { meant.clone() } else { definition_of(meant) }
}

fn local(definition: &Value) -> Verdict {
    match serde_json::from_value::<CustomResourceDefinition>(definition.clone()) {
        Ok(crd) => Verdict::of(judge::errors_of(&crd)),
        Err(error) => Verdict::of(vec![error.to_string()]),
    }
}

fn ask_the_server(
    oracle: &mut Oracle,
    definitions: &[Value],
    found: &mut [Found],
) -> io::Result<()> {
    let asked = definitions.iter().zip(found).filter(|(definition, _)| definition.is_object());
    let (questions, mut found): (Vec<_>, Vec<_>) =
        asked.map(|(definition, found)| (json!({"op": "crd", "crd": definition}), found)).unzip();
    for (found, answer) in found.iter_mut().zip(oracle.ask(&questions)?) {
        let errors = answer["errors"].as_array().into_iter().flatten();
        let errors = errors.filter_map(|error| error["error"].as_str());
        let decode = ["decodeError", "failure"].into_iter().filter_map(|key| answer[key].as_str());
        found.outcome.server = Verdict::of(errors.chain(decode).map(str::to_owned).collect());
    }
    Ok(())
}

/// What a probe shows, by what rustc and the server say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// It compiles, the server takes it, and objects are as the types say.
    Valid,
    /// The server refuses it, and rustc marks the mistake.
    AtTheToken,
    /// The server would take it, or there is nothing to ask it, and the derives refuse it with a reason.
    WithReason,
    /// It is refused, but not by the derives or not at a token.
    Elsewhere,
    /// The server refuses it, and it compiles.
    Missed,
    /// The server takes it, and objects are not as the types say.
    Silent,
    /// It is refused, and nothing is wrong.
    False,
}

impl Class {
    /// The class of a probe with this outcome.
    #[must_use]
    pub fn of(probe: &Probe, outcome: &Outcome) -> Self {
        let rejected = matches!(outcome.server, Verdict::Rejected(_));
        match &outcome.rustc {
            Said::Compiles if rejected => Self::Missed,
            Said::Compiles if outcome.broken && probe.why.is_none() => Self::Silent,
            Said::Compiles => Self::Valid,
            Said::Elsewhere(_) => Self::Elsewhere,
            Said::At(_) if rejected => Self::AtTheToken,
            Said::At(_) if probe.why.is_some() => Self::WithReason,
            Said::At(_) => Self::False,
        }
    }

    /// Whether it is as promised.
    #[must_use]
    pub fn is_kept(self) -> bool {
        matches!(self, Self::Valid | Self::AtTheToken | Self::WithReason)
    }
}

/// What is not as promised and not known as a gap; and gaps that are none any more.
#[must_use]
pub fn complaints(probes: &[(String, &Probe)], found: &[Found]) -> (String, usize) {
    let (mut out, mut closed) = (String::new(), 0);
    for ((name, probe), found) in probes.iter().zip(found) {
        let class = Class::of(probe, &found.outcome);
        closed += usize::from(class.is_kept() && probe.gap.is_some());
        if class.is_kept() || probe.gap.is_some() {
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
    (out, closed)
}

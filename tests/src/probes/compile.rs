//! Compiles many probes in one crate: finds those that rustc rejects, and builds a program of the others.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

use super::file::RustcVerdict;
use crate::batch::{self, Source};
use crate::rustc::Rustc;
use crate::rustc_error::Error;

const PRELUDE: &str = "\
#![allow(warnings)]
#![recursion_limit = \"512\"]
mod harness;
mod prelude {
    pub use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
    pub use crd_runtime::{CrdSchema, CustomResource};
    pub use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, ObjectMeta, Time};
    pub use k8s_openapi::apimachinery::pkg::api::resource::Quantity;
    pub use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
    pub use serde::{Deserialize, Serialize};
    pub use serde_json::{Value, json};
    pub use crate::harness::types::*;
}
";
/// An abbreviation for the derives of a part.
const PART: (&str, &str) = ("#[D]", "#[derive(CrdSchema, Serialize, Deserialize)]");
/// An abbreviation for the derives of a kind, with its names.
const KIND: (&str, &str) = (
    "#[K]",
    "#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)] \
     #[crd(group = \"a.example.com\", version = \"v1\", kind = \"Widget\", namespaced)]",
);
/// An abbreviation for the derives of a kind, without its names.
const KIND_ALONE: (&str, &str) =
    ("#[C]", "#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]");
/// rustc's verdict on each probe, and the program of those that compile.
pub(super) struct Compiled {
    pub verdicts: BTreeMap<usize, RustcVerdict>,
    /// rustc's errors for rejected probes.
    pub texts: BTreeMap<usize, String>,
    pub program: Option<PathBuf>,
}

/// The compiler, and the directory for its files.
pub(super) struct ProbeCompiler<'a> {
    pub rustc: &'a Rustc,
    pub dir: &'a Path,
}

impl ProbeCompiler<'_> {
    /// Compiles probes. Those for which `rejected` predicts an error are compiled apart from the others, so that no
    /// probe is compiled twice if the predictions are right.
    pub(super) fn compile(
        &self,
        sources: &[&str],
        rejected: impl Fn(usize) -> bool,
    ) -> io::Result<Compiled> {
        fs::create_dir_all(self.dir)?;
        fs::write(self.dir.join("harness.rs"), include_str!("harness.rs"))?;
        let mut compiled =
            Compiled { verdicts: BTreeMap::new(), texts: BTreeMap::new(), program: None };
        let (invalid, mut valid): (Vec<_>, Vec<_>) =
            (0..sources.len()).partition(|number| rejected(*number));
        let unexpectedly_valid = self.rounds(&invalid, sources, false, &mut compiled)?;
        valid.extend(unexpectedly_valid);
        valid.sort_unstable();
        let valid = self.rounds(&valid, sources, true, &mut compiled)?;
        compiled.verdicts.extend(valid.iter().map(|number| (*number, RustcVerdict::Compiles)));
        compiled.program = (!valid.is_empty()).then(|| self.dir.join("probes"));
        Ok(compiled)
    }

    /// Compiles the probes of these numbers, and returns the numbers of those that compile. With `link` it builds a
    /// program, otherwise only metadata.
    fn rounds(
        &self,
        numbers: &[usize],
        sources: &[&str],
        link: bool,
        compiled: &mut Compiled,
    ) -> io::Result<Vec<usize>> {
        let numbers = numbers.iter().map(|number| *number as u64).collect();
        let done = batch::compile(self.rustc, self.dir, ("probes", link), numbers, &|numbers| {
            write(numbers, sources, link)
        })?;
        for (number, errors) in done.rejected {
            let (verdict, text) = rustc_verdict(&errors);
            compiled.verdicts.insert(index(number), verdict);
            compiled.texts.insert(index(number), text);
        }
        Ok(done.numbers.into_iter().map(index).collect())
    }
}

fn index(number: u64) -> usize {
    usize::try_from(number).expect("the index of a probe")
}

/// Returns rustc's verdict on a probe, with the errors as rustc prints them.
///
/// The verdict has the text that an error marks: the first error that is not of the derives or not at a token, or else
/// the first one.
fn rustc_verdict(errors: &[Error]) -> (RustcVerdict, String) {
    // If serde's derive rejects the type too, its missing implementation is a further error, which is not counted.
    let beside = errors.iter().any(Error::is_of_macro);
    let counted = || errors.iter().filter(|error| !(beside && error.asks_for_serde()));
    let text = counted().map(Error::rendered).collect();
    let one_line = |error: &Error| error.marked.split_whitespace().collect::<Vec<_>>().join(" ");
    let foreign = counted().find(|error| error.foreign_reason().is_some());
    let verdict = match (foreign, counted().next()) {
        (Some(error), _) => RustcVerdict::Elsewhere(one_line(error)),
        (None, Some(error)) => RustcVerdict::At(one_line(error)),
        (None, None) => RustcVerdict::Elsewhere(String::new()),
    };
    (verdict, text)
}

/// Returns the source of the crate.
fn write(numbers: &[u64], sources: &[&str], link: bool) -> Source {
    let mut out = Source::new(PRELUDE);
    for number in numbers {
        let mut module = String::new();
        write_module(&mut module, *number, sources[index(*number)], link);
        out.push(*number, &module);
    }
    if link {
        out.text.push_str("fn main() {\n    harness::serve(&[\n");
        for number in numbers {
            let _ = writeln!(out.text, "        ({number}, p{number}::handle),");
        }
        out.text.push_str("    ]);\n}\n");
    }
    out
}

/// Whether a probe consists of the fields of a struct, not of items.
fn is_fields(source: &str) -> bool {
    let items = [
        "struct ",
        "enum ",
        "type ",
        "mod ",
        "pub ",
        "fn ",
        "use ",
        "impl",
        "const ",
        "macro_rules",
    ];
    let derives = [PART.0, KIND.0, KIND_ALONE.0, "#[derive("];
    !derives.iter().any(|derive| source.contains(derive))
        && !source.lines().any(|line| items.iter().any(|item| line.starts_with(item)))
}

// Writing to a string does not fail.
fn write_module(out: &mut String, number: u64, source: &str, link: bool) {
    let expanded = |text: &str| {
        [PART, KIND, KIND_ALONE]
            .into_iter()
            .fold(text.to_owned(), |text, (short, long)| text.replace(short, long))
    };
    let (inner, source): (Vec<_>, Vec<_>) =
        source.lines().partition(|line| line.starts_with("#!["));
    let (inner, source) = (inner.join("\n"), source.join("\n"));
    let body = if is_fields(&source) {
        format!("{} struct Root {{\n{source}\n}}", PART.1)
    } else {
        expanded(&source)
    };
    let uses = if inner.is_empty() { "use super::prelude::*;" } else { "" };
    let _ = writeln!(out, "mod p{number} {{\n{inner}\n{uses}\n{body}");
    if link {
        let call = match kind_of(&source) {
            Some(kind) => format!("kind::<{kind}>"),
            None if source.contains("Root<'a>") || source.contains("no_read") => {
                "schema_only::<Root>".to_owned()
            }
            None => "part::<Root>".to_owned(),
        };
        let _ = writeln!(
            out,
            "pub fn handle(request: &str, value: ::serde_json::Value) -> ::serde_json::Value {{ \
             crate::harness::{call}(request, value) }}"
        );
    }
    out.push_str("}\n");
}

/// Returns the name of the kind if the probe has one: that in `// kind: Name`, or `Widget`.
fn kind_of(source: &str) -> Option<&str> {
    let named = source.lines().find_map(|line| line.strip_prefix("// kind: "));
    named.or_else(|| (source.contains("#[K]") || source.contains("#[C]")).then_some("Widget"))
}

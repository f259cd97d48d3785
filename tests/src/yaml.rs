//! Texts of YAML, and what go-yaml reads in them.

use std::io::{self, Read as _, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::{fs, thread};

use crd_cel::base64::STANDARD;
use crd_runtime::{json, yaml};
use fastrand::Rng;
use serde_json::Value;

/// What is strung together into texts.
const PIECES: &[&str] = &[
    "a",
    "b: ",
    "- ",
    "? ",
    ": ",
    "\n",
    "\n",
    "\n  ",
    "\n    ",
    " ",
    "\t",
    "#",
    " # c",
    "[",
    "]",
    "{",
    "}",
    ",",
    "'",
    "\"",
    "''",
    "\\",
    "\\n",
    "\\x41",
    "\\/",
    "|",
    ">",
    "|-",
    ">+",
    "|2",
    "&a ",
    "*a",
    "*a ",
    "!!str ",
    "!!int ",
    "!!float ",
    "!!binary aGk=",
    "!!null ",
    "!!bool ",
    "!!timestamp ",
    "!x ",
    "! ",
    "!<tag:yaml.org,2002:int> ",
    "<<: ",
    "<<",
    "---",
    "--- ",
    "...",
    "%YAML 1.1\n",
    "%TAG ! x\n",
    "1",
    "012",
    "1.5",
    "1e3",
    "yes",
    "~",
    "null",
    "\u{feff}",
    "\u{85}",
    "\u{2028}",
    "\r",
    "\r\n",
    "é",
    "日",
    "😀",
    "@",
    "`",
    "%",
    "key: value\n",
    "- item\n",
    "x: y",
    "a:\n",
    "b:\n  c: d\n",
    "\"q\"",
    "'q'",
    "=",
    "-",
    "?",
    ":",
    "!",
    "&",
    "*",
    "%41",
    "\u{1}",
    "1_000",
    "0x1F",
    "0b1",
    ".5",
    ".inf",
    ".nan",
    "2001-01-01",
    "18446744073709551615",
    "{~: ",
    "? {",
    "true",
    "-0.0",
];

/// The greatest size of a file that is changed, in bytes.
const MAX_CHANGED: usize = 20_000;

/// What go-yaml reads in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The value as JSON, or the error.
    value: Result<String, String>,
    /// The other errors that Go finds in place of that one, because it visits maps in random order.
    others: Vec<String>,
    /// The error of strict decoding; empty without one.
    strict: String,
}

impl Answer {
    /// Reads the answer of `tests/kube/yaml`, or of a recorded case.
    #[must_use]
    pub fn of(line: &Value) -> Self {
        let text = |key| line.get(key).and_then(Value::as_str).map(str::to_owned);
        let value = text("error").map_or_else(|| Ok(text("json").unwrap_or_default()), Err);
        let others = line.get("others").and_then(Value::as_array).into_iter().flatten();
        let others = others.filter_map(Value::as_str).map(str::to_owned).collect();
        Self { value, others, strict: text("strict").unwrap_or_default() }
    }

    /// Returns how the reader of this workspace differs; `None` if it agrees.
    #[must_use]
    pub fn difference(&self, text: &[u8]) -> Option<String> {
        let ours = yaml::document(text);
        match (&ours, &self.value) {
            (Ok(document), Ok(want)) => {
                let got = document.as_ref().map_or(Value::Null, |document| document.value.clone());
                let decoded = json::decode(want.as_bytes()).map(|decoded| decoded.value);
                let want = decoded.unwrap_or_default();
                if json::to_go_string(&got) != json::to_go_string(&want) {
                    return Some(format!("value {got}, go-yaml {want}"));
                }
                let errors = document.as_ref().map(|document| document.strict_errors.join("\n  "));
                let strict = match errors.unwrap_or_default() {
                    errors if errors.is_empty() => errors,
                    errors => format!("yaml: unmarshal errors:\n  {errors}"),
                };
                // The value null is no document here, so that there is nothing to report.
                (strict != self.strict && document.is_some())
                    .then(|| format!("strict {strict:?}, go-yaml {:?}", self.strict))
            }
            (Err(error), Err(want)) => {
                let got = error.go_text();
                (got != *want && !self.others.contains(&got))
                    .then(|| format!("error {got:?}, go-yaml {want:?}"))
            }
            (Ok(_), Err(want)) => Some(format!("accepted, go-yaml {want:?}")),
            (Err(error), Ok(_)) => Some(format!("error {:?}, go-yaml accepts it", error.go_text())),
        }
    }
}

/// Returns the recorded cases of `tests/vectors/yaml.jsonl`.
///
/// # Panics
/// If the file is not there, or is malformed.
#[must_use]
pub fn recorded() -> Vec<(Vec<u8>, Answer)> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors/yaml.jsonl");
    let lines = fs::read_to_string(file).expect("recorded cases");
    let cases = lines.split('\n').filter(|line| !line.is_empty()).map(|line| {
        let case: Value = serde_json::from_str(line).expect("JSON");
        let text = match (case["yaml"].as_str(), case["bytes"].as_str()) {
            (Some(text), _) => text.as_bytes().to_vec(),
            (None, Some(bytes)) => STANDARD.decode(bytes.as_bytes()).expect("base64"),
            (None, None) => panic!("a case without a text: {line}"),
        };
        (text, Answer::of(&case))
    });
    cases.collect()
}

/// Asks `tests/kube/yaml` what go-yaml reads in texts.
///
/// # Errors
/// If the program cannot be run, or does not answer for each text.
///
/// # Panics
/// If the thread that writes to the program panics.
pub fn ask(program: &Path, texts: &[Vec<u8>]) -> io::Result<Vec<Answer>> {
    let mut go = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let mut stdin = go.stdin.take().ok_or_else(|| io::Error::other("no input"))?;
    let mut stdout = go.stdout.take().ok_or_else(|| io::Error::other("no output"))?;
    let mut answers = String::new();
    thread::scope(|scope| {
        let writer = scope.spawn(move || {
            texts.iter().try_for_each(|text| writeln!(stdin, "\"{}\"", STANDARD.encode(text)))
        });
        stdout.read_to_string(&mut answers)?;
        writer.join().expect("writes")
    })?;
    go.wait()?;
    let read = |line: &str| serde_json::from_str(line).map(|line: Value| Answer::of(&line));
    let answers: Vec<Answer> =
        answers.lines().map(read).collect::<Result<_, _>>().map_err(io::Error::other)?;
    if answers.len() == texts.len() {
        Ok(answers)
    } else {
        Err(io::Error::other(format!("{} answers for {} texts", answers.len(), texts.len())))
    }
}

/// Returns texts that are strung together from pieces of YAML.
#[must_use]
pub fn generated(count: usize, seed: u64) -> Vec<Vec<u8>> {
    let mut rng = Rng::with_seed(seed);
    let mut text = || {
        let pieces = rng.usize(1..15);
        (0..pieces).map(|_| PIECES[rng.usize(..PIECES.len())]).collect::<String>().into_bytes()
    };
    (0..count).map(|_| text()).collect()
}

/// Returns parts of files, with bytes and pieces inserted, replaced and removed.
#[must_use]
pub fn changed(count: usize, seed: u64, files: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let is_changed = |file: &&Vec<u8>| (1..MAX_CHANGED).contains(&file.len());
    let files: Vec<_> = files.iter().filter(is_changed).collect();
    let mut rng = Rng::with_seed(seed);
    if files.is_empty() {
        return Vec::new();
    }
    let mut text = || {
        let file = files[rng.usize(..files.len())];
        let start = rng.usize(..file.len());
        let lines = file[start..].split_inclusive(|byte| *byte == b'\n');
        let mut text = lines.take(rng.usize(1..13)).collect::<Vec<_>>().concat();
        for _ in 0..rng.usize(..4) {
            let at = rng.usize(..=text.len());
            let end = (at + rng.usize(..20)).min(text.len());
            match rng.u8(..4) {
                0 => drop(text.drain(at..end)),
                1 if at < text.len() => text[at] = rng.u8(..),
                _ => {
                    let piece = PIECES[rng.usize(..PIECES.len())];
                    text.splice(at..at, piece.bytes());
                }
            }
        }
        text
    };
    (0..count).map(|_| text()).collect()
}

//! Written YAML reads back as the same value, with the reader of this workspace and with `PyYAML`.

use std::env;
use std::io::Write as _;
use std::process::{Command, Stdio};

use crd_runtime::yaml;
use fastrand::Rng;
use serde_json::{Map, Number, Value, json};

/// The number of generated values.
const CASES: usize = 5_000;

/// Strings that some parser reads as another type, or that are hard to write.
const HARD: &[&str] = &[
    "",
    "~",
    "null",
    "Null",
    "on",
    "off",
    "yes",
    "NO",
    "y",
    "n",
    "true",
    "False",
    "1",
    "-1",
    "+1",
    "012",
    "0o17",
    "0x1F",
    "0b11",
    "1_000",
    "1e3",
    "1E-3",
    "1.",
    ".5",
    "1.0e+3",
    "1:30",
    "1:30:45.5",
    "-1:30",
    ".inf",
    "-.Inf",
    ".nan",
    "2001-01-01",
    "2001-1-1",
    "2001-12-14t21:59:43.10-05:00",
    "2001-12-14 21:59:43.10 -5",
    "=",
    "<<",
    "-",
    "?",
    ":",
    "- a",
    "? a",
    ": a",
    "a: b",
    "a:",
    "a #b",
    "#a",
    "a#b",
    "&a",
    "*a",
    "!a",
    "!!int 1",
    "|",
    ">",
    "%a",
    "@a",
    "`a",
    "'a'",
    "\"a\"",
    "it's",
    "\\n",
    "[a]",
    "{a: b}",
    "a, b",
    "---",
    "--- a",
    "...",
    "a\n",
    "a\n\n",
    "\na",
    " a",
    "a ",
    "a\nb",
    "a\n b\n",
    " a\nb",
    "a\n\n\nb\n",
    "a \nb",
    "\ta",
    "a\tb",
    "a\n\tb",
    "a\r\nb",
    "\u{85}",
    "\u{2028}",
    "\u{2029}",
    "\u{feff}",
    "\u{0}",
    "\u{7}",
    "\u{7f}",
    "\u{a0}",
    "é",
    "日本語",
    "😀",
    "#\nb",
    "- a\n- b",
    "---\na\n---\nb",
    "a\n...\nb",
    "\n",
    "\n\n",
    " ",
    "  \n ",
    "a\n  \nb",
    "a\n ",
];

/// Generates values.
struct Random(Rng);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0.usize(..bound)
    }

    fn pick<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> &'a T {
        of[self.below(of.len())]
    }

    fn text(&mut self) -> String {
        match self.below(6) {
            0..3 => self.pick(HARD).to_owned(),
            3 => (0..self.below(6)).map(|_| self.pick(HARD)).collect(),
            4 => {
                let alphabet: Vec<char> = "0123456789_.:eExob+-T Zz \n#,".chars().collect();
                (0..=self.below(8)).map(|_| alphabet[self.below(alphabet.len())]).collect()
            }
            _ => {
                let words: Vec<&str> = (0..self.below(60))
                    .map(|_| self.pick(&["word", "a", "longer-word", "-", "#", ":", "", "x:"]))
                    .collect();
                words.join(self.pick(&[" ", "  ", "\n", " \n"]))
            }
        }
    }

    fn number(&mut self) -> Number {
        match self.below(5) {
            0 => Number::from(self.below(100)),
            1 => Number::from(self.0.i64(..)),
            2 => Number::from(self.0.u64(..)),
            3 => {
                Number::from_f64(f64::from_bits(self.0.u64(..))).unwrap_or_else(|| Number::from(0))
            }
            _ => Number::from_f64(
                f64::from(u32::try_from(self.below(1 << 20)).expect("small")) / 8.0,
            )
            .expect("finite"),
        }
    }

    fn value(&mut self, depth: usize) -> Value {
        match self.below(if depth == 0 { 6 } else { 10 }) {
            0 => Value::Null,
            1 => Value::Bool(self.0.bool()),
            2 => Value::Number(self.number()),
            3..6 => Value::String(self.text()),
            6 | 7 => (0..self.below(5)).map(|_| self.value(depth - 1)).collect(),
            _ => (0..self.below(5))
                .map(|_| (self.text(), self.value(depth - 1)))
                .collect::<Map<_, _>>()
                .into(),
        }
    }
}

fn generated() -> Vec<Value> {
    let mut random = Random(Rng::with_seed(7));
    let hard = HARD.iter().flat_map(|text| {
        [json!(text), json!({ *text: text }), json!([text]), json!({"a": {"b": [text]}})]
    });
    let mut values: Vec<Value> = hard.collect();
    values.extend((0..CASES).map(|_| random.value(4)));
    values
}

/// Converts floats whose value is an `i64` to integers, as the API server does.
fn normal(value: &Value) -> Value {
    match value {
        Value::Number(number) => match number.as_f64() {
            Some(float) if number.is_f64() => {
                float.to_string().parse::<i64>().map_or_else(|_| value.clone(), Value::from)
            }
            _ => value.clone(),
        },
        Value::Array(items) => items.iter().map(normal).collect(),
        Value::Object(map) => map
            .iter()
            .map(|(key, value)| (key.clone(), normal(value)))
            .collect::<Map<_, _>>()
            .into(),
        other => other.clone(),
    }
}

#[test]
fn our_reader_reads_back_what_we_write() {
    for value in generated() {
        let text = yaml::to_string(&value);
        let read: Vec<_> = yaml::documents(&text)
            .map(|document| document.map(|document| document.value))
            .collect();
        let want = if value.is_null() { vec![] } else { vec![Ok(normal(&value))] };
        assert_eq!(read, want, "{value}\n{text}");
    }
}

#[test]
fn what_we_write_is_the_same_every_time() {
    let value = json!({"b": 1, "a": {"d": [1, 2], "c": "x"}});
    assert_eq!(yaml::to_string(&value), "a:\n  c: x\n  d:\n  - 1\n  - 2\nb: 1\n");
    for value in generated().into_iter().take(500) {
        let text = yaml::to_string(&value);
        let again = yaml::documents(&text)
            .next()
            .map_or(Value::Null, |document| document.expect("readable").value);
        assert_eq!(normal(&value), again);
        assert_eq!(yaml::to_string(&again), yaml::to_string(&normal(&value)));
    }
}

/// Compares, in Python, each YAML text with the JSON it was written from.
const READ_BACK: &str = r#"
import json, sys, yaml
bad = 0
for line in sys.stdin:
    case = json.loads(line)
    want = case["value"]
    try:
        got = yaml.load(case["yaml"], Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader) if case["c"] else yaml.SafeLoader)
    except yaml.YAMLError as error:
        got = error
    if got != want or json.dumps(got, sort_keys=True) != json.dumps(want, sort_keys=True):
        bad += 1
        if bad < 4:
            print("wrote", repr(case["yaml"]), "from", repr(want), "read", repr(got))
print("differ:", bad)
"#;

#[test]
#[ignore = "runs python3 with PyYAML (CRD_TESTS_PYTHON names another one): run it with --ignored, as CI does"]
fn pyyaml_reads_back_what_we_write() {
    let python = env::var("CRD_TESTS_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let mut child = Command::new(&python)
        .args(["-c", READ_BACK])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let lines: Vec<String> = generated()
        .iter()
        .enumerate()
        .map(|(index, value)| {
            // Tests both parsers of PyYAML: the one in Python, and, if it is installed, the one in C.
            json!({"yaml": yaml::to_string(value), "value": value, "c": index % 8 != 0}).to_string()
        })
        .collect();
    let writer = std::thread::spawn(move || {
        for line in lines {
            writeln!(stdin, "{line}").expect("python reads");
        }
    });
    let output = child.wait_with_output().expect("python ends");
    writer.join().expect("all written");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.trim_end().ends_with("differ: 0"), "{text}");
}

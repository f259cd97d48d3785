//! What the parser says of malformed expressions: `cel/syntax-errors.jsonl`, and the malformed ones
//! of `cel/spec-in-k8s-env.jsonl`.

use std::path::Path;

use crd_cel::kubernetes::Environment;
use crd_cel::syntax;
use serde_json::Value;

use super::{Report, cases};

const SOURCES: [&str; 2] = ["cel/syntax-errors.jsonl", "cel/spec-in-k8s-env.jsonl"];

/// How the parser's findings begin; everything else comes from the checker.
const PARSER: [&str; 13] = [
    "Syntax error: ",
    "unsupported syntax",
    "unsupported ident kind",
    "reserved identifier: ",
    "invalid int literal",
    "invalid uint literal",
    "invalid double literal",
    "invalid unicode code point",
    "unable to unescape",
    "invalid argument to has() macro",
    "argument is not an identifier",
    "argument must be a simple name",
    "expression ",
];

/// Parses each expression and compares the text of the issues; of those that parse, only that they do.
pub(super) fn run(dir: &Path, report: &mut Report) {
    for source in SOURCES {
        for (line, case) in cases(dir, source, report) {
            if case.get("skip").is_some() {
                continue;
            }
            let text = |key: &str| case.get(key).and_then(Value::as_str).unwrap_or_default();
            let malformed = text("issues").lines().any(|line| {
                let message =
                    line.strip_prefix("ERROR: <input>:").and_then(|line| line.split_once(": "));
                message.is_some_and(|(_, text)| PARSER.iter().any(|start| text.starts_with(start)))
            });
            let want = if malformed { text("issues") } else { "" };
            let environment = Environment::new(report.kubernetes);
            let got =
                syntax::parse_in(text("expr"), environment).err().map(|issues| issues.to_string());
            let got = got.unwrap_or_default();
            let id = format!("line {line}");
            let places = |text: &str| -> Vec<String> {
                let heads = text.lines().filter_map(|line| line.strip_prefix("ERROR: <input>:"));
                heads.filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
            };
            report.aspect(source, "verdict", got.is_empty() == want.is_empty());
            report.aspect(source, "places", places(&got) == places(want));
            if got == want {
                report.pass(source, &id);
            } else {
                let expr = text("expr");
                report.fail(source, &id, format!("{expr}\nwant\n{want}\ngot\n{got}"));
            }
        }
    }
}

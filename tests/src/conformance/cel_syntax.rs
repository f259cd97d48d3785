//! `cel/syntax-errors.jsonl`: the parser's errors for malformed expressions.
//!
//! The suite `cel-env` compares the same for the expressions of its own file.

use std::path::Path;

use crd_cel::kubernetes::{Environment, KubernetesVersion};
use crd_cel::syntax;
use serde_json::Value;

use super::{Report, cases};

const SOURCE: &str = "cel/syntax-errors.jsonl";

/// The beginnings of the parser's errors; all other errors are the type checker's.
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

/// Returns the recorded issues if the parser found them, and an empty text if the type checker did.
pub(super) fn parser_issues(issues: &str) -> &str {
    let malformed = issues.lines().any(|line| {
        let message = line.strip_prefix("ERROR: <input>:").and_then(|line| line.split_once(": "));
        message.is_some_and(|(_, text)| PARSER.iter().any(|start| text.starts_with(start)))
    });
    if malformed { issues } else { "" }
}

/// Returns the parser's errors for an expression; empty if it parses.
pub(super) fn parse_errors(expr: &str, kubernetes: KubernetesVersion) -> String {
    syntax::parse_in(expr, Environment::new(kubernetes))
        .err()
        .map(|issues| issues.to_string())
        .unwrap_or_default()
}

/// Returns the positions of the issues, in their order.
fn issue_positions(issues: &str) -> Vec<&str> {
    let heads = issues.lines().filter_map(|line| line.strip_prefix("ERROR: <input>:"));
    heads.filter_map(|line| line.split(' ').next()).collect()
}

/// Parses each expression and compares the text of the issues, which is empty for a valid expression.
pub(super) fn run(dir: &Path, report: &mut Report) {
    for (line, case) in cases(dir, SOURCE, report) {
        let text = |key: &str| case.get(key).and_then(Value::as_str).unwrap_or_default();
        let want = parser_issues(text("issues"));
        let got = parse_errors(text("expr"), report.kubernetes);
        let id = format!("line {line}");
        report.aspect(SOURCE, "verdict", got.is_empty() == want.is_empty());
        report.aspect(SOURCE, "positions", issue_positions(&got) == issue_positions(want));
        if got == want {
            report.pass(SOURCE, &id);
        } else {
            let expr = text("expr");
            report.fail(SOURCE, &id, format!("{expr}\nwant\n{want}\ngot\n{got}"));
        }
    }
}

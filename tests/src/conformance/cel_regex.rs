//! `cel/regex-re2.jsonl`: patterns and inputs for Go's regular expressions.

use std::path::Path;

use crd_cel::re2::{self, Regex};
use serde_json::Value;

use super::{Report, cases};

const SOURCE: &str = "cel/regex-re2.jsonl";

/// Compiles each pattern; compares the error text, and whether the input matches.
pub(super) fn run(dir: &Path, report: &mut Report) {
    for (line, case) in cases(dir, SOURCE, report) {
        let text = |key: &str| case.get(key).and_then(Value::as_str);
        let (pattern, input) =
            (text("pattern").unwrap_or_default(), text("input").unwrap_or_default());
        let want = match text("error") {
            Some(error) => Err(error.to_owned()),
            None => Ok(case.get("go").and_then(Value::as_bool)),
        };
        let got = match Regex::new(pattern) {
            Ok(regex) => Ok(Some(regex.is_match(input))),
            Err(error) => Err(error.to_string()),
        };
        let checked = re2::check(pattern).map_err(|error| error.to_string());
        let id = format!("line {line}");
        if got == want && checked.is_ok() == want.is_ok() {
            report.pass(SOURCE, &id);
        } else {
            report.fail(SOURCE, &id, format!("{pattern:?}: got {got:?}, want {want:?}"));
        }
    }
}

//! SARIF 2.1.0, which code scanning reads.
//!
//! Source: <https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/sarif-v2.1.0-os.html>

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Value, json};

use super::finding::{Finding, RuleText};

/// The results so far, and the rules that they name.
#[derive(Default)]
pub(super) struct Log {
    results: Vec<Value>,
    rules: BTreeMap<&'static str, usize>,
}

impl Log {
    /// Adds findings.
    pub(super) fn add(&mut self, findings: &[Finding]) {
        for finding in findings {
            let Finding { subject, place, rule, .. } = finding;
            let next = self.rules.len();
            let index = *self.rules.entry(rule).or_insert(next);
            let mut location = json!({
                "physicalLocation": {
                    "artifactLocation": {"uri": uri(&place.file)},
                    "region": {"startLine": place.line.max(1)},
                },
            });
            if finding.is_of_object
                && let Some(location) = location.as_object_mut()
            {
                let logical = json!([{"fullyQualifiedName": subject, "kind": "object"}]);
                location.insert("logicalLocations".to_owned(), logical);
            }
            let message = finding.whole_message();
            self.results.push(json!({
                "ruleId": rule,
                "ruleIndex": index,
                "level": finding.severity.name(),
                "message": {"text": message},
                "locations": [location],
                // Without the line, so that an alert is the same one after lines have been added above it.
                "partialFingerprints": {
                    "objectAndMessage/v1": fingerprint(&[&place.file, rule, subject, &message]),
                },
            }));
        }
    }

    /// Returns the whole log. `describe` returns the text of a rule.
    pub(super) fn to_json(&self, describe: fn(&str) -> RuleText) -> Value {
        let mut rules: Vec<(&&str, &usize)> = self.rules.iter().collect();
        rules.sort_by_key(|(_, index)| **index);
        let rules = rules.into_iter().map(|(id, _)| {
            let RuleText { summary, page } = describe(id);
            let mut rule = json!({"id": id, "shortDescription": {"text": summary}});
            if let Some(page) = page {
                rule["helpUri"] = page.into();
            }
            rule
        });
        json!({
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [{
                "tool": {"driver": {
                    "name": "crd",
                    "version": env!("CARGO_PKG_VERSION"),
                    "rules": rules.collect::<Vec<_>>(),
                }},
                "results": self.results,
            }],
        })
    }
}

/// Returns a hash of texts, which is the same in each version of the program (FNV-1a).
fn fingerprint(texts: &[&str]) -> String {
    let bytes = texts.iter().flat_map(|text| text.bytes().chain([0xff]));
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}

/// Returns a path as a URI reference; an absolute path as a `file` URI.
fn uri(path: &str) -> String {
    let mut out = String::new();
    if path.starts_with('/') {
        out.push_str("file://");
    }
    let path = path.strip_prefix("./").unwrap_or(path);
    for byte in path.bytes() {
        match byte {
            b'\\' if cfg!(windows) => out.push('/'),
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(char::from(byte));
            }
            byte => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}

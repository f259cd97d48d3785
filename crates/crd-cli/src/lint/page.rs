//! What a lint finds, why it matters, and how to mend it, as Markdown.

use std::fmt::Write as _;

use super::kind::{Example, Lint};

/// Returns the section of a lint, without its heading. `reported` is what it reports in its bad example.
pub(super) fn section(lint: &Lint, reported: &[String]) -> String {
    let Lint { level, finds, why, in_rust, in_yaml, bad, good, .. } = lint;
    let mut out = format!("Finds {finds}. Level: `{}`.\n\n{why}\n\n", level.name());
    let _ = writeln!(out, "- In Rust: {in_rust}.\n- In YAML: {in_yaml}.\n");
    example(&mut out, "Found", *bad);
    if !reported.is_empty() {
        let _ = write!(out, "\n```text\n{}\n```\n", reported.join("\n"));
    }
    out.push('\n');
    example(&mut out, "Not found", *good);
    out
}

fn example(out: &mut String, verdict: &str, example: Example) {
    let (text, place) = example.parts();
    let _ = write!(out, "{verdict}, in {place}:\n\n```yaml\n{text}```\n");
}

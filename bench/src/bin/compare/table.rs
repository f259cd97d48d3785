//! Renders the ratios as Markdown, and replaces them in a file.

use std::fmt::Write as _;

use crate::machine;
use crate::rounds::{Ratio, Rounds};

/// A run replaces the text between these lines of the file; the rest is written by hand.
const BEGIN: &str = "<!-- measured: written by `cargo dev compare` -->";
const END: &str = "<!-- /measured -->";

/// How many inputs are listed for a ratio that misses its target.
const NAMED: usize = 3;

/// The results of a run.
pub(crate) struct Report<'r, 'a> {
    /// The version of the measured crates. A test compares it with the changelog.
    pub(crate) release: &'r str,
    pub(crate) rounds: &'r Rounds<'a>,
    /// The number of rounds.
    pub(crate) count: u32,
    pub(crate) with_server: bool,
    pub(crate) cases: usize,
    pub(crate) definitions: usize,
    /// The number of definitions that are real ones, from the recorded verdicts.
    pub(crate) recorded: usize,
    pub(crate) left_out: Vec<String>,
}

/// The goal for the median of a ratio.
#[derive(Clone, Copy)]
enum Target {
    AtMost(f64),
    AtLeast(f64),
    None,
}

/// One row: how many times longer `slow` takes than `fast`.
struct Row {
    title: String,
    slow: &'static str,
    fast: &'static str,
    /// The input that is compared; `None` for all.
    only: Option<&'static str>,
    target: Target,
    needs_server: bool,
}

/// The goals for each of [`crd_bench::made::rules`], compared with `cel` with the value bound.
const BOUND: [f64; 2] = [12.0, 25.0];

fn rows(rules: impl Iterator<Item = &'static str>) -> Vec<Row> {
    use Target::{AtLeast, AtMost};
    let row = |title: &str, slow, fast, target, needs_server| Row {
        title: title.to_owned(),
        slow,
        fast,
        only: None,
        target,
        needs_server,
    };
    let mut rows = vec![
        row(
            "admission from bytes / `serde_json::from_slice::<Value>`",
            "bytes",
            "floor",
            AtMost(2.0),
            false,
        ),
        row(
            "admission from a tree, copied first / `from_slice`",
            "tree",
            "floor",
            Target::None,
            false,
        ),
        row("the server's create / admission from bytes", "server", "bytes", AtLeast(50.0), true),
        row("kube-cel / rules", "kube-cel", "rules", AtLeast(100.0), false),
        row(
            "jsonschema `is_valid` / keywords, valid objects",
            "jsonschema",
            "keywords",
            AtLeast(1.3),
            false,
        ),
        row(
            "jsonschema `iter_errors` / keywords, invalid objects",
            "jsonschema, invalid",
            "keywords, invalid",
            AtLeast(1.3),
            false,
        ),
        row(
            "the server's compile / compile, from bytes",
            "server compile",
            "compile",
            AtLeast(12.0),
            true,
        ),
    ];
    for (rule, bound) in rules.zip(BOUND) {
        let mut of = |title: &str, slow, fast, target, needs_server| {
            let title = format!("{rule}: {title}");
            rows.push(Row { title, slow, fast, only: Some(rule), target, needs_server });
        };
        of("`cel` from JSON / crd-cel", "cel", "crd-cel", AtLeast(20.0), false);
        of("`cel` with the value bound / crd-cel", "cel, bound", "crd-cel", AtLeast(bound), false);
        of("the server / crd-cel", "server rule", "crd-cel", AtLeast(100.0), true);
        of("the server / rules", "server rule", "rules", Target::None, true);
        of("kube-cel / rules", "kube-cel rule", "rules", Target::None, false);
    }
    rows
}

/// Renders the machine, the table and the missed targets of a run. Prints what was left out to
/// standard error.
pub(crate) fn render(report: &Report<'_, '_>, rules: impl Iterator<Item = &'static str>) -> String {
    let mut out = format!(
        "Measured: {}, on {}.\n{} objects of {} definitions, {}; {} rounds, everybody in turn on each \
         input, CPU time.\n\n",
        report.release,
        machine::description(report.with_server),
        report.cases,
        report.definitions,
        match report.recorded {
            0 => "the examples alone: no recorded verdicts were there".to_owned(),
            n => format!("{n} of them real ones"),
        },
        report.count,
    );
    out += "| ratio | target | median | quartiles over rounds | inputs, lowest to highest | inputs |\n\
            |---|---|---|---|---|---|\n";
    let mut missed = String::new();
    for row in rows(rules) {
        if row.needs_server && !report.with_server {
            continue;
        }
        let Some(ratio) = report.rounds.ratio(row.slow, row.fast, row.only) else { continue };
        let [low, median, high] = ratio.quartiles;
        let (target, met) = match row.target {
            Target::AtMost(limit) => (format!("≤ {limit}"), median <= limit),
            Target::AtLeast(limit) => (format!("≥ {limit}"), median >= limit),
            Target::None => (String::new(), true),
        };
        let mark = if met { "" } else { " (missed)" };
        let ends = match (ratio.inputs.first(), ratio.inputs.last()) {
            (Some((lowest, _)), Some((highest, _))) if ratio.inputs.len() > 1 => {
                format!("{} to {}", number(*lowest), number(*highest))
            }
            _ => String::new(),
        };
        let _ = writeln!(
            out,
            "| {} | {target} | **{}**{mark} | {} to {} | {ends} | {} |",
            row.title,
            number(median),
            number(low),
            number(high),
            ratio.inputs.len(),
        );
        if !met && ratio.inputs.len() > 1 {
            missed += &worst(&row, &ratio);
        }
    }
    if !report.with_server {
        out += "\nRun without the oracle, so the rows of the server are left out.\n";
    }
    if !missed.is_empty() {
        out += "\nFarthest from their targets:\n\n";
        out += &missed;
    }
    if !report.left_out.is_empty() {
        let _ = writeln!(
            out,
            "\nNot compared with a crate that answers otherwise: {} of {} comparisons.",
            report.left_out.len(),
            2 * report.cases,
        );
        for line in &report.left_out {
            eprintln!("left out: {line}");
        }
    }
    out
}

fn worst(row: &Row, ratio: &Ratio) -> String {
    let named: Vec<String> = {
        let say = |(ratio, input): &(f64, String)| format!("{} ({input})", number(*ratio));
        match row.target {
            Target::AtMost(_) => ratio.inputs.iter().rev().take(NAMED).map(say).collect(),
            _ => ratio.inputs.iter().take(NAMED).map(say).collect(),
        }
    };
    format!("- {}: {}\n", row.title, named.join(", "))
}

/// Formats a value from 1 to 1,000 with three significant digits.
fn number(value: f64) -> String {
    match value {
        v if v >= 100.0 => format!("{v:.0}"),
        v if v >= 10.0 => format!("{v:.1}"),
        v => format!("{v:.2}"),
    }
}

/// Returns a file with the measured part replaced, or appended if there is none.
pub(crate) fn replace(file: &str, text: &str) -> String {
    let measured = format!("{BEGIN}\n{text}{END}");
    match (file.find(BEGIN), file.find(END)) {
        (Some(begin), Some(end)) if begin < end => {
            format!("{}{measured}{}", &file[..begin], &file[end + END.len()..])
        }
        _ if file.is_empty() => format!("# Benchmarks\n\n{measured}\n"),
        _ => format!("{}\n\n{measured}\n", file.trim_end()),
    }
}

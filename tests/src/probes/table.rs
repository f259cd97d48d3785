//! The table of probes by class.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{Class, Family};

/// The classes in the order of the columns.
const COLUMNS: [(Class, &str); 8] = [
    (Class::Valid, "valid"),
    (Class::AtTheToken, "rejected, at the token"),
    (Class::ByItsTest, "by the kind's test"),
    (Class::WithReason, "rejected for another reason"),
    (Class::Elsewhere, "elsewhere"),
    (Class::Missed, "missed"),
    (Class::Silent, "silent"),
    (Class::False, "false"),
];

/// Renders the number of probes in each class for each family, and the list of known gaps.
#[must_use]
pub fn table(families: &BTreeMap<String, Family>) -> String {
    let mut out = String::from("| probes |");
    for (_, title) in COLUMNS {
        let _ = write!(out, " {title} |");
    }
    out.push_str("\n|---|");
    out.push_str(&"---:|".repeat(COLUMNS.len()));
    let mut all: BTreeMap<Class, usize> = BTreeMap::new();
    let mut gaps: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for family in families.values() {
        let mut counts: BTreeMap<Class, usize> = BTreeMap::new();
        for probe in &family.probes {
            let Some(outcome) = &probe.outcome else { continue };
            let class = Class::of(probe, outcome);
            *counts.entry(class).or_default() += 1;
            *all.entry(class).or_default() += 1;
            if let Some(gap) = &probe.gap {
                gaps.entry(gap).or_default().push(format!("`{}`", probe.name));
            }
        }
        row(&mut out, &family.title, &counts);
    }
    row(&mut out, "all", &all);
    if !gaps.is_empty() {
        out.push_str("\n\nKnown gaps, and what authors ask for:\n\n");
    }
    for (gap, names) in gaps {
        let _ = writeln!(out, "- {gap}: {}", names.join(", "));
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

fn row(out: &mut String, title: &str, counts: &BTreeMap<Class, usize>) {
    let _ = write!(out, "\n| {title} |");
    for (class, _) in COLUMNS {
        let count = counts.get(&class).copied().unwrap_or_default();
        let text = if count == 0 { String::new() } else { count.to_string() };
        let _ = write!(out, " {text} |");
    }
}

//! `cargo dev types`: writes the Go types of built-in kinds of all minors as one table, or compares the table with the
//! types of the reference version.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::{fmt, fs};

use crd_cel::kubernetes::KubernetesVersion;
use crd_tests::go;

use crate::{Outcome, say};

const TABLE: &str = "crates/crd-engine/src/go_types/types.txt";

/// Write the Go types of built-in kinds of all minors (needs Go) to crates/crd-engine/src/go_types/types.txt.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Only compare those of the reference version with the file.
    #[arg(long)]
    check: bool,
}

/// Builds and runs the Go program that lists the types.
pub(crate) fn run(arguments: &Arguments) -> Outcome {
    say(&if arguments.check { check() } else { write() }?);
    Ok(true)
}

fn table() -> PathBuf {
    go::workspace().join(TABLE)
}

fn write() -> Result<String, String> {
    let mut minors = Vec::new();
    for version in KubernetesVersion::ALL {
        let listed = go::list_types(version)?;
        minors.push((version.minor(), listed));
    }
    let merged = merge(&minors);
    fs::write(table(), &merged).map_err(|error| format!("{TABLE}: {error}"))?;
    Ok(format!("wrote {} lines to {TABLE}", merged.lines().count()))
}

/// Compares only the lines of the reference version: listing the types of another minor needs its Go modules.
fn check() -> Result<String, String> {
    let version = KubernetesVersion::REFERENCE;
    let listed = go::list_types(version)?;
    let written = fs::read_to_string(table()).map_err(|error| format!("{TABLE}: {error}"))?;
    let found = of_minor(&written, version.minor());
    let expected: Vec<Line> = lines(&listed).map(|(line, _)| line).collect();
    match expected.iter().find(|line| !found.contains(line)) {
        Some(line) => Err(format!("{TABLE} lacks {line}; run `cargo dev types`")),
        None if found.len() == expected.len() => {
            Ok(format!("{TABLE} has the types of {version}: {} lines", found.len()))
        }
        None => Err(format!(
            "{TABLE} has {} lines of {version} in place of {}; run `cargo dev types`",
            found.len(),
            expected.len()
        )),
    }
}

/// A line with the type that it belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Line {
    type_: String,
    text: String,
}

impl fmt::Display for Line {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "`{}` of {}", self.text.trim(), self.type_)
    }
}

/// Returns the lines of a table, each with its key: the type, and the name of the field, which is empty for the type
/// itself.
fn lines(table: &str) -> impl Iterator<Item = (Line, (String, String))> {
    let mut type_ = String::new();
    table.lines().map(move |line| {
        let mut words = line.split(' ');
        let field = if line.starts_with(' ') {
            words.nth(1).unwrap_or_default()
        } else {
            words.next().unwrap_or_default().clone_into(&mut type_);
            ""
        };
        let key = (type_.clone(), field.to_owned());
        (Line { type_: type_.clone(), text: line.to_owned() }, key)
    })
}

/// Returns the lines that servers of a minor have, without marks such as `+31` and `-30`.
fn of_minor(table: &str, minor: u32) -> Vec<Line> {
    let kept = lines(table).filter_map(|(mut line, _)| {
        let (mut first, mut last) = (0, u32::MAX);
        let mut words = Vec::new();
        for word in line.text.split(' ') {
            let number = |sign| word.strip_prefix(sign).and_then(|text: &str| text.parse().ok());
            if let Some(number) = number('+') {
                first = number;
            } else if let Some(number) = number('-') {
                last = number;
            } else {
                words.push(word);
            }
        }
        line.text = words.join(" ");
        (first..=last).contains(&minor).then_some(line)
    });
    kept.collect()
}

/// A line of the table, and the minors that have it, from the first to the last.
struct Row {
    text: String,
    first: u32,
    last: u32,
}

/// Merges the lists of all minors by type and field. `minors` starts with the oldest. A line that older minors lack
/// gets the mark `+31` if 1.31 is the first that has it; one that newer minors lack gets `-30` if 1.30 is the last.
fn merge(minors: &[(u32, String)]) -> String {
    let mut rows: HashMap<(String, String), Vec<Row>> = HashMap::new();
    // The fields of each type, in the order of the newest minor; then those that only older ones have.
    let mut fields: HashMap<String, Vec<String>> = HashMap::new();
    let mut types: Vec<String> = Vec::new();
    for (minor, listed) in minors {
        for (line, key) in lines(listed) {
            let known = rows.entry(key).or_default();
            match known.last_mut() {
                Some(row) if row.text == line.text && row.last + 1 == *minor => row.last = *minor,
                _ => known.push(Row { text: line.text, first: *minor, last: *minor }),
            }
        }
    }
    for (_, listed) in minors.iter().rev() {
        for (line, (type_, field)) in lines(listed) {
            let known = fields.entry(type_).or_insert_with(|| {
                types.push(line.type_.clone());
                Vec::new()
            });
            if !known.contains(&field) {
                known.push(field);
            }
        }
    }
    types.sort();
    let oldest = minors.first().map_or(0, |(minor, _)| *minor);
    let newest = minors.last().map_or(0, |(minor, _)| *minor);
    let mut table = String::new();
    for type_ in types {
        for field in &fields[&type_] {
            for row in &rows[&(type_.clone(), field.clone())] {
                table.push_str(&row.text);
                if row.first != oldest {
                    let _ = write!(table, " +{}", row.first);
                }
                if row.last != newest {
                    let _ = write!(table, " -{}", row.last);
                }
                table.push('\n');
            }
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_say_which_minors_have_them() {
        let old = "a.A\n x string\n y int32 o\n z bool\n";
        let new = "a.A\n x string r\n y int32 o\n w bool\na.B\n v string\n";
        let merged = merge(&[(30, old.to_owned()), (31, new.to_owned())]);
        let expected = "a.A\n x string -30\n x string r +31\n y int32 o\n w bool +31\n z bool -30\na.B +31\n v string +31\n";
        assert_eq!(merged, expected);
        let texts = |minor| -> Vec<String> {
            of_minor(&merged, minor).into_iter().map(|line| line.text).collect()
        };
        assert_eq!(texts(31), new.lines().collect::<Vec<_>>());
        assert_eq!(texts(30), old.lines().collect::<Vec<_>>());
    }
}

//! How many more instructions a larger input takes, for each series of `crd_bench::series`.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use crd_tests::cores::on_all_cores;

use super::{TUNABLES, callgrind, stdout_of};
use crate::say;

/// The largest exponent of growth that counts as linear: an input of four times the size may take 4.6 times as many
/// instructions. Sorting and maps, whose exponents are 1.05 to 1.08 at these sizes, stay below it.
const LIMIT: f64 = 1.1;
/// The law for the series whose sizes are bytes: a write of n bytes takes at most this many instructions a byte, and an
/// additional constant. The largest that was measured is 250 a byte, for a list whose values are not in the enumeration
/// of its schema.
const PER_BYTE: u64 = 512;
/// The additional constant, in instructions, for errors, unknown fields and warnings up to their budget, which even a
/// small body can use up. 520 million were measured for deeply nested lists in place of a string.
const BASE: u64 = 1 << 30;

/// A series at two sizes.
struct Growth {
    name: String,
    sizes: [u64; 2],
    counts: [u64; 2],
}

impl Growth {
    /// Why the growth breaks the law, if it does.
    fn complaint(&self) -> Option<&'static str> {
        let is_bytes = self.name.ends_with("bytes");
        let mut points = self.sizes.iter().zip(self.counts);
        if exponent(self.sizes, self.counts) > LIMIT {
            Some("more than linear")
        } else if is_bytes && points.any(|(size, count)| count > PER_BYTE * size + BASE) {
            Some("too many for each byte")
        } else {
            None
        }
    }
}

/// Counts the instructions of each series at two sizes, and prints them with the exponents. Returns whether all of them
/// keep the law.
pub(super) fn check(program: &Path) -> Result<bool, String> {
    let mut listing = Command::new(program);
    listing.arg("--series");
    let listing = stdout_of(listing)?;
    let lines: Vec<&str> = listing.lines().collect();
    let measured = on_all_cores(&lines, |_, line| measure(program, line));
    let measured: Vec<Growth> = measured.into_iter().collect::<Result<_, String>>()?;
    say(table(&measured).trim_end());
    Ok(measured.iter().all(|growth| growth.complaint().is_none()))
}

/// Renders one line for each series.
fn table(measured: &[Growth]) -> String {
    let mut out = format!(
        "{:<60}{:>9}{:>14}{:>9}{:>14}{:>9}\n",
        "growth of instructions", "size", "count", "size", "count", "exponent"
    );
    for growth in measured {
        let Growth { name, sizes: [small, large], counts: [few, many] } = growth;
        let exponent = exponent(growth.sizes, growth.counts);
        let complaint = growth.complaint().unwrap_or_default();
        let _ = writeln!(
            out,
            "{name:<60}{small:>9}{few:>14}{large:>9}{many:>14}{exponent:>9.2}  {complaint}"
        );
    }
    out
}

/// Measures the series of a line of the listing: its name and two sizes.
fn measure(program: &Path, line: &str) -> Result<Growth, String> {
    let [name, small, large] = line.split('\t').collect::<Vec<_>>()[..] else {
        return Err(format!("the list of series has the line {line:?}"));
    };
    Ok(Growth {
        name: name.to_owned(),
        sizes: [number(small)?, number(large)?],
        counts: [counted(program, name, small)?, counted(program, name, large)?],
    })
}

/// Counts the instructions of one call, without those that prepare its input.
fn counted(program: &Path, name: &str, size: &str) -> Result<u64, String> {
    // `malloc` would join small free blocks at a moment that depends on all that was allocated before.
    let tunables = format!("{TUNABLES}:glibc.malloc.mxfast=0");
    callgrind(program, &tunables, &["--toggle-collect=*counted*"], &["--series", name, size])
}

fn number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("{text:?} is no size"))
}

/// The exponent `k` of `count = c * size^k` through two points.
#[expect(clippy::cast_precision_loss, reason = "an exponent of two digits")]
fn exponent(sizes: [u64; 2], counts: [u64; 2]) -> f64 {
    let ratio = |[small, large]: [u64; 2]| (large.max(1) as f64 / small.max(1) as f64).ln();
    ratio(counts) / ratio(sizes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quadratic_cost_has_the_exponent_2() {
        assert!((exponent([10, 40], [300, 4_800]) - 2.0).abs() < 1e-9);
        assert!((exponent([10, 40], [300, 1_200]) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn growth_that_breaks_the_law_is_reported() {
        let growth = |name: &str, counts| {
            Growth { name: name.to_owned(), sizes: [1_000, 4_000], counts }.complaint()
        };
        assert_eq!(growth("create, items", [1_000_000, 4_100_000]), None);
        assert_eq!(growth("create, items", [1_000_000, 5_000_000]), Some("more than linear"));
        let flat = BASE + 3_000_000;
        assert_eq!(growth("create, items", [flat, flat]), None);
        assert_eq!(growth("create, bytes", [flat, flat]), Some("too many for each byte"));
    }
}

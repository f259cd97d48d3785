//! `cargo dev instructions`: counts the instructions of a few cases, compares them with a committed baseline, and
//! checks that no series of inputs takes more than linearly many ([`growth`]).
//!
//! Unlike times, counts of instructions hardly vary between runs. They depend on the compiler and on the processor's
//! features, which the standard library detects, so the baseline records both.

mod growth;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use crd_tests::cores::on_all_cores;
use crd_tests::go;
use serde_json::{Value, json};

use crate::{Outcome, cargo, complain, say, succeed};

/// How far a count may be above its baseline, as a share of it.
const TOLERANCE: f64 = 0.02;
/// How far a count may be above that of the first commit that was counted, which `--bless` does not write, so that
/// increases within the tolerance of each baseline do not add up.
const TOLERANCE_SINCE_FIRST: f64 = 0.04;
/// How many more times a case runs in the longer of two runs. The difference of their counts, divided by this number,
/// is the count of the case without the start of the program.
const REPEATS: RangeInclusive<u32> = 10..=1_000;
/// By how many instructions the longer run should exceed the other. The start of the program varies by some thousand
/// instructions, because hash maps have random seeds; that is little compared with this number.
const MIN_DIFFERENCE: u64 = 2_000_000;
/// The C library would choose other variants of its functions on each processor.
const TUNABLES: &str = "glibc.cpu.hwcaps=-AVX2,-AVX512F,-AVX512VL,-AVX512BW,-ERMS,-FSRM";
/// Compiles each crate as one unit. With several units, moving a module changes what rustc inlines, and so the counts.
/// The other programs of `bench` are built as users build.
const ONE_UNIT: [&str; 4] = [
    "profile.release.package.crd-cel.codegen-units=1",
    "profile.release.package.crd-engine.codegen-units=1",
    "profile.release.package.crd-model.codegen-units=1",
    "profile.release.package.crd-runtime.codegen-units=1",
];

/// Count the instructions of a few cases (needs valgrind), and compare them with bench/instructions.json.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Write the counts as the baseline.
    #[arg(long)]
    bless: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    if Command::new("valgrind").arg("--version").output().is_err() {
        complain("valgrind is not here: instructions are not counted");
        return Ok(true);
    }
    let program = build()?;
    let is_linear = growth::check(&program)?;
    Ok(compare(&program, arguments.bless)? && is_linear)
}

/// Compares the counts of the cases with the baseline, or writes them as the baseline.
fn compare(program: &Path, bless: bool) -> Outcome {
    let path = go::workspace().join("bench").join("instructions.json");
    let here = environment()?;
    let baseline: Value = match fs::read(&path) {
        Ok(text) => serde_json::from_slice(&text).map_err(|error| error.to_string())?,
        Err(_) => Value::Null,
    };
    if !bless && baseline.is_null() {
        complain("there is no bench/instructions.json to compare with: write it with --bless");
    } else if !bless && baseline["environment"] != here {
        complain(&format!(
            "the baseline was made with {}, and this is {here}: instructions are not compared \
             (--bless writes a baseline of this one)",
            baseline["environment"]
        ));
        return Ok(true);
    }
    let cases = stdout_of(Command::new(program))?;
    let cases: Vec<&str> = cases.lines().collect();
    // Counts do not depend on what else runs.
    let counts =
        on_all_cores(&cases, |_, case| Ok(((*case).to_owned(), instructions(program, case)?)));
    let counts: BTreeMap<_, _> = counts.into_iter().collect::<Result<_, String>>()?;
    let (table, within_tolerance) = table(&counts, &baseline);
    say(table.trim_end());
    if bless {
        // Counts of another compiler or processor compare with nothing.
        let first =
            if baseline["environment"] == here { &baseline["first"] } else { &json!(counts) };
        let text = json!({"environment": here, "first": first, "instructions": counts});
        fs::write(&path, format!("{text:#}\n"))
            .map_err(|error| format!("{}: {error}", path.display()))?;
        return Ok(true);
    }
    Ok(within_tolerance)
}

/// Returns the properties of this machine that counts depend on.
fn environment() -> Result<Value, String> {
    let mut rustc = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    rustc.arg("--version");
    let flags = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let avx2 = flags.lines().any(|line| {
        line.starts_with("flags") && line.split_ascii_whitespace().any(|flag| flag == "avx2")
    });
    Ok(json!({"rustc": stdout_of(rustc)?.trim(), "target": env::consts::ARCH, "avx2": avx2}))
}

fn build() -> Result<PathBuf, String> {
    let target = go::workspace().join("bench/target");
    succeed(
        cargo()
            .args(["build", "--release", "--bin", "instructions"])
            .args(ONE_UNIT.iter().flat_map(|setting| ["--config", setting]))
            // Callgrind needs the names of functions only.
            .args(["--config", "profile.release.debug=false"])
            // The types are there, and are not used in what is counted.
            .args(["--config", "profile.release.package.k8s-openapi.opt-level=0"])
            .args(["--manifest-path", "bench/Cargo.toml", "--target-dir"])
            .arg(&target),
    )?;
    Ok(target.join("release/instructions"))
}

/// Counts the instructions of one execution of a case.
fn instructions(program: &Path, case: &str) -> Result<u64, String> {
    let once = count(program, case, 1)?;
    let more = |times: u32| -> Result<u64, String> {
        Ok(count(program, case, 1 + times)?.saturating_sub(once) / u64::from(times))
    };
    let least = *REPEATS.start();
    let about = more(least)?;
    let times = repeats(about);
    if times == least { Ok(about) } else { more(times) }
}

/// Returns how often to repeat a case that takes about `about` instructions.
fn repeats(about: u64) -> u32 {
    u32::try_from(MIN_DIFFERENCE / about.max(1))
        .unwrap_or(u32::MAX)
        .clamp(*REPEATS.start(), *REPEATS.end())
}

/// Counts the instructions of a run that executes a case `times` times.
fn count(program: &Path, case: &str, times: u32) -> Result<u64, String> {
    callgrind(program, TUNABLES, &[], &[case, &times.to_string()])
}

/// Runs the program with `args` and tunables of the C library under callgrind with `options`. Returns the number of
/// instructions that callgrind counted.
fn callgrind(
    program: &Path,
    tunables: &str,
    options: &[&str],
    args: &[&str],
) -> Result<u64, String> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .args(options)
        .arg(program)
        .args(args)
        .env("GLIBC_TUNABLES", tunables)
        .output()
        .map_err(|error| format!("cannot run valgrind: {error}"))?;
    let printed = String::from_utf8_lossy(&output.stderr);
    let collected = printed.lines().find_map(|line| line.split_once("Collected :"));
    let number = collected.and_then(|(_, number)| number.trim().parse().ok());
    number
        .filter(|_| output.status.success())
        .ok_or_else(|| format!("{}: valgrind says\n{printed}", args.join(" ")))
}

fn stdout_of(mut command: Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if !output.status.success() {
        let printed = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{command:?}: {}\n{printed}", output.status));
    }
    String::from_utf8(output.stdout).map_err(|error| error.to_string())
}

/// Renders the counts beside the baseline and those of the first commit. Returns the text, and whether each count is
/// within the tolerances.
fn table(counts: &BTreeMap<String, u64>, baseline: &Value) -> (String, bool) {
    let columns = [("instructions", TOLERANCE), ("first", TOLERANCE_SINCE_FIRST)];
    let mut out = format!("{:<28}{:>14}{:>23}{:>23}\n", "instructions", "now", "baseline", "first");
    let mut within_tolerance = true;
    for (case, count) in counts {
        let _ = write!(out, "{case:<28}{count:>14}");
        for (name, tolerance) in columns {
            let before = baseline[name][case].as_u64().filter(|before| *before > 0);
            let Some(before) = before else {
                let _ = write!(out, "{:>23}", "-");
                continue;
            };
            #[expect(clippy::cast_precision_loss, reason = "a share")]
            let change = *count as f64 / before as f64 - 1.0;
            let word = match change {
                c if c > tolerance => "  more than is allowed",
                c if c < -tolerance && name == "instructions" => "  fewer: --bless",
                _ => "",
            };
            within_tolerance &= change <= tolerance;
            let _ = write!(out, "{before:>14}{:>+8.1}%{word}", change * 100.0);
        }
        out.push('\n');
    }
    (out, within_tolerance)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_increase_fails() {
        let counts = |n| BTreeMap::from([("case".to_owned(), n)]);
        let baseline = json!({"instructions": {"case": 1_000}, "first": {"case": 990}});
        assert!(table(&counts(1_019), &baseline).1);
        assert!(!table(&counts(1_021), &baseline).1);
        let (text, within_tolerance) = table(&counts(500), &baseline);
        assert!(within_tolerance && text.contains("-50.0%  fewer: --bless"), "{text}");
        assert!(table(&counts(500), &Value::Null).1);
        // Each within the tolerance of the one before, and together not.
        let baseline = json!({"instructions": {"case": 1_030}, "first": {"case": 1_000}});
        assert!(!table(&counts(1_045), &baseline).1);
    }

    #[test]
    fn short_cases_are_repeated_more_often() {
        assert_eq!([0, 2_000, 20_000, 6_000_000].map(repeats), [1_000, 1_000, 100, 10]);
    }
}

//! `cargo dev import`: imports definitions as Rust types, and holds these to the definitions.

use std::env;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use crd_tests::go::workspace;
use crd_tests::import::{Options, Purpose, Report, Sharing, check, check_program, subjects};
use crd_tests::rustc::Rustc;

use crate::{Outcome, say};

/// Import the CRDs in directories as Rust types, compile these, and compare what they derive with the CRDs.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Directories with CRDs, in files and in further directories.
    #[arg(required = true)]
    directories: Vec<PathBuf>,
    /// How many objects are generated for each version. They go through its type, and must come out equal.
    #[arg(long, default_value_t = 0)]
    objects: u64,
    /// The number of definitions in one crate.
    #[arg(long, default_value_t = NonZeroUsize::new(12).unwrap_or(NonZeroUsize::MIN))]
    batch: NonZeroUsize,
    /// Share types among the definitions of a crate, as `crd import` does for a directory.
    #[arg(long)]
    shared: bool,
    /// Import types for clients, which derive no definition to compare.
    #[arg(long)]
    types_only: bool,
    /// Compare the types of another generator instead, which are in this program. It prints `[index, version, CRD]` for each
    /// version, with the definitions in the order of their paths. With an argument, it reads lines
    /// `[index, version, object]`, and prints `{"value": ..}` with what the type writes, or `{"error": ".."}`.
    #[arg(long)]
    program: Option<PathBuf>,
    /// The largest number of kinds of changed objects to show.
    #[arg(long, default_value_t = 10)]
    show: usize,
}

/// Returns whether all definitions and objects come back equal.
pub(crate) fn run(arguments: &Arguments) -> Outcome {
    if let Some(program) = &arguments.program {
        return other(arguments, program);
    }
    let rustc = Rustc::of_test("rustc");
    let target =
        env::var_os("CARGO_TARGET_DIR").map_or_else(|| workspace().join("target"), PathBuf::from);
    let options = Options {
        purpose: if arguments.types_only { Purpose::Client } else { Purpose::Definition },
        sharing: if arguments.shared { Sharing::Shared } else { Sharing::Apart },
        objects: arguments.objects,
    };
    let mut total = Report::default();
    for directory in &arguments.directories {
        let shown = directory.display();
        let mut report = Report::default();
        let found =
            subjects(directory, &mut report).map_err(|error| format!("{shown}: {error}"))?;
        for batch in found.chunks(arguments.batch.get()) {
            let one = check(batch, options, &target.join("import"), &rustc);
            report.add(one.map_err(|error| format!("{shown}: {error}"))?);
        }
        say(&format!("{shown}: {}", report.render(arguments.show).trim_end()));
        total.add(report);
    }
    if arguments.directories.len() > 1 {
        say(&format!("all: {}", total.render(arguments.show).trim_end()));
    }
    let is_same = total.failed.is_empty() && total.different.is_empty();
    Ok(is_same && total.objects.changed.is_empty())
}

fn other(arguments: &Arguments, program: &Path) -> Outcome {
    let (mut found, mut report) = (Vec::new(), Report::default());
    for directory in &arguments.directories {
        let read = subjects(directory, &mut report);
        found.extend(read.map_err(|error| format!("{}: {error}", directory.display()))?);
    }
    let compared = check_program(&found, arguments.objects, program);
    report.add(compared.map_err(|error| format!("{}: {error}", program.display()))?);
    say(report.render(arguments.show).trim_end());
    Ok(report.failed.is_empty() && report.different.is_empty())
}

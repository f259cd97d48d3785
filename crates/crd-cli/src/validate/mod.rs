//! `validate`: reports whether the API server would accept objects.
//!
//! Documents are streamed: one thread reads, all cores validate, and results are written in the order of the documents.
//! CRDs in the documents apply to all objects; objects that come before their CRD are read a second time at the end.
//! Memory does not grow with the number of files, except for the places of objects that are read again.

mod fault;
mod old;
mod schema_files;
mod validator;

use std::collections::HashMap;
use std::io::{self, Write};

use serde_json::Map;

use super::args::{Output, Validate};
use super::catalog::{self, CrdCatalog, KindLookup};
use super::input::{self, Unit, UnitLocation};
use super::progress::ProgressBar;
use super::report::{Counts, Report};
use super::{CommandError, CommandOutcome, Context, pipeline};
use old::Read;
use schema_files::SchemaFiles;
use validator::{ObjectKind, Validated, Validator};

/// A unit and its number in the order of all units.
struct Job {
    unit: Unit,
    number: u64,
}

/// A unit that has to wait until all CRDs are known.
struct Waiting {
    unit: UnitSource,
    /// The kinds of its objects, as an index into [`Run::kinds`]. An index takes less memory than a list, and all
    /// objects wait if their CRD comes last.
    kinds: u32,
}

/// A unit that may be read again: its place, or the unit itself if it cannot be read a second time.
enum UnitSource {
    UnitLocation(UnitLocation),
    Unit(Box<Unit>),
}

/// The results so far.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
struct Run<'a> {
    out: &'a mut dyn Write,
    report: Report,
    progress: ProgressBar<'a>,
    counts: Counts,
    waiting: Vec<Waiting>,
    /// The distinct lists of kinds. A unit has the list of the kinds of its objects, or the empty list if only some of
    /// its objects wait.
    kinds: Vec<Vec<ObjectKind>>,
    indices: HashMap<Vec<ObjectKind>, u32>,
    /// `--require-crds`
    require_crds: bool,
    /// Whether skipped documents are reported, too.
    lists_skipped: bool,
    /// `--fail-fast`
    fail_fast: bool,
    /// Whether `--fail-fast` has ended the run.
    is_stopped: bool,
}

/// Validates every object in the given files.
pub(super) fn run(
    context: &mut Context<'_>,
    args: &Validate,
) -> Result<CommandOutcome, CommandError> {
    args.files.required()?;
    let files = args.files.paths();
    input::check(&files)?;
    input::check(&args.crds())?;
    let old = match old::read(context, args)? {
        Read::Old(old) => old,
        Read::Unreadable => return Ok(CommandOutcome::Unreadable),
    };
    let catalog = CrdCatalog::of(args.kubernetes);
    for crd in &context.registry.crds {
        let crd = crd.as_ref().map_err(|error| CommandError(error.clone()))?;
        catalog.add(crd, 0).map_err(CommandError)?;
    }
    for unit in input::units(&args.crds()) {
        add_crds(&catalog, &Job { unit, number: 0 });
    }
    let schema_files = SchemaFiles::of(&args.crds, args.kubernetes);
    let mut run = Run {
        out: context.out,
        report: Report::new(args.output, "validate", args.verbosity()),
        progress: ProgressBar::start(context.err, context.has_terminal, &files),
        counts: Counts::default(),
        waiting: Vec::new(),
        kinds: Vec::new(),
        indices: HashMap::new(),
        require_crds: args.require_crds,
        lists_skipped: !matches!(args.output, Output::Human | Output::Github),
        fail_fast: args.fail_fast,
        is_stopped: false,
    };

    let (schema_files, old) = (&schema_files, &old);
    let paths = files.paths.as_slice();
    let validator =
        Validator { catalog: &catalog, args, paths, schema_files, old, all_known: false };
    let jobs = input::units(&files).zip(1..).map(|(unit, number)| Job { unit, number });
    let jobs = jobs.inspect(|job| add_crds(&catalog, job));
    let done = pipeline::run(jobs, |job| validator.unit(job), |validated| run.take(validated));
    run.unless_stopped(done)?;

    let validator = Validator { all_known: true, ..validator };
    let waiting = if run.is_stopped { Vec::new() } else { std::mem::take(&mut run.waiting) };
    let mut again = Vec::new();
    for unit in waiting {
        if !run.skip(&unit, &catalog) {
            again.push(unit.unit);
        }
    }
    let jobs = again.into_iter().map(|kept| Job { unit: kept.unit(), number: u64::MAX });
    let done = pipeline::run(jobs, |job| validator.unit(job), |validated| run.take(validated));
    run.unless_stopped(done)?;

    run.progress.finish()?;
    run.report.finish(run.out, &run.counts)?;
    if run.counts.documents() == 0 {
        return Err(CommandError("no documents found; nothing was validated".to_owned()));
    }
    Ok(run.counts.outcome())
}

/// Adds the CRDs of a unit before any later unit is validated.
fn add_crds(catalog: &CrdCatalog, job: &Job) {
    if !job.unit.mentions(catalog::CRD_KIND) {
        return;
    }
    let documents = job.unit.documents().into_iter().flatten();
    for document in documents.filter(|document| catalog::is_crd(&document.value)) {
        // The errors of a CRD are reported when its document is validated.
        let _ = catalog.add(&document.value, job.number);
    }
}

impl UnitSource {
    fn of(unit: Unit) -> Self {
        if unit.place.is_rereadable() {
            Self::UnitLocation(unit.place)
        } else {
            Self::Unit(Box::new(unit))
        }
    }

    fn unit(self) -> Unit {
        match self {
            Self::UnitLocation(place) => place.read_again(),
            Self::Unit(unit) => *unit,
        }
    }
}

impl Run<'_> {
    /// Handles the result of a unit; called in the order of the units.
    fn take(&mut self, validated: Validated) -> io::Result<()> {
        match validated {
            Validated::Done(verdicts) => {
                self.progress.clear()?;
                for verdict in &verdicts {
                    self.counts.count(verdict);
                    self.report.write(self.out, verdict, Map::new())?;
                    if self.fail_fast && verdict.is_bad() {
                        self.is_stopped = true;
                        return Err(io::Error::other("stopped"));
                    }
                }
            }
            Validated::Waits { unit, kinds } => {
                let kinds = self.index(kinds);
                self.waiting.push(Waiting { unit: UnitSource::of(unit), kinds });
            }
        }
        self.progress.step(&self.counts)
    }

    /// Returns a result, but not the error with which a run stops itself.
    fn unless_stopped(&self, result: io::Result<()>) -> io::Result<()> {
        if self.is_stopped { Ok(()) } else { result }
    }

    /// Returns the index of a list of kinds in `kinds`.
    fn index(&mut self, kinds: Vec<ObjectKind>) -> u32 {
        if let Some(index) = self.indices.get(&kinds) {
            return *index;
        }
        // More lists would not fit in memory.
        let index = u32::try_from(self.kinds.len()).unwrap_or(u32::MAX);
        self.kinds.push(kinds.clone());
        self.indices.insert(kinds, index);
        index
    }

    /// Counts a unit as skipped if its kinds still have no CRD. Returns `false` if it has to be validated instead.
    fn skip(&mut self, waiting: &Waiting, catalog: &CrdCatalog) -> bool {
        let kinds = usize::try_from(waiting.kinds).ok().and_then(|index| self.kinds.get(index));
        let kinds = kinds.map(Vec::as_slice).unwrap_or_default();
        let foreign = |kind: &ObjectKind| {
            matches!(catalog.find(&kind.api_version, &kind.kind, u64::MAX), KindLookup::Foreign)
        };
        if kinds.is_empty() || !kinds.iter().all(foreign) {
            return false;
        }
        if self.lists_skipped || self.require_crds && !kinds.iter().all(ObjectKind::is_built_in) {
            return false;
        }
        for kind in kinds {
            self.counts.skip(kind.to_string());
        }
        true
    }
}

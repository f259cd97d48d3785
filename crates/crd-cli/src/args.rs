//! Arguments that commands take.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use crd_cel::kubernetes::KubernetesVersion;
use glob::Pattern;

use super::CommandError;
use super::kubernetes::Minors;

/// Files to read.
#[derive(Debug, Clone, Args)]
pub(super) struct Files {
    /// Files, directories, or `-` for standard input: objects and CRDs in any order, as YAML or JSON.
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The same as PATH, for users of `kubectl`.
    #[arg(short = 'f', long = "filename", value_name = "PATH", num_args = 1..)]
    filename: Vec<PathBuf>,
    /// Skip files and directories that match a pattern: of a name (`values.yaml`, `*.tpl`) or, with a `/`, of a path
    /// (`charts/**`). Repeatable.
    #[arg(long, value_name = "GLOB")]
    ignore: Vec<Pattern>,
}

impl Files {
    /// Whether no files are given.
    pub(super) fn is_empty(&self) -> bool {
        self.paths.is_empty() && self.filename.is_empty()
    }

    /// Fails if no files are given.
    pub(super) fn required(&self) -> Result<(), CommandError> {
        let message = "no files given; pass files, directories, or `-` for standard input";
        if self.is_empty() { Err(CommandError(message.to_owned())) } else { Ok(()) }
    }

    /// Returns what to read and what to skip.
    pub(super) fn paths(&self) -> Paths {
        let paths = self.paths.iter().chain(&self.filename).cloned().collect();
        Paths { paths, ignore: self.ignore.clone() }
    }
}

/// The files to read, and the patterns of those to skip.
#[derive(Debug, Clone)]
pub(super) struct Paths {
    /// Files, directories, or `-`.
    pub(super) paths: Vec<PathBuf>,
    pub(super) ignore: Vec<Pattern>,
}

/// Arguments of `validate`.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(super) struct Validate {
    #[command(flatten)]
    pub(super) files: Files,
    /// The format of the output.
    #[arg(short, long, value_enum, default_value_t)]
    pub(super) output: Output,
    /// Fail if the files have no CRD for an object's kind. Without this option, objects whose group has no CRDs are
    /// skipped. Those of Kubernetes' own kinds whose types are not known are always skipped.
    #[arg(long)]
    pub(super) require_crds: bool,
    /// Skip documents that have neither `apiVersion` nor `kind`, such as those of `package.json`. Without this option,
    /// they are skipped in directories, and are errors in files that are arguments.
    #[arg(long)]
    pub(super) only_objects: bool,
    /// Show, as a diff, what admission removes or adds.
    #[arg(long, value_enum)]
    pub(super) show: Option<Show>,
    /// How to treat fields that the schema does not have. Duplicate keys are always an error.
    #[arg(long, value_enum, default_value_t)]
    field_validation: FieldValidation,
    /// The same as `--field-validation warn`.
    #[arg(long, conflicts_with = "field_validation")]
    warn: bool,
    /// Files and directories with CRDs for the objects, which are not themselves validated. A directory may also have
    /// JSON schemas as `{group}/{kind}_{version}.json`, as public catalogs do. Repeatable.
    #[arg(long, value_name = "PATH")]
    pub(super) crds: Vec<PathBuf>,
    /// Skip objects of a kind, such as `Secret` or `CronTab.stable.example.com`. Repeatable.
    #[arg(long, value_name = "KIND")]
    skip_kind: Vec<String>,
    /// Validate as updates the objects and CRDs that are also in OLD: a file, a directory, or `git:REF` for the same paths
    /// in a commit. Transition rules then apply, and errors of values that do not change are ignored.
    #[arg(long, value_name = "OLD")]
    pub(super) old: Option<PathBuf>,
    /// Stop at the first document that is invalid.
    #[arg(long)]
    pub(super) fail_fast: bool,
    /// Validate as this minor of Kubernetes does, such as `1.33`.
    #[arg(long, value_name = "MINOR", default_value_t, hide_default_value = true)]
    pub(super) kubernetes: KubernetesVersion,
    /// The namespace of objects that have none.
    #[arg(short, long, default_value = "default")]
    pub(super) namespace: String,
    /// Print nothing for valid objects.
    #[arg(short, long)]
    quiet: bool,
    /// Print only the summary. `JUnit` and SARIF have all documents in any case.
    #[arg(long, conflicts_with = "quiet")]
    summary: bool,
}

impl Validate {
    /// Returns the files with CRDs that are not validated.
    pub(super) fn crds(&self) -> Paths {
        Paths { paths: self.crds.clone(), ignore: Vec::new() }
    }

    /// Returns which documents are printed.
    pub(super) fn verbosity(&self) -> Verbosity {
        match (self.quiet, self.summary) {
            (_, true) => Verbosity::Summary,
            (true, false) => Verbosity::Quiet,
            (false, false) => Verbosity::All,
        }
    }

    /// Returns how fields are treated that the schema does not have.
    pub(super) fn field_validation(&self) -> FieldValidation {
        if self.warn { FieldValidation::Warn } else { self.field_validation }
    }

    /// Returns whether objects of a kind are skipped.
    pub(super) fn skips(&self, api_version: &str, kind: &str) -> bool {
        let group = api_version.split_once('/').map_or("", |(group, _)| group);
        self.skip_kind.iter().any(|skipped| match skipped.split_once('.') {
            Some((skipped, of)) => skipped == kind && of == group,
            None => skipped == kind,
        })
    }
}

/// The output formats of `validate` and `check`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Output {
    /// Text as `kubectl` prints it
    #[default]
    Human,
    /// One line of JSON per document, and a summary
    Json,
    /// Workflow commands of GitHub Actions, shown at the lines of a pull request
    Github,
    /// XML as `JUnit` writes it, a test case per document
    Junit,
    /// SARIF 2.1.0, for code scanning
    Sarif,
}

/// Which documents are printed. `JUnit` and SARIF have all of them in any case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verbosity {
    All,
    /// Those with errors, warnings or a diff.
    Quiet,
    /// None; only the summary is printed.
    Summary,
}

/// A step of admission that can be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Show {
    Pruned,
    Defaulted,
}

/// The server's `fieldValidation`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum FieldValidation {
    Ignore,
    Warn,
    #[default]
    Strict,
}

/// Arguments of `get`.
#[derive(Debug, Args)]
pub(super) struct Get {
    #[command(flatten)]
    pub(super) files: Files,
    /// `wide` also prints columns with a priority above 0.
    #[arg(short, long, value_enum)]
    pub(super) output: Option<TableOutput>,
    /// Print only objects that match, such as `spec.color=blue,metadata.name!=mine`.
    #[arg(long, value_name = "SELECTOR")]
    pub(super) field_selector: Option<String>,
    /// Print the namespace of each object.
    #[arg(short = 'A', long)]
    pub(super) all_namespaces: bool,
    /// Print no headings.
    #[arg(long)]
    pub(super) no_headers: bool,
}

/// How much of a table is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum TableOutput {
    Wide,
}

/// Arguments of `check`.
#[derive(Debug, Args)]
pub(super) struct Check {
    #[command(flatten)]
    pub(super) files: Files,
    /// Check the CRDs as updates of those in OLD, matched by name: a file, a directory, `git:REF:PATH` or
    /// `cluster:CONTEXT`, as for `diff`.
    #[arg(long, value_name = "OLD")]
    pub(super) old: Option<PathBuf>,
    /// Check the CRDs on these versions of Kubernetes, and fail if one of them rejects a CRD. Differences from the newest
    /// version are warnings. MINORS is a version (`1.33`), an inclusive range (`1.31..1.37`, `1.33..`), or a list of
    /// both (`1.31,1.33..1.35`).
    #[arg(long, value_name = "MINORS")]
    pub(super) kubernetes: Option<Minors>,
    /// The format of the output.
    #[arg(short, long, value_enum, default_value_t)]
    pub(super) output: Output,
    /// Do not shorten the table of rules to fit the terminal.
    #[arg(long)]
    pub(super) wide: bool,
}

/// Arguments of `explain`.
#[derive(Debug, Args)]
pub(super) struct Explain {
    /// A resource such as `crontabs`, or a field such as `crontabs.spec.replicas`.
    pub(super) resource: String,
    #[command(flatten)]
    pub(super) files: Files,
    /// Print all nested fields, one line each.
    #[arg(long)]
    pub(super) recursive: bool,
    /// The version, such as `stable.example.com/v1`. Default: the preferred version.
    #[arg(long, value_name = "VERSION")]
    pub(super) api_version: Option<String>,
}

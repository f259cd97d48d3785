//! What can be asked for: the grammar of the command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use glob::Pattern;

use super::Unable;

/// What stands below the help of a program.
pub(super) const EXIT_STATUS: &str = "\
Exit status:
  0    everything is valid and up to date
  1    something is invalid, cannot be read, or is out of date
  2    usage error: wrong arguments, or nothing was found to work on
  141  the reader of the output has closed it, as `head` does";

/// The commands of a project, for its own custom resources: write their manifests, check them, validate objects.
#[derive(Debug, Parser)]
#[command(after_help = EXIT_STATUS)]
#[command(version = concat!("(crd-runtime ", env!("CARGO_PKG_VERSION"), ")"))]
pub(super) struct OfProject {
    #[command(subcommand)]
    pub(super) command: ProjectCommand,
}

/// What a program with registered kinds can be asked for.
#[derive(Debug, Subcommand)]
pub(super) enum ProjectCommand {
    /// Write the manifests of the registered kinds, one file per CRD.
    Crds(Crds),
    #[command(flatten)]
    Common(Common),
}

/// What every program can be asked for.
#[derive(Debug, Subcommand)]
pub(super) enum Common {
    /// Admit objects as the API server would, and print its errors and warnings.
    Validate(Validate),
    /// Check CRDs as the API server would, and print what their rules cost.
    Check(Check),
    /// Print objects as a table, as `kubectl get` would.
    Get(Get),
    /// Print the documentation of a kind or a field, as `kubectl explain` would.
    Explain(Explain),
}

/// Arguments of `crds`.
#[derive(Debug, Args)]
pub(super) struct Crds {
    /// Where to write: a directory, or `-` for standard output.
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    /// The format to write.
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
    /// Write nothing; fail with a diff where a file is not what would be written.
    #[arg(long)]
    pub(super) check: bool,
    /// Delete manifests of CRDs that no registered kind makes.
    #[arg(long, conflicts_with = "check")]
    pub(super) prune: bool,
    /// Cut descriptions to at most N characters, at a sentence or a word; 0 drops them.
    #[arg(long, value_name = "N")]
    pub(super) max_description_length: Option<usize>,
}

/// Files to read.
#[derive(Debug, Clone, Args)]
pub(super) struct Files {
    /// Files, directories, or `-` for standard input: objects and CRDs in any order, as YAML or JSON.
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The same, as `kubectl` takes them.
    #[arg(short = 'f', long = "filename", value_name = "PATH", num_args = 1..)]
    filename: Vec<PathBuf>,
    /// Skip files and directories: by name (`values.yaml`, `*.tpl`), or, with a `/`, by path (`charts/**`). May be
    /// repeated.
    #[arg(long, value_name = "GLOB")]
    ignore: Vec<Pattern>,
}

impl Files {
    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.paths.is_empty() && self.filename.is_empty()
    }

    /// Fails where there are none.
    pub(super) fn required(&self) -> Result<(), Unable> {
        let message = "no files are given: name files or directories, or `-` for standard input";
        if self.is_empty() { Err(Unable(message.to_owned())) } else { Ok(()) }
    }

    /// What is to be read.
    pub(super) fn paths(&self) -> Paths {
        let paths = self.paths.iter().chain(&self.filename).cloned().collect();
        Paths { paths, ignore: self.ignore.clone() }
    }
}

/// What is to be read, and what not.
#[derive(Debug, Clone)]
pub(super) struct Paths {
    /// Files, directories, or `-`.
    pub(super) paths: Vec<PathBuf>,
    pub(super) ignore: Vec<Pattern>,
}

/// A format of manifests.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    #[default]
    Yaml,
    Json,
}

/// Arguments of `validate`.
#[derive(Debug, Args)]
pub(super) struct Validate {
    #[command(flatten)]
    pub(super) files: Files,
    /// The form of the output.
    #[arg(short, long, value_enum, default_value_t)]
    pub(super) output: Output,
    /// Fail where an object is of a kind that has no CRD among the files and is not one of Kubernetes' own. Such
    /// objects are skipped otherwise.
    #[arg(long)]
    pub(super) require_crds: bool,
    /// Show as a diff what admission drops, or what it adds.
    #[arg(long, value_enum)]
    pub(super) show: Option<Show>,
    /// What becomes of fields that no schema specifies. Repeated keys are always an error.
    #[arg(long, value_enum, default_value_t)]
    pub(super) field_validation: FieldValidation,
    /// The namespace of objects that name none.
    #[arg(short, long, default_value = "default")]
    pub(super) namespace: String,
    /// Print nothing for objects that are valid.
    #[arg(short, long)]
    pub(super) quiet: bool,
}

/// The form of what `validate` and `check` print.
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
    #[default]
    Warn,
    Strict,
}

/// Arguments of `get`.
#[derive(Debug, Args)]
pub(super) struct Get {
    #[command(flatten)]
    pub(super) files: Files,
    /// `wide` shows the columns that are hidden otherwise.
    #[arg(short, long, value_enum)]
    pub(super) output: Option<TableOutput>,
    /// Only the objects that match a selector, such as `spec.color=blue,metadata.name!=mine`.
    #[arg(long, value_name = "SELECTOR")]
    pub(super) field_selector: Option<String>,
    /// Show the namespace of each object.
    #[arg(short = 'A', long)]
    pub(super) all_namespaces: bool,
    /// Show no headers.
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
    /// The CRDs that these replace, found by name.
    #[arg(long, value_name = "PATH")]
    pub(super) old: Option<PathBuf>,
    /// The form of the output.
    #[arg(short, long, value_enum, default_value_t)]
    pub(super) output: Output,
    /// Do not shorten the table of rules to the width of the terminal.
    #[arg(long)]
    pub(super) wide: bool,
}

/// Arguments of `explain`.
#[derive(Debug, Args)]
pub(super) struct Explain {
    /// What to explain: `crontabs`, or a field such as `crontabs.spec.replicas`.
    pub(super) resource: String,
    #[command(flatten)]
    pub(super) files: Files,
    /// Show the fields below the fields, one line each.
    #[arg(long)]
    pub(super) recursive: bool,
    /// The version to explain, such as `stable.example.com/v1`; the preferred one when absent.
    #[arg(long, value_name = "VERSION")]
    pub(super) api_version: Option<String>,
}

//! What can be asked for: the grammar of the command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Kubernetes custom resources, checked as the API server would check them.
#[derive(Debug, Parser)]
#[command(version, propagate_version = true)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Write the manifests of the registered kinds, one file a CRD.
    Crds(Crds),
    /// Admit objects as the API server would, and say what it would say.
    Validate(Validate),
    /// Check CRDs as the API server would, and say what their rules cost.
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
    /// How to write.
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
    /// Write nothing; fail with a diff where a file is not what would be written.
    #[arg(long)]
    pub(super) check: bool,
    /// Cut descriptions to so many characters, at a sentence or a word; 0 drops them.
    #[arg(long, value_name = "N")]
    pub(super) max_description_length: Option<usize>,
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
    /// Files, directories, or `-` for standard input, with objects and their CRDs in any order, as YAML or JSON.
    #[arg(short = 'f', long = "filename", value_name = "PATH", required = true, num_args = 1..)]
    pub(super) files: Vec<PathBuf>,
    /// How to tell: for people, or one line of JSON a document.
    #[arg(short, long, value_enum, default_value_t)]
    pub(super) output: Output,
    /// Show as a diff what admission drops, or what it adds.
    #[arg(long, value_enum)]
    pub(super) show: Option<Show>,
    /// What becomes of fields that nothing specifies. Repeated keys are always an error.
    #[arg(long, value_enum, default_value_t)]
    pub(super) field_validation: FieldValidation,
    /// The namespace of objects that name none.
    #[arg(short, long, default_value = "default")]
    pub(super) namespace: String,
    /// Say nothing of objects that are valid.
    #[arg(short, long)]
    pub(super) quiet: bool,
}

/// For whom output is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Output {
    #[default]
    Human,
    Json,
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
    /// Files, directories, or `-` for standard input, with objects and their CRDs in any order.
    #[arg(short = 'f', long = "filename", value_name = "PATH", required = true, num_args = 1..)]
    pub(super) files: Vec<PathBuf>,
    /// `wide` shows the columns that are hidden otherwise.
    #[arg(short, long, value_enum)]
    pub(super) output: Option<TableOutput>,
    /// Only the objects that a selector takes, such as `spec.color=blue,metadata.name!=mine`.
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
    /// Files, directories, or `-` for standard input, with CRDs; the registered kinds when absent.
    #[arg(short = 'f', long = "filename", value_name = "PATH", num_args = 1..)]
    pub(super) files: Vec<PathBuf>,
    /// The CRDs that these replace, found by name.
    #[arg(long, value_name = "PATH")]
    pub(super) old: Option<PathBuf>,
    /// How to tell: for people, or one line of JSON a CRD.
    #[arg(short, long, value_enum, default_value_t)]
    pub(super) output: Output,
}

/// Arguments of `explain`.
#[derive(Debug, Args)]
pub(super) struct Explain {
    /// What to explain: `crontabs`, or a field such as `crontabs.spec.replicas`.
    pub(super) resource: String,
    /// Files, directories, or `-` for standard input, with CRDs; the registered kinds when absent.
    #[arg(short = 'f', long = "filename", value_name = "PATH", num_args = 1..)]
    pub(super) files: Vec<PathBuf>,
    /// Show the fields below the fields, one line each.
    #[arg(long)]
    pub(super) recursive: bool,
    /// The version to explain, such as `stable.example.com/v1`; the preferred one when absent.
    #[arg(long, value_name = "VERSION")]
    pub(super) api_version: Option<String>,
}

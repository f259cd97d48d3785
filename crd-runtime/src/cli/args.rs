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

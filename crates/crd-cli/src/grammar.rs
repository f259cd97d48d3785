//! The grammar of the command line: the commands of each program.

use clap::{Parser, Subcommand};

use super::args::{Check, Explain, Get, Validate};
use super::crds::Crds;
use super::diff::Diff;
use super::docs::DocsArgs;
use super::json_schema::SchemaArgs;
use super::lint::LintArgs;
use super::rbac::Rbac;
use super::webhooks::WebhooksArgs;

/// The text below the help of a program.
pub(super) const EXIT_STATUS: &str = "\
Exit status:
  0    everything is valid and up to date
  1    something is invalid or out of date
  2    usage error: wrong arguments, nothing to work on, or a file cannot be written
  3    something cannot be read as an object
  141  the reader of the output has closed it, as `head` does";

/// Write and check the manifests of this project's custom resources, and validate objects against them.
#[derive(Debug, Parser)]
#[command(after_help = EXIT_STATUS)]
#[command(version = concat!("(crd-runtime ", env!("CARGO_PKG_VERSION"), ")"))]
pub(super) struct ProjectArgs {
    #[command(subcommand)]
    pub(super) command: ProjectCommand,
}

/// The commands of a program with registered kinds.
#[derive(Debug, Subcommand)]
pub(super) enum ProjectCommand {
    /// Write the manifests of the registered kinds, one file per CRD.
    Crds(Crds),
    /// Write the roles that the program needs.
    Rbac(Rbac),
    /// Write the configurations of the program's admission webhooks.
    Webhooks(WebhooksArgs),
    #[command(flatten)]
    Common(Common),
}

/// The commands of every program.
#[derive(Debug, Subcommand)]
pub(super) enum Common {
    /// Validate objects as the API server would, and print its errors and warnings.
    Validate(Validate),
    /// Check CRDs as the API server would, and print the estimated cost of their rules.
    Check(Check),
    /// Report what the API server accepts in CRDs and people should know: list types, bounds, names, the status.
    Lint(LintArgs),
    /// Compare definitions, and show for whom each change is breaking, with an object that shows it.
    Diff(Diff),
    /// Write the reference of kinds as Markdown, HTML or `AsciiDoc`, with examples that are admitted.
    Docs(DocsArgs),
    /// Write JSON schemas of kinds, for editors and linters.
    Schema(SchemaArgs),
    /// Print objects as a table, as `kubectl get` would.
    Get(Get),
    /// Print the documentation of a kind or a field, as `kubectl explain` would.
    Explain(Explain),
}

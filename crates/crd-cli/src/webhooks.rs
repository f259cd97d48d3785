//! `webhooks`: writes the configurations of a program's admission webhooks, or checks that they are up to date.

use std::path::PathBuf;

use clap::Args;
use crd_cel::kubernetes::KubernetesVersion;
use serde_json::Value;

use super::location::FieldLocation;
use super::manifests::{Layout, OneFile, Subject};
use super::verdict::LocatedError;
use super::{CommandError, CommandOutcome, Context, report, style, workspace};
use crd_engine::webhooks;

/// Arguments of `webhooks`.
#[derive(Debug, Args)]
pub(super) struct WebhooksArgs {
    /// The file to write to, or `-` for standard output. It is a directory if the format is.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    layout: Layout,
}

pub(super) fn run(
    context: &mut Context<'_>,
    args: &WebhooksArgs,
) -> Result<CommandOutcome, CommandError> {
    let Some((file, configured)) = &context.registry.webhooks else {
        let message = "no admission webhooks are registered: add them with `Registry::webhooks`";
        return Err(CommandError(message.to_owned()));
    };
    args.layout.of_other_objects()?;
    let out = args.out.clone().unwrap_or_else(|| workspace::anchor(file));
    let objects = configured.objects();
    let mut is_valid = true;
    for object in &objects {
        is_valid &= check(context, object)?;
    }
    if !is_valid {
        return Ok(CommandOutcome::Invalid);
    }
    let (subject, command, label) = (Subject::Webhooks, "webhooks", "registered");
    OneFile { subject, objects, out: &out, command, label }.run(context, &args.layout)
}

/// Prints what the server says of a configuration. Returns whether it accepts it.
fn check(context: &mut Context<'_>, object: &Value) -> Result<bool, CommandError> {
    let text = |pointer| object.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
    let (kind, name) = (text("/kind"), text("/metadata/name"));
    let kubernetes = KubernetesVersion::REFERENCE;
    for warning in webhooks::warnings(object, false, kubernetes) {
        let warning = style::text(warning);
        writeln!(context.err, "{name}: {}: {warning}", style::warning("Warning"))?;
    }
    let errors = webhooks::errors(object, kubernetes).into_iter();
    let located = |error| LocatedError { error, location: FieldLocation::default() };
    let errors: Vec<LocatedError> = errors.map(located).collect();
    if !errors.is_empty() {
        report::write_invalid(context.err, kind, name, &errors)?;
    }
    Ok(errors.is_empty())
}

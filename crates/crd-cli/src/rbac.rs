//! `rbac`: writes the roles that a program needs, or checks that they are up to date.

use std::path::{Path, PathBuf};

use clap::Args;

use super::manifests::{self, Layout, OneFile, Subject};
use super::{CommandError, CommandOutcome, Context, style, workspace};
use crd_engine::rbac::Permissions;

/// The function that finds the permissions that a program needs.
pub(super) type Record = fn() -> Result<Permissions, Box<dyn std::error::Error>>;

/// Arguments of `rbac`.
#[derive(Debug, Args)]
pub(super) struct Rbac {
    /// The file to write to, or `-` for standard output. It is a directory if the format is.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    layout: Layout,
    /// Also write the bindings of the roles to a service account, such as `default/operator`.
    #[arg(long, value_name = "NAMESPACE/NAME", value_parser = account)]
    bind: Option<(String, String)>,
    /// Write nothing. Fail if the roles of FILE, such as those of a chart that `helm template` has rendered, allow less
    /// or more than what is needed.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["check", "out", "bind", "format"])]
    against: Option<PathBuf>,
}

fn account(text: &str) -> Result<(String, String), String> {
    let parts = text.split_once('/').filter(|(namespace, name)| {
        !namespace.is_empty() && !name.is_empty() && !name.contains('/')
    });
    let (namespace, name) = parts.ok_or("write NAMESPACE/NAME")?;
    Ok((namespace.to_owned(), name.to_owned()))
}

pub(super) fn run(context: &mut Context<'_>, args: &Rbac) -> Result<CommandOutcome, CommandError> {
    let Some((file, record)) = &context.registry.rbac else {
        let message = "no function finds the needed permissions: set one with `Registry::rbac`";
        return Err(CommandError(message.to_owned()));
    };
    args.layout.of_other_objects()?;
    let out = args.out.clone().unwrap_or_else(|| workspace::anchor(file));
    let needed = record().map_err(|error| CommandError(format!("what is needed: {error}")))?;
    if let Some(granted) = &args.against {
        return compare(context, &needed, granted);
    }
    let mut objects = needed.objects();
    if let Some((namespace, name)) = &args.bind {
        objects.extend(needed.bindings(namespace, name));
    }
    let (subject, command, label) = (Subject::Rbac, "rbac", "needed");
    OneFile { subject, objects, out: &out, command, label }.run(context, &args.layout)
}

fn compare(
    context: &mut Context<'_>,
    needed: &Permissions,
    granted: &Path,
) -> Result<CommandOutcome, CommandError> {
    let Some(text) = manifests::read(granted)? else {
        return Err(CommandError(format!("{}: there is no such file", granted.display())));
    };
    let shown = granted.display();
    let roles =
        Permissions::from_yaml(&text).map_err(|error| CommandError(format!("{shown}: {error}")))?;
    let comparison = needed.compare(&roles);
    if comparison.is_exact() {
        writeln!(context.out, "{shown} allows what is needed, and no more")?;
        return Ok(CommandOutcome::Valid);
    }
    write!(context.out, "{comparison}")?;
    let (missing, superfluous) = (comparison.missing.len(), comparison.superfluous.len());
    let error = style::bad("error");
    writeln!(context.err, "{error}: {shown}: {missing} missing, {superfluous} superfluous")?;
    Ok(CommandOutcome::Invalid)
}

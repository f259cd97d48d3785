//! `rbac`: writes the roles that a program needs, or checks that they are up to date.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;

use super::{CommandError, CommandOutcome, Context, style, unified, workspace};
use crd_engine::rbac::Permissions;

/// The function that finds the permissions that a program needs.
pub(super) type Record = fn() -> Result<Permissions, Box<dyn std::error::Error>>;

/// Arguments of `rbac`.
#[derive(Debug, Args)]
pub(super) struct Rbac {
    /// The file to write to, or `-` for standard output.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write nothing. Fail, with a diff, if the file is out of date.
    #[arg(long)]
    check: bool,
    /// Write nothing. Fail if the roles of FILE, such as those of a chart that `helm template` has rendered, allow less
    /// or more than what is needed.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["check", "out"])]
    against: Option<PathBuf>,
}

pub(super) fn run(context: &mut Context<'_>, args: &Rbac) -> Result<CommandOutcome, CommandError> {
    let Some((file, record)) = &context.registry.rbac else {
        let message = "no function finds the needed permissions: set one with `Registry::rbac`";
        return Err(CommandError(message.to_owned()));
    };
    let out = args.out.clone().unwrap_or_else(|| workspace::anchor(file));
    if args.check && out.as_os_str() == "-" {
        let message = "`--check` needs a file to compare with; pass `--out FILE`";
        return Err(CommandError(message.to_owned()));
    }
    let needed = record().map_err(|error| CommandError(format!("what is needed: {error}")))?;
    if let Some(granted) = &args.against {
        return compare(context, &needed, granted);
    }
    let text = needed.to_yaml();
    if out.as_os_str() == "-" {
        context.out.write_all(text.as_bytes())?;
        return Ok(CommandOutcome::Valid);
    }
    let old = read(&out)?;
    let is_same = old.as_deref() == Some(text.as_str());
    let shown = out.display().to_string();
    if args.check && !is_same {
        let (from, old) = old.map_or(("/dev/null", String::new()), |old| (shown.as_str(), old));
        unified::write(context.out, (from, &old), (&format!("{shown} (needed)"), &text))?;
        writeln!(context.err, "{}: {shown} is out of date: run `rbac`", style::bad("error"))?;
        return Ok(CommandOutcome::Invalid);
    }
    if args.check {
        writeln!(context.out, "{shown} up to date")?;
        return Ok(CommandOutcome::Valid);
    }
    if !is_same {
        if let Some(directory) = out.parent() {
            fs::create_dir_all(directory).map_err(|error| about(directory, &error))?;
        }
        fs::write(&out, &text).map_err(|error| about(&out, &error))?;
    }
    let what = match old {
        Some(_) if is_same => "unchanged",
        Some(_) => "updated",
        None => "created",
    };
    writeln!(context.out, "{shown} {what}")?;
    Ok(CommandOutcome::Valid)
}

fn compare(
    context: &mut Context<'_>,
    needed: &Permissions,
    granted: &Path,
) -> Result<CommandOutcome, CommandError> {
    let Some(text) = read(granted)? else {
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

/// Returns a file's text; `None` if there is no file.
fn read(path: &Path) -> Result<Option<String>, CommandError> {
    match fs::read_to_string(path) {
        // Git may have checked the file out with CRLF.
        Ok(text) => Ok(Some(text.replace("\r\n", "\n"))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(about(path, &error)),
    }
}

fn about(path: &Path, error: &io::Error) -> CommandError {
    CommandError(format!("{}: {error}", path.display()))
}

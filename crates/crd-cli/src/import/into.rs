//! `import --into`: writes into existing source what has changed in a definition.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;

use super::merge::{Conflict, merge};
use crate::{CommandError, CommandOutcome, Context, manifests, unified};

/// Takes the changes between the files of two definitions over into those that exist, and shows them.
pub(super) fn run(
    context: &mut Context<'_>,
    old: Vec<(PathBuf, String)>,
    new: Vec<(PathBuf, String)>,
) -> Result<CommandOutcome, CommandError> {
    let mut old_files: BTreeMap<_, _> = old.into_iter().collect();
    let mut outcome = CommandOutcome::Valid;
    for (path, new) in new {
        let failed = |error: std::io::Error| CommandError(format!("{}: {error}", path.display()));
        let shown = path.display().to_string();
        let existing = match fs::read_to_string(&path) {
            Ok(text) => text.replace("\r\n", "\n"),
            // A version or kind that is new.
            Err(error) if error.kind() == ErrorKind::NotFound && !old_files.contains_key(&path) => {
                String::new()
            }
            Err(error) => return Err(failed(error)),
        };
        let old = old_files.remove(&path).unwrap_or_default();
        let merged = merge(&old, &new, &existing);
        if merged.text != existing {
            unified::write(context.out, (&shown, &existing), (&shown, &merged.text))?;
            if let Some(directory) = path.parent() {
                fs::create_dir_all(directory).map_err(failed)?;
            }
            manifests::replace(&path, &merged.text).map_err(failed)?;
        }
        for Conflict { old, new } in merged.conflicts {
            outcome = CommandOutcome::Invalid;
            writeln!(
                context.err,
                "{shown}: has been edited where the CRD changes; take this over by hand:"
            )?;
            unified::write(context.err, ("old", &old), ("new", &new))?;
        }
    }
    for path in old_files.keys().filter(|path| path.exists()) {
        writeln!(
            context.err,
            "{}: no version of a CRD has it any more; delete the file",
            path.display()
        )?;
    }
    Ok(outcome)
}

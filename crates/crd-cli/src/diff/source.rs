//! Reads the definitions of a side: from files, standard input, or a commit.

use std::ffi::OsStr;
use std::io::Cursor;
use std::path::Path;

use crate::args::Paths;
use crate::objects::{self, Loaded, Placed};
use crate::{CommandError, Registry, git, input};

/// The endings of files that are read of a directory.
const ENDINGS: [&str; 3] = ["yaml", "yml", "json"];

/// Reads the definitions that an argument names. A commit without a path has that of the other side.
///
/// # Errors
/// If something cannot be read, or there is no definition.
pub(super) fn read(
    registry: &Registry,
    argument: &str,
    other: &str,
) -> Result<Vec<Placed>, CommandError> {
    let loaded = if let Some((reference, path)) = split(argument) {
        in_commit(reference, path.unwrap_or(other))?
    } else {
        let paths = Paths { paths: vec![argument.into()], ignore: Vec::new() };
        objects::read(registry, &paths)?
    };
    if let Some(unreadable) = loaded.unreadable.first() {
        return Err(CommandError(format!("{}: {}", unreadable.place, unreadable.message)));
    }
    if loaded.crds.is_empty() {
        return Err(CommandError(format!("{argument}: no CRDs found in the documents")));
    }
    Ok(loaded.crds)
}

/// Returns the path of an argument, which is that of the other side if it is a commit without one.
pub(super) fn path(argument: &str) -> &str {
    match split(argument) {
        Some((_, path)) => path.unwrap_or("."),
        None => argument,
    }
}

/// Splits `git:REF:PATH`. The name of a commit has no colon.
fn split(argument: &str) -> Option<(&str, Option<&str>)> {
    let rest = git::reference(Path::new(argument))?;
    Some(rest.split_once(':').map_or((rest, None), |(reference, path)| (reference, Some(path))))
}

fn in_commit(reference: &str, path: &str) -> Result<Loaded, CommandError> {
    let path = Path::new(path);
    let (directory, name) = match path.file_name() {
        Some(name) if path.is_absolute() => (path.parent().unwrap_or(path), Some(name)),
        Some(_) => (Path::new(""), Some(path.as_os_str())),
        None => (path, None),
    };
    let files = git::files(reference, directory, name)?;
    if files.is_empty() {
        let shown = path.display();
        return Err(CommandError(format!(
            "git:{reference}: there is no file or directory `{shown}`"
        )));
    }
    let is_wanted = |file: &Path| {
        let ending = file.extension().and_then(OsStr::to_str);
        file == path || ending.is_some_and(|ending| ENDINGS.contains(&ending))
    };
    let files = files.into_iter().filter(|(file, _)| is_wanted(file));
    let units = files.flat_map(|(file, bytes)| {
        let shown = format!("git:{reference}:{}", file.display());
        input::of_bytes(Path::new(&shown), Cursor::new(bytes)).collect::<Vec<_>>()
    });
    Ok(Loaded::of(units.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_commit_ends_at_a_colon() {
        assert_eq!(
            split("git:origin/main:crds/a.yaml"),
            Some(("origin/main", Some("crds/a.yaml")))
        );
        assert_eq!(split("git:HEAD^"), Some(("HEAD^", None)));
        assert_eq!(split("crds"), None);
        assert_eq!(path("git:v1:crds"), "crds");
    }
}

//! Reads the definitions of a side: from files, standard input, a commit, or a cluster.

use std::io::Cursor;
use std::path::Path;

use crate::args::Paths;
use crate::catalog::CRD_API_VERSION;
use crate::input::FileWalk;
use crate::objects::{self, Loaded, Placed};
use crate::{CommandError, Registry, cluster, git, input};

/// Reads the definitions that an argument names. A commit without a path has that of the other side.
///
/// # Errors
/// If something cannot be read, or there is no definition. A cluster may have none.
pub(super) fn read(
    registry: &Registry,
    argument: &str,
    other: &str,
    kubeconfig: Option<&Path>,
) -> Result<Vec<Placed>, CommandError> {
    let loaded = load(registry, argument, other, kubeconfig)?;
    definitions(argument, loaded, cluster::context(argument).is_some())
}

/// Reads the definitions in a text.
pub(super) fn of_text(shown: &str, text: Vec<u8>) -> Result<Vec<Placed>, CommandError> {
    let units = input::of_bytes(Path::new(shown), Cursor::new(text));
    definitions(shown, Loaded::of(units.collect()), false)
}

fn definitions(
    shown: &str,
    loaded: Loaded,
    may_be_empty: bool,
) -> Result<Vec<Placed>, CommandError> {
    if let Some(unreadable) = loaded.unreadable.first() {
        return Err(CommandError(format!("{}: {}", unreadable.place, unreadable.message)));
    }
    if loaded.crds.is_empty() && !may_be_empty {
        return Err(CommandError(format!(
            "{shown}: no CRDs of {CRD_API_VERSION} found in the documents"
        )));
    }
    Ok(loaded.crds)
}

/// As [`read`], but returns also what cannot be read.
pub(crate) fn load(
    registry: &Registry,
    argument: &str,
    other: &str,
    kubeconfig: Option<&Path>,
) -> Result<Loaded, CommandError> {
    if let Some(context) = cluster::context(argument) {
        let crds = cluster::definitions(context, kubeconfig)
            .map_err(|message| CommandError(format!("{argument}: {message}")))?;
        return Ok(Loaded::of_values(argument, crds));
    }
    match split(argument) {
        Some((reference, path)) => in_commit(reference, path.unwrap_or(other)),
        None => objects::read(registry, &one(argument)),
    }
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
    let arguments = one(path);
    let path = Path::new(path);
    let files = git::files(reference, path)?;
    if files.is_empty() {
        let shown = path.display();
        return Err(CommandError(format!(
            "git:{reference}: there is no file or directory `{shown}`"
        )));
    }
    let files = files.into_iter().filter(|(file, _)| FileWalk::has(&arguments, path, file));
    let units = files.flat_map(|(file, bytes)| {
        let shown = format!("git:{reference}:{}", file.display());
        input::of_bytes(Path::new(&shown), Cursor::new(bytes)).collect::<Vec<_>>()
    });
    Ok(Loaded::of(units.collect()))
}

fn one(path: &str) -> Paths {
    Paths { paths: vec![path.into()], ignore: Vec::new() }
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

//! Resolves relative paths of a project from the root of its workspace, whatever the current directory.

use std::path::{Component, Path, PathBuf};
use std::{env, fs};

/// The file that makes a directory a package or a workspace.
const MANIFEST: &str = "Cargo.toml";
/// The variable that `cargo run` sets to the directory of the package that it runs.
const PACKAGE: &str = "CARGO_MANIFEST_DIR";

/// Returns a path of a project relative to the current directory. `path` is relative to the root of the
/// workspace.
pub(super) fn anchor(path: &Path) -> PathBuf {
    let Ok(here) = env::current_dir() else { return path.to_owned() };
    let start = env::var_os(PACKAGE).map_or_else(|| here.clone(), PathBuf::from);
    anchor_at(path, &here, &start)
}

/// As [`anchor`], for a given current directory and package directory.
fn anchor_at(path: &Path, here: &Path, start: &Path) -> PathBuf {
    match root(start) {
        Some(root) if path.is_relative() => relative_to(here, &root.join(path)),
        _ => path.to_owned(),
    }
}

/// Returns the root of the workspace that contains a directory, or else of the package.
fn root(start: &Path) -> Option<&Path> {
    let is_package = |dir: &&Path| dir.join(MANIFEST).is_file();
    start.ancestors().find(|dir| is_workspace(dir)).or_else(|| start.ancestors().find(is_package))
}

/// Returns whether a directory is the root of a workspace.
pub(super) fn is_workspace(dir: &Path) -> bool {
    fs::read_to_string(dir.join(MANIFEST))
        .is_ok_and(|text| text.lines().any(|line| line.trim() == "[workspace]"))
}

/// Returns a path relative to a directory, or the path itself if that is shorter.
pub(super) fn relative_to(here: &Path, to: &Path) -> PathBuf {
    let (mut to_rest, mut here_rest) = (to.components(), here.components());
    let mut shared = 0;
    while let (Some(a), Some(b)) = (to_rest.next(), here_rest.next()) {
        if a != b {
            break;
        }
        shared += 1;
    }
    let up = here.components().count() - shared;
    let mut relative: PathBuf = std::iter::repeat_n(Component::ParentDir, up).collect();
    relative.extend(to.components().skip(shared));
    let is_longer = up > 0 && relative.components().count() >= to.components().count();
    if is_longer || relative.as_os_str().is_empty() { to.to_owned() } else { relative }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_starts_at_the_workspace() {
        let dir = tempfile::tempdir().expect("a directory");
        let dir = dir.path();
        let deep = dir.join("member/src");
        fs::create_dir_all(&deep).expect("a directory");
        fs::write(dir.join(MANIFEST), "[workspace]\nmembers = []\n").expect("written");
        fs::write(dir.join("member").join(MANIFEST), "[package]\n").expect("written");
        let at = |here: &Path, start: &Path| anchor_at(Path::new("crds"), here, start);
        assert_eq!(at(dir, &dir.join("member")), Path::new("crds"));
        assert_eq!(at(&deep, &dir.join("member")), Path::new("../../crds"));
        assert_eq!(at(Path::new("/"), &deep), relative_to(Path::new("/"), &dir.join("crds")));
        assert_eq!(anchor_at(Path::new("/x"), &deep, &deep), Path::new("/x"));
        fs::remove_file(dir.join(MANIFEST)).expect("removed");
        assert_eq!(at(&deep, &deep), Path::new("../crds"));
    }
}

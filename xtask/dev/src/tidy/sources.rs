//! Checks that the files in `Source:` notes exist in the reference version of Kubernetes, in its modules or in Go's
//! standard library.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

use super::code::{Tree, line_of};
use super::{Exceptions, Finding};

/// The Go files of the modules that the API server is built from, as paths that begin with the path of the module, and
/// those of the standard library.
#[derive(Debug, Default)]
pub(super) struct Upstream {
    paths: BTreeSet<String>,
}

impl Upstream {
    /// Lists the files of the modules that the Go programs in `tests/kube` need, and those of the standard library. Go
    /// downloads missing modules. Returns `None` if Go is not installed.
    ///
    /// # Errors
    /// If Go cannot list the modules, or a directory cannot be read.
    pub(super) fn read(root: &Path) -> io::Result<Option<Self>> {
        if Command::new("go").arg("version").output().is_err() {
            return Ok(None);
        }
        let mut found = Self::default();
        for program in ["oracle", "apiserver"] {
            let output = Command::new("go")
                .args(["list", "-deps", "-f", "{{with .Module}}{{.Path}} {{.Dir}}{{end}}", "."])
                .current_dir(root.join("tests/kube").join(program))
                .output()?;
            if !output.status.success() {
                return Err(io::Error::other(String::from_utf8_lossy(&output.stderr).into_owned()));
            }
            // One line for each package; many packages are in the same module.
            let lines = String::from_utf8_lossy(&output.stdout);
            let modules: BTreeSet<(&str, &str)> =
                lines.lines().filter_map(|line| line.split_once(' ')).collect();
            for (module, directory) in modules {
                found.add(Path::new(directory), module)?;
            }
        }
        let output = Command::new("go").args(["env", "GOROOT"]).output()?;
        let root = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
        found.add(&root.join("src"), "")?;
        Ok(Some(found))
    }

    fn add(&mut self, directory: &Path, prefix: &str) -> io::Result<()> {
        for entry in fs::read_dir(directory)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = if prefix.is_empty() { name } else { format!("{prefix}/{name}") };
            if entry.file_type()?.is_dir() {
                self.add(&entry.path(), &path)?;
            } else if is_go(&path) && !path.ends_with("_test.go") {
                self.paths.insert(path);
            }
        }
        Ok(())
    }

    #[cfg(test)]
    pub(super) fn of(paths: &[&str]) -> Self {
        Self { paths: paths.iter().map(|path| (*path).to_owned()).collect() }
    }

    /// Whether a file has this path, which can omit leading directories and the path of the module.
    fn has(&self, named: &str) -> bool {
        self.paths.iter().any(|path| ends_with(path, named))
    }
}

fn is_go(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|extension| extension == "go")
}

fn ends_with(path: &str, end: &str) -> bool {
    path.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
}

/// The name of the rule in the list of exceptions.
pub(super) const RULE: &str = "source";

pub(super) fn check(
    tree: &Tree,
    upstream: &Upstream,
    exceptions: &mut Exceptions<'_>,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.files.iter().filter(|file| !file.is_test()) {
        for (at, _) in file.text.match_indices("Source:") {
            let note = note(&file.text[at..]);
            for named in note.split('`').skip(1).step_by(2).filter(|word| is_go(word)) {
                let named: String = named.split_whitespace().collect();
                for named in alternatives(&named) {
                    if !upstream.has(&named) && !exceptions.allows(RULE, &named) {
                        let line = line_of(&file.text, at);
                        let text = format!("`{named}` is in none of the modules of the reference");
                        findings.push(Finding::of(&file.path, line, text));
                    }
                }
            }
        }
    }
    findings
}

/// Expands `a/{b,c}.go` to its paths.
fn alternatives(named: &str) -> Vec<String> {
    match named.split_once('{').and_then(|(begin, rest)| Some((begin, rest.split_once('}')?))) {
        Some((begin, (middle, end))) => {
            middle.split(',').map(|part| format!("{begin}{part}{end}")).collect()
        }
        None => vec![named.to_owned()],
    }
}

/// Returns the text of a note: its line and the following lines of the comment up to an empty one, without slashes.
fn note(text: &str) -> String {
    let mut note = String::new();
    for (index, line) in text.lines().enumerate() {
        let words = if index == 0 {
            line
        } else {
            match line.trim_start().strip_prefix("//") {
                Some(rest) => rest.trim_start_matches(['/', '!']),
                None => break,
            }
        };
        if words.trim().is_empty() {
            break;
        }
        note.push_str(words);
    }
    note
}

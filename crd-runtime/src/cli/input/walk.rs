//! The files that arguments name.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Endings of the files that are read in a directory; an argument that is a file may be called anything.
const EXTENSIONS: [&str; 3] = ["json", "yaml", "yml"];

/// Walks arguments in their order and directories by name, holding the entries of one path from the root at a time.
#[derive(Debug)]
pub(in crate::cli) struct Walk {
    /// What is yet to come, the next one last.
    todo: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    path: PathBuf,
    /// Named by an argument, not found in a directory.
    is_argument: bool,
}

impl Walk {
    /// A walk over arguments of `-f`.
    pub(in crate::cli) fn new(arguments: &[PathBuf]) -> Self {
        let entries = arguments.iter().rev();
        Self { todo: entries.map(|path| Entry { path: path.clone(), is_argument: true }).collect() }
    }

    fn open(&mut self, dir: &Path) -> io::Result<()> {
        let mut entries = Vec::new();
        for entry in fs::read_dir(dir)? {
            let entry = entry?;
            // A link to a directory is not followed: it may lead in a circle.
            let path = entry.path();
            let is_dir = entry.file_type()?.is_dir();
            let wanted = path
                .extension()
                .and_then(OsStr::to_str)
                .is_some_and(|ending| EXTENSIONS.contains(&ending));
            // What leads nowhere is told when it is opened.
            let is_file = || path.metadata().map_or(true, |metadata| metadata.is_file());
            if is_dir || (wanted && is_file()) {
                entries.push(path);
            }
        }
        entries.sort_unstable_by(|a, b| b.cmp(a));
        self.todo.extend(entries.into_iter().map(|path| Entry { path, is_argument: false }));
        Ok(())
    }
}

impl Iterator for Walk {
    type Item = Result<PathBuf, (PathBuf, io::Error)>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let Entry { path, is_argument } = self.todo.pop()?;
            if (is_argument && path.as_os_str() == "-") || !path.is_dir() {
                return Some(Ok(path));
            }
            if let Err(error) = self.open(&path) {
                return Some(Err((path, error)));
            }
        }
    }
}

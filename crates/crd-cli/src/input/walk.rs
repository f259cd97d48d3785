//! Finds the files of the arguments.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use glob::{MatchOptions, Pattern};

use crate::args::Paths;

/// The extensions of files that are read in a directory; a file given as an argument can have any name.
const EXTENSIONS: [&str; 3] = ["json", "yaml", "yml"];

/// `*` does not match `/`, as in a shell.
const MATCH: MatchOptions = MatchOptions {
    case_sensitive: true,
    require_literal_separator: true,
    require_literal_leading_dot: false,
};

/// Visits arguments in order and the entries of directories by name. Holds only entries of the directory that is
/// visited and of those that contain it.
#[derive(Debug)]
pub(crate) struct FileWalk {
    /// The entries to visit, the next one last.
    todo: Vec<Entry>,
    ignore: Vec<Pattern>,
}

#[derive(Debug)]
struct Entry {
    path: PathBuf,
    /// The argument in which it was found; `None` if it is the argument itself.
    argument: Option<Arc<Path>>,
}

impl FileWalk {
    /// Returns a walk over files and directories.
    pub(crate) fn new(arguments: &Paths) -> Self {
        let entries = arguments.paths.iter().rev();
        Self {
            todo: entries.map(|path| Entry { path: path.clone(), argument: None }).collect(),
            ignore: arguments.ignore.clone(),
        }
    }

    /// Returns whether a pattern matches an entry. A pattern without `/` is matched against its name, one with `/`
    /// against its path as shown and relative to the argument.
    fn is_ignored(&self, Entry { path, argument }: &Entry) -> bool {
        if self.ignore.is_empty() || (argument.is_none() && path.as_os_str() == "-") {
            return false;
        }
        let shown = path.strip_prefix(".").unwrap_or(path);
        let within = argument.as_ref().and_then(|root| path.strip_prefix(root).ok());
        self.ignore.iter().any(|pattern| {
            let is_path = pattern.as_str().contains('/');
            let name = path.file_name().map(Path::new).filter(|_| !is_path);
            let paths = [Some(shown), within].into_iter().flatten().filter(|_| is_path);
            name.into_iter().chain(paths).any(|path| pattern.matches_path_with(path, MATCH))
        })
    }

    /// Returns whether a walk would visit a file below an argument, or the argument itself, if it were there.
    pub(crate) fn has(arguments: &Paths, argument: &Path, file: &Path) -> bool {
        let walk = Self { todo: Vec::new(), ignore: arguments.ignore.clone() };
        let Ok(below) = file.strip_prefix(argument) else { return false };
        let is_argument = below.as_os_str().is_empty();
        let root: Arc<Path> = argument.into();
        let mut path = argument.to_owned();
        let mut entries = vec![Entry { path: path.clone(), argument: None }];
        for name in below {
            path.push(name);
            entries.push(Entry { path: path.clone(), argument: Some(Arc::clone(&root)) });
        }
        let is_of_tools = below.parent().is_some_and(|directories| {
            directories.iter().any(|name| name.as_encoded_bytes().starts_with(b"."))
        });
        (is_argument || has_extension(file))
            && !is_of_tools
            && !entries.iter().any(|entry| walk.is_ignored(entry))
    }

    fn open(&mut self, dir: &Path, argument: Option<Arc<Path>>) -> io::Result<()> {
        let argument = argument.unwrap_or_else(|| dir.into());
        let mut entries = Vec::new();
        for entry in fs::read_dir(dir)? {
            let entry = entry?;
            // A link to a directory is not followed, because it may lead back up.
            let path = entry.path();
            let is_dir = entry.file_type()?.is_dir();
            // Directories such as `.git` and `.github` hold files of tools, not manifests.
            if is_dir && entry.file_name().as_encoded_bytes().starts_with(b".") {
                continue;
            }
            let wanted = has_extension(&path);
            // A broken link is reported when it is opened.
            let is_file = || path.metadata().map_or(true, |metadata| metadata.is_file());
            if is_dir || (wanted && is_file()) {
                entries.push(path);
            }
        }
        entries.sort_unstable_by(|a, b| b.cmp(a));
        self.todo.extend(
            entries.into_iter().map(|path| Entry { path, argument: Some(Arc::clone(&argument)) }),
        );
        Ok(())
    }
}

fn has_extension(path: &Path) -> bool {
    path.extension().and_then(OsStr::to_str).is_some_and(|ending| EXTENSIONS.contains(&ending))
}

impl Iterator for FileWalk {
    type Item = Result<PathBuf, (PathBuf, io::Error)>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let entry = self.todo.pop()?;
            if self.is_ignored(&entry) {
                continue;
            }
            let Entry { path, argument } = entry;
            if (argument.is_none() && path.as_os_str() == "-") || !path.is_dir() {
                return Some(Ok(path));
            }
            if let Err(error) = self.open(&path, argument) {
                return Some(Err((path, error)));
            }
        }
    }
}

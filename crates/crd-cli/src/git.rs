//! The files of a commit, read by the program `git`.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;

use super::CommandError;

/// The start of an argument that names a commit, a branch or a tag.
const PREFIX: &str = "git:";

/// Returns the name of a commit, such as `main` of the argument `git:main`.
pub(super) fn reference(argument: &Path) -> Option<&str> {
    argument.to_str()?.strip_prefix(PREFIX)
}

/// Returns whether an argument names a commit.
pub(super) fn is_commit(argument: &str) -> bool {
    reference(Path::new(argument)).is_some()
}

/// Returns the files that a commit has at a path, a file or a directory, sorted by their paths, which start with it.
/// Links and submodules are left out.
pub(super) fn files(reference: &str, path: &Path) -> Result<Vec<(PathBuf, Vec<u8>)>, CommandError> {
    let failed = |message: &str| CommandError(format!("{PREFIX}{reference}: {message}"));
    if reference.is_empty() || reference.starts_with('-') {
        return Err(failed("not the name of a commit"));
    }
    let directory = directory_of(path);
    let name = path.strip_prefix(directory).ok().filter(|name| !name.as_os_str().is_empty());
    let mut list = git(directory);
    list.args(["ls-tree", "-r", "-z", reference, "--"]).args(name);
    let listed = list.output().map_err(|error| failed(&format!("git: {error}")))?;
    let listed = of_success(listed).map_err(|message| failed(&message))?;
    let listed = String::from_utf8(listed).map_err(|_| failed("a path is not UTF-8"))?;
    let mut found = Vec::new();
    for entry in listed.split_terminator('\0') {
        // `100644 blob 6d47..\tdeploy/a.yaml`
        let Some((about, path)) = entry.split_once('\t') else { continue };
        if let ["100644" | "100755", "blob", id] = about.split(' ').collect::<Vec<_>>()[..] {
            found.push((directory.join(path), id));
        }
    }
    let ids: String = found.iter().flat_map(|(_, id)| [*id, "\n"]).collect();
    let contents = contents(directory, &ids, found.len()).map_err(|message| failed(&message))?;
    Ok(found.into_iter().map(|(path, _)| path).zip(contents).collect())
}

/// Returns whether a path is in a repository that has a commit.
pub(super) fn has_commit(reference: &str, path: &Path) -> bool {
    let mut verify = git(directory_of(path));
    let commit = format!("{reference}^{{commit}}");
    verify.args(["rev-parse", "--verify", "--quiet", "--end-of-options", &commit]);
    verify.output().is_ok_and(|output| output.status.success())
}

/// Returns the directory of a path. The commit may have one that is not there today.
fn directory_of(path: &Path) -> &Path {
    let is_here = |directory: &&Path| directory.as_os_str().is_empty() || directory.is_dir();
    path.ancestors().find(is_here).unwrap_or(path)
}

fn git(directory: &Path) -> Command {
    let mut command = Command::new("git");
    command.arg("-C").arg(if directory.as_os_str().is_empty() {
        Path::new(".")
    } else {
        directory
    });
    command
}

fn of_success(output: Output) -> Result<Vec<u8>, String> {
    if output.status.success() {
        return Ok(output.stdout);
    }
    Err(String::from_utf8_lossy(&output.stderr).trim_end().to_owned())
}

/// Returns the contents of some objects, whose identifiers are given one a line.
fn contents(directory: &Path, ids: &str, count: usize) -> Result<Vec<Vec<u8>>, String> {
    let mut cat = git(directory);
    cat.args(["cat-file", "--batch"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = cat.stderr(Stdio::piped()).spawn().map_err(|error| format!("git: {error}"))?;
    let stdin = child.stdin.take();
    // Written by another thread, because git waits until its output is read.
    let output = thread::scope(|scope| {
        scope.spawn(|| stdin.map(|mut stdin| stdin.write_all(ids.as_bytes())));
        child.wait_with_output()
    });
    let output = of_success(output.map_err(|error| format!("git: {error}"))?)?;
    let mut rest = &*output;
    let mut contents = Vec::new();
    for _ in 0..count {
        // `6d47.. blob 12\n`, the content, and `\n`.
        let parsed = || {
            let end = rest.iter().position(|byte| *byte == b'\n')?;
            let length = std::str::from_utf8(rest.get(..end)?).ok()?.rsplit(' ').next()?;
            let (begin, length) = (end + 1, length.parse::<usize>().ok()?);
            Some((rest.get(begin..begin + length)?, rest.get(begin + length + 1..)?))
        };
        let (content, after) = parsed().ok_or("git: unexpected output of `cat-file`")?;
        contents.push(content.to_owned());
        rest = after;
    }
    Ok(contents)
}

//! Writes the files of a directory, or compares them.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

use serde_json::Value;

use super::{Entry, helm};
use crate::{CommandError, CommandOutcome, Context, catalog, style, unified, yaml};

/// The files of a command, and where they are.
pub(crate) struct Target<'t> {
    pub(crate) directory: &'t Path,
    pub(crate) entries: &'t BTreeMap<String, Entry>,
    /// The name of the command.
    pub(crate) command: &'static str,
    /// What the texts are, in a diff.
    pub(crate) label: &'static str,
    /// A word for a text, such as `manifest`.
    pub(crate) what: &'static str,
    /// What each file is made of, such as `registered kind`, if those whose source is gone are looked for.
    pub(crate) source: Option<&'static str>,
}

impl Target<'_> {
    /// Compares the files if `check`, otherwise writes them.
    pub(crate) fn run(
        &self,
        context: &mut Context<'_>,
        check: bool,
        prune: bool,
    ) -> Result<CommandOutcome, CommandError> {
        if check { self.check(context) } else { self.write(context, prune) }
    }

    /// Writes what differs. With `prune`, deletes what the command has written for sources that are gone.
    fn write(
        &self,
        context: &mut Context<'_>,
        prune: bool,
    ) -> Result<CommandOutcome, CommandError> {
        for (name, entry) in self.entries {
            let path = self.directory.join(name);
            let old = read(&path)?;
            let Some(text) = wanted(entry, &path, old.as_deref())? else { continue };
            let what = match &old {
                Some(old) if *old == text => "unchanged",
                Some(_) => "updated",
                None => "created",
            };
            if old.is_none_or(|old| old != text) {
                let directory = path.parent().unwrap_or(self.directory);
                fs::create_dir_all(directory).map_err(|error| about(directory, &error))?;
                replace(&path, &text).map_err(|error| about(&path, &error))?;
            }
            writeln!(context.out, "{} {what}", path.display())?;
        }
        for path in self.left_over()? {
            if prune {
                fs::remove_file(&path).map_err(|error| about(&path, &error))?;
                writeln!(context.out, "{} deleted", path.display())?;
                continue;
            }
            let (source, advice) = (self.source.unwrap_or_default(), self.advice());
            let message = format!("{}: belongs to no {source}; {advice}", path.display());
            writeln!(context.err, "{}: {message}", style::warning("warning"))?;
        }
        Ok(CommandOutcome::Valid)
    }

    /// Compares the files, and prints what differs.
    fn check(&self, context: &mut Context<'_>) -> Result<CommandOutcome, CommandError> {
        let (mut stale, mut count) = (0, 0);
        for (name, entry) in self.entries {
            let path = self.directory.join(name);
            let shown = path.display().to_string();
            let old = read(&path)?;
            let Some(text) = wanted(entry, &path, old.as_deref())? else { continue };
            count += usize::from(matches!(entry, Entry::Text(_)));
            if old.as_deref() == Some(&*text) {
                continue;
            }
            let (from, old) = old.map_or(("/dev/null", String::new()), |old| (shown.as_str(), old));
            let to = format!("{shown} ({})", self.label);
            unified::write(context.out, (from, &old), (&to, &text))?;
            stale += 1;
        }
        let left_over = self.left_over()?;
        let source = self.source.unwrap_or_default();
        for path in &left_over {
            writeln!(context.out, "{}: belongs to no {source}", path.display())?;
        }
        let error = style::bad("error");
        if stale > 0 {
            let stale = counted(stale, self.what);
            writeln!(context.err, "{error}: {stale} out of date: run `{}`", self.command)?;
        }
        if !left_over.is_empty() {
            let left_over = counted(left_over.len(), self.what);
            writeln!(context.err, "{error}: {left_over} of no {source}: {}", self.advice())?;
        }
        if stale > 0 || !left_over.is_empty() {
            return Ok(CommandOutcome::Invalid);
        }
        writeln!(context.out, "{} up to date", counted(count, self.what))?;
        Ok(CommandOutcome::Valid)
    }

    fn advice(&self) -> String {
        format!("delete it, or run `{} --prune`", self.command)
    }

    /// Returns the files that this command has written for sources that are gone, sorted by name: in each directory that
    /// gets a file, those with the extension of that file.
    fn left_over(&self) -> Result<Vec<PathBuf>, CommandError> {
        if self.source.is_none() {
            return Ok(Vec::new());
        }
        let texts = self.entries.iter().filter(|(_, entry)| matches!(entry, Entry::Text(_)));
        let places: BTreeSet<(PathBuf, Option<&OsStr>)> = texts
            .map(|(name, _)| {
                let name = Path::new(name);
                let directory = self.directory.join(name.parent().unwrap_or(Path::new("")));
                (directory, name.extension())
            })
            .collect();
        let mut paths = Vec::new();
        for (directory, extension) in places {
            let entries = match fs::read_dir(&directory) {
                Ok(entries) => entries,
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(about(&directory, &error)),
            };
            for entry in entries {
                let path = entry.map_err(|error| about(&directory, &error))?.path();
                let is_known = self.entries.keys().any(|name| self.directory.join(name) == path);
                if is_known || path.extension() != extension || !path.is_file() {
                    continue;
                }
                if read(&path)?.is_some_and(|text| is_generated(&path, &text)) {
                    paths.push(path);
                }
            }
        }
        paths.sort();
        Ok(paths)
    }
}

/// Returns the text that a file should have, where it is `old` now; `None` if it is left as it is.
fn wanted<'e>(
    entry: &'e Entry,
    path: &Path,
    old: Option<&str>,
) -> Result<Option<Cow<'e, str>>, CommandError> {
    Ok(match (entry, old) {
        (Entry::Initial(_), Some(_)) => None,
        (Entry::Values(text), Some(old)) => {
            let about = |why| CommandError(format!("{}: {why}", path.display()));
            Some(with_values(old, text).map_err(about)?.into())
        }
        (Entry::Text(text) | Entry::Initial(text) | Entry::Values(text), _) => Some(text.into()),
    })
}

/// Returns whether a file is exactly what a command writes for the definition in it, under the name that it gives to the
/// file, or a template with the mark of one. Definitions of others, files with further documents and files that somebody
/// has edited are not.
fn is_generated(path: &Path, text: &str) -> bool {
    if text.starts_with(helm::MARK) {
        return true;
    }
    let mut documents = yaml::documents(text);
    let (Some(Ok(document)), None) = (documents.next(), documents.next()) else { return false };
    let crd = document.value;
    let is_json = path.extension().is_some_and(|extension| extension == "json");
    let name = crd.pointer("/metadata/name").and_then(Value::as_str);
    let written =
        if is_json { super::pretty(crd.clone()).ok() } else { Some(yaml::to_string(&crd)) };
    crd.get("kind").is_some_and(|kind| kind == catalog::CRD_KIND)
        && name.is_some_and(|name| path.file_stem() == Some(OsStr::new(name)))
        && written.is_some_and(|written| written == text)
}

/// Returns the values of a chart with those of a text, which are added at the end if their first key is missing.
fn with_values(old: &str, text: &str) -> Result<String, String> {
    let parse = |text: &str| -> Result<Value, String> {
        let document = yaml::document(text.as_bytes()).map_err(|error| error.to_string())?;
        Ok(document.map_or(Value::Null, |document| document.value))
    };
    let (have, want) = (parse(old)?, parse(text)?);
    let wanted = want.as_object().into_iter().flatten();
    if wanted.clone().all(|(key, _)| have.get(key).is_none())
        && (have.is_object() || have.is_null())
    {
        let end = if old.is_empty() || old.ends_with('\n') { "" } else { "\n" };
        let gap = if have.is_null() { "" } else { "\n" };
        let all = format!("{old}{end}{gap}{text}");
        let mut both = have.as_object().cloned().unwrap_or_default();
        both.extend(wanted.map(|(key, value)| (key.clone(), value.clone())));
        if parse(&all) == Ok(both.into()) {
            return Ok(all);
        }
    }
    match missing(&have, &want, "") {
        Some(key) => Err(format!("has no `{key}`; the values are\n\n{text}")),
        None => Ok(old.to_owned()),
    }
}

/// Returns the first key that is missing, also of the maps in a map.
fn missing(have: &Value, want: &Value, at: &str) -> Option<String> {
    want.as_object()?.iter().find_map(|(key, value)| {
        let at = if at.is_empty() { key.clone() } else { format!("{at}.{key}") };
        match have.get(key) {
            None => Some(at),
            Some(have) => missing(have, value, &at),
        }
    })
}

/// Writes a file at once: readers see the old text or the new one. A link is replaced, not followed.
pub(crate) fn replace(path: &Path, text: &str) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    let temporary = path.with_file_name(name);
    let mut file = fs::OpenOptions::new().write(true).create_new(true).open(&temporary)?;
    let written = file.write_all(text.as_bytes()).and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// Returns a file's text, or `None` if there is no file. Lines may end with CRLF, as Git checks them out on Windows.
/// Invalid UTF-8 is replaced, so that the file differs from any manifest.
pub(crate) fn read(path: &Path) -> Result<Option<String>, CommandError> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).replace("\r\n", "\n"))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(about(path, &error)),
    }
}

fn about(path: &Path, error: &io::Error) -> CommandError {
    CommandError(format!("{}: {error}", path.display()))
}

/// Counts things: `1 manifest`, `2 manifests`.
fn counted(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

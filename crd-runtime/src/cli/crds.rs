//! `crds`: the manifests of the registered kinds, on disk and up to date.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::{fs, io};

use serde_json::Value;

use super::args::{Crds, Format};
use super::validate::report;
use super::{Context, Outcome, Unable, catalog, descriptions, diff, origin, style};
use crate::field::Error;
use crate::{definition, yaml};

/// Writes the manifests, or compares them with what is on disk.
pub(super) fn run(context: &mut Context<'_>, args: &Crds) -> Result<Outcome, Unable> {
    let files = manifests(context, args)?;
    if !are_valid(context)? {
        return Ok(Outcome::Invalid);
    }
    let out = args.out.clone().unwrap_or_else(|| context.registry.out.clone());
    if out.as_os_str() == "-" {
        for (index, text) in files.values().enumerate() {
            if index > 0 && args.format == Format::Yaml {
                context.out.write_all(b"---\n")?;
            }
            context.out.write_all(text.as_bytes())?;
        }
        return Ok(Outcome::Well);
    }
    if args.check { check(context, &out, &files) } else { write(context, &out, &files) }
}

/// Whether the API server would take every manifest; what it would say is said.
fn are_valid(context: &mut Context<'_>) -> Result<bool, Unable> {
    let mut valid = true;
    for crd in &context.registry.crds {
        let crd = crd.as_ref().map_err(|error| Unable(error.clone()))?;
        let decoded = definition::decode(crd).map_err(Unable)?;
        let name = &decoded.crd.metadata.name;
        let errors = definition::validate(&decoded.crd);
        if !errors.is_empty() {
            valid = false;
            let locate = |error: &Error| origin::locate(context.registry, crd, &error.field);
            report::write_invalid_at(context.err, catalog::CRD_KIND, name, &errors, locate)?;
        }
        for warning in definition::warnings(&decoded.crd) {
            writeln!(context.err, "{name}: {}: {warning}", style::warning("Warning"))?;
        }
    }
    Ok(valid)
}

/// The files to write by name, in the order of their names.
fn manifests(context: &Context<'_>, args: &Crds) -> Result<BTreeMap<String, String>, Unable> {
    if context.registry.crds.is_empty() {
        return Err(Unable("no kinds are registered: there is nothing to write".to_owned()));
    }
    let mut files = BTreeMap::new();
    for crd in &context.registry.crds {
        let mut crd = crd.clone().map_err(Unable)?;
        let name = file_name(&crd, args.format)?;
        if let Some(root) = crd.as_object_mut() {
            // What the server fills in; an applied manifest must not claim it.
            root.remove("status");
        }
        if let Some(longest) = args.max_description_length {
            descriptions::shorten(&mut crd, longest);
        }
        let text = match args.format {
            Format::Yaml => yaml::to_string(&crd),
            Format::Json => format!("{}\n", pretty(&crd)?),
        };
        if files.insert(name.clone(), text).is_some() {
            return Err(Unable(format!("two registered kinds make {name}")));
        }
    }
    Ok(files)
}

/// JSON with sorted keys, whatever order another crate has chosen for `serde_json`'s maps.
fn pretty(value: &Value) -> Result<String, Unable> {
    let mut sorted = value.clone();
    sorted.sort_all_objects();
    serde_json::to_string_pretty(&sorted).map_err(|error| Unable(error.to_string()))
}

/// `<plural>.<group>.yaml`
fn file_name(crd: &Value, format: Format) -> Result<String, Unable> {
    let text = |pointer| crd.pointer(pointer).and_then(Value::as_str);
    let plural = text("/spec/names/plural");
    let (Some(plural), Some(group)) = (plural, text("/spec/group")) else {
        return Err(Unable("a registered kind has no plural or no group".to_owned()));
    };
    if [plural, group].iter().any(|part| part.is_empty() || part.contains(['/', '\\'])) {
        return Err(Unable(format!("`{plural}.{group}` cannot name a file")));
    }
    Ok(format!("{plural}.{group}.{}", extension(format)))
}

fn extension(format: Format) -> &'static str {
    match format {
        Format::Yaml => "yaml",
        Format::Json => "json",
    }
}

fn write(
    context: &mut Context<'_>,
    out: &Path,
    files: &BTreeMap<String, String>,
) -> Result<Outcome, Unable> {
    fs::create_dir_all(out).map_err(|error| about(out, &error))?;
    for (name, text) in files {
        let path = out.join(name);
        let old = read(&path)?;
        let what = match &old {
            Some(old) if old == text => "unchanged",
            Some(_) => "updated",
            None => "created",
        };
        if old.as_ref() != Some(text) {
            fs::write(&path, text).map_err(|error| about(&path, &error))?;
        }
        writeln!(context.out, "{} {what}", path.display())?;
    }
    for path in left_over(out, files)? {
        let said = format!("{}: of no registered kind, left alone", path.display());
        writeln!(context.err, "{}: {said}", style::warning("warning"))?;
    }
    Ok(Outcome::Well)
}

fn check(
    context: &mut Context<'_>,
    out: &Path,
    files: &BTreeMap<String, String>,
) -> Result<Outcome, Unable> {
    let mut stale = 0;
    for (name, text) in files {
        let path = out.join(name);
        let shown = path.display().to_string();
        let old = read(&path)?;
        if old.as_ref() == Some(text) {
            continue;
        }
        let (from, old) = old.map_or(("/dev/null", String::new()), |old| (shown.as_str(), old));
        diff::write(context.out, (from, &old), (&format!("{shown} (registered)"), text))?;
        stale += 1;
    }
    for path in left_over(out, files)? {
        writeln!(context.out, "{}: of no registered kind", path.display())?;
        stale += 1;
    }
    if stale == 0 {
        writeln!(context.out, "{} up to date", count(files.len(), "manifest"))?;
        return Ok(Outcome::Well);
    }
    writeln!(
        context.err,
        "{}: {} stale: run `crds` again",
        style::bad("error"),
        count(stale, "manifest")
    )?;
    Ok(Outcome::Invalid)
}

/// CRD manifests in a directory that no registered kind would write, in the order of their names.
fn left_over(out: &Path, files: &BTreeMap<String, String>) -> Result<Vec<PathBuf>, Unable> {
    let mut paths = Vec::new();
    let entries = match fs::read_dir(out) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(paths),
        Err(error) => return Err(about(out, &error)),
    };
    let extension = files.keys().next().and_then(|name| Path::new(name).extension());
    for entry in entries {
        let path = entry.map_err(|error| about(out, &error))?.path();
        let named =
            path.file_name().and_then(OsStr::to_str).is_some_and(|name| files.contains_key(name));
        if named || path.extension() != extension {
            continue;
        }
        let is_crd = read(&path)?.is_some_and(|text| {
            yaml::documents(&text).flatten().any(|document| {
                document.value.get("kind").and_then(Value::as_str)
                    == Some("CustomResourceDefinition")
            })
        });
        if is_crd {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

/// A file's text; `None` where there is no file.
fn read(path: &Path) -> Result<Option<String>, Unable> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(about(path, &error)),
    }
}

fn about(path: &Path, error: &io::Error) -> Unable {
    Unable(format!("{}: {error}", path.display()))
}

/// `1 manifest`, `2 manifests`
fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

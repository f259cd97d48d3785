//! `docs`: the reference of kinds.
//!
//! A [`model::Reference`] is what is known of the kinds, and a template prints it. The formats are templates of
//! `templates/`, which own ones can replace or extend.

mod collect;
mod constraints;
mod example;
mod fields;
mod model;
mod readable;
mod render;
mod text;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use clap::{Args, ValueEnum};
use glob::Pattern;

use super::args::Files;
use super::manifests::{Entry, Target};
use super::objects::{self, Definitions};
use super::selection::Selection;
use super::{CommandError, CommandOutcome, Context};
use model::Reference;

/// Arguments of `docs`.
#[derive(Debug, Args)]
pub(super) struct DocsArgs {
    #[command(flatten)]
    files: Files,
    /// The format to write.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// The file to write to. Default: standard output.
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write nothing. Fail, with a diff, if the file is out of date.
    #[arg(long, requires = "out")]
    check: bool,
    /// The title of the page.
    #[arg(long, default_value = "API reference")]
    title: String,
    /// A directory with templates that replace those of the command with the same names. They can extend
    /// `builtin/NAME`.
    #[arg(long, value_name = "DIR")]
    template: Option<PathBuf>,
    /// Print the template of the format, to start your own from.
    #[arg(long)]
    print_template: bool,
    /// Leave out fields whose path matches, such as `status` or `spec.template.**`, and those below them. Repeatable.
    #[arg(long, value_name = "GLOB")]
    ignore_field: Vec<Pattern>,
    /// The number of levels of fields to write.
    #[arg(long, value_name = "N", default_value_t = crate::schema::MAX_SCHEMA_DEPTH)]
    depth: usize,
    /// Write no examples.
    #[arg(long)]
    no_examples: bool,
    #[command(flatten)]
    selection: Selection,
}

/// A format of the reference.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    #[default]
    Markdown,
    /// One file, which loads nothing else
    Html,
    Asciidoc,
    /// What templates get
    Json,
}

/// Writes the reference, or compares it with the file.
pub(super) fn run(
    context: &mut Context<'_>,
    args: &DocsArgs,
) -> Result<CommandOutcome, CommandError> {
    if args.print_template {
        context.out.write_all(render::builtin(args.format).as_bytes())?;
        return Ok(CommandOutcome::Valid);
    }
    let Definitions { crds, unreadable } = objects::definitions(context, &args.files, true)?;
    if !unreadable.is_empty() {
        return Ok(CommandOutcome::Unreadable);
    }
    let limits = fields::Limits { ignored: &args.ignore_field, depth: args.depth };
    let reference =
        Reference::of(&args.title, &args.selection.of(&crds)?, &limits, !args.no_examples)?;
    let text = render::text(&reference, args.format, &templates(args)?)?;
    let Some(out) = &args.out else {
        context.out.write_all(text.as_bytes())?;
        return Ok(CommandOutcome::Valid);
    };
    let Some(name) = out.file_name().and_then(|name| name.to_str()) else {
        return Err(CommandError(format!("{}: not a name of a file", out.display())));
    };
    let target = Target {
        directory: out.parent().unwrap_or(out),
        entries: &BTreeMap::from([(name.to_owned(), Entry::Text(text))]),
        command: "docs",
        label: "generated",
        what: "page",
        source: None,
    };
    target.run(context, args.check, false)
}

/// Reads the templates of the user, by name.
fn templates(args: &DocsArgs) -> Result<Vec<(String, String)>, CommandError> {
    let Some(directory) = &args.template else { return Ok(Vec::new()) };
    let mut templates = Vec::new();
    let about =
        |path: &Path, error: io::Error| CommandError(format!("{}: {error}", path.display()));
    for entry in fs::read_dir(directory).map_err(|error| about(directory, error))? {
        let path = entry.map_err(|error| about(directory, error))?.path();
        let name = path.file_name().and_then(|name| name.to_str());
        if let (Some(name), true) = (name, path.is_file()) {
            let text = fs::read_to_string(&path).map_err(|error| about(&path, error))?;
            templates.push((name.to_owned(), text));
        }
    }
    templates.sort();
    let wanted = render::name(args.format);
    if wanted.is_some_and(|wanted| !templates.iter().any(|(name, _)| name == wanted)) {
        let wanted = wanted.unwrap_or_default();
        let shown = directory.display();
        return Err(CommandError(format!(
            "{shown}: there is no `{wanted}`; `docs --print-template` prints one to start from"
        )));
    }
    Ok(templates)
}

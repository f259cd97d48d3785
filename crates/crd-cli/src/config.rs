//! `crd.toml`: the options of a project, so that nobody has to repeat them.
//!
//! The file is in the current directory or in the closest one above it. It has a table for each command, with the long
//! names of options as keys, and `paths` for its files. A command reads them as if they stood on the command line,
//! unless the command line has the same option or one that conflicts with it.

use std::any::TypeId;
use std::ffi::OsString;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use toml_edit::{Document, Item, TomlError, Value};

use super::location::line_of;
use super::{CommandError, cluster, git, workspace};

/// The name of the file.
const FILE: &str = "crd.toml";

/// The option that names another file.
const OPTION: &str = "config";

/// The files of a command, and the other option for them, which `kubectl` has.
const PATHS: [&str; 2] = ["paths", "filename"];

/// Arguments that are not keys: the standard ones, and what is an alias of `paths`.
const NO_KEYS: [&str; 4] = ["help", "version", OPTION, PATHS[1]];

/// The commands of features of this package. A program without them reads the same file as one with them.
const OF_FEATURES: [&str; 2] = ["attributes", "serve"];

/// Adds the option that names the file.
pub(super) fn with_option(grammar: Command) -> Command {
    let help = "The configuration file. Default: the closest `crd.toml`, from the current directory upwards";
    let option = Arg::new(OPTION).long(OPTION).value_name("FILE").help(help).global(true);
    grammar.arg(option.value_parser(value_parser!(PathBuf)))
}

/// The reason why arguments cannot be used.
pub(super) enum UsageError {
    /// They are wrong, or ask for the help.
    Arguments(clap::Error),
    /// The configuration file is wrong.
    File(CommandError),
}

impl From<clap::Error> for UsageError {
    fn from(error: clap::Error) -> Self {
        Self::Arguments(error)
    }
}

impl From<CommandError> for UsageError {
    fn from(error: CommandError) -> Self {
        Self::File(error)
    }
}

/// Parses arguments, completed by those of the configuration file. `programs` are all programs that read the file.
pub(super) fn parse(
    grammar: &mut Command,
    programs: &[Command],
    args: &[OsString],
) -> Result<ArgMatches, UsageError> {
    let given = grammar.try_get_matches_from_mut(args)?;
    let here = env::current_dir().map_err(CommandError::from)?;
    let file = given.get_one::<PathBuf>(OPTION).map(|file| here.join(file));
    let Some(file) = file.or_else(|| find(&here)) else { return Ok(given) };
    let config = Config::read(here, &file)?;
    config.check(programs)?;
    Ok(config.complete(grammar, args, given)?)
}

/// Returns the closest configuration file, from a directory upwards.
fn find(here: &Path) -> Option<PathBuf> {
    here.ancestors().map(|directory| directory.join(FILE)).find(|file| file.is_file())
}

/// A configuration file.
struct Config {
    /// The current directory.
    here: PathBuf,
    /// The directory of the file, at which its paths start.
    directory: PathBuf,
    /// Its path as shown.
    shown: PathBuf,
    text: String,
    document: Document<String>,
}

impl Config {
    fn read(here: PathBuf, file: &Path) -> Result<Self, CommandError> {
        let shown = workspace::relative_to(&here, file);
        let unreadable = |error: io::Error| CommandError(format!("{}: {error}", shown.display()));
        let text = fs::read_to_string(file).map_err(unreadable)?;
        let document = Document::parse(text.clone()).map_err(|error: TomlError| {
            at(&shown, &text, error.span(), error.message().trim_end())
        })?;
        let directory = file.parent().unwrap_or(&here).to_owned();
        Ok(Self { here, directory, shown, text, document })
    }

    /// Fails at a table or key that no command has.
    fn check(&self, programs: &[Command]) -> Result<(), CommandError> {
        for (name, item) in self.document.iter() {
            let at = |message: &str| self.at(self.document.key(name), message);
            let Some(table) = item.as_table_like() else {
                let message =
                    format!("`{name}` must be in the table of a command, such as `[validate]`");
                return Err(at(&message));
            };
            let command = programs.iter().find_map(|program| program.find_subcommand(name));
            let Some(command) = command else {
                if OF_FEATURES.contains(&name) {
                    continue;
                }
                return Err(at(&format!("there is no command `{name}`")));
            };
            if let Some((key, _)) = table.iter().find(|(key, _)| option(command, key).is_none()) {
                let keys: Vec<String> =
                    options(command).map(|(key, _)| format!("`{key}`")).collect();
                let keys = keys.join(", ");
                let message = format!("unknown key `{key}`; the keys of `{name}` are {keys}");
                return Err(self.at(table.key(key), &message));
            }
        }
        Ok(())
    }

    /// Parses the arguments together with the keys of their command.
    fn complete(
        &self,
        grammar: &mut Command,
        args: &[OsString],
        given: ArgMatches,
    ) -> Result<ArgMatches, CommandError> {
        let Some((name, values)) = given.subcommand() else { return Ok(given) };
        let table = self.document.get(name).and_then(Item::as_table_like);
        let (Some(table), Some(command)) = (table, grammar.find_subcommand(name).cloned()) else {
            return Ok(given);
        };
        // What follows `--` are files.
        let end = args.iter().position(|arg| arg == "--").unwrap_or(args.len());
        let (options, files) = args.split_at(end);
        let mut options = options.to_vec();
        let mut matches = given.clone();
        for (key, item) in table.iter() {
            let Some(arg) = option(&command, key) else { continue };
            let at = |message: &str| self.at(table.key(key), message);
            let words = self.words(key, arg, item).map_err(|message| at(&message))?;
            if is_given(&command, values, arg) {
                continue;
            }
            options.extend(words);
            // Each key is parsed by itself, so that an error is at its line.
            let parsed = grammar.try_get_matches_from_mut(options.iter().chain(files));
            matches = parsed.map_err(|error| at(&reason(&error)))?;
        }
        Ok(matches)
    }

    /// Returns a key and its value as words of a command line.
    fn words(&self, key: &str, arg: &Arg, item: &Item) -> Result<Vec<OsString>, String> {
        let long = arg.get_long().map(|long| format!("--{long}"));
        if let (ArgAction::SetTrue, Some(long)) = (arg.get_action(), &long) {
            let is_set = item.as_bool().ok_or(format!("`{key}` must be `true` or `false`"))?;
            return Ok(if is_set { vec![long.into()] } else { Vec::new() });
        }
        let is_list = matches!(arg.get_action(), ArgAction::Append);
        let values: Vec<&Value> = match item.as_value() {
            Some(Value::Array(values)) if is_list => values.iter().collect(),
            value => value.into_iter().collect(),
        };
        let is_path = arg.get_value_parser().type_id() == TypeId::of::<PathBuf>();
        let words = values.into_iter().map(|value| {
            let value = match value {
                Value::String(value) if is_path => self.path(value.value()).into_os_string(),
                Value::String(value) => value.value().into(),
                Value::Integer(value) => value.value().to_string().into(),
                _ => return None,
            };
            let mut word =
                OsString::from(long.as_ref().map_or_else(String::new, |long| format!("{long}=")));
            word.push(value);
            Some(word)
        });
        let words: Option<Vec<OsString>> = words.collect();
        let of = if is_list { "a string or a list of strings" } else { "a string" };
        words.filter(|_| item.is_value()).ok_or(format!("`{key}` must be {of}"))
    }

    /// Returns a path of the file relative to the current directory.
    fn path(&self, path: &str) -> PathBuf {
        let is_no_path = path == "-" || git::is_commit(path) || cluster::context(path).is_some();
        if is_no_path || self.directory == self.here {
            return path.into();
        }
        workspace::relative_to(&self.here, &self.directory.join(path))
    }

    fn at(&self, key: Option<&toml_edit::Key>, message: &str) -> CommandError {
        at(&self.shown, &self.text, key.and_then(toml_edit::Key::span), message)
    }
}

/// Returns an error at its line.
fn at(file: &Path, text: &str, span: Option<Range<usize>>, message: &str) -> CommandError {
    let line = line_of(text, span.map_or(0, |span| span.start));
    CommandError(format!("{}:{line}: {message}", file.display()))
}

/// Returns the keys of a command.
fn options(command: &Command) -> impl Iterator<Item = (&str, &Arg)> {
    let args = command.get_arguments().filter(|arg| {
        !arg.is_required_set() && !arg.is_hide_set() && !NO_KEYS.contains(&arg.get_id().as_str())
    });
    args.map(|arg| (arg.get_long().unwrap_or(arg.get_id().as_str()), arg))
}

fn option<'c>(command: &'c Command, key: &str) -> Option<&'c Arg> {
    options(command).find(|(name, _)| *name == key).map(|(_, arg)| arg)
}

/// Returns whether the command line has an option, or one that conflicts with it.
fn is_given(command: &Command, given: &ArgMatches, arg: &Arg) -> bool {
    let conflicts = |a: &Arg, b: &Arg| {
        let ids = [a, b].map(|arg| arg.get_id().as_str());
        ids == PATHS
            || command.get_arg_conflicts_with(a).iter().any(|found| found.get_id() == b.get_id())
    };
    command.get_arguments().any(|other| {
        given.value_source(other.get_id().as_str()) == Some(ValueSource::CommandLine)
            && (other.get_id() == arg.get_id() || conflicts(arg, other) || conflicts(other, arg))
    })
}

/// Returns the first paragraph of an error, which is the error without the usage.
fn reason(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    text.split("\n\n").next().unwrap_or(text).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closest_file_is_found_and_its_paths_start_there() -> Result<(), CommandError> {
        let directory = tempfile::tempdir()?;
        let top = directory.path().to_owned();
        let deep = top.join("a/b");
        fs::create_dir_all(&deep)?;
        assert_eq!(find(&deep), top.parent().and_then(find));
        fs::write(top.join(FILE), "[check]\n")?;
        assert_eq!(find(&deep), Some(top.join(FILE)));
        let config = Config::read(deep.clone(), &top.join(FILE))?;
        assert_eq!(config.shown, Path::new("../../crd.toml"));
        let paths = ["crds", "a/b/crds", "-", "/crds", "git:main"].map(|path| config.path(path));
        assert_eq!(paths, ["../../crds", "crds", "-", "/crds", "git:main"].map(PathBuf::from));
        let config = Config::read(top.clone(), &top.join(FILE))?;
        assert_eq!(config.path("."), Path::new("."));
        fs::write(top.join("a").join(FILE), "")?;
        assert_eq!(find(&deep), Some(top.join("a").join(FILE)));
        Ok(())
    }
}

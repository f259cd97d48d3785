//! `cargo dev yaml [--texts N] [--seed S] [--show N] [FILE|DIR..]`: compares what is read in YAML with go-yaml.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crd_tests::{go, yaml};

use crate::oracle::complain;

/// The arguments. By default, 100,000 texts of seed 1 of each kind, and three differences are shown.
struct Options {
    texts: usize,
    seed: u64,
    show: usize,
    paths: Vec<PathBuf>,
}

/// Compares the recorded cases, the documents of the files, and generated texts: strung together, and changes of the
/// files.
pub(crate) fn main(args: impl Iterator<Item = String>) -> ExitCode {
    let options = match parse(args) {
        Ok(options) => options,
        Err(message) => {
            complain(&format!("cargo dev yaml: {message}"));
            return ExitCode::from(super::EXIT_USAGE);
        }
    };
    match run(&options) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(message) => {
            complain(&message);
            ExitCode::FAILURE
        }
    }
}

fn parse(mut args: impl Iterator<Item = String>) -> Result<Options, String> {
    let mut options = Options { texts: 100_000, seed: 1, show: 3, paths: Vec::new() };
    while let Some(arg) = args.next() {
        if !arg.starts_with('-') {
            options.paths.push(PathBuf::from(arg));
            continue;
        }
        let value = args.next().ok_or_else(|| format!("`{arg}` takes a number"))?;
        let number: u64 = value.parse().map_err(|_| format!("`{arg} {value}`: not a number"))?;
        let small = usize::try_from(number).unwrap_or(usize::MAX);
        match arg.as_str() {
            "--texts" => options.texts = small,
            "--seed" => options.seed = number,
            "--show" => options.show = small,
            _ => return Err(format!("unknown flag `{arg}`; known are --texts, --seed, --show")),
        }
    }
    Ok(options)
}

/// Returns the number of differences.
fn run(options: &Options) -> Result<usize, String> {
    let program = go::build("yaml")?;
    let mut files = Vec::new();
    for path in &options.paths {
        read(path, &mut files).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    let recorded = yaml::recorded().into_iter().map(|(text, _)| text).collect();
    let documents = files.iter().flat_map(|file| documents(file)).collect();
    let Options { texts, seed, show, .. } = *options;
    let mut differences = 0;
    for (name, texts) in [
        ("recorded", recorded),
        ("of files", documents),
        ("generated", yaml::generated(texts, seed)),
        ("changed", yaml::changed(texts, seed, &files)),
    ] {
        let answers = yaml::ask(&program, &texts).map_err(|error| error.to_string())?;
        let found = texts.iter().zip(&answers).filter_map(|(text, answer)| {
            let found = answer.difference(text)?;
            Some(format!("{found}\n  {:?}", String::from_utf8_lossy(text)))
        });
        let found: Vec<String> = found.collect();
        let out = &mut io::stdout();
        for difference in found.iter().take(show) {
            let _ = writeln!(out, "{difference}");
        }
        let _ = writeln!(out, "{} texts {name}: {} differ", texts.len(), found.len());
        differences += found.len();
    }
    Ok(differences)
}

/// Reads a file, or the YAML files in a directory.
fn read(path: &Path, files: &mut Vec<Vec<u8>>) -> io::Result<()> {
    if !path.is_dir() {
        files.push(fs::read(path)?);
        return Ok(());
    }
    let mut entries: Vec<_> =
        fs::read_dir(path)?.map(|entry| entry.map(|it| it.path())).collect::<Result<_, _>>()?;
    entries.sort();
    for entry in entries {
        let is_yaml = entry.extension().is_some_and(|ending| ending == "yaml" || ending == "yml");
        if !entry.is_symlink() && (entry.is_dir() || is_yaml) {
            read(&entry, files)?;
        }
    }
    Ok(())
}

/// Splits a file at its separators.
fn documents(file: &[u8]) -> Vec<Vec<u8>> {
    let mut documents = vec![Vec::new()];
    for line in file.split_inclusive(|byte| *byte == b'\n') {
        match documents.last_mut() {
            Some(last) if !line.starts_with(b"---") => last.extend_from_slice(line),
            _ => documents.push(Vec::new()),
        }
    }
    documents
}

//! `cargo dev yaml`: compares what is read in YAML with go-yaml.

use std::path::{Path, PathBuf};
use std::{fs, io};

use crd_tests::{go, yaml};

use crate::{Outcome, say};

/// Compare what is read in recorded, generated and given YAML with go-yaml (needs Go).
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// How many texts are strung together, and how many are changes of the files.
    #[arg(long, default_value_t = 100_000)]
    texts: usize,
    /// The seed; the same seed gives the same texts.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The largest number of differences to show of each kind of text.
    #[arg(long, default_value_t = 3)]
    show: usize,
    /// Files, and directories of YAML files.
    paths: Vec<PathBuf>,
}

/// Compares the recorded cases, the documents of the files, and generated texts.
pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let program = go::build("yaml")?;
    let mut files = Vec::new();
    for path in &arguments.paths {
        read(path, &mut files).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    let recorded = yaml::recorded().into_iter().map(|(text, _)| text).collect();
    let documents = files.iter().flat_map(|file| documents(file)).collect();
    let Arguments { texts, seed, show, .. } = *arguments;
    let mut all_agree = true;
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
        found.iter().take(show).for_each(|difference| say(difference));
        say(&format!("{} texts {name}: {} differ", texts.len(), found.len()));
        all_agree &= found.is_empty();
    }
    Ok(all_agree)
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

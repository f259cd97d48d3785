//! Imports definitions as Rust types, compiles these, and compares what they derive and what they read and write.

mod round_trips;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

use crd_cli::import::{Directory, Proof, Readable};
use crd_runtime::yaml;
use serde_json::Value;

use crate::rustc::{Rustc, lines_of_json};

pub use crd_cli::import::Purpose;
pub use round_trips::Changes;

/// A definition to import, with the name of its file.
#[derive(Debug, Clone)]
pub struct Subject {
    /// The file.
    pub file: String,
    /// The CRD.
    pub definition: Value,
}

/// Reads the definitions in the YAML and JSON files of a directory and of those in it, in the order of their paths. A
/// document that is not YAML is a failure in the report.
///
/// # Errors
/// If a directory or file cannot be read.
pub fn subjects(directory: &Path, report: &mut Report) -> io::Result<Vec<Subject>> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(directory)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    paths.sort();
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            found.extend(subjects(&path, report)?);
        }
        let extension = path.extension().and_then(|extension| extension.to_str());
        if !matches!(extension, Some("yaml" | "yml" | "json")) {
            continue;
        }
        let file = path.display().to_string();
        for document in yaml::documents(&fs::read_to_string(&path)?) {
            match document {
                Ok(it) if it.value["kind"] == "CustomResourceDefinition" => {
                    found.push(Subject { file: file.clone(), definition: it.value });
                }
                Ok(_) => {}
                Err(error) => report.failed.push((file.clone(), error.to_string())),
            }
        }
    }
    Ok(found)
}

/// What happened to some definitions.
#[derive(Debug, Default)]
pub struct Report {
    /// Definitions whose types derive an equal one.
    pub equal: usize,
    /// Definitions that are not read or imported, or whose types do not compile, with the first error.
    pub failed: Vec<(String, String)>,
    /// Definitions whose types derive another one, with each difference.
    pub different: Vec<(String, String)>,
    /// Lines of Rust.
    pub lines: usize,
    /// Types that several definitions have.
    pub shared_types: usize,
    /// Versions whose objects were generated.
    pub versions: usize,
    /// The objects that went through the types.
    pub objects: Changes,
}

impl Report {
    /// Adds the results for further definitions.
    pub fn add(&mut self, other: Self) {
        self.equal += other.equal;
        self.failed.extend(other.failed);
        self.different.extend(other.different);
        self.lines += other.lines;
        self.shared_types += other.shared_types;
        self.versions += other.versions;
        self.objects.add(other.objects);
    }

    /// Adds what a program with the types of some definitions does.
    fn compare(
        &mut self,
        subjects: &[&Subject],
        types: &Directory,
        objects: u64,
        program: &Path,
    ) -> io::Result<()> {
        let output = std::process::Command::new(program).output()?;
        let derived = String::from_utf8_lossy(&output.stdout);
        let found =
            proof(subjects, types, objects).differences(&derived).map_err(io::Error::other)?;
        let mut versions = BTreeSet::new();
        for line in lines_of_json(&output.stdout) {
            versions.insert((line[0].as_u64(), line[1].as_str().map(str::to_owned)));
        }
        for (index, (subject, found)) in subjects.iter().zip(found).enumerate() {
            if !versions.iter().any(|(it, _)| *it == Some(index as u64)) {
                self.failed.push((subject.file.clone(), "no type".to_owned()));
            } else if found.is_empty() {
                self.equal += 1;
            }
            let lines = found.into_iter().map(|it| format!("{}: {}", it.path, it.text));
            self.different.extend(lines.map(|line| (subject.file.clone(), line)));
        }
        if objects > 0 {
            let has_type = |index: usize, version: &str| {
                versions.contains(&(Some(index as u64), Some(version.to_owned())))
            };
            (self.versions, self.objects) =
                round_trips::check(subjects, objects, program, has_type)?;
        }
        Ok(())
    }

    /// Renders the counts, and up to `show` cases of each kind.
    #[must_use]
    pub fn render(&self, show: usize) -> String {
        let names: BTreeSet<_> = self.different.iter().map(|(name, _)| name).collect();
        let mut text = format!(
            "{} definitions derive back equal, {} with differences, {} fail; {} lines of Rust\n",
            self.equal,
            names.len(),
            self.failed.len(),
            self.lines
        );
        if self.shared_types > 0 {
            let _ = writeln!(text, "{} types are shared by several definitions", self.shared_types);
        }
        for (name, error) in &self.failed {
            let _ = writeln!(text, "fails: {name}: {error}");
        }
        for (name, difference) in &self.different {
            let _ = writeln!(text, "differs: {name}: {difference}");
        }
        if self.versions > 0 {
            text += &self.objects.render(self.versions, show);
        }
        text
    }
}

/// Where the types of several definitions are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sharing {
    /// Each definition has its own types.
    Apart,
    /// Types that several definitions have are in one module.
    Shared,
}

impl Sharing {
    fn import(self, definitions: &[Readable], purpose: Purpose) -> Directory {
        match self {
            Self::Apart => Directory::apart(definitions, purpose),
            Self::Shared => Directory::new(definitions, purpose),
        }
    }
}

/// How definitions are imported and checked.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// What the types are for. Types for clients derive no definition to compare.
    pub purpose: Purpose,
    /// Where they are.
    pub sharing: Sharing,
    /// How many objects are generated for each version.
    pub objects: u64,
}

/// Imports the definitions, compiles their types as one program in `directory`, and compares.
///
/// # Errors
/// If files cannot be written, or the program fails.
pub fn check(
    subjects: &[Subject],
    options: Options,
    directory: &Path,
    rustc: &Rustc,
) -> io::Result<Report> {
    let Options { purpose, sharing, objects } = options;
    let mut report = Report::default();
    let (mut kept, mut read): (Vec<&Subject>, Vec<Readable>) = (Vec::new(), Vec::new());
    for subject in subjects {
        match Readable::new(&subject.definition) {
            Ok(readable) => {
                kept.push(subject);
                read.push(readable);
            }
            Err(error) => report.failed.push((subject.file.clone(), error)),
        }
    }
    // What does not compile is reported and left out.
    let (types, program) = loop {
        let types = sharing.import(&read, purpose);
        let files = proof(&kept, &types, objects).files();
        let mut errors = match compile(&files, directory, rustc)? {
            Ok(program) => {
                report.lines = files.iter().map(|(_, text)| text.lines().count()).sum();
                report.failed.extend(too_wide(&files));
                report.shared_types = types.shared_types();
                break (types, program);
            }
            Err(errors) => errors,
        };
        let (mut kept_on, mut read_on) = (Vec::new(), Vec::new());
        for (index, (subject, readable)) in kept.iter().zip(read).enumerate() {
            if let Some(error) = errors.remove(&index) {
                report.failed.push((subject.file.clone(), error));
            } else {
                kept_on.push(*subject);
                read_on.push(readable);
            }
        }
        if kept_on.len() == kept.len() {
            let all: Vec<_> = errors.into_values().collect();
            return Err(io::Error::other(all.join("\n")));
        }
        (kept, read) = (kept_on, read_on);
    };
    report.compare(&kept, &types, objects, &program)?;
    Ok(report)
}

/// Compares what the types of another generator derive, read and write with the definitions. They are in a program that
/// prints and answers what the one of a [`Proof`] does, with the definitions in the order of [`subjects`]. A definition of
/// which it prints no version has failed.
///
/// # Errors
/// If the program cannot be run, or prints something else.
pub fn check_program(subjects: &[Subject], objects: u64, program: &Path) -> io::Result<Report> {
    let read = subjects.iter().map(|subject| Readable::new(&subject.definition));
    let read: Vec<_> = read.collect::<Result<_, _>>().map_err(io::Error::other)?;
    let mut report = Report::default();
    let subjects: Vec<_> = subjects.iter().collect();
    report.compare(
        &subjects,
        &Sharing::Apart.import(&read, Purpose::Definition),
        objects,
        program,
    )?;
    Ok(report)
}

fn proof<'a>(subjects: &[&'a Subject], types: &'a Directory, objects: u64) -> Proof<'a> {
    let proof = Proof::new(subjects.iter().map(|subject| &subject.definition), types);
    if objects > 0 { proof.with_round_trips() } else { proof }
}

/// Returns the lines that are wider than 100 columns, apart from those with a word that does not fit, with their files.
fn too_wide(files: &[(PathBuf, String)]) -> Vec<(String, String)> {
    let fits = |line: &&str| line.chars().count() <= 100 || line.split(' ').any(|it| it.len() > 80);
    let wide = files.iter().flat_map(|(path, text)| {
        let lines = text.lines().filter(move |line| !fits(line));
        lines.map(|line| (path.display().to_string(), format!("wider than 100 columns: {line}")))
    });
    wide.filter(|(path, _)| path != "main.rs").collect()
}

/// Compiles the program, and returns its path, or the first error in the types of each definition, by its index. Warnings
/// are errors, also those of Clippy, with its pedantic lints.
fn compile(
    files: &[(PathBuf, String)],
    directory: &Path,
    rustc: &Rustc,
) -> io::Result<Result<PathBuf, BTreeMap<usize, String>>> {
    if directory.exists() {
        fs::remove_dir_all(directory)?;
    }
    for (path, text) in files {
        let path = directory.join(path);
        fs::create_dir_all(path.parent().unwrap_or(directory))?;
        fs::write(path, text)?;
    }
    let output = rustc.clippy(directory, &["main.rs", "-Dwarnings", "-Wclippy::pedantic"]);
    if output.status.success() {
        return Ok(Ok(directory.join("main")));
    }
    let mut errors = BTreeMap::new();
    for message in lines_of_json(&output.stderr) {
        if message["level"] != "error" {
            continue;
        }
        let text = message["rendered"].as_str().unwrap_or_default().trim_end().to_owned();
        let spans = message["spans"].as_array().into_iter().flatten();
        let mut files = spans.filter_map(|span| span["file_name"].as_str());
        let index = files.find_map(|file| {
            let module = file.strip_prefix('m')?;
            let digits = module.bytes().take_while(u8::is_ascii_digit).count();
            module.get(..digits)?.parse().ok()
        });
        errors.entry(index.unwrap_or(usize::MAX)).or_insert(text);
    }
    Ok(Err(errors))
}

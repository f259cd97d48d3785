//! `import --prove`: compiles the types, and compares what they derive with the definitions they come from.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use super::compare::{self, Difference};
use super::{Directory, Imported, Purpose};
use crate::CommandError;

/// A program that prints what the types of some definitions derive. It prints `null` for types that derive nothing.
#[derive(Debug)]
pub struct Proof<'a> {
    subjects: Vec<(&'a Value, &'a Imported)>,
    /// The module of the types that they share, with its text.
    shared: Option<&'a (String, String)>,
    purpose: Purpose,
    has_round_trips: bool,
}

/// The functions of the program that read objects and write them again.
const ROUND_TRIPS: &str = r#"
fn round_trips() {
    for line in std::io::stdin().lines() {
        let line = line.expect("a line");
        let (index, version, object): (usize, String, serde_json::Value) =
            serde_json::from_str(&line).expect("a request");
        println!("{}", answer(index, &version, object));
    }
}

#[allow(clippy::pedantic)]
fn answer(index: usize, version: &str, object: serde_json::Value) -> serde_json::Value {
    match (index, version) {
        // arms
        _ => serde_json::json!({"error": "no such type"}),
    }
}

fn round_trip<T: serde::de::DeserializeOwned + serde::Serialize>(
    object: serde_json::Value,
) -> serde_json::Value {
    let read = serde_json::from_value::<T>(object);
    match read.and_then(serde_json::to_value) {
        Ok(value) => serde_json::json!({"value": value}),
        Err(error) => serde_json::json!({"error": error.to_string()}),
    }
}
"#;

impl<'a> Proof<'a> {
    /// Starts with definitions and the types that were imported from them.
    pub fn new(definitions: impl IntoIterator<Item = &'a Value>, types: &'a Directory) -> Self {
        let subjects = definitions.into_iter().zip(&types.kinds).collect();
        let (shared, purpose) = (types.shared.as_ref(), types.purpose);
        Self { subjects, shared, purpose, has_round_trips: false }
    }

    /// Makes the program also read objects and write them again, if it has any argument. Each line of its standard input
    /// is `[index of the definition, version, object]`. For each it prints `{"value": ..}` with what the type writes, or
    /// `{"error": ".."}`.
    #[must_use]
    pub fn with_round_trips(self) -> Self {
        Self { has_round_trips: true, ..self }
    }

    /// Returns the files of the program, by their paths below its `src`. It depends on `crd-runtime`, `k8s-openapi`,
    /// `serde` and `serde_json`.
    #[must_use]
    pub fn files(&self) -> Vec<(PathBuf, String)> {
        let mut files = Vec::new();
        let (mut modules, mut calls, mut arms) = (String::new(), String::new(), String::new());
        for (index, (_, imported)) in self.subjects.iter().enumerate() {
            let module = format!("m{index}");
            let main = PathBuf::from(format!("{module}.rs"));
            let _ = writeln!(modules, "mod {module};");
            for (version, path) in imported.types(&module) {
                let derived = match self.purpose {
                    Purpose::Definition => format!("{path}::crd()"),
                    Purpose::Client => "null".to_owned(),
                };
                let _ = writeln!(
                    calls,
                    "    println!(\"{{}}\", serde_json::json!([{index}, {version:?}, {derived}]));"
                );
                let _ = writeln!(
                    arms,
                    "        ({index}, {version:?}) => round_trip::<{path}>(object),"
                );
            }
            files.extend(imported.files(&main));
        }
        let (first, functions) = if self.has_round_trips {
            let functions = ROUND_TRIPS.replace("        // arms\n", &arms);
            (
                "    if std::env::args().len() > 1 {\n        return round_trips();\n    }\n",
                functions,
            )
        } else {
            ("", String::new())
        };
        if let Some((module, text)) = self.shared {
            let _ = writeln!(modules, "mod {module};");
            files.push((PathBuf::from(format!("{module}.rs")), text.clone()));
        }
        let derive = match self.purpose {
            Purpose::Definition => "use crd_runtime::CustomResource as _;\n\n",
            Purpose::Client => "",
        };
        let main = format!(
            "#![allow(dead_code)]\n\n{derive}{modules}\n#[allow(clippy::pedantic)]\nfn main() {{\n{first}{calls}}}\n{functions}"
        );
        files.push((PathBuf::from("main.rs"), main));
        files
    }

    /// Compares what the program has printed with the definitions. The result has the differences of each.
    ///
    /// # Errors
    /// If a line is not what the program prints.
    pub fn differences(&self, output: &str) -> Result<Vec<Vec<Difference>>, String> {
        let mut found = vec![Vec::new(); self.subjects.len()];
        for line in output.lines() {
            let (index, version, derived): (usize, String, Value) = serde_json::from_str(line)
                .map_err(|error| format!("the compiled types print `{line}`: {error}"))?;
            let (definition, _) = self.subjects.get(index).ok_or_else(|| line.to_owned())?;
            if self.purpose == Purpose::Definition {
                found[index].extend(compare::differences(definition, &derived, &version));
            }
        }
        Ok(found)
    }
}

/// Compiles and runs the program with cargo.
///
/// # Errors
/// If a directory cannot be written, or if cargo reports an error; the message is cargo's.
pub(super) fn run(
    proof: &Proof<'_>,
    crd_runtime: Option<&Path>,
) -> Result<Vec<Vec<Difference>>, CommandError> {
    let directory = Temporary::new()?;
    let root = &directory.0;
    let sources = proof.files().into_iter().map(|(path, text)| (root.join("src").join(path), text));
    let manifest = (root.join("Cargo.toml"), manifest(crd_runtime));
    for (path, text) in sources.chain([manifest]) {
        let parent = path.parent().map_or(Ok(()), std::fs::create_dir_all);
        parent
            .and_then(|()| std::fs::write(&path, text))
            .map_err(|error| CommandError(format!("{}: {error}", path.display())))?;
    }
    proof.differences(&cargo(root)?).map_err(CommandError)
}

fn manifest(crd_runtime: Option<&Path>) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let dependency = crd_runtime.map_or_else(
        || format!("version = \"={version}\""),
        |path| format!("path = {:?}", path.display().to_string()),
    );
    format!(
        "[package]\nname = \"crd-import-proof\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n\
         crd-runtime = {{ {dependency}, default-features = false }}\n\
         k8s-openapi = {{ version = \"0.29\", features = [\"latest\"] }}\n\
         serde = {{ version = \"1\", features = [\"derive\"] }}\nserde_json = \"1\"\n\n[workspace]\n"
    )
}

/// Runs the program, and returns what it prints.
fn cargo(directory: &Path) -> Result<String, CommandError> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["run", "--quiet"])
        .current_dir(directory)
        .stderr(Stdio::piped())
        .output()
        .map_err(|error| CommandError(format!("cargo cannot be started: {error}")))?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        return Err(CommandError(format!("the types do not compile:\n{}", errors.trim_end())));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// A temporary directory, which is removed in the end.
struct Temporary(PathBuf);

impl Temporary {
    fn new() -> Result<Self, CommandError> {
        let path = std::env::temp_dir().join(format!("crd-import-{}", std::process::id()));
        std::fs::create_dir_all(&path)
            .map_err(|error| CommandError(format!("{}: {error}", path.display())))?;
        Ok(Self(path))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // What cannot be removed stays where temporary files are.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

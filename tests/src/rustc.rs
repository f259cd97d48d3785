//! Runs rustc on a single file with the dependencies of a test.
//!
//! The dependencies are those that cargo has built for the running test, so that they are not built twice.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// The crates that a file may name.
const CRATES: [&str; 7] =
    ["crd_runtime", "fastrand", "k8s_openapi", "kube", "schemars", "serde", "serde_json"];

/// rustc with the dependencies of a test.
#[derive(Debug)]
pub struct Rustc {
    /// `name=path` of each crate that a file may name.
    externs: Vec<String>,
    /// The directory with the files of all dependencies, direct and indirect.
    deps: PathBuf,
    /// The names of the targets that cargo has compiled, because they were missing or out of date.
    pub compiled: Vec<String>,
}

impl Rustc {
    /// Finds the dependencies of the test of this name with cargo, which builds those that are missing in the target
    /// directory of the running program.
    ///
    /// # Panics
    /// If cargo does not run, or if it has built a crate more than once for the test.
    #[must_use]
    pub fn of_test(test: &str) -> Self {
        let (target, profile) = target_directory_and_profile();
        let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo
            .args(["test", "--quiet", "--no-run", "--message-format=json"])
            .args(["--package", env!("CARGO_PKG_NAME"), "--test", test, "--target-dir"])
            .arg(target)
            .current_dir(env!("CARGO_MANIFEST_DIR"));
        // Cargo sets these for the running test. A build script that depends on one of them would run again, and all
        // crates above its own would be compiled again, here and by the next cargo in a shell.
        for (name, _) in env::vars_os() {
            let set_for_the_test =
                ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_CRATE_NAME", "CARGO_BIN_", "OUT_DIR"];
            if set_for_the_test.iter().any(|start| name.to_string_lossy().starts_with(start)) {
                cargo.env_remove(name);
            }
        }
        if let Some(profile) = profile {
            cargo.args(["--profile", &profile]);
        }
        let output = cargo.output().expect("cargo runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let built = lines_of_json(&output.stdout);
        let compiled = built.iter().filter(|it| it["fresh"] == false);
        let compiled = compiled.filter_map(|it| it["target"]["name"].as_str()).map(str::to_owned);
        let compiled = compiled.collect();
        let rlibs = CRATES.map(|name| {
            let of_the_crate = built.iter().filter(|it| it["target"]["name"] == name);
            let files =
                of_the_crate.flat_map(|it| it["filenames"].as_array().into_iter().flatten());
            let paths = files.filter_map(Value::as_str).map(Path::new);
            let rlibs: Vec<_> =
                paths.filter(|path| path.extension().is_some_and(|it| it == "rlib")).collect();
            let [rlib] = rlibs[..] else { panic!("cargo built {name} as {rlibs:?}, not once") };
            (name, rlib.to_owned())
        });
        let deps = rlibs[0].1.parent().expect("a file is in a directory").to_owned();
        let externs = rlibs.map(|(name, rlib)| format!("{name}={}", rlib.display())).to_vec();
        Self { externs, deps, compiled }
    }

    /// Runs rustc with the dependencies and `args` in `directory`.
    ///
    /// # Panics
    /// If rustc does not run.
    #[must_use]
    pub fn run(&self, directory: &Path, args: &[&str]) -> Output {
        self.run_in("2024", directory, args)
    }

    /// As [`run`](Self::run), for an edition of Rust.
    ///
    /// # Panics
    /// If rustc does not run.
    #[must_use]
    pub fn run_in(&self, edition: &str, directory: &Path, args: &[&str]) -> Output {
        let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        self.output(Command::new(rustc), edition, directory, args)
    }

    /// As [`run`](Self::run), with the lints of Clippy.
    ///
    /// # Panics
    /// If Clippy does not run.
    #[must_use]
    pub fn clippy(&self, directory: &Path, args: &[&str]) -> Output {
        self.output(Command::new("clippy-driver"), "2024", directory, args)
    }

    fn output(&self, mut rustc: Command, edition: &str, directory: &Path, args: &[&str]) -> Output {
        rustc.args(["--edition", edition, "--error-format=json", "-Adead_code"]);
        rustc.arg("-L").arg(&self.deps);
        for dependency in &self.externs {
            rustc.args(["--extern", dependency]);
        }
        rustc.args(args).current_dir(directory).output().expect("rustc runs")
    }
}

/// Returns the target directory of the running program, and its profile if that is not `dev`. A program is
/// `<target directory>/<directory of the profile>/<name>`; a test is in `deps` there.
fn target_directory_and_profile() -> (PathBuf, Option<String>) {
    let program = env::current_exe().expect("the program has a path");
    let mut above = program.ancestors().skip(1).skip_while(|directory| directory.ends_with("deps"));
    let profile = above.next().expect("a directory of the profile");
    let name = profile.file_name().and_then(|name| name.to_str()).expect("the profile's name");
    let target = profile.parent().expect("a target directory");
    (target.to_owned(), (name != "debug").then(|| name.to_owned()))
}

/// Parses the messages that cargo and rustc write as JSON, one per line. Ignores other lines.
#[must_use]
pub fn lines_of_json(output: &[u8]) -> Vec<Value> {
    let lines = output.split(|byte| *byte == b'\n');
    lines.filter_map(|line| serde_json::from_slice(line).ok()).collect()
}

//! The command line: a user's whole `xtask`, and the `crd` command.
//!
//! ```no_run
//! # #[cfg(feature = "derive")]
//! fn main() -> std::process::ExitCode {
//!     crd_runtime::cli::Registry::new() /* .crd::<CronTab>() */ .run()
//! }
//! # #[cfg(not(feature = "derive"))]
//! # fn main() {}
//! ```
//!
//! Exit status: 0 when all is well, 1 when something is invalid, 2 when the call makes no sense.

mod args;
mod crds;
mod descriptions;
mod diff;
mod style;

use std::ffi::OsString;
use std::io::{self, IsTerminal as _, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser as _;
use serde::Serialize;
use serde_json::Value;

use args::{Cli, Command};

/// Where manifests go when neither the call nor the registry says.
const DEFAULT_OUT: &str = "crds";

/// Exit status when something is invalid.
const EXIT_INVALID: u8 = 1;
/// Exit status when the call makes no sense.
const EXIT_USAGE: u8 = 2;

/// The kinds of a project, and the commands over them.
#[derive(Debug, Clone)]
pub struct Registry {
    /// Each manifest as JSON, or why there is none.
    crds: Vec<Result<Value, String>>,
    out: PathBuf,
}

/// What a command works with.
struct Context<'a> {
    registry: &'a Registry,
    out: &'a mut dyn Write,
    err: &'a mut dyn Write,
    /// Whether someone watches the error stream.
    watched: bool,
}

/// How a command ends.
enum Outcome {
    /// All is well.
    Well,
    /// Something is invalid, and it has been said.
    Invalid,
}

/// Why a command cannot do what it is asked.
#[derive(Debug)]
struct Unable(String);

impl From<io::Error> for Unable {
    fn from(error: io::Error) -> Self {
        Self(error.to_string())
    }
}

impl Default for Registry {
    fn default() -> Self {
        Self::new()
    }
}

impl Registry {
    /// A registry without kinds: files name them all.
    pub fn new() -> Self {
        Self { crds: Vec::new(), out: PathBuf::from(DEFAULT_OUT) }
    }

    /// Adds a CRD by its manifest, of this crate's model or of k8s-openapi's.
    #[must_use]
    pub fn manifest(mut self, crd: &impl Serialize) -> Self {
        self.crds.push(serde_json::to_value(crd).map_err(|error| error.to_string()));
        self
    }

    /// Where `crds` writes when the call does not say; `crds` by default.
    #[must_use]
    pub fn out(mut self, dir: impl Into<PathBuf>) -> Self {
        self.out = dir.into();
        self
    }

    /// Does what the process was called for.
    pub fn run(&self) -> ExitCode {
        self.run_with(std::env::args_os())
    }

    /// Does what a command line says; its first item is the program's name.
    pub fn run_with(&self, args: impl IntoIterator<Item = OsString>) -> ExitCode {
        let watched = io::stderr().is_terminal();
        ExitCode::from(self.execute(
            args,
            &mut anstream::stdout(),
            &mut anstream::stderr(),
            watched,
        ))
    }

    /// As [`Registry::run_with`], with the streams given: the exit status.
    fn execute(
        &self,
        args: impl IntoIterator<Item = OsString>,
        out: &mut dyn Write,
        err: &mut dyn Write,
        watched: bool,
    ) -> u8 {
        let cli = match Cli::try_parse_from(args) {
            Ok(cli) => cli,
            Err(error) => {
                let text = error.render();
                if error.use_stderr() {
                    let _ = write!(err, "{}", text.ansi());
                    return EXIT_USAGE;
                }
                let _ = write!(out, "{}", text.ansi());
                return 0;
            }
        };
        let mut context = Context { registry: self, out, err, watched };
        let outcome = match &cli.command {
            Command::Crds(args) => crds::run(&mut context, args),
        };
        let flushed = context.out.flush().map_err(Unable::from);
        match outcome.and_then(|outcome| flushed.map(|()| outcome)) {
            Ok(Outcome::Well) => 0,
            Ok(Outcome::Invalid) => EXIT_INVALID,
            Err(Unable(message)) => {
                let _ = writeln!(context.err, "{}: {message}", style::bad("error"));
                EXIT_USAGE
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use serde_json::json;

    use super::*;

    /// Runs a command and gives its exit status and what it wrote, styles dropped.
    fn run(registry: &Registry, args: &[&str]) -> (u8, String, String) {
        let args = std::iter::once("crd").chain(args.iter().copied()).map(OsString::from);
        let (mut out, mut err) =
            (anstream::StripStream::new(Vec::new()), anstream::StripStream::new(Vec::new()));
        let status = registry.execute(args, &mut out, &mut err, false);
        let text = |bytes| String::from_utf8(bytes).expect("text");
        (status, text(out.into_inner()), text(err.into_inner()))
    }

    /// An empty directory that goes when the test ends.
    struct Dir(PathBuf);

    impl Dir {
        fn new(name: &str) -> Self {
            let dir = std::env::temp_dir().join(format!("crd-cli-{}-{name}", std::process::id()));
            let _ = fs::remove_dir_all(&dir);
            fs::create_dir_all(&dir).expect("a directory");
            Self(dir)
        }

        fn path(&self) -> &Path {
            &self.0
        }

        fn text(&self) -> &str {
            self.0.to_str().expect("a path in UTF-8")
        }
    }

    impl Drop for Dir {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn widgets() -> Registry {
        Registry::new().manifest(&json!({
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": {"name": "widgets.example.com"},
            "spec": {"group": "example.com", "names": {"kind": "Widget", "plural": "widgets"}},
        }))
    }

    #[test]
    fn manifests_are_written_and_then_up_to_date() {
        let dir = Dir::new("write");
        let out = ["crds", "--out", dir.text()];
        let path = dir.path().join("widgets.example.com.yaml");
        assert_eq!(
            run(&widgets(), &out),
            (0, format!("{} created\n", path.display()), String::new())
        );
        assert_eq!(run(&widgets(), &out).1, format!("{} unchanged\n", path.display()));
        let check = ["crds", "--check", "--out", dir.text()];
        assert_eq!(
            run(&widgets(), &check),
            (0, "1 manifest up to date\n".to_owned(), String::new())
        );

        let text = fs::read_to_string(&path).expect("written");
        fs::write(&path, text.replace("Widget", "Gadget")).expect("writable");
        let (status, out, _) = run(&widgets(), &check);
        assert_eq!(status, 1);
        assert!(out.contains("-    kind: Gadget\n+    kind: Widget\n"), "{out}");
    }

    #[test]
    fn a_manifest_of_no_registered_kind_is_stale() {
        let dir = Dir::new("left-over");
        run(&widgets(), &["crds", "--out", dir.text()]);
        fs::write(dir.path().join("old.yaml"), "kind: CustomResourceDefinition\n")
            .expect("writable");
        fs::write(dir.path().join("kustomization.yaml"), "kind: Kustomization\n")
            .expect("writable");
        let (status, out, _) = run(&widgets(), &["crds", "--check", "--out", dir.text()]);
        assert_eq!(
            (
                status,
                out.contains("old.yaml: of no registered kind"),
                out.contains("kustomization")
            ),
            (1, true, false)
        );
    }

    #[test]
    fn manifests_go_to_standard_output_in_both_formats() {
        let (_, yaml, _) = run(&widgets(), &["crds", "--out", "-"]);
        assert!(
            yaml.starts_with(
                "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"
            ),
            "{yaml}"
        );
        let (_, json, _) = run(&widgets(), &["crds", "--out", "-", "--format", "json"]);
        assert!(json.starts_with("{\n  \"apiVersion\": \"apiextensions.k8s.io/v1\",\n"), "{json}");
    }

    #[test]
    fn a_call_that_makes_no_sense_exits_with_two() {
        for args in [&["nonsense"][..], &[], &["crds", "--format", "toml"], &["crds", "--out", "x"]]
        {
            assert_eq!(run(&Registry::new(), args).0, 2, "{args:?}");
        }
        assert_eq!(run(&Registry::new(), &["--help"]).0, 0);
    }
}

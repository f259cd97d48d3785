//! `init`: creates an operator, or adds a kind to an existing package.

mod names;
mod plan;

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Args;

use super::{CommandError, CommandOutcome, Context, workspace};
use names::Placeholders;
use plan::{Dependency, Plan};

/// The versions of the dependencies of generated programs; the crates of this workspace have the same version.
const VERSION: &str = env!("CARGO_PKG_VERSION");
const KUBE: &str = "5.0.0";
const K8S_OPENAPI: &str = "0.29.0";

const KIND: &str = include_str!("template/kind.rs.txt");
const CONTROLLER: &str = include_str!("template/controller.rs.txt");
const MAIN: &str = include_str!("template/main.rs.txt");
const TEST: &str = include_str!("template/test.rs.txt");
const COMPILE_ERRORS: &str = include_str!("template/compile_errors.rs.txt");
const WRONG: &str = include_str!("template/ui.rs.txt");
const WRONG_ERRORS: &str = include_str!("template/ui.stderr.txt");
const GITIGNORE: &str = include_str!("template/gitignore.txt");
const XTASK_MAIN: &str = include_str!("template/xtask/main.rs.txt");

/// Arguments of `init`.
#[derive(Debug, Args)]
pub(super) struct Init {
    /// A new directory, or the directory of an existing package.
    #[arg(value_name = "DIR", default_value = ".")]
    dir: PathBuf,
    /// The kind, such as `Memcached`.
    #[arg(long)]
    kind: String,
    /// The API group, such as `cache.example.com`.
    #[arg(long)]
    group: String,
    /// The API version.
    #[arg(long = "api-version", value_name = "VERSION", default_value = "v1alpha1")]
    version: String,
    /// Create a cluster-scoped kind, whose objects are in no namespace.
    #[arg(long)]
    cluster: bool,
    /// The name of a new package. Default: the name of the directory.
    #[arg(long)]
    name: Option<String>,
    /// Depend on `crd-runtime` in this directory, not in the registry.
    #[arg(long, value_name = "DIR", hide = true)]
    crd_runtime_path: Option<PathBuf>,
}

/// Writes the files, or none if one of them exists.
pub(super) fn run(context: &mut Context<'_>, args: &Init) -> Result<CommandOutcome, CommandError> {
    let names = Placeholders::new(args)?;
    let mut plan = Plan::default();
    let is_new = !args.dir.join("Cargo.toml").exists();
    let (package, library) = if is_new {
        let package = names::package(args)?;
        plan.new_package(&args.dir, &package)?;
        plan.create(args.dir.join("src/main.rs"), names.fill(MAIN, &library_of(&package)));
        plan.create_if_absent(args.dir.join(".gitignore"), GITIGNORE.to_owned());
        (package, None)
    } else {
        plan.package_of(&args.dir)?
    };
    let library = library.unwrap_or_else(|| library_of(&package));
    let module = names.module();
    plan.create(args.dir.join(format!("src/{module}.rs")), names.fill(KIND, &library));
    let controller = args.dir.join(format!("src/{module}/controller.rs"));
    plan.create(controller, names.fill(CONTROLLER, &library));
    plan.create(args.dir.join(format!("tests/{module}.rs")), names.fill(TEST, &library));
    let test = args.dir.join("tests/compile_errors.rs");
    plan.create_if_absent(test, COMPILE_ERRORS.to_owned());
    let wrong = args.dir.join(format!("tests/ui/{module}.rs"));
    plan.create(wrong.with_extension("stderr"), names.fill(WRONG_ERRORS, &library));
    plan.create(wrong, names.fill(WRONG, &library));
    if !is_new {
        let program = args.dir.join(format!("src/bin/{module}_controller.rs"));
        plan.create(program, names.fill(MAIN, &library));
    }
    plan.declare_module(&args.dir, module)?;
    for dependency in [
        local(args, Dependency::new("crd-runtime", VERSION, &["client"]), ".")?,
        Dependency::new("futures", "0.3", &[]).without_default_features(),
        Dependency::new("k8s-openapi", K8S_OPENAPI, &["latest"]),
        Dependency::new("kube", KUBE, &["runtime"]),
        Dependency::new("serde", "1", &["derive"]),
        Dependency::new("serde_json", "1", &[]),
        Dependency::new("tokio", "1", &["macros", "rt-multi-thread"]),
    ] {
        plan.depend(&args.dir, "dependencies", &dependency)?;
    }
    plan.depend(&args.dir, "dev-dependencies", &Dependency::new("trybuild", "1", &[]))?;
    let mut next = Vec::new();
    let root = workspace_of(&args.dir).unwrap_or_else(|| args.dir.clone());
    if is_new && let Some(below) = below(&root, &args.dir) {
        plan.member(&root, &below)?;
    }
    let xtask = root.join("xtask");
    if xtask.join("Cargo.toml").exists() {
        let line = format!(".crd::<{library}::{module}::{}>()", names.kind());
        next.push(format!(
            "add `{line}` to the registry in {}",
            xtask.join("src/main.rs").display()
        ));
    } else {
        let crd_cli = Dependency::new("crd-cli", VERSION, &["types"]);
        plan.xtask(
            &root,
            below(&root, &args.dir),
            &package,
            &local(args, crd_cli.without_default_features(), "../crates/crd-cli")?,
        )?;
        plan.create(xtask.join("src/main.rs"), names.fill(XTASK_MAIN, &library));
        plan.alias(&root)?;
        plan.member(&root, "xtask")?;
    }
    let written = plan.write()?;
    for (path, what) in &written {
        writeln!(context.out, "{} {what}", path.display())?;
    }
    let created = written.iter().filter(|(_, what)| *what == plan::CREATED);
    format(created.map(|(path, _)| path.as_path()).filter(|path| is_rust(path)));
    next.push(
        "`cargo xtask crds` writes the manifest; `cargo test` checks it as the API server would"
            .to_owned(),
    );
    for next in next {
        writeln!(context.out, "next: {next}")?;
    }
    Ok(CommandOutcome::Valid)
}

fn is_rust(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "rs")
}

/// Formats files with rustfmt, because line breaks depend on the names. Without rustfmt they are left as they are.
fn format<'p>(files: impl Iterator<Item = &'p Path>) {
    let mut rustfmt = Command::new("rustfmt");
    rustfmt.args(["--edition", "2024"]).args(files);
    let _ = rustfmt.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
}

/// Returns the default name of a package's library.
fn library_of(package: &str) -> String {
    package.replace('-', "_")
}

/// Gives a dependency its directory, relative to that of `crd-runtime`, if `--crd-runtime-path` is given.
fn local(args: &Init, dependency: Dependency, from: &str) -> Result<Dependency, CommandError> {
    let Some(path) = &args.crd_runtime_path else { return Ok(dependency) };
    let path = path.join(from);
    let path = path
        .canonicalize()
        .map_err(|error| CommandError(format!("{}: {error}", path.display())))?;
    Ok(Dependency { path: Some(path.display().to_string()), ..dependency })
}

/// Returns a directory relative to `root`, as in `workspace.members`; `None` if it is the root, or not below it.
fn below(root: &Path, dir: &Path) -> Option<String> {
    let (root, dir) = (std::path::absolute(root).ok()?, std::path::absolute(dir).ok()?);
    let below = dir.strip_prefix(root).ok()?.to_str()?.replace('\\', "/");
    (!below.is_empty()).then_some(below)
}

/// Returns the root of the workspace that contains or will contain a directory, relative to the current directory.
fn workspace_of(dir: &Path) -> Option<PathBuf> {
    let here = env::current_dir().ok()?;
    let full = std::path::absolute(dir).ok()?;
    let root = full.ancestors().find(|dir| workspace::is_workspace(dir))?;
    Some(if full.starts_with(root) && root == full {
        dir.to_owned()
    } else {
        workspace::relative_to(&here, root)
    })
}

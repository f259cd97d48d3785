//! Runs the commands of the GitHub action and of the hooks in `contrib`, and the plugin of kubectl.

#![cfg(unix)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

use crd_runtime::yaml;
use serde_json::Value;
use tempfile::TempDir;

const CRD: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets, singular: widget, listKind: WidgetList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties: {spec: {type: object, properties: {size: {type: integer, minimum: 1}}}}
";
const GOOD: &str =
    "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\nspec:\n  size: 1\n";

/// A temporary project with a CRD and an object.
struct Project(TempDir);

impl Project {
    fn new() -> Self {
        let project = Self(tempfile::tempdir().expect("a directory"));
        project.write("crds/widgets.yaml", CRD);
        project.write("deploy/w.yaml", GOOD);
        project
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.0.path().join(path);
        fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        fs::write(path, text).expect("written");
    }

    fn make_invalid(&self) {
        self.write("deploy/w.yaml", &GOOD.replace("size: 1", "size: 0"));
    }

    /// Runs a command in the project. The directory of the built `crd` comes first on the `PATH`.
    fn run(&self, command: &[&str], vars: &BTreeMap<String, String>) -> Output {
        let bin = Path::new(env!("CARGO_BIN_EXE_crd")).parent().expect("a directory");
        let rest = env::var_os("PATH").unwrap_or_default();
        let path = std::iter::once(bin.to_owned()).chain(env::split_paths(&rest));
        let path = env::join_paths(path).expect("a path");
        let (program, args) = command.split_first().expect("a program");
        let mut command = Command::new(program);
        // If a git hook runs these tests, its variables would lead `git` to another repository.
        command.env_remove("GIT_DIR").env_remove("GIT_INDEX_FILE").env_remove("GIT_WORK_TREE");
        let command = command.args(args).current_dir(&self.0).env("PATH", path).envs(vars);
        command.output().expect("it runs")
    }

    fn git(&self, args: &[&str]) {
        let output = self.run(&[&["git"], args].concat(), &BTreeMap::new());
        assert!(output.status.success(), "{output:?}");
    }
}

fn contrib(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../contrib").join(path)
}

fn read(path: &str) -> Value {
    let text = fs::read_to_string(contrib(path)).expect("a file");
    yaml::documents(&text).next().expect("a document").expect("YAML").value
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs a step of the action as GitHub's runner does. Replaces `${{ inputs.x }}` by the given inputs or their defaults.
fn step(project: &Project, index: usize, given: &[(&str, &str)]) -> Output {
    let action = read("github-action/action.yml");
    assert_eq!(action["runs"]["using"], "composite");
    let step = &action["runs"]["steps"][index];
    assert_eq!(step["shell"], "bash");
    let inputs = action["inputs"].as_object().expect("inputs");
    let vars = step["env"].as_object().expect("variables").iter().map(|(name, value)| {
        let mut value = value.as_str().expect("text").to_owned();
        for (input, declared) in inputs {
            let default = declared["default"].as_str().expect("a default");
            let given = given.iter().find(|(name, _)| name == input).map(|(_, value)| *value);
            let expression = format!("${{{{ inputs.{input} }}}}");
            value = value.replace(&expression, given.unwrap_or(default));
        }
        value = value.replace("${{ github.action_repository }}", "");
        assert!(!value.contains("${{"), "{value}");
        (name.clone(), value)
    });
    let script = step["run"].as_str().expect("a script");
    let shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script];
    project.run(&shell, &vars.collect())
}

#[test]
fn the_action_shows_errors_at_their_lines() {
    let project = Project::new();
    let output = step(&project, 1, &[]);
    assert!(output.status.success(), "{output:?}");
    project.make_invalid();
    let output = step(&project, 1, &[("paths", "crds deploy"), ("args", "--require-crds -q")]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let want = "::error file=deploy/w.yaml,line=5,title=Widget w::spec.size: Invalid value: 0";
    assert!(text(&output.stdout).starts_with(want), "{output:?}");
}

#[test]
fn the_action_works_in_a_repository_with_other_files() {
    let project = Project::new();
    fs::create_dir_all(project.0.path().join(".github/workflows")).expect("a directory");
    project.write(".github/workflows/ci.yml", "on: push\njobs: {}\n");
    project.write("package.json", "{\"name\": \"x\"}");
    let output = step(&project, 1, &[]);
    assert!(output.status.success(), "{output:?}");
    // A path is neither a pattern of the shell nor an option.
    for paths in ["deploy/*", "--help"] {
        let output = step(&project, 1, &[("paths", paths)]);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
    }
}

#[test]
fn the_action_installs_a_missing_command() {
    let project = Project::new();
    let output = step(&project, 0, &[]);
    assert!(output.status.success() && text(&output.stdout).ends_with("/crd\n"), "{output:?}");
    let action = read("github-action/action.yml");
    let script = action["runs"]["steps"][0]["run"].as_str().expect("a script").to_owned();
    // With an empty `PATH`, `crd` is missing. The functions stand for programs of the runner.
    let script = format!(
        "PATH=\nuname() {{ case $1 in -s) echo Linux ;; *) echo x86_64 ;; esac; }}\n\
         curl() {{ echo \"curl ${{*: -1}}\" >&2; [ \"$REPOSITORY\" = has/release ]; }}\n\
         tar() {{ :; }}\ncargo() {{ echo \"cargo $*\" >&2; }}\n{script}"
    );
    let path = project.0.path().join("path").display().to_string();
    let latest =
        "curl https://github.com/has/release/releases/latest/download/crd-Linux-x86_64.tar.gz\n";
    let tagged =
        "curl https://github.com/no/release/releases/download/v0.1.0/crd-Linux-x86_64.tar.gz\n";
    let install = "cargo install --locked --no-default-features crd-cli";
    for (repository, version, want) in [
        ("", "", format!("{install}\n")),
        ("", "0.1.0", format!("{install} --version 0.1.0\n")),
        ("has/release", "", latest.to_owned()),
        ("no/release", "0.1.0", format!("{tagged}{install} --version 0.1.0\n")),
    ] {
        let vars = [("REPOSITORY", repository), ("VERSION", version), ("GITHUB_PATH", &path)];
        let vars = vars.into_iter().chain([("RUNNER_TEMP", "/nowhere")]);
        let vars = vars.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let output = project
            .run(&["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", &script], &vars);
        assert_eq!(text(&output.stderr), want, "{output:?}");
    }
    assert_eq!(fs::read_to_string(path).expect("the runner's PATH"), "/nowhere\n");
}

#[test]
fn the_git_hook_validates_the_working_tree_if_files_are_staged() {
    let project = Project::new();
    project.git(&["init", "-q"]);
    let hook = contrib("pre-commit/crd-validate").canonicalize().expect("a hook");
    let hook = || project.run(&[hook.to_str().expect("UTF-8")], &BTreeMap::new());
    project.make_invalid();
    let output = hook();
    assert!(output.status.success() && output.stdout.is_empty(), "nothing is staged: {output:?}");
    project.git(&["add", "deploy"]);
    let output = hook();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stdout).starts_with("deploy/w.yaml: The Widget \"w\" is invalid: spec.size"),
        "{output:?}"
    );
    // The staged content is still invalid, but the hook reads the working tree.
    project.write("deploy/w.yaml", GOOD);
    assert!(hook().status.success());
}

#[test]
fn objects_are_validated_as_updates_of_those_in_a_commit() {
    let project = Project::new();
    project.git(&["init", "-q"]);
    let rule =
        "x-kubernetes-validations: [{rule: self == oldSelf, message: is immutable}], minimum: 1";
    project.write("crds/widgets.yaml", &CRD.replace("minimum: 1", rule));
    project.write("deploy/.drafts/x.yaml", "a: [");
    project.write("deploy/ignored.yaml", "a: [");
    project.git(&["add", "."]);
    let person = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
    project.git(&[&person[..], &["commit", "-q", "-m", "first"]].concat());
    project.write("deploy/w.yaml", &GOOD.replace("size: 1", "size: 2"));
    project.write("deploy/new.yaml", &GOOD.replace("name: w", "name: new"));
    let validate = ["validate", "--ignore", "ignored.yaml", "--old"];
    let crd = |args: &[&str]| {
        let args = [&[env!("CARGO_BIN_EXE_crd")][..], &validate, args].concat();
        let output = project.run(&args, &BTreeMap::new());
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    for args in [&["git:HEAD", "deploy", "--crds", "crds"][..], &["git:HEAD", ".", "-q"]] {
        let (status, out, err) = crd(args);
        assert_eq!((status, &*err), (Some(1), ""), "{out}");
        assert!(
            out.contains("w.yaml: The Widget \"w\" is invalid: spec.size: Invalid value"),
            "{out}"
        );
        assert!(out.contains("is immutable\n") && !out.contains("\"new\""), "{out}");
    }
    let (_, out, _) = crd(&["git:HEAD", "crds", "deploy/w.yaml", "deploy/new.yaml"]);
    assert!(out.ends_with("2 valid, 1 invalid\n"), "{out}");
    for (name, message) in [
        ("git:none", "git:none: fatal: Not a valid object name none"),
        ("git:-x", "git:-x: not the name"),
    ] {
        let (status, _, err) = crd(&[name, "deploy"]);
        assert!(status == Some(2) && err.contains(message), "{err}");
    }
}

#[test]
fn the_pre_commit_hook_validates_the_directories() {
    let project = Project::new();
    let hook = &read("pre-commit/pre-commit-config.yaml")["repos"][0]["hooks"][0];
    assert_eq!((&hook["language"], &hook["pass_filenames"]), (&"system".into(), &false.into()));
    let entry: Vec<&str> = hook["entry"].as_str().expect("a command").split(' ').collect();
    assert!(project.run(&entry, &BTreeMap::new()).status.success());
    project.make_invalid();
    assert_eq!(project.run(&entry, &BTreeMap::new()).status.code(), Some(1));
}

#[test]
fn the_kubectl_plugin_runs_the_commands_of_crd() {
    let project = Project::new();
    let plugin = env!("CARGO_BIN_EXE_kubectl-crd");
    let output = project.run(&[plugin, "validate", "crds", "deploy"], &BTreeMap::new());
    assert!(output.status.success(), "{output:?}");
    let output = project.run(&[plugin, "--help"], &BTreeMap::new());
    assert!(text(&output.stdout).contains("Usage: kubectl crd [OPTIONS] <COMMAND>"), "{output:?}");
}

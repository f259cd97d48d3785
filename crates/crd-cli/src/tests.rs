//! Runs commands with arguments, and checks exit status and output.

mod built_in;
mod comparisons;
mod configuration;
#[cfg(feature = "types")]
mod derived;
mod files;
mod import;
mod minors;
mod outputs;
mod roles;
mod updates;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::*;
use crate::yaml;

/// Runs a command. Returns its exit status and its output without styles.
pub(crate) fn run(registry: &Registry, args: &[&str]) -> (u8, String, String) {
    run_os(registry, args.iter().map(OsString::from).collect())
}

/// Runs a command whose arguments need not be UTF-8.
fn run_os(registry: &Registry, args: Vec<OsString>) -> (u8, String, String) {
    let args = std::iter::once(OsString::from("crd")).chain(args);
    let (mut out, mut err) =
        (anstream::StripStream::new(Vec::new()), anstream::StripStream::new(Vec::new()));
    let status = registry.run_to(args, &mut out, &mut err);
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (status, text(out.into_inner()), text(err.into_inner()))
}

/// Calls a function with a context, and returns also what it writes.
pub(crate) fn context<T>(of: impl FnOnce(&mut Context<'_>) -> T) -> (T, String, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let registry = Registry::new();
    let mut context = Context {
        registry: &registry,
        out: &mut out,
        err: &mut err,
        has_terminal: false,
        width: 100,
    };
    let result = of(&mut context);
    let text = |bytes: Vec<u8>| anstream::adapter::strip_bytes(&bytes).into_vec();
    let text = |bytes| String::from_utf8(text(bytes)).expect("text");
    (result, text(out), text(err))
}

/// An empty directory, removed when it is dropped.
pub(crate) struct Dir(tempfile::TempDir);

impl Dir {
    pub(crate) fn new(name: &str) -> Self {
        Self(tempfile::Builder::new().prefix(name).tempdir().expect("a directory"))
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn text(&self) -> &str {
        self.path().to_str().expect("a path in UTF-8")
    }

    /// Writes a file, and returns its path.
    pub(crate) fn write(&self, path: &str, text: &str) -> PathBuf {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        fs::write(&path, text).expect("writable");
        path
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }
}

fn widgets() -> Registry {
    let root = json!({"type": "object", "description": "A widget. Of some kind."});
    Registry::new().manifest(&crd_fixtures::widget(root).json())
}

#[test]
fn manifests_that_do_not_fit_into_an_annotation_need_server_side_apply() {
    let definition = |length: usize| {
        json!({
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": {"name": "widgets.example.com"},
            "spec": {
                "group": "example.com", "scope": "Namespaced",
                "names": {"kind": "Widget", "plural": "widgets"},
                "versions": [{
                    "name": "v1", "served": true, "storage": true,
                    "schema": {"openAPIV3Schema": {"type": "object", "description": "x".repeat(length)}},
                }],
            },
        })
    };
    let dir = Dir::new("large");
    let file = dir.path().join("widgets.yaml");
    // All but the description takes 382 bytes, with the name of the annotation.
    for (length, want) in [(262_144 - 382, 0), (262_144 - 381, 1)] {
        fs::write(&file, definition(length).to_string()).expect("a file");
        let warns = |(status, out, err): (u8, String, String)| {
            assert_eq!(status, 0, "{out}{err}");
            (out + &err).matches("Warning: `kubectl apply` fails without `--server-side`").count()
        };
        let registry = Registry::new().manifest(&definition(length));
        assert_eq!(warns(run(&registry, &["check", file.to_str().expect("UTF-8")])), want);
        let out = ["crds", "--out", dir.text()];
        assert_eq!(warns(run(&registry, &out)), want);
        let shorter = [&out[..], &["--max-description-length", "80"]].concat();
        assert_eq!(warns(run(&registry, &shorter)), 0);
    }
}

#[test]
fn manifests_are_written_and_then_up_to_date() {
    let dir = Dir::new("write");
    let out = ["crds", "--out", dir.text()];
    let path = dir.path().join("widgets.example.com.yaml");
    assert_eq!(run(&widgets(), &out), (0, format!("{} created\n", path.display()), String::new()));
    assert_eq!(run(&widgets(), &out).1, format!("{} unchanged\n", path.display()));
    let check = ["crds", "--check", "--out", dir.text()];
    assert_eq!(run(&widgets(), &check), (0, "1 manifest up to date\n".to_owned(), String::new()));

    let text = fs::read_to_string(&path).expect("written");
    fs::write(&path, text.replace("kind: Widget", "kind: Gadget")).expect("writable");
    let (status, out, _) = run(&widgets(), &check);
    assert_eq!(status, 1);
    assert!(out.contains("-    kind: Gadget\n+    kind: Widget\n"), "{out}");
}

#[cfg(unix)]
#[test]
fn a_link_is_replaced_and_not_followed() {
    let dir = Dir::new("link");
    run(&widgets(), &["crds", "--out", dir.text()]);
    let file = fs::read_dir(dir.path())
        .expect("a directory")
        .next()
        .expect("a file")
        .expect("read")
        .path();
    let text = fs::read_to_string(&file).expect("a manifest");
    let target = dir.path().join("target");
    fs::write(&target, "precious").expect("writable");
    fs::remove_file(&file).expect("removed");
    std::os::unix::fs::symlink(&target, &file).expect("linked");
    assert_eq!(run(&widgets(), &["crds", "--out", dir.text()]).0, 0);
    assert_eq!(fs::read_to_string(&target).expect("there"), "precious");
    assert_eq!(fs::read_to_string(&file).expect("there"), text);
    assert_eq!(fs::read_dir(dir.path()).expect("a directory").count(), 2);
}

#[test]
fn a_manifest_of_no_registered_kind_is_deleted_on_request() {
    let dir = Dir::new("left-over");
    run(&widgets(), &["crds", "--out", dir.text()]);
    let old = dir.path().join("gadgets.example.com.yaml");
    let file = fs::read_dir(dir.path())
        .expect("a directory")
        .next()
        .expect("a file")
        .expect("read")
        .path();
    let text = fs::read_to_string(file).expect("a manifest");
    let gadgets = text.replace("widget", "gadget").replace("Widget", "Gadget");
    fs::write(&old, &gadgets).expect("writable");
    // Definitions of others, also under our names, and files with further documents are kept.
    let others = [
        ("vendored.yaml", gadgets.clone()),
        ("parts.example.com.yaml", format!("# By hand\n{}", gadgets.replace("gadgets", "parts"))),
        (
            "tools.example.com.yaml",
            format!("{}---\nkind: X\n", gadgets.replace("gadgets", "tools")),
        ),
    ];
    for (name, text) in &others {
        fs::write(dir.path().join(name), text).expect("writable");
    }
    fs::write(dir.path().join("kustomization.yaml"), "kind: Kustomization\n").expect("writable");
    let check = ["crds", "--check", "--out", dir.text()];
    let (status, out, err) = run(&widgets(), &check);
    assert_eq!((status, out), (1, format!("{}: belongs to no registered kind\n", old.display())));
    let want = "error: 1 manifest of no registered kind: delete it, or run `crds --prune`\n";
    assert_eq!(err, want);

    let (status, _, err) = run(&widgets(), &["crds", "--out", dir.text()]);
    assert!(
        status == 0 && err.contains("gadgets.example.com.yaml: belongs to no registered kind"),
        "{err}"
    );
    assert!(old.exists());
    let (status, out, err) = run(&widgets(), &["crds", "--prune", "--out", dir.text()]);
    assert_eq!((status, &*err, old.exists()), (0, "", false));
    assert!(out.ends_with(&format!("{} deleted\n", old.display())), "{out}");
    assert_eq!(run(&widgets(), &check).0, 0);
    for (name, text) in &others {
        assert_eq!(fs::read_to_string(dir.path().join(name)).expect("kept"), *text);
    }
    assert_eq!(run(&widgets(), &["crds", "--prune", "--check"]).0, 2);
}

#[test]
fn the_help_names_the_directory() {
    let registry = widgets().out("deploy/crds");
    let help = run(&registry, &["crds", "--help"]).1;
    assert!(help.contains("[default: deploy/crds, from the root of the workspace]"), "{help}");
    let (_, version, _) = run(&registry, &["--version"]);
    assert_eq!(version, concat!("crd (crd-runtime ", env!("CARGO_PKG_VERSION"), ")\n"));
    assert!(run(&registry, &["--help"]).1.contains("2    usage error"));
}

#[test]
fn invisible_characters_are_shown_in_diffs() {
    let dir = Dir::new("line-ends");
    run(&widgets(), &["crds", "--out", dir.text()]);
    let path = dir.path().join("widgets.example.com.yaml");
    let text = fs::read_to_string(&path).expect("written");
    let check = ["crds", "--check", "--out", dir.text()];
    // As Git checks files out on Windows.
    fs::write(&path, text.replace('\n', "\r\n")).expect("writable");
    let (status, out, _) = run(&widgets(), &check);
    assert_eq!((status, &*out), (0, "1 manifest up to date\n"));
    fs::write(&path, text.replacen('\n', "\r", 1)).expect("writable");
    let (status, out, _) = run(&widgets(), &check);
    assert!(status == 1 && out.contains("-apiVersion: apiextensions.k8s.io/v1^M\n"), "{out}");
    fs::write(&path, text.trim_end()).expect("writable");
    let (status, out, _) = run(&widgets(), &check);
    assert!(status == 1 && out.contains("\n\\ No newline at end of file\n+"), "{out}");
    fs::write(&path, b"\xff").expect("writable");
    assert_eq!(run(&widgets(), &check).0, 1);
    fs::create_dir(dir.path().join("more.yaml")).expect("a directory");
    fs::write(dir.path().join("other.yaml"), b"\xff").expect("writable");
    let (status, out, err) = run(&widgets(), &["crds", "--out", dir.text()]);
    assert_eq!((status, out, err), (0, format!("{} updated\n", path.display()), String::new()));
}

#[test]
fn check_of_standard_output_is_a_usage_error() {
    let (status, out, err) = run(&widgets(), &["crds", "--check", "--out", "-"]);
    assert_eq!((status, &*out), (2, ""));
    assert!(err.contains("pass `--out DIR`"), "{err}");
}

/// A stream whose reader has closed it.
struct ClosedStream;

impl Write for ClosedStream {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_closed_output_prints_no_error() {
    let args = ["crd", "crds", "--out", "-"].map(OsString::from);
    let mut err = Vec::new();
    assert_eq!((widgets().run_to(args, &mut ClosedStream, &mut err), err), (141, Vec::new()));
}

#[test]
fn manifests_go_to_standard_output_in_both_formats() {
    let (_, yaml, _) = run(&widgets(), &["crds", "--out", "-"]);
    assert!(
        yaml.starts_with("apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"),
        "{yaml}"
    );
    let (_, json, _) = run(&widgets(), &["crds", "--out", "-", "--format", "json"]);
    assert!(json.starts_with("{\n  \"apiVersion\": \"apiextensions.k8s.io/v1\",\n"), "{json}");
}

#[test]
fn a_usage_error_exits_with_two() {
    for args in [&["nonsense"][..], &[], &["crds", "--format", "toml"], &["crds", "--out", "x"]] {
        assert_eq!(run(&Registry::new(), args).0, 2, "{args:?}");
    }
    assert_eq!(run(&Registry::new(), &["--help"]).0, 0);
}

/// The CRD of the examples in Kubernetes' documentation.
const CRON_TABS: &str = r"apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: crontabs.stable.example.com}
spec:
  group: stable.example.com
  scope: Namespaced
  names: {plural: crontabs, singular: crontab, kind: CronTab, shortNames: [ct]}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              cronSpec: {type: string, pattern: '^(\d+|\*)(/\d+)?(\s+(\d+|\*)(/\d+)?){4}$'}
              image: {type: string}
              replicas: {type: integer, minimum: 1, maximum: 10, default: 1}
";

/// Writes files below a directory and validates it.
fn validate(name: &str, files: &[(&str, &str)], options: &[&str]) -> (u8, String) {
    let dir = Dir::new(name);
    for (path, text) in files {
        dir.write(path, text);
    }
    let args = [&["validate", "-f", dir.text()], options].concat();
    let (status, out, err) = run(&Registry::new(), &args);
    assert_eq!(err, "", "{out}");
    (status, out.replace(&format!("{}/", dir.text()), ""))
}

const VALID: &str = "apiVersion: stable.example.com/v1\nkind: CronTab\nmetadata: {name: good}\nspec: {cronSpec: '* * * * */5'}\n";
const INVALID: &str = "apiVersion: stable.example.com/v1\nkind: CronTab\nmetadata: {name: bad}\nspec: {cronSpec: '* * * *', replicas: 15}\n";

const CRD_IS_VALID: &str =
    "crd.yaml: customresourcedefinition.apiextensions.k8s.io/crontabs.stable.example.com valid\n";

#[test]
fn errors_of_an_invalid_object_print_as_with_kubectl() {
    let (status, out) =
        validate("invalid", &[("crd.yaml", CRON_TABS), ("objects/bad.yaml", INVALID)], &[]);
    let want = "objects/bad.yaml: The CronTab \"bad\" is invalid:\n\
        * spec.cronSpec: Invalid value: \"* * * *\": spec.cronSpec in body should match '^(\\d+|\\*)(/\\d+)?(\\s+(\\d+|\\*)(/\\d+)?){4}$'\n\
        * spec.replicas: Invalid value: 15: spec.replicas in body should be less than or equal to 10\n\
        1 valid, 1 invalid\n";
    assert_eq!((status, out), (1, format!("{CRD_IS_VALID}{want}")));
}

#[test]
fn an_object_may_come_before_its_crd() {
    let (status, out) = validate("before", &[("a.yaml", VALID), ("crd.yaml", CRON_TABS)], &[]);
    let want = format!(
        "{CRD_IS_VALID}a.yaml: crontab.stable.example.com/good valid\n2 valid, 0 invalid\n"
    );
    assert_eq!((status, out), (0, want));
    let both = format!("{VALID}---\n{CRON_TABS}---\n{INVALID}");
    let (status, out) = validate("within", &[("all.yaml", &both)], &["-q"]);
    assert_eq!(status, 1);
    assert!(out.starts_with("all.yaml:28: The CronTab \"bad\" is invalid:\n"), "{out}");
}

#[test]
fn unknown_fields_are_warnings_or_errors() {
    let object = VALID.replace("spec: {", "spec: {someRandomField: 42, ");
    let files = [("crd.yaml", CRON_TABS), ("x.yaml", &object)];
    let (status, out) = validate("warn", &files, &["-q", "--warn"]);
    assert_eq!(
        (status, &*out),
        (0, "x.yaml: Warning: unknown field \"spec.someRandomField\"\n2 valid, 0 invalid\n")
    );
    let (status, out) = validate("ignore", &files, &["-q", "--field-validation", "ignore"]);
    assert_eq!((status, &*out), (0, "2 valid, 0 invalid\n"));
    let (status, out) = validate("strict", &files, &["-q"]);
    let want = "x.yaml: Error from server (BadRequest): CronTab in version \"v1\" cannot be handled as a CronTab: \
        strict decoding error: unknown field \"spec.someRandomField\"\n1 valid, 1 invalid\n";
    assert_eq!((status, &*out), (1, want));
}

#[test]
fn changes_by_admission_are_shown_as_a_diff() {
    let object = VALID.replace("spec: {", "spec: {someRandomField: 42, ");
    let files = [("crd.yaml", CRON_TABS), ("x.yaml", &object)];
    let (_, out) = validate("pruned", &files, &["--show", "pruned"]);
    assert!(out.contains("\n-  someRandomField: 42\n") && !out.contains("\n+  replicas"), "{out}");
    let (_, out) = validate("defaulted", &files, &["--show", "defaulted"]);
    assert!(out.contains("\n+  replicas: 1\n") && !out.contains("someRandomField: 42"), "{out}");
}

#[test]
fn all_dropped_fields_are_shown() {
    let object = VALID
        .replace("{name: good}", "{name: good, foo: 1}")
        .replace("spec: {", "spec: {image: null, someRandomField: 42, ");
    let files = [("crd.yaml", CRON_TABS), ("x.yaml", &object)];
    let (_, out) = validate("dropped", &files, &["--show", "pruned"]);
    let dropped: Vec<&str> = out.lines().filter(|line| line.starts_with("-  ")).collect();
    assert_eq!(dropped, ["-  foo: 1", "-  image: null", "-  someRandomField: 42"], "{out}");
}

#[test]
fn a_body_has_a_maximum_size() {
    let image = "x".repeat(admit::MAX_BODY_BYTES);
    let object = VALID.replace("spec: {", &format!("spec: {{image: {image}, "));
    let files = [("crd.yaml", CRON_TABS), ("x.yaml", &object)];
    let (status, out) = validate("large", &files, &["-q"]);
    let want = "x.yaml: Error from server (RequestEntityTooLarge): Request entity too large: limit is 3145728\n\
        1 valid, 1 invalid\n";
    assert_eq!((status, &*out), (1, want));
}

#[cfg(unix)]
#[test]
fn a_broken_link_is_reported() {
    let dir = Dir::new("link");
    fs::write(dir.path().join("crd.yaml"), CRON_TABS).expect("writable");
    std::os::unix::fs::symlink("nowhere", dir.path().join("x.yaml")).expect("a link");
    let (status, out, _) = run(&Registry::new(), &["validate", "-f", dir.text()]);
    assert!(status == 3 && out.contains("x.yaml: error: No such file"), "{out}");
}

#[test]
fn an_object_without_a_name_is_shown_with_its_generate_name() {
    let object = VALID.replace("{name: good}", "{generateName: new-}");
    let (_, out) = validate("generated", &[("crd.yaml", CRON_TABS), ("x.yaml", &object)], &[]);
    assert!(out.contains("x.yaml: crontab.stable.example.com/new- valid\n"), "{out}");
}

#[test]
fn kinds_without_a_crd_are_skipped_unless_a_crd_has_their_group() {
    let list = "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Container}\n- {apiVersion: apps/v2, kind: Deployment}\n";
    let other = "{\"apiVersion\": \"stable.example.com/v2\", \"kind\": \"CronTab\"}";
    let (status, out) = validate(
        "skip",
        &[("crd.yaml", CRON_TABS), ("list.yaml", list), ("other.json", other)],
        &[],
    );
    let want = "other.json: Error from server (NotFound): no matches for kind \"CronTab\" in version \"stable.example.com/v2\"\n\
        1 valid, 1 invalid, 2 skipped: Container (1), Deployment.apps (1)\n";
    assert_eq!((status, out), (1, format!("{CRD_IS_VALID}{want}")));
}

#[test]
fn documents_that_are_not_objects_are_reported() {
    let files = [
        ("a.yaml", "a: [\n"),
        ("b.yaml", "- 1\n"),
        ("c.yaml", "kind: X\n"),
        ("d.yaml", "apiVersion: v1\nkind: X\nkind: Y\n"),
        ("e.json", "{\"apiVersion\": \"v1\", \"kind\": \"X\", \"kind\": \"Y\"}"),
    ];
    let (status, out) = validate("broken", &files, &[]);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(status, 3);
    assert!(lines[0].starts_with("a.yaml:2: error: line 2, column 1: "), "{out}");
    assert_eq!(
        lines[1..],
        [
            "b.yaml: error: a list is not an object",
            "  hint: an object needs `apiVersion` and `kind`; if the file holds no object, use `--ignore b.yaml`",
            "c.yaml: error: Object 'apiVersion' is missing",
            "  hint: an object needs `apiVersion` and `kind`; if the file holds no object, use `--ignore c.yaml`",
            "d.yaml: error: line 3, column 1: key \"kind\" already set in map",
            "e.json: error: duplicate field \"kind\"",
            "0 valid, 5 invalid",
        ]
    );
}

#[test]
fn json_has_a_line_for_each_document_and_a_summary() {
    let (status, out) =
        validate("json", &[("crd.yaml", CRON_TABS), ("bad.yaml", INVALID)], &["-o", "json"]);
    assert_eq!(status, 1);
    let lines: Vec<Value> =
        out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let bad = &lines[1];
    assert_eq!(bad["file"], "bad.yaml");
    assert_eq!((&bad["verdict"], &bad["reason"]), (&json!("invalid"), &json!("Invalid")));
    assert_eq!(bad["errors"][1]["field"], "spec.replicas");
    assert_eq!(bad["errors"][1]["type"], "FieldValueInvalid");
    assert_eq!(lines[2], json!({"summary": {"valid": 1, "invalid": 1, "skipped": {}}}));
}

#[test]
fn a_registered_kind_needs_no_file() {
    let crd: Value =
        yaml::documents(CRON_TABS).next().expect("a document").expect("readable").value;
    let dir = Dir::new("registered");
    fs::write(dir.path().join("bad.yaml"), INVALID).expect("writable");
    let (status, out, _) = run(&Registry::new().manifest(&crd), &["validate", "-f", dir.text()]);
    assert!(status == 1 && out.contains("0 valid, 1 invalid"), "{out}");
}

#[test]
fn a_large_tree_is_reported_in_its_order() {
    let dir = Dir::new("large");
    fs::write(dir.path().join("crd.yaml"), CRON_TABS).expect("writable");
    for number in 0..600 {
        let text = if number % 3 == 0 { INVALID } else { VALID };
        fs::write(dir.path().join(format!("o{number:04}.yaml")), text).expect("writable");
    }
    let args = ["validate", "-f", dir.text()];
    let (status, out, _) = run(&Registry::new(), &args);
    assert_eq!(status, 1);
    let again = run(&Registry::new(), &args).1;
    let differing = out.lines().zip(again.lines()).find(|(one, other)| one != other);
    assert_eq!(differing, None, "two runs differ");
    assert_eq!(out.len(), again.len(), "two runs differ in length");
    assert!(out.ends_with("401 valid, 200 invalid\n"), "{:?}", out.lines().last());
    let files: Vec<&str> =
        out.lines().filter_map(|line| line.split_once(".yaml: ")).map(|(file, _)| file).collect();
    assert!(files.is_sorted());
}

/// The CRD of Kubernetes' documentation of selectable fields, with a column of priority 0 and one of priority 1.
const SHIRTS: &str = "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: shirts.stable.example.com}
spec:
  group: stable.example.com
  scope: Namespaced
  names: {plural: shirts, singular: shirt, kind: Shirt}
  versions:
  - name: v1
    served: true
    storage: true
    selectableFields: [{jsonPath: .spec.color}]
    additionalPrinterColumns:
    - {name: Color, type: string, jsonPath: .spec.color}
    - {name: Size, type: string, jsonPath: .spec.size, priority: 1}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, properties: {color: {type: string}, size: {type: string, default: M}}}
";

const THREE_SHIRTS: &str = "apiVersion: v1
kind: List
items:
- {apiVersion: stable.example.com/v1, kind: Shirt, metadata: {name: example1, namespace: a}, spec: {color: blue, size: S}}
- {apiVersion: stable.example.com/v1, kind: Shirt, metadata: {name: example2, namespace: b}, spec: {color: blue}}
- {apiVersion: stable.example.com/v1, kind: Shirt, metadata: {name: example3}, spec: {color: green}}
";

#[test]
fn objects_are_shown_as_a_table() {
    let dir = Dir::new("get");
    fs::write(dir.path().join("crd.yaml"), SHIRTS).expect("writable");
    fs::write(dir.path().join("a.yaml"), THREE_SHIRTS).expect("writable");
    let get =
        |options: &[&str]| run(&Registry::new(), &[&["get", "-f", dir.text()], options].concat());
    assert_eq!(
        get(&[]),
        (
            0,
            "NAME       COLOR\nexample1   blue\nexample2   blue\nexample3   green\n".to_owned(),
            String::new()
        )
    );
    let blue = get(&["--field-selector", "spec.color=blue", "-o", "wide", "-A"]);
    let want = "NAMESPACE   NAME       COLOR   SIZE\na           example1   blue    S\nb           example2   blue    M\n";
    assert_eq!(blue, (0, want.to_owned(), String::new()));
    let (status, _, err) = get(&["--field-selector", "spec.size=M"]);
    assert_eq!((status, &*err), (2, "error: field label not supported: spec.size\n"));
    let (status, out, err) = get(&["--field-selector", "spec.color=red"]);
    assert_eq!((status, &*out, &*err), (0, "", "No resources found\n"));
}

#[test]
fn get_says_what_it_could_not_read() {
    let dir = Dir::new("get-unreadable");
    let path = |name: &str| dir.path().join(name).display().to_string();
    let (crd, broken, object) = (path("crd.yaml"), path("broken.yaml"), path("object.yaml"));
    fs::write(&crd, CRON_TABS).expect("writable");
    fs::write(&broken, CRON_TABS.replace("replicas: {type: integer", "replicas: {type: [1]"))
        .expect("writable");
    fs::write(&object, VALID.replace("{name: good}", "{generateName: new-}")).expect("writable");
    let get = |files: &[&str]| run(&Registry::new(), &[&["get"], files].concat());
    let (status, out, _) = get(&[&crd, &object]);
    assert!(status == 0 && out.contains("\nnew-   "), "{out}");
    let (status, _, err) = get(&[&object]);
    let want = "skipped, without a CRD among the files: CronTab\nNo resources found\n";
    assert_eq!((status, &*err), (0, want));
    let (status, _, err) = get(&[&broken, &object]);
    assert!(
        status == 1 && err.contains("broken.yaml: error: ") && err.contains("skipped, "),
        "{err}"
    );
    let named = "error: CustomResourceDefinition crontabs.stable.example.com: ";
    assert!(err.contains(named), "{err}");
    let former = path("former.yaml");
    fs::write(
        &former,
        CRON_TABS.replace("apiextensions.k8s.io/v1", "apiextensions.k8s.io/v1beta1"),
    )
    .expect("writable");
    let (status, out, err) = get(&[&former, &object]);
    let why = format!(
        "former.yaml: {named}no matches for kind \"CustomResourceDefinition\" in version \"apiextensions.k8s.io/v1beta1\""
    );
    assert!((status, &*out) == (3, "") && err.contains(&why), "{err}");
    let (status, out, _) = run(&Registry::new(), &["validate", &former]);
    assert!(status == 1 && out.contains("in version \"apiextensions.k8s.io/v1beta1\""), "{out}");
    let (status, _, err) = run(&Registry::new(), &["explain", "crontabs", &broken]);
    assert!(status == 2 && err.contains("broken.yaml: error: "), "{err}");
}

#[test]
fn check_gives_each_warning_once_with_its_place() {
    let dir = Dir::new("check-warnings");
    let crd = dir.path().join("crd.yaml").display().to_string();
    let extra = "              a: {type: integer, format: uint16}\n              b: {type: integer, format: uint16}\n          items: {type: array, items: {type: string}}\n";
    fs::write(&crd, format!("{CRON_TABS}{extra}")).expect("writable");
    let (status, out, _) = run(&Registry::new(), &["check", &crd]);
    let schema = "spec.versions[0].schema.openAPIV3Schema";
    let format = format!(
        "{schema}.properties[spec].properties[a]: unrecognized format \"uint16\" (2 times in the CRD)\n"
    );
    let items =
        format!("{schema}.properties[items]: the server takes an object with a list `items`");
    assert!(status == 0 && out.contains(&format) && out.contains(&items), "{out}");
    assert_eq!(out.matches("uint16").count(), 1, "{out}");
}

#[test]
fn a_crd_is_checked_and_its_rules_are_costed() {
    let dir = Dir::new("check");
    let path = dir.path().join("crd.yaml");
    let with_rule = CRON_TABS.replace(
        "            properties:\n              cronSpec:",
        "            x-kubernetes-validations: [{rule: 'self.replicas > 0'}]\n            properties:\n              cronSpec:",
    );
    fs::write(&path, &with_rule).expect("writable");
    let check = |options: &[&str]| {
        run(&Registry::new(), &[&["check", "-f", path.to_str().expect("UTF-8")], options].concat())
    };
    let (status, out, err) = check(&[]);
    assert_eq!((status, &*err), (0, ""), "{out}");
    assert!(
        out.contains("crd.yaml: CustomResourceDefinition crontabs.stable.example.com valid\n"),
        "{out}"
    );
    assert!(out.contains("   v1.properties[spec]   ") && out.contains("<0.1%"), "{out}");

    fs::write(&path, with_rule.replace("default: 1}", "default: 0}")).expect("writable");
    let (status, out, _) = check(&[]);
    let want = "is invalid: spec.validation.openAPIV3Schema.properties[spec].properties[replicas].default: Invalid value: 0: ";
    assert!(status == 1 && out.contains(want), "{out}");

    fs::write(&path, with_rule.replace("self.replicas > 0", "self.replica > 0")).expect("writable");
    let (status, out, _) = check(&[]);
    assert!(status == 1 && out.contains("undefined field 'replica'"), "{out}");

    let expensive =
        "size(self.cronSpec.replace('a', 'b')) < 5 && self.cronSpec.matches(self.cronSpec)";
    fs::write(&path, with_rule.replace("self.replicas > 0", &expensive.replace('\'', "''")))
        .expect("writable");
    let (status, out, _) = check(&[]);
    let want = "would be within the limit with\n    maxLength: 256 at v1.properties[spec].properties[cronSpec]\n";
    assert!(status == 1 && out.contains(want), "{out}");

    let old = dir.path().join("old.yaml");
    fs::write(&old, with_rule.replace("scope: Namespaced", "scope: Cluster")).expect("writable");
    fs::write(&path, &with_rule).expect("writable");
    let (status, out, _) = check(&["--old", old.to_str().expect("UTF-8")]);
    assert!(status == 0 && out.contains("valid as an update"), "{out}");
    assert_eq!(check(&["--old", "nowhere.yaml"]).0, 2);
    assert_eq!(run(&Registry::new(), &["check"]).0, 2);
}

#[test]
fn check_writes_json() {
    let dir = Dir::new("check-json");
    let rule = "            x-kubernetes-validations: [{rule: 'self.replicas > 0'}]\n";
    let properties = "            properties:\n              cronSpec:";
    let crd = CRON_TABS.replace(properties, &format!("{rule}{properties}"));
    let crd = format!("{crd}---\n{}---\na: [\n", CRON_TABS.replace("default: 1}", "default: 0}"));
    fs::write(dir.path().join("crd.yaml"), crd).expect("writable");
    let file = dir.path().join("crd.yaml").display().to_string();
    let (status, out, err) = run(&Registry::new(), &["check", "-o", "json", "-f", dir.text()]);
    assert_eq!((status, &*err), (3, ""), "{out}");
    let lines: Vec<Value> =
        out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let [unreadable, valid, invalid, summary] = &lines[..] else { panic!("{out}") };
    assert_eq!(unreadable["file"], file);
    assert_eq!(unreadable["reason"], "Unreadable");
    assert_eq!((&valid["verdict"], &valid["line"]), (&json!("valid"), &json!(1)));
    assert_eq!((&valid["isUpdate"], &valid["errors"]), (&json!(false), &json!([])));
    let rule = json!({
        "version": "v1",
        "path": "v1.properties[spec].x-kubernetes-validations[0]",
        "rule": "self.replicas > 0",
        "cost": 3,
        "costOfOneRun": 3,
        "runs": 1,
        "isBounded": true,
        "shareOfLimit": 3e-7,
        "helpfulBounds": [],
    });
    assert_eq!(valid["rules"], json!([rule]));
    assert_eq!((&invalid["verdict"], &invalid["reason"]), (&json!("invalid"), &json!("Invalid")));
    let field = "spec.validation.openAPIV3Schema.properties[spec].properties[replicas].default";
    assert_eq!(invalid["errors"][0]["field"], field);
    assert_eq!(*summary, json!({"summary": {"valid": 1, "invalid": 2, "skipped": {}}}));
}

#[test]
fn unreadable_documents_fail_a_check() {
    let dir = Dir::new("check-broken");
    let (crd, broken) = (dir.path().join("crd.yaml"), dir.path().join("broken.yaml"));
    fs::write(&crd, CRON_TABS).expect("writable");
    fs::write(&broken, "a: [\n").expect("writable");
    let (crd, broken) = (crd.display().to_string(), broken.display().to_string());
    let (status, out, err) = run(&Registry::new(), &["check", "-f", &broken]);
    assert!(status == 3 && out.is_empty() && err.contains("broken.yaml:2: error: "), "{err}");
    let (status, _, err) = run(&Registry::new(), &["check", "-f", &crd, "--old", &broken]);
    assert!(status == 3 && err.contains("broken.yaml:2: "), "{err}");
}

#[test]
fn a_field_is_explained_by_any_name_of_its_kind() {
    let dir = Dir::new("explain");
    fs::write(dir.path().join("crd.yaml"), CRON_TABS).expect("writable");
    let explain = |resource: &str| run(&Registry::new(), &["explain", resource, "-f", dir.text()]);
    let want = "GROUP:      stable.example.com\nKIND:       CronTab\nVERSION:    v1\n\n\
        FIELD: replicas <integer>\n\n\nDESCRIPTION:\n    <empty>\n\n";
    for name in ["crontabs", "crontab", "ct", "crontabs.stable.example.com"] {
        assert_eq!(
            explain(&format!("{name}.spec.replicas")),
            (0, want.to_owned(), String::new()),
            "{name}"
        );
    }
    assert_eq!(explain("crontabs.spec.nope").2, "error: field \"nope\" does not exist\n");
    assert_eq!(explain("shirts").0, 2);
}

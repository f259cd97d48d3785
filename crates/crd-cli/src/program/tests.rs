//! Tests of the `crd` program, and of the files that `init` writes.

use super::*;
use crate::tests::Dir;

fn run_as(called: ProgramName, args: &[&str]) -> (u8, String, String) {
    let args = std::iter::once(called.name()).chain(args.iter().copied()).map(OsString::from);
    let (mut out, mut err) =
        (anstream::StripStream::new(Vec::new()), anstream::StripStream::new(Vec::new()));
    let streams = Streams { out: &mut out, err: &mut err, has_terminal: false, width: 80 };
    let status = execute(called, args, streams);
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (status, text(out.into_inner()), text(err.into_inner()))
}

pub(crate) fn run(args: &[&str]) -> (u8, String, String) {
    run_as(ProgramName::Crd, args)
}

fn init(dir: &Dir, below: &str, args: &[&str]) -> (u8, String, String) {
    let dir = dir.path().join(below).display().to_string();
    run(&[&["init", &dir], args].concat())
}

const KIND: [&str; 4] = ["--kind", "CronTab", "--group", "example.com"];

#[test]
fn the_program_has_its_name_and_no_kinds() {
    let (status, out, _) = run(&["--version"]);
    assert_eq!((status, &*out), (0, concat!("crd ", env!("CARGO_PKG_VERSION"), "\n")));
    let (_, help, _) = run(&["--help"]);
    assert!(help.contains("validate") && !help.contains("crds"), "{help}");
    let (status, _, err) = run(&["crds"]);
    assert!(status == 2 && err.contains("unrecognized subcommand 'crds'"), "{err}");
    let (_, help, _) = run_as(ProgramName::KubectlCrd, &["check", "--help"]);
    assert!(help.contains("Usage: kubectl crd check"), "{help}");
}

#[test]
fn completions_and_man_pages_have_every_command() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let (status, out, _) = run(&["completions", shell]);
        assert!(status == 0 && out.contains("require-crds"), "{shell}");
    }
    let (_, page, _) = run(&["man"]);
    assert!(page.contains(".TH crd 1") && page.contains("usage error"), "{page}");
    let dir = Dir::new("man");
    let (status, _, err) = run(&["man", "--out", dir.text()]);
    assert_eq!((status, &*err), (0, ""));
    assert!(dir.read("crd-validate.1").contains("require"), "{}", dir.read("crd-validate.1"));
}

#[test]
fn a_new_operator_is_a_workspace_of_its_own() {
    let dir = Dir::new("new");
    let (status, out, err) = init(&dir, "my-operator", &[&KIND[..], &["--cluster"]].concat());
    assert_eq!((status, &*err), (0, ""), "{out}");
    let manifest = dir.read("my-operator/Cargo.toml");
    for want in ["name = \"my-operator\"", "members = [\"xtask\"]", "kube = { version"] {
        assert!(manifest.contains(want), "{want}\n{manifest}");
    }
    assert!(dir.read("my-operator/src/cron_tab.rs").contains("pub struct CronTabSpec"));
    assert!(dir.read("my-operator/src/main.rs").contains("use my_operator::cron_tab::controller;"));
    let xtask = dir.read("my-operator/xtask/src/main.rs");
    assert!(xtask.contains("my_operator::cron_tab::CronTab>()"), "{xtask}");
    for file in [
        "src/cron_tab.rs",
        "src/cron_tab/controller.rs",
        "src/lib.rs",
        "tests/cron_tab.rs",
        "tests/compile_errors.rs",
        "tests/ui/cron_tab.rs",
        "tests/ui/cron_tab.stderr",
    ] {
        let text = dir.read(&format!("my-operator/{file}"));
        assert!(!text.contains('@'), "{file}\n{text}");
    }
    // A second kind, which the user adds to the registry.
    let second = ["--kind", "HTTPProbe", "--group", "example.com"];
    let (status, out, err) = init(&dir, "my-operator", &second);
    assert_eq!((status, &*err), (0, ""));
    assert!(
        out.contains("add `.crd::<my_operator::http_probe::HTTPProbe>()` to the registry"),
        "{out}"
    );
    let library = dir.read("my-operator/src/lib.rs");
    assert!(library.ends_with("pub mod cron_tab;\n\npub mod http_probe;\n"), "{library}");
}

#[test]
fn a_package_keeps_what_it_has() {
    let dir = Dir::new("existing");
    let manifest = "[workspace]\nmembers = [\"app\"] # mine\n";
    dir.write("Cargo.toml", manifest);
    let package = "[package]\nname = \"app\"\n\n[dependencies]\n# pinned\nserde = \"1.0.200\"\n\
        k8s-openapi = { version = \"0.29\", features = [\"v1_34\"] }\n";
    dir.write("app/Cargo.toml", package);
    dir.write("app/src/lib.rs", "//! Mine.\n\npub fn mine() {}\n");
    let (status, out, err) = init(&dir, "app", &KIND);
    assert_eq!((status, &*err), (0, ""), "{out}");
    let package = dir.read("app/Cargo.toml");
    for want in [
        "# pinned",
        "serde = { version = \"1.0.200\", features = [\"derive\"] }",
        "k8s-openapi = { version = \"0.29\", features = [\"v1_34\"] }",
    ] {
        assert!(package.contains(want), "{want}\n{package}");
    }
    assert_eq!(dir.read("Cargo.toml"), "[workspace]\nmembers = [\"app\", \"xtask\"] # mine\n");
    assert!(dir.read("xtask/Cargo.toml").contains("app = { path = \"../app\" }"));
    let library = dir.read("app/src/lib.rs");
    assert_eq!(library, "//! Mine.\n\npub fn mine() {}\n\npub mod cron_tab;\n");
    assert!(dir.read("app/src/bin/cron_tab_controller.rs").contains("app::cron_tab"));
    assert!(dir.read(".cargo/config.toml").contains("xtask = "));

    let (status, _, err) = init(&dir, "app", &KIND);
    assert_eq!(status, 2);
    assert!(err.contains("already exists; nothing was written"), "{err}");
    assert_eq!(dir.read("app/src/lib.rs"), library);
}

#[test]
fn a_library_may_have_a_name_of_its_own() {
    let dir = Dir::new("library");
    let package = "[package]\nname = \"acme-app\"\n\n[lib]\nname = \"app\"\n";
    dir.write("Cargo.toml", package);
    dir.write("src/lib.rs", "");
    let (status, out, err) = init(&dir, "", &KIND);
    assert_eq!((status, &*err), (0, ""), "{out}");
    let xtask = dir.read("xtask/Cargo.toml");
    assert!(
        xtask.contains("acme-app = { path = \"..\" }") && !xtask.contains("\napp ="),
        "{xtask}"
    );
    assert!(dir.read("xtask/src/main.rs").contains("app::cron_tab::CronTab>()"));
    assert!(dir.read("src/bin/cron_tab_controller.rs").contains("use app::cron_tab"));
    dir.write("none/Cargo.toml", "[lib]\nname = \"app\"\n");
    let (status, _, err) = init(&dir, "none", &KIND);
    assert!(status == 2 && err.contains("no package found"), "{err}");
}

#[test]
fn invalid_names_are_rejected() {
    let dir = Dir::new("names");
    for (args, want) in [
        (["--kind", "memcached", "--group", "example.com"], "`--kind memcached`"),
        (["--kind", "Crön", "--group", "example.com"], "`--kind Crön`"),
        (["--kind", "A", "--group", "example"], "`--group example`"),
        (["--kind", "A", "--group", "Example.com"], "`--group Example.com`"),
    ] {
        let (status, _, err) = init(&dir, "x", &args);
        assert!(status == 2 && err.contains(want), "{err}");
    }
    let (status, _, err) = init(&dir, "x", &[&KIND[..], &["--api-version", "1"]].concat());
    assert!(status == 2 && err.contains("`--api-version 1`"), "{err}");
    let (status, _, err) = init(&dir, "x", &[&KIND[..], &["--name", "9"]].concat());
    assert!(status == 2 && err.contains("`9` is not a valid package name"), "{err}");
    assert!(!dir.path().join("x").exists());
}

/// A CRD of a kind `Site`, with these fields in `spec`.
fn sites(group: &str, fields: &str) -> String {
    format!(
        "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {{name: sites.{group}}}
spec:
  group: {group}
  scope: Namespaced
  names: {{kind: Site, plural: sites, singular: site, listKind: SiteList}}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        required: [spec]
        properties:
          spec:
            type: object
            properties: {{{fields}}}
"
    )
}

#[test]
fn import_takes_over_what_has_changed() {
    let dir = Dir::new("import-into");
    let path = |name: &str| dir.path().join(name).display().to_string();
    let (old, new, file) = (path("old.yaml"), path("new.yaml"), path("site.rs"));
    dir.write("old.yaml", &sites("a.example.com", "host: {type: string}, mode: {type: string}"));
    let with_path =
        "host: {type: string, maxLength: 9}, mode: {type: boolean}, path: {type: string}";
    dir.write("new.yaml", &sites("a.example.com", with_path));
    let into = ["import", &new, "--since", &old, "--into", &file];
    assert_eq!(run(&["import", &old, "--out", &file]).0, 0);
    let edited = format!("{}\nimpl Site {{}}\n", dir.read("site.rs"));
    dir.write("site.rs", &edited);
    let (status, out, err) = run(&into);
    assert_eq!((status, err.as_str()), (0, ""));
    assert!(
        out.contains("+    #[crd(max_length = 9)]") && out.contains("+    pub path: "),
        "{out}"
    );
    let written = dir.read("site.rs");
    assert!(
        written.contains("max_length = 9") && written.ends_with("\nimpl Site {}\n"),
        "{written}"
    );
    // The second time there is nothing to do.
    assert_eq!(run(&into), (0, String::new(), String::new()));
    // The same lines have been edited.
    let own = edited.replace("mode: Option<String>", "mode: Option<Mode>");
    dir.write("site.rs", &own);
    let (status, _, err) = run(&into);
    assert!(status == 1 && err.contains("take this over by hand"), "{err}");
    assert!(dir.read("site.rs").contains("mode: Option<Mode>"));
}

#[test]
fn definitions_of_files_are_packaged() {
    let dir = Dir::new("package");
    dir.write(
        "in/site.yaml",
        &sites("a.example.com", "host: {type: string, description: 'a {{ b'}"),
    );
    let path = |name: &str| dir.path().join(name).display().to_string();
    let (input, chart) = (path("in"), path("charts/Sites"));
    let (status, out, err) = run(&["package", &input, "--format", "helm", "--out", &chart]);
    assert_eq!((status, &*err), (0, ""), "{out}");
    assert_eq!(
        dir.read("charts/Sites/Chart.yaml"),
        "apiVersion: v2\nname: sites\nversion: 0.1.0\n"
    );
    let template = dir.read("charts/Sites/templates/crds/sites.a.example.com.yaml");
    assert!(template.contains("description: a {{\"{{\"}} b\n"), "{template}");
    let args = ["package", &input, "--format", "helm", "--out", &chart, "--check"];
    assert_eq!(run(&args), (0, "1 manifest up to date\n".to_owned(), String::new()));
    let (status, out, _) = run(&["package", &input]);
    assert!(status == 0 && out.starts_with("apiVersion: apiextensions"), "{out}");
    let (status, _, err) = run(&["package", &input, "--format", "kustomize"]);
    assert!(status == 2 && err.contains("pass `--out DIR`"), "{err}");
    assert_eq!(run(&["package"]).0, 2);
}

#[test]
fn imported_kinds_of_one_name_have_modules_of_their_groups() {
    let dir = Dir::new("import-groups");
    for group in ["a.example.com", "b.example.com"] {
        dir.write(&format!("crds/{group}.yaml"), &sites(group, "host: {type: string}"));
    }
    let crds = dir.path().join("crds").display().to_string();
    let out = dir.path().join("src").display().to_string();
    assert_eq!(run(&["import", &crds, "--out", &out]).0, 0);
    assert_eq!(dir.read("src/mod.rs"), "pub mod a_site;\npub mod b_site;\n");
    assert!(dir.read("src/b_site.rs").contains("b.example.com"));
}

#[test]
fn a_migration_is_shown_and_written() {
    let dir = Dir::new("migrate");
    dir.write("Cargo.toml", "[package]\nname = \"own-crate\"\n");
    let before = "#[derive(schemars::JsonSchema)]\npub struct A {\n    #[serde(default)]\n    a: own_crate::B,\n}\n";
    dir.write("src/a.rs", before);
    dir.write("target/built.rs", "#[derive(schemars::JsonSchema)]\nstruct Built;\n");
    let src = dir.path().display().to_string();
    let (status, out, err) = run(&["migrate", &src, "--check"]);
    assert_eq!(status, 1, "{err}");
    assert!(out.contains("+#[derive(crd_runtime::CrdSchema)]\n"), "{out}");
    assert_eq!(dir.read("src/a.rs"), before);
    let (status, out, err) = run(&["migrate", &src]);
    assert_eq!((status, out), (0, format!("{src}/src/a.rs\n")), "{err}");
    assert!(
        err.starts_with("1 files changed, 1 defaults of serde taken over, 0 edits left"),
        "{err}"
    );
    assert!(err.contains("`cargo add crd-runtime --features client`"), "{err}");
    assert!(dir.read("src/a.rs").contains("#[crd(default)]"));
    let (status, out, _) = run(&["migrate", &src, "--check"]);
    assert_eq!((status, &*out), (0, ""), "it is done");
}

#[test]
fn a_file_that_is_not_rust_is_not_migrated() {
    let dir = Dir::new("migrate-broken");
    let broken = "#[derive(schemars::JsonSchema)]\nstruct A {\n";
    dir.write("a.rs", broken);
    let (status, _, err) = run(&["migrate", &dir.path().display().to_string()]);
    assert_eq!(status, 3, "{err}");
    assert!(err.contains("a.rs:"), "{err}");
    assert_eq!(dir.read("a.rs"), broken);
}

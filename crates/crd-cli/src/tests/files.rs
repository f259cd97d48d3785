//! Which files are read, and the reports about files that are not objects.

use std::fs;

use super::{CRON_TABS, Dir, INVALID, Registry, VALID, run};

const CONFIG_MAP: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n";
const FOREIGN: &str = "apiVersion: cache.example.com/v1\nkind: Memcached\nmetadata: {name: m}\n";

pub(super) fn tree(name: &str, files: &[(&str, &str)]) -> Dir {
    let dir = Dir::new(name);
    for (path, text) in files {
        dir.write(path, text);
    }
    dir
}

/// Paths need not be UTF-8. They are printed with replacements.
#[cfg(target_os = "linux")]
#[test]
fn paths_are_bytes() {
    use std::ffi::{OsStr, OsString};
    use std::os::unix::ffi::OsStrExt as _;
    let dir = Dir::new("bytes");
    let deep = dir.path().join(OsStr::from_bytes(b"caf\xe9"));
    fs::create_dir(&deep).expect("a directory");
    let file = deep.join(OsStr::from_bytes(b"\xff.yaml"));
    fs::write(&file, format!("{CRON_TABS}---\n{VALID}")).expect("writable");
    let run = |registry: &Registry, args: &[&OsStr]| {
        let args = args.iter().map(OsString::from).collect();
        let (status, out, err) = super::run_os(registry, args);
        (status, (out + &err).replace(&format!("{}/", dir.text()), ""))
    };
    for path in [dir.path(), &deep, &file] {
        let (status, out) = run(&Registry::new(), &["validate".as_ref(), path.as_os_str()]);
        let want = "caf\u{fffd}/\u{fffd}.yaml:23: crontab.stable.example.com/good valid\n";
        assert!(status == 0 && out.contains(want), "{out}");
    }
    let out = [OsStr::new("crds"), "--out".as_ref(), deep.as_os_str()];
    let (status, text) = run(&super::widgets(), &out);
    assert_eq!((status, &*text), (0, "caf\u{fffd}/widgets.example.com.yaml created\n"));
    assert_eq!(run(&super::widgets(), &[&out[..], &["--check".as_ref()]].concat()).0, 0);
}

fn validate(args: &[&str]) -> (u8, String) {
    let (status, out, err) = run(&Registry::new(), &[&["validate"], args].concat());
    (status, out + &err)
}

#[test]
fn files_may_be_given_without_an_option() {
    let dir = tree("positional", &[("crd.yaml", CRON_TABS), ("a.yaml", VALID)]);
    let path = |name: &str| dir.path().join(name).display().to_string();
    let (crd, object) = (path("crd.yaml"), path("a.yaml"));
    for args in [&[&*crd, &*object][..], &[&*object, "-f", &*crd], &["-f", &*object, &*crd]] {
        let (status, out) = validate(args);
        assert!(status == 0 && out.ends_with("2 valid, 0 invalid\n"), "{args:?}: {out}");
    }
    let (status, out) = validate(&[]);
    assert_eq!(status, 2);
    assert!(out.starts_with("error: no files given; pass files, directories"), "{out}");
    let explain = run(&Registry::new(), &["explain", "ct.spec", &crd]);
    assert_eq!(explain.0, 0, "{}", explain.2);
    assert_eq!(run(&Registry::new(), &["check", &crd]).0, 0);
    assert_eq!(run(&Registry::new(), &["get", &crd, &object]).0, 0);
}

#[test]
fn an_object_without_a_crd_is_rejected_with_require_crds() {
    let dir = tree("require", &[("c.yaml", CONFIG_MAP), ("m.yaml", FOREIGN)]);
    let (status, out) = validate(&[dir.text()]);
    assert!(
        status == 0
            && out.ends_with("1 valid, 0 invalid, 1 skipped: Memcached.cache.example.com (1)\n"),
        "{out}"
    );
    let (status, out) = validate(&["--require-crds", dir.text()]);
    assert_eq!(status, 1);
    let want = "no matches for kind \"Memcached\" in version \"cache.example.com/v1\": its CRD is not among the files";
    assert!(out.contains(want), "{out}");
    assert!(out.ends_with("1 valid, 1 invalid\n"), "{out}");
    let lifecycle =
        "apiVersion: lifecycle.k8s.io/v1alpha1\nkind: EvictionRequest\nmetadata: {name: a}\n";
    let dir = tree("require-own", &[("l.yaml", lifecycle)]);
    assert_eq!(validate(&["--require-crds", dir.text()]).0, 0);
    // A CRD that comes after its objects is among the files.
    let dir = tree("require-late", &[("a.yaml", VALID), ("z.yaml", CRON_TABS)]);
    assert_eq!(validate(&["--require-crds", dir.text()]).0, 0);
}

#[test]
fn files_are_ignored_by_name_and_by_path() {
    let files = [
        ("crds/crd.yaml", CRON_TABS),
        ("chart/values.yaml", "replicas: 1\n"),
        ("chart/templates/a.yaml", "{{- if .Values.x }}\na: 1\n{{- end }}\n"),
        ("bad/one.yaml", INVALID),
        ("bad/two.yml", INVALID),
        ("good.yaml", VALID),
    ];
    let dir = tree("ignore", &files);
    let count = |globs: &[&str]| {
        let globs = globs.iter().flat_map(|glob| ["--ignore", *glob]);
        let args: Vec<&str> = globs.chain(["-f", dir.text()]).collect();
        let out = validate(&args).1;
        out.lines().last().map(str::to_owned)
    };
    let some_text = |text: &str| Some(text.to_owned());
    assert_eq!(count(&[]), some_text("2 valid, 3 invalid, 1 skipped: (no kind) (1)"));
    assert_eq!(count(&["values.yaml", "templates", "bad"]), some_text("2 valid, 0 invalid"));
    assert_eq!(count(&["chart", "bad/*.yaml"]), some_text("2 valid, 1 invalid"));
    assert_eq!(count(&["**/t*", "chart/*.yaml"]), some_text("2 valid, 1 invalid"));
    assert_eq!(count(&["*/one.yaml", "*.yml", "chart/**"]), some_text("2 valid, 0 invalid"));
    let (status, out) = validate(&["--ignore", "*", dir.text()]);
    assert!(status == 2 && out.contains("no documents found"), "{out}");
    let (status, out) = validate(&["--ignore", "[", dir.text()]);
    assert!(status == 2 && out.contains("--ignore"), "{out}");
}

#[test]
fn files_of_helm_and_kustomize_have_a_hint() {
    let files = [
        ("Chart.yaml", "apiVersion: v2\nname: x\n"),
        ("kustomization.yaml", "resources: [a.yaml]\n"),
        ("templates/a.yaml", "{{- if .Values.x }}\na: 1\n{{- end }}\n"),
        ("templates/b.yaml", "apiVersion: v1\nkind: Pod\nmetadata:\n  name: {{ .Values.name }}\n"),
        ("values.yaml", "replicas: 1\n"),
    ];
    let dir = tree("hints", &files);
    let paths = files.map(|(name, _)| dir.path().join(name).to_str().expect("text").to_owned());
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let (status, out) = validate(&paths);
    assert_eq!(status, 3);
    assert_eq!(out.matches("  hint: ").count(), 5, "{out}");
    assert_eq!(out.matches("helm template CHART | crd validate").count(), 4, "{out}");
    assert_eq!(out.matches("kubectl kustomize DIR | crd validate").count(), 1, "{out}");
    let (_, out) = validate(&[&["-o", "json"], &paths[..]].concat());
    assert_eq!(out.matches("\"hint\":").count(), 5, "{out}");
    // In a directory, what has neither `apiVersion` nor `kind` is skipped.
    let (status, out) = validate(&[dir.text()]);
    assert!(status == 3 && out.contains("3 invalid, 2 skipped: (no kind) (2)"), "{out}");
    let (_, _, err) = run(&Registry::new(), &["check", dir.text()]);
    assert!(err.contains("  hint: `{{` may begin a template"), "{err}");
}

#[test]
fn directories_of_tools_are_skipped() {
    let dir = tree(
        "tools",
        &[
            (".github/workflows/ci.yml", "on: push\njobs: {}\n"),
            ("package.json", "{\"name\": \"x\"}"),
            ("ok.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"),
        ],
    );
    let (status, out, err) = run(&Registry::new(), &["validate", dir.text()]);
    assert_eq!((status, &*err), (0, ""), "{out}");
    assert!(out.contains("1 skipped: (no kind) (1)"), "{out}");
    // A directory that is named is read, and a file that is named holds objects, unless an option says otherwise.
    let named = dir.path().join(".github");
    let (status, out, _) = run(&Registry::new(), &["validate", named.to_str().expect("text")]);
    assert!(status == 0 && out.contains("1 skipped: (no kind) (1)"), "{out}");
    let named = dir.path().join("package.json");
    let named = named.to_str().expect("text");
    assert_eq!(run(&Registry::new(), &["validate", named]).0, 3);
    assert_eq!(run(&Registry::new(), &["validate", "--only-objects", named]).0, 0);
}

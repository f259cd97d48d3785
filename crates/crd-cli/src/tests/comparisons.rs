//! `diff`: its inputs, outputs and exit statuses.

use std::process::Command;

use serde_json::{Value, json};

use super::{CRON_TABS, Dir, Registry, run};
use crd_engine::convert::Converter;

/// A directory with definitions before and after: a bound is narrowed, and a default is another one.
struct Case(Dir);

impl Case {
    fn new(name: &str) -> Self {
        let dir = Dir::new(name);
        dir.write("old.yaml", CRON_TABS);
        dir.write("new.yaml", &narrowed());
        Self(dir)
    }

    fn run(&self, args: &[&str]) -> (u8, String, String) {
        let (old, new) = (self.path("old.yaml"), self.path("new.yaml"));
        let (status, out, err) =
            run(&Registry::new(), &[&["diff", &old, &new, "--objects", "100"], args].concat());
        let shown = |text: String| text.replace(&format!("{}/", self.0.text()), "");
        (status, shown(out), shown(err))
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }
}

fn narrowed() -> String {
    CRON_TABS.replace("maximum: 10, default: 1", "maximum: 5, default: 2")
}

const REFUSED: &str = "spec.replicas in body should be less than or equal to 5";

#[test]
fn people_read_each_change_with_its_witness() {
    let (status, out, err) = Case::new("diff-human").run(&[]);
    assert_eq!((status, &*err), (1, ""), "{out}");
    let start = "new.yaml:21: error[bound-narrowed]: crontabs.stable.example.com v1: spec.replicas: `maximum` was 10, and is 5\n  matters for: writers, stored\n  OLD admits:\n    apiVersion: stable.example.com/v1\n";
    assert!(out.starts_with(start), "{out}");
    assert!(out.contains(REFUSED) && out.contains("warning[default-changed]"), "{out}");
    assert!(
        out.contains(
            "  if it is stored already: a write that leaves the value as it is, is admitted\n"
        ),
        "{out}"
    );
    assert!(out.ends_with("1 error, 1 warning, 1 note\n"), "{out}");
}

#[test]
fn programs_read_each_change_as_a_line() {
    let (status, out, _) = Case::new("diff-json").run(&["-o", "json"]);
    let lines: Vec<Value> =
        out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let [narrowed, changed, compared, summary] = &lines[..] else { panic!("{out}") };
    assert_eq!(
        (status, &narrowed["id"], &narrowed["line"]),
        (1, &json!("bound-narrowed"), &json!(21))
    );
    assert_eq!(narrowed["mattersFor"], json!(["writers", "stored"]));
    assert_eq!((&narrowed["before"], &narrowed["after"]), (&json!(10), &json!(5)));
    assert_eq!(narrowed["witness"]["admittedBy"], "old");
    assert_eq!(
        (&changed["id"], &changed["severity"]),
        (&json!("default-changed"), &json!("warning"))
    );
    assert_eq!(
        (&compared["id"], &compared["severity"]),
        (&json!("objects-compared"), &json!("note"))
    );
    assert_eq!(summary["summary"], json!({"errors": 1, "warnings": 1, "notes": 1}));
}

#[test]
fn the_formats_of_other_systems_have_the_witness_too() {
    let case = Case::new("diff-formats");
    let (status, out, _) = case.run(&["-o", "markdown"]);
    assert_eq!(status, 1);
    assert!(out.contains("- \u{274c} **bound-narrowed** crontabs.stable.example.com v1 (new.yaml:21): spec.replicas: `maximum` was 10, and is 5\n"), "{out}");
    assert!(out.contains("    ```yaml\n    apiVersion: stable.example.com/v1\n"), "{out}");
    let (status, out, _) = case.run(&["-o", "github"]);
    assert_eq!(status, 1);
    assert!(
        out.contains("::error file=new.yaml,line=21,title=crontabs.stable.example.com v1::")
            && out.contains(REFUSED),
        "{out}"
    );
    let (status, out, _) = case.run(&["-o", "sarif"]);
    let log: Value = serde_json::from_str(&out).expect("JSON");
    let result = &log["runs"][0]["results"][0];
    assert_eq!(
        (status, &result["ruleId"], &result["level"]),
        (1, &json!("bound-narrowed"), &json!("error"))
    );
    let region = &result["locations"][0]["physicalLocation"]["region"];
    assert_eq!(region["startLine"], 21);
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().expect("rules");
    assert!(rules.iter().any(|rule| rule["shortDescription"]["text"] == "A minimum or maximum is new or closer"), "{out}");
}

#[test]
fn the_exit_status_says_what_was_found() {
    let case = Case::new("diff-status");
    assert_eq!(case.run(&["--errors-for", "clients"]).0, 0);
    assert_eq!(case.run(&["--errors-for", "clients", "--deny-warnings"]).0, 1);
    let old = case.path("old.yaml");
    assert_eq!(run(&Registry::new(), &["diff", &old, &old]).0, 0);
    case.0.write("broken.yaml", "a: [\n");
    case.0.write("other.yaml", "kind: Other\n");
    for (name, message) in [
        ("nowhere.yaml", "nowhere.yaml"),
        ("broken.yaml", "broken.yaml:2: line 2, column 1: "),
        ("other.yaml", "other.yaml: no CRDs of apiextensions.k8s.io/v1 found in the documents"),
    ] {
        let (status, _, err) = run(&Registry::new(), &["diff", &old, &case.path(name)]);
        assert!(status == 2 && err.contains(message), "{err}");
    }
    let (status, _, err) = run(&Registry::new(), &["diff", &old]);
    assert!(
        status == 2 && err.contains("pass the definitions after as a second argument"),
        "{err}"
    );
}

#[test]
fn an_allowed_change_is_a_note_with_its_reason() {
    let case = Case::new("diff-allowed");
    let allow = |path: &str| {
        let text = format!(
            "[[allow]]\nid = \"bound-narrowed\"\npath = \"{path}\"\nreason = \"nobody has so many\"\n"
        );
        case.0.write("allowed.toml", &text);
        case.run(&["--allowed", &case.path("allowed.toml")])
    };
    let (status, out, err) = allow("spec.replicas");
    assert_eq!((status, &*err), (0, ""), "{out}");
    assert!(
        out.contains("note[bound-narrowed]") && out.contains("  allowed: nobody has so many\n"),
        "{out}"
    );
    let (status, _, err) = allow("spec.image");
    let want = "warning: `bound-narrowed` at `spec.image` allows no change\n";
    assert_eq!((status, &*err), (1, want));
    case.0.write("allowed.toml", "[[allow]]\nid = \"bound-narrowed\"\n");
    let (status, _, err) = case.run(&["--allowed", &case.path("allowed.toml")]);
    assert!(
        status == 2 && err.contains("allowed.toml: an entry of `[[allow]]` has no `reason`"),
        "{err}"
    );
}

#[test]
fn defaults_that_the_server_sets_are_no_change() {
    let case = Case::new("diff-defaults");
    let explicit = CRON_TABS
        .replace("kind: CronTab,", "kind: CronTab, listKind: CronTabList,")
        .replace("  scope: Namespaced", "  scope: Namespaced\n  conversion: {strategy: None}");
    case.0.write("new.yaml", &explicit);
    case.0.write("old.yaml", &CRON_TABS.replace("singular: crontab, ", ""));
    assert_eq!(
        case.run(&["--all"]),
        (0, "0 errors, 0 warnings, 0 notes\n".to_owned(), String::new())
    );
}

#[test]
fn a_side_has_one_definition_of_a_name() {
    let case = Case::new("diff-twice");
    case.0.write("new.yaml", &format!("{}\n---\n{}", narrowed(), narrowed()));
    assert_eq!(case.run(&[]).0, 1);
    case.0.write("new.yaml", &format!("{}\n---\n{CRON_TABS}", narrowed()));
    let (status, _, err) = case.run(&[]);
    assert_eq!(status, 2);
    assert!(err.contains("crontabs.stable.example.com is already defined in new.yaml"), "{err}");
}

#[test]
fn differences_between_versions_name_the_versions() {
    let dir = Dir::new("diff-served");
    let text = json!({"type": "string"});
    let schema = |spec: Value| json!({"type": "object", "properties": {"spec": {"type": "object", "properties": spec}}});
    let one = || crd_fixtures::widget(schema(json!({"a": text})));
    dir.write("old.json", &one().json().to_string());
    dir.write(
        "new.json",
        &one().version("v2", schema(json!({"a": text, "b": text}))).json().to_string(),
    );
    let path = |name: &str| dir.path().join(name).display().to_string();
    let (status, out, _) = run(&Registry::new(), &["diff", &path("old.json"), &path("new.json")]);
    assert_eq!(status, 0, "{out}");
    let start = format!(
        "{}: warning[field-removed]: widgets.example.com v2 -> v1: spec.b: is gone",
        path("new.json")
    );
    assert!(out.starts_with(&start), "{out}");
    assert!(out.contains("  v2 admits:\n") && out.contains("  v1 refuses it: "), "{out}");
}

/// Two versions, which a webhook converts.
fn converted() -> Value {
    let webhook = json!({"conversionReviewVersions": ["v1"], "clientConfig": {"url": "https://x.example.com"}});
    let schema = |field: &str| {
        let spec = json!({"type": "object", "properties": {field: {"type": "string"}}});
        json!({"type": "object", "properties": {"spec": spec}})
    };
    crd_fixtures::widget(schema("a"))
        .version("v2", schema("b"))
        .set("/spec/conversion", json!({"strategy": "Webhook", "webhook": webhook}))
        .json()
}

/// Renames the field. The way back loses it if `lost`.
fn renaming(lost: bool) -> Converter {
    let step = |from: &'static str, to: &'static str, lost: bool| {
        move |mut object: Value| {
            if let Some(spec) = object.get_mut("spec").and_then(Value::as_object_mut)
                && let Some(value) = spec.remove(from)
                && !lost
            {
                spec.insert(to.to_owned(), value);
            }
            Ok(object)
        }
    };
    Converter::new("example.com", "Widget")
        .without_annotation()
        .step("v1", "v2", step("a", "b", false))
        .step("v2", "v1", step("b", "a", lost))
}

#[test]
fn registered_conversions_are_tried_there_and_back() {
    let dir = Dir::new("diff-conversion");
    dir.write("old.json", &converted().to_string());
    let old = dir.path().join("old.json").display().to_string();
    let compare = |lost: bool| {
        let registry = Registry::new().manifest(&converted()).converter(renaming(lost));
        run(&registry, &["diff", &old, "--all", "--objects", "200"])
    };
    let (status, out, err) = compare(false);
    assert_eq!((status, &*err), (0, ""), "{out}");
    assert!(out.contains("note[conversion-compared]"), "{out}");
    let (status, out, _) = compare(true);
    assert!(status == 1 && out.contains("error[conversion-loses]"), "{out}");
    assert!(out.contains("  in the other version:\n"), "{out}");
    // Without a converter, nothing is known.
    let (status, out, _) = run(&Registry::new().manifest(&converted()), &["diff", &old, "--all"]);
    assert!(status == 0 && out.contains("note[conversion-unknown]"), "{out}");
}

/// Answers reviews on a port of loopback, until the test ends. Returns the URL.
#[cfg(feature = "client")]
fn serve(converter: Converter) -> String {
    use std::io::{BufRead as _, BufReader, Read as _, Write as _};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            let mut reader = BufReader::new(stream.try_clone().expect("a stream"));
            loop {
                let (mut line, mut length) = (String::new(), 0);
                while reader.read_line(&mut line).is_ok_and(|read| read > 2) {
                    let lower = line.to_lowercase();
                    if let Some(text) = lower.strip_prefix("content-length:") {
                        length = text.trim().parse().expect("a length");
                    }
                    line.clear();
                }
                let mut body = vec![0; length];
                if length == 0 || reader.read_exact(&mut body).is_err() {
                    break;
                }
                let reply = converter.review(&body).expect("a review");
                let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", reply.len());
                stream.write_all(&[head.as_bytes(), &reply].concat()).expect("a client");
            }
        }
    });
    format!("http://{address}/convert")
}

#[cfg(feature = "client")]
#[test]
fn a_conversion_webhook_is_called_at_its_url() {
    let dir = Dir::new("diff-webhook");
    dir.write("old.json", &converted().to_string());
    let old = dir.path().join("old.json").display().to_string();
    let compare = |url: &str| {
        let flags = ["--all", "--objects", "60", "--conversion-webhook", url];
        run(&Registry::new(), &[&["diff", &old, &old], &flags[..]].concat())
    };
    let (status, out, err) = compare(&serve(renaming(false)));
    assert_eq!((status, &*err), (0, ""), "{out}");
    assert!(out.contains("note[conversion-compared]"), "{out}");
    let (status, out, _) = compare(&serve(renaming(true)));
    assert!(status == 1 && out.contains("error[conversion-loses]"), "{out}");
    // One that does not convert, one that is not there, and what is no URL.
    let none = Converter::new("example.com", "Widget").without_annotation();
    let (status, _, err) = compare(&serve(none));
    assert!(status == 2 && err.contains("no conversion leads from `v2` to `v1`"), "{err}");
    let (status, _, err) = compare("http://127.0.0.1:1/convert");
    assert!(status == 2 && err.contains("the webhook does not answer"), "{err}");
    let (status, _, err) = compare("localhost");
    assert!(status == 2 && err.contains("localhost: not a URL"), "{err}");
    let (status, _, err) =
        Case::new("diff-no-webhook").run(&["--conversion-webhook", "http://127.0.0.1:1"]);
    assert!(status == 2 && err.contains("no definition of NEW is converted"), "{err}");
}

/// A repository with the definitions before in a commit, and those after in the directory.
fn repository() -> Dir {
    let dir = Dir::new("diff-git");
    dir.write("crds/crontabs.yaml", CRON_TABS);
    dir.write("crds/notes.txt", "not a manifest");
    let git = |args: &[&str]| {
        let name = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-C", dir.text()];
        let done = Command::new("git").args(name).args(args).output().expect("git");
        assert!(done.status.success(), "{args:?}: {}", String::from_utf8_lossy(&done.stderr));
    };
    git(&["init", "--quiet", "--initial-branch", "main"]);
    git(&["add", "."]);
    git(&["commit", "--quiet", "--message", "before"]);
    git(&["branch", "release/1.0"]);
    dir.write("crds/crontabs.yaml", &narrowed());
    git(&["add", "."]);
    git(&["commit", "--quiet", "--message", "after"]);
    dir
}

#[test]
#[ignore = "it runs git"]
fn a_side_can_be_a_commit() {
    let dir = repository();
    let path = dir.path().join("crds").display().to_string();
    let diff = |old: &str, new: &str| run(&Registry::new(), &["diff", old, new, "--objects", "10"]);
    let file = format!("{path}/crontabs.yaml");
    // A branch with a slash, a commit before another one, and a path that is that of the other side.
    for old in [
        format!("git:release/1.0:{path}"),
        format!("git:HEAD^:{file}"),
        format!("git:main~1:{file}"),
        "git:HEAD~1".to_owned(),
    ] {
        let (status, out, err) = diff(&old, &path);
        assert!(status == 1 && out.contains("error[bound-narrowed]"), "{old}: {out}{err}");
    }
    let (status, out, err) = diff(&path, "git:release/1.0");
    assert_eq!((status, &*err), (0, ""), "{out}");
    // What is gone has its place in the commit.
    let (status, out, _) = diff(&format!("git:HEAD:{path}"), &format!("git:HEAD:{path}"));
    assert_eq!((status, &*out), (0, "0 errors, 0 warnings, 0 notes\n"));
    for (old, message) in [
        ("git:nowhere", "git:nowhere: fatal: Not a valid object name nowhere"),
        ("git:-x", "git:-x: not the name of a commit"),
        ("git:", "git:: not the name of a commit"),
    ] {
        let (status, _, err) = diff(old, &path);
        assert!(status == 2 && err.contains(message), "{err}");
    }
    let (status, _, err) = diff(&format!("git:HEAD:{path}/nothing.yaml"), &path);
    assert!(status == 2 && err.contains("git:HEAD: there is no file or directory"), "{err}");
    let check = ["check", &path, "--old", "git:HEAD^"];
    let (status, out, err) = run(&Registry::new(), &check);
    assert!(status == 0 && out.contains("valid as an update"), "{out}{err}");
    // Definitions that are kept elsewhere are not part of the commit.
    let elsewhere = Dir::new("diff-git-elsewhere");
    let crds = elsewhere.write("crds.yaml", CRON_TABS).display().to_string();
    let object = "apiVersion: stable.example.com/v1\nkind: CronTab\nmetadata: {name: a}\nspec: {replicas: 1}\n";
    let object = dir.write("objects/a.yaml", object).display().to_string();
    let validate = ["validate", "--crds", &crds, "--old", "git:HEAD", &object];
    let (status, out, err) = run(&Registry::new(), &validate);
    assert!(status == 0 && !out.contains("not a git repository"), "{out}{err}");
}

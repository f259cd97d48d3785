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
        ("other.yaml", "other.yaml: no CRDs found in the documents"),
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

#[test]
fn registered_conversions_are_tried_there_and_back() {
    let dir = Dir::new("diff-conversion");
    dir.write("old.json", &converted().to_string());
    let old = dir.path().join("old.json").display().to_string();
    let converter = |from: &'static str, lost: bool| {
        let (to, other) = if from == "a" { ("b", "v2") } else { ("a", "v1") };
        let step = move |mut object: Value| {
            if let Some(spec) = object.get_mut("spec").and_then(Value::as_object_mut)
                && let Some(value) = spec.remove(from)
                && !lost
            {
                spec.insert(to.to_owned(), value);
            }
            Ok(object)
        };
        (if other == "v2" { "v1" } else { "v2" }, other, step)
    };
    let compare = |lost: bool| {
        let (there, back) = (converter("a", false), converter("b", lost));
        let converter = Converter::new("example.com", "Widget")
            .without_annotation()
            .step(there.0, there.1, there.2)
            .step(back.0, back.1, back.2);
        let registry = Registry::new().manifest(&converted()).converter(converter);
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
}

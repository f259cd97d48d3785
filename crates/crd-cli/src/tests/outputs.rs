//! The output formats for programs.

use std::fs;

use serde_json::Value;

use super::{CRON_TABS, Dir, INVALID, Registry, VALID, run, widgets};

/// A directory with a CRD, valid and invalid objects. Its path is removed from the output of commands.
struct Case(Dir);

impl Case {
    fn new(name: &str) -> Self {
        let dir = Dir::new(name);
        for (name, text) in [
            ("bad.yaml", INVALID),
            ("crd.yaml", CRON_TABS),
            ("good.yaml", VALID),
            ("list.yaml", LIST),
            ("other.yaml", "apiVersion: v1\nkind: Other\nmetadata: {name: s}\n"),
        ] {
            fs::write(dir.path().join(name), text).expect("writable");
        }
        Self(dir)
    }

    fn run(&self, command: &str, args: &[&str]) -> (u8, String) {
        let args = [&[command, self.0.text()], args].concat();
        let (status, out, err) = run(&Registry::new(), &args);
        assert_eq!(err, "");
        (status, out.replace(&format!("{}/", self.0.text()), ""))
    }
}

/// A list with two items. One is invalid, with a comma and a percent sign in the error.
const LIST: &str = "apiVersion: v1
kind: List
items:
- apiVersion: stable.example.com/v1
  kind: CronTab
  metadata: {name: first}
  spec: {cronSpec: '* * * * */5', image: i}
- apiVersion: stable.example.com/v1
  kind: CronTab
  metadata: {name: second}
  spec:
    image: i

    cronSpec: '100%, never'
";

#[test]
fn github_shows_errors_at_their_lines() {
    let (status, out) = Case::new("github").run("validate", &["-o", "github", "-q"]);
    assert_eq!(status, 1);
    let lines: Vec<&str> = out.lines().collect();
    for field in ["cronSpec", "replicas"] {
        let want =
            format!("::error file=bad.yaml,line=4,title=CronTab bad::spec.{field}: Invalid value");
        assert!(lines.iter().any(|line| line.starts_with(&want)), "{want}\n{out}");
    }
    let want = "::error file=list.yaml,line=14,title=CronTab second::spec.cronSpec: Invalid value: \"100%25, never\"";
    assert!(lines.iter().any(|line| line.starts_with(want)), "{out}");
}

#[test]
fn github_escapes_what_ends_a_command() {
    let dir = Dir::new("github-escapes");
    let text = "apiVersion: v1\nkind: \"A, b:\\n%\"\nkind: c\n";
    fs::write(dir.path().join("a,b:c.yaml"), text).expect("writable");
    let (_, out, _) = run(&Registry::new(), &["validate", "-o", "github", dir.text()]);
    assert!(
        out.contains("a%2Cb%3Ac.yaml,line=1,title=c (no name)::line 3, column 1: key"),
        "{out}"
    );
    assert_eq!(out.lines().count(), 2, "{out}");
}

#[test]
fn junit_counts_its_cases() {
    let (status, out) = Case::new("junit").run("validate", &["-o", "junit"]);
    assert_eq!(status, 1);
    let want = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<testsuites tests=\"6\" failures=\"2\" errors=\"0\">
  <testsuite name=\"crd validate\" tests=\"6\" failures=\"2\" errors=\"0\" skipped=\"1\">
";
    assert!(out.starts_with(want), "{out}");
    for want in [
        "    <testcase name=\"CustomResourceDefinition crontabs.stable.example.com\" classname=\"crd.yaml\" \
         file=\"crd.yaml\" line=\"1\"/>\n",
        "<failure message=\"spec.cronSpec: Invalid value: &quot;100%, never&quot;",
        ">list.yaml:14: spec.cronSpec: Invalid value: &quot;100%, never&quot;",
        "type=\"FieldValueInvalid\">",
        "<skipped message=\"no CRD of this kind\"/>",
    ] {
        assert!(out.contains(want), "{want}\n{out}");
    }
    assert!(out.ends_with("  </testsuite>\n</testsuites>\n"), "{out}");
    assert_eq!(out.matches("<testcase ").count(), 6);
    assert_eq!(
        out.matches("</testcase>").count() + out.matches("\"/>\n    <testcase").count(),
        6,
        "{out}"
    );
}

#[test]
fn junit_replaces_characters_that_xml_lacks() {
    let dir = Dir::new("junit-characters");
    let text = VALID.replace("good", "\"a\\u0001<&>\\uFFFFb\"");
    fs::write(dir.path().join("a.yaml"), text).expect("writable");
    fs::write(dir.path().join("crd.yaml"), CRON_TABS).expect("writable");
    let (_, out, _) = run(&Registry::new(), &["validate", "-o", "junit", dir.text()]);
    assert!(out.contains("name=\"CronTab a\u{fffd}&lt;&amp;&gt;\u{fffd}b\""), "{out}");
    let is_known = |c| matches!(c, '\n' | ' '..='\u{fffd}');
    assert!(out.chars().all(is_known), "{out}");
}

/// Checks what the schema of SARIF 2.1.0 requires of the written parts.
fn check_sarif(log: &Value) {
    assert_eq!(log["version"], "2.1.0");
    assert!(log["$schema"].as_str().is_some_and(|schema| schema.ends_with("sarif-2.1.0.json")));
    let [run] = &log["runs"].as_array().expect("runs")[..] else { panic!("one run") };
    let driver = &run["tool"]["driver"];
    assert!(driver["name"].is_string() && driver["version"].is_string());
    let rules = driver["rules"].as_array().expect("rules");
    for rule in rules {
        assert!(rule["id"].is_string() && rule["shortDescription"]["text"].is_string());
    }
    for result in run["results"].as_array().expect("results") {
        let index =
            usize::try_from(result["ruleIndex"].as_u64().expect("an index")).expect("small");
        assert_eq!(rules[index]["id"], result["ruleId"]);
        assert!(matches!(result["level"].as_str(), Some("error" | "warning")));
        assert!(result["message"]["text"].as_str().is_some_and(|text| !text.is_empty()));
        for location in result["locations"].as_array().expect("locations") {
            let physical = &location["physicalLocation"];
            let uri = physical["artifactLocation"]["uri"].as_str().expect("a URI");
            assert!(uri.bytes().all(|byte| byte.is_ascii_graphic()), "{uri}");
            assert!(physical["region"]["startLine"].as_u64().is_some_and(|line| line > 0));
        }
    }
}

#[test]
fn decode_errors_are_shown_at_the_field_at_fault() {
    let object = "apiVersion: stable.example.com/v1\nkind: CronTab\nmetadata:\n  name: a\n  labels:\n    a: b\n    c: 1\nspec:\n  cronSpec: '* * * * *'\n";
    let unknown = format!("{object}  extra: 1\n").replace("c: 1", "c: d");
    let case = Case::new("decode-lines");
    for (name, text, line) in [("label.yaml", object, 7), ("unknown.yaml", &*unknown, 10)] {
        fs::write(case.0.path().join(name), text).expect("writable");
        let (_, out) = case.run("validate", &["--output", "github", "-q"]);
        assert!(out.contains(&format!("{name},line={line},")), "{out}");
    }
}

#[test]
fn sarif_names_rules_and_lines() {
    let case = Case::new("sarif");
    fs::write(case.0.path().join("\u{fc} 1.yaml"), "a: [\n").expect("writable");
    let (status, out) = case.run("validate", &["--output", "sarif"]);
    assert_eq!(status, 3);
    let log: Value = serde_json::from_str(&out).expect("JSON");
    check_sarif(&log);
    let results = log["runs"][0]["results"].as_array().expect("results");
    let at = |file: &str| {
        let uri = |result: &&Value| {
            let location = &result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
            location.as_str().is_some_and(|uri| uri.ends_with(file))
        };
        results.iter().find(uri).unwrap_or_else(|| panic!("nothing of {file}: {out}"))
    };
    assert_eq!(at("list.yaml")["locations"][0]["physicalLocation"]["region"]["startLine"], 14);
    assert_eq!(
        at("list.yaml")["locations"][0]["logicalLocations"][0]["fullyQualifiedName"],
        "CronTab second"
    );
    assert_eq!(at("/%C3%BC%201.yaml")["ruleId"], "Unreadable");
    // Without results, the output is a valid log, too.
    let (_, out, _) = run(&widgets(), &["check", "-o", "sarif"]);
    check_sarif(&serde_json::from_str(&out).expect("JSON"));
}

#[test]
fn errors_of_a_crd_have_their_lines() {
    let dir = Dir::new("check-lines");
    let crd = CRON_TABS.replace("default: 1}", "default: 0}");
    let line = crd.lines().position(|line| line.contains("default: 0}")).map_or(0, |line| line + 1);
    fs::write(dir.path().join("crd.yaml"), format!("{CRON_TABS}---\n{crd}")).expect("writable");
    let line = line + CRON_TABS.lines().count() + 1;
    let (status, out, _) = run(&Registry::new(), &["check", "-o", "json", dir.text()]);
    assert_eq!(status, 1);
    let line_of_output: Value =
        serde_json::from_str(out.lines().nth(1).unwrap_or_default()).expect("JSON");
    assert_eq!(line_of_output["errors"][0]["line"], line, "{out}");
    for output in ["github", "junit", "sarif"] {
        let (status, out, err) = run(&Registry::new(), &["check", "-o", output, dir.text()]);
        assert_eq!((status, &*err), (1, ""));
        assert!(out.contains(&line.to_string()), "{out}");
    }
}

#[test]
fn tables_fit_their_width() {
    let dir = Dir::new("table");
    let rule = "self.replicas > 0 && self.cronSpec.size() < 100 && self.cronSpec.startsWith('*') && self.cronSpec != 'a' ";
    let properties = "            properties:\n              cronSpec:";
    let rule = format!("            x-kubernetes-validations: [{{rule: \"{rule}\"}}]\n");
    let crd = CRON_TABS.replace(properties, &format!("{rule}{properties}"));
    fs::write(dir.path().join("crd.yaml"), crd).expect("writable");
    let widest = |args: &[&str]| {
        let (_, out, _) = run(&Registry::new(), &[&["check", dir.text()], args].concat());
        let table =
            out.lines().filter(|line| line.starts_with("   ")).map(|line| line.chars().count());
        table.max().unwrap_or(0)
    };
    assert_eq!(widest(&[]), super::super::WIDTH);
    assert!(widest(&["--wide"]) > 150);
}

/// The kind and the message of a document can be anything.
#[test]
fn text_of_files_is_escaped() {
    let dir = Dir::new("escapes");
    let object =
        |kind: &str| format!("apiVersion: other.io/v1\nkind: \"{kind}\"\nmetadata: {{name: a}}\n");
    let evil =
        object(r"X\n::error file=README.md,line=1::owned\n::stop-commands::t\e]0;title\a\x9b31m");
    fs::write(dir.path().join("a.yaml"), evil).expect("writable");
    fs::write(dir.path().join("b.yaml"), "kind: \"\\e[2J\\n::error::x\"\n").expect("writable");
    for format in ["github", "human"] {
        let (_, out, err) = run(&Registry::new(), &["validate", "-o", format, dir.text()]);
        let printed = format!("{out}{err}");
        let has_command =
            |line: &str| line.trim_start().starts_with("::") && !line.starts_with("::error file=");
        assert!(!printed.lines().any(has_command), "{printed}");
        assert!(!printed.contains(|c: char| c.is_control() && c != '\n'), "{printed:?}");
    }
}

#[test]
fn sarif_results_have_fingerprints_without_lines() {
    let dir = Dir::new("fingerprints");
    let prints = |text: &str| {
        fs::write(dir.path().join("a.yaml"), text).expect("writable");
        let crd = dir.path().join("crd.yaml");
        fs::write(&crd, CRON_TABS).expect("writable");
        let (_, out, _) = run(&Registry::new(), &["validate", "-o", "sarif", dir.text()]);
        let log: Value = serde_json::from_str(&out).expect("JSON");
        let results = log["runs"][0]["results"].as_array().expect("results").clone();
        let prints =
            results.iter().map(|it| it["partialFingerprints"]["objectAndMessage/v1"].clone());
        prints.collect::<Vec<Value>>()
    };
    let before = prints(INVALID);
    assert!(!before.is_empty() && before.iter().all(Value::is_string));
    assert_eq!(prints(&format!("# A comment.\n\n{INVALID}")), before);
}

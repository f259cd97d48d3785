//! Runs the examples of each lint, and compares the page with the table.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crd_cel::re2::Regex;
use serde_json::{Value, json};

use super::kind::{Example, Level};
use super::table::LINTS;
use super::*;
use crate::{definition as server, yaml};

/// The argument of `--forbid-name` in the examples.
const FORBIDDEN: &str = "(?i)blacklist";

/// Returns the definition that an example is a part of.
fn whole(example: Example) -> Value {
    let mut crd = json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.example.com"},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"plural": "widgets", "singular": "widget", "kind": "Widget"},
            "versions": [{
                "name": "v1", "served": true, "storage": true,
                "schema": {"openAPIV3Schema": {
                    "type": "object",
                    "description": "A widget.",
                    "properties": {
                        "spec": {"type": "object", "description": "The desired state.", "properties": {}},
                    },
                }},
            }],
        },
    });
    let (text, _) = example.parts();
    let read = yaml::document(text.as_bytes()).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
    let part = read.map_or(Value::Null, |document| document.value);
    if matches!(example, Example::Status(_)) {
        crd["spec"]["versions"][0]["subresources"] = json!({"status": {}});
        crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["status"] =
            json!({"type": "object", "description": "The observed state.", "properties": {}});
    }
    let at = match example {
        Example::Spec(_) => "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties",
        Example::Status(_) => {
            "/spec/versions/0/schema/openAPIV3Schema/properties/status/properties"
        }
        Example::Version(_) => "/spec/versions/0",
        Example::Definition(_) => "/spec",
    };
    merge(crd.pointer_mut(at).unwrap(), part);
    crd
}

/// Adds the keys of an object to another, and to the objects in it.
fn merge(into: &mut Value, from: Value) {
    match (into, from) {
        (Value::Object(into), Value::Object(from)) => {
            for (key, value) in from {
                merge(into.entry(key).or_insert(Value::Null), value);
            }
        }
        (into, from) => *into = from,
    }
}

/// Returns what a lint, and the lints that are reported without options, find in an example. The server must accept the
/// example.
fn found(lint: &'static Lint, example: Example) -> Vec<Found> {
    let decoded = server::decode(&whole(example)).unwrap();
    assert_eq!(decoded.unknown_fields, Vec::<String>::new(), "{}", lint.id);
    let errors: Vec<_> = server::validate(&decoded.crd).into_iter().collect();
    assert!(errors.is_empty(), "{}: {errors:?}", lint.id);
    let forbidden = [Regex::new(FORBIDDEN).unwrap()];
    let definition = Definition::new(&decoded.crd, &forbidden);
    find(&definition, LINTS.iter().filter(|it| it.level > Level::Allow || *it == lint))
}

#[test]
fn each_lint_finds_its_bad_example_and_nothing_in_the_good_one() {
    let mut wrong = String::new();
    for lint in &LINTS {
        let (mut bad, good) = (found(lint, lint.bad), found(lint, lint.good));
        let count = bad.len();
        bad.retain(|found| found.lint != lint);
        if bad.len() == count {
            let _ = writeln!(wrong, "{} does not find its bad example", lint.id);
        }
        for other in bad.iter().chain(&good) {
            let (id, message) = (other.lint.id, &other.message);
            let _ = writeln!(wrong, "{}: {id}: {}: {message}", lint.id, other.value);
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Returns the page with the table and the sections of lints, which are between two marks.
fn with_lints(page: &str) -> String {
    let mut text = "\n| lint | level | finds |\n|---|---|---|\n".to_owned();
    for Lint { id, level, finds, .. } in &LINTS {
        let _ = writeln!(text, "| [`{id}`](#{id}) | {} | {finds} |", level.name());
    }
    for lint in &LINTS {
        let found = found(lint, lint.bad).into_iter();
        let reported: Vec<_> = found
            .map(|Found { value, message, .. }| match &*value {
                "" => message,
                value => format!("{value}: {message}"),
            })
            .collect();
        // The tests of the guide compare other blocks of YAML with manifests.
        let section = page::section(lint, &reported).replace("```yaml\n", "```yaml,ignore\n");
        let _ = write!(text, "\n## `{}`\n\n{section}", lint.id);
    }
    let (begin, rest) = page.split_once("<!-- lints -->\n").expect("a mark");
    let (_, end) = rest.split_once("<!-- /lints -->\n").expect("a mark");
    format!("{begin}<!-- lints -->\n{text}\n<!-- /lints -->\n{end}")
}

fn read(path: &str) -> (PathBuf, String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    // Git may have checked the file out with CRLF.
    let text = std::fs::read_to_string(&path).expect("a page").replace("\r\n", "\n");
    (path, text)
}

#[test]
fn the_page_has_a_section_for_each_lint() {
    let (path, page) = read("docs/guide/src/lints.md");
    let want = with_lints(&page);
    if std::env::var_os("BLESS").is_some_and(|what| what == "lints") {
        return std::fs::write(&path, want).expect("writable");
    }
    assert!(page == want, "`BLESS=lints cargo test -p crd-cli --lib lint` writes it anew");
}

/// The linters of kube-api-linter, as its documentation lists them.
#[rustfmt::skip]
const OF_KUBE_API_LINTER: [&str; 31] = [
    "arrayofstruct", "commentstart", "conditions", "conflictingmarkers", "defaultorrequired", "defaults",
    "dependenttags", "duplicatemarkers", "forbiddenmarkers", "integers", "jsontags", "maxlength", "minlength",
    "namingconventions", "nobools", "nodurations", "nofloats", "nomaps", "nonpointerstructs", "nonullable", "nophase",
    "noreferences", "notimestamp", "optionalfields", "optionalorrequired", "preferredmarkers", "requiredfields",
    "ssatags", "statusoptional", "statussubresource", "uniquemarkers",
];

#[test]
fn the_table_of_kube_api_linter_names_all_its_linters_and_lints_that_exist() {
    let (_, page) = read("docs/design/kube-api-linter.md");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` | "));
    let rows: Vec<(&str, &str)> = rows.collect();
    let linters: Vec<&str> = rows.iter().map(|(linter, _)| *linter).collect();
    assert_eq!(linters, OF_KUBE_API_LINTER);
    for (linter, row) in &rows {
        let cell = row.split(" | ").next().unwrap_or_default();
        for id in cell.split('`').skip(1).step_by(2) {
            assert!(table::named(id).is_some(), "{linter}: there is no lint `{id}`");
        }
    }
}

#[test]
fn names_are_distinct_and_texts_are_phrases() {
    let ids: BTreeSet<&str> = LINTS.iter().map(|lint| lint.id).collect();
    assert_eq!(ids.len(), LINTS.len());
    for Lint { id, finds, why, in_rust, in_yaml, .. } in &LINTS {
        assert!(id.chars().all(|c| c.is_ascii_lowercase() || c == '_'), "{id}");
        assert!(why.ends_with('.'), "{id}: {why}");
        for phrase in [finds, in_rust, in_yaml] {
            assert!(!phrase.ends_with('.') && !phrase.contains('\n'), "{id}: {phrase}");
        }
    }
}

//! `docs/design/pages.md`: everyday questions, and where `crd-derive/attributes.md` answers them. A reader finds
//! the question in the index at the top, which links the section with the answer.
//! `BLESS=questions cargo test -p crd-tests --test documentation questions` writes the table anew.

use std::fmt::Write as _;
use std::fs;

const ATTRIBUTES: &str = "../crd-derive/attributes.md";
const PAGE: &str = "../docs/design/pages.md";

/// How do I write .., the row of the index, the section that the row links, and the answer in this section.
const QUESTIONS: [(&str, &str, &str, &str); 15] = [
    ("a default", "a default", "### `default`", "#[crd(default = 1)]"),
    ("an enum", "an enum of names", "### Enums", "pub enum PullPolicy {"),
    (
        "an optional nested struct",
        "an optional field or an optional nested struct",
        "### Optional fields",
        "main: Option<Port>,",
    ),
    (
        "a map with typed values",
        "a map with typed values",
        "### Maps",
        "ports: BTreeMap<String, Port>,",
    ),
    (
        "a quantity",
        "a quantity, a duration, a time, an IP address",
        "## Field types",
        "| `Quantity` |",
    ),
    (
        "a duration",
        "a quantity, a duration, a time, an IP address",
        "## Field types",
        "| `crd_runtime::GoDuration`",
    ),
    (
        "a printer column for a condition",
        "a printer column, also for a condition",
        "### `print_column`",
        r#"[?(@.type=="Ready")].status"#,
    ),
    ("an immutable field", "an immutable field", "### `immutable`", "#[crd(immutable)]"),
    ("a status subresource", "a status", "### `status`", "namespaced, status = PollerStatus)]"),
    ("a selectable field", "a field selector", "### `selectable`", "#[crd(selectable)]"),
    (
        "two versions",
        "two versions",
        "### `storage`",
        "crd_runtime::versions!(v1beta1::CronTab, v1::CronTab)",
    ),
    (
        "a conversion webhook",
        "a conversion webhook",
        "### `conversion`",
        "#[crd(conversion(webhook(service(",
    ),
    (
        "a deprecated version",
        "to deprecate a version, to stop serving it",
        "### `deprecated`",
        "#[crd(deprecated = ",
    ),
    (
        "a field that keeps unknown fields",
        "any JSON",
        "### `preserve_unknown_fields`",
        "#[crd(preserve_unknown_fields)]",
    ),
    ("`oneOf`", "one of several alternatives (union, `oneOf`)", "### Enums", "pub enum Target {"),
];

/// Returns the number of the first line from `start` on that contains a text.
#[track_caller]
fn line(page: &[&str], start: usize, text: &str) -> usize {
    let found = page.iter().skip(start).position(|line| line.contains(text));
    start + found.unwrap_or_else(|| panic!("no `{text}` after line {start}")) + 1
}

fn table() -> String {
    let page = fs::read_to_string(ATTRIBUTES).unwrap();
    let page: Vec<&str> = page.lines().collect();
    let mut table = String::from(
        "\n| how do I write | line of the index | section | lines from its heading to the answer |\n|---|---|---|---|\n",
    );
    for (question, row, heading, answer) in QUESTIONS {
        let index = line(&page, 0, &format!("| {row} |"));
        let section = line(&page, index, heading);
        assert_eq!(page[section - 1], heading, "{question}");
        let anchor =
            heading.trim_start_matches(['#', ' ', '`']).trim_end_matches('`').to_lowercase();
        let link = format!("](#{})", anchor.replace(' ', "-"));
        assert!(page[index - 1].contains(&link), "{question}: the index has no link {link}");
        let answer_line = line(&page, section, answer);
        let next = page.iter().skip(section).position(|line| line.starts_with("##"));
        assert!(
            next.is_none_or(|next| answer_line <= section + next),
            "{question} is not answered in {heading}"
        );
        let (name, below) = (heading.trim_start_matches(['#', ' ']), answer_line - section);
        writeln!(table, "| {question} | {index} | {name} | {below} |").unwrap();
    }
    table + "\n"
}

#[test]
fn everyday_questions_are_answered() {
    let page = fs::read_to_string(PAGE).unwrap().replace("\r\n", "\n");
    let (before, rest) = page.split_once("<!-- questions -->\n").expect("the begin of the table");
    let (written, after) = rest.split_once("<!-- /questions -->").expect("the end of the table");
    if crd_tests::blesses("questions") {
        let page = format!("{before}<!-- questions -->\n{}<!-- /questions -->{after}", table());
        return fs::write(PAGE, page).unwrap();
    }
    assert_eq!(written, table(), "`BLESS=questions` writes it anew");
}

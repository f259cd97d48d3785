//! Tests of whole files.

use super::*;

fn run(text: &str) -> Migrated {
    let files = vec![(PathBuf::from("a.rs"), text.to_owned())];
    let mut migration = migrate(files, BTreeSet::from(["own".to_owned()]));
    migration.files.pop().expect("a file")
}

/// Checks what becomes of a text, and that it then stays.
#[track_caller]
fn check(before: &str, after: &str) {
    let migrated = run(before).text.expect(before);
    assert_eq!(migrated, after);
    assert_eq!(run(after).text.as_deref(), Ok(after), "a second time");
}

#[track_caller]
fn by_hand(before: &str, line: usize, text: &str) {
    let notes = run(before).notes;
    let found = notes.iter().find(|note| note.severity == Severity::ByHand);
    let found = found.unwrap_or_else(|| panic!("{notes:?}"));
    assert_eq!(found.line, line, "{found:?}");
    assert!(found.text.contains(text), "{found:?}");
}

#[test]
fn other_code_stays_byte_for_byte() {
    let text = "fn  main( ) {\n\tprintln!(\"#[kube(a)]\"); // #[kube(b)]\n}\n";
    check(text, text);
    let windows = run("use schemars::JsonSchema;\r\n#[derive(JsonSchema)]\r\nstruct A;\r\n");
    let want = "use crd_runtime::CrdSchema;\r\n#[derive(CrdSchema)]\r\nstruct A;\r\n";
    assert_eq!(windows.text.as_deref(), Ok(want));
    let marked = run("\u{feff}#[derive(schemars::JsonSchema)]\nstruct A;\n");
    assert_eq!(
        marked.text.as_deref(),
        Ok("\u{feff}#[derive(crd_runtime::CrdSchema)]\nstruct A;\n")
    );
}

#[test]
fn a_broken_file_stays_with_an_error() {
    let migrated = run("struct A {\n  a: }\n");
    assert!(migrated.text.expect_err("an error").starts_with("a.rs:2: "));
}

#[test]
fn conditions_of_attributes_stay() {
    check(
        r#"#[cfg(feature = "schemas")]
use schemars::JsonSchema;

#[derive(Clone)]
#[cfg_attr(feature = "schemas", derive(JsonSchema))]
struct A {
    /// Text.
    #[serde(default)]
    a: String,
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    b: i32,
}
"#,
        r#"#[cfg(feature = "schemas")]
use crd_runtime::CrdSchema;

#[derive(Clone)]
#[cfg_attr(feature = "schemas", derive(CrdSchema))]
struct A {
    /// Text.
    #[cfg_attr(feature = "schemas", crd(default))]
    #[serde(default)]
    a: String,
    #[cfg_attr(feature = "schemas", crd(minimum = 1))]
    b: i32,
}
"#,
    );
}

#[test]
fn the_schema_of_a_kind_comes_with_it() {
    check(
        r#"#[derive(kube::CustomResource, Clone)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[kube(group = "a.b", version = "v1", kind = "A")]
struct ASpec {}
"#,
        r#"#[derive(crd_runtime::CustomResource, Clone)]
#[crd(group = "a.b", version = "v1", kind = "A", cluster)]
struct ASpec {}
"#,
    );
}

#[test]
fn types_of_other_crates_are_bridged() {
    check(
        r"use gateway::Route as Theirs;
#[derive(schemars::JsonSchema)]
struct A {
    a: Option<Vec<Theirs>>,
    b: own::B,
    c: std::net::IpAddr,
}
#[derive(schemars::JsonSchema)]
enum C {
    Net(ipnet::IpNet),
}
",
        r"use gateway::Route as Theirs;
#[derive(crd_runtime::CrdSchema)]
struct A {
    #[crd(schema_with = crd_runtime::crd_schema::bridge::schema::<Vec<Theirs>>)]
    a: Option<Vec<Theirs>>,
    b: own::B,
    c: std::net::IpAddr,
}
#[derive(crd_runtime::CrdSchema)]
enum C {
    Net(#[crd(schema_with = crd_runtime::crd_schema::bridge::schema::<ipnet::IpNet>)] ipnet::IpNet),
}
",
    );
}

#[test]
fn defaults_are_those_that_kube_wrote() {
    check(
        r#"#[derive(schemars::JsonSchema)]
#[serde(default)]
struct A {
    a: String,
    b: Option<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    c: String,
    #[serde(default = "d", skip_serializing_if = "is_d")]
    d: String,
    #[serde(skip)]
    e: String,
    #[serde(flatten)]
    f: Own,
}
"#,
        r#"#[derive(crd_runtime::CrdSchema)]
#[serde(default)]
struct A {
    #[crd(default)]
    a: String,
    b: Option<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    c: String,
    #[crd(default)]
    #[serde(default = "d", skip_serializing_if = "is_d")]
    d: String,
    #[serde(skip)]
    e: String,
    #[serde(flatten)]
    f: Own,
}
"#,
    );
}

#[test]
fn rules_of_the_first_kube_are_enforced_again() {
    let text = "#[derive(KubeSchema)]\nstruct A {\n    #[validate(rule = \"self > 0\", message = \"m\")]\n    a: i32,\n}\n";
    let migrated = run(text);
    assert!(
        migrated.text.expect("text").contains("    #[crd(rule(\"self > 0\", message = \"m\"))]\n")
    );
    assert_eq!((migrated.notes[0].line, migrated.notes[0].severity), (3, Severity::Mended));
}

#[test]
fn attributes_of_the_crate_validator_stay() {
    check(
        "#[derive(schemars::JsonSchema, Validate)]\nstruct A {\n    #[validate(length(min = 1))]\n    a: Vec<String>,\n}\n",
        "#[derive(crd_runtime::CrdSchema, Validate)]\nstruct A {\n    #[crd(min_items = 1)]\n    \
         #[validate(length(min = 1))]\n    a: Vec<String>,\n}\n",
    );
}

#[test]
fn the_name_of_a_regular_expression_is_no_pattern() {
    for key in ["regex = \"SEMVER\"", "regex(path = \"SEMVER\")", "regex(path = *SEMVER)"] {
        let text = format!(
            "#[derive(JsonSchema)]\nstruct A {{\n    #[validate({key})]\n    a: String,\n}}\n"
        );
        by_hand(&text, 3, &format!("`{key}` has a regular expression that is no text here"));
    }
}

#[test]
fn a_kind_without_schema_keeps_its_derive() {
    check(
        r#"use kube::CustomResource;
#[derive(CustomResource, Clone)]
#[kube(group = "a.b", version = "v1", kind = "A", schema = "disabled")]
struct ASpec {}
"#,
        r#"use kube::CustomResource;
#[derive(CustomResource, Clone)]
#[kube(group = "a.b", version = "v1", kind = "A", schema = "disabled")]
struct ASpec {}
"#,
    );
}

#[test]
fn what_is_not_understood_is_reported_at_its_line() {
    let text = "#[derive(schemars::JsonSchema)]\nstruct A {\n    #[schemars(range(min = 1), transform = f)]\n    a: i32,\n}\n";
    by_hand(text, 3, "`transform = f` changes the schema with a function; write the keys");
    let after = run(text).text.expect("text");
    assert!(after.contains("    #[crd(minimum = 1)]\n    #[schemars(transform = f)]\n"), "{after}");
    by_hand("m! {\n    #[kube(group = \"a\")]\n    struct A;\n}\n", 2, "is in a macro");
    by_hand(
        "#[derive(schemars::JsonSchema)]\nstruct A {\n    #[schemars(schema_with = \"other::f\")]\n    a: i32,\n}\n",
        3,
        "`other::f` is not among the files; write a function",
    );
}

#[test]
fn a_status_of_another_crate_is_bridged() {
    check(
        "use other::Status;\n#[derive(kube::CustomResource)]\n#[kube(group = \"a.b\", version = \"v1\", kind = \"A\", namespaced, status = \"Status\")]\nstruct ASpec;\n",
        "use other::Status;\n#[derive(crd_runtime::CustomResource)]\n#[crd(\n    group = \"a.b\",\n    version = \"v1\",\n    kind = \"A\",\n    namespaced,\n    \
         status(Status, schema_with = crd_runtime::crd_schema::bridge::schema::<_>)\n)]\nstruct ASpec;\n",
    );
}

#[test]
fn the_schema_of_the_name_becomes_rules() {
    let before = r#"#[derive(kube::CustomResource, kube::KubeSchema)]
#[kube(group = "a.b", version = "v1", kind = "A", namespaced, schema = "manual")]
struct ASpec {}

const MOST: usize = 16;

// Names are short.
impl schemars::JsonSchema for A {
    fn json_schema(g: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let spec = g.subschema_for::<ASpec>();
        schemars::json_schema!({
            "type": "object",
            "properties": {
                "metadata": {"type": "object", "properties": {"name": {"type": "string", "maxLength": (MOST - "tunnel-".len())}}},
                "spec": spec
            },
            "required": ["spec"]
        })
    }
}
"#;
    let after = r#"#[derive(crd_runtime::CustomResource)]
#[crd(
    group = "a.b",
    version = "v1",
    kind = "A",
    namespaced,
    root_rule(
        "self.metadata.name.size() <= 9",
        message = "the name must have at most 9 characters"
    )
)]
// Names are short.
struct ASpec {}

const MOST: usize = 16;
"#;
    check(before, after);
}

#[test]
fn several_files_share_their_types() {
    let files = vec![
        (
            "a.rs".into(),
            "#[derive(schemars::JsonSchema)]\npub struct A {\n    b: Option<crate::B>,\n}\n"
                .to_owned(),
        ),
        ("b.rs".into(), "#[derive(schemars::JsonSchema)]\npub enum B {\n    C,\n}\n".to_owned()),
    ];
    let migration = migrate(files, BTreeSet::new());
    let text = migration.files[0].text.as_deref().expect("text");
    assert!(
        text.contains("#[serde(skip_serializing_if = \"Option::is_none\")]\n    b: "),
        "{text}"
    );
}

#[test]
fn integers_that_the_server_cannot_read_are_marked() {
    check(
        "#[derive(schemars::JsonSchema)]\nstruct A {\n    a: u64,\n    #[schemars(range(max = 9))]\n    b: usize,\n}\n",
        "#[derive(crd_runtime::CrdSchema)]\nstruct A {\n    #[crd(unchecked(\"as with kube's derive\"))]\n    a: u64,\n    \
         #[crd(maximum = 9)]\n    b: usize,\n}\n",
    );
}

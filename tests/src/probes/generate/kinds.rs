//! Attributes of kinds: right, incomplete, in a wrong form, duplicate, and contradictory.

use super::{Probe, push};

const FORM: &str = "is written in another form";
const NO_KEY: &str = "there is no such key";
const TWICE: &str = "stands twice";

/// Attributes in addition to group, version, kind and scope, and why they are rejected if that is not for the server to
/// decide.
const ROWS: [(&str, Option<&str>); 77] = [
    ("", None),
    ("plural = \"gadgets\"", None),
    ("singular = \"gadget\"", None),
    ("list_kind = \"Widgets\"", None),
    ("list_kind = \"Widget\"", Some("the list would be of the kind of its items")),
    ("short_name = \"w\", short_name = \"wi\"", None),
    ("short_name = \"w\", short_name = \"w\"", Some(TWICE)),
    ("short_name(\"w\")", Some(FORM)),
    ("category = \"all\", category = \"some\"", None),
    ("categories(\"all\")", Some(NO_KEY)),
    ("namespaced", Some(TWICE)),
    ("cluster", Some("is one of two scopes")),
    ("namespaced = true", Some(TWICE)),
    ("status = Part", None),
    ("status = \"Part\"", None),
    ("status = Option<Part>", None),
    ("status = i32", None),
    ("status = Vec<Part>", None),
    ("status = Value", None),
    ("status = Nowhere", Some("there is no such type")),
    ("status", None),
    ("served = false", None),
    ("served = true", None),
    ("served", None),
    ("served = 1", Some(FORM)),
    ("storage = true", None),
    ("storage = false", None),
    ("deprecated", None),
    ("deprecated = \"use v2\"", None),
    ("deprecated = \"\"", Some("says nothing")),
    ("deprecated = false", None),
    ("annotation(\"a\", \"b\")", None),
    ("annotation(\"a/b\", \"c\")", None),
    ("annotation(\"a b\", \"c\")", Some("is no key of an annotation")),
    ("annotation(\"a/b/c\", \"c\")", Some("is no key of an annotation")),
    ("annotation(\"a\")", Some(FORM)),
    ("annotation(\"a\", \"b\"), annotation(\"a\", \"c\")", Some(TWICE)),
    ("annotation(\"api-approved.kubernetes.io\", \"yes\")", None),
    ("label(\"a\", \"b\")", None),
    ("label(\"a\", \"b c\")", Some("is no value of a label")),
    ("label(\"a\", \"\")", None),
    ("label(\"\", \"b\")", Some("is no key of a label")),
    ("label(\"a\", \"b\"), label(\"a\", \"b\")", Some(TWICE)),
    ("root = Other1", None),
    ("root = WidgetSpec", Some("is the name of the spec")),
    ("root = \"Thing\"", None),
    ("root_description = \"D\"", None),
    ("root_rule(\"self.metadata.name != ''\")", None),
    ("root_rule(\"self.spec.n > 0\")", None),
    ("root_rule(\"self.n > 0\")", Some("names no field")),
    ("root_rule(\"self.status.n > 0\")", Some("names no field")),
    ("rule(\"self.n > 0\")", None),
    ("rule(\"self.spec.n > 0\")", Some("names no field")),
    ("derive(PartialEq)", None),
    ("derive(Eq, Hash)", Some("the spec does not have it")),
    ("derive(\"PartialEq\")", Some(FORM)),
    ("attr(allow(dead_code))", None),
    ("apply", None),
    ("apply(whole)", None),
    ("apply(keys(\"n\"))", Some("a kind is no item of a list")),
    ("conversion(webhook(url = \"https://a.b/c\"))", None),
    ("conversion(webhook(url = \"http://a.b/c\"))", None),
    ("conversion(webhook(service(namespace = \"n\", name = \"s\")))", None),
    ("conversion(webhook(service(namespace = \"n\", name = \"s\", path = \"/a//b\")))", None),
    ("conversion(webhook(service(namespace = \"n\", name = \"s\", port = 0)))", None),
    (
        "conversion(webhook(service(namespace = \"n\", name = \"s\", port = 70000)))",
        Some("is no port"),
    ),
    ("conversion(webhook(service(namespace = \"n\")))", Some("is incomplete")),
    ("conversion(webhook(url = \"https://a.b\", service(namespace = \"n\", name = \"s\")))", None),
    ("conversion(webhook())", None),
    ("conversion(none)", Some(FORM)),
    ("conversion(webhook(url = \"https://a.b\", review_versions(\"v1\", \"v1\")))", None),
    ("conversion(webhook(url = \"https://a.b\", review_versions(\"v2\")))", None),
    ("conversion(webhook(url = \"https://a.b\", ca_bundle = \"!\"))", None),
    ("printcolumn = \"a\"", Some(NO_KEY)),
    ("shortname = \"w\"", Some(NO_KEY)),
    ("doc = \"d\"", Some(NO_KEY)),
    ("schema = \"manual\"", Some(NO_KEY)),
];

/// Attributes of a field for columns and selectors, and why they are rejected.
const COLUMNS: [(&str, Option<&str>); 22] = [
    ("print_column", None),
    ("print_column(name = \"N\")", None),
    ("print_column(name = \"\")", None),
    ("print_column(type = \"integer\")", None),
    ("print_column(type = \"int\")", None),
    ("print_column(type = \"string\")", None),
    ("print_column(type = \"date\")", Some("shows nothing of the field")),
    ("print_column(format = \"int32\")", None),
    ("print_column(format = \"nothing\")", None),
    ("print_column(priority = 1)", None),
    ("print_column(priority = -1)", None),
    ("print_column(priority = 1.5)", Some(FORM)),
    ("print_column(description = \"d\")", None),
    ("print_column(path = \".x\")", Some("is the field's own")),
    ("print_column(heading = \"d\")", Some(NO_KEY)),
    ("print_column(name = \"A\"), print_column(name = \"B\")", None),
    ("print_column(name = \"A\"), print_column(name = \"A\")", Some(TWICE)),
    ("selectable", None),
    ("selectable, selectable", Some(TWICE)),
    ("selectable = true", None),
    ("selectable(\".a\")", Some("is the field's own")),
    ("selectable, print_column, immutable", None),
];

pub(super) fn probes() -> Vec<Probe> {
    let mut probes = Vec::new();
    for (attributes, why) in ROWS {
        // The name of the generated root, if it is not the kind's.
        let kind = match attributes {
            "root = Other1" => "// kind: Other1\n",
            "root = \"Thing\"" => "// kind: Thing\n",
            _ => "",
        };
        push(
            &mut probes,
            Probe {
                name: format!("kind: {attributes}"),
                source: format!("{kind}#[K] #[crd({attributes})] struct WidgetSpec {{ n: i32 }}"),
                why: why.map(str::to_owned),
                ..Probe::default()
            },
        );
    }
    for missing in ["group", "version", "kind", "namespaced"] {
        let all = [
            ("group", "group = \"a.example.com\""),
            ("version", "version = \"v1\""),
            ("kind", "kind = \"Widget\""),
            ("namespaced", "namespaced"),
        ];
        let rest: Vec<_> =
            all.iter().filter(|(name, _)| *name != missing).map(|(_, text)| *text).collect();
        push(
            &mut probes,
            Probe {
                name: format!("without {missing}"),
                source: format!("#[C] #[crd({})] struct WidgetSpec {{}}", rest.join(", ")),
                why: Some("is required".to_owned()),
                ..Probe::default()
            },
        );
    }
    for (attributes, why) in COLUMNS {
        push(
            &mut probes,
            Probe {
                name: format!("field: {attributes}"),
                source: format!("#[K] struct WidgetSpec {{ #[crd({attributes})] n: i32 }}"),
                why: why.map(str::to_owned),
                ..Probe::default()
            },
        );
    }
    for key in [
        "group = \"a.b\"",
        "kind = \"Widget\"",
        "namespaced",
        "short_name = \"w\"",
        "status = Part",
        "annotation(\"a\", \"b\")",
    ] {
        for (place, source) in [
            ("part", format!("#[D] #[crd({key})] struct Root {{ n: i32 }}")),
            ("field", format!("#[crd({key})] n: i32,")),
            ("variant", format!("#[D] enum Root {{ #[crd({key})] A {{ n: i32 }} }}")),
        ] {
            push(
                &mut probes,
                Probe {
                    name: format!("{key} on a {place}"),
                    source,
                    why: Some("belongs on a kind".to_owned()),
                    ..Probe::default()
                },
            );
        }
    }
    probes
}

//! Enums of each tagging with variants of each content, and with attributes.

use super::{Probe, push};

/// The names of taggings, and the serde attributes that select them.
const TAGGINGS: [(&str, &str); 4] = [
    ("external", ""),
    ("internal", "#[serde(tag = \"type\")] "),
    ("adjacent", "#[serde(tag = \"type\", content = \"content\")] "),
    ("untagged", "#[serde(untagged)] "),
];

/// Contents of a variant, and whether serde can add a tag to them.
const CONTENTS: [(&str, bool); 24] = [
    ("", true),
    ("()", false),
    ("(())", false),
    ("{}", true),
    ("{ n: i32 }", true),
    ("{ r#type: String }", false),
    ("{ a: Option<Part> }", true),
    ("(i32)", false),
    ("(u8)", false),
    ("(bool)", false),
    ("(f64)", false),
    ("(String)", false),
    ("(Option<i32>)", false),
    ("(Option<Part>)", false),
    ("(Vec<String>)", false),
    ("(Vec<Part>)", false),
    ("(BTreeMap<String, i32>)", false),
    ("(BTreeMap<String, Value>)", true),
    ("(Part)", true),
    ("(Box<Part>)", true),
    ("(Word)", true),
    ("(Value)", true),
    ("(i32, i32)", false),
    ("(i32, String)", false),
];

/// A name, attributes of a variant, and attributes of its field.
const ON_VARIANTS: [(&str, &str, &str); 18] = [
    ("serde(skip)", "#[serde(skip)] ", ""),
    ("serde(rename)", "#[serde(rename = \"other.name\")] ", ""),
    ("serde(alias)", "#[serde(alias = \"other\")] ", ""),
    ("title", "#[crd(title = \"T\")] ", ""),
    ("doc", "/// What it is.\n", ""),
    ("rule", "#[crd(rule(\"self.n > 0\"))] ", ""),
    ("rule of no field", "#[crd(rule(\"self.m > 0\"))] ", ""),
    ("immutable", "#[crd(immutable)] ", ""),
    ("minimum", "#[crd(minimum = 1)] ", ""),
    ("max_properties", "#[crd(max_properties = 5)] ", ""),
    ("default", "#[crd(default = json!({}))] ", ""),
    ("nullable", "#[crd(nullable)] ", ""),
    ("unknown key", "#[crd(nonsense)] ", ""),
    ("preserve_unknown_fields", "#[crd(preserve_unknown_fields)] ", ""),
    ("field: minimum", "", "#[crd(minimum = 1)] "),
    ("field: min_length", "", "#[crd(min_length = 1)] "),
    ("field: default", "", "#[crd(default = 5)] "),
    ("field: rule", "", "#[crd(rule(\"self > 0\"))] "),
];

pub(super) fn probes() -> Vec<Probe> {
    let mut probes = Vec::new();
    for (name, tagging) in TAGGINGS {
        for (content, is_taggable) in CONTENTS {
            let why = (name == "internal" && !is_taggable)
                .then(|| "serde cannot put the tag into the content".to_owned());
            push(
                &mut probes,
                Probe {
                    name: format!("{name}: A{content}"),
                    source: format!("#[D] {tagging}enum Root {{ A{content}, B {{ s: String }} }}"),
                    why,
                    ..Probe::default()
                },
            );
        }
        for (key, variant, field) in ON_VARIANTS {
            push(
                &mut probes,
                Probe {
                    name: format!("{name}: {key}"),
                    source: format!(
                        "#[D] {tagging}enum Root {{ {variant}A {{ {field}n: i32 }}, B {{ s: String }} }}"
                    ),
                    why: reason(name, key).map(str::to_owned),
                    ..Probe::default()
                },
            );
        }
    }
    probes
}

fn reason(tagging: &str, key: &str) -> Option<&'static str> {
    Some(match (tagging, key) {
        (_, "minimum" | "field: min_length") => "says nothing of this type",
        (_, "unknown key") => "there is no such key",
        (_, "default" | "nullable") => {
            "a variant has no schema of its own in which the server accepts these"
        }
        ("external", "serde(alias)") => "the server would prune the other name",
        ("untagged", "field: default") => "the server takes no default below alternatives",
        (_, "rule of no field") => "the rule names no field",
        ("untagged", "rule" | "immutable") => {
            "without a tag, the server cannot know to which variant the rule applies"
        }
        _ => return None,
    })
}

//! Keys of `#[kube(..)]`.

use serde_json::Value;
use syn::{Expr, Meta};

use super::keys::{Key, literal};
use super::source::{Source, metas, name_of};
use super::{rule, serde};

/// What a key becomes.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// It stays as it is.
    Keep,
    /// These keys, perhaps none.
    Keys(Vec<Key>),
    /// It is not understood. The text says what to write.
    Unknown(String),
}

impl From<Result<Key, String>> for Outcome {
    fn from(key: Result<Key, String>) -> Self {
        key.map_or_else(Self::Unknown, |key| Self::Keys(vec![key]))
    }
}

/// The modes of `schema = ".."`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Derived,
    Manual,
    Disabled,
}

/// Returns the mode of a kind's schema.
pub(super) fn mode(keys: &[Meta]) -> Mode {
    let mode = keys.iter().rfind(|meta| name_of(meta) == "schema").and_then(serde::text);
    match mode.as_deref() {
        Some("disabled") => Mode::Disabled,
        Some("manual") => Mode::Manual,
        _ => Mode::Derived,
    }
}

/// Returns the traits of all `derive = ".."`.
pub(super) fn derives(keys: &[Meta]) -> Vec<String> {
    let texts = keys.iter().filter(|meta| name_of(meta) == "derive").filter_map(serde::text);
    texts.collect()
}

/// Converts a key. `derive` and `schema` are left to the caller.
pub(super) fn convert(meta: &Meta, source: &Source) -> Outcome {
    let name = name_of(meta);
    match &*name {
        "group" | "version" | "kind" | "plural" | "singular" | "namespaced" | "category"
        | "annotation" | "label" | "served" | "storage" | "deprecated" => Outcome::Keep,
        "root" | "status" => match serde::text(meta) {
            Some(path) => keys(Key::value(&name, path)),
            None => Outcome::Keep,
        },
        "attr" => match serde::text(meta) {
            Some(text) => keys(Key::List("attr", vec![text])),
            None => Outcome::Keep,
        },
        "shortname" => renamed(meta, "short_name", source),
        "doc" => renamed(meta, "root_description", source),
        "selectable" => match serde::text(meta) {
            Some(path) => {
                let path = format!(".{}", path.trim_start_matches('.'));
                keys(Key::List("selectable", vec![literal(&path)]))
            }
            None => Outcome::Keep,
        },
        "scale" => table(meta, "scale", SCALE, source),
        "printcolumn" => table(meta, "print_column", COLUMN, source),
        "validation" => match meta {
            Meta::NameValue(pair) => rule::of_expr("root_rule", &pair.value, source).into(),
            _ => unknown(meta, source),
        },
        // `cel` adds functions, and the others name crates and versions of the API for kube's generated code.
        "crates" | "cel" | "apiextensions" => Outcome::Keys(Vec::new()),
        _ => unknown(meta, source),
    }
}

fn keys(key: Key) -> Outcome {
    Outcome::Keys(vec![key])
}

fn unknown(meta: &Meta, source: &Source) -> Outcome {
    let name = name_of(meta);
    Outcome::Unknown(format!(
        "`{}` has no key of its name; `crd attributes` lists the keys, look for one like `{name}`",
        source.of(meta)
    ))
}

fn renamed(meta: &Meta, name: &str, source: &Source) -> Outcome {
    match meta {
        Meta::NameValue(pair) => keys(Key::value(name, source.of(&pair.value))),
        _ => unknown(meta, source),
    }
}

/// The names in JSON, in kube's attribute and here.
type Names = &'static [(&'static str, &'static str, &'static str)];

const SCALE: Names = &[
    ("specReplicasPath", "spec_replicas_path", "spec"),
    ("statusReplicasPath", "status_replicas_path", "status"),
    ("labelSelectorPath", "label_selector_path", "selector"),
];

const COLUMN: Names = &[
    ("name", "name", "name"),
    ("type", "type_", "type"),
    ("jsonPath", "json_path", "path"),
    ("description", "description", "description"),
    ("format", "format", "format"),
    ("priority", "priority", "priority"),
];

/// Converts a key whose value is JSON, or keys in parentheses.
fn table(meta: &Meta, name: &'static str, names: Names, source: &Source) -> Outcome {
    let mut values = Vec::new();
    match meta {
        Meta::NameValue(pair) => {
            let json = serde::string(&pair.value);
            let json = json.and_then(|json| serde_json::from_str::<Value>(&json).ok());
            let Some(Value::Object(object)) = json else {
                return Outcome::Unknown(format!(
                    "`{}` is no JSON object; write `{name}(..)`",
                    source.of(meta)
                ));
            };
            if let Some(other) = object.keys().find(|key| !names.iter().any(|it| it.0 == **key)) {
                return Outcome::Unknown(format!("`{other}` is no key of `{name}(..)`"));
            }
            for (theirs, _, ours) in names {
                match object.get(*theirs) {
                    Some(Value::String(text)) => values.push(format!("{ours} = {}", literal(text))),
                    Some(value) if !value.is_null() => values.push(format!("{ours} = {value}")),
                    _ => {}
                }
            }
        }
        Meta::List(list) => {
            let Some(given) = metas(list.tokens.clone()) else { return unknown(meta, source) };
            for given in &given {
                let key = names.iter().find(|it| it.1 == name_of(given));
                let (Some((_, _, ours)), Meta::NameValue(pair)) = (key, given) else {
                    return unknown(given, source);
                };
                let value: &Expr = &pair.value;
                values.push(format!("{ours} = {}", source.of(value)));
            }
        }
        Meta::Path(_) => return unknown(meta, source),
    }
    keys(Key::List(name, values))
}

/// Whether two columns have the same type, which clippy takes for an attribute that was written twice.
pub(super) fn has_repeated_types(keys: &[Key]) -> bool {
    let columns = keys.iter().filter_map(|key| match key {
        Key::List("print_column", values) => values.iter().find(|it| it.starts_with("type = ")),
        _ => None,
    });
    let mut types: Vec<_> = columns.collect();
    types.sort();
    types.windows(2).any(|pair| pair[0] == pair[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(written: &str, want: &str) {
        let text = format!("#[kube({written})]\nstruct A;");
        let source = Source::parse("a.rs".into(), &text).expect(written);
        let types = super::super::source::types(&source.file);
        let attrs = super::super::source::Attr::all(types[0].attrs, &source);
        let keys = attrs[0].keys().expect("keys");
        let text = match convert(&keys[0], &source) {
            Outcome::Keep => "(kept)".to_owned(),
            Outcome::Keys(keys) => keys.iter().map(Key::on_one_line).collect::<Vec<_>>().join(", "),
            Outcome::Unknown(text) => format!("(unknown) {text}"),
        };
        assert_eq!(text, want);
    }

    #[test]
    fn keys_have_their_counterparts() {
        check(r#"group = "a.b""#, "(kept)");
        check(r#"status = "A""#, "status = A");
        check(r#"shortname = "a""#, r#"short_name = "a""#);
        check(r#"selectable = "spec.a""#, r#"selectable(".spec.a")"#);
        check(r#"attr = "allow(deprecated)""#, "attr(allow(deprecated))");
        check("cel", "");
        check(
            r##"printcolumn = r#"{"name":"A","type":"string","jsonPath":".a[?(@.b==\"c\")].d","priority":1}"#"##,
            r##"print_column(name = "A", type = "string", path = r#".a[?(@.b=="c")].d"#, priority = 1)"##,
        );
        check(
            r#"printcolumn(name = "A", type_ = "date", json_path = ".a")"#,
            r#"print_column(name = "A", type = "date", path = ".a")"#,
        );
        check(
            r##"scale = r#"{"specReplicasPath":".spec.r","statusReplicasPath":".status.r"}"#"##,
            r#"scale(spec = ".spec.r", status = ".status.r")"#,
        );
        check(
            r#"validation = Rule::new("self.a").message(Message::Expression("b".into())).reason(Reason::FieldValueInvalid)"#,
            r#"root_rule("self.a", message_expression = "b", reason = "FieldValueInvalid")"#,
        );
        check(r#"validation = ("a", "b")"#, r#"root_rule("a", message = "b")"#);
    }

    #[test]
    fn what_is_not_understood_says_what_to_write() {
        check(
            "validation = rules()",
            r#"(unknown) `rules()` is no literal; write `#[crd(rule("..", message = ".."))]`"#,
        );
        check(
            r#"printcolumn = "x""#,
            r#"(unknown) `printcolumn = "x"` is no JSON object; write `print_column(..)`"#,
        );
    }
}

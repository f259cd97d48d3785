//! Paths of columns, of the scale subresource and of selectable fields in a kind with fields of each type, and keys of
//! lists.

use super::{Probe, push};

/// The kind; `ATTRIBUTES` is replaced by its attributes.
const KIND: &str = "#[K] #[crd(ATTRIBUTES)] struct WidgetSpec { i: i32, l: i64, d: f64, b: bool, s: String, w: Word, \
                    part: Part, list: Vec<Part>, names: Vec<String>, map: BTreeMap<String, Part>, any: Value, tagged: \
                    Tagged, opt: Option<i32>, ios: IntOrString, time: Time, small: Small, #[serde(rename = \"x.y\")] \
                    dotted: String }\n#[D] #[derive(Clone, Debug)] struct WidgetStatus { ready: i32, labels: String }";

/// A path; the type of a column that can show its value, if there is one; and its other right uses, of those that are
/// tried: `w` in a column of another type too, `r` as `spec` of a scale, `l` as its selector, `s` as a selectable field,
/// `f` as the `field_path` of a rule.
const PATHS: [(&str, Option<&str>, &str); 40] = [
    (".spec.i", Some("integer"), "rsf"),
    (".spec.l", Some("integer"), "s"),
    (".spec.d", Some("number"), "f"),
    (".spec.b", Some("boolean"), "s"),
    (".spec.s", Some("string"), "lsf"),
    (".spec.w", Some("string"), "s"),
    (".spec.part", Some("string"), "f"),
    (".spec.part.n", Some("integer"), "s"),
    (".spec.part.s", Some("string"), "lsf"),
    (".spec.part.x", None, ""),
    (".spec.list", Some("string"), "f"),
    (".spec.list[0].n", Some("integer"), ""),
    (".spec.list[*].s", Some("string"), ""),
    (".spec.list.n", None, ""),
    (".spec.names[0]", Some("string"), ""),
    (".spec.names", Some("string"), ""),
    (".spec.map.a.n", Some("integer"), "rsf"),
    (".spec.map.a.x", None, ""),
    (".spec.map", Some("string"), "f"),
    (".spec.any.x.y", Some("string"), "w"),
    (".spec.tagged.kind", Some("string"), "lsf"),
    (".spec.tagged.n", Some("integer"), "s"),
    (".spec.tagged.x", None, ""),
    (".spec.opt", Some("integer"), "s"),
    (".spec.ios", Some("string"), "rlf"),
    (".spec.time", Some("date"), "s"),
    (".spec.small", Some("integer"), "rsf"),
    (".spec['x.y']", None, ""),
    (".spec.x\\\\.y", Some("string"), ""),
    (".spec.x.y", None, ""),
    (".spec.I", None, ""),
    (".spec", Some("string"), ""),
    (".status.ready", Some("integer"), "sf"),
    (".status.labels", Some("string"), "s"),
    (".status.nothing", None, ""),
    (".metadata.name", Some("string"), ""),
    (".metadata.nothing", None, ""),
    ("spec.i", None, ""),
    (".spec.", None, ""),
    (".spec..i", Some("string"), "w"),
];

pub(super) fn probes() -> Vec<Probe> {
    let mut probes = Vec::new();
    for (index, (path, ty, right)) in PATHS.into_iter().enumerate() {
        let shows = ty.unwrap_or("string");
        let wrong = if shows == "integer" { "boolean" } else { "integer" };
        let column =
            |ty: &str| format!("print_column(name = \"It\", type = \"{ty}\", path = \"{path}\")");
        let uses = [
            (format!("column {path} as {shows}"), column(shows), ty.is_some()),
            (format!("column {path} as {wrong}"), column(wrong), right.contains('w')),
            (
                format!("spec replicas {path}"),
                format!("scale(spec = \"{path}\", status = \".status.ready\")"),
                right.contains('r'),
            ),
            (
                format!("status replicas {path}"),
                format!("scale(spec = \".spec.i\", status = \"{path}\")"),
                false,
            ),
            (
                format!("selector {path}"),
                format!(
                    "scale(spec = \".spec.i\", status = \".status.ready\", selector = \"{path}\")"
                ),
                right.contains('l'),
            ),
            (format!("selectable {path}"), format!("selectable(\"{path}\")"), right.contains('s')),
            (
                format!("field_path {path}"),
                format!("root_rule(\"true\", message = \"m\", field_path = \"{path}\")"),
                right.contains('f'),
            ),
        ];
        for (name, attribute, is_right) in
            uses.into_iter().enumerate().filter(|(n, _)| is_tried(index, *n)).map(|(_, it)| it)
        {
            let why = (!is_right)
                .then(|| "the server would show, scale or select nothing by it".to_owned());
            let attribute = format!("status = WidgetStatus, {attribute}");
            push(
                &mut probes,
                Probe {
                    name,
                    source: KIND.replace("ATTRIBUTES", &attribute),
                    why,
                    ..Probe::default()
                },
            );
        }
    }
    keys(&mut probes);
    probes
}

/// Whether a path is tried in a usage, by their indices: each path as a column (0) and as a selectable field (5), and
/// half of the paths in each other usage, because compiling a kind takes ten times as long as compiling a part.
const fn is_tried(path: usize, usage: usize) -> bool {
    matches!(usage, 0 | 5) || (path + usage).is_multiple_of(2)
}

/// Adds probes of lists with keys of each type.
fn keys(probes: &mut Vec<Probe>) {
    let fields = "n: i32, s: String, o: Option<i32>, #[serde(default)] d: i32, #[crd(default = 1)] e: i32, l: Vec<i32>, \
                  p: Part, #[serde(rename = \"r.r\")] r: String, w: Word, b: bool, f: f64, any: Value, small: Small";
    let names = [
        "n", "s", "o", "d", "e", "l", "p", "r.r", "r", "w", "b", "f", "any", "small", "x", "N", "",
    ];
    for name in names {
        push(
            probes,
            Probe {
                name: format!("list_map_keys(\"{name}\")"),
                source: format!(
                    "#[D] struct In {{ {fields} }}\n#[D] struct Root {{ #[crd(list_type = \"map\", list_map_keys(\"{name}\"))] a: Vec<In> }}"
                ),
                why: ["o", "d"].contains(&name).then(|| "a key may be absent".to_owned()),
                ..Probe::default()
            },
        );
    }
    for (name, attribute) in [
        ("two keys", "list_map_keys(\"n\", \"s\")"),
        ("a key twice", "list_map_keys(\"n\", \"n\")"),
        ("no key", "list_map_keys()"),
    ] {
        push(
            probes,
            Probe {
                name: name.to_owned(),
                source: format!("#[crd(list_type = \"map\", {attribute})] a: Vec<Part>,"),
                ..Probe::default()
            },
        );
    }
}

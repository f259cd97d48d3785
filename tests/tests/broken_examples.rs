//! Adds each kind of mistake that rustc can detect to every example: rustc must report it at the mistake.
//!
//! A mistake is put into the source of an example: attributes are added to the kind, fields to its struct and types
//! beside them, or a text is replaced by another. The result is checked as rustc checks it for an operator author.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use crd_tests::rustc::{Rustc, lines_of_json};

static RUSTC: LazyLock<Rustc> = LazyLock::new(|| Rustc::of_test("broken_examples"));

/// Returns the directory to which the sources are written.
fn scratch() -> PathBuf {
    let scratch = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("broken-examples");
    fs::create_dir_all(&scratch).expect("a scratch directory");
    scratch
}

/// Returns rustc's errors for a source. Editors show an error at its span, which must be in the source itself.
fn errors(name: &str, source: &str) -> String {
    let (scratch, file) = (scratch(), format!("{name}.rs"));
    fs::write(scratch.join(&file), source).expect("the scratch file is written");
    let (crate_type, metadata) = ("--crate-type=lib", format!("{name}.rmeta"));
    let args = [crate_type, "--emit=metadata", "--cap-lints=allow", "-o", &metadata, &file];
    let output = RUSTC.run(&scratch, &args);
    let mut rendered = String::new();
    for error in lines_of_json(&output.stderr) {
        rendered += error["rendered"].as_str().unwrap_or_default();
        for span in error["spans"].as_array().into_iter().flatten() {
            assert!(span["is_primary"] == false || span["file_name"] == file, "{error}");
        }
    }
    rendered
}

/// Whether there is an error with the text `message` at the line that contains `at`.
fn has_error(errors: &str, source: &str, at: &str, message: &str) -> bool {
    let line = source.lines().position(|line| line.contains(at)).map_or(0, |line| line + 1);
    errors.split("\nerror").any(|error| {
        let place = error.lines().find(|line| line.trim_start().starts_with("--> "));
        let place = place.and_then(|place| place.split(':').nth(1)?.parse().ok());
        error.contains(message) && place == Some(line)
    })
}

/// An example, and the lines at which mistakes are inserted.
struct Example {
    name: &'static str,
    source: &'static str,
    /// Attributes of the kind are inserted before this line.
    kind: &'static str,
    /// Fields are inserted after this line.
    fields: &'static str,
    /// The path of those fields.
    path: &'static str,
    /// Types are inserted before this line.
    types: &'static str,
}

const EXAMPLES: [Example; 6] = [
    Example {
        name: "cleaner",
        source: include_str!("../../examples/src/cleaner.rs"),
        kind: "#[crd(status = CleanerStatus)]",
        fields: "pub struct CleanerSpec {",
        path: ".spec",
        types: "/// When the cleaner ran and will run.",
    },
    Example {
        name: "cluster_profile",
        source: include_str!("../../examples/src/cluster_profile.rs"),
        kind: "#[crd(status = ClusterProfileStatus)]",
        fields: "pub struct ClusterProfileSpec {",
        path: ".spec",
        types: "/// The observed state of the clusters.",
    },
    Example {
        name: "crontab",
        source: include_str!("../../examples/src/crontab.rs"),
        kind: "#[crd(short_name = \"ct\"",
        fields: "pub struct CronTabSpec {",
        path: ".spec",
        types: "/// What runs at the moment.",
    },
    Example {
        name: "host_port",
        source: include_str!("../../examples/src/host_port.rs"),
        kind: "    #[crd(storage = false)]",
        fields: "    pub struct Endpoint {",
        path: "",
        types: "    /// Where something listens.",
    },
    Example {
        name: "raw",
        source: include_str!("../../examples/src/raw.rs"),
        kind: "#[crd(group = \"stable.example.com\"",
        fields: "pub struct RawSpec {",
        path: ".spec",
        types: "/// Anything, with one subtree that is specified.",
    },
    Example {
        name: "shirt",
        source: include_str!("../../examples/src/shirt.rs"),
        kind: "#[crd(group = \"stable.example.com\"",
        fields: "pub struct ShirtSpec {",
        path: ".spec",
        types: "/// A shirt.",
    },
];

/// A mistake: the added text, and rustc's error with its line. `PATH` is a placeholder for the path of the fields.
struct Mistake {
    /// Attributes to add to the kind.
    kind: &'static str,
    /// A field to add.
    field: &'static str,
    /// A text in the line of the error.
    at: &'static str,
    message: &'static str,
}

const NONE: Mistake = Mistake { kind: "", field: "", at: "", message: "" };

/// Mistakes that involve several types of a kind.
const MISTAKES: &[Mistake] = &[
    Mistake {
        kind: "#[crd(print_column(name = \"M1\", type = \"string\", path = \"PATH.extra.nmae\"))]",
        at: "M1",
        message: "there is no field `nmae` in `PATH.extra`, which has `name`, `count`, `parts`, `mode`; did you mean `name`?",
        ..NONE
    },
    Mistake {
        kind: "#[crd(print_column(name = \"M2\", type = \"integer\", path = \"PATH.extra.name\"))]",
        at: "M2",
        message: "`PATH.extra.name` is a string, so a column of type `integer` would always be empty; use `string`",
        ..NONE
    },
    Mistake {
        kind: "#[crd(print_column(name = \"M3\", type = \"string\", path = \"PATH.extra.parts.name\"))]",
        at: "M3",
        message: "`PATH.extra.parts` is a list and has no field `name`",
        ..NONE
    },
    Mistake {
        kind: "#[crd(print_column(name = \"M4\", type = \"string\", path = \"PATH.extra.parts[0].nmae\"))]",
        at: "M4",
        message: "there is no field `nmae` in `PATH.extra.parts[0]`",
        ..NONE
    },
    Mistake {
        kind: "#[crd(print_column(name = \"M5\", type = \"string\", path = \"PATH.extra.parts[?(@.nmae=='a')].name\"))]",
        at: "M5",
        message: "there is no field `nmae` in the items",
        ..NONE
    },
    Mistake {
        kind: "#[crd(print_column(name = \"M6\", type = \"string\", path = \".metadata.labels['a.b']\"))]",
        at: "M6",
        message: "a dot in a key is written `\\.`",
        ..NONE
    },
    Mistake {
        kind: "#[crd(selectable(\"PATH.extra.nmae\"))]",
        at: "#[crd(selectable(\"PATH.extra.nmae\"))]",
        message: "there is no field `nmae` in `PATH.extra`",
        ..NONE
    },
    Mistake {
        kind: "#[crd(selectable(\"PATH.extra.parts\"))]",
        at: "#[crd(selectable(\"PATH.extra.parts\"))]",
        message: "`PATH.extra.parts` is a list, but only strings, booleans and integers can be selectable",
        ..NONE
    },
    Mistake {
        kind: "#[crd(rule(\"true\", message = \"M9\", field_path = \".extra.nmae\"))]",
        at: "M9",
        message: "there is no field `nmae` in `.extra`",
        ..NONE
    },
    Mistake {
        field: "#[crd(exactly_one_of(\"name\", \"m10\"))] pub m10: Extra,",
        at: "pub m10",
        message: "there is no field `m10` in this type",
        ..NONE
    },
    Mistake {
        field: "#[crd(list_type = \"map\", list_map_keys(\"nmae\"))] pub m11: Vec<Extra>,",
        at: "pub m11",
        message: "there is no field `nmae` in the items",
        ..NONE
    },
    Mistake {
        field: "#[crd(list_type = \"map\", list_map_keys(\"parts\"))] pub m12: Vec<Extra>,",
        at: "pub m12",
        message: "the key `parts` is a list; a key must be a string, number or boolean",
        ..NONE
    },
    Mistake {
        field: "#[crd(list_type = \"map\", list_map_keys(\"count\"))] pub m13: Vec<Extra>,",
        at: "pub m13",
        message: "the key `count` must be required",
        ..NONE
    },
    Mistake {
        field: "#[crd(default = \"fast\")] pub m14: ExtraMode,",
        at: "pub m14",
        message: "`fast` is not a value of the enumeration, which has `Fast`, `Slow`; did you mean `Fast`?",
        ..NONE
    },
    Mistake {
        field: "#[crd(default = 5)] pub m15: ExtraMode,",
        at: "pub m15",
        message: "the default is a number, but the field's type is a string of an enumeration",
        ..NONE
    },
    Mistake {
        field: "#[crd(selectable)] pub m16: Extra,",
        at: "pub m16",
        message: "`selectable` does not apply here: this type is not a string, boolean or integer",
        ..NONE
    },
    Mistake {
        field: "#[crd(print_column(name = \"M17\", type = \"boolean\"))] pub m17: Extra,",
        at: "pub m17",
        message: "the field is an object, so a column of type `boolean` would always be empty",
        ..NONE
    },
];

/// Mistakes in `scale`, for the examples without one. They are tested one by one, because a kind has only one `scale`.
const SCALES: &[Mistake] = &[
    Mistake {
        kind: "#[crd(scale(spec = \".spec.extra.cuont\", status = \".status.nothing\", selector = \".spec.extra.parts\"))]",
        at: "scale(",
        message: "there is no field `cuont` in `.spec.extra`",
        ..NONE
    },
    Mistake {
        kind: "#[crd(scale(spec = \".spec.extra.name\", status = \".status.nothing\", selector = \".spec.extra.count\"))]",
        at: "scale(",
        message: "`.spec.extra.name` is a string, but replicas must be an integer",
        ..NONE
    },
    Mistake {
        kind: "#[crd(scale(spec = \".spec.extra.count\", status = \".status.nothing\", selector = \".spec.extra.count\"))]",
        at: "scale(",
        message: "`.spec.extra.count` is an integer, but a label selector must be a string",
        ..NONE
    },
    Mistake {
        kind: "#[crd(scale(spec = \".spec.extra.count\", status = \".status.nothing\"))]",
        at: "scale(",
        message: "there is no field `",
        ..NONE
    },
];

/// Types that the mistakes are about.
const TYPES: &str = "
#[derive(crd_runtime::CrdSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[crd(apply)]
pub struct Extra {
    pub name: String,
    #[serde(skip_serializing_if = \"Option::is_none\")]
    pub count: Option<i32>,
    pub parts: Vec<ExtraPart>,
    pub mode: ExtraMode,
}
#[derive(crd_runtime::CrdSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[crd(apply)]
pub struct ExtraPart {
    pub name: String,
}
#[derive(crd_runtime::CrdSchema, Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExtraMode {
    Fast,
    Slow,
}
";

impl Example {
    /// Returns the source of the example with these mistakes, each on a line, and further types.
    fn with(&self, mistakes: &[&Mistake], further: &str) -> String {
        let mut source = String::new();
        let mut types = Some(TYPES);
        let mut fields = Some("pub extra: Extra,");
        let mut kind = Some(());
        // Leaves out conversions, which build values of the kinds without the added fields.
        let kinds = self.source.split("\nimpl ConvertTo").next().unwrap_or_default();
        for line in kinds.lines() {
            if line.starts_with(self.types)
                && let Some(types) = types.take()
            {
                source.push_str(types);
                source.push_str(further);
            }
            if line.starts_with(self.kind) && kind.take().is_some() {
                for mistake in mistakes.iter().filter(|mistake| !mistake.kind.is_empty()) {
                    writeln!(source, "{}", self.with_path(mistake.kind)).unwrap();
                }
            }
            writeln!(source, "{line}").unwrap();
            if line.starts_with(self.fields)
                && let Some(extra) = fields.take()
            {
                writeln!(source, "{extra}").unwrap();
                for mistake in mistakes.iter().filter(|mistake| !mistake.field.is_empty()) {
                    writeln!(source, "{}", mistake.field).unwrap();
                }
            }
        }
        assert!(types.is_none() && fields.is_none() && kind.is_none(), "{}", self.name);
        source
    }

    /// Replaces the placeholder.
    fn with_path(&self, text: &str) -> String {
        text.replace("PATH", self.path)
    }

    #[track_caller]
    fn check(&self, name: &str, mistakes: &[&Mistake]) {
        let source = self.with(mistakes, "");
        let errors = errors(&format!("{}_{name}", self.name), &source);
        for mistake in mistakes {
            let (at, message) = (self.with_path(mistake.at), self.with_path(mistake.message));
            assert!(
                has_error(&errors, &source, &at, &message),
                "{}: no error at {at} says {message}\n{errors}",
                self.name
            );
        }
        let count = errors.lines().filter(|line| line.starts_with("error[E0080]")).count();
        assert!(count >= mistakes.len(), "{}: {count} errors\n{errors}", self.name);
    }
}

#[test]
fn examples_with_further_types_compile() {
    for example in &EXAMPLES {
        let errors = errors(&format!("{}_whole", example.name), &example.with(&[], ""));
        assert!(errors.is_empty(), "{}\n{errors}", example.name);
    }
}

#[test]
fn every_mistake_in_every_example_is_an_error_of_its_own() {
    let mistakes: Vec<_> = MISTAKES.iter().collect();
    for example in &EXAMPLES {
        example.check("mistakes", &mistakes);
    }
}

#[test]
fn paths_of_scale_are_checked_in_every_example() {
    for example in EXAMPLES.iter().filter(|example| !example.source.contains("scale(")) {
        for (index, mistake) in SCALES.iter().enumerate() {
            // If the fields are at the root, the error is another one: the server allows only paths below `spec`.
            let mistake = if example.path.is_empty() {
                &Mistake { message: "there is no field `spec` in the object", ..*mistake }
            } else {
                mistake
            };
            example.check(&format!("scale_{index}"), &[mistake]);
        }
    }
}

/// Types that contain each other.
const CIRCLE: &str = "
#[derive(crd_runtime::CrdSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct Chicken { pub egg: Option<Box<Egg>> }
#[derive(crd_runtime::CrdSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct Egg { pub chickens: Vec<Chicken> }
";

#[test]
fn types_that_contain_each_other_are_an_error_in_every_example() {
    for example in &EXAMPLES {
        let source = example.with(&[], CIRCLE);
        let errors = errors(&format!("{}_circle", example.name), &source);
        for (at, message) in [
            ("pub egg", "overflow evaluating the requirement `Chicken: CrdSchema`"),
            ("pub chickens", "overflow evaluating the requirement `Egg: CrdSchema`"),
            ("pub egg", "FiniteOrMarkedRecursive"),
        ] {
            assert!(
                has_error(&errors, &source, at, message),
                "{}: {message}\n{errors}",
                example.name
            );
        }
    }
}

/// Replaces a text of an example by another.
#[test]
fn mistakes_in_the_text_of_examples() {
    for (example, from, to, message) in [
        (
            "crontab",
            "spec = \".spec.replicas\"",
            "spec = \".spec.replcas\"",
            "there is no field `replcas` in `.spec`",
        ),
        (
            "crontab",
            "spec = \".spec.replicas\"",
            "spec = \".spec.cronSpec\"",
            "`.spec.cronSpec` is a string, but replicas must be an integer",
        ),
        (
            "crontab",
            "status = \".status.replicas\"",
            "status = \".status.Replicas\"",
            "did you mean `replicas`?",
        ),
        (
            "crontab",
            "selector = \".status.labelSelector\"",
            "selector = \".status.selector\"",
            "there is no field `selector` in `.status`",
        ),
        (
            "crontab",
            "selector = \".status.labelSelector\"",
            "selector = \".status.replicas\"",
            "`.status.replicas` is an integer, but a label selector must be a string",
        ),
        (
            "crontab",
            "path = \".metadata.creationTimestamp\"",
            "path = \".metadata.created\"",
            "there is no field `created` in `.metadata`",
        ),
        (
            "crontab",
            "type = \"date\", path",
            "type = \"number\", path",
            "is a string, so a column of type `number` would always be empty",
        ),
        (
            "cluster_profile",
            "list_map_keys(\"identifier\")",
            "list_map_keys(\"identifer\")",
            "did you mean `identifier`?",
        ),
        (
            "cluster_profile",
            "default = \"Install\"",
            "default = \"install\"",
            "did you mean `Install`?",
        ),
        (
            "cluster_profile",
            "print_column(name = \"Ready\")",
            "print_column(name = \"Ready\", type = \"integer\")",
            "the field is a boolean",
        ),
        (
            "cleaner",
            "default = \"Delete\"",
            "default = \"Remove\"",
            "`Remove` is not a value of the enumeration, which has `Delete`, `Scan`",
        ),
    ] {
        let found = EXAMPLES.iter().find(|found| found.name == example).unwrap();
        assert!(found.source.contains(from), "{example} has no {from}");
        let source = found.source.replacen(from, to, 1);
        let errors = errors(&format!("{example}_replaced"), &source);
        assert!(has_error(&errors, &source, to, message), "{example}: {to}\n{errors}");
    }
}

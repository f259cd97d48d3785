//! Checks the page of mistakes that rustc finds, which is made from the files and the probes that rustc is tested with,
//! and the README's example of a mistake.
//!
//! `BLESS=compile-errors cargo test -p crd-tests --test rustc compile_errors` writes the page anew.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crd_tests::probes;

/// The path of the page.
const PAGE: &str = "../docs/guide/src/compile-errors.md";

/// The chapters with their mistakes: a description, and the file of `ui/fail` that has the mistake.
const CHAPTERS: &[(&str, &[(&str, &str)])] = &[
    (
        "Printer columns",
        &[
            ("The path names no field", "column_path_names_no_field"),
            ("There is no status", "column_path_without_status"),
            ("Metadata has no such field", "column_path_names_no_metadata"),
            ("A list is not an object", "column_path_into_a_list_without_brackets"),
            ("An object is not a list", "column_path_takes_an_element_of_an_object"),
            ("A string has no fields", "column_path_into_a_string"),
            ("A filter names no field", "column_path_of_a_filter_names_no_field"),
            ("A dot in a key", "column_path_splits_a_key_at_its_dots"),
            ("Through a tagged enum", "column_path_through_a_tagged_enum"),
            ("Through a generic type", "column_path_through_a_generic_type"),
            ("The column's type shows nothing", "column_type_is_not_that_of_the_path"),
            ("The type of a field's own column", "column_type_is_not_that_of_the_field"),
            (
                "The column of a field of another type",
                "column_path_of_a_nested_field_names_no_field",
            ),
        ],
    ),
    (
        "Scale",
        &[
            ("The path names no field", "scale_path_names_no_field"),
            ("Replicas are not an integer", "scale_path_is_no_integer"),
            ("The selector is not a string", "scale_selector_is_no_string"),
        ],
    ),
    (
        "Selectable fields",
        &[
            ("The path names no field", "selectable_path_names_no_field"),
            ("The field is not a scalar", "selectable_path_is_no_scalar"),
            ("More than 8, over all types", "selectable_fields_of_all_types_are_too_many"),
        ],
    ),
    (
        "Lists",
        &[
            ("A key does not exist", "list_map_key_does_not_exist"),
            ("A key is not a scalar", "list_map_key_is_no_scalar"),
            ("A key may be absent", "list_map_key_may_be_absent"),
            ("The items are not objects", "list_map_items_are_no_objects"),
            ("A set of objects that are merged", "set_of_objects"),
        ],
    ),
    (
        "Rules",
        &[
            ("`field_path` names no field", "rule_field_path_names_no_field"),
            (
                "`field_path` of a rule on another type",
                "rule_field_path_of_another_type_names_no_field",
            ),
            ("`exactly_one_of` names no field", "one_of_names_no_field_of_another_type"),
        ],
    ),
    (
        "Expressions of rules",
        &[
            ("A field is misspelled", "cel_field_is_misspelled"),
            ("A field of an element is misspelled", "cel_field_of_an_element_is_misspelled"),
            ("There is no such field", "cel_field_of_no_similar_name"),
            ("A field holds any JSON", "cel_field_of_any_json"),
            ("A name is not escaped", "cel_field_name_is_not_escaped"),
            ("Rules see two fields of metadata", "cel_labels_of_metadata"),
            ("Operands of two types", "cel_operands_of_two_types"),
            ("An int and a double are never equal", "cel_int_and_double_are_equal"),
            ("Branches of two types", "cel_branches_of_two_types"),
            ("A list of two types", "cel_list_of_two_types"),
            ("The rule is not a bool", "cel_rule_is_no_bool"),
            ("The predicate is not a bool", "cel_predicate_is_no_bool"),
            ("A scalar is never null", "cel_scalar_compared_with_null"),
            ("An optional is not unwrapped", "cel_optional_is_not_unwrapped"),
            ("A function is misspelled", "cel_function_is_misspelled"),
            ("An argument of another type", "cel_argument_of_another_type"),
            ("An argument is missing", "cel_argument_is_missing"),
            ("A duration in days", "cel_duration_in_days"),
            ("A literal that cannot be converted", "cel_conversion_of_a_literal_fails"),
            ("A format string for another type", "cel_argument_of_a_format"),
            ("The message is not a string", "cel_message_is_no_string"),
            ("A field of an enum is misspelled", "cel_field_of_a_tagged_enum"),
            ("A field of a variant is misspelled", "cel_field_of_a_variant"),
            ("A field that variants give different types", "cel_field_of_several_types"),
            ("Rules of variants", "cel_rule_of_a_variant"),
            ("Several mistakes in one rule", "cel_several_mistakes_in_one_rule"),
            ("A rule in pieces", "rule_in_pieces"),
            ("A rule in a file", "rule_of_a_file"),
            ("Literals that always fail", "lint_of_constants_that_fail"),
            ("Not a member of the enumeration", "lint_of_members_of_an_enumeration"),
            ("A value without a type", "rules_of_values_without_a_type"),
            ("Messages", "cel_message_literals"),
            ("Maps of any keys", "cel_maps_of_any_keys"),
            ("The old value of an item that has none", "transition_of_items_of_an_atomic_list"),
        ],
    ),
    (
        "Constants",
        &[
            ("As bounds", "constants_as_bounds"),
            ("As a bound, and not a number", "constant_as_a_bound_is_no_number"),
            ("As rules and messages", "constants_as_rules"),
        ],
    ),
    (
        "Several mistakes at once",
        &[
            ("Next to malformed keys", "malformed_keys_hide_no_others"),
            ("On a flattened field", "keys_without_a_schema_of_their_own"),
            ("Names that are too long or end in a dash", "lengths_and_dashes_of_names"),
        ],
    ),
    (
        "Kinds and their roots",
        &[
            ("The status is more private than the kind", "status_is_more_private_than_the_kind"),
            ("A derive of the root that the spec lacks", "derive_of_the_root_that_the_spec_lacks"),
            (
                "Derives and attributes that the root has already",
                "derives_and_attributes_of_the_root",
            ),
            ("The metadata is another type", "metadata_of_a_root_is_another_type"),
        ],
    ),
    (
        "Versions of one kind",
        &[
            ("They differ in group", "versions_differ_in_group"),
            ("They differ in scope", "versions_differ_in_scope"),
            ("More than one is stored", "versions_store_two"),
        ],
    ),
    (
        "Apply configurations",
        &[
            ("There is no such field", "apply_field_does_not_exist"),
            ("An item without its key", "apply_item_without_its_key"),
            ("The keys are not those of the list", "apply_keys_are_not_those_of_the_list"),
            ("A nested type has no apply configuration", "apply_of_a_part_is_missing"),
        ],
    ),
    (
        "Calls of a client",
        &[
            ("There is no status", "client_status_of_a_kind_without_one"),
            ("There is no scale", "client_scale_of_a_kind_without_one"),
            ("There are no namespaces", "client_namespace_of_a_cluster_kind"),
            ("There are namespaces", "client_cluster_of_a_namespaced_kind"),
            ("An object is in one namespace", "client_object_in_all_namespaces"),
            ("The field is not selectable", "client_selector_of_an_unknown_field"),
        ],
    ),
    (
        "Defaults",
        &[
            ("Not a variant of the enum", "default_is_no_variant"),
            ("None of the values of a newtype", "default_is_none_of_the_values_of_a_newtype"),
            ("Not of the type", "default_is_not_of_another_type"),
            (
                "Against the pattern, format, rule or values of the same field",
                "default_against_what_stands_beside_it",
            ),
            ("It does not serialize", "default_does_not_serialize"),
            ("Required and optional at once", "required_and_optional"),
        ],
    ),
    (
        "Types without a schema",
        &[
            ("A forgotten derive", "part_without_a_schema"),
            ("In containers, of other crates, in variants, as a status", "parts_without_schemas"),
        ],
    ),
    (
        "Versions of Kubernetes",
        &[
            (
                "Rules call what the oldest server does not have",
                "kubernetes_is_older_than_what_rules_call",
            ),
            ("Formats and selectable fields", "kubernetes_is_older_than_attributes"),
            ("An unknown minor version", "kubernetes_is_no_known_minor"),
        ],
    ),
    (
        "Habits of other derives",
        &[
            ("Keys of kube's derive and of schemars, a root alone", "habits_of_other_derives"),
            ("Attributes of kube's derive and of schemars", "attributes_of_other_derives"),
        ],
    ),
    ("Untagged enums", &[("A variant hides another", "untagged_variants_hide_others")]),
    (
        "Recursion",
        &[
            ("A type contains itself", "recursive_type"),
            ("Types contain each other", "recursive_types"),
        ],
    ),
];

/// What rustc says in its own words, in a file of `ui/fail`, and what is meant.
const MEANINGS: &[(&str, &str, &str)] = &[
    (
        "error[E0080]: evaluation panicked: ",
        "column_path_of_a_nested_field_names_no_field",
        "a check of an attribute failed. The fact and what to write follow the colon.",
    ),
    (
        "error[E0275]: overflow evaluating the requirement `Folder: FiniteOrMarkedRecursive<true>`",
        "recursive_types",
        "`Folder` contains itself through the type of the marked field, and a schema is finite. Put `#[crd(recursive)]` on one of the marked fields, where the schema then ends and admits any content. Of types with parameters, rustc says `error[E0391]: cycle detected when` at their derives.",
    ),
    (
        "has no structural schema",
        "part_without_a_schema",
        "the type of the marked field has no `#[derive(CrdSchema)]`; for a foreign type, see the notes of the error.",
    ),
    (
        "error[E0277]: the trait bound",
        "derive_of_the_root_that_the_spec_lacks",
        "a trait of `derive(..)` on the kind is not derived on the spec or on the status.",
    ),
];

/// The mistake that the README shows, in the struct that it shows.
const FIRST: &str = "readme";

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Reads a file of `ui/fail`, here or among the core cases of the derives.
fn case(name: &str, extension: &str) -> String {
    let file = format!("ui/fail/{name}.{extension}");
    let core = format!("../crd-derive/tests/{file}");
    let is_core = Path::new(env!("CARGO_MANIFEST_DIR")).join(&core).exists();
    read(if is_core { &core } else { &file })
}

/// Returns rustc's output for a file, with the paths of a user's own crate.
fn output(name: &str) -> String {
    let output = case(name, "stderr").replace(&format!("tests/ui/fail/{name}.rs"), "src/lib.rs");
    let output = output.replace(&format!("ui/fail/{name}.rs"), "src/lib.rs");
    output.replace("$WORKSPACE/", "").trim_end().to_owned()
}

fn page() -> String {
    let mut page = String::from(
        "# Mistakes that rustc finds\n\n\
         `cargo check` and your editor report these mistakes at the attribute that is wrong, also if it is about another \
         type. `error[E0080]: evaluation panicked` is how rustc reports a failed compile-time check: read what follows \
         the colon.\n\n\
         Some checks need the test that the derive writes for each kind, or `crd check`: of what rules cost, of defaults \
         and rules of other types about which the variants of an enum disagree, of rules with `oldSelf` of the type of a \
         list's items, of rules and patterns that are constants \
         (`rule(RULE)`), and of paths and rules about any JSON, `schema_with` and foreign types, whose fields rustc does \
         not know. Printer columns are checked more strictly than by the API server, which accepts any path and shows \
         an empty column if there is no such field.\n\n\
         This page is generated from `tests/ui/fail` and `crd-derive/tests/ui/fail` by \
         `BLESS=compile-errors cargo test -p crd-tests --test rustc compile_errors`; do not edit it.\n\n",
    );
    page.push_str("## What rustc says\n\n| rustc says | what it means |\n|---|---|\n");
    for (text, name, meaning) in MEANINGS {
        assert!(output(name).contains(text), "{name} does not say {text}");
        writeln!(page, "| `` {text} `` | {meaning} |").unwrap();
    }
    page.push('\n');
    for (chapter, mistakes) in CHAPTERS {
        let titles: Vec<_> = mistakes.iter().map(|(title, _)| *title).collect();
        writeln!(page, "- [{chapter}](#{}): {}", anchor(chapter), titles.join("; ")).unwrap();
    }
    writeln!(page, "- [How much is found](#how-much-is-found)").unwrap();
    for (chapter, mistakes) in CHAPTERS {
        write!(page, "\n## {chapter}\n").unwrap();
        for (title, name) in *mistakes {
            let source = case(name, "rs");
            let source = source.trim_end().trim_end_matches("fn main() {}").trim_end();
            let output = output(name);
            write!(
                page,
                "\n### {title}\n\n```rust,compile_fail\n{source}\n```\n\n```text\n{output}\n```\n"
            )
            .unwrap();
        }
    }
    page.push_str(&probe_summary());
    page
}

/// Returns the anchor of a heading.
fn anchor(heading: &str) -> String {
    heading.to_lowercase().replace(' ', "-")
}

/// Describes how many of the probes are found, and where.
fn probe_summary() -> String {
    let families = probes::read().unwrap();
    let all: usize = families.values().map(|family| family.probes.len()).sum();
    format!(
        "\n## How much is found\n\n\
         {all} small programs with right and wrong attributes (`tests/probes`) are compiled. The API server's own code \
         validates the definition of each, or the one that its author intends.\n\
         *Valid*: it compiles, the server accepts it, and the type agrees with its definition.\n\
         *Rejected, at the token*: the server rejects it, and rustc marks the attribute or type that is wrong.\n\
         *By the kind's test*: it compiles, and the test that the derive writes reports that a rule costs too much.\n\
         *Rejected for another reason*: the server would accept it or cannot be asked, and the derives give the reason: \
         no value is valid, the type cannot read a value, there is no such key.\n\
         *Elsewhere*: an error of rustc's or serde's own, or at no token.\n\
         *Missed*: it compiles, but the server rejects it; *silent*: the server accepts it, but the type does not agree \
         with its definition, or should be rejected; *false*: it is rejected, and nothing is wrong.\n\n{}",
        probes::table(&families)
    )
}

#[test]
fn the_page_is_what_rustc_says() {
    let page = page();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    if crd_tests::blesses("compile-errors") {
        return fs::write(&path, page).expect("the page can be written");
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        page == written,
        "{PAGE} is stale: BLESS=compile-errors cargo test -p crd-tests --test rustc compile_errors"
    );
}

#[test]
fn no_mistake_is_shown_twice() {
    let mut seen = BTreeSet::new();
    for (_, name) in CHAPTERS.iter().flat_map(|(_, mistakes)| *mistakes) {
        assert!(seen.insert(name), "{name}");
    }
}

#[test]
fn the_mistake_on_the_first_screen_is_real() {
    let readme = read("../README.md");
    let source = read(&format!("ui/fail/{FIRST}.rs"));
    let source = source.replace("self.minReplica <=", "self.minReplicas <=");
    let (_, source) = source.split_once("\n\n").expect("imports");
    let source = source.trim_end().trim_end_matches("fn main() {}").trim_end();
    assert!(readme.contains(source), "README.md does not show\n{source}");
    let output = output(FIRST);
    assert!(readme.contains(&output), "README.md does not show\n{output}");
}

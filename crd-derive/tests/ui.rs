//! Core cases of the derives: types that they reject, with the errors, and programs that compile.
//!
//! `TRYBUILD=overwrite cargo test -p crd-derive --test ui` writes the errors again. More cases are in `tests/ui` of the
//! workspace, where `crd-tests` compiles them with all features of crd-runtime.

/// The types that compile. With programs among its cases, trybuild generates code for all dependencies, twice, and builds
/// one case after the other; without, it checks all at once. As modules of this test, programs cost one compilation.
#[path = "ui/pass"]
mod pass {
    mod elements_that_are_enums;
    mod flattened_parts;
    mod generic;
    mod literals;
    mod recursion_with_a_cut;
}

#[test]
fn rejected_types() {
    trybuild::TestCases::new().compile_fail("tests/ui/fail/*.rs");
}

#[test]
fn each_program_is_a_module() {
    let mut files: Vec<_> = std::fs::read_dir("tests/ui/pass")
        .expect("the programs")
        .map(|file| file.expect("a file").path())
        .map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned())
        .collect();
    files.sort();
    let modules = include_str!("ui.rs").lines().filter_map(|line| line.strip_prefix("    mod "));
    assert_eq!(files, modules.map(|name| name.trim_end_matches(';')).collect::<Vec<_>>());
}

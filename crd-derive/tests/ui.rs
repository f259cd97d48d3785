//! Core cases of the derives: types that they reject, with the errors, and programs that compile.
//!
//! `TRYBUILD=overwrite cargo test -p crd-derive --test ui` writes the errors again. More cases are in `tests/ui` of the
//! workspace, where `crd-tests` compiles them with all features of crd-runtime.

#[test]
fn rejected() {
    trybuild::TestCases::new().compile_fail("tests/ui/fail/*.rs");
}

#[test]
fn accepted() {
    trybuild::TestCases::new().pass("tests/ui/pass/*.rs");
}

//! Core cases of the derives: types that they reject, with the errors, and programs that compile.
//!
//! `TRYBUILD=overwrite cargo test -p crd-derive --test ui` writes the errors again. More cases are in `tests/ui` of the
//! workspace, where `crd-tests` compiles them with all features of crd-runtime.

/// One list of both, because each list compiles the dependencies by itself.
#[test]
fn types_and_programs() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/fail/*.rs");
    cases.pass("tests/ui/pass/*.rs");
}

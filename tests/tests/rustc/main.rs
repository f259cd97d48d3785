//! What rustc says of programs with the derives. Each program is compiled with the dependencies of this test.

mod compile_errors;
mod import;
mod migrate;
mod probes;
mod ui;
mod zoo;

use std::sync::LazyLock;

use crd_tests::rustc::Rustc;

static RUSTC: LazyLock<Rustc> = LazyLock::new(|| Rustc::of_test("rustc"));

#[test]
fn the_dependencies_are_those_of_the_running_test() {
    assert!(RUSTC.compiled.is_empty(), "cargo compiled again: {}", RUSTC.compiled.join(", "));
}

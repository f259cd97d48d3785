//! What rustc takes of paths, the server takes too.

use crd_runtime::definition;

#[path = "../ui/pass/paths.rs"]
#[allow(dead_code, reason = "the file is a program of its own")]
mod paths;

#[test]
fn the_exact_checker_takes_every_form_of_a_path() {
    let errors = definition::validate(&paths::definition());
    assert!(errors.is_empty(), "{errors}");
}

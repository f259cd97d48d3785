//! The functions that a request passes, as the page on the API server names them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const PAGE: &str = "../docs/design/apiserver.md";
const SOURCES: &str = "../crates/crd-apiserver/src";

/// Returns the source of a module, with that of the files in its directory.
fn source(module: &str) -> String {
    let file = format!("{SOURCES}/{module}.rs");
    if Path::new(&file).exists() {
        return fs::read_to_string(file).unwrap();
    }
    let files = fs::read_dir(format!("{SOURCES}/{module}")).unwrap();
    files.map(|file| fs::read_to_string(file.unwrap().path()).unwrap()).collect()
}

/// Returns whether a source calls a function.
fn calls(source: &str, function: &str) -> bool {
    let call = format!("{function}(");
    source.match_indices(&call).any(|(at, _)| {
        let before = &source[..at];
        !before.ends_with("fn ") && !before.ends_with(|c: char| c.is_alphanumeric() || c == '_')
    })
}

#[test]
fn the_page_names_each_function_of_a_request_once_and_in_order() {
    let page = fs::read_to_string(PAGE).unwrap();
    let (_, walk) = page.split_once("\n## A request\n").expect("the walk");
    let (walk, _) = walk.split_once("\n## ").expect("the end of the walk");
    let rows = walk.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` | "));
    let mut passed = String::new();
    let mut names = BTreeSet::new();
    for (name, what) in rows {
        assert!(names.insert(name), "`{name}` is named twice");
        let (module, function) = name.split_once("::").expect("a module and a function");
        let source = source(module);
        let declared = [format!("fn {function}("), format!("fn {function}<")];
        assert!(declared.iter().any(|it| source.contains(it)), "`{name}` is no function");
        let is_called = names.len() == 1 || what.contains("hyper calls it");
        assert!(is_called || calls(&passed, function), "no function before `{name}` calls it");
        passed += &source;
    }
    assert!(names.len() > 20, "{names:?}");
}

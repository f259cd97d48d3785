//! `CONTRIBUTING.md` lists each value of `BLESS`, by which tests write files anew.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

/// Returns the values that a text gives to `BLESS`.
fn values(text: &str) -> impl Iterator<Item = String> {
    text.split("BLESS=").skip(1).map(|rest| {
        rest.chars().take_while(|c| c.is_ascii_lowercase() || *c == '-').collect::<String>()
    })
}

#[test]
fn each_generator_is_listed() {
    let mut directories: Vec<PathBuf> =
        ["../crates", "../crd-derive/src", "tests"].map(PathBuf::from).into();
    let mut found = BTreeSet::new();
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                directories.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.extend(values(&fs::read_to_string(path).unwrap()));
            }
        }
    }
    // `BLESS=` of this file.
    found.remove("");
    let page = fs::read_to_string("../CONTRIBUTING.md").unwrap();
    let listed: BTreeSet<String> = values(&page).collect();
    assert!(found.len() > 8, "{found:?}");
    assert_eq!(listed, found);
}

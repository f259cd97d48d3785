//! Links: those of the guide stay inside of the book that mdBook renders, and lead to pages and headings that exist.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

const BOOK: &str = "../docs/guide/src";

/// Returns the text of a page, with the files that mdBook includes.
fn page(path: &Path) -> String {
    let text =
        fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let Some((before, rest)) = text.split_once("{{#include ") else { return text };
    let (file, after) = rest.split_once("}}").expect("the end of an include");
    format!("{before}{}{after}", page(&path.with_file_name("").join(file)))
}

/// Returns the lines outside of code blocks, and without inline code.
fn prose(page: &str) -> String {
    let mut is_code = false;
    let mut text = String::new();
    for line in page.lines() {
        if line.starts_with("```") {
            is_code = !is_code;
        } else if !is_code {
            // Every second part is between backticks.
            text.extend(line.split('`').step_by(2));
            text.push('\n');
        }
    }
    text
}

/// Returns the targets of the links.
fn links(page: &str) -> Vec<String> {
    let prose = prose(page);
    let targets = prose.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    targets.map(|(target, _)| target.to_owned()).collect()
}

/// Returns the anchors of the headings, as mdBook and GitHub name them.
fn anchors(page: &str) -> BTreeSet<String> {
    let mut is_code = false;
    let mut anchors = BTreeSet::new();
    for line in page.lines() {
        is_code ^= line.starts_with("```");
        if !is_code && line.starts_with('#') {
            let heading = line.trim_start_matches('#').trim().to_lowercase();
            let kept =
                heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
            anchors.insert(kept.collect::<String>().replace(' ', "-"));
        }
    }
    anchors
}

/// Asserts that a relative link of `path` leads somewhere.
#[track_caller]
fn leads(path: &Path, link: &str) {
    let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
    let target = if file.is_empty() { path.to_owned() } else { path.with_file_name("").join(file) };
    assert!(target.exists(), "{}: {link}", path.display());
    if !anchor.is_empty() {
        let anchors = anchors(&page(&target));
        assert!(anchors.contains(anchor), "{}: {link} is none of {anchors:#?}", path.display());
    }
}

fn is_external(link: &str) -> bool {
    link.starts_with("https://")
}

#[test]
fn the_links_of_the_book_stay_inside() {
    let mut seen = BTreeMap::new();
    for entry in fs::read_dir(BOOK).unwrap() {
        let path = entry.unwrap().path();
        let links = links(&page(&path));
        for link in links.iter().filter(|link| !is_external(link)) {
            let (file, _) = link.split_once('#').unwrap_or((link, ""));
            assert!(!file.contains('/'), "{}: {link} leaves the book", path.display());
            leads(&path, link);
        }
        seen.insert(path, links.len());
    }
    assert!(seen.values().sum::<usize>() > 100, "{seen:#?}");
}

#[test]
fn the_links_of_the_readmes_lead_somewhere() {
    for readme in ["../README.md", "../SECURITY.md", "../CONTRIBUTING.md", "../ARCHITECTURE.md"] {
        let path = Path::new(readme);
        for link in links(&page(path)).iter().filter(|link| !is_external(link)) {
            leads(path, link);
        }
    }
}

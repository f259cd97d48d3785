//! The links of all pages lead to files and headings that exist, and the links of the guide stay inside of the book that
//! mdBook renders.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

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
pub(crate) fn prose(page: &str) -> String {
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

/// Returns the relative links of the pages in a directory.
fn pages(directory: &str) -> Vec<(PathBuf, String)> {
    let entries = fs::read_dir(directory).unwrap_or_else(|error| panic!("{directory}: {error}"));
    let paths = entries.map(|entry| entry.unwrap().path());
    let paths = paths.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    paths
        .flat_map(|path| {
            let links = links(&page(&path)).into_iter().filter(|link| !link.contains("://"));
            links.map(|link| (path.clone(), link)).collect::<Vec<_>>()
        })
        .collect()
}

#[test]
fn the_links_of_the_book_stay_inside() {
    let links = pages(BOOK);
    assert!(links.len() > 60, "{links:#?}");
    for (path, link) in links {
        let (file, _) = link.split_once('#').unwrap_or((&link, ""));
        assert!(!file.contains('/'), "{}: {link} leaves the book", path.display());
        leads(&path, &link);
    }
}

#[test]
fn the_links_of_other_pages_lead_somewhere() {
    let entries = ["..", "../crates"].map(|directory| fs::read_dir(directory).unwrap());
    let published = entries.into_iter().flatten().map(|entry| entry.unwrap().path());
    let published = published.filter(|path| path.join("Cargo.toml").exists());
    let directories = published.map(|path| path.to_str().unwrap().to_owned());
    for directory in directories.chain(["..".to_owned(), "../docs/design".to_owned()]) {
        for (path, link) in pages(&directory) {
            leads(&path, &link);
        }
    }
}

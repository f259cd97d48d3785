//! `cargo dev book`: renders the guide with mdBook, which must be installed, and follows each link of the rendered pages.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use crd_tests::go;

use crate::{Outcome, complain, say, succeed};

/// The page for addresses that do not exist. Its links are relative to the address of the published book.
const MISSING: &str = "404.html";

/// Renders the book to `target/book`. It does not hold if a link leads nowhere or leaves the book unintentionally.
pub(crate) fn run() -> Outcome {
    let (source, book) = (go::workspace().join("docs/guide"), go::workspace().join("target/book"));
    succeed(Command::new("mdbook").args(["build", "--dest-dir"]).arg(&book).arg(&source))?;
    let (count, wrong) = check(&book, &pages(&book, "html")?, &sources(&source.join("src"))?);
    if wrong.is_empty() {
        say(&format!("{count} links of the book lead somewhere"));
    }
    for line in &wrong {
        complain(line);
    }
    Ok(wrong.is_empty())
}

/// Returns the text of the Markdown pages, with the file that one of them includes.
fn sources(source: &Path) -> Result<String, String> {
    let attributes = go::workspace().join("crd-derive/attributes.md");
    let attributes = fs::read_to_string(&attributes)
        .map_err(|error| format!("{}: {error}", attributes.display()))?;
    Ok(pages(source, "md")?.into_values().collect::<String>() + &attributes)
}

/// Returns the files of a directory whose names have the extension.
fn pages(directory: &Path, extension: &str) -> Result<BTreeMap<PathBuf, String>, String> {
    let failed = |error| format!("{}: {error}", directory.display());
    let mut pages = BTreeMap::new();
    for entry in fs::read_dir(directory).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|it| it == extension) && !path.ends_with(MISSING) {
            pages.insert(path.clone(), fs::read_to_string(&path).map_err(failed)?);
        }
    }
    Ok(pages)
}

/// Returns the number of links, and a line for each that is wrong.
fn check(book: &Path, pages: &BTreeMap<PathBuf, String>, sources: &str) -> (usize, Vec<String>) {
    let anchors: BTreeMap<&Path, BTreeSet<String>> = pages
        .iter()
        .map(|(path, page)| (path.as_path(), values(page, " id=\"").collect()))
        .collect();
    let (mut count, mut wrong) = (0, Vec::new());
    for (path, page) in pages {
        for link in values(page, " href=\"").chain(values(page, " src=\"")) {
            count += 1;
            let reason = if link.contains(':') {
                if sources.contains(&link) {
                    continue;
                }
                "leaves the book, and is on no page of its source"
            } else {
                let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
                let target = if file.is_empty() { path.clone() } else { normal(&book.join(file)) };
                if !target.starts_with(book) {
                    "leaves the book"
                } else if !pages.contains_key(&target) && !target.exists() {
                    "is not in the book"
                } else if !anchor.is_empty()
                    && anchors.get(&*target).is_some_and(|it| !it.contains(anchor))
                {
                    "has no such heading"
                } else {
                    continue;
                }
            };
            wrong.push(format!("{}: {link} {reason}", path.display()));
        }
    }
    (count, wrong)
}

/// Returns the values of an attribute, which `start` begins. mdBook quotes all values.
fn values<'a>(page: &'a str, start: &'a str) -> impl Iterator<Item = String> + 'a {
    let values = page.split(start).skip(1).filter_map(|rest| rest.split_once('"'));
    values.map(|(value, _)| value.replace("&amp;", "&"))
}

/// Resolves `..` in a path.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        if component == Component::ParentDir {
            normal.pop();
        } else {
            normal.push(component);
        }
    }
    normal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_links_are_named() {
        let book = Path::new("/book");
        let page = r##"<h2 id="here"> <a href="#here"> <a href="#there"> <a href="../README.md"> <a href="https://a/">
            <a href="https://b/"> <a href="gone.html">"##;
        let pages = BTreeMap::from([(book.join("a.html"), page.to_owned())]);
        let (count, wrong) = check(book, &pages, "see [a](https://a/)");
        assert_eq!(count, 6);
        let reasons: Vec<&str> =
            wrong.iter().filter_map(|line| line.split_once(": ")).map(|(_, it)| it).collect();
        assert_eq!(
            reasons,
            [
                "#there has no such heading",
                "../README.md leaves the book",
                "https://b/ leaves the book, and is on no page of its source",
                "gone.html is not in the book",
            ]
        );
    }
}

//! Turns a page into one module with all of its Rust.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The page that begins the crate `greeter`; each other page adds a module to it.
const FIRST: &str = "first_kind";

/// A fenced block of a page.
#[derive(Debug)]
pub(crate) struct Block<'a> {
    /// The heading above it.
    pub(crate) heading: &'a str,
    /// The text after the fence, such as `rust` or `rust,ignore`.
    pub(crate) language: &'a str,
    pub(crate) text: String,
    /// The kind named by `<!-- manifest of KIND -->` above it.
    pub(crate) kind: Option<&'a str>,
    /// The file named by the line above it, such as "In `src/main.rs`:".
    pub(crate) file: Option<&'a str>,
}

/// Returns the blocks of a page, in order. `<!-- compiled with:`, lines of Rust and `-->` are a block of Rust that
/// readers do not see.
pub(crate) fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let (mut heading, mut kind, mut above) = ("", None, "");
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if line.starts_with('#') {
            heading = line.trim_start_matches('#').trim();
        }
        if let Some(name) = line.strip_prefix("<!-- manifest of ") {
            kind = Some(name.trim_end_matches(" -->"));
        }
        let language = line.trim_start_matches('`');
        let (language, end) = match line.split_at(line.len() - language.len()) {
            (fence, language) if fence.len() >= 3 => (language, fence),
            _ if line == "<!-- compiled with:" => ("rust", "-->"),
            _ => {
                above = if line.is_empty() { above } else { line };
                continue;
            }
        };
        let text: Vec<&str> = lines.by_ref().take_while(|line| *line != end).collect();
        let file = file_of(above);
        blocks.push(Block { heading, language, text: text.join("\n"), kind: kind.take(), file });
        above = "";
    }
    blocks
}

/// Returns the file that a line such as "In `src/main.rs`:" names.
fn file_of(line: &str) -> Option<&str> {
    let file = line.strip_suffix("`:")?.rsplit_once('`')?.1;
    file.contains('.').then_some(file)
}

/// Returns all Rust of a page, with a test for each part of a manifest that it shows.
///
/// Programs and tests have files of their own. They become modules in which the other code of the page is the crate
/// `greeter`.
pub(crate) fn code(name: &str, page: &str) -> String {
    let mut code = String::new();
    let mut files: BTreeMap<&str, String> = BTreeMap::new();
    let mut manifests = 0;
    for block in blocks(page) {
        let kind = match (block.language, block.kind) {
            ("rust", _) => {
                let into = match block.file {
                    None | Some("src/lib.rs") => &mut code,
                    Some(file) => files.entry(file).or_default(),
                };
                let _ = writeln!(into, "{}", block.text);
                continue;
            }
            ("yaml", Some(kind)) => kind,
            ("yaml", None) => {
                panic!("{name}: a block of YAML without `<!-- manifest of KIND -->`")
            }
            _ => continue,
        };
        manifests += 1;
        let _ = writeln!(
            code,
            "#[test]\nfn manifest_{manifests}_is_shown_as_it_is() {{\n    \
             crate::shown::in_manifest(&<{kind} as crd_runtime::CustomResource>::crd(), {:?});\n}}",
            block.text
        );
    }
    for (file, text) in files {
        let module = file.replace(['/', '.'], "_");
        // Each page can use the items of the first page.
        let library = if name == FIRST {
            "pub use super::super::*;".to_owned()
        } else {
            format!(
                "pub use super::super::super::{FIRST}::*;\npub mod {name} {{\npub use super::super::super::*;\n}}"
            )
        };
        let _ = writeln!(
            code,
            "mod {module} {{\n#[allow(unused_imports)]\nmod greeter {{\n{library}\n}}\n{text}}}"
        );
    }
    code
}

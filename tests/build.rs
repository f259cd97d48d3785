//! Turns the pages of the guide into one Rust module each, so that their code is compiled and their tests are run.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

fn main() {
    let pages = Path::new("../docs/guide/src");
    println!("cargo::rerun-if-changed={}", pages.display());
    let mut names: Vec<_> = fs::read_dir(pages)
        .expect("the guide")
        .map(|entry| entry.expect("a page").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    names.sort();
    let mut code = String::new();
    for path in names {
        let text = fs::read_to_string(&path).expect("a page");
        let name = path.file_stem().expect("a name").to_string_lossy().replace('-', "_");
        if name != "SUMMARY" {
            page(&mut code, &name, &text);
        }
    }
    let out = Path::new(&env::var_os("OUT_DIR").expect("a directory")).join("guide.rs");
    fs::write(out, code).expect("written");
}

/// A module of all Rust of a page, with a test for each part of a manifest that it shows.
fn page(code: &mut String, name: &str, text: &str) {
    let _ = writeln!(code, "mod {name} {{");
    let mut manifest: Option<&str> = None;
    let mut manifests = 0;
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(kind) = line.strip_prefix("<!-- manifest of ") {
            manifest = Some(kind.trim_end_matches(" -->"));
        }
        let Some(language) = line.strip_prefix("```").filter(|language| !language.is_empty())
        else {
            continue;
        };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        let block = block.join("\n");
        match language {
            "rust" => {
                let _ = writeln!(code, "{block}");
            }
            "yaml" => {
                let kind =
                    manifest.take().unwrap_or_else(|| panic!("{name}.md: YAML of what kind?"));
                manifests += 1;
                let _ = writeln!(
                    code,
                    "#[test]\nfn manifest_{manifests}_is_shown_as_it_is() {{\n    \
                     crate::shows(&<{kind} as crd_runtime::CustomResource>::crd(), {block:?});\n}}"
                );
            }
            _ => {}
        }
    }
    let _ = writeln!(code, "}}");
}

//! Turns pages of documentation into Rust, so that tests compile their code and compare their YAML.
//!
//! | page | becomes |
//! |---|---|
//! | `docs/guide/src/*.md` | a file `guide_NAME.rs` each, and `guide.rs` with a module for each |
//! | `README.md` | `readme.rs` |
//! | `crd-derive/attributes.md` | `attributes.rs`, with a module for each example |

#![allow(clippy::print_stdout, reason = "cargo reads it")]

mod attributes;
mod here;
mod page;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build");
    here::announce();
    let mut modules = String::new();
    for path in guide(Path::new("../docs/guide/src")) {
        let name = path.file_stem().expect("a name").to_string_lossy().replace('-', "_");
        let file = format!("guide_{name}.rs");
        write(&file, &page::code(&name, &read(&path)));
        let _ = writeln!(
            modules,
            "mod {name} {{\n    include!(concat!(env!(\"OUT_DIR\"), \"/{file}\"));\n}}"
        );
    }
    write("guide.rs", &modules);
    write("readme.rs", &page::code("README", &read(Path::new("../README.md"))));
    write("attributes.rs", &attributes::code(&read(Path::new("../crd-derive/attributes.md"))));
}

/// The pages of the guide, in the order of their names.
fn guide(directory: &Path) -> Vec<PathBuf> {
    println!("cargo::rerun-if-changed={}", directory.display());
    let entries = fs::read_dir(directory).expect("the guide");
    let mut pages: Vec<_> = entries
        .map(|entry| entry.expect("a page").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .filter(|path| !path.ends_with("SUMMARY.md"))
        .collect();
    pages.sort();
    pages
}

fn read(path: &Path) -> String {
    println!("cargo::rerun-if-changed={}", path.display());
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn write(name: &str, code: &str) {
    let directory = env::var_os("OUT_DIR").expect("a directory");
    fs::write(Path::new(&directory).join(name), code).expect("written");
}

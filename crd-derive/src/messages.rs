//! Compares the errors that the derives write for the files of both directories `tests/ui/fail` with those of rustc, which
//! are beside each file. rustc takes minutes for the files, and this seconds; errors of constants, which rustc
//! evaluates, are not seen here.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};
use syn::{DeriveInput, Item};

use crate::attr::Derive;

/// The directories, and the least number of files in each that have errors of the derives.
const DIRECTORIES: [(&str, usize); 2] = [("tests/ui/fail", 25), ("../tests/ui/fail", 130)];

/// Returns the derives of an item.
fn derives(item: &DeriveInput) -> Vec<Derive> {
    let mut found = Vec::new();
    for attr in item.attrs.iter().filter(|attr| attr.path().is_ident("derive")) {
        // Errors of the list itself are rustc's.
        let _ = attr.parse_nested_meta(|meta| {
            match meta.path.segments.last() {
                Some(last) if last.ident == "CustomResource" => found.push(Derive::Kind),
                Some(last) if last.ident == "CrdSchema" => found.push(Derive::Schema),
                _ => {}
            }
            Ok(())
        });
    }
    found
}

/// Adds the texts of `compile_error!`, with single blanks.
fn collect(tokens: TokenStream, errors: &mut BTreeSet<String>) {
    let mut after = false;
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => after = ident == "compile_error",
            TokenTree::Group(group) if after => {
                after = false;
                let text: syn::LitStr = syn::parse2(group.stream()).expect("a text");
                errors.insert(single_blanks(&text.value()));
            }
            TokenTree::Group(group) => collect(group.stream(), errors),
            _ => {}
        }
    }
}

fn single_blanks(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the errors that the derives write for the items of a file.
fn written(items: &[Item]) -> BTreeSet<String> {
    let mut errors = BTreeSet::new();
    for item in items {
        let inner = match item {
            Item::Mod(module) => module.content.as_ref().map_or(&[][..], |(_, items)| items),
            _ => &[],
        };
        errors.extend(written(inner));
        let Ok(input) = syn::parse2::<DeriveInput>(quote::quote!(#item)) else { continue };
        for derive in derives(&input) {
            collect(crate::expand(input.clone(), derive), &mut errors);
        }
    }
    errors
}

/// Returns the errors without a code in the output of rustc.
fn shown(output: &str) -> BTreeSet<String> {
    let (mut errors, mut text) = (BTreeSet::new(), None::<String>);
    for line in output.lines() {
        if let Some(rest) = line.strip_prefix("error: ") {
            text = Some(rest.to_owned());
        } else if line.trim_start().starts_with("--> ") {
            // A file may make errors of warnings, which the derives cause by deprecated constants.
            let text = text.take().filter(|text| !text.starts_with("use of deprecated constant"));
            errors.extend(text.map(|text| single_blanks(&text)));
        } else if let Some(text) = &mut text {
            text.push(' ');
            text.push_str(line);
        }
    }
    errors
}

#[test]
fn errors_are_as_shown() {
    let mut wrong = Vec::new();
    for (directory, least) in DIRECTORIES {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join(directory);
        let mut with_errors = 0;
        for entry in fs::read_dir(&directory).expect("a directory") {
            let path = entry.expect("an entry").path();
            if path.extension().is_none_or(|extension| extension != "rs") {
                continue;
            }
            let source = fs::read_to_string(&path).expect("a file");
            let Ok(file) = syn::parse_file(&source) else { continue };
            // Only rustc can tell where a file is that a rule includes.
            if source.contains("include_str!") {
                continue;
            }
            let output = fs::read_to_string(path.with_extension("stderr")).unwrap_or_default();
            let (written, shown) = (written(&file.items), shown(&output));
            with_errors += usize::from(!written.is_empty());
            for error in written.symmetric_difference(&shown) {
                let by = if written.contains(error) { "derive" } else { "rustc" };
                wrong.push(format!("{}: only {by}: {error}", path.display()));
            }
        }
        assert!(with_errors >= least, "{with_errors} in {}", directory.display());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

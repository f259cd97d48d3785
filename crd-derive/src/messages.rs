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
            let text = text.take().filter(|text| !text.starts_with("use of deprecated"));
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

/// Returns the items that a text has, and what the derives make of them.
fn expansion(source: &str) -> String {
    let file = syn::parse_file(source).expect(source);
    let expanded = file.items.iter().map(|item| {
        let input: DeriveInput = syn::parse_quote!(#item);
        let derive = derives(&input)[0];
        crate::expand(input, derive).to_string()
    });
    expanded.collect()
}

/// Checks the errors of a type against parts of them.
#[track_caller]
fn check(source: &str, want: &[&str]) {
    let got = written(&syn::parse_file(source).expect(source).items);
    let fits = got.iter().all(|error| want.iter().any(|part| error.contains(part)));
    assert!(fits && got.len() == want.len(), "{source}\n{got:#?}");
}

#[track_caller]
fn check_field(field: &str, want: &[&str]) {
    check(&format!("#[derive(CrdSchema)] struct A {{ {field} }}"), want);
}

#[track_caller]
fn check_kind(keys: &str, want: &[&str]) {
    let names = r#"group = "example.com", version = "v1", kind = "A", namespaced"#;
    check(
        &format!("#[derive(CustomResource)] #[crd({names}, {keys})] struct ASpec {{ a: String }}"),
        want,
    );
}

#[test]
fn selectable_paths_may_be_named_and_need_a_minor_version() {
    check_kind(r#"selectable(path = ".spec.a")"#, &[]);
    check_kind(r#"kubernetes = "1.31", selectable(".spec.a")"#, &[]);
    check_kind(r#"kubernetes = "1.30", selectable(".spec.a")"#, &["needs Kubernetes 1.31"]);
}

#[test]
fn urls_of_webhooks_have_no_user_query_or_fragment() {
    let check = |url: &str, want: &[&str]| {
        check_kind(&format!("conversion(webhook(url = {url:?}))"), want);
    };
    check("https://a/b", &[]);
    for url in ["https://a?b", "https://a/b#c", "https://a@b/c"] {
        check(url, &["cannot have a user, query or fragment"]);
    }
    check("https://", &["`url` must be"]);
    check("http://a", &["`url` must be"]);
}

#[test]
fn keys_apply_to_types() {
    check_field("#[crd(preserve_unknown_fields)] a: Vec<String>", &["applies only to objects"]);
    check_field("#[crd(preserve_unknown_fields)] a: Vec<Vec<B>>", &[]);
    check_field(r#"#[crd(format = "double")] a: i32"#, &[]);
    check_field(r#"#[crd(format = "double")] a: String"#, &["applies only to numbers"]);
    check_field(r#"#[crd(format = "date")] a: i32"#, &["applies only to strings"]);
}

#[test]
fn keys_beside_a_schema_of_a_function_are_not_about_the_type_in_rust() {
    let variant = |keys| {
        format!(
            "#[derive(CrdSchema)] enum A {{ #[crd(list_type = \"atomic\"{keys})] A(i32), B(String) }}"
        )
    };
    check(&variant(""), &["`list_type` applies only to lists"]);
    check(&variant(", schema_with = list"), &[]);
}

#[test]
fn defaults_of_skipped_fields_are_what_serde_reads() {
    let replaced = "the server would replace a value that `skip_serializing_if` omits";
    let skipped = |serde: &str, default: &str, ty: &str, want: &[&str]| {
        check_field(&format!("#[serde({serde})] #[crd(default = {default})] a: {ty}"), want);
    };
    skipped(r#"default, skip_serializing_if = "is_zero""#, "5", "i32", &[replaced]);
    skipped(r#"default, skip_serializing_if = "is_zero""#, "0", "i32", &[]);
    skipped(r#"default, skip_serializing_if = "Option::is_none""#, "5", "Option<i32>", &[]);
    skipped(r#"default, skip_serializing_if = "Vec::is_empty""#, "[]", "Vec<i32>", &[]);
    skipped(r#"default, skip_serializing_if = "Vec::is_empty""#, "[1]", "Vec<i32>", &[replaced]);
    let function = r#"default = "five", skip_serializing_if = "is_five""#;
    skipped(function, "five()", "i32", &[]);
    skipped(function, "six()", "i32", &["serde omits the value of `five`"]);
    skipped(function, "five(1)", "i32", &["serde omits the value of `five`"]);
}

#[test]
fn an_apply_configuration_is_there_in_spite_of_errors() {
    let apply = |name: &str, generics: &str, keys: &str| {
        let names = r#"group = "example.com", version = "v1", namespaced, plural = "A""#;
        let text = format!(
            "#[derive(CustomResource)] #[crd({names}, kind = \"{name}\"{keys})]
             struct ASpec{generics} {{ a: u8 }}"
        );
        let text = expansion(&text);
        assert!(text.contains("compile_error"), "{text}");
        text.contains("IntoApply")
    };
    assert!(apply("A", "", ", apply"));
    assert!(!apply("A", "", ""));
    assert!(!apply("ASpec", "", ", apply"));
    assert!(!apply("A", "<'a>", ", apply"));
}

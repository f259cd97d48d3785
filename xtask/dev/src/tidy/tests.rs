//! Sources that break each rule, with the expected findings.

use super::check;
use super::code::{Tree, blank};
use super::sources::Upstream;

const ARCHITECTURE: &str = "\
# Architecture

## Layers

### crd-cel

```text
top
left right | siblings
base
```

### crd-cli

```text
```

### crd-derive

```text
emit
```

### crd-runtime

```text
```
";

/// A page with the layers of a directory.
const EMIT: &str = "\
# The emitters

## Layers

### crd-derive::emit::parts

```text
high | siblings
low
```
";

/// The modules in the layers, which are empty by default.
const MODULES: [&str; 5] = [
    "crates/crd-cel/src/top.rs",
    "crates/crd-cel/src/left.rs",
    "crates/crd-cel/src/right.rs",
    "crates/crd-cel/src/base.rs",
    "crd-derive/src/emit/mod.rs",
];

/// Returns the printed findings for these files, which replace or add to the empty modules.
fn found_with(files: &[(&str, &str)], exceptions: &str) -> Vec<String> {
    let mut tree = Tree { architecture: ARCHITECTURE.to_owned(), ..Tree::default() };
    tree.pages.push(("docs/design/emit.md".to_owned(), EMIT.to_owned()));
    for path in MODULES.iter().filter(|path| files.iter().all(|(file, _)| file != *path)) {
        tree.add((*path).to_owned(), String::new());
    }
    for (path, text) in files {
        tree.add((*path).to_owned(), (*text).to_owned());
    }
    let upstream = Upstream::of(&[
        "k8s.io/apiextensions-apiserver/pkg/apiserver/validation/validation.go",
        "sigs.k8s.io/yaml/helpers.go",
    ]);
    check(&tree, exceptions, Some(&upstream)).iter().map(ToString::to_string).collect()
}

#[track_caller]
fn finds(path: &str, text: &str, want: &[&str]) {
    assert_eq!(found_with(&[(path, text)], ""), want, "{text}");
}

#[test]
fn a_module_names_what_stands_below_it() {
    finds(
        "crates/crd-cel/src/top.rs",
        "use crate::base::{A, left::B};\nfn f() { crate::left::f() }",
        &[],
    );
    finds(
        "crates/crd-cel/src/base.rs",
        "use crate::{\n    top::A,\n};",
        &["crates/crd-cel/src/base.rs:1: `base` names `top`, which stands above it"],
    );
    finds(
        "crates/crd-cel/src/left.rs",
        "\nfn f() -> crate::right::A { super::right::f() }",
        &["crates/crd-cel/src/left.rs:2: `left` names `right`, which is its sibling"],
    );
    finds(
        "crates/crd-cel/src/other.rs",
        "",
        &[
            "crates/crd-cel/src/other:1: `other` is in no layer of `crd-cel`: add it to ARCHITECTURE.md",
        ],
    );
}

#[test]
fn a_page_has_the_layers_of_a_directory() {
    let parts = |low: &'static str, other: &'static str| {
        let mut files = vec![
            ("crd-derive/src/emit/parts/high.rs", "use super::low::A;"),
            ("crd-derive/src/emit/parts/low.rs", low),
        ];
        if !other.is_empty() {
            files.push((other, ""));
        }
        found_with(&files, "")
    };
    assert_eq!(parts("", ""), [""; 0]);
    assert_eq!(
        parts("use crate::emit::parts::high::B;", "")[0],
        "crd-derive/src/emit/parts/low.rs:1: `low` names `high`, which stands above it"
    );
    assert_eq!(
        parts("", "crd-derive/src/emit/parts/other.rs"),
        [
            "crd-derive/src/emit/parts/other:1: `other` is in no layer of `crd-derive::emit::parts`: add it to \
          docs/design/emit.md"
        ]
    );
}

#[test]
fn comments_literals_and_tests_name_nothing() {
    finds(
        "crates/crd-cel/src/base.rs",
        "// use crate::top;\nconst A: &str = \"crate::top::A\";\nconst B: &str = r#\"\"crate::top\"#;\n\
         #[cfg(test)]\nmod tests { use crate::top::A; }",
        &[],
    );
    let text = "let a: &'a str = \"b\\\"c\"; let d = '\"'; /* e /* f */ */ let g = '\\'';";
    let want = "let a: &'a str =       ; let d =    ;                 let g =     ;";
    assert_eq!(blank(text), want);
}

#[test]
fn modules_do_not_name_each_other_in_a_circle() {
    let circle = [
        ("crd-derive/src/emit/a.rs", "use super::b::B;"),
        ("crd-derive/src/emit/b.rs", "use super::c::C;"),
        ("crd-derive/src/emit/c.rs", "\nuse crate::emit::a::A;"),
        ("crd-derive/src/emit/d.rs", "use super::a::A;"),
    ];
    let found = found_with(&circle, "");
    let [found] = &found[..] else { panic!("{found:?}") };
    assert_eq!(
        found,
        "crd-derive/src/emit/a.rs:1: modules of `emit` name each other: a, b, c\n  \
         a names b (crd-derive/src/emit/a.rs:1)\n  b names c (crd-derive/src/emit/b.rs:1)\n  \
         c names a (crd-derive/src/emit/c.rs:2)"
    );
    assert_eq!(found_with(&circle, "- circle `crd-derive a b c`: a reason"), [""; 0]);
}

#[test]
fn an_exception_has_a_reason_and_is_needed() {
    let source = [("crates/crd-cel/src/base.rs", "//! Source: `pkg/nowhere.go`.\n")];
    let want = [
        "crates/crd-cel/src/base.rs:1: `pkg/nowhere.go` is in none of the modules of the reference",
    ];
    assert_eq!(found_with(&source, ""), want);
    assert_eq!(found_with(&source, "- source `pkg/nowhere.go`: a reason"), [""; 0]);
    assert_eq!(found_with(&source, "- source `pkg/nowhere.go`: "), want);
    let unneeded =
        "docs/design/tidy.md:1: nothing needs the exception for the circle `crd-cel a b` any more";
    assert_eq!(found_with(&[], "- circle `crd-cel a b`: a reason"), [unneeded]);
}

#[test]
fn sources_are_files_of_the_reference() {
    finds(
        "crates/crd-cel/src/base.rs",
        "//! Source: `apiserver/validation/\n//! validation.go`, `Validate`.\n",
        &[],
    );
    finds(
        "crates/crd-cel/src/base.rs",
        "//! A.\n//!\n//! Source: `apiserver/validation/ratchet.go`.\n",
        &[
            "crates/crd-cel/src/base.rs:3: `apiserver/validation/ratchet.go` is in none of the modules of the reference",
        ],
    );
    finds("crates/crd-cel/src/base.rs", "//! Source: `sigs.k8s.io/yaml/helpers.go`.\n", &[]);
    // A file at the root of a module is not found by a path with another directory.
    finds(
        "crates/crd-cel/src/base.rs",
        "//! Source: `pkg/nowhere/helpers.go`.\n",
        &[
            "crates/crd-cel/src/base.rs:1: `pkg/nowhere/helpers.go` is in none of the modules of the reference",
        ],
    );
}

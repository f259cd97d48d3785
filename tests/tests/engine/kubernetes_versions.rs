//! Checks that `docs/guide/src/kubernetes-versions.md` agrees with the tables of functions and differences by which the engine
//! decides what each minor has. `BLESS=kubernetes-versions` writes the page.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use crd_cel::kubernetes::{
    Change, KubernetesVersion, SELECTABLE_FIELDS_SINCE, format_since, functions,
};
use crd_runtime::differences::Difference;

const INTRODUCTION: &str = "\
# What each Kubernetes version has

This page lists, for each minor version, what the engine checks. It is generated from the engine's own tables: `BLESS=kubernetes-versions cargo test -p crd-tests --test engine kubernetes_versions`.

For new rules, a server accepts only functions that the previous minor version also had, so that a rollback does not
break them. Rules that it has stored may use all functions that it was built with.

In the tables of differences, \"older servers\" are servers before the version of the row.
";

#[test]
fn the_page_is_what_the_tables_say() {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/guide/src/kubernetes-versions.md");
    let page = page();
    if crd_tests::blesses("kubernetes-versions") {
        fs::write(&path, &page).expect("the page can be written");
    }
    let found = fs::read_to_string(&path).expect("the page is there");
    assert_eq!(found, page, "BLESS=kubernetes-versions writes {} anew", path.display());
}

/// The derives and the engine use the same minors.
#[test]
fn the_derives_have_the_minors_of_the_engine() {
    assert_eq!(SELECTABLE_FIELDS_SINCE, Difference::SelectableFields.minor());
    for format in ["k8s-short-name", "k8s-long-name"] {
        assert_eq!(format_since(format), Difference::ShortNameFormats.minor(), "{format}");
    }
    assert_eq!(format_since("date-time"), 0);
}

fn page() -> String {
    let mut page = INTRODUCTION.to_owned();
    page.push_str("\n## Functions and macros in new rules\n\n");
    for (title, names) in functions_by_version() {
        if names.is_empty() {
            continue;
        }
        let _ = writeln!(page, "- {title}: {}.", names.join(", "));
    }
    page.push_str("\n## Differences in rules\n\n| since | difference |\n|---|---|\n");
    for change in Change::ALL {
        let _ = writeln!(page, "| 1.{} | {} |", change.minor(), change.description());
    }
    page.push_str(
        "\n## Differences in definitions and objects\n\n| since | difference |\n|---|---|\n",
    );
    for difference in Difference::ALL {
        let _ = writeln!(page, "| 1.{} | {} |", difference.minor(), difference.description());
    }
    page
}

/// Returns the names of functions and macros in groups, each with its title: for each minor, those that servers accept
/// in a new rule since this minor, and those of which one overload is accepted until this minor only; at the end, those
/// that are accepted in stored rules only.
fn functions_by_version() -> Vec<(String, Vec<String>)> {
    let name = |name: &str, library: &str| format!("`{name}` ({library})");
    let select = |wanted: &dyn Fn(Option<KubernetesVersion>, Option<KubernetesVersion>) -> bool| {
        let mut names: Vec<String> = Vec::new();
        for row in functions() {
            if wanted(row.presence.since(), row.presence.until()) {
                let name = name(row.name, row.library);
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        names
    };
    let mut rows = Vec::new();
    for version in KubernetesVersion::ALL {
        let title = if version == KubernetesVersion::OLDEST {
            format!("{version} and before")
        } else {
            format!("since {version}")
        };
        rows.push((title, select(&|since, _| since == Some(version))));
        let last = select(&|_, until| until == Some(version));
        rows.push((format!("in one overload until {version} only"), last));
    }
    rows.push(("in stored rules only".to_owned(), select(&|since, _| since.is_none())));
    rows
}

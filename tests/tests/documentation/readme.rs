//! `README.md`: its Rust, the parts of a manifest that it shows, its measurements, and its dependencies.
//! `compile_errors.rs` compares the mistake on it.

use std::fs;

include!(concat!(env!("OUT_DIR"), "/readme.rs"));

fn page() -> String {
    fs::read_to_string("../README.md").expect("the README")
}

/// The measurements are rows of the pages that have their conditions.
#[test]
fn its_measurements_are_those_of_the_benchmarks() {
    let page = page();
    let (_, performance) = page.split_once("\nPerformance").expect("a paragraph");
    let (performance, _) = performance.split_once("\n## ").expect("a next heading");
    let of = |path: &str| fs::read_to_string(path).unwrap();
    let measured = of("../BENCHMARKS.md") + &of("../docs/design/compile-time.md");
    let numbers = performance
        .split(|c: char| !c.is_ascii_digit() && c != '.')
        .map(|it| it.trim_end_matches('.'));
    let numbers: Vec<&str> = numbers.filter(|number| number.contains('.')).collect();
    assert!(numbers.len() > 5, "{numbers:?}");
    for number in numbers {
        assert!(measured.contains(number), "{number} is not measured");
    }
}

/// The ratios of the benchmarks are those of this release or of the one before.
#[test]
fn its_measurements_are_of_a_recent_release() {
    let [changes, benchmarks] =
        ["../CHANGELOG.md", "../BENCHMARKS.md"].map(|path| fs::read_to_string(path).unwrap());
    let releases: Vec<&str> =
        changes.lines().filter_map(|line| line.strip_prefix("## ")?.split(' ').next()).collect();
    assert_eq!(
        releases.first(),
        Some(&env!("CARGO_PKG_VERSION")),
        "the changelog begins with this version"
    );
    let (_, measured) = benchmarks.split_once("\nMeasured: ").expect("a table");
    let (measured, _) = measured.split_once(',').expect("a version");
    assert!(
        releases.iter().take(2).any(|release| *release == measured),
        "BENCHMARKS.md was measured with {measured}; write its table again with `cargo dev compare`"
    );
}

/// The versions of dependencies are those of the workspace.
#[test]
fn its_dependencies_are_those_of_the_workspace() {
    let workspace = fs::read_to_string("../Cargo.toml").unwrap();
    let page = page();
    let mut lines = 0;
    for line in crate::fenced(&page, "toml").flat_map(str::lines) {
        let Some((name, rest)) = line.split_once(" = ") else { continue };
        let version = |text: &str| {
            let text = text.split_once("version = ").map_or(text, |(_, rest)| rest);
            text.split('"').nth(1).expect("a version").trim_start_matches('=').to_owned()
        };
        let start = format!("\n{name} = ");
        let (_, entry) = workspace.split_once(&start).unwrap_or_else(|| panic!("{name}"));
        let built = version(entry.lines().next().unwrap());
        assert!(built.starts_with(&version(rest)), "{line}: the workspace has {built}");
        lines += 1;
    }
    assert!(lines > 6, "{lines}");
}

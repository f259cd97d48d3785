//! The pages of `docs/guide`.

use std::collections::BTreeSet;
use std::fs;

use crd_cli::Registry;

include!(concat!(env!("OUT_DIR"), "/guide.rs"));

const PAGES: &str = "../docs/guide/src";

#[test]
fn every_page_is_in_the_summary() {
    let summary = fs::read_to_string(format!("{PAGES}/SUMMARY.md")).unwrap();
    for entry in fs::read_dir(PAGES).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let is_listed = summary.contains(&format!("]({name})"));
        assert!(is_listed || name == "SUMMARY.md", "{name}");
    }
}

#[test]
fn the_costs_are_those_that_check_prints() {
    let page = fs::read_to_string(format!("{PAGES}/rules.md")).unwrap();
    let shown = crate::fenced(&page, "text").next().unwrap();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let args = ["xtask", "check"].map(Into::into);
    let status = Registry::new().crd::<rules::Scaler>().run_to(args, &mut out, &mut err);
    let out = crate::plain(&out);
    assert_eq!(status, 0, "{out}{}", crate::plain(&err));
    let written: Vec<&str> = out.lines().map(str::trim).collect();
    let shown: Vec<&str> = shown.trim_end().lines().collect();
    let is_there = written.windows(shown.len()).any(|lines| lines == shown);
    assert!(is_there, "{shown:#?}\n\nis not in\n\n{out}");
}

/// Returns the packages that the commands of a page add.
fn added(page: &str) -> BTreeSet<String> {
    let commands = page.lines().filter_map(|line| line.strip_prefix("$ cargo add "));
    let names =
        commands.filter_map(|command| command.split(' ').find(|word| !word.starts_with("--")));
    names.map(str::to_owned).collect()
}

/// A reader may read the first page and then any other, so each adds the packages that its code uses.
#[test]
fn every_page_adds_the_packages_that_it_uses() {
    let first = added(&fs::read_to_string(format!("{PAGES}/first-kind.md")).unwrap());
    assert!(first.contains("serde"), "{first:?}");
    for entry in fs::read_dir(PAGES).unwrap() {
        let path = entry.unwrap().path();
        let page = fs::read_to_string(&path).unwrap();
        let added = added(&page);
        for package in ["crd-apiserver", "crd-webhook", "futures", "kube", "serde_json", "tokio"] {
            let name = format!("{}::", package.replace('-', "_"));
            let is_used =
                crate::fenced(&page, "rust").flat_map(str::lines).any(|line| line.contains(&name));
            let is_there = first.contains(package) || added.contains(package);
            assert!(!is_used || is_there, "{}: {package}", path.display());
        }
    }
}

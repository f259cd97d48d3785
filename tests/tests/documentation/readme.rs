//! `README.md`: its Rust, the part of a manifest and the rejection on its first screen, and its dependencies.

use std::fs;

use crd_runtime::cli::Registry;
use serde_json::json;

include!(concat!(env!("OUT_DIR"), "/readme.rs"));

fn page() -> String {
    fs::read_to_string("../README.md").expect("the README")
}

/// What `crd validate` prints for the manifest and the object.
#[test]
fn the_rejection_is_what_validate_prints() {
    let directory = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("readme");
    fs::create_dir_all(directory.join("crds")).unwrap();
    let run = |args: &[String]| {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let args = std::iter::once("crd").chain(args.iter().map(String::as_str)).map(Into::into);
        let status = Registry::new().crd::<CronTab>().run_to(args, &mut out, &mut err);
        (status, crate::plain(&out) + &crate::plain(&err))
    };
    let path = |name: &str| directory.join(name).to_str().unwrap().to_owned();
    let (status, text) = run(&["crds".to_owned(), "--out".to_owned(), path("crds")]);
    assert_eq!(status, 0, "{text}");
    let object = json!({
        "apiVersion": "stable.example.com/v1", "kind": "CronTab",
        "metadata": {"name": "my-new-cron-object"},
        "spec": {"cronSpec": "* * * *", "replicas": 15, "hosts": []},
    });
    fs::write(directory.join("my-crontab.yaml"), object.to_string()).unwrap();
    let (status, text) = run(&["validate".to_owned(), path("crds"), path("my-crontab.yaml")]);
    assert_eq!(status, 1, "{text}");
    let text = text.replace(&path(""), "");
    let page = page();
    let shown = crate::fenced(&page, "text").find(|block| block.starts_with("my-crontab")).unwrap();
    assert!(text.contains(shown), "{shown}\n\nis not in\n\n{text}");
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

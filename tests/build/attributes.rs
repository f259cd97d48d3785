//! Turns the examples of `crd-derive/attributes.md` into Rust, each in a module of its own.
//!
//! | a block of Rust with | becomes |
//! |---|---|
//! | a `struct`, `enum` or `trait` | these items; if none is a kind and the first type is not generic, also a kind with a field of this type |
//! | only attributes | attributes of `CronTabSpec`, together with those that name the kind if the block has none |
//! | anything else | the fields of a spec |
//!
//! A block of YAML after it is compared with the manifest of the kind.

use std::fmt::Write as _;

use crate::page::{Block, blocks};

/// The imports of each example.
const PRELUDE: &str = r"
#[allow(unused_imports)]
use std::collections::BTreeMap;
#[allow(unused_imports)]
use crd_runtime::{CrdSchema, CustomResource};
#[allow(unused_imports)]
use serde::{Deserialize, Serialize};
";

/// Types and functions that examples use but do not show.
const SHARED_ITEMS: &str = r"
#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
pub struct Port {
    name: String,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
pub struct CronTabStatus {
    replicas: i32,
    selector: String,
}

fn three() -> i32 {
    3
}
";

const KIND: &str = r#"#[crd(group = "example.com", version = "v1", kind = "CronTab", namespaced)]"#;

/// Returns a module for each example.
pub(crate) fn code(page: &str) -> String {
    let mut code = String::new();
    let blocks: Vec<Block<'_>> = blocks(page)
        .into_iter()
        .filter(|block| matches!(block.language, "rust" | "yaml"))
        .collect();
    for (index, block) in blocks.iter().enumerate() {
        if block.language == "yaml" {
            assert!(
                index > 0 && blocks[index - 1].language == "rust",
                "YAML that does not follow Rust:\n{}",
                block.text
            );
            continue;
        }
        let (rust, kind) = example(&block.text);
        let heading = name_of(block.heading);
        let _ = writeln!(code, "mod {heading}_{index} {{\n{PRELUDE}{rust}");
        if let Some(yaml) = blocks.get(index + 1).filter(|next| next.language == "yaml") {
            let kind = kind.unwrap_or_else(|| panic!("no kind in\n{}", block.text));
            let _ = writeln!(
                code,
                "#[test]\nfn makes_this_yaml() {{\n    \
                 crate::shown::in_manifest(&{kind}::definition(), {:?});\n}}",
                yaml.text
            );
        }
        code.push_str("}\n");
    }
    code
}

/// Converts a heading to the name of a module.
fn name_of(heading: &str) -> String {
    let name = heading
        .chars()
        .filter(|c| !matches!(c, '`' | '\'' | ',' | '(' | ')' | '#' | '[' | ']' | '.'));
    let name: String = name.map(|c| if c == ' ' { '_' } else { c.to_ascii_lowercase() }).collect();
    format!("of_{name}")
}

/// Returns the items of an example, and the kind with whose manifest its YAML is compared.
fn example(text: &str) -> (String, Option<String>) {
    let is_item = |line: &str| {
        ["pub struct ", "pub enum ", "pub trait "].iter().any(|item| line.starts_with(item))
    };
    if text.lines().any(is_item) {
        return items(text);
    }
    if text.lines().all(|line| line.starts_with("#[")) {
        let names_kind = text.contains("group = ");
        let kind = if names_kind { "" } else { KIND };
        let root = if text.contains("root = ") { "CronTabObject" } else { "CronTab" };
        let code = format!(
            "{SHARED_ITEMS}#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]\n{kind}\n{text}\n\
             #[serde(rename_all = \"camelCase\")]\npub struct CronTabSpec {{ pub replicas: i32, pub image: String }}"
        );
        return (code, Some(root.to_owned()));
    }
    let code = format!(
        "{SHARED_ITEMS}#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]\n{KIND}\n\
         #[serde(rename_all = \"camelCase\")]\npub struct CronTabSpec {{\n{text}\n}}"
    );
    (code, Some("CronTab".to_owned()))
}

fn items(text: &str) -> (String, Option<String>) {
    if let Some((_, kind)) = text.split_once("kind = \"") {
        let kind = kind.split('"').next().expect("a kind");
        return (text.to_owned(), Some(kind.to_owned()));
    }
    let mut names = text.lines().filter_map(|line| {
        let name = line.strip_prefix("pub struct ").or_else(|| line.strip_prefix("pub enum "))?;
        name.split([' ', '<']).next()
    });
    let name = names.next().expect("a type");
    if text.contains(&format!("{name}<")) {
        return (text.to_owned(), None);
    }
    let holder = format!(
        "\n#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]\n{KIND}\n\
         struct CronTabSpec {{\n    value: {name},\n}}\n"
    );
    (format!("{text}{holder}"), Some("CronTab".to_owned()))
}

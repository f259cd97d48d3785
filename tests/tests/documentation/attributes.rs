//! Every attribute of `crd-derive/attributes.md`, and the YAML that it makes.

include!(concat!(env!("OUT_DIR"), "/attributes.rs"));

/// Attributes that do not change the manifest.
const WITHOUT_YAML: [&str; 9] =
    ["root", "derive", "attr", "fields", "json_schema", "crate", "bound", "apply", "unique_items"];

#[test]
fn each_attribute_has_an_example() {
    let page = include_str!("../../../crd-derive/attributes.md");
    for section in page.split("\n### `").skip(1) {
        let (name, text) = section.split_once("`\n").expect("a heading");
        let has = |language| text.contains(&format!("\n```{language}\n"));
        assert!(has("rust") || name == "unique_items", "{name} has no Rust");
        assert!(has("yaml") || WITHOUT_YAML.contains(&name), "{name} has no YAML");
    }
}

//! `import`, without compiling what it writes.

use std::fs;

use serde_json::{Value, json};

use super::Dir;
use crate::program::tests::run;

/// A definition whose spec has these properties.
fn definition(kind: &str, properties: &Value) -> String {
    let plural = format!("{}s", kind.to_lowercase());
    let spec = json!({"type": "object", "properties": properties});
    let schema = json!({"type": "object", "required": ["spec"], "properties": {"spec": spec}});
    let definition = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": format!("{plural}.example.com")},
        "spec": {
            "group": "example.com", "scope": "Namespaced",
            "names": {"kind": kind, "plural": plural},
            "versions": [{
                "name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": schema},
            }],
        },
    });
    definition.to_string()
}

/// An object with a bounded number.
fn pool(maximum: u32) -> Value {
    json!({
        "type": "object",
        "properties": {"size": {"type": "integer", "format": "int32", "maximum": maximum}},
    })
}

#[track_caller]
fn import(args: &[&str]) -> String {
    let (status, out, err) = run(&[&["import"], args].concat());
    assert_eq!((status, &*err), (0, ""), "{out}");
    out
}

#[test]
fn types_of_several_kinds_are_in_one_module() {
    let dir = Dir::new("import");
    for (kind, own) in [("Cluster", 3), ("Zone", 4)] {
        let properties = json!({"pool": pool(9), "own": pool(own)});
        dir.write(&format!("crds/{kind}.json"), &definition(kind, &properties));
    }
    let (crds, out) = (dir.path().join("crds"), dir.path().join("src"));
    import(&[crds.to_str().unwrap(), "--out", out.to_str().unwrap()]);
    assert_eq!(dir.read("src/mod.rs"), "pub mod cluster;\npub mod shared;\npub mod zone;\n");
    let shared = dir.read("src/shared.rs");
    assert!(shared.contains("pub struct Pool {") && !shared.contains("Own"), "{shared}");
    for (kind, maximum) in [("cluster", "maximum = 3"), ("zone", "maximum = 4")] {
        let text = dir.read(&format!("src/{kind}.rs"));
        assert!(text.contains("pub use super::shared::Pool;\n"), "{text}");
        assert!(text.contains(maximum) && !text.contains("maximum = 9"), "{text}");
    }
}

/// The older selector is another type than that of Kubernetes, which the kind has too.
#[test]
fn no_type_has_the_name_of_an_imported_one() {
    let dir = Dir::new("import");
    let names = json!({"type": "object", "additionalProperties": {"type": "string"}});
    let list =
        json!({"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "atomic"});
    let expression = json!({
        "type": "object", "required": ["key", "operator"],
        "properties": {"key": {"type": "string"}, "operator": {"type": "string"}, "values": list},
    });
    let list = json!({"type": "array", "items": expression, "x-kubernetes-list-type": "atomic"});
    let selector = json!({
        "type": "object", "x-kubernetes-map-type": "atomic",
        "properties": {"matchExpressions": list, "matchLabels": names},
    });
    let older = json!({"type": "object", "properties": {"matchLabels": names}});
    let below = json!({"type": "object", "properties": {"pods": selector}});
    let properties = json!({"labelSelector": older, "below": below});
    for kind in ["Cluster", "Zone"] {
        dir.write(&format!("crds/{kind}.json"), &definition(kind, &properties));
    }
    let one = import(&[dir.path().join("crds/Zone.json").to_str().unwrap()]);
    let (crds, out) = (dir.path().join("crds"), dir.path().join("src"));
    import(&[crds.to_str().unwrap(), "--out", out.to_str().unwrap()]);
    for text in [one, dir.read("src/shared.rs") + &dir.read("src/zone.rs")] {
        assert!(text.contains("meta::v1::LabelSelector;\n"), "{text}");
        assert!(!text.contains("struct LabelSelector "), "{text}");
    }
}

#[test]
fn one_kind_shares_nothing() {
    let dir = Dir::new("import");
    dir.write("crds/a.json", &definition("Cluster", &json!({"pool": pool(9)})));
    let (crds, out) = (dir.path().join("crds"), dir.path().join("src"));
    import(&[crds.to_str().unwrap(), "--out", out.to_str().unwrap()]);
    assert_eq!(dir.read("src/mod.rs"), "pub mod cluster;\n");
}

#[test]
fn a_change_renames_no_other_type() {
    let dir = Dir::new("import");
    let below = json!({"type": "object", "properties": {"pool": pool(9)}});
    let old = dir.write("old.json", &definition("Cluster", &json!({"below": below})));
    // Now a type of the same short name is nearer to the root.
    let new = json!({"below": below, "pool": pool(3)});
    let new = dir.write("new.json", &definition("Cluster", &new));
    let file = dir.path().join("cluster.rs");
    let (old, new, file) = (old.to_str().unwrap(), new.to_str().unwrap(), file.to_str().unwrap());
    import(&[old, "--out", file]);
    let edited = dir.read("cluster.rs") + "\nimpl Pool {}\n";
    fs::write(file, &edited).unwrap();
    let shown = import(&[new, "--since", old, "--into", file]);
    let removed = shown.lines().filter(|line| line.starts_with('-') && !line.starts_with("---"));
    assert_eq!(removed.count(), 0, "{shown}");
    let text = dir.read("cluster.rs");
    assert!(text.contains("pub pool: Option<ClusterPool>,"), "{text}");
    assert!(text.contains("pub struct ClusterPool {") && text.contains("impl Pool {}"), "{text}");
}

#[test]
fn changes_of_a_directory_are_taken_over() {
    let dir = Dir::new("import");
    for (version, maximum) in [("old", 9), ("new", 8)] {
        for kind in ["Cluster", "Zone"] {
            let text = definition(kind, &json!({"pool": pool(maximum)}));
            dir.write(&format!("{version}/{kind}.json"), &text);
        }
    }
    dir.write("new/Rack.json", &definition("Rack", &json!({"slot": {"type": "string"}})));
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    import(&[&path("old"), "--out", &path("src")]);
    let edited = dir.read("src/shared.rs") + "\nimpl Pool {}\n";
    dir.write("src/shared.rs", &edited);
    import(&[&path("new"), "--since", &path("old"), "--into", &path("src")]);
    let shared = dir.read("src/shared.rs");
    assert!(shared.contains("maximum = 8") && shared.contains("impl Pool {}"), "{shared}");
    assert!(dir.read("src/mod.rs").contains("pub mod rack;\n"));
    assert!(dir.read("src/rack.rs").contains("pub slot: "));
}

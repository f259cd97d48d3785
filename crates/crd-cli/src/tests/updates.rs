//! Documents that are validated as updates of old ones.

use super::files::tree;
use super::{CRON_TABS, Registry, run};

/// A rule for updates, and one that `OLD` breaks.
const RULES: &str = "              image: {type: string, maxLength: 3, x-kubernetes-validations: [{rule: self == oldSelf, message: is immutable}]}\n";

fn object(name: &str, image: &str, version: &str) -> String {
    format!(
        "apiVersion: stable.example.com/{version}\nkind: CronTab\nmetadata: {{name: {name}}}\nspec: {{cronSpec: '* * * * *', image: '{image}'}}\n"
    )
}

fn crd() -> String {
    CRON_TABS.replace("              image: {type: string}\n", RULES)
}

fn validate(files: &[(&str, &str)], options: &[&str]) -> (u8, String) {
    let dir = tree("old", files);
    let path = |name: &str| dir.path().join(name).display().to_string();
    let (new, old) = (path("new"), path("old"));
    let args = [&["validate", &*new, "--old", &*old], options].concat();
    let (status, out, err) = run(&Registry::new(), &args);
    (status, (out + &err).replace(&format!("{}/", dir.text()), ""))
}

#[test]
fn transition_rules_apply_and_old_errors_are_ratcheted() {
    let (changed, same, new) =
        (object("a", "x", "v1"), object("b", "long", "v1"), object("c", "long", "v1"));
    let crd = crd();
    let files = [
        ("new/crd.yaml", &*crd),
        ("new/a.yaml", &*changed),
        ("new/b.yaml", &*same),
        ("new/c.yaml", &*new),
        ("old/all.yaml", &*format!("{}---\n{same}---\n{CRON_TABS}", object("a", "y", "v1"))),
    ];
    let (status, out) = validate(&files, &[]);
    let want = "new/crd.yaml: customresourcedefinition.apiextensions.k8s.io/crontabs.stable.example.com valid as an update\n\
        new/a.yaml: The CronTab \"a\" is invalid: spec.image: Invalid value: \"x\": is immutable\n\
        new/b.yaml: crontab.stable.example.com/b valid as an update\n\
        new/c.yaml: The CronTab \"c\" is invalid:\n\
        * spec.image: Too long: may not be more than 3 bytes\n\
        * <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation\n\
        2 valid, 2 invalid\n";
    assert_eq!((status, &*out), (1, want));
    let (_, out) = validate(&files, &["--summary"]);
    assert_eq!(out, "2 valid, 2 invalid\n");
    let (_, out) = validate(&files, &["-o", "json", "--summary"]);
    assert_eq!(out, "{\"summary\":{\"invalid\":2,\"skipped\":{},\"valid\":2}}\n");
    let (_, out) = validate(&files, &["-o", "json"]);
    assert_eq!(out.matches("\"isUpdate\":true").count(), 3, "{out}");
}

#[test]
fn an_old_object_of_another_version_is_converted_unless_a_webhook_does_it() {
    let two = crd().replace("  - name: v1\n", "  - name: v2\n    served: true\n    storage: false\n    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}\n  - name: v1\n");
    let new = object("a", "x", "v1");
    let old = object("a", "y", "v2");
    let files = [("new/crd.yaml", &*two), ("new/a.yaml", &*new), ("old/a.yaml", &*old)];
    let (status, out) = validate(&files, &[]);
    assert!(status == 1 && out.contains("is immutable"), "{out}");
    let webhook = two.replace("  scope:", "  conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: {url: 'https://x.example.com'}}}\n  scope:");
    let files = [("new/crd.yaml", &*webhook), ("new/a.yaml", &*new), ("old/a.yaml", &*old)];
    let (status, out) = validate(&files, &[]);
    let warning = "new/a.yaml: Warning: the old object is of version \"stable.example.com/v2\", which a webhook converts";
    assert!(status == 0 && out.contains(warning), "{out}");
}

#[test]
fn an_unreadable_old_document_ends_the_command() {
    let crd = crd();
    let files = [("new/crd.yaml", &*crd), ("old/a.yaml", "a: [")];
    let (status, out) = validate(&files, &[]);
    assert!(status == 3 && out.starts_with("old/a.yaml:2: error: line 2"), "{out}");
}

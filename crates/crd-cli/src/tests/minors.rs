//! `--kubernetes`: the reports about other minors.

use std::fs;

use serde_json::Value;

use super::{Dir, Registry, run, widgets};
use crate::Server;
use crate::model::CustomResourceDefinition;

/// A definition with formats, functions and fields that some minors do not have.
const CRD: &str = "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: hosts.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Host, plural: hosts, listKind: HostList, singular: host}
  versions:
  - name: v1
    served: true
    storage: true
    selectableFields:
    - jsonPath: .spec.address
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            x-kubernetes-validations:
            - rule: isIP(self.address) && self.version.all(i, v, v >= 0)
            - rule: ip(self.address) == ip('::1')
            - rule: self.namespace != 'kube-system'
            - rule: self.address.lastIndexOf('/') < 4
            properties:
              address: {type: string, maxLength: 64}
              namespace: {type: string, maxLength: 64}
              name: {type: string, format: k8s-short-name}
              port: {type: integer, format: int32}
              backlog: {type: integer, format: int32}
              version: {type: array, maxItems: 3, items: {type: integer}}
          status:
            type: object
";

fn case(name: &str) -> (Dir, String) {
    let dir = Dir::new(name);
    let path = dir.path().join("crd.yaml");
    fs::write(&path, CRD).expect("writable");
    let path = path.to_str().expect("a path in UTF-8").to_owned();
    (dir, path)
}

/// Returns the output of `check` for some minors, without the name of the file.
fn check(name: &str, minors: &str) -> (u8, Vec<String>) {
    let (_dir, path) = case(name);
    let (status, out, err) = run(&Registry::new(), &["check", &path, "--kubernetes", minors]);
    assert_eq!(err, "");
    let lines = out.replace(&path, "crd.yaml");
    (status, lines.lines().filter(|line| line.starts_with("crd.yaml")).map(str::to_owned).collect())
}

#[test]
fn rejections_name_the_first_minor_that_accepts() {
    let (status, lines) = check("minors-rejected", "1.30,1.31,1.32");
    assert_eq!(status, 1);
    let rejected: Vec<&str> =
        lines.iter().map(String::as_str).filter(|line| !line.contains("Warning")).collect();
    let rules = "spec.versions[0].schema.openAPIV3Schema.properties[spec].x-kubernetes-validations";
    let total = "estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of more than 100x (try \
                 simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and \
                 strings are declared)";
    let exceeds = "estimated rule cost exceeds budget by factor of more than 100x (try simplifying the rule, or \
                   adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)";
    assert_eq!(
        rejected,
        [
            &*format!("crd.yaml:22: 1.30: {rules}[0].rule: `isIP` needs Kubernetes 1.31"),
            &*format!(
                "crd.yaml:22: 1.30: {rules}[0].rule: `all` with two variables needs Kubernetes 1.33"
            ),
            &*format!("crd.yaml:23: 1.30: {rules}[1].rule: `ip` needs Kubernetes 1.31"),
            &*format!("crd.yaml:24: 1.30: {rules}[2].rule: `namespace` needs Kubernetes 1.32"),
            &*format!(
                "crd.yaml:22: 1.31: {rules}[0].rule: `all` with two variables needs Kubernetes 1.33"
            ),
            &*format!("crd.yaml:23: 1.31: {rules}[1].rule: {exceeds}; this needs Kubernetes 1.32"),
            &*format!("crd.yaml:24: 1.31: {rules}[2].rule: `namespace` needs Kubernetes 1.32"),
            &*format!(
                "crd.yaml:16: 1.31: spec.versions[0].schema.openAPIV3Schema: x-kubernetes-validations {total}; this \
                 needs Kubernetes 1.32"
            ),
            &*format!(
                "crd.yaml:22: 1.32: {rules}[0].rule: `all` with two variables needs Kubernetes 1.33"
            ),
            "crd.yaml: CustomResourceDefinition hosts.example.com rejected by each of these versions of Kubernetes",
        ]
    );
}

#[test]
fn differences_of_a_minor_are_warnings() {
    let (status, lines) = check("minors-otherwise", "1.33..1.37");
    assert_eq!(status, 0, "{lines:#?}");
    let of = |minor: &str| {
        let beginning = format!(": {minor}: Warning: spec.versions[0].");
        let lines = lines.iter().filter_map(|line| line.split_once(&*beginning));
        lines.map(|(_, text)| text.to_owned()).collect::<Vec<_>>()
    };
    let properties = "schema.openAPIV3Schema.properties[spec].properties";
    let short = format!(
        "{properties}[name].format: the format `k8s-short-name` is not enforced before Kubernetes 1.35"
    );
    let int32 = format!(
        "{properties}[backlog].format: the format `int32` (and at 1 other place) is not enforced before \
         Kubernetes 1.36"
    );
    assert_eq!(of("1.34"), [int32.clone(), short.clone()]);
    assert_eq!(of("1.35"), std::slice::from_ref(&int32));
    assert_eq!(of("1.36"), [""; 0]);
    let last = "may have another result since Kubernetes 1.34: `lastIndexOf` returns -1 if it searches the empty \
                string. Older servers report an error";
    let rule = "schema.openAPIV3Schema.properties[spec].x-kubernetes-validations[3].rule";
    assert_eq!(of("1.33"), [int32, short, format!("{rule}: {last}")]);
    let valid = "CustomResourceDefinition hosts.example.com valid on Kubernetes 1.33 to 1.37";
    assert!(lines.iter().any(|line| line.ends_with(valid)), "{lines:#?}");
}

#[test]
fn changed_costs_and_results_of_rules_are_warnings() {
    let (dir, path) = case("minors-costs");
    let rules = "            - rule: self.address.startsWith('a')\n            \
        - rule: dyn(self.version) == dyn([1, 2])\n            properties:\n";
    let crd = CRD
        .replace("            properties:\n", rules)
        .replace("version: {type: array,", "version: {type: array, x-kubernetes-list-type: set,");
    fs::write(dir.path().join("crd.yaml"), crd).expect("writable");
    let (_, out, _) = run(&Registry::new(), &["check", &path, "--kubernetes", "1.36.."]);
    let rules = "spec.versions[0].schema.openAPIV3Schema.properties[spec].x-kubernetes-validations";
    let start = format!("{path}:26: 1.36: Warning: {rules}[4].rule: ");
    let costs = "may have another cost since Kubernetes 1.37: The cost of evaluating `startsWith` and `endsWith` \
                 depends on the length of their argument. On older servers it depends on the length of the searched \
                 string";
    assert!(out.contains(&format!("{start}{costs}\n")), "{out}");
    let start = format!("{path}:27: 1.36: Warning: {rules}[5].rule: ");
    let values = "may have another result since Kubernetes 1.37: Two lists of type `set` are equal if they contain the \
                  same CEL values, and comparing sets of lists or objects is an error. Older servers compare JSON \
                  values, and only check that the first set contains each element of the second list";
    assert!(out.contains(&format!("{start}{values}\n")), "{out}");
    assert!(!out.contains(": 1.37: Warning"), "{out}");
}

/// The lines about all objects say how each minor treats a number that is nearly an integer. Validation does the same.
#[test]
fn numbers_that_are_nearly_integers() {
    let accepts = |minor: &str, schema: &Value, number: f64| {
        let definition = serde_json::json!({
            "metadata": {"name": "hosts.example.com"},
            "spec": {"group": "example.com", "scope": "Namespaced", "names": {"plural": "hosts", "kind": "Host"},
                "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema":
                    {"type": "object", "properties": {"n": schema}}}}]},
        });
        let crd: CustomResourceDefinition =
            serde_json::from_value(definition).expect("a definition");
        let version = minor.parse().expect("known");
        let schema = Server::of(version).compile(&crd, "v1").expect("compiles");
        schema.validate(&serde_json::json!({"n": number})).is_empty()
    };
    let integer = serde_json::json!({"type": "integer"});
    let either = serde_json::json!({"x-kubernetes-int-or-string": true});
    let in_threes = serde_json::json!({"type": "number", "multipleOf": 3});
    for (minor, of_integer, of_others) in
        [("1.35", true, false), ("1.36", false, false), ("1.37", false, true)]
    {
        assert_eq!(accepts(minor, &integer, 3.000_000_000_1), of_integer, "{minor}");
        assert_eq!(accepts(minor, &either, 0.999_999_999_9), of_others, "{minor}");
        assert_eq!(accepts(minor, &in_threes, 2.999_999_999_9), of_others, "{minor}");
    }
}

#[test]
fn a_minor_has_one_line_about_all_objects() {
    let (status, lines) = check("minors-general", "1.34..1.37");
    assert_eq!(status, 0, "{lines:#?}");
    let of = |minor: &str| {
        let start = format!("crd.yaml:4: {minor}: Warning: objects of the kind: ");
        let mut texts = lines.iter().filter_map(|line| line.strip_prefix(&*start));
        (texts.next().map(str::to_owned), texts.next())
    };
    let creation = "objects can be created while the definition is being deleted (until 1.36); an apply that creates \
                    an object stores metadata that only the server may set (until 1.36)";
    let before = "a number that is nearly an integer, such as 3.0000000001, is stored as an integer (until 1.35); \
                  a manager that writes the status also owns metadata, and its write can conflict over metadata \
                  (until 1.35)";
    assert_eq!(of("1.35"), (Some(format!("{before}; {creation}")), None));
    let emptied = "if an apply removes the last element of a map or list, the empty map or list stays in 1.36.0 to 1.36.2";
    assert_eq!(of("1.36"), (Some(format!("{emptied}; {creation}")), None));
    assert_eq!(of("1.37"), (None, None));

    let (_dir, path) = case("minors-general-json");
    let (_, out, _) =
        run(&Registry::new(), &["check", &path, "--kubernetes", "1.36", "-o", "json"]);
    let line: Value = out.lines().next().and_then(|l| serde_json::from_str(l).ok()).expect("JSON");
    let general = &line["incompatibilities"][0];
    assert_eq!((&general["isGeneral"], &general["rejected"]), (&true.into(), &false.into()));
    assert_eq!(general["message"], format!("objects of the kind: {emptied}; {creation}"));
    let (_, out, _) =
        run(&Registry::new(), &["check", &path, "--kubernetes", "1.36", "-o", "github"]);
    assert!(!out.contains("objects of the kind"), "{out}");
}

#[test]
fn dropped_fields_and_ratcheting() {
    let (_, lines) = check("minors-dropped", "1.30,1.33");
    let of_1_30 =
        |text: &str| lines.iter().any(|line| line.contains(text) && line.contains("1.30:"));
    assert!(
        of_1_30(
            "selectableFields: the server drops this field, so that field selectors are limited to"
        ),
        "{lines:#?}"
    );
    assert!(
        of_1_30("subresources.status: the server rejects an update of the status even if"),
        "{lines:#?}"
    );
    assert!(
        !lines.iter().any(|line| line.contains("1.33: Warning: spec.versions[0].subresources"))
    );
}

#[test]
fn errors_of_all_minors_are_reported_once() {
    let (dir, path) = case("minors-common");
    fs::write(dir.path().join("crd.yaml"), CRD.replace("scope: Namespaced", "scope: Galaxy"))
        .expect("writable");
    let (status, out, _) = run(&Registry::new(), &["check", &path, "--kubernetes", "1.35.."]);
    assert_eq!(status, 1);
    assert_eq!(out.matches("spec.scope: Unsupported value").count(), 1, "{out}");
}

#[test]
fn incompatibilities_are_in_all_output_formats() {
    let (_dir, path) = case("minors-programs");
    let run =
        |form| run(&Registry::new(), &["check", &path, "--kubernetes", "1.30..1.33", "-o", form]).1;
    let out = run("json");
    let line: Value = out.lines().next().and_then(|l| serde_json::from_str(l).ok()).expect("JSON");
    assert_eq!(line["verdict"], "invalid", "{line}");
    assert_eq!(line["acceptedBy"], serde_json::json!(["1.33"]));
    let first = &line["incompatibilities"][0];
    assert_eq!(first["kubernetes"], "1.30");
    assert_eq!(first["rejected"], true);
    assert_eq!(first["message"], "`isIP` needs Kubernetes 1.31");
    assert_eq!(first["line"], 22);
    assert!(out.ends_with("{\"summary\":{\"invalid\":1,\"skipped\":{},\"valid\":0}}\n"), "{out}");
    let github = run("github");
    let want = format!(
        "::error file={path},line=22,title=CustomResourceDefinition hosts.example.com::Kubernetes 1.30: "
    );
    assert!(github.contains(&want), "{github}");
    assert!(run("junit").contains("<failure message=\"Kubernetes 1.30: "));
    assert!(run("sarif").contains("\"ruleId\":\"KubernetesVersion\""));
}

#[test]
fn manifests_are_checked_on_minors() {
    let dir = Dir::new("minors-crds");
    let of = |rule: &str| {
        let mut crd: Value = crate::yaml::documents(CRD).flatten().next().expect("a CRD").value;
        let rules =
            "/spec/versions/0/schema/openAPIV3Schema/properties/spec/x-kubernetes-validations";
        *crd.pointer_mut(rules).expect("rules") = serde_json::json!([{"rule": rule}]);
        Registry::new().manifest(&crd)
    };
    let args = ["crds", "--check", "--out", dir.text(), "--kubernetes", "1.32..1.33"];
    let (status, _, err) = run(&of("semver(self.address).major() > 0"), &args);
    assert_eq!(status, 1);
    let want = "hosts.example.com: 1.32: spec.versions[0].schema.openAPIV3Schema.properties[spec]\
                .x-kubernetes-validations[0].rule: `semver` needs Kubernetes 1.34\n";
    assert!(err.contains(want), "{err}");
    run(&of("isIP(self.address)"), &["crds", "--out", dir.text()]);
    assert_eq!(run(&of("isIP(self.address)"), &args).0, 0);
    assert_eq!(run(&widgets(), &["crds", "--out", "-", "--kubernetes", "1.30.."]).0, 0);
}

#[test]
fn objects_are_validated_as_a_minor_does() {
    let (dir, path) = case("minors-objects");
    let crd = CRD.replace("            - rule: self.address.lastIndexOf('/') < 4\n", "");
    fs::write(&path, crd).expect("writable");
    let object = "apiVersion: example.com/v1\nkind: Host\nmetadata: {name: h}\nspec: {address: '::1', port: \
                  3000000000, namespace: a, version: [1], name: No}\n";
    fs::write(dir.path().join("h.yaml"), object).expect("writable");
    let found = |minor| {
        let (status, out, _) =
            run(&Registry::new(), &["validate", dir.text(), "--kubernetes", minor]);
        assert_eq!(status, 1, "{out}");
        (out.contains("spec.port"), out.contains("spec.name: "))
    };
    assert_eq!(found("1.37"), (true, true));
    assert_eq!(found("1.35"), (false, true));
    let (status, out, err) = run(&Registry::new(), &["validate", &path, "--kubernetes", "1.29"]);
    assert_eq!((status, &*out), (2, ""));
    assert!(err.contains("`1.29` is no known minor of Kubernetes"), "{err}");
}

//! The pages, and that their examples are admitted.

use serde_json::Value;

use super::text;
use crate::Registry;
use crate::tests::{Dir, run};

const JOBS: &str = r#"apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: jobs.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Job, plural: jobs, shortNames: [jb]}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    additionalPrinterColumns:
    - {name: Mode, type: string, jsonPath: .spec.mode, priority: 1}
    schema:
      openAPIV3Schema:
        type: object
        description: A job that comes back.
        required: [spec]
        properties:
          apiVersion: {type: string}
          kind: {type: string}
          metadata: {type: object}
          spec:
            type: object
            required: [schedule, mode, ports]
            x-kubernetes-validations:
            - {rule: "self.mode != 'Fast' || self.workers > 1", message: fast jobs need two workers}
            - {rule: "self.schedule == oldSelf.schedule"}
            properties:
              schedule: {type: string, minLength: 9, description: "When | how, <b>in</b> `a|b` fields.\n\n- minute\n- hour"}
              mode: {type: string, enum: [Fast, Slow]}
              workers: {type: integer, minimum: 1, default: 1}
              ports:
                type: array
                minItems: 1
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [name]
                items:
                  type: object
                  required: [name]
                  properties:
                    name: {type: string, pattern: "^[a-z]{3}-[0-9]$"}
                    port: {x-kubernetes-int-or-string: true}
              labels: {type: object, additionalProperties: {type: string, maxLength: 9}}
              link: {type: string, description: "See [here](javascript:alert(1)) and [there](https://example.com)."}
          status:
            type: object
            properties:
              phase: {type: string}
  - name: v1beta1
    served: true
    storage: false
    deprecated: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object}}}}
  - name: v1alpha1
    served: false
    storage: false
    schema: {openAPIV3Schema: {type: object}}
"#;

/// Prints the reference of the jobs.
fn docs(args: &[&str]) -> String {
    let dir = Dir::new("docs");
    let file = dir.write("jobs.yaml", JOBS);
    let file = file.to_str().expect("UTF-8");
    let (status, out, err) = run(&Registry::new(), &[&["docs", file], args].concat());
    assert_eq!((status, &*err), (0, ""), "{out}");
    out
}

fn model(args: &[&str]) -> Value {
    serde_json::from_str(&docs(&[&["--format", "json"], args].concat())).expect("JSON")
}

/// Returns the paths of all fields.
fn paths(fields: &Value, into: &mut Vec<String>) {
    for field in fields.as_array().expect("fields") {
        into.push(field["path"].as_str().expect("a path").to_owned());
        paths(&field["fields"], into);
    }
}

fn paths_of(model: &Value) -> Vec<String> {
    let mut all = Vec::new();
    paths(&model["kinds"][0]["versions"][0]["fields"], &mut all);
    all
}

#[test]
fn fields_are_a_tree_with_stable_anchors() {
    let model = model(&[]);
    let kind = &model["kinds"][0];
    assert_eq!(kind["anchor"], "job.example.com");
    let versions: Vec<&Value> =
        kind["versions"].as_array().expect("versions").iter().map(|it| &it["name"]).collect();
    assert_eq!(versions, ["v1", "v1beta1"]);
    assert_eq!(kind["versions"][1]["deprecation"], "example.com/v1beta1 Job is deprecated");
    assert_eq!(
        paths_of(&model),
        [
            "spec",
            "spec.labels",
            "spec.link",
            "spec.mode",
            "spec.ports",
            "spec.ports[].name",
            "spec.ports[].port",
            "spec.schedule",
            "spec.workers",
            "status",
            "status.phase"
        ]
    );
    let spec = &kind["versions"][0]["fields"][0];
    let ports = &spec["fields"][3];
    assert_eq!((&ports["type"], &ports["isRequired"]), (&"[]object".into(), &true.into()));
    assert_eq!(ports["fields"][0]["anchor"], "job.example.com-v1-spec.ports.name");
    assert_eq!(ports["constraints"][1]["label"], "items are unique by");
    assert_eq!(ports["constraints"][1]["value"], "name");
    assert_eq!(spec["fields"][0]["constraints"][0]["label"], "each value: at most");
    assert_eq!(spec["fields"][5]["default"], 1);
    assert_eq!(spec["rules"][0]["message"], "fast jobs need two workers");
    assert_eq!(
        (&spec["rules"][0]["isTransition"], &spec["rules"][1]["isTransition"]),
        (&false.into(), &true.into())
    );
}

#[test]
fn fields_versions_and_levels_can_be_left_out() {
    let found =
        model(&["--ignore-field", "status", "--ignore-field", "spec.ports.*", "--version", "v1"]);
    let paths = paths_of(&found);
    assert!(
        !paths.iter().any(|path| path.contains("status") || path.contains("ports[]")),
        "{paths:?}"
    );
    let found = model(&["--depth", "1"]);
    assert_eq!(paths_of(&found), ["spec", "status"]);
    assert_eq!(found["kinds"][0]["versions"][0]["fields"][0]["isCut"], true);
    let found = model(&["--version", "v1alpha1"]);
    assert_eq!(found["kinds"][0]["versions"][0]["isServed"], false);
}

#[test]
fn examples_are_admitted_and_readable() {
    let model = model(&[]);
    let examples = model["kinds"][0]["versions"][0]["examples"].as_array().expect("examples");
    let titles: Vec<&Value> = examples.iter().map(|example| &example["title"]).collect();
    assert_eq!(titles, ["Minimal", "Full"]);
    let dir = Dir::new("examples");
    dir.write("crd.yaml", JOBS);
    for example in examples {
        dir.write("object.yaml", example["yaml"].as_str().expect("YAML"));
        let (status, out, err) = run(&Registry::new(), &["validate", dir.text()]);
        assert_eq!(status, 0, "{example}\n{out}{err}");
        assert!(example["object"].get("status").is_none(), "{example}");
    }
    let spec = &examples[0]["object"]["spec"];
    assert!(spec.get("labels").is_none(), "{spec}");
    let spec = &examples[1]["object"]["spec"];
    assert_eq!(
        (&spec["labels"], &spec["link"]),
        (&serde_json::json!({"key": "example"}), &"example".into())
    );
    assert_eq!(spec["schedule"], "0 3 * * *");
    let none = docs(&["--format", "json", "--no-examples"]);
    assert!(none.contains("\"examples\": []"), "{none}");
}

#[test]
fn what_cannot_be_admitted_has_no_example() {
    let dir = Dir::new("none");
    let crd = JOBS.replace("self.mode != 'Fast' || self.workers > 1", "false");
    let file = dir.write("jobs.yaml", &crd);
    let (_, out, _) = run(&Registry::new(), &["docs", file.to_str().expect("UTF-8")]);
    assert!(out.contains("There is no example: none of 48 generated objects is admitted; an error: spec: Invalid value"), "{out}");
}

#[test]
fn tables_in_markdown_stay_tables() {
    let page = docs(&[]);
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with('|')).collect();
    assert!(rows.len() > 15, "{page}");
    for row in &rows {
        let bars = row.replace("\\|", "").matches('|').count();
        assert!(bars == 4 || bars == 5, "{row}");
    }
    let row = rows.iter().find(|row| row.contains("-spec.schedule\"")).expect("a row");
    assert_eq!(
        *row,
        "| <a id=\"job.example.com-v1-spec.schedule\"></a>`schedule` *required* | `string` | When \\| how, \
         &lt;b>in&lt;/b> `a\\|b` fields.<br><br>- minute<br>- hour<br>Constraints: at least `9` characters |"
    );
    for want in [
        "## <a id=\"job.example.com\"></a>Job\n",
        "#### <a id=\"job.example.com-v1-spec.ports-fields\"></a>`spec.ports`\n\n| Field | Type | Description |\n",
        "Rule: fast jobs need two workers: `self.mode != 'Fast' \\|\\| self.workers > 1`",
        "Rule for updates: `self.schedule == oldSelf.schedule`",
        "| Mode (`-o wide`) | `string` | `.spec.mode` |  |",
        "Full example:\n\n```yaml\napiVersion: example.com/v1\n",
    ] {
        assert!(page.contains(want), "{want}\n{page}");
    }
    assert!(!page.contains("\n\n\n"), "{page}");
}

#[test]
fn html_is_whole_and_harmless() {
    let page = docs(&["--format", "html"]);
    assert!(page.starts_with("<!DOCTYPE html>") && page.trim_end().ends_with("</html>"), "{page}");
    for want in [
        "id=\"job.example.com-v1-spec.ports.name\"",
        "&lt;b&gt;in&lt;/b&gt;",
        "<li>minute</li>",
        "<a href=\"https://example.com\">there</a>",
        "<a href=\"#\">here</a>",
        "<code>self.mode != &#x27;Fast&#x27; || self.workers &gt; 1</code>",
    ] {
        assert!(page.contains(want), "{want}\n{page}");
    }
    // It loads nothing.
    for never in ["<b>in", "javascript:", "src=", "<link", "@import", "url("] {
        assert!(!page.contains(never), "{never}");
    }
    for tag in ["details", "div", "section", "ul", "table"] {
        let count = |text: &str| page.matches(text).count();
        let opened = count(&format!("<{tag}>")) + count(&format!("<{tag} "));
        assert_eq!(opened, count(&format!("</{tag}>")), "{tag}");
    }
}

#[test]
fn asciidoc_shows_texts_as_they_are() {
    let page = docs(&["--format", "asciidoc"]);
    for want in [
        "[[job.example.com-v1-spec.schedule]]``schedule`` _required_",
        "When &#124; how, ",
        "&#60;b&#62;in&#60;/b&#62; ``a&#124;b`` fields.",
        "\n* minute\n* hour",
        "<<job.example.com-v1-spec.ports-fields,&#91;&#93;object>>",
    ] {
        assert!(page.contains(want), "{want}\n{page}");
    }
    assert_eq!(text::asciidoc_text("a -- b ... .c"), "a -&#45; b .&#46;&#46; .c");
}

#[test]
fn descriptions_keep_to_their_place() {
    for (markdown, want) in [
        ("a\nb", "a b"),
        ("a\n\nb", "a<br><br>b"),
        ("a\n- b\n- c", "a<br>- b<br>- c"),
        ("x\n```\n<a|b>\n```\ny", "x<br>`<a\\|b>`<br>y"),
        ("one ` and <x>", "one ` and &lt;x>"),
        ("", ""),
    ] {
        assert_eq!(text::markdown_cell(markdown), want, "{markdown}");
    }
    assert_eq!(text::markdown("# A\n<i>\n```\n# b <i>"), "\\# A\n&lt;i>\n```\n# b <i>\n```");
    assert_eq!(text::markdown_code("a`b|c"), "`` a`b\\|c ``");
    let html =
        text::html("<script>alert(1)</script>\n\n![x](https://e.com/y.png) [z](JavaScript:1)");
    assert!(
        !html.contains("<script") && !html.contains("<img") && !html.contains("JavaScript"),
        "{html}"
    );
}

#[test]
fn a_file_is_written_and_checked() {
    let dir = Dir::new("check");
    let crd = dir.write("jobs.yaml", JOBS);
    let (crd, out) = (crd.to_str().expect("UTF-8"), dir.path().join("docs/reference.md"));
    let out = out.to_str().expect("UTF-8");
    let docs = |more: &[&str]| run(&Registry::new(), &[&["docs", crd, "-o", out], more].concat());
    assert_eq!(docs(&[]), (0, format!("{out} created\n"), String::new()));
    assert_eq!(docs(&["--check"]), (0, "1 page up to date\n".to_owned(), String::new()));
    let (status, printed, err) = docs(&["--check", "--title", "Other"]);
    assert!(status == 1 && err.ends_with("1 page out of date: run `docs`\n"), "{err}");
    assert!(printed.contains("-# API reference\n+# Other\n"), "{printed}");
    let (status, _, err) = run(&Registry::new(), &["docs", crd, "--check"]);
    assert!(status == 2 && err.contains("--out"), "{err}");
}

#[test]
fn own_templates_replace_and_extend() {
    let dir = Dir::new("templates");
    let crd = dir.write("jobs.yaml", JOBS);
    let crd = crd.to_str().expect("UTF-8");
    let own = |format: &str, text: &str| {
        dir.write(&format!("templates/reference.{format}"), text);
        let format = if format == "md" { "markdown" } else { format };
        let directory = dir.path().join("templates");
        let args =
            ["docs", crd, "--format", format, "--template", directory.to_str().expect("UTF-8")];
        run(&Registry::new(), &args)
    };
    let (status, out, err) =
        own("md", "{% for kind in kinds %}{{ kind.kind }} of {{ kind.group }}{% endfor %}\n");
    assert_eq!((status, &*out, &*err), (0, "Job of example.com", ""));
    let extended =
        "{% extends 'builtin/reference.html' %}{% block head %}<b>Mine</b>{% endblock %}";
    let (status, out, err) = own("html", extended);
    assert!(status == 0 && out.contains("<b>Mine</b>") && out.contains("spec.ports"), "{err}{out}");
    let (status, _, err) = own("md", "{{ kinds.nothing }}");
    assert!(
        status == 2 && err.contains("template: undefined value") && err.contains("reference.md:1"),
        "{err}"
    );
    let (status, out, _) = run(&Registry::new(), &["docs", "--print-template", "--format", "html"]);
    assert!(status == 0 && out.contains("{% block style %}"), "{out}");
    std::fs::remove_file(dir.path().join("templates/reference.md")).expect("removed");
    let directory = dir.path().join("templates");
    let (status, _, err) =
        run(&Registry::new(), &["docs", crd, "--template", directory.to_str().expect("UTF-8")]);
    assert!(status == 2 && err.contains("there is no `reference.md`"), "{err}");
}

#[test]
fn the_guide_shows_real_output() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/guide/src/reference.md");
    let page = std::fs::read_to_string(page).expect("the page");
    let part = |from: &str, to: &str| {
        let (_, rest) = page.split_once(from).expect(from);
        rest.split_once(to).expect(to).0.to_owned()
    };
    let spec = crate::yaml::documents(&part("\n```yaml,ignore\n", "```\n"))
        .next()
        .expect("YAML")
        .expect("YAML");
    let crd = crd_fixtures::crd("example.com", "Job").spec("v1", &spec.value["spec"]).json();
    let (status, out, err) = run(&Registry::new().manifest(&crd), &["docs"]);
    assert_eq!((status, &*err), (0, ""));
    let shown = part("\n````text\n", "````\n");
    assert!(out.ends_with(&shown), "{out}");
}

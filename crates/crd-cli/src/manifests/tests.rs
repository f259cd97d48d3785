//! Files of definitions, in each format.

use serde_json::json;

use super::*;
use crate::tests::Dir;
use crate::{Context, Registry};

/// A definition whose objects a webhook converts.
fn converted() -> Value {
    let webhook = json!({
        "conversionReviewVersions": ["v1"],
        "clientConfig": {"service": {"name": "convert", "namespace": "apps", "path": "/convert"}},
    });
    crd_fixtures::widget(json!({"type": "object", "description": "an {{ x }} {"}))
        .set(
            "/metadata/annotations",
            json!({"cert-manager.io/inject-ca-from": "apps/tls", "a": "b\"c"}),
        )
        .set("/spec/conversion", json!({"strategy": "Webhook", "webhook": webhook}))
        .json()
}

fn made(object: Value, format: ManifestFormat) -> BTreeMap<String, Entry> {
    let manifest = Manifest { name: "widgets.example.com".to_owned(), objects: vec![object] };
    entries(Subject::Crds, &[manifest], format, Path::new("charts/My_App")).expect("entries")
}

fn text<'e>(entries: &'e BTreeMap<String, Entry>, path: &str) -> &'e str {
    match &entries[path] {
        Entry::Text(text) | Entry::Initial(text) | Entry::Values(text) => text,
    }
}

/// Merges a patch into a value, as RFC 7386 says.
fn merge(value: &mut Value, patch: &Value) {
    match (value, patch) {
        (Value::Object(value), Value::Object(patch)) => {
            for (key, patch) in patch {
                merge(value.entry(key.clone()).or_insert(Value::Null), patch);
            }
        }
        (value, patch) => *value = patch.clone(),
    }
}

#[test]
fn a_base_of_kustomize_and_its_patch_are_the_definition() {
    let entries = made(converted(), ManifestFormat::Kustomize);
    let read = |path: &str| {
        yaml::document(text(&entries, path).as_bytes()).expect("YAML").expect("one").value
    };
    let index = read("kustomization.yaml");
    assert_eq!(index["resources"], json!(["widgets.example.com.yaml"]));
    assert_eq!(index["patches"], json!([{"path": "conversion/widgets.example.com.yaml"}]));
    let mut whole = read("widgets.example.com.yaml");
    assert!(whole["spec"].get("conversion").is_none());
    merge(&mut whole, &read("conversion/widgets.example.com.yaml"));
    assert_eq!(whole, converted());
    let plain =
        made(crd_fixtures::widget(json!({"type": "object"})).json(), ManifestFormat::Kustomize);
    assert!(!text(&plain, "kustomization.yaml").contains("patches"));
}

#[test]
fn a_template_has_actions_for_what_values_set() {
    let entries = made(converted(), ManifestFormat::Helm);
    assert_eq!(text(&entries, "Chart.yaml"), "apiVersion: v2\nname: myapp\nversion: 0.1.0\n");
    let want = r#"{{- /* Generated: the command that wrote it writes it again. */ -}}
{{- $values := .Values.crds -}}
{{- if $values.install -}}
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  {{- $client := mergeOverwrite (deepCopy $values.conversion) (get ($values.conversion.overrides | default (dict)) "widgets.example.com" | default (dict)) }}
  {{- $namespace := $client.service.namespace | default .Release.Namespace }}
  {{- $certificate := $client.certificate | default "tls" }}
  {{- with mergeOverwrite (dict "a" "b\"c") (ternary (dict "helm.sh/resource-policy" "keep") (dict) $values.keep) (ternary (dict "cert-manager.io/inject-ca-from" (printf "%s/%s" $namespace $certificate)) (dict) (and (not (empty $certificate)) (empty $client.caBundle))) ($values.annotations | default (dict)) }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with mergeOverwrite (dict) ($values.labels | default (dict)) }}
  labels:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  name: widgets.example.com
spec:
  conversion:
    strategy: Webhook
    webhook:
      clientConfig:
        {{- $client := mergeOverwrite (deepCopy $values.conversion) (get ($values.conversion.overrides | default (dict)) "widgets.example.com" | default (dict)) }}
        {{- $namespace := $client.service.namespace | default .Release.Namespace }}
        {{- with $client.caBundle }}
        caBundle: {{ . | quote }}
        {{- end }}
        service:
          name: {{ $client.service.name | default "convert" | quote }}
          namespace: {{ $namespace | quote }}
          path: {{ $client.service.path | default "/convert" | quote }}
          {{- with $client.service.port }}
          port: {{ . }}
          {{- end }}
"#;
    let template = text(&entries, "templates/crds/widgets.example.com.yaml");
    assert!(template.starts_with(want), "{template}");
    assert!(template.contains("description: an {{\"{{\"}} x }} {\n"), "{template}");
    assert!(template.ends_with("storage: true\n{{ end -}}\n"), "{template}");
    let plain = made(converted(), ManifestFormat::HelmCrds);
    assert_eq!(text(&plain, "crds/widgets.example.com.yaml"), yaml::to_string(&converted()));
}

#[test]
fn a_chart_keeps_what_is_its_users() {
    let dir = Dir::new("chart");
    let entries = made(converted(), ManifestFormat::Helm);
    let target = Target {
        directory: dir.path(),
        entries: &entries,
        command: "crds",
        label: "registered",
        what: "manifest",
        source: Some("registered kind"),
    };
    let registry = Registry::new();
    let run = |action: &dyn Fn(&mut Context<'_>) -> Result<CommandOutcome, CommandError>| {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let mut context = Context {
            registry: &registry,
            out: &mut out,
            err: &mut err,
            has_terminal: false,
            width: 80,
        };
        let outcome = action(&mut context).map(|outcome| matches!(outcome, CommandOutcome::Valid));
        (outcome.map_err(|error| error.0), String::from_utf8(out).expect("text"))
    };
    let chart = "apiVersion: v2\nname: mine\nversion: 3.0.0\n";
    dir.write("Chart.yaml", chart);
    dir.write("values.yaml", "# Mine.\nimage: x # y");
    assert_eq!(run(&|context| target.run(context, true, false)).0, Ok(false));
    assert_eq!(run(&|context| target.run(context, false, false)).0, Ok(true));
    assert_eq!(dir.read("Chart.yaml"), chart);
    let values = dir.read("values.yaml");
    assert!(values.starts_with("# Mine.\nimage: x # y\n\ncrds:\n  # Whether"), "{values}");
    assert_eq!(run(&|context| target.run(context, true, false)).0, Ok(true));
    // Values are the user's, but each must be there.
    dir.write("values.yaml", &values.replace("install: true", "install: false"));
    assert_eq!(run(&|context| target.run(context, true, false)).0, Ok(true));
    dir.write("values.yaml", &values.replace("  keep: true\n", ""));
    let error =
        run(&|context| target.run(context, false, false)).0.expect_err("a value is missing");
    assert!(
        error.contains("values.yaml: has no `crds.keep`; the values are\n\ncrds:\n"),
        "{error}"
    );
    dir.write("values.yaml", &values);
    let template = dir.read("templates/crds/widgets.example.com.yaml");
    dir.write("templates/crds/old.example.com.yaml", &template);
    dir.write("templates/crds/mine.yaml", "kind: Mine\n");
    assert_eq!(run(&|context| target.run(context, true, false)).0, Ok(false));
    let (_, out) = run(&|context| target.run(context, false, true));
    assert!(out.ends_with("old.example.com.yaml deleted\n"), "{out}");
    assert!(dir.path().join("templates/crds/mine.yaml").exists());
}

//! Charts of Helm.
//!
//! The output of a template is the manifest, with the metadata, the Service and the CA of the values.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Map, Value};

use super::kustomize::INJECT;
use super::template::{Holes, quoted};
use super::{Manifest, Subject, document};

pub(super) const CHART: &str = "Chart.yaml";
pub(super) const VALUES: &str = "values.yaml";
/// The start of each template.
pub(super) const MARK: &str = "{{- /* Generated: ";

/// The values that say which Service is called, and which CA is trusted.
const CLIENT_VALUES: &str = "\
# The Service that is called. What is empty is as in the manifest, the namespace that of the release.
service:
  name: \"\"
  namespace: \"\"
  port: 0
# The CA of its certificate, as base64 of PEM.
caBundle: \"\"
# The Certificate of cert-manager, in the namespace of the Service, whose CA is injected.
certificate: \"\"
";

/// Returns the text of a new [`CHART`].
pub(super) fn chart(directory: &Path) -> String {
    let name = directory.file_name().map(|name| name.to_string_lossy().to_lowercase());
    let is_of_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
    let name: String =
        name.unwrap_or_default().chars().filter(|letter| is_of_name(*letter)).collect();
    let name = if name.is_empty() { "manifests" } else { &name };
    format!("apiVersion: v2\nname: {name}\nversion: 0.1.0\n")
}

/// Returns the values of some manifests.
pub(super) fn values(subject: Subject, manifests: &[Manifest]) -> String {
    let mut out = format!("{}:\n", subject.name());
    let mut add = |text: &str, level: usize| {
        for line in text.lines() {
            let _ = writeln!(out, "{}{line}", "  ".repeat(level));
        }
    };
    add("# Whether they are installed.\ninstall: true", 1);
    if subject == Subject::Crds {
        add(
            "# Whether they stay, and with them all objects, when the release is uninstalled.\nkeep: true",
            1,
        );
    }
    add("# Further annotations and labels.\nannotations: {}\nlabels: {}", 1);
    let has_client = manifests
        .iter()
        .flat_map(|manifest| &manifest.objects)
        .any(|object| client_configs(object).next().is_some());
    if has_client && subject == Subject::Crds {
        add("# The webhook that converts objects between versions.\nconversion:", 1);
        add(&CLIENT_VALUES.replace("  port: 0\n", "  port: 0\n  path: \"\"\n"), 2);
        add("# Which of these differ for a definition, by its name.\noverrides: {}", 2);
    } else if has_client {
        add(CLIENT_VALUES, 1);
        add(
            "# Which of `service` and `caBundle` differ for a webhook, by its name.\noverrides: {}",
            1,
        );
    }
    out
}

/// Returns the template of a manifest.
pub(super) fn template(subject: Subject, manifest: &Manifest) -> String {
    let mut holes = Holes::new(&manifest.objects);
    let mut objects = manifest.objects.clone();
    let mut out = format!(
        "{MARK}the command that wrote it writes it again. */ -}}}}\n{{{{- $values := .Values.{} -}}}}\n",
        subject.name()
    );
    out.push_str("{{- if $values.install -}}\n");
    for object in &mut objects {
        metadata(subject, object, &mut holes);
        clients(subject, object, &mut holes);
        for subject in
            object.get_mut("subjects").and_then(Value::as_array_mut).into_iter().flatten()
        {
            if let Some(namespace) = subject.get_mut("namespace") {
                *namespace = holes.value("{{ .Release.Namespace }}");
            }
        }
    }
    let filled = Manifest { name: String::new(), objects };
    out.push_str(&holes.fill(&document(subject, &filled)));
    // Nothing of the text before is trimmed: the end of a block may matter.
    out.push_str("{{ end -}}\n");
    out
}

/// Returns the client configurations of an object: of the conversion of a definition, or of webhooks.
fn client_configs(object: &Value) -> impl Iterator<Item = &Value> {
    let conversion = object.pointer("/spec/conversion/webhook/clientConfig").into_iter();
    let webhooks = object.get("webhooks").and_then(Value::as_array).into_iter().flatten();
    conversion.chain(webhooks.filter_map(|webhook| webhook.get("clientConfig")))
}

/// Returns the namespace and name of the Certificate whose CA is injected.
fn injected(object: &Value) -> Option<(&str, &str)> {
    object.get("metadata")?.get("annotations")?.get(INJECT)?.as_str()?.split_once('/')
}

/// Returns the end of a pipeline that falls back to the text of the manifest.
fn default(text: Option<&str>) -> String {
    text.map_or_else(String::new, |text| format!(" | default {}", quoted(text)))
}

/// Returns the actions that set `$client` to the values of what is called, and `$namespace` to that of its Service.
/// `name` is that of the definition or the webhook whose values may differ.
fn called(subject: Subject, name: Option<&str>) -> String {
    let values = if subject == Subject::Crds { "$values.conversion" } else { "$values" };
    let own = name.map_or_else(String::new, |name| {
        format!(" (get ({values}.overrides | default (dict)) {} | default (dict))", quoted(name))
    });
    format!(
        "{{{{- $client := mergeOverwrite (deepCopy {values}){own} }}}}\n\
         {{{{- $namespace := $client.service.namespace | default .Release.Namespace }}}}\n"
    )
}

/// Returns the name of an object.
fn name(object: &Value) -> Option<&str> {
    object.pointer("/metadata/name").and_then(Value::as_str)
}

/// Replaces annotations and labels by those of the object and those of the values.
fn metadata(subject: Subject, object: &mut Value, holes: &mut Holes) {
    let is_called = client_configs(object).next().is_some();
    let is_injected = is_called && injected(object).is_some();
    let mut before = String::new();
    if is_called {
        // A configuration has several webhooks, and one annotation.
        let of = if subject == Subject::Crds { name(object) } else { None };
        let certificate = default(injected(object).map(|(_, name)| name));
        before = called(subject, of);
        let _ = writeln!(before, "{{{{- $certificate := $client.certificate{certificate} }}}}");
    }
    let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) else { return };
    let mut own = |key: &str| match metadata.remove(key) {
        Some(Value::Object(own)) => own,
        _ => Map::new(),
    };
    let (mut annotations, labels) = (own("annotations"), own("labels"));
    if is_injected {
        annotations.remove(INJECT);
    }
    let dict = |own: &Map<String, Value>| {
        let words = own.iter().flat_map(|(key, value)| [Some(key.as_str()), value.as_str()]);
        let words = words.map(|word| format!(" {}", quoted(word.unwrap_or_default())));
        format!("(dict{})", words.collect::<String>())
    };
    let mut parts = vec![dict(&annotations)];
    if subject == Subject::Crds {
        parts.push(
            r#"(ternary (dict "helm.sh/resource-policy" "keep") (dict) $values.keep)"#.to_owned(),
        );
    }
    if is_called {
        parts.push(format!(
            "(ternary (dict {INJECT:?} (printf \"%s/%s\" $namespace $certificate)) (dict) \
             (and (not (empty $certificate)) (empty $client.caBundle)))"
        ));
    }
    let block = |key: &str, parts: &str| {
        format!(
            "{{{{- with mergeOverwrite {parts} ($values.{key} | default (dict)) }}}}\n\
             {key}:\n  {{{{- toYaml . | nindent 4 }}}}\n{{{{- end }}}}"
        )
    };
    metadata.insert(
        "annotations".to_owned(),
        holes.lines(before + &block("annotations", &parts.join(" "))),
    );
    metadata.insert("labels".to_owned(), holes.lines(block("labels", &dict(&labels))));
}

/// Replaces the Services and CAs that are called by those of the values.
fn clients(subject: Subject, object: &mut Value, holes: &mut Holes) {
    let of = name(object).map(str::to_owned);
    if let Some(config) = object.pointer_mut("/spec/conversion/webhook/clientConfig") {
        client(subject, of.as_deref(), config, holes);
    }
    for webhook in object.get_mut("webhooks").and_then(Value::as_array_mut).into_iter().flatten() {
        let of = webhook.get("name").and_then(Value::as_str).map(str::to_owned);
        if let Some(config) = webhook.get_mut("clientConfig") {
            client(subject, of.as_deref(), config, holes);
        }
    }
}

/// Replaces the Service and the CA of the definition or the webhook that has the name `of`.
fn client(subject: Subject, of: Option<&str>, config: &mut Value, holes: &mut Holes) {
    let Some(config) = config.as_object_mut() else { return };
    let ca = default(config.get("caBundle").and_then(Value::as_str));
    let ca = format!(
        "{{{{- with $client.caBundle{ca} }}}}\ncaBundle: {{{{ . | quote }}}}\n{{{{- end }}}}"
    );
    // Keys are sorted, so this one is the first.
    config.insert("caBundle".to_owned(), holes.lines(called(subject, of) + &ca));
    let Some(Value::Object(service)) = config.get_mut("service") else { return };
    let name = default(service.get("name").and_then(Value::as_str));
    let name = holes.value(format!("{{{{ $client.service.name{name} | quote }}}}"));
    service.insert("name".to_owned(), name);
    service.insert("namespace".to_owned(), holes.value("{{ $namespace | quote }}"));
    let port = match service.get("port") {
        Some(port) => holes.value(format!("{{{{ $client.service.port | default {port} }}}}")),
        None => holes.lines("{{- with $client.service.port }}\nport: {{ . }}\n{{- end }}"),
    };
    service.insert("port".to_owned(), port);
    if subject != Subject::Crds {
        // Each webhook has a path of its own.
        return;
    }
    let path = match service.get("path").and_then(Value::as_str) {
        Some(path) => holes
            .value(format!("{{{{ $client.service.path | default {} | quote }}}}", quoted(path))),
        None => holes.lines("{{- with $client.service.path }}\npath: {{ . | quote }}\n{{- end }}"),
    };
    service.insert("path".to_owned(), path);
}

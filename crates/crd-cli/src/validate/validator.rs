//! Validates the documents of a unit as the API server would.

use std::fmt;
use std::path::PathBuf;

use crd_cel::kubernetes::KubernetesVersion;
use crd_engine::go_types::{self, NamedType};
use serde_json::{Map, Value};

use super::old::Old;
use super::schema_files::SchemaFiles;
use super::{Job, fault};
use crate::admit;
use crate::admit::{FieldValidation, Operation, Rejection, Write};
use crate::args::{self, Output, Show, Validate};
use crate::catalog::{self, CrdCatalog, KindLookup};
use crate::compiled::CompiledSchema;
use crate::field::{Error, Path};
use crate::hint;
use crate::input::{Document, Unit};
use crate::location::FileLine;
use crate::names::generated_name;
use crate::object_meta::Malformed;
use crate::verdict::{AdmissionStep, DocumentResult, LocatedError, Subject, Verdict};

/// The largest number of errors of a document whose lines are looked up.
const MOST_LOCATED: usize = 100;

/// Validates units; shared among threads.
pub(super) struct Validator<'a> {
    pub(super) catalog: &'a CrdCatalog,
    pub(super) args: &'a Validate,
    /// The files and directories that are validated.
    pub(super) paths: &'a [PathBuf],
    /// The schemas in the directories of `--crds`.
    pub(super) schema_files: &'a SchemaFiles,
    /// What the documents replace.
    pub(super) old: &'a Old,
    /// Whether every CRD has been read, so that no unit has to wait.
    pub(super) all_known: bool,
}

/// The result of a unit, or that it has to wait.
pub(super) enum Validated {
    Done(Vec<Verdict>),
    /// The CRD of one of its objects may come later.
    Waits {
        unit: Unit,
        /// The kinds of its objects, if all of them wait.
        kinds: Vec<ObjectKind>,
    },
}

/// The group, version and kind of an object.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct ObjectKind {
    pub(super) api_version: String,
    pub(super) kind: String,
}

/// The groups of Kubernetes 1.37's own kinds, and of the files that kustomize reads: none of them has CRDs.
/// Source: `pkg/controlplane/instance.go` of kubernetes/kubernetes.
const BUILT_IN: [&str; 25] = [
    "",
    "admissionregistration.k8s.io",
    "apiextensions.k8s.io",
    "apiregistration.k8s.io",
    "apps",
    "authentication.k8s.io",
    "authorization.k8s.io",
    "autoscaling",
    "batch",
    "certificates.k8s.io",
    "coordination.k8s.io",
    "discovery.k8s.io",
    "events.k8s.io",
    "flowcontrol.apiserver.k8s.io",
    "internal.apiserver.k8s.io",
    "kustomize.config.k8s.io",
    "lifecycle.k8s.io",
    "networking.k8s.io",
    "node.k8s.io",
    "policy",
    "rbac.authorization.k8s.io",
    "resource.k8s.io",
    "scheduling.k8s.io",
    "storage.k8s.io",
    "storagemigration.k8s.io",
];

impl ObjectKind {
    /// Returns whether its group is one of Kubernetes' own.
    pub(super) fn is_built_in(&self) -> bool {
        let group = self.api_version.split_once('/').map_or("", |(group, _)| group);
        BUILT_IN.contains(&group)
    }
}

impl fmt::Display for ObjectKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.api_version.split_once('/') {
            Some((group, _)) => write!(f, "{}.{group}", self.kind),
            None => f.write_str(&self.kind),
        }
    }
}

impl Validator<'_> {
    /// Validates each document of a unit.
    pub(super) fn unit(&self, job: Job) -> Validated {
        let Job { unit, number } = job;
        let (mut verdicts, mut waiting, mut not_waiting) = (Vec::new(), Vec::new(), 0);
        for document in unit.documents() {
            let document = match document {
                Ok(document) => document,
                Err(error) => {
                    let hint = hint::of_unit(&unit, false);
                    let result = DocumentResult::Unreadable { message: error.to_string(), hint };
                    verdicts.push(verdict(&unit, error.line, Subject::default(), result));
                    not_waiting += 1;
                    continue;
                }
            };
            for object in in_lines(&unit, document.flatten()) {
                let (verdict, without_crd) = self.document(&unit, object, number);
                verdicts.push(verdict);
                match without_crd {
                    Some(kind) => waiting.push(kind),
                    None => not_waiting += 1,
                }
            }
        }
        if waiting.is_empty() || self.all_known {
            return Validated::Done(verdicts);
        }
        Validated::Waits { unit, kinds: if not_waiting == 0 { waiting } else { Vec::new() } }
    }

    /// Validates a document. Also returns its kind if that has no CRD yet.
    fn document(
        &self,
        unit: &Unit,
        document: Document,
        number: u64,
    ) -> (Verdict, Option<ObjectKind>) {
        let Document { line, item, value, duplicates } = document;
        let subject = Subject::of(&value);
        let to_verdict = |subject, result| verdict(unit, line, subject, result);
        if !duplicates.is_empty() {
            let result = DocumentResult::Unreadable { message: duplicates.join("; "), hint: None };
            return (to_verdict(subject, result), None);
        }
        let has = |key| value.get(key).is_some();
        let is_other = !has("apiVersion") && !has("kind") && value.is_object();
        if is_other && (self.args.only_objects || self.is_found(unit)) {
            let subject = Subject { kind: "(no kind)".to_owned(), ..subject };
            return (to_verdict(subject, DocumentResult::Skipped), None);
        }
        if self.args.skips(&subject.api_version, &subject.kind) {
            return (to_verdict(subject, DocumentResult::Skipped), None);
        }
        if !value.is_object() || subject.kind.is_empty() || subject.api_version.is_empty() {
            let (message, hint) = (not_an_object(&value), hint::of_unit(unit, true));
            return (to_verdict(subject, DocumentResult::Unreadable { message, hint }), None);
        }
        if subject.kind == "List" && subject.api_version != "v1" {
            let version = &subject.api_version;
            let message = format!(
                "no matches for kind \"List\" in version \"{version}\"; write `apiVersion: v1`"
            );
            let result = DocumentResult::Rejected { reason: "NotFound", message };
            return (to_verdict(subject, result), None);
        }
        if let Some(message) = malformed_list(&value, item.is_some()) {
            let result = DocumentResult::Rejected { reason: "BadRequest", message };
            return (to_verdict(subject, result), None);
        }
        if let Some(message) = catalog::former_definition(&value) {
            let result = DocumentResult::Rejected { reason: "NotFound", message };
            return (to_verdict(subject, result), None);
        }
        if catalog::is_crd(&value) {
            let verdict = self.definition(to_verdict, subject, &value);
            return (self.located(verdict, unit, item, catalog::in_manifest), None);
        }
        let Subject { api_version, kind, .. } = subject.clone();
        let (result, without_crd) = match self.catalog.find(&api_version, &kind, number) {
            KindLookup::Schema(Ok(schema)) => {
                let verdict = self.object(to_verdict, subject, &schema, value);
                return (self.located(verdict, unit, item, str::to_owned), None);
            }
            KindLookup::Schema(Err(error)) => {
                let message = format!("the schema of its CRD is invalid: {error}");
                (DocumentResult::Rejected { reason: "InternalError", message }, None)
            }
            KindLookup::Foreign if let Some(type_) = built_in_type(&api_version, &kind) => {
                let verdict = self.built_in(to_verdict, subject, type_, value);
                return (self.located(verdict, unit, item, str::to_owned), None);
            }
            KindLookup::Foreign | KindLookup::NoMatch
                if let Some(schema) = self.schema_files.find(&api_version, &kind) =>
            {
                match schema {
                    Ok(schema) => {
                        let verdict = self.object(to_verdict, subject, &schema, value);
                        return (self.located(verdict, unit, item, str::to_owned), None);
                    }
                    Err(message) => {
                        (DocumentResult::Rejected { reason: "InternalError", message }, None)
                    }
                }
            }
            KindLookup::NoMatch => {
                let message =
                    format!("no matches for kind \"{kind}\" in version \"{api_version}\"");
                let result = DocumentResult::Rejected { reason: "NotFound", message };
                (result, Some(ObjectKind { api_version, kind }))
            }
            KindLookup::Foreign => {
                let kind = ObjectKind { api_version, kind };
                (self.without_crd(&kind), Some(kind))
            }
        };
        (to_verdict(subject, result), without_crd)
    }

    /// Returns the result for an object whose group has no CRDs.
    fn without_crd(&self, kind: &ObjectKind) -> DocumentResult {
        if !self.args.require_crds || kind.is_built_in() {
            return DocumentResult::Skipped;
        }
        let ObjectKind { api_version, kind } = kind;
        let message = format!(
            "no matches for kind \"{kind}\" in version \"{api_version}\": its CRD is not among the files"
        );
        DocumentResult::Rejected { reason: "NotFound", message }
    }

    /// Looks up the lines of errors, if lines are shown; `name` maps a field path of an error to one of the document.
    fn located(
        &self,
        mut verdict: Verdict,
        unit: &Unit,
        item: Option<usize>,
        name: impl Fn(&str) -> String,
    ) -> Verdict {
        if self.args.output == Output::Human {
            return verdict;
        }
        let line = verdict.place.line;
        if let DocumentResult::Rejected { message, .. } = &verdict.result
            && let Some(field) = fault::field(message, unit, line, item)
        {
            verdict.place.line = unit.lines(line, item, &[field]).first().copied().unwrap_or(line);
        }
        if let DocumentResult::Invalid(errors) = &mut verdict.result {
            let fields = errors.iter().take(MOST_LOCATED).map(|located| name(&located.error.field));
            let fields: Vec<String> = fields.collect();
            for (located, line) in errors.iter_mut().zip(unit.lines(line, item, &fields)) {
                located.location.line = line;
            }
        }
        verdict
    }

    /// Validates a CRD.
    fn definition(
        &self,
        to_verdict: impl FnOnce(Subject, DocumentResult) -> Verdict,
        subject: Subject,
        manifest: &Value,
    ) -> Verdict {
        let strict = self.args.field_validation() == args::FieldValidation::Strict;
        let old = self.old.crd(&subject.name);
        let (result, mut warnings, unknown) = match self.catalog.check(manifest, old) {
            Err(message) => {
                (DocumentResult::Rejected { reason: "BadRequest", message }, Vec::new(), Vec::new())
            }
            Ok(checked) if strict && !checked.unknown_fields.is_empty() => {
                let kind = catalog::CRD_KIND;
                let unknown = checked.unknown_fields.join(", ");
                let message = format!(
                    "{kind} in version \"v1\" cannot be handled as a {kind}: strict decoding error: {unknown}"
                );
                (DocumentResult::Rejected { reason: "BadRequest", message }, Vec::new(), Vec::new())
            }
            Ok(checked) if checked.errors.is_empty() => {
                (DocumentResult::Valid, checked.warnings, checked.unknown_fields)
            }
            Ok(checked) => {
                let errors = checked.errors.into_iter().map(LocatedError::from).collect();
                (DocumentResult::Invalid(errors), checked.warnings, checked.unknown_fields)
            }
        };
        if self.args.field_validation() == args::FieldValidation::Warn {
            warnings.extend(unknown);
        }
        Verdict { is_update: old.is_some(), warnings, ..to_verdict(subject, result) }
    }

    /// Returns whether the file of a unit was found in a directory, and is not itself an argument.
    fn is_found(&self, unit: &Unit) -> bool {
        unit.place.path().is_some_and(|path| !self.paths.iter().any(|given| given == path))
    }

    /// Validates an object against its schema.
    fn object(
        &self,
        to_verdict: impl FnOnce(Subject, DocumentResult) -> Verdict,
        subject: Subject,
        schema: &CompiledSchema,
        mut object: Value,
    ) -> Verdict {
        self.complete(schema, &mut object);
        if admit::is_too_large(&object) {
            let message = Rejection::TooLarge.to_string();
            return to_verdict(
                subject,
                DocumentResult::Rejected { reason: "RequestEntityTooLarge", message },
            );
        }
        let old =
            self.old.object(&subject, self.catalog, schema, &self.args.namespace, &mut object);
        let (old, unconverted) = old.map_or_else(|text| (None, Some(text)), |old| (old, None));
        let shown = self.args.show.and_then(|show| shown(schema, &object, show));
        let mut write = Write::new(old.as_ref().map_or(Operation::Create, Operation::Update));
        write.field_validation = self.args.field_validation().into();
        let (result, mut warnings, unknown_fields) = match write.admit(schema, object) {
            Ok(admitted) => (DocumentResult::Valid, admitted.warnings, admitted.unknown_fields),
            Err(Rejection::Invalid(invalid)) => {
                let errors = invalid.errors.into_iter().map(LocatedError::from).collect();
                (DocumentResult::Invalid(errors), invalid.warnings, invalid.unknown_fields)
            }
            Err(rejection) => {
                let reason = match rejection {
                    Rejection::TooLarge => "RequestEntityTooLarge",
                    _ => "BadRequest",
                };
                (
                    DocumentResult::Rejected { reason, message: rejection.message(schema) },
                    Vec::new(),
                    Vec::new(),
                )
            }
        };
        warnings.extend(unconverted);
        let is_update = old.is_some();
        Verdict { is_update, warnings, unknown_fields, shown, ..to_verdict(subject, result) }
    }

    /// Validates an object of one of Kubernetes' own kinds by its Go type.
    fn built_in(
        &self,
        to_verdict: impl FnOnce(Subject, DocumentResult) -> Verdict,
        subject: Subject,
        type_: &'static NamedType,
        mut object: Value,
    ) -> Verdict {
        let minor = self.args.kubernetes.minor();
        let mut missing = go_types::missing(type_, &object, minor);
        // Reviews have no name.
        let is_named = !subject.api_version.starts_with("auth")
            && type_.fields(minor).any(|field| field.name == "metadata");
        if is_named && subject.name.is_empty() {
            let path = Path::new("metadata");
            let detail = "name or generateName is required";
            missing.push(Error::required(&path.field("name"), detail));
        }
        let rejected = |message: String| {
            let kind = &subject.kind;
            let message =
                format!("{kind} in version \"v1\" cannot be handled as a {kind}: {message}");
            DocumentResult::Rejected { reason: "BadRequest", message }
        };
        let (result, warnings) = match go_types::decode(type_, &mut object, minor) {
            Err(message) => (rejected(message), Vec::new()),
            Ok(unknown) => match self.args.field_validation() {
                args::FieldValidation::Strict if !unknown.is_empty() => {
                    let message = format!("strict decoding error: {}", unknown.join(", "));
                    (rejected(message), Vec::new())
                }
                mode => {
                    let result = if missing.is_empty() {
                        DocumentResult::Valid
                    } else {
                        DocumentResult::Invalid(
                            missing.into_iter().map(LocatedError::from).collect(),
                        )
                    };
                    let warns = mode != args::FieldValidation::Ignore;
                    (result, if warns { unknown } else { Vec::new() })
                }
            },
        };
        Verdict { warnings, ..to_verdict(subject, result) }
    }

    /// Sets the namespace, which `kubectl` sets, and a name for `generateName`, which the server generates.
    fn complete(&self, schema: &CompiledSchema, object: &mut Value) {
        let Some(object) = object.as_object_mut() else { return };
        let metadata = object.entry("metadata").or_insert_with(|| Value::Object(Map::new()));
        let Some(metadata) = metadata.as_object_mut() else { return };
        let is_empty = |metadata: &Map<String, Value>, key| {
            matches!(metadata.get(key), None | Some(Value::Null))
                || metadata.get(key).and_then(Value::as_str) == Some("")
        };
        if schema.resource().namespaced && is_empty(metadata, "namespace") {
            metadata.insert("namespace".to_owned(), Value::from(self.args.namespace.as_str()));
        }
        if is_empty(metadata, "name")
            && let Some(base) =
                metadata.get("generateName").and_then(Value::as_str).filter(|base| !base.is_empty())
        {
            let name = generated_name(base);
            metadata.insert("name".to_owned(), Value::from(name));
        }
    }
}

/// Returns an object before and after one step; `None` if it does not decode.
fn shown(schema: &CompiledSchema, object: &Value, show: Show) -> Option<AdmissionStep> {
    let mut stripped = object.clone();
    admit::coerce_without_defaults(schema, &mut stripped, Malformed::Reject, None).ok()?;
    Some(match show {
        Show::Pruned => AdmissionStep { before: object.clone(), after: stripped },
        Show::Defaulted => {
            let mut defaulted = stripped.clone();
            schema.apply_defaults(&mut defaulted);
            AdmissionStep { before: stripped, after: defaulted }
        }
    })
}

/// Sets the lines of the items of a list.
fn in_lines(unit: &Unit, mut objects: Vec<Document>) -> Vec<Document> {
    let items = objects.iter().map(|object| object.item.map(|item| format!("items[{item}]")));
    if let Some(fields) = items.collect::<Option<Vec<String>>>()
        && let Some(begin) = objects.first().map(|object| object.line)
    {
        for (object, line) in objects.iter_mut().zip(unit.lines(begin, None, &fields)) {
            object.line = line;
        }
    }
    objects
}

/// Returns the reason why `kubectl` cannot take a list apart, or the server takes an object for a list.
fn malformed_list(value: &Value, is_item: bool) -> Option<String> {
    let is_list = value.get("kind").is_some_and(|kind| kind == "List");
    match value.get("items") {
        Some(Value::Array(_)) if is_item => {
            Some("a list in a list: `kubectl` does not take it apart".to_owned())
        }
        Some(Value::Array(_)) => Some(
            "*unstructured.Unstructured is not a list: no Items field in this object; rename `items`, because the \
             server takes an object with it for a list"
                .to_owned(),
        ),
        Some(_) | None if is_list => Some("`items` of a List must be a list".to_owned()),
        _ => None,
    }
}

/// Returns the Go type of one of Kubernetes' own kinds.
fn built_in_type(api_version: &str, kind: &str) -> Option<&'static NamedType> {
    let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
    let type_ = go_types::of_kind(group, version, kind)?;
    // The other types of the table are parts of objects.
    let is_kind =
        type_.fields(KubernetesVersion::REFERENCE.minor()).any(|field| field.name == "kind");
    is_kind.then_some(type_)
}

/// Returns the reason why a document is not an object of the API.
fn not_an_object(value: &Value) -> String {
    match value {
        Value::Object(map) if !map.contains_key("kind") => "Object 'Kind' is missing".to_owned(),
        Value::Object(map) if !map.contains_key("apiVersion") => {
            "Object 'apiVersion' is missing".to_owned()
        }
        Value::Object(_) => "`kind` and `apiVersion` must be strings".to_owned(),
        Value::Array(_) => "a list is not an object".to_owned(),
        _ => "a scalar is not an object".to_owned(),
    }
}

fn verdict(unit: &Unit, line: usize, subject: Subject, result: DocumentResult) -> Verdict {
    Verdict::of(FileLine { file: unit.place.file().to_string(), line }, subject, result)
}

impl From<args::FieldValidation> for FieldValidation {
    fn from(asked: args::FieldValidation) -> Self {
        match asked {
            args::FieldValidation::Ignore => Self::Ignore,
            args::FieldValidation::Warn => Self::Warn,
            args::FieldValidation::Strict => Self::Strict,
        }
    }
}

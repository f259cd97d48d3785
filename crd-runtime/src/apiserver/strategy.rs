//! What becomes of an object before it is stored: decoded, made to fit, prepared and validated.

use crd_cel::kubernetes::KubernetesVersion;
use serde_json::{Map, Value};

use super::builtin::{self, BuiltIn};
use super::failure::{Answer, Failure, Of};
use super::kind::{Kind, Strategy};
use super::media::Format;
use super::{definition, metadata};
use crate::admit::{self, FieldValidation, Fitted, MAX_BODY_BYTES, Operation, Rejection};
use crate::field::{Path, Sink};
use crate::object_meta::{self, Scope};
use crate::{json, yaml};

/// How it begins what is said of a body that is no JSON. Source: the JSON serializer of apimachinery.
pub(super) const NO_KIND: &str = "couldn't get version/kind";
/// How it begins what is said of an object without its kind. Source: `NewMissingKindErrWithBody`.
const MISSING_KIND: &str = "Object 'Kind' is missing";
/// What the kind of an object is read into, as Go prints it. Source: `SimpleMetaFactory.Interpret`.
const GO_TYPE_META: &str = "struct { APIVersion string \"json:\\\"apiVersion,omitempty\\\"\"; Kind string \
    \"json:\\\"kind,omitempty\\\"\" }";
/// How it begins what is said of an object in another version. Source: `pkg/endpoints/handlers/create.go`.
const OTHER_VERSION: &str = "the API version in the data";

/// How much of a body is shown that does not say what it is.
const SHOWN_BYTES: usize = 30;

/// What of an object is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Object,
    Status,
    /// The object, by way of its scale.
    Scale,
}

/// Why an object does not fit its kind.
#[derive(Debug)]
pub(super) struct Misfit {
    /// What is wrong, without what is written around it.
    pub(super) text: String,
    /// As a body of its own is answered.
    pub(super) failure: Failure,
}

/// The JSON of a body.
///
/// # Errors
/// Status 413, or 400 where YAML cannot be read.
pub(super) fn json_of(body: &[u8], format: Format) -> Answer<Vec<u8>> {
    if body.len() > MAX_BODY_BYTES {
        return Err(Failure::too_large(&format!("limit is {MAX_BODY_BYTES}")));
    }
    if format == Format::Json {
        return Ok(body.to_vec());
    }
    let text =
        std::str::from_utf8(body).map_err(|error| Failure::bad_request(error.to_string()))?;
    match yaml::documents(text).next() {
        None => Ok(b"null".to_vec()),
        Some(Ok(document)) => Ok(document.value.to_string().into_bytes()),
        Some(Err(error)) => {
            Err(Failure::bad_request(format!("error converting YAML to JSON: {error}")))
        }
    }
}

impl Kind {
    /// An object from the body of a request.
    ///
    /// # Errors
    /// What the server answers where it is none of this kind.
    pub(super) fn decode(
        &self,
        body: &[u8],
        validation: FieldValidation,
        warnings: &mut Vec<String>,
    ) -> Answer<Value> {
        if let Strategy::Custom { compiled, .. } = &self.strategy {
            let fitted = admit::fit_slice(compiled, body, validation);
            let fitted = fitted.map_err(|rejection| match &rejection {
                Rejection::Decode(text)
                    if text.starts_with(NO_KIND) || text.starts_with(MISSING_KIND) =>
                {
                    self.is_unrecognized(text, body)
                }
                Rejection::Decode(text) if text.starts_with(OTHER_VERSION) => {
                    Failure::bad_request(text)
                }
                _ => self.reject(&rejection),
            })?;
            warnings.extend(fitted.warnings);
            return Ok(fitted.object);
        }
        let decoded = json::decode(body).map_err(|error| {
            self.is_unrecognized(&format!("{NO_KIND}; json parse error: {error}"), body)
        })?;
        let mut object = decoded.value;
        self.check_type(&mut object, body)?;
        let duplicates =
            if validation == FieldValidation::Ignore { Vec::new() } else { decoded.duplicates };
        self.fit(object, duplicates, validation, warnings).map_err(|misfit| misfit.failure)
    }

    /// Makes an object fit that an apply has merged.
    ///
    /// # Errors
    /// Where it does not.
    pub(super) fn fit_merged(
        &self,
        object: Value,
        warnings: &mut Vec<String>,
    ) -> Result<Value, Misfit> {
        let Strategy::Custom { compiled, .. } = &self.strategy else {
            return self.fit(object, Vec::new(), FieldValidation::Ignore, warnings);
        };
        match admit::fit_merged(compiled, object) {
            Ok(fitted) => Ok(fitted.object),
            Err(rejection) => {
                Err(Misfit { text: rejection.to_string(), failure: self.reject(&rejection) })
            }
        }
    }

    /// Makes an object fit.
    ///
    /// # Errors
    /// Where it does not.
    pub(super) fn fit(
        &self,
        mut object: Value,
        duplicates: Vec<String>,
        validation: FieldValidation,
        warnings: &mut Vec<String>,
    ) -> Result<Value, Misfit> {
        if let Strategy::Custom { compiled, .. } = &self.strategy {
            let fitted =
                admit::fit(compiled, object, duplicates, validation).map_err(|rejection| {
                    Misfit { text: rejection.to_string(), failure: self.reject(&rejection) }
                })?;
            warnings.extend(fitted.warnings);
            return Ok(fitted.object);
        }
        let refuse = |text: String| Misfit { failure: self.cannot_be_handled(&text), text };
        let mut found = Sink::new();
        if let Some(metadata) = object.get_mut("metadata") {
            object_meta::normalize(metadata, || "metadata".to_owned(), Some(&mut found))
                .map_err(refuse)?;
        }
        let mut strict = duplicates;
        let unknown = std::mem::take(found.unknown_fields());
        if validation != FieldValidation::Ignore {
            strict.extend(unknown.into_iter().map(|path| format!("unknown field \"{path}\"")));
        }
        match &self.strategy {
            Strategy::BuiltIn(built_in) => builtin::normalize(built_in, &mut object),
            Strategy::Definition => {
                let (fitted, unknown) = definition::fit(&object, validation).map_err(refuse)?;
                object = fitted;
                strict.extend(unknown);
            }
            Strategy::Custom { .. } => {}
        }
        if validation == FieldValidation::Strict && !strict.is_empty() {
            return Err(refuse(format!("strict decoding error: {}", strict.join(", "))));
        }
        warnings.extend(strict);
        Ok(object)
    }

    /// Kind and version of an object that need not say them. Source: the JSON serializer of apimachinery.
    fn check_type(&self, object: &mut Value, body: &[u8]) -> Answer<()> {
        if object.is_null() {
            *object = Value::Object(Map::new());
        }
        let Value::Object(map) = object else {
            let kind = object_meta::json_kind(object);
            return Err(self.is_unrecognized(
                &format!(
                    "{NO_KIND}; json parse error: json: cannot unmarshal {kind} into Go value of type {GO_TYPE_META}"
                ),
                body,
            ));
        };
        let text = |map: &Map<String, Value>, key: &str| {
            map.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
        };
        let (kind, version) = (text(map, "kind"), text(map, "apiVersion"));
        let expected = self.api_version();
        if !version.is_empty() && version != expected {
            return Err(Failure::bad_request(format!(
                "the API version in the data ({version}) does not match the expected API version ({expected})"
            )));
        }
        if !kind.is_empty() && kind != self.names.kind {
            return Err(Failure::bad_request(format!(
                "{kind} in version \"{}\" cannot be handled as a {}: no kind \"{kind}\" is registered for version \
                 \"{expected}\" in scheme \"pkg/api/legacyscheme/scheme.go:30\"",
                self.version, self.names.kind
            )));
        }
        map.insert("kind".to_owned(), self.names.kind.clone().into());
        map.insert("apiVersion".to_owned(), expected.into());
        Ok(())
    }

    /// Source: `transformDecodeError`.
    fn cannot_be_handled(&self, text: &str) -> Failure {
        let kind = &self.names.kind;
        let version = &self.version;
        Failure::bad_request(format!(
            "{kind} in version \"{version}\" cannot be handled as a {kind}: {text}"
        ))
    }

    /// A body that does not say what it is. Source: `transformDecodeError` of `pkg/endpoints/handlers/rest.go`.
    fn is_unrecognized(&self, why: &str, body: &[u8]) -> Failure {
        let shown = &body[..body.len().min(SHOWN_BYTES)];
        let dots = if body.len() > SHOWN_BYTES { " ..." } else { "" };
        let shown = match body.first() {
            None => "<empty>".to_owned(),
            Some(b'{') => format!("{}{dots}", String::from_utf8_lossy(shown)),
            Some(_) => {
                let digit = |half: u8| char::from_digit(u32::from(half), 16).unwrap_or_default();
                let digits: String =
                    shown.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect();
                format!("{digits}{dots}")
            }
        };
        Failure::bad_request(format!(
            "the object provided is unrecognized (must be of type {}): {why} ({shown})",
            self.names.kind
        ))
    }

    fn reject(&self, rejection: &Rejection) -> Failure {
        let Some(compiled) = self.compiled() else { return Failure::bare(rejection.to_string()) };
        match rejection {
            Rejection::TooLarge => Failure::too_large(&format!("limit is {MAX_BODY_BYTES}")),
            Rejection::Decode(_) | Rejection::Strict(_) => {
                Failure::bad_request(rejection.message(compiled))
            }
            Rejection::Invalid(invalid) => {
                let name = metadata::text(&invalid.object, "name");
                let of = Of { group: &self.group, kind: &self.names.kind };
                Failure::invalid(of, name, &invalid.errors)
            }
        }
    }

    /// Prepares and validates a new object.
    ///
    /// # Errors
    /// Status 422.
    pub(super) fn create(
        &self,
        object: Value,
        kubernetes: KubernetesVersion,
        warnings: &mut Vec<String>,
    ) -> Answer<Value> {
        match &self.strategy {
            Strategy::Custom { compiled, .. } => {
                let fitted = Fitted { object, ..Fitted::default() };
                let admitted = admit::decide(compiled, fitted, Operation::Create)
                    .map_err(|rejection| self.reject(&rejection))?;
                warnings.extend(admitted.warnings);
                Ok(json::stored(admitted.object))
            }
            Strategy::Definition => definition::create(self, &object, kubernetes, warnings),
            Strategy::BuiltIn(built_in) => self.create_built_in(built_in, object),
        }
    }

    /// Prepares and validates an object in place of another.
    ///
    /// # Errors
    /// Status 422.
    pub(super) fn update(
        &self,
        object: Value,
        old: &Value,
        part: Part,
        kubernetes: KubernetesVersion,
        warnings: &mut Vec<String>,
    ) -> Answer<Value> {
        match &self.strategy {
            Strategy::Custom { compiled, .. } => {
                let operation = match part {
                    Part::Object => Operation::Update(old),
                    Part::Status => Operation::UpdateStatus(old),
                    Part::Scale => Operation::UpdateScale(old),
                };
                let fitted = Fitted { object, ..Fitted::default() };
                let admitted = admit::decide(compiled, fitted, operation)
                    .map_err(|rejection| self.reject(&rejection))?;
                warnings.extend(admitted.warnings);
                Ok(json::stored(admitted.object))
            }
            Strategy::Definition => {
                definition::update(self, &object, old, part, kubernetes, warnings)
            }
            Strategy::BuiltIn(built_in) => self.update_built_in(built_in, object, old, part),
        }
    }

    fn create_built_in(&self, built_in: &BuiltIn, mut object: Value) -> Answer<Value> {
        if let Value::Object(map) = &mut object {
            if self.has_status {
                map.remove("status");
            }
            if (built_in.group, built_in.kind) == ("", "Namespace") {
                super::namespaces::prepare(map);
            }
        }
        let generation = i64::from(built_in.traits.generation);
        set_generation(&mut object, generation);
        let mut errors = Sink::new();
        let scope = if self.namespaced { Scope::Namespaced } else { Scope::Cluster };
        let mut checked = metadata::of(&object).cloned().unwrap_or_default();
        if built_in.traits.any_name {
            check_path_segment(&mut checked, &mut errors);
        }
        object_meta::validate_create(&checked, scope, &Path::new("metadata"), &mut errors);
        check_finalizers(&object, &mut errors);
        self.refuse(&object, errors)?;
        Ok(json::stored(object))
    }

    fn update_built_in(
        &self,
        built_in: &BuiltIn,
        mut object: Value,
        old: &Value,
        part: Part,
    ) -> Answer<Value> {
        if part == Part::Status {
            let (status, managed) = (
                object.get("status").cloned(),
                metadata::of(&object).and_then(|metadata| metadata.get("managedFields")).cloned(),
            );
            let version = metadata::text(&object, "resourceVersion").to_owned();
            object = old.clone();
            if let Value::Object(map) = &mut object {
                put(map, "status", status);
            }
            put(metadata::of_mut(&mut object), "managedFields", managed);
            metadata::set_text(&mut object, "resourceVersion", &version);
        } else if let (Value::Object(map), true) = (&mut object, self.has_status) {
            put(map, "status", old.get("status").cloned());
        }
        let kept = object_meta::generation(metadata::of(old).unwrap_or(&Map::new()));
        let counted =
            if built_in.group == "admissionregistration.k8s.io" { "webhooks" } else { "spec" };
        let changed = built_in.traits.generation
            && !json::equal(
                object.get(counted).unwrap_or(&Value::Null),
                old.get(counted).unwrap_or(&Value::Null),
            );
        set_generation(&mut object, if changed { kept.saturating_add(1) } else { kept });
        let mut errors = Sink::new();
        let empty = Map::new();
        let (new_metadata, old_metadata) =
            (metadata::of(&object).unwrap_or(&empty), metadata::of(old).unwrap_or(&empty));
        let path = Path::new("metadata");
        object_meta::validate_around_update(new_metadata, &path, &mut errors);
        object_meta::validate_update(new_metadata, old_metadata, &path, &mut errors);
        check_finalizers(&object, &mut errors);
        self.refuse(&object, errors)?;
        Ok(json::stored(object))
    }

    fn refuse(&self, object: &Value, errors: Sink) -> Answer<()> {
        let errors = errors.into_errors();
        if errors.is_empty() {
            return Ok(());
        }
        Err(Failure::invalid(self.kind(), metadata::text(object, "name"), &errors))
    }

    /// The fields that a request leaves as they are. Source: `GetResetFields`.
    pub(super) fn reset_fields(&self, part: Part) -> &'static [&'static str] {
        match part {
            Part::Status => &["metadata", "spec"],
            Part::Object | Part::Scale if self.has_status => &["status"],
            Part::Object | Part::Scale => &[],
        }
    }
}

/// Finalizers of built-in kinds have a domain. Source: `ValidateFinalizerName` of `pkg/apis/core/validation`.
fn check_finalizers(object: &Value, errors: &mut Sink) {
    for (index, finalizer) in metadata::finalizers(object).into_iter().enumerate() {
        let is_standard =
            matches!(finalizer.as_str(), "kubernetes" | "orphan" | "foregroundDeletion");
        if !finalizer.contains('/') && !is_standard {
            let why = "name is neither a standard finalizer name nor is it fully qualified";
            let path = format!("metadata.finalizers[{index}]");
            errors.invalid(&Path::new(&path), finalizer.as_str(), why);
        }
    }
}

/// Names of roles may be more than DNS subdomains.
fn check_path_segment(metadata: &mut Map<String, Value>, errors: &mut Sink) {
    let name = metadata.get("name").and_then(Value::as_str).unwrap_or_default();
    if name.is_empty() {
        return;
    }
    for message in crate::names::path_segment(name, false) {
        errors.invalid(&Path::new("metadata.name"), name, message);
    }
    metadata.insert("name".to_owned(), "checked".into());
}

fn put(map: &mut Map<String, Value>, key: &str, value: Option<Value>) {
    match value {
        Some(value) => map.insert(key.to_owned(), value),
        None => map.remove(key),
    };
}

fn set_generation(object: &mut Value, generation: i64) {
    let metadata = metadata::of_mut(object);
    put(metadata, "generation", (generation != 0).then(|| generation.into()));
}

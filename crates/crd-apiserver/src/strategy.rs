//! Decodes, prepares and validates an object before it is stored.

use crd_cel::kubernetes::KubernetesVersion;
use serde_json::{Map, Value};

use super::failure::{Answer, Failure, GroupResource};
use super::go_types::Decoding;
use super::kind::{ServedKind, Strategy};
use super::target::Part;
use super::{builtin, definition, metadata};
use crate::admit::{self, Coerced, FieldValidation, MAX_BODY_BYTES, Operation, Rejection};
use crate::differences::Difference;
use crate::field::{ErrorList, Path, Sink};
use crate::json;
use crate::managed_fields::apply::reset_by_status;
use crate::object_meta::{self, Scope};

impl ServedKind {
    /// Decodes the result of an apply, without field validation. Of a custom resource only the metadata is decoded: the
    /// server merges typed values and does not decode the result again, so nulls and unknown fields are kept. An object
    /// of a built-in kind is decoded as by [`ServedKind::coerce_object`].
    ///
    /// # Errors
    /// Returns the reason why the object cannot be decoded. The caller adds the text that depends on the request.
    pub(super) fn coerce_merged(
        &self,
        object: Value,
        kubernetes: KubernetesVersion,
        warnings: &mut Vec<String>,
    ) -> Result<Value, String> {
        match &self.strategy {
            Strategy::Custom { compiled, .. } => {
                let coerced = admit::coerce_merged(compiled, object);
                coerced.map(|coerced| coerced.object).map_err(|rejection| rejection.to_string())
            }
            Strategy::BuiltIn(_) | Strategy::Definition => self.coerce_by(
                Decoding::Merged,
                object,
                Vec::new(),
                FieldValidation::Ignore,
                kubernetes,
                warnings,
            ),
        }
    }

    /// Decodes an object by the schema or Go type of the kind: prunes it, sets defaults, and adds warnings about
    /// unknown and duplicate fields, which are errors with strict validation.
    ///
    /// # Errors
    /// Returns the errors of [`ServedKind::coerce_merged`].
    pub(super) fn coerce_object(
        &self,
        object: Value,
        duplicates: Vec<String>,
        validation: FieldValidation,
        kubernetes: KubernetesVersion,
        warnings: &mut Vec<String>,
    ) -> Result<Value, String> {
        self.coerce_by(Decoding::Body, object, duplicates, validation, kubernetes, warnings)
    }

    /// Does what [`ServedKind::coerce_object`] does, but decodes an object with a Go type as `decoding` says.
    ///
    /// # Errors
    /// Returns the errors of [`ServedKind::coerce_merged`].
    pub(super) fn coerce_by(
        &self,
        decoding: Decoding,
        mut object: Value,
        duplicates: Vec<String>,
        validation: FieldValidation,
        kubernetes: KubernetesVersion,
        warnings: &mut Vec<String>,
    ) -> Result<Value, String> {
        let mut strict = duplicates;
        let unknown = match &self.strategy {
            Strategy::Custom { compiled, .. } => {
                let coerced = admit::coerce_object(compiled, object, strict, validation);
                let coerced = coerced.map_err(|rejection| rejection.to_string())?;
                warnings.extend(coerced.warnings);
                return Ok(coerced.object);
            }
            Strategy::BuiltIn(built_in) => {
                let minor = kubernetes.minor();
                let unknown = match built_in.go_type() {
                    Some(type_) => decoding.decode(type_, &mut object, minor)?,
                    None => Vec::new(),
                };
                builtin::complete(built_in, &mut object, minor);
                unknown
            }
            Strategy::Definition => {
                let mut unknown = match object.get_mut("metadata") {
                    Some(metadata) => {
                        decoding.decode_metadata_of("CustomResourceDefinition", metadata)?
                    }
                    None => Vec::new(),
                };
                let (coerced, of_definition) =
                    definition::coerce_object(decoding, &object, validation, kubernetes)?;
                object = coerced;
                unknown.extend(of_definition);
                unknown
            }
        };
        if validation == FieldValidation::Ignore {
            return Ok(object);
        }
        strict.extend(unknown);
        if validation == FieldValidation::Strict && !strict.is_empty() {
            return Err(format!("strict decoding error: {}", strict.join(", ")));
        }
        warnings.extend(strict);
        Ok(object)
    }

    /// Returns the failure for an object that is rejected.
    pub(super) fn reject(&self, rejection: &Rejection) -> Failure {
        let Some(compiled) = self.compiled() else { return Failure::bare(rejection.to_string()) };
        match rejection {
            Rejection::TooLarge => Failure::too_large(&format!("limit is {MAX_BODY_BYTES}")),
            Rejection::Decode(_) | Rejection::Strict(_) => {
                Failure::bad_request(rejection.message(compiled))
            }
            Rejection::Invalid(invalid) => self.invalid(&invalid.object, &invalid.errors),
        }
    }

    /// Returns the failure for an invalid object. It names the `kind` of the object, even if that is wrong.
    /// Source: `objectMetaAndKind` of `pkg/registry/rest/create.go`.
    fn invalid(&self, object: &Value, errors: &ErrorList) -> Failure {
        let kind = object.get("kind").and_then(Value::as_str).unwrap_or(&self.names.kind);
        let of = GroupResource { group: &self.group, kind };
        Failure::invalid(of, metadata::text(object, "name"), errors)
    }

    /// Returns the failure for an update that is rejected. Its errors begin with those of the common validation of
    /// metadata, which the server runs before the validation of the strategy.
    ///
    /// Source: `ValidateUpdate` of `pkg/registry/rest/update.go`.
    fn reject_update(
        &self,
        rejection: &Rejection,
        old: &Value,
        kubernetes: KubernetesVersion,
    ) -> Failure {
        let Rejection::Invalid(invalid) = rejection else { return self.reject(rejection) };
        let empty = Map::new();
        let new = metadata::of(&invalid.object).unwrap_or(&empty);
        let path = Path::new("metadata");
        let (mut common, mut repeated) = (Sink::of(kubernetes), Sink::of(kubernetes));
        let scope = if self.namespaced { Scope::Namespaced } else { Scope::Cluster };
        let old = metadata::of(old).unwrap_or(&empty);
        metadata::validate_update(new, old, scope, &mut common);
        // The errors of the strategy begin with the `repeated` ones, which `common` already contains.
        object_meta::validate_before_update(new, &path, &mut repeated);
        let mut errors = common.into_errors();
        for error in invalid.errors.iter().skip(repeated.into_errors().len()) {
            errors.push(error.clone());
        }
        self.invalid(&invalid.object, &errors)
    }

    /// Prepares and validates a new object.
    ///
    /// # Errors
    /// Status 422 if the object is invalid.
    pub(super) fn create(
        &self,
        object: Value,
        kubernetes: KubernetesVersion,
        warnings: &mut Vec<String>,
    ) -> Answer<Value> {
        match &self.strategy {
            Strategy::Custom { compiled, .. } => {
                check_has_type(&object)?;
                check_is_no_list(&object)?;
                let coerced = Coerced { object, ..Coerced::default() };
                let admitted =
                    admit::decide(compiled, coerced, Operation::Create).map_err(|rejection| {
                        warnings.extend_from_slice(rejection.warnings());
                        self.reject(&rejection)
                    })?;
                warnings.extend(admitted.warnings);
                Ok(json::stored(admitted.object))
            }
            Strategy::Definition => definition::create(&object, kubernetes, warnings),
            Strategy::BuiltIn(built_in) => {
                let Some(internal) = built_in.internal() else {
                    return self.create_built_in(built_in, object, kubernetes, warnings);
                };
                let object = self.convert(object, &internal.api_version())?;
                let created = self.create_built_in(internal, object, kubernetes, warnings)?;
                self.convert(created, &self.api_version())
            }
        }
    }

    /// Prepares and validates an object that replaces another.
    ///
    /// # Errors
    /// Status 422 if the object is invalid.
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
                    Part::Status => Operation::UpdateStatus(old),
                    Part::Scale => Operation::UpdateScale(old),
                    _ => Operation::Update(old),
                };
                check_has_type(&object)?;
                check_is_no_list(&object)?;
                let coerced = Coerced { object, ..Coerced::default() };
                let admitted =
                    admit::decide(compiled, coerced, operation).map_err(|rejection| {
                        warnings.extend_from_slice(rejection.warnings());
                        self.reject_update(&rejection, old, kubernetes)
                    })?;
                warnings.extend(admitted.warnings);
                Ok(json::stored(admitted.object))
            }
            Strategy::Definition => definition::update(&object, old, part, kubernetes, warnings),
            Strategy::BuiltIn(built_in) => {
                let Some(internal) = built_in.internal() else {
                    return self.update_built_in(built_in, object, old, part, kubernetes, warnings);
                };
                let to = internal.api_version();
                let (object, old) = (self.convert(object, &to)?, self.convert(old.clone(), &to)?);
                let updated =
                    self.update_built_in(internal, object, &old, part, kubernetes, warnings)?;
                self.convert(updated, &self.api_version())
            }
        }
    }

    /// Returns the fields that a request for a part of the object does not change, such as `spec` for the status.
    /// Source: `GetResetFields`.
    pub(super) fn reset_fields(
        &self,
        part: Part,
        kubernetes: KubernetesVersion,
    ) -> &'static [&'static str] {
        match part {
            Part::Status => match &self.strategy {
                Strategy::Custom { .. } => reset_by_status(kubernetes),
                Strategy::Definition if Difference::StatusesOwnMetadata.is_in(kubernetes) => {
                    &["spec"]
                }
                Strategy::Definition => &["metadata", "spec"],
                Strategy::BuiltIn(built_in) => match (built_in.group, built_in.kind) {
                    ("apps", "Deployment") => &["metadata.labels", "spec"],
                    ("", "Pod") => {
                        &["metadata.deletionTimestamp", "metadata.ownerReferences", "spec"]
                    }
                    _ => &["spec"],
                },
            },
            Part::Approval => &["spec", "status.certificate"],
            _ if self.has_status => &["status"],
            _ => &[],
        }
    }
}

/// Returns whether a custom resource has a list `items` at its root, which the server takes for a list of objects.
/// Source: `detectList` of apimachinery `pkg/apis/meta/v1/unstructured/helpers.go`.
pub(super) fn is_taken_for_list(object: &Value) -> bool {
    object.get("items").is_some_and(Value::is_array)
}

/// Checks that a patch or a webhook has left a custom resource its kind and version.
///
/// Source: `objectMetaAndKind` of `pkg/registry/rest/create.go`, and `unstructuredObjectTyper.ObjectKinds` of
/// apiextensions-apiserver `pkg/crdserverscheme/unstructured.go`.
fn check_has_type(object: &Value) -> Answer<()> {
    let text = |key: &str| object.get(key).and_then(Value::as_str).unwrap_or_default();
    if text("kind").is_empty() {
        return Err(Failure::internal("Object 'Kind' is missing in 'object has no kind field '"));
    }
    if text("apiVersion").rsplit('/').next().is_none_or(str::is_empty) {
        return Err(Failure::internal(
            "Object 'apiVersion' is missing in 'object has no apiVersion field'",
        ));
    }
    Ok(())
}

/// Fails for a custom resource that the server takes for a list. The server fails too, but only after it has stored
/// some of them.
fn check_is_no_list(object: &Value) -> Answer<()> {
    if is_taken_for_list(object) {
        return Err(Failure::bare(
            "*unstructured.Unstructured is not a list: no Items field in this object",
        ));
    }
    Ok(())
}

//! Decoding of request bodies as objects of a kind.
//!
//! Source: the serializers of apimachinery (`pkg/runtime/serializer/json/json.go` and `protobuf/protobuf.go`), and
//! `transformDecodeError` of `k8s.io/apiserver/pkg/endpoints/handlers/rest.go`.

use std::borrow::Cow;

use crd_cel::kubernetes::KubernetesVersion;
use serde_json::{Map, Value};

use super::builtin::api_version;
use super::failure::{Answer, Failure};
use super::go_types::{self, NamedType};
use super::kind::{ServedKind, Strategy};
use super::media::BodyFormat;
use super::protobuf::{self, Envelope};
use super::scale_fields::API_VERSION;
use super::{catalog, definition, scale};
use crate::admit::{self, FieldValidation, MAX_BODY_BYTES, Rejection};
use crate::json::{Decoded, OutOfRange};
use crate::{json, yaml};

/// The beginning of the message for a body whose `apiVersion` and `kind` cannot be read.
pub(super) const NO_KIND: &str = "couldn't get version/kind";
/// The beginning of the message for an object without `kind`. Source: `NewMissingKindErrWithBody`.
const MISSING_KIND: &str = "Object 'Kind' is missing";
/// The beginning of the message for an `apiVersion` with two slashes. Source: `ParseGroupVersion`.
const NO_GROUP_VERSION: &str = "unexpected GroupVersion string";
/// The message for a custom resource in Protocol Buffers. Source: `errNotMarshalable`.
const NOT_PROTOBUF: &str = "object *unstructured.Unstructured does not implement the protobuf marshalling interface \
    and cannot be encoded to a protobuf message";
/// The kind of the body of a deletion. Every group of the real server has it.
pub(super) const DELETE_OPTIONS: &str = "DeleteOptions";
/// The maximum number of bytes of a body that the message for an unrecognized body shows.
const SHOWN_BYTES: usize = 30;

/// The kind that the body of a request should have.
#[derive(Debug, Clone, Copy)]
pub(super) struct ExpectedKind<'a> {
    pub(super) group: &'a str,
    pub(super) version: &'a str,
    pub(super) kind: &'a str,
}

impl ExpectedKind<'_> {
    /// Returns the Go type of the kind. Built-in kinds, `DeleteOptions` and the bodies of subresources have one.
    pub(super) fn go_type(self) -> Option<&'static NamedType> {
        match self.kind {
            DELETE_OPTIONS if self.version == "v1" => go_types::named("meta.v1.DeleteOptions"),
            _ => go_types::of_kind(self.group, self.version, self.kind),
        }
    }

    /// Returns the internal type as Go prints it: `core.ConfigMap`, `apps.Deployment`.
    fn internal_type(self) -> String {
        let package = match self.group.split('.').next().unwrap_or_default() {
            // Upstream: both kinds of events have one internal type.
            "" | "events" => "core",
            package => package,
        };
        format!("{package}.{}", self.kind)
    }
}

/// The body of a request.
pub(super) struct RequestBody<'a> {
    /// The bytes that were sent.
    sent: &'a [u8],
    /// The body as JSON.
    json: Cow<'a, [u8]>,
    /// What strict decoding of YAML reports, which comes before what that of JSON does.
    yaml_errors: Vec<String>,
}

impl<'a> RequestBody<'a> {
    /// Reads a body, and converts it to JSON.
    ///
    /// # Errors
    /// Status 413 if the body is larger than [`MAX_BODY_BYTES`], 400 if it is not valid YAML or no valid object in
    /// Protocol Buffers.
    pub(super) fn read(
        sent: &'a [u8],
        format: BodyFormat,
        expected: ExpectedKind<'_>,
        kubernetes: KubernetesVersion,
    ) -> Answer<Self> {
        if sent.len() > MAX_BODY_BYTES {
            return Err(Failure::too_large(&format!("limit is {MAX_BODY_BYTES}")));
        }
        let mut yaml_errors = Vec::new();
        let json = match format {
            BodyFormat::Json => Cow::Borrowed(sent),
            BodyFormat::Yaml => {
                Cow::Owned(from_yaml(sent, expected, &mut yaml_errors)?.into_bytes())
            }
            BodyFormat::Protobuf => {
                let object = from_protobuf(sent, expected, kubernetes)?;
                Cow::Owned(Value::Object(object).to_string().into_bytes())
            }
        };
        Ok(Self { sent, json, yaml_errors })
    }

    pub(super) fn json(&self) -> &[u8] {
        &self.json
    }

    /// Decodes an object of a kind that is not stored, such as a review.
    ///
    /// # Errors
    /// Status 400 if the body is not JSON, or has a number out of range in a field of the kind.
    pub(super) fn decode(
        &self,
        expected: ExpectedKind<'_>,
        kubernetes: KubernetesVersion,
    ) -> Answer<Decoded> {
        let kind = expected.kind;
        let (decoded, numbers) = json::decode_any(self.json()).map_err(|error| {
            self.unrecognized(kind, &format!("{NO_KIND}; json parse error: {error}"))
        })?;
        let why = expected.go_type().filter(|_| !numbers.is_empty()).and_then(|type_| {
            go_types::out_of_range(type_, &decoded.value, kubernetes.minor(), &numbers)
        });
        why.map_or(Ok(decoded), |why| {
            let found = TypeMeta { api_version: "v1".to_owned(), kind: kind.to_owned() };
            Err(cannot_be_handled_as(&found, kind, &why))
        })
    }

    /// Returns the failure for a body whose kind cannot be read, while one of this kind is expected.
    pub(super) fn unrecognized(&self, expected: &str, why: &str) -> Failure {
        unrecognized(expected, why, self.sent)
    }

    /// Returns what strict decoding of YAML reports: one error that lists all duplicate keys, or a warning for each of
    /// them. Source: `parseYAMLWarnings` of `pkg/endpoints/handlers/rest.go`.
    fn strict_errors(&self, validation: FieldValidation) -> Vec<String> {
        match validation {
            FieldValidation::Strict if !self.yaml_errors.is_empty() => {
                vec![format!("yaml: unmarshal errors:\n  {}", self.yaml_errors.join("\n  "))]
            }
            _ => self.yaml_errors.clone(),
        }
    }

    /// Returns the message for an object without `kind`.
    fn missing_kind(&self) -> String {
        format!("{MISSING_KIND} in '{}'", String::from_utf8_lossy(self.sent))
    }
}

/// Converts the first document of a YAML body to JSON.
fn from_yaml(
    sent: &[u8],
    expected: ExpectedKind<'_>,
    strict_errors: &mut Vec<String>,
) -> Answer<String> {
    let document = yaml::document(sent).map_err(|error| match expected.kind {
        DELETE_OPTIONS => Failure::bad_request(error.go_text()),
        kind => unrecognized(kind, &error.go_text(), sent),
    })?;
    let Some(document) = document else { return Ok("null".to_owned()) };
    *strict_errors = document.strict_errors;
    Ok(json::to_go_string(&document.value))
}

/// Decodes an object in Protocol Buffers.
fn from_protobuf(
    sent: &[u8],
    expected: ExpectedKind<'_>,
    kubernetes: KubernetesVersion,
) -> Answer<Map<String, Value>> {
    let deletes = expected.kind == DELETE_OPTIONS;
    let envelope = Envelope::read(sent).map_err(|why| {
        if deletes { Failure::bad_request(why) } else { unrecognized(expected.kind, &why, sent) }
    })?;
    let or = |found: String, expected: &str| match found.as_str() {
        "" => expected.to_owned(),
        _ => found,
    };
    let found = TypeMeta {
        api_version: or(envelope.api_version, &api_version(expected.group, expected.version)),
        kind: or(envelope.kind, expected.kind),
    };
    let cannot_be_handled = |why: String| {
        if deletes {
            Failure::bad_request(why)
        } else {
            cannot_be_handled_as(&found, expected.kind, &why)
        }
    };
    let unknown_kind = |found: &TypeMeta| {
        cannot_be_handled(format!(
            "no kind \"{}\" is registered for version \"{}\" in scheme \"pkg/runtime/scheme.go:111\"",
            found.kind, found.api_version
        ))
    };
    let minor = kubernetes.minor();
    if expected.group == definition::GROUP && !deletes {
        if found.kind != expected.kind
            || found.group() != definition::GROUP
            || found.version() != "v1"
        {
            return Err(unknown_kind(&found));
        }
        let type_ = go_types::named(go_types::definition::ROOT);
        let type_ = type_.ok_or_else(|| unknown_kind(&found))?;
        let object = protobuf::decode(type_, envelope.object, minor).map_err(cannot_be_handled)?;
        return Ok(with_type(object, found));
    }
    // For a custom resource, the real server closes the connection without an answer.
    let Some(expected_type) = expected.go_type() else {
        return Err(cannot_be_handled(NOT_PROTOBUF.to_owned()));
    };
    let type_ = ExpectedKind { group: found.group(), version: found.version(), kind: &found.kind }
        .go_type();
    // `check_type` rejects other kinds after the conversion to JSON. The options of a deletion are not checked there.
    let is_accepted = |type_: &&'static NamedType| !deletes || std::ptr::eq(*type_, expected_type);
    let Some(type_) = type_.filter(is_accepted) else {
        return Err(unknown_kind(&found));
    };
    let object = protobuf::decode(type_, envelope.object, minor).map_err(cannot_be_handled)?;
    Ok(with_type(object, found))
}

fn with_type(mut object: Map<String, Value>, type_: TypeMeta) -> Map<String, Value> {
    object.insert("apiVersion".to_owned(), type_.api_version.into());
    object.insert("kind".to_owned(), type_.kind.into());
    object
}

/// The `apiVersion` and `kind` of an object; empty if absent.
#[derive(Default)]
struct TypeMeta {
    api_version: String,
    kind: String,
}

impl TypeMeta {
    fn of(object: &Value) -> Self {
        let text = |key| object.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        Self { api_version: text("apiVersion"), kind: text("kind") }
    }

    /// Returns the group: `apps` for `apps/v1`, empty for `v1`.
    fn group(&self) -> &str {
        self.api_version.rsplit_once('/').map_or("", |(group, _)| group)
    }

    /// Returns the version without the group: `v1` for `apps/v1`.
    fn version(&self) -> &str {
        self.api_version.rsplit('/').next().unwrap_or_default()
    }
}

impl ServedKind {
    /// Decodes an object from the body of a request.
    ///
    /// # Errors
    /// Status 400 if the body is not an object of this kind, or violates strict validation; 413 if it is too large.
    pub(super) fn decode(
        &self,
        body: &RequestBody<'_>,
        validation: FieldValidation,
        kubernetes: KubernetesVersion,
        warnings: &mut Vec<String>,
    ) -> Answer<Value> {
        if let Strategy::Custom { compiled, .. } = &self.strategy {
            let coerced = admit::decode_and_coerce(
                compiled,
                body.json(),
                &body.strict_errors(validation),
                validation,
            )
            .map_err(|rejection| self.decode_failure(&rejection, body, validation))?;
            warnings.extend(coerced.warnings);
            admit::check_version(compiled, &coerced.object)
                .map_err(|rejection| Failure::bad_request(rejection.to_string()))?;
            return Ok(coerced.object);
        }
        let (decoded, numbers) = json::decode_any(body.json()).map_err(|error| {
            self.unrecognized(&format!("{NO_KIND}; json parse error: {error}"), body)
        })?;
        let mut object = decoded.value;
        let found = self.check_type(&mut object, body)?;
        self.check_range(&object, &numbers, kubernetes)
            .map_err(|why| self.cannot_be_handled(&found, &why))?;
        let duplicates = [body.strict_errors(validation), decoded.duplicates].concat();
        self.coerce_object(object, duplicates, validation, kubernetes, warnings)
            .map_err(|why| self.cannot_be_handled(&found, &why))
    }

    pub(super) fn expected(&self) -> ExpectedKind<'_> {
        ExpectedKind { group: &self.group, version: &self.version, kind: &self.names.kind }
    }

    /// Returns the failure for a body that is not an object of this custom kind.
    fn decode_failure(
        &self,
        rejection: &Rejection,
        body: &RequestBody<'_>,
        validation: FieldValidation,
    ) -> Failure {
        let decoded = json::decode_any(body.json()).ok();
        let is_in_range = decoded.as_ref().is_some_and(|(_, numbers)| numbers.is_empty());
        let found = decoded.map_or_else(TypeMeta::default, |(it, _)| TypeMeta::of(&it.value));
        match rejection {
            Rejection::TooLarge | Rejection::Invalid(_) => self.reject(rejection),
            Rejection::Decode(text)
                if text.starts_with(NO_KIND) || text.starts_with(NO_GROUP_VERSION) =>
            {
                self.unrecognized(text, body)
            }
            Rejection::Decode(text) if text.starts_with(MISSING_KIND) => {
                // Upstream: the strict decoder, which `Strict` and `Warn` use, returns the kind of the object, which is
                // empty; the other decoder returns the expected kind.
                if validation == FieldValidation::Ignore {
                    self.cannot_be_handled(&self.or_expected(found), &body.missing_kind())
                } else {
                    self.unrecognized(&body.missing_kind(), body)
                }
            }
            // Upstream: the object has no kind yet if its decoding fails.
            Rejection::Decode(text) if !is_in_range => {
                self.cannot_be_handled(&self.or_expected(found), text)
            }
            Rejection::Decode(_) => self.cannot_be_handled(&found, &rejection.to_string()),
            // Upstream: after an error of strict validation, the kind is read again, from the decoded object.
            Rejection::Strict(_) if found.api_version.is_empty() => Failure::bad_request(
                "Object 'apiVersion' is missing in 'object has no apiVersion field'",
            ),
            Rejection::Strict(_) => {
                cannot_be_handled_as(&found, &found.kind, &rejection.to_string())
            }
        }
    }

    /// Sets the kind and the `apiVersion` to the expected ones if they are empty. Source: `gvkWithDefaults`.
    fn or_expected(&self, mut found: TypeMeta) -> TypeMeta {
        if found.kind.is_empty() {
            found.kind.clone_from(&self.names.kind);
        }
        if found.api_version.is_empty() {
            found.api_version = self.api_version();
        }
        found
    }

    /// Checks the `apiVersion` and `kind` of an object of a built-in kind or of a definition, and sets those that it
    /// omits.
    ///
    /// # Errors
    /// Status 400 if they are not those of this kind.
    fn check_type(&self, object: &mut Value, body: &RequestBody<'_>) -> Answer<TypeMeta> {
        if object.is_null() {
            *object = Value::Object(Map::new());
        }
        admit::interpret(object).map_err(|why| self.unrecognized(&why.to_string(), body))?;
        let found = self.or_expected(TypeMeta::of(object));
        let expected = self.api_version();
        let is_of = |kind: &ServedKind| {
            kind.names.kind == found.kind
                && api_version(&kind.group, &kind.version) == found.api_version
        };
        if found.kind == self.names.kind && found.api_version == expected {
            if let Value::Object(map) = object {
                map.insert("kind".to_owned(), self.names.kind.clone().into());
                map.insert("apiVersion".to_owned(), expected.into());
            }
            return Ok(found);
        }
        if catalog::KINDS.iter().any(|kind| is_of(kind)) {
            if found.kind == self.names.kind {
                return Err(Failure::bad_request(format!(
                    "the API version in the data ({}) does not match the expected API version ({expected})",
                    found.api_version
                )));
            }
            let why = format!(
                "converting ({}.{}) to ({}): unknown conversion",
                found.version(),
                found.kind,
                self.expected().internal_type()
            );
            return Err(self.cannot_be_handled(&found, &why));
        }
        let why = format!(
            "no kind \"{}\" is registered for version \"{}\" in scheme \"{}\"",
            found.kind,
            found.api_version,
            catalog::SCHEME
        );
        Err(self.cannot_be_handled(&found, &why))
    }

    /// Checks that Go's decoder does not read these numbers, which are out of range, in an object of a built-in kind or in
    /// a definition.
    ///
    /// # Errors
    /// Returns the message of Go's decoder.
    fn check_range(
        &self,
        object: &Value,
        numbers: &[OutOfRange],
        kubernetes: KubernetesVersion,
    ) -> Result<(), String> {
        if numbers.is_empty() {
            return Ok(());
        }
        let why = match (&self.strategy, self.expected().go_type()) {
            (Strategy::Definition, _) => go_types::out_of_range_in_definition(object, numbers),
            (_, Some(type_)) => go_types::out_of_range(type_, object, kubernetes.minor(), numbers),
            (_, None) => None,
        };
        why.map_or(Ok(()), Err)
    }

    fn cannot_be_handled(&self, found: &TypeMeta, why: &str) -> Failure {
        cannot_be_handled_as(found, &self.names.kind, why)
    }

    fn unrecognized(&self, why: &str, body: &RequestBody<'_>) -> Failure {
        body.unrecognized(&self.names.kind, why)
    }
}

/// Decodes a `Scale` from the body of a request.
///
/// # Errors
/// Status 400 if the body is not a valid `Scale`, and for unknown and duplicate fields with strict validation.
pub(super) fn decode_scale(
    kind: &ServedKind,
    body: &RequestBody<'_>,
    validation: FieldValidation,
    warnings: &mut Vec<String>,
) -> Answer<Value> {
    let unrecognized = |why: &str| {
        if kind.compiled().is_some() {
            scale::not_registered()
        } else {
            body.unrecognized("Scale", why)
        }
    };
    let (decoded, numbers) = json::decode_any(body.json())
        .map_err(|error| unrecognized(&format!("{NO_KIND}; json parse error: {error}")))?;
    let object = decoded.value;
    admit::interpret(&object).map_err(|why| unrecognized(&why.to_string()))?;
    scale::check_kind(kind, &object)
        .and_then(|()| {
            scale::check_fields(&object, decoded.duplicates, &numbers, validation, warnings)
        })
        .map_err(|why| scale::undecodable(kind, &object, &why))?;
    let (api_version, _) = scale::type_of(&object);
    if api_version != API_VERSION {
        return Err(Failure::bad_request(format!(
            "the API version in the data ({api_version}) does not match the expected API version ({API_VERSION})"
        )));
    }
    Ok(object)
}

/// Returns the failure for a body whose kind is not recognized. The message shows the beginning of the body, in
/// hexadecimal digits unless it begins with `{`.
fn unrecognized(expected: &str, why: &str, sent: &[u8]) -> Failure {
    let shown = &sent[..sent.len().min(SHOWN_BYTES)];
    let dots = if sent.len() > SHOWN_BYTES { " ..." } else { "" };
    let shown = match sent.first() {
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
        "the object provided is unrecognized (must be of type {expected}): {why} ({shown})"
    ))
}

fn cannot_be_handled_as(found: &TypeMeta, expected: &str, why: &str) -> Failure {
    let (kind, version) = (&found.kind, found.version());
    Failure::bad_request(format!(
        "{kind} in version \"{version}\" cannot be handled as a {expected}: {why}"
    ))
}

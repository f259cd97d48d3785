//! Content negotiation: the media types that a client accepts and sends.
//!
//! Source: `k8s.io/apiserver/pkg/endpoints/handlers/negotiation/negotiate.go`.

use super::failure::{Answer, Failure};

/// The media types that error messages list. Source: `MediaTypesForSerializer`.
const ACCEPTED: [&str; 3] =
    ["application/json", "application/yaml", "application/vnd.kubernetes.protobuf"];

/// The encoding of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ResponseFormat {
    /// Also used for clients that prefer Protocol Buffers, because such clients accept JSON, too.
    Json,
    Yaml,
}

impl ResponseFormat {
    pub(super) fn media_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Yaml => "application/yaml",
        }
    }
}

/// The encoding of the body of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BodyFormat {
    Json,
    Yaml,
    Protobuf,
}

/// The transformation that a client asks for, as in `application/json;as=Table;g=meta.k8s.io;v=v1`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Transform {
    pub(super) kind: String,
    pub(super) group: String,
    pub(super) version: String,
}

/// The result of content negotiation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Accepted {
    pub(super) format: ResponseFormat,
    pub(super) transform: Option<Transform>,
}

/// Returns whether an endpoint supports a transformation.
pub(super) type TransformFilter = fn(&Transform) -> bool;

/// Allows the transformations of objects and lists. Source: `RequestScope.AllowsMediaTypeTransform`.
pub(super) fn allows_of_objects(transform: &Transform) -> bool {
    transform.group == "meta.k8s.io"
        && matches!(transform.version.as_str(), "v1" | "v1beta1")
        && matches!(
            transform.kind.as_str(),
            "Table" | "PartialObjectMetadata" | "PartialObjectMetadataList"
        )
}

/// Allows the transformations of objects that cannot be tables.
pub(super) fn allows_of_objects_without_columns(transform: &Transform) -> bool {
    transform.kind != "Table" && allows_of_objects(transform)
}

/// Allows the transformations of `/api` and `/apis`. Source: `aggregated/negotiation.go`.
pub(super) fn allows_of_discovery(transform: &Transform) -> bool {
    transform.group == "apidiscovery.k8s.io"
        && matches!(transform.version.as_str(), "v2" | "v2beta1")
        && transform.kind == "APIGroupDiscoveryList"
}

/// The media types that the routes of built-in kinds produce. Only the routes of lists produce the last two.
const PRODUCED: [&str; 5] = [
    "application/json",
    "application/yaml",
    "application/vnd.kubernetes.protobuf",
    "application/json;stream=watch",
    "application/vnd.kubernetes.protobuf;stream=watch",
];

/// Checks that the routes of a built-in kind produce a media type that the client accepts. Source: `detectRoute` of
/// go-restful.
///
/// # Errors
/// Status 406 if they produce none.
pub(super) fn check_route(header: &str, is_list: bool) -> Answer<()> {
    let produced = if is_list { &PRODUCED[..] } else { &PRODUCED[..3] };
    let header = if header.trim().is_empty() { "*/*" } else { header };
    let mut accepted = header.split(',').map(essence);
    if accepted.any(|accepted| accepted == "*/*" || produced.contains(&accepted)) {
        return Ok(());
    }
    Err(Failure::no_route_for(&format!(
        "406: Not Acceptable\n\nAvailable representations: {}",
        produced.join(", ")
    )))
}

/// Allows no transformation.
pub(super) fn allows_none(_: &Transform) -> bool {
    false
}

/// Returns the media type in an `Accept` header that is supported and has the highest weight (`q`); if several have it,
/// the first.
///
/// # Errors
/// Status 406 if none is supported.
pub(super) fn negotiate(header: &str, allows: TransformFilter) -> Answer<Accepted> {
    if header.trim().is_empty() {
        return Ok(Accepted { format: ResponseFormat::Json, transform: None });
    }
    let mut clauses: Vec<Clause<'_>> = header.split(',').filter_map(Clause::parse).collect();
    // The sort is stable, so that clauses of equal weight keep their order.
    clauses.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    let accepted = clauses.into_iter().find_map(|clause| clause.accept(allows));
    accepted.ok_or_else(|| {
        Failure::not_acceptable(format!(
            "only the following media types are accepted: {}",
            ACCEPTED.join(", ")
        ))
    })
}

/// Returns the media type of `served` that an `Accept` header prefers, and `None` if it accepts none of them.
/// Source: `RegisterOpenAPIVersionedService` of kube-openapi `pkg/handler`.
pub(super) fn first_of(header: &str, served: &[&'static str]) -> Option<&'static str> {
    let header = if header.trim().is_empty() { "*/*" } else { header };
    let mut clauses: Vec<Clause<'_>> = header.split(',').filter_map(Clause::parse).collect();
    clauses.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    clauses.iter().find_map(|clause| {
        let (accepted, part) = clause.media_type.split_once('/')?;
        let matches = |wanted: &str, found: &str| matches!(wanted, "*") || wanted == found;
        served.iter().copied().find(|served| {
            let (type_, subtype) = served.split_once('/').unwrap_or_default();
            matches(accepted, type_) && matches(part, subtype)
        })
    })
}

struct Clause<'a> {
    media_type: &'a str,
    weight: f64,
    transform: Option<Transform>,
}

impl<'a> Clause<'a> {
    fn parse(text: &'a str) -> Option<Self> {
        let mut parts = text.split(';').map(str::trim);
        let media_type = parts.next().filter(|media_type| !media_type.is_empty())?;
        let (mut weight, mut transform) = (1.0, Transform::default());
        for (key, value) in parts.filter_map(|part| part.split_once('=')) {
            let value = value.trim_matches('"');
            match key {
                "q" => weight = value.parse().unwrap_or(1.0),
                "as" => value.clone_into(&mut transform.kind),
                "g" => value.clone_into(&mut transform.group),
                "v" => value.clone_into(&mut transform.version),
                _ => {}
            }
        }
        let transform = (transform != Transform::default()).then_some(transform);
        Some(Self { media_type, weight, transform })
    }

    fn accept(self, allows: TransformFilter) -> Option<Accepted> {
        let format = match self.media_type {
            "application/json"
            | "application/*"
            | "*/*"
            | "application/vnd.kubernetes.protobuf" => ResponseFormat::Json,
            "application/yaml" => ResponseFormat::Yaml,
            _ => return None,
        };
        if let Some(transform) = &self.transform {
            let is_protobuf = self.media_type.ends_with("protobuf");
            if !allows(transform) || (is_protobuf && transform.kind == "Table") {
                return None;
            }
        }
        Some(Accepted { format, transform: self.transform })
    }
}

/// Returns the encoding of the body of a request.
///
/// # Errors
/// Status 415 if the media type is not supported.
pub(super) fn body_format(content_type: &str) -> Answer<BodyFormat> {
    match essence(content_type) {
        "" | "application/json" => Ok(BodyFormat::Json),
        "application/yaml" => Ok(BodyFormat::Yaml),
        "application/vnd.kubernetes.protobuf" => Ok(BodyFormat::Protobuf),
        _ => Err(unsupported()),
    }
}

/// Returns the failure for a body whose media type is not supported.
pub(super) fn unsupported() -> Failure {
    Failure::unsupported_media_type(&ACCEPTED)
}

/// Returns a media type without its parameters.
pub(super) fn essence(content_type: &str) -> &str {
    content_type.split(';').next().unwrap_or_default().trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_have_other_media_types() {
        let served = ["application/json", "application/other"];
        assert_eq!(first_of("", &served), Some("application/json"));
        assert_eq!(first_of("text/html, application/*;q=0.1", &served), Some("application/json"));
        assert_eq!(first_of("*/*;q=0.1,application/other", &served), Some("application/other"));
        assert_eq!(first_of("application/yaml", &served), None);
    }

    #[test]
    fn the_first_supported_type_counts() {
        let of = |header| negotiate(header, allows_of_objects);
        let table = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,\
                     application/json";
        assert_eq!(of(table).unwrap().transform.unwrap().version, "v1");
        let unknown = "application/json;as=Chart;v=v1;g=meta.k8s.io, application/json";
        assert_eq!(of(unknown).unwrap().transform, None);
        assert_eq!(
            of("application/yaml;q=0.5, application/json").unwrap().format,
            ResponseFormat::Json
        );
        assert_eq!(of("application/yaml").unwrap().format, ResponseFormat::Yaml);
        let protobuf = "application/vnd.kubernetes.protobuf,application/json";
        assert_eq!(of(protobuf).unwrap().format, ResponseFormat::Json);
        assert_eq!(
            of("text/html").unwrap_err().message,
            "only the following media types are accepted: application/json, application/yaml, \
             application/vnd.kubernetes.protobuf"
        );
    }
}

//! Checks the address of a webhook.

use crate::field::{Path, Sink};
use crate::model::ServiceReference;
use crate::names::dns1123_subdomain;
use crd_cel::domain::url::Url;

const FORM: &str = "; desired format: https://host[/path]";

/// Checks the URL of a webhook: HTTPS with a host, and without user, query and fragment.
///
/// Source: `k8s.io/apiserver/pkg/util/webhook/validation.go`, `ValidateWebhookURL`.
pub fn check_url(text: &str, path: &Path<'_>, errors: &mut Sink) {
    let url = match Url::parse(text) {
        Ok(url) => url,
        Err(error) => {
            let detail = format!("url must be a valid URL: {error}{FORM}");
            errors.required(path, detail);
            return;
        }
    };
    if url.scheme() != "https" {
        let detail = format!("'https' is the only allowed URL scheme{FORM}");
        errors.invalid(path, url.scheme(), detail);
    }
    if url.host().is_empty() {
        errors.invalid(path, "", format!("host must be specified{FORM}"));
    }
    if let Some(user) = url.user_info() {
        let detail = "user information is not permitted in the URL";
        errors.invalid(path, user.as_str(), detail);
    }
    if !url.fragment().is_empty() {
        let detail = "fragments are not permitted in the URL";
        errors.invalid(path, &*url.fragment(), detail);
    }
    if !url.raw_query().is_empty() {
        let detail = "query parameters are not permitted in the URL";
        errors.invalid(path, url.raw_query(), detail);
    }
}

/// Checks the name, namespace, port and path of a service.
///
/// Source: `k8s.io/apiserver/pkg/util/webhook/validation.go`, `ValidateWebhookService`.
pub fn check_service(service: &ServiceReference, path: &Path<'_>, errors: &mut Sink) {
    // Upstream: the two arguments are passed in the wrong order, so the error for a missing one names the other.
    for (key, value) in [("name", &service.namespace), ("namespace", &service.name)] {
        if value.is_empty() {
            errors.required(&path.field(key), "");
        }
    }
    let port = service.port.unwrap_or_default();
    if !(1..=65535).contains(&port) {
        let detail = "port is not valid: must be between 1 and 65535, inclusive";
        errors.invalid(&path.field("port"), i64::from(port), detail);
    }
    if let Some(text) = &service.path {
        check_path(text, &path.field("path"), errors);
    }
}

fn check_path(text: &str, path: &Path<'_>, errors: &mut Sink) {
    let mut fail = |detail: String| errors.invalid(path, text, detail);
    match text {
        "" | "/" => return,
        "//" => return fail("segment[0] may not be empty".to_owned()),
        _ => {}
    }
    if !text.starts_with('/') {
        fail("must start with a '/'".to_owned());
    }
    // Upstream: the first byte is removed, whether or not it is a slash.
    let rest = text.as_bytes().get(1..).unwrap_or_default();
    let rest = rest.strip_suffix(b"/").unwrap_or(rest);
    for (index, segment) in rest.split(|byte| *byte == b'/').enumerate() {
        if segment.is_empty() {
            fail(format!("segment[{index}] may not be empty"));
            continue;
        }
        for message in dns1123_subdomain(&String::from_utf8_lossy(segment)) {
            fail(format!("segment[{index}]: {message}"));
        }
    }
}

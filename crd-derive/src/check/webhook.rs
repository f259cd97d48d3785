//! Checks of a conversion webhook: its address, its certificates and the versions of its reviews.
//!
//! Source: `k8s.io/apiserver/pkg/util/webhook/validation.go`.

use std::collections::BTreeSet;

use crd_cel::attribute::is_label;
use crd_cel::attribute::is_subdomain;
use crd_cel::domain::strfmt::is_base64;
use darling::error::Accumulator;
use darling::util::SpannedValue;

use crate::literal::Text;
use crate::model::{Service, Webhook};
use crate::report::report;

pub(super) fn check(webhook: &SpannedValue<Webhook>, errors: &mut Accumulator) {
    let Webhook { service, url, ca_bundle, review_versions } = &**webhook;
    match (service, url) {
        (None, None) => {
            let message = "`webhook` needs `service(namespace = \"..\", name = \"..\")` or `url = \"https://..\"`";
            report(errors, webhook.span(), message);
        }
        (Some(_), Some(url)) => report(errors, url.span, "`url` conflicts with `service`"),
        _ => {}
    }
    if let Some(url) = url {
        check_url(url, errors);
    }
    if let Some(service) = service {
        check_service(service, errors);
    }
    if let Some(bundle) = ca_bundle
        && !bundle.value.is_empty()
        && !is_base64(&bundle.value)
    {
        report(errors, bundle.span, "`ca_bundle` must be base64-encoded PEM");
    }
    let Some(versions) = review_versions else { return };
    let mut seen = BTreeSet::new();
    for version in &versions.0 {
        if !is_label(&version.value) {
            report(errors, version.span, "`review_versions` takes versions such as `v1`");
        } else if !seen.insert(&version.value) {
            report(errors, version.span, format_args!("duplicate version `{}`", version.value));
        }
    }
    let is_read = |version: &Text| matches!(version.value.as_str(), "v1" | "v1beta1");
    if seen.len() == versions.0.len() && !versions.0.iter().any(is_read) {
        report(errors, versions.span(), "`review_versions` must include `v1` or `v1beta1`");
    }
}

fn check_url(url: &Text, errors: &mut Accumulator) {
    let rest = url.value.strip_prefix("https://");
    let host = rest.and_then(|rest| rest.split(['/', '?', '#']).next()).unwrap_or_default();
    if host.is_empty() {
        report(errors, url.span, "`url` must be `https://host[:port][/path]`");
    } else if url.value.contains(['?', '#']) || host.contains('@') {
        report(errors, url.span, "`url` cannot have a user, query or fragment");
    }
}

fn check_service(service: &Service, errors: &mut Accumulator) {
    for (text, key) in [(&service.namespace, "namespace"), (&service.name, "name")] {
        if text.value.is_empty() {
            report(errors, text.span, format_args!("`{key}` is empty"));
        }
    }
    if let Some(port) = &service.port
        && !(1..=65_535).contains(&**port)
    {
        report(errors, port.span(), "`port` must be from 1 to 65535");
    }
    if let Some(path) = &service.path {
        check_path(path, errors);
    }
}

/// Source: `ValidateWebhookService` of the same file.
fn check_path(path: &Text, errors: &mut Accumulator) {
    if matches!(path.value.as_str(), "" | "/") {
        return;
    }
    let Some(rest) = path.value.strip_prefix('/') else {
        return report(errors, path.span, "`path` must start with `/`");
    };
    for segment in rest.strip_suffix('/').unwrap_or(rest).split('/') {
        if segment.is_empty() {
            report(errors, path.span, "`path` has an empty segment; remove the second `/` of `//`");
        } else if !is_subdomain(segment) {
            let message = format_args!(
                "invalid segment `{segment}`; use lower case letters, digits, `-` and `.`, with a letter or digit at \
                 both ends"
            );
            report(errors, path.span, message);
        }
    }
}

//! Checks `spec.conversion`.

use std::collections::BTreeSet;

use super::{ca_bundle, webhook};
use crate::field::{Path, Shown, Sink};
use crate::model::{
    Conversion, CustomResourceDefinitionSpec, WebhookClientConfig, WebhookConversion,
};
use crate::names::dns1035_label;

const STRATEGIES: [&str; 2] = ["None", "Webhook"];
/// The versions of `ConversionReview` that the server understands. Source:
/// `acceptedConversionReviewVersions`.
const REVIEW_VERSIONS: [&str; 2] = ["v1", "v1beta1"];

/// Whether a webhook has no review versions, or one that the server supports.
///
/// Source: `hasValidConversionReviewVersionOrEmpty`.
pub(super) fn has_known_review_version_or_none(spec: &CustomResourceDefinitionSpec) -> bool {
    let webhook = spec.conversion.as_ref().and_then(|conversion| conversion.webhook.as_ref());
    webhook.is_none_or(|webhook| {
        let versions = &webhook.conversion_review_versions;
        versions.is_empty() || versions.iter().any(|version| is_known(version))
    })
}

/// The certificates of a webhook, in base64, if it has any.
pub(super) fn ca_bundle(spec: &CustomResourceDefinitionSpec) -> Option<&str> {
    let config = spec.conversion.as_ref()?.webhook.as_ref()?.client_config.as_ref()?;
    config.ca_bundle.as_deref().filter(|bundle| !bundle.is_empty())
}

/// Whether the webhook has a `caBundle` without a valid certificate.
pub fn has_invalid_ca_bundle(spec: &CustomResourceDefinitionSpec) -> bool {
    let Some(bundle) = ca_bundle(spec) else { return false };
    let mut errors = Sink::counting();
    ca_bundle::check(bundle, &Path::new("caBundle"), &mut errors);
    !errors.is_empty()
}

/// Checks the strategy and the webhook. `known_review_version` and `ca_bundle` enable the checks
/// that `Options` describes.
///
/// Source: `validateCustomResourceConversion`, and the check of the strategy in
/// `validateCustomResourceDefinitionSpec`.
pub(super) fn check(
    spec: &CustomResourceDefinitionSpec,
    known_review_version: bool,
    ca_bundle: bool,
    path: &Path<'_>,
    errors: &mut Sink,
) {
    let Some(Conversion { strategy, webhook }) = &spec.conversion else { return };
    let at = path.field("strategy");
    if strategy != "None" && spec.preserve_unknown_fields {
        let detail = "must be None if spec.preserveUnknownFields is true";
        errors.invalid(&at, Shown::TypedText(strategy), detail);
    }
    if strategy.is_empty() {
        errors.required(&at, "");
    } else if !STRATEGIES.contains(&strategy.as_str()) {
        errors.not_supported(&at, strategy.as_str(), STRATEGIES);
    }
    let none = WebhookConversion::default();
    let WebhookConversion { client_config, conversion_review_versions } =
        webhook.as_ref().unwrap_or(&none);
    let config_path = path.field("webhookClientConfig");
    let versions_path = path.field("conversionReviewVersions");
    if strategy == "Webhook" {
        if let Some(config) = client_config {
            check_config(config, ca_bundle, &config_path, errors);
        } else {
            let detail = "required when strategy is set to Webhook";
            errors.required(&config_path, detail);
        }
        let versions = conversion_review_versions;
        check_review_versions(versions, known_review_version, &versions_path, errors);
    } else {
        let detail = "should not be set when strategy is not set to Webhook";
        if client_config.is_some() {
            errors.forbidden(&config_path, detail);
        }
        if !conversion_review_versions.is_empty() {
            errors.forbidden(&versions_path, detail);
        }
    }
}

fn check_config(config: &WebhookClientConfig, ca_bundle: bool, path: &Path<'_>, errors: &mut Sink) {
    match (&config.url, &config.service) {
        (Some(url), None) => webhook::check_url(url, &path.field("url"), errors),
        (None, Some(service)) => webhook::check_service(service, &path.field("service"), errors),
        (None, None) | (Some(_), Some(_)) => {
            errors.required(path, "exactly one of url or service is required");
        }
    }
    if ca_bundle && let Some(bundle) = config.ca_bundle.as_deref().filter(|text| !text.is_empty()) {
        ca_bundle::check(bundle, &path.field("caBundle"), errors);
    }
}

/// Checks the review versions of a webhook. `known` means that the server must support one of them.
///
/// Source: `validateConversionReviewVersions`.
fn check_review_versions(versions: &[String], known: bool, path: &Path<'_>, errors: &mut Sink) {
    if versions.is_empty() {
        errors.required(path, "");
        return;
    }
    let mut seen = BTreeSet::new();
    for (index, version) in versions.iter().enumerate() {
        let at = path.index(index);
        if !seen.insert(version) {
            errors.invalid(&at, version.as_str(), "duplicate version");
            continue;
        }
        for message in dns1035_label(version) {
            errors.invalid(&at, version.as_str(), message);
        }
    }
    if known && !versions.iter().any(|version| is_known(version)) {
        let detail = format!("must include at least one of {}", REVIEW_VERSIONS.join(", "));
        errors.invalid(path, Shown::Texts(versions), detail);
    }
}

fn is_known(version: &str) -> bool {
    REVIEW_VERSIONS.contains(&version)
}

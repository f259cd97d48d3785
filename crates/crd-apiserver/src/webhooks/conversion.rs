//! Converts objects by calling the conversion webhook of their definition.
//!
//! Source: `pkg/apiserver/conversion/webhook_converter.go` of apiextensions-apiserver.

use std::time::Duration;

use serde_json::Value;

use super::super::failure::{Answer, Failure};
use super::{Address, WebhookCalls};
use crate::convert::WebhookRequest;
use crate::model::Conversion;

/// The timeout of a conversion. Source: `defaultRequestTimeout` of `k8s.io/apiserver/pkg/util/webhook`.
const TIMEOUT: Duration = Duration::from_secs(30);

/// The conversion webhook of a definition.
#[derive(Debug, Clone)]
pub(in super::super) struct WebhookConversion {
    address: Result<Address, String>,
    /// The first version in `conversionReviewVersions` that the server supports.
    review_version: Option<&'static str>,
    webhook_calls: WebhookCalls,
}

impl WebhookConversion {
    pub(in super::super) fn new(conversion: &Conversion, webhook_calls: &WebhookCalls) -> Self {
        let webhook = conversion.webhook.as_ref();
        let config = webhook.and_then(|webhook| serde_json::to_value(&webhook.client_config).ok());
        let versions = webhook.map_or(&[][..], |webhook| &webhook.conversion_review_versions);
        let known = |version: &String| ["v1", "v1beta1"].into_iter().find(|known| known == version);
        Self {
            address: Address::of(&config.unwrap_or_default()),
            review_version: versions.iter().find_map(known),
            webhook_calls: webhook_calls.clone(),
        }
    }

    /// Converts an object to another version. Source: `webhookConverter.Convert`.
    ///
    /// # Errors
    /// Returns the server's error if the webhook fails or its response is invalid; or the errors of
    /// [`WebhookCalls::ask`].
    pub(in super::super) fn convert(&self, object: &Value, to: &str) -> Answer<Value> {
        let Some(version) = self.review_version else {
            return Err(Failure::bare("no supported conversion review versions"));
        };
        let request = WebhookRequest { review: version, uid: "", object, to };
        let (uid, reply) = match &self.address {
            Ok(address) => self.webhook_calls.ask("", address, &request.to_value(), TIMEOUT)?,
            Err(why) => (String::new(), Err(why.clone())),
        };
        WebhookRequest { uid: &uid, ..request }.converted(reply).map_err(Failure::bare)
    }
}

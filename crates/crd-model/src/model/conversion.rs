//! Constructors of `spec.conversion` for settings that differ between clusters, such as certificates. The attribute
//! `conversion(..)` sets fixed ones.

use crd_cel::base64;

use super::{Conversion, ServiceReference, WebhookClientConfig, WebhookConversion};

impl Conversion {
    /// Strategy `None`: only `apiVersion` changes.
    #[must_use]
    pub fn none() -> Self {
        Self { strategy: "None".to_owned(), webhook: None }
    }

    /// A webhook behind a Service of the cluster. Default: port 443 and the root path. Its certificate must be valid
    /// for `<name>.<namespace>.svc`.
    #[must_use]
    pub fn service(namespace: impl Into<String>, name: impl Into<String>) -> Self {
        Self::webhook(WebhookClientConfig {
            service: Some(ServiceReference {
                namespace: namespace.into(),
                name: name.into(),
                path: None,
                port: None,
            }),
            ..WebhookClientConfig::default()
        })
    }

    /// A webhook at a URL: `https://host[:port][/path]`.
    #[must_use]
    pub fn url(url: impl Into<String>) -> Self {
        let url = Some(url.into());
        Self::webhook(WebhookClientConfig { url, ..WebhookClientConfig::default() })
    }

    fn webhook(client_config: WebhookClientConfig) -> Self {
        Self {
            strategy: "Webhook".to_owned(),
            webhook: Some(WebhookConversion {
                client_config: Some(client_config),
                conversion_review_versions: vec!["v1".to_owned()],
            }),
        }
    }

    /// Sets the service's path, such as `/convert`. Has no effect on a URL, which contains its path.
    #[must_use]
    pub fn path(mut self, path: impl Into<String>) -> Self {
        if let Some(service) = self.service_mut() {
            service.path = Some(path.into());
        }
        self
    }

    /// Sets the service's port. Has no effect on a URL, which contains its port.
    #[must_use]
    pub fn port(mut self, port: u16) -> Self {
        if let Some(service) = self.service_mut() {
            service.port = Some(port.into());
        }
        self
    }

    /// Sets the certificate authorities that verify the webhook's certificate, as PEM. Default: those of the API
    /// server's host.
    #[must_use]
    pub fn ca_bundle(mut self, pem: impl AsRef<[u8]>) -> Self {
        if let Some(config) = self.webhook.as_mut().and_then(|it| it.client_config.as_mut()) {
            config.ca_bundle = Some(base64::STANDARD.encode(pem.as_ref()));
        }
        self
    }

    /// Sets the versions of `ConversionReview` that the webhook accepts, the preferred one first. Default: `v1`.
    #[must_use]
    pub fn review_versions<T: Into<String>>(
        mut self,
        versions: impl IntoIterator<Item = T>,
    ) -> Self {
        if let Some(webhook) = &mut self.webhook {
            webhook.conversion_review_versions = versions.into_iter().map(Into::into).collect();
        }
        self
    }

    fn service_mut(&mut self) -> Option<&mut ServiceReference> {
        self.webhook.as_mut()?.client_config.as_mut()?.service.as_mut()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn conversions_have_the_given_settings() {
        let conversion = Conversion::service("ns", "name")
            .path("/convert")
            .port(8443)
            .ca_bundle("ab")
            .review_versions(["v1", "v1beta1"]);
        assert_eq!(
            serde_json::to_value(conversion).unwrap(),
            json!({"strategy": "Webhook", "webhook": {
                "clientConfig": {
                    "service": {"namespace": "ns", "name": "name", "path": "/convert", "port": 8443},
                    "caBundle": "YWI=",
                },
                "conversionReviewVersions": ["v1", "v1beta1"],
            }})
        );
        assert_eq!(
            serde_json::to_value(Conversion::url("https://a/b").path("/c")).unwrap(),
            json!({"strategy": "Webhook", "webhook": {
                "clientConfig": {"url": "https://a/b"}, "conversionReviewVersions": ["v1"],
            }})
        );
        assert_eq!(serde_json::to_value(Conversion::none()).unwrap(), json!({"strategy": "None"}));
    }
}

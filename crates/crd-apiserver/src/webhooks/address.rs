//! The address of a webhook.

use serde_json::Value;

/// The address in a `clientConfig`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct Address {
    /// The URL, such as `https://hooks.default.svc:443/validate`.
    pub(super) url: String,
    /// The host of the URL, with its port if it names one.
    pub(super) authority: String,
    /// The namespace and name of the service, if the configuration names one.
    pub(super) service: Option<(String, String)>,
    /// The trusted certificates, in PEM; empty if those of the system are trusted.
    pub(super) ca_bundle: Vec<u8>,
}

impl Address {
    /// Reads the address in a `clientConfig`. Source: `ClientManager.hookClientConfig`.
    ///
    /// # Errors
    /// Returns an error if the configuration has neither a service nor a valid URL.
    pub(in super::super) fn of(config: &Value) -> Result<Self, String> {
        let text = |at: &str| config.pointer(at).and_then(Value::as_str).unwrap_or_default();
        let ca_bundle = config
            .get("caBundle")
            .and_then(|bundle| {
                serde_json::from_value::<k8s_openapi::ByteString>(bundle.clone()).ok()
            })
            .unwrap_or_default()
            .0;
        if config.get("service").is_some_and(Value::is_object) {
            let (namespace, name) = (text("/service/namespace"), text("/service/name"));
            let port = config.pointer("/service/port").and_then(Value::as_u64).unwrap_or(443);
            let authority = format!("{name}.{namespace}.svc:{port}");
            let path = text("/service/path").trim_start_matches('/');
            let service = Some((namespace.to_owned(), name.to_owned()));
            return Ok(Self {
                url: format!("https://{authority}/{path}"),
                authority,
                service,
                ca_bundle,
            });
        }
        let url = text("/url");
        if url.is_empty() {
            return Err("webhook configuration must have either service or URL".to_owned());
        }
        let uri: http::Uri = url.parse().map_err(|error| format!("Unparsable URL: {error}"))?;
        let authority = uri.authority().map(ToString::to_string).unwrap_or_default();
        Ok(Self { url: url.to_owned(), authority, service: None, ca_bundle })
    }

    /// Returns the host without its port.
    pub(super) fn host(&self) -> &str {
        match self.authority.rsplit_once(':') {
            Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
            _ => &self.authority,
        }
    }

    /// Returns the name that the certificate must be valid for.
    pub(super) fn server_name(&self) -> &str {
        self.host().trim_start_matches('[').trim_end_matches(']')
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(config: &Value, url: &str, host: &str) {
        let address = Address::of(config).expect("an address");
        assert_eq!((address.url.as_str(), address.host()), (url, host));
    }

    #[test]
    fn services_and_urls_are_addresses() {
        let service =
            json!({"service": {"namespace": "prod", "name": "hooks", "path": "/validate"}});
        check(&service, "https://hooks.prod.svc:443/validate", "hooks.prod.svc");
        let service = json!({"service": {"namespace": "prod", "name": "hooks", "port": 8443}});
        check(&service, "https://hooks.prod.svc:8443/", "hooks.prod.svc");
        check(&json!({"url": "https://example.com/x"}), "https://example.com/x", "example.com");
        check(&json!({"url": "https://[::1]:9443"}), "https://[::1]:9443", "[::1]");
        assert_eq!(
            Address::of(&json!({})).unwrap_err(),
            "webhook configuration must have either service or URL"
        );
    }
}

//! A conversion webhook that the command calls.

use crd_engine::convert::Converter;

use crate::model::CustomResourceDefinition;

/// Returns a converter that posts a review of each object to a URL, as the server does.
///
/// # Errors
/// If the URL cannot be read, or a schema does not compile.
#[cfg(feature = "client")]
pub(super) fn converter(url: &str, crd: &CustomResourceDefinition) -> Result<Converter, String> {
    let webhook = std::sync::Arc::new(called::Webhook::new(url)?);
    let spec = &crd.spec;
    let converter = Converter::new(&spec.group, &spec.names.kind).without_annotation();
    let mut converter = converter.definition(crd).map_err(|errors| errors.to_string())?;
    for from in &spec.versions {
        for to in spec.versions.iter().filter(|to| to.name != from.name) {
            let (webhook, desired) = (webhook.clone(), format!("{}/{}", spec.group, to.name));
            converter = converter.step(&from.name, &to.name, move |object| {
                webhook.convert(&object, &desired).map_err(Into::into)
            });
        }
    }
    Ok(converter)
}

/// Fails, because the program has no client.
#[cfg(not(feature = "client"))]
pub(super) fn converter(_: &str, _: &CustomResourceDefinition) -> Result<Converter, String> {
    Err("this program cannot call webhooks; it needs the feature `client` of `crd-cli`".to_owned())
}

#[cfg(feature = "client")]
mod called {
    use crd_engine::convert::WebhookRequest;
    use kube::core::Request;
    use kube::core::params::PostParams;
    use kube::{Client, Config};
    use serde_json::Value;
    use tokio::runtime::{Builder, Runtime};

    /// The identifier of each review. Only the response to one has to repeat it.
    const UID: &str = "00000000-0000-0000-0000-000000000000";

    pub(super) struct Webhook {
        runtime: Runtime,
        client: Client,
        path: String,
    }

    impl Webhook {
        pub(super) fn new(url: &str) -> Result<Self, String> {
            let whole = url.parse().map_err(|error| format!("{url}: {error}"))?;
            let mut config = Config::new(whole);
            let whole = &config.cluster_url;
            let (Some(scheme @ ("http" | "https")), Some(authority)) =
                (whole.scheme_str(), whole.authority())
            else {
                return Err(format!(
                    "{url}: not a URL; write, for example, http://localhost:8080/convert"
                ));
            };
            let path = whole.path().to_owned();
            let host = format!("{scheme}://{authority}").parse();
            config.cluster_url = host.map_err(|error| format!("{url}: {error}"))?;
            // It gets only generated objects, and its certificate is for a Service.
            config.accept_invalid_certs = true;
            let runtime = Builder::new_current_thread().enable_all().build();
            let runtime = runtime.map_err(|error| error.to_string())?;
            let client = {
                let _entered = runtime.enter();
                Client::try_from(config).map_err(|error| error.to_string())?
            };
            Ok(Self { runtime, client, path })
        }

        /// Converts an object.
        ///
        /// # Errors
        /// Returns the error of the webhook, or says why it has no answer.
        pub(super) fn convert(&self, object: &Value, desired: &str) -> Result<Value, String> {
            let asked = WebhookRequest { review: "v1", uid: UID, object, to: desired };
            let body = asked.to_value().to_string().into_bytes();
            let request = Request::new(&self.path).create(&PostParams::default(), body);
            let request = request.map_err(|error| error.to_string())?;
            let reply = self.runtime.block_on(self.client.request::<Value>(request));
            let reply = reply.map_err(|error| format!("the webhook does not answer: {error}"));
            asked.converted(reply)
        }
    }
}

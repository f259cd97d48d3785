//! The definitions of a cluster.

use std::path::Path;

use serde_json::Value;

/// The start of an argument that names a cluster, by a context of the kubeconfig.
const PREFIX: &str = "cluster:";

/// Returns the name of the context, which is empty for the current one.
pub(super) fn context(argument: &str) -> Option<&str> {
    argument.strip_prefix(PREFIX)
}

/// Reads all definitions of a cluster. `kubeconfig` is the file; without it, the usual places are searched.
#[cfg(feature = "client")]
pub(super) fn definitions(context: &str, kubeconfig: Option<&Path>) -> Result<Vec<Value>, String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| error.to_string())?;
    runtime.block_on(list(context, kubeconfig)).map_err(|error| error.to_string())
}

#[cfg(feature = "client")]
async fn list(
    context: &str,
    kubeconfig: Option<&Path>,
) -> Result<Vec<Value>, Box<dyn std::error::Error>> {
    use kube::api::{Api, ApiResource, DynamicObject, GroupVersionKind, ListParams, TypeMeta};
    use kube::config::{Config, KubeConfigOptions, Kubeconfig};

    let context = (!context.is_empty()).then(|| context.to_owned());
    let options = KubeConfigOptions { context, ..KubeConfigOptions::default() };
    let config = match kubeconfig {
        Some(file) => {
            Config::from_custom_kubeconfig(Kubeconfig::read_from(file)?, &options).await?
        }
        // In a pod, there may be no file.
        None if options.context.is_none() => Config::infer().await?,
        None => Config::from_kubeconfig(&options).await?,
    };
    let kind = GroupVersionKind::gvk("apiextensions.k8s.io", "v1", "CustomResourceDefinition");
    let resource = ApiResource::from_gvk_with_plural(&kind, "customresourcedefinitions");
    let api = Api::<DynamicObject>::all_with(kube::Client::try_from(config)?, &resource);
    let (api_version, kind) = (resource.api_version.clone(), resource.kind.clone());
    let definitions = api.list(&ListParams::default()).await?.into_iter().map(|mut crd| {
        // Items of a list have no type of their own.
        let types = TypeMeta { api_version: api_version.clone(), kind: kind.clone() };
        crd.types = Some(types);
        serde_json::to_value(crd)
    });
    Ok(definitions.collect::<Result<_, _>>()?)
}

/// Fails, because the program has no client.
#[cfg(not(feature = "client"))]
pub(super) fn definitions(_: &str, _: Option<&Path>) -> Result<Vec<Value>, String> {
    Err("this program cannot read clusters; it needs the feature `client` of `crd-cli`".to_owned())
}

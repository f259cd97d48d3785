//! The CRD of a kind, from the table that the derive writes.

use crd_model::{Defined, DefinedAs};
use k8s_openapi::{
    ClusterResourceScope, ListableResource, NamespaceResourceScope, Resource, ResourceScope,
};

use super::Column;
use crate::builder::Collected;
use crate::crd_schema::CrdSchema;
use crate::model::{
    Conversion, CustomResourceDefinition, CustomResourceDefinitionSpec,
    CustomResourceDefinitionVersion, Names, ObjectMeta, Scale, SelectableField, ServiceReference,
    StatusSubresource, Subresources, VersionSchema, WebhookClientConfig, WebhookConversion,
};

/// What attributes of a kind add to its CRD, beside what its impls of k8s-openapi's traits say.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// The singular name, if it is not the kind in lower case.
    pub singular: Option<&'static str>,
    /// `names.shortNames`.
    pub short_names: &'static [&'static str],
    /// `names.categories`.
    pub categories: &'static [&'static str],
    /// Annotations of the CRD.
    pub annotations: &'static [(&'static str, &'static str)],
    /// Labels of the CRD.
    pub labels: &'static [(&'static str, &'static str)],
    /// Whether the version is served.
    pub served: bool,
    /// Whether the version is deprecated, and the warning in place of the server's.
    pub deprecated: Option<Option<&'static str>>,
    /// Whether the status subresource is on.
    pub status: bool,
    /// The JSON paths of the scale subresource: spec, status, selector.
    pub scale: Option<(&'static str, &'static str, Option<&'static str>)>,
    /// The printer columns after those of fields, such as the age, which belongs at the end of the table.
    pub columns: &'static [Column],
    /// The JSON paths of selectable fields, beside those of fields.
    pub selectable: &'static [&'static str],
    /// `conversion(webhook(..))`.
    pub webhook: Option<Webhook>,
}

impl Kind {
    /// A kind without any key but its names and its scope.
    pub const PLAIN: Self = Self {
        singular: None,
        short_names: &[],
        categories: &[],
        annotations: &[],
        labels: &[],
        served: true,
        deprecated: None,
        status: false,
        scale: None,
        columns: &[],
        selectable: &[],
        webhook: None,
    };
}

/// The attribute `conversion(webhook(..))`.
#[derive(Debug, Default, Clone, Copy)]
pub struct Webhook {
    /// A service: namespace, name, path, port.
    pub service: Option<(&'static str, &'static str, Option<&'static str>, Option<i32>)>,
    /// A URL.
    pub url: Option<&'static str>,
    /// The CA bundle: PEM in base64.
    pub ca_bundle: Option<&'static str>,
    /// Versions of `ConversionReview`.
    pub review_versions: &'static [&'static str],
}

/// The scopes of k8s-openapi that a kind can have.
pub trait Scope: ResourceScope {
    /// Whether objects are namespaced.
    const NAMESPACED: bool;
}

impl Scope for NamespaceResourceScope {
    const NAMESPACED: bool = true;
}

impl Scope for ClusterResourceScope {
    const NAMESPACED: bool = false;
}

/// Returns what derived code implements [`Defined`] with.
#[must_use]
pub const fn defined_as<T: Resource<Scope: Scope>>(is_stored: bool) -> DefinedAs {
    DefinedAs {
        group: T::GROUP,
        api_version: T::API_VERSION,
        version: T::VERSION,
        kind: T::KIND,
        plural: T::URL_PATH_SEGMENT,
        is_namespaced: <T::Scope as Scope>::NAMESPACED,
        is_stored,
    }
}

/// Returns the CRD of a kind, with one version.
#[must_use]
pub fn definition<T: CrdSchema + Defined + ListableResource>(
    kind: &Kind,
) -> CustomResourceDefinition {
    let mut collected = Collected::default();
    T::AS_FIELD.shape.collect("", &mut collected);
    described(&T::DEFINED_AS, T::LIST_KIND, kind, collected, T::schema)
}

/// As [`definition`]. It has no type parameter, so that it is compiled once.
fn described(
    of: &DefinedAs,
    list_kind: &str,
    kind: &Kind,
    Collected { mut columns, mut selectable }: Collected,
    schema: fn() -> crate::model::JsonSchemaProps,
) -> CustomResourceDefinition {
    columns.extend(kind.columns.iter().map(|column| column.build()));
    selectable
        .extend(kind.selectable.iter().map(|path| SelectableField { json_path: owned(path) }));
    let scale = kind.scale.map(|(spec, status, selector)| Scale {
        spec_replicas_path: owned(spec),
        status_replicas_path: owned(status),
        label_selector_path: selector.map(owned),
    });
    let status = kind.status.then_some(StatusSubresource {});
    let has_subresources = status.is_some() || scale.is_some();
    let version = CustomResourceDefinitionVersion {
        name: owned(of.version),
        served: kind.served,
        storage: of.is_stored,
        deprecated: kind.deprecated.is_some(),
        deprecation_warning: kind.deprecated.flatten().map(owned),
        schema: Some(VersionSchema { open_api_v3_schema: Some(schema()) }),
        subresources: has_subresources.then_some(Subresources { status, scale }),
        additional_printer_columns: (!columns.is_empty()).then_some(columns),
        selectable_fields: (!selectable.is_empty()).then_some(selectable),
    };
    let names = Names {
        plural: owned(of.plural),
        singular: kind.singular.map_or_else(|| of.kind.to_lowercase(), owned),
        kind: owned(of.kind),
        list_kind: owned(list_kind),
        short_names: texts(kind.short_names),
        categories: texts(kind.categories),
    };
    let pairs = |pairs: &[(&str, &str)]| {
        pairs.iter().map(|(key, value)| (owned(key), owned(value))).collect()
    };
    CustomResourceDefinition {
        api_version: owned("apiextensions.k8s.io/v1"),
        kind: owned("CustomResourceDefinition"),
        metadata: ObjectMeta {
            name: format!("{}.{}", of.plural, of.group),
            annotations: pairs(kind.annotations),
            labels: pairs(kind.labels),
            ..ObjectMeta::default()
        },
        spec: CustomResourceDefinitionSpec {
            group: owned(of.group),
            names,
            scope: owned(if of.is_namespaced { "Namespaced" } else { "Cluster" }),
            versions: vec![version],
            conversion: kind.webhook.map(conversion),
            ..CustomResourceDefinitionSpec::default()
        },
        status: None,
    }
}

fn conversion(webhook: Webhook) -> Conversion {
    let service = webhook.service.map(|(namespace, name, path, port)| ServiceReference {
        namespace: owned(namespace),
        name: owned(name),
        path: path.map(owned),
        port,
    });
    let client_config = WebhookClientConfig {
        url: webhook.url.map(owned),
        service,
        ca_bundle: webhook.ca_bundle.map(owned),
    };
    Conversion {
        strategy: owned("Webhook"),
        webhook: Some(WebhookConversion {
            client_config: Some(client_config),
            conversion_review_versions: texts(webhook.review_versions),
        }),
    }
}

fn owned(text: &str) -> String {
    text.to_owned()
}

/// Returns copies of texts.
#[must_use]
pub fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().copied().map(owned).collect()
}

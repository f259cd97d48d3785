//! A builder of CRDs.

use super::Column;
use crate::builder::Collected;
use crate::crd_schema::CrdSchema;
use crate::model::{
    Conversion, CustomResourceDefinition, CustomResourceDefinitionSpec,
    CustomResourceDefinitionVersion, JsonSchemaProps, Names, ObjectMeta, Scale, SelectableField,
    ServiceReference, StatusSubresource, Subresources, VersionSchema, WebhookClientConfig,
    WebhookConversion,
};

/// The names and the scope of a kind.
#[derive(Debug, Clone, Copy)]
pub struct KindNames {
    /// The API group.
    pub group: &'static str,
    /// The version.
    pub version: &'static str,
    /// The kind.
    pub kind: &'static str,
    /// The plural name, which is the name of the resource.
    pub plural: &'static str,
    /// The singular name.
    pub singular: &'static str,
    /// The kind of a list of objects.
    pub list_kind: &'static str,
    /// Whether objects are namespaced.
    pub namespaced: bool,
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

/// A builder of a CRD with one version.
#[derive(Debug, Clone)]
pub struct Definition {
    crd: CustomResourceDefinition,
    version: CustomResourceDefinitionVersion,
}

impl Definition {
    /// Creates a CRD with one version, which is served and is the storage version.
    #[must_use]
    pub fn new(kind: &KindNames) -> Self {
        let names = Names {
            plural: kind.plural.to_owned(),
            singular: kind.singular.to_owned(),
            kind: kind.kind.to_owned(),
            list_kind: kind.list_kind.to_owned(),
            ..Names::default()
        };
        let spec = CustomResourceDefinitionSpec {
            group: kind.group.to_owned(),
            names,
            scope: if kind.namespaced { "Namespaced" } else { "Cluster" }.to_owned(),
            ..CustomResourceDefinitionSpec::default()
        };
        let crd = CustomResourceDefinition {
            api_version: "apiextensions.k8s.io/v1".to_owned(),
            kind: "CustomResourceDefinition".to_owned(),
            metadata: ObjectMeta {
                name: format!("{}.{}", kind.plural, kind.group),
                ..ObjectMeta::default()
            },
            spec,
            status: None,
        };
        let version = CustomResourceDefinitionVersion {
            name: kind.version.to_owned(),
            served: true,
            storage: true,
            ..CustomResourceDefinitionVersion::default()
        };
        Self { crd, version }
    }

    /// Adds to `names.shortNames`.
    #[must_use]
    pub fn short_name(mut self, name: &str) -> Self {
        self.crd.spec.names.short_names.push(name.to_owned());
        self
    }

    /// Adds to `names.categories`.
    #[must_use]
    pub fn category(mut self, name: &str) -> Self {
        self.crd.spec.names.categories.push(name.to_owned());
        self
    }

    /// Adds an annotation to the CRD.
    #[must_use]
    pub fn annotation(mut self, key: &str, value: &str) -> Self {
        self.crd.metadata.annotations.insert(key.to_owned(), value.to_owned());
        self
    }

    /// Adds a label to the CRD.
    #[must_use]
    pub fn label(mut self, key: &str, value: &str) -> Self {
        self.crd.metadata.labels.insert(key.to_owned(), value.to_owned());
        self
    }

    /// Sets whether the version is served.
    #[must_use]
    pub fn served(mut self, served: bool) -> Self {
        self.version.served = served;
        self
    }

    /// Sets whether the version is the storage version.
    #[must_use]
    pub fn storage(mut self, storage: bool) -> Self {
        self.version.storage = storage;
        self
    }

    /// Marks the version as deprecated. Without a text, clients get the server's default warning.
    #[must_use]
    pub fn deprecated(mut self, warning: Option<&str>) -> Self {
        self.version.deprecated = true;
        self.version.deprecation_warning = warning.map(str::to_owned);
        self
    }

    /// Enables the status subresource.
    #[must_use]
    pub fn status(mut self) -> Self {
        self.subresources().status = Some(StatusSubresource {});
        self
    }

    /// Enables the scale subresource with these JSON paths.
    #[must_use]
    pub fn scale(mut self, spec: &str, status: &str, selector: Option<&str>) -> Self {
        self.subresources().scale = Some(Scale {
            spec_replicas_path: spec.to_owned(),
            status_replicas_path: status.to_owned(),
            label_selector_path: selector.map(str::to_owned),
        });
        self
    }

    /// Adds a printer column.
    #[must_use]
    pub fn column(mut self, column: Column) -> Self {
        self.version.additional_printer_columns.get_or_insert_default().push(column.build());
        self
    }

    /// Adds a selectable field.
    #[must_use]
    pub fn selectable(mut self, json_path: &str) -> Self {
        self.version
            .selectable_fields
            .get_or_insert_default()
            .push(SelectableField { json_path: json_path.to_owned() });
        self
    }

    /// Adds the printer columns and selectable fields that attributes in `T` declare. `T` is at the JSON path `at`.
    ///
    /// Generated code calls this before it adds the columns of the kind, such as the age, which belong at the end of
    /// the table.
    #[must_use]
    pub fn collect<T: CrdSchema>(mut self, at: &str) -> Self {
        let mut collected = Collected::default();
        T::AS_FIELD.shape.collect(at, &mut collected);
        if !collected.columns.is_empty() {
            let columns = self.version.additional_printer_columns.get_or_insert_default();
            columns.append(&mut collected.columns);
        }
        if !collected.selectable.is_empty() {
            let fields = self.version.selectable_fields.get_or_insert_default();
            fields.append(&mut collected.selectable);
        }
        self
    }

    /// Sets conversion by a webhook.
    #[must_use]
    pub fn webhook(mut self, webhook: Webhook) -> Self {
        let service = webhook.service.map(|(namespace, name, path, port)| ServiceReference {
            namespace: namespace.to_owned(),
            name: name.to_owned(),
            path: path.map(str::to_owned),
            port,
        });
        let client_config = WebhookClientConfig {
            url: webhook.url.map(str::to_owned),
            service,
            ca_bundle: webhook.ca_bundle.map(str::to_owned),
        };
        self.crd.spec.conversion = Some(Conversion {
            strategy: "Webhook".to_owned(),
            webhook: Some(WebhookConversion {
                client_config: Some(client_config),
                conversion_review_versions: webhook
                    .review_versions
                    .iter()
                    .map(|&version| version.to_owned())
                    .collect(),
            }),
        });
        self
    }

    /// Returns the CRD, with the schema of the root.
    #[must_use]
    pub fn schema(mut self, root: JsonSchemaProps) -> CustomResourceDefinition {
        self.version.schema = Some(VersionSchema { open_api_v3_schema: Some(root) });
        self.crd.spec.versions.push(self.version);
        self.crd
    }

    fn subresources(&mut self) -> &mut Subresources {
        self.version.subresources.get_or_insert_default()
    }
}

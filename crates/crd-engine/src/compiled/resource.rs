//! The properties of a kind that admission uses besides its schema.

use crate::model::{
    CustomResourceDefinition, CustomResourceDefinitionVersion, Names, PrinterColumn, Scale,
    SelectableField,
};

/// One version of one kind: names, scope and subresources.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
#[non_exhaustive]
pub struct Resource {
    /// The API group.
    pub group: String,
    /// The name of the version.
    pub version: String,
    /// The names, with the server's defaults.
    pub names: Names,
    /// Whether objects are namespaced.
    pub namespaced: bool,
    /// Whether the version is served.
    pub served: bool,
    /// Whether objects are stored in this version.
    pub storage: bool,
    /// Whether the status subresource is enabled.
    pub has_status: bool,
    /// The paths of the scale subresource, if it is enabled.
    pub scale: Option<Scale>,
    /// `spec.preserveUnknownFields`, which must be `false` in new CRDs.
    pub preserve_unknown_fields: bool,
    /// The selectable fields.
    pub selectable_fields: Vec<SelectableField>,
    /// The columns of tables.
    pub printer_columns: Vec<PrinterColumn>,
}

impl Resource {
    /// Collects the properties of one version.
    pub(crate) fn of(
        crd: &CustomResourceDefinition,
        version: &CustomResourceDefinitionVersion,
    ) -> Self {
        let mut names = crd.spec.names.clone();
        names.apply_defaults();
        let subresources = version.subresources.as_ref();
        Self {
            group: crd.spec.group.clone(),
            version: version.name.clone(),
            names,
            namespaced: crd.spec.scope == "Namespaced",
            served: version.served,
            storage: version.storage,
            has_status: subresources.is_some_and(|subresources| subresources.status.is_some()),
            scale: subresources.and_then(|subresources| subresources.scale.clone()),
            preserve_unknown_fields: crd.spec.preserve_unknown_fields,
            selectable_fields: version.selectable_fields.clone().unwrap_or_default(),
            printer_columns: version.additional_printer_columns.clone().unwrap_or_default(),
        }
    }

    /// Returns `group/version`, the `apiVersion` of objects.
    pub fn api_version(&self) -> String {
        format!("{}/{}", self.group, self.version)
    }
}

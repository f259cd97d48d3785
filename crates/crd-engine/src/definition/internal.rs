//! The internal form of a definition, which the server validates: parts that all versions share are at the top.

use super::equal;
use crate::field::Path;
use crate::model::{
    CustomResourceDefinition, CustomResourceDefinitionSpec, CustomResourceDefinitionVersion,
    JsonSchemaProps, PrinterColumn, SelectableField, Subresources, VersionSchema,
};

/// A definition as the server validates it.
///
/// Source: `pkg/apis/apiextensions/v1/conversion.go`,
/// `Convert_v1_CustomResourceDefinitionSpec_To_apiextensions_CustomResourceDefinitionSpec`.
#[derive(Debug)]
pub(super) struct Internal<'a> {
    pub(super) crd: &'a CustomResourceDefinition,
    /// The parts that all versions share.
    pub(super) shared: Parts<'a>,
    pub(super) versions: Vec<Version<'a>>,
}

/// One version, without the shared parts.
#[derive(Debug)]
pub(super) struct Version<'a> {
    /// The version as written.
    pub(super) of: &'a CustomResourceDefinitionVersion,
    pub(super) parts: Parts<'a>,
}

/// The parts that can be in a version or at the top.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Parts<'a> {
    /// At the top it is called `validation`.
    pub(super) schema: Option<&'a VersionSchema>,
    pub(super) subresources: Option<&'a Subresources>,
    pub(super) columns: Option<&'a [PrinterColumn]>,
    pub(super) selectable: Option<&'a [SelectableField]>,
}

/// The error for a version that a definition does not have.
#[derive(Debug)]
pub(super) struct NoVersion;

impl<'a> Internal<'a> {
    pub(super) fn new(crd: &'a CustomResourceDefinition) -> Self {
        let versions: Vec<(&CustomResourceDefinitionVersion, Parts<'_>)> =
            crd.spec.versions.iter().map(|version| (version, Parts::of(version))).collect();
        let Some((_, first)) = versions.first().copied() else {
            return Self { crd, shared: Parts::default(), versions: Vec::new() };
        };
        let all = |is_like_first: &dyn Fn(&Parts<'_>) -> bool| {
            versions.iter().all(|(_, parts)| is_like_first(parts))
        };
        let same_schema = all(&|parts| equal::schemas(parts.schema, first.schema));
        let same_subresources = all(&|parts| parts.subresources == first.subresources);
        let same_columns = all(&|parts| parts.columns() == first.columns());
        let same_selectable = all(&|parts| parts.selectable() == first.selectable());
        // Keeps the parts that are the same in all versions, or those that are not.
        let split = |parts: Parts<'a>, shared: bool| Parts {
            schema: parts.schema.filter(|_| same_schema == shared),
            subresources: parts.subresources.filter(|_| same_subresources == shared),
            columns: parts.columns.filter(|_| same_columns == shared),
            selectable: parts.selectable.filter(|_| same_selectable == shared),
        };
        Self {
            crd,
            shared: split(first, true),
            versions: versions
                .iter()
                .map(|(of, parts)| Version { of, parts: split(*parts, false) })
                .collect(),
        }
    }

    pub(super) fn spec(&self) -> &'a CustomResourceDefinitionSpec {
        &self.crd.spec
    }

    /// Every schema, the shared one first.
    pub(super) fn schemas(&self) -> impl Iterator<Item = &'a JsonSchemaProps> {
        std::iter::once(self.shared)
            .chain(self.versions.iter().map(|version| version.parts))
            .filter_map(|parts| parts.schema?.open_api_v3_schema.as_ref())
    }

    /// Returns the schema of a version, which the version or the top holds. A shared schema is returned for any name,
    /// even if no version has it. Of several versions with the same name, the first is used.
    ///
    /// # Errors
    /// If there is no such version.
    pub(super) fn schema_of(&self, name: &str) -> Result<Option<&'a VersionSchema>, NoVersion> {
        if self.versions.iter().all(|version| version.parts.schema.is_none()) {
            return Ok(self.shared.schema);
        }
        let version = self.versions.iter().find(|version| version.of.name == name);
        version.map(|version| version.parts.schema).ok_or(NoVersion)
    }

    /// Whether a version has the status subresource. Of several versions with the same name, the first is used.
    pub(super) fn has_status(&self, name: &str) -> bool {
        let subresources =
            if self.versions.iter().any(|version| version.parts.subresources.is_some()) {
                self.versions
                    .iter()
                    .find(|version| version.of.name == name)
                    .and_then(|version| version.parts.subresources)
            } else {
                self.shared.subresources
            };
        subresources.is_some_and(|subresources| subresources.status.is_some())
    }

    /// Whether any version has the status subresource.
    pub(super) fn has_any_status(&self) -> bool {
        std::iter::once(self.shared)
            .chain(self.versions.iter().map(|version| version.parts))
            .filter_map(|parts| parts.subresources)
            .any(|subresources| subresources.status.is_some())
    }
}

impl<'a> Parts<'a> {
    fn of(version: &'a CustomResourceDefinitionVersion) -> Self {
        Self {
            schema: version.schema.as_ref(),
            subresources: version.subresources.as_ref(),
            columns: version.additional_printer_columns.as_deref(),
            selectable: version.selectable_fields.as_deref(),
        }
    }

    pub(super) fn columns(&self) -> &'a [PrinterColumn] {
        self.columns.unwrap_or_default()
    }

    pub(super) fn selectable(&self) -> &'a [SelectableField] {
        self.selectable.unwrap_or_default()
    }

    /// The schema itself.
    pub(super) fn props(&self) -> Option<&'a JsonSchemaProps> {
        self.schema?.open_api_v3_schema.as_ref()
    }
}

/// The path `spec`.
pub(super) const SPEC: Path<'static> = Path::new("spec");

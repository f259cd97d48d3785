//! Collects what is known of kinds.

use super::fields::{self, Limits};
use super::model::{Column, Kind, Reference, Version};
use super::{constraints, example};
use crate::CommandError;
use crate::model::{CustomResourceDefinition, CustomResourceDefinitionVersion};
use crate::schemas;
use crate::selection::Selected;

impl Reference {
    /// Collects what is known of kinds.
    ///
    /// # Errors
    /// If no field is left.
    pub(super) fn of(
        title: &str,
        selected: &[Selected],
        limits: &Limits<'_>,
        has_examples: bool,
    ) -> Result<Self, CommandError> {
        if limits.depth == 0 {
            return Err(CommandError("`--depth` must be at least 1".to_owned()));
        }
        let kinds = selected.iter().map(|one| Kind::of(one, limits, has_examples));
        Ok(Self { title: title.to_owned(), kinds: kinds.collect() })
    }
}

impl Kind {
    fn of(selected: &Selected, limits: &Limits<'_>, has_examples: bool) -> Self {
        let Selected { crd, versions } = selected;
        let spec = &crd.spec;
        let anchor = fields::anchor(&[&spec.names.kind.to_lowercase(), ".", &spec.group]);
        let versions = versions.iter();
        let versions = versions.map(|one| Version::of(crd, one, &anchor, limits, has_examples));
        Self {
            versions: versions.collect(),
            name: crd.metadata.name.clone(),
            group: spec.group.clone(),
            kind: spec.names.kind.clone(),
            plural: spec.names.plural.clone(),
            short_names: spec.names.short_names.clone(),
            categories: spec.names.categories.clone(),
            scope: spec.scope.clone(),
            anchor,
        }
    }
}

impl Version {
    fn of(
        crd: &CustomResourceDefinition,
        version: &CustomResourceDefinitionVersion,
        kind_anchor: &str,
        limits: &Limits<'_>,
        has_examples: bool,
    ) -> Self {
        let api_version = format!("{}/{}", crd.spec.group, version.name);
        let anchor = fields::anchor(&[kind_anchor, "-", &version.name]);
        let schema = schemas::of_version(version);
        let columns = version.additional_printer_columns.iter().flatten().map(|column| Column {
            name: column.name.clone(),
            type_: column.type_.clone(),
            json_path: column.json_path.clone(),
            description: column.description.clone(),
            is_wide: column.priority > 0,
        });
        let warning = || {
            let warning = version.deprecation_warning.clone();
            warning
                .unwrap_or_else(|| format!("{api_version} {} is deprecated", crd.spec.names.kind))
        };
        let subresources = version.subresources.as_ref();
        let selectable = version.selectable_fields.iter().flatten();
        let (examples, no_example) = match schema {
            Some(_) if has_examples => match example::of(crd, version) {
                Ok(examples) => (examples, None),
                Err(reason) => (Vec::new(), Some(reason)),
            },
            _ => (Vec::new(), None),
        };
        Self {
            name: version.name.clone(),
            is_served: version.served,
            is_stored: version.storage,
            is_deprecated: version.deprecated,
            deprecation: version.deprecated.then(warning),
            description: schema.map(|schema| schema.description.clone()).unwrap_or_default(),
            has_status: schemas::has_status(version),
            scale: subresources
                .and_then(|found| Some(found.scale.as_ref()?.spec_replicas_path.clone())),
            columns: columns.collect(),
            selectable_fields: selectable.map(|field| field.json_path.clone()).collect(),
            rules: schema
                .map(|schema| constraints::rules(schema.x_validations.as_deref(), None))
                .unwrap_or_default(),
            constraints: schema.map(|schema| constraints::of(schema, None)).unwrap_or_default(),
            fields: schema.map(|schema| fields::of(schema, &anchor, limits)).unwrap_or_default(),
            examples,
            no_example,
            api_version,
            anchor,
        }
    }
}

//! The parts of a definition that lints look at, and what they find.

use crd_cel::re2::Regex;

use crate::model::{CustomResourceDefinition, CustomResourceDefinitionVersion, JsonSchemaProps};
use crate::{go_types, schemas};

/// A definition, with the schemas of its served versions.
pub(super) struct Definition<'d> {
    pub(super) crd: &'d CustomResourceDefinition,
    pub(super) nodes: Vec<Node<'d>>,
    /// The patterns of `--forbid-name`.
    pub(super) forbidden: &'d [Regex],
}

/// A schema in a definition.
pub(super) struct Node<'d> {
    pub(super) version: &'d CustomResourceDefinitionVersion,
    pub(super) schema: &'d JsonSchemaProps,
    /// The schema that it is in; `None` for the schema of whole objects.
    pub(super) parent: Option<&'d JsonSchemaProps>,
    /// The name of the property; `None` for items, values, and whole objects.
    pub(super) name: Option<&'d str>,
    /// The field path in the definition.
    pub(super) field: String,
    /// The path in objects, such as `spec.ports[]`.
    pub(super) value: String,
}

impl<'d> Definition<'d> {
    /// Collects the schemas of a definition. Those of fields that the server defines in every resource, and those in
    /// types of Kubernetes such as `Toleration`, are left out, because nobody can change them.
    pub(super) fn new(crd: &'d CustomResourceDefinition, forbidden: &'d [Regex]) -> Self {
        let mut nodes: Vec<Node<'d>> = Vec::new();
        // Nobody can write objects of a version that is not served.
        for (version, field) in served(crd) {
            // The value in which all schemas are left out.
            let mut foreign: Option<String> = None;
            schemas::each(version, &field, &mut |visited| {
                let schemas::Visited { schema, parent, name, path, value } = visited;
                if foreign.as_ref().is_some_and(|foreign| is_below(value, foreign)) {
                    return;
                }
                let is_resource = parent.is_some_and(|parent| parent.x_embedded_resource)
                    || name.is_some_and(|name| name == value);
                let is_of_server =
                    is_resource && name.is_some_and(|name| schemas::OF_RESOURCES.contains(&name));
                if is_of_server || is_of_kubernetes(schema) {
                    foreign = Some(value.to_owned());
                }
                if !is_of_server {
                    let (field, value) = (path.to_owned(), value.to_owned());
                    nodes.push(Node { version, schema, parent, name, field, value });
                }
            });
        }
        Self { crd, nodes, forbidden }
    }

    /// Returns the served versions, each with its field path.
    pub(super) fn served(
        &self,
    ) -> impl Iterator<Item = (&'d CustomResourceDefinitionVersion, String)> {
        served(self.crd)
    }

    /// Returns the schema at a field path.
    pub(super) fn at(&self, field: &str) -> Option<&Node<'d>> {
        self.nodes.iter().find(|node| node.field == field)
    }
}

fn served(
    crd: &CustomResourceDefinition,
) -> impl Iterator<Item = (&CustomResourceDefinitionVersion, String)> {
    let versions = crd.spec.versions.iter().enumerate().filter(|(_, version)| version.served);
    versions.map(|(index, version)| (version, format!("spec.versions[{index}]")))
}

impl<'d> Node<'d> {
    /// Returns whether it is the schema of whole objects.
    pub(super) fn is_root(&self) -> bool {
        self.parent.is_none()
    }

    /// Returns whether it is in `status`.
    pub(super) fn is_in_status(&self) -> bool {
        is_below(&self.value, "status")
    }

    /// Returns whether the schema has a type.
    pub(super) fn is_a(&self, type_: &str) -> bool {
        self.schema.type_ == type_
    }

    /// Returns the schema of the items of a list.
    pub(super) fn items(&self) -> Option<&'d JsonSchemaProps> {
        schemas::items(self.schema).filter(|_| self.is_a("array"))
    }

    /// Returns the schema of the values of a map.
    pub(super) fn values(&self) -> Option<&'d JsonSchemaProps> {
        schemas::values(self.schema)
    }

    /// Returns whether the object that has it requires it.
    pub(super) fn is_required(&self) -> bool {
        let required = self.parent.and_then(|parent| parent.required.as_ref());
        required.into_iter().flatten().any(|name| Some(&**name) == self.name)
    }
}

/// Returns whether a path in objects leads through a value.
pub(super) fn is_below(value: &str, above: &str) -> bool {
    value.strip_prefix(above).is_some_and(|rest| rest.starts_with(['.', '[', '{']))
}

/// Returns whether a schema is that of a type of Kubernetes.
pub(super) fn is_of_kubernetes(schema: &JsonSchemaProps) -> bool {
    let names = schema.properties.iter().flat_map(|fields| fields.keys().map(String::as_str));
    go_types::is_struct_with(&names.collect())
}

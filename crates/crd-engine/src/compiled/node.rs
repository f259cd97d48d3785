//! The arena and its nodes.

use std::ops::Index;
use std::sync::OnceLock;

use crd_cel::kubernetes::KubernetesVersion;
use serde_json::Value;

use super::{Checks, Properties, Resource};
use crate::ruleset::RuleTree;
use crate::schema::Structural;

/// A compiled schema of one version of one kind: immutable, `Send + Sync`, built once for many objects.
///
/// # Examples
///
/// ```
/// use crd_runtime::{admit, compiled::CompiledSchema, definition};
/// use serde_json::json;
///
/// let crd = definition::decode(&json!({
///     "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
///     "metadata": {"name": "shirts.example.com"},
///     "spec": {
///         "group": "example.com", "scope": "Namespaced", "names": {"plural": "shirts", "kind": "Shirt"},
///         "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {
///             "type": "object",
///             "properties": {"size": {"type": "string", "enum": ["S", "M", "L"], "default": "M"}},
///         }}}],
///     },
/// }))?.crd;
/// let schema = CompiledSchema::for_version(&crd, "v1")?;
/// let shirt = json!({
///     "apiVersion": "example.com/v1", "kind": "Shirt", "metadata": {"name": "mine", "namespace": "default"},
/// });
/// assert_eq!(admit::create(&schema, shirt)?.object["size"], "M");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// [`CompiledSchema::of`] compiles the schema of a derived kind.
#[derive(Debug)]
pub struct CompiledSchema {
    pub(crate) nodes: Vec<Node>,
    /// The node of whole objects.
    pub root: NodeId,
    /// The structural schema that the arena was built from; `None` if the version has no schema, and then the root is
    /// an empty node.
    pub(crate) structural: Option<Structural>,
    pub(crate) resource: Resource,
    pub(super) kubernetes: KubernetesVersion,
    /// The `apiVersion` of objects, to be compared as text; `None` if the group or the version contains a slash, so
    /// that texts must be parsed before they are compared.
    pub(super) api_version: Option<Box<str>>,
    /// Whether a default contains a `null`.
    pub(super) has_null_in_defaults: bool,
    /// The rules, compiled on first use.
    pub(super) rules: OnceLock<RuleTree>,
}

/// The index of a [`Node`] in its [`CompiledSchema`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub(crate) u32);

/// A node of a compiled schema.
///
/// Nodes under junctors are of this type too. Only value validation reaches them.
#[derive(Debug, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a keyword, or a question about all below"
)]
pub struct Node {
    /// `type`
    pub(crate) type_: SchemaType,
    /// `nullable`
    pub(crate) nullable: bool,
    /// `default`, already pruned.
    pub(crate) default: Option<Value>,
    /// `x-kubernetes-preserve-unknown-fields`
    pub(crate) preserve_unknown_fields: bool,
    /// `x-kubernetes-embedded-resource`
    pub(crate) embedded_resource: bool,
    /// `x-kubernetes-list-type`
    pub list_type: ListType,
    /// `properties`; `None` if absent.
    pub(crate) properties: Option<Properties>,
    /// `additionalProperties`
    pub additional: Additional,
    /// `items`
    pub items: Option<NodeId>,
    /// Whether this node or one below it has a default.
    pub(crate) has_defaults: bool,
    /// Whether this node or one below it is an embedded resource.
    pub(crate) has_resources: bool,
    /// Whether this node or one below it is a list of type `set` or `map`.
    pub(crate) has_unique_lists: bool,
    /// The indices of the properties that have a default at or below them.
    pub(crate) defaulted: Box<[u32]>,
    /// The indices of the properties that are or contain lists of type `set` or `map`.
    pub(crate) unique: Box<[u32]>,
    /// Whether this node or one below it has rules, except under junctors.
    pub(crate) has_rules: bool,
    /// The value validation.
    pub(crate) checks: Checks,
}

/// `type`
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SchemaType {
    /// Absent, or not a JSON type.
    #[default]
    Untyped,
    /// `object`
    Object,
    /// `array`
    Array,
    /// `string`
    String,
    /// `integer`
    Integer,
    /// `number`
    Number,
    /// `boolean`
    Boolean,
}

/// `x-kubernetes-list-type`
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum ListType {
    /// Absent.
    #[default]
    Unset,
    /// `atomic`
    Atomic,
    /// `set`
    Set,
    /// `map`, keyed by these properties in declaration order.
    Map(Vec<Box<str>>),
}

/// `additionalProperties`
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Additional {
    /// Absent.
    #[default]
    Absent,
    /// `true` or `false`
    Bool(bool),
    /// A schema.
    Schema(NodeId),
}

impl SchemaType {
    /// Returns the type with the given name.
    pub(crate) fn parse(name: &str) -> Self {
        match name {
            "object" => Self::Object,
            "array" => Self::Array,
            "string" => Self::String,
            "integer" => Self::Integer,
            "number" => Self::Number,
            "boolean" => Self::Boolean,
            _ => Self::Untyped,
        }
    }

    /// Returns the name of the type, empty if there is none.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Untyped => "",
            Self::Object => "object",
            Self::Array => "array",
            Self::String => "string",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::Boolean => "boolean",
        }
    }
}

impl CompiledSchema {
    /// Returns the names, scope and subresources of the kind.
    pub fn resource(&self) -> &Resource {
        &self.resource
    }

    /// Returns the Kubernetes version that the schema is compiled for.
    pub fn kubernetes(&self) -> KubernetesVersion {
        self.kubernetes
    }

    /// Returns whether an `apiVersion` is the group and version of the kind, compared as text. If not, only parsing it
    /// can decide.
    pub(crate) fn is_api_version(&self, text: &str) -> bool {
        self.api_version.as_deref() == Some(text)
    }

    /// Returns whether a default contains a `null`.
    pub fn has_null_in_defaults(&self) -> bool {
        self.has_null_in_defaults
    }

    /// Returns the structural schema; `None` if the version has no schema.
    pub fn structural(&self) -> Option<&Structural> {
        self.structural.as_ref()
    }

    /// Returns the compiled rules. The first call compiles them, because they are most of the work of compiling a
    /// schema.
    pub(crate) fn rules(&self) -> &RuleTree {
        self.rules.get_or_init(|| {
            let compile = |schema| RuleTree::compile(schema, true, self.kubernetes);
            self.structural.as_ref().map(compile).unwrap_or_default()
        })
    }

    /// Returns the root node.
    pub fn root(&self) -> &Node {
        &self[self.root]
    }
}

impl Index<NodeId> for CompiledSchema {
    type Output = Node;

    fn index(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }
}

impl Node {
    /// Returns the schema of a declared property.
    #[inline]
    pub fn property(&self, name: &str) -> Option<NodeId> {
        self.properties.as_ref()?.get(name)
    }

    /// Returns the declared properties with the given indices.
    pub fn properties_at(&self, indices: &[u32]) -> impl Iterator<Item = (&str, NodeId)> {
        let properties = self.properties.as_ref();
        indices.iter().filter_map(move |index| properties?.at(*index))
    }
}

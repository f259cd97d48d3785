//! What is generated: Rust types with the attributes that give them back the schema they come from.

use std::collections::BTreeMap;

use serde_json::Value;

use super::code::Key;

/// A Rust type.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Type {
    /// A type of the standard library, as it is written.
    Plain(&'static str),
    /// A type of k8s-openapi or of crd-runtime, by its path.
    Imported(&'static str),
    /// A generated type, by its place in the list of items.
    Item(usize),
    /// `Vec<..>`
    List(Box<Use>),
    /// `BTreeMap<String, ..>`
    Map(Box<Use>),
}

/// A type where it is used, with what belongs to the place.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Use {
    pub(super) ty: Type,
    /// The keys of `#[crd(..)]`. The description is apart, because a field has it as a doc comment.
    pub(super) keys: Vec<Key>,
    pub(super) description: Option<String>,
    pub(super) nullable: bool,
    pub(super) default: Option<Value>,
}

impl Use {
    /// A type of the standard library, without keys.
    pub(super) fn plain(name: &'static str) -> Self {
        let ty = Type::Plain(name);
        Self { ty, keys: Vec::new(), description: None, nullable: false, default: None }
    }
}

/// A generated type.
#[derive(Debug, Clone)]
pub(super) struct Item {
    /// The names on the way to the first place of the type, from the kind down.
    pub(super) path: Vec<String>,
    /// The text of the schema. Types of several kinds with one text are the same. None for `spec` and `status`.
    pub(super) schema: Option<String>,
    pub(super) body: Body,
    /// The keys of `#[crd(..)]` on the type.
    pub(super) keys: Vec<Key>,
    /// The name that the schema gives to itself.
    pub(super) title: Option<String>,
    /// The name that the type had before the definition changed.
    pub(super) previous: Option<String>,
}

#[derive(Debug, Clone)]
pub(super) enum Body {
    Struct {
        fields: Vec<Field>,
        /// Whether the type keeps fields that its schema does not name.
        open: bool,
    },
    /// An enum of names, each as it is in JSON.
    Enum(Vec<String>),
    /// An enum with a content for each variant, whose name is the only field of the object.
    Union(Vec<Field>),
}

/// A field of a struct.
#[derive(Debug, Clone)]
pub(super) struct Field {
    /// The name in JSON.
    pub(super) wire: String,
    pub(super) required: bool,
    /// Whether this is an enum whose variants are fields of the struct.
    pub(super) flatten: bool,
    pub(super) of: Use,
}

/// The types that several kinds have, by their schemas.
#[derive(Debug, Default)]
pub(super) struct Common {
    pub(super) types: BTreeMap<String, CommonType>,
}

/// What all kinds say of a type.
#[derive(Debug)]
pub(super) struct CommonType {
    pub(super) name: String,
    pub(super) doc: Option<String>,
}

impl Common {
    /// Returns what is decided for a type, if several kinds have it.
    pub(super) fn of(&self, item: &Item) -> Option<&CommonType> {
        self.types.get(item.schema.as_ref()?)
    }
}

/// What the types are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// They derive the definition.
    Definition,
    /// Clients of a kind that somebody else installs: serde's derives only.
    Client,
}

//! Declarations of JSON, with which it is read as CEL values in place.
//!
//! A [`Decl`] has the CEL type of each value in a JSON tree, and the sizes that the estimator may
//! assume. The crate with the schema builds it; this crate has no schemas.

use std::sync::Arc;

use crate::escape::escape;
use crate::types::Type;

/// The suffix of a list's name in the name of its elements.
const ELEMENTS: &str = ".@idx";
/// The suffix of a map's name in the name of its values.
const VALUES: &str = ".@elem";

/// The declaration of one value in a JSON tree.
///
/// Source: `k8s.io/apiserver/pkg/cel/types.go`, `DeclType`.
#[derive(Debug, Clone)]
pub struct Decl {
    /// The kind of the value.
    pub kind: DeclKind,
    /// Whether a JSON `null` is a value here; otherwise reading one is an error.
    pub nullable: bool,
    /// The most elements (list items, map entries, code points or bytes of a string) a value can
    /// have; 0 if the type has no elements.
    pub max_elements: u64,
    /// The least size of the value as JSON, in bytes.
    pub min_serialized_size: u64,
}

/// The kind of a value in a JSON tree.
#[derive(Debug, Clone)]
pub enum DeclKind {
    /// A JSON bool.
    Bool,
    /// A JSON integer.
    Int,
    /// A JSON number.
    Double,
    /// A JSON string.
    String,
    /// A JSON string in base64 (`format: byte`).
    Bytes,
    /// A JSON string that is a date (`format: date`), a CEL timestamp.
    Date,
    /// A JSON string that is an RFC 3339 time (`format: date-time`), a CEL timestamp.
    DateTime,
    /// A JSON string that is a duration (`format: duration`).
    Duration,
    /// A JSON integer or string, typed `dyn`.
    IntOrString,
    /// A JSON list.
    List {
        /// The declaration of the elements.
        element: Arc<Decl>,
        /// The list type, which decides how lists compare and concatenate.
        list_type: ListType,
    },
    /// A JSON object with any keys, whose values have one declaration.
    Map {
        /// The declaration of the values.
        value: Arc<Decl>,
        /// The declared fields of the object, which decide how it is read. Only a schema that the server
        /// rejects, with `properties` beside `additionalProperties`, has them.
        fields: Option<Arc<ObjectDecl>>,
    },
    /// A JSON object with declared fields.
    Object(Arc<ObjectDecl>),
    /// Content that CEL cannot look into: only equality works.
    Opaque,
}

/// A list type (`x-kubernetes-list-type`), which decides how a list compares and concatenates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ListType {
    /// As CEL lists do.
    Atomic,
    /// As sets of raw JSON values.
    Set,
    /// As maps keyed by these properties of the elements.
    Map(Arc<[Arc<str>]>),
    /// A list type that the server does not know: reading a list of it is an error.
    Invalid(Arc<str>),
}

/// An object type. Two object types are equal if they have the same name, which depends on their
/// path from a root: see [`Named`].
#[derive(Debug)]
pub struct ObjectDecl {
    /// The fields CEL can see, sorted by `ident`.
    pub fields: Vec<FieldDecl>,
    /// The properties CEL cannot see, because they have no identifier or no type, sorted by `key`.
    /// They are still compared. Their `ident` is not used.
    pub hidden: Vec<FieldDecl>,
}

/// A field of an object type.
#[derive(Debug)]
pub struct FieldDecl {
    /// The escaped name, an identifier.
    pub ident: Arc<str>,
    /// The JSON key.
    pub key: Arc<str>,
    /// The declaration of the value.
    pub decl: Arc<Decl>,
}

/// A declaration, with the name of its object type.
///
/// A declaration has no name of its own, so that roots can share the declarations below them. An
/// object type is named after its path: `name.field` below an object `name`, `name.@idx` below a
/// list, `name.@elem` below a map.
///
/// Source: `k8s.io/apiserver/pkg/cel/types.go`, `MaybeAssignTypeName`.
#[derive(Debug, Clone)]
pub struct Named {
    /// The type's name in error texts, such as `selfType1`.
    pub name: Arc<str>,
    /// The declaration of the value.
    pub decl: Arc<Decl>,
}

impl Named {
    /// A declaration whose object type has this name.
    pub fn new(name: &str, decl: Arc<Decl>) -> Self {
        Self { name: name.into(), decl }
    }

    /// The static type.
    pub fn type_(&self) -> Type {
        self.decl.type_named(&self.name)
    }

    /// The object type of this name, here or below.
    pub(crate) fn object(&self, name: &str) -> Option<&ObjectDecl> {
        let path = name.strip_prefix(&*self.name)?;
        if !path.is_empty() && !path.starts_with('.') {
            return None;
        }
        let mut decl = &self.decl;
        for segment in path.split('.').skip(1) {
            decl = match &decl.kind {
                DeclKind::List { element, .. } if segment == "@idx" => element,
                DeclKind::Map { value, .. } if segment == "@elem" => value,
                DeclKind::Object(object) => &object.field(segment)?.decl,
                _ => return None,
            };
        }
        match &decl.kind {
            DeclKind::Object(object) => Some(object),
            _ => None,
        }
    }
}

impl ObjectDecl {
    /// The index of the field with an escaped name.
    pub(crate) fn field_index(&self, ident: &str) -> Option<usize> {
        self.fields.binary_search_by(|field| (*field.ident).cmp(ident)).ok()
    }

    /// The field with an escaped name.
    pub fn field(&self, ident: &str) -> Option<&FieldDecl> {
        self.fields.get(self.field_index(ident)?)
    }

    /// The visible field with a JSON key.
    pub fn field_by_key(&self, key: &str) -> Option<&FieldDecl> {
        self.field(&escape(key)?)
    }

    /// The field with a JSON key, if CEL cannot see it.
    pub fn hidden_by_key(&self, key: &str) -> Option<&FieldDecl> {
        let index = self.hidden.binary_search_by(|field| (*field.key).cmp(key)).ok()?;
        self.hidden.get(index)
    }

    /// The declared property with a JSON key, visible or not.
    pub(crate) fn property(&self, key: &str) -> Option<&FieldDecl> {
        self.field_by_key(key).or_else(|| self.hidden_by_key(key))
    }
}

impl Decl {
    /// The declaration of a list's elements.
    pub fn element(&self) -> Option<&Arc<Decl>> {
        match &self.kind {
            DeclKind::List { element, .. } => Some(element),
            _ => None,
        }
    }

    /// The static type, if the object type here has the name `name`.
    pub fn type_named(&self, name: &str) -> Type {
        self.type_in(&mut name.to_owned())
    }

    /// As [`type_named`](Self::type_named). The names below are built in `name`, which is restored.
    pub(crate) fn type_in(&self, name: &mut String) -> Type {
        let mut below = |decl: &Self, suffix: &str| {
            let length = name.len();
            name.push_str(suffix);
            let ty = decl.type_in(name);
            name.truncate(length);
            ty
        };
        match &self.kind {
            DeclKind::Bool => Type::Bool,
            DeclKind::Int => Type::Int,
            DeclKind::Double => Type::Double,
            DeclKind::String => Type::String,
            DeclKind::Bytes => Type::Bytes,
            DeclKind::Date | DeclKind::DateTime => Type::Timestamp,
            DeclKind::Duration => Type::Duration,
            DeclKind::IntOrString | DeclKind::Opaque => Type::Dyn,
            DeclKind::List { element, .. } => Type::list(below(element, ELEMENTS)),
            DeclKind::Map { value, .. } => Type::map(Type::String, below(value, VALUES)),
            DeclKind::Object(_) => Type::object(name),
        }
    }
}

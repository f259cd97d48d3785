//! What rules see of a Rust type, as a constant.

use super::types::basic;

/// The CEL type of a Rust type's schema.
#[derive(Debug, Clone, Copy)]
pub enum Declared {
    /// It cannot be told while the crate compiles: whatever a rule does with it is let pass.
    Unknown,
    /// Rules cannot see it: its schema has no type, only `x-kubernetes-preserve-unknown-fields`.
    Hidden,
    /// `dyn`, of an integer or string: checked when the rule runs.
    Dyn,
    /// `bool`
    Bool,
    /// `int`
    Int,
    /// `double`
    Double,
    /// `string`
    String,
    /// `bytes`, of `format: byte`.
    Bytes,
    /// `duration`, of `format: duration`.
    Duration,
    /// `timestamp`, of `format: date` and `format: date-time`.
    Timestamp,
    /// `list(T)`
    List(&'static Declared),
    /// `map(string, T)`
    Map(&'static Declared),
    /// An object with these fields and no others.
    Object(&'static Object),
}

/// An object.
#[derive(Debug, Clone, Copy)]
pub struct Object {
    /// What errors call its type.
    pub name: &'static str,
    /// Its fields.
    pub fields: &'static [Field],
}

impl Object {
    /// Whether the fields of a resource are declared in full: then they are taken as they are.
    ///
    /// Source: as of `RESOURCE`.
    const fn has_type_and_metadata(&self) -> bool {
        let (mut strings, mut metadata) = (0, false);
        let mut i = 0;
        while i < self.fields.len() {
            match (self.fields[i].name.as_bytes(), self.fields[i].of) {
                (b"apiVersion" | b"kind", Declared::String) => strings += 1,
                (b"metadata", Declared::Object(object)) => metadata = object.has_names(),
                _ => {}
            }
            i += 1;
        }
        strings == 2 && metadata
    }

    const fn has_flattened(&self) -> bool {
        let mut i = 0;
        while i < self.fields.len() {
            if self.fields[i].name.is_empty() {
                return true;
            }
            i += 1;
        }
        false
    }

    const fn has_names(&self) -> bool {
        let mut names = 0;
        let mut i = 0;
        while i < self.fields.len() {
            if let (b"name" | b"generateName", Declared::String) =
                (self.fields[i].name.as_bytes(), self.fields[i].of)
            {
                names += 1;
            }
            i += 1;
        }
        names == 2
    }
}

/// A field of an object.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// The name as rules write it, escaped; empty where the fields of `of` are the object's own.
    pub name: &'static str,
    /// What it holds.
    pub of: &'static Declared,
}

/// `string`, to refer to.
const STRING: &Declared = &Declared::String;

/// What every resource has, and all that rules see of its metadata.
///
/// Source: apiextensions-apiserver `pkg/apiserver/schema/cel/model/schemas.go`, `WithTypeAndObjectMeta`.
const RESOURCE: &[Field] = &[
    Field { name: "apiVersion", of: STRING },
    Field { name: "kind", of: STRING },
    Field {
        name: "metadata",
        of: &Declared::Object(&Object {
            name: "ObjectMeta",
            fields: &[
                Field { name: "name", of: STRING },
                Field { name: "generateName", of: STRING },
            ],
        }),
    },
];

impl Declared {
    /// The fields of any resource, to be flattened into a root.
    pub const RESOURCE: Self = Self::Object(&Object { name: "Resource", fields: RESOURCE });

    /// An object without fields: whatever is in it, rules cannot name it.
    pub const OPEN_OBJECT: Self = Self::Object(&Object { name: "object", fields: &[] });

    /// The type with another `format`.
    #[must_use]
    pub const fn with_format(self, format: &str) -> Self {
        match (self, format.as_bytes()) {
            (Self::String | Self::Bytes | Self::Duration | Self::Timestamp, format) => match format
            {
                b"byte" => Self::Bytes,
                b"duration" => Self::Duration,
                b"date" | b"date-time" => Self::Timestamp,
                _ => Self::String,
            },
            _ => self,
        }
    }

    /// The type with `x-kubernetes-embedded-resource`: an object, if it was not one, with type and metadata.
    ///
    /// `with_resource` is the object with [`RESOURCE`](Self::RESOURCE) before its own fields.
    #[must_use]
    pub const fn embedded_resource(self, with_resource: &'static Object) -> Self {
        match self {
            Self::Hidden | Self::Map(_) => Self::RESOURCE,
            // Where fields come from is not followed there.
            Self::Object(object) if object.has_flattened() => Self::Unknown,
            Self::Object(object) if object.has_type_and_metadata() => self,
            Self::Object(_) => Self::Object(with_resource),
            _ => Self::Unknown,
        }
    }

    /// This list or map, if `before` was one; what is not known stays so.
    #[must_use]
    pub const fn or_unknown(self, before: &Self) -> Self {
        match (&self, before) {
            (Self::List(_), Self::List(_)) | (Self::Map(_), Self::Map(_)) => self,
            (_, before) => match before {
                Self::List(_) | Self::Map(_) => Self::Unknown,
                other => *other,
            },
        }
    }

    /// The elements of a list or values of a map; unknown where there are none.
    #[must_use]
    pub const fn inner(&self) -> Self {
        match self {
            Self::List(inner) | Self::Map(inner) => **inner,
            _ => Self::Unknown,
        }
    }

    /// A map with these values, which rules see as an object where they cannot see the values.
    #[must_use]
    pub const fn map_of(values: &'static Self) -> Self {
        match values {
            Self::Hidden => Self::OPEN_OBJECT,
            values => Self::Map(values),
        }
    }

    /// The code of a type without parts.
    pub(super) const fn basic(&self) -> u8 {
        match self {
            Self::Dyn => basic::DYN,
            Self::Bool => basic::BOOL,
            Self::Int => basic::INT,
            Self::Double => basic::DOUBLE,
            Self::String => basic::STRING,
            Self::Bytes => basic::BYTES,
            Self::Duration => basic::DURATION,
            Self::Timestamp => basic::TIMESTAMP,
            _ => basic::UNKNOWN,
        }
    }

    /// Whether rules cannot see it, in itself or in what it holds.
    pub(super) const fn is_hidden(&self) -> bool {
        let mut at = self;
        loop {
            match at {
                Self::Hidden => return true,
                Self::List(inner) | Self::Map(inner) => at = inner,
                _ => return false,
            }
        }
    }
}

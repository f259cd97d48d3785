//! The CEL type of a Rust type, as a constant.

use super::fuel::Fuel;
use super::name::Name;

/// The CEL type of a Rust type's schema.
#[derive(Debug, Clone, Copy)]
pub enum Declared {
    /// Unknown at compile time: every use of it in a rule is accepted.
    Unknown,
    /// Rules cannot see it: its schema has no type, only `x-kubernetes-preserve-unknown-fields`.
    Hidden,
    /// `dyn`: an integer or a string. Uses that fit only one of the two are checked when the rule runs.
    Dyn,
    /// `bool`
    Bool,
    /// `int`
    Int,
    /// `double`
    Double,
    /// `string`
    String,
    /// `string` that is one of these.
    Enum(&'static [&'static str]),
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
    /// An object with fields of these names, escaped for rules. Each may be absent, and all have
    /// the same type.
    Keyed(&'static [&'static str], &'static Declared),
    /// The widened schema of an enum with these alternatives.
    OneOf(&'static [Declared]),
}

/// An object.
#[derive(Debug, Clone, Copy)]
pub struct Object {
    /// The name of its type in errors.
    pub name: &'static str,
    /// Its fields.
    pub fields: &'static [Field],
}

impl Object {
    /// Whether it declares the fields of a resource itself (`apiVersion`, `kind`, and `metadata`
    /// with its names): then none are added.
    ///
    /// Source: that of `RESOURCE`.
    pub(super) const fn has_type_and_metadata(&self) -> bool {
        let (mut strings, mut metadata) = (0, false);
        let mut i = 0;
        while i < self.fields.len() {
            match (self.fields[i].name.as_bytes(), self.fields[i].of) {
                (b"apiVersion" | b"kind", of) if of.is_string() => strings += 1,
                (b"metadata", Declared::Object(object)) => metadata = object.has_names(),
                _ => {}
            }
            i += 1;
        }
        strings == 2 && metadata
    }

    /// Whether the fields that any resource has are flattened into it.
    pub(super) const fn is_resource(&self) -> bool {
        let mut fields = self.fields;
        while let [field, rest @ ..] = fields {
            if let ([], Declared::Object(part)) = (field.name.as_bytes(), field.of)
                && part.has_type_and_metadata()
            {
                return true;
            }
            fields = rest;
        }
        false
    }

    pub(super) const fn has_flattened(&self) -> bool {
        let mut fields = self.fields;
        while let [field, rest @ ..] = fields {
            if field.name.is_empty() {
                return true;
            }
            fields = rest;
        }
        false
    }

    const fn has_names(&self) -> bool {
        let mut names = 0;
        let mut i = 0;
        while i < self.fields.len() {
            if let b"name" | b"generateName" = self.fields[i].name.as_bytes()
                && self.fields[i].of.is_string()
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
    /// The name as rules write it, escaped; empty if the fields of `of` are the object's own.
    pub name: &'static str,
    /// The declaration of its value.
    pub of: &'static Declared,
}

impl Field {
    /// The fields from the first on that has this name or is of a flattened type.
    ///
    /// PERF: of all steps here, calls take rustc the longest, also those of `len`. So all names with
    /// another last byte are skipped within one call of this function, and patterns look at slices.
    pub(super) const fn next<'f>(
        mut fields: &'f [Self],
        name: Name<'_>,
        fuel: &mut Fuel,
    ) -> &'f [Self] {
        let wanted = name.last();
        while let [field, rest @ ..] = fields {
            fuel.spent += 10;
            let bytes = field.name.as_bytes();
            let [.., last] = bytes else { break };
            if *last == wanted {
                fuel.spent += 16 + 3 * name.len;
                if name.is(bytes) {
                    break;
                }
            }
            fields = rest;
        }
        fields
    }
}

/// The fields that every resource has, with all that rules see of its metadata.
///
/// Source: apiextensions-apiserver `pkg/apiserver/schema/cel/model/schemas.go`,
/// `WithTypeAndObjectMeta`.
const RESOURCE: &[Field] = &[
    Field { name: "apiVersion", of: &Declared::String },
    Field { name: "kind", of: &Declared::String },
    Field {
        name: "metadata",
        of: &Declared::Object(&Object {
            name: "ObjectMeta",
            fields: &[
                Field { name: "name", of: &Declared::String },
                Field { name: "generateName", of: &Declared::String },
            ],
        }),
    },
];

impl Declared {
    /// The fields of any resource, to be flattened into a root.
    pub const RESOURCE: Self = Self::Object(&Object { name: "Resource", fields: RESOURCE });

    /// An object without fields: whatever is in it, rules cannot name it.
    pub const OPEN_OBJECT: Self = Self::Object(&Object { name: "object", fields: &[] });

    /// Whether it is a string of no format.
    pub(super) const fn is_string(&self) -> bool {
        matches!(self, Self::String | Self::Enum(_))
    }
}

//! What rustc knows of a schema: constants that checks across types are evaluated on.

use super::Declared;

/// What kind of JSON a type becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// An object with known fields.
    Object,
    /// An object with free keys.
    Map,
    /// A list.
    List,
    /// A list without duplicates.
    Set,
    /// A string.
    String,
    /// A string out of a known few.
    Enum,
    /// An integer.
    Integer,
    /// A number.
    Number,
    /// A boolean.
    Boolean,
    /// An integer or a string.
    IntOrString,
    /// Any JSON.
    Any,
    /// `null` alone.
    Null,
    /// One of several kinds.
    Union,
    /// Not known: checks pass.
    Opaque,
}

/// The shape of a type's schema, as constants.
///
/// Referring to the shapes of its fields makes a recursive type an error of rustc: a schema cannot be
/// infinite.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    /// What kind of JSON it is.
    pub kind: Kind,
    /// Whether it is an `Option`.
    pub optional: bool,
    /// The fields of an object.
    pub fields: &'static [FieldShape],
    /// The elements of a list or the values of a map.
    pub items: Option<&'static Shape>,
    /// The variants of an enum with content.
    pub variants: &'static [Shape],
}

/// A field of an object.
#[derive(Debug, Clone, Copy)]
pub struct FieldShape {
    /// The name in JSON.
    pub name: &'static str,
    /// Whether it is always there: required, or filled in by the server.
    pub always: bool,
    /// What it holds.
    pub shape: &'static Shape,
}

impl Shape {
    /// A shape without parts.
    #[must_use]
    pub const fn of(kind: Kind) -> Self {
        Self { kind, optional: false, fields: &[], items: None, variants: &[] }
    }

    /// A list or map.
    #[must_use]
    pub const fn container(kind: Kind, items: &'static Self) -> Self {
        Self { items: Some(items), ..Self::of(kind) }
    }

    /// The same in an `Option`.
    #[must_use]
    pub const fn optional(self) -> Self {
        Self { optional: true, ..self }
    }
}

/// What rules see of a type without parts, a string being one without a format.
pub(super) const fn declared(kind: Kind) -> Declared {
    match kind {
        Kind::String | Kind::Enum => Declared::String,
        Kind::Integer => Declared::Int,
        Kind::Number => Declared::Double,
        Kind::Boolean => Declared::Bool,
        Kind::IntOrString => Declared::Dyn,
        Kind::Any => Declared::Hidden,
        Kind::Null | Kind::Map => Declared::OPEN_OBJECT,
        Kind::Object | Kind::List | Kind::Set | Kind::Union | Kind::Opaque => Declared::Unknown,
    }
}

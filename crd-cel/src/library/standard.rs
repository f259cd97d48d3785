//! The standard functions: operators, conversions, `size` and the basic string tests.
//!
//! Source: cel-go `common/stdlib/standard.go`.

use super::row::{NamedType, Row, Sig};
use super::{conversions, operators, text};

/// The overloads.
pub(super) const OVERLOADS: &[&[Row]] = &[
    operators::LOGIC,
    operators::ARITHMETIC,
    operators::LESS,
    operators::LESS_EQUALS,
    operators::GREATER,
    operators::GREATER_EQUALS,
    operators::MEMBERS,
    conversions::OVERLOADS,
    text::OVERLOADS,
];

/// The types that have a name.
pub(super) const TYPES: &[NamedType] = &[
    NamedType::new("bool", Sig::Bool),
    NamedType::new("bytes", Sig::Bytes),
    NamedType::new("double", Sig::Double),
    NamedType::new("google.protobuf.Duration", Sig::Duration),
    NamedType::new("int", Sig::Int),
    NamedType::new("list", Sig::List(&Sig::Param("A"))),
    NamedType::new("map", Sig::Map(&Sig::Param("A"), &Sig::Param("B"))),
    NamedType::new("null_type", Sig::Null),
    NamedType::new("string", Sig::String),
    NamedType::new("google.protobuf.Timestamp", Sig::Timestamp),
    NamedType::new("type", Sig::Type),
    NamedType::new("uint", Sig::Uint),
];

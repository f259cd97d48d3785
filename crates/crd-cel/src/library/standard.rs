//! The standard functions: operators, conversions, `size` and the basic string tests.
//!
//! Source: cel-go `common/stdlib/standard.go`.

use super::row::{NamedType, Row, StandsFor};
use super::{conversions, operators, text};
use crate::basic;

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

/// The names of types that expressions can use as values, such as `int` in `type(self) == int`.
pub(super) const TYPES: &[NamedType] = &[
    NamedType::new("bool", StandsFor::Basic(basic::BOOL)),
    NamedType::new("bytes", StandsFor::Basic(basic::BYTES)),
    NamedType::new("double", StandsFor::Basic(basic::DOUBLE)),
    NamedType::new("google.protobuf.Duration", StandsFor::Basic(basic::DURATION)),
    NamedType::new("int", StandsFor::Basic(basic::INT)),
    NamedType::new("list", StandsFor::List),
    NamedType::new("map", StandsFor::Map),
    NamedType::new("null_type", StandsFor::Basic(basic::NULL)),
    NamedType::new("string", StandsFor::Basic(basic::STRING)),
    NamedType::new("google.protobuf.Timestamp", StandsFor::Basic(basic::TIMESTAMP)),
    NamedType::new("type", StandsFor::Type),
    NamedType::new("uint", StandsFor::Basic(basic::UINT)),
];

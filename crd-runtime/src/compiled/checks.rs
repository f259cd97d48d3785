//! What a value must keep at a node, made ready.

use std::fmt;

use crd_cel::re2::{self, Regex};
use serde_json::Value;

use super::{NodeId, SchemaType};
use crate::format::{self, Format};

/// The value validation of a node. Keywords of a group that is absent cost one `None`.
#[derive(Debug, Default)]
pub(crate) struct Checks {
    pub(crate) types: Types,
    pub(crate) format: Option<FormatCheck>,
    pub(crate) number: Option<Box<NumberChecks>>,
    pub(crate) string: Option<Box<StringChecks>>,
    pub(crate) array: Option<Box<ArrayChecks>>,
    pub(crate) object: Option<Box<ObjectChecks>>,
    /// `enum`; empty where absent.
    pub(crate) enum_: Box<[Value]>,
    pub(crate) junctors: Option<Box<Junctors>>,
}

/// The JSON types that a node names. Prints as in messages.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) enum Types {
    /// None: any.
    #[default]
    Any,
    /// `type`
    One(SchemaType),
    /// `x-kubernetes-int-or-string`
    IntegerOrString,
    /// A `type` that JSON does not know. CRDs that are old enough may hold one.
    Unknown(Box<str>),
}

/// `format`, where it means something for the type.
#[derive(Debug)]
pub(crate) struct FormatCheck {
    /// As the schema writes it.
    pub(crate) name: Box<str>,
    /// Which strings are of the format; `None` where it says nothing of strings.
    pub(crate) strings: Option<Format>,
    /// Which numbers.
    pub(crate) numbers: NumberFormat,
}

/// A format of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NumberFormat {
    /// None that limits them.
    Other,
    /// `int32`
    Int32,
    /// `int64`
    Int64,
    /// `float`
    Float,
}

/// `minimum` and the like.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct NumberChecks {
    pub(crate) minimum: Option<f64>,
    pub(crate) exclusive_minimum: bool,
    pub(crate) maximum: Option<f64>,
    pub(crate) exclusive_maximum: bool,
    pub(crate) multiple_of: Option<f64>,
}

/// `minLength` and the like.
#[derive(Debug, Default)]
pub(crate) struct StringChecks {
    /// In code points.
    pub(crate) min_length: Option<i64>,
    /// In code points.
    pub(crate) max_length: Option<i64>,
    pub(crate) pattern: Option<Pattern>,
}

/// `pattern`
#[derive(Debug)]
pub(crate) struct Pattern {
    /// As the schema writes it.
    pub(crate) source: Box<str>,
    /// Ready, or what Go says of it: a CRD may be read that would not be accepted.
    pub(crate) regex: Result<Regex, re2::Error>,
}

/// `minItems` and the like.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::struct_field_names, reason = "each is named for its keyword")]
pub(crate) struct ArrayChecks {
    pub(crate) min_items: Option<i64>,
    pub(crate) max_items: Option<i64>,
    pub(crate) unique_items: bool,
}

/// `required` and the like.
#[derive(Debug, Default)]
pub(crate) struct ObjectChecks {
    pub(crate) min_properties: Option<i64>,
    pub(crate) max_properties: Option<i64>,
    pub(crate) required: Box<[Box<str>]>,
}

/// `anyOf`, `oneOf`, `allOf` and `not`.
#[derive(Debug, Default)]
pub(crate) struct Junctors {
    pub(crate) any_of: Box<[NodeId]>,
    pub(crate) one_of: Box<[NodeId]>,
    pub(crate) all_of: Box<[NodeId]>,
    pub(crate) not: Option<NodeId>,
}

impl FormatCheck {
    /// Looks a format up.
    pub(super) fn new(name: &str) -> Self {
        let numbers = match name {
            "int32" => NumberFormat::Int32,
            "int64" => NumberFormat::Int64,
            "float" => NumberFormat::Float,
            _ => NumberFormat::Other,
        };
        Self { name: name.into(), strings: format::find(name), numbers }
    }
}

impl Pattern {
    /// Compiles a pattern.
    pub(super) fn new(source: &str) -> Self {
        Self { source: source.into(), regex: Regex::new(source) }
    }
}

impl Types {
    /// Whether none is named.
    pub(crate) fn is_any(&self) -> bool {
        *self == Self::Any
    }

    /// Whether a type is named.
    #[inline]
    pub(crate) fn contains(&self, type_: SchemaType) -> bool {
        match self {
            Self::Any | Self::Unknown(_) => false,
            Self::One(one) => *one == type_,
            Self::IntegerOrString => matches!(type_, SchemaType::Integer | SchemaType::String),
        }
    }

    /// Whether a `null` is of a named type, whatever `nullable` says.
    pub(crate) fn allows_null(&self) -> bool {
        match self {
            Self::Any => true,
            Self::Unknown(name) => &**name == "null",
            Self::One(_) | Self::IntegerOrString => false,
        }
    }
}

impl fmt::Display for Types {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Any => "",
            Self::One(type_) => type_.as_str(),
            Self::IntegerOrString => "integer,string",
            Self::Unknown(name) => name,
        })
    }
}

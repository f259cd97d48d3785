//! The value validation of a node, compiled.

use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, OnceLock};

use crd_cel::re2::{self, Regex};
use serde_json::Value;

use super::{NodeId, SchemaType};
use crate::{field, json};
use crd_cel::domain::format::{self, Format};

/// The keywords of a node that validate values. A group of keywords is `None` if the node has none of them, such as
/// `number` without `minimum`, `maximum` and `multipleOf`.
#[derive(Debug, Default)]
pub(crate) struct Checks {
    pub(crate) types: Types,
    pub(crate) format: Option<FormatCheck>,
    pub(crate) number: Option<Box<NumberChecks>>,
    pub(crate) string: Option<Box<StringChecks>>,
    pub(crate) array: Option<Box<ArrayChecks>>,
    pub(crate) object: Option<Box<ObjectChecks>>,
    /// `enum`
    pub(crate) enum_: Option<Box<Enumeration>>,
    pub(crate) junctors: Option<Box<Junctors>>,
    /// Facts by which most valid values are accepted without looking at the keywords.
    pub(crate) shortcuts: Shortcuts,
    /// Whether a number that is an integer except for a rounding error is compared with the nearest integer, as servers
    /// since 1.37 do. Older servers compare it with its integer part, so that 0.999999999999 is not accepted as 1.
    pub(crate) rounds: bool,
    /// Whether numbers are checked against the range of their type and format.
    pub(crate) ranges: bool,
}

/// Facts about a node by which most valid values are accepted quickly. Any other value needs the full check.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Shortcuts {
    /// JSON types that certainly pass the check of `type`; for values of the others the check is run.
    pub(crate) typed: JsonTypes,
    /// The JSON types whose values are always valid. Items and properties of such values are checked separately.
    pub(crate) valid: JsonTypes,
    /// The integers that satisfy the keywords and the format of numbers; `None` if only the full check can decide.
    pub(crate) ints: Option<IntRange>,
}

/// `enum`
#[derive(Debug)]
pub(crate) struct Enumeration {
    pub(crate) members: Box<[Value]>,
    texts: OnceLock<Arc<EnumerationTexts>>,
}

/// What errors say of the members of an enumeration. All errors say the same, and the list may be long.
#[derive(Debug)]
pub(crate) struct EnumerationTexts {
    /// `should be one of [a b]`
    pub(crate) message: Box<str>,
    /// `supported values: "a", "b"`
    pub(crate) detail: Box<str>,
}

impl Enumeration {
    /// Returns the enumeration of these members; `None` if there are none.
    pub(crate) fn of(members: Box<[Value]>) -> Option<Box<Self>> {
        (!members.is_empty()).then(|| Box::new(Self { members, texts: OnceLock::new() }))
    }

    /// Returns the texts, which the first error makes.
    pub(crate) fn texts(&self) -> &Arc<EnumerationTexts> {
        self.texts.get_or_init(|| {
            let list = json::to_go_v(&Value::Array(self.members.to_vec()));
            // Strings are listed verbatim, other values as JSON.
            let listed = self.members.iter().map(|member| match member {
                Value::String(text) => Cow::Borrowed(&**text),
                value => Cow::Owned(json::to_go_string(value)),
            });
            Arc::new(EnumerationTexts {
                message: format!("should be one of {list}").into(),
                detail: field::supported_values(listed).into(),
            })
        })
    }
}

/// A range of integers, both ends included.
#[derive(Debug, Clone, Copy)]
pub(crate) struct IntRange {
    least: i64,
    most: i64,
}

/// A set of JSON types, one bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct JsonTypes(u8);

/// The types that a node accepts, displayed as in messages.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) enum Types {
    /// No `type`: any JSON type.
    #[default]
    Any,
    /// `type`
    One(SchemaType),
    /// `x-kubernetes-int-or-string`
    IntegerOrString,
    /// A `type` that is not a type of JSON. A CRD that an old server has stored may contain one.
    Unknown(Box<str>),
}

/// `format`, if it applies to the type.
#[derive(Debug)]
pub(crate) struct FormatCheck {
    /// The text in the schema.
    pub(crate) name: Box<str>,
    /// The check of strings; `None` if the format does not apply to strings.
    pub(crate) strings: Option<Format>,
    /// The range of numbers.
    pub(crate) numbers: NumberFormat,
}

/// A format of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NumberFormat {
    /// No limit.
    Other,
    /// `int32`
    Int32,
    /// `int64`
    Int64,
    /// `float`
    Float,
}

/// `minimum` and the other keywords of numbers.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct NumberChecks {
    pub(crate) minimum: Option<f64>,
    pub(crate) exclusive_minimum: bool,
    pub(crate) maximum: Option<f64>,
    pub(crate) exclusive_maximum: bool,
    pub(crate) multiple_of: Option<f64>,
}

/// `minLength` and the other keywords of strings.
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
    /// The text in the schema.
    pub(crate) source: Box<str>,
    /// The compiled pattern, or Go's error: a stored CRD may have an invalid pattern, which is rejected in a new one.
    pub(crate) regex: Result<Regex, re2::Error>,
}

/// `minItems` and the other keywords of lists.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::struct_field_names, reason = "each is named for its keyword")]
pub(crate) struct ArrayChecks {
    pub(crate) min_items: Option<i64>,
    pub(crate) max_items: Option<i64>,
    pub(crate) unique_items: bool,
}

/// `required` and the other keywords of objects.
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

impl JsonTypes {
    const NULL: Self = Self(1);
    const BOOL: Self = Self(1 << 1);
    /// Integer literals within int64.
    const INT: Self = Self(1 << 2);
    /// All other numbers.
    const FLOAT: Self = Self(1 << 3);
    const STRING: Self = Self(1 << 4);
    const ARRAY: Self = Self(1 << 5);
    const OBJECT: Self = Self(1 << 6);

    /// Returns the set that contains only the JSON type of a value.
    #[inline]
    pub(crate) fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::NULL,
            Value::Bool(_) => Self::BOOL,
            Value::Number(number) if number.is_i64() => Self::INT,
            Value::Number(_) => Self::FLOAT,
            Value::String(_) => Self::STRING,
            Value::Array(_) => Self::ARRAY,
            Value::Object(_) => Self::OBJECT,
        }
    }

    /// Returns whether the two sets intersect.
    #[inline]
    pub(crate) const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns the union of the two sets.
    const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the union of the two sets if `also` is true.
    const fn with(self, other: Self, also: bool) -> Self {
        if also { self.union(other) } else { self }
    }

    /// Returns the types that are in this set and not in the other.
    const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Returns the complement.
    const fn complement(self) -> Self {
        Self(!self.0)
    }
}

impl IntRange {
    /// 2^53: every integer up to it is a float64.
    const EXACT: f64 = 9_007_199_254_740_992.0;

    #[inline]
    pub(crate) fn contains(self, int: i64) -> bool {
        self.least <= int && int <= self.most
    }

    const fn is_all(self) -> bool {
        self.least == i64::MIN && self.most == i64::MAX
    }

    /// Returns the integers within the limits; `None` leaves the decision to the full check: for `multipleOf`, and for
    /// limits that have a fraction, exceed 2^53 or are outside the range of the type.
    fn of(checks: &Checks) -> Option<Self> {
        let is_int32 = checks.types == Types::One(SchemaType::Integer)
            && checks.format.as_ref().is_some_and(|format| format.numbers == NumberFormat::Int32);
        let all = if is_int32 {
            Self { least: i32::MIN.into(), most: i32::MAX.into() }
        } else {
            Self { least: i64::MIN, most: i64::MAX }
        };
        let Some(number) = &checks.number else { return Some(all) };
        #[expect(clippy::cast_possible_truncation, reason = "an integer within int64")]
        let whole = |limit: f64| {
            let is_whole = limit.fract() == 0.0 && limit.abs() <= Self::EXACT;
            is_whole.then_some(limit as i64).filter(|limit| all.contains(*limit))
        };
        if number.multiple_of.is_some() {
            return None;
        }
        let least = match number.minimum {
            None => all.least,
            Some(minimum) => whole(minimum)? + i64::from(number.exclusive_minimum),
        };
        let most = match number.maximum {
            None => all.most,
            Some(maximum) => whole(maximum)? - i64::from(number.exclusive_maximum),
        };
        Some(Self { least, most })
    }
}

impl Shortcuts {
    /// Computes the facts of a node.
    pub(super) fn of(checks: &Checks, nullable: bool) -> Self {
        use SchemaType::{Array, Boolean, Integer, Number, Object, String};
        let Checks { types, format, enum_, junctors, .. } = checks;
        let typed = match (types, format) {
            (Types::Any, None) => JsonTypes::NULL.complement(),
            (Types::One(Object), None) => JsonTypes::OBJECT,
            (Types::One(Array), None) => JsonTypes::ARRAY,
            (Types::One(Boolean), None) => JsonTypes::BOOL,
            (Types::One(String), _) => JsonTypes::STRING,
            (Types::One(Number), None) => JsonTypes::INT.union(JsonTypes::FLOAT),
            (Types::One(Integer | Number), _) => JsonTypes::INT,
            (Types::IntegerOrString, None) => JsonTypes::INT.union(JsonTypes::STRING),
            _ => JsonTypes::default(),
        };
        let ints = IntRange::of(checks);
        let bounded = JsonTypes::default()
            .with(JsonTypes::INT, !ints.is_some_and(IntRange::is_all))
            .with(JsonTypes::FLOAT, checks.number.is_some())
            .with(JsonTypes::STRING, checks.string.is_some() || format.is_some())
            .with(JsonTypes::ARRAY, checks.array.is_some())
            .with(JsonTypes::OBJECT, checks.object.is_some());
        let mut valid = typed.without(bounded);
        if junctors.is_some() {
            valid = JsonTypes::default();
        }
        valid = valid.with(JsonTypes::NULL, nullable || types.allows_null());
        if enum_.is_some() {
            valid = JsonTypes::default();
        }
        Self { typed, valid, ints }
    }
}

impl FormatCheck {
    /// Looks up a format by its name.
    pub(super) fn new(name: &str) -> Self {
        let numbers = match name {
            "int32" => NumberFormat::Int32,
            "int64" => NumberFormat::Int64,
            "float" => NumberFormat::Float,
            _ => NumberFormat::Other,
        };
        Self { name: name.into(), strings: format::find(name), numbers }
    }

    /// Returns the check of a format that the server does not know.
    pub(super) fn unknown(name: &str) -> Self {
        Self { name: name.into(), strings: None, numbers: NumberFormat::Other }
    }
}

impl Pattern {
    /// Compiles a pattern.
    pub(super) fn new(source: &str) -> Self {
        Self { source: source.into(), regex: Regex::new(source) }
    }
}

impl Types {
    /// Returns whether any type is accepted.
    pub(crate) fn is_any(&self) -> bool {
        *self == Self::Any
    }

    /// Returns whether `type` lists a JSON type; `false` for [`Types::Any`], which lists none.
    #[inline]
    pub(crate) fn contains(&self, type_: SchemaType) -> bool {
        match self {
            Self::Any | Self::Unknown(_) => false,
            Self::One(one) => *one == type_,
            Self::IntegerOrString => matches!(type_, SchemaType::Integer | SchemaType::String),
        }
    }

    /// Returns whether `null` is of an accepted type, regardless of `nullable`.
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

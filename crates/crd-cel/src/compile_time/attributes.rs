//! Changes declarations by attributes: formats, bounds, enumerations, tags.

use super::basic;
use super::declared::{CODE_POINT_BYTES, Declared, MaxElements, Object, longest};
use super::fuel::{Fuel, WALK};
use super::kinds::{Kinds, MergedType};

impl MaxElements {
    /// The smaller one of two bounds.
    const fn and(self, most: u64) -> Self {
        match self {
            Self::Of(before) if before < most => self,
            Self::Fitting | Self::Of(_) => Self::Of(most),
        }
    }
}

impl Declared {
    /// The type with another `format`.
    #[must_use]
    pub const fn with_format(self, format: &str) -> Self {
        match (self, format.as_bytes()) {
            (
                Self::String
                | Self::Text(_)
                | Self::Enum(_)
                | Self::Bytes
                | Self::Duration
                | Self::Timestamp,
                format,
            ) => match (format, self) {
                (b"byte", _) => Self::Bytes,
                (b"duration", _) => Self::Duration,
                (b"date" | b"date-time", _) => Self::Timestamp,
                (_, Self::Text(_) | Self::Enum(_)) => self,
                _ => Self::String,
            },
            (Self::OneOf(_), _) => match Kinds::of(&self, &mut Fuel::new(WALK)).merged() {
                MergedType::Basic(
                    basic::STRING | basic::BYTES | basic::DURATION | basic::TIMESTAMP,
                ) => Self::String.with_format(format),
                MergedType::Unknown => Self::Unknown,
                _ => self,
            },
            _ => self,
        }
    }

    /// The type with `maxLength`, in code points.
    #[must_use]
    pub const fn with_max_length(self, most: u64) -> Self {
        let most = most.saturating_mul(CODE_POINT_BYTES);
        match self {
            Self::Dyn(before) if most < before => Self::Dyn(most),
            _ => self.with_longest(most),
        }
    }

    /// The type with strings of at most `most` bytes, if it is a string.
    #[must_use]
    pub const fn with_longest(self, most: u64) -> Self {
        match self {
            Self::Text(before) if most < before => Self::Text(most),
            Self::Enum(values) if most < longest(values) => Self::Text(most),
            _ => self,
        }
    }

    /// The type with `enum`, if it is a string.
    #[must_use]
    pub const fn with_values_of(self, values: &'static [&'static str]) -> Self {
        match self {
            Self::Text(most) if most >= longest(values) => Self::Enum(values),
            // A value must be in both enumerations, so the shorter bound holds.
            Self::Enum(before) if longest(values) < longest(before) => Self::Text(longest(values)),
            Self::Enum(before) => Self::Text(longest(before)),
            _ => self,
        }
    }

    /// The type with `maxItems`.
    #[must_use]
    pub const fn with_max_items(self, most: u64) -> Self {
        match self {
            Self::List(inner, before) => Self::List(inner, before.and(most)),
            _ => self,
        }
    }

    /// The type with `maxProperties`.
    #[must_use]
    pub const fn with_max_properties(self, most: u64) -> Self {
        match self {
            Self::Map(inner, before) => Self::Map(inner, before.and(most)),
            _ => self,
        }
    }

    /// The type with `x-kubernetes-embedded-resource`: an object with type and metadata, if this is a map, a hidden
    /// value or an object that has no flattened types; unknown otherwise.
    ///
    /// `with_resource` is the object with [`RESOURCE`](Self::RESOURCE) before its own fields.
    #[must_use]
    pub const fn embedded_resource(self, with_resource: &'static Object) -> Self {
        match self {
            Self::Hidden | Self::Map(..) => Self::RESOURCE,
            // A flattened type could have the fields of a resource; this is not examined.
            Self::Object(object) if object.has_flattened() => Self::Unknown,
            Self::Object(object) if object.has_type_and_metadata() => self,
            Self::Object(_) => Self::Object(with_resource),
            _ => Self::Unknown,
        }
    }

    /// The content of an internally tagged variant; `with_tag` is an object with the fields of the content and the tag.
    #[must_use]
    pub const fn tagged(self, with_tag: &'static Object) -> Self {
        match Kinds::of(&self, &mut Fuel::new(WALK)).merged() {
            MergedType::Object | MergedType::Map => Self::Object(with_tag),
            _ => Self::Unknown,
        }
    }

    /// A list of `inner` with the bounds of this list. A map or a [`OneOf`](Self::OneOf) becomes
    /// unknown; other types stay as they are.
    #[must_use]
    pub const fn with_items(self, inner: &'static Self) -> Self {
        match self {
            Self::List(_, most) => Self::List(inner, most),
            Self::Map(..) | Self::OneOf(_) => Self::Unknown,
            other => other,
        }
    }

    /// A map of `inner` with the bounds of this map. A list or a [`OneOf`](Self::OneOf) becomes
    /// unknown; other types stay as they are.
    #[must_use]
    pub const fn with_values(self, inner: &'static Self) -> Self {
        match self {
            Self::Map(_, most) => Self::Map(inner, most),
            Self::List(..) | Self::OneOf(_) => Self::Unknown,
            other => other,
        }
    }

    /// The elements of a list or the values of a map; unknown for other types.
    #[must_use]
    pub const fn inner(&self) -> Self {
        match self {
            Self::List(inner, _) | Self::Map(inner, _) => **inner,
            _ => Self::Unknown,
        }
    }

    /// A map with these values. If rules cannot see the values, they see the map as an object.
    #[must_use]
    pub const fn map_of(values: &'static Self) -> Self {
        match values {
            Self::Hidden => Self::OPEN_OBJECT,
            values => Self::Map(values, MaxElements::Fitting),
        }
    }
}

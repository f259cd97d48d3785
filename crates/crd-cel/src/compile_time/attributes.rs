//! Changes declarations by attributes: formats, bounds, enumerations, tags.

use super::basic;
use super::declared::{Declared, Object};
use super::fuel::{Fuel, WALK};
use super::kinds::{Kinds, MergedType};

impl Declared {
    /// The type with another `format`.
    #[must_use]
    pub const fn with_format(self, format: &str) -> Self {
        match (self, format.as_bytes()) {
            (
                Self::String | Self::Enum(_) | Self::Bytes | Self::Duration | Self::Timestamp,
                format,
            ) => match (format, self) {
                (b"byte", _) => Self::Bytes,
                (b"duration", _) => Self::Duration,
                (b"date" | b"date-time", _) => Self::Timestamp,
                (_, Self::Enum(_)) => self,
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

    /// The type with `enum`, if it is a string.
    #[must_use]
    pub const fn with_values_of(self, values: &'static [&'static str]) -> Self {
        match self {
            Self::String => Self::Enum(values),
            // A value must be in both enumerations.
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

    /// A list or map of `inner`, if this is a list or map. A [`OneOf`](Self::OneOf) becomes unknown; other types stay as
    /// they are.
    #[must_use]
    pub const fn with_inner(self, inner: &'static Self) -> Self {
        match self {
            Self::List(_) => Self::List(inner),
            Self::Map(_) => Self::Map(inner),
            Self::OneOf(_) => Self::Unknown,
            other => other,
        }
    }

    /// The elements of a list or the values of a map; unknown for other types.
    #[must_use]
    pub const fn inner(&self) -> Self {
        match self {
            Self::List(inner) | Self::Map(inner) => **inner,
            _ => Self::Unknown,
        }
    }

    /// A map with these values. If rules cannot see the values, they see the map as an object.
    #[must_use]
    pub const fn map_of(values: &'static Self) -> Self {
        match values {
            Self::Hidden => Self::OPEN_OBJECT,
            values => Self::Map(values),
        }
    }
}

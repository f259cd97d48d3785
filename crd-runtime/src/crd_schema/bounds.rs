//! Bounds that attributes give to the values of a type. Literals in attributes of other types, such as the default of a
//! field of this type, are checked against them.

use super::Shape;

/// The bounds of a type's values, in addition to its kind, as far as they are known while rustc compiles.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// `minimum`, and whether it is exclusive.
    pub minimum: Option<(f64, bool)>,
    /// `maximum`, and whether it is exclusive.
    pub maximum: Option<(f64, bool)>,
    /// The smallest and the largest of the numbers that an attribute enumerates.
    pub enumerated: Option<(f64, f64)>,
    /// The smallest number of code points of a string.
    pub min_length: u64,
    /// The largest number of code points of a string.
    pub max_length: u64,
    /// The smallest number of items of a list.
    pub min_items: u64,
    /// The largest number of items of a list.
    pub max_items: u64,
    /// The smallest number of properties of an object.
    pub min_properties: u64,
    /// The largest number of properties of an object.
    pub max_properties: u64,
    /// The `format` of a string, or `float` of a number of single precision. Empty if there is none.
    pub format: &'static str,
    /// Whether 0 is excluded.
    pub non_zero: bool,
    /// Whether a string must be a quantity of Kubernetes, such as `500m`.
    pub quantity: bool,
}

impl Bounds {
    /// No bounds.
    pub const NONE: Self = Self {
        minimum: None,
        maximum: None,
        enumerated: None,
        min_length: 0,
        max_length: u64::MAX,
        min_items: 0,
        max_items: u64::MAX,
        min_properties: 0,
        max_properties: u64::MAX,
        format: "",
        non_zero: false,
        quantity: false,
    };
}

impl Shape {
    /// Returns the shape with this `minimum`.
    #[doc(hidden)]
    #[must_use]
    pub const fn minimum(self, minimum: f64, exclusive: bool) -> Self {
        Self { bounds: Bounds { minimum: Some((minimum, exclusive)), ..self.bounds }, ..self }
    }

    /// Returns the shape with this `maximum`.
    #[doc(hidden)]
    #[must_use]
    pub const fn maximum(self, maximum: f64, exclusive: bool) -> Self {
        Self { bounds: Bounds { maximum: Some((maximum, exclusive)), ..self.bounds }, ..self }
    }

    /// Returns the shape with `enum`, whose values are numbers from `least` to `greatest`.
    #[doc(hidden)]
    #[must_use]
    pub const fn of_numbers(self, least: f64, greatest: f64) -> Self {
        Self { bounds: Bounds { enumerated: Some((least, greatest)), ..self.bounds }, ..self }
    }

    /// Returns the shape with this `minLength`.
    #[doc(hidden)]
    #[must_use]
    pub const fn min_length(self, min_length: u64) -> Self {
        Self { bounds: Bounds { min_length, ..self.bounds }, ..self }
    }

    /// Returns the shape with this `maxLength`.
    #[doc(hidden)]
    #[must_use]
    pub const fn max_length(self, max_length: u64) -> Self {
        Self { bounds: Bounds { max_length, ..self.bounds }, ..self }
    }

    /// Returns the shape with this `minItems`.
    #[doc(hidden)]
    #[must_use]
    pub const fn min_items(self, min_items: u64) -> Self {
        Self { bounds: Bounds { min_items, ..self.bounds }, ..self }
    }

    /// Returns the shape with this `maxItems`.
    #[doc(hidden)]
    #[must_use]
    pub const fn max_items(self, max_items: u64) -> Self {
        Self { bounds: Bounds { max_items, ..self.bounds }, ..self }
    }

    /// Returns the shape with this `minProperties`.
    #[doc(hidden)]
    #[must_use]
    pub const fn min_properties(self, min_properties: u64) -> Self {
        Self { bounds: Bounds { min_properties, ..self.bounds }, ..self }
    }

    /// Returns the shape with this `maxProperties`.
    #[doc(hidden)]
    #[must_use]
    pub const fn max_properties(self, max_properties: u64) -> Self {
        Self { bounds: Bounds { max_properties, ..self.bounds }, ..self }
    }

    /// Returns the shape with a `pattern`, which replaces that of a quantity.
    #[doc(hidden)]
    #[must_use]
    pub const fn patterned(self) -> Self {
        Self { bounds: Bounds { quantity: false, ..self.bounds }, ..self }
    }
}

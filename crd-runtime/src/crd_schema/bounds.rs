//! Bounds that attributes give to the values of a type, for literals that stand elsewhere.

use super::Shape;

/// What a value must be, beyond its kind. A bound that is not known is left out.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// `minimum`, and whether it is exclusive.
    pub minimum: Option<(f64, bool)>,
    /// `maximum`, and whether it is exclusive.
    pub maximum: Option<(f64, bool)>,
    /// The fewest code points of a string.
    pub min_length: u64,
    /// The most code points of a string.
    pub max_length: u64,
    /// The fewest items of a list.
    pub min_items: u64,
    /// The most items of a list.
    pub max_items: u64,
    /// The fewest properties of an object.
    pub min_properties: u64,
    /// The most properties of an object.
    pub max_properties: u64,
    /// The `pattern` of a string, as `pattern_program` writes it; empty where there is none or rustc cannot run it.
    pub pattern: &'static [u8],
    /// The `format` of a string; empty where there is none.
    pub format: &'static str,
    /// The rules of a scalar.
    pub rules: Option<&'static KeptRules>,
    /// Whether 0 is no value.
    pub non_zero: bool,
    /// Whether a string is a quantity of Kubernetes, such as `500m`.
    pub quantity: bool,
}

/// Rules that a scalar keeps.
#[derive(Debug, Clone, Copy)]
pub struct KeptRules {
    /// Those of the type: the rule as it is written, and as `rule_program` writes it.
    pub own: &'static [(&'static str, &'static [u8])],
    /// Those of the type that it is made of.
    pub below: Option<&'static KeptRules>,
}

impl Bounds {
    /// None.
    pub const NONE: Self = Self {
        minimum: None,
        maximum: None,
        min_length: 0,
        max_length: u64::MAX,
        min_items: 0,
        max_items: u64::MAX,
        min_properties: 0,
        max_properties: u64::MAX,
        pattern: &[],
        format: "",
        rules: None,
        non_zero: false,
        quantity: false,
    };
}

impl Shape {
    /// The same with `minimum` in the place of another.
    #[doc(hidden)]
    #[must_use]
    pub const fn minimum(self, minimum: f64, exclusive: bool) -> Self {
        Self { bounds: Bounds { minimum: Some((minimum, exclusive)), ..self.bounds }, ..self }
    }

    /// The same with `maximum` in the place of another.
    #[doc(hidden)]
    #[must_use]
    pub const fn maximum(self, maximum: f64, exclusive: bool) -> Self {
        Self { bounds: Bounds { maximum: Some((maximum, exclusive)), ..self.bounds }, ..self }
    }

    /// The same with `minLength` in the place of another.
    #[doc(hidden)]
    #[must_use]
    pub const fn min_length(self, min_length: u64) -> Self {
        Self { bounds: Bounds { min_length, ..self.bounds }, ..self }
    }

    /// The same with `maxLength` in the place of another.
    #[doc(hidden)]
    #[must_use]
    pub const fn max_length(self, max_length: u64) -> Self {
        Self { bounds: Bounds { max_length, ..self.bounds }, ..self }
    }

    /// The same with `minItems` in the place of another.
    #[doc(hidden)]
    #[must_use]
    pub const fn min_items(self, min_items: u64) -> Self {
        Self { bounds: Bounds { min_items, ..self.bounds }, ..self }
    }

    /// The same with `maxItems` in the place of another.
    #[doc(hidden)]
    #[must_use]
    pub const fn max_items(self, max_items: u64) -> Self {
        Self { bounds: Bounds { max_items, ..self.bounds }, ..self }
    }

    /// The same with `minProperties` in the place of another.
    #[doc(hidden)]
    #[must_use]
    pub const fn min_properties(self, min_properties: u64) -> Self {
        Self { bounds: Bounds { min_properties, ..self.bounds }, ..self }
    }

    /// The same with `maxProperties` in the place of another.
    #[doc(hidden)]
    #[must_use]
    pub const fn max_properties(self, max_properties: u64) -> Self {
        Self { bounds: Bounds { max_properties, ..self.bounds }, ..self }
    }

    /// The same with `pattern` in the place of another; `program` is that of `pattern_program`, or empty.
    #[doc(hidden)]
    #[must_use]
    pub const fn pattern(self, program: &'static [u8]) -> Self {
        Self { bounds: Bounds { pattern: program, quantity: false, ..self.bounds }, ..self }
    }

    /// The same with rules beside those that it has; `rules.below` must be those.
    #[doc(hidden)]
    #[must_use]
    pub const fn keeping(self, rules: &'static KeptRules) -> Self {
        Self { bounds: Bounds { rules: Some(rules), ..self.bounds }, ..self }
    }
}

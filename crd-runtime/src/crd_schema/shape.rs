//! What rustc knows of a schema: constants that checks across types are evaluated on.

use super::Declared;
use super::bounds::Bounds;
use crate::builder::ColumnPath;

/// What kind of JSON a type becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
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
    /// A string out of a known few, which are [`Shape::values`].
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

/// How the server merges a list, and what it keeps apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ListType {
    /// As a whole: `atomic`, which is the default.
    Atomic,
    /// By value: `set`.
    Set,
    /// By keys, which are [`Shape::keys`]: `map`.
    Map,
}

/// When a field is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FieldPresence {
    /// An object without it is refused.
    Required,
    /// It may be left out.
    Optional,
    /// The server fills it in.
    Defaulted,
}

/// The shape of a type's schema, as constants.
///
/// Referring to the shapes of its fields makes a recursive type an error of rustc: a schema cannot be
/// infinite.
///
/// A shape may say less than the schema, and never what is not so: what it does not know passes every
/// check of the compiler, and is left to `definition::validate`.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each is a keyword of the schema")]
pub struct Shape {
    /// What kind of JSON it is.
    pub kind: Kind,
    /// Whether it is an `Option`.
    pub optional: bool,
    /// Whether fields that are not named are kept.
    pub open: bool,
    /// Whether an object is replaced as a whole: `x-kubernetes-map-type: atomic`.
    pub atomic: bool,
    /// The fields of an object.
    pub fields: &'static [FieldShape],
    /// The elements of a list or the values of a map.
    pub items: Option<&'static Shape>,
    /// The alternatives of an enum, of which any may be there beside `fields`.
    pub variants: &'static [Shape],
    /// Whether a string, the name of a variant without content, is an alternative too.
    pub units: bool,
    /// The strings of an enumeration; none where they are not known.
    pub values: &'static [&'static str],
    /// How a list is merged.
    pub list_type: ListType,
    /// The keys of a list of type `map`.
    pub keys: &'static [&'static str],
    /// A rule on it that uses `oldSelf`, as written: the server takes none below a list whose items it cannot pair
    /// with old ones.
    #[doc(hidden)]
    pub transition: Option<&'static str>,
    /// Where an object is written, if it is derived: what `check` points at.
    #[doc(hidden)]
    pub source: Option<&'static Source>,
    /// The least and greatest value of an integer type.
    pub range: Option<(i64, i64)>,
    /// What attributes of the type ask of its values.
    #[doc(hidden)]
    pub bounds: Bounds,
    /// Whether it is a string that has certainly no format.
    #[doc(hidden)]
    pub formatless: bool,
    /// An attribute of the type that looks at the object as a whole, such as `max_properties`: it has no place where
    /// the fields become those of another object.
    #[doc(hidden)]
    pub whole: Option<&'static str>,
    /// A field in it that asks for a printer column or is selectable; those in lists, maps and enums do not count,
    /// because they have no path.
    #[doc(hidden)]
    pub asks: Option<&'static str>,
}

/// Where a derived struct, or a variant with fields, is written.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Source {
    /// Its path in Rust, such as `operator::crontab::CronTabSpec`.
    pub type_: &'static str,
    /// The file, as it was named to the compiler.
    pub file: &'static str,
}

/// A field of an object.
#[derive(Debug, Clone, Copy)]
pub struct FieldShape {
    /// The name in JSON; empty if the fields of `shape` are fields of this object: flattened.
    pub name: &'static str,
    /// The name in Rust and the line, of a derived one.
    #[doc(hidden)]
    pub written: Option<(&'static str, u32)>,
    /// When it is there.
    pub presence: FieldPresence,
    /// What it holds.
    pub shape: &'static Shape,
    /// Whether serde certainly writes it, whatever it holds.
    #[doc(hidden)]
    pub always_written: bool,
    /// Whether field selectors may name it.
    pub selectable: bool,
    /// The paths of printer columns that it asks for.
    #[doc(hidden)]
    pub columns: &'static [ColumnPath],
    /// The headings of its printer columns, `None` for those named after the field.
    #[doc(hidden)]
    pub headings: &'static [Option<&'static str>],
}

impl FieldShape {
    /// A flattened field of which nothing is known.
    pub const FLATTENED: Self = Self {
        name: "",
        written: None,
        presence: FieldPresence::Required,
        shape: &Shape::of(Kind::Opaque),
        always_written: false,
        selectable: false,
        columns: &[],
        headings: &[],
    };

    /// A field that is required.
    #[must_use]
    pub const fn required(name: &'static str, shape: &'static Shape) -> Self {
        Self { name, shape, ..Self::FLATTENED }
    }

    /// A field that may be left out.
    #[must_use]
    pub const fn optional(name: &'static str, shape: &'static Shape) -> Self {
        Self { name, presence: FieldPresence::Optional, shape, ..Self::FLATTENED }
    }
}

impl Shape {
    /// A shape without parts.
    #[must_use]
    pub const fn of(kind: Kind) -> Self {
        Self {
            kind,
            optional: false,
            open: false,
            atomic: false,
            fields: &[],
            items: None,
            variants: &[],
            units: false,
            values: &[],
            list_type: ListType::Atomic,
            keys: &[],
            transition: None,
            source: None,
            range: None,
            bounds: Bounds::NONE,
            formatless: false,
            whole: None,
            asks: None,
        }
    }

    /// An object with these fields.
    #[must_use]
    pub const fn object(fields: &'static [FieldShape]) -> Self {
        Self { fields, ..Self::of(Kind::Object) }
    }

    /// A list or map.
    #[must_use]
    pub const fn container(kind: Kind, items: &'static Self) -> Self {
        let list_type = if matches!(kind, Kind::Set) { ListType::Set } else { ListType::Atomic };
        Self { items: Some(items), list_type, ..Self::of(kind) }
    }

    /// The same in an `Option`.
    #[must_use]
    pub const fn optional(self) -> Self {
        Self { optional: true, ..self }
    }

    /// An integer of this range.
    #[must_use]
    pub const fn integer(least: i64, greatest: i64) -> Self {
        Self { range: Some((least, greatest)), ..Self::of(Kind::Integer) }
    }

    /// The same without zero.
    #[must_use]
    pub(super) const fn non_zero(self) -> Self {
        Self { bounds: Bounds { non_zero: true, ..self.bounds }, ..self }
    }

    /// An integer, or a string that is a quantity of Kubernetes.
    #[must_use]
    pub(super) const fn quantity() -> Self {
        let bounds = Bounds { quantity: true, ..Bounds::NONE };
        Self { bounds, ..Self::of(Kind::IntOrString) }
    }

    /// A string without a format.
    #[must_use]
    pub const fn text() -> Self {
        Self { formatless: true, ..Self::of(Kind::String) }
    }

    /// The same with `format`.
    #[must_use]
    pub const fn formatted(self, format: &'static str) -> Self {
        Self { formatless: false, bounds: Bounds { format, ..self.bounds }, ..self }
    }

    /// The same with an attribute that looks at the object as a whole.
    #[must_use]
    pub const fn whole(self, key: &'static str) -> Self {
        Self { whole: Some(key), ..self }
    }

    /// The same with `x-kubernetes-preserve-unknown-fields`.
    #[must_use]
    pub const fn open(self) -> Self {
        Self { open: true, ..self }
    }

    /// The same with `x-kubernetes-int-or-string`.
    #[must_use]
    pub const fn int_or_string(self) -> Self {
        Self { optional: self.optional, transition: self.transition, ..Self::of(Kind::IntOrString) }
    }

    /// The same with items of which nothing is known.
    #[must_use]
    pub const fn of_opaque_items(self) -> Self {
        Self { items: None, ..self }
    }

    /// The same with these items, if it has any of its own.
    #[must_use]
    pub const fn of_items(self, items: &'static Self) -> Self {
        match self.items {
            // A map of any JSON has no schema for its values.
            Some(Self { kind: Kind::Any, .. }) if matches!(self.kind, Kind::Map) => self,
            Some(_) => Self { items: Some(items), ..self },
            None => self,
        }
    }

    /// The same with a rule that uses `oldSelf`.
    #[must_use]
    pub const fn transition(self, rule: &'static str) -> Self {
        Self { transition: Some(rule), ..self }
    }

    /// The same with `enum`.
    #[must_use]
    pub const fn of_values(self, values: &'static [&'static str]) -> Self {
        match self.kind {
            Kind::String | Kind::Enum => Self { kind: Kind::Enum, values, ..self },
            _ => self,
        }
    }

    /// The same with `x-kubernetes-list-type` and `x-kubernetes-list-map-keys`.
    #[must_use]
    pub const fn listed(self, list_type: ListType, keys: &'static [&'static str]) -> Self {
        Self { list_type, keys, ..self }
    }

    /// The same with `x-kubernetes-map-type: atomic`.
    #[must_use]
    pub const fn atomic(self) -> Self {
        Self { atomic: true, ..self }
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

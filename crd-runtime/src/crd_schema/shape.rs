//! The shape of a schema: constants by which rustc checks how one type uses another.

use crd_cel::compile_time::Field;

use super::Declared;
use super::bounds::Bounds;
use crate::builder::{Column, ColumnPath, Schema};
use crate::model::JsonSchemaProps;

/// The kind of JSON that a type serializes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ShapeKind {
    /// An object with known fields.
    Object,
    /// A map: an object with any keys.
    Map,
    /// A list.
    List,
    /// A list without duplicates.
    Set,
    /// A string.
    String,
    /// A string with a fixed set of values, [`Shape::values`].
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
    /// Only `null`.
    Null,
    /// One of several kinds.
    Union,
    /// Unknown: all checks pass.
    Opaque,
}

/// `x-kubernetes-list-type`: how the server merges a list, and what identifies an item.
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

/// The shape of a type's schema, as constants.
///
/// A shape refers to the shapes of its fields, so that a recursive type does not compile: its schema would be infinite.
///
/// A shape may omit facts of the schema, but it does not contradict it. Checks in rustc pass if a fact is missing;
/// `definition::validate` then checks the schema itself.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each is a keyword of the schema")]
pub struct Shape {
    /// The kind of JSON.
    pub kind: ShapeKind,
    /// Whether it is an `Option`.
    pub optional: bool,
    /// Whether it is a newtype of an `Option`: serde reads it from `null`, but does not read an absent field as `None`.
    #[doc(hidden)]
    pub wrapped: bool,
    /// Whether the type has a default, which the server sets for an absent field of the type.
    #[doc(hidden)]
    pub defaulted: bool,
    /// Whether unknown fields are kept.
    pub open: bool,
    /// Whether an object is replaced as a whole: `x-kubernetes-map-type: atomic`.
    pub atomic: bool,
    /// The fields of an object.
    pub fields: &'static [FieldShape],
    /// The elements of a list or the values of a map.
    pub items: Option<&'static Shape>,
    /// The alternatives of an enum. Each may be present in addition to `fields`.
    pub variants: &'static [Shape],
    /// Whether the alternatives include strings, the names of variants without content.
    pub units: bool,
    /// The strings of an enumeration. Empty if they are unknown.
    pub values: &'static [&'static str],
    /// The names of the variants without content, which serde writes as strings, in an enum whose values can also be
    /// other strings or other JSON.
    #[doc(hidden)]
    pub unit_variant_names: &'static [&'static str],
    /// Whether attributes enumerate the values.
    #[doc(hidden)]
    pub enumerated: bool,
    /// How a list is merged.
    pub list_type: ListType,
    /// The keys of a list of type `map`.
    pub keys: &'static [&'static str],
    /// Returns where a derived object is declared, for the messages of `crd check`. It is a function, because a line
    /// that is added above a type would otherwise change its shape, and rustc would evaluate the checks of all types
    /// that contain it.
    #[doc(hidden)]
    pub source: Option<fn() -> Source>,
    /// Changes the schema of the field with an index, as attributes ask.
    #[doc(hidden)]
    pub change: fn(usize, Schema) -> Schema,
    /// The smallest and largest value of an integer type.
    pub range: Option<(i64, i64)>,
    /// The bounds that attributes of the type give to its values.
    #[doc(hidden)]
    pub bounds: Bounds,
    /// Whether it is certainly a string without a format.
    #[doc(hidden)]
    pub formatless: bool,
    /// Whether serde fails for some values of the kind, because the type parses or converts them. What attributes say
    /// does not count, because serde does not know it. It is assumed of a string, unless it is [`text`](Self::text).
    #[doc(hidden)]
    pub fallible: bool,
    /// Whether it is a map whose keys are numbers or `bool`.
    #[doc(hidden)]
    pub parses_keys: bool,
    /// Whether serde reads any JSON as it, although the server admits only integers and strings.
    #[doc(hidden)]
    pub reads_any: bool,
    /// An attribute of the type that applies to the object as a whole, such as `max_properties`. A type with such an
    /// attribute cannot be flattened into another object.
    #[doc(hidden)]
    pub whole: Option<&'static str>,
    /// Whether serde rejects unknown fields: `deny_unknown_fields`.
    #[doc(hidden)]
    pub denies_unknown: bool,
    /// Whether serde does not read some of its fields if it is flattened: a tag, a field that is only written, or the
    /// fields of a type flattened into it. If the container has `deny_unknown_fields`, serde fails for such a field.
    #[doc(hidden)]
    pub leaves_fields_unread: bool,
    /// Whether it is an externally tagged enum of objects alone: serde reads only an object with a single field.
    #[doc(hidden)]
    pub keyed: bool,
    /// A field in it that has a printer column or is selectable. Fields in lists, maps and enums do not count, because
    /// they have no JSON path.
    #[doc(hidden)]
    pub needs_path: Option<&'static str>,
    /// The lints of `crd lint` that do not report the type.
    #[doc(hidden)]
    pub allows: &'static [&'static str],
}

/// Where a derived struct, or a variant with fields, is declared.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Source {
    /// The module, such as `operator::crontab`.
    pub module: &'static str,
    /// The file, as its name was passed to the compiler.
    pub file: &'static str,
    /// The line.
    pub line: u32,
    /// The lines of the fields, in the order of [`Shape::fields`].
    pub lines: &'static [u32],
    /// The name of the type, and those of the fields in Rust with their doc comments. A name ends with `\u{1e}`, and
    /// before each of its comments is `\u{1f}`.
    pub text: &'static str,
}

/// The name of a field in Rust, its line and its doc comments.
pub(super) type Written = (&'static str, u32, Vec<&'static str>);

impl Source {
    /// Returns the path of the type in Rust, such as `operator::crontab::CronTabSpec`.
    #[cfg(feature = "engine")]
    pub(super) fn type_(&self) -> String {
        let name = self.text.split('\u{1e}').next().unwrap_or_default();
        format!("{}::{name}", self.module)
    }

    /// Returns the fields, in the order of [`Shape::fields`].
    pub(super) fn fields(&self) -> impl Iterator<Item = Written> + use<> {
        let names = self.text.split('\u{1e}').skip(1);
        names.zip(self.lines).map(|(text, &line)| {
            let mut parts = text.split('\u{1f}');
            (parts.next().unwrap_or_default(), line, parts.collect())
        })
    }
}

/// Whether a field must be present.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FieldPresence {
    /// An object without it is rejected.
    Required,
    /// It may be left out.
    Optional,
    /// The server adds a default.
    Defaulted,
}

/// A field of an object.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct FieldShape {
    /// The name in JSON. Empty for a flattened field, whose own fields are fields of this object.
    pub name: &'static str,
    /// Whether serde flattens it. A field that is not flattened can have an empty name too.
    #[doc(hidden)]
    pub flattened: bool,
    /// Whether it must be present.
    pub presence: FieldPresence,
    /// The shape of its value.
    pub shape: &'static Shape,
    /// Its declaration for rules, of a field of a derived type.
    #[doc(hidden)]
    pub cel: Field,
    /// Returns the schema of its type, for a field of a derived type. A tag has none.
    #[doc(hidden)]
    pub schema: Option<fn() -> JsonSchemaProps>,
    /// Whether it cannot be removed once it is set.
    #[doc(hidden)]
    pub immutable: bool,
    /// Whether serde certainly writes it, whatever its value is.
    #[doc(hidden)]
    pub always_written: bool,
    /// Whether serde fails for an object without it, so that requests can omit it only because the server adds a
    /// default.
    #[doc(hidden)]
    pub needs_default: bool,
    /// Whether field selectors can use it.
    pub selectable: bool,
    /// The paths of its printer columns.
    #[doc(hidden)]
    pub columns: &'static [ColumnPath],
    /// Its printer columns.
    #[doc(hidden)]
    pub printed: &'static [Column],
    /// The lints of `crd lint` that do not report the field.
    #[doc(hidden)]
    pub allows: &'static [&'static str],
}

impl FieldShape {
    /// A flattened field of an unknown type.
    pub const FLATTENED: Self = Self {
        name: "",
        flattened: true,
        presence: FieldPresence::Required,
        shape: &Shape::of(ShapeKind::Opaque),
        cel: Field { name: "", of: &Declared::Unknown },
        schema: None,
        immutable: false,
        always_written: false,
        needs_default: false,
        selectable: false,
        columns: &[],
        printed: &[],
        allows: &[],
    };

    /// Returns a required field.
    #[must_use]
    pub const fn required(name: &'static str, shape: &'static Shape) -> Self {
        Self { name, flattened: false, shape, ..Self::FLATTENED }
    }

    /// Returns an optional field.
    #[must_use]
    pub const fn optional(name: &'static str, shape: &'static Shape) -> Self {
        Self { presence: FieldPresence::Optional, ..Self::required(name, shape) }
    }
}

/// The table of the fields of a derived struct or variant.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct Fields {
    /// The tag, if there is one, and the fields.
    pub list: &'static [FieldShape],
    /// See [`Shape::change`].
    pub change: fn(usize, Schema) -> Schema,
    /// See [`Shape::source`].
    pub source: Option<fn() -> Source>,
}

impl Fields {
    /// No fields.
    pub const PLAIN: Self = Self { list: &[], change: |_, schema| schema, source: None };
}

impl Shape {
    /// Returns a shape without parts.
    #[must_use]
    pub const fn of(kind: ShapeKind) -> Self {
        Self {
            kind,
            optional: false,
            wrapped: false,
            defaulted: false,
            open: false,
            atomic: false,
            fields: &[],
            items: None,
            variants: &[],
            units: false,
            values: &[],
            unit_variant_names: &[],
            enumerated: false,
            list_type: ListType::Atomic,
            keys: &[],
            source: None,
            change: Fields::PLAIN.change,
            range: None,
            bounds: Bounds::NONE,
            formatless: false,
            fallible: matches!(kind, ShapeKind::String),
            parses_keys: false,
            reads_any: false,
            whole: None,
            denies_unknown: false,
            leaves_fields_unread: false,
            keyed: false,
            needs_path: None,
            allows: &[],
        }
    }

    /// Returns the object of a derived struct.
    #[doc(hidden)]
    #[must_use]
    pub const fn of_fields(fields: &'static Fields) -> Self {
        Self { needs_path: fields.needs_path(), ..Self::of_variant(fields) }
    }

    /// Returns the object of a derived variant. Its fields have no JSON path.
    #[doc(hidden)]
    #[must_use]
    pub const fn of_variant(fields: &'static Fields) -> Self {
        Self { source: fields.source, change: fields.change, ..Self::object(fields.list) }
    }

    /// Returns an object with these fields.
    #[must_use]
    pub const fn object(fields: &'static [FieldShape]) -> Self {
        Self { fields, ..Self::of(ShapeKind::Object) }
    }

    /// Returns a list or map with these items or values.
    #[must_use]
    pub const fn container(kind: ShapeKind, items: &'static Self) -> Self {
        let list_type =
            if matches!(kind, ShapeKind::Set) { ListType::Set } else { ListType::Atomic };
        Self { items: Some(items), list_type, ..Self::of(kind) }
    }

    /// Returns the shape of an `Option` of the type.
    #[must_use]
    pub const fn optional(self) -> Self {
        Self { optional: true, wrapped: false, ..self }
    }

    /// Returns the shape of a type with a default.
    #[must_use]
    #[doc(hidden)]
    pub const fn defaulted(self) -> Self {
        Self { defaulted: true, ..self }
    }

    /// Returns the shape of a newtype of a type with this shape.
    #[must_use]
    #[doc(hidden)]
    pub const fn wrapped(self) -> Self {
        Self { wrapped: self.optional, ..self }
    }

    /// Whether serde reads an absent field as `None`.
    #[must_use]
    #[doc(hidden)]
    pub const fn reads_absence(&self) -> bool {
        self.optional && !self.wrapped
    }

    /// Returns an integer with this range.
    #[must_use]
    pub const fn integer(least: i64, greatest: i64) -> Self {
        Self { range: Some((least, greatest)), ..Self::of(ShapeKind::Integer) }
    }

    /// Returns the shape of an integer that is not 0.
    #[must_use]
    pub(super) const fn non_zero(self) -> Self {
        Self { bounds: Bounds { non_zero: true, ..self.bounds }, ..self }
    }

    /// Returns an integer, or a string that is a quantity of Kubernetes.
    #[must_use]
    pub(super) const fn quantity() -> Self {
        let bounds = Bounds { quantity: true, ..Bounds::NONE };
        Self { bounds, fallible: true, ..Self::of(ShapeKind::IntOrString) }
    }

    /// Returns a string without a format.
    #[must_use]
    pub const fn text() -> Self {
        Self { formatless: true, fallible: false, ..Self::of(ShapeKind::String) }
    }

    /// Returns the shape of a type that serde converts from this one, which can fail.
    #[doc(hidden)]
    #[must_use]
    pub const fn fallible(self) -> Self {
        Self { fallible: true, ..self }
    }

    /// Returns the shape with `format`.
    #[must_use]
    pub const fn formatted(self, format: &'static str) -> Self {
        Self { formatless: false, bounds: Bounds { format, ..self.bounds }, ..self }
    }

    /// Returns the shape with an attribute that applies to the object as a whole.
    #[must_use]
    pub const fn whole(self, key: &'static str) -> Self {
        Self { whole: Some(key), ..self }
    }

    /// Returns the shape with `x-kubernetes-preserve-unknown-fields`.
    #[must_use]
    pub const fn open(self) -> Self {
        Self { open: true, ..self }
    }

    /// Returns the shape with `x-kubernetes-int-or-string`.
    #[must_use]
    pub const fn int_or_string(self) -> Self {
        Self {
            optional: self.optional,
            fallible: self.fallible,
            reads_any: self.reads_any_json(),
            enumerated: self.enumerated,
            allows: self.allows,
            ..Self::of(ShapeKind::IntOrString)
        }
    }

    /// Whether serde reads it from any JSON, whatever attributes say of its values.
    pub(crate) const fn reads_any_json(&self) -> bool {
        let mut at = 0;
        while at < self.variants.len() && matches!(self.kind, ShapeKind::Union) {
            if self.variants[at].reads_any_json() {
                return true;
            }
            at += 1;
        }
        self.reads_any || matches!(self.kind, ShapeKind::Any)
    }

    /// Returns the shape with unknown items.
    #[must_use]
    pub const fn of_opaque_items(self) -> Self {
        Self { items: None, ..self }
    }

    /// Sets the names of variants without content.
    #[doc(hidden)]
    #[must_use]
    pub const fn with_unit_variant_names(
        self,
        unit_variant_names: &'static [&'static str],
    ) -> Self {
        // A variant with `#[serde(other)]` reads any string.
        Self { unit_variant_names, fallible: false, ..self }
    }

    /// Returns the shape with `enum`; `values` are those that are strings.
    #[must_use]
    pub const fn of_values(self, values: &'static [&'static str]) -> Self {
        match self.kind {
            ShapeKind::String | ShapeKind::Enum => {
                Self { kind: ShapeKind::Enum, values, enumerated: true, ..self }
            }
            _ => Self { enumerated: true, ..self },
        }
    }

    /// Returns the shape with `x-kubernetes-list-type` and `x-kubernetes-list-map-keys`.
    #[must_use]
    pub const fn listed(self, list_type: ListType, keys: &'static [&'static str]) -> Self {
        Self { list_type, keys, ..self }
    }

    /// Returns the shape with `x-kubernetes-map-type: atomic`.
    #[must_use]
    pub const fn atomic(self) -> Self {
        Self { atomic: true, ..self }
    }
}

/// Returns the declaration of a type without parts. A string is taken to have no format.
pub(super) const fn declared(kind: ShapeKind) -> Declared {
    match kind {
        ShapeKind::String | ShapeKind::Enum => Declared::String,
        ShapeKind::Integer => Declared::Int,
        ShapeKind::Number => Declared::Double,
        ShapeKind::Boolean => Declared::Bool,
        ShapeKind::IntOrString => Declared::Dyn,
        ShapeKind::Any => Declared::Hidden,
        ShapeKind::Null | ShapeKind::Map => Declared::OPEN_OBJECT,
        ShapeKind::Object
        | ShapeKind::List
        | ShapeKind::Set
        | ShapeKind::Union
        | ShapeKind::Opaque => Declared::Unknown,
    }
}

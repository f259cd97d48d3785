//! The fields of an object: one table, from which the schema, the columns, the shape and the declaration for rules of a
//! derived object are made.

use crd_cel::compile_time::Field;

use super::shape::{FieldPresence, FieldShape, Fields, Source, Written};
use super::{CrdSchema, Declared, Shape, ShapeKind};
use crate::builder::{Collected, Object, Presence, Schema, any, unit_enum};
use crate::model::JsonSchemaProps;

/// What a field takes from its type.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct FieldType {
    /// The shape of the type, without the checks of a type with parameters, which `CrdSchema::SHAPE` runs.
    pub shape: Shape,
    /// The CEL type of the values, against which rustc checks rules. If it is unknown, only `definition::validate` checks
    /// the rules that use the values.
    pub cel: Declared,
    /// `CrdSchema::schema` of the type.
    pub schema: fn() -> JsonSchemaProps,
    /// `CrdSchema::schema_of_some` of the type.
    pub schema_of_some: fn() -> JsonSchemaProps,
}

impl FieldType {
    /// A type without a schema, which is a compile error elsewhere.
    pub const MISSING: Self = Self {
        shape: Shape::of(ShapeKind::Opaque),
        cel: Declared::Unknown,
        schema: any,
        schema_of_some: any,
    };

    /// Returns the shape and the functions of the type `T`.
    #[must_use]
    pub const fn of<T: CrdSchema + ?Sized>() -> Self {
        Self { shape: T::UNCHECKED_SHAPE, ..Self::opaque::<T>() }
    }

    /// Returns the functions of the type `T`, of which nothing else is known.
    #[must_use]
    pub const fn opaque<T: CrdSchema + ?Sized>() -> Self {
        Self { schema: T::schema, schema_of_some: T::schema_of_some, ..Self::MISSING }
    }

    /// Returns what a list with elements of the type `E` takes from them, and the functions of its type `T`.
    #[must_use]
    pub(crate) const fn list<T: CrdSchema + ?Sized, E: CrdSchema>() -> Self {
        Self { cel: Declared::List(&E::AS_FIELD.cel), ..Self::opaque::<T>() }
    }

    /// Returns it with a declaration for rules.
    #[must_use]
    pub(crate) const fn declared(self, cel: Declared) -> Self {
        Self { cel, ..self }
    }
}

/// Fields of derived types.
#[doc(hidden)]
impl FieldShape {
    /// Returns a field that serde always writes. It is required, unless its type is an `Option`.
    #[must_use]
    pub const fn new(name: &'static str, ty: &'static FieldType) -> Self {
        Self {
            name,
            flattened: false,
            presence: if ty.shape.defaulted {
                FieldPresence::Defaulted
            } else if ty.shape.reads_absence() {
                FieldPresence::Optional
            } else {
                FieldPresence::Required
            },
            needs_default: ty.shape.defaulted && !ty.shape.reads_absence(),
            shape: &ty.shape,
            always_written: true,
            cel: Field { name, of: &ty.cel },
            schema: Some(ty.schema),
            ..Self::FLATTENED
        }
    }

    /// Returns a field with `skip_serializing_if`: serde does not write `null` for `None`.
    #[must_use]
    pub const fn skipped_if(name: &'static str, ty: &'static FieldType) -> Self {
        Self { schema: Some(ty.schema_of_some), ..Self::new(name, ty).not_always_written() }
    }

    /// Returns a field with `flatten`.
    #[must_use]
    pub const fn flattened(ty: &'static FieldType) -> Self {
        let field = Self::new("", ty).not_always_written().declared(as_part(&ty.cel));
        // serde reads a newtype of an `Option` from the fields that are there.
        let presence =
            if ty.shape.optional { FieldPresence::Optional } else { FieldPresence::Required };
        Self { flattened: true, presence, needs_default: false, ..field }
    }

    /// Returns a field whose schema is not that of its type.
    #[must_use]
    pub const fn replaced(name: &'static str, schema: fn() -> JsonSchemaProps) -> Self {
        Self { schema: Some(schema), ..Self::new(name, &FieldType::MISSING) }
    }

    /// Returns a field with `flatten` whose schema is not that of its type.
    #[must_use]
    pub const fn flattened_with(schema: fn() -> JsonSchemaProps) -> Self {
        Self { flattened: true, ..Self::replaced("", schema) }
    }

    /// Returns the field, which `required` makes required.
    #[must_use]
    pub const fn must_be_present(self) -> Self {
        Self { presence: FieldPresence::Required, ..self }
    }

    /// Returns the field, which objects may omit. The server still sets the default of its type.
    #[must_use]
    pub const fn may_be_absent(self) -> Self {
        let presence = match self.presence {
            FieldPresence::Defaulted => FieldPresence::Defaulted,
            _ => FieldPresence::Optional,
        };
        Self { presence, needs_default: false, ..self }
    }

    /// Returns the field with a default. `needs_default` is whether serde fails for an object without the field.
    #[must_use]
    pub const fn defaulted(self, needs_default: bool) -> Self {
        Self { presence: FieldPresence::Defaulted, needs_default, ..self }
    }

    /// Returns the field, which serde may leave out.
    #[must_use]
    pub const fn not_always_written(self) -> Self {
        Self { always_written: false, ..self }
    }

    /// Returns the field, which field selectors can use.
    #[must_use]
    pub const fn selectable(self) -> Self {
        Self { selectable: true, ..self }
    }

    /// Returns the field, which cannot be removed once it is set.
    #[must_use]
    pub const fn immutable(self) -> Self {
        Self { immutable: true, ..self }
    }

    /// Returns the field with another declaration for rules.
    #[must_use]
    pub const fn declared(self, of: &'static Declared) -> Self {
        Self { cel: Field { of, ..self.cel }, ..self }
    }

    /// Returns the field with another name in rules.
    #[must_use]
    pub const fn named(self, name: &'static str) -> Self {
        Self { cel: Field { name, ..self.cel }, ..self }
    }

    /// Returns the field, which has a name that rules cannot write.
    #[must_use]
    pub const fn hidden(self) -> Self {
        self.named("").declared(&Declared::Hidden)
    }

    /// Returns its schema, with these doc comments and changes.
    fn schema(&self, doc: &[&str], change: impl FnOnce(Schema) -> Schema) -> JsonSchemaProps {
        let Some(schema) = self.schema else { return unit_enum(self.shape.values) };
        let mut schema = Schema::from(schema());
        if !doc.is_empty() {
            schema = schema.doc(doc);
        }
        change(schema).done()
    }
}

/// Returns the declaration of a flattened part. An enum without content is declared as a string, but if it is
/// flattened, its variants are fields, so its declaration is unknown.
#[doc(hidden)]
#[must_use]
pub const fn as_part(declared: &'static Declared) -> &'static Declared {
    match declared {
        Declared::Enum(_) => &Declared::Unknown,
        declared => declared,
    }
}

impl Fields {
    /// Returns the schema of the object.
    #[must_use]
    pub fn schema(&self) -> JsonSchemaProps {
        let mut object = Object::new();
        let source = self.source.map(|source| source());
        for (at, (field, written)) in written(self.list, source).enumerate() {
            let doc = written.map(|(.., doc)| doc).unwrap_or_default();
            let schema = field.schema(&doc, |schema| (self.change)(at, schema));
            let presence = match field.presence {
                FieldPresence::Required => Presence::Required,
                FieldPresence::Optional | FieldPresence::Defaulted => Presence::Optional,
            };
            object = if field.flattened {
                object.flatten(presence, schema)
            } else {
                object.field(field.name, presence, schema)
            };
            if field.immutable {
                object = object.immutable_once_set(field.name);
            }
        }
        object.done()
    }

    /// Returns the declarations of the `N` fields.
    #[must_use]
    pub const fn declared<const N: usize>(&self) -> [Field; N] {
        self.declared_after([Self::NONE; N], 0)
    }

    /// Returns the declarations of the fields of any resource and of the fields of this root, `N` in all.
    #[must_use]
    pub const fn declared_in_root<const N: usize>(&self) -> [Field; N] {
        self.declared_after([Field { name: "", of: &Declared::RESOURCE }; N], 1)
    }

    /// Returns `all` with the declarations of the fields from an index on.
    const fn declared_after<const N: usize>(
        &self,
        mut all: [Field; N],
        first: usize,
    ) -> [Field; N] {
        let mut at = first;
        let mut fields = self.list;
        while let [field, rest @ ..] = fields {
            all[at] = field.cel;
            at += 1;
            fields = rest;
        }
        all
    }

    const NONE: Field = Field { name: "", of: &Declared::Hidden };

    /// Returns the first field of the object, or else of a type in it, that has a column or is selectable.
    pub(super) const fn needs_path(&self) -> Option<&'static str> {
        let mut within = None;
        let mut fields = self.list;
        // PERF: for rustc, `len` and `is_empty` are calls.
        while let [field, rest @ ..] = fields {
            if let (false, []) = (field.selectable, field.printed) {
                if within.is_none() {
                    within = field.shape.needs_path;
                }
            } else {
                return Some(field.name);
            }
            fields = rest;
        }
        within
    }
}

impl Shape {
    /// Adds the printer columns and selectable fields of this type, which is at the JSON path `at`. Lists, maps and
    /// enums have none.
    pub(crate) fn collect(&self, at: &str, into: &mut Collected) {
        if self.needs_path.is_none() {
            return;
        }
        for (index, field) in self.fields.iter().enumerate() {
            for column in field.printed {
                let schema = field.schema(&[], |schema| (self.change)(index, schema));
                into.column(at, field.name, &schema, *column);
            }
            if field.selectable {
                into.selectable(at, field.name);
            }
            if field.flattened {
                field.shape.collect(at, into);
            } else if field.shape.needs_path.is_some() {
                field.shape.collect(&Collected::below(at, field.name), into);
            }
        }
    }
}

/// Returns each field of a derived object with its entry in the source.
pub(super) fn written(
    fields: &'static [FieldShape],
    source: Option<Source>,
) -> impl Iterator<Item = (&'static FieldShape, Option<Written>)> {
    let mut written = source.into_iter().flat_map(|source| source.fields());
    fields.iter().map(move |field| (field, field.schema.and_then(|_| written.next())))
}

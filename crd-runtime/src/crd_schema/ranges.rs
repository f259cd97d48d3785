//! Ranges, `Bound` and `Result`, as serde writes them.

use std::ops::{Bound, Range, RangeFrom, RangeInclusive, RangeTo};

use crd_cel::compile_time::{Field, Object};

use super::{CrdSchema, Declared, FieldShape, FieldType, Needs, Shape, ShapeKind};
use crate::builder::{Object as SchemaObject, Presence, Union};
use crate::model::JsonSchemaProps;

/// Returns the schema of an object with a required field for each bound.
fn of<T: CrdSchema>(bounds: &[&str]) -> JsonSchemaProps {
    let empty = SchemaObject::new();
    let add =
        |object: SchemaObject, name: &&str| object.field(name, Presence::Required, T::schema());
    bounds.iter().fold(empty, add).done()
}

macro_rules! ranges {
    ($($ty:ident: [$($bound:literal),+];)*) => {$(
        impl<T: CrdSchema> CrdSchema for $ty<T> {
            const SHAPE: Shape = Shape {
                fields: &[$(FieldShape::new($bound, T::AS_FIELD).must_be_present()),+],
                denies_unknown: true,
                ..Shape::of(ShapeKind::Object)
            };
            const NEEDS: &'static Needs = &Needs { parts: &[$(($bound, T::NEEDS)),+], ..Needs::NONE };
            const AS_FIELD: &'static FieldType = &FieldType {
                cel: Declared::Object(&Object {
                    name: stringify!($ty),
                    fields: &[$(Field { name: $bound, of: &T::AS_FIELD.cel }),+],
                }),
                ..FieldType::of::<Self>()
            };

            fn schema() -> JsonSchemaProps {
                of::<T>(&[$($bound),+])
            }
        }
    )*};
}

ranges! {
    Range: ["start", "end"];
    RangeInclusive: ["start", "end"];
    RangeFrom: ["start"];
    RangeTo: ["end"];
}

/// `"Unbounded"`, `{"Included": 1}` or `{"Excluded": 1}`.
impl<T: CrdSchema> CrdSchema for Bound<T> {
    const SHAPE: Shape = Shape {
        fields: &[
            FieldShape::optional("Included", &T::SHAPE),
            FieldShape::optional("Excluded", &T::SHAPE),
        ],
        units: true,
        open: true,
        ..Shape::of(ShapeKind::Union)
    };

    const AS_FIELD: &'static FieldType = &FieldType {
        cel: Declared::OneOf(&[
            Declared::String,
            Declared::Object(&Object {
                name: "Bound",
                fields: &[
                    Field { name: "Included", of: &T::AS_FIELD.cel },
                    Field { name: "Excluded", of: &T::AS_FIELD.cel },
                ],
            }),
        ]),
        ..FieldType::of::<Self>()
    };

    fn schema() -> JsonSchemaProps {
        let bounded = Union::external().data(&["Included"], T::schema());
        bounded.data(&["Excluded"], T::schema()).unit(&["Unbounded"], false).done()
    }
}

impl<T: CrdSchema, E: CrdSchema> CrdSchema for Result<T, E> {
    const SHAPE: Shape = Shape {
        fields: &[FieldShape::optional("Ok", &T::SHAPE), FieldShape::optional("Err", &E::SHAPE)],
        ..Shape::of(ShapeKind::Object)
    };

    const AS_FIELD: &'static FieldType = &FieldType {
        cel: Declared::Object(&Object {
            name: "Result",
            fields: &[
                Field { name: "Ok", of: &T::AS_FIELD.cel },
                Field { name: "Err", of: &E::AS_FIELD.cel },
            ],
        }),
        ..FieldType::of::<Self>()
    };

    fn schema() -> JsonSchemaProps {
        Union::external().data(&["Ok"], T::schema()).data(&["Err"], E::schema()).done()
    }
}

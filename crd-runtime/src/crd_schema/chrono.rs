//! Types of chrono.

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, TimeZone};

use super::{CrdSchema, Declared, FieldType, Shape, ShapeKind, schema_of, typed};
use crate::builder::formatted;
use crate::model::JsonSchemaProps;

impl<Tz: TimeZone> CrdSchema for DateTime<Tz> {
    const SHAPE: Shape = Shape::of(ShapeKind::String).formatted("date-time");
    const AS_FIELD: &'static FieldType = &FieldType::of::<Self>().declared(Declared::Timestamp);

    fn schema() -> JsonSchemaProps {
        formatted("date-time")
    }
}

// The server has no format for times without an offset.
schema_of! {
    NaiveDate: ShapeKind::String as Shape::of(ShapeKind::String).formatted("date"), Timestamp => formatted("date");
    NaiveDateTime: ShapeKind::String => typed("string");
    NaiveTime: ShapeKind::String => typed("string");
}

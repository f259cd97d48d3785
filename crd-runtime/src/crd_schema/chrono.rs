//! Types of chrono.

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, TimeZone};

use super::{CrdSchema, Declared, Kind, Shape, schema_of, typed};
use crate::builder::formatted;
use crate::model::JsonSchemaProps;

impl<Tz: TimeZone> CrdSchema for DateTime<Tz> {
    const SHAPE: Shape = Shape::of(Kind::String).formatted("date-time");
    const CEL: Declared = Declared::Timestamp;

    fn schema() -> JsonSchemaProps {
        formatted("date-time")
    }
}

// The server has no format for times without an offset.
schema_of! {
    NaiveDate: Kind::String as Shape::of(Kind::String).formatted("date"), Timestamp => formatted("date");
    NaiveDateTime: Kind::String => typed("string");
    NaiveTime: Kind::String => typed("string");
}

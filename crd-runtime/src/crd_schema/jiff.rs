//! Types of jiff.

use jiff::civil::{Date, DateTime, Time};
use jiff::{SignedDuration, Span, Timestamp, Zoned};

use super::{Kind, Shape, schema_of, typed};
use crate::builder::formatted;

// The server has no format for times with a zone's name or without a zone, nor for ISO 8601's `PT1H`.
schema_of! {
    Timestamp: Kind::String as Shape::of(Kind::String).formatted("date-time"), Timestamp => formatted("date-time");
    Date: Kind::String as Shape::of(Kind::String).formatted("date"), Timestamp => formatted("date");
    Zoned: Kind::String => typed("string");
    DateTime: Kind::String => typed("string");
    Time: Kind::String => typed("string");
    Span: Kind::String => typed("string");
    SignedDuration: Kind::String => typed("string");
}

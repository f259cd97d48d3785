//! Types of jiff.

use jiff::civil::{Date, DateTime, Time};
use jiff::{SignedDuration, Span, Timestamp, Zoned};

use super::{Shape, ShapeKind, schema_of, typed};
use crate::builder::formatted;

// The server has no format for times with a zone's name or without a zone, nor for ISO 8601's `PT1H`.
schema_of! {
    Timestamp: ShapeKind::String as Shape::of(ShapeKind::String).formatted("date-time"), Timestamp => formatted("date-time");
    Date: ShapeKind::String as Shape::of(ShapeKind::String).formatted("date"), Timestamp => formatted("date");
    Zoned: ShapeKind::String => typed("string");
    DateTime: ShapeKind::String => typed("string");
    Time: ShapeKind::String => typed("string");
    Span: ShapeKind::String => typed("string");
    SignedDuration: ShapeKind::String => typed("string");
}

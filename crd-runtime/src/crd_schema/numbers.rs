//! Integers, floats and bool.
//!
//! The server reads JSON integers as int64. It does not accept a larger `u64` as an integer, so the format of `u64` is
//! `int64`.

use std::num;

use super::{Shape, ShapeKind, schema_of, typed};
use crate::model::JsonSchemaProps;

fn integer(format: &str, minimum: Option<f64>, maximum: Option<f64>) -> JsonSchemaProps {
    JsonSchemaProps { format: format.to_owned(), minimum, maximum, ..typed("integer") }
}

fn small<T: Into<f64>>(format: &str, minimum: T, maximum: T) -> JsonSchemaProps {
    integer(format, Some(minimum.into()), Some(maximum.into()))
}

/// Excludes zero.
fn non_zero(schema: JsonSchemaProps) -> JsonSchemaProps {
    let zero = JsonSchemaProps { enum_: Some(vec![0.into()]), ..JsonSchemaProps::default() };
    JsonSchemaProps { not: Some(Box::new(zero)), ..schema }
}

fn float(format: &str) -> JsonSchemaProps {
    JsonSchemaProps { format: format.to_owned(), ..typed("number") }
}

const ONE: Option<f64> = Some(1.0);
const ZERO: Option<f64> = Some(0.0);

schema_of! {
    i8: ShapeKind::Integer as Shape::integer(i8::MIN as i64, i8::MAX as i64) => small("int32", i8::MIN, i8::MAX);
    i16: ShapeKind::Integer as Shape::integer(i16::MIN as i64, i16::MAX as i64) => small("int32", i16::MIN, i16::MAX);
    i32: ShapeKind::Integer as Shape::integer(i32::MIN as i64, i32::MAX as i64) => integer("int32", None, None);
    i64: ShapeKind::Integer as Shape::integer(i64::MIN, i64::MAX) => integer("int64", None, None);
    isize: ShapeKind::Integer as Shape::integer(i64::MIN, i64::MAX) => integer("int64", None, None);
    u8: ShapeKind::Integer as Shape::integer(0, u8::MAX as i64) => small("int32", u8::MIN, u8::MAX);
    u16: ShapeKind::Integer as Shape::integer(0, u16::MAX as i64) => small("int32", u16::MIN, u16::MAX);
    u32: ShapeKind::Integer as Shape::integer(0, u32::MAX as i64) => small("int64", u32::MIN, u32::MAX);
    u64: ShapeKind::Integer as Shape::integer(0, i64::MAX) => integer("int64", ZERO, None);
    usize: ShapeKind::Integer as Shape::integer(0, i64::MAX) => integer("int64", ZERO, None);
    num::NonZeroI8: ShapeKind::Integer as Shape::integer(i8::MIN as i64, i8::MAX as i64).non_zero() => non_zero(small("int32", i8::MIN, i8::MAX));
    num::NonZeroI16: ShapeKind::Integer as Shape::integer(i16::MIN as i64, i16::MAX as i64).non_zero() => non_zero(small("int32", i16::MIN, i16::MAX));
    num::NonZeroI32: ShapeKind::Integer as Shape::integer(i32::MIN as i64, i32::MAX as i64).non_zero() => non_zero(integer("int32", None, None));
    num::NonZeroI64: ShapeKind::Integer as Shape::integer(i64::MIN, i64::MAX).non_zero() => non_zero(integer("int64", None, None));
    num::NonZeroIsize: ShapeKind::Integer as Shape::integer(i64::MIN, i64::MAX).non_zero() => non_zero(integer("int64", None, None));
    num::NonZeroU8: ShapeKind::Integer as Shape::integer(1, u8::MAX as i64) => small("int32", 1, u8::MAX);
    num::NonZeroU16: ShapeKind::Integer as Shape::integer(1, u16::MAX as i64) => small("int32", 1, u16::MAX);
    num::NonZeroU32: ShapeKind::Integer as Shape::integer(1, u32::MAX as i64) => small("int64", 1, u32::MAX);
    num::NonZeroU64: ShapeKind::Integer as Shape::integer(1, i64::MAX) => integer("int64", ONE, None);
    num::NonZeroUsize: ShapeKind::Integer as Shape::integer(1, i64::MAX) => integer("int64", ONE, None);
    f32: ShapeKind::Number as Shape::of(ShapeKind::Number).formatted("float") => float("float");
    f64: ShapeKind::Number => float("double");
    bool: ShapeKind::Boolean => typed("boolean");
}

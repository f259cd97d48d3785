//! The protobuf messages that every environment knows: `google.protobuf.*`.
//!
//! Source: cel-go `common/types/pb/pb.go`, `init`; `common/types/types.go`, `checkedWellKnowns`.

use crate::types::Type;

/// The type that the name of a message stands for.
pub(super) fn message_type(name: &str) -> Option<Type> {
    let wrapper = |inner: Type| Type::Wrapper(inner.into());
    Some(match name.strip_prefix("google.protobuf.")? {
        "BoolValue" => wrapper(Type::Bool),
        "BytesValue" => wrapper(Type::Bytes),
        "DoubleValue" | "FloatValue" => wrapper(Type::Double),
        "Int64Value" | "Int32Value" => wrapper(Type::Int),
        "UInt64Value" | "UInt32Value" => wrapper(Type::Uint),
        "StringValue" => wrapper(Type::String),
        "Any" => Type::Any,
        "Duration" => Type::Duration,
        "Timestamp" => Type::Timestamp,
        "ListValue" => Type::list(Type::Dyn),
        "Struct" => Type::map(Type::String, Type::Dyn),
        "Value" => Type::Dyn,
        "Empty" | "Struct.FieldsEntry" => Type::object(name),
        _ => return None,
    })
}

/// The value of an enum constant by its full name.
pub(super) fn enum_value(name: &str) -> Option<i64> {
    (name == "google.protobuf.NullValue.NULL_VALUE").then_some(0)
}

/// The message that declares the fields of a literal, if the type of the literal is not an object
/// type.
///
/// Source: cel-go `checker/checker.go`, `isWellKnownType`, `getWellKnownTypeName`.
pub(super) fn message_name(ty: &Type) -> Option<&'static str> {
    Some(match ty {
        Type::Any => "google.protobuf.Any",
        Type::Duration => "google.protobuf.Duration",
        Type::Timestamp => "google.protobuf.Timestamp",
        Type::Dyn => "google.protobuf.Value",
        Type::Null => "google.protobuf.NullValue",
        Type::List(element) if **element == Type::Dyn => "google.protobuf.ListValue",
        Type::Map(key, value) if **key == Type::String && **value == Type::Dyn => {
            "google.protobuf.Struct"
        }
        Type::Wrapper(inner) => match &**inner {
            Type::Bool => "google.protobuf.BoolValue",
            Type::Bytes => "google.protobuf.BytesValue",
            Type::Double => "google.protobuf.DoubleValue",
            Type::Int => "google.protobuf.Int64Value",
            Type::String => "google.protobuf.StringValue",
            Type::Uint => "google.protobuf.UInt64Value",
            _ => return None,
        },
        _ => return None,
    })
}

/// The type of a field of a message; `None` for a message that has no such field.
pub(super) fn field_type(message: &str, field: &str) -> Option<Type> {
    let ty = match (message.strip_prefix("google.protobuf.")?, field) {
        ("Any", "type_url")
        | ("StringValue", "value")
        | ("Value", "string_value")
        | ("Struct.FieldsEntry", "key") => Type::String,
        ("Struct.FieldsEntry", "value") => Type::Dyn,
        ("Any" | "BytesValue", "value") => Type::Bytes,
        ("Duration" | "Timestamp", "seconds" | "nanos")
        | ("Int64Value" | "Int32Value", "value")
        | ("Value", "null_value") => Type::Int,
        ("UInt64Value" | "UInt32Value", "value") => Type::Uint,
        ("DoubleValue" | "FloatValue", "value") | ("Value", "number_value") => Type::Double,
        ("BoolValue", "value") | ("Value", "bool_value") => Type::Bool,
        ("Value", "list_value") | ("ListValue", "values") => Type::list(Type::Dyn),
        ("Value", "struct_value") | ("Struct", "fields") => Type::map(Type::String, Type::Dyn),
        _ => return None,
    };
    Some(ty)
}

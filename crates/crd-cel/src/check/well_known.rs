//! The types of the messages of `google.protobuf`.

use crate::types::Type;
use crate::well_known::{MESSAGES, Message, MessageType, NULL_VALUE, find};

/// The type that the name of a message stands for.
pub(super) fn message_type(name: &str) -> Option<Type> {
    Some(to_type(find(name)?.ty).unwrap_or_else(|| Type::object(name)))
}

/// The value of an enum constant by its full name.
pub(super) fn enum_value(name: &str) -> Option<i64> {
    (name == NULL_VALUE).then_some(0)
}

/// The message that declares the fields of a literal, if the type of the literal is not an object
/// type.
///
/// Source: cel-go `checker/checker.go`, `isWellKnownType`, `getWellKnownTypeName`.
pub(super) fn message_name(ty: &Type) -> Option<String> {
    let stands_for = |message: &&Message| to_type(message.ty).as_ref() == Some(ty);
    let name = match ty {
        Type::Null => "NullValue",
        _ => MESSAGES.iter().find(stands_for)?.name,
    };
    Some(format!("google.protobuf.{name}"))
}

/// The type of a field of a message; `None` for a message that has no such field.
pub(super) fn field_type(message: &str, field: &str) -> Option<Type> {
    let (_, ty) = find(message)?.fields.iter().find(|(name, _)| *name == field)?;
    to_type(*ty)
}

/// The type; `None` for the object type of a message.
fn to_type(ty: MessageType) -> Option<Type> {
    Some(match ty {
        MessageType::Basic(code) => Type::of_code(code),
        MessageType::Wrapper(code) => Type::Wrapper(Type::of_code(code).into()),
        MessageType::Any => Type::Any,
        MessageType::Values => Type::list(Type::Dyn),
        MessageType::Struct => Type::map(Type::String, Type::Dyn),
        MessageType::Object => return None,
    })
}

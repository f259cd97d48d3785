//! The messages of `google.protobuf`, which every environment knows.
//!
//! Source: cel-go `common/types/pb/pb.go`, `init`; `common/types/types.go`, `checkedWellKnowns`.

use crate::basic::{BOOL, BYTES, DOUBLE, DURATION, DYN, INT, STRING, TIMESTAMP, UINT};

/// A message.
#[derive(Debug)]
pub(crate) struct Message {
    /// The name after `google.protobuf.`.
    pub(crate) name: &'static str,
    /// The type that the name stands for.
    pub(crate) ty: MessageType,
    pub(crate) fields: &'static [(&'static str, MessageType)],
}

/// The type of a message or of a field of one.
#[derive(Debug, Clone, Copy)]
pub(crate) enum MessageType {
    /// A type without parts, by its code in [`basic`](crate::basic).
    Basic(u8),
    /// `wrapper(T)`, with the code of `T`.
    #[cfg_attr(not(feature = "eval"), expect(dead_code, reason = "unknown to the checks in rustc"))]
    Wrapper(u8),
    Any,
    /// `list(dyn)`
    Values,
    /// `map(string, dyn)`
    Struct,
    /// The object type of the message's name.
    Object,
}

impl MessageType {
    /// The code of a type without parts; otherwise that of an unknown type.
    #[cfg(feature = "compile-time")]
    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::Basic(code) => code,
            _ => crate::basic::UNKNOWN,
        }
    }
}

/// The messages. The order matters: of several messages that stand for one type, such as `Int64Value`
/// and `Int32Value`, the checker looks up the fields of a literal in the first.
pub(crate) const MESSAGES: &[Message] = {
    use MessageType::{Any, Basic, Object, Struct, Values, Wrapper};
    const TIME: &[(&str, MessageType)] = &[("seconds", Basic(INT)), ("nanos", Basic(INT))];
    const fn message(
        name: &'static str,
        ty: MessageType,
        fields: &'static [(&'static str, MessageType)],
    ) -> Message {
        Message { name, ty, fields }
    }
    &[
        message("Any", Any, &[("type_url", Basic(STRING)), ("value", Basic(BYTES))]),
        message("BoolValue", Wrapper(BOOL), &[("value", Basic(BOOL))]),
        message("BytesValue", Wrapper(BYTES), &[("value", Basic(BYTES))]),
        message("DoubleValue", Wrapper(DOUBLE), &[("value", Basic(DOUBLE))]),
        message("Duration", Basic(DURATION), TIME),
        message("Empty", Object, &[]),
        message("FloatValue", Wrapper(DOUBLE), &[("value", Basic(DOUBLE))]),
        message("Int64Value", Wrapper(INT), &[("value", Basic(INT))]),
        message("Int32Value", Wrapper(INT), &[("value", Basic(INT))]),
        message("ListValue", Values, &[("values", Values)]),
        message("StringValue", Wrapper(STRING), &[("value", Basic(STRING))]),
        message("Struct", Struct, &[("fields", Struct)]),
        message("Struct.FieldsEntry", Object, &[("key", Basic(STRING)), ("value", Basic(DYN))]),
        message("Timestamp", Basic(TIMESTAMP), TIME),
        message("UInt64Value", Wrapper(UINT), &[("value", Basic(UINT))]),
        message("UInt32Value", Wrapper(UINT), &[("value", Basic(UINT))]),
        message(
            "Value",
            Basic(DYN),
            &[
                ("null_value", Basic(INT)),
                ("number_value", Basic(DOUBLE)),
                ("string_value", Basic(STRING)),
                ("bool_value", Basic(BOOL)),
                ("struct_value", Struct),
                ("list_value", Values),
            ],
        ),
    ]
};

/// The full name of the constant of the enum `google.protobuf.NullValue`. No other enum is known.
pub(crate) const NULL_VALUE: &str = "google.protobuf.NullValue.NULL_VALUE";

/// The message with this full name, such as `google.protobuf.Any`.
pub(crate) fn find(name: &str) -> Option<&'static Message> {
    let name = name.strip_prefix("google.protobuf.")?;
    MESSAGES.iter().find(|message| message.name == name)
}

//! Names in an expression: variables, types and messages of `google.protobuf`.

use super::Writer;
use crate::compile_time::basic;
use crate::compile_time::code::op;
use crate::syntax::{Expr, ExprId, ExprKind, StructField};

/// The messages of `google.protobuf`: the name, the type of a literal, and the fields with their types. Types with parts
/// are `UNKNOWN`.
///
/// A test compares them with those of the environment.
#[expect(clippy::type_complexity, reason = "a table")]
pub(in crate::compile_time) const MESSAGES: [(&str, u8, &[(&str, u8)]); 17] = {
    use basic::{BOOL, BYTES, DOUBLE, DURATION, DYN, INT, STRING, TIMESTAMP, UINT, UNKNOWN};
    const TIME: &[(&str, u8)] = &[("seconds", INT), ("nanos", INT)];
    const VALUE: &[(&str, u8)] = &[
        ("null_value", INT),
        ("number_value", DOUBLE),
        ("string_value", STRING),
        ("bool_value", BOOL),
        ("struct_value", UNKNOWN),
        ("list_value", UNKNOWN),
    ];
    [
        ("Any", UNKNOWN, &[("type_url", STRING), ("value", BYTES)]),
        ("BoolValue", UNKNOWN, &[("value", BOOL)]),
        ("BytesValue", UNKNOWN, &[("value", BYTES)]),
        ("DoubleValue", UNKNOWN, &[("value", DOUBLE)]),
        ("Duration", DURATION, TIME),
        ("Empty", UNKNOWN, &[]),
        ("FloatValue", UNKNOWN, &[("value", DOUBLE)]),
        ("Int32Value", UNKNOWN, &[("value", INT)]),
        ("Int64Value", UNKNOWN, &[("value", INT)]),
        ("ListValue", UNKNOWN, &[("values", UNKNOWN)]),
        ("StringValue", UNKNOWN, &[("value", STRING)]),
        ("Struct", UNKNOWN, &[("fields", UNKNOWN)]),
        ("Struct.FieldsEntry", UNKNOWN, &[("key", STRING), ("value", DYN)]),
        ("Timestamp", TIMESTAMP, TIME),
        ("UInt32Value", UNKNOWN, &[("value", UINT)]),
        ("UInt64Value", UNKNOWN, &[("value", UINT)]),
        ("Value", DYN, VALUE),
    ]
};

/// The only constant of an enumeration in `google.protobuf`.
const NULL_VALUE: &str = "NullValue.NULL_VALUE";

impl Writer<'_> {
    /// A message literal: rules can make messages of protobuf, but no objects of their schema.
    ///
    /// Source: as of `crate::check`, `check_struct`.
    pub(super) fn message(&mut self, id: ExprId, written: &str, fields: &[StructField]) -> u16 {
        let name = written.strip_prefix('.').unwrap_or(written);
        let message = name
            .strip_prefix("google.protobuf.")
            .and_then(|name| MESSAGES.iter().find(|message| message.0 == name));
        let values: Vec<_> = fields.iter().map(|field| self.expr(&field.value)).collect();
        let Some((_, code, known)) = message else {
            let is_type = type_named(name).is_some() || matches!(name, "net.IP" | "net.CIDR");
            if is_type || name == format!("google.protobuf.{NULL_VALUE}") {
                self.invalid(id, &format!("'{name}' is not a message type"));
                return self.basic(basic::UNKNOWN, 0);
            }
            return self.undeclared(id, written);
        };
        for (field, value) in fields.iter().zip(values) {
            match known.iter().find(|known| known.0 == &*field.name) {
                None => self.invalid(field.id, &format!("undefined field '{}'", field.name)),
                Some((_, code)) if !field.optional => {
                    let expected = self.basic(*code, 0);
                    let at = self.position(field.id);
                    self.byte(op::EXPECT);
                    self.word(value);
                    self.word(at);
                    self.word(expected);
                }
                Some(_) => {}
            }
        }
        self.basic(*code, 0)
    }

    pub(super) fn ident(&mut self, id: ExprId, written: &str) -> u16 {
        let name = written.strip_prefix('.').unwrap_or(written);
        self.uses_old_self |= name == "oldSelf";
        if let Some((_, value)) = self.scope.iter().rev().find(|(known, _)| &**known == name) {
            return self.with_size_path(*value);
        }
        match name {
            "self" => {
                self.size_paths.root(0);
                0
            }
            "oldSelf" => {
                self.size_paths.root(1);
                1
            }
            _ => match type_named(name) {
                Some(code) => {
                    self.byte(op::TYPE);
                    self.byte(code);
                    self.value()
                }
                None => self.undeclared(id, written),
            },
        }
    }

    /// The value of a dotted name that names a type, such as `net.IP`.
    pub(super) fn qualified(&mut self, e: &Expr) -> Option<u16> {
        let name = dotted(e)?;
        let name = name.strip_prefix('.').unwrap_or(&name);
        let code = match name {
            "net.IP" => basic::IP,
            "net.CIDR" => basic::CIDR,
            _ => {
                let message = name.strip_prefix("google.protobuf.")?;
                if !MESSAGES.iter().any(|known| known.0 == message) && message != NULL_VALUE {
                    return None;
                }
                basic::UNKNOWN
            }
        };
        self.byte(op::TYPE);
        self.byte(code);
        Some(self.value())
    }
}

/// The dotted name that an expression consists of.
pub(super) fn dotted(e: &Expr) -> Option<String> {
    match &e.kind {
        ExprKind::Ident(name) => Some(name.to_string()),
        ExprKind::Select { operand, field, test_only: false } => {
            Some(format!("{}.{field}", dotted(operand)?))
        }
        _ => None,
    }
}

/// The type with a name.
fn type_named(name: &str) -> Option<u8> {
    Some(match name {
        "bool" => basic::BOOL,
        "bytes" => basic::BYTES,
        "double" => basic::DOUBLE,
        "duration" => basic::DURATION,
        "int" => basic::INT,
        "null_type" => basic::NULL,
        "string" => basic::STRING,
        "timestamp" => basic::TIMESTAMP,
        "uint" => basic::UINT,
        // All types of types fit each other.
        "list" | "map" | "optional_type" | "type" => basic::UNKNOWN,
        _ => return None,
    })
}

//! Names in an expression: variables, types and messages of `google.protobuf`.

use super::Writer;
use crate::compile_time::basic;
use crate::compile_time::code::op;
use crate::kubernetes::Environment;
use crate::library::table::named_types;
use crate::syntax::{Expr, ExprId, StructField};
use crate::well_known;

impl Writer<'_> {
    /// A message literal: rules can make messages of protobuf, but no objects of their schema.
    ///
    /// Source: that of `check_struct` in `crate::check`.
    pub(super) fn message(&mut self, id: ExprId, written: &str, fields: &[StructField]) -> u16 {
        let name = written.strip_prefix('.').unwrap_or(written);
        let values: Vec<_> = fields.iter().map(|field| self.expr(&field.value)).collect();
        let Some(message) = well_known::find(name) else {
            if type_named(name).is_some() || name == well_known::NULL_VALUE {
                self.invalid(id, &format!("'{name}' is not a message type"));
                return self.basic(basic::UNKNOWN);
            }
            return self.undeclared(id, written);
        };
        for (field, value) in fields.iter().zip(values) {
            match message.fields.iter().find(|known| known.0 == &*field.name) {
                None => self.invalid(field.id, &format!("undefined field '{}'", field.name)),
                Some((_, ty)) if !field.optional => {
                    let expected = self.basic(ty.code());
                    let at = self.position(field.id);
                    self.byte(op::EXPECT);
                    self.word(at);
                    self.word(value);
                    self.word(expected);
                }
                Some(_) => {}
            }
        }
        self.basic(message.ty.code())
    }

    pub(super) fn ident(&mut self, id: ExprId, written: &str) -> u16 {
        let name = written.strip_prefix('.').unwrap_or(written);
        self.uses_old_self |= name == "oldSelf";
        if let Some((_, value)) = self.scope.iter().rev().find(|(known, _)| &**known == name) {
            return *value;
        }
        match name {
            "self" => 0,
            "oldSelf" => 1,
            _ => match type_named(name) {
                Some(code) => {
                    self.byte(op::TYPE);
                    self.byte(code);
                    self.value(None)
                }
                None => self.undeclared(id, written),
            },
        }
    }

    /// The value of a dotted name that names a type, such as `net.IP`.
    pub(super) fn qualified(&mut self, e: &Expr) -> Option<u16> {
        let name = e.qualified_name()?;
        let name = name.strip_prefix('.').unwrap_or(&name);
        if name.starts_with("self.") || name.starts_with("oldSelf.") {
            return None;
        }
        let code = if let Some(code) = type_named(name) {
            code
        } else {
            if well_known::find(name).is_none() && name != well_known::NULL_VALUE {
                return None;
            }
            basic::UNKNOWN
        };
        self.byte(op::TYPE);
        self.byte(code);
        Some(self.value(None))
    }
}

/// The code of the type with this name.
fn type_named(name: &str) -> Option<u8> {
    match name {
        // These names exist because `self` has a declaration. Source: that of `Env::scalar_type`.
        "duration" => Some(basic::DURATION),
        "timestamp" => Some(basic::TIMESTAMP),
        _ => {
            let environment = Environment::default();
            let mut named = named_types().filter(|(_, presence)| environment.has(*presence));
            named.find(|(named, _)| named.name == name).map(|(named, _)| named.stands_for.code())
        }
    }
}

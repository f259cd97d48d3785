//! Field selections.

use super::{At, Checker};
use crate::compile_time::basic;
use crate::compile_time::code::flag;
use crate::compile_time::name::Name;
use crate::compile_time::origin::{Origin, Value};
use crate::compile_time::site::Site;
use crate::compile_time::sites::Property;
use crate::compile_time::types::{Type, below};
use crate::minors::libraries::ESCAPED_KEYWORDS;

const HOLDS_ANY: &str =
    "note: the field exists, but it holds any JSON, and rules cannot see a field without a type";
const HOLDS_SEVERAL: &str = "note: the field exists, but variants give it different types, and rules \
    cannot see a field without a type";

impl Checker<'_> {
    pub(super) const fn field(&mut self) {
        let at = self.rest;
        let [_, _, low, high, flags, rest @ ..] = at else { return };
        self.rest = rest;
        let flags = *flags;
        let name = self.name();
        let Value { ty: operand, origin: from } = self.values[number!(low, high) as usize];
        let operand = self.types.apply(operand);
        let (inner, optional) = match operand {
            Type::Optional(inner) => (self.types.node(inner), true),
            ty => (ty, flags & flag::OPTIONAL != 0),
        };
        let (result, origin) = self.select(inner, from, name, flags & flag::RESERVED != 0, at);
        let result = if optional { self.types.optional(result) } else { result };
        if flags & flag::TEST != 0 {
            return self.make(Type::Basic(basic::BOOL), Origin::COMPUTED);
        }
        self.make(result, if optional { Origin::COMPUTED } else { origin });
    }

    /// The type and the origin of a field of a value of type `ty`.
    const fn select(
        &mut self,
        ty: Type,
        from: Origin,
        name: Name<'static>,
        reserved: bool,
        at: At,
    ) -> (Type, Origin) {
        let ty = match ty {
            Type::Map(_, value) => {
                return (self.types.node(value), from.elements(&mut self.types));
            }
            Type::Object(object, place) => match self.types.property(object, name) {
                Property::Found(field) => {
                    if reserved {
                        self.need(at, ESCAPED_KEYWORDS.first_minor(), name.text());
                    }
                    if let Some(ty) = self.types.declared(field, below(place, name.number())) {
                        return (ty, from.part(Some(field)));
                    }
                    let note = match field {
                        Site::One(_) => HOLDS_ANY,
                        Site::Several(..) => HOLDS_SEVERAL,
                    };
                    self.report_undefined(object, name, reserved, at, note);
                    Type::Basic(basic::UNKNOWN)
                }
                Property::Unknown => Type::Basic(basic::UNKNOWN),
                Property::Missing => {
                    self.report_undefined(object, name, reserved, at, "");
                    Type::Basic(basic::UNKNOWN)
                }
            },
            Type::Var(free) => {
                self.types.set(free, Type::Basic(basic::DYN));
                self.types.end_assignment(true);
                Type::Basic(basic::DYN)
            }
            Type::Basic(basic::UNKNOWN | basic::DYN) => ty,
            Type::Basic(code) if code >= basic::URL => {
                if self.begin(at) {
                    self.write("unexpected failed resolution of '");
                    self.write_type(ty);
                    self.write("'");
                }
                Type::Basic(basic::UNKNOWN)
            }
            _ => {
                if self.begin(at) {
                    self.write("type '");
                    self.write_type(ty);
                    self.write("' does not support field selection");
                }
                Type::Basic(basic::UNKNOWN)
            }
        };
        (ty, Origin::COMPUTED)
    }

    const fn report_undefined(
        &mut self,
        object: Site,
        name: Name<'static>,
        reserved: bool,
        at: At,
        note: &str,
    ) {
        if !self.begin(at) {
            return;
        }
        let name = name.text();
        // The error has the name as the rule writes it: `in`, not the escaped `__in__`.
        let written = if reserved { name.split_at(name.len() - 2).0.split_at(2).1 } else { name };
        self.write("undefined field '");
        self.write(written);
        self.write("'\n");
        if note.is_empty() {
            self.issues.text.push_similar(&self.types, object, written);
        } else {
            self.write(note);
        }
    }
}

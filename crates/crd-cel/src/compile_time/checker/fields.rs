//! Field selections, and the paths by which the estimate finds sizes.

use super::{Checker, STEP};
use crate::compile_time::basic;
use crate::compile_time::code::{flag, step};
use crate::compile_time::declared::Declared;
use crate::compile_time::estimate::{Estimate, PathElement, SizeSource};
use crate::compile_time::site::Site;
use crate::compile_time::sites::Property;
use crate::compile_time::trace::ReadValue;
use crate::compile_time::types::{Type, below};
use crate::minors::libraries::ESCAPED_KEYWORDS;

const HOLDS_ANY: &str =
    "note: the field exists, but it holds any JSON, and rules cannot see a field without a type";
const HOLDS_SEVERAL: &str = "note: the field exists, but variants give it different types, and rules \
    cannot see a field without a type";

impl Checker<'_, '_> {
    pub(super) const fn field(&mut self) {
        let from = self.estimate();
        let operand = self.operand();
        let at = self.word();
        let flags = self.byte();
        let name = self.name();
        let operand = self.types.apply(operand);
        let (inner, optional) = match operand {
            Type::Optional(inner) => (self.types.node(inner), true),
            ty => (ty, flags & flag::OPTIONAL != 0),
        };
        self.enums = (0, 0);
        self.types.found = None;
        let result = self.select(inner, name, flags & flag::RESERVED != 0, at);
        let result = if optional { self.types.optional(result) } else { result };
        if flags & flag::TEST != 0 {
            return self.make(Type::Basic(basic::BOOL), from.then(0, 1));
        }
        let otherwise = self.types.size_of(result);
        if flags & flag::OPTIONAL != 0 {
            return self.make(result, from.then(1, otherwise));
        }
        let of = match from.of {
            Some(Declared::Object(_)) => self.types.found,
            _ => None,
        };
        let mut estimate = from.field(name, of, self.basis, otherwise, &mut self.types.fuel);
        if matches!(operand, Type::Object(..) | Type::Map(..)) {
            estimate = estimate.costing(1);
        }
        if flags & flag::RESERVED != 0 {
            estimate = Estimate { at: SizeSource::Unknown, size: 0, ..estimate };
        }
        let estimate = self.read(ReadValue::of(name), Estimate { enums: self.enums, ..estimate });
        self.make(result, estimate);
    }

    /// Adds a copy of a value whose size the server looks up at another path.
    pub(super) const fn size_path(&mut self) {
        let estimate = self.estimate();
        let ty = self.operand();
        let mut steps = self.byte();
        let mut at = self.basis.root;
        let mut field = "";
        while steps > 0 {
            let part = self.step_of_path();
            field = match part {
                Some(PathElement::Field(name)) => name,
                _ => "",
            };
            at = match part {
                Some(part) => at.step(part, self.basis.root, &mut self.types.fuel),
                None => SizeSource::Unknown,
            };
            steps -= 1;
        }
        let applied = self.types.apply(ty);
        let otherwise = self.types.size_of(applied);
        let size = at.size(otherwise, self.basis.minor, &mut self.types.fuel);
        let estimate = Estimate { size, at, ..estimate };
        let estimate =
            if field.is_empty() { estimate } else { self.read(ReadValue::of(field), estimate) };
        self.make(ty, estimate);
    }

    /// Reads a step of a path; `None` if it is unknown.
    pub(super) const fn step_of_path(&mut self) -> Option<PathElement<'static>> {
        self.types.spend(STEP);
        match self.byte() {
            step::FIELD => Some(PathElement::Field(self.name())),
            step::ELEMENTS => Some(PathElement::Elements),
            step::SINGLE => self.step_through(PathElement::Elements),
            step::KEY => self.step_through(PathElement::Indices),
            // step::UNKNOWN
            _ => None,
        }
    }

    /// Reads the operand that is the range of a comprehension, and returns the step from it to the iteration variable:
    /// `of_list` for a list, the keys for a map or `dyn`; `None` for another type.
    const fn step_through(
        &mut self,
        of_list: PathElement<'static>,
    ) -> Option<PathElement<'static>> {
        let range = self.operand();
        match self.types.apply(range) {
            Type::List(_) => Some(of_list),
            Type::Map(..) | Type::Basic(basic::DYN) => Some(PathElement::Keys),
            _ => None,
        }
    }

    const fn select(&mut self, ty: Type, name: &'static str, reserved: bool, at: u16) -> Type {
        match ty {
            Type::Map(_, value) => self.types.node(value),
            Type::Object(object, place) => match self.types.property(object, name) {
                Property::Found(field) => {
                    if reserved {
                        self.need(at, ESCAPED_KEYWORDS.first_minor(), name);
                    }
                    if let Some(ty) = self.types.declared(field, below(place, name)) {
                        if let Site::Several(start, count) = field {
                            self.enums = (start, count);
                        }
                        return ty;
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
                if self.issues.begin(at) {
                    self.write("unexpected failed resolution of '");
                    self.write_type(ty);
                    self.write("'");
                }
                Type::Basic(basic::UNKNOWN)
            }
            _ => {
                if self.issues.begin(at) {
                    self.write("type '");
                    self.write_type(ty);
                    self.write("' does not support field selection");
                }
                Type::Basic(basic::UNKNOWN)
            }
        }
    }

    const fn report_undefined(
        &mut self,
        object: Site,
        name: &'static str,
        reserved: bool,
        at: u16,
        note: &str,
    ) {
        if !self.issues.begin(at) {
            return;
        }
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

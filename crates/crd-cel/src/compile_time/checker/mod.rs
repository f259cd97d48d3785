//! Type-checks a program; the counterpart of `crate::check` and `crate::validate::uniform`.

mod calls;
mod check_result;
mod collections;
mod fields;
mod literals;
mod members;

use super::basic;
use super::code::{OPTIONAL_ENTRY, op};
use super::declared::Declared;
use super::fuel::{EXPRESSION, Fuel};
use super::kinds::MergedType;
use super::memory::{LARGE, Memory, ValueMemory};
use super::message::{Issues, Text};
use super::origin::Origin;
use super::rule::{ELEMENTS, Rule};
use super::site::Site;
use super::sites::Property;
use super::text::equal;
use super::types::{Type, TypeMemory, Types};

pub(super) use check_result::{CheckResult, check_expression};

/// The fuel of an operation, without its parts, which are counted separately.
const STEP: usize = 48;
/// The most operands of a call.
const MAX_OPERANDS: usize = 8;
/// The most comparisons with non-members of enumerations that are reported.
const MAX_NON_MEMBERS: usize = 4;

/// The errors for the functions of a valid expression that a server of this minor does not have.
pub(super) const fn missing_on(rule: &Rule, path: &[&str], minor: u32) -> Text {
    let mut memory = Memory::<LARGE>::new();
    let mut checker = Checker::new(rule, path, Fuel::new(EXPRESSION), memory.lend());
    checker.oldest = minor;
    checker.result();
    let mut text = Text::new();
    checker.issues.print(rule.source, &mut text);
    text
}

struct Checker<'m> {
    code: &'static [u8],
    at: usize,
    types: Types<'m>,
    values: ValueMemory<'m>,
    value_count: usize,
    issues: Issues,
    /// The reason why the server cannot plan the expression. It is reported only if there is no
    /// other error.
    cannot_be_planned: Option<&'static str>,
    /// Whether the schema of `self` has no type.
    untyped: bool,
    /// Comparisons of enumerations with other strings: the site of the enumerations, and the offset
    /// of the literal in the program.
    non_members: [(Site, usize); MAX_NON_MEMBERS],
    non_member_count: usize,
    /// The minor whose missing functions are reported; `u32::MAX` to report none.
    oldest: u32,
    /// As in [`Examined`](super::rule::Examined).
    since: u32,
}

impl<'m> Checker<'m> {
    const fn new(
        rule: &Rule,
        path: &[&str],
        fuel: Fuel,
        (types, values): (TypeMemory<'m>, ValueMemory<'m>),
    ) -> Self {
        let mut checker = Self {
            code: rule.program,
            at: 1,
            types: Types::new(fuel, types),
            values,
            value_count: 0,
            issues: Issues::new(),
            cannot_be_planned: None,
            untyped: false,
            non_members: [(Site::Several(0, 0), 0); MAX_NON_MEMBERS],
            non_member_count: 0,
            oldest: u32::MAX,
            since: 0,
        };
        let site = checker.site_at(rule.of, path);
        let of = match site {
            Some(site) => checker.types.declared(site, 1),
            None => None,
        };
        checker.untyped = of.is_none() && site.is_some();
        let of = match of {
            Some(ty) => ty,
            None => Type::Basic(basic::UNKNOWN),
        };
        let origin = Origin { site, ..Origin::COMPUTED };
        checker.make(of, origin);
        let old = if rule.optional_old_self { checker.types.optional(of) } else { of };
        checker.make(old, Origin { old: true, ..origin });
        checker
    }

    /// Records that a function or syntax exists only since a minor, and reports it at its position if a server to
    /// support is older.
    const fn need(&mut self, at: u16, since: u32, what: &str) {
        if since > self.since {
            self.since = since;
        }
        if since > self.oldest && self.issues.begin(at) {
            self.issues.text.push_need(what, since, self.oldest);
        }
    }

    /// Runs the program and returns the index of its result.
    const fn result(&mut self) -> usize {
        let end = self.code.len() - 4;
        while self.at < end {
            let issues = self.issues.count;
            self.step();
            if self.types.is_full() {
                // Issues of an incomplete step may be wrong.
                self.issues.keep(issues);
                return 0;
            }
        }
        (self.word() & !OPTIONAL_ENTRY) as usize
    }

    /// The origin of the operand that is read next.
    const fn origin(&self) -> Origin {
        let index = (self.code[self.at] as u16) | ((self.code[self.at + 1] as u16) << 8);
        self.values.origins[(index & !OPTIONAL_ENTRY) as usize]
    }

    const fn site_at(&mut self, of: &'static Declared, path: &[&str]) -> Option<Site> {
        let mut site = self.types.site(of);
        let mut i = 0;
        while i < path.len() {
            site = if equal(path[i].as_bytes(), ELEMENTS.as_bytes()) {
                match self.types.merged(site) {
                    MergedType::List | MergedType::Map => self.types.elements(site),
                    _ => return None,
                }
            } else {
                match self.types.property(site, path[i]) {
                    Property::Found(site) => site,
                    Property::Missing | Property::Unknown => return None,
                }
            };
            i += 1;
        }
        Some(site)
    }

    const fn byte(&mut self) -> u8 {
        self.at += 1;
        self.code[self.at - 1]
    }

    const fn word(&mut self) -> u16 {
        self.at += 2;
        (self.code[self.at - 2] as u16) | ((self.code[self.at - 1] as u16) << 8)
    }

    const fn operand(&mut self) -> Type {
        let index = self.word();
        self.values.types[(index & !OPTIONAL_ENTRY) as usize]
    }

    const fn name(&mut self) -> &'static str {
        let len = self.byte() as usize;
        self.text(len)
    }

    const fn long_text(&mut self) -> &'static str {
        let len = self.word() as usize;
        self.text(len)
    }

    const fn text(&mut self, len: usize) -> &'static str {
        self.types.fuel.spent += 8 + 5 * len;
        let rest = self.code.split_at(self.at).1;
        self.at += len;
        match std::str::from_utf8(rest.split_at(len).0) {
            Ok(name) => name,
            Err(_) => "",
        }
    }

    const fn make(&mut self, ty: Type, origin: Origin) {
        if self.value_count == self.values.types.len() {
            self.types.fill();
            return;
        }
        self.values.types[self.value_count] = ty;
        self.values.origins[self.value_count] = origin;
        self.value_count += 1;
    }

    const fn step(&mut self) {
        self.types.fuel.spent += STEP;
        match self.byte() {
            op::BASIC => {
                let code = self.byte();
                self.make(Type::Basic(code), Origin::COMPUTED);
            }
            op::TEXT => {
                let literal = self.at;
                self.at += 2;
                self.long_text();
                self.make(Type::Basic(basic::STRING), Origin::literal(literal));
            }
            op::FIELD => self.field(),
            op::CALL => self.call(),
            op::LOGIC => self.logic(),
            op::LIST => self.list(),
            op::MAP => self.map(),
            op::ITERATE => self.iterate(),
            op::EXPECT => self.expect(),
            op::TYPE => {
                let code = self.byte();
                let ty = Type::Meta(self.types.part(Type::Basic(code)));
                self.make(ty, Origin::COMPUTED);
            }
            op::INVALID => {
                self.at += 2;
                self.long_text();
            }
            op::FAILS => {
                self.long_text();
            }
            op::SINCE => {
                let at = self.word();
                let since = self.byte() as u32;
                self.need(at, since, "a name in backticks");
            }
            op::FORMAT => {
                self.at += 2;
                self.long_text();
                let count = self.byte() as usize;
                self.at += 5 * count;
            }
            // op::UNDECLARED
            _ => {
                let at = self.word();
                let name = self.name();
                if self.issues.begin(at) {
                    self.write("undeclared reference to '");
                    self.write(name);
                    self.write("' (in container '')");
                }
                self.make(Type::Basic(basic::UNKNOWN), Origin::COMPUTED);
            }
        }
    }

    const fn write(&mut self, text: &str) {
        self.issues.text.push(text);
    }

    const fn write_type(&mut self, ty: Type) {
        self.issues.text.push_type(&self.types, ty, 0);
    }

    const fn report_mismatch(&mut self, at: u16, expected: Type, found: Type) {
        if self.issues.begin(at) {
            self.write("expected type '");
            self.write_type(expected);
            self.write("' but found '");
            self.write_type(found);
            self.write("'");
        }
    }

    const fn expect(&mut self) {
        let found = self.operand();
        let at = self.word();
        let expected = self.operand();
        if !self.types.assign(expected, found) {
            self.report_mismatch(at, expected, found);
        }
    }

    const fn logic(&mut self) {
        let mut fits = true;
        let mut i = 0;
        while i < 2 {
            let operand = self.operand();
            let at = self.word();
            if !self.types.assign(operand, Type::Basic(basic::BOOL)) {
                self.report_mismatch(at, Type::Basic(basic::BOOL), operand);
                fits = false;
            }
            i += 1;
        }
        self.make(Type::Basic(if fits { basic::BOOL } else { basic::UNKNOWN }), Origin::COMPUTED);
    }
}

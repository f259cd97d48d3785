//! Type-checks a program; the counterpart of `crate::check` and `crate::validate::uniform`.

/// A number with its bytes in order. PERF: not a function, because a call takes rustc longer than the rest.
macro_rules! number {
    ($low:expr, $high:expr) => {
        (*$low as u16) | ((*$high as u16) << 8)
    };
}

mod calls;
mod check_result;
mod collections;
mod fields;
mod literals;
mod members;

use super::basic;
use super::code::op;
use super::declared::Declared;
use super::fuel::{EXPRESSION, Fuel};
use super::kinds::MergedType;
use super::memory::{LARGE, Lent, Memory};
use super::message::{Issues, Text};
use super::name::Name;
use super::origin::{Origin, Value};
use super::rule::{ELEMENTS, Rule};
use super::site::Site;
use super::sites::Property;
use super::text::equal;
use super::types::{Type, Types};

pub(super) use check_result::{CheckResult, check_expression};

/// The fuel of an operation, without its parts, which are counted separately.
const STEP: usize = 48;
/// The most operands of a call.
const MAX_OPERANDS: usize = 8;
/// The most comparisons with non-members of enumerations that are reported.
const MAX_NON_MEMBERS: usize = 4;

/// The errors for the functions of a valid expression that a server of this minor does not have.
pub(super) const fn missing_on(rule: &Rule, minor: u32) -> Text {
    let mut memory = Memory::<LARGE>::NEW;
    let mut checker = Checker::new(rule, Fuel::new(EXPRESSION), memory.lend());
    checker.oldest = minor;
    checker.result();
    let mut text = Text::new();
    checker.issues.print(rule.source, &mut text);
    text
}

/// A program from a position on, which only errors read.
type At = &'static [u8];

struct Checker<'m> {
    program: &'static [u8],
    /// The offset of the texts in the program.
    texts: usize,
    /// The program from the next operation or operand on.
    ///
    /// PERF: patterns take rustc less time than an index for each byte, and much less than `split_at`.
    rest: &'static [u8],
    types: Types<'m>,
    values: &'m mut [Value],
    value_count: usize,
    issues: &'m mut Issues,
    /// The reason why the server cannot plan the expression. It is reported only if there is no
    /// other error.
    cannot_be_planned: Option<&'static str>,
    /// Whether the schema of `self` has no type.
    untyped: bool,
    /// Comparisons of enumerations with other strings: the site of the enumerations, and the
    /// position of the literal, with its text after it.
    non_members: [(Site, At); MAX_NON_MEMBERS],
    non_member_count: usize,
    /// The minor whose missing functions are reported; `u32::MAX` to report none.
    oldest: u32,
    /// As in [`Examined`](super::rule::Examined).
    since: u32,
}

impl<'m> Checker<'m> {
    const fn new(rule: &Rule, fuel: Fuel, Lent { types, values, issues }: Lent<'m>) -> Self {
        let mut checker = Self {
            program: rule.program,
            texts: 0,
            rest: rule.program,
            types: Types::new(fuel, types),
            values,
            value_count: 0,
            issues,
            cannot_be_planned: None,
            untyped: false,
            non_members: [(Site::Several(0, 0), &[]); MAX_NON_MEMBERS],
            non_member_count: 0,
            oldest: u32::MAX,
            since: 0,
        };
        checker.start();
        let site = checker.site_at(rule.of, rule.path);
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
    const fn need(&mut self, at: At, since: u32, what: &str) {
        if since > self.since {
            self.since = since;
        }
        if since > self.oldest && self.begin(at) {
            self.issues.text.push_need(what, since, self.oldest);
        }
    }

    /// Goes to the first operation.
    const fn start(&mut self) {
        if let [_, low, high, rest @ ..] = self.program {
            self.texts = number!(low, high) as usize;
            self.rest = rest;
        }
    }

    /// Runs the program and returns the type of its result.
    const fn result(&mut self) -> Type {
        loop {
            let operation = self.rest;
            let issues = self.issues.count;
            self.types.fuel.spent += STEP;
            let [op, rest @ ..] = operation else { return Type::Basic(basic::UNKNOWN) };
            self.rest = rest;
            match *op {
                op::END => return self.operand().ty,
                op::BASIC => {
                    let code = self.byte();
                    self.make(Type::Basic(code), Origin::COMPUTED);
                }
                op::TEXT => {
                    self.at();
                    self.name();
                    self.make(Type::Basic(basic::STRING), Origin::literal(operation));
                }
                op::FIELD => self.field(),
                op::CALL => self.call(),
                op::LOGIC => self.logic(),
                op::LIST => self.list(operation),
                op::MAP => self.map(),
                op::ITERATE => self.iterate(),
                op::EXPECT => self.expect(),
                op::TYPE => {
                    let code = self.byte();
                    let ty = Type::Meta(self.types.part(Type::Basic(code)));
                    self.make(ty, Origin::COMPUTED);
                }
                op::INVALID => {
                    self.at();
                    self.name();
                }
                op::FAILS => {
                    self.name();
                }
                op::SINCE => {
                    let at = self.at();
                    let since = self.byte() as u32;
                    self.need(at, since, "a name in backticks");
                }
                op::FORMAT => {
                    self.at();
                    self.name();
                    let count = self.byte() as usize;
                    self.skip(5 * count);
                }
                // op::UNDECLARED
                _ => {
                    let at = self.at();
                    let name = self.name();
                    if self.begin(at) {
                        self.write("undeclared reference to '");
                        self.write(name.text());
                        self.write("' (in container '')");
                    }
                    self.make(Type::Basic(basic::UNKNOWN), Origin::COMPUTED);
                }
            }
            if self.types.full || self.types.fuel.spent > self.types.fuel.limit {
                // Issues of an incomplete operation may be wrong.
                self.types.full = true;
                self.issues.keep(issues);
                return Type::Basic(basic::UNKNOWN);
            }
        }
    }

    const fn site_at(&mut self, of: &'static Declared, path: &[&str]) -> Option<Site> {
        let mut site = self.types.site(of);
        let mut path = path;
        while let [name, rest @ ..] = path {
            path = rest;
            site = if equal(name.as_bytes(), ELEMENTS.as_bytes()) {
                match self.types.merged(site) {
                    MergedType::List | MergedType::Map => self.types.elements(site),
                    _ => return None,
                }
            } else {
                match self.types.property(site, Name::new(name)) {
                    Property::Found(site) => site,
                    Property::Missing | Property::Unknown => return None,
                }
            };
        }
        Some(site)
    }

    const fn byte(&mut self) -> u8 {
        let [byte, rest @ ..] = self.rest else { return op::END };
        self.rest = rest;
        *byte
    }

    const fn word(&mut self) -> u16 {
        let [low, high, rest @ ..] = self.rest else { return 0 };
        self.rest = rest;
        number!(low, high)
    }

    const fn at(&mut self) -> At {
        let at = self.rest;
        if let [_, _, rest @ ..] = at {
            self.rest = rest;
        }
        at
    }

    const fn skip(&mut self, bytes: usize) {
        self.rest = self.rest.split_at(bytes).1;
    }

    const fn operand(&mut self) -> Value {
        let [low, high, rest @ ..] = self.rest else { return self.values[0] };
        self.rest = rest;
        self.values[number!(low, high) as usize]
    }

    const fn name(&mut self) -> Name<'static> {
        let [low, high, short, long, rest @ ..] = self.rest else { return Name::new("") };
        self.rest = rest;
        let start = self.texts + number!(low, high) as usize;
        Name::within(self.program, start, number!(short, long) as usize)
    }

    const fn make(&mut self, ty: Type, origin: Origin) {
        if self.value_count == self.types.memory.size {
            self.types.fill();
            return;
        }
        self.values[self.value_count] = Value { ty, origin };
        self.value_count += 1;
    }

    /// Begins an issue; `false` if there are too many already.
    const fn begin(&mut self, at: At) -> bool {
        let [low, high, ..] = at else { return false };
        self.issues.begin(number!(low, high))
    }

    const fn write(&mut self, text: &str) {
        self.issues.text.push(text);
    }

    const fn write_type(&mut self, ty: Type) {
        self.issues.text.push_type(&self.types, ty, 0);
    }

    const fn report_mismatch(&mut self, at: At, expected: Type, found: Type) {
        if self.begin(at) {
            self.write("expected type '");
            self.write_type(expected);
            self.write("' but found '");
            self.write_type(found);
            self.write("'");
        }
    }

    const fn expect(&mut self) {
        let at = self.at();
        let found = self.operand().ty;
        let expected = self.operand().ty;
        if !self.types.assign(expected, found) {
            self.report_mismatch(at, expected, found);
        }
    }

    const fn logic(&mut self) {
        let mut fits = true;
        let mut i = 0;
        while i < 2 {
            let at = self.rest;
            let [_, _, low, high, rest @ ..] = at else { break };
            self.rest = rest;
            let operand = self.values[number!(low, high) as usize].ty;
            if !self.types.assign(operand, Type::Basic(basic::BOOL)) {
                self.report_mismatch(at, Type::Basic(basic::BOOL), operand);
                fits = false;
            }
            i += 1;
        }
        self.make(Type::Basic(if fits { basic::BOOL } else { basic::UNKNOWN }), Origin::COMPUTED);
    }
}

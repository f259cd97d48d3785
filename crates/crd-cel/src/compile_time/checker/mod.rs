//! Type-checks a program and estimates its cost; the counterpart of `crate::check`,
//! `crate::validate::uniform` and `crate::cost`.

mod calls;
mod check_result;
mod collections;
mod fields;
mod literals;
mod members;

use super::basic;
use super::code::{OPTIONAL_ENTRY, op};
use super::declared::Declared;
use super::estimate::{Basis, Estimate, SizeSource};
use super::fuel::{EXPRESSION, Fuel};
use super::kinds::MergedType;
use super::memory::{LARGE, Memory, SMALL, ValueMemory};
use super::message::{Issues, Text};
use super::rule::{ELEMENTS, Rule};
use super::site::Site;
use super::sites::Property;
use super::text::equal;
use super::trace::{ReadValue, Trace};
use super::types::{Type, TypeMemory, Types};
use crate::kubernetes::{Change, KubernetesVersion};

pub(super) use check_result::check_expression;

/// The minor whose estimates are used if none is named.
pub(super) const REFERENCE: u32 = KubernetesVersion::REFERENCE.minor();
/// The fuel of an operation, without its parts, which are counted separately.
const STEP: usize = 48;
/// The most operands of a call.
const MAX_OPERANDS: usize = 8;
/// The most comparisons with non-members of enumerations that are reported.
const MAX_NON_MEMBERS: usize = 4;

/// The cost of a valid expression for one value, in cost units: the server's estimate or less, and
/// 0 if the expression exceeds the limits here.
#[must_use]
pub const fn least_cost(rule: Rule) -> u64 {
    cost_on(&rule, &[], REFERENCE, &mut Fuel::new(EXPRESSION), None)
}

/// As [`least_cost`], with the estimate of a minor of Kubernetes.
#[must_use]
pub const fn least_cost_on(rule: Rule, minor: u32) -> u64 {
    cost_on(&rule, &[], minor, &mut Fuel::new(EXPRESSION), None)
}

/// As [`least_cost_on`], for `self` at the end of a path. Spends `fuel`, and records the values read
/// in `trace`.
pub(super) const fn cost_on(
    rule: &Rule,
    path: &[&str],
    minor: u32,
    fuel: &mut Fuel,
    trace: Option<&mut Trace>,
) -> u64 {
    if trace.is_none() {
        let (cost, memory_is_full) = cost_within::<SMALL>(rule, path, minor, fuel, None);
        if !memory_is_full {
            return cost;
        }
    }
    cost_within::<LARGE>(rule, path, minor, fuel, trace).0
}

/// As [`cost_on`], with memory of a size. Also returns whether it was full.
const fn cost_within<const N: usize>(
    rule: &Rule,
    path: &[&str],
    minor: u32,
    fuel: &mut Fuel,
    trace: Option<&mut Trace>,
) -> (u64, bool) {
    let mut memory = Memory::<N>::new();
    let mut checker = Checker::new(rule, path, minor, *fuel, trace, memory.lend());
    let result = checker.result();
    *fuel = checker.types.fuel;
    let cost = if checker.types.full { 0 } else { checker.values.estimates[result].cost };
    (cost, checker.types.memory_is_full)
}

/// The errors for the functions of a valid expression that a server of this minor does not have.
pub(super) const fn missing_on(rule: &Rule, path: &[&str], minor: u32) -> Text {
    let mut memory = Memory::<LARGE>::new();
    let mut checker =
        Checker::new(rule, path, REFERENCE, Fuel::new(EXPRESSION), None, memory.lend());
    checker.oldest = minor;
    checker.result();
    let mut text = Text::new();
    checker.issues.print(rule.source, &mut text);
    text
}

struct Checker<'m, 't> {
    code: &'static [u8],
    at: usize,
    types: Types<'m>,
    basis: Basis,
    values: ValueMemory<'m>,
    value_count: usize,
    issues: Issues,
    /// The reason why the server cannot plan the expression. It is reported only if there is no
    /// other error.
    cannot_be_planned: Option<&'static str>,
    trace: Option<&'t mut Trace>,
    /// The alternatives of the field that was selected last, if it has several: as
    /// [`Site::Several`].
    enums: (u16, u16),
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
    varies_before: u32,
}

impl<'m, 't> Checker<'m, 't> {
    const fn new(
        rule: &Rule,
        path: &[&str],
        minor: u32,
        fuel: Fuel,
        trace: Option<&'t mut Trace>,
        (types, values): (TypeMemory<'m>, ValueMemory<'m>),
    ) -> Self {
        let mut checker = Self {
            code: rule.program,
            at: 1,
            types: Types::new(fuel, types),
            basis: Basis { root: SizeSource::Unknown, minor },
            values,
            value_count: 0,
            issues: Issues::new(),
            cannot_be_planned: None,
            trace,
            enums: (0, 0),
            untyped: false,
            non_members: [(Site::Several(0, 0), 0); MAX_NON_MEMBERS],
            non_member_count: 0,
            oldest: u32::MAX,
            since: 0,
            varies_before: 0,
        };
        checker.types.sizes_optionals = minor >= Change::EqualityOfOptionalsIsBounded.minor();
        let site = checker.site_at(rule.of, path);
        if let Some(Site::One(declared)) = site {
            checker.basis.root = SizeSource::declared(declared);
        }
        let of = match site {
            Some(site) => checker.types.declared(site, 1),
            None => None,
        };
        checker.untyped = of.is_none() && site.is_some();
        let (of, at) = match (of, site) {
            (Some(ty), Some(Site::One(declared))) => (ty, Some(declared)),
            (Some(ty), _) => (ty, None),
            (None, _) => (Type::Basic(basic::UNKNOWN), None),
        };
        let estimate = Estimate::variable(at, minor, &mut checker.types.fuel);
        let estimate = checker.read(ReadValue::SELF, estimate);
        checker.make(of, estimate);
        if rule.optional_old_self {
            let old = checker.types.optional(of);
            // Upstream: its path is that of `self`.
            let at = checker.basis.root;
            checker.make(old, Estimate { of: None, at, old: true, ..estimate });
        } else {
            checker.make(of, Estimate { old: true, ..estimate });
        }
        checker
    }

    /// Notes that servers before a minor estimate a part differently.
    const fn vary_before(&mut self, minor: u32) {
        if minor > self.varies_before {
            self.varies_before = minor;
        }
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

    /// The estimate of the next value, which `trace` may lower.
    const fn read(&mut self, read: ReadValue, estimate: Estimate) -> Estimate {
        match &mut self.trace {
            Some(trace) => trace.value(self.value_count, read, estimate),
            None => estimate,
        }
    }

    /// Runs the program and returns the index of its result.
    const fn result(&mut self) -> usize {
        let end = self.code.len() - 4;
        while self.at < end && !self.types.full {
            let issues = self.issues.count;
            self.step();
            if self.types.full {
                // Issues of an incomplete step may be wrong.
                self.issues.keep(issues);
            }
        }
        if self.types.full {
            return 0;
        }
        (self.word() & !OPTIONAL_ENTRY) as usize
    }

    /// The estimate of the operand that is read next.
    const fn estimate(&self) -> Estimate {
        self.values.estimates[self.index()]
    }

    /// The number of the operand that is read next.
    const fn index(&self) -> usize {
        let index = (self.code[self.at] as u16) | ((self.code[self.at + 1] as u16) << 8);
        (index & !OPTIONAL_ENTRY) as usize
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
        self.types.spend(8 + 5 * len);
        let rest = self.code.split_at(self.at).1;
        self.at += len;
        match std::str::from_utf8(rest.split_at(len).0) {
            Ok(name) => name,
            Err(_) => "",
        }
    }

    const fn make(&mut self, ty: Type, estimate: Estimate) {
        if self.value_count == self.values.types.len() {
            self.types.fill();
            return;
        }
        self.vary_before(estimate.sized_since());
        self.values.types[self.value_count] = ty;
        self.values.estimates[self.value_count] = estimate;
        self.value_count += 1;
    }

    const fn step(&mut self) {
        self.types.spend(STEP);
        match self.byte() {
            op::BASIC => {
                let code = self.byte();
                let word = self.word();
                let estimate = match code {
                    basic::INT => Estimate { number: word, ..Estimate::literal(1) },
                    _ => Estimate::literal(word as u64),
                };
                self.make(Type::Basic(code), estimate);
            }
            op::TEXT => {
                let literal = self.at;
                self.at += 2;
                let size = self.word() as u64;
                self.long_text();
                let estimate = Estimate { literal, ..Estimate::literal(size) };
                self.make(Type::Basic(basic::STRING), estimate);
            }
            op::FIELD => self.field(),
            op::CALL => self.call(),
            op::LOGIC => self.logic(),
            op::LIST => self.list(),
            op::MAP => self.map(),
            op::ITERATE => self.iterate(),
            op::EXPECT => self.expect(),
            op::ESTIMATE_COMPREHENSION => self.estimate_comprehension(),
            op::SIZE_PATH => self.size_path(),
            op::TYPE => {
                let code = self.byte();
                let ty = Type::Meta(self.types.part(Type::Basic(code)));
                self.make(ty, Estimate::NOTHING);
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
                self.make(Type::Basic(basic::UNKNOWN), Estimate::NOTHING);
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
        let mut estimate = Estimate::NOTHING;
        let mut i = 0;
        while i < 2 {
            estimate = estimate.and(self.estimate());
            let operand = self.operand();
            let at = self.word();
            if !self.types.assign(operand, Type::Basic(basic::BOOL)) {
                self.report_mismatch(at, Type::Basic(basic::BOOL), operand);
                fits = false;
            }
            i += 1;
        }
        self.make(Type::Basic(if fits { basic::BOOL } else { basic::UNKNOWN }), estimate);
    }
}

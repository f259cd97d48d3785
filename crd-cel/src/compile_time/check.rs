//! Type-checks a program; the counterpart of `crate::check` and `crate::validate::uniform`.

use super::advice::{ENDLESS_TEXT_HELP, Runs, Spot, Trace, advice, makes_endless_text};
use super::declared::Declared;
use super::estimate::{self, At, Comprehension, Known, Part, RULE_COST_LIMIT};
use super::fuel::{EXPRESSION, Fuel, comparison};
use super::message::{Findings, Text};
use super::program::{MAX_VALUES, OPTIONAL_ENTRY, flag, op, step};
use super::signatures::{FUNCTIONS, Pattern};
use super::sites::{Merged, Property, Site};
use super::text::equal;
use super::types::{Type, Types, basic, below};
use crate::clause::Clause;
use crate::kubernetes::{Change, KubernetesVersion};
use crate::minors::libraries::{ESCAPED_KEYWORDS, TWO_VARIABLES};

/// The fuel of an operation, without the parts that are counted separately.
const STEP: usize = 48;
/// The most operands of a call.
const MAX_OPERANDS: usize = 8;

/// What a rule or message expression must be.
#[derive(Debug, Clone, Copy)]
pub enum Want {
    /// A rule: `bool`.
    Rule,
    /// A message expression: `string`.
    Message,
}

/// Whether the cost of an expression for one value is final where it is written.
#[derive(Debug, Clone, Copy)]
pub enum Sure {
    /// It is final, and checked against the limit there.
    Once,
    /// It is final, but the number of such values is known only elsewhere.
    Each,
    /// The type's bounds may be narrower elsewhere.
    Not,
}

/// An expression, and what it is about.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// The type of `self`.
    pub of: &'static Declared,
    /// Whether `oldSelf` is an optional.
    pub optional_old_self: bool,
    /// What the expression must be.
    pub want: Want,
    /// Whether what it costs is sure.
    pub sure: Sure,
    /// Whether the lints are turned off by `unchecked`.
    pub unchecked: bool,
    /// The expression as written.
    pub source: &'static str,
    /// The expression as [`Program`](super::Program).
    pub program: &'static [u8],
}

/// The result of checking an expression.
#[derive(Debug, Clone, Copy)]
pub struct Examined {
    pub(super) rule: Rule,
    pub(super) way: &'static [&'static str],
    /// Its least cost for one value; 0 if it does not compile or exceeds the limits here.
    pub(super) cost: u64,
    /// Whether the server would reject it.
    pub(super) refused: bool,
    /// The first minor of Kubernetes that has all that it calls; 0 where all that are known have it.
    pub(super) since: u32,
    /// Whether minors estimate it differently.
    pub(super) varies: bool,
}

/// The server's estimated cost of an expression for one value, or less; 0 if it exceeds the limits here. The expression
/// is assumed to be valid.
#[must_use]
pub const fn least_cost(rule: Rule) -> u64 {
    cost_within(&rule, &[], &mut Fuel::new(EXPRESSION), None)
}

/// As [`least_cost`], at the end of a way, with no more work than is left, and as a server of some minor estimates it.
pub(super) const fn cost_on(rule: &Rule, way: &[&str], minor: u32, fuel: &mut Fuel) -> u64 {
    let mut checker = Checker::new(rule, way, *fuel, None).on(minor);
    let result = checker.result();
    *fuel = checker.types.fuel;
    if checker.types.full { 0 } else { checker.known[result].cost }
}

/// What an expression that has no mistakes calls and a server of some minor does not have, as that server would say
/// it.
pub(super) const fn missing_on(rule: &Rule, way: &[&str], minor: u32) -> Text {
    let mut checker = Checker::new(rule, way, Fuel::new(EXPRESSION), None);
    checker.oldest = minor;
    checker.result();
    let mut text = Text::new();
    checker.findings.print(rule.source, &mut text);
    text
}

/// As [`least_cost`], at the end of a way, with no more work than is left, and with what is read written down.
pub(super) const fn cost_within(
    rule: &Rule,
    way: &[&str],
    fuel: &mut Fuel,
    trace: Option<&mut Trace>,
) -> u64 {
    let mut checker = Checker::new(rule, way, *fuel, trace);
    let result = checker.result();
    *fuel = checker.types.fuel;
    if checker.types.full { 0 } else { checker.known[result].cost }
}

/// The elements of a list or values of a map, in the way to what a rule is about.
pub const ELEMENTS: &str = "[]";

/// Goes through an expression about what is at the end of a way from [`Rule::of`]: names of properties as rules
/// write them, and [`ELEMENTS`].
#[must_use]
pub const fn examine(rule: Rule, way: &'static [&'static str]) -> Examined {
    let mut checker = Checker::new(&rule, way, Fuel::new(EXPRESSION), None);
    let (cost, text) = checker.verdict(&rule);
    let Checker { since, varies, .. } = checker;
    Examined { rule, way, cost, refused: text.is_some(), since, varies }
}

/// Reports the errors of an expression.
///
/// # Panics
/// If the server would reject it; in a constant this is an error of rustc.
#[track_caller]
pub const fn report(examined: &Examined) {
    if !examined.refused {
        return;
    }
    let Examined { rule, way, cost, .. } = examined;
    if let (_, Some(mut text)) = verdict(rule, way) {
        if rule.costs_too_much(*cost) {
            match advice(rule, way, &Runs::ONCE) {
                Some(advice) => advice.report(&mut text, "the value itself"),
                None if makes_endless_text(rule, way) => text.push(ENDLESS_TEXT_HELP),
                None => {}
            }
        }
        fail(&text);
    }
}

/// Says what is wrong with an expression that has been gone through with the fields that it mentions alone: `of` is all
/// there is.
///
/// # Panics
/// As [`report`].
#[track_caller]
pub const fn report_of(examined: &Examined, of: &'static Declared) {
    if examined.refused {
        report(&examine(Rule { of, ..examined.rule }, examined.way));
    }
}

/// Checks an expression again, with a type that is better known, and reports its errors. Errors of the first check are
/// not repeated.
///
/// # Panics
/// As [`report`].
#[track_caller]
pub const fn report_within(examined: &Examined, of: &'static Declared) {
    if !examined.refused {
        report(&examine(Rule { of, ..examined.rule }, examined.way));
    }
}

/// Checks an expression.
///
/// # Panics
/// As [`report`].
#[track_caller]
pub const fn check(rule: Rule) {
    report(&examine(rule, &[]));
}

/// Checks an expression at the end of a way.
///
/// # Panics
/// As [`report`].
#[track_caller]
pub const fn check_at(rule: Rule, way: &'static [&'static str]) {
    report(&examine(rule, way));
}

impl Rule {
    /// Whether it is refused for what it costs for one value.
    pub(super) const fn costs_too_much(&self, cost: u64) -> bool {
        matches!(self.sure, Sure::Once) && cost > RULE_COST_LIMIT
    }
}

/// The cost of an expression, and why the server would reject it.
pub(super) const fn verdict(rule: &Rule, way: &[&str]) -> (u64, Option<Text>) {
    Checker::new(rule, way, Fuel::new(EXPRESSION), None).verdict(rule)
}

#[track_caller]
pub(super) const fn fail(text: &Text) -> ! {
    panic!("{}", text.as_str())
}

/// As the server begins.
///
/// Source: apiextensions-apiserver `pkg/apiserver/schema/cel/compilation.go`, `prepareEnvSet`.
const UNTYPED: &str = "failed to construct type information\nnote: this holds any JSON, or values of several types, and \
    rules need to know the type of `self`; put the rule on a field that has one";
const HOLDS_ANY: &str =
    "note: the field exists, but it holds any JSON, and rules cannot see a field without a type";
const HOLDS_SEVERAL: &str = "note: the field exists, but variants give it different types, and rules \
    cannot see a field without a type";

struct Checker<'t> {
    code: &'static [u8],
    at: usize,
    types: Types,
    /// Where the estimate takes paths to begin: at `self`.
    root: At,
    values: [Type; MAX_VALUES as usize],
    /// What the values cost, and their sizes.
    known: [Known; MAX_VALUES as usize],
    value_count: usize,
    findings: Findings,
    /// Why the server cannot plan the expression, should it have no other fault.
    cannot_be_planned: Option<&'static str>,
    trace: Option<&'t mut Trace>,
    /// The alternatives of the field that was selected last, where there are several.
    enums: (u16, u16),
    /// The value that the expression is about has no type.
    untyped: bool,
    /// Comparisons of enumerations with what is not a member: the members, and where the literal stands in the program.
    strangers: [(&'static [&'static str], usize); MAX_STRANGERS],
    stranger_count: usize,
    /// The server whose estimate it is.
    minor: u32,
    /// What servers of this minor do not have is reported.
    oldest: u32,
    /// As [`Examined`] has it.
    since: u32,
    varies: bool,
}

/// The most comparisons with what is not a member of an enumeration that are reported.
const MAX_STRANGERS: usize = 4;

impl<'t> Checker<'t> {
    #[expect(clippy::large_stack_arrays, reason = "rustc evaluates it, not the program")]
    const fn new(rule: &Rule, way: &[&str], fuel: Fuel, trace: Option<&'t mut Trace>) -> Self {
        let mut checker = Self {
            code: rule.program,
            at: 1,
            types: Types::new(fuel),
            root: At::Unsure,
            values: [Type::Basic(basic::UNKNOWN); MAX_VALUES as usize],
            known: [Known::NOTHING; MAX_VALUES as usize],
            value_count: 0,
            findings: Findings::new(),
            cannot_be_planned: None,
            trace,
            enums: (0, 0),
            untyped: false,
            strangers: [(&[], 0); MAX_STRANGERS],
            stranger_count: 0,
            minor: KubernetesVersion::REFERENCE.minor(),
            oldest: u32::MAX,
            since: 0,
            varies: false,
        };
        let site = checker.site_at(rule.of, way);
        if let Some(Site::One(declared)) = site {
            checker.root = At::declared(declared);
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
        let known = Known::variable(at, &mut checker.types.fuel);
        let known = checker.read(Spot::SELF, known);
        checker.make(of, known);
        if rule.optional_old_self {
            let old = checker.types.optional(of);
            // Upstream: its path leads to what `self` is.
            let at = checker.root;
            checker.make(old, Known { of: None, at, old: true, ..known });
        } else {
            checker.make(of, Known { old: true, ..known });
        }
        checker
    }

    /// The same, as a server of some minor estimates it.
    const fn on(mut self, minor: u32) -> Self {
        self.minor = minor;
        self.types.sizes_optionals = minor >= Change::EqualityOfOptionalsIsBounded.minor();
        self
    }

    /// What an expression costs, and why the server would not take it.
    const fn verdict(&mut self, rule: &Rule) -> (u64, Option<Text>) {
        if self.untyped {
            let mut text = Text::new();
            text.push(UNTYPED);
            return (0, Some(text));
        }
        let result = self.result();
        let end = rule.program.len() - 4;
        let cost = self.known[result].cost;
        let result = self.values[result];
        let count = self.findings.count;
        if count == 0 && !self.types.full && rule.program[0] & flag::LITERALS != 0 {
            self.at = 1;
            self.value_count = 2;
            while self.at < end && !self.types.full {
                self.step_over();
            }
            if self.types.full {
                self.findings.keep(0);
            }
        }
        if self.types.full && self.findings.count == 0 {
            return (0, None);
        }
        let mut text = Text::new();
        if self.findings.count > 0 {
            text.push(match rule.want {
                Want::Rule => "compilation failed: ",
                Want::Message => "messageExpression compilation failed: ",
            });
            self.findings.print(rule.source, &mut text);
            return (0, Some(text));
        }
        let (want, wrong) = match rule.want {
            Want::Rule => (basic::BOOL, "cel expression must evaluate to a bool, not to "),
            Want::Message => {
                (basic::STRING, "messageExpression must evaluate to a string, not to ")
            }
        };
        let result = self.types.apply(result);
        match result {
            Type::Basic(basic::UNKNOWN) => {}
            Type::Basic(code) if code == want => {}
            _ => {
                text.push(wrong);
                text.push_type(&self.types, result, 0);
                return (0, Some(text));
            }
        }
        if rule.costs_too_much(cost) {
            text.push_over_budget(rule.want, cost);
            return (cost, Some(text));
        }
        if let Some(why) = self.cannot_be_planned {
            text.push(match rule.want {
                Want::Rule => "program instantiation failed: ",
                Want::Message => "messageExpression instantiation failed: ",
            });
            text.push(why);
            return (0, Some(text));
        }
        if self.stranger_count > 0 && !rule.unchecked {
            self.report_strangers();
            text.push("comparison with a value that never occurs: ");
            self.findings.print(rule.source, &mut text);
            text.push(
                "\nhelp: the server accepts this rule; add `unchecked(\"why\")` after the expression to keep it",
            );
            return (0, Some(text));
        }
        (cost, None)
    }

    /// Notes that what stands at a place is not on servers before a minor.
    const fn need(&mut self, at: u16, since: u32, what: &str) {
        if since > self.since {
            self.since = since;
        }
        if since > self.oldest && self.findings.begin(at) {
            self.findings.text.push_need(what, since, self.oldest);
        }
    }

    /// What is known of a value that is made next.
    const fn read(&mut self, spot: Spot, known: Known) -> Known {
        match &mut self.trace {
            Some(trace) => trace.value(self.value_count, spot, known),
            None => known,
        }
    }

    /// Goes through the program; the index of its result.
    const fn result(&mut self) -> usize {
        let end = self.code.len() - 4;
        while self.at < end && !self.types.full {
            let findings = self.findings.count;
            self.step();
            if self.types.full {
                // What this step has found may be wrong.
                self.findings.keep(findings);
            }
        }
        if self.types.full {
            return 0;
        }
        (self.word() & !OPTIONAL_ENTRY) as usize
    }

    /// What is known of the operand that is read next.
    const fn known(&self) -> Known {
        self.known[self.index()]
    }

    /// The number of the operand that is read next.
    const fn index(&self) -> usize {
        let index = (self.code[self.at] as u16) | ((self.code[self.at + 1] as u16) << 8);
        (index & !OPTIONAL_ENTRY) as usize
    }

    const fn site_at(&mut self, of: &'static Declared, way: &[&str]) -> Option<Site> {
        let mut site = self.types.site(of);
        let mut i = 0;
        while i < way.len() {
            site = if equal(way[i].as_bytes(), ELEMENTS.as_bytes()) {
                match self.types.merged(site) {
                    Merged::List | Merged::Map => self.types.elements(site),
                    _ => return None,
                }
            } else {
                match self.types.property(site, way[i]) {
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
        self.values[(index & !OPTIONAL_ENTRY) as usize]
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

    const fn make(&mut self, ty: Type, known: Known) {
        self.values[self.value_count] = ty;
        self.known[self.value_count] = known;
        self.value_count += 1;
    }

    const fn step(&mut self) {
        self.types.spend(STEP);
        match self.byte() {
            op::BASIC => {
                let code = self.byte();
                let word = self.word();
                let known = match code {
                    basic::INT => Known { number: word, ..Known::literal(1) },
                    _ => Known::literal(word as u64),
                };
                self.make(Type::Basic(code), known);
            }
            op::TEXT => {
                let literal = self.at;
                self.at += 2;
                let size = self.word() as u64;
                self.long_text();
                let known = Known { literal, ..Known::literal(size) };
                self.make(Type::Basic(basic::STRING), known);
            }
            op::FIELD => self.field(),
            op::CALL => self.call(),
            op::LOGIC => self.logic(),
            op::LIST => self.list(),
            op::MAP => self.map(),
            op::ITERATE => self.iterate(),
            op::EXPECT => self.expect(),
            op::SETTLE => self.settle(),
            op::PLACE => self.place(),
            op::TYPE => {
                let code = self.byte();
                let ty = Type::Meta(self.types.part(Type::Basic(code)));
                self.make(ty, Known::NOTHING);
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
                if self.findings.begin(at) {
                    self.say("undeclared reference to '");
                    self.say(name);
                    self.say("' (in container '')");
                }
                self.make(Type::Basic(basic::UNKNOWN), Known::NOTHING);
            }
        }
    }

    const fn say(&mut self, text: &str) {
        self.findings.text.push(text);
    }

    const fn say_type(&mut self, ty: Type) {
        self.findings.text.push_type(&self.types, ty, 0);
    }

    const fn report_mismatch(&mut self, at: u16, expected: Type, found: Type) {
        if self.findings.begin(at) {
            self.say("expected type '");
            self.say_type(expected);
            self.say("' but found '");
            self.say_type(found);
            self.say("'");
        }
    }

    const fn field(&mut self) {
        let from = self.known();
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
        let mut known = from.field(name, of, self.root, otherwise, &mut self.types.fuel);
        if matches!(operand, Type::Object(..) | Type::Map(..)) {
            known = known.costing(1);
        }
        if flags & flag::RESERVED != 0 {
            known = Known { at: At::Unsure, size: 0, ..known };
        }
        let known = self.read(Spot::of(name), Known { enums: self.enums, ..known });
        self.make(result, known);
    }

    /// A value once more, as the estimate finds it at the end of a path that is not its own.
    const fn place(&mut self) {
        let known = self.known();
        let ty = self.operand();
        let mut steps = self.byte();
        let mut at = self.root;
        let mut field = "";
        while steps > 0 {
            let part = self.step_of_path();
            field = match part {
                Some(Part::Field(name)) => name,
                _ => "",
            };
            at = match part {
                Some(part) => at.step(part, self.root, &mut self.types.fuel),
                None => At::Unsure,
            };
            steps -= 1;
        }
        let applied = self.types.apply(ty);
        let otherwise = self.types.size_of(applied);
        let size = at.size(otherwise, &mut self.types.fuel);
        let known = Known { size, at, ..known };
        let known = if field.is_empty() { known } else { self.read(Spot::of(field), known) };
        self.make(ty, known);
    }

    /// A step of a path; `None` if it is unknown.
    const fn step_of_path(&mut self) -> Option<Part<'static>> {
        self.types.spend(STEP);
        match self.byte() {
            step::FIELD => Some(Part::Field(self.name())),
            step::ELEMENTS => Some(Part::Elements),
            step::SINGLE => self.step_through(Part::Elements),
            step::KEY => self.step_through(Part::Indices),
            // step::UNKNOWN
            _ => None,
        }
    }

    /// The step that a variable takes which goes through the value that is named next: `of_list` if that is a list.
    const fn step_through(&mut self, of_list: Part<'static>) -> Option<Part<'static>> {
        let range = self.operand();
        match self.types.apply(range) {
            Type::List(_) => Some(of_list),
            Type::Map(..) | Type::Basic(basic::DYN) => Some(Part::Keys),
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
                self.types.finish(true);
                Type::Basic(basic::DYN)
            }
            Type::Basic(basic::UNKNOWN | basic::DYN) => ty,
            Type::Basic(code) if code >= basic::URL => {
                if self.findings.begin(at) {
                    self.say("unexpected failed resolution of '");
                    self.say_type(ty);
                    self.say("'");
                }
                Type::Basic(basic::UNKNOWN)
            }
            _ => {
                if self.findings.begin(at) {
                    self.say("type '");
                    self.say_type(ty);
                    self.say("' does not support field selection");
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
        if !self.findings.begin(at) {
            return;
        }
        let written = if reserved { name.split_at(name.len() - 2).0.split_at(2).1 } else { name };
        self.say("undefined field '");
        self.say(written);
        self.say("'\n");
        if note.is_empty() {
            self.findings.text.push_similar(&self.types, object, written);
        } else {
            self.say(note);
        }
    }

    const fn call(&mut self) {
        let function = &FUNCTIONS[self.word() as usize];
        let at = self.word();
        let member = self.byte() & flag::MEMBER != 0;
        let class = self.byte();
        let count = self.byte() as usize;
        let mut args = [Type::Basic(basic::UNKNOWN); MAX_OPERANDS];
        let mut known = [Known::NOTHING; MAX_OPERANDS];
        let mut unknown = false;
        let mut i = 0;
        while i < count {
            let operand_known = self.known();
            let operand = self.operand();
            if i < MAX_OPERANDS {
                args[i] = operand;
                known[i] = operand_known;
                unknown = unknown || self.types.has_unknown(operand, 0);
            }
            i += 1;
        }
        let mut matched = false;
        let mut matches = 0;
        let mut since = u32::MAX;
        let mut result = Type::Basic(basic::UNKNOWN);
        let mut o = 0;
        while o < function.overloads.len() {
            let overload = &function.overloads[o];
            o += 1;
            self.types.spend(10);
            if overload.member != member
                || overload.params.len() != count
                || (count > 0 && is_certainly_other(args[0], &overload.params[0]))
            {
                continue;
            }
            let (vars, nodes) = (self.types.var_count, self.types.node_count);
            let first = self.types.fresh(overload.vars);
            let mut fits = true;
            let mut i = 0;
            while fits && i < count {
                fits = self.types.accepts(args[i], &overload.params[i], first);
                i += 1;
            }
            if !self.types.finish(fits) {
                self.types.var_count = vars;
                self.types.node_count = nodes;
                continue;
            }
            if unknown {
                self.leave_open(first, overload.vars);
            }
            let ty = match &overload.result {
                Pattern::Basic(code) => Type::Basic(*code),
                generic => {
                    let generic = self.types.instantiate(generic, first);
                    self.types.apply(generic)
                }
            };
            if !matched {
                result = ty;
            } else if !matches!(result, Type::Basic(basic::UNKNOWN | basic::DYN))
                && !self.types.is_exactly(ty, result, 0)
            {
                result = Type::Basic(if unknown { basic::UNKNOWN } else { basic::DYN });
            }
            matched = true;
            matches += 1;
            since = if overload.since < since { overload.since } else { since };
        }
        if matched && since > 0 {
            self.need(at, since, function.name);
        }
        if !matched {
            let given = if count < MAX_OPERANDS { count } else { MAX_OPERANDS };
            self.report_no_overload(function.name, at, member, args.split_at(given).0);
        }
        let certain = matches == 1 && !unknown;
        self.make_call(class, count, certain, &mut args, &known, result);
    }

    /// The result of a call, with what is known of it.
    const fn make_call(
        &mut self,
        class: u8,
        count: usize,
        certain: bool,
        args: &mut [Type; MAX_OPERANDS],
        known: &[Known; MAX_OPERANDS],
        result: Type,
    ) {
        let count = if count < MAX_OPERANDS { count } else { MAX_OPERANDS };
        let mut i = 0;
        while i < count {
            args[i] = self.types.apply(args[i]);
            i += 1;
        }
        let element = match args[0] {
            Type::List(element) => self.types.node(element),
            _ => Type::Basic(basic::UNKNOWN),
        };
        let otherwise = self.types.size_of(result);
        let call = estimate::Call {
            class,
            types: args,
            operands: known,
            count,
            certain,
            otherwise,
            element,
            root: self.root,
            minor: self.minor,
        };
        self.varies = self.varies || call.varies();
        let known_result = call.known(&mut self.types.fuel);
        if call.makes_endless_text()
            && let Some(trace) = &mut self.trace
        {
            trace.endless_text = true;
        }
        self.compare_operands(class, known);
        self.make(result, known_result);
    }

    /// Compares enumerations with what `==`, `!=` and `in` hold against them.
    const fn compare_operands(&mut self, class: u8, known: &[Known; MAX_OPERANDS]) {
        match class {
            estimate::class::EQUAL | estimate::class::NOT_EQUAL => {
                self.compare_members(&known[0], &known[1]);
                self.compare_members(&known[1], &known[0]);
            }
            estimate::class::IN => {
                self.compare_members(&known[0], &known[1]);
                // What the list holds.
                if let Some(Declared::List(element, _)) = known[1].of {
                    let list = Known { of: Some(element), ..known[1] };
                    self.compare_members(&list, &known[0]);
                }
            }
            _ => {}
        }
    }

    /// Notes the literals among the values that an enumeration is compared with which it does not have.
    const fn compare_members(&mut self, of: &Known, with: &Known) {
        if of.old || with.literal == 0 {
            return;
        }
        if self.code[with.literal - 1] == op::TEXT {
            return self.compare_member(of, with.literal);
        }
        // A list: flags, a count, and the elements with their places.
        let mut at = with.literal + 1;
        let count = self.number(at);
        let end = at + 2 + 4 * count as usize;
        at += 2;
        while at < end {
            let element = self.known[(self.number(at) & !OPTIONAL_ENTRY) as usize].literal;
            if element > 0 && self.code[element - 1] == op::TEXT {
                self.compare_member(of, element);
            }
            at += 4;
        }
    }

    const fn compare_member(&mut self, of: &Known, literal: usize) {
        let text = self.literal(literal);
        let mut members: &'static [&'static str] = &[];
        let site = match (of.of, of.enums) {
            (Some(declared), _) => Site::One(declared),
            (None, (_, 0)) => return,
            (None, (start, count)) => Site::Several(start, count),
        };
        let mut n = 0;
        while n < Types::alternatives_of(site) {
            let Declared::Enum(of_this) = self.types.nth(site, n) else { return };
            members = of_this;
            let mut i = 0;
            while i < members.len() {
                self.types.spend(comparison(members[i], text));
                if equal(members[i].as_bytes(), text.as_bytes()) {
                    return;
                }
                i += 1;
            }
            n += 1;
        }
        if self.stranger_count < MAX_STRANGERS {
            self.strangers[self.stranger_count] = (members, literal);
            self.stranger_count += 1;
        }
    }

    const fn number(&self, at: usize) -> u16 {
        (self.code[at] as u16) | ((self.code[at + 1] as u16) << 8)
    }

    /// The text of an [`op::TEXT`].
    const fn literal(&mut self, literal: usize) -> &'static str {
        let at = self.at;
        self.at = literal + 4;
        let text = self.long_text();
        self.at = at;
        text
    }

    const fn report_strangers(&mut self) {
        let mut i = 0;
        while i < self.stranger_count {
            let (members, literal) = self.strangers[i];
            let text = self.literal(literal);
            if self.findings.begin(self.number(literal)) {
                self.say("`");
                self.say(text);
                self.say("` is not a value of the enumeration");
                self.findings.text.push_members(members, text);
            }
            i += 1;
        }
    }

    const fn report_no_overload(&mut self, name: &str, at: u16, member: bool, args: &[Type]) {
        if !self.findings.begin(at) {
            return;
        }
        self.say("found no matching overload for '");
        self.say(name);
        self.say("' applied to '");
        let mut i = 0;
        if member {
            self.say_type(args[0]);
            self.say(".");
            i = 1;
        }
        self.say("(");
        let from = i;
        while i < args.len() {
            if i > from {
                self.say(", ");
            }
            self.say_type(args[i]);
            i += 1;
        }
        self.say(")'");
    }

    /// Lets nothing be concluded from type variables that an operand of unknown type has left free.
    const fn leave_open(&mut self, first: u16, count: u8) {
        let mut i = 0;
        while i < count as u16 {
            if self.types.is_free(first + i) {
                self.types.set(first + i, Type::Basic(basic::UNKNOWN));
            }
            i += 1;
        }
        self.types.finish(true);
    }

    const fn logic(&mut self) {
        let mut fits = true;
        let mut known = Known::NOTHING;
        let mut i = 0;
        while i < 2 {
            known = known.and(self.known());
            let operand = self.operand();
            let at = self.word();
            if !self.types.assign(operand, Type::Basic(basic::BOOL)) {
                self.report_mismatch(at, Type::Basic(basic::BOOL), operand);
                fits = false;
            }
            i += 1;
        }
        self.make(Type::Basic(if fits { basic::BOOL } else { basic::UNKNOWN }), known);
    }

    /// An entry of a literal: its type without the optional, and its place.
    const fn entry(&mut self) -> (Type, u16) {
        self.types.spend(STEP);
        let index = self.word();
        let at = self.word();
        let ty = self.values[(index & !OPTIONAL_ENTRY) as usize];
        if index & OPTIONAL_ENTRY == 0 {
            return (ty, at);
        }
        match ty {
            Type::Optional(inner) => (self.types.node(inner), at),
            Type::Basic(basic::UNKNOWN | basic::DYN) => (ty, at),
            _ => {
                let expected = self.types.optional(ty);
                self.report_mismatch(at, expected, ty);
                (ty, at)
            }
        }
    }

    /// The type of a literal's entries so far, given one more.
    const fn join(&mut self, so_far: Type, ty: Type) -> Type {
        if self.types.assign(so_far, ty) {
            self.types.most_general(so_far, ty)
        } else {
            Type::Basic(basic::DYN)
        }
    }

    const fn list(&mut self) {
        let literal = self.at;
        self.byte();
        let count = self.word();
        let mut element = Type::Basic(basic::FREE);
        let mut known = Known::NOTHING.then(estimate::CREATE_LIST, 0);
        let mut i = 0;
        while i < count {
            known = known.and(self.known());
            let (ty, _) = self.entry();
            element = if i == 0 { ty } else { self.join(element, ty) };
            i += 1;
        }
        if count == 0 {
            element = Type::Var(self.types.fresh(1));
        }
        let ty = self.types.list(element);
        self.make(ty, Known { size: count as u64, literal, exact: true, ..known });
    }

    const fn map(&mut self) {
        self.byte();
        let count = self.word();
        let mut key = Type::Basic(basic::FREE);
        let mut value = key;
        let mut known = Known::NOTHING.then(estimate::CREATE_MAP, 0);
        let mut i = 0;
        while i < count {
            known = known.and(self.known());
            let (k, _) = self.entry();
            key = if i == 0 { k } else { self.join(key, k) };
            known = known.and(self.known());
            let (v, _) = self.entry();
            value = if i == 0 { v } else { self.join(value, v) };
            i += 1;
        }
        if count == 0 {
            key = Type::Var(self.types.fresh(1));
            value = Type::Var(self.types.fresh(1));
        }
        let ty = self.types.map(key, value);
        self.make(ty, Known { size: count as u64, ..known });
    }

    const fn iterate(&mut self) {
        let through = self.known();
        let range_at = self.index();
        let range = self.operand();
        let at = self.word();
        let initial_known = self.known();
        let initial = self.operand();
        let two = self.byte() & flag::TWO != 0;
        if two {
            self.need(at, TWO_VARIABLES.first_minor(), "a macro of two variables");
        }
        let range = self.types.apply(range);
        let unknown = Type::Basic(basic::UNKNOWN);
        let (first, second) = match range {
            Type::List(element) => {
                let element = self.types.node(element);
                if two { (Type::Basic(basic::INT), element) } else { (element, unknown) }
            }
            Type::Map(key, value) => (self.types.node(key), self.types.node(value)),
            Type::Var(free) => {
                self.types.set(free, Type::Basic(basic::DYN));
                self.types.finish(true);
                (Type::Basic(basic::DYN), Type::Basic(basic::DYN))
            }
            Type::Basic(basic::UNKNOWN | basic::DYN) => (range, range),
            _ => {
                if self.findings.begin(at) {
                    self.say("expression of type '");
                    self.say_type(range);
                    self.say(
                        "' cannot be range of a comprehension (must be list, map, or dynamic)",
                    );
                }
                (unknown, unknown)
            }
        };
        self.make(initial, initial_known.bound());
        let of_first = match (range, two) {
            (Type::List(_), false) => Some(Part::Elements),
            (Type::List(_), true) => Some(Part::Indices),
            (Type::Map(..) | Type::Basic(basic::DYN) | Type::Var(_), _) => Some(Part::Keys),
            _ => None,
        };
        let element = match of_first {
            Some(part) => self.element(through, part, first),
            None => Known { cost: 1, at: At::Unsure, ..Known::NOTHING },
        };
        let element = match &mut self.trace {
            Some(trace) if !two => trace.element(self.value_count, range_at, element),
            _ => element,
        };
        self.make(first, element);
        let value = match of_first {
            Some(_) if two => self.element(through, Part::Elements, second),
            _ => Known { cost: 1, at: At::Unsure, ..Known::NOTHING },
        };
        let value = match &mut self.trace {
            Some(trace) if two => trace.element(self.value_count, range_at, value),
            _ => value,
        };
        self.make(second, value);
    }

    const fn element(&mut self, range: Known, part: Part<'_>, ty: Type) -> Known {
        let applied = self.types.apply(ty);
        let otherwise = self.types.size_of(applied);
        range.element(part, self.root, otherwise, &mut self.types.fuel)
    }

    const fn settle(&mut self) {
        let result = self.known();
        let ty = self.operand();
        let range = self.known();
        self.at += 2;
        let init = self.known();
        self.at += 2;
        let next = self.known();
        self.at += 2;
        let condition = self.byte() as u64;
        let flags = self.byte();
        let comprehension = Comprehension {
            range,
            init,
            next,
            result,
            condition,
            binds: flags & flag::BINDS != 0,
            collects: flags & flag::COLLECTS != 0,
        };
        let ty = self.types.apply(ty);
        self.make(ty, comprehension.known());
    }

    const fn expect(&mut self) {
        let found = self.operand();
        let at = self.word();
        let expected = self.operand();
        if !self.types.assign(expected, found) {
            self.report_mismatch(at, expected, found);
        }
    }

    /// Passes an operation by, but for literals, whose entries are compared now that all is known.
    const fn step_over(&mut self) {
        self.types.spend(STEP);
        match self.byte() {
            op::BASIC | op::SINCE => self.at += 3,
            op::TEXT => {
                self.at += 4;
                self.long_text();
            }
            op::TYPE => self.at += 1,
            op::FIELD => {
                self.at += 5;
                self.name();
            }
            op::CALL => {
                self.at += 6;
                let count = self.byte() as usize;
                self.at += 2 * count;
            }
            op::LOGIC => self.at += 8,
            op::ITERATE => self.at += 7,
            op::EXPECT => self.at += 6,
            op::SETTLE => self.at += 10,
            op::PLACE => {
                self.at += 2;
                let mut steps = self.byte();
                while steps > 0 {
                    self.step_of_path();
                    steps -= 1;
                }
            }
            op::LIST => self.uniform(1),
            op::MAP => self.uniform(2),
            op::INVALID => {
                let at = self.word();
                let what = self.long_text();
                if self.findings.begin(at) {
                    self.say(what);
                }
            }
            op::FAILS => {
                let why = self.long_text();
                if self.cannot_be_planned.is_none() {
                    self.cannot_be_planned = Some(why);
                }
            }
            op::FORMAT => self.format(),
            // op::UNDECLARED
            _ => {
                self.at += 2;
                self.name();
            }
        }
    }

    /// What a format string prints has a type that its clause prints. The first that has not is reported,
    /// or else what is wrong with the format string itself.
    const fn format(&mut self) {
        let call = self.word();
        let wrong = self.long_text();
        let count = self.byte() as usize;
        let end = self.at + 5 * count;
        while self.at < end {
            let ty = self.operand();
            let at = self.word();
            let clause = Clause::ALL[self.byte() as usize];
            let ty = self.types.apply(ty);
            if !prints(clause, ty) {
                self.at = end;
                if self.findings.begin(at) {
                    self.say("error during formatting: ");
                    self.say(clause.wants());
                    self.say(", was given ");
                    self.findings.text.push_runtime_name(&self.types, ty);
                }
                return;
            }
        }
        if !wrong.is_empty() && self.findings.begin(call) {
            self.say(wrong);
        }
    }

    /// Elements of one list, keys of one map and values of one map have the same type.
    const fn uniform(&mut self, kinds: u16) {
        let mixed = self.byte() & flag::MIXED != 0;
        let count = self.word() * kinds;
        let mut expected = [Type::Basic(basic::FREE); 2];
        let mut wrong = false;
        let mut i = 0;
        while i < count {
            let (ty, at) = self.entry();
            let ty = self.types.apply(ty);
            let kind = (i % kinds) as usize;
            if i < kinds {
                expected[kind] = ty;
            } else if !mixed
                && (!wrong || kinds != 1)
                && !self.types.has_unknown(ty, 0)
                && !self.types.has_unknown(expected[kind], 0)
                && !self.same_when_settled(expected[kind], ty, 0)
            {
                self.report_mismatch(at, expected[kind], ty);
                wrong = true;
            }
            i += 1;
        }
    }

    /// Whether two types are the same once free variables are `dyn`.
    const fn same_when_settled(&mut self, a: Type, b: Type, depth: u32) -> bool {
        if !self.types.step(depth) {
            return true;
        }
        match (a, b) {
            (Type::Var(_), Type::Var(_) | Type::Basic(basic::DYN))
            | (Type::Basic(basic::DYN), Type::Var(_)) => true,
            (Type::List(a), Type::List(b))
            | (Type::Optional(a), Type::Optional(b))
            | (Type::Meta(a), Type::Meta(b)) => {
                self.same_when_settled(self.types.node(a), self.types.node(b), depth + 1)
            }
            (Type::Map(ak, av), Type::Map(bk, bv)) => {
                self.same_when_settled(self.types.node(ak), self.types.node(bk), depth + 1)
                    && self.same_when_settled(self.types.node(av), self.types.node(bv), depth + 1)
            }
            (a, b) => self.types.is_exactly(a, b, depth),
        }
    }
}

/// Whether a clause of a format string prints values of a type, or may.
///
/// Source: cel-go `ext/formatting.go`, `stringFormatChecker`.
const fn prints(clause: Clause, ty: Type) -> bool {
    let Type::Basic(code) = ty else {
        let any = !matches!(ty, Type::Object(..) | Type::Optional(_));
        return matches!(ty, Type::Var(_)) || (any && matches!(clause, Clause::String));
    };
    if matches!(code, basic::UNKNOWN | basic::DYN | basic::FREE) {
        return true;
    }
    match clause {
        Clause::String => code <= basic::TIMESTAMP,
        Clause::Decimal | Clause::Octal => matches!(code, basic::INT | basic::UINT),
        Clause::Fixed | Clause::Scientific => matches!(code, basic::DOUBLE | basic::STRING),
        Clause::Binary => matches!(code, basic::INT | basic::UINT | basic::BOOL),
        Clause::Hex => {
            matches!(code, basic::INT | basic::UINT | basic::STRING | basic::BYTES)
        }
    }
}

/// Whether an argument's outermost type alone rules a parameter out.
const fn is_certainly_other(ty: Type, pattern: &Pattern) -> bool {
    match (ty, pattern) {
        (Type::Basic(a), Pattern::Basic(b)) => a != *b && a > basic::NULL && *b > basic::NULL,
        (Type::Basic(a), Pattern::List(_) | Pattern::Map(..) | Pattern::Optional(_)) => {
            a > basic::NULL
        }
        (Type::List(_) | Type::Map(..) | Type::Optional(_), Pattern::Basic(b)) => *b > basic::NULL,
        _ => false,
    }
}

//! Reads a program and gives each value a type; the counterpart of `crate::check` and
//! `crate::validate::uniform`.

use super::declared::{Declared, Object};
use super::message::{Findings, Text};
use super::program::{MAX_VALUES, OPTIONAL_ENTRY, flag, op};
use super::signatures::{FUNCTIONS, Pattern};
use super::types::{Type, Types, basic, below};

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

/// An expression, and what it is about.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// The type of `self`.
    pub of: &'static Declared,
    /// Whether `oldSelf` is an optional.
    pub optional_old_self: bool,
    /// What the expression must be.
    pub want: Want,
    /// The expression as written.
    pub source: &'static str,
    /// The expression as [`Program`](super::Program).
    pub program: &'static [u8],
}

/// Checks an expression.
///
/// # Panics
/// Where the server would not take it; that is an error of rustc, since it is called in constants.
#[track_caller]
pub const fn check(rule: Rule) {
    let mut checker = Checker {
        code: rule.program,
        at: 1,
        types: Types::new(),
        values: [Type::Basic(basic::UNKNOWN); MAX_VALUES as usize],
        value_count: 0,
        findings: Findings::new(),
    };
    let of = if rule.of.is_hidden() {
        Type::Basic(basic::UNKNOWN)
    } else {
        checker.types.declared(rule.of, 1)
    };
    checker.make(of);
    let old = if rule.optional_old_self { checker.types.optional(of) } else { of };
    checker.make(old);
    let end = rule.program.len() - 4;
    while checker.at < end {
        checker.step();
    }
    let result = checker.operand();
    if checker.findings.count == 0 && rule.program[0] & flag::LITERALS != 0 {
        checker.at = 1;
        checker.value_count = 2;
        while checker.at < end {
            checker.step_over();
        }
    }
    if checker.types.full {
        return;
    }
    if checker.findings.count > 0 {
        let mut text = Text::new();
        text.push(match rule.want {
            Want::Rule => "compilation failed: ",
            Want::Message => "messageExpression compilation failed: ",
        });
        checker.findings.print(rule.source, &mut text);
        fail(&text);
    }
    let (want, wrong) = match rule.want {
        Want::Rule => (basic::BOOL, "cel expression must evaluate to a bool, not to "),
        Want::Message => (basic::STRING, "messageExpression must evaluate to a string, not to "),
    };
    let result = checker.types.apply(result);
    match result {
        Type::Basic(basic::UNKNOWN) => {}
        Type::Basic(code) if code == want => {}
        _ => {
            let mut text = Text::new();
            text.push(wrong);
            text.push_type(&checker.types, result, 0);
            fail(&text);
        }
    }
}

#[track_caller]
const fn fail(text: &Text) -> ! {
    panic!("{}", text.as_str())
}

struct Checker {
    code: &'static [u8],
    at: usize,
    types: Types,
    values: [Type; MAX_VALUES as usize],
    value_count: usize,
    findings: Findings,
}

/// A field that was looked for.
enum Lookup {
    Found(&'static Declared, u32),
    Missing,
    Unknown,
}

impl Checker {
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
        let rest = self.code.split_at(self.at).1;
        self.at += len;
        match std::str::from_utf8(rest.split_at(len).0) {
            Ok(name) => name,
            Err(_) => "",
        }
    }

    const fn make(&mut self, ty: Type) {
        self.values[self.value_count] = ty;
        self.value_count += 1;
    }

    const fn step(&mut self) {
        match self.byte() {
            op::BASIC => {
                let code = self.byte();
                self.make(Type::Basic(code));
            }
            op::FIELD => self.field(),
            op::CALL => self.call(),
            op::LOGIC => self.logic(),
            op::LIST => self.list(),
            op::MAP => self.map(),
            op::ITERATE => self.iterate(),
            op::EXPECT => self.expect(),
            op::SETTLE => {
                let operand = self.operand();
                let ty = self.types.apply(operand);
                self.make(ty);
            }
            op::TYPE => {
                let code = self.byte();
                let ty = Type::Meta(self.types.part(Type::Basic(code)));
                self.make(ty);
            }
            op::INVALID => {
                self.at += 2;
                self.name();
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
                self.make(Type::Basic(basic::UNKNOWN));
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
        let operand = self.operand();
        let at = self.word();
        let flags = self.byte();
        let name = self.name();
        let operand = self.types.apply(operand);
        let (inner, optional) = match operand {
            Type::Optional(inner) => (self.types.node(inner), true),
            ty => (ty, flags & flag::OPTIONAL != 0),
        };
        let result = self.select(inner, name, flags & flag::RESERVED != 0, at);
        let result = if optional { self.types.optional(result) } else { result };
        self.make(if flags & flag::TEST != 0 { Type::Basic(basic::BOOL) } else { result });
    }

    const fn select(&mut self, ty: Type, name: &'static str, reserved: bool, at: u16) -> Type {
        match ty {
            Type::Map(_, value) => self.types.node(value),
            Type::Object(object, place) => match lookup(object, place, name, 0) {
                Lookup::Found(field, place) if !field.is_hidden() => {
                    self.types.declared(field, place)
                }
                Lookup::Unknown => Type::Basic(basic::UNKNOWN),
                hidden_or_missing => {
                    self.report_undefined(object, name, reserved, at, &hidden_or_missing);
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
        object: &'static Object,
        name: &'static str,
        reserved: bool,
        at: u16,
        found: &Lookup,
    ) {
        if !self.findings.begin(at) {
            return;
        }
        let written = if reserved { name.split_at(name.len() - 2).0.split_at(2).1 } else { name };
        self.say("undefined field '");
        self.say(written);
        self.say("'\n");
        if let Lookup::Found(..) = found {
            self.say(
                "note: there is such a field, but it holds any JSON: rules cannot see what has no type",
            );
        } else {
            self.findings.text.push_similar(object, written);
        }
    }

    const fn call(&mut self) {
        let function = &FUNCTIONS[self.word() as usize];
        let at = self.word();
        let member = self.byte() & flag::MEMBER != 0;
        let count = self.byte() as usize;
        let mut args = [Type::Basic(basic::UNKNOWN); MAX_OPERANDS];
        let mut unknown = false;
        let mut i = 0;
        while i < count {
            let operand = self.operand();
            if i < MAX_OPERANDS {
                args[i] = operand;
                unknown = unknown || self.types.has_unknown(operand, 0);
            }
            i += 1;
        }
        let mut matched = false;
        let mut result = Type::Basic(basic::UNKNOWN);
        let mut o = 0;
        while o < function.overloads.len() {
            let overload = &function.overloads[o];
            o += 1;
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
        }
        if !matched && self.findings.begin(at) {
            self.say("found no matching overload for '");
            self.say(function.name);
            self.say("' applied to '");
            let mut i = 0;
            if member {
                self.say_type(args[0]);
                self.say(".");
                i = 1;
            }
            self.say("(");
            let from = i;
            while i < count {
                if i > from {
                    self.say(", ");
                }
                self.say_type(args[i]);
                i += 1;
            }
            self.say(")'");
        }
        self.make(result);
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
        self.make(Type::Basic(if fits { basic::BOOL } else { basic::UNKNOWN }));
    }

    /// An entry of a literal: its type without the optional, and its place.
    const fn entry(&mut self) -> (Type, u16) {
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
        self.byte();
        let count = self.word();
        let mut element = Type::Basic(basic::FREE);
        let mut i = 0;
        while i < count {
            let (ty, _) = self.entry();
            element = if i == 0 { ty } else { self.join(element, ty) };
            i += 1;
        }
        if count == 0 {
            element = Type::Var(self.types.fresh(1));
        }
        let ty = self.types.list(element);
        self.make(ty);
    }

    const fn map(&mut self) {
        self.byte();
        let count = self.word();
        let mut key = Type::Basic(basic::FREE);
        let mut value = key;
        let mut i = 0;
        while i < count {
            let (k, _) = self.entry();
            key = if i == 0 { k } else { self.join(key, k) };
            let (v, _) = self.entry();
            value = if i == 0 { v } else { self.join(value, v) };
            i += 1;
        }
        if count == 0 {
            key = Type::Var(self.types.fresh(1));
            value = Type::Var(self.types.fresh(1));
        }
        let ty = self.types.map(key, value);
        self.make(ty);
    }

    const fn iterate(&mut self) {
        let range = self.operand();
        let at = self.word();
        let two = self.byte() & flag::TWO != 0;
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
        self.make(first);
        self.make(second);
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
        match self.byte() {
            op::BASIC | op::TYPE => self.at += 1,
            op::FIELD => {
                self.at += 5;
                self.name();
            }
            op::CALL => {
                self.at += 5;
                let count = self.byte() as usize;
                self.at += 2 * count;
            }
            op::LOGIC => self.at += 8,
            op::ITERATE => self.at += 5,
            op::EXPECT => self.at += 6,
            op::SETTLE => self.at += 2,
            op::LIST => self.uniform(1),
            op::MAP => self.uniform(2),
            op::INVALID => {
                let at = self.word();
                let name = self.name();
                if self.findings.begin(at) {
                    self.say("invalid ");
                    self.say(name);
                    self.say(" argument");
                }
            }
            // op::UNDECLARED
            _ => {
                self.at += 2;
                self.name();
            }
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
    const fn same_when_settled(&self, a: Type, b: Type, depth: u32) -> bool {
        if depth > 20 {
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

/// Looks for a field, also in what is flattened into the object.
const fn lookup(object: &'static Object, place: u32, name: &str, depth: u32) -> Lookup {
    let fields = object.fields;
    let mut open = false;
    let mut i = 0;
    while i < fields.len() {
        let field = &fields[i];
        #[expect(clippy::cast_possible_truncation, reason = "fields of a struct")]
        let place = below(place, i as u32);
        if field.name.is_empty() {
            match field.of {
                Declared::Object(part) if depth < 8 => match lookup(part, place, name, depth + 1) {
                    Lookup::Missing => {}
                    Lookup::Unknown => open = true,
                    found @ Lookup::Found(..) => return found,
                },
                Declared::Map(_) | Declared::Hidden => {}
                _ => open = true,
            }
        } else if equal(field.name.as_bytes(), name.as_bytes()) {
            return Lookup::Found(field.of, place);
        }
        i += 1;
    }
    if open { Lookup::Unknown } else { Lookup::Missing }
}

const fn equal(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

//! Expressions as postfix code, which the macro emits and rustc evaluates.
//!
//! Values are numbered as they come: 0 is `self`, 1 is `oldSelf`, then each operation makes one, but [`op::ITERATE`]
//! (three), and [`op::EXPECT`] and what only the second look is for (none). Numbers are 16 bits, little endian.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::estimate::{NO_NUMBER, class};
use super::literals;
use super::message::NOWHERE;
use super::places::{Places, Step, keeps_size};
use super::signatures;
use super::types::basic;
use crate::escape::is_reserved;
use crate::kubernetes::{Environment, KubernetesVersion};
use crate::syntax::parse_in;
use crate::syntax::{Ast, Comprehension, Expr, ExprId, ExprKind, Literal, MapEntry, StructField};

/// The operations, with what follows the code.
pub(super) mod op {
    /// A literal, or what has a type without parts: the type's code (8 bits), the size; of an integer its value.
    pub(crate) const BASIC: u8 = 1;
    /// A literal text: its place, its size, its length, the text.
    pub(crate) const TEXT: u8 = 15;
    /// Operand, place, flags (8 bits), length of the name (8 bits), the name.
    pub(crate) const FIELD: u8 = 2;
    /// Function, place, flags (8 bits), class of cost (8 bits), count (8 bits), that many operands; a
    /// receiver is the first.
    pub(crate) const CALL: u8 = 3;
    /// Two operands, each with its place: `&&` and `||`.
    pub(crate) const LOGIC: u8 = 4;
    /// Flags (8 bits), count, that many elements.
    pub(crate) const LIST: u8 = 5;
    /// Flags (8 bits), count, that many keys and values.
    pub(crate) const MAP: u8 = 6;
    /// Range, its place, initial value, flags (8 bits): makes the accumulator and the two variables.
    pub(crate) const ITERATE: u8 = 7;
    /// Operand, its place, the value whose type it must have.
    pub(crate) const EXPECT: u8 = 8;
    /// Result, range, initial value, next value, cost of the condition (8 bits), flags (8 bits): the result,
    /// of the type as it is known by now.
    pub(crate) const SETTLE: u8 = 9;
    /// A type's code (8 bits): the type as a value.
    pub(crate) const TYPE: u8 = 10;
    /// Place, length of the name (8 bits), the name.
    pub(crate) const UNDECLARED: u8 = 11;
    /// Place, length of a text, the text: what is wrong with a literal, whatever its type.
    pub(crate) const INVALID: u8 = 12;
    /// Length of a text, the text: why the server cannot plan the expression.
    pub(crate) const FAILS: u8 = 13;
    /// Place, length of a text, the text: what is wrong with a format string, or nothing. Then a count
    /// (8 bits), and that many values with their place and clause (8 bits), as the format prints them.
    pub(crate) const FORMAT: u8 = 14;
    /// Place, the first minor of Kubernetes whose parser takes the expression (8 bits).
    pub(crate) const SINCE: u8 = 17;
    /// Operand, count (8 bits), that many steps of [`step`](super::step): the operand, as the estimate finds it at
    /// the end of another path.
    pub(crate) const PLACE: u8 = 16;
}

/// Steps of a path, with what follows the code.
pub(super) mod step {
    /// Length of the name (8 bits), the name.
    pub(crate) const FIELD: u8 = 1;
    /// To the elements of a list or the values of a map.
    pub(crate) const ELEMENTS: u8 = 2;
    /// A range: to what its only variable goes through.
    pub(crate) const SINGLE: u8 = 3;
    /// A range: to what the first of its two variables goes through.
    pub(crate) const KEY: u8 = 4;
    pub(crate) const UNKNOWN: u8 = 5;
}

/// Flags of operations.
pub(super) mod flag {
    /// Of a field: `has(..)`.
    pub(crate) const TEST: u8 = 1;
    /// Of a field: `.?`.
    pub(crate) const OPTIONAL: u8 = 2;
    /// Of a field: the name is a reserved word, written without its underscores.
    pub(crate) const RESERVED: u8 = 4;
    /// Of a call: a method.
    pub(crate) const MEMBER: u8 = 1;
    /// Of a literal: within a call of `format`, where elements may differ.
    pub(crate) const MIXED: u8 = 1;
    /// Of an iteration: of two variables.
    pub(crate) const TWO: u8 = 1;
    /// Of the end of an iteration: it only binds a variable.
    pub(crate) const BINDS: u8 = 1;
    /// Of the end of an iteration: it makes a list or map.
    pub(crate) const COLLECTS: u8 = 2;
    /// Of a program: there is what only counts once all types are right.
    pub(crate) const LITERALS: u8 = 1;
}

/// The bit of an element's number that says that it is optional, `[?e]`.
pub(super) const OPTIONAL_ENTRY: u16 = 0x8000;
/// The longest literal text that is written down, in bytes.
const MAX_TEXT: usize = 64;
/// The most values of a program.
pub(super) const MAX_VALUES: u16 = 512;

/// Whether a rule compares with the old value. Of what does not parse or is too large, nothing is said.
#[must_use]
pub fn uses_old_self(rule: &str) -> bool {
    rule.contains("oldSelf")
        && crate::syntax::parse(rule)
            .ok()
            .and_then(|ast| Program::write(&ast))
            .is_some_and(|program| program.uses_old_self)
}

/// A program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// The code, for [`Rule::program`](super::Rule::program).
    pub code: Vec<u8>,
    /// Whether `oldSelf` occurs, as the server counts it: a macro's variable of the name is one as well.
    pub uses_old_self: bool,
}

impl Program {
    /// Writes a program; `None` if the expression is larger than what rustc should be asked to check.
    pub fn write(ast: &Ast) -> Option<Self> {
        let mut writer = Writer {
            ast,
            code: vec![0],
            values: 2,
            scope: Vec::new(),
            in_format: false,
            in_formats: BTreeMap::new(),
            uses_old_self: false,
            too_large: false,
            places: Places::default(),
        };
        writer.syntax();
        let result = writer.expr(&ast.root);
        writer.word(result);
        let at = writer.place(ast.root.id);
        writer.word(at);
        let Writer { code, uses_old_self, too_large, .. } = writer;
        (!too_large).then_some(Self { code, uses_old_self })
    }
}

/// The messages of `google.protobuf`: the name, the type of a literal, and the fields with theirs. What is no type
/// without parts is not known here.
///
/// A test compares them with those of the environment.
#[expect(clippy::type_complexity, reason = "a table")]
pub(super) const MESSAGES: [(&str, u8, &[(&str, u8)]); 17] = {
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

/// The only constant of an enumeration there.
const NULL_VALUE: &str = "NullValue.NULL_VALUE";

struct Writer<'a> {
    ast: &'a Ast,
    code: Vec<u8>,
    values: u16,
    /// The variables around, innermost last, by the number of their value.
    scope: Vec<(Arc<str>, u16)>,
    in_format: bool,
    /// The values within calls of `format`, by expression.
    in_formats: BTreeMap<ExprId, u16>,
    uses_old_self: bool,
    too_large: bool,
    places: Places,
}

impl Writer<'_> {
    fn byte(&mut self, byte: u8) {
        self.code.push(byte);
    }

    fn word(&mut self, word: u16) {
        self.code.extend(word.to_le_bytes());
    }

    fn count(&mut self, count: usize) {
        match u8::try_from(count) {
            Ok(count) => self.byte(count),
            Err(_) => self.too_large = true,
        }
    }

    fn name(&mut self, name: &str) {
        self.count(name.len());
        self.code.extend(name.bytes());
    }

    /// Writes down which servers cannot parse the expression, and where.
    fn syntax(&mut self) {
        let source = &self.ast.source;
        let parse = |version| parse_in(source, Environment::new(version));
        let mut fails = false;
        for version in KubernetesVersion::ALL {
            match (parse(version), fails) {
                (Err(_), _) => fails = true,
                (Ok(_), true) => {
                    let at = source.chars().position(|c| c == '`');
                    self.byte(op::SINCE);
                    self.word(at.and_then(|at| u16::try_from(at).ok()).unwrap_or(NOWHERE));
                    self.byte(u8::try_from(version.minor()).unwrap_or(u8::MAX));
                    return;
                }
                (Ok(_), false) => return,
            }
        }
    }

    /// Asks for a second look, once all types are right.
    fn later(&mut self) {
        if let Some(flags) = self.code.first_mut() {
            *flags |= flag::LITERALS;
        }
    }

    fn value(&mut self) -> u16 {
        if self.values == MAX_VALUES {
            self.too_large = true;
            return 0;
        }
        self.values += 1;
        self.values - 1
    }

    fn place(&mut self, id: ExprId) -> u16 {
        let Some(at) = self.ast.positions.get(id as usize).copied().flatten() else {
            return NOWHERE;
        };
        u16::try_from(at).unwrap_or_else(|_| {
            self.too_large = true;
            NOWHERE
        })
    }

    fn basic(&mut self, code: u8, size: usize) -> u16 {
        self.byte(op::BASIC);
        self.byte(code);
        self.word(u16::try_from(size).unwrap_or(u16::MAX));
        self.value()
    }

    fn undeclared(&mut self, id: ExprId, name: &str) -> u16 {
        let at = self.place(id);
        self.byte(op::UNDECLARED);
        self.word(at);
        self.name(name);
        self.value()
    }

    fn expr(&mut self, e: &Expr) -> u16 {
        let value = self.expr_kind(e);
        if self.in_format {
            self.in_formats.insert(e.id, value);
        }
        value
    }

    fn expr_kind(&mut self, e: &Expr) -> u16 {
        match &e.kind {
            // Texts that are compared with are short.
            ExprKind::Literal(Literal::String(text)) if text.len() <= MAX_TEXT => {
                let at = self.place(e.id);
                self.byte(op::TEXT);
                self.word(at);
                self.word(u16::try_from(text.chars().count()).unwrap_or(u16::MAX));
                self.text(text);
                self.value()
            }
            ExprKind::Literal(literal) => {
                let (code, size) = match literal {
                    Literal::Int(value) => (basic::INT, number(*value).into()),
                    Literal::Null => (basic::NULL, 1),
                    Literal::Bool(_) => (basic::BOOL, 1),
                    Literal::Uint(_) => (basic::UINT, 1),
                    Literal::Double(_) => (basic::DOUBLE, 1),
                    Literal::String(text) => (basic::STRING, text.chars().count()),
                    Literal::Bytes(bytes) => (basic::BYTES, bytes.len()),
                };
                self.basic(code, size)
            }
            ExprKind::Ident(name) => self.ident(e.id, name),
            ExprKind::Select { operand, field, test_only } => {
                if let Some(value) = self.qualified(e) {
                    return value;
                }
                let operand = self.expr(operand);
                self.field(e.id, operand, field, if *test_only { flag::TEST } else { 0 })
            }
            ExprKind::Call { target, function, args } => {
                self.call(e.id, target.as_deref(), function, args)
            }
            ExprKind::List { elements, optional } => self.list(elements, optional),
            ExprKind::Map(entries) => self.map(entries),
            ExprKind::Struct { type_name, fields } => self.message(e.id, type_name, fields),
            ExprKind::Comprehension(comprehension) => self.comprehension(comprehension),
        }
    }

    /// A message of protobuf: rules can make those, and no objects of their schema.
    ///
    /// Source: as of `crate::check`, `check_struct`.
    fn message(&mut self, id: ExprId, written: &str, fields: &[StructField]) -> u16 {
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
                    let at = self.place(field.id);
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

    fn ident(&mut self, id: ExprId, written: &str) -> u16 {
        let name = written.strip_prefix('.').unwrap_or(written);
        self.uses_old_self |= name == "oldSelf";
        if let Some((_, value)) = self.scope.iter().rev().find(|(known, _)| &**known == name) {
            return self.placed(*value);
        }
        match name {
            "self" => {
                self.places.root(0);
                0
            }
            "oldSelf" => {
                self.places.root(1);
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

    /// A dotted name that is the name of a type as a whole.
    fn qualified(&mut self, e: &Expr) -> Option<u16> {
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

    fn field(&mut self, id: ExprId, operand: u16, field: &str, flags: u8) -> u16 {
        let at = self.place(id);
        self.byte(op::FIELD);
        self.word(operand);
        self.word(at);
        if is_reserved(field) {
            self.byte(flags | flag::RESERVED);
            self.name(&format!("__{field}__"));
        } else {
            self.byte(flags);
            self.name(field);
        }
        let value = self.value();
        if flags & (flag::TEST | flag::OPTIONAL) != 0 {
            return value;
        }
        self.places.part(value, operand, Step::Field(field.into()));
        self.placed(value)
    }

    /// The value, with the path by which the estimate finds it, where that is not the one to be expected.
    fn placed(&mut self, value: u16) -> u16 {
        let Some(steps) = self.places.changed(value).map(<[Step]>::to_vec) else { return value };
        self.byte(op::PLACE);
        self.word(value);
        self.count(steps.len());
        for step in &steps {
            match step {
                Step::Field(name) if !is_reserved(name) => {
                    self.byte(step::FIELD);
                    self.name(name);
                }
                Step::Elements => self.byte(step::ELEMENTS),
                Step::Single(range) => {
                    self.byte(step::SINGLE);
                    self.word(*range);
                }
                Step::Key(range) => {
                    self.byte(step::KEY);
                    self.word(*range);
                }
                Step::Field(_) | Step::Variable => self.byte(step::UNKNOWN),
            }
        }
        let placed = self.value();
        self.places.settle(placed, value);
        placed
    }

    fn call(
        &mut self,
        id: ExprId,
        target: Option<&Expr>,
        function: &Arc<str>,
        args: &[Expr],
    ) -> u16 {
        if let ("_?._", [operand, Expr { kind: ExprKind::Literal(Literal::String(field)), .. }]) =
            (&**function, args)
        {
            let operand = self.expr(operand);
            return self.field(id, operand, field, flag::OPTIONAL);
        }
        let around = self.in_format;
        self.in_format |= &**function == "format";
        let operands: Vec<u16> = args.iter().map(|arg| self.expr(arg)).collect();
        // `a.b.c(..)` is the function `a.b.c` or the method `c` of `a.b`.
        let full = target.and_then(dotted).map(|name| format!("{name}.{function}"));
        let full = full.and_then(|name| signatures::find(name.strip_prefix('.').unwrap_or(&name)));
        let (found, receiver) = match (full, target) {
            (Some(found), _) => (Some(found), None),
            (None, Some(target)) => {
                let receiver = self.expr(target);
                (signatures::find(function), Some(receiver))
            }
            (None, None) => {
                (signatures::find(function.strip_prefix('.').unwrap_or(function)), None)
            }
        };
        self.in_format = around;
        let Some(found) = found else { return self.undeclared(id, function) };
        let at = self.place(id);
        if let ("_&&_" | "_||_", [a, b], [first, second]) = (&**function, operands.as_slice(), args)
            && receiver.is_none()
        {
            self.byte(op::LOGIC);
            for (operand, id) in [(*a, first.id), (*b, second.id)] {
                self.word(operand);
                let at = self.place(id);
                self.word(at);
            }
            return self.value();
        }
        self.literals(id, target, function, args);
        self.byte(op::CALL);
        self.word(u16::try_from(found).unwrap_or(u16::MAX));
        self.word(at);
        self.byte(if receiver.is_some() { flag::MEMBER } else { 0 });
        let has_limit = args.last().is_some_and(
            |arg| matches!(arg.kind, ExprKind::Literal(Literal::Int(limit)) if limit >= 0),
        );
        // The functions of libraries are known by their full names.
        let name = signatures::FUNCTIONS.get(found).map_or(&**function, |function| function.name);
        let class = class::of(name, receiver.is_some(), args.len(), has_limit);
        self.byte(class);
        self.count(operands.len() + usize::from(receiver.is_some()));
        for operand in receiver.into_iter().chain(operands.iter().copied()) {
            self.word(operand);
        }
        let value = self.value();
        match operands.first() {
            Some(of) if class == class::INDEX => {
                self.places.part(value, *of, Step::Elements);
                self.placed(value)
            }
            _ => value,
        }
    }

    /// What can be wrong with the literals among the operands of a call.
    fn literals(&mut self, id: ExprId, target: Option<&Expr>, function: &str, args: &[Expr]) {
        if let Some(Expr { id, kind: ExprKind::Literal(literal) }) = args.first()
            && literals::always_fails(function, literal)
        {
            self.invalid(*id, &format!("invalid {function} argument"));
        }
        if let Some(why) = literals::cannot_be_planned(target, function, args) {
            self.later();
            self.byte(op::FAILS);
            self.text(&why);
        }
        let Some(format) = literals::format(target, function, args) else { return };
        self.later();
        self.byte(op::FORMAT);
        let at = self.place(id);
        self.word(at);
        self.text(&format.wrong.unwrap_or_default());
        self.count(format.printed.len());
        for (arg, clause) in format.printed {
            let value = self.in_formats.get(&arg.id).copied().unwrap_or_default();
            self.word(value);
            let at = self.place(arg.id);
            self.word(at);
            self.byte(clause as u8);
        }
    }

    fn invalid(&mut self, id: ExprId, what: &str) {
        let at = self.place(id);
        self.later();
        self.byte(op::INVALID);
        self.word(at);
        self.text(what);
    }

    fn text(&mut self, text: &str) {
        match u16::try_from(text.len()) {
            Ok(len) => self.word(len),
            Err(_) => self.too_large = true,
        }
        self.code.extend(text.bytes());
    }

    fn list(&mut self, elements: &[Expr], optional: &[u32]) -> u16 {
        let mut entries = Vec::new();
        for (i, element) in (0u32..).zip(elements) {
            let value = self.expr(element);
            entries.push((value, element.id, optional.binary_search(&i).is_ok()));
        }
        self.literal(op::LIST, elements.len(), &entries)
    }

    fn map(&mut self, entries: &[MapEntry]) -> u16 {
        let mut written = Vec::new();
        for entry in entries {
            let key = self.expr(&entry.key);
            written.push((key, entry.key.id, false));
            let value = self.expr(&entry.value);
            written.push((value, entry.value.id, entry.optional));
        }
        self.literal(op::MAP, entries.len(), &written)
    }

    fn literal(&mut self, code: u8, count: usize, entries: &[(u16, ExprId, bool)]) -> u16 {
        if count > 1 && !self.in_format {
            self.later();
        }
        self.byte(code);
        self.byte(if self.in_format { flag::MIXED } else { 0 });
        match u16::try_from(count) {
            Ok(count) => self.word(count),
            Err(_) => self.too_large = true,
        }
        for (value, id, optional) in entries {
            self.word(if *optional { *value | OPTIONAL_ENTRY } else { *value });
            let at = self.place(*id);
            self.word(at);
        }
        self.value()
    }

    fn comprehension(&mut self, comprehension: &Comprehension) -> u16 {
        let Comprehension { iter_var, iter_var2, range, accu_var, init, condition, step, result } =
            comprehension;
        let over = self.expr(range);
        let initial = self.expr(init);
        let at = self.place(range.id);
        self.byte(op::ITERATE);
        self.word(over);
        self.word(at);
        self.word(initial);
        self.byte(if iter_var2.is_some() { flag::TWO } else { 0 });
        let (accumulator, first, second) = (self.value(), self.value(), self.value());
        self.places.same(accumulator, initial);
        if iter_var2.is_some() {
            self.places.part(first, over, Step::Key(over));
            self.places.part(second, over, Step::Elements);
        } else if !is_binding(comprehension) {
            self.places.part(first, over, Step::Single(over));
        }
        let outside = self.scope.len();
        self.scope.push((Arc::clone(accu_var), accumulator));
        let inside = self.scope.len();
        self.scope.push((Arc::clone(iter_var), first));
        if let Some(iter_var2) = iter_var2 {
            self.scope.push((Arc::clone(iter_var2), second));
        }
        // What the macros write there is a bool by itself.
        debug_assert!(is_bool_by_itself(condition), "{condition:?}");
        let next = self.expr(step);
        if !is_logic(step) {
            let at = self.place(step.id);
            self.byte(op::EXPECT);
            self.word(next);
            self.word(at);
            self.word(accumulator);
        }
        self.scope.truncate(inside);
        let value = self.expr(result);
        self.scope.truncate(outside);
        // The size of the range is looked up last.
        let over = if keeps_size(range) { over } else { self.placed(over) };
        self.byte(op::SETTLE);
        for value in [value, over, initial, next] {
            self.word(value);
        }
        self.byte(plain_cost(condition));
        let mut flags = 0;
        if is_binding(comprehension) {
            flags |= flag::BINDS;
        }
        if matches!(init.kind, ExprKind::List { .. } | ExprKind::Map(_)) {
            flags |= flag::COLLECTS;
        }
        self.byte(flags);
        self.value()
    }
}

/// What a condition costs that consists of calls and variables.
fn plain_cost(e: &Expr) -> u8 {
    match &e.kind {
        ExprKind::Ident(_) => 1,
        ExprKind::Call { args, .. } => args.iter().map(plain_cost).fold(1, u8::saturating_add),
        _ => 0,
    }
}

/// Whether a comprehension iterates over nothing, only to bind a variable.
fn is_binding(c: &Comprehension) -> bool {
    matches!(&c.range.kind, ExprKind::List { elements, .. } if elements.is_empty())
        && matches!(c.condition.kind, ExprKind::Literal(Literal::Bool(false)))
}

/// A literal number as the estimate sees it: none below zero, and none that is large.
fn number(value: i64) -> u16 {
    u16::try_from(value.max(0)).unwrap_or(NO_NUMBER)
}

/// `true`, `false`, `@not_strictly_false(..)`.
fn is_bool_by_itself(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Literal(Literal::Bool(_)) => true,
        ExprKind::Call { function, .. } => &**function == "@not_strictly_false",
        _ => false,
    }
}

/// `&&` and `||`: a bool, or reported already.
fn is_logic(e: &Expr) -> bool {
    matches!(&e.kind, ExprKind::Call { function, .. } if matches!(&**function, "_&&_" | "_||_"))
}

/// The dotted name that an expression spells, if it is nothing else.
fn dotted(e: &Expr) -> Option<String> {
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
        // Types of types all fit each other.
        "list" | "map" | "optional_type" | "type" => basic::UNKNOWN,
        _ => return None,
    })
}

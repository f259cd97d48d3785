//! An expression as postfix code, which the macro writes and rustc reads.
//!
//! Values are numbered as they come: 0 is `self`, 1 is `oldSelf`, then each operation makes one, but
//! [`op::ITERATE`] (two), [`op::EXPECT`] and [`op::INVALID`] (none). Numbers are 16 bits, little endian.

use std::sync::Arc;

use super::message::NOWHERE;
use super::signatures;
use super::types::basic;
use crate::escape::is_reserved;
use crate::re2;
use crate::syntax::{Ast, Comprehension, Expr, ExprId, ExprKind, Literal, MapEntry};
use crate::time::{Duration, Timestamp};

/// The operations, with what follows the code.
pub(super) mod op {
    /// A type without parts: its code (8 bits).
    pub(crate) const BASIC: u8 = 1;
    /// Operand, place, flags (8 bits), length of the name (8 bits), the name.
    pub(crate) const FIELD: u8 = 2;
    /// Function, place, flags (8 bits), count (8 bits), that many operands; a receiver is the first.
    pub(crate) const CALL: u8 = 3;
    /// Two operands, each with its place: `&&` and `||`.
    pub(crate) const LOGIC: u8 = 4;
    /// Flags (8 bits), count, that many elements.
    pub(crate) const LIST: u8 = 5;
    /// Flags (8 bits), count, that many keys and values.
    pub(crate) const MAP: u8 = 6;
    /// Range, its place, flags (8 bits): makes the two variables.
    pub(crate) const ITERATE: u8 = 7;
    /// Operand, its place, the value whose type it must have.
    pub(crate) const EXPECT: u8 = 8;
    /// Operand: its type as it is known by now.
    pub(crate) const SETTLE: u8 = 9;
    /// A type's code (8 bits): the type as a value.
    pub(crate) const TYPE: u8 = 10;
    /// Place, length of the name (8 bits), the name.
    pub(crate) const UNDECLARED: u8 = 11;
    /// Place, length of the function's name (8 bits), the name: of a literal argument that always fails.
    pub(crate) const INVALID: u8 = 12;
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
    /// Of a program: there is what only counts once all types are right.
    pub(crate) const LITERALS: u8 = 1;
}

/// The bit of an element's number that says that it is optional, `[?e]`.
pub(super) const OPTIONAL_ENTRY: u16 = 0x8000;
/// The most values of a program.
pub(super) const MAX_VALUES: u16 = 512;

/// A program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// The code, for [`Rule::program`](super::Rule::program).
    pub code: Vec<u8>,
    /// Whether `oldSelf` occurs, as the server counts it: a macro's variable of the name is one as well.
    pub uses_old_self: bool,
}

impl Program {
    /// Writes a program; `None` where the expression is larger than what rustc should be asked to check.
    pub fn write(ast: &Ast) -> Option<Self> {
        let mut writer = Writer {
            ast,
            code: vec![0],
            values: 2,
            scope: Vec::new(),
            in_format: false,
            uses_old_self: false,
            too_large: false,
        };
        let result = writer.expr(&ast.root);
        writer.word(result);
        let at = writer.place(ast.root.id);
        writer.word(at);
        let Writer { code, uses_old_self, too_large, .. } = writer;
        (!too_large).then_some(Self { code, uses_old_self })
    }
}

/// The messages and constants of `google.protobuf` that have a name, but for what types are called.
const MESSAGES: [&str; 18] = [
    "Any",
    "BoolValue",
    "BytesValue",
    "DoubleValue",
    "Duration",
    "Empty",
    "FloatValue",
    "Int32Value",
    "Int64Value",
    "ListValue",
    "NullValue.NULL_VALUE",
    "StringValue",
    "Struct",
    "Struct.FieldsEntry",
    "Timestamp",
    "UInt32Value",
    "UInt64Value",
    "Value",
];

struct Writer<'a> {
    ast: &'a Ast,
    code: Vec<u8>,
    values: u16,
    /// The variables around, innermost last, by the number of their value.
    scope: Vec<(Arc<str>, u16)>,
    in_format: bool,
    uses_old_self: bool,
    too_large: bool,
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

    fn basic(&mut self, code: u8) -> u16 {
        self.byte(op::BASIC);
        self.byte(code);
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
        match &e.kind {
            ExprKind::Literal(literal) => self.basic(match literal {
                Literal::Null => basic::NULL,
                Literal::Bool(_) => basic::BOOL,
                Literal::Int(_) => basic::INT,
                Literal::Uint(_) => basic::UINT,
                Literal::Double(_) => basic::DOUBLE,
                Literal::String(_) => basic::STRING,
                Literal::Bytes(_) => basic::BYTES,
            }),
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
            // Only messages of protobuf have literals; rules have no use for them.
            ExprKind::Struct { fields, .. } => {
                for field in fields {
                    self.expr(&field.value);
                }
                self.basic(basic::UNKNOWN)
            }
            ExprKind::Comprehension(comprehension) => self.comprehension(comprehension),
        }
    }

    fn ident(&mut self, id: ExprId, written: &str) -> u16 {
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
                if !MESSAGES.contains(&message) {
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
        self.value()
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
        if let Some(Expr { id, kind: ExprKind::Literal(literal) }) = args.first()
            && always_fails(function, literal)
        {
            let at = self.place(*id);
            self.later();
            self.byte(op::INVALID);
            self.word(at);
            self.name(function);
        }
        self.byte(op::CALL);
        self.word(u16::try_from(found).unwrap_or(u16::MAX));
        self.word(at);
        self.byte(if receiver.is_some() { flag::MEMBER } else { 0 });
        self.count(operands.len() + usize::from(receiver.is_some()));
        for operand in receiver.into_iter().chain(operands) {
            self.word(operand);
        }
        self.value()
    }

    fn list(&mut self, elements: &[Expr], optional: &[u32]) -> u16 {
        let mut entries = Vec::new();
        for (i, element) in (0u32..).zip(elements) {
            let value = self.expr(element);
            entries.push((value, element.id, optional.contains(&i)));
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
        let first_value = self.expr(init);
        let at = self.place(range.id);
        self.byte(op::ITERATE);
        self.word(over);
        self.word(at);
        self.byte(if iter_var2.is_some() { flag::TWO } else { 0 });
        let (first, second) = (self.value(), self.value());
        let outside = self.scope.len();
        self.scope.push((Arc::clone(accu_var), first_value));
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
            self.word(first_value);
        }
        self.scope.truncate(inside);
        let result = self.expr(result);
        self.scope.truncate(outside);
        self.byte(op::SETTLE);
        self.word(result);
        self.value()
    }
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

/// The type that a name stands for.
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

/// Whether a function fails on a literal, whatever else the rule is about.
///
/// Source: cel-go `cel/validator.go`, `formatValidator`.
fn always_fails(function: &str, literal: &Literal) -> bool {
    match (function, literal) {
        // There is a declaration for integers, but nothing behind it.
        ("duration", Literal::Int(_)) => true,
        ("duration", Literal::String(text)) => Duration::parse(text).is_none(),
        ("timestamp", Literal::Int(seconds)) => Timestamp::from_seconds(*seconds).is_err(),
        ("timestamp", Literal::String(text)) => {
            Timestamp::parse(text).is_none_or(|timestamp| timestamp.in_range().is_err())
        }
        ("matches", Literal::String(pattern)) => re2::check(pattern).is_err(),
        _ => false,
    }
}

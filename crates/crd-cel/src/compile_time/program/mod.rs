//! Writes an expression as a program, which the macro emits and rustc evaluates.

mod calls;
mod collections;
mod names;

use std::collections::BTreeMap;
use std::sync::Arc;

use super::basic;
use super::code::{MAX_VALUES, NOWHERE, flag, op};
use super::types::Type;
use crate::escape::is_reserved;
use crate::kubernetes::{Environment, KubernetesVersion};
use crate::syntax::{Ast, Expr, ExprId, ExprKind, Literal, parse_in};

/// The longest string literal that a program contains, in bytes. Longer ones are never compared with enumerations.
const MAX_TEXT: usize = 64;

/// Whether a rule uses `oldSelf`; `false` if it does not parse or is too large.
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
    /// Whether `oldSelf` occurs. A macro's variable of that name counts too, as it does for the server.
    pub uses_old_self: bool,
}

impl Program {
    /// Writes a program; `None` if the expression is too large to be checked by rustc.
    pub fn write(ast: &Ast) -> Option<Self> {
        let mut writer = Writer {
            ast,
            code: vec![0; 3],
            texts: BTreeMap::new(),
            text_bytes: Vec::new(),
            values: vec![None; 2],
            scope: Vec::new(),
            in_format: false,
            in_formats: BTreeMap::new(),
            uses_old_self: false,
            too_large: false,
        };
        writer.syntax();
        let result = writer.expr(&ast.root);
        writer.byte(op::END);
        writer.word(result);
        let Writer { mut code, text_bytes, uses_old_self, too_large, .. } = writer;
        let start = u16::try_from(code.len()).ok()?;
        code.splice(1..3, start.to_le_bytes());
        code.extend(text_bytes);
        (!too_large).then_some(Self { code, uses_old_self })
    }
}

struct Writer<'a> {
    ast: &'a Ast,
    /// The code so far, without the texts. Its first byte holds the flags of the program.
    code: Vec<u8>,
    /// The offsets of the texts so far.
    texts: BTreeMap<String, u16>,
    text_bytes: Vec<u8>,
    /// The values so far, among them `self` and `oldSelf`, which are the first two, with the types that they have
    /// whatever the type of `self` is; of a list, without that of its elements.
    values: Vec<Option<Type>>,
    /// The variables in scope, innermost last, with the numbers of their values.
    scope: Vec<(Arc<str>, u16)>,
    /// Whether what is written is in a call of `format`.
    in_format: bool,
    /// The numbers of the values of all expressions in calls of `format`.
    in_formats: BTreeMap<ExprId, u16>,
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

    /// Writes the first minor whose server parses the expression, unless all do.
    fn syntax(&mut self) {
        let source = &self.ast.source;
        // Parsers differ only in names in backticks.
        let Some(at) = source.chars().position(|c| c == '`') else { return };
        let parse = |version| parse_in(source, Environment::new(version));
        let mut fails = false;
        for version in KubernetesVersion::ALL {
            match (parse(version), fails) {
                (Err(_), _) => fails = true,
                (Ok(_), true) => {
                    self.byte(op::SINCE);
                    self.word(u16::try_from(at).unwrap_or(NOWHERE));
                    self.byte(u8::try_from(version.minor()).unwrap_or(u8::MAX));
                    return;
                }
                (Ok(_), false) => return,
            }
        }
    }

    /// Sets the flag that makes the checker read the program a second time, to check its literals.
    fn request_second_pass(&mut self) {
        self.flag(flag::LITERALS);
    }

    /// Sets a flag of the program.
    fn flag(&mut self, flag: u8) {
        if let Some(flags) = self.code.first_mut() {
            *flags |= flag;
        }
    }

    /// Returns the number of a new value.
    fn value(&mut self, ty: Option<Type>) -> u16 {
        match u16::try_from(self.values.len()) {
            Ok(number) if number < MAX_VALUES => {
                self.values.push(ty);
                number
            }
            _ => {
                self.too_large = true;
                0
            }
        }
    }

    /// The type of a value, if it is certain.
    fn type_of(&self, value: u16) -> Option<Type> {
        self.values.get(usize::from(value)).copied().flatten()
    }

    fn position(&mut self, id: ExprId) -> u16 {
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
        self.value(Some(Type::Basic(code)))
    }

    fn undeclared(&mut self, id: ExprId, name: &str) -> u16 {
        let at = self.position(id);
        self.byte(op::UNDECLARED);
        self.word(at);
        self.text(name);
        self.value(None)
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
            // Members of enumerations are short.
            ExprKind::Literal(Literal::String(text)) if text.len() <= MAX_TEXT => {
                let at = self.position(e.id);
                self.byte(op::TEXT);
                self.word(at);
                self.text(text);
                self.value(Some(Type::Basic(basic::STRING)))
            }
            ExprKind::Literal(literal) => self.basic(match literal {
                Literal::Int(_) => basic::INT,
                Literal::Null => basic::NULL,
                Literal::Bool(_) => basic::BOOL,
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
            ExprKind::Struct { type_name, fields } => self.message(e.id, type_name, fields),
            ExprKind::Comprehension(comprehension) => self.comprehension(comprehension),
        }
    }

    fn field(&mut self, id: ExprId, operand: u16, field: &str, flags: u8) -> u16 {
        let at = self.position(id);
        self.byte(op::FIELD);
        self.word(at);
        self.word(operand);
        if is_reserved(field) {
            self.byte(flags | flag::RESERVED);
            self.text(&format!("__{field}__"));
        } else {
            self.byte(flags);
            self.text(field);
        }
        self.value(None)
    }

    fn invalid(&mut self, id: ExprId, what: &str) {
        let at = self.position(id);
        self.request_second_pass();
        self.byte(op::INVALID);
        self.word(at);
        self.text(what);
    }

    fn text(&mut self, text: &str) {
        let at =
            self.texts.get(text).copied().or_else(|| u16::try_from(self.text_bytes.len()).ok());
        let (Some(at), Ok(len)) = (at, u16::try_from(text.len())) else {
            self.too_large = true;
            return;
        };
        if self.texts.insert(text.to_owned(), at).is_none() {
            self.text_bytes.extend(text.bytes());
        }
        self.word(at);
        self.word(len);
    }
}

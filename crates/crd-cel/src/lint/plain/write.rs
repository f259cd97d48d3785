//! Writes a plain rule.

use super::{BINARY, MAX_BYTES, MAX_HEIGHT, op};
use crate::re2::pattern_program;
use crate::syntax::{Ast, Expr, ExprKind, Literal};

/// A rule about a scalar as the program that [`rule_holds`](super::rule_holds) runs. `None` if the
/// rule is too large, or nothing of it is plain.
#[must_use]
pub fn rule_program(rule: &Ast) -> Option<Vec<u8>> {
    let mut writer = Writer { code: Vec::new(), height: 0 };
    writer.expr(&rule.root)?;
    let is_known = writer.code != [op::UNKNOWN];
    (is_known && writer.code.len() <= MAX_BYTES).then_some(writer.code)
}

struct Writer {
    code: Vec<u8>,
    /// The number of values on the stack.
    height: usize,
}

impl Writer {
    /// Writes an operation that pops `operands` values and pushes one; `None` if there are too many
    /// values or bytes.
    fn op(&mut self, code: u8, operands: usize) -> Option<()> {
        self.code.push(code);
        self.height = self.height.checked_sub(operands)? + 1;
        (self.height <= MAX_HEIGHT && self.code.len() <= MAX_BYTES).then_some(())
    }

    /// Writes the length, and then the bytes.
    fn bytes(&mut self, bytes: &[u8]) -> Option<()> {
        self.code.extend(u16::try_from(bytes.len()).ok()?.to_le_bytes());
        self.code.extend(bytes);
        Some(())
    }

    /// Recursion is bounded by the parser.
    fn expr(&mut self, expr: &Expr) -> Option<()> {
        match &expr.kind {
            ExprKind::Literal(literal) => self.literal(literal),
            ExprKind::Ident(name) if &**name == "self" => self.op(op::VALUE, 0),
            ExprKind::Call { target: None, function, args } => self.function(function, args),
            ExprKind::Call { target: Some(target), function, args } => {
                self.method(target, function, args)
            }
            _ => self.op(op::UNKNOWN, 0),
        }
    }

    fn literal(&mut self, literal: &Literal) -> Option<()> {
        match literal {
            Literal::Bool(bool) => {
                self.op(op::BOOL, 0)?;
                self.code.push(u8::from(*bool));
            }
            Literal::Int(int) => {
                self.op(op::INT, 0)?;
                self.code.extend(int.to_le_bytes());
            }
            Literal::Double(double) => {
                self.op(op::DOUBLE, 0)?;
                self.code.extend(double.to_bits().to_le_bytes());
            }
            Literal::String(text) => {
                self.op(op::TEXT, 0)?;
                self.bytes(text.as_bytes())?;
            }
            Literal::Null | Literal::Uint(_) | Literal::Bytes(_) => self.op(op::UNKNOWN, 0)?,
        }
        Some(())
    }

    fn method(&mut self, target: &Expr, function: &str, args: &[Expr]) -> Option<()> {
        let code = match (function, args) {
            ("size", []) => op::SIZE,
            ("startsWith", [_]) => op::STARTS_WITH,
            ("endsWith", [_]) => op::ENDS_WITH,
            ("contains", [_]) => op::CONTAINS,
            ("matches", [Expr { kind: ExprKind::Literal(Literal::String(pattern)), .. }]) => {
                let Some(program) = pattern_program(pattern) else {
                    return self.op(op::UNKNOWN, 0);
                };
                self.expr(target)?;
                self.op(op::MATCHES, 1)?;
                return self.bytes(&program);
            }
            _ => return self.op(op::UNKNOWN, 0),
        };
        self.expr(target)?;
        self.exprs(args)?;
        self.op(code, 1 + args.len())
    }

    fn function(&mut self, function: &str, args: &[Expr]) -> Option<()> {
        let code = match (function, args) {
            ("!_", [_]) => op::NOT,
            ("_&&_", [_, _]) => op::AND,
            ("_||_", [_, _]) => op::OR,
            ("_?_:_", [_, _, _]) => op::CONDITIONAL,
            ("size", [_]) => op::SIZE,
            ("@in", [item, Expr { kind: ExprKind::List { elements, optional }, .. }])
                if optional.is_empty() =>
            {
                self.expr(item)?;
                self.exprs(elements)?;
                self.op(op::IN, 1 + elements.len())?;
                self.code.push(u8::try_from(elements.len()).ok()?);
                return Some(());
            }
            (operator, [_, _]) => match BINARY.iter().position(|name| *name == operator) {
                Some(index) => op::BINARY + u8::try_from(index).ok()?,
                None => return self.op(op::UNKNOWN, 0),
            },
            _ => return self.op(op::UNKNOWN, 0),
        };
        self.exprs(args)?;
        self.op(code, args.len())
    }

    fn exprs(&mut self, exprs: &[Expr]) -> Option<()> {
        exprs.iter().try_for_each(|expr| self.expr(expr))
    }
}

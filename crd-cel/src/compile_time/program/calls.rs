//! Calls, and the errors that their literals show.

use std::sync::Arc;

use super::Writer;
use super::names::dotted;
use crate::compile_time::code::{flag, op};
use crate::compile_time::estimate::class;
use crate::compile_time::size_paths::Step;
use crate::compile_time::{literals, signatures};
use crate::syntax::{Expr, ExprId, ExprKind, Literal};

impl Writer<'_> {
    pub(super) fn call(
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
        let at = self.position(id);
        if let ("_&&_" | "_||_", [a, b], [first, second]) = (&**function, operands.as_slice(), args)
            && receiver.is_none()
        {
            self.byte(op::LOGIC);
            for (operand, id) in [(*a, first.id), (*b, second.id)] {
                self.word(operand);
                let at = self.position(id);
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
                self.size_paths.part(value, *of, Step::Elements);
                self.with_size_path(value)
            }
            _ => value,
        }
    }

    /// Writes the errors that the literal arguments of a call show.
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
        let at = self.position(id);
        self.word(at);
        self.text(&format.wrong.unwrap_or_default());
        self.count(format.printed.len());
        for (arg, clause) in format.printed {
            let value = self.in_formats.get(&arg.id).copied().unwrap_or_default();
            self.word(value);
            let at = self.position(arg.id);
            self.word(at);
            self.byte(clause as u8);
        }
    }
}

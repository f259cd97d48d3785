//! Calls, and the errors that their literals show.

use std::ops::Range;
use std::sync::Arc;

use super::Writer;
use crate::clause::{self, literal_call};
use crate::compile_time::code::{flag, op};
use crate::compile_time::literals;
use crate::kubernetes::Environment;
use crate::library::table::{OVERLOADS, Overload};
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
        let full = target.and_then(Expr::qualified_name).map(|name| format!("{name}.{function}"));
        let full = full.map(|name| overloads_of(name.strip_prefix('.').unwrap_or(&name)));
        let (overloads, receiver) = match (full, target) {
            (Some(found), _) if !found.is_empty() => (found, None),
            (_, Some(target)) => {
                let receiver = self.expr(target);
                (overloads_of(function), Some(receiver))
            }
            (_, None) => (overloads_of(function.strip_prefix('.').unwrap_or(function)), None),
        };
        self.in_format = around;
        let Some((number, first)) = overloads.first().copied() else {
            return self.undeclared(id, function);
        };
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
        // Rows have the full names of functions, such as `ip.isCanonical`.
        let operator = match first.row.function {
            "_==_" | "_!=_" => flag::EQUALITY,
            "_[_]" => flag::INDEX,
            "@in" => flag::IN,
            _ => 0,
        };
        self.byte(op::CALL);
        self.word(at);
        self.byte(operator | if receiver.is_some() { flag::MEMBER } else { 0 });
        self.word(number);
        let count = operands.len() + usize::from(receiver.is_some());
        self.overloads(&overloads, receiver.is_some(), count);
        self.count(count);
        for operand in receiver.into_iter().chain(operands.iter().copied()) {
            self.word(operand);
        }
        self.value()
    }

    /// Writes the numbers of the methods (or, without `is_method`, of the functions) among the overloads that have
    /// `count` parameters, as runs of consecutive numbers.
    fn overloads(&mut self, overloads: &[(u16, &Overload)], is_method: bool, count: usize) {
        let mut runs: Vec<Range<u16>> = Vec::new();
        for (number, Overload { row, .. }) in overloads {
            if row.is_method == is_method && row.signature.params.len() == count {
                match runs.last_mut() {
                    Some(run) if run.end == *number => run.end += 1,
                    _ => runs.push(*number..number + 1),
                }
            }
        }
        self.count(runs.len());
        for run in runs {
            self.word(run.start);
            self.count(run.len());
        }
    }

    /// Writes the errors that the literal arguments of a call show.
    fn literals(&mut self, id: ExprId, target: Option<&Expr>, function: &str, args: &[Expr]) {
        if let Some(Expr { id, kind: ExprKind::Literal(literal) }) = args.first()
            && literals::always_fails(function, literal)
        {
            self.invalid(*id, &format!("invalid {function} argument"));
        }
        if let Some(why) = literals::planner_error(target, function, args) {
            self.request_second_pass();
            self.byte(op::FAILS);
            self.text(&why);
        }
        let Some((format, args)) = literal_call(target, function, args) else { return };
        let mut printed = Vec::new();
        let mut wrong = String::new();
        for clause in clause::printed(format, args) {
            match clause {
                Ok(clause) => printed.push(clause),
                Err(why) => wrong = why,
            }
        }
        self.request_second_pass();
        self.byte(op::FORMAT);
        let at = self.position(id);
        self.word(at);
        self.text(&wrong);
        self.count(printed.len());
        for (arg, clause) in printed {
            let value = self.in_formats.get(&arg.id).copied().unwrap_or_default();
            self.word(value);
            let at = self.position(arg.id);
            self.word(at);
            self.byte(clause as u8);
        }
    }
}

/// The overloads of a function that new rules can call on the reference version, with their indices in the table.
fn overloads_of(function: &str) -> Vec<(u16, &'static Overload)> {
    let environment = Environment::default();
    let has = |(_, overload): &(u16, &Overload)| {
        overload.row.function == function && environment.has(overload.presence)
    };
    (0..).zip(&OVERLOADS).filter(has).collect()
}

//! Calls, and the errors that their literals show.

use std::collections::BTreeMap;
use std::iter::zip;
use std::sync::{Arc, LazyLock};

use super::Writer;
use crate::clause::{self, literal_call};
use crate::compile_time::code::{flag, op};
use crate::compile_time::literals;
use crate::compile_time::outermost::{accepted_by, outermost};
use crate::compile_time::types::Type;
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
        let Some(first) = overloads.first() else {
            return self.undeclared(id, function);
        };
        let at = self.position(id);
        if let ("_&&_" | "_||_", [a, b], [first, second]) = (&**function, operands.as_slice(), args)
            && receiver.is_none()
        {
            self.byte(op::LOGIC);
            for (operand, id) in [(*a, first.id), (*b, second.id)] {
                let at = self.position(id);
                self.word(at);
                self.word(operand);
            }
            return self.value(None);
        }
        self.literals(id, target, function, args);
        let is_method = receiver.is_some();
        let operands: Vec<u16> = receiver.into_iter().chain(operands).collect();
        // Judged by their outermost types, if these are certain.
        let outermost = |ty: Option<Type>| ty.map_or(u32::MAX, outermost);
        let types: Vec<_> =
            operands.iter().map(|operand| outermost(self.type_of(*operand))).collect();
        let is_possible = |overload: &&Candidate| {
            overload.is_method == is_method
                && overload.accepted.len() == types.len()
                && zip(&overload.accepted, &types).all(|(accepted, ty)| accepted & ty != 0)
        };
        let possible: Vec<_> = overloads.iter().filter(is_possible).collect();
        // Rows have the full names of functions, such as `ip.isCanonical`.
        let operator = match first.function {
            "_==_" | "_!=_" => flag::EQUALITY,
            "_[_]" => flag::INDEX,
            "@in" => flag::IN,
            _ => 0,
        };
        self.byte(op::CALL);
        self.word(at);
        self.word(first.number);
        self.byte(operator | if is_method { flag::MEMBER } else { 0 });
        self.count(operands.len());
        for operand in operands {
            self.word(operand);
        }
        self.count(possible.len());
        for overload in possible {
            self.word(overload.number);
        }
        self.value(None)
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
            let at = self.position(arg.id);
            self.word(at);
            self.byte(clause as u8);
            self.word(value);
        }
    }
}

/// An overload that a call may be of.
struct Candidate {
    /// Its index in the table.
    number: u16,
    function: &'static str,
    is_method: bool,
    /// The bits of the outermost types that each parameter may accept.
    accepted: Vec<u32>,
}

/// The overloads of a function that new rules can call on the reference version.
fn overloads_of(function: &str) -> &'static [Candidate] {
    static OF: LazyLock<BTreeMap<&str, Vec<Candidate>>> = LazyLock::new(|| {
        let environment = Environment::default();
        let mut of = BTreeMap::<_, Vec<_>>::new();
        for (number, Overload { row, presence, .. }) in (0..).zip(&OVERLOADS) {
            if environment.has(*presence) {
                let accepted = row.signature.params.iter().map(accepted_by).collect();
                let (function, is_method) = (row.function, row.is_method);
                let candidate = Candidate { number, function, is_method, accepted };
                of.entry(function).or_default().push(candidate);
            }
        }
        of
    });
    OF.get(function).map_or(&[], Vec::as_slice)
}

//! Calls: the overloads that fit, and the cost of the call.

use super::{Checker, MAX_OPERANDS};
use crate::compile_time::basic;
use crate::compile_time::code::flag;
use crate::compile_time::estimate::{self, Estimate};
use crate::compile_time::signatures::{FUNCTIONS, Pattern};
use crate::compile_time::types::Type;

impl Checker<'_> {
    pub(super) const fn call(&mut self) {
        let function = &FUNCTIONS[self.word() as usize];
        let at = self.word();
        let member = self.byte() & flag::MEMBER != 0;
        let class = self.byte();
        let count = self.byte() as usize;
        let mut args = [Type::Basic(basic::UNKNOWN); MAX_OPERANDS];
        let mut estimate = [Estimate::NOTHING; MAX_OPERANDS];
        let mut unknown = false;
        let mut i = 0;
        while i < count {
            let operand_estimate = self.estimate();
            let operand = self.operand();
            if i < MAX_OPERANDS {
                args[i] = operand;
                estimate[i] = operand_estimate;
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
        self.make_call(class, count, certain, &mut args, &estimate, result);
    }

    /// Adds the result of a call with its estimate.
    const fn make_call(
        &mut self,
        class: u8,
        count: usize,
        certain: bool,
        args: &mut [Type; MAX_OPERANDS],
        estimate: &[Estimate; MAX_OPERANDS],
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
        let call = estimate::EstimatedCall {
            class,
            types: args,
            operands: estimate,
            count,
            certain,
            otherwise,
            element,
            basis: self.basis,
        };
        self.vary_before(call.same_since());
        let result_estimate = call.estimate(&mut self.types.fuel);
        if call.has_unbounded_string()
            && let Some(trace) = &mut self.trace
        {
            trace.unbounded_string = true;
        }
        self.compare_operands(class, estimate);
        self.make(result, result_estimate);
    }

    /// Makes the free type variables of an overload unknown, because an operand of unknown type could have bound them.
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

    const fn report_no_overload(&mut self, name: &str, at: u16, member: bool, args: &[Type]) {
        if !self.issues.begin(at) {
            return;
        }
        self.write("found no matching overload for '");
        self.write(name);
        self.write("' applied to '");
        let mut i = 0;
        if member {
            self.write_type(args[0]);
            self.write(".");
            i = 1;
        }
        self.write("(");
        let from = i;
        while i < args.len() {
            if i > from {
                self.write(", ");
            }
            self.write_type(args[i]);
            i += 1;
        }
        self.write(")'");
    }
}

/// Whether an argument cannot fit a parameter, judged only by its outermost type: for a list, without its elements.
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

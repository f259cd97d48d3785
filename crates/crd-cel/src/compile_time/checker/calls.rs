//! Calls: the overloads that fit.

#[cfg(all(test, feature = "eval"))]
mod same_types;

use super::{At, Checker, MAX_OPERANDS};
use crate::compile_time::basic;
use crate::compile_time::code::flag;
use crate::compile_time::origin::{Origin, Value};
use crate::compile_time::outermost::{ACCEPTED, outermost};
use crate::compile_time::types::Type;
use crate::library::row::Sig;
use crate::library::table::{OVERLOADS, Overload};

/// The operands of a call, the receiver first.
struct Operands {
    count: usize,
    values: [Value; MAX_OPERANDS],
    /// Whether the type of one is unknown.
    unknown: bool,
}

/// The overloads of a call that fit.
struct Resolved {
    /// How many.
    matches: usize,
    /// The type of the result.
    result: Type,
    /// The first minor of Kubernetes that takes one of them in a new rule; 0 if all known minors do.
    since: u32,
}

impl Checker<'_> {
    pub(super) const fn call(&mut self) {
        let at = self.rest;
        let [_, _, function @ ..] = at else { return };
        let [_, _, flags, count, rest @ ..] = function else { return };
        let (flags, count) = (*flags, *count as usize);
        self.rest = rest;
        let mut operands =
            Operands { count, values: [Value::COMPUTED; MAX_OPERANDS], unknown: false };
        let mut i = 0;
        while i < operands.count {
            let operand = self.operand();
            if i < MAX_OPERANDS {
                operands.values[i] = operand;
                operands.unknown |= self.types.has_unknown(operand.ty);
            }
            i += 1;
        }
        let resolved = self.resolve(&operands);
        if resolved.matches == 0 {
            self.report_no_overload(function, at, flags, &operands);
        } else if resolved.since > 0 {
            self.need(at, resolved.since, function_of(function));
        }
        if flags & (flag::EQUALITY | flag::IN) != 0 {
            self.compare_operands(flags, &operands.values);
        }
        let is_element = flags & flag::INDEX != 0 && resolved.matches == 1 && !operands.unknown;
        let origin = if is_element {
            operands.values[0].origin.elements(&mut self.types)
        } else {
            Origin::COMPUTED
        };
        self.make(resolved.result, origin);
    }

    /// Reads which overloads a call may have, and tries them. Each that fits narrows the types of the operands for the
    /// next.
    const fn resolve(&mut self, operands: &Operands) -> Resolved {
        let result = Type::Basic(basic::UNKNOWN);
        let mut resolved = Resolved { matches: 0, result, since: u32::MAX };
        let first = outermost(operands.values[0].ty);
        let mut left = self.byte();
        let mut overloads = self.rest;
        while left > 0
            && let [low, high, rest @ ..] = overloads
        {
            left -= 1;
            overloads = rest;
            self.types.fuel.spent += 10;
            let number = number!(low, high) as usize;
            // PERF: most overloads of an operator are for other operands.
            if ACCEPTED[number] & first != 0 {
                self.try_overload(&OVERLOADS[number], operands, &mut resolved);
            }
        }
        self.rest = overloads;
        resolved
    }

    const fn try_overload(
        &mut self,
        overload: &Overload,
        operands: &Operands,
        resolved: &mut Resolved,
    ) {
        let signature = &overload.row.signature;
        let vars = self.types.var_count;
        let nodes = self.types.node_count;
        #[expect(clippy::cast_possible_truncation, reason = "below LARGE")]
        let mut first = vars as u16;
        let mut fits = true;
        let mut params = signature.params;
        if signature.vars > 0 {
            if let [Sig::Var(_), Sig::Var(_)] = params
                && let Sig::Basic(_) = signature.result
            {
                // PERF: `==` and `!=`, whose type parameter needs no variable.
                fits = self.types.assign(operands.values[1].ty, operands.values[0].ty);
                params = &[];
            } else {
                first = self.types.fresh(signature.vars);
            }
        }
        let mut i = 0;
        while let [param, rest @ ..] = params {
            fits = self.types.accepts(operands.values[i].ty, param, first);
            params = if fits { rest } else { &[] };
            i += 1;
        }
        if !self.types.end_assignment(fits) {
            self.types.var_count = vars;
            self.types.node_count = nodes;
            return;
        }
        if operands.unknown {
            self.leave_open(first);
        }
        let ty = match &signature.result {
            Sig::Basic(code) => Type::Basic(*code),
            generic => {
                let generic = self.types.instantiate(generic, first);
                self.types.apply(generic)
            }
        };
        if resolved.matches == 0 {
            resolved.result = ty;
        } else if !matches!(resolved.result, Type::Basic(basic::UNKNOWN | basic::DYN))
            && !self.types.is_same(ty, resolved.result, false, 0)
        {
            let other = if operands.unknown { basic::UNKNOWN } else { basic::DYN };
            resolved.result = Type::Basic(other);
        }
        resolved.matches += 1;
        if overload.since < resolved.since {
            resolved.since = overload.since;
        }
    }

    /// Makes the free type variables from one on unknown, because an operand of unknown type could have bound them.
    const fn leave_open(&mut self, first: u16) {
        let mut variable = first;
        while (variable as usize) < self.types.var_count {
            if self.types.is_free(variable) {
                self.types.set(variable, Type::Basic(basic::UNKNOWN));
            }
            variable += 1;
        }
        self.types.end_assignment(true);
    }

    const fn report_no_overload(&mut self, function: At, at: At, flags: u8, operands: &Operands) {
        if !self.begin(at) {
            return;
        }
        self.write("found no matching overload for '");
        self.write(function_of(function));
        self.write("' applied to '");
        let mut i = 0;
        if flags & flag::MEMBER != 0 {
            self.write_type(operands.values[0].ty);
            self.write(".");
            i = 1;
        }
        self.write("(");
        let from = i;
        while i < operands.count && i < MAX_OPERANDS {
            if i > from {
                self.write(", ");
            }
            self.write_type(operands.values[i].ty);
            i += 1;
        }
        self.write(")'");
    }
}

/// The name of the function with the overload that a program names.
const fn function_of(overload: At) -> &'static str {
    let [low, high, ..] = overload else { return "" };
    OVERLOADS[number!(low, high) as usize].row.function
}

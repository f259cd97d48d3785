//! Calls: the overloads that fit.

#[cfg(all(test, feature = "eval"))]
mod same_types;

use super::{Checker, MAX_OPERANDS};
use crate::compile_time::basic;
use crate::compile_time::code::flag;
use crate::compile_time::origin::Origin;
use crate::compile_time::types::Type;
use crate::library::row::Sig;
use crate::library::table::OVERLOADS;

/// The bytes of a run of overloads in a program.
pub(super) const RUN: usize = 3;

/// The operands of a call, the receiver first.
struct Operands {
    count: usize,
    types: [Type; MAX_OPERANDS],
    origins: [Origin; MAX_OPERANDS],
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
        let at = self.word();
        let flags = self.byte();
        let function = self.word();
        let runs = self.byte() as usize;
        let overloads = self.at;
        self.at += RUN * runs;
        let mut operands = Operands {
            count: self.byte() as usize,
            types: [Type::Basic(basic::UNKNOWN); MAX_OPERANDS],
            origins: [Origin::COMPUTED; MAX_OPERANDS],
            unknown: false,
        };
        let mut i = 0;
        while i < operands.count {
            let origin = self.origin();
            let operand = self.operand();
            if i < MAX_OPERANDS {
                operands.types[i] = operand;
                operands.origins[i] = origin;
                operands.unknown = operands.unknown || self.types.has_unknown(operand);
            }
            i += 1;
        }
        let resolved = self.resolve(overloads, runs, &operands);
        if resolved.matches == 0 {
            self.report_no_overload(function, at, flags, &operands);
        } else if resolved.since > 0 {
            self.need(at, resolved.since, OVERLOADS[function as usize].row.function);
        }
        self.compare_operands(flags, &operands.origins);
        let is_element = flags & flag::INDEX != 0 && resolved.matches == 1 && !operands.unknown;
        let origin = if is_element {
            operands.origins[0].elements(&mut self.types)
        } else {
            Origin::COMPUTED
        };
        self.make(resolved.result, origin);
    }

    /// Tries the overloads that a program names from an offset on. Each that fits narrows the types
    /// of the operands for the next.
    const fn resolve(&mut self, at: usize, runs: usize, operands: &Operands) -> Resolved {
        let result = Type::Basic(basic::UNKNOWN);
        let mut resolved = Resolved { matches: 0, result, since: u32::MAX };
        let end = at + RUN * runs;
        let mut at = at;
        while at < end {
            let mut number = self.number_at(at) as usize;
            let last = number + self.code[at + 2] as usize;
            at += RUN;
            while number < last {
                let overload = &OVERLOADS[number];
                let signature = &overload.row.signature;
                number += 1;
                self.types.fuel.spent += 10;
                if operands.count > 0 && is_certainly_other(operands.types[0], &signature.params[0])
                {
                    continue;
                }
                if overload.presence.is_only_in_patches() {
                    continue;
                }
                let (vars, nodes) = (self.types.var_count, self.types.node_count);
                let first = self.types.fresh(signature.vars);
                let mut fits = true;
                let mut i = 0;
                while fits && i < operands.count {
                    fits = self.types.accepts(operands.types[i], &signature.params[i], first);
                    i += 1;
                }
                if !self.types.end_assignment(fits) {
                    self.types.var_count = vars;
                    self.types.node_count = nodes;
                    continue;
                }
                if operands.unknown {
                    self.leave_open(first, signature.vars);
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
                let since = overload.presence.first_minor();
                resolved.since = if since < resolved.since { since } else { resolved.since };
            }
        }
        resolved
    }

    /// Makes the free type variables of an overload unknown, because an operand of unknown type could have bound them.
    const fn leave_open(&mut self, first: u16, count: u16) {
        let mut i = 0;
        while i < count {
            if self.types.is_free(first + i) {
                self.types.set(first + i, Type::Basic(basic::UNKNOWN));
            }
            i += 1;
        }
        self.types.end_assignment(true);
    }

    const fn report_no_overload(&mut self, function: u16, at: u16, flags: u8, operands: &Operands) {
        if !self.issues.begin(at) {
            return;
        }
        self.write("found no matching overload for '");
        self.write(OVERLOADS[function as usize].row.function);
        self.write("' applied to '");
        let mut i = 0;
        if flags & flag::MEMBER != 0 {
            self.write_type(operands.types[0]);
            self.write(".");
            i = 1;
        }
        self.write("(");
        let from = i;
        while i < operands.count && i < MAX_OPERANDS {
            if i > from {
                self.write(", ");
            }
            self.write_type(operands.types[i]);
            i += 1;
        }
        self.write(")'");
    }
}

/// Whether an argument cannot fit a parameter, judged only by its outermost type: for a list, without its elements.
const fn is_certainly_other(ty: Type, sig: &Sig) -> bool {
    match (ty, sig) {
        (Type::Basic(a), Sig::Basic(b)) => a != *b && a > basic::NULL && *b > basic::NULL,
        (Type::Basic(a), Sig::List(_) | Sig::Map(..) | Sig::Optional(_)) => a > basic::NULL,
        (Type::List(_) | Type::Map(..) | Type::Optional(_), Sig::Basic(b)) => *b > basic::NULL,
        _ => false,
    }
}

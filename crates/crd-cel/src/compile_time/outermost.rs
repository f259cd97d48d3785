//! The outermost types of operands and parameters, by which most overloads of an operator are skipped.

use super::basic;
use super::types::Type;
use crate::library::row::Sig;
use crate::library::table::{COUNT, OVERLOADS};

/// For each overload, the bits of the outermost types that its first parameter may accept. If the bit of an operand is
/// not among them, the overload does not fit.
pub(super) static ACCEPTED: [u32; COUNT] = {
    let mut accepted = [ALL; COUNT];
    let mut i = 0;
    while i < COUNT {
        if let [parameter, ..] = OVERLOADS[i].row.signature.params {
            accepted[i] = accepted_by(parameter);
        }
        i += 1;
    }
    accepted
};

const ALL: u32 = u32::MAX;
/// The bit of what may fit several types.
const ANY: u32 = 1 << basic::UNKNOWN;
/// The bit of lists, maps and optionals, which are not told apart.
const WITH_PARTS: u32 = 1 << 31;

/// The bits of the outermost types that a parameter may accept.
pub(super) const fn accepted_by(parameter: &Sig) -> u32 {
    match parameter {
        Sig::Basic(code) if *code > basic::NULL => ANY | 1 << *code,
        Sig::List(_) | Sig::Map(..) | Sig::Optional(_) => ANY | WITH_PARTS,
        Sig::Basic(_) | Sig::Var(_) | Sig::TypeOf(_) => ALL,
    }
}

/// The bit of the outermost type of an operand.
pub(super) const fn outermost(ty: Type) -> u32 {
    match ty {
        Type::Basic(code) if code > basic::NULL => 1 << (code & 31),
        Type::List(_) | Type::Map(..) | Type::Optional(_) => WITH_PARTS,
        _ => ANY,
    }
}

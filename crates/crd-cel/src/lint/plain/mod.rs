//! A plain rule about a scalar as postfix code. The derive macro of a type compiles its rules to such
//! code, and rustc runs the code on literals of other types, such as defaults for fields of the type.
//!
//! Plain rules are those that [`holds_for`](super::holds_for) evaluates, with the same result.
//! Numbers are little endian.

mod run;
mod write;

pub use run::{Scalar, rule_holds};
pub use write::rule_program;

/// The longest program, in bytes.
const MAX_BYTES: usize = 2048;
/// The most values on the stack.
const MAX_HEIGHT: usize = 24;

/// The codes of the operations; comments list the operands that follow a code. Each operation pops its
/// arguments from the stack and pushes one value.
mod op {
    /// Pushes an unknown value, for a part of the rule that is not plain.
    pub(super) const UNKNOWN: u8 = 0;
    /// The value of `self`.
    pub(super) const VALUE: u8 = 1;
    /// The bool (8 bits).
    pub(super) const BOOL: u8 = 2;
    /// The integer (64 bits).
    pub(super) const INT: u8 = 3;
    /// The bits of the double (64 bits).
    pub(super) const DOUBLE: u8 = 4;
    /// The length (16 bits), the text.
    pub(super) const TEXT: u8 = 5;
    pub(super) const NOT: u8 = 6;
    pub(super) const AND: u8 = 7;
    pub(super) const OR: u8 = 8;
    pub(super) const CONDITIONAL: u8 = 9;
    pub(super) const SIZE: u8 = 10;
    pub(super) const STARTS_WITH: u8 = 11;
    pub(super) const ENDS_WITH: u8 = 12;
    pub(super) const CONTAINS: u8 = 13;
    /// The length (16 bits), the program of the pattern.
    pub(super) const MATCHES: u8 = 14;
    /// The number of elements (8 bits). The item is pushed first, and then the elements.
    pub(super) const IN: u8 = 15;
    /// The first of the operators between two values, in the order of [`BINARY`](super::BINARY).
    pub(super) const BINARY: u8 = 16;
}

/// Operators between two values, as the syntax tree names them.
const BINARY: [&str; 11] =
    ["_==_", "_!=_", "_<_", "_<=_", "_>_", "_>=_", "_+_", "_-_", "_*_", "_/_", "_%_"];

#[cfg(all(test, feature = "eval"))]
mod tests {
    use super::super::holds_for;
    use super::*;
    use crate::syntax::{self, Literal};

    /// rustc and the macro get the same results.
    #[test]
    fn agrees_with_the_evaluation_of_the_macro() {
        let rules = [
            "self > 5",
            "self in [1, 2, 3]",
            "self in ['web-0', 'x']",
            "self * 2 - 1 == 5 && self / 2 == 1",
            "self == 3 ? self < 2 : true",
            "!(self >= 3) || self != 3",
            "self > 5 && self.unknown()",
            "self.unknown() || self <= 5",
            "self / 0 == 1 || self % 2 == 1",
            "self + 9223372036854775807 > 0",
            "self > 1.5",
            "[self].all(x, x > 5)",
            "self >= oldSelf",
            "self.startsWith('x')",
            "self.startsWith('')",
            "self.endsWith('-0') && self.contains('eb') && size(self) == self.size()",
            "self.contains('web-00')",
            "self.matches('^[a-z]+$')",
            r"self.matches(r'^\p{L}')",
            "self < 'a'",
            "self > 'web'",
            "self.lowerAscii() == self",
            "self",
            "!self",
            "self == false || self",
            "self >= 0.5",
            "self >= 0.5 == true",
        ];
        let texts = ["web-0", "", "xyz", "é"];
        let values = [3, 6, -3, i64::MAX].map(Literal::Int).into_iter();
        let values = values.chain([true, false].map(Literal::Bool));
        let values = values.chain([0.25, 2.0].map(Literal::Double));
        let values = values.chain(texts.map(|text| Literal::String(text.into())));
        let mut known = 0;
        for value in values {
            let scalar = match &value {
                Literal::Int(int) => Scalar::Int(*int),
                Literal::Bool(bool) => Scalar::Bool(*bool),
                Literal::Double(double) => Scalar::Double(*double),
                Literal::String(text) => Scalar::Text(text),
                _ => Scalar::Unknown,
            };
            for rule in rules {
                let ast = syntax::parse(rule).expect(rule);
                let got = rule_program(&ast).and_then(|program| rule_holds(&program, scalar));
                assert_eq!(got, holds_for(&ast, &value), "{rule} of {value:?}");
                known += usize::from(got.is_some());
            }
        }
        assert!(known > 70, "{known}");
    }

    #[test]
    fn rules_that_are_large_or_not_plain_are_not_written() {
        let written = |rule: &str| rule_program(&syntax::parse(rule).expect(rule)).is_some();
        assert!(written("self > 5 || self.unknown()"));
        assert!(!written("self.unknown()"));
        assert!(!written(&format!("self == '{}'", "a".repeat(3000))));
        assert!(!written(&format!("self in [{}]", "1, ".repeat(30) + "1")));
        assert_eq!(rule_holds(&[], Scalar::Int(1)), None);
        assert_eq!(rule_holds(&[op::AND], Scalar::Int(1)), None);
    }
}

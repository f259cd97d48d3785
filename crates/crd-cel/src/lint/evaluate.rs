//! Evaluates simple rules for a literal value, such as a default, which the server checks against the
//! rules of its field.

use crate::re2;
use crate::syntax::{Ast, Expr, ExprKind, Literal};

/// Whether a rule about a scalar holds for a value. `None` if the rule has more than comparisons,
/// arithmetic on integers, and a few functions of strings.
///
/// ```
/// use crd_cel::lint::holds_for;
/// use crd_cel::syntax::{self, Literal};
///
/// let rule = syntax::parse("self > 5 && self % 2 == 0")?;
/// assert_eq!(holds_for(&rule, &Literal::Int(6)), Some(true));
/// assert_eq!(holds_for(&rule, &Literal::Int(7)), Some(false));
/// # Ok::<(), syntax::Issues>(())
/// ```
pub fn holds_for(rule: &Ast, value: &Literal) -> Option<bool> {
    holds(&rule.root, Assumed::Value(value))
}

/// Whether an expression is true if each field that it reads with `.?` is absent. `None` as in [`holds_for`], and if it
/// reads other fields.
pub(super) fn holds_without_fields(expr: &Expr) -> Option<bool> {
    holds(expr, Assumed::Absence)
}

fn holds(expr: &Expr, assumed: Assumed<'_>) -> Option<bool> {
    match evaluate(expr, assumed)? {
        Literal::Bool(holds) => Some(holds),
        _ => None,
    }
}

/// What is known while an expression is evaluated.
#[derive(Clone, Copy)]
enum Assumed<'a> {
    /// The value of `self`.
    Value(&'a Literal),
    /// The fields that are read with `.?` are absent.
    Absence,
}

/// Recursion is bounded by the parser.
fn evaluate(expr: &Expr, value: Assumed<'_>) -> Option<Literal> {
    match (&expr.kind, value) {
        (ExprKind::Ident(name), Assumed::Value(value)) if &**name == "self" => {
            return Some(value.clone());
        }
        (ExprKind::Call { target: Some(target), function, args }, Assumed::Absence)
            if is_optional_read(target) =>
        {
            return match (&**function, args.as_slice()) {
                ("orValue", [default]) => evaluate(default, value),
                ("hasValue", []) => Some(Literal::Bool(false)),
                _ => None,
            };
        }
        _ => {}
    }
    match &expr.kind {
        ExprKind::Literal(literal) => Some(literal.clone()),
        ExprKind::Call { target: None, function, args } => evaluate_function(function, args, value),
        ExprKind::Call { target: Some(target), function, args } => {
            let Literal::String(text) = evaluate(target, value)? else { return None };
            if let ("size", []) = (&**function, args.as_slice()) {
                return size(&text);
            }
            let [arg] = args.as_slice() else { return None };
            let Literal::String(arg) = evaluate(arg, value)? else { return None };
            Some(Literal::Bool(match &**function {
                "startsWith" => text.starts_with(&*arg),
                "endsWith" => text.ends_with(&*arg),
                "contains" => text.contains(&*arg),
                "matches" => re2::matches_literal(&arg, &text)?,
                _ => return None,
            }))
        }
        _ => None,
    }
}

fn size(text: &str) -> Option<Literal> {
    i64::try_from(text.chars().count()).ok().map(Literal::Int)
}

/// Whether an expression is `operand.?field`.
pub(super) fn is_optional_read(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Call { target: None, function, .. } if &**function == "_?._")
}

fn evaluate_function(function: &str, args: &[Expr], value: Assumed<'_>) -> Option<Literal> {
    let bool_of = |expr: &Expr| match evaluate(expr, value)? {
        Literal::Bool(holds) => Some(holds),
        _ => None,
    };
    Some(match (function, args) {
        // One operand may decide the result, even if the other one is not known.
        ("_&&_", [a, b]) => match (bool_of(a), bool_of(b)) {
            (Some(false), _) | (_, Some(false)) => Literal::Bool(false),
            (a, b) => Literal::Bool(a? && b?),
        },
        ("_||_", [a, b]) => match (bool_of(a), bool_of(b)) {
            (Some(true), _) | (_, Some(true)) => Literal::Bool(true),
            (a, b) => Literal::Bool(a? || b?),
        },
        ("!_", [a]) => Literal::Bool(!bool_of(a)?),
        ("_?_:_", [condition, yes, no]) => {
            return evaluate(if bool_of(condition)? { yes } else { no }, value);
        }
        ("size", [text]) => match evaluate(text, value)? {
            Literal::String(text) => return size(&text),
            _ => return None,
        },
        ("@in", [item, Expr { kind: ExprKind::List { elements, optional }, .. }])
            if optional.is_empty() =>
        {
            let item = evaluate(item, value)?;
            let mut found = false;
            for element in elements {
                found |= compare(&item, &evaluate(element, value)?)?.is_eq();
            }
            Literal::Bool(found)
        }
        (operator, [a, b]) => {
            return binary(operator, &evaluate(a, value)?, &evaluate(b, value)?);
        }
        _ => return None,
    })
}

fn binary(operator: &str, a: &Literal, b: &Literal) -> Option<Literal> {
    if let (Literal::Int(a), Literal::Int(b)) = (a, b) {
        let number = match operator {
            "_+_" => a.checked_add(*b),
            "_-_" => a.checked_sub(*b),
            "_*_" => a.checked_mul(*b),
            "_/_" => a.checked_div(*b),
            "_%_" => a.checked_rem(*b),
            _ => None,
        };
        if let Some(number) = number {
            return Some(Literal::Int(number));
        }
    }
    let order = compare(a, b)?;
    Some(Literal::Bool(match operator {
        "_==_" => order.is_eq(),
        "_!=_" => order.is_ne(),
        "_<_" => order.is_lt(),
        "_<=_" => order.is_le(),
        "_>_" => order.is_gt(),
        "_>=_" => order.is_ge(),
        _ => return None,
    }))
}

/// Compares values of one type; the type checker rejects most other pairs.
fn compare(a: &Literal, b: &Literal) -> Option<std::cmp::Ordering> {
    match (a, b) {
        (Literal::Bool(a), Literal::Bool(b)) => Some(a.cmp(b)),
        (Literal::Int(a), Literal::Int(b)) => Some(a.cmp(b)),
        (Literal::Double(a), Literal::Double(b)) => a.partial_cmp(b),
        (Literal::String(a), Literal::String(b)) => Some(a.cmp(b)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax;

    #[track_caller]
    fn check(rule: &str, value: &Literal, want: Option<bool>) {
        assert_eq!(holds_for(&syntax::parse(rule).expect(rule), value), want, "{rule}");
    }

    #[test]
    fn rules_about_scalars() {
        let (three, text) = (Literal::Int(3), Literal::String("web-0".into()));
        for (rule, want) in [
            ("self > 5", Some(false)),
            ("self in [1, 2, 3]", Some(true)),
            ("self * 2 - 1 == 5 && self / 2 == 1", Some(true)),
            ("self == 3 ? self < 2 : true", Some(false)),
            ("!(self >= 3) || self != 3", Some(false)),
            ("self > 5 && self.unknown()", Some(false)),
            ("self / 0 == 1", None),
            ("self + 9223372036854775807 > 0", None),
            ("self > 1.5", None),
            ("[self].all(x, x > 5)", None),
            ("self >= oldSelf", None),
        ] {
            check(rule, &three, want);
        }
        for (rule, want) in [
            ("self.startsWith('x')", Some(false)),
            ("self.endsWith('-0') && self.contains('eb') && size(self) == self.size()", Some(true)),
            ("self.matches('^[a-z]+$')", Some(false)),
            ("self < 'a'", Some(false)),
            ("self.lowerAscii() == self", None),
        ] {
            check(rule, &text, want);
        }
        check("self", &Literal::Bool(false), Some(false));
        check("self >= 0.5", &Literal::Double(0.25), Some(false));
    }
}

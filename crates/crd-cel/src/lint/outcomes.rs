//! The possible results of a rule for an object without some field, or with a `null` in a list.

use std::sync::Arc;

use crate::syntax::{Comprehension, Expr, ExprKind, Literal};

/// Sets of possible results of an evaluation, one bit each.
pub(super) type Outcomes = u8;
pub(super) const TRUE: Outcomes = 1;
const FALSE: Outcomes = 1 << 1;
/// A value that is not a bool.
const VALUE: Outcomes = 1 << 2;
pub(super) const FAILS: Outcomes = 1 << 3;
const ANY: Outcomes = TRUE | FALSE | VALUE | FAILS;

/// An assumption about the object that a rule is about.
#[derive(Debug, Clone, Copy)]
pub(super) enum Assumption<'a> {
    /// The field at this path from `self` is absent.
    Absent(&'a [&'a str]),
    /// The list at this path from `self` has a `null` among its elements.
    NullAmong(&'a [&'a str]),
}

/// The variables in scope.
#[derive(Clone, Default)]
struct Scope {
    /// Whether a variable of a macro is called `self`.
    hides_self: bool,
    /// Variables that are `null`.
    nulls: Vec<Arc<str>>,
}

/// Functions that fail if any operand is `null`.
const FAIL_ON_NULL: [&str; 11] =
    ["_<_", "_<=_", "_>_", "_>=_", "_+_", "_-_", "_*_", "_/_", "_%_", "-_", "!_"];

/// The possible results of a rule.
pub(super) fn outcomes(rule: &Expr, assumption: Assumption<'_>) -> Outcomes {
    Evaluator { assumption }.outcomes(rule, &Scope::default())
}

/// Whether a rule cannot be true under an assumption, and can fail.
pub(super) fn rejects(rule: &Expr, assumption: Assumption<'_>) -> bool {
    let outcomes = outcomes(rule, assumption);
    outcomes & TRUE == 0 && outcomes & FAILS != 0
}

/// The field names of a chain of selections that starts at `self`, such as `self.a.b`; `None` for other expressions.
pub(super) fn path(expr: &Expr) -> Option<Vec<&str>> {
    match &expr.kind {
        ExprKind::Select { operand, field, test_only: false } => {
            let mut path = path_or_self(operand)?;
            path.push(&**field);
            Some(path)
        }
        _ => None,
    }
}

/// As [`path`], but empty for `self` itself.
pub(super) fn path_or_self(expr: &Expr) -> Option<Vec<&str>> {
    match &expr.kind {
        ExprKind::Ident(name) if matches!(&**name, "self" | ".self") => Some(Vec::new()),
        _ => path(expr),
    }
}

/// Evaluates a rule under an assumption. The parser limits the depth of the recursion.
struct Evaluator<'a> {
    assumption: Assumption<'a>,
}

impl Evaluator<'_> {
    fn outcomes(&self, expr: &Expr, scope: &Scope) -> Outcomes {
        match &expr.kind {
            ExprKind::Literal(Literal::Bool(true)) => TRUE,
            ExprKind::Literal(Literal::Bool(false)) => FALSE,
            ExprKind::Literal(_) => VALUE,
            ExprKind::Ident(_) if is_null(expr, scope) => VALUE,
            ExprKind::Ident(_) => TRUE | FALSE | VALUE,
            ExprKind::Select { operand, field, test_only } => {
                self.select(operand, field, *test_only, scope)
            }
            ExprKind::Call { target, function, args } => {
                self.call(target.as_deref(), function, args, scope)
            }
            ExprKind::List { elements, .. } => self.strict(elements.iter(), scope),
            ExprKind::Map(entries) => {
                self.strict(entries.iter().flat_map(|entry| [&entry.key, &entry.value]), scope)
            }
            ExprKind::Struct { fields, .. } => self.strict(fields.iter().map(|f| &f.value), scope),
            ExprKind::Comprehension(comprehension) => self.comprehension(comprehension, scope),
        }
    }

    fn select(&self, operand: &Expr, field: &str, test_only: bool, scope: &Scope) -> Outcomes {
        let of_operand = self.outcomes(operand, scope);
        if of_operand == FAILS || is_null(operand, scope) {
            return FAILS;
        }
        let is_absent = match self.assumption {
            Assumption::Absent(path) if !scope.hides_self => path_or_self(operand)
                .is_some_and(|parent| path.split_last() == Some((&field, &parent))),
            _ => false,
        };
        match (is_absent, test_only) {
            (true, true) => FALSE,
            (true, false) => FAILS,
            (false, true) => TRUE | FALSE | (of_operand & FAILS),
            (false, false) => ANY,
        }
    }

    fn call(
        &self,
        target: Option<&Expr>,
        function: &str,
        args: &[Expr],
        scope: &Scope,
    ) -> Outcomes {
        let of = |expr| self.outcomes(expr, scope);
        match (function, args) {
            ("_&&_", [a, b]) => junction(of(a), of(b), FALSE, TRUE),
            ("_||_", [a, b]) => junction(of(a), of(b), TRUE, FALSE),
            ("!_", [a]) => negated(of(a)),
            ("_?_:_", [condition, yes, no]) => {
                let condition = of(condition);
                let mut all = condition & FAILS;
                if condition & !FALSE & !FAILS != 0 {
                    all |= of(yes);
                }
                if condition & !TRUE & !FAILS != 0 {
                    all |= of(no);
                }
                all
            }
            // `.?` and `[?]` return an empty optional for an absent field; `@not_strictly_false`
            // returns true for an error.
            ("_?._" | "_[?_]" | "@not_strictly_false", _) => ANY,
            _ if target.is_some_and(|target| is_null(target, scope)) => FAILS,
            _ if FAIL_ON_NULL.contains(&function) && args.iter().any(|arg| is_null(arg, scope)) => {
                FAILS
            }
            _ => self.strict(target.into_iter().chain(args), scope),
        }
    }

    /// The outcomes of a call that fails if an operand does.
    fn strict<'e>(&self, operands: impl Iterator<Item = &'e Expr>, scope: &Scope) -> Outcomes {
        let mut fails = false;
        for operand in operands {
            fails |= self.outcomes(operand, scope) == FAILS;
        }
        if fails { FAILS } else { ANY }
    }

    fn comprehension(&self, c: &Comprehension, scope: &Scope) -> Outcomes {
        if self.outcomes(&c.range, scope) == FAILS {
            return FAILS;
        }
        // The list may be empty, and then the body of the macro is not evaluated.
        let Assumption::NullAmong(path) = self.assumption else { return ANY };
        let (false, Some(body)) = (scope.hides_self, body_of_all(c)) else { return ANY };
        if path_or_self(&c.range).as_deref() != Some(path) {
            return ANY;
        }
        let mut inside = scope.clone();
        let (element, index) = match &c.iter_var2 {
            Some(element) => (element, Some(&c.iter_var)),
            None => (&c.iter_var, None),
        };
        inside.hides_self =
            [Some(element), index].into_iter().flatten().any(|name| &**name == "self");
        inside.nulls.retain(|name| Some(name) != index);
        inside.nulls.push(Arc::clone(element));
        let of_body = self.outcomes(body, &inside);
        // `all` may still be false, because the predicate may be false for another element.
        if of_body & TRUE == 0 { FALSE | (of_body & FAILS) } else { ANY }
    }
}

/// The predicate of `all`.
fn body_of_all(c: &Comprehension) -> Option<&Expr> {
    let ExprKind::Literal(Literal::Bool(true)) = c.init.kind else { return None };
    match &c.step.kind {
        ExprKind::Call { target: None, function, args } if &**function == "_&&_" => args.get(1),
        _ => None,
    }
}

fn is_null(expr: &Expr, scope: &Scope) -> bool {
    matches!(&expr.kind, ExprKind::Ident(name) if scope.nulls.contains(name))
}

/// The outcomes of `&&` and `||`. If either side is `decides`, so is the result, even if the other
/// side fails.
fn junction(a: Outcomes, b: Outcomes, decides: Outcomes, other: Outcomes) -> Outcomes {
    let mut all = (a | b) & decides;
    // A side that is not a bool fails.
    let leaves_open = |side: Outcomes| side & !decides != 0;
    if leaves_open(a) && leaves_open(b) {
        let fails = |side: Outcomes| side & (FAILS | VALUE) != 0;
        if fails(a) || fails(b) {
            all |= FAILS;
        }
        if a & other != 0 && b & other != 0 {
            all |= other;
        }
    }
    all
}

fn negated(of: Outcomes) -> Outcomes {
    let mut all = of & FAILS;
    if of & TRUE != 0 {
        all |= FALSE;
    }
    if of & FALSE != 0 {
        all |= TRUE;
    }
    if of & VALUE != 0 {
        all |= FAILS;
    }
    all
}

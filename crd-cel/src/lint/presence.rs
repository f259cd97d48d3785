//! Rules that refuse every object without an optional field.
//!
//! `self.replicas > 0` fails where `replicas` is absent, and a rule that fails refuses the object. So the field is
//! required after all, with an error that does not say so.

use crate::syntax::{Comprehension, Expr, ExprId, ExprKind, Literal};

/// A field that an expression cannot do without.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Required {
    /// Where it is read first.
    pub at: ExprId,
    /// The names of the fields on the way from `self`, as the expression writes them.
    pub path: Vec<String>,
}

/// The optional fields without which a rule never holds, because reading them fails.
///
/// `is_optional` is asked for the fields on a way from `self`, the last of which may be absent. Of fields that the
/// rule asks for with `has()`, that are read with `?.`, or in a branch that need not be taken, nothing is said.
///
/// ```
/// use crd_cel::{lint, syntax};
///
/// let optional = |path: &[&str]| path == ["replicas"];
/// let rule = syntax::parse("self.replicas > 0")?;
/// assert_eq!(lint::requires(&rule.root, &optional)[0].path, ["replicas"]);
/// let rule = syntax::parse("!has(self.replicas) || self.replicas > 0")?;
/// assert!(lint::requires(&rule.root, &optional).is_empty());
/// # Ok::<(), syntax::Issues>(())
/// ```
pub fn requires(rule: &Expr, is_optional: &dyn Fn(&[&str]) -> bool) -> Vec<Required> {
    let mut read = Vec::new();
    super::visit(rule, &mut |expr| {
        let Some(path) = path(expr) else { return };
        if !read.iter().any(|(_, known)| *known == path) && is_optional(&path) {
            read.push((expr.id, path));
        }
    });
    read.retain(|(_, path)| {
        let without = Without { path, hidden: 0 };
        let outcomes = without.outcomes(rule);
        outcomes & TRUE == 0 && outcomes & FAILS != 0
    });
    let owned = |(at, path): (ExprId, Vec<&str>)| Required {
        at,
        path: path.into_iter().map(str::to_owned).collect(),
    };
    read.into_iter().map(owned).collect()
}

/// The fields on the way from `self`, where an expression reads such a way.
fn path(expr: &Expr) -> Option<Vec<&str>> {
    match &expr.kind {
        ExprKind::Select { operand, field, test_only: false } => {
            let mut path = match &operand.kind {
                ExprKind::Ident(name) if matches!(&**name, "self" | ".self") => Vec::new(),
                _ => path(operand)?,
            };
            path.push(&**field);
            Some(path)
        }
        _ => None,
    }
}

/// Sets of what can come of an evaluation: a bit each.
type Outcomes = u8;
const TRUE: Outcomes = 1;
const FALSE: Outcomes = 1 << 1;
/// A value that is no bool.
const VALUE: Outcomes = 1 << 2;
const FAILS: Outcomes = 1 << 3;
const ANY: Outcomes = TRUE | FALSE | VALUE | FAILS;

/// What comes of expressions where a field is absent.
struct Without<'a> {
    path: &'a [&'a str],
    /// How many variables around are called `self`.
    hidden: u32,
}

impl Without<'_> {
    fn outcomes(&self, expr: &Expr) -> Outcomes {
        match &expr.kind {
            ExprKind::Literal(Literal::Bool(true)) => TRUE,
            ExprKind::Literal(Literal::Bool(false)) => FALSE,
            ExprKind::Literal(_) => VALUE,
            ExprKind::Ident(_) => TRUE | FALSE | VALUE,
            ExprKind::Select { operand, field, test_only } => {
                self.select(operand, field, *test_only)
            }
            ExprKind::Call { target, function, args } => {
                self.call(target.as_deref(), function, args)
            }
            ExprKind::List { elements, .. } => self.strict(elements.iter()),
            ExprKind::Map(entries) => {
                self.strict(entries.iter().flat_map(|entry| [&entry.key, &entry.value]))
            }
            ExprKind::Struct { fields, .. } => self.strict(fields.iter().map(|f| &f.value)),
            ExprKind::Comprehension(comprehension) => self.comprehension(comprehension),
        }
    }

    fn select(&self, operand: &Expr, field: &str, test_only: bool) -> Outcomes {
        let of_operand = self.outcomes(operand);
        if of_operand == FAILS {
            return FAILS;
        }
        let parent = match &operand.kind {
            ExprKind::Ident(name) if matches!(&**name, "self" | ".self") => Some(Vec::new()),
            _ => path(operand),
        };
        let is_it = self.hidden == 0
            && parent
                .is_some_and(|parent| self.path.split_last() == Some((&field, parent.as_slice())));
        match (is_it, test_only) {
            (true, true) => FALSE,
            (true, false) => FAILS,
            (false, true) => TRUE | FALSE | (of_operand & FAILS),
            (false, false) => ANY,
        }
    }

    fn call(&self, target: Option<&Expr>, function: &str, args: &[Expr]) -> Outcomes {
        match (function, args) {
            ("_&&_", [a, b]) => junction(self.outcomes(a), self.outcomes(b), FALSE, TRUE),
            ("_||_", [a, b]) => junction(self.outcomes(a), self.outcomes(b), TRUE, FALSE),
            ("!_", [a]) => negated(self.outcomes(a)),
            ("_?_:_", [condition, yes, no]) => {
                let condition = self.outcomes(condition);
                let mut all = condition & FAILS;
                if condition & !FALSE & !FAILS != 0 {
                    all |= self.outcomes(yes);
                }
                if condition & !TRUE & !FAILS != 0 {
                    all |= self.outcomes(no);
                }
                all
            }
            // They take an absent field for an optional without a value, and a failure for `true`.
            ("_?._" | "_[?_]" | "@not_strictly_false", _) => ANY,
            _ => self.strict(target.into_iter().chain(args)),
        }
    }

    /// A call that fails where one of its operands does.
    fn strict<'e>(&self, operands: impl Iterator<Item = &'e Expr>) -> Outcomes {
        let mut fails = false;
        for operand in operands {
            fails |= self.outcomes(operand) == FAILS;
        }
        if fails { FAILS } else { ANY }
    }

    /// The body of a macro may run for no element at all.
    fn comprehension(&self, c: &Comprehension) -> Outcomes {
        if self.outcomes(&c.range) == FAILS { FAILS } else { ANY }
    }
}

/// `&&` and `||`: one value of either side decides, whatever the other does.
fn junction(a: Outcomes, b: Outcomes, decides: Outcomes, other: Outcomes) -> Outcomes {
    let mut all = (a | b) & decides;
    // What is no bool fails.
    let goes_on = |side: Outcomes| side & !decides != 0;
    if goes_on(a) && goes_on(b) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax;

    /// `o`, `p` and `p.q` are optional; `want` is the paths that are required, joined by `,`.
    #[track_caller]
    fn check(rule: &str, want: &str) {
        let ast = syntax::parse(rule).expect(rule);
        let optional = |path: &[&str]| matches!(path, ["o" | "p"] | ["p", "q"]);
        let got: Vec<_> =
            requires(&ast.root, &optional).iter().map(|found| found.path.join(".")).collect();
        assert_eq!(got.join(","), want, "{rule}");
    }

    #[test]
    fn what_fails_without() {
        check("self.o > 1", "o");
        check("self.a > 1 && self.o > 1", "o");
        check("!(self.o > 1)", "o");
        check("self.o.all(x, x > 1)", "o");
        check("self.o > 1 || self.o < 0", "o");
        check("self.a == 1 ? self.o > 1 : self.o > 2", "o");
        check("self.o > 1 ? true : false", "o");
        check("self.p.q > 1", "p,p.q");
        check("has(self.p.q)", "p");
        check("has(self.p) && self.p.q > 1", "p.q");
        check("self.p.a == self.a", "p");
        check("size(self.o) > 1 && [self.a].all(x, x > 1)", "o");
        check("self.o in ['a', 'b']", "o");
        check("has(self.b) == (self.o == 'a')", "o");
        check("self.o == oldSelf.o", "o");
        check("{'a': self.o}.size() == 1", "o");
    }

    #[test]
    fn what_holds_without() {
        for rule in [
            "has(self.o)",
            "has(self.o) && self.o > 1",
            "!has(self.o) || self.o > 1",
            "has(self.o) ? self.o > 1 : true",
            "self.a == 1 || self.o > 1",
            "self.a == 1 ? self.o > 1 : true",
            "self.?o.orValue(1) > 1",
            "self.?o == optional.none()",
            "self.l.all(x, self.o > x)",
            "self.a > 1",
            "self.p.o.b > 1 || true",
            "has(self.p) && has(self.p.q) && self.p.q > 1",
            "!has(self.p) || !has(self.p.q) || self.p.q > 1",
            "[1].all(self, self.o > 1)",
            "oldSelf.o > 1",
            "'o' in self",
            "self['o'] > 1",
        ] {
            check(rule, "");
        }
    }
}

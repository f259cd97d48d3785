//! Rules that reject every object without an optional field, or with a `null` in a list that admits it.
//!
//! `self.replicas > 0` fails if `replicas` is absent, and a rule that fails rejects the object. So the field is
//! required, and the error does not say so. `self.ports.all(port, port > 0)` also fails if a
//! port is `null`.

use super::outcomes::{Assumption, path, path_or_self, rejects};
use crate::syntax::{Expr, ExprId, ExprKind};

/// A field that a rule requires, or a list in which it admits no `null`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Required {
    /// The first part of the expression that reads it.
    pub at: ExprId,
    /// The names of the fields from `self` to it, as the expression writes them.
    pub path: Vec<String>,
}

/// The optional fields without which a rule never holds, because reading them fails.
///
/// `is_optional` is called with the names of the fields from `self` to one, and returns whether the last may be absent.
/// Fields that the rule tests with `has()`, reads with `?.`, or reads in a branch that need not be taken are left out.
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
    read.retain(|(_, path)| rejects(rule, Assumption::Absent(path)));
    read.into_iter().map(owned).collect()
}

/// The lists that a rule rejects if an element is `null`, because it fails for this element.
///
/// `admits_null` is called with the names of the fields from `self` to a list, and with no names for `self`.
///
/// ```
/// use crd_cel::{lint, syntax};
///
/// let nullable = |path: &[&str]| path == ["ports"];
/// let rule = syntax::parse("self.ports.all(port, port > 0)")?;
/// assert_eq!(lint::rejects_null(&rule.root, &nullable)[0].path, ["ports"]);
/// let rule = syntax::parse("self.ports.all(port, dyn(port) == null || port > 0)")?;
/// assert!(lint::rejects_null(&rule.root, &nullable).is_empty());
/// # Ok::<(), syntax::Issues>(())
/// ```
pub fn rejects_null(rule: &Expr, admits_null: &dyn Fn(&[&str]) -> bool) -> Vec<Required> {
    let mut read = Vec::new();
    super::visit(rule, &mut |expr| {
        let ExprKind::Comprehension(comprehension) = &expr.kind else { return };
        let Some(path) = path_or_self(&comprehension.range) else { return };
        if !read.iter().any(|(_, known)| *known == path) && admits_null(&path) {
            read.push((comprehension.range.id, path));
        }
    });
    read.retain(|(_, path)| rejects(rule, Assumption::NullAmong(path)));
    read.into_iter().map(owned).collect()
}

fn owned((at, path): (ExprId, Vec<&str>)) -> Required {
    Required { at, path: path.into_iter().map(str::to_owned).collect() }
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
    fn rules_that_fail_without_a_field() {
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
    fn rules_that_may_hold_without_a_field() {
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

    /// `l` admits `null`, and so does `self` as a list.
    #[track_caller]
    fn check_null(rule: &str, want: &[&str]) {
        let ast = syntax::parse(rule).expect(rule);
        let nullable = |path: &[&str]| matches!(path, [] | ["l"]);
        let got: Vec<_> =
            rejects_null(&ast.root, &nullable).iter().map(|found| found.path.join(".")).collect();
        assert_eq!(got, want, "{rule}");
    }

    #[test]
    fn nulls_that_are_rejected() {
        check_null("self.l.all(x, x > 0)", &["l"]);
        check_null("self.all(x, x > 0)", &[""]);
        check_null("self.a && self.l.all(i, x, i > 0 && x + 1 < 5)", &["l"]);
        check_null("self.l.all(x, x.startsWith('a'))", &["l"]);
        check_null("self.l.all(x, x.name == 'a')", &["l"]);
        check_null("self.l.all(x, has(x.name))", &["l"]);
        check_null("self.l.all(x, -x < 0 && !(x > 5))", &["l"]);
    }

    #[test]
    fn nulls_that_may_pass() {
        for rule in [
            "self.l.all(x, x == 1 || dyn(x) == null)",
            "self.l.all(x, dyn(x) == null || x > 0)",
            "self.l.exists(x, x > 0)",
            "self.a || self.l.all(x, x > 0)",
            "self.l.all(x, [1].all(x, x > 0))",
            "self.m.all(x, x > 0)",
            "self.l.all(x, x in [1, 2])",
            "self.l.filter(x, type(x) != null_type).all(x, x > 0)",
            "[1].all(self, self.l.all(x, x > 0))",
        ] {
            check_null(rule, &[]);
        }
    }
}

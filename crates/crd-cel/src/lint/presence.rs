//! Rules that reject every object with a `null` in a list that admits it: `self.ports.all(port, port > 0)` fails if a
//! port is `null`, and a rule that fails rejects the object.

use super::outcomes::{Assumption, path_or_self, rejects};
use crate::syntax::{Expr, ExprId, ExprKind};

/// A list in which a rule admits no `null`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct NullRejected {
    /// The first part of the expression that reads it.
    pub at: ExprId,
    /// The names of the fields from `self` to it, as the expression writes them.
    pub path: Vec<String>,
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
pub fn rejects_null(rule: &Expr, admits_null: &dyn Fn(&[&str]) -> bool) -> Vec<NullRejected> {
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

fn owned((at, path): (ExprId, Vec<&str>)) -> NullRejected {
    NullRejected { at, path: path.into_iter().map(str::to_owned).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax;

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

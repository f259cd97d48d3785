//! Reads of optional fields that nothing guards.
//!
//! `self.replicas > 0` fails if `replicas` is absent, and a rule that fails rejects the object.

use super::evaluate;
use super::outcomes::{Assumption, rejects};
use crate::syntax::{Comprehension, Expr, ExprId, ExprKind, Literal};

/// The step from a list to its elements, or from a map to its values, in [`Unguarded::path`].
pub const ELEMENT: &str = "[]";

/// A read of a field that fails if the field is absent.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unguarded {
    /// The first part of the expression that reads it.
    pub at: ExprId,
    /// The names of the fields from `self` to it, as the expression writes them, with [`ELEMENT`] for an element.
    pub path: Vec<String>,
    /// The value that has the field, as the expression writes it: `self.template`, or `m` for a variable of a macro.
    pub operand: String,
    /// Whether the rule never holds without the field. Otherwise it depends on other values of the object.
    pub always: bool,
}

/// The reads of optional fields that fail for some objects.
///
/// `is_optional` is called with the names of the fields from `self` to one, and returns whether the last may be absent.
/// A read is guarded if it is evaluated only where `has()` has found the field. `&&` and `||` guard both sides, because
/// the side that decides the result hides an error of the other.
///
/// ```
/// use crd_cel::{lint, syntax};
///
/// let optional = |path: &[&str]| matches!(path, ["replicas"] | ["ports", "[]", "name"]);
/// let rule = syntax::parse("self.ports.all(p, p.name != '')")?;
/// let found = lint::unguarded(&rule.root, &optional);
/// assert_eq!((found[0].operand.as_str(), found[0].always), ("p", false));
/// let rule = syntax::parse("!has(self.replicas) || self.replicas > 0")?;
/// assert!(lint::unguarded(&rule.root, &optional).is_empty());
/// # Ok::<(), syntax::Issues>(())
/// ```
pub fn unguarded(rule: &Expr, is_optional: &dyn Fn(&[&str]) -> bool) -> Vec<Unguarded> {
    let mut walk = Walk { is_optional, variables: Vec::new(), found: Vec::new() };
    walk.visit(rule, &[]);
    let mut found = walk.found;
    for read in &mut found {
        let path: Vec<_> = read.path.iter().map(String::as_str).collect();
        read.always = rejects(rule, Assumption::Absent(&path));
    }
    found
}

type Path<'a> = Vec<&'a str>;

struct Walk<'a, 'o> {
    is_optional: &'o dyn Fn(&[&str]) -> bool,
    /// The variables of macros, and what they stand for, if that is known.
    variables: Vec<(&'a str, Option<Path<'a>>)>,
    found: Vec<Unguarded>,
}

/// The paths that are present where an expression is true, and where it is false.
#[derive(Default)]
struct Facts<'a> {
    if_true: Vec<Path<'a>>,
    if_false: Vec<Path<'a>>,
}

/// The parser limits the depth of the recursion.
impl<'a> Walk<'a, '_> {
    fn visit(&mut self, expr: &'a Expr, present: &[Path<'a>]) {
        match &expr.kind {
            ExprKind::Literal(_) | ExprKind::Ident(_) => {}
            ExprKind::Select { operand, test_only, .. } => {
                if !test_only {
                    self.read(expr, operand, present);
                }
                self.visit(operand, present);
            }
            ExprKind::Call { target, function, args } => {
                self.call(target.as_deref(), function, args, present);
            }
            ExprKind::List { elements, .. } => {
                for part in elements {
                    self.visit(part, present);
                }
            }
            ExprKind::Map(entries) => {
                for entry in entries {
                    self.visit(&entry.key, present);
                    self.visit(&entry.value, present);
                }
            }
            ExprKind::Struct { fields, .. } => {
                for field in fields {
                    self.visit(&field.value, present);
                }
            }
            ExprKind::Comprehension(comprehension) => self.comprehension(comprehension, present),
        }
    }

    fn read(&mut self, expr: &'a Expr, operand: &'a Expr, present: &[Path<'a>]) {
        let Some(path) = self.path(expr) else { return };
        let is_known = |read: &Unguarded| read.path == path;
        if present.contains(&path) || self.found.iter().any(is_known) || !(self.is_optional)(&path)
        {
            return;
        }
        self.found.push(Unguarded {
            at: expr.id,
            path: path.into_iter().map(str::to_owned).collect(),
            operand: written(operand),
            always: false,
        });
    }

    fn call(
        &mut self,
        target: Option<&'a Expr>,
        function: &str,
        args: &'a [Expr],
        present: &[Path<'a>],
    ) {
        let and = |facts: Vec<Path<'a>>| [present, &facts].concat();
        match (function, args) {
            ("_&&_", [a, b]) => {
                self.visit(a, &and(self.facts(b).if_true));
                self.visit(b, &and(self.facts(a).if_true));
            }
            ("_||_", [a, b]) => {
                self.visit(a, &and(self.facts(b).if_false));
                self.visit(b, &and(self.facts(a).if_false));
            }
            ("_?_:_", [condition, yes, no]) => {
                let facts = self.facts(condition);
                self.visit(condition, present);
                self.visit(yes, &and(facts.if_true));
                self.visit(no, &and(facts.if_false));
            }
            _ => target.into_iter().chain(args).for_each(|part| self.visit(part, present)),
        }
    }

    fn comprehension(&mut self, c: &'a Comprehension, present: &[Path<'a>]) {
        self.visit(&c.range, present);
        self.visit(&c.init, present);
        let element = self.path(&c.range).map(|mut path| {
            path.push(ELEMENT);
            path
        });
        // What is known of an element is not known of the others.
        let is_of_element =
            |path: &Path<'a>| element.as_ref().is_some_and(|element| path.starts_with(element));
        let present: Vec<_> = present.iter().filter(|path| !is_of_element(path)).cloned().collect();
        let present = present.as_slice();
        let outside = self.variables.len();
        self.variables.push((&c.accu_var, None));
        match &c.iter_var2 {
            Some(value) => self.variables.extend([(&*c.iter_var, None), (&**value, element)]),
            None => self.variables.push((&c.iter_var, element)),
        }
        for part in [&c.condition, &c.step, &c.result] {
            self.visit(part, present);
        }
        self.variables.truncate(outside);
    }

    /// The path from `self` to a value.
    fn path(&self, expr: &'a Expr) -> Option<Path<'a>> {
        match &expr.kind {
            ExprKind::Ident(name) => {
                match self.variables.iter().rev().find(|(known, _)| *known == &**name) {
                    Some((_, path)) => path.clone(),
                    None => matches!(&**name, "self" | ".self").then(Vec::new),
                }
            }
            ExprKind::Select { operand, field, test_only: false } => {
                let mut path = self.path(operand)?;
                path.push(field);
                Some(path)
            }
            ExprKind::Call { target: None, function, args } if &**function == "_[_]" => {
                let mut path = self.path(args.first()?)?;
                path.push(ELEMENT);
                Some(path)
            }
            _ => None,
        }
    }

    fn facts(&self, expr: &'a Expr) -> Facts<'a> {
        match &expr.kind {
            ExprKind::Select { operand, field, test_only: true } => {
                let path = self.path(operand).map(|mut path| {
                    path.push(field);
                    path
                });
                Facts { if_true: path.into_iter().collect(), if_false: Vec::new() }
            }
            ExprKind::Call { target: None, function, args } => match (&**function, &**args) {
                ("!_", [a]) => {
                    let Facts { if_true, if_false } = self.facts(a);
                    Facts { if_true: if_false, if_false: if_true }
                }
                ("_&&_", [a, b]) => {
                    let (a, b) = (self.facts(a), self.facts(b));
                    Facts {
                        if_true: either(a.if_true, b.if_true),
                        if_false: both(a.if_false, &b.if_false),
                    }
                }
                ("_||_", [a, b]) => {
                    let (a, b) = (self.facts(a), self.facts(b));
                    Facts {
                        if_true: both(a.if_true, &b.if_true),
                        if_false: either(a.if_false, b.if_false),
                    }
                }
                _ => self.facts_of_default(expr),
            },
            _ => self.facts_of_default(expr),
        }
    }

    /// The facts of a condition about a field with a default, such as `self.?o.orValue('') != ''`, or about its
    /// presence: if the condition is false without the field, the field is present where it is true.
    fn facts_of_default(&self, expr: &'a Expr) -> Facts<'a> {
        let mut paths = Vec::new();
        self.optional_reads(expr, &mut paths);
        let [Some(_)] = &*paths else { return Facts::default() };
        let paths = paths.into_iter().flatten().collect();
        match evaluate::holds_without_fields(expr) {
            Some(false) => Facts { if_true: paths, if_false: Vec::new() },
            Some(true) => Facts { if_true: Vec::new(), if_false: paths },
            None => Facts::default(),
        }
    }

    /// Collects the paths of the fields that an expression of calls reads with `.?`.
    fn optional_reads(&self, expr: &'a Expr, out: &mut Vec<Option<Path<'a>>>) {
        let ExprKind::Call { target, args, .. } = &expr.kind else { return };
        if !evaluate::is_optional_read(expr) {
            target.as_deref().into_iter().chain(args).for_each(|it| self.optional_reads(it, out));
            return;
        }
        let [operand, Expr { kind: ExprKind::Literal(Literal::String(field)), .. }] = &**args
        else {
            return;
        };
        out.push(self.path(operand).map(|mut path| {
            path.push(field);
            path
        }));
    }
}

fn either<'a>(mut a: Vec<Path<'a>>, b: Vec<Path<'a>>) -> Vec<Path<'a>> {
    a.extend(b);
    a
}

fn both<'a>(mut a: Vec<Path<'a>>, b: &[Path<'a>]) -> Vec<Path<'a>> {
    a.retain(|path| b.contains(path));
    a
}

/// A path as the expression writes it.
fn written(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Ident(name) => name.to_string(),
        ExprKind::Select { operand, field, .. } => format!("{}.{field}", written(operand)),
        ExprKind::Call { args, .. } => match args.as_slice() {
            [list, index] => format!("{}[{}]", written(list), written(index)),
            _ => String::new(),
        },
        ExprKind::Literal(Literal::Int(index)) => index.to_string(),
        ExprKind::Literal(Literal::String(key)) => format!("{:?}", &**key),
        _ => "..".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax;

    /// `o`, `p`, `p.q` and the `o` of elements of `l` are optional. `want` is what reads them, with `?` if the rule may
    /// hold without the field.
    #[track_caller]
    fn check(rule: &str, want: &str) {
        let ast = syntax::parse(rule).expect(rule);
        let optional =
            |path: &[&str]| matches!(path, ["o" | "p"] | ["p", "q"] | ["l", ELEMENT, "o"]);
        let got: Vec<_> = unguarded(&ast.root, &optional)
            .iter()
            .map(|read| {
                let last = read.path.last().map_or("", String::as_str);
                format!("{}.{last}{}", read.operand, if read.always { "" } else { "?" })
            })
            .collect();
        assert_eq!(got.join(","), want, "{rule}");
    }

    #[test]
    fn reads_that_fail_for_every_object_without_the_field() {
        check("self.o > 1", "self.o");
        check("self.a > 1 && self.o > 1", "self.o");
        check("!(self.o > 1)", "self.o");
        check("self.o.all(x, x > 1)", "self.o");
        check("self.o > 1 || self.o < 0", "self.o");
        check("self.a == 1 ? self.o > 1 : self.o > 2", "self.o");
        check("self.p.q > 1", "self.p.q,self.p");
        check("has(self.p.q)", "self.p");
        check("has(self.p) && self.p.q > 1", "self.p.q");
        check("size(self.o) > 1 && [self.a].all(x, x > 1)", "self.o");
        check("has(self.b) == (self.o == 'a')", "self.o");
        check("{'a': self.o}.size() == 1", "self.o");
    }

    #[test]
    fn reads_that_fail_for_some_objects() {
        check("self.a == 1 || self.o > 1", "self.o?");
        check("self.a == 1 ? self.o > 1 : true", "self.o?");
        check("!has(self.p) || self.p.q == true", "self.p.q?");
        check("self.l.all(m, m.o == true)", "m.o?");
        check("self.l.filter(m, m.o == true).size() == 1", "m.o?");
        check("self.l.exists(m, m.a == 1 && m.o)", "m.o?");
        check("self.l.all(i, m, m.o > i)", "m.o?");
        check("self.l[0].o == true", "self.l[0].o?");
        check("self.m.all(x, self.o > x)", "self.o?");
        check("self.l.all(m, has(m.o)) && self.l.all(m, m.o > 1)", "m.o?");
        check("self.l.all(m, has(m.o) && self.l.all(n, n.o > 1))", "n.o?");
    }

    #[test]
    fn a_default_that_passes_the_test_guards_nothing() {
        check("self.?o.orValue(5) < 3 || self.o > 1", "self.o?");
        check("self.?o.orValue(5) > 3 && self.o > 1", "self.o");
        check("self.?a.orValue(1) > 1 && self.o > 1", "self.o");
        check("self.?o.orValue(self.a) > 1 && self.o > 1", "self.o");
    }

    #[test]
    fn reads_that_are_guarded() {
        for rule in [
            "has(self.o)",
            "has(self.o) && self.o > 1",
            "self.o > 1 && has(self.o)",
            "!has(self.o) || self.o > 1",
            "has(self.o) ? self.o > 1 : true",
            "!has(self.o) ? true : self.o > 1",
            "!(has(self.a) && has(self.o)) || self.o > 1",
            "self.?o.orValue(1) > 1",
            "self.?o == optional.none()",
            "self.?o.hasValue() && self.o > 1",
            "!self.?o.hasValue() || self.o > 1",
            "self.?o.orValue('').size() > 0 ? self.o.startsWith('a') : true",
            "self.?o.orValue('') == '' || self.o.startsWith('a')",
            "self.l.all(m, m.?o.orValue(0) == 0 || m.o > 1)",
            "self.a > 1",
            "has(self.p) && has(self.p.q) && self.p.q > 1",
            "!has(self.p) || !has(self.p.q) || self.p.q > 1",
            "self.l.all(m, has(m.o) && m.o > 1)",
            "self.l.filter(m, has(m.o)).all(m, m.o > 1)",
            "self.l.all(m, self.m.all(o, o > m.a))",
            "[1].all(self, self.o > 1)",
            "oldSelf.o > 1",
            "'o' in self",
            "self['o'] > 1",
        ] {
            check(rule, "");
        }
    }
}

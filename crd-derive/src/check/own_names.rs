//! Names of a struct's own fields in its rules and paths: the derive knows all of them, unless a type is flattened into
//! the struct.

use std::borrow::Cow;

use crd_cel::syntax::{Expr, ExprKind};
use darling::error::Accumulator;
use proc_macro2::Span;

use super::rules::did_you_mean;
use crate::json_path;
use crate::literal::{StringExpr, Text};
use crate::model::{Kind, Model, Object, Root, Rule};
use crate::report::report;

/// Checks the rules of a struct and, if it is a kind, the paths of its attributes.
pub(super) fn check(model: &Model, errors: &mut Accumulator) {
    let Some(names) = Names::of(model) else { return };
    if model.constraints.schema_with.is_some() {
        return;
    }
    names.check_rules(&["self"], &model.constraints.rules, errors);
    for path in model.constraints.rules.iter().filter_map(|rule| rule.options.field_path.as_ref()) {
        names.check_step(path, 0, errors);
    }
    if let Some(kind) = &model.kind {
        names.check_kind(kind, errors);
    }
}

/// The names of the fields of a struct: as in JSON, and as rules write them.
struct Names<'a>(Vec<(&'a str, Cow<'a, str>)>);

impl<'a> Names<'a> {
    fn of(model: &'a Model) -> Option<Self> {
        let object: &Object = model.body.object()?;
        let is_known = object.fields.iter().all(|field| !field.flatten);
        if !is_known || model.constraints.keeps_unknown_fields() || model.is_root() {
            return None;
        }
        let names = object.fields.iter().map(|field| field.wire.as_str());
        let tag = object.tag.as_ref().map(|(tag, _)| tag.as_str());
        Some(Self(names.chain(tag).map(|name| (name, in_rules(name))).collect()))
    }

    fn check_kind(&self, kind: &Kind, errors: &mut Accumulator) {
        let Root::Generated(_) = kind.root else { return };
        self.check_rules(&["self", "spec"], &kind.root_rule, errors);
        let scale = kind
            .scale
            .iter()
            .flat_map(|it| [Some(&it.spec), Some(&it.status), it.selector.as_ref()]);
        let columns = kind.print_column.iter().filter_map(|column| column.path.as_ref());
        for path in columns.chain(&kind.selectable).chain(scale.flatten()) {
            let is_of_spec =
                path.value.strip_prefix(".spec").is_some_and(|rest| rest.starts_with(['.', '[']));
            if is_of_spec {
                self.check_step(path, 1, errors);
            }
        }
    }

    /// Checks the step at an index of a path.
    fn check_step(&self, path: &Text, index: usize, errors: &mut Accumulator) {
        if let Some(json_path::Step::Field(name)) = json_path::steps(&path.value).get(index)
            && !self.0.iter().any(|(known, _)| known == name)
        {
            let message = format!(
                "there is no field `{name}` in this struct{}",
                did_you_mean(name, self.0.iter().map(|(known, _)| *known))
            );
            report(errors, path.span, message);
        }
    }

    /// Checks the expressions and messages of rules.
    fn check_rules(&self, base: &[&str], rules: &[Rule], errors: &mut Accumulator) {
        for rule in rules {
            for text in std::iter::once(&rule.expression).chain(&rule.options.message_expression) {
                self.check_rule(base, text, errors);
            }
        }
    }

    /// Checks the fields that a rule reads of the value at `base`, whose first part is `self` or `oldSelf`.
    fn check_rule(&self, base: &[&str], rule: &StringExpr, errors: &mut Accumulator) {
        let Some(ast) = rule.ast() else { return };
        let mut unknown: Vec<(String, Span)> = Vec::new();
        visit(&ast.root, &mut Vec::new(), &mut |expr, name, of| {
            if of == base && !self.is_field(name) && !unknown.iter().any(|(known, _)| known == name)
            {
                unknown.push((name.to_owned(), rule.span_of(ast, expr.id)));
            }
        });
        let hint = |name: &str| did_you_mean(name, self.0.iter().map(|(_, known)| &**known));
        for (name, span) in unknown {
            let message = format!(
                "the rule reads `{name}`, but there is no such field in this struct{}",
                hint(&name)
            );
            report(errors, span, message);
        }
    }

    /// Whether a rule can write a name of a field like this. Newer servers do not reserve all names that are escaped.
    fn is_field(&self, written: &str) -> bool {
        self.0.iter().any(|(name, in_rules)| *name == written || in_rules == written)
    }
}

/// Calls `see` with each selection of a field, its name, and the names from `self` to the value that has it. The
/// parser limits the depth of the recursion.
fn visit<'e>(
    expr: &'e Expr,
    variables: &mut Vec<&'e str>,
    see: &mut dyn FnMut(&'e Expr, &'e str, &[&str]),
) {
    if let ExprKind::Select { operand, field, .. } = &expr.kind
        && let Some(of) = path(operand, variables)
    {
        see(expr, field, &of);
    }
    let ExprKind::Comprehension(c) = &expr.kind else {
        return expr.parts().into_iter().for_each(|part| visit(part, variables, see));
    };
    visit(&c.range, variables, see);
    visit(&c.init, variables, see);
    let outside = variables.len();
    variables.push(&c.iter_var);
    variables.extend(c.iter_var2.as_deref());
    variables.push(&c.accu_var);
    for part in [&c.condition, &c.step, &c.result] {
        visit(part, variables, see);
    }
    variables.truncate(outside);
}

/// A name of a field as rules write it.
fn in_rules(name: &str) -> Cow<'_, str> {
    crd_cel::escape::escape(name).unwrap_or(Cow::Borrowed(name))
}

/// The names from `self` to a value; `oldSelf` counts as `self`.
fn path<'e>(expr: &'e Expr, variables: &[&str]) -> Option<Vec<&'e str>> {
    match &expr.kind {
        ExprKind::Ident(name) if variables.contains(&&**name) => None,
        ExprKind::Ident(name) => matches!(&**name, "self" | "oldSelf").then(|| vec!["self"]),
        ExprKind::Select { operand, field, test_only: false } => {
            let mut path = path(operand, variables)?;
            path.push(field);
            Some(path)
        }
        _ => None,
    }
}

//! `cel/ast-positions.jsonl`: syntax trees, with the position of each node.

use std::fmt::Write as _;
use std::path::Path;

use crd_cel::kubernetes::Environment;
use crd_cel::syntax::{self, Ast, Expr, ExprId, ExprKind, Location};
use serde_json::Value;

use super::{Report, cases};

const SOURCE: &str = "cel/ast-positions.jsonl";

/// Parses each expression and compares the tree, printed in the recording's form.
pub(super) fn run(dir: &Path, report: &mut Report) {
    for (line, case) in cases(dir, SOURCE, report) {
        let text = |key: &str| case.get(key).and_then(Value::as_str).unwrap_or_default();
        let id = format!("line {line}");
        let got = syntax::parse_in(text("expr"), Environment::new(report.kubernetes));
        let fails = case.get("err").is_some();
        match got {
            Ok(ast) if !fails => {
                let got = print(&ast);
                if got == text("ast") {
                    report.pass(SOURCE, &id);
                } else {
                    report.fail(
                        SOURCE,
                        &id,
                        format!("{}\nwant {}\ngot  {got}", text("expr"), text("ast")),
                    );
                }
            }
            Err(_) if fails => report.pass(SOURCE, &id),
            Ok(_) => report.fail(SOURCE, &id, format!("{} must not parse", text("expr"))),
            Err(issues) => report.fail(SOURCE, &id, format!("must parse\n{issues}")),
        }
    }
}

/// The tree in the recording's form: nodes in preorder, each with line and column.
fn print(ast: &Ast) -> String {
    let mut text = String::new();
    node(ast, &ast.root, &mut text);
    text
}

/// Returns `LINE:COLUMN` of an expression.
fn position_of(ast: &Ast, id: ExprId) -> String {
    let offset = ast.positions.get(id as usize).copied().flatten();
    let at = offset.map_or(Location::NONE, |offset| Location::of_offset(&ast.source, offset));
    format!("{}:{}", at.line, at.column)
}

fn node(ast: &Ast, expr: &Expr, text: &mut String) {
    let (name, children): (String, Vec<&Expr>) = match &expr.kind {
        ExprKind::Literal(_) => ("lit".to_owned(), Vec::new()),
        ExprKind::Ident(name) => (format!("id {name}"), Vec::new()),
        ExprKind::Select { operand, field, test_only } => {
            (format!("sel {field}{}", if *test_only { "?" } else { "" }), vec![&**operand])
        }
        ExprKind::Call { target, function, args } => (
            format!("call {function}"),
            target.iter().map(|target| &**target).chain(args).collect(),
        ),
        ExprKind::List { elements, .. } => ("list".to_owned(), elements.iter().collect()),
        ExprKind::Map(_) => ("map".to_owned(), Vec::new()),
        ExprKind::Struct { type_name, .. } => (format!("struct {type_name}"), Vec::new()),
        ExprKind::Comprehension(fold) => (
            format!(
                "comp {} {} {}",
                fold.iter_var,
                fold.iter_var2.as_deref().unwrap_or_default(),
                fold.accu_var
            ),
            vec![&fold.range, &fold.init, &fold.condition, &fold.step, &fold.result],
        ),
    };
    let _ = write!(text, "({name}@{} ", position_of(ast, expr.id));
    for child in children {
        node(ast, child, text);
    }
    match &expr.kind {
        ExprKind::Map(entries) => {
            for entry in entries {
                let _ = write!(text, "[e@{}]", position_of(ast, entry.id));
                node(ast, &entry.key, text);
                node(ast, &entry.value, text);
            }
        }
        ExprKind::Struct { fields, .. } => {
            for field in fields {
                let _ = write!(text, "[e@{}]", position_of(ast, field.id));
                node(ast, &field.value, text);
            }
        }
        _ => {}
    }
    text.push(')');
}

//! Literal arguments that can only fail: durations, timestamps and regular expressions.
//!
//! Source: cel-go `cel/validator.go`, `formatValidator`.

use super::{Findings, walk};
use crate::budget::Budget;
use crate::checked::Reference;
use crate::env::Env;
use crate::re2;
use crate::syntax::{ExprKind, Literal};
use crate::value::{Str, Value};

/// Makes each call of a conversion whose argument is a literal, and reports those that fail.
pub(super) fn conversions(findings: &mut Findings<'_>, function: &'static str) {
    for node in walk::nodes(&findings.checked.ast.root, findings.version) {
        let Some((id, literal)) = first_literal(&node, function) else { continue };
        let value = match literal {
            Literal::Int(n) => Value::Int(*n),
            Literal::String(text) => Value::String(Str::Borrowed(text)),
            // Nothing is made of null, though it may stand for a duration or a time.
            Literal::Null => {
                findings.report(id, format!("invalid {function} argument"));
                continue;
            }
            _ => continue,
        };
        let overloads = match findings.checked.reference_of(node.expr.id) {
            Some(Reference::Overloads(overloads)) => overloads.as_slice(),
            _ => continue,
        };
        let mut bindings = overloads
            .iter()
            .filter_map(|overload| {
                Env::library().overload(overload)?.row.binding_in(findings.version)
            })
            .peekable();
        let known = bindings.peek().is_some();
        let fails = bindings.all(|binding| {
            let mut budget = Budget::new(u64::MAX, findings.version);
            (binding.call)(&mut budget, std::slice::from_ref(&value)).is_err()
        });
        if known && fails {
            findings.report(id, format!("invalid {function} argument"));
        }
    }
}

/// Reports each first argument of `matches` that is a literal and no regular expression.
///
/// Upstream: of the global `matches(text, pattern)` this is the text.
pub(super) fn regexes(findings: &mut Findings<'_>) {
    const FUNCTION: &str = "matches";
    for node in walk::nodes(&findings.checked.ast.root, findings.version) {
        if let Some((id, Literal::String(pattern))) = first_literal(&node, FUNCTION)
            && re2::check(pattern).is_err()
        {
            findings.report(id, format!("invalid {FUNCTION} argument"));
        }
    }
}

fn first_literal<'a>(node: &walk::Visited<'a>, name: &str) -> Option<(u32, &'a Literal)> {
    match &node.expr.kind {
        ExprKind::Call { function, args, .. } if &**function == name => {
            let arg = args.first()?;
            match &arg.kind {
                ExprKind::Literal(literal) => Some((arg.id, literal)),
                _ => None,
            }
        }
        _ => None,
    }
}

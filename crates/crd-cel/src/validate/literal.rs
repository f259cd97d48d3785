//! Checks literal arguments with which a call always fails: durations, timestamps and regular
//! expressions.
//!
//! Source: cel-go `cel/validator.go`, `formatValidator`.

use super::{Validation, walk};
use crate::budget::Budget;
use crate::checked::Reference;
use crate::env::Env;
use crate::re2;
use crate::syntax::{ExprKind, Literal};
use crate::value::{Str, Value};

/// Evaluates each call of a conversion whose argument is a literal, and reports those that fail.
pub(super) fn conversions(validation: &mut Validation<'_>, function: &'static str) {
    for node in walk::nodes(&validation.checked.ast.root, validation.version) {
        let Some((id, literal)) = first_literal(&node, function) else { continue };
        let value = match literal {
            Literal::Int(n) => Value::Int(*n),
            Literal::String(text) => Value::String(Str::Borrowed(text)),
            // A conversion of null fails, though the type checker accepts null as a duration or
            // timestamp.
            Literal::Null => {
                validation.report(id, format!("invalid {function} argument"));
                continue;
            }
            _ => continue,
        };
        let overloads = match validation.checked.reference_of(node.expr.id) {
            Some(Reference::Overloads(overloads)) => overloads.as_slice(),
            _ => continue,
        };
        let mut bindings = overloads
            .iter()
            .filter_map(|overload| {
                Env::library().overload(overload)?.row.binding_in(validation.version)
            })
            .peekable();
        let known = bindings.peek().is_some();
        let fails = bindings.all(|binding| {
            let mut budget = Budget::new(u64::MAX, validation.version);
            (binding.call)(&mut budget, std::slice::from_ref(&value)).is_err()
        });
        if known && fails {
            validation.report(id, format!("invalid {function} argument"));
        }
    }
}

/// Reports each first argument of `matches` that is a literal but not a valid regular expression.
///
/// Upstream: the global form `matches(text, pattern)` is checked, too, although its first argument is
/// the text.
pub(super) fn regexes(validation: &mut Validation<'_>) {
    const FUNCTION: &str = "matches";
    for node in walk::nodes(&validation.checked.ast.root, validation.version) {
        if let Some((id, Literal::String(pattern))) = first_literal(&node, FUNCTION)
            && re2::check(pattern).is_err()
        {
            validation.report(id, format!("invalid {FUNCTION} argument"));
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

//! Literal format strings with literal argument lists: each clause is checked against the type of
//! its argument.
//!
//! Source: cel-go `ext/formatting.go`, `stringFormatValidator`, `stringFormatChecker`.

use super::{Validation, walk};
use crate::checked::Reference;
use crate::clause::{Clause, literal_call, printed};
use crate::syntax::{Expr, ExprKind};
use crate::types::Type;

/// Reports the first wrong clause of each call, or surplus arguments.
pub(super) fn calls(validation: &mut Validation<'_>) {
    for node in walk::nodes(&validation.checked.ast.root, validation.version) {
        let ExprKind::Call { target, function, args } = &node.expr.kind else { continue };
        let call = literal_call(target.as_deref(), function, args);
        let Some((format, args)) = call.filter(|_| may_be_format(validation, node.expr)) else {
            continue;
        };
        let wrong = printed(format, args).find_map(|clause| match clause {
            Ok((arg, clause)) if prints(clause, bare(validation, arg)) => None,
            Ok((arg, clause)) => {
                let found = validation.checked.type_of(arg.id).runtime_name();
                let why = clause.type_error();
                Some((arg.id, format!("error during formatting: {why}, was given {found}")))
            }
            Err(message) => Some((node.expr.id, message)),
        });
        if let Some((at, message)) = wrong {
            validation.report(at, message);
        }
    }
}

/// Whether the method `format` of strings is among the overloads of a call.
fn may_be_format(validation: &Validation<'_>, e: &Expr) -> bool {
    match validation.checked.reference_of(e.id) {
        Some(Reference::Overloads(overloads)) => overloads.contains(&"string_format"),
        _ => true,
    }
}

/// Whether a clause accepts a type.
fn prints(clause: Clause, ty: &Type) -> bool {
    match ty {
        Type::List(_) | Type::Map(..) | Type::Type(_) => clause == Clause::String,
        ty => ty.code().is_some_and(|code| clause.prints(code)),
    }
}

/// The type of a node; for a wrapper, the type that it wraps.
fn bare<'a>(validation: &Validation<'a>, e: &Expr) -> &'a Type {
    match validation.checked.type_of(e.id) {
        Type::Wrapper(inner) => inner,
        ty => ty,
    }
}

//! Literal format strings with literal argument lists: each clause is checked against the type of
//! its argument.
//!
//! Source: cel-go `ext/formatting.go`, `stringFormatValidator`, `stringFormatChecker`.

use super::{Validation, walk};
use crate::checked::Reference;
use crate::clause::{Clause, printed};
use crate::syntax::{Expr, ExprId, ExprKind, Literal};
use crate::types::Type;

/// Reports the first wrong clause of each call, or surplus arguments.
pub(super) fn calls(validation: &mut Validation<'_>) {
    for node in walk::nodes(&validation.checked.ast.root, validation.version) {
        let Some((format, args)) = literal_call(validation, node.expr) else { continue };
        let wrong = printed(format, args).find_map(|clause| match clause {
            Ok((arg, clause)) => accepts(clause, validation, arg).err().map(|(id, message)| {
                let found = validation.checked.type_of(id).runtime_name();
                (id, format!("error during formatting: {message}, was given {found}"))
            }),
            Err(message) => Some((node.expr.id, message)),
        });
        if let Some((at, message)) = wrong {
            validation.report(at, message);
        }
    }
}

/// The format string and the arguments of a call that has both as literals.
fn literal_call<'a>(validation: &Validation<'_>, e: &'a Expr) -> Option<(&'a str, &'a [Expr])> {
    let ExprKind::Call { target: Some(target), function, args } = &e.kind else { return None };
    let ExprKind::Literal(Literal::String(format)) = &target.kind else { return None };
    let [Expr { kind: ExprKind::List { elements, .. }, .. }] = args.as_slice() else { return None };
    let matched = match validation.checked.reference_of(e.id) {
        Some(Reference::Overloads(overloads)) => overloads.contains(&"string_format"),
        _ => true,
    };
    (&**function == "format" && matched).then_some((&**format, elements))
}

/// Checks the type of an argument of a clause; an error names the node that does not fit.
fn accepts(
    clause: Clause,
    validation: &Validation<'_>,
    arg: &Expr,
) -> Result<(), (ExprId, &'static str)> {
    if clause == Clause::String {
        return accepts_string(validation, arg).map_err(|id| (id, clause.wants()));
    }
    let ty = bare(validation, arg);
    let fits = match clause {
        Clause::String => true,
        Clause::Decimal | Clause::Octal => matches!(ty, Type::Int | Type::Uint),
        Clause::Fixed | Clause::Scientific => matches!(ty, Type::Double | Type::String),
        Clause::Binary => matches!(ty, Type::Int | Type::Uint | Type::Bool),
        Clause::Hex => matches!(ty, Type::Int | Type::Uint | Type::String | Type::Bytes),
    };
    if fits || *ty == Type::Dyn { Ok(()) } else { Err((arg.id, clause.wants())) }
}

/// Whether `%s` can print a node; an error names the node, which may be within a literal.
fn accepts_string(validation: &Validation<'_>, e: &Expr) -> Result<(), ExprId> {
    let fits = matches!(
        bare(validation, e),
        Type::Dyn
            | Type::List(_)
            | Type::Map(..)
            | Type::Int
            | Type::Uint
            | Type::Double
            | Type::Bool
            | Type::String
            | Type::Timestamp
            | Type::Bytes
            | Type::Duration
            | Type::Type(_)
            | Type::Null
    );
    if !fits {
        return Err(e.id);
    }
    match &e.kind {
        ExprKind::List { elements, .. } => {
            elements.iter().try_for_each(|element| accepts_string(validation, element))
        }
        ExprKind::Map(entries) => entries.iter().try_for_each(|entry| {
            accepts_string(validation, &entry.key)?;
            accepts_string(validation, &entry.value)
        }),
        _ => Ok(()),
    }
}

/// The type of a node; of a wrapper, what it wraps.
fn bare<'a>(validation: &Validation<'a>, e: &Expr) -> &'a Type {
    match validation.checked.type_of(e.id) {
        Type::Wrapper(inner) => inner,
        ty => ty,
    }
}

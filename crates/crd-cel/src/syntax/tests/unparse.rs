//! Prints expressions, with macros as users write them and parentheses only where needed.

use std::fmt::Write as _;

use crate::escape::is_reserved;
use crate::syntax::macros::{ACCUMULATOR, SORT_BY_INPUT, UNUSED};
use crate::syntax::{Comprehension, Expr, ExprKind, Literal};

/// Prints an expression so that parsing the text gives the same expression, except for ids and
/// positions.
///
/// Returns `None` if no text parses to this expression, which never happens for an expression from
/// the parser.
pub(super) fn unparse(expr: &Expr) -> Option<String> {
    let mut text = String::new();
    write(expr, Precedence::Conditional, &mut text)?;
    Some(text)
}

/// The precedence of a form of expression, the lowest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Precedence {
    Conditional,
    Or,
    And,
    Relation,
    Sum,
    Product,
    Unary,
    Member,
}

/// The text of a binary operator, and three precedences: its own, and the lowest ones that its left
/// and its right operand may have without parentheses.
fn binary(function: &str) -> Option<(&'static str, [Precedence; 3])> {
    use Precedence::{And, Or, Product, Relation, Sum, Unary};
    Some(match function {
        "_||_" => ("||", [Or, And, And]),
        "_&&_" => ("&&", [And, Relation, Relation]),
        "_==_" => ("==", [Relation, Relation, Sum]),
        "_!=_" => ("!=", [Relation, Relation, Sum]),
        "_<_" => ("<", [Relation, Relation, Sum]),
        "_<=_" => ("<=", [Relation, Relation, Sum]),
        "_>_" => (">", [Relation, Relation, Sum]),
        "_>=_" => (">=", [Relation, Relation, Sum]),
        "@in" => ("in", [Relation, Relation, Sum]),
        "_+_" => ("+", [Sum, Sum, Product]),
        "_-_" => ("-", [Sum, Sum, Product]),
        "_*_" => ("*", [Product, Product, Unary]),
        "_/_" => ("/", [Product, Product, Unary]),
        "_%_" => ("%", [Product, Product, Unary]),
        _ => return None,
    })
}

/// Writes `expr`, in parentheses if it binds less tightly than `level`.
fn write(expr: &Expr, level: Precedence, text: &mut String) -> Option<()> {
    let own = level_of(expr);
    if own < level {
        text.push('(');
    }
    match &expr.kind {
        ExprKind::Literal(literal) => write_literal(literal, text),
        ExprKind::Ident(name) => text.push_str(identifier(name)?),
        ExprKind::Select { operand, field, test_only } => {
            let (open, close) = if *test_only { ("has(", ")") } else { ("", "") };
            text.push_str(open);
            write(operand, Precedence::Member, text)?;
            text.push('.');
            write_field(field, text)?;
            text.push_str(close);
        }
        ExprKind::Call { target, function, args } => {
            write_call(target.as_deref(), function, args, text)?;
        }
        ExprKind::List { elements, optional } => {
            let elements = (0u32..).zip(elements);
            let elements =
                elements.map(|(i, element)| (optional.binary_search(&i).is_ok(), element));
            write_list("[", elements, "]", text, |(optional, element), text| {
                text.push_str(if optional { "?" } else { "" });
                write(element, Precedence::Conditional, text)
            })?;
        }
        ExprKind::Map(entries) => write_list("{", entries, "}", text, |entry, text| {
            text.push_str(if entry.optional { "?" } else { "" });
            write(&entry.key, Precedence::Conditional, text)?;
            text.push_str(": ");
            write(&entry.value, Precedence::Conditional, text)
        })?,
        ExprKind::Struct { type_name, fields } => {
            text.push_str(type_name);
            write_list("{", fields, "}", text, |field, text| {
                text.push_str(if field.optional { "?" } else { "" });
                write_field(&field.name, text)?;
                text.push_str(": ");
                write(&field.value, Precedence::Conditional, text)
            })?;
        }
        ExprKind::Comprehension(fold) => write_fold(fold, text)?,
    }
    if own < level {
        text.push(')');
    }
    Some(())
}

fn level_of(expr: &Expr) -> Precedence {
    match &expr.kind {
        ExprKind::Literal(Literal::Int(value)) if *value < 0 => Precedence::Unary,
        ExprKind::Literal(Literal::Double(value)) if value.is_sign_negative() => Precedence::Unary,
        ExprKind::Call { target: None, function, args } => match &**function {
            "_?_:_" if opt_map(args).is_none() => Precedence::Conditional,
            "!_" | "-_" => Precedence::Unary,
            _ => binary(function).map_or(Precedence::Member, |(_, [own, _, _])| own),
        },
        _ => Precedence::Member,
    }
}

fn write_call(
    target: Option<&Expr>,
    function: &str,
    args: &[Expr],
    text: &mut String,
) -> Option<()> {
    let call = |args: &[Expr], text: &mut String| {
        write_list("(", args, ")", text, |arg, text| write(arg, Precedence::Conditional, text))
    };
    if let Some(target) = target {
        write(target, Precedence::Member, text)?;
        write!(text, ".{}", plain(function)?).ok()?;
        return call(args, text);
    }
    match (function, args) {
        ("_?_:_", [cond, then, otherwise]) => {
            if let Some((name, target, variable, body)) = opt_map(args) {
                return write_macro(target, name, &[variable], &[body], text);
            }
            write(cond, Precedence::Or, text)?;
            text.push_str(" ? ");
            write(then, Precedence::Or, text)?;
            text.push_str(" : ");
            write(otherwise, Precedence::Conditional, text)
        }
        ("!_" | "-_", [operand]) => {
            text.push_str(function.trim_end_matches('_'));
            let mut inner = String::new();
            write(operand, Precedence::Member, &mut inner)?;
            // A sign in front of a number would be part of the number.
            let is_number = inner.trim_start_matches('.').starts_with(|c: char| c.is_ascii_digit());
            let (open, close) = if is_number { ("(", ")") } else { ("", "") };
            write!(text, "{open}{inner}{close}").ok()
        }
        ("_[_]" | "_[?_]", [operand, index]) => {
            write(operand, Precedence::Member, text)?;
            text.push_str(if function == "_[_]" { "[" } else { "[?" });
            write(index, Precedence::Conditional, text)?;
            text.push(']');
            Some(())
        }
        ("_?._", [operand, field]) => {
            let ExprKind::Literal(Literal::String(field)) = &field.kind else { return None };
            write(operand, Precedence::Member, text)?;
            text.push_str(".?");
            write_field(field, text)
        }
        (_, [left, right]) if binary(function).is_some() => {
            let (operator, [_, left_level, right_level]) = binary(function)?;
            write(left, left_level, text)?;
            write!(text, " {operator} ").ok()?;
            write(right, right_level, text)
        }
        _ => {
            text.push_str(identifier(function)?);
            call(args, text)
        }
    }
}

/// Writes a comprehension as the macro that expands to it.
fn write_fold(fold: &Comprehension, text: &mut String) -> Option<()> {
    if &*fold.accu_var == SORT_BY_INPUT {
        let ExprKind::Call { args, .. } = &fold.result.kind else { return None };
        let [Expr { kind: ExprKind::Comprehension(keys), .. }] = args.as_slice() else {
            return None;
        };
        let (_, key) = appended(&keys.step)?;
        return write_macro(&fold.init, "sortBy", &[&keys.iter_var], &[key], text);
    }
    if &*fold.accu_var != ACCUMULATOR {
        return None;
    }
    let mut variables = vec![&*fold.iter_var];
    variables.extend(fold.iter_var2.as_deref());
    let ExprKind::Call { function, args, .. } = &fold.step.kind else { return None };
    let (name, bodies) = match (&fold.init.kind, &**function, args.as_slice()) {
        (ExprKind::Literal(Literal::Bool(_)), "_&&_", [_, predicate]) => ("all", vec![predicate]),
        (ExprKind::Literal(Literal::Bool(_)), "_||_", [_, predicate]) => {
            ("exists", vec![predicate])
        }
        (ExprKind::Literal(Literal::Int(_)), "_?_:_", [predicate, ..]) => {
            ("exists_one", vec![predicate])
        }
        (ExprKind::List { .. }, ..) => {
            let (filter, element) = appended(&fold.step)?;
            let mut bodies: Vec<&Expr> = filter.into_iter().collect();
            let has_two = variables.len() == 2;
            let appends_item =
                matches!(&element.kind, ExprKind::Ident(name) if *name == fold.iter_var);
            if !has_two && appends_item && filter.is_some() {
                ("filter", bodies)
            } else {
                bodies.push(element);
                (if has_two { "transformList" } else { "map" }, bodies)
            }
        }
        (ExprKind::Map(_), ..) => {
            let (filter, step) = filtered(&fold.step);
            let ExprKind::Call { args, .. } = &step.kind else { return None };
            let mut bodies: Vec<&Expr> = filter.into_iter().collect();
            match args.as_slice() {
                [_, entry] => {
                    bodies.push(entry);
                    ("transformMapEntry", bodies)
                }
                [_, _, value] => {
                    bodies.push(value);
                    ("transformMap", bodies)
                }
                _ => return None,
            }
        }
        _ => return None,
    };
    write_macro(&fold.range, name, &variables, &bodies, text)
}

/// Splits a step `filter ? step : accumulator` into the filter, if there is one, and the inner step.
fn filtered(step: &Expr) -> (Option<&Expr>, &Expr) {
    if let ExprKind::Call { function, args, .. } = &step.kind
        && let ("_?_:_", [filter, step, _]) = (&**function, args.as_slice())
    {
        return (Some(filter), step);
    }
    (None, step)
}

/// The filter of a step that appends to a list, and the element that it appends.
fn appended(step: &Expr) -> Option<(Option<&Expr>, &Expr)> {
    let (filter, step) = filtered(step);
    let ExprKind::Call { args, .. } = &step.kind else { return None };
    let [_, Expr { kind: ExprKind::List { elements, .. }, .. }] = args.as_slice() else {
        return None;
    };
    Some((filter, elements.first()?))
}

/// The name, receiver, variable and body of the `optMap` or `optFlatMap` that expands to a
/// conditional with these arguments, if there is one.
fn opt_map(args: &[Expr]) -> Option<(&'static str, &Expr, &str, &Expr)> {
    let [cond, then, _] = args else { return None };
    let ExprKind::Call { target: Some(target), .. } = &cond.kind else { return None };
    let (name, bound) = match &then.kind {
        ExprKind::Call { target: None, function, args } if &**function == "optional.of" => {
            ("optMap", args.first()?)
        }
        _ => ("optFlatMap", then),
    };
    match &bound.kind {
        ExprKind::Comprehension(fold)
            if &*fold.iter_var == UNUSED && &*fold.accu_var != SORT_BY_INPUT =>
        {
            Some((name, target, &fold.accu_var, &fold.result))
        }
        _ => None,
    }
}

fn write_macro(
    target: &Expr,
    name: &str,
    variables: &[&str],
    bodies: &[&Expr],
    text: &mut String,
) -> Option<()> {
    write(target, Precedence::Member, text)?;
    write!(text, ".{name}({}", variables.join(", ")).ok()?;
    for body in bodies {
        text.push_str(", ");
        write(body, Precedence::Conditional, text)?;
    }
    text.push(')');
    Some(())
}

fn write_list<T>(
    open: &str,
    items: impl IntoIterator<Item = T>,
    close: &str,
    text: &mut String,
    mut item: impl FnMut(T, &mut String) -> Option<()>,
) -> Option<()> {
    text.push_str(open);
    for (i, each) in items.into_iter().enumerate() {
        text.push_str(if i == 0 { "" } else { ", " });
        item(each, text)?;
    }
    text.push_str(close);
    Some(())
}

/// Writes the name of a field, in backticks if it is not an identifier.
fn write_field(name: &str, text: &mut String) -> Option<()> {
    match plain(name) {
        Some(name) => text.push_str(name),
        None => write!(text, "`{}`", escapable(name)?).ok()?,
    }
    Some(())
}

/// The name, if a variable or global function can have it, with or without a leading dot.
fn identifier(name: &str) -> Option<&str> {
    plain(name.strip_prefix('.').unwrap_or(name)).filter(|name| !is_reserved(name)).map(|_| name)
}

/// The name, if it is valid in backticks, which servers support since 1.37.
fn escapable(name: &str) -> Option<&str> {
    let is_part =
        |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'-' | b'/' | b' ');
    (!name.is_empty() && name.bytes().all(is_part)).then_some(name)
}

/// The name, if it is an identifier. Reserved words such as `if` are identifiers; `in`, `true`,
/// `false` and `null` are tokens of their own.
fn plain(name: &str) -> Option<&str> {
    let valid = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let is_token = matches!(name, "in" | "true" | "false" | "null");
    (valid && !is_token).then_some(name)
}

fn write_literal(literal: &Literal, text: &mut String) {
    // Writing to a string does not fail.
    let _ = match literal {
        Literal::Null => write!(text, "null"),
        Literal::Bool(value) => write!(text, "{value}"),
        Literal::Int(value) => write!(text, "{value}"),
        Literal::Uint(value) => write!(text, "{value}u"),
        Literal::Double(value) => write!(text, "{value:?}"),
        Literal::String(value) => {
            text.push('"');
            for c in value.chars() {
                match c {
                    '"' | '\\' => text.extend(['\\', c]),
                    '\n' => text.push_str("\\n"),
                    '\r' => text.push_str("\\r"),
                    '\t' => text.push_str("\\t"),
                    c if c.is_control() => {
                        let _ = write!(text, "\\u{:04x}", u32::from(c));
                    }
                    c => text.push(c),
                }
            }
            write!(text, "\"")
        }
        Literal::Bytes(value) => {
            text.push_str("b\"");
            for byte in value.iter() {
                match byte {
                    b'"' | b'\\' => text.extend(['\\', char::from(*byte)]),
                    b' '..=b'~' => text.push(char::from(*byte)),
                    byte => {
                        let _ = write!(text, "\\x{byte:02x}");
                    }
                }
            }
            write!(text, "\"")
        }
    };
}

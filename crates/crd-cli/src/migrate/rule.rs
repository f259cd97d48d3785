//! CEL rules of kube's derives as `rule(..)`.

use serde_json::Value;
use syn::{Expr, ExprCall, ExprMethodCall, Meta};

use super::keys::{Key, literal};
use super::source::{Source, name_of};

/// Converts an expression that kube takes as a rule.
///
/// # Errors
/// If the expression is of another form; the message says so.
pub(super) fn of_expr(name: &'static str, expr: &Expr, source: &Source) -> Result<Key, String> {
    if let Expr::Tuple(pair) = expr {
        return match pair.elems.iter().collect::<Vec<_>>()[..] {
            [rule, message] => {
                let message = format!("message = {}", text(message, source)?);
                Ok(Key::List(name, vec![text(rule, source)?, message]))
            }
            _ => Err(not_understood(expr, source)),
        };
    }
    let mut values = Vec::new();
    let mut expr = expr;
    while let Expr::MethodCall(call) = expr {
        if is_conversion(call) {
            expr = &call.receiver;
            continue;
        }
        values.push(argument(call, source)?);
        expr = &call.receiver;
    }
    let rule = match expr {
        Expr::Call(ExprCall { func, args, .. }) if ends_with(func, "new") && args.len() == 1 => {
            text(&args[0], source)?
        }
        other => text(other, source)?,
    };
    values.push(rule);
    values.reverse();
    Ok(Key::List(name, values))
}

/// Converts a method of kube's `Rule`.
fn argument(call: &ExprMethodCall, source: &Source) -> Result<String, String> {
    let expr = || Expr::MethodCall(call.clone());
    let [value] = call.args.iter().collect::<Vec<_>>()[..] else {
        return Err(not_understood(&expr(), source));
    };
    Ok(match &*call.method.to_string() {
        "message" => match value {
            Expr::Call(ExprCall { func, args, .. }) if args.len() == 1 => {
                let name = if ends_with(func, "Expression") {
                    "message_expression"
                } else if ends_with(func, "Message") {
                    "message"
                } else {
                    return Ok(format!("message = {}", text(value, source)?));
                };
                format!("{name} = {}", text(&args[0], source)?)
            }
            value => format!("message = {}", text(value, source)?),
        },
        "reason" => format!("reason = {}", reason(value, source)?),
        "field_path" => format!("field_path = {}", text(value, source)?),
        "optional_old_self" => format!("optional_old_self = {}", source.of(value)),
        _ => return Err(not_understood(&expr(), source)),
    })
}

/// Converts the keys of `#[validate(rule = "..", message = "..")]`, from which kube before 1.0 made a rule.
///
/// # Errors
/// If there is no rule, or another key.
pub(super) fn of_keys(metas: &[Meta], source: &Source) -> Result<Key, String> {
    let mut values = Vec::new();
    for meta in metas {
        let Meta::NameValue(pair) = meta else { return Err(of_meta(meta, source)) };
        let value = match &*name_of(meta) {
            "rule" => match of_expr("rule", &pair.value, source)? {
                Key::List(_, rule) => {
                    values.splice(0..0, rule);
                    continue;
                }
                Key::Plain(_) => return Err(of_meta(meta, source)),
            },
            name @ ("message" | "message_expression" | "field_path") => {
                format!("{name} = {}", text(&pair.value, source)?)
            }
            "reason" => format!("reason = {}", reason(&pair.value, source)?),
            "optional_old_self" => format!("optional_old_self = {}", source.of(&pair.value)),
            _ => return Err(of_meta(meta, source)),
        };
        values.push(value);
    }
    Ok(Key::List("rule", values))
}

/// Converts a rule of `x-kubernetes-validations`.
pub(super) fn of_json(rule: &Value) -> Option<Key> {
    let rule = rule.as_object()?;
    let mut values = vec![literal(rule.get("rule")?.as_str()?)];
    for (theirs, ours) in [
        ("message", "message"),
        ("messageExpression", "message_expression"),
        ("reason", "reason"),
        ("fieldPath", "field_path"),
    ] {
        if let Some(value) = rule.get(theirs) {
            values.push(format!("{ours} = {}", literal(value.as_str()?)));
        }
    }
    if let Some(value) = rule.get("optionalOldSelf") {
        values.push(format!("optional_old_self = {}", value.as_bool()?));
    }
    Some(Key::List("rule", values))
}

/// Returns the source of a text: a literal, a constant or a macro, without the conversion around it.
fn text(expr: &Expr, source: &Source) -> Result<String, String> {
    match expr {
        Expr::Lit(_) | Expr::Path(_) | Expr::Macro(_) => Ok(source.of(expr).to_owned()),
        Expr::MethodCall(call) if is_conversion(call) => text(&call.receiver, source),
        Expr::Reference(it) => text(&it.expr, source),
        Expr::Group(it) => text(&it.expr, source),
        Expr::Paren(it) => text(&it.expr, source),
        Expr::Call(ExprCall { func, args, .. }) if args.len() == 1 && ends_with(func, "from") => {
            text(&args[0], source)
        }
        _ => Err(not_understood(expr, source)),
    }
}

fn reason(expr: &Expr, source: &Source) -> Result<String, String> {
    match expr {
        Expr::Path(path) => {
            let last = path.path.segments.last().map(|last| last.ident.to_string());
            Ok(literal(&last.unwrap_or_default()))
        }
        _ => text(expr, source),
    }
}

/// Whether a call only converts a text, as `into()`.
pub(super) fn is_conversion(call: &ExprMethodCall) -> bool {
    call.args.is_empty() && ["into", "to_string", "to_owned"].iter().any(|name| call.method == name)
}

/// Whether an expression is a path that ends with this name.
pub(super) fn ends_with(expr: &Expr, name: &str) -> bool {
    matches!(expr, Expr::Path(path) if path.path.segments.last().is_some_and(|it| it.ident == name))
}

fn not_understood(expr: &Expr, source: &Source) -> String {
    format!("`{}` is no literal; write `#[crd(rule(\"..\", message = \"..\"))]`", source.of(expr))
}

fn of_meta(meta: &Meta, source: &Source) -> String {
    format!("`{}` is no key of a rule; write `#[crd(rule(\"..\"))]`", source.of(meta))
}

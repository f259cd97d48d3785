//! Integers that rustc knows: literals, their arithmetic, lengths of strings, and constants of the file.

use proc_macro2::TokenStream;
use syn::{BinOp, Expr, Item, Lit, UnOp};

use super::source::{self, Source};

/// How many constants can stand for each other.
const MAX_CONSTANTS: usize = 8;

/// Returns the value of an expression.
pub(super) fn integer(tokens: &TokenStream, source: &Source) -> Option<i64> {
    value(&syn::parse2(tokens.clone()).ok()?, source, MAX_CONSTANTS)
}

/// `constants`: how many further constants are looked up. The parser has a limit for nested expressions.
fn value(expr: &Expr, source: &Source, constants: usize) -> Option<i64> {
    let value = |expr: &Expr| value(expr, source, constants);
    match expr {
        Expr::Paren(it) => value(&it.expr),
        Expr::Group(it) => value(&it.expr),
        Expr::Cast(it) => value(&it.expr),
        Expr::Unary(it) if matches!(it.op, UnOp::Neg(_)) => value(&it.expr)?.checked_neg(),
        Expr::Lit(it) => match &it.lit {
            Lit::Int(number) => number.base10_parse().ok(),
            _ => None,
        },
        Expr::Binary(it) => {
            let (left, right) = (value(&it.left)?, value(&it.right)?);
            match it.op {
                BinOp::Add(_) => left.checked_add(right),
                BinOp::Sub(_) => left.checked_sub(right),
                BinOp::Mul(_) => left.checked_mul(right),
                BinOp::Div(_) => left.checked_div(right),
                _ => None,
            }
        }
        Expr::MethodCall(call) if call.method == "len" && call.args.is_empty() => {
            i64::try_from(text(&call.receiver, source, constants)?.len()).ok()
        }
        Expr::Path(path) => {
            let constant = constant(path.path.get_ident()?, source)?;
            self::value(constant, source, constants.checked_sub(1)?)
        }
        _ => None,
    }
}

/// Returns the value of an expression that is a string.
fn text(expr: &Expr, source: &Source, constants: usize) -> Option<String> {
    match expr {
        Expr::Paren(it) => text(&it.expr, source, constants),
        Expr::Lit(it) => match &it.lit {
            Lit::Str(text) => Some(text.value()),
            _ => None,
        },
        Expr::Path(path) => {
            let constant = constant(path.path.get_ident()?, source)?;
            text(constant, source, constants.checked_sub(1)?)
        }
        _ => None,
    }
}

/// Returns the value of a constant, if the file has only one of this name.
fn constant<'a>(name: &syn::Ident, source: &'a Source) -> Option<&'a Expr> {
    let mut found = Vec::new();
    source::items(&source.file.items, &mut |item| match item {
        Item::Const(it) if it.ident == *name => found.push(&*it.expr),
        _ => {}
    });
    match found[..] {
        [one] => Some(one),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constant_expressions_have_values() {
        let text =
            "const MOST: usize = 63;\nconst PREFIX: &str = \"tunnel-\";\nconst LOOP: i64 = LOOP;\n";
        let source = Source::parse("a.rs".into(), text).expect("Rust");
        for (expr, want) in [
            ("(63 - \"tunnel-\".len())", Some(56)),
            ("MOST - PREFIX.len()", Some(56)),
            ("-(2 + 3) * 4", Some(-20)),
            ("0x10 as i64 / 2", Some(8)),
            ("LOOP", None),
            ("1 / 0", None),
            ("OTHER", None),
            ("f()", None),
            ("\"a\"", None),
        ] {
            assert_eq!(integer(&expr.parse().expect("tokens"), &source), want, "{expr}");
        }
    }
}

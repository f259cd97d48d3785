//! Calls that fail whenever they are evaluated, because of a literal.

use std::sync::Arc;

use super::visit;
use crate::domain::named_format::FORMATS;
use crate::domain::netip::{Addr, Prefix};
use crate::domain::quantity::Quantity;
use crate::domain::semver::Version;
use crate::domain::url::Url;
use crate::error::ParseError;
use crate::syntax::{Ast, Expr, ExprKind, Issues, Literal};

/// Parses a text. If this fails, so does the call with the text as a literal.
type Parse = fn(&str) -> Result<(), ParseError>;

/// Functions that fail if they cannot parse their argument: the name, whether it is a method, and the
/// parser.
///
/// `duration`, `timestamp` and patterns are not among them, because the server checks their
/// literals itself.
const PARSED: [(&str, bool, Parse); 8] = [
    ("ip", false, ip),
    ("cidr", false, cidr),
    ("containsIP", true, ip),
    ("containsCIDR", true, cidr),
    ("quantity", false, |text| Quantity::parse(text).map(drop)),
    ("semver", false, |text| Version::parse(text).map(drop)),
    ("url", false, |text| Url::parse_request(text).and_then(|_| Url::parse(text).map(drop))),
    ("format.named", false, named_format),
];

fn ip(text: &str) -> Result<(), ParseError> {
    Addr::parse_plain(text).map(drop)
}

fn cidr(text: &str) -> Result<(), ParseError> {
    Prefix::parse_plain(text).map(drop)
}

/// Rejects an unknown name, for which the server returns an empty optional.
fn named_format(name: &str) -> Result<(), ParseError> {
    let names: Vec<_> = FORMATS.iter().map(|format| format.name).collect();
    if names.contains(&name) {
        return Ok(());
    }
    Err(format!("there is no format `{name}`; known formats are {}", names.join(", ")).into())
}

/// The calls of an expression that fail because of a literal, or divide by zero.
///
/// ```
/// use crd_cel::{lint, syntax};
///
/// let ast = syntax::parse("ip(self.from) == ip('300.0.0.1')")?;
/// assert!(lint::always_fails(&ast).to_string().starts_with("ERROR: <input>:1:21: always fails: IP Address"));
/// # Ok::<(), syntax::Issues>(())
/// ```
pub fn always_fails(ast: &Ast) -> Issues {
    let mut issues = Issues::new(Arc::clone(&ast.source));
    visit(&ast.root, &mut |expr| {
        let Some((at, why)) = failing_call(expr) else { return };
        let offset = ast.positions.get(at.id as usize).copied().flatten();
        issues.report_at(offset, format_args!("always fails: {why}"));
    });
    issues
}

/// The literal on which a call fails, and why.
fn failing_call(expr: &Expr) -> Option<(&Expr, String)> {
    let ExprKind::Call { target, function, args } = &expr.kind else { return None };
    match (target.as_deref(), &**function, args.as_slice()) {
        (None, "_/_" | "_%_", [_, divisor]) => {
            let zero =
                matches!(divisor.kind, ExprKind::Literal(Literal::Int(0) | Literal::Uint(0)));
            zero.then(|| (divisor, "division by zero".to_owned()))
        }
        (None, "semver", [text, Expr { kind: ExprKind::Literal(Literal::Bool(true)), .. }]) => {
            Some((text, Version::parse_normalized(literal(text)?).err()?.to_string()))
        }
        (target, name, [text, ..]) => {
            let (name, is_method) = match target {
                // `format.named(..)` is a function with a dot in its name.
                Some(Expr { kind: ExprKind::Ident(first), .. }) if &**first == "format" => {
                    (format!("{first}.{name}"), false)
                }
                target => (name.to_owned(), target.is_some()),
            };
            let row = PARSED.iter().find(|row| row.0 == name && row.1 == is_method)?;
            if args.len() > 1 && name != "semver" {
                return None;
            }
            Some((text, row.2(literal(text)?).err()?.to_string()))
        }
        _ => None,
    }
}

fn literal(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::Literal(Literal::String(text)) => Some(text),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax;

    /// The issues of an expression, by column.
    #[track_caller]
    fn check(expr: &str, want: &[(i32, &str)]) {
        let ast = syntax::parse(expr).expect(expr);
        let issues = always_fails(&ast);
        let got: Vec<_> =
            issues.iter().map(|issue| (issue.location.column, issue.message.as_str())).collect();
        let matches = got.len() == want.len()
            && got.iter().zip(want).all(|(a, b)| a.0 == b.0 && a.1.contains(b.1));
        assert!(matches, "{expr}: {got:?}");
    }

    #[test]
    fn literals_that_do_not_parse() {
        check("ip('300.1.1.1') == ip(self.a)", &[(3, "parse error during conversion")]);
        check("ip('::ffff:1.2.3.4').family() == 4", &[(3, "IPv4-mapped")]);
        check("cidr('10.0.0.0').containsIP(self.a)", &[(5, "no '/'")]);
        check("cidr(self.a).containsIP('10.0')", &[(24, "IP Address \"10.0\"")]);
        check("cidr(self.a).containsCIDR('10.0')", &[(26, "no '/'")]);
        check("quantity('10Mx') == quantity('1')", &[(9, "always fails")]);
        check("semver('1.2') == semver('1.2', true)", &[(7, "always fails")]);
        check("semver('a', true) == semver('1.2', false)", &[(7, ""), (28, "")]);
        check("url('a b').getHost() == ''", &[(4, "parse")]);
        check(
            "format.named('foo').value().validate(self.a).hasValue()",
            &[(13, "no format `foo`")],
        );
        check("self.a / 0 > 1 && self.a % 0u > 1", &[(9, "by zero"), (27, "by zero")]);
        check("self.l.all(x, ip(x) == ip('1'))", &[(26, "")]);
    }

    #[test]
    fn calls_that_may_succeed() {
        for expr in [
            "ip('1.1.1.1') == ip(self.a) && cidr('10.0.0.0/8').containsIP('10.0.0.1')",
            "isIP('a') || isQuantity('a') || isURL('a') || isSemver('a')",
            "quantity('10Mi').isGreaterThan(quantity(self.a))",
            "url('/a').getEscapedPath() == '' && url('https://a/b#c').getHost() == 'a'",
            "format.named('dns1123Label').hasValue() && self.named('foo')",
            "self.a / 2.0 > 0.0 && self.a / 0.0 > 1.0 && 0 / self.a > 1",
            "semver('v1.0', true) == semver(self.a)",
            "self.ip('a') || self.quantity.url('a b')",
        ] {
            check(expr, &[]);
        }
    }
}

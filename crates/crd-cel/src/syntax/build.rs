//! Builds expressions from the recognized nodes: assigns ids, reads literals, expands macros.
//!
//! Ids are assigned and issues reported in the order of cel-go.
//!
//! Source: cel-go `parser/parser.go` (the visitor) and `parser/helper.go`.

use std::sync::Arc;

use super::ast::{Expr, ExprId, ExprKind, Literal, MapEntry, StructField};
use super::ids::{Abort, Ids};
use super::issue::{Issues, Location};
use super::macros;
use super::token::{Token, TokenKind};
use super::tree::{FieldName, NOWHERE, NodeId, Opt, Parts, Primary, Suffix, Tree};
use super::unescape::unescape;
use crate::escape::is_reserved;
use crate::minors::{Change, Environment};
use crate::parse_float;

/// The deepest nesting of an expression that is built, in levels.
///
/// Source: cel-go `parser/options.go`, `MaxRecursionDepth`.
const MAX_DEPTH: u32 = 250;

type Result<T> = std::result::Result<T, Abort>;

struct Builder<'t, 's> {
    trees: &'t [Tree<'s>],
    ids: Ids,
    depth: u32,
}

/// Builds the expression of a node.
pub(super) fn build(
    trees: &[Tree<'_>],
    root: NodeId,
    issues: Issues,
    environment: Environment,
) -> std::result::Result<(Expr, Vec<Option<u32>>), Issues> {
    let mut builder = Builder { trees, ids: Ids::new(issues, environment), depth: 0 };
    match builder.expr(Some(root)) {
        Ok(root) if builder.ids.issues.is_empty() => Ok((root, builder.ids.positions)),
        _ => Err(builder.ids.issues),
    }
}

impl<'s> Builder<'_, 's> {
    fn id_at(&mut self, token: Option<Token<'s>>) -> Result<ExprId> {
        self.ids.id(token.map(|token| token.offset))
    }

    fn deeper(&mut self, build: impl FnOnce(&mut Self) -> Result<Expr>) -> Result<Expr> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            self.ids.issues.report(Location::NONE, "max recursion depth exceeded");
            return Err(Abort);
        }
        let expr = build(self)?;
        self.depth -= 1;
        Ok(expr)
    }

    fn expr(&mut self, node: Option<NodeId>) -> Result<Expr> {
        let trees = self.trees;
        match node.and_then(|node| trees.get(node as usize)) {
            None => self.ids.hole(NOWHERE),
            Some(Tree::Hole(at)) => self.ids.hole(*at),
            Some(Tree::Conditional { cond, op, then, otherwise }) => self.deeper(|b| {
                let cond = b.expr(Some(*cond))?;
                let id = b.id_at(Some(*op))?;
                let then = b.expr(*then)?;
                let otherwise = b.expr(*otherwise)?;
                Ok(call(id, "_?_:_", vec![cond, then, otherwise]))
            }),
            Some(Tree::Logic { first, rest }) => self.logic(*first, rest),
            Some(Tree::Binary { left, op, right }) => self.deeper(|b| {
                let left = b.expr(Some(*left))?;
                let id = b.id_at(Some(*op))?;
                let right = b.expr(Some(*right))?;
                Ok(call(id, operator(op.kind), vec![left, right]))
            }),
            Some(Tree::Prefix { ops, member }) => {
                let Some(op) = ops.first().filter(|_| ops.len() % 2 == 1) else {
                    return self.expr(*member);
                };
                let id = self.id_at(Some(*op))?;
                let function = if op.kind == TokenKind::Exclam { "!_" } else { "-_" };
                let operand = self.expr(*member)?;
                Ok(call(id, function, vec![operand]))
            }
            Some(Tree::Suffix { operand, suffix, parts }) => self.deeper(|b| {
                let operand = b.expr(Some(*operand))?;
                b.suffix(operand, *suffix, parts)
            }),
            Some(Tree::Primary { primary, parts }) => self.primary(*primary, parts),
        }
    }

    /// Builds a balanced tree of the terms of `&&` or `||`, as cel-go does.
    fn logic(&mut self, first: NodeId, rest: &[(Token<'s>, NodeId)]) -> Result<Expr> {
        let function = rest.first().map_or("", |(op, _)| operator(op.kind));
        let mut terms = vec![Some(self.expr(Some(first))?)];
        let mut ids = Vec::with_capacity(rest.len());
        for (op, term) in rest {
            terms.push(Some(self.expr(Some(*term))?));
            ids.push(self.id_at(Some(*op))?);
        }
        self.balance(function, &mut terms, &ids, 0)
    }

    /// Joins terms by operators with these `ids`. `low` is the index of the first term.
    fn balance(
        &mut self,
        function: &str,
        terms: &mut [Option<Expr>],
        ids: &[ExprId],
        low: usize,
    ) -> Result<Expr> {
        let middle = ids.len() / 2;
        let (Some((&id, after)), before) = (
            ids.get(middle..).and_then(<[ExprId]>::split_first),
            ids.get(..middle).unwrap_or_default(),
        ) else {
            return match terms.get_mut(low).and_then(Option::take) {
                Some(term) => Ok(term),
                None => self.ids.hole(NOWHERE),
            };
        };
        let left = self.balance(function, terms, before, low)?;
        let right = self.balance(function, terms, after, low + middle + 1)?;
        Ok(call(id, function, vec![left, right]))
    }

    fn suffix(&mut self, operand: Expr, suffix: Suffix, parts: &Parts<'s>) -> Result<Expr> {
        match suffix {
            Suffix::Select => {
                let (Some(op), Some(field)) = (parts.op, parts.field) else {
                    return self.ids.hole(parts.start.offset);
                };
                let (FieldName::Plain(token)
                | FieldName::Escaped(token)
                | FieldName::Unknown(token)) = field;
                let name = self.field_name(Some(field), token);
                if parts.optional {
                    let id = self.id_at(Some(token))?;
                    let kind = ExprKind::Literal(Literal::String(name.into()));
                    let field = Expr { id, kind };
                    let id = self.id_at(Some(op))?;
                    return Ok(call(id, "_?._", vec![operand, field]));
                }
                let id = self.id_at(Some(op))?;
                let (operand, field) = (Box::new(operand), name.into());
                Ok(Expr { id, kind: ExprKind::Select { operand, field, test_only: false } })
            }
            Suffix::Call => {
                let Some(name) = parts.names.first() else {
                    return self.ids.hole(parts.start.offset);
                };
                let id = self.id_at(parts.op)?;
                let args = self.exprs(&parts.args)?;
                macros::expand(&mut self.ids, id, name.text, Some(operand), args)
            }
            Suffix::Index => {
                let Some(op) = parts.op else {
                    return self.ids.hole(parts.start.offset);
                };
                let id = self.id_at(Some(op))?;
                let index = self.expr(parts.args.first().copied())?;
                let function = if parts.optional { "_[?_]" } else { "_[_]" };
                Ok(call(id, function, vec![operand, index]))
            }
        }
    }

    fn primary(&mut self, primary: Primary, parts: &Parts<'s>) -> Result<Expr> {
        match primary {
            Primary::Ident | Primary::Call => {
                let Some(token) = parts.names.first() else {
                    return self.ids.hole(parts.start.offset);
                };
                if is_reserved(token.text) {
                    let message = format!("reserved identifier: {}", token.text);
                    self.ids.report(Some(parts.start.offset), &message);
                    return self.ids.hole(parts.start.offset);
                }
                let dot = if parts.lead.is_some() { "." } else { "" };
                let name = format!("{dot}{}", token.text);
                if primary == Primary::Ident {
                    let id = self.id_at(Some(*token))?;
                    return Ok(Expr { id, kind: ExprKind::Ident(name.into()) });
                }
                let id = self.id_at(parts.op)?;
                let args = self.exprs(&parts.args)?;
                macros::expand(&mut self.ids, id, &name, None, args)
            }
            Primary::List => {
                let id = self.id_at(parts.op)?;
                let mut elements = Vec::with_capacity(parts.elements.len());
                let mut optional = Vec::new();
                for (index, element) in (0..).zip(&parts.elements) {
                    elements.push(self.expr(element.of)?);
                    if element.optional {
                        optional.push(index);
                    }
                }
                Ok(Expr { id, kind: ExprKind::List { elements, optional } })
            }
            Primary::Map => {
                let id = self.id_at(parts.op)?;
                Ok(Expr { id, kind: ExprKind::Map(self.map_entries(parts)?) })
            }
            Primary::Message => {
                let names: Vec<&str> = parts.names.iter().map(|token| token.text).collect();
                let dot = if parts.lead.is_some() { "." } else { "" };
                let type_name = format!("{dot}{}", names.join(".")).into();
                let id = self.id_at(parts.op)?;
                let fields = self.message_fields(parts)?;
                Ok(Expr { id, kind: ExprKind::Struct { type_name, fields } })
            }
            Primary::Literal => self.literal(parts),
            Primary::Nested => self.expr(parts.args.first().copied()),
        }
    }

    fn exprs(&mut self, nodes: &[NodeId]) -> Result<Vec<Expr>> {
        nodes.iter().map(|node| self.expr(Some(*node))).collect()
    }

    fn map_entries(&mut self, parts: &Parts<'s>) -> Result<Vec<MapEntry>> {
        let mut entries = Vec::with_capacity(parts.colons.len());
        for (i, colon) in parts.colons.iter().enumerate() {
            let id = self.id_at(Some(*colon))?;
            let (Some(key), Some(value)) = (parts.elements.get(i), parts.values.get(i)) else {
                return Ok(Vec::new());
            };
            let Opt { optional, of } = *key;
            let key = self.expr(of)?;
            let value = self.expr(Some(*value))?;
            entries.push(MapEntry { id, key, value, optional });
        }
        Ok(entries)
    }

    fn message_fields(&mut self, parts: &Parts<'s>) -> Result<Vec<StructField>> {
        let mut fields = Vec::with_capacity(parts.fields.len());
        for (i, field) in parts.fields.iter().enumerate() {
            let (Some(colon), Some(value)) = (parts.colons.get(i), parts.values.get(i)) else {
                return Ok(Vec::new());
            };
            let id = self.id_at(Some(*colon))?;
            let issues = self.ids.issues.iter().count();
            let name = self.field_name(field.of, parts.entries.unwrap_or(parts.start)).into();
            if self.ids.issues.iter().count() > issues {
                continue;
            }
            let value = self.expr(Some(*value))?;
            fields.push(StructField { id, name, value, optional: field.optional });
        }
        Ok(fields)
    }

    /// The name of a field. Its errors are reported at `at`.
    fn field_name(&mut self, field: Option<FieldName<'s>>, at: Token<'s>) -> &'s str {
        match field {
            Some(FieldName::Plain(token)) => return token.text,
            Some(FieldName::Escaped(token))
                if self.ids.environment.version.has(Change::EscapedIdentifiers) =>
            {
                return token.text.trim_matches('`');
            }
            Some(FieldName::Escaped(_)) => {
                self.ids.report(Some(at.offset), "unsupported syntax: '`'");
            }
            Some(FieldName::Unknown(_)) | None => {
                self.ids.report(Some(at.offset), "unsupported ident kind");
            }
        }
        ""
    }

    fn literal(&mut self, parts: &Parts<'s>) -> Result<Expr> {
        let Some(token) = parts.names.first() else {
            return self.ids.hole(parts.start.offset);
        };
        let at = Some(parts.start.offset);
        let literal = match literal(token, parts.lead.is_some()) {
            Ok(literal) => literal,
            Err(message) => {
                self.ids.report(at, message);
                Literal::Null
            }
        };
        Ok(Expr { id: self.ids.id(at)?, kind: ExprKind::Literal(literal) })
    }
}

/// A call of an operator or a function.
fn call(id: ExprId, function: &str, args: Vec<Expr>) -> Expr {
    Expr { id, kind: ExprKind::Call { target: None, function: function.into(), args } }
}

/// The function behind an operator between two operands.
fn operator(kind: TokenKind) -> &'static str {
    match kind {
        TokenKind::Equals => "_==_",
        TokenKind::NotEquals => "_!=_",
        TokenKind::In => "@in",
        TokenKind::Less => "_<_",
        TokenKind::LessEquals => "_<=_",
        TokenKind::GreaterEquals => "_>=_",
        TokenKind::Greater => "_>_",
        TokenKind::And => "_&&_",
        TokenKind::Or => "_||_",
        TokenKind::Plus => "_+_",
        TokenKind::Minus => "_-_",
        TokenKind::Star => "_*_",
        TokenKind::Slash => "_/_",
        _ => "_%_",
    }
}

fn literal(token: &Token<'_>, negative: bool) -> std::result::Result<Literal, &'static str> {
    let signed = |digits: &str| format!("{}{digits}", if negative { "-" } else { "" });
    match token.kind {
        TokenKind::Int => {
            let (radix, digits) = digits(token.text);
            let value = i64::from_str_radix(&signed(digits), radix);
            value.map(Literal::Int).map_err(|_| "invalid int literal")
        }
        TokenKind::Uint => {
            let (radix, digits) = digits(token.text.trim_end_matches(['u', 'U']));
            let value = u64::from_str_radix(digits, radix);
            value.map(Literal::Uint).map_err(|_| "invalid uint literal")
        }
        TokenKind::Float => {
            let value = parse_float::parse(&signed(token.text));
            value.map(Literal::Double).ok_or("invalid double literal")
        }
        TokenKind::String => {
            let value = String::from_utf8(unescape(token.text, false)?);
            Ok(Literal::String(value.unwrap_or_default().into()))
        }
        TokenKind::Bytes => {
            let text = token.text.get(1..).unwrap_or_default();
            Ok(Literal::Bytes(Arc::from(unescape(text, true)?)))
        }
        TokenKind::True => Ok(Literal::Bool(true)),
        TokenKind::False => Ok(Literal::Bool(false)),
        _ => Ok(Literal::Null),
    }
}

fn digits(text: &str) -> (u32, &str) {
    text.strip_prefix("0x").map_or((10, text), |digits| (16, digits))
}

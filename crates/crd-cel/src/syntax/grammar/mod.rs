//! The rules of the grammar. Each is a function that matches the rule's tokens and chooses between its
//! alternatives.
//!
//! The rules, their names and the numbers of their states are those of cel-go's grammar, because
//! error texts depend on them.
//!
//! Source: cel-go `parser/gen/CEL.g4` and the parser ANTLR 4 generates from it.

mod member;

use super::recognizer::{Fail, GrammarRule, Operators, Recognizer, Result};
use super::token::{Token, TokenKind, TokenSet};
use super::tree::{NodeId, Tree};
use member::member;

const RELATIONS: TokenSet = TokenSet::of(&[
    TokenKind::Equals,
    TokenKind::NotEquals,
    TokenKind::In,
    TokenKind::Less,
    TokenKind::LessEquals,
    TokenKind::GreaterEquals,
    TokenKind::Greater,
]);
const PRODUCTS: TokenSet = TokenSet::of(&[TokenKind::Star, TokenKind::Slash, TokenKind::Percent]);
const SUMS: TokenSet = TokenSet::of(&[TokenKind::Plus, TokenKind::Minus]);
const SUFFIXES: TokenSet = TokenSet::of(&[TokenKind::Dot, TokenKind::LeftBracket]);
const LITERAL: TokenSet = TokenSet::of(&[
    TokenKind::Minus,
    TokenKind::True,
    TokenKind::False,
    TokenKind::Null,
    TokenKind::Float,
    TokenKind::Int,
    TokenKind::Uint,
    TokenKind::String,
    TokenKind::Bytes,
]);
const PRIMARY: TokenSet = TokenSet::of(&[
    TokenKind::LeftBracket,
    TokenKind::LeftBrace,
    TokenKind::LeftParen,
    TokenKind::Dot,
    TokenKind::Ident,
])
.or(LITERAL);
const EXPR: TokenSet = PRIMARY.or(TokenSet::of(&[TokenKind::Exclam]));
const QUESTION: TokenSet = TokenSet::of(&[TokenKind::Question]);
const OPT_EXPR: TokenSet = EXPR.or(QUESTION);
const FIELD: TokenSet = TokenSet::of(&[TokenKind::Ident, TokenKind::EscapedIdent]);
const OPT_FIELD: TokenSet = FIELD.or(QUESTION);
const NUMBER: TokenSet = TokenSet::of(&[TokenKind::Int, TokenKind::Float]);
const COLON: TokenSet = TokenSet::of(&[TokenKind::Colon]);
const COMMA: TokenSet = TokenSet::of(&[TokenKind::Comma]);

/// `items` or the end of the rule.
const fn or_end(items: TokenSet) -> TokenSet {
    items.or(TokenSet::END)
}

/// Parses the whole text.
pub(super) fn start(p: &mut Recognizer<'_>) -> Result<NodeId> {
    p.enter(GrammarRule::Start, TokenSet::END)?;
    let root = expr(p, TokenSet::of(&[TokenKind::Eof]))?;
    let end = p.expect(35, TokenKind::Eof, TokenSet::END).map(drop);
    p.exit(GrammarRule::Start, end)?;
    Ok(root)
}

fn expr(p: &mut Recognizer<'_>, follow: TokenSet) -> Result<NodeId> {
    p.enter(GrammarRule::Expr, follow)?;
    let mut node = operators(p, or_end(QUESTION))?;
    let mut result = Ok(());
    if p.peek()? == TokenKind::Question {
        result = conditional(p, &mut node);
    }
    p.exit(GrammarRule::Expr, result)?;
    Ok(node)
}

/// Reads `? then : otherwise` after the condition `node`.
fn conditional(p: &mut Recognizer<'_>, node: &mut NodeId) -> Result<()> {
    let (cond, op) = (*node, p.take(38)?);
    let then = Some(operators(p, COLON)?);
    *node = p.push(Tree::Conditional { cond, op, then, otherwise: None });
    p.expect(40, TokenKind::Colon, EXPR)?;
    let branch = expr(p, TokenSet::END)?;
    if let Some(Tree::Conditional { otherwise, .. }) = p.trees.get_mut(*node as usize) {
        *otherwise = Some(branch);
    }
    Ok(())
}

/// Parses binary operators and their operands: the rules `conditionalOr`, `conditionalAnd`,
/// `relation` and `calc`. Only their operands can fail.
///
/// These rules are kept on an explicit stack, because a function for each would double the machine
/// stack that nested parentheses take.
fn operators(p: &mut Recognizer<'_>, follow: TokenSet) -> Result<NodeId> {
    let floor = p.pending.len();
    open(p, GrammarRule::Or, 0, follow)?;
    loop {
        let mut operand = unary(p, or_end(PRODUCTS.or(SUMS)))?;
        while !next_operator(p, operand)? {
            let Some(over) = p.pending.pop() else { return Err(Fail::Abort) };
            p.exit(over.rule, Ok(()))?;
            let left = over.left.unwrap_or(operand);
            operand = if over.rest.is_empty() {
                left
            } else {
                p.push(Tree::Logic { first: left, rest: over.rest })
            };
            if p.pending.len() == floor {
                return Ok(operand);
            }
        }
    }
}

/// Enters `rule`, and the rules of its first operand down to `calc`.
fn open(p: &mut Recognizer<'_>, rule: GrammarRule, precedence: u8, follow: TokenSet) -> Result<()> {
    let (mut rule, mut precedence, mut follow) = (rule, precedence, follow);
    loop {
        p.enter(rule, follow)?;
        p.pending.push(Operators { rule, precedence, left: None, op: None, rest: Vec::new() });
        (rule, follow) = match rule {
            GrammarRule::Or => (GrammarRule::And, or_end(TokenSet::of(&[TokenKind::Or]))),
            GrammarRule::And => (GrammarRule::Relation, or_end(TokenSet::of(&[TokenKind::And]))),
            GrammarRule::Relation => (GrammarRule::Calc, or_end(RELATIONS)),
            _ => return Ok(()),
        };
        precedence = 0;
    }
}

/// Adds an operand to the innermost rule. If an operator of this rule follows, takes it, enters the
/// rules of its right operand, and returns true.
fn next_operator(p: &mut Recognizer<'_>, operand: NodeId) -> Result<bool> {
    let next = p.peek()?;
    let (node, trees) = (NodeId::try_from(p.trees.len()), &mut p.trees);
    let Some(top) = p.pending.last_mut() else { return Ok(false) };
    match (top.left, top.op.take()) {
        (Some(_), Some(op)) if matches!(top.rule, GrammarRule::Or | GrammarRule::And) => {
            top.rest.push((op, operand));
        }
        (Some(left), Some(op)) => {
            trees.push(Tree::Binary { left, op, right: operand });
            top.left = node.ok();
        }
        _ => top.left = Some(operand),
    }
    let (rule, precedence, follow) = match (top.rule, top.precedence) {
        (GrammarRule::Or, _) if next == TokenKind::Or => {
            (GrammarRule::And, 0, or_end(TokenSet::of(&[TokenKind::Or])))
        }
        (GrammarRule::And, _) if next == TokenKind::And => {
            (GrammarRule::Relation, 0, or_end(TokenSet::of(&[TokenKind::And])))
        }
        (GrammarRule::Relation, 0..=1) if RELATIONS.has(next) => {
            (GrammarRule::Relation, 2, or_end(RELATIONS))
        }
        (GrammarRule::Calc, 0..=2) if PRODUCTS.has(next) => {
            (GrammarRule::Calc, 3, or_end(PRODUCTS.or(SUMS)))
        }
        (GrammarRule::Calc, 0..=1) if SUMS.has(next) => {
            (GrammarRule::Calc, 2, or_end(PRODUCTS.or(SUMS)))
        }
        _ => return Ok(false),
    };
    let op = p.take(65)?;
    if let Some(top) = p.pending.last_mut() {
        top.op = Some(op);
    }
    open(p, rule, precedence, follow)?;
    Ok(true)
}

fn unary(p: &mut Recognizer<'_>, follow: TokenSet) -> Result<NodeId> {
    p.enter(GrammarRule::Unary, follow)?;
    let start = p.token(0)?.offset;
    let mut ops = Vec::new();
    let mut result = prefixes(p, &mut ops);
    let mut operand = None;
    if result.is_ok() {
        operand = Some(member(p, TokenSet::END)?);
    } else if let Err(Fail::Abort) = result {
        return Err(Fail::Abort);
    }
    p.exit(GrammarRule::Unary, std::mem::replace(&mut result, Ok(())))?;
    Ok(match operand {
        Some(operand) if ops.is_empty() => operand,
        None if ops.is_empty() => p.push(Tree::Hole(start)),
        member => p.push(Tree::Prefix { ops, member }),
    })
}

/// Takes the prefix operators of an operand.
fn prefixes<'s>(p: &mut Recognizer<'s>, ops: &mut Vec<Token<'s>>) -> Result<()> {
    p.sync(99, EXPR)?;
    match p.peek()? {
        TokenKind::Exclam => {
            while p.peek()? == TokenKind::Exclam {
                ops.push(p.take(87)?);
                p.sync_loop(90, EXPR)?;
            }
            Ok(())
        }
        TokenKind::Minus if !sign(p)? => loop {
            ops.push(p.take(93)?);
            p.sync_loop(96, PRIMARY)?;
            if !negates_again(p)? {
                return Ok(());
            }
        },
        kind if PRIMARY.has(kind) => Ok(()),
        _ => Err(Fail::NoViable { start: p.position(), end: p.position() }),
    }
}

/// Whether the `-` that comes next is the sign of a literal.
fn sign(p: &mut Recognizer<'_>) -> Result<bool> {
    let start = p.position();
    let next = p.peek_at(1)?;
    // Upstream: `-1` matches as a literal and as a negated literal. The literal wins, because it is
    // the first alternative.
    if NUMBER.has(next) || PRIMARY.has(next) {
        Ok(NUMBER.has(next))
    } else {
        Err(Fail::NoViable { start, end: start + 1 })
    }
}

/// Whether the next token is another `-`, rather than the operand.
fn negates_again(p: &mut Recognizer<'_>) -> Result<bool> {
    let start = p.position();
    if p.peek()? == TokenKind::Minus {
        return if PRIMARY.has(p.peek_at(1)?) {
            Ok(true)
        } else {
            Err(Fail::NoViable { start, end: start + 1 })
        };
    }
    if PRIMARY.has(p.peek()?) { Ok(false) } else { Err(Fail::NoViable { start, end: start }) }
}

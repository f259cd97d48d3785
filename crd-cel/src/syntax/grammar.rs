//! The grammar's rules, each a function: what a rule consists of, and how it chooses.
//!
//! The rules, their names and the numbers of their places are those of cel-go's grammar, because
//! error texts depend on them.
//!
//! Source: cel-go `parser/gen/CEL.g4` and the parser ANTLR 4 generates from it.

use super::recognizer::{Fail, Recognizer, Result, Rule};
use super::token::{Kind, Set, Token};
use super::tree::{Field, NodeId, Opt, Parts, Primary, Suffix, Tree};

const RELATIONS: Set = Set::of(&[
    Kind::Equals,
    Kind::NotEquals,
    Kind::In,
    Kind::Less,
    Kind::LessEquals,
    Kind::GreaterEquals,
    Kind::Greater,
]);
const PRODUCTS: Set = Set::of(&[Kind::Star, Kind::Slash, Kind::Percent]);
const SUMS: Set = Set::of(&[Kind::Plus, Kind::Minus]);
const SUFFIXES: Set = Set::of(&[Kind::Dot, Kind::LeftBracket]);
const LITERAL: Set = Set::of(&[
    Kind::Minus,
    Kind::True,
    Kind::False,
    Kind::Null,
    Kind::Float,
    Kind::Int,
    Kind::Uint,
    Kind::String,
    Kind::Bytes,
]);
const PRIMARY: Set =
    Set::of(&[Kind::LeftBracket, Kind::LeftBrace, Kind::LeftParen, Kind::Dot, Kind::Ident])
        .or(LITERAL);
const EXPR: Set = PRIMARY.or(Set::of(&[Kind::Exclam]));
const QUESTION: Set = Set::of(&[Kind::Question]);
const OPT_EXPR: Set = EXPR.or(QUESTION);
const FIELD: Set = Set::of(&[Kind::Ident, Kind::EscapedIdent]);
const OPT_FIELD: Set = FIELD.or(QUESTION);
const NUMBER: Set = Set::of(&[Kind::Int, Kind::Float]);
const COLON: Set = Set::of(&[Kind::Colon]);
const COMMA: Set = Set::of(&[Kind::Comma]);

/// `items` or the end of the rule.
const fn or_end(items: Set) -> Set {
    items.or(Set::END)
}

/// Parses the whole text.
pub(super) fn start(p: &mut Recognizer<'_>) -> Result<NodeId> {
    p.enter(Rule::Start, Set::END)?;
    let root = expr(p, Set::of(&[Kind::Eof]))?;
    let end = p.expect(35, Kind::Eof, Set::END).map(drop);
    p.exit(Rule::Start, end)?;
    Ok(root)
}

fn expr(p: &mut Recognizer<'_>, follow: Set) -> Result<NodeId> {
    p.enter(Rule::Expr, follow)?;
    let cond = logic(p, Rule::Or, or_end(QUESTION))?;
    if p.peek()? != Kind::Question {
        p.exit(Rule::Expr, Ok(()))?;
        return Ok(cond);
    }
    let op = p.take(38)?;
    let then = Some(logic(p, Rule::Or, COLON)?);
    let mut otherwise = None;
    let colon = p.expect(40, Kind::Colon, EXPR).map(drop);
    if colon.is_ok() {
        otherwise = Some(expr(p, Set::END)?);
    }
    p.exit(Rule::Expr, colon)?;
    Ok(p.push(Tree::Conditional { cond, op, then, otherwise }))
}

/// `conditionalOr` and `conditionalAnd`, which cannot fail by themselves.
fn logic(p: &mut Recognizer<'_>, rule: Rule, follow: Set) -> Result<NodeId> {
    p.enter(rule, follow)?;
    let op = if rule == Rule::Or { Kind::Or } else { Kind::And };
    let term = |p: &mut Recognizer<'_>| {
        let follow = or_end(Set::of(&[op]));
        if rule == Rule::Or { logic(p, Rule::And, follow) } else { relation(p, 0, follow) }
    };
    let first = term(p)?;
    let mut rest = Vec::new();
    while p.peek()? == op {
        let op = p.take(46)?;
        rest.push((op, term(p)?));
    }
    p.exit(rule, Ok(()))?;
    Ok(if rest.is_empty() { first } else { p.push(Tree::Logic { first, rest }) })
}

/// An operand and operators that bind at least as tight as `precedence`.
fn relation(p: &mut Recognizer<'_>, precedence: u8, follow: Set) -> Result<NodeId> {
    p.enter(Rule::Relation, follow)?;
    let mut left = calc(p, 0, or_end(RELATIONS))?;
    while precedence <= 1 && RELATIONS.has(p.peek()?) {
        let op = p.take(65)?;
        let right = relation(p, 2, or_end(RELATIONS))?;
        left = p.push(Tree::Binary { left, op, right });
    }
    p.exit(Rule::Relation, Ok(()))?;
    Ok(left)
}

fn calc(p: &mut Recognizer<'_>, precedence: u8, follow: Set) -> Result<NodeId> {
    const FOLLOW: Set = or_end(PRODUCTS.or(SUMS));
    p.enter(Rule::Calc, follow)?;
    let mut left = unary(p, FOLLOW)?;
    loop {
        let kind = p.peek()?;
        let (state, right) = match kind {
            _ if PRODUCTS.has(kind) && precedence <= 2 => (76, 3),
            _ if SUMS.has(kind) && precedence <= 1 => (79, 2),
            _ => break,
        };
        let op = p.take(state)?;
        let right = calc(p, right, FOLLOW)?;
        left = p.push(Tree::Binary { left, op, right });
    }
    p.exit(Rule::Calc, Ok(()))?;
    Ok(left)
}

fn unary(p: &mut Recognizer<'_>, follow: Set) -> Result<NodeId> {
    p.enter(Rule::Unary, follow)?;
    let mut ops = Vec::new();
    let mut operand = None;
    let result = unary_parts(p, &mut ops, &mut operand);
    p.exit(Rule::Unary, result)?;
    Ok(match operand {
        Some(operand) if ops.is_empty() => operand,
        None if ops.is_empty() => p.push(Tree::Hole),
        member => p.push(Tree::Prefix { ops, member }),
    })
}

fn unary_parts<'s>(
    p: &mut Recognizer<'s>,
    ops: &mut Vec<Token<'s>>,
    operand: &mut Option<NodeId>,
) -> Result<()> {
    p.sync(99, EXPR)?;
    match p.peek()? {
        Kind::Exclam => {
            while p.peek()? == Kind::Exclam {
                ops.push(p.take(87)?);
                p.sync_loop(90, EXPR)?;
            }
        }
        Kind::Minus if !sign(p)? => loop {
            ops.push(p.take(93)?);
            p.sync_loop(96, PRIMARY)?;
            if !negates_again(p)? {
                break;
            }
        },
        kind if PRIMARY.has(kind) => {}
        _ => return Err(Fail::NoViable { start: p.position(), end: p.position() }),
    }
    *operand = Some(member(p, Set::END)?);
    Ok(())
}

/// Whether the `-` that comes next is the sign of a literal.
fn sign(p: &mut Recognizer<'_>) -> Result<bool> {
    let start = p.position();
    let next = p.token(1)?.kind;
    if !NUMBER.has(next) {
        return if PRIMARY.has(next) {
            Ok(false)
        } else {
            Err(Fail::NoViable { start, end: start + 1 })
        };
    }
    // Upstream: `-1` is a literal and a negated literal. ANTLR decides once it has seen all of the
    // operand and what follows it, and an error up to there is an error of this choice.
    let after = p.token(2)?.kind;
    if !SUFFIXES.has(after) && p.in_context(Set::END).has(after) {
        return Ok(true);
    }
    match p.try_out(|p| member(p, Set::END).map(drop))? {
        Some(end) => Err(Fail::NoViable { start, end }),
        None => Ok(true),
    }
}

/// Whether the next token is another `-`, rather than the operand.
fn negates_again(p: &mut Recognizer<'_>) -> Result<bool> {
    let start = p.position();
    if p.peek()? == Kind::Minus {
        return if PRIMARY.has(p.token(1)?.kind) {
            Ok(true)
        } else {
            Err(Fail::NoViable { start, end: start + 1 })
        };
    }
    if PRIMARY.has(p.peek()?) { Ok(false) } else { Err(Fail::NoViable { start, end: start }) }
}

fn member(p: &mut Recognizer<'_>, follow: Set) -> Result<NodeId> {
    p.enter(Rule::Member, follow)?;
    let mut operand = primary(p)?;
    let mut result = Ok(());
    while result.is_ok() && SUFFIXES.has(p.peek()?) {
        // Upstream: a left-recursive rule leaves and enters itself for each suffix.
        p.shallow(Rule::Member);
        let mut parts = Parts::new(p.token(0)?);
        match choose_suffix(p) {
            Ok(suffix) => {
                p.deepen(Rule::Member)?;
                result = suffix_parts(p, suffix, &mut parts);
                operand = p.push(Tree::Suffix { operand, suffix, parts });
            }
            Err(fail) => result = Err(fail),
        }
    }
    p.exit(Rule::Member, result)?;
    Ok(operand)
}

fn choose_suffix(p: &mut Recognizer<'_>) -> Result<Suffix> {
    p.at(126);
    if p.peek()? == Kind::LeftBracket {
        return Ok(Suffix::Index);
    }
    match p.token(1)?.kind {
        Kind::Ident if p.token(2)?.kind == Kind::LeftParen => Ok(Suffix::Call),
        kind if OPT_FIELD.has(kind) => Ok(Suffix::Select),
        _ => Err(Fail::NoViable { start: p.position(), end: p.position() + 1 }),
    }
}

fn suffix_parts<'s>(p: &mut Recognizer<'s>, suffix: Suffix, parts: &mut Parts<'s>) -> Result<()> {
    match suffix {
        Suffix::Select => {
            parts.op = Some(p.take(105)?);
            parts.optional = question(p, 107, OPT_FIELD)?;
            parts.field = Some(escape_ident(p, or_end(SUFFIXES))?);
        }
        Suffix::Call => {
            p.take(111)?;
            parts.names.push(p.take(112)?);
            parts.op = Some(p.take(113)?);
            arguments(p, [115, 117], parts)?;
        }
        Suffix::Index => {
            parts.op = Some(p.take(119)?);
            parts.optional = question(p, 121, OPT_EXPR)?;
            parts.args.push(expr(p, Set::of(&[Kind::RightBracket]))?);
            p.expect(124, Kind::RightBracket, or_end(SUFFIXES))?;
        }
    }
    Ok(())
}

/// Takes a `?` if it is there.
fn question(p: &mut Recognizer<'_>, state: u16, next: Set) -> Result<bool> {
    p.sync(state, next)?;
    let there = p.peek()? == Kind::Question;
    if there {
        p.take(state)?;
    }
    Ok(there)
}

/// Arguments and the closing parenthesis.
fn arguments<'s>(p: &mut Recognizer<'s>, states: [u16; 2], parts: &mut Parts<'s>) -> Result<()> {
    const CLOSE: Set = Set::of(&[Kind::RightParen]);
    let [before, close] = states;
    p.sync(before, EXPR.or(CLOSE))?;
    if EXPR.has(p.peek()?) {
        p.enter(Rule::ExprList, CLOSE)?;
        parts.args.push(expr(p, or_end(COMMA))?);
        while p.peek()? == Kind::Comma {
            p.take(187)?;
            parts.args.push(expr(p, or_end(COMMA))?);
        }
        p.exit(Rule::ExprList, Ok(()))?;
    }
    p.expect(close, Kind::RightParen, or_end(SUFFIXES)).map(drop)
}

fn primary(p: &mut Recognizer<'_>) -> Result<NodeId> {
    p.enter(Rule::Primary, or_end(SUFFIXES))?;
    let mut parts = Parts::new(p.token(0)?);
    let mut chosen = None;
    let result = match choose_primary(p) {
        Ok(primary) => {
            chosen = Some(primary);
            primary_parts(p, primary, &mut parts)
        }
        Err(fail) => Err(fail),
    };
    p.exit(Rule::Primary, result)?;
    Ok(match (chosen, parts.args.as_slice()) {
        (Some(Primary::Nested), [inner]) => *inner,
        (Some(Primary::Nested) | None, _) => p.push(Tree::Hole),
        (Some(primary), _) => p.push(Tree::Primary { primary, parts }),
    })
}

fn choose_primary(p: &mut Recognizer<'_>) -> Result<Primary> {
    p.sync(184, PRIMARY)?;
    let start = p.position();
    let mut at = 0;
    match p.peek()? {
        Kind::LeftParen => return Ok(Primary::Nested),
        Kind::LeftBracket => return Ok(Primary::List),
        Kind::LeftBrace => return Ok(Primary::Map),
        Kind::Dot => at = 1,
        Kind::Ident => {}
        kind if LITERAL.has(kind) => return Ok(Primary::Literal),
        _ => return Err(Fail::NoViable { start, end: start }),
    }
    if p.token(at)?.kind != Kind::Ident {
        return Err(Fail::NoViable { start, end: start + at });
    }
    if p.token(at + 1)?.kind == Kind::LeftParen {
        return Ok(Primary::Call);
    }
    // A dotted name is a message type only if a brace ends it.
    while p.token(at + 1)?.kind == Kind::Dot && p.token(at + 2)?.kind == Kind::Ident {
        at += 2;
    }
    Ok(if p.token(at + 1)?.kind == Kind::LeftBrace { Primary::Message } else { Primary::Ident })
}

fn primary_parts<'s>(
    p: &mut Recognizer<'s>,
    primary: Primary,
    parts: &mut Parts<'s>,
) -> Result<()> {
    const BRACKET: Set = Set::of(&[Kind::RightBracket]);
    const BRACE: Set = Set::of(&[Kind::RightBrace]);
    match primary {
        Primary::Ident | Primary::Call | Primary::Message => {
            if p.peek()? == Kind::Dot {
                parts.lead = Some(p.take(131)?);
            }
            parts.names.push(p.take(134)?);
            if primary == Primary::Call {
                parts.op = Some(p.take(139)?);
                arguments(p, [141, 143], parts)?;
            }
            if primary == Primary::Message {
                while p.peek()? == Kind::Dot {
                    p.take(168)?;
                    parts.names.push(p.take(169)?);
                }
                parts.op = Some(p.take(175)?);
                p.sync(177, OPT_FIELD.or(COMMA).or(BRACE))?;
                if OPT_FIELD.has(p.peek()?) {
                    entries(p, Rule::FieldInit, parts)?;
                }
                close(p, [180, 182], Kind::RightBrace)?;
            }
        }
        Primary::Nested => {
            p.take(144)?;
            parts.args.push(expr(p, Set::of(&[Kind::RightParen]))?);
            p.expect(146, Kind::RightParen, or_end(SUFFIXES))?;
        }
        Primary::List => {
            parts.op = Some(p.take(148)?);
            p.sync(150, OPT_EXPR.or(COMMA).or(BRACKET))?;
            if OPT_EXPR.has(p.peek()?) {
                p.enter(Rule::ListInit, COMMA.or(BRACKET))?;
                parts.elements.push(opt_expr(p, or_end(COMMA))?);
                while goes_on(p, OPT_EXPR)? {
                    p.take(195)?;
                    parts.elements.push(opt_expr(p, or_end(COMMA))?);
                }
                p.exit(Rule::ListInit, Ok(()))?;
            }
            close(p, [153, 155], Kind::RightBracket)?;
        }
        Primary::Map => {
            parts.op = Some(p.take(156)?);
            p.sync(158, OPT_EXPR.or(COMMA).or(BRACE))?;
            if OPT_EXPR.has(p.peek()?) {
                entries(p, Rule::MapInit, parts)?;
            }
            close(p, [161, 163], Kind::RightBrace)?;
        }
        Primary::Literal => literal(p, parts)?,
    }
    Ok(())
}

/// Whether a comma that comes next is followed by one of `next`, rather than being the last.
fn goes_on(p: &mut Recognizer<'_>, next: Set) -> Result<bool> {
    Ok(p.peek()? == Kind::Comma && next.has(p.token(1)?.kind))
}

/// A last comma, if any, and the closing bracket.
fn close(p: &mut Recognizer<'_>, states: [u16; 2], bracket: Kind) -> Result<()> {
    let [comma, end] = states;
    p.sync(comma, COMMA.or(Set::of(&[bracket])))?;
    if p.peek()? == Kind::Comma {
        p.take(comma)?;
    }
    p.expect(end, bracket, or_end(SUFFIXES)).map(drop)
}

/// The entries of a map or of a message.
fn entries<'s>(p: &mut Recognizer<'s>, rule: Rule, parts: &mut Parts<'s>) -> Result<()> {
    p.enter(rule, Set::of(&[Kind::Comma, Kind::RightBrace]))?;
    parts.entries = Some(p.token(0)?);
    let result = entry_parts(p, rule, parts);
    p.exit(rule, result)
}

fn entry_parts<'s>(p: &mut Recognizer<'s>, rule: Rule, parts: &mut Parts<'s>) -> Result<()> {
    let map = rule == Rule::MapInit;
    let (mut state, next) = if map { (221, OPT_EXPR) } else { (203, OPT_FIELD) };
    loop {
        if map {
            parts.elements.push(opt_expr(p, COLON)?);
        } else {
            parts.fields.push(opt_field(p)?);
        }
        parts.colons.push(p.expect(state, Kind::Colon, EXPR)?);
        parts.values.push(expr(p, or_end(COMMA))?);
        if !goes_on(p, next)? {
            return Ok(());
        }
        p.take(223)?;
        state = if map { 225 } else { 207 };
    }
}

fn opt_expr(p: &mut Recognizer<'_>, follow: Set) -> Result<Opt<NodeId>> {
    p.enter(Rule::OptExpr, follow)?;
    let mut element = Opt { optional: false, of: None };
    let result = match question(p, 238, OPT_EXPR) {
        Ok(optional) => {
            element = Opt { optional, of: Some(expr(p, Set::END)?) };
            Ok(())
        }
        Err(fail) => Err(fail),
    };
    p.exit(Rule::OptExpr, result)?;
    Ok(element)
}

fn opt_field<'s>(p: &mut Recognizer<'s>) -> Result<Opt<Field<'s>>> {
    p.enter(Rule::OptField, COLON)?;
    let mut field = Opt { optional: false, of: None };
    let result = match question(p, 216, OPT_FIELD) {
        Ok(optional) => {
            field = Opt { optional, of: Some(escape_ident(p, Set::END)?) };
            Ok(())
        }
        Err(fail) => Err(fail),
    };
    p.exit(Rule::OptField, result)?;
    Ok(field)
}

fn escape_ident<'s>(p: &mut Recognizer<'s>, follow: Set) -> Result<Field<'s>> {
    p.enter(Rule::EscapeIdent, follow)?;
    let mut field = Field::Unknown(p.token(0)?);
    let result = match p.sync(235, FIELD) {
        Ok(()) => match p.peek()? {
            Kind::Ident => {
                field = Field::Plain(p.take(233)?);
                Ok(())
            }
            Kind::EscapedIdent => {
                field = Field::Escaped(p.take(234)?);
                Ok(())
            }
            _ => Err(Fail::NoViable { start: p.position(), end: p.position() }),
        },
        Err(fail) => Err(fail),
    };
    p.exit(Rule::EscapeIdent, result)?;
    Ok(field)
}

fn literal<'s>(p: &mut Recognizer<'s>, parts: &mut Parts<'s>) -> Result<()> {
    p.enter(Rule::Literal, Set::END)?;
    let result = literal_parts(p, parts);
    p.exit(Rule::Literal, result)
}

fn literal_parts<'s>(p: &mut Recognizer<'s>, parts: &mut Parts<'s>) -> Result<()> {
    p.sync(256, LITERAL)?;
    if p.peek()? == Kind::Minus {
        if !NUMBER.has(p.token(1)?.kind) {
            return Err(Fail::NoViable { start: p.position(), end: p.position() + 1 });
        }
        parts.lead = Some(p.take(242)?);
    }
    parts.names.push(p.take(245)?);
    Ok(())
}

//! The grammar's rules, each a function: what a rule consists of, and how it chooses.
//!
//! The rules, their names and the numbers of their places are those of cel-go's grammar, because
//! error texts depend on them.
//!
//! Source: cel-go `parser/gen/CEL.g4` and the parser ANTLR 4 generates from it.

use super::recognizer::{Fail, Recognizer, Result, Rule, State};
use super::token::{Kind, Set, Token};
use super::tree::{Field, NOWHERE, NodeId, Operators, Opt, Parts, Primary, Suffix, Tree};

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
    let mut node = operators(p, or_end(QUESTION))?;
    let mut result = Ok(());
    if p.peek()? == Kind::Question {
        result = conditional(p, &mut node);
    }
    p.exit(Rule::Expr, result)?;
    Ok(node)
}

/// `? then : otherwise` behind the condition that `node` is.
fn conditional(p: &mut Recognizer<'_>, node: &mut NodeId) -> Result<()> {
    let (cond, op) = (*node, p.take(38)?);
    let then = Some(operators(p, COLON)?);
    *node = p.push(Tree::Conditional { cond, op, then, otherwise: None });
    p.expect(40, Kind::Colon, EXPR)?;
    let branch = expr(p, Set::END)?;
    if let Some(Tree::Conditional { otherwise, .. }) = p.trees.get_mut(*node as usize) {
        *otherwise = Some(branch);
    }
    Ok(())
}

/// Operands and the operators between them: the rules `conditionalOr`, `conditionalAnd`, `relation`
/// and `calc`, none of which can fail by itself.
///
/// They are kept on a stack of our own, because a function for each would double the machine stack
/// that nested parentheses take.
fn operators(p: &mut Recognizer<'_>, follow: Set) -> Result<NodeId> {
    let floor = p.pending.len();
    open(p, Rule::Or, 0, follow)?;
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

/// Enters `rule` and, down to `calc`, the rules that its first operand is.
fn open(p: &mut Recognizer<'_>, rule: Rule, precedence: u8, follow: Set) -> Result<()> {
    let (mut rule, mut precedence, mut follow) = (rule, precedence, follow);
    loop {
        p.enter(rule, follow)?;
        p.pending.push(Operators { rule, precedence, left: None, op: None, rest: Vec::new() });
        (rule, follow) = match rule {
            Rule::Or => (Rule::And, or_end(Set::of(&[Kind::Or]))),
            Rule::And => (Rule::Relation, or_end(Set::of(&[Kind::And]))),
            Rule::Relation => (Rule::Calc, or_end(RELATIONS)),
            _ => return Ok(()),
        };
        precedence = 0;
    }
}

/// Gives the innermost rule its operand. Whether an operator of this rule follows; if so, it is taken
/// and the rules of its right operand are entered.
fn next_operator(p: &mut Recognizer<'_>, operand: NodeId) -> Result<bool> {
    let next = p.peek()?;
    let (node, trees) = (NodeId::try_from(p.trees.len()), &mut p.trees);
    let Some(top) = p.pending.last_mut() else { return Ok(false) };
    match (top.left, top.op.take()) {
        (Some(_), Some(op)) if matches!(top.rule, Rule::Or | Rule::And) => {
            top.rest.push((op, operand));
        }
        (Some(left), Some(op)) => {
            trees.push(Tree::Binary { left, op, right: operand });
            top.left = node.ok();
        }
        _ => top.left = Some(operand),
    }
    let (rule, precedence, follow) = match (top.rule, top.precedence) {
        (Rule::Or, _) if next == Kind::Or => (Rule::And, 0, or_end(Set::of(&[Kind::Or]))),
        (Rule::And, _) if next == Kind::And => (Rule::Relation, 0, or_end(Set::of(&[Kind::And]))),
        (Rule::Relation, 0..=1) if RELATIONS.has(next) => (Rule::Relation, 2, or_end(RELATIONS)),
        (Rule::Calc, 0..=2) if PRODUCTS.has(next) => (Rule::Calc, 3, or_end(PRODUCTS.or(SUMS))),
        (Rule::Calc, 0..=1) if SUMS.has(next) => (Rule::Calc, 2, or_end(PRODUCTS.or(SUMS))),
        _ => return Ok(false),
    };
    let op = p.take(65)?;
    if let Some(top) = p.pending.last_mut() {
        top.op = Some(op);
    }
    open(p, rule, precedence, follow)?;
    Ok(true)
}

fn unary(p: &mut Recognizer<'_>, follow: Set) -> Result<NodeId> {
    p.enter(Rule::Unary, follow)?;
    let start = p.token(0)?.offset;
    let mut ops = Vec::new();
    let mut result = prefixes(p, &mut ops);
    let mut operand = None;
    if result.is_ok() {
        operand = Some(member(p, Set::END)?);
    } else if let Err(Fail::Abort) = result {
        return Err(Fail::Abort);
    }
    p.exit(Rule::Unary, std::mem::replace(&mut result, Ok(())))?;
    Ok(match operand {
        Some(operand) if ops.is_empty() => operand,
        None if ops.is_empty() => p.push(Tree::Hole(start)),
        member => p.push(Tree::Prefix { ops, member }),
    })
}

/// Takes the operators in front of an operand.
fn prefixes<'s>(p: &mut Recognizer<'s>, ops: &mut Vec<Token<'s>>) -> Result<()> {
    p.sync(99, EXPR)?;
    match p.peek()? {
        Kind::Exclam => {
            while p.peek()? == Kind::Exclam {
                ops.push(p.take(87)?);
                p.sync_loop(90, EXPR)?;
            }
            Ok(())
        }
        Kind::Minus if !sign(p)? => loop {
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
    // Upstream: `-1` is a literal and a negated literal; the first alternative, the literal, wins.
    if NUMBER.has(next) || PRIMARY.has(next) {
        Ok(NUMBER.has(next))
    } else {
        Err(Fail::NoViable { start, end: start + 1 })
    }
}

/// Whether the next token is another `-`, rather than the operand.
fn negates_again(p: &mut Recognizer<'_>) -> Result<bool> {
    let start = p.position();
    if p.peek()? == Kind::Minus {
        return if PRIMARY.has(p.peek_at(1)?) {
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
        let mut parts = Box::new(Parts::new(p.token(0)?));
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
    match p.peek_at(1)? {
        Kind::Ident if p.peek_at(2)? == Kind::LeftParen => Ok(Suffix::Call),
        kind if OPT_FIELD.has(kind) => Ok(Suffix::Select),
        _ => Err(Fail::NoViable { start: p.position(), end: p.position() + 1 }),
    }
}

fn suffix_parts<'s>(p: &mut Recognizer<'s>, suffix: Suffix, parts: &mut Parts<'s>) -> Result<()> {
    match suffix {
        Suffix::Select => select(p, parts),
        Suffix::Call => {
            call_name(p, parts)?;
            arguments(p, [115, 117], parts)
        }
        Suffix::Index => index(p, parts),
    }
}

fn select<'s>(p: &mut Recognizer<'s>, parts: &mut Parts<'s>) -> Result<()> {
    parts.op = Some(p.take(105)?);
    parts.optional = question(p, 107, OPT_FIELD)?;
    parts.field = Some(escape_ident(p, or_end(SUFFIXES))?);
    Ok(())
}

/// `.name(`, which has been looked at.
fn call_name<'s>(p: &mut Recognizer<'s>, parts: &mut Parts<'s>) -> Result<()> {
    p.take(111)?;
    parts.names.push(p.take(112)?);
    parts.op = Some(p.take(113)?);
    Ok(())
}

fn index<'s>(p: &mut Recognizer<'s>, parts: &mut Parts<'s>) -> Result<()> {
    open_bracket(p, 119, parts)?;
    parts.optional = question(p, 121, OPT_EXPR)?;
    parts.args.push(expr(p, Set::of(&[Kind::RightBracket]))?);
    close_with(p, 124, Kind::RightBracket)
}

/// Takes the bracket that locates what it opens.
fn open_bracket<'s>(p: &mut Recognizer<'s>, state: State, parts: &mut Parts<'s>) -> Result<()> {
    parts.op = Some(p.take(state)?);
    Ok(())
}

/// Takes the bracket behind which a member can go on.
fn close_with(p: &mut Recognizer<'_>, state: State, bracket: Kind) -> Result<()> {
    p.expect(state, bracket, or_end(SUFFIXES)).map(drop)
}

/// Takes a `?` if it is there.
fn question(p: &mut Recognizer<'_>, state: State, next: Set) -> Result<bool> {
    p.sync(state, next)?;
    let there = p.peek()? == Kind::Question;
    if there {
        p.take(state)?;
    }
    Ok(there)
}

/// Arguments and the closing parenthesis.
fn arguments<'s>(p: &mut Recognizer<'s>, states: [State; 2], parts: &mut Parts<'s>) -> Result<()> {
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
    close_with(p, close, Kind::RightParen)
}

fn primary(p: &mut Recognizer<'_>) -> Result<NodeId> {
    p.enter(Rule::Primary, or_end(SUFFIXES))?;
    let mut parts = Box::new(Parts::new(p.token(0)?));
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
        (Some(Primary::Nested) | None, _) => p.push(Tree::Hole(NOWHERE)),
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
    if p.peek_at(at)? != Kind::Ident {
        return Err(Fail::NoViable { start, end: start + at });
    }
    if p.peek_at(at + 1)? == Kind::LeftParen {
        return Ok(Primary::Call);
    }
    // A dotted name is a message type only if a brace ends it.
    while p.peek_at(at + 1)? == Kind::Dot && p.peek_at(at + 2)? == Kind::Ident {
        at += 2;
    }
    Ok(if p.peek_at(at + 1)? == Kind::LeftBrace { Primary::Message } else { Primary::Ident })
}

fn primary_parts<'s>(
    p: &mut Recognizer<'s>,
    primary: Primary,
    parts: &mut Parts<'s>,
) -> Result<()> {
    match primary {
        Primary::Ident => ident(p, parts),
        Primary::Call => {
            ident(p, parts)?;
            open_bracket(p, 139, parts)?;
            arguments(p, [141, 143], parts)
        }
        Primary::Message => message(p, parts),
        Primary::Nested => {
            open_bracket(p, 144, parts)?;
            parts.args.push(expr(p, Set::of(&[Kind::RightParen]))?);
            close_with(p, 146, Kind::RightParen)
        }
        Primary::List => list(p, parts),
        Primary::Map => map(p, parts),
        Primary::Literal => literal(p, parts),
    }
}

fn ident<'s>(p: &mut Recognizer<'s>, parts: &mut Parts<'s>) -> Result<()> {
    if p.peek()? == Kind::Dot {
        parts.lead = Some(p.take(131)?);
    }
    parts.names.push(p.take(134)?);
    Ok(())
}

fn message<'s>(p: &mut Recognizer<'s>, parts: &mut Parts<'s>) -> Result<()> {
    ident(p, parts)?;
    while p.peek()? == Kind::Dot {
        p.take(168)?;
        parts.names.push(p.take(169)?);
    }
    open_bracket(p, 175, parts)?;
    p.sync(177, OPT_FIELD.or(COMMA).or(Set::of(&[Kind::RightBrace])))?;
    if OPT_FIELD.has(p.peek()?) {
        entries(p, Rule::FieldInit, parts)?;
    }
    close(p, [180, 182], Kind::RightBrace)
}

fn list<'s>(p: &mut Recognizer<'s>, parts: &mut Parts<'s>) -> Result<()> {
    const BRACKET: Set = Set::of(&[Kind::RightBracket]);
    open_bracket(p, 148, parts)?;
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
    close(p, [153, 155], Kind::RightBracket)
}

fn map<'s>(p: &mut Recognizer<'s>, parts: &mut Parts<'s>) -> Result<()> {
    open_bracket(p, 156, parts)?;
    p.sync(158, OPT_EXPR.or(COMMA).or(Set::of(&[Kind::RightBrace])))?;
    if OPT_EXPR.has(p.peek()?) {
        entries(p, Rule::MapInit, parts)?;
    }
    close(p, [161, 163], Kind::RightBrace)
}

/// Whether a comma that comes next is followed by one of `next`, rather than being the last.
fn goes_on(p: &mut Recognizer<'_>, next: Set) -> Result<bool> {
    Ok(p.peek()? == Kind::Comma && next.has(p.peek_at(1)?))
}

/// A last comma, if any, and the closing bracket.
fn close(p: &mut Recognizer<'_>, states: [State; 2], bracket: Kind) -> Result<()> {
    let [comma, end] = states;
    p.sync(comma, COMMA.or(Set::of(&[bracket])))?;
    if p.peek()? == Kind::Comma {
        p.take(comma)?;
    }
    close_with(p, end, bracket)
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
    let start = p.token(0)?;
    let mut field = Field::Unknown(start);
    let result = match p.sync(235, FIELD) {
        Ok(()) => match p.peek()? {
            Kind::Ident => {
                field = Field::Plain(p.take(233)?);
                Ok(())
            }
            Kind::EscapedIdent => {
                p.take(234)?;
                field = Field::Escaped(start);
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
        if !NUMBER.has(p.peek_at(1)?) {
            return Err(Fail::NoViable { start: p.position(), end: p.position() + 1 });
        }
        parts.lead = Some(p.take(242)?);
    }
    parts.names.push(p.take(245)?);
    Ok(())
}

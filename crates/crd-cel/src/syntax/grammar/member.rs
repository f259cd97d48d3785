//! The rules `member` and below: names, calls, literals, and expressions in brackets.

use super::super::recognizer::{Fail, GrammarRule, Recognizer, Result, State};
use super::super::token::{TokenKind, TokenSet};
use super::super::tree::{FieldName, NOWHERE, NodeId, Opt, Parts, Primary, Suffix, Tree};
use super::{
    COLON, COMMA, EXPR, FIELD, LITERAL, NUMBER, OPT_EXPR, OPT_FIELD, PRIMARY, SUFFIXES, expr,
    or_end,
};

pub(super) fn member(p: &mut Recognizer<'_>, follow: TokenSet) -> Result<NodeId> {
    p.enter(GrammarRule::Member, follow)?;
    let mut operand = primary(p)?;
    let mut result = Ok(());
    while result.is_ok() && SUFFIXES.has(p.peek()?) {
        // Upstream: a left-recursive rule leaves and enters itself for each suffix.
        p.shallow(GrammarRule::Member);
        let mut parts = Box::new(Parts::new(p.token(0)?));
        match choose_suffix(p) {
            Ok(suffix) => {
                p.deepen(GrammarRule::Member)?;
                result = suffix_parts(p, suffix, &mut parts);
                operand = p.push(Tree::Suffix { operand, suffix, parts });
            }
            Err(fail) => result = Err(fail),
        }
    }
    p.exit(GrammarRule::Member, result)?;
    Ok(operand)
}

fn choose_suffix(p: &mut Recognizer<'_>) -> Result<Suffix> {
    p.set_state(126);
    if p.peek()? == TokenKind::LeftBracket {
        return Ok(Suffix::Index);
    }
    match p.peek_at(1)? {
        TokenKind::Ident if p.peek_at(2)? == TokenKind::LeftParen => Ok(Suffix::Call),
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

/// Consumes `.name(`, which the lookahead of `choose_suffix` has found.
fn call_name<'s>(p: &mut Recognizer<'s>, parts: &mut Parts<'s>) -> Result<()> {
    p.take(111)?;
    parts.names.push(p.take(112)?);
    parts.op = Some(p.take(113)?);
    Ok(())
}

fn index<'s>(p: &mut Recognizer<'s>, parts: &mut Parts<'s>) -> Result<()> {
    open_bracket(p, 119, parts)?;
    parts.optional = question(p, 121, OPT_EXPR)?;
    parts.args.push(expr(p, TokenSet::of(&[TokenKind::RightBracket]))?);
    close_bracket(p, 124, TokenKind::RightBracket)
}

/// Consumes an opening bracket, whose position is that of the expression.
fn open_bracket<'s>(p: &mut Recognizer<'s>, state: State, parts: &mut Parts<'s>) -> Result<()> {
    parts.op = Some(p.take(state)?);
    Ok(())
}

/// Consumes a closing bracket, after which a member can continue.
fn close_bracket(p: &mut Recognizer<'_>, state: State, bracket: TokenKind) -> Result<()> {
    p.expect(state, bracket, or_end(SUFFIXES)).map(drop)
}

/// Consumes a `?`, if there is one.
fn question(p: &mut Recognizer<'_>, state: State, next: TokenSet) -> Result<bool> {
    p.sync(state, next)?;
    let there = p.peek()? == TokenKind::Question;
    if there {
        p.take(state)?;
    }
    Ok(there)
}

/// Consumes arguments and the closing parenthesis.
fn arguments<'s>(p: &mut Recognizer<'s>, states: [State; 2], parts: &mut Parts<'s>) -> Result<()> {
    const CLOSE: TokenSet = TokenSet::of(&[TokenKind::RightParen]);
    let [before, close] = states;
    p.sync(before, EXPR.or(CLOSE))?;
    if EXPR.has(p.peek()?) {
        p.enter(GrammarRule::ExprList, CLOSE)?;
        parts.args.push(expr(p, or_end(COMMA))?);
        while p.peek()? == TokenKind::Comma {
            p.take(187)?;
            parts.args.push(expr(p, or_end(COMMA))?);
        }
        p.exit(GrammarRule::ExprList, Ok(()))?;
    }
    close_bracket(p, close, TokenKind::RightParen)
}

fn primary(p: &mut Recognizer<'_>) -> Result<NodeId> {
    p.enter(GrammarRule::Primary, or_end(SUFFIXES))?;
    let mut parts = Box::new(Parts::new(p.token(0)?));
    let mut chosen = None;
    let result = match choose_primary(p) {
        Ok(primary) => {
            chosen = Some(primary);
            primary_parts(p, primary, &mut parts)
        }
        Err(fail) => Err(fail),
    };
    p.exit(GrammarRule::Primary, result)?;
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
        TokenKind::LeftParen => return Ok(Primary::Nested),
        TokenKind::LeftBracket => return Ok(Primary::List),
        TokenKind::LeftBrace => return Ok(Primary::Map),
        TokenKind::Dot => at = 1,
        TokenKind::Ident => {}
        kind if LITERAL.has(kind) => return Ok(Primary::Literal),
        _ => return Err(Fail::NoViable { start, end: start }),
    }
    if p.peek_at(at)? != TokenKind::Ident {
        return Err(Fail::NoViable { start, end: start + at });
    }
    if p.peek_at(at + 1)? == TokenKind::LeftParen {
        return Ok(Primary::Call);
    }
    // A dotted name is a message type only if a brace ends it.
    while p.peek_at(at + 1)? == TokenKind::Dot && p.peek_at(at + 2)? == TokenKind::Ident {
        at += 2;
    }
    Ok(if p.peek_at(at + 1)? == TokenKind::LeftBrace { Primary::Message } else { Primary::Ident })
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
            parts.args.push(expr(p, TokenSet::of(&[TokenKind::RightParen]))?);
            close_bracket(p, 146, TokenKind::RightParen)
        }
        Primary::List => list(p, parts),
        Primary::Map => map(p, parts),
        Primary::Literal => literal(p, parts),
    }
}

fn ident<'s>(p: &mut Recognizer<'s>, parts: &mut Parts<'s>) -> Result<()> {
    if p.peek()? == TokenKind::Dot {
        parts.lead = Some(p.take(131)?);
    }
    parts.names.push(p.take(134)?);
    Ok(())
}

fn message<'s>(p: &mut Recognizer<'s>, parts: &mut Parts<'s>) -> Result<()> {
    ident(p, parts)?;
    while p.peek()? == TokenKind::Dot {
        p.take(168)?;
        parts.names.push(p.take(169)?);
    }
    open_bracket(p, 175, parts)?;
    p.sync(177, OPT_FIELD.or(COMMA).or(TokenSet::of(&[TokenKind::RightBrace])))?;
    if OPT_FIELD.has(p.peek()?) {
        entries(p, GrammarRule::FieldInit, parts)?;
    }
    close(p, [180, 182], TokenKind::RightBrace)
}

fn list<'s>(p: &mut Recognizer<'s>, parts: &mut Parts<'s>) -> Result<()> {
    const BRACKET: TokenSet = TokenSet::of(&[TokenKind::RightBracket]);
    open_bracket(p, 148, parts)?;
    p.sync(150, OPT_EXPR.or(COMMA).or(BRACKET))?;
    if OPT_EXPR.has(p.peek()?) {
        p.enter(GrammarRule::ListInit, COMMA.or(BRACKET))?;
        parts.elements.push(opt_expr(p, or_end(COMMA))?);
        while has_next(p, OPT_EXPR)? {
            p.take(195)?;
            parts.elements.push(opt_expr(p, or_end(COMMA))?);
        }
        p.exit(GrammarRule::ListInit, Ok(()))?;
    }
    close(p, [153, 155], TokenKind::RightBracket)
}

fn map<'s>(p: &mut Recognizer<'s>, parts: &mut Parts<'s>) -> Result<()> {
    open_bracket(p, 156, parts)?;
    p.sync(158, OPT_EXPR.or(COMMA).or(TokenSet::of(&[TokenKind::RightBrace])))?;
    if OPT_EXPR.has(p.peek()?) {
        entries(p, GrammarRule::MapInit, parts)?;
    }
    close(p, [161, 163], TokenKind::RightBrace)
}

/// Whether a comma comes next that is not a trailing comma: a token in `next` follows it.
fn has_next(p: &mut Recognizer<'_>, next: TokenSet) -> Result<bool> {
    Ok(p.peek()? == TokenKind::Comma && next.has(p.peek_at(1)?))
}

/// Consumes a trailing comma, if there is one, and the closing bracket.
fn close(p: &mut Recognizer<'_>, states: [State; 2], bracket: TokenKind) -> Result<()> {
    let [comma, end] = states;
    p.sync(comma, COMMA.or(TokenSet::of(&[bracket])))?;
    if p.peek()? == TokenKind::Comma {
        p.take(comma)?;
    }
    close_bracket(p, end, bracket)
}

/// Consumes the entries of a map or of a message.
fn entries<'s>(p: &mut Recognizer<'s>, rule: GrammarRule, parts: &mut Parts<'s>) -> Result<()> {
    p.enter(rule, TokenSet::of(&[TokenKind::Comma, TokenKind::RightBrace]))?;
    parts.entries = Some(p.token(0)?);
    let result = entry_parts(p, rule, parts);
    p.exit(rule, result)
}

fn entry_parts<'s>(p: &mut Recognizer<'s>, rule: GrammarRule, parts: &mut Parts<'s>) -> Result<()> {
    let map = rule == GrammarRule::MapInit;
    let (mut state, next) = if map { (221, OPT_EXPR) } else { (203, OPT_FIELD) };
    loop {
        if map {
            parts.elements.push(opt_expr(p, COLON)?);
        } else {
            parts.fields.push(opt_field(p)?);
        }
        parts.colons.push(p.expect(state, TokenKind::Colon, EXPR)?);
        parts.values.push(expr(p, or_end(COMMA))?);
        if !has_next(p, next)? {
            return Ok(());
        }
        p.take(223)?;
        state = if map { 225 } else { 207 };
    }
}

fn opt_expr(p: &mut Recognizer<'_>, follow: TokenSet) -> Result<Opt<NodeId>> {
    p.enter(GrammarRule::OptExpr, follow)?;
    let mut element = Opt { optional: false, of: None };
    let result = match question(p, 238, OPT_EXPR) {
        Ok(optional) => {
            element = Opt { optional, of: Some(expr(p, TokenSet::END)?) };
            Ok(())
        }
        Err(fail) => Err(fail),
    };
    p.exit(GrammarRule::OptExpr, result)?;
    Ok(element)
}

fn opt_field<'s>(p: &mut Recognizer<'s>) -> Result<Opt<FieldName<'s>>> {
    p.enter(GrammarRule::OptField, COLON)?;
    let mut field = Opt { optional: false, of: None };
    let result = match question(p, 216, OPT_FIELD) {
        Ok(optional) => {
            field = Opt { optional, of: Some(escape_ident(p, TokenSet::END)?) };
            Ok(())
        }
        Err(fail) => Err(fail),
    };
    p.exit(GrammarRule::OptField, result)?;
    Ok(field)
}

fn escape_ident<'s>(p: &mut Recognizer<'s>, follow: TokenSet) -> Result<FieldName<'s>> {
    p.enter(GrammarRule::EscapeIdent, follow)?;
    let start = p.token(0)?;
    let mut field = FieldName::Unknown(start);
    let result = match p.sync(235, FIELD) {
        Ok(()) => match p.peek()? {
            TokenKind::Ident => {
                field = FieldName::Plain(p.take(233)?);
                Ok(())
            }
            TokenKind::EscapedIdent => {
                p.take(234)?;
                field = FieldName::Escaped(start);
                Ok(())
            }
            _ => Err(Fail::NoViable { start: p.position(), end: p.position() }),
        },
        Err(fail) => Err(fail),
    };
    p.exit(GrammarRule::EscapeIdent, result)?;
    Ok(field)
}

fn literal<'s>(p: &mut Recognizer<'s>, parts: &mut Parts<'s>) -> Result<()> {
    p.enter(GrammarRule::Literal, TokenSet::END)?;
    let result = literal_parts(p, parts);
    p.exit(GrammarRule::Literal, result)
}

fn literal_parts<'s>(p: &mut Recognizer<'s>, parts: &mut Parts<'s>) -> Result<()> {
    p.sync(256, LITERAL)?;
    if p.peek()? == TokenKind::Minus {
        if !NUMBER.has(p.peek_at(1)?) {
            return Err(Fail::NoViable { start: p.position(), end: p.position() + 1 });
        }
        parts.lead = Some(p.take(242)?);
    }
    parts.names.push(p.take(245)?);
    Ok(())
}

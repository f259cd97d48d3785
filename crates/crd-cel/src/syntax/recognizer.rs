//! The functions that the grammar's rules call. They read tokens on demand, match them, and report
//! errors and recover from them as ANTLR does.
//!
//! Source: antlr4-go 4.13 `error_strategy.go`; cel-go `parser/parser.go` for the limits.

use std::num::NonZeroU32;
use std::sync::Arc;

use super::issue::{Issues, Location};
use super::lexer::{Lexed, Lexer};
use super::token::{Token, TokenKind, TokenSet};
use super::tree::{NodeId, Tree};

/// The deepest nesting of a rule within itself, in levels.
pub(super) const MAX_RECURSION: u16 = 250;
/// The most attempts to recover from errors, in one text.
const MAX_RECOVERIES: u32 = 30;
/// The most tokens that one attempt to recover may skip.
const MAX_SKIPPED: u32 = 256;
/// The most syntax errors that are reported.
const MAX_SYNTAX_ERRORS: u32 = 100;

/// The grammar's rules, which are counted for [`MAX_RECURSION`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GrammarRule {
    Start,
    Expr,
    Or,
    And,
    Relation,
    Calc,
    Unary,
    Member,
    Primary,
    ExprList,
    ListInit,
    FieldInit,
    OptField,
    MapInit,
    EscapeIdent,
    OptExpr,
    Literal,
}

const RULES: usize = 17;

/// The failure of a rule.
#[derive(Debug)]
pub(super) enum Fail {
    /// The next token is not in this set.
    Mismatch(TokenSet),
    /// No alternative matches the tokens from `start` to `end`, which are indices of visible
    /// tokens.
    NoViable { start: usize, end: usize },
    /// A limit was exceeded, and the parser stops.
    Abort,
}

pub(super) type Result<T> = std::result::Result<T, Fail>;

/// A state of the grammar that can fail, by its number in the generated parser. An error in the
/// same state and at the same token as the last one skips a token.
pub(super) type State = u16;

/// An active rule for binary operators, such as `calc`, with the operands recognized so far.
#[derive(Debug)]
pub(super) struct Operators<'s> {
    pub(super) rule: GrammarRule,
    /// The least precedence that an operator of this rule must have.
    pub(super) precedence: u8,
    /// The first operand, or everything on the left of `op`.
    pub(super) left: Option<NodeId>,
    /// The operator whose right operand is being recognized.
    pub(super) op: Option<Token<'s>>,
    /// The operands of `||` or `&&` after the first.
    pub(super) rest: Vec<(Token<'s>, NodeId)>,
}

pub(super) struct Recognizer<'s> {
    lexer: Lexer<'s>,
    /// All tokens read so far, with whitespace and comments.
    tokens: Vec<Token<'s>>,
    /// The indices in `tokens` of the tokens that are not hidden.
    visible: Vec<usize>,
    /// The index of the next visible token.
    pos: usize,
    pub(super) trees: Vec<Tree<'s>>,
    /// The rules of operators that are being recognized, outermost first.
    pub(super) pending: Vec<Operators<'s>>,
    /// For each active rule, the tokens that can follow it where it was invoked.
    follows: Vec<TokenSet>,
    depths: [u16; RULES],
    /// The state that was last entered.
    state: State,
    /// Whether an error was reported since the last token that matched. No further error is reported
    /// until another token matches.
    recovering: bool,
    /// The position of the last failure, and the states of all failures, since the last token that
    /// matched.
    last_error: Option<usize>,
    last_states: Vec<State>,
    recoveries: u32,
    reports: u32,
    pub(super) issues: Issues,
}

impl<'s> Recognizer<'s> {
    pub(super) fn new(source: &'s str, shared: Arc<str>) -> Self {
        Self {
            lexer: Lexer::new(source),
            tokens: Vec::new(),
            visible: Vec::new(),
            pos: 0,
            trees: Vec::new(),
            pending: Vec::new(),
            follows: Vec::new(),
            depths: [0; RULES],
            state: 0,
            recovering: false,
            last_error: None,
            last_states: Vec::new(),
            recoveries: 0,
            reports: 0,
            issues: Issues::new(shared),
        }
    }

    pub(super) fn push(&mut self, tree: Tree<'s>) -> NodeId {
        self.trees.push(tree);
        NodeId::try_from(self.trees.len() - 1).unwrap_or(NodeId::MAX)
    }

    // Tokens

    /// The visible token that is `ahead` tokens after the next one.
    pub(super) fn token(&mut self, ahead: usize) -> Result<Token<'s>> {
        self.visible_token(self.pos + ahead)
    }

    fn visible_token(&mut self, nth: usize) -> Result<Token<'s>> {
        loop {
            if let Some(at) = self.visible.get(nth) {
                return Ok(self.tokens[*at]);
            }
            if let Some(last) = self.tokens.last().filter(|token| token.kind == TokenKind::Eof) {
                return Ok(*last);
            }
            match self.lexer.next() {
                Lexed::Token(mut token) => {
                    if token.kind != TokenKind::Hidden {
                        self.visible.push(self.tokens.len());
                    }
                    let index = u32::try_from(self.tokens.len() + 1).ok();
                    token.index = index.and_then(NonZeroU32::new);
                    self.tokens.push(token);
                }
                Lexed::Unrecognized { offset, text } => {
                    self.syntax_error(offset, &format!("token recognition error at: '{text}'"))?;
                }
            }
        }
    }

    pub(super) fn peek(&mut self) -> Result<TokenKind> {
        self.peek_at(0)
    }

    pub(super) fn peek_at(&mut self, ahead: usize) -> Result<TokenKind> {
        Ok(self.token(ahead)?.kind)
    }

    pub(super) fn position(&self) -> usize {
        self.pos
    }

    fn consume(&mut self) -> Result<()> {
        if self.token(0)?.kind != TokenKind::Eof {
            self.pos += 1;
            // Upstream: the token stream reads one token ahead, so errors of the lexer are
            // reported before the parser looks at the token.
            self.token(0)?;
        }
        Ok(())
    }

    // Rules

    pub(super) fn enter(&mut self, rule: GrammarRule, follow: TokenSet) -> Result<()> {
        self.follows.push(follow);
        self.deepen(rule)
    }

    /// Counts a level of `rule`.
    pub(super) fn deepen(&mut self, rule: GrammarRule) -> Result<()> {
        let Some(depth) = self.depths.get_mut(rule as usize) else { return Ok(()) };
        *depth += 1;
        if *depth <= MAX_RECURSION {
            return Ok(());
        }
        let message = format!("expression recursion limit exceeded: {MAX_RECURSION}");
        self.issues.report(Location::NONE, message);
        Err(Fail::Abort)
    }

    /// Takes back a level of `rule`.
    pub(super) fn shallow(&mut self, rule: GrammarRule) {
        if let Some(depth) = self.depths.get_mut(rule as usize) {
            *depth = depth.saturating_sub(1);
        }
    }

    /// Ends a rule. If it failed, reports the failure and skips tokens that cannot follow.
    pub(super) fn exit(&mut self, rule: GrammarRule, result: Result<()>) -> Result<()> {
        match result {
            Ok(()) => {}
            Err(Fail::Abort) => return Err(Fail::Abort),
            Err(fail) => {
                self.report(&fail)?;
                self.recover()?;
            }
        }
        self.shallow(rule);
        self.follows.pop();
        Ok(())
    }

    /// The tokens that can come next: `next`, and, if it includes the end of the rule, those that
    /// can follow the active rules.
    pub(super) fn in_context(&self, next: TokenSet) -> TokenSet {
        let mut all = next;
        for follow in self.follows.iter().rev() {
            if !all.reaches_end() {
                return all;
            }
            all = all.without(TokenSet::END).or(*follow);
        }
        if all.reaches_end() {
            all.without(TokenSet::END).or(TokenSet::of(&[TokenKind::Eof]))
        } else {
            all
        }
    }

    // Matching

    /// Takes a token of this kind. `after` has the tokens that can follow it in the rule.
    pub(super) fn expect(
        &mut self,
        state: State,
        kind: TokenKind,
        after: TokenSet,
    ) -> Result<Token<'s>> {
        self.state = state;
        let token = self.token(0)?;
        if token.kind == kind {
            self.matched();
            self.consume()?;
            return Ok(token);
        }
        let wanted = TokenSet::of(&[kind]);
        self.count_recovery()?;
        let mut skipped = 0;
        if self.delete_token(wanted, &mut Some(&mut skipped))? {
            let token = self.token(0)?;
            self.skip(&mut Some(&mut skipped))?;
            return Ok(token);
        }
        if self.in_context(after).has(token.kind) {
            self.report_at(token, |name| format!("missing {wanted} at {name}"))?;
            return Ok(self.missing_token(kind, token));
        }
        Err(Fail::Mismatch(wanted))
    }

    /// Takes the next token, which the caller has checked.
    pub(super) fn take(&mut self, state: State) -> Result<Token<'s>> {
        self.state = state;
        let token = self.token(0)?;
        self.matched();
        self.consume()?;
        Ok(token)
    }

    /// Called before a choice. Fails if the next token is not in `next`, unless dropping that token
    /// helps.
    pub(super) fn sync(&mut self, state: State, next: TokenSet) -> Result<()> {
        self.state = state;
        if self.recovering || next.reaches_end() || next.has(self.peek()?) {
            return Ok(());
        }
        if self.delete_token(next, &mut None)? { Ok(()) } else { Err(Fail::Mismatch(next)) }
    }

    /// Called within a loop, which continues or ends with a token in `next`. Reports any other token,
    /// and skips to one in `next` or one with which an active rule can continue.
    pub(super) fn sync_loop(&mut self, state: State, next: TokenSet) -> Result<()> {
        self.state = state;
        if self.recovering || next.has(self.peek()?) {
            return Ok(());
        }
        self.unwanted(next)?;
        let until = next.or(self.recovery_set());
        self.skip_until(until, &mut None)
    }

    /// Enters the state of a choice before which [`Self::sync`] is not called.
    pub(super) fn set_state(&mut self, state: State) {
        self.state = state;
    }

    // Errors

    fn matched(&mut self) {
        self.recovering = false;
        self.last_states.clear();
        self.last_error = None;
    }

    fn count_recovery(&mut self) -> Result<()> {
        if self.recoveries == MAX_RECOVERIES {
            let offset = self.token(0)?.offset;
            let message = format!("error recovery attempt limit exceeded: {MAX_RECOVERIES}");
            self.syntax_error(offset, &message)?;
            return Err(Fail::Abort);
        }
        self.recoveries += 1;
        Ok(())
    }

    /// Skips a token, and counts it in `skipped` if there is a limit.
    fn skip(&mut self, skipped: &mut Option<&mut u32>) -> Result<()> {
        if let Some(skipped) = skipped {
            if **skipped >= MAX_SKIPPED {
                let message =
                    format!("error recovery token lookahead limit exceeded: {MAX_SKIPPED}");
                self.issues.report(Location::NONE, message);
                return Err(Fail::Abort);
            }
            **skipped += 1;
        }
        self.consume()
    }

    fn skip_until(&mut self, until: TokenSet, skipped: &mut Option<&mut u32>) -> Result<()> {
        loop {
            let kind = self.peek()?;
            if kind == TokenKind::Eof || until.has(kind) {
                return Ok(());
            }
            self.skip(skipped)?;
        }
    }

    /// Drops the next token if the one after it is `wanted`.
    fn delete_token(&mut self, wanted: TokenSet, skipped: &mut Option<&mut u32>) -> Result<bool> {
        if !wanted.has(self.token(1)?.kind) {
            return Ok(false);
        }
        self.unwanted(wanted)?;
        self.skip(skipped)?;
        self.matched();
        Ok(true)
    }

    fn unwanted(&mut self, wanted: TokenSet) -> Result<()> {
        let token = self.token(0)?;
        self.report_at(token, |name| format!("extraneous input {name} expecting {wanted}"))
    }

    /// Creates the token that is missing, at the position of the next one, or of the last one at the
    /// end of the text.
    fn missing_token(&self, kind: TokenKind, next: Token<'s>) -> Token<'s> {
        let nth =
            if next.kind == TokenKind::Eof { self.pos.checked_sub(1) } else { Some(self.pos) };
        let token = nth.and_then(|nth| self.tokens.get(*self.visible.get(nth)?));
        Token { kind, offset: token.unwrap_or(&next).offset, text: "<missing>", index: None }
    }

    fn report(&mut self, fail: &Fail) -> Result<()> {
        match fail {
            Fail::Mismatch(wanted) => {
                let (token, wanted) = (self.token(0)?, *wanted);
                self.report_at(token, |name| format!("mismatched input {name} expecting {wanted}"))
            }
            Fail::NoViable { start, end } => {
                let (first, last) = (self.visible_token(*start)?, self.visible_token(*end)?);
                let text = self.text_between(first, last);
                self.report_at(last, |_| {
                    // Upstream: cel-go's listener reports a text such as `.true` in other words (parser.go,
                    // SyntaxError).
                    let mut chars = text.chars();
                    match (chars.next(), chars.as_str()) {
                        (Some(_), word @ ("true" | "false" | "null")) => {
                            format!("mismatched input '{word}' expecting IDENTIFIER")
                        }
                        _ => format!("no viable alternative at input {}", quote(&text)),
                    }
                })
            }
            Fail::Abort => Ok(()),
        }
    }

    fn text_between(&self, first: Token<'s>, last: Token<'s>) -> String {
        if first.kind == TokenKind::Eof {
            return "<EOF>".to_owned();
        }
        let end = |token: Token<'s>| token.index.map_or(1, NonZeroU32::get) as usize;
        let tokens = self.tokens.iter().take(end(last)).skip(end(first) - 1);
        tokens.map(|token| token.text).collect()
    }

    /// Reports a syntax error at a token, unless an earlier one is still being recovered from.
    fn report_at(&mut self, at: Token<'s>, message: impl FnOnce(&str) -> String) -> Result<()> {
        if self.recovering {
            return Ok(());
        }
        self.recovering = true;
        let name = if at.kind == TokenKind::Eof { quote("<EOF>") } else { quote(at.text) };
        self.syntax_error(at.offset, &message(&name))
    }

    fn syntax_error(&mut self, offset: u32, message: &str) -> Result<()> {
        if self.reports < MAX_SYNTAX_ERRORS {
            self.reports += 1;
            self.issues.report_at(Some(offset), format!("Syntax error: {message}"));
            return Ok(());
        }
        let message = format!("Syntax error: More than {MAX_SYNTAX_ERRORS} syntax errors");
        self.issues.report_at(Some(offset), message);
        Err(Fail::Abort)
    }

    /// Skips to a token with which one of the active rules can continue.
    fn recover(&mut self) -> Result<()> {
        self.count_recovery()?;
        let mut skipped = 0;
        let mut skipped = Some(&mut skipped);
        if self.last_error == Some(self.pos) && self.last_states.contains(&self.state) {
            self.skip(&mut skipped)?;
        }
        self.last_error = Some(self.pos);
        self.last_states.push(self.state);
        let until = self.recovery_set();
        self.skip_until(until, &mut skipped)
    }

    fn recovery_set(&self) -> TokenSet {
        self.follows
            .iter()
            .fold(TokenSet::of(&[]), |all, follow| all.or(*follow))
            .without(TokenSet::END)
    }
}

/// Quotes a text as error texts do, with tabs and line breaks escaped.
fn quote(text: &str) -> String {
    let text = text.replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r");
    format!("'{text}'")
}

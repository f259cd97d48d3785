//! The nodes that the parser recognized, before they become expressions. A syntax error leaves a
//! hole, because cel-go also reports errors around it.

use super::token::Token;

/// The index of a node in the parser's arena.
pub(super) type NodeId = u32;

/// The offset of a node without a position. Issues there are at `1:0`, as in cel-go.
pub(super) const NOWHERE: u32 = u32::MAX;

/// A node. A rule of the grammar that only passes on its child has no node: `1` is a `Primary`, although
/// it also matches the rules from `expr` to `member`.
#[derive(Debug)]
pub(super) enum Tree<'s> {
    /// A rule that failed before its alternative was chosen, and the offset that cel-go gives it.
    Hole(u32),
    /// `cond ? then : otherwise`
    Conditional { cond: NodeId, op: Token<'s>, then: Option<NodeId>, otherwise: Option<NodeId> },
    /// `first || rest..` or `first && rest..`
    Logic { first: NodeId, rest: Vec<(Token<'s>, NodeId)> },
    /// `left op right`
    Binary { left: NodeId, op: Token<'s>, right: NodeId },
    /// `!member`, `--member`
    Prefix { ops: Vec<Token<'s>>, member: Option<NodeId> },
    /// A member with a suffix: `.field`, `.method(..)`, `[index]`
    Suffix { operand: NodeId, suffix: Suffix, parts: Box<Parts<'s>> },
    /// A name, a call by name, a literal, or an expression in brackets.
    Primary { primary: Primary, parts: Box<Parts<'s>> },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Suffix {
    Select,
    Call,
    Index,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Primary {
    Ident,
    Call,
    Nested,
    List,
    Map,
    Message,
    Literal,
}

/// A field name, or the token in its place.
#[derive(Debug, Clone, Copy)]
pub(super) enum FieldName<'s> {
    /// `name`
    Plain(Token<'s>),
    /// `` `name` ``, with the token where the field starts.
    Escaped(Token<'s>),
    /// Neither, with the token where the field starts.
    Unknown(Token<'s>),
}

/// An element, key or field, and whether a `?` makes it optional. `of` is `None` after a syntax error.
#[derive(Debug, Clone, Copy)]
pub(super) struct Opt<T> {
    pub(super) optional: bool,
    pub(super) of: Option<T>,
}

/// The parts of a suffix or a primary, as far as they were recognized.
#[derive(Debug)]
pub(super) struct Parts<'s> {
    /// The first token.
    pub(super) start: Token<'s>,
    /// A leading dot, or the sign of a number.
    pub(super) lead: Option<Token<'s>>,
    /// Whether there is a `?`, as in `a.?b`.
    pub(super) optional: bool,
    /// The name, or the names of a message type, or a literal's token.
    pub(super) names: Vec<Token<'s>>,
    /// The field that is selected.
    pub(super) field: Option<FieldName<'s>>,
    /// The token whose position is that of the node: a dot or an opening bracket.
    pub(super) op: Option<Token<'s>>,
    /// The arguments, or the expression in parentheses or brackets.
    pub(super) args: Vec<NodeId>,
    /// The elements of a list or the keys of a map.
    pub(super) elements: Vec<Opt<NodeId>>,
    /// The fields of a message.
    pub(super) fields: Vec<Opt<FieldName<'s>>>,
    /// The colons of a map or message.
    pub(super) colons: Vec<Token<'s>>,
    /// The values of a map or message.
    pub(super) values: Vec<NodeId>,
    /// The first token of the entries of a map or message.
    pub(super) entries: Option<Token<'s>>,
}

impl<'s> Parts<'s> {
    pub(super) fn new(start: Token<'s>) -> Self {
        Self {
            start,
            lead: None,
            optional: false,
            names: Vec::new(),
            field: None,
            op: None,
            args: Vec::new(),
            elements: Vec::new(),
            fields: Vec::new(),
            colons: Vec::new(),
            values: Vec::new(),
            entries: None,
        }
    }
}

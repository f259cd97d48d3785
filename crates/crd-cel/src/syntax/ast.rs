//! The abstract syntax tree, as cel-go has it after macro expansion.

use std::sync::Arc;

/// The id of a node of an [`Ast`]. The node's position, type and overloads are looked up by it.
///
/// Ids are assigned in the order in which cel-go assigns them (`parser/helper.go`), starting at 1.
pub type ExprId = u32;

/// A parsed expression, with its macros expanded.
#[derive(Debug, Clone, PartialEq)]
pub struct Ast {
    /// The text that was parsed.
    pub source: Arc<str>,
    /// The outermost expression.
    pub root: Expr,
    /// For each [`ExprId`], the offset in code points where cel-go locates the node; `None` if it
    /// has no location. Index 0 is unused.
    pub positions: Vec<Option<u32>>,
}

/// A node with its id.
#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    /// The id of the node.
    pub id: ExprId,
    /// The kind of the node, with its children.
    pub kind: ExprKind,
}

impl Expr {
    /// Returns the expressions that it consists of, in the order in which they are evaluated.
    #[must_use]
    pub fn parts(&self) -> Vec<&Self> {
        match &self.kind {
            ExprKind::Literal(_) | ExprKind::Ident(_) => Vec::new(),
            ExprKind::Select { operand, .. } => vec![operand],
            ExprKind::Call { target, args, .. } => {
                target.as_deref().into_iter().chain(args).collect()
            }
            ExprKind::List { elements, .. } => elements.iter().collect(),
            ExprKind::Map(entries) => {
                entries.iter().flat_map(|entry| [&entry.key, &entry.value]).collect()
            }
            ExprKind::Struct { fields, .. } => fields.iter().map(|field| &field.value).collect(),
            ExprKind::Comprehension(c) => {
                vec![&c.range, &c.init, &c.condition, &c.step, &c.result]
            }
        }
    }

    /// The dotted name, such as `a.b`, if the expression consists of names and selections only.
    #[cfg(any(feature = "compile-time", feature = "eval"))]
    pub(crate) fn qualified_name(&self) -> Option<String> {
        match &self.kind {
            ExprKind::Ident(name) => Some(name.to_string()),
            ExprKind::Select { operand, field, test_only: false } => {
                Some(format!("{}.{field}", operand.qualified_name()?))
            }
            _ => None,
        }
    }
}

/// The kinds of nodes.
#[derive(Debug, Clone, PartialEq)]
pub enum ExprKind {
    /// A literal.
    Literal(Literal),
    /// A name; a leading dot is part of it.
    Ident(Arc<str>),
    /// `operand.field`, or `has(operand.field)` if `test_only`.
    Select {
        /// The expression before the dot.
        operand: Box<Expr>,
        /// The field's name as written.
        field: Arc<str>,
        /// `has(..)`: tests for presence.
        test_only: bool,
    },
    /// A function, a method (`target`), or an operator by its internal name (`_+_`).
    Call {
        /// The receiver of a method.
        target: Option<Box<Expr>>,
        /// The name; operators have the names of cel-go's `common/operators`.
        function: Arc<str>,
        /// The arguments, without the receiver.
        args: Vec<Expr>,
    },
    /// `[a, ?b]`.
    List {
        /// The elements.
        elements: Vec<Expr>,
        /// The indices of the optional elements (`?b`), ascending.
        optional: Vec<u32>,
    },
    /// `{k: v, ?k: v}`.
    Map(Vec<MapEntry>),
    /// `Name{field: value}`.
    Struct {
        /// The type's name as written.
        type_name: Arc<str>,
        /// The fields.
        fields: Vec<StructField>,
    },
    /// The expansion of a macro such as `all` or `map`.
    Comprehension(Box<Comprehension>),
}

/// A literal value.
#[derive(Debug, Clone, PartialEq)]
pub enum Literal {
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// `1`, `-1`, `0x1F`
    Int(i64),
    /// `1u`
    Uint(u64),
    /// `1.5`
    Double(f64),
    /// `'text'`
    String(Arc<str>),
    /// `b'bytes'`
    Bytes(Arc<[u8]>),
}

/// `key: value` of a map literal.
#[derive(Debug, Clone, PartialEq)]
pub struct MapEntry {
    /// The entry's own id.
    pub id: ExprId,
    /// The key.
    pub key: Expr,
    /// The value.
    pub value: Expr,
    /// `?key: value`
    pub optional: bool,
}

/// `field: value` of a message literal.
#[derive(Debug, Clone, PartialEq)]
pub struct StructField {
    /// The field's own id.
    pub id: ExprId,
    /// The field's name.
    pub name: Arc<str>,
    /// The value.
    pub value: Expr,
    /// `?field: value`
    pub optional: bool,
}

/// A comprehension over a list or map:
/// `accu = init; for iter in range while condition { accu = step }; result`.
#[derive(Debug, Clone, PartialEq)]
pub struct Comprehension {
    /// The first variable: a list's element, or its index if there are two variables; a map's key.
    pub iter_var: Arc<str>,
    /// The second variable, if there are two: a list's element or a map's value.
    pub iter_var2: Option<Arc<str>>,
    /// The list or map that is iterated over.
    pub range: Expr,
    /// The accumulator's name.
    pub accu_var: Arc<str>,
    /// The accumulator's initial value.
    pub init: Expr,
    /// Evaluated before each step. The iteration ends when it is false.
    pub condition: Expr,
    /// The accumulator's next value.
    pub step: Expr,
    /// The value of the comprehension.
    pub result: Expr,
}

//! The nodes of a program, which the evaluator walks.

use crate::error::EvalError;
use crate::library::binding::{Call as Function, Cost, RegexCall, TextTest as Test};
use crate::re2::Regex;
use crate::types::Type;
use crate::value::{OwnedMap, Value};

/// The index of a variable's value during an evaluation.
pub(crate) type Slot = usize;

/// A field of a message: its name, its value, and whether it is optional.
pub(crate) type MessageField = (String, Node, bool);

/// The value of a constant, or the error of a folded operation.
pub(crate) type Constant = Result<Value<'static>, EvalError>;

/// A node of a program.
#[derive(Debug)]
pub(crate) enum Node {
    /// A literal, or a result that was computed when the program was planned. Costs nothing.
    Constant(Constant),
    /// The result of a call whose arguments are constants, which was evaluated when the program was
    /// planned, and the cost that each evaluation charges for it.
    Prepared(Box<(Constant, u64)>),
    /// A variable or another value, and the members selected from it.
    Attribute(Box<Attribute>),
    /// `a && b`
    And(Box<[Node; 2]>),
    /// `a || b`
    Or(Box<[Node; 2]>),
    /// `a == b`, or `a != b` if negated.
    Equal {
        /// The operands.
        operands: Box<[Node; 2]>,
        /// `!=`
        negated: bool,
    },
    /// `@not_strictly_false(..)`, the condition of the iteration macros on their accumulator.
    NotStrictlyFalse(Box<Node>),
    /// A call of a function.
    Call(Box<Call>),
    /// `x in [constants]`
    Member(Box<(Node, OwnedMap<'static>)>),
    /// `optional.or(optional)`
    OptionalOr(Box<[Node; 2]>),
    /// `optional.orValue(value)`
    OptionalOrValue(Box<[Node; 2]>),
    /// `[a, ?b]`: the elements, and whether each is optional.
    List(Box<[(Node, bool)]>),
    /// `{k: v, ?k: v}`: the keys and values, and whether each entry is optional.
    Map(Box<[(Node, Node, bool)]>),
    /// A message of a well-known type, by the type's name.
    WellKnown(Box<(String, Vec<MessageField>)>),
    /// `a < b`, `a <= b`, `a > b` or `a >= b`.
    Compare(Box<Compare>),
    /// A test of two texts.
    TextTest(Box<TextTestCall>),
    /// A comprehension.
    Fold(Box<Fold>),
    /// The expansion of `all` or `exists`, without nodes for the accumulator.
    Quantifier(Box<Quantifier>),
    /// `accumulator + [element]` of the list that a comprehension builds.
    Append(Box<Append>),
    /// `cel.@mapInsert(accumulator, key, value)` of the map that a comprehension builds.
    Insert(Box<Insert>),
}

impl Node {
    /// `condition ? truthy : falsy`
    ///
    /// Source: `cel-go/interpreter/planner.go`, `planCallConditional`.
    pub(super) fn conditional(condition: Node, truthy: Node, falsy: Node) -> Self {
        let (truthy, falsy) = (truthy.into_attribute(), falsy.into_attribute());
        let conditional = Conditional { condition, truthy, falsy };
        Self::Attribute(Box::new(Attribute::of(Base::Conditional(Box::new(conditional)))))
    }

    /// Converts the node to an attribute, to which qualifiers can be added.
    pub(super) fn into_attribute(self) -> Attribute {
        match self {
            Self::Attribute(attribute) => *attribute,
            other => Attribute::of(Base::Relative(other)),
        }
    }
}

/// A value, and a chain of members that are selected from it, such as `self.ports[0].name`.
///
/// Source: `cel-go/interpreter/attributes.go`.
#[derive(Debug)]
pub(crate) struct Attribute {
    /// The value before the first qualifier.
    pub(crate) base: Base,
    /// Fields and indices.
    pub(crate) qualifiers: Vec<Qualifier>,
    /// `has(..)`: the last qualifier only tests for presence.
    pub(crate) test_only: bool,
    /// Whether the base is a global variable, written with a leading dot (`.x`), and an enclosing
    /// macro has a variable of the same name. Upstream: its qualifiers are not charged, because the
    /// server finds its count of costs through the variables of the macro, which the dot skips.
    pub(crate) is_shadowed_global: bool,
    /// The variable's name, for error texts.
    pub(crate) name: String,
}

impl Attribute {
    /// An attribute without qualifiers, whose base is not a variable.
    fn of(base: Base) -> Self {
        let (qualifiers, name) = (Vec::new(), String::new());
        Self { base, qualifiers, test_only: false, is_shadowed_global: false, name }
    }

    /// Adds a qualifier, to both branches if the base is a conditional.
    pub(super) fn qualify(&mut self, qualifier: &Qualifier) {
        match &mut self.base {
            Base::Conditional(conditional) => {
                conditional.truthy.qualify(qualifier);
                conditional.falsy.qualify(qualifier);
            }
            Base::Variable(_) | Base::Relative(_) => self.qualifiers.push(qualifier.clone()),
        }
    }

    /// Makes the last qualifier test only for presence.
    pub(super) fn test(&mut self) {
        self.test_only = true;
        if let Base::Conditional(conditional) = &mut self.base {
            conditional.truthy.test();
            conditional.falsy.test();
        }
    }
}

/// The value before the first qualifier of an attribute.
#[derive(Debug)]
pub(crate) enum Base {
    /// A variable.
    Variable(Slot),
    /// Any other expression.
    Relative(Node),
    /// `condition ? a : b`. Qualifiers are added to both branches.
    Conditional(Box<Conditional>),
}

/// `condition ? truthy : falsy`.
#[derive(Debug)]
pub(crate) struct Conditional {
    pub(crate) condition: Node,
    pub(crate) truthy: Attribute,
    pub(crate) falsy: Attribute,
}

/// The selection of one member.
#[derive(Debug, Clone)]
pub(crate) struct Qualifier {
    /// The member's key.
    pub(crate) key: QualifierKey,
    /// `.?` or `[?]`: an absent member is an empty optional.
    pub(crate) optional: bool,
}

/// The key of a qualifier.
#[derive(Debug, Clone)]
pub(crate) enum QualifierKey {
    /// A field or string key.
    Field(std::sync::Arc<FieldKey>),
    /// A constant of another type.
    Constant(Value<'static>),
    /// The value of an attribute. Its qualifiers are charged, but not the attribute itself.
    Attribute(std::sync::Arc<Attribute>),
    /// The value of another expression.
    Computed(std::sync::Arc<Node>),
}

/// A field's name in all its forms.
#[derive(Debug)]
pub(crate) struct FieldKey {
    /// The name as written, or a constant string.
    pub(crate) ident: String,
    /// The JSON key that the name stands for in an object; `None` if there is none.
    pub(crate) key: Option<std::sync::Arc<str>>,
    /// The likely index of the field in the declaration of the object.
    pub(crate) index_hint: usize,
}

/// A call of a function.
#[derive(Debug)]
pub(crate) struct Call {
    /// The function's name, for error texts.
    pub(crate) function: String,
    /// The overloads, in the order in which they are tried.
    pub(crate) overloads: Vec<PlannedOverload>,
    /// The arguments, the receiver first.
    pub(crate) args: Vec<Node>,
    /// The run-time cost.
    pub(crate) cost: Cost,
    /// Whether the first argument that is an error ends the call, so that later ones are not evaluated.
    pub(crate) stops_at_error: bool,
    /// The compiled pattern, if the second argument is a constant pattern, and the function to call with it.
    pub(crate) regex: Option<(Regex, RegexCall)>,
}

/// One way to evaluate a call.
#[derive(Debug)]
pub(crate) struct PlannedOverload {
    /// The types that the arguments must have; `None` if the function tests them itself.
    pub(crate) params: Option<Vec<Type>>,
    /// The function.
    pub(crate) function: Function,
}

/// A comprehension.
#[derive(Debug)]
pub(crate) struct Fold {
    pub(crate) range: Node,
    pub(crate) init: Node,
    pub(crate) condition: Node,
    pub(crate) step: Node,
    pub(crate) result: Node,
    /// The accumulator's slot.
    pub(crate) accumulator: Slot,
    /// The element's slot; the key's or index's if there are two variables.
    pub(crate) first: Slot,
    /// The value's slot, if there are two variables.
    pub(crate) second: Option<Slot>,
}

/// An ordering operator.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Order {
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Order {
    /// Whether two ints are in this order.
    #[inline]
    pub(crate) fn holds(self, a: i64, b: i64) -> bool {
        match self {
            Self::Less => a < b,
            Self::LessOrEqual => a <= b,
            Self::Greater => a > b,
            Self::GreaterOrEqual => a >= b,
        }
    }
}

/// `a < b`, `a <= b`, `a > b` or `a >= b`.
#[derive(Debug)]
pub(crate) struct Compare {
    pub(crate) operands: [Node; 2],
    pub(crate) order: Order,
    /// The function, for operands that are not both ints.
    pub(crate) function: Function,
    pub(crate) cost: Cost,
}

/// `a.startsWith(b)`, `a.endsWith(b)` or `a.contains(b)`.
#[derive(Debug)]
pub(crate) struct TextTestCall {
    pub(crate) operands: [Node; 2],
    pub(crate) test: Test,
    /// The function, for operands that are not both texts.
    pub(crate) function: Function,
    pub(crate) cost: Cost,
}

/// `range.all(x, predicate)` or `range.exists(x, predicate)`.
#[derive(Debug)]
pub(crate) struct Quantifier {
    pub(crate) range: Node,
    pub(crate) predicate: Node,
    /// `all`
    pub(crate) universal: bool,
    /// The element's slot; the key's or index's if there are two variables.
    pub(crate) first: Slot,
    /// The value's slot, if there are two variables.
    pub(crate) second: Option<Slot>,
}

/// `accumulator + [element]`.
#[derive(Debug)]
pub(crate) struct Append {
    pub(crate) accumulator: Slot,
    pub(crate) element: Node,
    /// Whether `[element]` is a constant, which costs nothing.
    pub(crate) constant: bool,
}

/// `cel.@mapInsert(accumulator, key, value)`, or `cel.@mapInsert(accumulator, map)`.
#[derive(Debug)]
pub(crate) struct Insert {
    pub(crate) accumulator: Slot,
    pub(crate) args: Vec<Node>,
}

//! The code of a program: postfix operations in one byte string.
//!
//! A program begins with its flags (8 bits) and the offset of its texts, which are after the operations, each text once.
//!
//! Values are numbered in the order in which operations make them, after 0 (`self`) and 1 (`oldSelf`). An operation
//! makes one value, but [`op::ITERATE`] makes three, and [`op::EXPECT`], [`op::SINCE`], [`op::INVALID`], [`op::FAILS`],
//! [`op::FORMAT`] and [`op::END`] make none. Numbers have 16 bits and are little endian. A text is its offset among the
//! texts, and its length in bytes. Positions are first in what they belong to, because only errors read them.

/// The operations. Each is documented with its operands, in order.
pub(super) mod op {
    /// The end: the number of the result.
    pub(crate) const END: u8 = 0;
    /// A value of a type without parts, such as a literal: the type's code (8 bits).
    pub(crate) const BASIC: u8 = 1;
    /// A string literal: its position, the string.
    pub(crate) const TEXT: u8 = 15;
    /// Position, operand, flags (8 bits), the name.
    pub(crate) const FIELD: u8 = 2;
    /// Position, any overload of the function, from which errors take its name, and flags (8 bits).
    /// Then a count (8 bits), and that many operands, the receiver first. Then a count (8 bits), and that many overloads
    /// with this style and number of operands, and for the literals among the operands.
    pub(crate) const CALL: u8 = 3;
    /// `&&` and `||`: two operands, each after its position.
    pub(crate) const LOGIC: u8 = 4;
    /// Flags (8 bits), count, that many elements, each after its position and flags (8 bits).
    pub(crate) const LIST: u8 = 5;
    /// Flags (8 bits), count, that many keys and values, each after its position and flags (8 bits).
    pub(crate) const MAP: u8 = 6;
    /// Position of the range, flags (8 bits), range, initial value. Makes the accumulator and the two variables.
    pub(crate) const ITERATE: u8 = 7;
    /// Position, operand, the value whose type it must have.
    pub(crate) const EXPECT: u8 = 8;
    /// A type as a value: its code (8 bits).
    pub(crate) const TYPE: u8 = 10;
    /// An undeclared name: position, the name.
    pub(crate) const UNDECLARED: u8 = 11;
    /// An error in a literal, independent of types: position, the message.
    pub(crate) const INVALID: u8 = 12;
    /// An error of the server's planner: the message.
    pub(crate) const FAILS: u8 = 13;
    /// A format string: position, the error in it (or an empty text). Then a count (8 bits), and that many arguments in
    /// their order, each after its position and clause (8 bits).
    pub(crate) const FORMAT: u8 = 14;
    /// Position, the first minor of Kubernetes whose parser accepts the expression (8 bits).
    pub(crate) const SINCE: u8 = 17;
}

/// Flags of operations.
pub(super) mod flag {
    /// Of a field: it is tested by `has(..)`.
    pub(crate) const TEST: u8 = 1;
    /// Of a field: it is selected by `.?`.
    pub(crate) const OPTIONAL: u8 = 2;
    /// Of a field: the name is a reserved word, written without its underscores.
    pub(crate) const RESERVED: u8 = 4;
    /// Of a call: it has a receiver.
    pub(crate) const MEMBER: u8 = 1;
    /// Of a call: `==` or `!=`, whatever the overload.
    pub(crate) const EQUALITY: u8 = 2;
    /// Of a call: `a[b]`.
    pub(crate) const INDEX: u8 = 4;
    /// Of a call: `a in b`.
    pub(crate) const IN: u8 = 8;
    /// Of a literal: it is within a call of `format`, so that the types of its elements may differ.
    pub(crate) const MIXED: u8 = 1;
    /// Of an element: it is optional, `[?e]`.
    pub(crate) const OPTIONAL_ENTRY: u8 = 1;
    /// Of an iteration: it has two variables.
    pub(crate) const TWO: u8 = 1;
    /// Of a program: it is read a second time, to check its literals.
    pub(crate) const LITERALS: u8 = 1;
}

/// The most values of a program.
pub(super) const MAX_VALUES: u16 = 512;

/// The offset of an issue without a position.
pub(super) const NOWHERE: u16 = u16::MAX;

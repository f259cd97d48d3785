//! The functions that the checks treat specially, whatever overload is called. Programs identify them by number.

/// A function by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    /// `a ? b : c`
    Conditional,
    /// `==`, `!=`
    Equality,
    /// `<`, `<=`, `>`, `>=`
    Order,
    /// `a[b]`
    Index,
    /// `a in b`
    In,
    /// `dyn(a)`
    Dyn,
    /// `string(a)`
    ToText,
    Other,
}

impl Operator {
    /// All, in the order of their numbers.
    pub(super) const ALL: [Self; 8] = [
        Self::Conditional,
        Self::Equality,
        Self::Order,
        Self::Index,
        Self::In,
        Self::Dyn,
        Self::ToText,
        Self::Other,
    ];

    /// The function with a name.
    pub(super) fn of(function: &str) -> Self {
        match function {
            "_?_:_" => Self::Conditional,
            "_==_" | "_!=_" => Self::Equality,
            "_<_" | "_<=_" | "_>_" | "_>=_" => Self::Order,
            "_[_]" => Self::Index,
            "@in" => Self::In,
            "dyn" => Self::Dyn,
            "string" => Self::ToText,
            _ => Self::Other,
        }
    }
}

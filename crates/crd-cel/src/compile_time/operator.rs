//! The functions that the checks treat specially, whatever overload is called. Programs identify them by number.

/// A function by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    /// `==`, `!=`
    Equality,
    /// `a[b]`
    Index,
    /// `a in b`
    In,
    Other,
}

impl Operator {
    /// All, in the order of their numbers.
    pub(super) const ALL: [Self; 4] = [Self::Equality, Self::Index, Self::In, Self::Other];

    /// The function with a name.
    pub(super) fn of(function: &str) -> Self {
        match function {
            "_==_" | "_!=_" => Self::Equality,
            "_[_]" => Self::Index,
            "@in" => Self::In,
            _ => Self::Other,
        }
    }
}

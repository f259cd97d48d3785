//! The rules by which the costs of overloads are estimated.

/// The rule by which the cost of an overload is estimated. cel-go, the API server and the extensions
/// of cel-go find out the sizes of operands in different ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EstimateRule {
    /// One unit, plus the cost of the arguments.
    One,
    Standard(Standard),
    Kubernetes(Kubernetes),
    Extension(Extension),
}

/// The rules of the standard library and of the extended strings. They use only the size that an
/// operand had when it was estimated.
///
/// Source: cel-go `checker/cost.go`, `functionCost`; `ext/strings.go`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standard {
    /// `a && b`, `a || b`: at least the left operand, at most both.
    Logic,
    /// `a ? b : c`
    Conditional,
    /// Traverses the shorter operand.
    Compare,
    /// `a + b` of texts or bytes.
    AddTexts,
    /// `a + b` of lists.
    AddLists,
    /// `a in list`
    In,
    /// `list[i]`
    Element,
    /// `map[key]`
    Member,
    /// `bytes(text)`
    ToBytes,
    /// `string(bytes)`
    ToText,
    /// `startsWith`, `endsWith`: traverses the argument.
    Affix,
    /// `contains`: the product of both.
    Contains,
    /// `text.matches(pattern)`
    Matches,
    /// `matches(text, pattern)`
    MatchesGlobal,
    /// `text.format(list)`
    Format,
    /// `strings.quote(text)`
    Quote,
}

/// The rules of the API server. For an operand that had no size when it was estimated, they use the
/// size at its path.
///
/// Source: `k8s.io/apiserver/pkg/cel/library/cost.go`, `EstimateCallCost`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kubernetes {
    /// `==`: a fixed rule for each type of the API server, and [`Standard::Compare`] for others.
    Equals,
    /// An authorization check.
    Check,
    /// Reading a selector.
    Selector,
    /// Traverses a list and its elements, or a text.
    Elements,
    /// [`Kubernetes::Elements`], or the size of a target that is not typed as a list.
    Includes,
    /// Traverses the first argument.
    Parse,
    /// Traverses the first argument twice.
    ParseTwice,
    /// `cidr.containsIP(ip)`
    ContainsIp,
    /// `cidr.containsIP(text)`
    ContainsIpText,
    /// `cidr.containsCIDR(cidr)`
    ContainsCidr,
    /// `cidr.containsCIDR(text)`
    ContainsCidrText,
    /// `format.validate(text)`
    Validate,
    /// `url(text)`
    Url,
    /// Traverses a text; the result has its size.
    SameSize,
    Replace,
    Split,
    Join,
    /// `find`, `findAll`
    Find,
}

/// The rules of cel-go's sets and extended lists.
///
/// Source: cel-go `ext/sets.go`, `estimateSetsCost`; `ext/lists.go`, `estimateList*`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extension {
    /// Looks for each element of one list in the other.
    Sets,
    /// [`Extension::Sets`] in both directions.
    SetsTwice,
    Slice,
    Range,
    /// Makes a list of the same size.
    Copy,
    /// `flatten` to a depth.
    Flatten,
    /// Compares each element with each.
    Distinct,
    /// Compares each element, or key, with each.
    Sort,
    /// [`Extension::Sort`] of texts or bytes.
    SortTexts,
}

//! What the estimated cost of an overload follows from.

/// The rule of an estimate, by where it is from: they read the sizes of operands otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Estimate {
    /// One unit, beside the arguments.
    One,
    Standard(Standard),
    Kubernetes(Kubernetes),
    Extension(Extension),
}

/// The rules of the standard library and of the extended strings, which read a size as it was when the operand was
/// estimated.
///
/// Source: cel-go `checker/cost.go`, `functionCost`; `ext/strings.go`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standard {
    /// `a && b`, `a || b`: at least the left operand, at most both.
    Logic,
    /// `a ? b : c`
    Conditional,
    /// Going through the shorter operand.
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
    /// `startsWith`, `endsWith`: going through the argument.
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

/// The rules of the API server, which read a size as it is by now.
///
/// Source: `k8s.io/apiserver/pkg/cel/library/cost.go`, `EstimateCallCost`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kubernetes {
    /// `==`: of a type of the API server's what that says, of others [`Standard::Compare`].
    Equals,
    /// An authorization check.
    Check,
    /// Reading a selector.
    Selector,
    /// Going through a list and its elements, or through a text.
    Elements,
    /// [`Kubernetes::Elements`], or the size of what is not a list by its type.
    Includes,
    /// Going through the first argument.
    Parse,
    /// Going through the first argument twice.
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
    /// Going through a text, whose size the result has.
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
    /// Looking for each element of one list in the other.
    Sets,
    /// [`Extension::Sets`] in both directions.
    SetsTwice,
    Slice,
    Range,
    /// Making a list of the same size.
    Copy,
    /// `flatten` to a depth.
    Flatten,
    /// Comparing each element with each.
    Distinct,
    /// Comparing each element, or key, with each.
    Sort,
    /// [`Extension::Sort`] of texts or bytes.
    SortTexts,
}

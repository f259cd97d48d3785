//! The cost of a call, and the size of its result.
//!
//! Source: the files that the modules `standard`, `kubernetes` and `extension` of `crate::cost` name.

use super::super::arithmetic::{CAP, add, larger, smaller, tenth, times};
use super::super::basic;
use super::super::declared::Declared;
use super::super::fuel::Fuel;
use super::super::operator::Operator;
use super::super::types::Type;
use super::CREATE_LIST;
use super::value::{Basis, Estimate, NO_NUMBER, PathElement, SizeSource, is_known};
use crate::kubernetes::Change;
use crate::library::estimate::EstimateRule::{self, Extension, Kubernetes, One, Standard};
use crate::library::estimate::Extension as E;
use crate::library::estimate::Kubernetes as K;
use crate::library::estimate::Standard as S;

/// A call whose operands have been estimated; a receiver is the first operand.
pub(crate) struct EstimatedCall<'a> {
    pub(crate) operator: Operator,
    /// The rule of the only overload that is possible; `None` if there are several.
    pub(crate) rule: Option<EstimateRule>,
    pub(crate) types: &'a [Type],
    pub(crate) operands: &'a [Estimate],
    pub(crate) count: usize,
    /// Whether the last argument is a literal number from 0 on.
    pub(crate) has_limit: bool,
    /// The size of the result if nothing else is known.
    pub(crate) otherwise: u64,
    /// The elements of the first operand, if it is a list.
    pub(crate) element: Type,
    pub(crate) basis: Basis,
}

/// The cost of matching ten characters with a format: a quarter of the longest pattern.
///
/// Source: `k8s.io/apiserver/pkg/cel/limits.go`, `MaxNameFormatRegexSize`.
const FORMAT_COST: u64 = 128 / 4;
/// The cost of comparing two names of formats: a tenth of the longest name.
///
/// Source: `MaxFormatSize` of the same file.
const COMPARE_FORMATS: u64 = 7;
/// The cost of comparing two IP addresses: a tenth of their bytes.
const COMPARE_ADDRESSES: u64 = 4;
/// The cost of masking an address, and of comparing prefixes.
const MASK: u64 = 3;

/// The cost of a call without its operands, and the size of its result.
struct CallEstimate {
    cost: u64,
    size: u64,
}

impl EstimatedCall<'_> {
    /// The first minor from which on servers estimate the call as the newest does; 0 if all known
    /// minors do.
    pub(crate) const fn same_since(&self) -> u32 {
        match (self.operator, self.rule) {
            (Operator::Equality, _) => self.compared_since(),
            (Operator::Index, _) if matches!(self.operand(0).at, SizeSource::NoPath) => {
                Change::PartsHaveSizes.minor()
            }
            (Operator::Dyn, _) => Change::DynKeepsSizes.minor(),
            (_, Some(Kubernetes(K::Url))) => Change::SizesOfUrls.minor(),
            (_, Some(Standard(S::MatchesGlobal))) => Change::GlobalMatchesCosts.minor(),
            _ => 0,
        }
    }

    /// As [`EstimatedCall::same_since`], for operands whose comparison has no bound on older servers.
    const fn compared_since(&self) -> u32 {
        let (mut since, mut i) = (0, 0);
        while i < self.count {
            let of_this = match self.types[i] {
                Type::Optional(_) => Change::EqualityOfOptionalsIsBounded.minor(),
                Type::Basic(code) if code >= basic::IP => {
                    Change::EqualityOfLibraryTypesIsBounded.minor()
                }
                _ => 0,
            };
            since = if of_this > since { of_this } else { since };
            i += 1;
        }
        since
    }

    const fn is_before(&self, change: Change) -> bool {
        self.basis.is_before(change)
    }

    /// Whether it makes a text of which the server knows no size.
    pub(crate) const fn has_unbounded_string(&self) -> bool {
        matches!(self.operator, Operator::ToText)
            && matches!(
                self.types[0],
                Type::Basic(
                    basic::BOOL
                        | basic::INT
                        | basic::UINT
                        | basic::DOUBLE
                        | basic::STRING
                        | basic::DURATION
                        | basic::TIMESTAMP
                )
            )
    }

    pub(crate) const fn estimate(&self, fuel: &mut Fuel) -> Estimate {
        let mut operand_costs = 0;
        let mut i = 0;
        while i < self.count {
            operand_costs = add(operand_costs, self.operands[i].cost);
            i += 1;
        }
        let a = self.operand(0);
        if matches!(self.operator, Operator::Conditional) {
            let (b, c) = (self.operand(1), self.operand(2));
            let cost = add(a.cost, larger(b.cost, c.cost));
            return Estimate { cost, size: larger(b.size, c.size), ..Estimate::NOTHING };
        }
        if matches!(self.operator, Operator::Index) {
            return self.indexed(operand_costs, fuel);
        }
        let own = match self.rule {
            Some(rule) => self.estimate_by_rule(rule, fuel),
            None => self.estimate_without_rule(),
        };
        Estimate {
            cost: add(operand_costs, own.cost),
            size: own.size,
            old: a.old,
            ..Estimate::NOTHING
        }
    }

    const fn operand(&self, index: usize) -> Estimate {
        if index < self.count { self.operands[index] } else { Estimate::NOTHING }
    }

    const fn ty(&self, index: usize) -> Type {
        if index < self.count { self.types[index] } else { Type::Basic(basic::UNKNOWN) }
    }

    /// The estimate of the element at an index.
    const fn indexed(&self, operand_costs: u64, fuel: &mut Fuel) -> Estimate {
        let a = self.operand(0);
        if self.rule.is_none() {
            return Estimate { cost: operand_costs, at: SizeSource::Unknown, ..Estimate::NOTHING };
        }
        let has_path = !matches!(a.at, SizeSource::NoPath);
        let element = a.element(PathElement::Elements, self.basis, self.otherwise, fuel);
        // The server knows the sizes of a list literal's elements. These checks do not, and count 0.
        let is_sized = has_path || self.is_before(Change::PartsHaveSizes);
        let size = if is_sized { element.size } else { 0 };
        Estimate { cost: add(operand_costs, 1), size, ..element }
    }

    /// The cost and size if several overloads are possible, or the types of operands are unknown.
    const fn estimate_without_rule(&self) -> CallEstimate {
        let [a, b] = [self.operand(0), self.operand(1)];
        match self.operator {
            Operator::Equality if self.may_be_traversed() => {
                CallEstimate { cost: tenth(smaller(a.size, b.size)), size: 1 }
            }
            Operator::Equality | Operator::Order => CallEstimate { cost: 0, size: 1 },
            Operator::Dyn => CallEstimate { cost: 1, size: self.size_of_dyn(a.size) },
            _ => CallEstimate { cost: 0, size: 0 },
        }
    }

    /// Whether the sizes of the operands decide what it costs to compare them. Kubernetes types, such
    /// as quantities, are compared at a fixed cost.
    const fn may_be_traversed(&self) -> bool {
        is_traversed(self.ty(0)) || is_traversed(self.ty(1))
    }

    const fn estimate_by_rule(&self, rule: EstimateRule, fuel: &mut Fuel) -> CallEstimate {
        match rule {
            One if matches!(self.operator, Operator::Dyn) => {
                CallEstimate { cost: 1, size: self.size_of_dyn(self.operand(0).size) }
            }
            One => CallEstimate { cost: 1, size: self.otherwise },
            Standard(rule) => self.standard(rule),
            Kubernetes(rule) => self.kubernetes(rule, fuel),
            Extension(rule) => self.extension(rule),
        }
    }

    const fn standard(&self, rule: S) -> CallEstimate {
        let [a, b] = [self.operand(0), self.operand(1)];
        let (cost, size) = match rule {
            S::Compare => (tenth(smaller(a.size, b.size)), 1),
            S::AddTexts => {
                let size = add(a.size, b.size);
                (tenth(size), size)
            }
            S::AddLists => (1, add(a.size, b.size)),
            S::In => (b.size, 1),
            S::Affix => (tenth(b.size), 1),
            S::Contains => (times(tenth(a.size), tenth(b.size)), 1),
            S::MatchesGlobal if self.is_before(Change::GlobalMatchesCosts) => (1, 1),
            S::Matches | S::MatchesGlobal => (times(tenth(add(a.size, 1)), b.size.div_ceil(4)), 1),
            S::Format => (tenth(a.size), self.otherwise),
            S::ToText => (tenth(a.size), a.size),
            S::ToBytes => {
                // Upstream: four times an unknown size wraps around.
                (tenth(a.size), if is_known(a.size) { times(a.size, 4) } else { 0 })
            }
            S::Quote => {
                // Upstream: twice an unknown size wraps around too.
                (tenth(a.size), if is_known(a.size) { add(times(a.size, 2), 2) } else { 0 })
            }
            // `estimate` handles the others itself, and logic is an operation of its own in programs.
            S::Logic | S::Conditional | S::Element | S::Member => (1, self.otherwise),
        };
        CallEstimate { cost, size }
    }

    const fn kubernetes(&self, rule: K, fuel: &mut Fuel) -> CallEstimate {
        let a = self.operand(0);
        let (cost, size) = match rule {
            // Rules have no authorizer.
            K::Check | K::Selector => (0, self.otherwise),
            K::Equals => (self.equality(), 1),
            K::Elements | K::Includes => (self.traversal_cost(fuel), self.otherwise),
            K::Parse => (tenth(a.size), self.otherwise),
            K::ParseTwice => (tenth(times(a.size, 2)), 1),
            K::ContainsIp => (COMPARE_ADDRESSES, 1),
            K::ContainsIpText => (add(COMPARE_ADDRESSES, tenth(self.argument_size(1))), 1),
            K::ContainsCidr => (COMPARE_ADDRESSES + MASK, 1),
            K::ContainsCidrText => (add(COMPARE_ADDRESSES + MASK, tenth(self.argument_size(1))), 1),
            K::Validate => (times(tenth(self.argument_size(1)), FORMAT_COST), self.otherwise),
            K::Url if self.is_before(Change::SizesOfUrls) => (tenth(a.size), CAP),
            K::SameSize | K::Url => (tenth(a.size), a.size),
            K::Replace => (tenth(times(a.size, 2)), self.replaced_size()),
            K::Split if self.has_limit && self.count > 2 => {
                let limit = self.operand(2).number;
                (tenth(times(a.size, 2)), if limit == NO_NUMBER { 0 } else { limit as u64 })
            }
            K::Split => (tenth(times(a.size, 2)), a.size),
            K::Join => {
                let each = self.element_size(fuel);
                let between = times(self.argument_size(1), a.size.saturating_sub(1));
                let size = add(times(a.size, each), if self.count > 1 { between } else { 0 });
                (tenth(size), size)
            }
            K::Find => (times(tenth(add(a.size, 1)), self.argument_size(1).div_ceil(4)), a.size),
        };
        CallEstimate { cost, size }
    }

    const fn extension(&self, rule: E) -> CallEstimate {
        let [a, b] = [self.operand(0), self.operand(1)];
        let (cost, size) = match rule {
            E::Sets => (add(times(a.size, b.size), 1), 1),
            E::SetsTwice => (add(times(times(a.size, b.size), 2), 1), 1),
            E::Slice => {
                let size = self.sliced_size();
                (add(size, 1 + CREATE_LIST), size)
            }
            E::Range => {
                // Upstream: a value that is not a literal counts as the largest number.
                let size = match (a.number, a.exact) {
                    (NO_NUMBER, true) => 0,
                    (NO_NUMBER, false) => CAP,
                    (number, _) => number as u64,
                };
                (add(size, 1 + CREATE_LIST), size)
            }
            E::Copy => (add(a.size, 1 + CREATE_LIST), a.size),
            E::Flatten => {
                let depth = if b.number == NO_NUMBER { 0 } else { b.number as u64 };
                (add(times(a.size, depth), 1 + CREATE_LIST), a.size)
            }
            E::Distinct => {
                let pairs = times(a.size, a.size);
                (add(times(pairs, 2), 1 + CREATE_LIST), pairs)
            }
            // `sortBy` compares its argument, the list of keys.
            E::Sort | E::SortTexts => {
                let size = if self.count > 1 { self.argument_size(1) } else { a.size };
                let pairs = times(size, size);
                (add(times(pairs, 2), 1 + CREATE_LIST), pairs)
            }
        };
        CallEstimate { cost, size }
    }

    /// The size of an argument. If it was unknown, upstream looks it up again after it has
    /// estimated the receiver, which may have changed the path of the argument ([`crate::slice_path`]).
    const fn argument_size(&self, index: usize) -> u64 {
        let argument = self.operand(index);
        if matches!(argument.size_source(), SizeSource::Undeclared) { 0 } else { argument.size }
    }

    /// The size of the result of `dyn`, which older servers do not know.
    const fn size_of_dyn(&self, size: u64) -> u64 {
        if self.is_before(Change::DynKeepsSizes) { CAP } else { size }
    }

    const fn is_list(&self, index: usize) -> bool {
        matches!(self.ty(index), Type::List(_))
    }

    /// The cost of `==`. Types of Kubernetes except for URLs are compared at a fixed cost, by servers that have
    /// [`Change::EqualityOfLibraryTypesIsBounded`]; everything else costs a tenth of its size.
    const fn equality(&self) -> u64 {
        let [a, b] = [self.operand(0), self.operand(1)];
        let of_sizes = self.is_before(Change::EqualityOfLibraryTypesIsBounded);
        match (self.ty(0), self.ty(1)) {
            (Type::Basic(code), Type::Basic(_)) if of_sizes && code >= basic::IP => {
                tenth(smaller(a.size, b.size))
            }
            (Type::Basic(basic::URL), Type::Basic(basic::URL)) => tenth(b.size),
            (Type::Basic(basic::NAMED_FORMAT), Type::Basic(basic::NAMED_FORMAT)) => COMPARE_FORMATS,
            (Type::Basic(a), Type::Basic(b)) if a == b && a >= basic::IP => 1,
            _ if self.may_be_traversed() => tenth(smaller(a.size, b.size)),
            _ => 0,
        }
    }

    /// The longest text in which every occurrence is replaced.
    const fn replaced_size(&self) -> u64 {
        let [text, from, to] = [self.operand(0).size, self.argument_size(1), self.argument_size(2)];
        if !self.operand(1).exact {
            // A declared value may be empty, and is then found around every code point. Others, such
            // as the result of `format`, may have a least size, which is unknown here.
            return match self.operand(1).size_source() {
                SizeSource::At(_) => add(times(add(text, 1), to), text),
                _ => 0,
            };
        }
        if from == 0 {
            return add(times(add(text, 1), to), text);
        }
        if to <= from { text } else { times(text.div_ceil(from), to) }
    }

    /// The size of a slice of a list.
    const fn sliced_size(&self) -> u64 {
        let (start, end) = (self.operand(1), self.operand(2));
        let start = match (start.number, start.exact) {
            (NO_NUMBER, true) => return 0,
            (NO_NUMBER, false) => 0,
            (number, _) => number as u64,
        };
        let end = match (end.number, end.exact) {
            (NO_NUMBER, true) => return 0,
            (NO_NUMBER, false) => self.operand(0).size,
            (number, _) => number as u64,
        };
        // Upstream: a slice that ends before it starts wraps around.
        end.saturating_sub(start)
    }

    /// The cost of traversing a list and its elements, or a text.
    const fn traversal_cost(&self, fuel: &mut Fuel) -> u64 {
        let list = self.operand(0);
        if !self.is_list(0) {
            return tenth(list.size);
        }
        let each = match self.element {
            Type::Basic(basic::STRING | basic::BYTES) => tenth(self.element_size(fuel)),
            _ => 0,
        };
        times(list.size, add(each, 1))
    }

    /// The size of the elements of a list. Upstream: only what is declared is known of it.
    const fn element_size(&self, fuel: &mut Fuel) -> u64 {
        match self.operand(0).size_source() {
            SizeSource::At(Declared::List(element, _)) => {
                SizeSource::declared(element).size(0, self.basis.minor, fuel)
            }
            SizeSource::At(_) | SizeSource::Undeclared | SizeSource::NoPath => CAP,
            SizeSource::Own | SizeSource::Unknown => 0,
        }
    }
}

/// Whether the size of a value of a type decides what it costs to compare it.
const fn is_traversed(ty: Type) -> bool {
    match ty {
        Type::Basic(code) => code > basic::UNKNOWN && code < basic::IP,
        Type::Var(_) => false,
        _ => true,
    }
}

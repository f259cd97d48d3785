//! An estimated value: its cost, its largest size, and the path at which the server looks up its
//! size.

use super::super::arithmetic::{CAP, add, times};
use super::super::declared::Declared;
use super::super::fuel::Fuel;
use super::sizes::PropertyLookup;
use crate::kubernetes::Change;

/// The declaration in which the server's estimator looks up the size of a value.
///
/// Upstream: this is not always the value's own declaration. A path that does not begin at a
/// variable is taken to begin at `self`, and its first element is skipped; and paths share memory
/// (`crate::slice_path`).
#[derive(Clone, Copy)]
pub(crate) enum SizeSource {
    /// The value's own declaration: [`Estimate::of`].
    Own,
    /// Another declaration.
    At(&'static Declared),
    /// The value has a path, but nothing is declared at its end.
    Undeclared,
    /// The value has no path.
    NoPath,
    /// Unknown to the checks in rustc.
    Unknown,
}

/// The inputs that all estimates of an expression share.
#[derive(Clone, Copy)]
pub(crate) struct Basis {
    /// The declaration at which paths begin: that of `self`.
    pub(crate) root: SizeSource,
    /// The minor of the server that estimates.
    pub(crate) minor: u32,
}

impl Basis {
    /// Whether the server is older than a change.
    pub(crate) const fn is_before(self, change: Change) -> bool {
        self.minor < change.minor()
    }
}

/// An element of a path, which leads from a value to its parts.
#[derive(Clone, Copy)]
pub(crate) enum PathElement<'a> {
    Field(&'a str),
    /// The elements of a list or the values of a map.
    Elements,
    /// The keys of a map.
    Keys,
    /// The indices of a list.
    Indices,
}

/// The declaration of keys: they have no size, and nothing is declared below them.
const KEYS: &Declared = &Declared::Bool;

/// The estimate of a value, with the facts that later estimates need.
#[derive(Clone, Copy)]
pub(crate) struct Estimate {
    /// The cost of evaluating the value, in cost units.
    pub(crate) cost: u64,
    /// Its largest size, in elements, code points or bytes.
    pub(crate) size: u64,
    /// Its declaration.
    pub(crate) of: Option<&'static Declared>,
    /// The declaration that determines its size.
    pub(crate) at: SizeSource,
    /// Whether it is read from `oldSelf`, which another schema may have admitted.
    pub(crate) old: bool,
    /// Whether its smallest size is also its largest, as for a literal.
    pub(crate) exact: bool,
    /// The value of a literal integer of 16 bits, 0 for a negative one; [`NO_NUMBER`] for all other
    /// values.
    pub(crate) number: u16,
    /// For a string or list literal, its offset in the program; 0 for other values.
    pub(crate) literal: usize,
    /// The enumerations that may apply to it, if there are several, in the form of `Site::Several`.
    pub(crate) enums: (u16, u16),
}

/// The number of a value that is not a literal integer, or is a large one.
pub(crate) const NO_NUMBER: u16 = u16::MAX;

impl SizeSource {
    /// A declaration, unless its size is unknown.
    pub(crate) const fn declared(declared: &'static Declared) -> Self {
        match declared {
            Declared::Unknown | Declared::Hidden | Declared::OneOf(_) | Declared::Keyed(..) => {
                Self::Unknown
            }
            _ => Self::At(declared),
        }
    }

    /// The declaration of a part. `root` is the declaration of the variable `self`.
    pub(crate) const fn step(self, part: PathElement<'_>, root: Self, fuel: &mut Fuel) -> Self {
        match (self, part) {
            (Self::NoPath, _) => root,
            (Self::Undeclared | Self::Unknown, _) => self,
            (
                Self::At(Declared::List(inner, _) | Declared::Map(inner, _)),
                PathElement::Elements,
            ) => Self::declared(inner),
            (Self::At(Declared::Map(..)), PathElement::Keys) => Self::At(KEYS),
            (Self::At(Declared::Object(object)), PathElement::Field(name)) => {
                match object.look_up(name, 0, fuel) {
                    PropertyLookup::Found(field) => Self::declared(field),
                    PropertyLookup::Missing => Self::Undeclared,
                    PropertyLookup::Unknown => Self::Unknown,
                }
            }
            (Self::At(_), _) => Self::Undeclared,
            (Self::Own, _) => Self::Unknown,
        }
    }

    /// The size of a value with this source: `otherwise` if none is declared, and 0 if the source is
    /// unknown.
    pub(crate) const fn size(self, otherwise: u64, minor: u32, fuel: &mut Fuel) -> u64 {
        match self {
            Self::At(declared) => declared.size(minor, fuel),
            Self::Undeclared | Self::NoPath => otherwise,
            Self::Own | Self::Unknown => 0,
        }
    }
}

impl Estimate {
    /// A value without a declaration.
    pub(crate) const NOTHING: Self = Self {
        cost: 0,
        size: 0,
        of: None,
        at: SizeSource::NoPath,
        old: false,
        exact: false,
        number: NO_NUMBER,
        literal: 0,
        enums: (0, 0),
    };

    pub(crate) const fn literal(size: u64) -> Self {
        Self { size, exact: true, ..Self::NOTHING }
    }

    /// The estimate of the variable `self`.
    pub(crate) const fn variable(
        of: Option<&'static Declared>,
        minor: u32,
        fuel: &mut Fuel,
    ) -> Self {
        let estimate = Self { cost: 1, of, at: SizeSource::Own, ..Self::NOTHING };
        Self { size: estimate.size_source().size(0, minor, fuel), ..estimate }
    }

    /// The declaration that determines its size, with [`SizeSource::Own`] resolved.
    pub(crate) const fn size_source(&self) -> SizeSource {
        match (self.at, self.of) {
            (SizeSource::Own, Some(of)) => SizeSource::declared(of),
            (SizeSource::Own, None) => SizeSource::Unknown,
            (at, _) => at,
        }
    }

    /// A variable bound to a value.
    pub(crate) const fn bound(self) -> Self {
        Self { cost: 1, exact: false, number: NO_NUMBER, literal: 0, ..self }
    }

    /// As [`bound`](Self::bound), for servers before [`Change::PartsHaveSizes`], which look up the
    /// variable's size at `self`; `otherwise` is its size if none is declared there.
    pub(crate) const fn bound_by_name(self, basis: Basis, otherwise: u64, fuel: &mut Fuel) -> Self {
        let size = basis.root.size(otherwise, basis.minor, fuel);
        Self { at: basis.root, size, ..self.bound() }
    }

    /// A variable that iterates over this range; `otherwise` is its size if none is declared.
    pub(crate) const fn element(
        self,
        part: PathElement<'_>,
        basis: Basis,
        otherwise: u64,
        fuel: &mut Fuel,
    ) -> Self {
        let of = match (self.of, part) {
            (Some(Declared::List(of, _) | Declared::Map(of, _)), PathElement::Elements) => {
                Some(*of)
            }
            _ => None,
        };
        Self { cost: 1, old: self.old, ..self.at_part(of, part, basis, otherwise, fuel) }
    }

    /// A field of this value. `of` is its declaration, if the checker has found it.
    pub(crate) const fn field(
        self,
        name: &str,
        of: Option<&'static Declared>,
        basis: Basis,
        otherwise: u64,
        fuel: &mut Fuel,
    ) -> Self {
        let of = match (of, self.of) {
            (None, Some(Declared::Object(object))) => object.property(name, fuel),
            (None, Some(Declared::Map(values, _))) => Some(*values),
            (of, _) => of,
        };
        Self {
            cost: self.cost,
            old: self.old,
            ..self.at_part(of, PathElement::Field(name), basis, otherwise, fuel)
        }
    }

    const fn at_part(
        self,
        of: Option<&'static Declared>,
        part: PathElement<'_>,
        basis: Basis,
        otherwise: u64,
        fuel: &mut Fuel,
    ) -> Self {
        let at = match (self.at, self.of, of, part) {
            (SizeSource::Own, Some(Declared::Object(_)), _, PathElement::Field(_))
            | (
                SizeSource::Own,
                Some(Declared::List(..) | Declared::Map(..)),
                _,
                PathElement::Elements,
            ) => SizeSource::Own,
            _ => self.size_source().step(part, basis.root, fuel),
        };
        let estimate = Self { of, at, ..Self::NOTHING };
        Self { size: estimate.size_source().size(otherwise, basis.minor, fuel), ..estimate }
    }

    /// The first minor from which on servers estimate the size of the value, and of its elements,
    /// as the newest does; 0 if all known minors do.
    pub(crate) const fn sized_since(&self) -> u32 {
        match self.size_source() {
            SizeSource::At(declared) => declared.bounded_since(),
            SizeSource::Own | SizeSource::Undeclared | SizeSource::NoPath | SizeSource::Unknown => {
                0
            }
        }
    }

    /// A value computed from this one at a cost of `units`, with its own size.
    pub(crate) const fn then(self, units: u64, size: u64) -> Self {
        Self { cost: add(self.cost, units), size, ..Self::NOTHING }
    }

    /// Adds cost units.
    pub(crate) const fn costing(self, units: u64) -> Self {
        Self { cost: add(self.cost, units), ..self }
    }

    /// The cost of evaluating both.
    pub(crate) const fn and(self, other: Self) -> Self {
        Self { cost: add(self.cost, other.cost), size: 1, ..Self::NOTHING }
    }
}

/// The parts of a comprehension.
pub(crate) struct Comprehension {
    pub(crate) range: Estimate,
    pub(crate) init: Estimate,
    pub(crate) next: Estimate,
    pub(crate) result: Estimate,
    /// The cost of the condition, in cost units.
    pub(crate) condition: u64,
    /// Whether it only binds a variable.
    pub(crate) binds: bool,
    /// Whether it makes a list or map.
    pub(crate) collects: bool,
}

impl Comprehension {
    pub(crate) const fn estimate(&self, basis: Basis) -> Estimate {
        let once = add(add(self.range.cost, self.init.cost), self.result.cost);
        let has_sizes = !basis.is_before(Change::PartsHaveSizes);
        if self.binds {
            // Upstream: servers without this change take the size of the range, which is empty.
            let size = if has_sizes { self.result.size } else { 0 };
            return Estimate { cost: once, size, ..Estimate::NOTHING };
        }
        let count = self.range.size;
        let round = add(self.next.cost, self.condition);
        let size = if self.collects || !has_sizes { count } else { 1 };
        Estimate { cost: add(once, times(count, round)), size, ..Estimate::NOTHING }
    }
}

/// Whether the server knows a size.
pub(crate) const fn is_known(size: u64) -> bool {
    size < CAP
}

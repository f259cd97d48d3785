//! An estimated value: its cost, its largest size, and the path at which the server looks up its size.

use super::super::declared::Declared;
use super::super::fuel::Fuel;
use super::sizes::Found;
use super::{CAP, add, times};

/// The declaration in which the server's estimator looks up the size of a value.
///
/// Upstream: this is not always the value's own declaration. A path that does not begin at a variable is taken to begin
/// at `self`, and its first step is skipped; and paths share memory (`crate::slice_path`).
#[derive(Clone, Copy)]
pub(crate) enum At {
    /// Its own declaration: [`Known::of`].
    Own,
    /// Here.
    To(&'static Declared),
    /// At the end of a path that leads to nothing that is declared.
    Off,
    /// There is no path to it.
    Nowhere,
    /// That is not known here.
    Unsure,
}

/// A step from a value to its parts.
#[derive(Clone, Copy)]
pub(crate) enum Part<'a> {
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

/// What is known of a value.
#[derive(Clone, Copy)]
pub(crate) struct Known {
    /// What it takes to get it.
    pub(crate) cost: u64,
    /// How many elements it can have at most.
    pub(crate) size: u64,
    /// What it is declared as.
    pub(crate) of: Option<&'static Declared>,
    /// Where its size comes from.
    pub(crate) at: At,
    /// It is read from the old value, which another schema may have admitted.
    pub(crate) old: bool,
    /// Whether its least size is its greatest, as that of a literal.
    pub(crate) exact: bool,
    /// The value of a literal number from 0 on, as far as 16 bits go; [`NO_NUMBER`] of everything else.
    pub(crate) number: u16,
    /// Where in the program the literal text or list stands that it is; 0 if it is none.
    pub(crate) literal: usize,
    /// The enumerations that it may be of, where those are several: the first alternative of `Site::Several` and
    /// how many there are.
    pub(crate) enums: (u16, u16),
}

/// Of a value that is not a literal number, or a large one.
pub(crate) const NO_NUMBER: u16 = u16::MAX;

impl At {
    /// At a declaration, as far as it is one.
    pub(crate) const fn declared(declared: &'static Declared) -> Self {
        match declared {
            Declared::Unknown | Declared::Hidden | Declared::OneOf(_) | Declared::Keyed(..) => {
                Self::Unsure
            }
            _ => Self::To(declared),
        }
    }

    /// Where a part is, of a place that is known by itself. `root` is where the value of the rule is.
    pub(crate) const fn step(self, part: Part<'_>, root: Self, fuel: &mut Fuel) -> Self {
        match (self, part) {
            (Self::Nowhere, _) => root,
            (Self::Off | Self::Unsure, _) => self,
            (Self::To(Declared::List(inner, _) | Declared::Map(inner, _)), Part::Elements) => {
                Self::declared(inner)
            }
            (Self::To(Declared::Map(..)), Part::Keys) => Self::To(KEYS),
            (Self::To(Declared::Object(object)), Part::Field(name)) => {
                match object.look_up(name, 0, fuel) {
                    Found::Is(field) => Self::declared(field),
                    Found::Lacks => Self::Off,
                    Found::Unsure => Self::Unsure,
                }
            }
            (Self::To(_), _) => Self::Off,
            (Self::Own, _) => Self::Unsure,
        }
    }

    /// The size of a value at this place, or `otherwise` if no size is declared there.
    pub(crate) const fn size(self, otherwise: u64, fuel: &mut Fuel) -> u64 {
        match self {
            Self::To(declared) => declared.size(fuel),
            Self::Off | Self::Nowhere => otherwise,
            Self::Own | Self::Unsure => 0,
        }
    }
}

impl Known {
    /// A value without a declaration.
    pub(crate) const NOTHING: Self = Self {
        cost: 0,
        size: 0,
        of: None,
        at: At::Nowhere,
        old: false,
        exact: false,
        number: NO_NUMBER,
        literal: 0,
        enums: (0, 0),
    };

    pub(crate) const fn literal(size: u64) -> Self {
        Self { size, exact: true, ..Self::NOTHING }
    }

    /// The value that an expression is about.
    pub(crate) const fn variable(of: Option<&'static Declared>, fuel: &mut Fuel) -> Self {
        let known = Self { cost: 1, of, at: At::Own, ..Self::NOTHING };
        Self { size: known.place().size(0, fuel), ..known }
    }

    /// Where its size comes from.
    pub(crate) const fn place(&self) -> At {
        match (self.at, self.of) {
            (At::Own, Some(of)) => At::declared(of),
            (At::Own, None) => At::Unsure,
            (at, _) => at,
        }
    }

    /// A variable bound to a value.
    pub(crate) const fn bound(self) -> Self {
        Self { cost: 1, exact: false, number: NO_NUMBER, literal: 0, ..self }
    }

    /// A variable that goes through a range; `otherwise` is its size where nothing declares one.
    pub(crate) const fn element(
        self,
        part: Part<'_>,
        root: At,
        otherwise: u64,
        fuel: &mut Fuel,
    ) -> Self {
        let of = match (self.of, part) {
            (Some(Declared::List(of, _) | Declared::Map(of, _)), Part::Elements) => Some(*of),
            _ => None,
        };
        Self { cost: 1, old: self.old, ..self.at_part(of, part, root, otherwise, fuel) }
    }

    /// A field that is declared as `of`, or somewhere in it.
    pub(crate) const fn field(
        self,
        name: &str,
        of: Option<&'static Declared>,
        root: At,
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
            ..self.at_part(of, Part::Field(name), root, otherwise, fuel)
        }
    }

    const fn at_part(
        self,
        of: Option<&'static Declared>,
        part: Part<'_>,
        root: At,
        otherwise: u64,
        fuel: &mut Fuel,
    ) -> Self {
        let at = match (self.at, self.of, of, part) {
            (At::Own, Some(Declared::Object(_)), _, Part::Field(_))
            | (At::Own, Some(Declared::List(..) | Declared::Map(..)), _, Part::Elements) => At::Own,
            _ => self.place().step(part, root, fuel),
        };
        let known = Self { of, at, ..Self::NOTHING };
        Self { size: known.place().size(otherwise, fuel), ..known }
    }

    /// A value that takes some more units to get, of another size.
    pub(crate) const fn then(self, units: u64, size: u64) -> Self {
        Self { cost: add(self.cost, units), size, ..Self::NOTHING }
    }

    /// The same for some more units.
    pub(crate) const fn costing(self, units: u64) -> Self {
        Self { cost: add(self.cost, units), ..self }
    }

    /// Both are needed.
    pub(crate) const fn and(self, other: Self) -> Self {
        Self { cost: add(self.cost, other.cost), size: 1, ..Self::NOTHING }
    }
}

/// A comprehension without its variables.
pub(crate) struct Comprehension {
    pub(crate) range: Known,
    pub(crate) init: Known,
    pub(crate) next: Known,
    pub(crate) result: Known,
    /// What the condition costs.
    pub(crate) condition: u64,
    /// It only binds a variable.
    pub(crate) binds: bool,
    /// It makes a list or map.
    pub(crate) collects: bool,
}

impl Comprehension {
    pub(crate) const fn known(&self) -> Known {
        let once = add(add(self.range.cost, self.init.cost), self.result.cost);
        if self.binds {
            return Known { cost: once, size: self.result.size, ..Known::NOTHING };
        }
        let count = self.range.size;
        let round = add(self.next.cost, self.condition);
        let size = if self.collects { count } else { 1 };
        Known { cost: add(once, times(count, round)), size, ..Known::NOTHING }
    }
}

/// A size that the server knows, from here on none.
pub(crate) const fn is_known(size: u64) -> bool {
    size < CAP
}

//! What the server estimates an expression to cost at most, or less than that: a bound from below, so that
//! nothing is refused which the server takes. The counterpart of `crate::cost`.
//!
//! Sizes are counted where they are sure: literals, what a declaration says of the end of a path, and what
//! common functions make of either. What is not known counts 0.
//!
//! Source: as of `crate::cost`.

use super::declared::{Declared, MAX_STRING, Most, Object, longest};
use super::fuel::{Fuel, comparison};
use super::text::equal;
use super::types::{Type, basic};

/// The most that a rule may be estimated to cost in one object, in cost units.
///
/// Source: `pkg/apis/apiextensions/validation/validation.go`, `StaticEstimatedCostLimit`.
pub(super) const RULE_COST_LIMIT: u64 = 10_000_000;
/// The most that all rules of a schema may be estimated to cost together, in cost units.
///
/// Source: as above, `StaticEstimatedCRDCostLimit`.
pub(super) const SCHEMA_COST_LIMIT: u64 = 100_000_000;

/// What it costs to make a list, in cost units. Source: cel-go `common/cost.go`.
pub(super) const CREATE_LIST: u64 = 10;
/// What it costs to make a map, in cost units. Source: cel-go `common/cost.go`.
pub(super) const CREATE_MAP: u64 = 30;

/// From here on costs and sizes are not told apart.
const CAP: u64 = 1 << 40;

/// How deep what is declared is followed.
const MAX_DEPTH: u32 = 16;

/// How a call is estimated, written into the program by the function's name.
pub(super) mod class {
    /// Only its operands count.
    pub(crate) const OPERANDS: u8 = 0;
    /// One unit.
    pub(crate) const ONE: u8 = 1;
    pub(crate) const CONDITIONAL: u8 = 2;
    pub(crate) const EQUAL: u8 = 3;
    pub(crate) const ORDER: u8 = 4;
    pub(crate) const ADD: u8 = 5;
    /// By an index that follows no path.
    pub(crate) const INDEX: u8 = 6;
    pub(crate) const DYN: u8 = 7;
    /// Goes through the first argument of a method.
    pub(crate) const AFFIX: u8 = 8;
    pub(crate) const CONTAINS: u8 = 9;
    pub(crate) const PATTERN: u8 = 10;
    /// Makes a text of the same length.
    pub(crate) const TEXT: u8 = 11;
    pub(crate) const REPLACE: u8 = 12;
    /// Without a limit.
    pub(crate) const SPLIT: u8 = 13;
    /// Goes through the first operand.
    pub(crate) const PARSE: u8 = 14;
    /// Goes through a list and its elements.
    pub(crate) const ELEMENTS: u8 = 15;
    pub(crate) const IN: u8 = 16;
    pub(crate) const SETS: u8 = 17;
    pub(crate) const SETS_TWICE: u8 = 18;
    /// Compares each element with each.
    pub(crate) const PAIRS: u8 = 19;
    /// Makes a list of the same length.
    pub(crate) const COPY: u8 = 20;
    pub(crate) const JOIN: u8 = 21;
    /// Matches the second operand with the longest pattern of a format.
    pub(crate) const VALIDATE: u8 = 22;
    /// One unit, with an optional of which the size is not known, but where it holds a scalar.
    pub(crate) const OPTIONAL: u8 = 23;
    /// Makes a text of which the server knows no size.
    pub(crate) const TO_TEXT: u8 = 24;
}

/// How a call of a function is estimated.
pub(super) fn class_of(function: &str, is_method: bool, arguments: usize) -> u8 {
    match (function, is_method, arguments) {
        ("_?_:_", ..) => class::CONDITIONAL,
        ("_==_" | "_!=_", ..) => class::EQUAL,
        ("_<_" | "_<=_" | "_>_" | "_>=_", ..) => class::ORDER,
        ("_+_", ..) => class::ADD,
        ("_[_]", ..) => class::INDEX,
        ("dyn", ..) => class::DYN,
        ("startsWith" | "endsWith", true, 1) => class::AFFIX,
        ("contains", true, 1) => class::CONTAINS,
        ("matches" | "find" | "findAll", true, _) => class::PATTERN,
        ("lowerAscii" | "upperAscii" | "substring" | "trim", true, _) | ("url", false, 1) => {
            class::TEXT
        }
        ("validate", true, 1) => class::VALIDATE,
        ("optional.of", ..) => class::OPTIONAL,
        ("string", false, 1) => class::TO_TEXT,
        ("replace", true, _) => class::REPLACE,
        ("split", true, 1) => class::SPLIT,
        (
            "ip" | "isIP" | "cidr" | "isCIDR" | "quantity" | "isQuantity" | "semver" | "isSemver",
            false,
            _,
        )
        | ("format", true, 1) => class::PARSE,
        ("isSorted" | "sum" | "max" | "min" | "indexOf" | "lastIndexOf", true, _) => {
            class::ELEMENTS
        }
        ("@in", ..) => class::IN,
        ("sets.contains" | "sets.intersects", ..) => class::SETS,
        ("sets.equivalent", ..) => class::SETS_TWICE,
        ("distinct" | "sort", true, 0) => class::PAIRS,
        ("reverse" | "flatten", true, 0) => class::COPY,
        ("join", true, _) => class::JOIN,
        (
            "!_"
            | "-_"
            | "_-_"
            | "_*_"
            | "_/_"
            | "_%_"
            | "@not_strictly_false"
            | "size"
            | "type"
            | "bool"
            | "int"
            | "uint"
            | "double"
            | "duration"
            | "timestamp"
            | "optional.ofNonZeroValue"
            | "optional.none"
            | "hasValue"
            | "value"
            | "or"
            | "orValue",
            ..,
        ) => class::ONE,
        _ => class::OPERANDS,
    }
}

/// What is known of a value.
#[derive(Clone, Copy)]
pub(super) struct Known {
    /// What it takes to get it.
    pub(super) cost: u64,
    /// How many elements it can have at most.
    pub(super) size: u64,
    /// The declaration that a path leads to.
    pub(super) at: Option<&'static Declared>,
    /// There is no path to its elements, or from it to its fields.
    pub(super) lost: bool,
    /// It is read from the old value, which another schema may have admitted.
    pub(super) old: bool,
    /// Where in the program the literal text or list stands that it is; 0 where it is none.
    pub(super) literal: usize,
    /// The enumerations that it may be of, where those are several: the first alternative of `Site::Several` and
    /// how many there are.
    pub(super) enums: (u16, u16),
}

impl Known {
    pub(super) const NOTHING: Self =
        Self { cost: 0, size: 0, at: None, lost: false, old: false, literal: 0, enums: (0, 0) };

    pub(super) const fn literal(size: u64) -> Self {
        Self { size, ..Self::NOTHING }
    }

    /// A variable of a declared type.
    pub(super) const fn variable(at: Option<&'static Declared>, fuel: &mut Fuel) -> Self {
        Self { cost: 1, size: size_of(at, fuel), at, ..Self::NOTHING }
    }

    /// A variable that stands for a value.
    pub(super) const fn bound(self) -> Self {
        Self { cost: 1, ..self }
    }

    /// A variable that goes through a range.
    pub(super) const fn element(self, fuel: &mut Fuel) -> Self {
        let element = match self.at {
            Some(Declared::List(element, _)) => Self::variable(Some(element), fuel),
            _ => Self { lost: self.lost, ..Self::variable(None, fuel) },
        };
        Self { old: self.old, ..element }
    }

    /// A field.
    pub(super) const fn field(self, read: bool, name: &str, fuel: &mut Fuel) -> Self {
        match self.at {
            Some(Declared::Object(object)) => {
                self.leads_to(read, object.property(name, fuel), fuel)
            }
            _ => self.leads_to(read, None, fuel),
        }
    }

    /// A field that is declared so.
    pub(super) const fn leads_to(
        self,
        read: bool,
        at: Option<&'static Declared>,
        fuel: &mut Fuel,
    ) -> Self {
        let size = size_of(at, fuel);
        Self { cost: add(self.cost, read as u64), size, at, old: self.old, ..Self::NOTHING }
    }

    /// A field of an element that there is no path to.
    ///
    /// Upstream: the path begins at the element, and its first step is skipped unseen, so that the field is looked
    /// for in `root`. Where that has none, the size is not known.
    pub(super) const fn lost_field(
        self,
        root: &Declared,
        name: &str,
        ty: Type,
        fuel: &mut Fuel,
    ) -> Self {
        let field = self.field(true, name, fuel);
        let has_size = matches!(ty, Type::List(_) | Type::Map(..))
            || matches!(ty, Type::Basic(basic::STRING | basic::BYTES));
        match root {
            Declared::Object(object)
                if has_size && matches!(object.look_up(name, 0, fuel), Property::Lacks) =>
            {
                Self { size: CAP, ..field }
            }
            _ => field,
        }
    }

    /// A value that takes some more units to get, of a type.
    pub(super) const fn then(self, units: u64, ty: Type) -> Self {
        Self { cost: add(self.cost, units), size: scalar(ty), ..Self::NOTHING }
    }

    /// Both are needed.
    pub(super) const fn and(self, other: Self) -> Self {
        Self { cost: add(self.cost, other.cost), size: 1, ..Self::NOTHING }
    }
}

/// A comprehension, but for the variables.
pub(super) struct Comprehension {
    pub(super) range: Known,
    pub(super) init: Known,
    pub(super) next: Known,
    pub(super) result: Known,
    /// What the condition costs.
    pub(super) condition: u64,
    /// It only binds a variable.
    pub(super) binds: bool,
    /// It makes a list or map.
    pub(super) collects: bool,
    /// The body may change what the path of the range leads to by the time it is looked up.
    pub(super) shared: bool,
}

impl Comprehension {
    pub(super) const fn known(&self) -> Known {
        let once = add(add(self.range.cost, self.init.cost), self.result.cost);
        if self.binds {
            return Known { cost: once, size: self.result.size, ..Known::NOTHING };
        }
        let count = if self.shared { 0 } else { self.range.size };
        let round = add(self.next.cost, self.condition);
        let size = if self.collects { count } else { 1 };
        let cost = add(once, times(count, round));
        Known { cost, size, lost: self.collects, ..Known::NOTHING }
    }
}

/// A call whose operands are known; a receiver is the first.
pub(super) struct Call<'a> {
    pub(super) class: u8,
    pub(super) types: &'a [Type],
    pub(super) operands: &'a [Known],
    pub(super) count: usize,
    pub(super) result: Type,
    /// Whether there is one overload, whatever the operands turn out to be.
    pub(super) certain: bool,
    /// As of [`size_of_optional`], of the result.
    pub(super) size_of_optional: u64,
}

/// What matching with a format takes for ten characters: a quarter of the longest pattern.
///
/// Source: `k8s.io/apiserver/pkg/cel/limits.go`, `MaxNameFormatRegexSize`.
const FORMAT_COST: u64 = 128 / 4;

/// The size of an optional that is made where no path leads: that of a scalar, or not known to the server.
pub(super) const fn size_of_optional(inner: Type) -> u64 {
    match inner {
        Type::Basic(basic::STRING | basic::BYTES)
        | Type::List(_)
        | Type::Map(..)
        | Type::Object(..) => CAP,
        _ => scalar(inner),
    }
}

impl Call<'_> {
    /// Whether it makes a text of which the server knows no size.
    pub(super) const fn makes_endless_text(&self) -> bool {
        self.class == class::TO_TEXT
            && (scalar(self.types[0]) == 1 || matches!(self.types[0], Type::Basic(basic::STRING)))
    }

    pub(super) const fn known(&self, fuel: &mut Fuel) -> Known {
        let mut all = 0;
        let mut i = 0;
        while i < self.count {
            all = add(all, self.operands[i].cost);
            i += 1;
        }
        let [a, b, c] = [self.operand(0), self.operand(1), self.operand(2)];
        let scalar = scalar(self.result);
        let mut at = None;
        let (own, size) = match self.class {
            class::CONDITIONAL => {
                all = add(a.cost, larger(b.cost, c.cost));
                (0, larger(b.size, c.size))
            }
            class::ONE => (1, scalar),
            class::EQUAL => (tenth(smaller(a.size, b.size)), 1),
            class::ORDER if !self.certain => (0, 1),
            class::ORDER if self.are_texts() => (tenth(smaller(a.size, b.size)), 1),
            class::ORDER => (1, 1),
            _ if !self.certain => (0, 0),
            class::ADD if self.are_texts() => {
                let size = add(a.size, b.size);
                (tenth(size), size)
            }
            class::ADD if matches!(self.types[0], Type::List(_)) => (1, add(a.size, b.size)),
            class::ADD => (1, scalar),
            class::INDEX => {
                at = match a.at {
                    Some(Declared::List(inner, _) | Declared::Map(inner, _)) => Some(*inner),
                    _ => None,
                };
                (1, size_of(at, fuel))
            }
            class::DYN => (1, a.size),
            class::AFFIX => (tenth(b.size), 1),
            class::CONTAINS => (times(tenth(a.size), tenth(b.size)), 1),
            class::PATTERN => {
                let size = if scalar == 1 { 1 } else { a.size };
                (times(tenth(add(a.size, 1)), b.size.div_ceil(4)), size)
            }
            class::TEXT => (tenth(a.size), a.size),
            class::REPLACE => (tenth(times(a.size, 2)), 0),
            class::SPLIT => (tenth(times(a.size, 2)), a.size),
            class::PARSE => (tenth(a.size), scalar),
            class::VALIDATE => (times(tenth(b.size), FORMAT_COST), scalar),
            class::OPTIONAL => (1, self.size_of_optional),
            // Of bytes it knows one.
            class::TO_TEXT if self.makes_endless_text() => (1, CAP),
            class::ELEMENTS => (self.through_elements(a, fuel), scalar),
            class::IN => (if matches!(self.types[1], Type::List(_)) { b.size } else { 1 }, 1),
            class::SETS => (add(times(a.size, b.size), 1), 1),
            class::SETS_TWICE => (add(times(times(a.size, b.size), 2), 1), 1),
            class::PAIRS => {
                let pairs = times(a.size, a.size);
                (add(times(pairs, 2), 11), pairs)
            }
            class::COPY => (add(a.size, 11), a.size),
            class::JOIN => {
                let between = times(b.size, a.size.saturating_sub(1));
                let size = add(times(a.size, a.element(fuel).size), between);
                (tenth(size), size)
            }
            _ => (0, 0),
        };
        Known { cost: add(all, own), size, at, old: a.old, ..Known::NOTHING }
    }

    const fn operand(&self, index: usize) -> Known {
        if index < self.count { self.operands[index] } else { Known::NOTHING }
    }

    const fn are_texts(&self) -> bool {
        matches!(self.types[0], Type::Basic(basic::STRING | basic::BYTES))
    }

    const fn through_elements(&self, list: Known, fuel: &mut Fuel) -> u64 {
        if !matches!(self.types[0], Type::List(_)) {
            return tenth(list.size);
        }
        let each = match list.at {
            Some(Declared::List(element @ (Declared::Text(_) | Declared::Enum(_)), _)) => {
                tenth(element.size(fuel))
            }
            _ => 0,
        };
        times(list.size, add(each, 1))
    }
}

/// The size of a value of a type whose values all have the same; 0 where it is not known.
const fn scalar(ty: Type) -> u64 {
    match ty {
        Type::Basic(
            basic::BOOL
            | basic::INT
            | basic::UINT
            | basic::DOUBLE
            | basic::DURATION
            | basic::TIMESTAMP,
        ) => 1,
        _ => 0,
    }
}

const fn size_of(at: Option<&Declared>, fuel: &mut Fuel) -> u64 {
    match at {
        Some(declared) => declared.size(fuel),
        None => 0,
    }
}

/// What is found of a property.
#[derive(Clone, Copy)]
enum Property {
    Is(&'static Declared),
    /// There is none.
    Lacks,
    /// There may be one: an alternative has it, or what is not known.
    Unsure,
}

impl Object {
    /// What a property is declared as, where nothing is its alternative.
    pub(super) const fn property(&self, name: &str, fuel: &mut Fuel) -> Option<&'static Declared> {
        match self.look_up(name, 0, fuel) {
            Property::Is(declared) => Some(declared),
            Property::Lacks | Property::Unsure => None,
        }
    }

    const fn look_up(&self, name: &str, depth: u32, fuel: &mut Fuel) -> Property {
        let mut otherwise = Property::Lacks;
        let mut i = 0;
        while i < self.fields.len() {
            let field = &self.fields[i];
            i += 1;
            if !fuel.spend(4 + comparison(field.name, name)) {
                return Property::Unsure;
            }
            if !field.name.is_empty() {
                if equal(field.name.as_bytes(), name.as_bytes()) {
                    return Property::Is(field.of);
                }
                continue;
            }
            match field.of {
                Declared::Object(part) if depth < MAX_DEPTH => {
                    match part.look_up(name, depth + 1, fuel) {
                        Property::Lacks => {}
                        Property::Unsure => otherwise = Property::Unsure,
                        found @ Property::Is(_) => return found,
                    }
                }
                Declared::Hidden | Declared::Map(..) => {}
                _ => return Property::Unsure,
            }
        }
        otherwise
    }
}

impl Declared {
    /// How many elements values can have at most, or fewer.
    pub(super) const fn size(&self, fuel: &mut Fuel) -> u64 {
        let size = match self {
            Self::Text(most) | Self::List(_, Most::Of(most)) | Self::Map(_, Most::Of(most)) => {
                *most
            }
            Self::Enum(values) => {
                fuel.spend(4 * values.len());
                longest(values)
            }
            Self::List(element, Most::Fitting) => match element.least(0, fuel) {
                Some(least) => MAX_STRING / (least + 1),
                None => 0,
            },
            Self::Map(value, Most::Fitting) => match value.least(0, fuel) {
                // A key, quotes, colon and comma.
                Some(least) => MAX_STRING / (least + 6),
                None => 0,
            },
            _ => 0,
        };
        smaller(size, CAP)
    }

    /// The fewest bytes that the server takes a value to need, or more: what may be required is taken to be.
    pub(super) const fn least(&self, depth: u32, fuel: &mut Fuel) -> Option<u64> {
        if !fuel.spend(4) {
            return None;
        }
        Some(match self {
            Self::Dyn | Self::Int | Self::Double => 1,
            Self::String
            | Self::Text(_)
            | Self::Enum(_)
            | Self::Bytes
            | Self::List(..)
            | Self::Map(..)
            | Self::Keyed(..) => 2,
            Self::Duration => 3,
            Self::Bool => 4,
            Self::Timestamp => 21,
            Self::Object(object) if depth < MAX_DEPTH => {
                let mut sum = 2;
                let mut i = 0;
                while i < object.fields.len() {
                    let field = &object.fields[i];
                    i += 1;
                    if !fuel.spend(8) {
                        return None;
                    }
                    // What rules cannot see does not count.
                    let hidden = matches!(field.of, Self::Hidden) && !field.name.is_empty();
                    if hidden || field.optional {
                        continue;
                    }
                    let Some(least) = field.of.least(depth + 1, fuel) else { return None };
                    // Quotes, colon and comma.
                    sum += field.name.len() as u64 + least + 4;
                }
                sum
            }
            // Whatever they come to, it needs what one of them needs, or less.
            Self::OneOf(parts) if depth < MAX_DEPTH => {
                let mut sum = 0;
                let mut i = 0;
                while i < parts.len() {
                    let Some(least) = parts[i].least(depth + 1, fuel) else { return None };
                    sum += least;
                    i += 1;
                }
                sum
            }
            Self::Hidden | Self::Object(_) | Self::OneOf(_) | Self::Unknown => return None,
        })
    }
}

pub(super) const fn add(a: u64, b: u64) -> u64 {
    smaller(a.saturating_add(b), CAP)
}

pub(super) const fn times(a: u64, b: u64) -> u64 {
    smaller(a.saturating_mul(b), CAP)
}

/// A tenth, rounded up: what going through a text costs.
const fn tenth(n: u64) -> u64 {
    n.div_ceil(10)
}

const fn smaller(a: u64, b: u64) -> u64 {
    if a < b { a } else { b }
}

const fn larger(a: u64, b: u64) -> u64 {
    if a > b { a } else { b }
}

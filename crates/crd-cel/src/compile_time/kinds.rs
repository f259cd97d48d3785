//! Determines the combined type of alternatives from the kinds of all of them.

use super::basic;
use super::declared::Declared;
use super::fuel::Fuel;

/// The deepest nesting of unions and flattened types.
pub(super) const MAX_DEPTH: u32 = 8;

/// The combined type of a site's alternatives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MergedType {
    /// Unknown.
    Unknown,
    /// A schema without a type.
    Hidden,
    /// A type without parts, by its code.
    Basic(u8),
    List,
    Map,
    Object,
}

impl MergedType {
    /// The type of a declaration that is no union.
    pub(super) const fn of(declared: &Declared) -> Self {
        match declared {
            Declared::Hidden => Self::Hidden,
            Declared::Dyn => Self::Basic(basic::DYN),
            Declared::Bool => Self::Basic(basic::BOOL),
            Declared::Int => Self::Basic(basic::INT),
            Declared::Double => Self::Basic(basic::DOUBLE),
            Declared::String | Declared::Enum(_) => Self::Basic(basic::STRING),
            Declared::Bytes => Self::Basic(basic::BYTES),
            Declared::Duration => Self::Basic(basic::DURATION),
            Declared::Timestamp => Self::Basic(basic::TIMESTAMP),
            Declared::List(_) => Self::List,
            Declared::Map(_) => Self::Map,
            Declared::Object(_) | Declared::Keyed(..) => Self::Object,
            Declared::OneOf(_) | Declared::Unknown => Self::Unknown,
        }
    }
}

/// The kinds of alternatives, one bit per kind.
#[derive(Clone, Copy)]
pub(super) struct Kinds {
    bits: u16,
    count: u32,
}

/// The bits; that of a type without parts is given by its code.
mod bit {
    use super::basic;

    pub(super) const UNKNOWN: u16 = 1 << basic::UNKNOWN;
    pub(super) const DYN: u16 = 1 << basic::DYN;
    pub(super) const INT: u16 = 1 << basic::INT;
    pub(super) const DOUBLE: u16 = 1 << basic::DOUBLE;
    pub(super) const TIMESTAMP: u16 = 1 << basic::TIMESTAMP;
    pub(super) const HIDDEN: u16 = 1 << 11;
    pub(super) const LIST: u16 = 1 << 12;
    pub(super) const MAP: u16 = 1 << 13;
    pub(super) const OBJECT: u16 = 1 << 14;
    /// An object with the fields of a resource. If it is one of several alternatives, the combined type is unknown,
    /// because rules see these fields only if all alternatives are resources.
    pub(super) const RESOURCE: u16 = 1 << 15;

    pub(super) const TEXTS: u16 =
        1 << basic::STRING | 1 << basic::BYTES | 1 << basic::DURATION | TIMESTAMP;
}

impl Kinds {
    pub(super) const NONE: Self = Self { bits: 0, count: 0 };

    /// The kinds of a declaration.
    pub(super) const fn of(declared: &Declared, fuel: &mut Fuel) -> Self {
        let mut kinds = Self::NONE;
        kinds.add(declared, 0, fuel);
        kinds
    }

    pub(super) const fn add(&mut self, declared: &Declared, depth: u32, fuel: &mut Fuel) {
        let fields = match declared {
            Declared::Object(object) => object.fields.len(),
            _ => 0,
        };
        if !fuel.spend(8 + 6 * fields) {
            self.bits |= bit::UNKNOWN;
            return;
        }
        if let Declared::OneOf(parts) = declared
            && depth < MAX_DEPTH
        {
            let mut i = 0;
            while i < parts.len() {
                self.add(&parts[i], depth + 1, fuel);
                i += 1;
            }
            return;
        }
        self.count += 1;
        self.bits |= match MergedType::of(declared) {
            MergedType::Unknown => bit::UNKNOWN,
            MergedType::Hidden => bit::HIDDEN,
            MergedType::Basic(code) => 1 << code,
            MergedType::List => bit::LIST,
            MergedType::Map => bit::MAP,
            MergedType::Object => match declared {
                Declared::Object(object) if object.is_resource() => bit::OBJECT | bit::RESOURCE,
                _ => bit::OBJECT,
            },
        };
    }

    const fn are_all_in(self, allowed: u16) -> bool {
        self.bits & !allowed == 0
    }

    /// The combined type.
    pub(super) const fn merged(self) -> MergedType {
        let several = self.count > 1;
        if self.bits & bit::UNKNOWN != 0 || (several && self.bits & bit::RESOURCE != 0) {
            return MergedType::Unknown;
        }
        match self.bits {
            bit::HIDDEN => MergedType::Hidden,
            bit::LIST => MergedType::List,
            bit::MAP => MergedType::Map,
            // `date` and `date-time` are different formats.
            bit::TIMESTAMP if several => MergedType::Unknown,
            #[expect(clippy::cast_possible_truncation, reason = "below 16")]
            one if one.is_power_of_two() && one <= bit::TIMESTAMP => {
                MergedType::Basic(one.trailing_zeros() as u8)
            }
            _ if self.are_all_in(bit::TEXTS) => MergedType::Basic(basic::STRING),
            _ if self.are_all_in(bit::INT | bit::DOUBLE) => MergedType::Basic(basic::DOUBLE),
            _ if self.are_all_in(bit::INT | bit::DYN | bit::TEXTS) => MergedType::Basic(basic::DYN),
            _ if self.are_all_in(bit::MAP | bit::OBJECT | bit::RESOURCE) => MergedType::Object,
            _ => MergedType::Hidden,
        }
    }
}

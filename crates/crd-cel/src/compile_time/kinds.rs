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

/// The kinds of alternatives, one bit per kind.
#[derive(Clone, Copy)]
pub(super) struct Kinds {
    bits: u16,
    count: u32,
}

mod bit {
    pub(super) const UNKNOWN: u16 = 1;
    pub(super) const HIDDEN: u16 = 1 << 1;
    pub(super) const DYN: u16 = 1 << 2;
    pub(super) const BOOL: u16 = 1 << 3;
    pub(super) const INT: u16 = 1 << 4;
    pub(super) const DOUBLE: u16 = 1 << 5;
    pub(super) const STRING: u16 = 1 << 6;
    pub(super) const BYTES: u16 = 1 << 7;
    pub(super) const DURATION: u16 = 1 << 8;
    pub(super) const TIMESTAMP: u16 = 1 << 9;
    pub(super) const LIST: u16 = 1 << 10;
    pub(super) const MAP: u16 = 1 << 11;
    pub(super) const OBJECT: u16 = 1 << 12;
    /// An object with the fields of a resource. If it is one of several alternatives, the combined type is unknown,
    /// because rules see these fields only if all alternatives are resources.
    pub(super) const RESOURCE: u16 = 1 << 13;

    pub(super) const TEXTS: u16 = STRING | BYTES | DURATION | TIMESTAMP;
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
        self.count += 1;
        let fields = match declared {
            Declared::Object(object) => object.fields.len(),
            _ => 0,
        };
        if !fuel.spend(8 + 6 * fields) {
            self.bits |= bit::UNKNOWN;
            return;
        }
        self.bits |= match declared {
            Declared::Hidden => bit::HIDDEN,
            Declared::Dyn => bit::DYN,
            Declared::Bool => bit::BOOL,
            Declared::Int => bit::INT,
            Declared::Double => bit::DOUBLE,
            Declared::String | Declared::Enum(_) => bit::STRING,
            Declared::Bytes => bit::BYTES,
            Declared::Duration => bit::DURATION,
            Declared::Timestamp => bit::TIMESTAMP,
            Declared::List(..) => bit::LIST,
            Declared::Map(..) => bit::MAP,
            Declared::Object(object) if object.is_resource() => bit::OBJECT | bit::RESOURCE,
            Declared::Object(_) | Declared::Keyed(..) => bit::OBJECT,
            Declared::OneOf(parts) if depth < MAX_DEPTH => {
                self.count -= 1;
                let mut i = 0;
                while i < parts.len() {
                    self.add(&parts[i], depth + 1, fuel);
                    i += 1;
                }
                0
            }
            Declared::Unknown | Declared::OneOf(_) => bit::UNKNOWN,
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
            bit::DYN => MergedType::Basic(basic::DYN),
            bit::BOOL => MergedType::Basic(basic::BOOL),
            bit::INT => MergedType::Basic(basic::INT),
            bit::DOUBLE => MergedType::Basic(basic::DOUBLE),
            bit::STRING => MergedType::Basic(basic::STRING),
            bit::BYTES => MergedType::Basic(basic::BYTES),
            bit::DURATION => MergedType::Basic(basic::DURATION),
            // `date` and `date-time` are different formats.
            bit::TIMESTAMP if several => MergedType::Unknown,
            bit::TIMESTAMP => MergedType::Basic(basic::TIMESTAMP),
            _ if self.are_all_in(bit::TEXTS) => MergedType::Basic(basic::STRING),
            _ if self.are_all_in(bit::INT | bit::DOUBLE) => MergedType::Basic(basic::DOUBLE),
            _ if self.are_all_in(bit::INT | bit::DYN | bit::TEXTS) => MergedType::Basic(basic::DYN),
            _ if self.are_all_in(bit::MAP | bit::OBJECT | bit::RESOURCE) => MergedType::Object,
            _ => MergedType::Hidden,
        }
    }
}

//! The declaration of a value, which may have several alternatives.
//!
//! An enum's schema is widened to allow all of its variants. Here the alternatives are kept apart, and combined only
//! when a rule uses the value, because nothing can be allocated while rustc evaluates a constant.
//!
//! A union inside a union is the same as one union of all alternatives.

use super::declared::{Declared, Object};
use super::fuel::{Fuel, comparison};
use super::text::equal;
use super::types::{Types, basic};

/// What is declared at a site.
#[derive(Debug, Clone, Copy)]
pub(super) enum Site {
    /// This.
    One(&'static Declared),
    /// Any of these: the first of them, and how many, in [`Types`].
    Several(u16, u16),
}

/// The combined type of a site's alternatives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Merged {
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

/// The result of looking up a property.
pub(super) enum Property {
    Found(Site),
    Missing,
    /// It may exist.
    Unknown,
}

/// The kinds of the alternatives so far, a bit each.
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
    /// An object with the fields of a resource: rules see them where all alternatives are resources.
    pub(super) const RESOURCE: u16 = 1 << 13;

    pub(super) const TEXTS: u16 = STRING | BYTES | DURATION | TIMESTAMP;
}

impl Kinds {
    /// Those of a declaration.
    pub(super) const fn of(declared: &Declared, fuel: &mut Fuel) -> Self {
        let mut kinds = Self { bits: 0, count: 0 };
        kinds.add(declared, 0, fuel);
        kinds
    }

    const fn add(&mut self, declared: &Declared, depth: u32, fuel: &mut Fuel) {
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
            Declared::String | Declared::Text(_) | Declared::Enum(_) => bit::STRING,
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

    const fn are(self, allowed: u16) -> bool {
        self.bits & !allowed == 0
    }

    /// The combined type.
    pub(super) const fn merged(self) -> Merged {
        let several = self.count > 1;
        if self.bits & bit::UNKNOWN != 0 || (several && self.bits & bit::RESOURCE != 0) {
            return Merged::Unknown;
        }
        match self.bits {
            bit::HIDDEN => Merged::Hidden,
            bit::LIST => Merged::List,
            bit::MAP => Merged::Map,
            bit::DYN => Merged::Basic(basic::DYN),
            bit::BOOL => Merged::Basic(basic::BOOL),
            bit::INT => Merged::Basic(basic::INT),
            bit::DOUBLE => Merged::Basic(basic::DOUBLE),
            bit::STRING => Merged::Basic(basic::STRING),
            bit::BYTES => Merged::Basic(basic::BYTES),
            bit::DURATION => Merged::Basic(basic::DURATION),
            // `date` and `date-time` are different formats.
            bit::TIMESTAMP if several => Merged::Unknown,
            bit::TIMESTAMP => Merged::Basic(basic::TIMESTAMP),
            _ if self.are(bit::TEXTS) => Merged::Basic(basic::STRING),
            _ if self.are(bit::INT | bit::DOUBLE) => Merged::Basic(basic::DOUBLE),
            _ if self.are(bit::INT | bit::DYN | bit::TEXTS) => Merged::Basic(basic::DYN),
            _ if self.are(bit::MAP | bit::OBJECT | bit::RESOURCE) => Merged::Object,
            _ => Merged::Hidden,
        }
    }
}

/// The largest number of alternatives of all sites of one expression.
pub(super) const MAX_ALTERNATIVES: usize = 512;
/// The deepest nesting of unions and flattened types.
const MAX_DEPTH: u32 = 8;

impl Types {
    /// The site of a declaration.
    pub(super) const fn site(&mut self, declared: &'static Declared) -> Site {
        if !matches!(declared, Declared::OneOf(_)) {
            return Site::One(declared);
        }
        let start = self.alternative_count;
        self.gather(declared, 0);
        self.gathered(start)
    }

    const fn gather(&mut self, declared: &'static Declared, depth: u32) {
        self.spend(6);
        match declared {
            Declared::OneOf(parts) if depth < MAX_DEPTH => {
                let mut i = 0;
                while i < parts.len() {
                    self.gather(&parts[i], depth + 1);
                    i += 1;
                }
            }
            Declared::OneOf(_) => self.alternative(&Declared::Unknown),
            _ => self.alternative(declared),
        }
    }

    const fn alternative(&mut self, declared: &'static Declared) {
        if self.alternative_count == MAX_ALTERNATIVES {
            self.full = true;
            return;
        }
        self.alternatives[self.alternative_count] = declared;
        self.alternative_count += 1;
    }

    /// The alternatives collected since there were `start`.
    const fn gathered(&mut self, start: usize) -> Site {
        match self.alternative_count - start {
            1 => {
                self.alternative_count = start;
                Site::One(self.alternatives[start])
            }
            #[expect(clippy::cast_possible_truncation, reason = "below MAX_ALTERNATIVES")]
            count => Site::Several(start as u16, count as u16),
        }
    }

    pub(super) const fn alternatives_of(site: Site) -> usize {
        match site {
            Site::One(_) => 1,
            Site::Several(_, count) => count as usize,
        }
    }

    pub(super) const fn nth(&self, site: Site, n: usize) -> &'static Declared {
        match site {
            Site::One(declared) => declared,
            Site::Several(start, _) => self.alternatives[start as usize + n],
        }
    }

    /// The combined type of a site.
    pub(super) const fn merged(&mut self, site: Site) -> Merged {
        let mut kinds = Kinds { bits: 0, count: 0 };
        let mut i = 0;
        while i < Self::alternatives_of(site) {
            kinds.add(self.nth(site, i), 0, &mut self.fuel);
            i += 1;
        }
        self.full = self.full || self.fuel.is_empty();
        kinds.merged()
    }

    /// The elements of a list or the values of a map.
    pub(super) const fn elements(&mut self, site: Site) -> Site {
        if let Site::One(Declared::List(inner, _) | Declared::Map(inner, _)) = site {
            return self.site(inner);
        }
        let start = self.alternative_count;
        self.spend(8 * Self::alternatives_of(site));
        let mut i = 0;
        while i < Self::alternatives_of(site) {
            if let Declared::List(inner, _) | Declared::Map(inner, _) = self.nth(site, i) {
                self.gather(inner, 0);
            }
            i += 1;
        }
        self.gathered(start)
    }

    /// The property of a name, whether or not the site is an object.
    pub(super) const fn property(&mut self, site: Site, name: &str) -> Property {
        self.found = None;
        let start = self.alternative_count;
        let mut i = 0;
        while i < Self::alternatives_of(site) {
            if !self.look(self.nth(site, i), name, 0) {
                return Property::Unknown;
            }
            i += 1;
        }
        if self.alternative_count == start {
            return Property::Missing;
        }
        Property::Found(self.gathered(start))
    }

    /// Collects a property of one alternative, if it has one; `false` if that is unknown.
    const fn look(&mut self, within: &'static Declared, name: &str, depth: u32) -> bool {
        self.spend(10);
        match within {
            Declared::Keyed(names, of) => {
                let mut i = 0;
                while i < names.len() {
                    self.spend(comparison(names[i], name));
                    if equal(names[i].as_bytes(), name.as_bytes()) {
                        self.gather(of, depth);
                        return true;
                    }
                    i += 1;
                }
                true
            }
            Declared::Object(object) if depth < MAX_DEPTH => self.look_in(object, name, depth),
            Declared::OneOf(parts) if depth < MAX_DEPTH => {
                let mut i = 0;
                while i < parts.len() {
                    if !self.look(&parts[i], name, depth + 1) {
                        return false;
                    }
                    i += 1;
                }
                true
            }
            Declared::Object(_) | Declared::OneOf(_) | Declared::Unknown => false,
            _ => true,
        }
    }

    const fn look_in(&mut self, object: &'static Object, name: &str, depth: u32) -> bool {
        let before = self.alternative_count;
        let mut direct = depth == 0;
        let mut known = true;
        // PERF: nearly all names are told apart by their lengths, and each call takes rustc longer than to compare them.
        self.spend(8 * object.fields.len());
        let wanted = name.len();
        let mut i = 0;
        while i < object.fields.len() {
            let field = &object.fields[i];
            let len = field.name.len();
            if len != wanted && len != 0 {
                i += 1;
                continue;
            }
            self.spend(comparison(field.name, name));
            if len == 0 {
                direct = false;
                known = self.look(field.of, name, depth + 1) && known;
            } else if equal(field.name.as_bytes(), name.as_bytes()) {
                self.found = if direct { Some(field.of) } else { None };
                self.gather(field.of, depth);
            }
            if self.alternative_count > before {
                return true;
            }
            i += 1;
        }
        known
    }

    /// The name of an object's type in errors.
    pub(super) const fn name_of(&self, site: Site) -> &'static str {
        let mut i = 0;
        while i < Self::alternatives_of(site) {
            if let Declared::Object(object) = self.nth(site, i) {
                return object.name;
            }
            i += 1;
        }
        "object"
    }
}

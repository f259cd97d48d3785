//! The largest and smallest sizes of declared values.

use super::super::arithmetic::{CAP, smaller};
use super::super::declared::{Declared, MAX_STRING, MaxElements, Object, longest};
use super::super::fuel::Fuel;
use crate::kubernetes::Change;

/// The deepest nesting of declarations that is followed.
const MAX_DEPTH: u32 = 16;

/// The result of looking up a property.
#[derive(Clone, Copy)]
pub(super) enum PropertyLookup {
    Found(&'static Declared),
    /// The object has no such property.
    Missing,
    /// The object may have the property: an alternative may declare it, or a type is unknown.
    Unknown,
}

impl Object {
    /// The declaration of a property; `None` if the object has none, or if it may be that of a flattened type with
    /// alternatives or of unknown type.
    pub(in super::super) const fn property(
        &self,
        name: &str,
        fuel: &mut Fuel,
    ) -> Option<&'static Declared> {
        match self.look_up(name, 0, fuel) {
            PropertyLookup::Found(declared) => Some(declared),
            PropertyLookup::Missing | PropertyLookup::Unknown => None,
        }
    }

    pub(super) const fn look_up(&self, name: &str, depth: u32, fuel: &mut Fuel) -> PropertyLookup {
        let mut otherwise = PropertyLookup::Missing;
        if !fuel.spend(self.search_fuel()) {
            return PropertyLookup::Unknown;
        }
        let mut i = self.next(name, 0, fuel);
        while i < self.fields.len() {
            let field = &self.fields[i];
            if fuel.is_empty() {
                return PropertyLookup::Unknown;
            }
            if !field.name.is_empty() {
                return PropertyLookup::Found(field.of);
            }
            i = self.next(name, i + 1, fuel);
            match field.of {
                Declared::Object(part) if depth < MAX_DEPTH => {
                    match part.look_up(name, depth + 1, fuel) {
                        PropertyLookup::Missing => {}
                        PropertyLookup::Unknown => otherwise = PropertyLookup::Unknown,
                        found @ PropertyLookup::Found(_) => return found,
                    }
                }
                Declared::Hidden | Declared::Map(..) => {}
                _ => return PropertyLookup::Unknown,
            }
        }
        otherwise
    }
}

impl Declared {
    /// The most elements or bytes of a value as a server of this minor counts them, or fewer.
    pub(in super::super) const fn size(&self, minor: u32, fuel: &mut Fuel) -> u64 {
        let size = match self {
            Self::Dyn(_) | Self::Name(_) if minor < self.bounded_since() => MAX_STRING,
            Self::Dyn(most)
            | Self::Name(most)
            | Self::Text(most)
            | Self::List(_, MaxElements::Of(most))
            | Self::Map(_, MaxElements::Of(most)) => *most,
            Self::Enum(values) => {
                fuel.spend(4 * values.len());
                longest(values)
            }
            Self::List(element, MaxElements::Fitting) => match element.least(0, fuel) {
                Some(least) => MAX_STRING / (least + 1),
                None => 0,
            },
            Self::Map(value, MaxElements::Fitting) => match value.least(0, fuel) {
                // A key, quotes, colon and comma.
                Some(least) => MAX_STRING / (least + 6),
                None => 0,
            },
            _ => 0,
        };
        smaller(size, CAP)
    }

    /// The first minor from which on servers know the bound of this value or of the elements in it;
    /// 0 if all known minors do.
    pub(super) const fn bounded_since(&self) -> u32 {
        match self {
            Self::Dyn(MAX_STRING) => 0,
            Self::Dyn(_) => Change::SizesOfIntOrString.minor(),
            Self::Name(_) => Change::NamesAreBounded.minor(),
            Self::List(Self::Dyn(most), _) if *most < MAX_STRING => {
                Change::SizesOfIntOrString.minor()
            }
            _ => 0,
        }
    }

    /// The declaration of a property; `None` if it is unknown, or if several alternatives have the property.
    pub(in super::super) const fn property_of_one(
        &'static self,
        name: &str,
        fuel: &mut Fuel,
    ) -> Option<&'static Self> {
        match self {
            Self::Object(object) => object.property(name, fuel),
            Self::OneOf(parts) => {
                let mut found = None;
                let mut i = 0;
                while i < parts.len() {
                    if let Self::Object(object) = &parts[i]
                        && let Some(property) = object.property(name, fuel)
                    {
                        if found.is_some() {
                            return None;
                        }
                        found = Some(property);
                    }
                    i += 1;
                }
                found
            }
            _ => None,
        }
    }

    /// The smallest size of a value at a path of properties, with the limits of [`least`](Self::least). If several
    /// alternatives have the path, it is the sum of their sizes.
    pub(in super::super) const fn least_at(
        &self,
        path: &[&str],
        depth: u32,
        fuel: &mut Fuel,
    ) -> Option<u64> {
        let Some((name, rest)) = path.split_first() else { return self.least(depth, fuel) };
        match self {
            Self::Object(object) => match object.look_up(name, 0, fuel) {
                PropertyLookup::Found(property) => property.least_at(rest, depth + 1, fuel),
                PropertyLookup::Missing => Some(0),
                PropertyLookup::Unknown => None,
            },
            Self::OneOf(parts) if depth < MAX_DEPTH => {
                let mut sum = 0;
                let mut i = 0;
                while i < parts.len() {
                    match parts[i].least_at(path, depth + 1, fuel) {
                        Some(least) => sum += least,
                        None => return None,
                    }
                    i += 1;
                }
                Some(sum)
            }
            Self::OneOf(_) | Self::Unknown | Self::Keyed(..) => None,
            _ => Some(0),
        }
    }

    /// The smallest size of a value in bytes, as the server computes it or larger: a field that may
    /// be required counts as required. `None` if it is unknown.
    pub(in super::super) const fn least(&self, depth: u32, fuel: &mut Fuel) -> Option<u64> {
        if !fuel.spend(4) {
            return None;
        }
        Some(match self {
            Self::Dyn(_) | Self::Int | Self::Double => 1,
            Self::String
            | Self::Text(_)
            | Self::Enum(_)
            | Self::Name(_)
            | Self::Bytes
            | Self::List(..)
            | Self::Map(..)
            | Self::Keyed(..) => 2,
            Self::Duration => 3,
            Self::Bool => 4,
            Self::Timestamp => 21,
            Self::Object(object) if depth < MAX_DEPTH => {
                let mut sum = 2;
                let mut fields = object.fields;
                // PERF: a pattern takes rustc less time than a call of `len` for each field.
                while let [field, rest @ ..] = fields {
                    fields = rest;
                    if !fuel.spend(8) {
                        return None;
                    }
                    // A field that rules cannot see does not count.
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
            // The sum of all alternatives is not less than what the server computes for their
            // union.
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

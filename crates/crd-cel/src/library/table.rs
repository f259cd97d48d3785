//! The table: the libraries with their overloads and types, and the environments that each is in.
//!
//! Source: `k8s.io/apiserver/pkg/cel/environment/base.go`, `baseOpts`, of each minor.

use super::row::{NamedType, Row};
use super::{
    authz, cidr, format, ip, json_patch, lists, lists_ext, optional, quantity, regex, semver, sets,
    standard, strings, timestamps, two_var, urls,
};
use crate::minors::Presence;
use crate::minors::libraries::{ADDRESSES, EXTENDED_LISTS, FORMATS, TWO_VARIABLES, VERSIONS};

/// A library of functions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Library {
    /// Its name in documentation.
    #[cfg_attr(not(feature = "eval"), expect(dead_code, reason = "there is no documentation"))]
    pub(crate) name: &'static str,
    /// The environments that have it.
    pub(crate) presence: Presence,
    /// Its overloads.
    pub(crate) overloads: &'static [&'static [Row]],
    /// Its types that have a name.
    pub(crate) types: &'static [NamedType],
}

impl Library {
    const fn new(name: &'static str, overloads: &'static [&'static [Row]]) -> Self {
        Self { name, presence: Presence::ALWAYS, overloads, types: &[] }
    }

    const fn within(self, presence: Presence) -> Self {
        Self { presence, ..self }
    }

    const fn with_types(self, types: &'static [NamedType]) -> Self {
        Self { types, ..self }
    }
}

/// The libraries, in the order in which the server's environment has them. If two libraries add
/// overloads to one function, the overloads are in this order.
pub(crate) static LIBRARIES: &[Library] = &[
    Library::new("standard", standard::OVERLOADS).with_types(standard::TYPES),
    Library::new("standard (time)", &[timestamps::OVERLOADS]),
    Library::new("URLs", &[urls::OVERLOADS]),
    Library::new("regular expressions", &[regex::OVERLOADS]),
    Library::new("lists", &[lists::OVERLOADS]),
    Library::new("authorization", &[authz::OVERLOADS]),
    Library::new("optionals", &[optional::OVERLOADS]).with_types(optional::TYPES),
    Library::new("quantities", &[quantity::OVERLOADS]),
    Library::new("strings", &[strings::OVERLOADS]),
    Library::new("sets", &[sets::OVERLOADS]),
    Library::new("IP addresses", &[ip::OVERLOADS]).within(ADDRESSES).with_types(ip::TYPES),
    Library::new("CIDRs", &[cidr::OVERLOADS]).within(ADDRESSES).with_types(cidr::TYPES),
    Library::new("formats", &[format::OVERLOADS]).within(FORMATS),
    Library::new("comprehensions of two variables", &[two_var::OVERLOADS]).within(TWO_VARIABLES),
    Library::new("semantic versions", &[semver::OVERLOADS]).within(VERSIONS),
    Library::new("extended lists", &[lists_ext::OVERLOADS]).within(EXTENDED_LISTS),
    Library::new("lists, second version", &[lists::SECOND_VERSION])
        .within(Presence::introduced_in(37)),
    Library::new("JSON patches", &[json_patch::OVERLOADS]).within(Presence::PATCHES),
];

/// An overload of a library.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Overload {
    #[cfg_attr(not(feature = "eval"), expect(dead_code, reason = "there is no documentation"))]
    pub(crate) library: &'static Library,
    pub(crate) row: &'static Row,
    /// The environments that have it.
    pub(crate) presence: Presence,
    /// [`Presence::first_minor`] of these.
    #[cfg(feature = "compile-time")]
    pub(crate) since: u32,
}

impl Overload {
    const fn new(library: &'static Library, row: &'static Row) -> Self {
        let presence = match row.presence {
            Some(own) => own,
            None => library.presence,
        };
        Self {
            library,
            row,
            presence,
            #[cfg(feature = "compile-time")]
            since: presence.first_minor(),
        }
    }
}

/// The number of overloads.
pub(crate) const COUNT: usize = {
    let (mut count, mut library) = (0, 0);
    while library < LIBRARIES.len() {
        let mut part = 0;
        while part < LIBRARIES[library].overloads.len() {
            count += LIBRARIES[library].overloads[part].len();
            part += 1;
        }
        library += 1;
    }
    count
};

/// All overloads, in the order of the libraries. An overload is known by its index here.
pub(crate) static OVERLOADS: [Overload; COUNT] = {
    let first = Overload::new(&LIBRARIES[0], &LIBRARIES[0].overloads[0][0]);
    let mut all = [first; COUNT];
    let (mut count, mut index) = (0, 0);
    while index < LIBRARIES.len() {
        let library = &LIBRARIES[index];
        let mut part = 0;
        while part < library.overloads.len() {
            let rows = library.overloads[part];
            let mut i = 0;
            while i < rows.len() {
                all[count] = Overload::new(library, &rows[i]);
                count += 1;
                i += 1;
            }
            part += 1;
        }
        index += 1;
    }
    all
};

/// The types that have a name, each with the environments that have it.
pub(crate) fn named_types() -> impl Iterator<Item = (&'static NamedType, Presence)> {
    LIBRARIES.iter().flat_map(|library| {
        library.types.iter().map(|named| (named, named.presence.unwrap_or(library.presence)))
    })
}

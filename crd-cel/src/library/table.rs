//! The libraries with their overloads and types, and the environments that each is in: what
//! declarations, the checker and the documentation read.
//!
//! Source: `k8s.io/apiserver/pkg/cel/environment/base.go`, `baseOpts`, of each minor.

use super::row::{NamedType, Row};
use super::{
    authz, cidr, format, ip, lists, lists_ext, optional, quantity, regex, semver, sets, standard,
    strings, timestamps, two_var, urls,
};
use crate::minors::libraries::{ADDRESSES, EXTENDED_LISTS, FORMATS, TWO_VARIABLES, VERSIONS};
use crate::minors::{Environment, Presence};
use crate::syntax::MACROS;

/// A library of functions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Library {
    /// Its name in documentation.
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

    /// Its overloads in order, each with the environments that it is in.
    pub(crate) fn rows(&self) -> impl Iterator<Item = (&'static Row, Presence)> {
        let own = self.presence;
        self.overloads
            .iter()
            .flat_map(|rows| rows.iter())
            .map(move |row| (row, row.presence.unwrap_or(own)))
    }
}

/// The libraries, in the order of the environment, which is the order of overloads if two libraries
/// add to one function.
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
];

/// A row for documentation: a function or macro, and its environments.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FunctionEntry {
    /// The library.
    pub library: &'static str,
    /// The name of the function or macro.
    pub name: &'static str,
    /// The environments that have it.
    pub presence: Presence,
}

/// Every function and macro that rules can use, with its environments: one row for each name and
/// presence, in the order of the libraries.
pub fn functions() -> Vec<FunctionEntry> {
    let mut rows: Vec<FunctionEntry> = Vec::new();
    let mut add = |row: FunctionEntry| {
        if !rows.contains(&row) {
            rows.push(row);
        }
    };
    for library in LIBRARIES {
        for (row, presence) in library.rows() {
            // Operators have names that no rule can spell.
            if row.function.starts_with(|c: char| c.is_ascii_alphabetic())
                && !row.function.contains('@')
            {
                add(FunctionEntry { library: library.name, name: row.function, presence });
            }
        }
    }
    for row in MACROS {
        add(FunctionEntry { library: "macros", name: row.function, presence: row.presence });
    }
    rows
}

/// The first entry of a function or macro that the environment lacks, but another one has.
pub fn missing_function(name: &str, environment: Environment) -> Option<FunctionEntry> {
    let rows = functions();
    let mut of_name = rows.into_iter().filter(|row| row.name == name).peekable();
    of_name.peek()?;
    let rows: Vec<FunctionEntry> = of_name.collect();
    if rows.iter().any(|row| environment.has(row.presence)) {
        return None;
    }
    rows.into_iter().next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_say_which_server_takes_a_function_first() {
        let since = |name: &str| {
            let rows = functions();
            let row = rows.iter().find(|row| row.name == name).expect(name);
            row.presence.since().map(crate::minors::KubernetesVersion::minor)
        };
        for (name, minor) in [
            ("ip", Some(31)),
            ("cidr", Some(31)),
            ("format.named", Some(32)),
            ("transformList", Some(33)),
            ("first", Some(33)),
            ("semver", Some(34)),
            ("sortBy", Some(35)),
            ("includes", None),
            ("join", Some(30)),
        ] {
            assert_eq!(since(name), minor, "{name}");
        }
    }
}

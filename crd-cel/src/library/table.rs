//! The environments that each library, overload, macro and type name is in, for declarations, the checker, the parser's
//! macros and the documentation.
//!
//! Source: `k8s.io/apiserver/pkg/cel/environment/base.go`, `baseOpts`, of each minor.

use super::{
    Declarations, authz, cidr, format, ip, lists, lists_ext, optional, quantity, regex, semver,
    sets, standard, strings, timestamps, two_var, urls,
};
use crate::minors::libraries::{
    ADDRESSES, EXTENDED_LISTS, FORMATS, OPTIONALS_OF_LISTS, SELECTORS, TWO_VARIABLES, VERSIONS,
};
use crate::minors::{Environment, Presence};
use crate::syntax::MACROS;

/// A library of functions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Library {
    /// Its name in documentation.
    pub(crate) name: &'static str,
    /// Where it is.
    pub(crate) presence: Presence,
    /// Declares its functions and types.
    pub(crate) declare: fn(&mut Declarations),
}

const fn library(
    name: &'static str,
    presence: Presence,
    declare: fn(&mut Declarations),
) -> Library {
    Library { name, presence, declare }
}

/// The libraries, in the order of the environment, which is the order of overloads if two libraries add to one
/// function.
pub(crate) const LIBRARIES: &[Library] = &[
    library("standard", Presence::ALWAYS, standard::declare),
    library("standard (time)", Presence::ALWAYS, timestamps::declare),
    library("URLs", Presence::ALWAYS, urls::declare),
    library("regular expressions", Presence::ALWAYS, regex::declare),
    library("lists", Presence::ALWAYS, lists::declare),
    library("authorization", Presence::ALWAYS, authz::declare),
    library("optionals", Presence::ALWAYS, optional::declare),
    library("quantities", Presence::ALWAYS, quantity::declare),
    library("strings", Presence::ALWAYS, strings::declare),
    library("sets", Presence::ALWAYS, sets::declare),
    library("IP addresses", ADDRESSES, ip::declare),
    library("CIDRs", ADDRESSES, cidr::declare),
    library("formats", FORMATS, format::declare),
    library("comprehensions of two variables", TWO_VARIABLES, two_var::declare),
    library("semantic versions", VERSIONS, semver::declare),
    library("extended lists", EXTENDED_LISTS, lists_ext::declare),
    library("lists, second version", Presence::introduced_in(37), lists::declare_second_version),
];

/// The overloads in other environments than their library, by cel-go's id.
const OVERLOADS: &[(&str, Presence)] = &[
    ("int64_to_duration", Presence::built_until(37)),
    ("authorizer_fieldselector", SELECTORS),
    ("authorizer_labelselector", SELECTORS),
    ("list_first", OPTIONALS_OF_LISTS),
    ("list_last", OPTIONALS_OF_LISTS),
    ("optional_unwrap", OPTIONALS_OF_LISTS),
    ("optional_unwrapOpt", OPTIONALS_OF_LISTS),
];

/// The names of types in other environments than their library.
const TYPES: &[(&str, Presence)] = &[(crate::types::OPTIONAL, Presence::built_since(31))];

/// Where an overload is, if not where its library is.
pub(super) fn presence_of_overload(id: &str) -> Option<Presence> {
    find(OVERLOADS, id)
}

/// The environments of a type's name, if they differ from those of its library.
pub(super) fn presence_of_type(name: &str) -> Option<Presence> {
    find(TYPES, name)
}

fn find(rows: &[(&str, Presence)], name: &str) -> Option<Presence> {
    rows.iter().find(|(row, _)| *row == name).map(|(_, presence)| *presence)
}

/// A row for documentation: a function or macro, and its environments.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FunctionEntry {
    /// The library.
    pub library: &'static str,
    /// The name of the function or macro.
    pub name: &'static str,
    /// Where it is.
    pub presence: Presence,
}

/// Every function and macro that rules can use, with its environments: one row for each name and presence, in the order
/// of the libraries.
pub fn functions() -> Vec<FunctionEntry> {
    let mut rows: Vec<FunctionEntry> = Vec::new();
    let mut add = |row: FunctionEntry| {
        if !rows.contains(&row) {
            rows.push(row);
        }
    };
    for library in LIBRARIES {
        let mut own = Declarations { presence: library.presence, ..Declarations::empty() };
        (library.declare)(&mut own);
        for function in &own.functions {
            // Operators have names that no rule can spell.
            if !function.name.starts_with(|c: char| c.is_ascii_alphabetic())
                || function.name.contains('@')
            {
                continue;
            }
            for overload in &function.overloads {
                let (name, presence) = (function.name, overload.presence);
                add(FunctionEntry { library: library.name, name, presence });
            }
        }
    }
    for row in MACROS {
        add(FunctionEntry { library: "macros", name: row.function, presence: row.presence });
    }
    rows
}

/// The first row of a function or macro that the given server does not have in new expressions, but some other server
/// has.
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
    use super::super::KUBERNETES;
    use super::*;

    #[test]
    fn each_exception_is_an_overload_or_type_of_the_environment() {
        for (id, _) in OVERLOADS {
            assert!(KUBERNETES.overload(id).is_some(), "{id}");
        }
        for (name, _) in TYPES {
            assert!(KUBERNETES.type_names.contains_key(name), "{name}");
        }
    }

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

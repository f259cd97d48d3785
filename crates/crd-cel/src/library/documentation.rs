//! The functions and macros for documentation, with the servers that have them.

use super::table::OVERLOADS;
use crate::minors::Presence;
use crate::syntax::MACROS;

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
    for overload in &OVERLOADS {
        if overload.presence == Presence::PATCHES {
            continue;
        }
        let name = overload.row.function;
        // Operators have names that no rule can spell.
        if name.starts_with(|c: char| c.is_ascii_alphabetic()) && !name.contains('@') {
            let (library, presence) = (overload.library.name, overload.presence);
            add(FunctionEntry { library, name, presence });
        }
    }
    for row in MACROS {
        add(FunctionEntry { library: "macros", name: row.function, presence: row.presence });
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_state_the_first_minor_with_a_function() {
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

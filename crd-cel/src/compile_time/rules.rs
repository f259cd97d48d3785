//! The rules of a type and of the types inside it, as a tree of constants.

use super::rule::Examined;

/// The rules of a type, and of the types inside it.
#[derive(Debug, Clone, Copy)]
pub struct Rules {
    /// The type that has them, for errors.
    pub of: &'static str,
    /// Rules of the type itself, and their message expressions.
    pub own: &'static [&'static Examined],
    /// Rules of an enum's variants. They are checked for servers that lack their functions, but not counted for the
    /// cost limit.
    pub variants: &'static [&'static Rules],
    /// Formats and keywords of the type that not all servers have.
    pub needs: &'static [Need],
    /// Rules of the values inside: below the name of a property, as rules write it, below
    /// [`ELEMENTS`](super::ELEMENTS), or, with an empty name, of the value itself.
    pub below: &'static [(&'static str, &'static Rules)],
}

impl Rules {
    /// No rules.
    pub const NONE: Self = Self { of: "", own: &[], variants: &[], needs: &[], below: &[] };
}

/// A format or keyword of a type that not all servers have.
#[derive(Debug, Clone, Copy)]
pub struct Need {
    /// Its name in errors, such as "`format = \"k8s-short-name\"` of `name`".
    pub what: &'static str,
    /// The first minor of Kubernetes that has it.
    pub since: u32,
}

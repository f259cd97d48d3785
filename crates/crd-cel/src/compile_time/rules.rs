//! The rules of a type and of the types inside it, as a tree of constants.

use super::declared::Declared;
use super::rule::Examined;

/// The rules of a type, and of the types inside it.
#[derive(Debug, Clone, Copy)]
pub struct Rules {
    /// The type that has them, for errors.
    pub of: &'static str,
    /// Rules of the type itself, and their message expressions.
    pub own: &'static [&'static Examined],
    /// Whether its schema has further rules: constants, which are not parsed here, and those that `exactly_one_of` and
    /// similar attributes generate.
    pub others: bool,
    /// Rules of an enum's variants, each relative to the enum: the paths of `own` and the names of `below` begin there.
    pub variants: &'static [&'static Rules],
    /// Whether the schemas of the variants are merged into one, in which a rule of several variants occurs once, or is
    /// moved to the enum.
    pub merged: bool,
    /// Formats and keywords of the type that not all servers have.
    pub needs: &'static [Need],
    /// Rules of the values inside, each with the name of a property as rules write it, with
    /// [`ELEMENTS`](super::ELEMENTS) for elements, or with an empty name for the value itself.
    pub below: &'static [(&'static str, &'static Rules)],
    /// The declaration of the value, if its name does not identify it: several variants may have parts of that name.
    pub at: Option<&'static Declared>,
}

impl Rules {
    /// No rules.
    pub const NONE: Self = Self {
        of: "",
        own: &[],
        others: false,
        variants: &[],
        merged: false,
        needs: &[],
        below: &[],
        at: None,
    };
}

/// A format or keyword of a type that not all servers have.
#[derive(Debug, Clone, Copy)]
pub struct Need {
    /// Its name in errors, such as "`format = \"k8s-short-name\"` of `name`".
    pub what: &'static str,
    /// The first minor of Kubernetes that has it.
    pub since: u32,
}

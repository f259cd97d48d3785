//! Checks that the servers that a kind supports have the functions that its rules call and the formats and keywords of
//! its attributes.
//!
//! Only the kind knows its oldest server (`kubernetes = "1.33"`), so each rule carries the first minor that has all its
//! functions ([`Examined`]), and each type the list of what it needs ([`Needs`]). The kind compares the minors with its
//! oldest server. An error in one of its own rules is at the rule; an error in another type is at the field of the kind
//! that leads to that type.

use super::checker::missing_on;
use super::fuel::{Fuel, WALK};
use super::message::{Text, fail};
use super::rule::{ELEMENTS, Examined};
use super::text::equal;

/// What a type and the types inside it need of servers.
#[derive(Debug, Clone, Copy)]
pub struct Needs {
    /// The type, for errors.
    pub of: &'static str,
    /// The file and line of the type, for errors. Behind a static of its own, which is read only for an error: a line that
    /// is added above the type does not change what is evaluated otherwise.
    pub place: &'static &'static str,
    /// The rules of the type and of its fields, in tables.
    pub rules: &'static [&'static [Examined]],
    /// The formats and keywords that not all servers have.
    pub features: &'static [Feature],
    /// The types inside it, each with its path: names of properties, [`ELEMENTS`] for elements, or an empty name for
    /// the value itself.
    pub parts: &'static [(&'static str, &'static Needs)],
}

impl Needs {
    /// No needs.
    pub const NONE: Self = Self { of: "", place: &"", rules: &[], features: &[], parts: &[] };
}

/// A format or keyword of a type that not all servers have.
#[derive(Debug, Clone, Copy)]
pub struct Feature {
    /// Its name in errors, such as "`format = \"k8s-short-name\"` of `name`".
    pub what: &'static str,
    /// The first minor of Kubernetes that has it.
    pub since: u32,
}

/// The deepest nesting of types that is visited. rustc evaluates at most 128 nested calls.
const MAX_DEPTH: usize = 36;

/// Checks that all servers from the minor `oldest` on have the functions of an expression.
///
/// # Panics
/// If one lacks a function; in a constant this is an error of rustc.
#[track_caller]
pub const fn available(examined: &Examined, oldest: u32) {
    if let Some(mut text) = missing(examined, oldest) {
        push_help(&mut text, examined.since);
        fail(&text);
    }
}

/// The errors for what a valid expression needs and a server of this minor does not have.
const fn missing(examined: &Examined, oldest: u32) -> Option<Text> {
    let needs_more = !examined.rejected && examined.since > oldest;
    if needs_more { Some(missing_on(&examined.rule, oldest)) } else { None }
}

/// Checks that all servers from the minor `oldest` on have the functions, formats and keywords of a part of a kind.
/// `name` is the path of the part in an object.
///
/// # Panics
/// If one lacks any of them; in a constant this is an error of rustc.
#[track_caller]
pub const fn all_available(needs: &'static Needs, name: &'static str, oldest: u32) {
    let mut walk =
        AvailabilityWalk { path: [""; MAX_DEPTH], length: 0, oldest, fuel: Fuel::new(WALK) };
    if !name.is_empty() {
        walk.path[0] = name;
        walk.length = 1;
    }
    walk.visit(needs, 0);
}

const fn push_help(text: &mut Text, since: u32) {
    text.push("\nhelp: `kubernetes = \"1.");
    text.push_int(since as i128);
    text.push("\"` on the kind gives up the servers before");
}

struct AvailabilityWalk {
    /// The path from the kind: names of properties and [`ELEMENTS`].
    path: [&'static str; MAX_DEPTH],
    length: usize,
    oldest: u32,
    fuel: Fuel,
}

impl AvailabilityWalk {
    #[track_caller]
    const fn visit(&mut self, needs: &'static Needs, depth: usize) {
        if depth == MAX_DEPTH || !self.fuel.spend(24 + 8 * needs.features.len()) {
            return;
        }
        let mut tables = needs.rules;
        while let [rules, rest @ ..] = tables {
            tables = rest;
            if !self.fuel.spend(8 + 8 * rules.len()) {
                return;
            }
            let mut rules = *rules;
            while let [rule, rest @ ..] = rules {
                rules = rest;
                self.check_rule(needs, rule);
            }
        }
        let mut i = 0;
        while i < needs.features.len() {
            let Feature { what, since } = needs.features[i];
            if since > self.oldest {
                let mut text = Text::new();
                text.push_need(what, since, self.oldest);
                self.push_place(&mut text, needs, "it is set on `", "it is set");
                push_help(&mut text, since);
                fail(&text);
            }
            i += 1;
        }
        let mut i = 0;
        while i < needs.parts.len() {
            let (name, part) = needs.parts[i];
            let before = self.length;
            if !name.is_empty() && before < MAX_DEPTH {
                self.path[before] = name;
                self.length = before + 1;
            }
            self.visit(part, depth + 1);
            self.length = before;
            i += 1;
        }
    }

    #[track_caller]
    const fn check_rule(&self, needs: &'static Needs, examined: &Examined) {
        let Some(mut text) = missing(examined, self.oldest) else { return };
        self.push_place(&mut text, needs, "the rule is one of `", "the rule stands");
        push_help(&mut text, examined.since);
        fail(&text);
    }

    /// Writes the type that has the rule or attribute, and its path in an object.
    const fn push_place(&self, text: &mut Text, needs: &Needs, of_type: &str, otherwise: &str) {
        let of = needs.of;
        text.push("\nnote: ");
        if of.is_empty() {
            text.push(otherwise);
        } else {
            text.push(of_type);
            text.push(of);
            text.push("`");
        }
        if !needs.place.is_empty() {
            text.push(" (");
            text.push(needs.place);
            text.push(")");
        }
        if self.length == 0 {
            return;
        }
        text.push(if of.is_empty() { " at `" } else { ", at `" });
        let mut i = 0;
        while i < self.length {
            if equal(self.path[i].as_bytes(), ELEMENTS.as_bytes()) {
                text.push("[*]");
            } else {
                text.push(if i == 0 { "" } else { "." });
                text.push(self.path[i]);
            }
            i += 1;
        }
        text.push("`");
    }
}

//! Checks that the servers that a kind supports have the functions that its rules call and the formats and keywords of
//! its attributes, and that no such server estimates one of the kind's own rules above the limit.
//!
//! Only the kind knows its oldest server (`kubernetes = "1.33"`), so each rule carries the first minor that has all its
//! functions ([`Examined`]). The kind compares this minor with its oldest server. An error in one of its own rules is
//! at the rule; an error in a rule of another type is at the field of the kind that leads to that type.

use super::advice::push_advice;
use super::checker::missing_on;
use super::fuel::{EXPRESSION, Fuel, WALK};
use super::message::{Text, fail};
use super::minors::{highest_cost, push_minor};
use super::rule::{ELEMENTS, Examined, Rule, Want};
use super::rules::{Need, Rules};
use super::text::equal;

/// The deepest nesting of types that is visited. rustc evaluates at most 128 nested calls.
const MAX_DEPTH: usize = 36;

/// Checks that all servers from the minor `oldest` on have the functions of an expression, and that none of them
/// estimates it above the limit.
///
/// # Panics
/// If one lacks a function or estimates the expression above the limit; in a constant this is an error of rustc.
#[track_caller]
pub const fn available(examined: &Examined, oldest: u32) {
    if examined.rejected {
        return;
    }
    let Examined { rule, path, since, varies_before, .. } = examined;
    if *since > oldest {
        let mut text = missing(rule, path, oldest);
        push_help(&mut text, *since);
        fail(&text);
    }
    if *varies_before > oldest {
        let (cost, minor) = highest_cost(rule, path, oldest, &mut Fuel::new(EXPRESSION));
        if rule.costs_too_much(cost) {
            let mut text = Text::new();
            text.push_over_budget(rule.want, cost);
            push_minor(&mut text, minor);
            push_advice(&mut text, rule, path, minor);
            fail(&text);
        }
    }
}

/// Checks that all servers from the minor `oldest` on have the functions, formats and keywords of a part of a kind.
/// `name` is the path of the part in an object.
///
/// # Panics
/// If one lacks any of them; in a constant this is an error of rustc.
#[track_caller]
pub const fn all_available(rules: &'static Rules, name: &'static str, oldest: u32) {
    let mut walk =
        AvailabilityWalk { path: [""; MAX_DEPTH], length: 0, oldest, fuel: Fuel::new(WALK) };
    if !name.is_empty() {
        walk.path[0] = name;
        walk.length = 1;
    }
    walk.visit(rules, 0);
}

const fn push_help(text: &mut Text, since: u32) {
    text.push("\nhelp: `kubernetes = \"1.");
    text.push_number(since as u64);
    text.push("\"` on the kind gives up the servers before");
}

const fn missing(rule: &Rule, path: &[&str], oldest: u32) -> Text {
    let mut text = Text::new();
    text.push(match rule.want {
        Want::Rule => "compilation failed on Kubernetes 1.",
        Want::Message => "messageExpression compilation failed on Kubernetes 1.",
    });
    text.push_number(oldest as u64);
    text.push(": ");
    text.push(missing_on(rule, path, oldest).as_str());
    text
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
    const fn visit(&mut self, rules: &'static Rules, depth: usize) {
        if depth == MAX_DEPTH || !self.fuel.spend(24 + 8 * (rules.own.len() + rules.needs.len())) {
            return;
        }
        let mut i = 0;
        while i < rules.own.len() {
            self.check_rule(rules, rules.own[i]);
            i += 1;
        }
        let mut i = 0;
        while i < rules.needs.len() {
            let Need { what, since } = rules.needs[i];
            if since > self.oldest {
                let mut text = Text::new();
                text.push_need(what, since, self.oldest);
                self.push_place(&mut text, rules.of, "it is set on `", "it is set");
                push_help(&mut text, since);
                fail(&text);
            }
            i += 1;
        }
        let mut i = 0;
        while i < rules.variants.len() {
            self.visit(rules.variants[i], depth + 1);
            i += 1;
        }
        let mut i = 0;
        while i < rules.below.len() {
            let (name, below) = rules.below[i];
            let before = self.length;
            if !name.is_empty() && before < MAX_DEPTH {
                self.path[before] = name;
                self.length = before + 1;
            }
            self.visit(below, depth + 1);
            self.length = before;
            i += 1;
        }
    }

    #[track_caller]
    const fn check_rule(&self, rules: &'static Rules, examined: &Examined) {
        if examined.rejected || examined.since <= self.oldest {
            return;
        }
        let mut text = missing(&examined.rule, examined.path, self.oldest);
        self.push_place(&mut text, rules.of, "the rule is one of `", "the rule stands");
        push_help(&mut text, examined.since);
        fail(&text);
    }

    /// Writes the type that has the rule or attribute, and its path in an object.
    const fn push_place(&self, text: &mut Text, of: &str, of_type: &str, otherwise: &str) {
        text.push("\nnote: ");
        if of.is_empty() {
            text.push(otherwise);
        } else {
            text.push(of_type);
            text.push(of);
            text.push("`");
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

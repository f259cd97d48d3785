//! Whether the servers that a kind is for have what its rules call and what its attributes say, and what rules cost on
//! the one that estimates them highest.
//!
//! What a rule calls shows where it is written; which servers the kind is for shows only at the kind. So each rule says
//! since when servers have it ([`Examined`]), and the kind holds that against the oldest of its servers: at its own
//! rules, and at each field for the rules of the field's type.

use super::budget::Rules;
use super::check::{ELEMENTS, Examined, Rule, Want, cost_on, fail, missing_on};
use super::fuel::{EXPRESSION, Fuel, WALK};
use super::message::Text;
use super::text::equal;
use crate::kubernetes::KubernetesVersion;

/// Something that a type says beside rules and that not all servers have.
#[derive(Debug, Clone, Copy)]
pub struct Need {
    /// What it is, such as "`format = \"k8s-short-name\"` of `name`".
    pub what: &'static str,
    /// The first minor of Kubernetes that has it.
    pub since: u32,
}

/// The deepest types in types whose rules are looked at. rustc goes 128 calls deep.
const MAX_DEPTH: usize = 36;

/// Servers from a minor on have what an expression calls, and none of them estimates it above the limit.
///
/// # Panics
/// Where that is not so; that is an error of rustc, since it is called in constants.
#[track_caller]
pub const fn available(examined: &Examined, oldest: u32) {
    if examined.refused {
        return;
    }
    let Examined { rule, way, since, varies, .. } = examined;
    if *since > oldest {
        let mut text = missing(rule, way, oldest);
        push_help(&mut text, *since);
        fail(&text);
    }
    if *varies {
        let (cost, minor) = highest(rule, way, oldest, &mut Fuel::new(EXPRESSION));
        if rule.costs_too_much(cost) {
            let mut text = Text::new();
            text.push_over_budget(rule.want, cost);
            push_minor(&mut text, minor);
            fail(&text);
        }
    }
}

/// Servers from a minor on have what the rules of a part of a kind call, and what the part says beside. `name` is that
/// of the part.
///
/// # Panics
/// As [`available`].
#[track_caller]
pub const fn all_available(rules: &'static Rules, name: &'static str, oldest: u32) {
    let mut walk = Walk { way: [""; MAX_DEPTH], length: 0, oldest, fuel: Fuel::new(WALK) };
    if !name.is_empty() {
        walk.way[0] = name;
        walk.length = 1;
    }
    walk.visit(rules, 0);
}

/// The most that servers from a minor on estimate an expression to cost, and the minor that does.
///
/// All changes but one make estimates lower, so that it is the oldest or the newest.
pub(super) const fn highest(rule: &Rule, way: &[&str], oldest: u32, fuel: &mut Fuel) -> (u64, u32) {
    let newest = KubernetesVersion::NEWEST.minor();
    let first = cost_on(rule, way, oldest, fuel);
    let last = cost_on(rule, way, newest, fuel);
    if last > first { (last, newest) } else { (first, oldest) }
}

/// `, on Kubernetes 1.31`
pub(super) const fn push_minor(text: &mut Text, minor: u32) {
    text.push("\nnote: that is the estimate of Kubernetes 1.");
    text.push_number(minor as u64);
}

const fn push_help(text: &mut Text, since: u32) {
    text.push("\nhelp: `kubernetes = \"1.");
    text.push_number(since as u64);
    text.push("\"` on the kind gives up the servers before");
}

const fn missing(rule: &Rule, way: &[&str], oldest: u32) -> Text {
    let mut text = Text::new();
    text.push(match rule.want {
        Want::Rule => "compilation failed on Kubernetes 1.",
        Want::Message => "messageExpression compilation failed on Kubernetes 1.",
    });
    text.push_number(oldest as u64);
    text.push(": ");
    text.push(missing_on(rule, way, oldest).as_str());
    text
}

struct Walk {
    /// The names of properties, and [`ELEMENTS`], from the kind's field on.
    way: [&'static str; MAX_DEPTH],
    length: usize,
    oldest: u32,
    fuel: Fuel,
}

impl Walk {
    #[track_caller]
    const fn visit(&mut self, rules: &'static Rules, depth: usize) {
        if depth == MAX_DEPTH || !self.fuel.spend(24 + 8 * (rules.own.len() + rules.needs.len())) {
            return;
        }
        let mut i = 0;
        while i < rules.own.len() {
            self.judge(rules, rules.own[i]);
            i += 1;
        }
        let mut i = 0;
        while i < rules.needs.len() {
            let Need { what, since } = rules.needs[i];
            if since > self.oldest {
                let mut text = Text::new();
                text.push_need(what, since, self.oldest);
                self.push_place(&mut text, rules.of, "it is said by `", "it is said");
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
                self.way[before] = name;
                self.length = before + 1;
            }
            self.visit(below, depth + 1);
            self.length = before;
            i += 1;
        }
    }

    #[track_caller]
    const fn judge(&self, rules: &'static Rules, examined: &Examined) {
        if examined.refused || examined.since <= self.oldest {
            return;
        }
        let mut text = missing(&examined.rule, examined.way, self.oldest);
        self.push_place(&mut text, rules.of, "the rule is one of `", "the rule stands");
        push_help(&mut text, examined.since);
        fail(&text);
    }

    /// Which type has it, and where that stands.
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
            if equal(self.way[i].as_bytes(), ELEMENTS.as_bytes()) {
                text.push("[*]");
            } else {
                text.push(if i == 0 { "" } else { "." });
                text.push(self.way[i]);
            }
            i += 1;
        }
        text.push("`");
    }
}

//! The cost of rules in one object: the cost of each for one value, times the number of such values.
//!
//! The walk goes from the root of an object to the rules in the constants of derived types. It never finds a higher
//! cost than the server: enums, types without the derive and schemas that a function builds have no rules here, and
//! the size of the smallest value is never underestimated.
//!
//! Source: apiextensions-apiserver `pkg/apis/apiextensions/validation/cel_validation.go`, `CELSchemaContext`, and
//! `validation.go`, `ValidateCustomResourceDefinitionOpenAPISchema`.

use super::advice::{RunCounts, advice};
use super::arithmetic::{add, times};
use super::checker::{REFERENCE, cost_on};
use super::declared::{Declared, MAX_REQUEST, MaxElements};
use super::estimate::{RULE_COST_LIMIT, SCHEMA_COST_LIMIT};
use super::fuel::{Fuel, WALK, comparison};
use super::message::{BOUNDS_HELP, Text, fail};
use super::minors::{highest, push_minor};
use super::rule::{CostCheck, ELEMENTS, Examined, Rule, Want};
use super::rules::Rules;
use super::text::equal;

/// The most steps from a root to a rule.
const MAX_STEPS: usize = 24;
/// The deepest nesting of rules, in steps and types. rustc evaluates at most 128 nested calls.
const MAX_DEPTH: u32 = 36;

/// Checks that no expression in the `nth` part of a root exceeds the cost limit of a rule, on any server from the minor
/// `oldest` on.
///
/// # Panics
/// If an expression does; in a constant this is an error of rustc.
#[track_caller]
pub const fn within_limit(of: &'static Declared, rules: &'static Rules, nth: usize, oldest: u32) {
    let mut walk = CostWalk::new(oldest);
    walk.enter(of, rules.below[nth], 0);
    let Some(most_expensive) = walk.most_expensive else { return };
    if most_expensive.cost > RULE_COST_LIMIT {
        fail(&most_expensive.message());
    }
}

/// Checks that the expressions of a root together do not exceed the cost limit of a schema, on any server from the minor
/// `oldest` on. [`within_limit`] checks each by itself.
///
/// # Panics
/// If they do; in a constant this is an error of rustc.
#[track_caller]
pub const fn within_total(of: &'static Declared, rules: &'static Rules, oldest: u32) {
    let mut walk = CostWalk::new(oldest);
    walk.visit(of, rules, 0);
    let Some(most_expensive) = walk.most_expensive else { return };
    if walk.sum <= SCHEMA_COST_LIMIT || walk.rejected || most_expensive.cost > RULE_COST_LIMIT {
        return;
    }
    let mut text = Text::new();
    text.push("x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of ");
    text.push_factor(walk.sum, SCHEMA_COST_LIMIT);
    text.push(BOUNDS_HELP);
    text.push("\nnote: most expensive: ");
    most_expensive.report(&mut text);
    fail(&text);
}

/// The lowest possible cost in one object of a root's most expensive expression, and of all its expressions together, in
/// cost units of the reference server.
#[must_use]
pub const fn costs(of: &'static Declared, rules: &'static Rules) -> (u64, u64) {
    let mut walk = CostWalk::new(0);
    walk.visit(of, rules, 0);
    match walk.most_expensive {
        Some(most_expensive) => (most_expensive.cost, walk.sum),
        None => (0, 0),
    }
}

/// A step from a value to a part.
#[derive(Clone, Copy)]
enum Step {
    Property(&'static str),
    /// The elements of a list, and whether it has a bound.
    Items(bool),
    /// The values of a map, and whether it has a bound.
    Values(bool),
}

#[derive(Clone, Copy)]
struct BoundedPath {
    steps: [Step; MAX_STEPS],
    length: usize,
    /// The product of the bounds of lists and maps on the path.
    bounded: u64,
    /// The number of lists and maps on the path without a bound.
    unbounded: u32,
}

impl BoundedPath {
    /// The number of values at the end of the path; 0 if it is unknown.
    const fn runs(&self, at: &Declared, fuel: &mut Fuel) -> u64 {
        if self.unbounded == 0 {
            return self.bounded;
        }
        match at.least(0, fuel) {
            Some(least) => MAX_REQUEST / (least + 1),
            None => 0,
        }
    }
}

/// An expression at the path of its value.
#[derive(Clone, Copy)]
struct LocatedExpression {
    rule: Rule,
    path_of_rule: &'static [&'static str],
    /// The type that declares it.
    of: &'static str,
    path: BoundedPath,
    /// The cost of one evaluation, in cost units.
    once: u64,
    /// How many times it can be evaluated in one object.
    runs: u64,
    /// The cost in one object: `once` times `runs`.
    cost: u64,
    /// The minor with this estimate.
    minor: u32,
    /// Whether the estimates of minors differ, so that errors name the minor.
    differs: bool,
}

struct CostWalk {
    path: BoundedPath,
    sum: u64,
    most_expensive: Option<LocatedExpression>,
    /// Whether an expression was rejected. The error is reported at the expression, not here.
    rejected: bool,
    /// The oldest minor to estimate for; 0 for the reference server only.
    oldest: u32,
    fuel: Fuel,
}

impl CostWalk {
    const fn new(oldest: u32) -> Self {
        let steps = [Step::Items(true); MAX_STEPS];
        Self {
            path: BoundedPath { steps, length: 0, bounded: 1, unbounded: 0 },
            sum: 0,
            most_expensive: None,
            rejected: false,
            oldest,
            fuel: Fuel::new(WALK),
        }
    }

    const fn visit(&mut self, at: &'static Declared, rules: &'static Rules, depth: u32) {
        if depth == MAX_DEPTH || !self.fuel.spend(24) {
            return;
        }
        let mut i = 0;
        while i < rules.own.len() {
            self.add_rule(at, rules.of, rules.own[i]);
            i += 1;
        }
        let mut i = 0;
        while i < rules.below.len() {
            self.enter(at, rules.below[i], depth);
            i += 1;
        }
    }

    const fn enter(
        &mut self,
        at: &'static Declared,
        (name, rules): (&'static str, &'static Rules),
        depth: u32,
    ) {
        if name.is_empty() {
            return self.visit(at, rules, depth + 1);
        }
        let before = self.path.length;
        if before == MAX_STEPS || !self.fuel.spend(24 + comparison(name, ELEMENTS)) {
            return;
        }
        let (bounded, unbounded) = (self.path.bounded, self.path.unbounded);
        let (next, step) = if equal(name.as_bytes(), ELEMENTS.as_bytes()) {
            let (next, most) = match at {
                Declared::List(next, most) | Declared::Map(next, most) => (*next, most),
                _ => return,
            };
            let has_bound = match most {
                MaxElements::Of(most) => {
                    self.path.bounded = times(bounded, *most);
                    true
                }
                MaxElements::Fitting => {
                    self.path.unbounded = unbounded + 1;
                    false
                }
            };
            let is_list = matches!(at, Declared::List(..));
            (next, if is_list { Step::Items(has_bound) } else { Step::Values(has_bound) })
        } else {
            let next = match at {
                Declared::Object(object) => object.property(name, &mut self.fuel),
                _ => None,
            };
            let Some(next) = next else { return };
            (next, Step::Property(name))
        };
        self.path.steps[before] = step;
        self.path.length = before + 1;
        self.visit(next, rules, depth + 1);
        self.path = BoundedPath { length: before, bounded, unbounded, ..self.path };
    }

    const fn add_rule(&mut self, at: &'static Declared, of: &'static str, examined: &Examined) {
        if !self.fuel.spend(24) {
            return;
        }
        let Examined { mut rule, mut path, cost: mut once, rejected, varies_before, .. } =
            *examined;
        if rejected {
            self.rejected = true;
            return;
        }
        let runs = match rule.want {
            Want::Rule => self.path.runs(at, &mut self.fuel),
            // Upstream: the number of values is ignored for message expressions.
            Want::Message => 1,
        };
        let mut minor = REFERENCE;
        let differs = self.oldest > 0 && varies_before > self.oldest;
        if differs {
            (once, minor) = highest(&rule, path, self.oldest, &mut self.fuel);
        }
        if matches!(rule.cost_check, CostCheck::AtUse) {
            // Bounds where the type is used can only lower the cost: one far below the limit need not be estimated again.
            if times(once, runs) <= RULE_COST_LIMIT / 16 || self.fuel.is_empty() {
                return;
            }
            rule.of = at;
            path = &[];
            if differs {
                (once, minor) = highest(&rule, path, self.oldest, &mut self.fuel);
            } else {
                once = cost_on(&rule, path, REFERENCE, &mut self.fuel, None);
            }
        }
        let cost = times(once, runs);
        self.sum = add(self.sum, cost);
        let is_more_expensive = match &self.most_expensive {
            Some(most_expensive) => cost > most_expensive.cost,
            None => true,
        };
        if is_more_expensive {
            let path_of_rule = path;
            let path = self.path;
            self.most_expensive = Some(LocatedExpression {
                rule,
                path_of_rule,
                of,
                path,
                once,
                runs,
                cost,
                minor,
                differs,
            });
        }
    }
}

impl LocatedExpression {
    const fn message(&self) -> Text {
        let mut text = Text::new();
        text.push_over_budget(self.rule.want, self.cost);
        text.push("\nnote: ");
        self.report(&mut text);
        if self.differs {
            push_minor(&mut text, self.minor);
        }
        let BoundedPath { bounded, unbounded, .. } = self.path;
        let runs = match self.rule.want {
            Want::Rule => RunCounts { now: self.runs, bounded, unbounded },
            Want::Message => RunCounts::ONCE,
        };
        if let Some(advice) = advice(&self.rule, self.path_of_rule, self.minor, &runs) {
            let mut itself = Text::new();
            self.push_path(&mut itself, self.path.length);
            advice.report(&mut text, itself.as_str());
            if advice.above {
                text.push(if advice.is_above_alone() { "" } else { " and " });
                self.report_unbounded(&mut text);
            }
        }
        text
    }

    /// Writes the expression, the path of its value, and its cost.
    const fn report(&self, text: &mut Text) {
        text.push(match self.rule.want {
            Want::Rule => "the rule `",
            Want::Message => "the message `",
        });
        text.push_line(self.rule.source);
        text.push("`");
        if !self.of.is_empty() {
            text.push(" of `");
            text.push(self.of);
            text.push("`");
        }
        if self.path.length > 0 {
            text.push(", at ");
            self.push_path(text, self.path.length);
        }
        text.push(", costs at least ");
        text.push_number(self.once);
        if matches!(self.rule.want, Want::Rule) {
            text.push(" per evaluation, and can run ");
            text.push_number(self.runs);
            text.push(if self.runs == 1 { " time" } else { " times" });
            text.push(" per object");
        }
    }

    /// Writes the first `length` steps of the path, in backticks.
    const fn push_path(&self, text: &mut Text, length: usize) {
        if length == 0 {
            return text.push("the value itself");
        }
        text.push("`");
        let mut i = 0;
        while i < length {
            match self.path.steps[i] {
                Step::Property(name) => {
                    text.push(if i == 0 { "" } else { "." });
                    text.push(name);
                }
                Step::Items(_) => text.push("[*]"),
                Step::Values(_) => text.push(".*"),
            }
            i += 1;
        }
        text.push("`");
    }

    /// Writes the bounds that lists and maps on the path need: `max_items` on `ports`, and so on.
    const fn report_unbounded(&self, text: &mut Text) {
        let mut count = 0;
        let mut i = 0;
        while i < self.path.length {
            let attribute = match self.path.steps[i] {
                Step::Items(false) => "`max_items = 64` on ",
                Step::Values(false) => "`max_properties = 64` on ",
                _ => "",
            };
            if !attribute.is_empty() {
                text.push(if count == 0 { "" } else { " and " });
                text.push(attribute);
                self.push_path(text, i);
                count += 1;
            }
            i += 1;
        }
    }
}

impl Text {
    /// Writes the beginning of an expression, without line breaks.
    const fn push_line(&mut self, source: &str) {
        /// In bytes.
        const MAX_LENGTH: usize = 72;
        let bytes = source.as_bytes();
        let mut i = 0;
        while i < bytes.len() && i < MAX_LENGTH {
            if bytes[i] == b'\n' {
                self.push(" ");
            } else {
                self.push_bytes(bytes, i, i + 1);
            }
            i += 1;
        }
        // A character is not split.
        while i < bytes.len() && bytes[i] & 0xC0 == 0x80 {
            self.push_bytes(bytes, i, i + 1);
            i += 1;
        }
        if i < bytes.len() {
            self.push(" ..");
        }
    }
}

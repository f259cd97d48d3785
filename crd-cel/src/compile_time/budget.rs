//! The cost of rules in one object: the cost of each for one value, times the number of such values.
//!
//! The walk goes from the root of an object to the rules in the constants of derived types. It never finds a higher
//! cost than the server: enums, types without the derive and schemas of functions have no rules here, and the size of
//! the smallest value is never underestimated.
//!
//! Source: apiextensions-apiserver `pkg/apis/apiextensions/validation/cel_validation.go`, `CELSchemaContext`, and
//! `validation.go`, `ValidateCustomResourceDefinitionOpenAPISchema`.

use super::advice::{Runs, advice};
use super::check::{ELEMENTS, Examined, Rule, Sure, Want, cost_within, fail};
use super::declared::{Declared, MAX_REQUEST, Most};
use super::estimate::{RULE_COST_LIMIT, SCHEMA_COST_LIMIT, add, times};
use super::fuel::{Fuel, WALK, comparison};
use super::message::{BOUNDS_HELP, Text};
use super::since::{Need, highest, push_minor};
use super::text::equal;

/// The rules of a type, and of the types inside it.
#[derive(Debug, Clone, Copy)]
pub struct Rules {
    /// The type that has them, for errors.
    pub of: &'static str,
    /// Those about the values themselves, and their message expressions.
    pub own: &'static [&'static Examined],
    /// Those of the variants of an enum: which servers have them counts, and not what they cost.
    pub variants: &'static [&'static Rules],
    /// What else the type says that not all servers have.
    pub needs: &'static [Need],
    /// Where there are more: at a property, as rules write its name; at [`ELEMENTS`]; at the value itself where
    /// the name is empty.
    pub below: &'static [(&'static str, &'static Rules)],
}

impl Rules {
    /// None that are known.
    pub const NONE: Self = Self { of: "", own: &[], variants: &[], needs: &[], below: &[] };
}

/// The most steps from a root to a rule.
const MAX_STEPS: usize = 24;
/// How deep rules nest, each step and each type counted. rustc goes 128 calls deep.
const MAX_DEPTH: u32 = 36;

/// Nothing that the `nth` of the parts of a root holds costs more than an expression may, on servers from a minor on.
///
/// # Panics
/// If one does.
#[track_caller]
pub const fn within_limit(of: &'static Declared, rules: &'static Rules, nth: usize, oldest: u32) {
    let mut walk = Walk::new(oldest);
    walk.enter(of, rules.below[nth], 0);
    let Some(dearest) = walk.dearest else { return };
    if dearest.cost > RULE_COST_LIMIT {
        fail(&dearest.message());
    }
}

/// All rules of a root together cost no more than those of a schema may, on servers from a minor on. What a single one of them costs is not
/// looked at.
///
/// # Panics
/// If they do.
#[track_caller]
pub const fn within_total(of: &'static Declared, rules: &'static Rules, oldest: u32) {
    let mut walk = Walk::new(oldest);
    walk.visit(of, rules, 0);
    let Some(dearest) = walk.dearest else { return };
    if walk.sum <= SCHEMA_COST_LIMIT || walk.refused || dearest.cost > RULE_COST_LIMIT {
        return;
    }
    let mut text = Text::new();
    text.push("x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of ");
    text.push_factor(walk.sum, SCHEMA_COST_LIMIT);
    text.push(BOUNDS_HELP);
    text.push("\nnote: most expensive: ");
    dearest.report(&mut text);
    fail(&text);
}

/// What the dearest of a root's expressions costs in one object at least, and what all of them do, on the server of
/// reference.
#[must_use]
pub const fn costs(of: &'static Declared, rules: &'static Rules) -> (u64, u64) {
    let mut walk = Walk::new(0);
    walk.visit(of, rules, 0);
    match walk.dearest {
        Some(dearest) => (dearest.cost, walk.sum),
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
struct Way {
    steps: [Step; MAX_STEPS],
    length: usize,
    /// The product of the bounds.
    bounded: u64,
    /// How many lists and maps have none.
    unbounded: u32,
}

impl Way {
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

/// An expression at its place.
#[derive(Clone, Copy)]
struct Found {
    rule: Rule,
    way_of_rule: &'static [&'static str],
    /// The type that has it.
    of: &'static str,
    way: Way,
    once: u64,
    runs: u64,
    cost: u64,
    /// The minor whose estimate it is, where they differ; else 0.
    minor: u32,
}

struct Walk {
    way: Way,
    sum: u64,
    dearest: Option<Found>,
    /// An expression costs too much for one value, which is reported where it is written.
    refused: bool,
    /// The oldest server that counts; 0 for that of reference alone.
    oldest: u32,
    fuel: Fuel,
}

impl Walk {
    const fn new(oldest: u32) -> Self {
        let steps = [Step::Items(true); MAX_STEPS];
        Self {
            way: Way { steps, length: 0, bounded: 1, unbounded: 0 },
            sum: 0,
            dearest: None,
            refused: false,
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
            self.judge(at, rules.of, rules.own[i]);
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
        let before = self.way.length;
        if before == MAX_STEPS || !self.fuel.spend(24 + comparison(name, ELEMENTS)) {
            return;
        }
        let (bounded, unbounded) = (self.way.bounded, self.way.unbounded);
        let (next, step) = if equal(name.as_bytes(), ELEMENTS.as_bytes()) {
            let (next, most) = match at {
                Declared::List(next, most) | Declared::Map(next, most) => (*next, most),
                _ => return,
            };
            let has_bound = match most {
                Most::Of(most) => {
                    self.way.bounded = times(bounded, *most);
                    true
                }
                Most::Fitting => {
                    self.way.unbounded = unbounded + 1;
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
        self.way.steps[before] = step;
        self.way.length = before + 1;
        self.visit(next, rules, depth + 1);
        self.way = Way { length: before, bounded, unbounded, ..self.way };
    }

    const fn judge(&mut self, at: &'static Declared, of: &'static str, examined: &Examined) {
        if !self.fuel.spend(24) {
            return;
        }
        let Examined { mut rule, mut way, cost: mut once, refused, varies, .. } = *examined;
        if refused {
            self.refused = true;
            return;
        }
        let runs = match rule.want {
            Want::Rule => self.way.runs(at, &mut self.fuel),
            // Upstream: the number of values is ignored for message expressions.
            Want::Message => 1,
        };
        let mut minor = 0;
        let differs = varies && self.oldest > 0;
        if differs {
            (once, minor) = highest(&rule, way, self.oldest, &mut self.fuel);
        }
        if matches!(rule.sure, Sure::Not) {
            // Bounds of the place can only make it less: whatever is far from the limits stays so.
            if times(once, runs) <= RULE_COST_LIMIT / 16 || self.fuel.is_empty() {
                return;
            }
            rule.of = at;
            way = &[];
            if differs {
                (once, minor) = highest(&rule, way, self.oldest, &mut self.fuel);
            } else {
                once = cost_within(&rule, way, &mut self.fuel, None);
            }
        }
        let cost = times(once, runs);
        self.sum = add(self.sum, cost);
        let dearer = match &self.dearest {
            Some(dearest) => cost > dearest.cost,
            None => true,
        };
        if dearer {
            let way_of_rule = way;
            let way = self.way;
            self.dearest = Some(Found { rule, way_of_rule, of, way, once, runs, cost, minor });
        }
    }
}

impl Found {
    const fn message(&self) -> Text {
        let mut text = Text::new();
        text.push_over_budget(self.rule.want, self.cost);
        text.push("\nnote: ");
        self.report(&mut text);
        if self.minor > 0 {
            push_minor(&mut text, self.minor);
        }
        let Way { bounded, unbounded, .. } = self.way;
        let runs = match self.rule.want {
            Want::Rule => Runs { now: self.runs, bounded, unbounded },
            Want::Message => Runs::ONCE,
        };
        // Which bounds help is tried by the estimate of reference.
        if self.minor == 0
            && let Some(advice) = advice(&self.rule, self.way_of_rule, &runs)
        {
            let mut itself = Text::new();
            self.push_way(&mut itself, self.way.length);
            advice.report(&mut text, itself.as_str());
            if advice.above {
                text.push(if advice.is_above_alone() { "" } else { " and " });
                self.report_what_is_unbounded(&mut text);
            }
        }
        text
    }

    /// Which expression it is, where it is and what it costs.
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
        if self.way.length > 0 {
            text.push(", at ");
            self.push_way(text, self.way.length);
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

    /// The place after so many steps, in backticks.
    const fn push_way(&self, text: &mut Text, length: usize) {
        if length == 0 {
            return text.push("the value itself");
        }
        text.push("`");
        let mut i = 0;
        while i < length {
            match self.way.steps[i] {
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

    /// `max_items` on `ports`, and so on.
    const fn report_what_is_unbounded(&self, text: &mut Text) {
        let mut told = 0;
        let mut i = 0;
        while i < self.way.length {
            let attribute = match self.way.steps[i] {
                Step::Items(false) => "`max_items = 64` on ",
                Step::Values(false) => "`max_properties = 64` on ",
                _ => "",
            };
            if !attribute.is_empty() {
                text.push(if told == 0 { "" } else { " and " });
                text.push(attribute);
                self.push_way(text, i);
                told += 1;
            }
            i += 1;
        }
    }
}

impl Text {
    /// The beginning of an expression, in one line.
    const fn push_line(&mut self, source: &str) {
        const MOST: usize = 72;
        let bytes = source.as_bytes();
        let mut i = 0;
        while i < bytes.len() && i < MOST {
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

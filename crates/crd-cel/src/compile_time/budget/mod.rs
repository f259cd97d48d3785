//! The cost of rules in one object: the cost of each for one value, times the number of such values.
//!
//! The walk goes from the root of an object to the rules in the constants of derived types. It never finds a higher
//! cost than the server: types without the derive and schemas that a function builds have no rules here, and the size
//! of the smallest value is never underestimated. A rule of a variant is counted as if its enum had no other variants,
//! except that the smallest values of the enum are those of all variants together.
//!
//! It also finds rules that the server cannot compile, because a value above them has no type ([`Typing`]).
//!
//! Source: apiextensions-apiserver `pkg/apis/apiextensions/validation/cel_validation.go`, `CELSchemaContext`, and
//! `validation.go`, `ValidateCustomResourceDefinitionOpenAPISchema`.

mod report;
mod typing;

use crate::compile_time::arithmetic::{add, times};
use crate::compile_time::checker::{REFERENCE, cost_on};
use crate::compile_time::code::flag;
use crate::compile_time::declared::{Declared, MAX_REQUEST, MaxElements};
use crate::compile_time::estimate::{RULE_COST_LIMIT, SCHEMA_COST_LIMIT};
use crate::compile_time::fuel::{Fuel, WALK, comparison};
use crate::compile_time::kinds::{Kinds, MergedType};
use crate::compile_time::message::{BOUNDS_HELP, Text, fail};
use crate::compile_time::minors::highest_cost;
use crate::compile_time::rule::{CostCheck, ELEMENTS, Examined, Rule, Want};
use crate::compile_time::rules::Rules;
use crate::compile_time::text::equal;
use typing::{Typing, UntypedRule, has_rules, is_untyped};

/// The most elements of the path from a root to a rule.
const MAX_PATH_LENGTH: usize = 24;
/// The deepest nesting of rules, in elements of paths and types. rustc evaluates at most 128 nested calls.
const MAX_DEPTH: u32 = 36;

/// Checks that no expression in the `nth` part of a root exceeds the cost limit of a rule, on any server from the minor
/// `oldest` on, and that the server can compile all of them.
///
/// # Panics
/// If an expression does, or the server cannot; in a constant this is an error of rustc.
#[track_caller]
pub const fn within_limit(of: &'static Declared, rules: &'static Rules, nth: usize, oldest: u32) {
    let mut walk = CostWalk::new(oldest);
    if has_rules(rules, 0) {
        walk.typing = Typing::Known;
    }
    walk.enter(of, rules.below[nth], 0);
    if let Some(untyped) = &walk.untyped {
        fail(&untyped.message());
    }
    let Some(most_expensive) = &walk.most_expensive else { return };
    if most_expensive.cost > RULE_COST_LIMIT {
        fail(&most_expensive.message());
    }
}

/// Checks that the server can compile the rules in the `nth` part of a root that has rules itself. If that part, the
/// spec, has rules itself too, [`within_limit`] has checked this at each part of the spec.
///
/// # Panics
/// If the server cannot; in a constant this is an error of rustc.
#[track_caller]
pub const fn all_typed(of: &'static Declared, rules: &'static Rules, nth: usize) {
    if has_rules(rules.below[nth].1, 0) {
        return;
    }
    let mut walk = CostWalk::new(0);
    walk.typing = Typing::Known;
    walk.enter(of, rules.below[nth], 0);
    if let Some(untyped) = &walk.untyped {
        fail(&untyped.message());
    }
}

/// Checks that the expressions of a root together do not exceed the cost limit of a schema, on any server from the
/// minor `oldest` on. [`within_limit`] checks each by itself.
///
/// # Panics
/// If they do; in a constant this is an error of rustc.
#[track_caller]
pub const fn within_total(of: &'static Declared, rules: &'static Rules, oldest: u32) {
    let mut walk = CostWalk::new(oldest);
    walk.visit(of, rules, 0);
    let Some(most_expensive) = &walk.most_expensive else { return };
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

/// The lowest possible cost in one object of a root's most expensive expression, and of all its expressions together,
/// in cost units of the reference server.
#[must_use]
pub const fn costs(of: &'static Declared, rules: &'static Rules) -> (u64, u64) {
    let mut walk = CostWalk::new(0);
    walk.visit(of, rules, 0);
    match &walk.most_expensive {
        Some(most_expensive) => (most_expensive.cost, walk.sum),
        None => (0, 0),
    }
}

/// An element of the path to a rule, which leads from a value to a part.
#[derive(Clone, Copy)]
enum RulePathElement {
    Property(&'static str),
    /// The elements of a list, and whether it has a bound.
    Items(bool),
    /// The values of a map, and whether it has a bound.
    Values(bool),
}

#[derive(Clone, Copy)]
struct BoundedPath {
    elements: [RulePathElement; MAX_PATH_LENGTH],
    length: usize,
    /// The product of the bounds of lists and maps on the path.
    bounded: u64,
    /// The number of lists and maps on the path without a bound.
    unbounded: u32,
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
    /// Whether minors have different estimates. If so, errors name the minor.
    differs: bool,
}

/// Where a rule of a variant is in the schema of its enum.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// At the value of its own type.
    Own,
    /// At the enum, behind a test of the tag.
    Enum,
    /// At the value of its own property, or at the enum, where the paths in the rule are longer by that property.
    OwnOrEnum,
}

struct CostWalk {
    path: BoundedPath,
    place: Place,
    /// Of a rule that may be at an enum, the least size of that enum; `None` if it is unknown.
    least_of_enum: Option<u64>,
    /// Whether the schema of the value here may have no type, because an enum has variants of several types. If so, the
    /// server's estimate counts the elements of the list or map as one, whatever its bounds are.
    maybe_untyped: bool,
    typing: Typing,
    /// The length of the path to the value without a type, if there is one.
    untyped_at: usize,
    untyped: Option<UntypedRule>,
    sum: u64,
    most_expensive: Option<LocatedExpression>,
    /// Whether an expression was rejected. Its own check reports that.
    rejected: bool,
    /// The oldest minor to estimate for; 0 for the reference server only.
    oldest: u32,
    fuel: Fuel,
}

impl CostWalk {
    const fn new(oldest: u32) -> Self {
        let elements = [RulePathElement::Items(true); MAX_PATH_LENGTH];
        Self {
            path: BoundedPath { elements, length: 0, bounded: 1, unbounded: 0 },
            place: Place::Own,
            least_of_enum: Some(0),
            maybe_untyped: false,
            typing: Typing::Unneeded,
            untyped_at: 0,
            untyped: None,
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
        let at = match rules.at {
            Some(of) => of,
            None => at,
        };
        let typing = self.typing;
        if matches!(typing, Typing::Unneeded) && has_rules(rules, 0) {
            self.typing = Typing::Known;
        }
        let mut i = 0;
        while i < rules.own.len() {
            self.add_rule(at, rules.of, rules.own[i], &[]);
            i += 1;
        }
        let mut i = 0;
        while i < rules.below.len() {
            self.enter(at, rules.below[i], depth);
            i += 1;
        }
        if !rules.variants.is_empty() {
            self.visit_variants(at, rules, depth);
        }
        self.typing = typing;
    }

    /// Visits the rules of variants. Of several variants, only those of the one that costs most count for the sum,
    /// unless each variant has a property of its own.
    const fn visit_variants(&mut self, at: &'static Declared, rules: &'static Rules, depth: u32) {
        let (sum, place, least) = (self.sum, self.place, self.least_of_enum);
        let maybe_untyped = self.maybe_untyped;
        self.maybe_untyped = maybe_untyped || !has_elements(at, &mut self.fuel);
        let mut highest = sum;
        if self.path.unbounded > 0 {
            self.least_of_enum = match (least, at.least(0, &mut self.fuel)) {
                (Some(outer), Some(least)) => Some(outer + least),
                _ => None,
            };
        }
        if rules.merged && matches!(place, Place::Own) {
            self.place = Place::Enum;
        }
        let mut i = 0;
        while i < rules.variants.len() {
            let variant = rules.variants[i];
            i += 1;
            let mut nth = 0;
            while nth < variant.own.len() {
                let examined = variant.own[nth];
                self.add_rule(at, variant.of, examined, examined.path);
                nth += 1;
            }
            let mut nth = 0;
            while nth < variant.below.len() {
                self.enter(at, variant.below[nth], depth);
                nth += 1;
            }
            if rules.merged {
                highest = if self.sum > highest { self.sum } else { highest };
                self.sum = sum;
            }
        }
        if rules.merged {
            self.sum = highest;
        }
        (self.place, self.least_of_enum, self.maybe_untyped) = (place, least, maybe_untyped);
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
        if before == MAX_PATH_LENGTH || !self.fuel.spend(24 + comparison(name, ELEMENTS)) {
            return;
        }
        let (bounded, unbounded) = (self.path.bounded, self.path.unbounded);
        let (place, least, typing) = (self.place, self.least_of_enum, self.typing);
        let maybe_untyped = self.maybe_untyped;
        let (next, element) = if equal(name.as_bytes(), ELEMENTS.as_bytes()) {
            let (next, most) = match at {
                Declared::List(next, most) | Declared::Map(next, most) => (*next, most),
                _ => return,
            };
            let has_bound = match most {
                _ if maybe_untyped => true,
                MaxElements::Of(most) => {
                    self.path.bounded = times(bounded, *most);
                    true
                }
                MaxElements::Fitting => {
                    self.path.unbounded = unbounded + 1;
                    false
                }
            };
            // Only rules of properties can be moved to the enum.
            (self.place, self.least_of_enum) = (Place::Own, Some(0));
            self.maybe_untyped = false;
            let is_list = matches!(at, Declared::List(..));
            let element = if is_list {
                RulePathElement::Items(has_bound)
            } else {
                RulePathElement::Values(has_bound)
            };
            (next, element)
        } else {
            let found = at.property_of_one(name, &mut self.fuel);
            let next = match rules.at {
                Some(of) => of,
                None => match found {
                    Some(next) => next,
                    None => return,
                },
            };
            if !matches!(place, Place::Own) {
                self.place = Place::OwnOrEnum;
            }
            let real = match found {
                Some(found) => found,
                None => next,
            };
            if matches!(typing, Typing::Known) && is_untyped(real, 0, &mut self.fuel) {
                (self.typing, self.untyped_at) = (Typing::Failed, before + 1);
            }
            self.maybe_untyped = matches!(next, Declared::List(..) | Declared::Map(..))
                && !has_elements(real, &mut self.fuel);
            (next, RulePathElement::Property(name))
        };
        self.path.elements[before] = element;
        self.path.length = before + 1;
        self.visit(next, rules, depth + 1);
        self.path = BoundedPath { length: before, bounded, unbounded, ..self.path };
        (self.place, self.least_of_enum, self.typing) = (place, least, typing);
        self.maybe_untyped = maybe_untyped;
    }

    /// How many values there can be at `path`, which begins at the value declared by `at`; 0 if that is unknown.
    const fn runs(&mut self, at: &Declared, path: &[&str]) -> u64 {
        if self.path.unbounded == 0 {
            return self.path.bounded;
        }
        match (self.least_of_enum, at.least_at(path, 0, &mut self.fuel)) {
            (Some(of_enum), Some(least)) => MAX_REQUEST / (of_enum + least + 1),
            _ => 0,
        }
    }

    /// Adds an expression. `below` is the path to its value from the value declared by `at`.
    const fn add_rule(
        &mut self,
        at: &'static Declared,
        of: &'static str,
        examined: &Examined,
        below: &'static [&'static str],
    ) {
        if !self.fuel.spend(24) {
            return;
        }
        let Examined { mut rule, mut path, cost: mut once, rejected, varies_before, .. } =
            *examined;
        if rejected {
            self.rejected = true;
            return;
        }
        let before = self.path.length;
        if !self.push_path(below) {
            return;
        }
        let located = self.path;
        self.path.length = before;
        if matches!(self.typing, Typing::Failed) {
            if self.untyped.is_none() {
                let above = self.untyped_at;
                self.untyped = Some(UntypedRule { rule, of, path: located, above });
            }
            return;
        }
        // The server follows the paths in an iteration differently if they are longer.
        if self.may_move_to_enum(below) && rule.program[0] & flag::ITERATES != 0 {
            return;
        }
        let runs = match rule.want {
            Want::Rule => self.runs(at, below),
            // Upstream: the number of values is ignored for message expressions.
            Want::Message => 1,
        };
        let mut minor = REFERENCE;
        let differs = self.oldest > 0 && varies_before > self.oldest;
        if differs {
            (once, minor) = highest_cost(&rule, path, self.oldest, &mut self.fuel);
        }
        if matches!(rule.cost_check, CostCheck::AtUse) && below.is_empty() {
            // Bounds where the type is used can only lower the cost. A cost far below the limit is not estimated again.
            if times(once, runs) <= RULE_COST_LIMIT / 16 || self.fuel.is_empty() {
                return;
            }
            rule.of = at;
            path = &[];
            if differs {
                (once, minor) = highest_cost(&rule, path, self.oldest, &mut self.fuel);
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
            let (path_of_rule, path) = (path, located);
            let found = LocatedExpression {
                rule,
                path_of_rule,
                of,
                path,
                once,
                runs,
                cost,
                minor,
                differs,
            };
            self.most_expensive = Some(found);
        }
    }

    /// Whether the rule of a value at `below` can be a rule of an enum above it in the schema.
    const fn may_move_to_enum(&self, below: &[&str]) -> bool {
        match self.place {
            Place::Own => false,
            Place::Enum => !below.is_empty(),
            Place::OwnOrEnum => true,
        }
    }

    /// Adds properties to the path; `false` if it is too long.
    const fn push_path(&mut self, names: &'static [&'static str]) -> bool {
        if self.path.length + names.len() > MAX_PATH_LENGTH {
            return false;
        }
        let mut i = 0;
        while i < names.len() {
            self.path.elements[self.path.length] = RulePathElement::Property(names[i]);
            self.path.length += 1;
            i += 1;
        }
        true
    }
}

/// Whether the schema of a value certainly has the type `array` or `object`. Only of such values does the server multiply
/// costs by the number of elements.
///
/// Source: apiextensions-apiserver `pkg/apis/apiextensions/validation/cel_validation.go`, `extractMaxElements`.
const fn has_elements(declared: &Declared, fuel: &mut Fuel) -> bool {
    matches!(
        Kinds::of(declared, fuel).merged(),
        MergedType::List | MergedType::Map | MergedType::Object
    )
}

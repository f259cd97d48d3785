//! Moves rules of one variant's fields to the enum.
//!
//! A field that several variants have becomes one property with one set of rules. A rule of only one variant is moved
//! to the enum, where it can test the tag.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Arc;

use crd_cel::syntax::{self, Ast, Comprehension, Expr, ExprKind};

use crate::builder::{cel_field, collect::segment};
use crate::model::{JsonSchemaProps, ValidationRule};

/// Removes, from the properties that several `variants` have, the rules that not all of these variants have.
///
/// Each rule is returned with its variant's index, as a rule of the object that has the properties. A rule that cannot
/// be moved stays where it is, and [`widen`](super::widen::widen) rejects it: one with `optionalOldSelf`, one that does
/// not parse, and one with another variable of the name `self`.
pub(super) fn hoist(variants: &mut [JsonSchemaProps]) -> Vec<(usize, ValidationRule)> {
    let mut hoisted = Vec::new();
    hoist_below(variants.iter_mut().enumerate().collect(), &PropertyPath::default(), &mut hoisted);
    hoisted.sort_by_key(|(index, _)| *index);
    hoisted
}

/// A property, relative to the enum.
#[derive(Default, Clone)]
struct PropertyPath {
    /// The selection after `self`: `.content.name`.
    selection: String,
    /// The path in an error: `.content['a.b']`.
    path: String,
    /// The properties on the path that may be absent or `null`.
    absences: Vec<Absence>,
}

/// A property on the path, and whether it may be `null`.
#[derive(Clone)]
struct Absence {
    selection: String,
    nullable: bool,
}

impl PropertyPath {
    fn property(&self, name: &str, nullable: bool) -> Self {
        let selection = format!("{}.{}", self.selection, cel_field(name));
        let path = format!("{}{}", self.path, segment(name));
        let mut absences = self.absences.clone();
        absences.push(Absence { selection: selection.clone(), nullable });
        Self { selection, path, absences }
    }

    /// Adds `!has(self.a) || ` for each property on the path, because a rule does not apply to an absent value.
    fn guard(&self, variable: &str, guard: &mut String) {
        for Absence { selection, nullable } in &self.absences {
            // Writing to a string does not fail.
            let _ = write!(guard, "!has({variable}{selection}) || ");
            if *nullable {
                // `dyn`, because only objects compare with `null`.
                let _ = write!(guard, "dyn({variable}{selection}) == null || ");
            }
        }
    }

    /// Returns the rule rewritten for the enum; `None` if it cannot be moved.
    fn hoist(&self, rule: &ValidationRule) -> Option<ValidationRule> {
        if rule.optional_old_self.is_some() {
            return None;
        }
        let text = rewritten(&rule.rule, &self.selection)?;
        let message_expression = match rule.message_expression.as_str() {
            "" => String::new(),
            expression => rewritten(expression, &self.selection)?.text,
        };
        let mut guarded = String::new();
        self.guard(SELF, &mut guarded);
        if text.uses_old_self {
            self.guard(OLD_SELF, &mut guarded);
        }
        Some(ValidationRule {
            rule: format!("{guarded}({})", text.text),
            message_expression,
            field_path: format!("{}{}", self.path, rule.field_path),
            ..rule.clone()
        })
    }
}

const SELF: &str = "self";
const OLD_SELF: &str = "oldSelf";

/// Moves rules from the properties of `parts`, which are the values of several variants at the path `at`, and from the
/// properties below them to `hoisted`.
fn hoist_below(
    parts: Vec<(usize, &mut JsonSchemaProps)>,
    at: &PropertyPath,
    hoisted: &mut Vec<(usize, ValidationRule)>,
) {
    let mut by_name: BTreeMap<String, Vec<(usize, &mut JsonSchemaProps)>> = BTreeMap::new();
    for (index, part) in parts {
        for (name, schema) in part.properties.iter_mut().flatten() {
            by_name.entry(name.clone()).or_default().push((index, Arc::make_mut(schema)));
        }
    }
    for (name, mut group) in by_name {
        if group.len() < 2 {
            continue;
        }
        let at = at.property(&name, group.iter().any(|(_, schema)| schema.nullable));
        if differ(&group) {
            for (index, schema) in &mut group {
                let rules = schema.x_validations.take().into_iter().flatten();
                let mut stay = Vec::new();
                for rule in rules {
                    match at.hoist(&rule) {
                        Some(rule) => hoisted.push((*index, rule)),
                        None => stay.push(rule),
                    }
                }
                schema.x_validations = (!stay.is_empty()).then_some(stay);
            }
        }
        hoist_below(group, &at, hoisted);
    }
}

/// Whether the rules or types of the variants differ, so that one property cannot have the rules of all.
fn differ(group: &[(usize, &mut JsonSchemaProps)]) -> bool {
    let Some(((_, first), rest)) = group.split_first() else { return false };
    let same_type = |other: &JsonSchemaProps| {
        other.type_ == first.type_ && other.x_int_or_string == first.x_int_or_string
    };
    rest.iter().any(|(_, other)| {
        other.x_validations != first.x_validations
            || (other.x_validations.is_some() && !same_type(other))
    })
}

struct Rewritten {
    text: String,
    uses_old_self: bool,
}

/// Inserts `selection` after each `self` and `oldSelf` of an expression.
fn rewritten(source: &str, selection: &str) -> Option<Rewritten> {
    let ast = syntax::parse(source).ok()?;
    let mut found = Occurrences { ast: &ast, offsets: BTreeSet::new() };
    found.expr(&ast.root)?;
    let mut offsets = found.offsets.iter().peekable();
    let mut text = String::with_capacity(source.len());
    let mut rest = source.chars().enumerate();
    let mut uses_old_self = false;
    while let Some((offset, c)) = rest.next() {
        text.push(c);
        let Some((_, name)) = offsets.next_if(|(position, _)| *position as usize == offset) else {
            continue;
        };
        text.extend(rest.by_ref().take(name.len() - 1).map(|(_, c)| c));
        if !text.ends_with(name) {
            return None;
        }
        text.push_str(selection);
        uses_old_self |= *name == OLD_SELF;
    }
    Some(Rewritten { text, uses_old_self })
}

/// The positions of `self` and `oldSelf`.
struct Occurrences<'a> {
    ast: &'a Ast,
    /// Offsets in code points.
    offsets: BTreeSet<(u32, &'static str)>,
}

impl Occurrences<'_> {
    /// Adds the positions in an expression. `None` if another variable has one of the names.
    ///
    /// The parser limits the depth.
    fn expr(&mut self, expr: &Expr) -> Option<()> {
        match &expr.kind {
            ExprKind::Literal(_) => {}
            ExprKind::Ident(name) => match &**name {
                SELF => self.record(expr, SELF)?,
                OLD_SELF => self.record(expr, OLD_SELF)?,
                ".self" | ".oldSelf" => return None,
                _ => {}
            },
            ExprKind::Select { operand, .. } => self.expr(operand)?,
            ExprKind::Call { target, args, .. } => {
                for part in target.iter().map(AsRef::as_ref).chain(args) {
                    self.expr(part)?;
                }
            }
            ExprKind::List { elements, .. } => {
                for element in elements {
                    self.expr(element)?;
                }
            }
            ExprKind::Map(entries) => {
                for entry in entries {
                    self.expr(&entry.key)?;
                    self.expr(&entry.value)?;
                }
            }
            ExprKind::Struct { fields, .. } => {
                for field in fields {
                    self.expr(&field.value)?;
                }
            }
            ExprKind::Comprehension(fold) => self.comprehension(fold)?,
        }
        Some(())
    }

    fn comprehension(&mut self, fold: &Comprehension) -> Option<()> {
        let Comprehension { iter_var, iter_var2, range, accu_var, init, condition, step, result } =
            fold;
        let names = [Some(iter_var), iter_var2.as_ref(), Some(accu_var)];
        if names.into_iter().flatten().any(|name| matches!(&**name, SELF | OLD_SELF)) {
            return None;
        }
        [range, init, condition, step, result].into_iter().try_for_each(|part| self.expr(part))
    }

    fn record(&mut self, expr: &Expr, name: &'static str) -> Option<()> {
        let offset = (*self.ast.positions.get(expr.id as usize)?)?;
        self.offsets.insert((offset, name));
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_self_gets_the_selection() {
        for (source, want) in [
            ("self > 0", Some("self.c > 0")),
            (
                "has(self.a) && self.a.all(x, x != self.b)",
                Some("has(self.c.a) && self.c.a.all(x, x != self.c.b)"),
            ),
            ("'self' == self && \"é\" != self", Some("'self' == self.c && \"é\" != self.c")),
            ("self == oldSelf", Some("self.c == oldSelf.c")),
            ("self.self == 'oldSelf'", Some("self.c.self == 'oldSelf'")),
            (
                "self.?a.optMap(v, v > self.b).orValue(true)",
                Some("self.c.?a.optMap(v, v > self.c.b).orValue(true)"),
            ),
            ("[1].all(self, self > 0)", None),
            (".self > 0", None),
            ("self >", None),
        ] {
            let text = rewritten(source, ".c").map(|rewritten| rewritten.text);
            assert_eq!(text.as_deref(), want, "{source}");
        }
    }
}

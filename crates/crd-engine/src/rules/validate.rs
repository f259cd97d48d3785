//! Evaluates the rules of a schema over an object.

use crd_cel::error::EvalError;
use crd_cel::eval::STEPS_OF_COST;
use crd_cel::value::Value;
use serde_json::{Map, Value as Json};

use super::failure::{self, Detail};
use super::limits::{BUDGET, CALL_LIMIT};
use crate::correlate::MapList;
use crate::differences::Difference;
use crate::field::{Error, ErrorKind, Path, Sink};
use crate::ratchet::Ratchet;
use crate::ruleset::{CompiledRule, OLD_SELF, RuleNode, RuleTree, SELF};

const OUT_OF_BUDGET: &str = "validation failed due to running out of cost budget, no further \
                             validation rules will be run";

/// The error of rules over values for which CEL has no type. The server reports it only when it validates defaults: it
/// rejects a definition with such rules, so that they never run over objects.
const UNDECLARED: &str = "rule compiler initialization error: failed to convert to declType for \
                          CEL validation rules";

/// Evaluates the rules over an object whose values have the types of its schema.
///
/// `old` is the stored object. `ratchet` determines which values have not changed since then. `budget` is [`BUDGET`],
/// or the rest of it after another run.
///
/// Errors that are ratcheted become warnings, with the server's text. Returns the rest of the budget, or `None` if it
/// is used up and some rules did not run.
pub(crate) fn validate(
    tree: &RuleTree,
    path: &Path<'_>,
    value: &Json,
    old: Option<&Json>,
    ratchet: Ratchet<'_, '_>,
    budget: u64,
    found: &mut Sink,
) -> Option<u64> {
    let mut walk = RuleWalk { budget, steps: STEPS_OF_COST * BUDGET, found };
    let finished = match &tree.root {
        Some(root) => walk.node(root, path, value, old, ratchet).is_ok(),
        None => true,
    };
    finished.then_some(walk.budget)
}

/// The budget is used up, and no further rule is evaluated.
#[derive(Debug)]
pub(super) struct Exhausted;

struct RuleWalk<'f> {
    budget: u64,
    /// The remaining work that the cost does not count, such as comparing the contents of the elements of a list, in
    /// steps.
    ///
    /// Divergence: the server has no such limit, so that many cheap rules can keep it busy.
    steps: u64,
    found: &'f mut Sink,
}

/// The variables of a rule.
type Bindings<'v> = [(&'static str, Result<Value<'v>, EvalError>)];

impl RuleWalk<'_> {
    /// Recursion follows the schema, whose depth is bounded.
    fn node(
        &mut self,
        node: &RuleNode,
        path: &Path<'_>,
        value: &Json,
        old: Option<&Json>,
        ratchet: Ratchet<'_, '_>,
    ) -> Result<(), Exhausted> {
        let old = old.filter(|old| !old.is_null());
        match value {
            Json::Null => return Ok(()),
            _ => self.rules(node, path, value, old, ratchet)?,
        }
        match value {
            Json::Array(items) => self.array(node, path, items, old, ratchet),
            Json::Object(map) => self.object(node, path, map, old, ratchet),
            _ => Ok(()),
        }
    }

    fn array(
        &mut self,
        node: &RuleNode,
        path: &Path<'_>,
        items: &[Json],
        old: Option<&Json>,
        ratchet: Ratchet<'_, '_>,
    ) -> Result<(), Exhausted> {
        let Some(rules) = &node.items else { return Ok(()) };
        let old = old.and_then(Json::as_array).filter(|_| !node.list_map_keys.is_empty());
        let old = old.map(Vec::as_slice).unwrap_or_default();
        let old = MapList::new(&node.list_map_keys, old);
        for (index, item) in items.iter().enumerate() {
            let pair = ratchet.pair_at_index(index);
            let ratchet = ratchet.below_index(pair.as_ref());
            self.node(rules, &path.index(index), item, old.get(item), ratchet)?;
        }
        Ok(())
    }

    fn object(
        &mut self,
        node: &RuleNode,
        path: &Path<'_>,
        map: &Map<String, Json>,
        old: Option<&Json>,
        ratchet: Ratchet<'_, '_>,
    ) -> Result<(), Exhausted> {
        let old = old.and_then(Json::as_object).filter(|_| node.correlates);
        let mut child = |rules: &RuleNode, path: &Path<'_>, key: &str, value: &Json| {
            let pair = ratchet.pair_at_key(key);
            let ratchet = ratchet.below_key(key, pair.as_ref());
            self.node(rules, path, value, old.and_then(|old| old.get(key)), ratchet)
        };
        if let Some(rules) = &node.additional {
            for (key, value) in map {
                child(rules, &path.key(key), key, value)?;
            }
        }
        for (key, rules) in &node.properties {
            if let Some(value) = map.get(&**key) {
                child(rules, &path.field(key), key, value)?;
            }
        }
        Ok(())
    }

    /// Evaluates the rules of one schema over its value.
    fn rules(
        &mut self,
        node: &RuleNode,
        path: &Path<'_>,
        value: &Json,
        old: Option<&Json>,
        ratchet: Ratchet<'_, '_>,
    ) -> Result<(), Exhausted> {
        let type_ = node.type_.as_str();
        if node.is_undeclared {
            self.found.invalid(path, type_, UNDECLARED);
        }
        let Some(decl) = &node.decl else { return Ok(()) };
        if self.budget == 0 {
            self.found.invalid(path, type_, OUT_OF_BUDGET);
            return Err(Exhausted);
        }
        let this = || (SELF, Value::declared(value, decl));
        let old = old.filter(|_| node.uses_old_self).map(|old| Value::declared(old, decl));
        let (one, two);
        let plain: &Bindings<'_> = match &old {
            None => {
                one = [this()];
                &one
            }
            Some(old) => {
                two = [this(), (OLD_SELF, old.clone())];
                &two
            }
        };
        for rule in &node.rules {
            if let Some(error) = &rule.error {
                self.found.invalid(path, type_, format_args!("rule compile error: {error}"));
                continue;
            }
            let Some(program) = &rule.program else { continue };
            if rule.uses_old_self && old.is_none() && !rule.optional_old_self() {
                continue;
            }
            let evaluation = if rule.optional_old_self() && node.uses_old_self {
                let old = Ok(old.clone().map_or_else(Value::none, Value::some_member));
                program.eval_bound(&[this(), (OLD_SELF, old)], CALL_LIMIT)
            } else {
                program.eval_bound(plain, CALL_LIMIT)
            };
            let steps = self.steps.checked_sub(evaluation.steps);
            let (Some(steps), true) = (steps, evaluation.cost <= self.budget) else {
                self.found.invalid(path, type_, OUT_OF_BUDGET);
                return Err(Exhausted);
            };
            self.budget -= evaluation.cost;
            self.steps = steps;
            match evaluation.result {
                Ok(Value::Bool(true)) => {}
                Ok(_) => self.fail(node, rule, path, value, plain, ratchet)?,
                Err(error) => {
                    let limit = error.is_cancelled();
                    self.found.add(ErrorKind::Invalid, || {
                        let detail = failure::evaluation_error(&error, &rule.source);
                        Error::invalid(path, type_, detail)
                    });
                    if limit {
                        return Err(Exhausted);
                    }
                }
            }
        }
        Ok(())
    }

    /// Reports a rule that does not hold: as an error, or as a warning if the error is ratcheted.
    fn fail(
        &mut self,
        node: &RuleNode,
        rule: &CompiledRule,
        path: &Path<'_>,
        value: &Json,
        bindings: &Bindings<'_>,
        ratchet: Ratchet<'_, '_>,
    ) -> Result<(), Exhausted> {
        let at = if rule.field_path.is_empty() { *path } else { path.field(&rule.field_path) };
        let type_ = node.type_.as_str();
        let detail = failure::detail(rule, bindings, &mut self.budget);
        let end = match detail {
            Detail::Exhausted(_) => Err(Exhausted),
            Detail::Evaluated(_) | Detail::MessageOrRule => Ok(()),
        };
        let kind = match &detail {
            Detail::Exhausted(_) => ErrorKind::Invalid,
            Detail::Evaluated(_) | Detail::MessageOrRule => failure::kind(rule),
        };
        let shows_value = self.found.server_has(Difference::ValuesOfRules);
        let error = || match detail {
            Detail::Evaluated(text) => failure::error(rule, &at, type_, value, text, shows_value),
            Detail::MessageOrRule => {
                failure::error(rule, &at, type_, value, failure::text(rule), shows_value)
            }
            Detail::Exhausted(text) => Error::invalid(&at, type_, text),
        };
        if !rule.uses_old_self && ratchet.ignores_errors() {
            self.found.warning(|| error().to_string());
        } else {
            self.found.add(kind, error);
        }
        end
    }
}

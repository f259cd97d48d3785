//! Plans expressions as nodes.

use std::sync::Arc;

use super::node::{Append, Attribute, Base, Fold, Insert, Node, Quantifier, Slot};
use super::{MAX_DEPTH, PlanError, constant};
use crate::checked::{Checked, Reference};
use crate::env::Env;
use crate::error::EvalError;
use crate::minors::Change;
use crate::syntax::{Comprehension, Expr, ExprId, ExprKind, Literal};
use crate::types::Type;
use crate::value::{Str, Value};

pub(super) type Planned = Result<Node, PlanError>;

/// Plans one expression.
pub(super) struct Planner<'c> {
    pub(super) checked: &'c Checked,
    pub(super) env: &'c Env,
    /// The variables of the enclosing comprehensions, innermost last.
    scopes: Vec<(Arc<str>, Slot)>,
    /// The first slot that is not in use.
    next: Slot,
    /// The number of slots that the nodes so far need.
    slots: usize,
    depth: u32,
}

impl<'c> Planner<'c> {
    pub(super) fn new(checked: &'c Checked, env: &'c Env) -> Self {
        let variables = env.variable_names().count();
        Self { checked, env, scopes: Vec::new(), next: variables, slots: variables, depth: 0 }
    }

    /// The number of slots that the plan needs.
    pub(super) fn slots(&self) -> usize {
        self.slots
    }

    pub(super) fn plan(&mut self, expr: &Expr) -> Planned {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(PlanError::new(format!("expression nests deeper than {MAX_DEPTH}")));
        }
        let node = self.plan_kind(expr);
        self.depth -= 1;
        node
    }

    fn plan_kind(&mut self, expr: &Expr) -> Planned {
        match &expr.kind {
            ExprKind::Literal(literal) => Ok(Node::Constant(Ok(constant::literal(literal)))),
            ExprKind::Ident(name) => self.name(expr.id, name),
            ExprKind::Select { operand, field, test_only } => {
                if let Some(variable) = self.dotted_variable(expr) {
                    return Ok(variable);
                }
                self.select(expr.id, operand, field, *test_only)
            }
            ExprKind::Call { target, function, args } => {
                self.call(expr.id, target.as_deref(), function, args)
            }
            ExprKind::List { elements, optional } => self.list(elements, optional),
            ExprKind::Map(entries) => {
                let mut planned = Vec::with_capacity(entries.len());
                for entry in entries {
                    let key = self.plan(&entry.key)?;
                    planned.push((key, self.plan(&entry.value)?, entry.optional));
                }
                Ok(constant::folded_map(planned))
            }
            ExprKind::Struct { type_name, fields } => {
                let mut planned = Vec::with_capacity(fields.len());
                for field in fields {
                    let value = self.plan(&field.value)?;
                    planned.push((field.name.to_string(), value, field.optional));
                }
                let type_name = type_name.trim_start_matches('.').to_owned();
                Ok(Node::WellKnown(Box::new((type_name, planned))))
            }
            ExprKind::Comprehension(comprehension) => self.comprehension(comprehension),
        }
    }

    /// A name: a variable, a type, or a constant.
    pub(super) fn name(&mut self, id: ExprId, written: &str) -> Planned {
        match self.checked.reference_of(id) {
            Some(Reference::Constant(literal)) => {
                Ok(Node::Constant(Ok(constant::literal(literal))))
            }
            Some(Reference::Type(_)) => self.type_value(written),
            Some(Reference::Variable(name)) => {
                let name = name.clone();
                // Upstream: a variable of type `type(..)` is planned as the name of a type.
                if matches!(self.checked.type_of(id), Type::Type(_)) {
                    return self.type_value(&name);
                }
                Ok(self.variable(&name))
            }
            _ => match self.variable(written) {
                // A name that was not checked can be a type, too.
                Node::Constant(Err(_)) if self.checked.references.is_empty() => {
                    Ok(self.type_value(written).unwrap_or_else(|_| self.variable(written)))
                }
                variable => Ok(variable),
            },
        }
    }

    /// The variable whose dotted name is a selection, such as `a.b`, if the expression was not
    /// checked. The checker replaces such a selection by the name.
    fn dotted_variable(&self, expr: &Expr) -> Option<Node> {
        if !self.checked.references.is_empty() {
            return None;
        }
        let name = expr.qualified_name()?;
        self.env.variable_names().any(|variable| **variable == *name).then(|| self.variable(&name))
    }

    fn type_value(&self, name: &str) -> Planned {
        let name = name.trim_start_matches('.');
        match self.env.library_type(name) {
            Some(ty) => Ok(Node::Constant(Ok(Value::Type(Str::Shared(ty.runtime_name().into()))))),
            None => Err(PlanError::new(format!("reference to undefined type: {name}"))),
        }
    }

    fn variable(&self, name: &str) -> Node {
        let dots = self.env.version().has(Change::GlobalNamesBehindDots);
        let is_global = dots && name.starts_with('.');
        let name = name.trim_start_matches('.');
        let scoped = self.scopes.iter().rev().find(|(scoped, _)| **scoped == *name);
        let slot = scoped
            .filter(|_| !is_global)
            .map(|(_, slot)| *slot)
            .or_else(|| self.env.variable_names().position(|variable| **variable == *name));
        match slot {
            Some(slot) => Node::Attribute(Box::new(Attribute {
                base: Base::Variable(slot),
                qualifiers: Vec::new(),
                test_only: false,
                is_shadowed_global: is_global && scoped.is_some(),
                name: name.to_owned(),
            })),
            None => Node::Constant(Err(EvalError::no_such_attribute(name))),
        }
    }

    fn list(&mut self, elements: &[Expr], optional: &[u32]) -> Planned {
        let mut planned = Vec::with_capacity(elements.len());
        for (index, element) in (0_u32..).zip(elements) {
            planned.push((self.plan(element)?, optional.binary_search(&index).is_ok()));
        }
        Ok(constant::folded_list(planned))
    }

    fn comprehension(&mut self, comprehension: &Comprehension) -> Planned {
        let init = self.plan(&comprehension.init)?;
        let range = self.plan(&comprehension.range)?;
        let outer = self.scopes.len();
        let mark = self.next;
        if let Some((universal, predicate)) = quantifier(comprehension) {
            let first = self.bind(&comprehension.iter_var);
            let second = comprehension.iter_var2.as_ref().map(|name| self.bind(name));
            let predicate = self.plan(predicate)?;
            self.scopes.truncate(outer);
            self.next = mark;
            let quantifier = Quantifier { range, predicate, universal, first, second };
            return Ok(Node::Quantifier(Box::new(quantifier)));
        }
        let accumulator = self.bind(&comprehension.accu_var);
        let first = self.bind(&comprehension.iter_var);
        let second = comprehension.iter_var2.as_ref().map(|name| self.bind(name));
        let condition = self.plan(&comprehension.condition)?;
        let step = self.step(comprehension, accumulator, &init)?;
        // The result sees the accumulator, but no longer the iteration variables.
        self.scopes.truncate(outer + 1);
        let result = self.plan(&comprehension.result)?;
        self.scopes.truncate(outer);
        self.next = mark;
        let fold = Fold { range, init, condition, step, result, accumulator, first, second };
        Ok(Node::Fold(Box::new(fold)))
    }

    fn bind(&mut self, name: &Arc<str>) -> Slot {
        let slot = self.next;
        self.next += 1;
        self.slots = self.slots.max(self.next);
        self.scopes.push((name.clone(), slot));
        slot
    }

    /// Plans the step of a comprehension. A step that adds to an accumulated list or map does so in
    /// place, as in cel-go. Nothing else can refer to the accumulator, whose name is no identifier.
    fn step(&mut self, comprehension: &Comprehension, slot: Slot, init: &Node) -> Planned {
        let accu = &*comprehension.accu_var;
        let builds_list = constant::is_empty_list(init);
        let builds_map = constant::is_empty_map(init);
        if accu != crate::syntax::ACCUMULATOR || !(builds_list || builds_map) {
            return self.plan(&comprehension.step);
        }
        self.in_place_step(&comprehension.step, accu, slot, builds_list)
    }

    fn in_place_step(&mut self, step: &Expr, accu: &str, slot: Slot, builds_list: bool) -> Planned {
        let ExprKind::Call { target: None, function, args } = &step.kind else {
            return self.plan(step);
        };
        match (&**function, &args[..]) {
            ("_?_:_", [condition, added, kept]) if is_ident(kept, accu) => {
                let condition = self.plan(condition)?;
                let truthy = self.in_place_step(added, accu, slot, builds_list)?;
                let falsy = self.plan(kept)?;
                Ok(Node::conditional(condition, truthy, falsy))
            }
            ("_+_", [list, added]) if builds_list && is_ident(list, accu) => match &added.kind {
                ExprKind::List { elements, optional } if optional.is_empty() => {
                    let [element] = &elements[..] else { return self.plan(step) };
                    let element = self.plan(element)?;
                    let constant = matches!(element, Node::Constant(_));
                    let append = Append { accumulator: slot, element, constant };
                    Ok(Node::Append(Box::new(append)))
                }
                _ => self.plan(step),
            },
            ("cel.@mapInsert", [map, added @ ..]) if !builds_list && is_ident(map, accu) => {
                let args = added.iter().map(|arg| self.plan(arg)).collect::<Result<_, _>>()?;
                Ok(Node::Insert(Box::new(Insert { accumulator: slot, args })))
            }
            _ => self.plan(step),
        }
    }
}

/// Recognizes the expansion of `all` (true) or `exists` (false). Returns which, and the predicate.
fn quantifier(comprehension: &Comprehension) -> Option<(bool, &Expr)> {
    let accu = &*comprehension.accu_var;
    let ExprKind::Literal(Literal::Bool(universal)) = comprehension.init.kind else { return None };
    let [condition] = args_of(&comprehension.condition, "@not_strictly_false")? else {
        return None;
    };
    let tests_accumulator = if universal {
        is_ident(condition, accu)
    } else {
        matches!(args_of(condition, "!_")?, [operand] if is_ident(operand, accu))
    };
    let operator = if universal { "_&&_" } else { "_||_" };
    let [folded, predicate] = args_of(&comprehension.step, operator)? else { return None };
    let expanded = accu == crate::syntax::ACCUMULATOR
        && tests_accumulator
        && is_ident(folded, accu)
        && is_ident(&comprehension.result, accu);
    expanded.then_some((universal, predicate))
}

/// The arguments of a call of a global function.
fn args_of<'e>(expr: &'e Expr, name: &str) -> Option<&'e [Expr]> {
    match &expr.kind {
        ExprKind::Call { target: None, function, args } if **function == *name => Some(args),
        _ => None,
    }
}

fn is_ident(expr: &Expr, name: &str) -> bool {
    matches!(&expr.kind, ExprKind::Ident(ident) if **ident == *name)
}

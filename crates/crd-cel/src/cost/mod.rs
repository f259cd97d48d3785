//! The worst-case cost of an expression, estimated before it runs.
//!
//! The cost of a node is computed from the costs of its children, and from the sizes of ranges and
//! operands. A size is known from the expression itself (literals, concatenations) or from the
//! declaration of the data; an unknown size usually leaves the cost without an upper bound. Sizes are
//! stored when they are found, so the order in which nodes are visited affects the result.
//!
//! Source: cel-go `checker/cost.go`.

mod bounds;
mod extension;
mod kubernetes;
mod path;
mod size;
mod standard;
#[cfg(test)]
mod tests;

use std::sync::Arc;

pub use bounds::CostEstimate;

use crate::checked::{Checked, Reference};
use crate::decl::Decl;
use crate::env::Env;
use crate::library::estimate::{EstimateRule, Standard};
use crate::minors::{Change, KubernetesVersion};
use crate::syntax::{Comprehension, Expr, ExprId, ExprKind, Literal, MapEntry};
use crate::types::Type;
use bounds::Size;
use path::{Path, PathElement, Paths};

/// The cost of reading a variable or selecting a field. Source: cel-go `common/cost.go`.
const SELECT: CostEstimate = CostEstimate::ONE;
/// The cost of making a list, in cost units. Source: cel-go `common/cost.go`.
const CREATE_LIST: CostEstimate = CostEstimate::exactly(10);
/// The cost of making a map, in cost units. Source: cel-go `common/cost.go`.
const CREATE_MAP: CostEstimate = CostEstimate::exactly(30);
/// The cost of making a message, in cost units. Source: cel-go `common/cost.go`.
const CREATE_STRUCT: CostEstimate = CostEstimate::exactly(40);

/// The names of the accumulator in expansions of macros, the older one first. A comprehension that
/// uses the older name never counts as a binding. Source: cel-go `parser/macro.go`.
const ACCUMULATORS: [&str; 2] = ["__result__", "@result"];

/// Estimates the cost of a checked expression, with the sizes that the environment's declarations
/// allow.
///
/// The recursion follows the nesting of the expression, which the parser limits.
pub fn estimate(checked: &Checked, env: &Env) -> CostEstimate {
    let nodes = checked.ast.positions.len();
    let mut estimator = Estimator {
        checked,
        root: env.root_decl(),
        version: env.version(),
        paths: Paths::default(),
        path_of: vec![Path::default(); nodes],
        sizes: vec![None; nodes],
        entries: vec![None; nodes],
        locals: Vec::new(),
    };
    estimator.cost(&checked.ast.root)
}

struct Estimator<'a> {
    checked: &'a Checked,
    /// The declaration at which every path starts, whichever variable the path names.
    root: Option<&'a Decl>,
    /// The version of the server whose estimate is reproduced.
    version: KubernetesVersion,
    paths: Paths,
    /// The paths of expressions, by id; an expression that cannot be reached from a variable has an empty
    /// path.
    path_of: Vec<Path>,
    /// The sizes of expressions, by id, once known.
    sizes: Vec<Option<Size>>,
    /// The sizes of the entries of expressions, by id, once known.
    entries: Vec<Option<EntrySize>>,
    /// The variables that comprehensions bind, innermost last.
    locals: Vec<Local<'a>>,
}

/// The sizes of the entries of a list or map.
#[derive(Debug, Clone, Copy)]
struct EntrySize {
    is_list: bool,
    key: Size,
    value: Size,
}

impl EntrySize {
    fn or(self, other: Self) -> Self {
        Self { key: self.key.or(other.key), value: self.value.or(other.value), ..self }
    }
}

/// A variable that a comprehension binds.
struct Local<'a> {
    name: &'a str,
    path: Path,
    size: Option<Size>,
    entry: Option<EntrySize>,
}

/// An operand of a call.
struct EstimatedOperand<'a> {
    expr: &'a Expr,
    ty: &'a Type,
    /// Empty if the operand cannot be reached from a variable.
    path: Path,
    size: Option<Size>,
}

/// The cost of a call, and the size of its result if it has one.
struct CallEstimate {
    cost: CostEstimate,
    result: Option<Size>,
}

impl CallEstimate {
    fn of(cost: CostEstimate) -> Self {
        Self { cost, result: None }
    }
}

impl<'a> Estimator<'a> {
    fn cost(&mut self, e: &'a Expr) -> CostEstimate {
        match &e.kind {
            ExprKind::Literal(_) => CostEstimate::ZERO,
            ExprKind::Ident(name) => self.cost_ident(e.id, name),
            ExprKind::Select { operand, field, test_only } => {
                let cost = self.cost(operand);
                if *test_only {
                    return cost;
                }
                let element = PathElement::Name(Arc::clone(field));
                let path = self.paths.extend(self.path(operand), element);
                self.set_path(e.id, path);
                match self.checked.type_of(operand.id) {
                    Type::Map(..) | Type::Object(_) => cost.plus(SELECT),
                    _ => cost,
                }
            }
            ExprKind::Call { target, function, args } => {
                self.cost_call(e, target.as_deref(), function, args)
            }
            ExprKind::List { elements, .. } => self.cost_list(e.id, elements),
            ExprKind::Map(entries) => self.cost_map(e.id, entries),
            ExprKind::Struct { fields, .. } => {
                let sum = |sum: CostEstimate, cost| sum.plus(cost);
                fields.iter().map(|field| self.cost(&field.value)).fold(CREATE_STRUCT, sum)
            }
            ExprKind::Comprehension(c)
                if is_binding(c) && self.version.has(Change::PartsHaveSizes) =>
            {
                self.cost_binding(e.id, c)
            }
            ExprKind::Comprehension(c) => self.cost_comprehension(e.id, c),
        }
    }

    fn cost_ident(&mut self, id: ExprId, name: &Arc<str>) -> CostEstimate {
        let path = match self.local(name) {
            Some(local) => local.path,
            None => self.paths.root(PathElement::Name(Arc::clone(name))),
        };
        self.set_path(id, path);
        SELECT
    }

    fn cost_call(
        &mut self,
        e: &'a Expr,
        target: Option<&'a Expr>,
        function: &str,
        args: &'a [Expr],
    ) -> CostEstimate {
        if function == "dyn"
            && self.version.has(Change::DynKeepsSizes)
            && let [arg] = args
        {
            let cost = self.cost(arg);
            self.copy_sizes(e, arg);
            return cost.plus(CostEstimate::ONE);
        }
        let mut arg_costs = Vec::with_capacity(args.len());
        let mut nodes = Vec::with_capacity(args.len());
        for arg in args {
            arg_costs.push(self.cost(arg));
            nodes.push(self.node(arg));
        }
        let overloads = match self.checked.reference_of(e.id) {
            Some(Reference::Overloads(overloads)) => overloads.as_slice(),
            _ => return CostEstimate::ZERO,
        };
        let mut target_cost = CostEstimate::ZERO;
        let target = target.map(|target| {
            target_cost = self.cost(target);
            self.node(target)
        });
        let call =
            EstimatedCall { e, target: target.as_ref(), args: &nodes, arg_costs: &arg_costs };
        let mut cost = CostEstimate::NONE_YET;
        let mut result: Option<Size> = None;
        for overload in overloads {
            let rule =
                Env::library().overload(overload).map_or(EstimateRule::One, |o| o.row.estimate);
            let estimate = self.cost_overload(&call, rule);
            cost = cost.or(estimate.cost);
            if let Some(size) = estimate.result {
                result = Some(result.map_or(size, |result| result.or(size)));
            }
            let indexed = match rule {
                EstimateRule::Standard(Standard::Element) => {
                    args.first().zip(Some(PathElement::Items))
                }
                EstimateRule::Standard(Standard::Member) => {
                    args.first().zip(Some(PathElement::Values))
                }
                _ => None,
            };
            if let Some((arg, element)) = indexed {
                result = self.entry_size(arg).map(|entry| entry.value);
                let path = self.paths.extend(self.path(arg), element);
                self.set_path(e.id, path);
            }
            result = result.or_else(|| self.size(e));
        }
        self.set_size(e.id, result);
        target_cost.plus(cost)
    }

    /// The cost of a call of one overload, its arguments included.
    fn cost_overload(&mut self, call: &EstimatedCall<'_, 'a>, rule: EstimateRule) -> CallEstimate {
        let own = match rule {
            EstimateRule::One => None,
            EstimateRule::Standard(rule) => return standard::estimate(self, call, rule),
            EstimateRule::Kubernetes(rule) => kubernetes::estimate(self, call, rule),
            EstimateRule::Extension(rule) => extension::estimate(self, call, rule),
        };
        let own = own.unwrap_or(CallEstimate::of(CostEstimate::ONE));
        CallEstimate { cost: own.cost.plus(call.arg_cost()), ..own }
    }

    fn cost_list(&mut self, id: ExprId, elements: &'a [Expr]) -> CostEstimate {
        let mut cost = CostEstimate::ZERO;
        let mut value = initial_union(elements.is_empty());
        for element in elements {
            cost = cost.plus(self.cost(element));
            value = value.or(self.size_or_unknown(element));
        }
        self.set_entry(id, Some(EntrySize { is_list: true, key: Size::ONE, value }));
        cost.plus(CREATE_LIST)
    }

    fn cost_map(&mut self, id: ExprId, entries: &'a [MapEntry]) -> CostEstimate {
        let mut cost = CostEstimate::ZERO;
        let mut key = initial_union(entries.is_empty());
        let mut value = key;
        for entry in entries {
            cost = cost.plus(self.cost(&entry.key));
            cost = cost.plus(self.cost(&entry.value));
            key = key.or(self.size_or_unknown(&entry.key));
            value = value.or(self.size_or_unknown(&entry.value));
        }
        self.set_entry(id, Some(EntrySize { is_list: false, key, value }));
        cost.plus(CREATE_MAP)
    }

    fn cost_comprehension(&mut self, id: ExprId, c: &'a Comprehension) -> CostEstimate {
        let mut cost = self.cost(&c.range).plus(self.cost(&c.init));
        // Upstream: servers without this change do not know the size of the accumulator, and assume
        // that the result is as large as the range.
        let has_sizes = self.version.has(Change::PartsHaveSizes);
        if has_sizes {
            self.bind(&c.accu_var, &c.init);
        }
        match &c.iter_var2 {
            Some(iter_var2) => {
                self.bind_entry(&c.iter_var, &c.range, EntryPart::Key);
                self.bind_entry(iter_var2, &c.range, EntryPart::Value);
            }
            None => self.bind_entry(&c.iter_var, &c.range, EntryPart::Single),
        }
        let condition = self.cost(&c.condition);
        let step = self.cost(&c.step);
        self.unbind(&c.iter_var);
        if let Some(iter_var2) = &c.iter_var2 {
            self.unbind(iter_var2);
        }
        cost = cost.plus(self.cost(&c.result));
        if has_sizes {
            self.unbind(&c.accu_var);
        }

        let count = self.size_or_unknown(&c.range);
        cost = cost.plus(count.times(step.plus(condition)));
        if !has_sizes {
            self.set_size(id, Some(count));
            return cost;
        }
        // Other accumulators are bools or ints, whose size is 1 without being stored.
        if matches!(c.init.kind, ExprKind::List { .. } | ExprKind::Map(_)) {
            self.set_size(id, Some(count));
            let entry = self.entry_size(&c.step);
            self.set_entry(id, entry);
        }
        cost
    }

    /// The cost of a comprehension over an empty list, which evaluates `accu = init; result`.
    fn cost_binding(&mut self, id: ExprId, c: &'a Comprehension) -> CostEstimate {
        let cost = self.cost(&c.range).plus(self.cost(&c.init));
        self.bind(&c.accu_var, &c.init);
        let cost = cost.plus(self.cost(&c.result));
        self.unbind(&c.accu_var);
        let size = self.size(&c.result);
        self.set_size(id, size);
        let entry = self.entry_size(&c.result);
        self.set_entry(id, entry);
        cost
    }

    fn node(&mut self, expr: &'a Expr) -> EstimatedOperand<'a> {
        let path = self.operand_path(expr);
        EstimatedOperand { expr, ty: self.checked.type_of(expr.id), path, size: self.size(expr) }
    }
}

/// A call whose operands have been estimated.
struct EstimatedCall<'c, 'a> {
    e: &'a Expr,
    target: Option<&'c EstimatedOperand<'a>>,
    args: &'c [EstimatedOperand<'a>],
    arg_costs: &'c [CostEstimate],
}

impl EstimatedCall<'_, '_> {
    /// The total cost of the arguments, without the receiver.
    fn arg_cost(&self) -> CostEstimate {
        self.arg_costs.iter().fold(CostEstimate::ZERO, |sum, cost| sum.plus(*cost))
    }
}

/// The part of an entry that an iteration variable is bound to.
#[derive(Clone, Copy)]
enum EntryPart {
    /// The first of two variables: index or key.
    Key,
    /// The second of two variables: item or value.
    Value,
    /// The only variable: item of a list, key of anything else.
    Single,
}

/// Whether a comprehension only binds a variable: it iterates over an empty list.
fn is_binding(c: &Comprehension) -> bool {
    let over_nothing =
        matches!(&c.range.kind, ExprKind::List { elements, .. } if elements.is_empty());
    let never = matches!(c.condition.kind, ExprKind::Literal(Literal::Bool(false)));
    over_nothing && never && ACCUMULATORS.first() != Some(&&*c.accu_var)
}

/// The initial value for the union of the sizes of a literal's entries. `empty` means that the literal has none.
fn initial_union(empty: bool) -> Size {
    if empty { Size::ZERO } else { Size::NONE_YET }
}

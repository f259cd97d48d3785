//! The macros of Kubernetes' environment for validation rules, and their expansions.
//!
//! A macro is identified by its name, the number of its arguments and whether it has a receiver;
//! with other arguments the same name is a function.
//!
//! Source: cel-go `parser/macro.go`, `cel/library.go` (`optMap`, `optFlatMap`), `ext/lists.go`
//! (`sortBy`), `ext/comprehensions.go` (two variables).

mod nodes;

use std::sync::Arc;

use super::ast::{Comprehension, Expr, ExprId, ExprKind, Literal};
use super::ids::{Abort, Ids};
use super::tree::NOWHERE;
use crate::minors::libraries::{EXTENDED_LISTS, TWO_VARIABLES};
use crate::minors::{Change, Environment, Presence};

/// The name of the accumulator of macros. It is no identifier, so expressions cannot use it.
pub const ACCUMULATOR: &str = "@result";
/// The name of the accumulator in older versions of cel-go, which macros still reject as a variable.
const OLD_ACCUMULATOR: &str = "__result__";
/// The iteration variable of a comprehension that only binds a variable.
pub(super) const UNUSED: &str = "#unused";
pub(super) const SORT_BY_INPUT: &str = "@__sortBy_input__";

/// An error of a macro's expansion, and the argument that causes it.
struct Misuse {
    at: ExprId,
    message: String,
}

enum MacroFailure {
    Misuse(Misuse),
    Abort,
}

impl From<Abort> for MacroFailure {
    fn from(Abort: Abort) -> Self {
        Self::Abort
    }
}

type Result<T> = std::result::Result<T, MacroFailure>;

fn misuse<T>(at: &Expr, message: impl Into<String>) -> Result<T> {
    Err(MacroFailure::Misuse(Misuse { at: at.id, message: message.into() }))
}

/// Returns the expansion of a call of a macro, or the call itself if `function` is not one.
pub(super) fn expand(
    ids: &mut Ids,
    id: ExprId,
    function: &str,
    target: Option<Expr>,
    args: Vec<Expr>,
) -> std::result::Result<Expr, Abort> {
    let Some(kind) = Macro::find(function, target.is_some(), args.len(), ids.environment) else {
        let target = target.map(Box::new);
        let kind = ExprKind::Call { target, function: function.into(), args };
        return Ok(Expr { id, kind });
    };
    let at = ids.position(id);
    let expansion = Expansion { ids, at }.expand(kind, target, args);
    match expansion {
        Ok(expr) => {
            ids.forget(id);
            Ok(expr)
        }
        Err(MacroFailure::Abort) => Err(Abort),
        Err(MacroFailure::Misuse(Misuse { at, message })) => {
            let at = ids.position(at);
            ids.forget(id);
            ids.report(at, &message);
            ids.hole(at.unwrap_or(NOWHERE))
        }
    }
}

#[derive(Debug, Clone, Copy)]
enum Macro {
    Has,
    All,
    Exists,
    ExistsOne,
    Map,
    Filter,
    TransformList,
    TransformMap,
    TransformMapEntry,
    OptMap { flat: bool },
    SortBy,
}

/// A macro: its name, its arguments, and the environments that have it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MacroRow {
    /// The name.
    pub(crate) function: &'static str,
    /// Whether the macro is called as a method.
    member: bool,
    /// The least and the greatest number of arguments.
    args: (usize, usize),
    kind: Macro,
    /// The environments that have it.
    pub(crate) presence: Presence,
}

const fn row(
    function: &'static str,
    args: (usize, usize),
    kind: Macro,
    presence: Presence,
) -> MacroRow {
    MacroRow { function, member: true, args, kind, presence }
}

/// The macros.
pub(crate) const MACROS: &[MacroRow] = &[
    MacroRow { member: false, ..row("has", (1, 1), Macro::Has, Presence::ALWAYS) },
    row("all", (2, 2), Macro::All, Presence::ALWAYS),
    row("all", (3, 3), Macro::All, TWO_VARIABLES),
    row("exists", (2, 2), Macro::Exists, Presence::ALWAYS),
    row("exists", (3, 3), Macro::Exists, TWO_VARIABLES),
    row("exists_one", (2, 2), Macro::ExistsOne, Presence::ALWAYS),
    row("exists_one", (3, 3), Macro::ExistsOne, TWO_VARIABLES),
    row("existsOne", (3, 3), Macro::ExistsOne, TWO_VARIABLES),
    row("map", (2, 3), Macro::Map, Presence::ALWAYS),
    row("filter", (2, 2), Macro::Filter, Presence::ALWAYS),
    row("transformList", (3, 4), Macro::TransformList, TWO_VARIABLES),
    row("transformMap", (3, 4), Macro::TransformMap, TWO_VARIABLES),
    row("transformMapEntry", (3, 4), Macro::TransformMapEntry, TWO_VARIABLES),
    row("optMap", (2, 2), Macro::OptMap { flat: false }, Presence::ALWAYS),
    row("optFlatMap", (2, 2), Macro::OptMap { flat: true }, Presence::ALWAYS),
    row("sortBy", (2, 2), Macro::SortBy, EXTENDED_LISTS),
];

impl Macro {
    fn find(function: &str, member: bool, args: usize, environment: Environment) -> Option<Self> {
        let is = |row: &&MacroRow| {
            row.function == function
                && row.member == member
                && (row.args.0..=row.args.1).contains(&args)
                && environment.has(row.presence)
        };
        MACROS.iter().find(is).map(|row| row.kind)
    }
}

/// The variables of a comprehension.
struct Variables {
    first: Arc<str>,
    second: Option<Arc<str>>,
}

/// The expansion of one call. Its new nodes have the position of the call.
struct Expansion<'b> {
    ids: &'b mut Ids,
    at: Option<u32>,
}

impl Expansion<'_> {
    fn expand(&mut self, kind: Macro, target: Option<Expr>, args: Vec<Expr>) -> Result<Expr> {
        let Some(target) = target else { return self.has(args) };
        let two = match kind {
            Macro::All | Macro::Exists | Macro::ExistsOne => args.len() == 3,
            Macro::TransformList | Macro::TransformMap | Macro::TransformMapEntry => true,
            _ => false,
        };
        let mut args = args.into_iter();
        let (Some(first), Some(second)) = (args.next(), args.next()) else {
            return Err(MacroFailure::Abort);
        };
        match kind {
            Macro::OptMap { flat } => return self.opt_map(flat, target, &first, second),
            Macro::SortBy => return self.sort_by(target, &first, second),
            Macro::Map => {
                let variables = one(&first, "argument is not an identifier")?;
                let third = args.next();
                let (filter, transform) = match third {
                    Some(transform) => (Some(second), transform),
                    None => (None, second),
                };
                return self.map(target, variables, filter, transform);
            }
            Macro::Filter => {
                let variables = one(&first, "argument is not an identifier")?;
                let init = self.list(Vec::new())?;
                let condition = self.bool(true)?;
                let accu = self.accu()?;
                let element = self.list(vec![first])?;
                let step = self.call("_+_", vec![accu, element])?;
                return self.fold(target, variables, init, condition, Some(second), step);
            }
            _ => {}
        }
        if !two {
            let variables = one(&first, "argument must be a simple name")?;
            return self.quantifier(kind, target, variables, second);
        }
        let variables = both(&first, &second)?;
        let Some(third) = args.next() else { return Err(MacroFailure::Abort) };
        if !matches!(kind, Macro::TransformList | Macro::TransformMap | Macro::TransformMapEntry) {
            return self.quantifier(kind, target, variables, third);
        }
        let (filter, transform) = match args.next() {
            Some(transform) => (Some(third), transform),
            None => (None, third),
        };
        self.transform(kind, target, variables, filter, transform)
    }

    fn has(&mut self, args: Vec<Expr>) -> Result<Expr> {
        let Some(arg) = args.into_iter().next() else { return Err(MacroFailure::Abort) };
        match arg.kind {
            ExprKind::Select { operand, field, .. } => {
                self.node(ExprKind::Select { operand, field, test_only: true })
            }
            _ => misuse(&arg, "invalid argument to has() macro"),
        }
    }

    fn quantifier(
        &mut self,
        kind: Macro,
        target: Expr,
        variables: Variables,
        predicate: Expr,
    ) -> Result<Expr> {
        let (init, condition, step, result);
        match kind {
            Macro::All => {
                init = self.bool(true)?;
                let accu = self.accu()?;
                condition = self.call("@not_strictly_false", vec![accu])?;
                let accu = self.accu()?;
                step = self.call("_&&_", vec![accu, predicate])?;
                result = self.accu()?;
            }
            Macro::Exists => {
                init = self.bool(false)?;
                let accu = self.accu()?;
                let not = self.call("!_", vec![accu])?;
                condition = self.call("@not_strictly_false", vec![not])?;
                let accu = self.accu()?;
                step = self.call("_||_", vec![accu, predicate])?;
                result = self.accu()?;
            }
            _ => {
                init = self.literal(Literal::Int(0))?;
                condition = self.bool(true)?;
                let accu = self.accu()?;
                let one = self.literal(Literal::Int(1))?;
                let sum = self.call("_+_", vec![accu, one])?;
                let accu = self.accu()?;
                step = self.call("_?_:_", vec![predicate, sum, accu])?;
                let accu = self.accu()?;
                let one = self.literal(Literal::Int(1))?;
                result = self.call("_==_", vec![accu, one])?;
            }
        }
        self.comprehension(target, variables, init, condition, step, result)
    }

    fn map(
        &mut self,
        target: Expr,
        variables: Variables,
        filter: Option<Expr>,
        transform: Expr,
    ) -> Result<Expr> {
        let init = self.list(Vec::new())?;
        let condition = self.bool(true)?;
        let accu = self.accu()?;
        let element = self.list(vec![transform])?;
        let step = self.call("_+_", vec![accu, element])?;
        self.fold(target, variables, init, condition, filter, step)
    }

    fn transform(
        &mut self,
        kind: Macro,
        target: Expr,
        variables: Variables,
        filter: Option<Expr>,
        transform: Expr,
    ) -> Result<Expr> {
        let accu = self.accu()?;
        let mut step = match kind {
            Macro::TransformList => {
                let element = self.list(vec![transform])?;
                self.call("_+_", vec![accu, element])?
            }
            Macro::TransformMap => {
                let key = self.ident(&variables.first)?;
                self.call("cel.@mapInsert", vec![accu, key, transform])?
            }
            _ => self.call("cel.@mapInsert", vec![accu, transform])?,
        };
        if let Some(filter) = filter {
            let accu = self.accu()?;
            step = self.call("_?_:_", vec![filter, step, accu])?;
        }
        let init = match kind {
            Macro::TransformList => self.list(Vec::new())?,
            _ => self.node(ExprKind::Map(Vec::new()))?,
        };
        let condition = self.bool(true)?;
        let result = self.accu()?;
        self.comprehension(target, variables, init, condition, step, result)
    }

    /// A comprehension whose step is skipped for elements that `filter` rejects, and whose result is
    /// the accumulator.
    fn fold(
        &mut self,
        target: Expr,
        variables: Variables,
        init: Expr,
        condition: Expr,
        filter: Option<Expr>,
        mut step: Expr,
    ) -> Result<Expr> {
        if let Some(filter) = filter {
            let accu = self.accu()?;
            step = self.call("_?_:_", vec![filter, step, accu])?;
        }
        let result = self.accu()?;
        self.comprehension(target, variables, init, condition, step, result)
    }

    fn opt_map(&mut self, flat: bool, target: Expr, variable: &Expr, body: Expr) -> Result<Expr> {
        let ExprKind::Ident(name) = &variable.kind else {
            let function = if flat { "optFlatMap" } else { "optMap" };
            let message = format!("{function}() variable name must be a simple identifier");
            return misuse(variable, message);
        };
        // Ids are assigned in the order in which cel-go evaluates the arguments of its
        // constructors: nested calls first, from left to right.
        let original = target.clone();
        let has_value = self.method("hasValue", target, Vec::new())?;
        let range = self.list(Vec::new())?;
        let copied = self.copy(original.clone())?;
        // Upstream: cel-go before 0.22 uses the same nodes twice, and the checker infers their types
        // twice.
        let version = self.ids.environment.version;
        let second = if version.has(Change::TargetsOfOptMapAreCopied) { copied } else { original };
        let value = self.method("value", second, Vec::new())?;
        let bound = self.bind(range, name.clone(), value, name, body)?;
        let some = if flat { bound } else { self.call("optional.of", vec![bound])? };
        let none = self.call("optional.none", Vec::new())?;
        self.call("_?_:_", vec![has_value, some, none])
    }

    fn sort_by(&mut self, target: Expr, variable: &Expr, key: Expr) -> Result<Expr> {
        let input = self.ident(SORT_BY_INPUT)?;
        if !matches!(
            target.kind,
            ExprKind::List { .. }
                | ExprKind::Select { .. }
                | ExprKind::Ident(_)
                | ExprKind::Comprehension(_)
                | ExprKind::Call { .. }
        ) {
            let message = "sortBy can only be applied to a list, identifier, comprehension, call or \
                           select expression";
            return misuse(&target, message);
        }
        let range = self.copy(input.clone())?;
        let variables = one(variable, "argument is not an identifier")?;
        let keys = self.map(range, variables, None, key)?;
        let list = self.copy(input.clone())?;
        let sorted = self.method("@sortByAssociatedKeys", list, vec![keys])?;
        let range = self.list(Vec::new())?;
        let condition = self.bool(false)?;
        self.node(ExprKind::Comprehension(Box::new(Comprehension {
            iter_var: UNUSED.into(),
            iter_var2: None,
            range,
            accu_var: SORT_BY_INPUT.into(),
            init: target,
            condition,
            step: input,
            result: sorted,
        })))
    }

    /// Binds a variable in `body`, by a comprehension over an empty list.
    fn bind(
        &mut self,
        range: Expr,
        name: Arc<str>,
        init: Expr,
        step: &str,
        body: Expr,
    ) -> Result<Expr> {
        let condition = self.bool(false)?;
        let step = self.ident(step)?;
        self.node(ExprKind::Comprehension(Box::new(Comprehension {
            iter_var: UNUSED.into(),
            iter_var2: None,
            range,
            accu_var: name,
            init,
            condition,
            step,
            result: body,
        })))
    }
}

/// The one variable of a comprehension.
fn one(argument: &Expr, message: &str) -> Result<Variables> {
    let first = name(argument, message)?;
    not_accumulator(argument, &first)?;
    Ok(Variables { first, second: None })
}

/// The two variables of a comprehension.
fn both(first: &Expr, second: &Expr) -> Result<Variables> {
    let message = "argument must be a simple name";
    let (first_name, second_name) = (name(first, message)?, name(second, message)?);
    if first_name == second_name {
        return misuse(second, format!("duplicate variable name: {first_name}"));
    }
    not_accumulator(first, &first_name)?;
    not_accumulator(second, &second_name)?;
    Ok(Variables { first: first_name, second: Some(second_name) })
}

fn name(argument: &Expr, message: &str) -> Result<Arc<str>> {
    match &argument.kind {
        ExprKind::Ident(name) => Ok(name.clone()),
        _ => misuse(argument, message),
    }
}

fn not_accumulator(argument: &Expr, name: &str) -> Result<()> {
    if [ACCUMULATOR, OLD_ACCUMULATOR].contains(&name) {
        return misuse(argument, "iteration variable overwrites accumulator variable");
    }
    Ok(())
}

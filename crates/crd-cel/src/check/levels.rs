//! Limits how deep the values of an expression can be nested, because comparing, printing and dropping values recurses.
//!
//! A known type is limited by its own depth. `dyn` has no depth, and each `map` of
//! `[dyn(1)].map(x, dyn([[[x]]])).map(x, dyn([[[x]]]))` adds three levels.

use std::sync::Arc;

use crate::syntax::{Comprehension, Expr, ExprId, ExprKind};
use crate::types::Type;

use super::MAX_TYPE_LEVELS;

/// The first node whose values may be nested too deep.
///
/// The recursion follows the nesting of the expression, which the parser limits.
pub(super) fn too_deep(root: &Expr, types: &[Option<Type>]) -> Option<ExprId> {
    let mut walk = DepthWalk { types, scope: Vec::new(), found: None };
    walk.levels(root);
    walk.found
}

struct DepthWalk<'a> {
    types: &'a [Option<Type>],
    /// The variables of the comprehensions around the node, innermost last, with the levels of their values.
    scope: Vec<(&'a Arc<str>, usize)>,
    found: Option<ExprId>,
}

impl<'a> DepthWalk<'a> {
    /// An upper bound of the levels of the node's values. The levels of JSON in them are not counted.
    fn levels(&mut self, expr: &'a Expr) -> usize {
        // Operands are visited even if the result cannot contain values, because their own values may be
        // nested too deep.
        let levels = match &expr.kind {
            ExprKind::Literal(_) => 0,
            ExprKind::Ident(name) => {
                let bound = self.scope.iter().rev().find(|(bound, _)| *bound == name);
                bound.map_or(0, |(_, levels)| *levels)
            }
            ExprKind::Select { operand, .. } => self.levels(operand).saturating_sub(1),
            ExprKind::Call { target, function, args } => {
                let mut below = target.iter().map(|target| &**target).chain(args);
                match (&**function, below.clone().count()) {
                    ("_+_" | "dyn" | "_?_:_", _) | ("cel.@mapInsert", ..=2 | 4..) => {
                        self.most(below)
                    }
                    ("_[_]", _) => self.most(below).saturating_sub(1),
                    ("cel.@mapInsert", 3) => {
                        let map = below.next().map_or(0, |map| self.levels(map));
                        map.max(1 + self.most(below))
                    }
                    _ => 1 + self.most(below),
                }
            }
            ExprKind::List { elements, .. } => 1 + self.most(elements.iter()),
            ExprKind::Map(entries) => {
                1 + self.most(entries.iter().flat_map(|entry| [&entry.key, &entry.value]))
            }
            ExprKind::Struct { fields, .. } => {
                1 + self.most(fields.iter().map(|field| &field.value))
            }
            ExprKind::Comprehension(comprehension) => self.comprehension(comprehension),
        };
        let holds = self.types.get(expr.id as usize).and_then(Option::as_ref).is_none_or(may_hold);
        let levels = if holds { levels } else { 0 };
        if levels > MAX_TYPE_LEVELS {
            self.found.get_or_insert(expr.id);
            return 0;
        }
        levels
    }

    fn most(&mut self, exprs: impl Iterator<Item = &'a Expr>) -> usize {
        exprs.map(|expr| self.levels(expr)).max().unwrap_or_default()
    }

    /// The levels of a comprehension. One iteration is enough to find them, because a step adds elements to the
    /// accumulator without nesting it deeper.
    fn comprehension(&mut self, comprehension: &'a Comprehension) -> usize {
        let Comprehension { iter_var, iter_var2, range, accu_var, init, condition, step, result } =
            comprehension;
        let element = self.levels(range).saturating_sub(1);
        let first = self.levels(init);
        let outside = self.scope.len();
        self.scope.push((accu_var, first));
        self.scope.push((iter_var, element));
        self.scope.extend(iter_var2.iter().map(|name| (name, element)));
        self.levels(condition);
        let last = self.levels(step).max(first);
        self.scope.truncate(outside);
        self.scope.push((accu_var, last));
        let levels = self.levels(result);
        self.scope.truncate(outside);
        levels
    }
}

/// Whether values of a type may contain other values.
fn may_hold(ty: &Type) -> bool {
    !matches!(
        ty,
        Type::Bool
            | Type::Int
            | Type::Uint
            | Type::Double
            | Type::String
            | Type::Bytes
            | Type::Duration
            | Type::Timestamp
            | Type::Null
            | Type::Wrapper(_)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::Env;

    #[test]
    fn each_node_has_levels() {
        for (source, want) in [
            ("1", 0),
            ("[1].size()", 0),
            ("[[1]].all(x, x == [1])", 0),
            ("google.protobuf.Int64Value{value: 1}", 0),
            ("[]", 1),
            ("[1, 2]", 1),
            ("[[], [[1]]]", 3),
            ("{1: [2]}", 2),
            ("{1: [[2]]}[1]", 2),
            ("{'a': [[2]]}.a", 2),
            ("[1] + [2]", 1),
            ("dyn([1])", 1),
            ("true ? [1] : [2]", 1),
            ("optional.of([1])", 2),
            ("google.protobuf.ListValue{values: [1]}", 2),
            ("[[[1]]].map(x, x)", 3),
            ("[1].map(x, [[x]])", 3),
            ("[[1]].map(x, x.map(y, [y]))", 3),
            ("{'a': 1}.transformMap(k, v, [v])", 2),
            ("{'a': [1]}.transformMap(k, v, k)", 1),
            ("{'a': [1]}.transformMapEntry(k, v, {k: [v]})", 3),
            ("{'a': [[1]]}.transformList(k, v, v)", 3),
        ] {
            let checked = Env::kubernetes().compile(source).expect(source);
            let mut walk = DepthWalk { types: &checked.types, scope: Vec::new(), found: None };
            assert_eq!(walk.levels(&checked.ast.root), want, "{source}");
            assert_eq!(walk.scope, [], "{source}");
        }
    }
}

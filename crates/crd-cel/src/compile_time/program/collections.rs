//! List and map literals, and comprehensions.

use std::sync::Arc;

use super::Writer;
use crate::compile_time::code::{flag, op};
use crate::compile_time::types::Type;
use crate::syntax::{Comprehension, Expr, ExprId, ExprKind, Literal, MapEntry};

impl Writer<'_> {
    pub(super) fn list(&mut self, elements: &[Expr], optional: &[u32]) -> u16 {
        let mut entries = Vec::new();
        for (i, element) in (0u32..).zip(elements) {
            let value = self.expr(element);
            entries.push((value, element.id, optional.binary_search(&i).is_ok()));
        }
        self.literal(op::LIST, elements.len(), &entries)
    }

    pub(super) fn map(&mut self, entries: &[MapEntry]) -> u16 {
        let mut written = Vec::new();
        for entry in entries {
            let key = self.expr(&entry.key);
            written.push((key, entry.key.id, false));
            let value = self.expr(&entry.value);
            written.push((value, entry.value.id, entry.optional));
        }
        self.literal(op::MAP, entries.len(), &written)
    }

    fn literal(&mut self, code: u8, count: usize, entries: &[(u16, ExprId, bool)]) -> u16 {
        if count > 1 && !self.in_format {
            self.request_second_pass();
        }
        self.byte(code);
        self.byte(if self.in_format { flag::MIXED } else { 0 });
        match u16::try_from(count) {
            Ok(count) => self.word(count),
            Err(_) => self.too_large = true,
        }
        for (value, id, optional) in entries {
            let at = self.position(*id);
            self.word(at);
            self.byte(if *optional { flag::OPTIONAL_ENTRY } else { 0 });
            self.word(*value);
        }
        self.value(Some(if code == op::LIST { Type::List(0) } else { Type::Map(0, 0) }))
    }

    pub(super) fn comprehension(&mut self, comprehension: &Comprehension) -> u16 {
        let Comprehension { iter_var, iter_var2, range, accu_var, init, condition, step, result } =
            comprehension;
        let over = self.expr(range);
        let initial = self.expr(init);
        let at = self.position(range.id);
        self.byte(op::ITERATE);
        self.word(at);
        self.byte(if iter_var2.is_some() { flag::TWO } else { 0 });
        self.word(over);
        self.word(initial);
        let accumulator = self.value(self.type_of(initial));
        let (first, second) = (self.value(None), self.value(None));
        let outside = self.scope.len();
        self.scope.push((Arc::clone(accu_var), accumulator));
        let inside = self.scope.len();
        self.scope.push((Arc::clone(iter_var), first));
        if let Some(iter_var2) = iter_var2 {
            self.scope.push((Arc::clone(iter_var2), second));
        }
        // Macros write only conditions that are `bool` whatever the types are.
        debug_assert!(is_bool_by_itself(condition), "{condition:?}");
        let next = self.expr(step);
        if !is_logic(step) {
            let at = self.position(step.id);
            self.byte(op::EXPECT);
            self.word(at);
            self.word(next);
            self.word(accumulator);
        }
        self.scope.truncate(inside);
        let value = self.expr(result);
        self.scope.truncate(outside);
        value
    }
}

/// Whether an expression is `true`, `false` or `@not_strictly_false(..)`.
fn is_bool_by_itself(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Literal(Literal::Bool(_)) => true,
        ExprKind::Call { function, .. } => &**function == "@not_strictly_false",
        _ => false,
    }
}

/// Whether it is `&&` or `||`, whose operands have been checked to be `bool`.
fn is_logic(e: &Expr) -> bool {
    matches!(&e.kind, ExprKind::Call { function, .. } if matches!(&**function, "_&&_" | "_||_"))
}

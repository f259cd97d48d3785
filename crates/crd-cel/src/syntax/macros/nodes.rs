//! Creates the nodes of a macro's expansion. Their ids are assigned in cel-go's order, and their
//! position is that of the macro's call.

use super::super::ast::{Comprehension, Expr, ExprKind, Literal, MapEntry, StructField};
use super::{ACCUMULATOR, Expansion, Result, Variables};

impl Expansion<'_> {
    pub(super) fn node(&mut self, kind: ExprKind) -> Result<Expr> {
        Ok(Expr { id: self.ids.id(self.at)?, kind })
    }

    pub(super) fn literal(&mut self, value: Literal) -> Result<Expr> {
        self.node(ExprKind::Literal(value))
    }

    pub(super) fn bool(&mut self, value: bool) -> Result<Expr> {
        self.literal(Literal::Bool(value))
    }

    pub(super) fn ident(&mut self, name: &str) -> Result<Expr> {
        self.node(ExprKind::Ident(name.into()))
    }

    pub(super) fn accu(&mut self) -> Result<Expr> {
        self.ident(ACCUMULATOR)
    }

    pub(super) fn list(&mut self, elements: Vec<Expr>) -> Result<Expr> {
        self.node(ExprKind::List { elements, optional: Vec::new() })
    }

    pub(super) fn call(&mut self, function: &str, args: Vec<Expr>) -> Result<Expr> {
        self.node(ExprKind::Call { target: None, function: function.into(), args })
    }

    pub(super) fn method(&mut self, function: &str, target: Expr, args: Vec<Expr>) -> Result<Expr> {
        let target = Some(Box::new(target));
        self.node(ExprKind::Call { target, function: function.into(), args })
    }

    pub(super) fn comprehension(
        &mut self,
        range: Expr,
        variables: Variables,
        init: Expr,
        condition: Expr,
        step: Expr,
        result: Expr,
    ) -> Result<Expr> {
        self.node(ExprKind::Comprehension(Box::new(Comprehension {
            iter_var: variables.first,
            iter_var2: variables.second,
            range,
            accu_var: ACCUMULATOR.into(),
            init,
            condition,
            step,
            result,
        })))
    }

    /// Copies an expression. Each copied expression has a new id and the position of its original;
    /// copied map entries and struct fields have new ids at the position of the macro's call.
    pub(super) fn copy(&mut self, expr: Expr) -> Result<Expr> {
        let id = self.ids.id_of_copy(expr.id)?;
        let kind = match expr.kind {
            kind @ (ExprKind::Literal(_) | ExprKind::Ident(_)) => kind,
            ExprKind::Select { operand, field, test_only } => {
                ExprKind::Select { operand: Box::new(self.copy(*operand)?), field, test_only }
            }
            ExprKind::Call { target, function, args } => {
                let args = self.copy_all(args)?;
                let target = target.map(|target| self.copy(*target)).transpose()?.map(Box::new);
                ExprKind::Call { target, function, args }
            }
            ExprKind::List { elements, optional } => {
                ExprKind::List { elements: self.copy_all(elements)?, optional }
            }
            ExprKind::Map(entries) => {
                let entries = entries.into_iter().map(|entry| {
                    let id = self.ids.id(self.at)?;
                    let (key, value) = (self.copy(entry.key)?, self.copy(entry.value)?);
                    Ok(MapEntry { id, key, value, optional: entry.optional })
                });
                ExprKind::Map(entries.collect::<Result<_>>()?)
            }
            ExprKind::Struct { type_name, fields } => {
                let fields = fields.into_iter().map(|field| {
                    let id = self.ids.id(self.at)?;
                    Ok(StructField { id, value: self.copy(field.value)?, ..field })
                });
                ExprKind::Struct { type_name, fields: fields.collect::<Result<_>>()? }
            }
            ExprKind::Comprehension(fold) => {
                let range = self.copy(fold.range)?;
                let init = self.copy(fold.init)?;
                let condition = self.copy(fold.condition)?;
                let step = self.copy(fold.step)?;
                let result = self.copy(fold.result)?;
                ExprKind::Comprehension(Box::new(Comprehension {
                    iter_var: fold.iter_var,
                    iter_var2: fold.iter_var2,
                    range,
                    accu_var: fold.accu_var,
                    init,
                    condition,
                    step,
                    result,
                }))
            }
        };
        Ok(Expr { id, kind })
    }

    pub(super) fn copy_all(&mut self, exprs: Vec<Expr>) -> Result<Vec<Expr>> {
        exprs.into_iter().map(|expr| self.copy(expr)).collect()
    }
}

//! Selections and indices: chains of qualifiers on an attribute.
//!
//! Source: `cel-go/interpreter/planner.go`, `planSelect`, `planCallIndex`.

use std::sync::Arc;

use super::PlanError;
use super::node::{FieldKey, Node, Qualifier, QualifierKey};
use super::planner::{Planned, Planner};
use crate::error::EvalError;
use crate::escape::{escape, unescape};
use crate::syntax::{Expr, ExprId};
use crate::types::Type;
use crate::value::Value;

impl Planner<'_> {
    pub(super) fn select(
        &mut self,
        id: ExprId,
        operand: &Expr,
        field: &str,
        test_only: bool,
    ) -> Planned {
        if self.checked.reference_of(id).is_some() {
            return self.name(id, field);
        }
        let object = self.object_of(operand);
        let mut attribute = self.plan(operand)?.into_attribute();
        let key = QualifierKey::Field(Arc::new(self.field_key(object.as_deref(), field)));
        attribute.qualify(&Qualifier { key, optional: false });
        if test_only {
            attribute.test();
        }
        Ok(Node::Attribute(Box::new(attribute)))
    }

    /// `operand[index]`, `operand[?index]`, `operand.?field`.
    pub(super) fn index(&mut self, operand: &Expr, index: &Expr, optional: bool) -> Planned {
        let object = self.object_of(operand);
        let mut attribute = self.plan(operand)?.into_attribute();
        let key = match self.plan(index)? {
            Node::Constant(Ok(Value::String(text))) => {
                QualifierKey::Field(Arc::new(self.field_key(object.as_deref(), &text)))
            }
            Node::Constant(Ok(
                value @ (Value::Bool(_) | Value::Int(_) | Value::Uint(_) | Value::Double(_)),
            )) => QualifierKey::Constant(value),
            Node::Constant(Ok(value)) => {
                return Err(PlanError::new(EvalError::invalid_qualifier(value.go_type()).text()));
            }
            Node::Attribute(index) => QualifierKey::Attribute(Arc::from(index)),
            other => QualifierKey::Computed(Arc::new(other)),
        };
        attribute.qualify(&Qualifier { key, optional });
        Ok(Node::Attribute(Box::new(attribute)))
    }

    /// The name of the expression's type if it is an object type or an optional of one.
    fn object_of(&self, operand: &Expr) -> Option<Arc<str>> {
        let ty = self.checked.type_of(operand.id);
        match ty.optional_inner().unwrap_or(ty) {
            Type::Object(name) => Some(name.clone()),
            _ => None,
        }
    }

    fn field_key(&self, object: Option<&str>, ident: &str) -> FieldKey {
        let mut key: Option<Arc<str>> = unescape(ident).map(|key| Arc::from(&*key));
        let mut index_hint = 0;
        if let Some(name) = &key
            && let Some(object) = object.and_then(|name| self.env.object(name))
            && let Some(index) = escape(name).and_then(|ident| object.field_index(&ident))
            && let Some(field) = object.fields.get(index)
        {
            // Shares the text of the declaration: the evaluator recognizes the field at this index
            // by the address of its text.
            key = Some(Arc::clone(&field.key));
            index_hint = index;
        }
        FieldKey { ident: ident.to_owned(), key, index_hint }
    }
}

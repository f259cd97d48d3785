//! List, map and message literals.
//!
//! A list whose elements have several types is a list of `dyn`, which the validators reject.

use std::sync::Arc;

use super::unify::most_general;
use super::{Checker, well_known};
use crate::checked::Reference;
use crate::syntax::{Expr, ExprId, MapEntry, StructField};
use crate::types::{Shown, Type};

impl Checker<'_> {
    pub(super) fn check_list(&mut self, id: ExprId, elements: &mut [Expr], optional: &[u32]) {
        let mut element_type = None;
        let mut optional = optional.iter().copied().peekable();
        for (i, element) in (0u32..).zip(elements) {
            self.check(element);
            let mut ty = self.type_of(element);
            if optional.next_if_eq(&i).is_some() {
                ty = self.unwrap_optional(element.id, ty);
            }
            element_type = Some(self.join(element_type, ty));
        }
        let element_type = element_type.unwrap_or_else(|| self.free_variable());
        self.set_type(id, Type::list(element_type));
    }

    pub(super) fn check_map(&mut self, id: ExprId, entries: &mut [MapEntry]) {
        let mut joined = None;
        for entry in entries {
            self.check(&mut entry.key);
            let key = self.type_of(&entry.key);
            let (key_so_far, value_so_far) = joined.unzip();
            let key = self.join(key_so_far, key);
            self.check(&mut entry.value);
            let mut value = self.type_of(&entry.value);
            if entry.optional {
                value = self.unwrap_optional(entry.value.id, value);
            }
            let value = self.join(value_so_far, value);
            joined = Some((key, value));
        }
        let (key, value) = joined.unwrap_or_else(|| (self.free_variable(), self.free_variable()));
        self.set_type(id, Type::map(key, value));
    }

    pub(super) fn check_struct(
        &mut self,
        id: ExprId,
        type_name: &mut Arc<str>,
        fields: &mut [StructField],
    ) {
        let Some(resolved) = self.lookup_message(type_name) else {
            self.report_undeclared(id, &type_name.clone());
            self.set_type(id, Type::Error);
            return;
        };
        type_name.clone_from(&resolved.name);
        let (ty, message) = self.message_of(id, &resolved.ty, &resolved.name);
        self.set_reference(id, Reference::Type(ty.clone()));
        self.set_type(id, ty);
        for field in fields {
            self.check(&mut field.value);
            let declared = self.field_type(field.id, &message, &field.name).unwrap_or(Type::Error);
            let mut ty = self.type_of(&field.value);
            if field.optional {
                ty = self.unwrap_optional(field.value.id, ty);
            }
            if !self.subst.assign(&declared, &ty) {
                let (name, declared, ty) = (&field.name, Shown(&declared), Shown(&ty));
                self.report(
                    field.id,
                    format_args!(
                        "expected type of field '{name}' is '{declared}' but provided type is '{ty}'"
                    ),
                );
            }
        }
    }

    /// The type of a message literal, and the message that declares its fields. `of_name` is the
    /// type of the name before the braces, such as `type(timestamp)`.
    fn message_of(&mut self, id: ExprId, of_name: &Type, name: &Arc<str>) -> (Type, Arc<str>) {
        let Type::Type(inner) = of_name else {
            if *of_name != Type::Error {
                let name = declared_name(of_name);
                self.report(id, format_args!("'{name}' is not a type"));
            }
            return (Type::Error, Arc::clone(name));
        };
        let inner = inner.as_deref().cloned().unwrap_or(Type::Type(None));
        if let Some(message) = well_known::message_name(&inner) {
            return (inner, message.into());
        }
        if let Type::Object(message) = &inner {
            let message = Arc::clone(message);
            return (inner, message);
        }
        let shown = declared_name(&inner);
        self.report(id, format_args!("'{shown}' is not a message type"));
        (Type::Error, Arc::clone(name))
    }

    /// The type of an element or entry marked with `?`, given the type of its expression: `T` for
    /// `optional_type(T)`, and `dyn` for `dyn`. Reports any other type, and returns it unchanged.
    fn unwrap_optional(&mut self, id: ExprId, ty: Type) -> Type {
        if let Some(inner) = ty.optional_inner() {
            return inner.clone();
        }
        if !ty.is_dyn() {
            self.report_mismatch(id, &Type::optional(ty.clone()), &ty);
        }
        ty
    }

    /// The common type of the elements so far and of the next one; `dyn` if there is none, which the
    /// validators report.
    fn join(&mut self, so_far: Option<Type>, ty: Type) -> Type {
        match so_far {
            None => ty,
            Some(so_far) if self.subst.assign(&so_far, &ty) => most_general(&so_far, &ty).clone(),
            Some(_) => Type::Dyn,
        }
    }

    fn free_variable(&mut self) -> Type {
        Type::Var(self.subst.fresh(1))
    }
}

/// The name of a type without parameters: `list` for `list(int)`. A wrapper is printed with the type
/// that it wraps: `wrapper(int)`.
///
/// Source: cel-go `common/types/types.go`, `Type.DeclaredTypeName`.
fn declared_name(ty: &Type) -> String {
    match ty {
        Type::Wrapper(inner) => format!("wrapper({})", inner.runtime_name()),
        ty => ty.runtime_name().to_owned(),
    }
}

//! Sizes: bounds of the number of elements of an expression's value.
//!
//! Source: cel-go `checker/cost.go`, `computeSize`, `computeEntrySize`;
//! `k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/compilation.go`, `sizeEstimator`.

use super::bounds::Size;
use super::path::{Path, PathElement};
use super::{ACCUMULATORS, EntryPart, EntrySize, EstimatedOperand, Estimator, Local};
use crate::decl::{Decl, DeclKind};
use crate::minors::Change;
use crate::syntax::{Expr, ExprId, ExprKind, Literal};
use crate::types::Type;

impl<'a> Estimator<'a> {
    /// The size of an expression's value. It is looked up in this order: the size stored before, the
    /// size of a literal, the declaration at the path, 1 for a scalar type, and the value that the
    /// variable is bound to.
    pub(super) fn size(&mut self, e: &Expr) -> Option<Size> {
        if let Some(size) = self.sizes.get(e.id as usize).copied().flatten() {
            return Some(size);
        }
        if let Some(size) = literal_size(e) {
            return Some(size);
        }
        if let Some(size) = self.path_size(self.operand_path(e)) {
            self.set_size(e.id, Some(size));
            return Some(size);
        }
        let optionals = self.version.has(Change::EqualityOfOptionalsIsBounded);
        if is_scalar(self.checked.type_of(e.id), optionals) {
            return Some(Size::ONE);
        }
        match &e.kind {
            ExprKind::Ident(name) => self.local(name)?.size,
            _ => None,
        }
    }

    pub(super) fn size_or_unknown(&mut self, e: &Expr) -> Size {
        self.size(e).unwrap_or(Size::UNKNOWN)
    }

    /// The size that an operand had when it was estimated. If it had none, the size at its path,
    /// whose elements a later path may have overwritten since (`crate::slice_path`).
    pub(super) fn operand_size(&self, node: &EstimatedOperand<'_>) -> Size {
        node.size.or_else(|| self.path_size(node.path)).unwrap_or(Size::UNKNOWN)
    }

    /// The size of the elements of an operand that is a list.
    pub(super) fn element_size(&self, list: &EstimatedOperand<'_>) -> Size {
        let size = if list.path.is_empty() {
            None
        } else {
            self.declared_size(&self.paths.elements_and(list.path, PathElement::Items))
        };
        size.unwrap_or(Size::UNKNOWN)
    }

    /// The sizes of the entries of an expression that is a list or a map.
    pub(super) fn entry_size(&self, e: &Expr) -> Option<EntrySize> {
        if let Some(entry) = self.entries.get(e.id as usize).copied().flatten() {
            return Some(entry);
        }
        match &e.kind {
            ExprKind::Ident(name) => self.local(name)?.entry,
            _ => None,
        }
    }

    /// Copies the known sizes of one expression to another.
    pub(super) fn copy_sizes(&mut self, to: &Expr, from: &Expr) {
        let size = self.size(from);
        self.set_size(to.id, size);
        let entry = self.entry_size(from);
        self.set_entry(to.id, entry);
    }

    pub(super) fn set_size(&mut self, id: ExprId, size: Option<Size>) {
        if let (Some(slot), Some(size)) = (self.sizes.get_mut(id as usize), size) {
            *slot = Some(size);
        }
    }

    pub(super) fn set_entry(&mut self, id: ExprId, entry: Option<EntrySize>) {
        if !self.version.has(Change::PartsHaveSizes) {
            return;
        }
        if let (Some(slot), Some(entry)) = (self.entries.get_mut(id as usize), entry) {
            *slot = Some(entry);
        }
    }

    pub(super) fn set_path(&mut self, id: ExprId, path: Path) {
        if let Some(slot) = self.path_of.get_mut(id as usize) {
            *slot = path;
        }
    }

    /// The path of an expression; empty if it has none.
    pub(super) fn path(&self, e: &Expr) -> Path {
        if let ExprKind::Ident(name) = &e.kind
            && let Some(local) = self.local(name)
        {
            return local.path;
        }
        self.path_of.get(e.id as usize).copied().unwrap_or_default()
    }

    /// The path at which the size of an expression is looked up; empty if it begins with an
    /// accumulator, which has no declaration.
    pub(super) fn operand_path(&self, e: &Expr) -> Path {
        let path = self.path(e);
        match self.paths.elements(path).first() {
            Some(PathElement::Name(name)) if ACCUMULATORS.contains(&&**name) => Path::default(),
            _ => path,
        }
    }

    pub(super) fn local(&self, name: &str) -> Option<&Local<'a>> {
        self.locals.iter().rev().find(|local| local.name == name)
    }

    /// Binds a variable to the value of an expression.
    pub(super) fn bind(&mut self, name: &'a str, e: &'a Expr) {
        let path = self.path(e);
        let entry = self.entry_size(e);
        let size = self.size(e);
        self.locals.push(Local { name, path, size, entry });
    }

    /// Binds an iteration variable to a part of the entries of a range.
    pub(super) fn bind_entry(&mut self, name: &'a str, range: &'a Expr, part: EntryPart) {
        let entry = self.entry_size(range);
        let is_list = match entry {
            Some(entry) => entry.is_list,
            None => matches!(self.checked.type_of(range.id), Type::List(_)),
        };
        let (element, size) = match (part, is_list) {
            (EntryPart::Key, true) => (PathElement::Indices, entry.map(|entry| entry.key)),
            (EntryPart::Key | EntryPart::Single, false) => {
                (PathElement::Keys, entry.map(|entry| entry.key))
            }
            (EntryPart::Value | EntryPart::Single, true) => {
                (PathElement::Items, entry.map(|entry| entry.value))
            }
            (EntryPart::Value, false) => (PathElement::Values, entry.map(|entry| entry.value)),
        };
        let path = self.paths.extend(self.path(range), element);
        self.locals.push(Local { name, path, size, entry: None });
    }

    /// Removes the innermost variable with a name.
    pub(super) fn unbind(&mut self, name: &str) {
        if let Some(at) = self.locals.iter().rposition(|local| local.name == name) {
            self.locals.remove(at);
        }
    }

    fn path_size(&self, path: Path) -> Option<Size> {
        self.declared_size(self.paths.elements(path))
    }

    /// The size that the declaration at the end of a path allows.
    ///
    /// Upstream: the first element is skipped, whichever variable it names. Scalars, objects and the
    /// keys of maps have no elements: their size is 0.
    fn declared_size(&self, path: &[PathElement]) -> Option<Size> {
        let [_, members @ ..] = path else { return None };
        let mut decl: &Decl = self.root?;
        for (i, member) in members.iter().enumerate() {
            decl = match (&decl.kind, member) {
                (DeclKind::List { element, .. }, PathElement::Items | PathElement::Values) => {
                    element
                }
                (DeclKind::Map { value, .. }, PathElement::Items | PathElement::Values) => value,
                (DeclKind::Map { .. }, PathElement::Keys) => {
                    return (i + 1 == members.len()).then_some(Size::ZERO);
                }
                (DeclKind::Object(object), PathElement::Name(name)) => &object.field(name)?.decl,
                _ => return None,
            };
        }
        Some(Size { min: 0, max: decl.max_elements })
    }
}

/// The size of a literal; `None` for other expressions.
fn literal_size(e: &Expr) -> Option<Size> {
    let count = match &e.kind {
        ExprKind::Literal(Literal::String(text)) => text.chars().count(),
        ExprKind::Literal(Literal::Bytes(bytes)) => bytes.len(),
        ExprKind::Literal(_) => 1,
        ExprKind::List { elements, .. } => elements.len(),
        ExprKind::Map(entries) => entries.len(),
        _ => return None,
    };
    Some(Size::exactly(u64::try_from(count).unwrap_or(u64::MAX)))
}

/// Whether every value of a type has the size 1. `optionals` is whether an optional of such a type
/// counts.
fn is_scalar(ty: &Type, optionals: bool) -> bool {
    match ty {
        Type::Bool | Type::Double | Type::Duration | Type::Int | Type::Timestamp | Type::Uint => {
            true
        }
        Type::Wrapper(inner) => is_scalar(inner, optionals),
        other if optionals => {
            other.optional_inner().is_some_and(|inner| is_scalar(inner, optionals))
        }
        _ => false,
    }
}

//! Finds the values whose size the server's estimator looks up at the path of another value.
//!
//! The estimator finds sizes by paths, and paths share memory ([`crate::slice_path`]): in
//! `self.b.all(x, x.tags.exists(t, t == x.name))` the path of `x.tags` has become that of `x.name`
//! by the time its size is looked up. Which paths change does not depend on types, so the macro
//! finds them and writes them into the program.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::slice_path::{Path, Paths};
use crate::syntax::{Expr, ExprKind};

/// An element of a path. `Single` and `Key` contain the number of the range's value: its type decides
/// whether the variable iterates over a list or over the keys of a map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum SizePathElement {
    Field(Arc<str>),
    /// To the elements of a list or the values of a map.
    Elements,
    /// To the elements or keys that the only variable of a macro iterates over.
    Single(u16),
    /// To the indices or keys that the first of two variables iterates over.
    Key(u16),
    /// A variable, which is the first element of a path.
    Variable,
}

/// The paths of an expression's values, by the numbers of the values.
#[derive(Default)]
pub(super) struct SizePaths {
    paths: Paths<SizePathElement>,
    of: BTreeMap<u16, Path>,
    /// The paths that the checks in rustc assume.
    assumed: BTreeMap<u16, Vec<SizePathElement>>,
}

impl SizePaths {
    /// Records one more use of a variable that no macro binds.
    pub(super) fn root(&mut self, value: u16) {
        let path = self.paths.root(SizePathElement::Variable);
        self.of.insert(value, path);
        self.assumed.insert(value, vec![SizePathElement::Variable]);
    }

    /// Records a value that is a part of another, which may have no path.
    pub(super) fn part(&mut self, value: u16, of: u16, element: SizePathElement) {
        let path = self.path(of);
        let mut assumed = self.assumed.get(&of).cloned().unwrap_or_default();
        assumed.push(element.clone());
        let path = self.paths.extend(path, element);
        self.of.insert(value, path);
        self.assumed.insert(value, assumed);
    }

    /// Records a value that is the same as another.
    pub(super) fn alias(&mut self, value: u16, other: u16) {
        if let Some(path) = self.of.get(&other).copied() {
            self.of.insert(value, path);
        }
        if let Some(assumed) = self.assumed.get(&other).cloned() {
            self.assumed.insert(value, assumed);
        }
    }

    /// The path of a value without its variable, if it differs from the one that rustc assumes.
    pub(super) fn changed(&self, value: u16) -> Option<&[SizePathElement]> {
        let (path, assumed) = (self.path(value), self.assumed.get(&value)?);
        let elements = self.paths.elements(path);
        if elements == assumed.as_slice() {
            return None;
        }
        // The estimator does not use the first element.
        elements.get(1..)
    }

    /// Records `value`, a copy of the value `of`. The program has the changed path of `of` for the
    /// copy, so rustc assumes that path.
    pub(super) fn copy_with_changed_path(&mut self, value: u16, of: u16) {
        let path = self.path(of);
        self.of.insert(value, path);
        self.assumed.insert(value, self.paths.elements(path).to_vec());
    }

    fn path(&self, value: u16) -> Path {
        self.of.get(&value).copied().unwrap_or_default()
    }
}

/// Whether upstream stores the size of an expression when it estimates the expression. The size of a
/// variable or field is looked up at its path when it is needed, and stored only then.
pub(super) fn keeps_size(e: &Expr) -> bool {
    !matches!(e.kind, ExprKind::Ident(_) | ExprKind::Select { .. })
}

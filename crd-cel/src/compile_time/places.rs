//! Finds the values whose size the server's estimator looks up at another path than their own.
//!
//! The estimator finds sizes by paths, and paths share memory ([`crate::slice_path`]): in
//! `self.b.all(x, x.tags.exists(t, t == x.name))` the path of `x.tags` has become that of `x.name` by the time its size
//! is looked up. Which paths change does not depend on types, so the macro finds them and writes them into the program.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::slice_path::{Path, Paths};
use crate::syntax::{Expr, ExprKind};

/// A step of a path. Whether a variable goes through the elements of a list or through the keys of a map decides the
/// type of the range, which is the value of a number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    Field(Arc<str>),
    /// To the elements of a list or the values of a map.
    Elements,
    /// To what the only variable of a macro goes through.
    Single(u16),
    /// To what the first of two variables goes through.
    Key(u16),
    /// A variable: the first step.
    Variable,
}

/// The paths of an expression's values, by the numbers of those.
#[derive(Default)]
pub(super) struct Places {
    paths: Paths<Step>,
    of: BTreeMap<u16, Path>,
    /// The paths as rustc takes them to be.
    taken: BTreeMap<u16, Vec<Step>>,
}

impl Places {
    /// A variable that nothing binds, read once more.
    pub(super) fn root(&mut self, value: u16) {
        let path = self.paths.root(Step::Variable);
        self.of.insert(value, path);
        self.taken.insert(value, vec![Step::Variable]);
    }

    /// A value that is a part of another, whether or not there is a path to that.
    pub(super) fn part(&mut self, value: u16, of: u16, step: Step) {
        let path = self.path(of);
        let mut taken = self.taken.get(&of).cloned().unwrap_or_default();
        taken.push(step.clone());
        let path = self.paths.extend(path, step);
        self.of.insert(value, path);
        self.taken.insert(value, taken);
    }

    /// A value that is another.
    pub(super) fn same(&mut self, value: u16, other: u16) {
        if let Some(path) = self.of.get(&other).copied() {
            self.of.insert(value, path);
        }
        if let Some(taken) = self.taken.get(&other).cloned() {
            self.taken.insert(value, taken);
        }
    }

    /// The path of a value without its variable, if it differs from the one that rustc assumes.
    pub(super) fn changed(&self, value: u16) -> Option<&[Step]> {
        let (path, taken) = (self.path(value), self.taken.get(&value)?);
        let steps = self.paths.steps(path);
        if steps == taken.as_slice() {
            return None;
        }
        // The first step is never looked at.
        steps.get(1..)
    }

    /// A value whose changed path has been written down, as a value of its own.
    pub(super) fn settle(&mut self, value: u16, of: u16) {
        let path = self.path(of);
        self.of.insert(value, path);
        self.taken.insert(value, self.paths.steps(path).to_vec());
    }

    fn path(&self, value: u16) -> Path {
        self.of.get(&value).copied().unwrap_or_default()
    }
}

/// Whether upstream keeps the size of an expression as it was when that was estimated, without its being an operand.
pub(super) fn keeps_size(e: &Expr) -> bool {
    !matches!(e.kind, ExprKind::Ident(_) | ExprKind::Select { .. })
}

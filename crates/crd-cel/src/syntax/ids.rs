//! Assigns ids to nodes, and collects their positions in the text and the issues found while
//! expressions are built and macros expanded.

use super::ast::{Expr, ExprId, ExprKind, Literal};
use super::issue::{Issues, Location};
use super::tree::NOWHERE;
use crate::minors::Environment;

/// The most nodes that macros may copy in one expression.
///
/// cel-go has no such limit. `optMap` copies its receiver, so a chain of 20 such calls, a text of
/// 300 bytes, copies a million nodes. The length of the text limits all other nodes.
const MAX_COPIED_NODES: usize = 1 << 14;

/// A limit was exceeded, which an issue reports.
#[derive(Debug)]
pub(super) struct Abort;

type Result<T> = std::result::Result<T, Abort>;

pub(super) struct Ids {
    pub(super) issues: Issues,
    /// See [`Ast::positions`](super::Ast::positions).
    pub(super) positions: Vec<Option<u32>>,
    /// The number of nodes that macros have copied so far.
    copied: usize,
    /// The environment whose syntax and macros are used.
    pub(super) environment: Environment,
}

impl Ids {
    pub(super) fn new(issues: Issues, environment: Environment) -> Self {
        Self { issues, positions: vec![None], copied: 0, environment }
    }

    /// The next id, for a node at `offset`.
    pub(super) fn id(&mut self, offset: Option<u32>) -> Result<ExprId> {
        let id = ExprId::try_from(self.positions.len()).map_err(|_| Abort)?;
        self.positions.push(offset);
        Ok(id)
    }

    /// The next id, for the copy of a node.
    pub(super) fn id_of_copy(&mut self, of: ExprId) -> Result<ExprId> {
        self.copied += 1;
        if self.copied > MAX_COPIED_NODES {
            let message =
                format!("macros copy more than {MAX_COPIED_NODES} nodes of the expression");
            self.issues.report(Location::NONE, message);
            return Err(Abort);
        }
        self.id(self.position(of))
    }

    pub(super) fn position(&self, id: ExprId) -> Option<u32> {
        self.positions.get(id as usize).copied().flatten()
    }

    pub(super) fn report(&mut self, at: Option<u32>, message: &str) {
        if at == Some(NOWHERE) {
            return self.issues.report(Location { line: 1, column: -1 }, message);
        }
        self.issues.report_at(at, message);
    }

    /// The placeholder for a missing expression.
    pub(super) fn hole(&mut self, at: u32) -> Result<Expr> {
        Ok(Expr { id: self.id(Some(at))?, kind: ExprKind::Literal(Literal::Null) })
    }

    /// Takes back the id of a macro's call, because the expansion replaces the call.
    pub(super) fn forget(&mut self, id: ExprId) {
        if id as usize + 1 == self.positions.len() {
            self.positions.pop();
        } else if let Some(position) = self.positions.get_mut(id as usize) {
            *position = None;
        }
    }
}

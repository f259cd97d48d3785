//! `x-kubernetes-validations`, evaluated: the rules of a schema over an object, in the server's order
//! and within its budgets.
//!
//! Source: `pkg/apiserver/schema/cel/validation.go`.

mod failure;
mod validate;

pub(crate) use validate::{BUDGET, Outcome, validate};

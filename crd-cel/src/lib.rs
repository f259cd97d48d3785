//! The Common Expression Language as kube-apiserver runs it.
//!
//! Text becomes an [`Ast`](syntax::Ast) ([`syntax`]), the checker gives every node a type and its
//! candidate overloads, the estimator a worst-case cost, the planner a tree of ready operations, and
//! the evaluator a value and the cost that was used.
//! The crate knows values and types. It knows no JSON schemas and no Kubernetes objects.
//!
//! Behaviour follows cel-go 0.26 as Kubernetes 1.36 configures it for CRD validation rules.
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(any(feature = "compile-time", feature = "eval"))]
pub(crate) mod clause;
#[cfg(feature = "compile-time")]
pub mod compile_time;
pub mod escape;
pub mod gofmt;
#[cfg(any(feature = "compile-time", feature = "eval"))]
pub mod lint;
#[cfg(any(feature = "compile-time", feature = "eval"))]
pub(crate) mod parse_float;
pub mod re2;
pub mod syntax;

#[cfg(feature = "eval")]
pub(crate) mod budget;
#[cfg(feature = "eval")]
pub(crate) mod check;
#[cfg(feature = "eval")]
pub mod checked;
#[cfg(feature = "eval")]
pub mod cost;
#[cfg(feature = "eval")]
pub mod decl;
#[cfg(any(feature = "compile-time", feature = "eval"))]
pub mod domain;
#[cfg(feature = "eval")]
pub mod env;
#[cfg_attr(
    not(feature = "eval"),
    expect(dead_code, reason = "the arithmetic is for the evaluator")
)]
pub mod error;
#[cfg(feature = "eval")]
pub mod eval;
#[cfg(feature = "eval")]
pub(crate) mod library;
#[cfg(feature = "eval")]
pub mod plan;
#[cfg_attr(
    not(feature = "eval"),
    expect(dead_code, reason = "the arithmetic is for the evaluator")
)]
pub mod time;
#[cfg(feature = "eval")]
pub mod types;
#[cfg(feature = "eval")]
pub(crate) mod validate;
#[cfg(feature = "eval")]
pub mod value;

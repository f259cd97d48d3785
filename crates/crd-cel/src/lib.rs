//! The Common Expression Language (CEL) as kube-apiserver runs it for validation rules.
//!
//! Results, error texts, estimated costs and run-time costs are those of cel-go, configured as
//! Kubernetes configures it, with the same libraries. [`kubernetes`] lists the versions of
//! Kubernetes, and what differs between them.
//!
#![cfg_attr(feature = "eval", doc = "```")]
#![cfg_attr(not(feature = "eval"), doc = "```ignore")]
//! use crd_cel::{cost, env::Env, plan::Program, types::Type, value::Value};
//!
//! let env = Env::kubernetes().with_variable("replicas", Type::Int, None);
//!
//! // Type-check, with cel-go's error text.
//! let issues = env.compile("replicas > '3'").unwrap_err().to_string();
//! assert!(issues.contains("found no matching overload for '_>_' applied to '(int, string)'"));
//! let checked = env.compile("replicas + 1 > 3").map_err(|issues| issues.to_string())?;
//!
//! // Estimate the cost, as the server does before it accepts a rule.
//! assert_eq!(cost::estimate(&checked, &env).max, 3);
//!
//! // Evaluate, within a budget.
//! let program = Program::plan(&checked, &env).map_err(|error| error.to_string())?;
//! let outcome = program.eval(&[("replicas", Value::Int(3))], 1_000_000);
//! assert!(matches!(outcome.result, Ok(Value::Bool(true))));
//! assert_eq!(outcome.cost, 3);
//! # Ok::<(), String>(())
//! ```
//!
//! An expression passes these stages:
//!
//! | stage | module |
//! |---|---|
//! | text to syntax tree | [`syntax`] |
//! | types and overloads | [`mod@env`], [`checked`] |
//! | worst-case cost | [`cost`] |
//! | tree of operations, ready to evaluate | [`plan`] |
//! | value and used cost | [`eval`], [`value`] |
//!
//! The crate knows no JSON schemas and no Kubernetes objects; `crd-runtime` has those, and most programs use it
//! instead of this crate.
//!
//! # Features
//!
//! | feature | what it adds | default |
//! |---|---|---|
//! | `eval` | type checker, cost estimate and evaluator; without it there is the syntax alone | yes |
//! | `compile-time` | the type checker as `const fn`, for the derives of `crd-runtime` | no |
#![cfg_attr(docsrs, feature(doc_cfg))]

// For the derives, and for the code that they generate.
#[cfg(feature = "compile-time")]
#[doc(hidden)]
pub mod attribute;
// `crd-runtime` encodes and decodes with it, too.
#[doc(hidden)]
pub mod base64;
#[cfg(any(feature = "compile-time", feature = "eval"))]
pub(crate) mod basic;
#[cfg(any(feature = "compile-time", feature = "eval"))]
pub(crate) mod clause;
// For the code that the derives generate.
#[cfg(feature = "compile-time")]
#[doc(hidden)]
pub mod compile_time;
pub mod escape;
pub mod gofmt;
pub mod kubernetes;
#[cfg(any(feature = "compile-time", feature = "eval"))]
pub mod lint;
mod minors;
pub(crate) mod parse_float;
pub mod re2;
#[cfg(feature = "eval")]
pub(crate) mod slice_path;
pub mod syntax;

#[cfg(feature = "eval")]
pub(crate) mod budget;
#[cfg(feature = "eval")]
pub(crate) mod check;
#[cfg(feature = "eval")]
pub mod checked;
#[cfg(feature = "eval")]
mod compile;
#[cfg(feature = "eval")]
pub mod cost;
#[cfg(feature = "eval")]
pub mod decl;
#[cfg(any(feature = "compile-time", feature = "eval"))]
pub mod domain;
#[cfg(feature = "eval")]
pub mod env;
#[cfg_attr(not(feature = "eval"), expect(dead_code, reason = "some errors are for the evaluator"))]
pub mod error;
#[cfg(feature = "eval")]
pub mod eval;
#[cfg(any(feature = "compile-time", feature = "eval"))]
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

#[cfg(any(feature = "compile-time", feature = "eval"))]
pub(crate) mod well_known;

#[cfg(feature = "eval")]
mod shared;
#[cfg(feature = "eval")]
mod steps;

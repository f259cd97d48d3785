//! A second type checker, written as `const fn`: rustc evaluates it while it compiles a rule's type.
//!
//! The derive macro parses a rule and emits it as a [`Program`], postfix code in one byte string, with
//! `const _: () = check(Rule { .. })`. The errors that [`check`](check()) finds become the text of rustc's error:
//! cel-go's text, with its snippet and caret below the line of the rule. The fields of other types, which the macro
//! cannot know, are in constants that their derives emit ([`Declared`]).
//!
//! The typing rules are those of `crate::check`; a test compares the two for generated types and calls of every
//! overload (`checker/calls/same_types.rs`). If a type is unknown ([`Declared::Unknown`]), or a rule exceeds the limits
//! here, no error is reported: `definition::validate` checks every rule completely.
//!
//! `const fn` has no heap, no traits and a slow interpreter. So types are indices into arrays of a fixed size ([`memory`]), and
//! names are resolved to numbers when the program is emitted.

mod advice;
mod arithmetic;
mod attributes;
mod budget;
mod checker;
mod code;
#[cfg(feature = "eval")]
mod compare;
mod declared;
mod estimate;
mod examine;
mod fuel;
mod kinds;
mod literals;
mod memory;
mod message;
mod minors;
mod operator;
mod pieces;
mod program;
mod rule;
mod rules;
mod since;
mod site;
mod sites;
mod size_paths;
#[cfg(all(test, feature = "eval"))]
mod tests;
mod text;
mod trace;
mod types;
mod unify;

use crate::basic;
pub use crate::lint::{Scalar, rule_holds, rule_program};
pub use crate::re2::{matches_program, pattern_program};
pub use budget::{all_typed, costs, within_limit, within_total};
pub use checker::{least_cost, least_cost_on};
pub use declared::{Declared, Field, MaxElements, Object};
pub use examine::{check, check_at, examine, report, report_of, report_within};
pub use pieces::is_in_piece;
pub use program::{Program, uses_old_self};
pub use rule::{CostCheck, ELEMENTS, Examined, Rule, Want};
pub use rules::{Need, Rules};
pub use since::{all_available, available};
pub use text::{Text, distance, equal, is_similar};

//! A second type checker, written as `const fn`: rustc evaluates it while it compiles a rule's type.
//!
//! The derive macro parses a rule and emits it as a [`Program`], postfix code in one byte string, with
//! `const _: () = check(Rule { .. })`. The errors that [`check`](check()) finds become the text of rustc's error:
//! cel-go's text, with its snippet and caret below the line of the rule. The fields of other types, which the macro
//! cannot know, are in constants that their derives emit ([`Declared`]).
//!
//! The typing rules are those of `crate::check`; a test compares the two for generated types and calls of every
//! overload (`checker/calls/same_types.rs`). If a type is unknown ([`Declared::Unknown`]), or a rule exceeds the limits
//! here, no error is reported: `definition::validate` checks every rule completely. Only there are costs estimated.
//!
//! `const fn` has no heap, no traits and a slow interpreter. So types are indices into arrays of a fixed size ([`memory`]), and
//! names are resolved to numbers when the program is emitted.

mod attributes;
mod checker;
mod code;
mod declared;
mod examine;
mod fuel;
mod kinds;
mod literals;
mod memory;
mod message;
mod name;
mod names;
mod origin;
mod outermost;
mod pieces;
mod program;
mod rule;
mod since;
mod site;
mod sites;
#[cfg(all(test, feature = "eval"))]
mod tests;
mod text;
mod types;
mod unify;

use crate::basic;
pub use declared::{Declared, Field, Object};
pub use examine::{check, examine, report, report_of, report_on, report_within};
pub use names::Names;
pub use pieces::is_in_piece;
pub use program::{Program, uses_old_self};
pub use rule::{ELEMENTS, Examined, Rule, Want, rule};
pub use since::{Feature, Needs, all_available, available};
pub use text::{Text, distance, equal, is_similar};

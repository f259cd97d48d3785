//! Generates definitions, objects, rules and patterns. Each choice takes a few bytes of the fuzzer's input, so that
//! every input is a valid case, and changing a byte gives a similar case.

pub mod object;
pub mod pattern;
pub mod rule;
pub mod schema;

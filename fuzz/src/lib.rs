//! Definitions, objects, rules and patterns as typed values: each choice takes a few of the fuzzer's bytes, so that every
//! input is a case, and a changed byte a case nearby.

pub mod object;
pub mod pattern;
pub mod rule;
pub mod schema;

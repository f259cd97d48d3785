//! Rules and patterns that once took too much memory or time, evaluated under a limit of memory.
//!
//! Each case is a text of at most some kilobytes for which an earlier version took gigabytes, or minutes. The
//! limit is on all allocated bytes, freed or not, which also bounds the work; no test measures time.

mod memory;
mod patterns;
mod syntax;
mod types;
mod values;

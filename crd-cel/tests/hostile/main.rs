//! Rules and patterns that ask for more than their share, under a limit of memory.
//!
//! Each case is a text of at most some kilobytes for which an earlier version took gigabytes, or minutes. What
//! is allocated is counted, freed or not, so that it also bounds the work; nothing here measures time.

mod memory;
mod patterns;
mod syntax;
mod types;
mod values;

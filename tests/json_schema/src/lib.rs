//! A package of tests: see `tests/agreement.rs`.

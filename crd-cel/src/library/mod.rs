//! The function libraries: one file a library, each with its declarations, static cost, evaluation
//! and run-time cost.

//! The typed client against a server in the same process, and against connections that fail.

mod calls;
mod double;
mod select;

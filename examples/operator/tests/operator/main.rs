//! Tests the operator with an in-process API server, in paused time.

mod admission;
mod faults;
mod interruptions;
mod life;
mod roles;

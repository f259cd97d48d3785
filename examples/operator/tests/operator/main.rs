//! The operator against an API server in the process, in paused time.

mod admission;
mod faults;
mod interruptions;
mod life;
mod roles;

//! The API server in the process: as kube's client and runtime meet it, and as raw requests do.

mod admission;
mod ask;
mod authorization;
mod built_in_kinds;
mod conversion;
mod defaults;
mod definitions;
mod discovery;
mod faults;
mod garbage;
mod interruptions;
mod listening;
mod lists;
mod minors;
mod objects;
mod patches;
mod recordings;
mod runtime;
mod scales;
mod versions;
mod watches;
mod workloads;

//! The API server that runs in the process of a test, used by kube's client and runtime and by raw requests.

mod admission;
mod ask;
mod authorization;
mod built_in_kinds;
mod built_in_writes;
mod conversion;
mod defaults;
mod definitions;
mod discovery;
mod election;
mod faults;
mod garbage;
mod interruptions;
mod listening;
mod lists;
mod minors;
mod objects;
mod patches;
mod pods;
mod protobuf;
mod recordings;
mod runtime;
mod scales;
mod versions;
mod watches;
mod workloads;

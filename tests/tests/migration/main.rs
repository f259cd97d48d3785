//! kube's `crd_derive*` examples after they have moved: `docs/migrating-from-kube.md` shows the way.
//!
//! What kube's examples assert of a cluster is asserted here of the admission engine.

mod derive;
mod multi;
mod rules;
mod schema;

//! The policies that have been compiled.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use crd_cel::kubernetes::KubernetesVersion;

use super::Policy;
use crate::store::StoredObject;

/// A policy with the revision and the version of Kubernetes from which it was compiled.
type Compiled = (u64, KubernetesVersion, Arc<Policy>);

/// The policies that have been compiled, by their resources and names.
///
/// PERF: a policy is compiled once for each revision, not for each write.
#[derive(Debug, Default)]
pub(in super::super) struct PolicyCache(Mutex<BTreeMap<(&'static str, String), Compiled>>);

impl PolicyCache {
    /// Returns a stored policy with its compiled expressions.
    pub(in super::super) fn get(
        &self,
        (resource, name): (&'static str, &str),
        stored: &StoredObject,
        kubernetes: KubernetesVersion,
    ) -> Arc<Policy> {
        let mut policies = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((revision, version, policy)) = policies.get(&(resource, name.to_owned()))
            && (*revision, *version) == (stored.revision, kubernetes)
        {
            return Arc::clone(policy);
        }
        let policy = Arc::new(Policy::of(&stored.object(), kubernetes));
        let compiled = (stored.revision, kubernetes, Arc::clone(&policy));
        policies.insert((resource, name.to_owned()), compiled);
        policy
    }
}

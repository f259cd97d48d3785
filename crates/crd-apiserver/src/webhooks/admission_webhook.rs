//! The admission webhooks of a configuration.

use std::sync::Arc;
use std::time::Duration;

use crd_cel::kubernetes::{Environment, KubernetesVersion};
use crd_engine::match_condition::Wanted;
use crd_engine::policy::{Composer, Expression};
use serde_json::Value;

use crate::fields;

/// A single webhook of a configuration.
#[derive(Debug)]
pub(in super::super) struct AdmissionWebhook {
    pub(in super::super) value: Value,
    /// The compiled match conditions.
    pub(in super::super) conditions: Vec<Expression>,
}

impl AdmissionWebhook {
    /// Returns the webhooks of a configuration, with their compiled match conditions.
    pub(in super::super) fn all_of(
        configuration: &Value,
        kubernetes: KubernetesVersion,
    ) -> Vec<Arc<Self>> {
        let composer = Composer::new(Environment::stored(kubernetes), false, false);
        let compile = |condition: &Value| {
            composer.compile(fields::text(condition, "expression"), Wanted::Bool, true)
        };
        let webhooks = fields::list(configuration, "webhooks").map(|value| {
            let conditions = fields::list(value, "matchConditions").map(compile).collect();
            Arc::new(Self { value: value.clone(), conditions })
        });
        webhooks.collect()
    }

    pub(in super::super) fn text(&self, key: &str) -> &str {
        fields::text(&self.value, key)
    }

    pub(in super::super) fn name(&self) -> &str {
        self.text("name")
    }

    /// Returns whether the webhook is ignored if it cannot be called.
    pub(in super::super) fn fails_open(&self) -> bool {
        self.text("failurePolicy") == "Ignore"
    }

    /// Returns the time that the webhook may take to answer. The default is 10 s.
    pub(in super::super) fn timeout(&self) -> Duration {
        let seconds = self.value.get("timeoutSeconds").and_then(Value::as_u64).unwrap_or(10);
        Duration::from_secs(seconds)
    }
}

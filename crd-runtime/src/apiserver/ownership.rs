//! Whose fields are whose, on each write.

use std::sync::Arc;

use serde_json::Value;

use super::core::{Call, Core};
use super::failure::{Answer, Failure};
use super::kind::Kind;
use super::strategy::Part;
use crate::managed_fields::Conflict;
use crate::managed_fields::track::{Refusal, Tracker};
use crate::model::JsonSchemaProps;

impl Core {
    /// Writes into `new` whose fields are whose.
    pub(super) fn track(
        &self,
        call: &Call<'_>,
        live: Option<&Value>,
        new: &mut Value,
        manager: &str,
    ) {
        self.track_as(&call.kind, call.part, live, new, manager);
    }

    /// As [`Core::track`], of a write that no request has asked for.
    pub(super) fn track_as(
        &self,
        kind: &Kind,
        part: Part,
        live: Option<&Value>,
        new: &mut Value,
        manager: &str,
    ) {
        self.with_tracker(kind, part, |tracker| tracker.update(live, new, manager));
    }

    /// What comes of an apply, before defaults.
    ///
    /// # Errors
    /// Status 409 where fields belong to others, 500 where the configuration is no value of the schema.
    pub(super) fn apply(
        &self,
        call: &Call<'_>,
        live: Option<&Value>,
        config: &Value,
        manager: &str,
        force: bool,
    ) -> Answer<Value> {
        let applied = self.with_tracker(&call.kind, call.part, |tracker| {
            tracker.apply(live, config, manager, force)
        });
        applied.map_err(|refusal| match refusal {
            Refusal::Unreadable => Failure::bare("failed to decode managed fields"),
            Refusal::Untyped(problems) => {
                let text = |key: &str| {
                    let metadata = config.get("metadata");
                    let text = metadata.and_then(|metadata| metadata.get(key)?.as_str());
                    text.unwrap_or_default().to_owned()
                };
                let problems = match problems.as_slice() {
                    [only] => only.clone(),
                    many => format!("errors:\n  {}", many.join("\n  ")),
                };
                Failure::bare(format!(
                    "failed to create typed patch object ({}/{}; {}, Kind={}): {problems}",
                    text("namespace"),
                    text("name"),
                    call.kind.api_version(),
                    call.kind.names.kind
                ))
            }
            Refusal::Conflicts(conflicts) => {
                let causes =
                    conflicts.iter().map(|conflict| (conflict.text(), conflict.field.clone()));
                Failure::apply_conflict(Conflict::message(&conflicts), causes.collect())
            }
        })
    }

    fn with_tracker<T>(&self, kind: &Kind, part: Part, run: impl FnOnce(&Tracker<'_>) -> T) -> T {
        let (schema, version, now) = (kind.schema(), kind.api_version(), self.clock.text());
        let in_version = |object: &Value, to: &str| -> Option<(Value, Arc<JsonSchemaProps>)> {
            let other = self
                .catalog
                .all()
                .find(|other| other.storage == kind.storage && other.api_version() == to)?;
            Some((kind.convert(object.clone(), to).ok()?, other.schema()))
        };
        run(&Tracker {
            schema: &schema,
            kubernetes: self.kubernetes,
            api_version: &version,
            subresource: match part {
                Part::Object => "",
                Part::Status => "status",
                Part::Scale => "scale",
            },
            reset: kind.reset_fields(part),
            now: &now,
            in_version: &in_version,
        })
    }
}

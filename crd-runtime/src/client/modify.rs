//! Read, change, write: keeping what the Rust type does not know, and repeated where another was faster.

use std::time::Duration;

use kube::api::PostParams;
use serde_json::Value;

use super::api::{Api, Kind, found, name_of};
use super::error::{Asked, Error, Fault};
use super::{merge, preflight, transport};
use crate::admit;
use crate::compiled::CompiledSchema;

/// How often a change is tried where others change the same object meanwhile.
pub const MAX_ATTEMPTS: u32 = 6;

/// How long to pause before the second attempt; each further pause is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(10);

/// What became of a write.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Written<K> {
    /// The object as it is now.
    pub object: K,
    /// What was done.
    pub outcome: Outcome,
    /// The fields of the object that the Rust type does not know, such as `spec.ports[0].note`. They were
    /// kept.
    pub unknown: Vec<String>,
}

/// What was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// There was no such object.
    Created,
    /// The object was changed.
    Updated,
    /// Nothing was to be changed, and nothing was written.
    Unchanged,
}

/// Which part of an object a write is for.
#[derive(Debug, Clone, Copy)]
pub(super) enum Part {
    /// All but the status.
    Main,
    /// The status.
    Status,
}

impl Part {
    const fn verb(self) -> &'static str {
        match self {
            Self::Main => "replace",
            Self::Status => "replace status",
        }
    }
}

impl<K: Kind> Api<K> {
    /// Replaces an object that was read before, as its resource version says.
    ///
    /// Fields of the stored object that the Rust type does not know are kept: the object is read once more,
    /// as JSON, and what changed is laid over it.
    /// [`kube::Api::replace`], by [`Api::kube`], drops them.
    ///
    /// # Errors
    /// [`Error::is_conflict`] where it has changed since it was read, [`Error::is_invalid`],
    /// [`Fault::Dropped`] where a list changed so that nothing tells which of its elements unknown fields
    /// belong to, and all that a call can meet.
    pub async fn replace(&self, name: &str, params: &PostParams, object: &K) -> Result<K, Error> {
        self.replace_part(Part::Main, name, params, object, None).await
    }

    /// Reads an object, changes it, and writes it; anew where others have changed it meanwhile, at most
    /// [`MAX_ATTEMPTS`] times.
    ///
    /// Fields that the Rust type does not know are kept, and told. Where `change` changes nothing, nothing is
    /// written.
    ///
    /// # Errors
    /// [`Error::is_not_found`], [`Error::is_conflict`] after the last attempt, [`Error::is_invalid`],
    /// [`Fault::Dropped`], and all that a call can meet.
    pub async fn modify(
        &self,
        name: &str,
        params: &PostParams,
        change: impl FnMut(&mut K),
    ) -> Result<Written<K>, Error> {
        self.modify_part(Part::Main, name, params, change, None).await
    }

    /// Creates `object`, or changes the one of its name that is there. `change` runs in both cases.
    ///
    /// # Errors
    /// [`Error::is_conflict`] or [`Error::is_already_exists`] after the last of [`MAX_ATTEMPTS`] attempts,
    /// and those of [`Api::create`] and [`Api::modify`].
    pub async fn create_or_update(
        &self,
        params: &PostParams,
        object: &K,
        change: impl FnMut(&mut K),
    ) -> Result<Written<K>, Error> {
        self.ensure(params, object, change, None).await
    }

    pub(super) async fn ensure(
        &self,
        params: &PostParams,
        object: &K,
        mut change: impl FnMut(&mut K),
        schema: Option<&CompiledSchema>,
    ) -> Result<Written<K>, Error> {
        let name = name_of(object);
        let mut attempt = 1;
        loop {
            let part = Part::Main;
            let there = self.modify_part(part, &name, params, &mut change, schema).await;
            if let Some(written) = found(there)? {
                return Ok(written);
            }
            let mut new = object.clone();
            change(&mut new);
            if let Some(schema) = schema {
                preflight::create(self, schema, &new)?;
            }
            match self.create(params, &new).await {
                // Another was faster: there is something to change now.
                Err(error) if error.is_already_exists() && attempt < MAX_ATTEMPTS => {
                    pause(attempt).await;
                    attempt += 1;
                }
                Err(error) => return Err(error),
                Ok(object) => {
                    let outcome = Outcome::Created;
                    return Ok(Written { object, outcome, unknown: Vec::new() });
                }
            }
        }
    }

    pub(super) async fn modify_part(
        &self,
        part: Part,
        name: &str,
        params: &PostParams,
        mut change: impl FnMut(&mut K),
        check: Option<&CompiledSchema>,
    ) -> Result<Written<K>, Error> {
        let asked = self.asked(part.verb()).name(name);
        let schema = preflight::schema_of::<K>().map_err(|error| asked.fault(error))?;
        let mut attempt = 1;
        loop {
            let raw = self.get_raw(name).await?;
            let mut object: K = transport::fit(&asked, &raw)?;
            let before = to_json(&asked, &object)?;
            change(&mut object);
            let after = to_json(&asked, &object)?;
            let unknown = merge::unknown(&schema, &raw, &before);
            if before == after {
                return Ok(Written { object, outcome: Outcome::Unchanged, unknown });
            }
            match self.put(part, &asked, params, raw, &before, &after, check).await {
                Err(error) if error.is_conflict() && attempt < MAX_ATTEMPTS => {
                    pause(attempt).await;
                    attempt += 1;
                }
                Err(error) => return Err(error),
                Ok(object) => return Ok(Written { object, outcome: Outcome::Updated, unknown }),
            }
        }
    }

    pub(super) async fn replace_part(
        &self,
        part: Part,
        name: &str,
        params: &PostParams,
        object: &K,
        check: Option<&CompiledSchema>,
    ) -> Result<K, Error> {
        let asked = self.asked(part.verb()).name(name);
        let after = to_json(&asked, object)?;
        let raw = self.get_raw(name).await?;
        let version = raw.pointer("/metadata/resourceVersion").and_then(Value::as_str);
        if version.is_none() || object.meta().resource_version.as_deref() != version {
            // Not what is stored: the server says so in its own words.
            return self.put_raw(part, &asked, params, &after).await;
        }
        let stored: K = transport::fit(&asked, &raw)?;
        let before = to_json(&asked, &stored)?;
        self.put(part, &asked, params, raw, &before, &after, check).await
    }

    #[expect(clippy::too_many_arguments, reason = "the steps of one write, private")]
    async fn put(
        &self,
        part: Part,
        asked: &Asked,
        params: &PostParams,
        raw: Value,
        before: &Value,
        after: &Value,
        check: Option<&CompiledSchema>,
    ) -> Result<K, Error> {
        let schema = preflight::schema_of::<K>().map_err(|error| asked.fault(error))?;
        let stored = check.map(|_| raw.clone());
        let merged = merge::overlay(&schema, raw, before, after);
        if !merged.dropped.is_empty() {
            return Err(asked.fault(Fault::Dropped { fields: merged.dropped }));
        }
        if let (Some(schema), Some(stored)) = (check, stored) {
            let object = merged.object.clone();
            let admitted = match part {
                Part::Main => admit::update(schema, object, &stored),
                Part::Status => admit::update_status(schema, object, &stored),
            };
            let name = asked.name.as_deref().unwrap_or_default();
            admitted.map_err(|rejection| asked.fault(Fault::refused(schema, name, rejection)))?;
        }
        self.put_raw(part, asked, params, &merged.object).await
    }

    async fn put_raw(
        &self,
        part: Part,
        asked: &Asked,
        params: &PostParams,
        object: &Value,
    ) -> Result<K, Error> {
        let name = asked.name.as_deref().unwrap_or_default();
        let body = super::api::to_vec(asked, object)?;
        let request = match part {
            Part::Main => self.request().replace(name, params, body),
            Part::Status => self.request().replace_subresource("status", name, params, body),
        };
        transport::object(self.client(), asked, request).await
    }
}

async fn pause(attempt: u32) {
    tokio::time::sleep(FIRST_PAUSE * 2_u32.pow(attempt.min(MAX_ATTEMPTS) - 1)).await;
}

/// The object as JSON, with `apiVersion` and `kind`, which a struct that is the root itself need not write.
pub(super) fn to_json<K: Kind>(asked: &Asked, object: &K) -> Result<Value, Error> {
    let mut value =
        serde_json::to_value(object).map_err(|error| asked.fault(Fault::request(error)))?;
    if let Value::Object(map) = &mut value {
        for (key, text) in
            [("apiVersion", K::API_VERSION), ("kind", <K as crate::CustomResource>::KIND)]
        {
            map.entry(key).or_insert_with(|| text.into());
        }
    }
    Ok(value)
}

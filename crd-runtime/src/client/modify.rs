//! Read, change, write: keeps fields that the Rust type does not have, and retries after a conflict.

use std::sync::Arc;
use std::time::Duration;

use kube::api::PostParams;
use serde_json::Value;

use super::api::Api;
use super::backoff::Backoff;
use super::error::{Error, ErrorKind, RequestContext};
use super::kind::{Kind, name_of, schema_of, to_json, to_vec};
use super::transport::{self, found};
use super::{merge, preflight};
use crate::admit;
use crate::compiled::CompiledSchema;

/// The maximum number of attempts at a change while others change the same object.
pub const MAX_ATTEMPTS: u32 = 6;

/// The pause before the second attempt.
const FIRST_PAUSE: Duration = Duration::from_millis(10);
/// The longest pause between two attempts.
const MAX_PAUSE: Duration = Duration::from_secs(1);

/// The result of a write.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct WriteResult<K> {
    /// The object as it is now.
    pub object: K,
    /// The effect of the call.
    pub outcome: Outcome,
    /// The fields of the object that the Rust type does not have, such as `spec.ports[0].note`. They were kept.
    pub unknown: Vec<String>,
}

/// The effect of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// It created the object.
    Created,
    /// It changed the object.
    Updated,
    /// The object needed no change, and nothing was written.
    Unchanged,
}

/// The part of an object that a write changes.
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
    /// Replaces an object that was read before. The server accepts it only if the stored object still has its resource
    /// version.
    ///
    /// Fields of the stored object that the Rust type does not have are kept: the object is read again, as JSON, and
    /// only the changes are written over it.
    /// [`kube::Api::replace`], which [`Api::kube`] gives access to, drops them.
    ///
    /// # Errors
    /// [`Error::is_conflict`] if it has changed since it was read, [`Error::is_invalid`],
    /// [`ErrorKind::Dropped`] if a list changed so much that unknown fields cannot be matched to its elements, and the
    /// errors of any call.
    pub async fn replace(&self, name: &str, params: &PostParams, object: &K) -> Result<K, Error> {
        self.write(Part::Main, name, params).replace(object).await
    }

    /// Reads an object, changes it, and writes it. If somebody else changes it meanwhile, it starts again, up to
    /// [`MAX_ATTEMPTS`] attempts in all.
    ///
    /// Fields that the Rust type does not have are kept; [`WriteResult::unknown`] lists them. If `change` changes
    /// nothing, nothing is written.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// use crd_runtime::client::{Api, Error, Outcome};
    /// use kube::api::PostParams;
    /// # use crd_runtime::CustomResource;
    /// # use serde::{Deserialize, Serialize};
    /// # #[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
    /// # #[crd(group = "example.com", version = "v1", kind = "Shirt", namespaced)]
    /// # struct ShirtSpec { color: String }
    ///
    /// async fn paint(shirts: &Api<Shirt>) -> Result<(), Error> {
    ///     let params = PostParams::default();
    ///     let written = shirts.modify("mine", &params, |shirt| shirt.spec.color = "blue".to_owned()).await?;
    ///     if written.outcome == Outcome::Unchanged {
    ///         println!("{} was blue already", written.object.spec.color);
    ///     }
    ///     Ok(())
    /// }
    /// ```
    ///
    /// # Errors
    /// [`Error::is_not_found`], [`Error::is_conflict`] after the last attempt, [`Error::is_invalid`],
    /// [`ErrorKind::Dropped`], and the errors of any call.
    pub async fn modify(
        &self,
        name: &str,
        params: &PostParams,
        change: impl FnMut(&mut K),
    ) -> Result<WriteResult<K>, Error> {
        self.write(Part::Main, name, params).modify(change).await
    }

    /// Creates `object`, or changes the existing object of the same name. `change` runs in both cases.
    ///
    /// # Errors
    /// [`Error::is_conflict`] or [`Error::is_already_exists`] after the last of [`MAX_ATTEMPTS`] attempts,
    /// and those of [`Api::create`] and [`Api::modify`].
    pub async fn create_or_update(
        &self,
        params: &PostParams,
        object: &K,
        change: impl FnMut(&mut K),
    ) -> Result<WriteResult<K>, Error> {
        self.write(Part::Main, &name_of(object), params).ensure(object, change).await
    }

    pub(super) fn write<'a>(
        &'a self,
        part: Part,
        name: &'a str,
        params: &'a PostParams,
    ) -> PartWrite<'a, K> {
        PartWrite { api: self, part, name, params, check: false }
    }
}

/// A write of one part of an object.
pub(super) struct PartWrite<'a, K> {
    api: &'a Api<K>,
    part: Part,
    name: &'a str,
    params: &'a PostParams,
    /// Whether it is validated before it is sent.
    check: bool,
}

/// An object that was read.
struct Read<K> {
    /// The object as the server returned it.
    raw: Value,
    object: K,
    /// The object as the Rust type serializes it, before the change.
    before: Value,
}

impl<K: Kind> PartWrite<'_, K> {
    /// Validates the object before it is sent.
    pub(super) fn checked(self) -> Self {
        Self { check: true, ..self }
    }

    /// Writes `object` in place of the stored one.
    pub(super) async fn replace(&self, object: &K) -> Result<K, Error> {
        let after = to_json(&self.context(), object)?;
        let raw = self.api.get_raw(self.name).await?;
        let version = raw.pointer("/metadata/resourceVersion").and_then(Value::as_str);
        if version.is_none() || object.meta().resource_version.as_deref() != version {
            // Another resource version is stored, or `object` has none: the write is sent, and the server answers with
            // the error.
            return self.send(&after).await;
        }
        let read = self.read(raw)?;
        self.put(&read, &after).await
    }

    /// Reads the stored object, changes it and writes it.
    pub(super) async fn modify(
        &self,
        mut change: impl FnMut(&mut K),
    ) -> Result<WriteResult<K>, Error> {
        let schema = self.schema()?;
        let mut attempts = Attempts::default();
        loop {
            let mut read = self.read(self.api.get_raw(self.name).await?)?;
            change(&mut read.object);
            let after = to_json(&self.context(), &read.object)?;
            let unknown = merge::unknown(&schema, &read.raw, &read.before);
            if read.before == after {
                let (object, outcome) = (read.object, Outcome::Unchanged);
                return Ok(WriteResult { object, outcome, unknown });
            }
            match self.put(&read, &after).await {
                Err(error) => attempts.pause_after(error, Error::is_conflict).await?,
                Ok(object) => {
                    return Ok(WriteResult { object, outcome: Outcome::Updated, unknown });
                }
            }
        }
    }

    /// Changes the stored object, or creates `object` with the change.
    pub(super) async fn ensure(
        &self,
        object: &K,
        mut change: impl FnMut(&mut K),
    ) -> Result<WriteResult<K>, Error> {
        let mut attempts = Attempts::default();
        loop {
            if let Some(written) = found(self.modify(&mut change).await)? {
                return Ok(written);
            }
            let mut new = object.clone();
            change(&mut new);
            if self.check {
                let schema = self.schema()?;
                preflight::create(self.api, &schema, &new)?;
            }
            match self.api.create(self.params, &new).await {
                // Somebody else has created it meanwhile, so it can be changed now.
                Err(error) => attempts.pause_after(error, Error::is_already_exists).await?,
                Ok(object) => {
                    let outcome = Outcome::Created;
                    return Ok(WriteResult { object, outcome, unknown: Vec::new() });
                }
            }
        }
    }

    fn context(&self) -> RequestContext {
        self.api.context(self.part.verb()).name(self.name)
    }

    fn schema(&self) -> Result<Arc<CompiledSchema>, Error> {
        schema_of::<K>(self.api.kubernetes()).map_err(|kind| self.context().error(kind))
    }

    fn read(&self, raw: Value) -> Result<Read<K>, Error> {
        let context = self.context();
        let object: K = transport::deserialize(&context, &raw)?;
        let before = to_json(&context, &object)?;
        Ok(Read { raw, object, before })
    }

    /// Writes the object as it was read, with the changes applied.
    async fn put(&self, read: &Read<K>, after: &Value) -> Result<K, Error> {
        let (schema, context) = (self.schema()?, self.context());
        let merged = merge::overlay(&schema, read.raw.clone(), &read.before, after);
        if !merged.dropped.is_empty() {
            return Err(context.error(ErrorKind::Dropped { fields: merged.dropped }));
        }
        if self.check {
            let object = merged.object.clone();
            let admitted = match self.part {
                Part::Main => admit::update(&schema, object, &read.raw),
                Part::Status => admit::update_status(&schema, object, &read.raw),
            };
            admitted.map_err(|rejection| {
                context.error(ErrorKind::rejected(&schema, self.name, rejection))
            })?;
        }
        self.send(&merged.object).await
    }

    async fn send(&self, object: &Value) -> Result<K, Error> {
        let context = self.context();
        let body = to_vec(&context, object)?;
        let request = self.api.request();
        let request = match self.part {
            Part::Main => request.replace(self.name, self.params, body),
            Part::Status => request.replace_subresource("status", self.name, self.params, body),
        };
        transport::object(self.api.client(), &context, request).await
    }
}

/// The attempts of one write, which is repeated if another writer comes first.
#[derive(Debug)]
struct Attempts {
    made: u32,
    backoff: Backoff,
}

impl Default for Attempts {
    fn default() -> Self {
        Self { made: 0, backoff: Backoff::new(FIRST_PAUSE, MAX_PAUSE) }
    }
}

impl Attempts {
    /// Pauses before the next attempt. Returns `error` after the last attempt, or if `is_race` is false for it: another
    /// attempt helps only if another writer has caused the error.
    async fn pause_after(
        &mut self,
        error: Error,
        is_race: fn(&Error) -> bool,
    ) -> Result<(), Error> {
        self.made += 1;
        if self.made >= MAX_ATTEMPTS || !is_race(&error) {
            return Err(error);
        }
        self.backoff.pause(None).await;
        Ok(())
    }
}

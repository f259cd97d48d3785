//! Creation of objects.
//!
//! Source: `k8s.io/apiserver/pkg/endpoints/handlers/create.go` and `Store.Create` of
//! `pkg/registry/generic/registry/store.go`.

use http::{StatusCode, header};
use serde_json::Value;

use super::admission::{self, AdmissionOperation};
use super::call::Call;
use super::core::{Core, commit};
use super::decoding::RequestBody;
use super::failure::{Answer, Failure};
use super::query::{OptionsOf, WriteOptions};
use super::reply::Reply;
use super::store::Content;
use super::{authorization, media, metadata, namespaces, ownership, portions, priority};

/// The maximum number of attempts to generate a name that is not in use. Source: `maxNameGenerationCreateAttempts`.
const MAX_ATTEMPTS: usize = 8;

pub(super) fn create(core: &mut Core, call: &mut Call<'_>) -> Answer<Reply> {
    let accepted = call.accepted()?;
    let format = media::body_format(call.header(header::CONTENT_TYPE))?;
    let body = RequestBody::read(
        call.request.body(),
        format,
        call.kind.expected(),
        core.catalog.kubernetes,
    )?;
    let options = WriteOptions::parse(&call.query, OptionsOf::Create)?;
    call.dry_run = options.dry_run;
    let mut object =
        call.kind.decode(&body, options.validation, core.catalog.kubernetes, call.warnings)?;
    metadata::wipe(&mut object);
    let namespace = call.namespace().to_owned();
    metadata::match_namespace(&mut object, &namespace)?;
    call.warnings.extend(metadata::dedup_owners(&mut object));
    let manager = call.manager(&options.manager);
    ownership::track(core, call, None, &mut object, &manager);
    let name = metadata::text(&object, "name").to_owned();
    let kind = call.kind.clone();
    namespaces::check(&core.store, core.catalog.kubernetes, &kind, &namespace, &object, true)?;
    if core.catalog.rejects_creation(&kind.group, &kind.names.plural) {
        let why = "create not allowed while custom resource definition is terminating";
        return Err(Failure::forbidden(kind.resource(), &name, why));
    }
    let object = admission::mutate(core, call, AdmissionOperation::Create, object, None)?;
    let generates = name.is_empty() && !metadata::text(&object, "generateName").is_empty();
    let attempts = if generates { MAX_ATTEMPTS } else { 1 };
    for _ in 1..attempts {
        match store_new(core, call, object.clone()) {
            Err(failure) if failure.reason == "AlreadyExists" => {}
            other => return Ok(Reply::object(StatusCode::CREATED, call, accepted, other?)),
        }
    }
    let object = store_new(core, call, object)?;
    Ok(Reply::object(StatusCode::CREATED, call, accepted, object))
}

/// Completes, validates and stores a new object.
pub(super) fn store_new(
    core: &mut Core,
    call: &mut Call<'_>,
    mut object: Value,
) -> Answer<Content> {
    let kind = call.kind.clone();
    authorization::check_escalation(core, call, &object, None)?;
    let (now, uid) = (core.clock.text(), core.ids.uid());
    metadata::fill(&mut object, &now, &uid);
    let base = metadata::text(&object, "generateName").to_owned();
    if !base.is_empty() && metadata::text(&object, "name").is_empty() {
        let name = core.ids.name(&base);
        metadata::set_text(&mut object, "name", &name);
    }
    priority::set(&core.store, &kind, &mut object)?;
    portions::set_requestor(&kind, &mut object, &call.user);
    let object = kind.create(object, core.catalog.kubernetes, call.warnings)?;
    admission::validate(core, call, AdmissionOperation::Create, &object, None)?;
    let mut object = admission::pruned(core, call, object)?;
    let name = metadata::text(&object, "name").to_owned();
    let key = kind.key(metadata::text(&object, "namespace"), &name);
    let version = metadata::text(&object, "resourceVersion");
    // Upstream: both come from the storage, which a dry run does not reach. An update that creates an object drops its
    // version.
    if !call.dry_run && !version.is_empty() {
        if call.path.name.is_empty() || version.parse::<u64>().is_err() {
            return Err(Failure::bare(
                "resourceVersion should not be set on objects to be created",
            ));
        }
        metadata::of_mut(&mut object).remove("resourceVersion");
    }
    // Upstream: the object is encoded before the storage finds that there is one of this name, except in a dry run.
    let new = if call.dry_run { object } else { kind.to_stored(object)? };
    if let Some(there) = core.store.get(&kind.storage, &key) {
        let mut failure = if base.is_empty() {
            Failure::already_exists(kind.resource(), &name)
        } else {
            Failure::generated_name_exists(kind.resource(), &name)
        };
        if there.is_deleting() {
            failure.message = format!("object is being deleted: {}", failure.message);
        }
        return Err(failure);
    }
    if call.dry_run {
        return kind.dry_run(new).map(Content::from);
    }
    commit(core, &kind, &key, new)
}

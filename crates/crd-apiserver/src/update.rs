//! Replaces stored objects.
//!
//! Source: `k8s.io/apiserver/pkg/endpoints/handlers/update.go` and `Store.Update` of
//! `pkg/registry/generic/registry/store.go`.

use std::sync::Arc;

use http::{Request, StatusCode, header};
use serde_json::Value;

use super::admission::{self, AdmissionOperation};
use super::call::Call;
use super::core::{Core, commit};
use super::decoding::{ExpectedKind, RequestBody};
use super::failure::{Answer, Failure, GroupResource};
use super::kind::{ServedKind, Strategy, storage_key};
use super::query::{OptionsOf, Query, WriteOptions, parse_uint};
use super::reply::Reply;
use super::store::{Content, StoredObject};
use super::strategy::is_taken_for_list;
use super::target::{Part, ResourcePath};
use super::user::User;
use super::work::ObjectKey;
use super::{
    authorization, create, decoding, media, metadata, namespaces, ownership, portions, scale,
    undecodable,
};
use crate::differences::Difference;
use crate::field::{Error, ErrorList, Path};
use crate::json;

/// The message of a conflict with another write. Source: `OptimisticLockErrorMsg`.
pub(super) const MODIFIED: &str =
    "the object has been modified; please apply your changes to the latest version and try again";

/// The field manager of the controllers of a cluster.
pub(super) const CONTROLLER_MANAGER: &str = "kube-controller-manager";

/// Computes the new object from the stored one, if there is one.
pub(super) type ComputeObject<'a> =
    &'a mut dyn FnMut(&mut Core, &mut Call<'_>, Option<&Value>) -> Answer<Value>;

/// The parameters of a replacement.
pub(super) struct Replacement<'a> {
    /// Computes the new object from the stored one.
    pub(super) change: ComputeObject<'a>,
    /// Whether the object is created if it does not exist; otherwise the request gets status 404.
    pub(super) creates: bool,
    /// The UID that the stored object must have; `None` if it may have any.
    pub(super) uid: Option<&'a str>,
}

pub(super) fn replace(core: &mut Core, call: &mut Call<'_>) -> Answer<Reply> {
    let accepted = call.accepted()?;
    let options = WriteOptions::parse(&call.query, OptionsOf::Update)?;
    call.dry_run = options.dry_run;
    let format = media::body_format(call.header(header::CONTENT_TYPE))?;
    let expected = match call.part {
        Part::Scale => ExpectedKind { group: "autoscaling", version: "v1", kind: "Scale" },
        _ => call.kind.expected(),
    };
    let body = RequestBody::read(call.request.body(), format, expected, core.catalog.kubernetes)?;
    let mut object = match call.part {
        Part::Scale => {
            decoding::decode_scale(&call.kind, &body, options.validation, call.warnings)?
        }
        _ => call.kind.decode(&body, options.validation, core.catalog.kubernetes, call.warnings)?,
    };
    if matches!(call.kind.strategy, Strategy::Custom { .. }) && is_taken_for_list(&object) {
        return Err(Failure::bad_request(format!(
            "the API version in the data (v1) does not match the expected API version ({})",
            call.kind.api_version()
        )));
    }
    metadata::match_namespace(&mut object, call.namespace())?;
    metadata::check_name(&object, &call.path.name)?;
    call.warnings.extend(metadata::dedup_owners(&mut object));
    let manager = call.manager(&options.manager);
    let uid = metadata::text(&object, "uid").to_owned();
    let creates = match &call.kind.strategy {
        Strategy::BuiltIn(built_in) => {
            built_in.traits.create_on_update && call.part == Part::Object
        }
        _ => false,
    };
    let mut change = |core: &mut Core, call: &mut Call<'_>, live: Option<&Value>| {
        let mut object = match (call.part, live) {
            (Part::Scale, Some(live)) => {
                let object =
                    admission::mutate_scale(core, call, object.clone(), live, Some(&manager))?;
                scale::put(&call.kind, &object, live)?
            }
            _ => object.clone(),
        };
        ownership::track(core, call, live, &mut object, &manager);
        Ok(object)
    };
    let replacing = Replacement {
        change: &mut change,
        creates,
        uid: Some(uid.as_str()).filter(|uid| !uid.is_empty()),
    };
    let (object, created) = replace_object(core, call, replacing)?;
    let code = if created { StatusCode::CREATED } else { StatusCode::OK };
    answer_write(call, accepted, code, object)
}

/// Changes a stored object as `controller`, a service account of `kube-system`. Admission and validation are those of
/// an update by a client. An object that does not exist, or whose kind is not served, is left as it is.
///
/// # Errors
/// Returns the failure of the update, or an error if webhooks have yet to be called.
pub(super) fn change_as(
    core: &mut Core,
    controller: &str,
    key: &ObjectKey,
    part: Part,
    change: &dyn Fn(&mut Value),
) -> Answer<()> {
    let user = User::service_account("kube-system", controller);
    change_by(core, user, CONTROLLER_MANAGER, key, part, change)
}

/// Changes a stored object as a user, as [`change_as`] does.
///
/// # Errors
/// As [`change_as`].
pub(super) fn change_by(
    core: &mut Core,
    user: User,
    manager: &str,
    (resource, key): &ObjectKey,
    part: Part,
    change: &dyn Fn(&mut Value),
) -> Answer<()> {
    let found = core.catalog.stored_as(resource).cloned();
    let Some(kind) = found.filter(|_| core.store.get(resource, key).is_some()) else {
        return Ok(());
    };
    let (namespace, name) = key.split_once('/').unwrap_or(("", key));
    let namespace = if **resource == *namespaces::RESOURCE { name } else { namespace };
    let path = ResourcePath {
        group: kind.group.clone(),
        version: kind.version.clone(),
        namespace: namespace.to_owned(),
        resource: kind.names.plural.clone(),
        name: name.to_owned(),
        subresource: part.subresource().to_owned(),
        watches: false,
    };
    let mut change = |core: &mut Core, call: &mut Call<'_>, live: Option<&Value>| {
        let live = live.ok_or_else(|| Failure::not_found(call.kind.resource(), name))?;
        let mut object = live.clone();
        change(&mut object);
        ownership::track(core, call, Some(live), &mut object, manager);
        Ok(object)
    };
    let mut call = Call {
        kind,
        path: &path,
        part,
        query: Query::parse(""),
        request: &Request::default(),
        user: Arc::new(user),
        dry_run: false,
        is_mutated: false,
        requested_name: String::new(),
        warnings: &mut Vec::new(),
    };
    let replacing = Replacement { change: &mut change, creates: false, uid: None };
    replace_object(core, &mut call, replacing).map(drop)
}

/// Returns the response to a write: the object, or its scale.
pub(super) fn answer_write(
    call: &Call<'_>,
    accepted: media::Accepted,
    code: StatusCode,
    object: Content,
) -> Answer<Reply> {
    if call.part == Part::Scale {
        let scale = scale::get(&call.kind, &object.into_value())?;
        return Ok(Reply::object(code, call, accepted, scale));
    }
    Ok(Reply::object(code, call, accepted, object))
}

/// Replaces the object that the request names, and returns the result and whether it has been created.
pub(super) fn replace_object(
    core: &mut Core,
    call: &mut Call<'_>,
    replacing: Replacement<'_>,
) -> Answer<(Content, bool)> {
    let kind = call.kind.clone();
    let name = call.path.name.clone();
    let key = kind.key(call.namespace(), &name);
    let Some(stored) = core.store.get(&kind.storage, &key).cloned() else {
        return create_by_update(core, call, replacing);
    };
    let live = undecodable::read_to_replace(core, &kind, &stored)?;
    let converted_back = if call.dry_run { None } else { kind.converted_back(&live)? };
    if let Some(uid) = replacing.uid {
        let etcd_key = storage_key(&kind, &key, call.dry_run);
        let found = metadata::text(&live, "uid");
        if uid != found {
            return Err(failed_precondition(&kind, &etcd_key, &name, "UID", uid, found));
        }
    }
    let mut object = (replacing.change)(core, call, Some(&live))?;
    let namespace = call.namespace().to_owned();
    namespaces::check(&core.store, core.catalog.kubernetes, &kind, &namespace, &object, false)?;
    if call.part != Part::Scale {
        object = admission::mutate(core, call, AdmissionOperation::Update, object, Some(&live))?;
    }
    if call.part == Part::Approval {
        portions::set_times(&mut object, &live, &core.clock.text());
    }
    authorization::check_escalation(core, call, &object, Some(&live))?;
    check_version(&kind, &name, &mut object, &live)?;
    metadata::carry_over(&mut object, &live);
    let mut object =
        kind.update(object, &live, call.part, core.catalog.kubernetes, call.warnings)?;
    admission::validate(core, call, AdmissionOperation::Update, &object, Some(&live))?;
    object = admission::pruned(core, call, object)?;
    metadata::keep_times(&mut object, &live);
    if metadata::may_remove(&object, &live) {
        // Upstream: the object is decoded after it has been removed, so a failure does not restore it.
        let removed =
            converted_back.map_or(Ok(None), |converted_back| kind.read_back(&converted_back));
        core.webhook_calls.check()?;
        if !call.dry_run {
            core.store.remove(&kind.storage, &key);
        }
        return removed.map(|_| (kind.without_default_nulls(object).into(), false));
    }
    if call.dry_run {
        return Ok((kind.dry_run(object)?.into(), false));
    }
    let new = kind.to_stored(object)?;
    let is_completed = stored.is_new && is_completed_by_update(&kind, &live);
    if !is_completed && is_unchanged(&new, &stored) {
        return Ok((live.into(), false));
    }
    Ok((commit(core, &kind, &key, new)?, false))
}

/// Creates the object of an update or apply; status 404 if the request may not create objects.
fn create_by_update(
    core: &mut Core,
    call: &mut Call<'_>,
    replacing: Replacement<'_>,
) -> Answer<(Content, bool)> {
    let Replacement { change, creates, .. } = replacing;
    let kind = call.kind.clone();
    if !creates {
        return Err(Failure::not_found(kind.resource(), &call.path.name));
    }
    let object = change(core, call, None)?;
    let name = call.path.name.clone();
    let uid = metadata::text(&object, "uid");
    if !uid.is_empty() {
        let why = format!(
            "uid mismatch: the provided object specified uid {uid}, and no existing object was found"
        );
        return Err(Failure::conflict(kind.resource(), &name, &why));
    }
    let namespace = call.namespace().to_owned();
    namespaces::check(&core.store, core.catalog.kubernetes, &kind, &namespace, &object, true)?;
    if core.catalog.rejects_creation(&kind.group, &kind.names.plural) {
        let why = "create not allowed while custom resource definition is terminating";
        return Err(Failure::forbidden(kind.resource(), &name, why));
    }
    authorization::authorize_creation(core, call)?;
    let mut object = admission::mutate(core, call, AdmissionOperation::Create, object, None)?;
    // Upstream: the fields that only the server sets are removed after the preconditions have been checked, and after
    // mutating webhooks have seen them.
    if Difference::CreationByWriteIsWiped.is_in(core.catalog.kubernetes) {
        metadata::wipe(&mut object);
    }
    Ok((create::store_new(core, call, object)?, true))
}

/// Returns the failure of a precondition that the storage checks. Source: `Preconditions.Check`.
pub(super) fn failed_precondition(
    kind: &ServedKind,
    storage_key: &str,
    name: &str,
    what: &str,
    wanted: &str,
    found: &str,
) -> Failure {
    let why = format!(
        "StorageError: invalid object, Code: 4, Key: {storage_key}, ResourceVersion: 0, AdditionalErrorMsg: \
         Precondition failed: {what} in precondition: {wanted}, {what} in object meta: {found}"
    );
    Failure::conflict(kind.resource(), name, &why)
}

/// Checks that an update has the resource version of the stored object. Kinds with unconditional updates may omit it.
fn check_version(kind: &ServedKind, name: &str, object: &mut Value, live: &Value) -> Answer<()> {
    let wanted = metadata::text(object, "resourceVersion").to_owned();
    let current = metadata::text(live, "resourceVersion");
    if wanted.is_empty() || wanted == "0" {
        if let Strategy::BuiltIn(built_in) = &kind.strategy
            && built_in.traits.unconditional
        {
            metadata::set_text(object, "resourceVersion", current);
            return Ok(());
        }
        let path = Path::new("metadata.resourceVersion");
        let errors: ErrorList = Error::invalid(&path, 0, "must be specified for an update").into();
        // Upstream: the error names the resource instead of the kind.
        let of = GroupResource { group: &kind.group, kind: &kind.names.plural };
        return Err(Failure::invalid(of, name, &errors));
    }
    if wanted == current {
        return Ok(());
    }
    parse_uint(&wanted).map_err(Failure::bare)?;
    Err(Failure::conflict(kind.resource(), name, MODIFIED))
}

/// Returns whether the first update of an object stores what until then is a default, even if it changes nothing else:
/// the phase of a claim, and the labels of a job, which are those that its template gets when it is created.
fn is_completed_by_update(kind: &ServedKind, object: &Value) -> bool {
    match &*kind.storage {
        "/persistentvolumeclaims" => true,
        "batch/jobs" => {
            let labels = |at: &str| object.pointer(at).filter(|labels| labels.is_object());
            let is_manual = object.pointer("/spec/manualSelector") == Some(&Value::Bool(true));
            !is_manual && labels("/metadata/labels") == labels("/spec/template/metadata/labels")
        }
        _ => false,
    }
}

/// Returns whether an object is equal to the stored one.
fn is_unchanged(new: &Value, stored: &StoredObject) -> bool {
    let mut new = new.clone();
    super::store::set_revision(&mut new, stored.revision);
    json::equal(&new, &stored.object())
}

//! Deletion of objects: at once, or after their finalizers have been removed.
//!
//! Source: `k8s.io/apiserver/pkg/endpoints/handlers/delete.go`, `Store.Delete` of
//! `pkg/registry/generic/registry/store.go` and `BeforeDelete` of `pkg/registry/rest/delete.go`.

use std::sync::Arc;

use crd_cel::kubernetes::KubernetesVersion;
use http::{StatusCode, header};
use serde_json::{Value, json};

use super::admission::{self, AdmissionOperation, Attributes};
use super::call::Call;
use super::core::{Core, Prepared};
use super::decoding::{DELETE_OPTIONS, ExpectedKind, NO_KIND, RequestBody};
use super::failure::{Answer, Failure, GroupResource};
use super::graceful::{self, Grace};
use super::kind::{ServedKind, Strategy, storage_key};
use super::list::{self, ListOptions};
use super::metadata::{self, FOREGROUND, ORPHAN};
use super::query::{DeleteOptions, Propagation};
use super::reply::Reply;
use super::selection::Selection;
use super::source::Clock;
use super::store::{Content, set_revision};
use super::target::Part;
use super::update::failed_precondition;
use super::user::User;
use super::work::ObjectKey;
use super::{definition_status, go_types, media, namespaces, undecodable};
use crate::differences::Difference;
use crate::go_types::time::Time;
use crate::json;

/// The location in the Go source of the scheme that decodes `DeleteOptions`, which error messages contain.
const SCHEME: &str = "pkg/apis/meta/internalversion/scheme/register.go:27";

/// The result of a deletion.
#[derive(Debug)]
enum Deleted {
    /// The object has been removed; it has the resource version of its removal.
    Gone(Value),
    /// The object is being deleted, and has not been removed yet.
    Waiting(Content),
}

/// What a deletion depends on besides the object and the options.
pub(super) struct DeletionContext<'a> {
    /// The user who deletes; `None` if webhooks are not called.
    pub(super) user: Option<Arc<User>>,
    /// Whether the object is deleted as one of a collection. Webhooks then get no name.
    pub(super) of_collection: bool,
    /// The warnings for the client.
    pub(super) warnings: &'a mut Vec<String>,
}

pub(super) fn delete(core: &mut Core, call: &mut Call<'_>) -> Answer<Reply> {
    let accepted = call.accepted()?;
    let options = options(call, core.catalog.kubernetes)?;
    warn_of_orphans(call, &options);
    let kind = Arc::clone(&call.kind);
    let name = call.path.name.clone();
    namespaces::check_deletion(&kind, &name)?;
    let key = kind.key(call.namespace(), &name);
    let mut deleting = DeletionContext {
        user: Some(call.user.clone()),
        of_collection: false,
        warnings: call.warnings,
    };
    match delete_one(core, &kind, &key, &name, &options, &mut deleting)? {
        Deleted::Waiting(object) => {
            let code = match options.orphan_dependents {
                Some(false) => StatusCode::ACCEPTED,
                _ => StatusCode::OK,
            };
            Ok(Reply::object(code, call, accepted, object))
        }
        Deleted::Gone(object) if returns_deleted(&kind) => {
            Ok(Reply::object(StatusCode::OK, call, accepted, object))
        }
        Deleted::Gone(object) => {
            let uid = metadata::text(&object, "uid");
            let mut details = json!({"name": name, "kind": kind.names.plural, "uid": uid});
            if let (Value::Object(details), false) = (&mut details, kind.group.is_empty()) {
                details.insert("group".to_owned(), kind.group.clone().into());
            }
            let status = json!({
                "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success",
                "details": details,
            });
            Ok(Reply::value(StatusCode::OK, &accepted, status))
        }
    }
}

pub(super) fn delete_collection(core: &mut Core, call: &mut Call<'_>) -> Answer<Reply> {
    let accepted = call.accepted()?;
    let mut selection = Selection::read(&call.query, core.catalog.kubernetes)?;
    let list_options = ListOptions::parse(&call.query)?;
    selection.check(&call.kind, "")?;
    let options = options(call, core.catalog.kubernetes)?;
    warn_of_orphans(call, &options);
    let kind = Arc::clone(&call.kind);
    let list = list::listed(core, &kind, call.namespace(), &selection, &list_options)?;
    let items = || list.get("items").and_then(Value::as_array).into_iter().flatten();
    let mut deleting = DeletionContext {
        user: Some(call.user.clone()),
        of_collection: true,
        warnings: call.warnings,
    };
    // Everything is planned before anything is changed: a request that waits for a webhook is tried again, from its list
    // on.
    let mut plans = Vec::new();
    let mut failed = Ok(());
    for item in items() {
        let name = metadata::text(item, "name");
        let key = kind.key(metadata::text(item, "namespace"), name);
        match Plan::of(core, &kind, &key, name, &options, &mut deleting) {
            Ok(plan) => plans.push((key, plan)),
            // The calls for the other objects are collected, too.
            Err(_) if core.webhook_calls.is_waiting() => {}
            Err(failure) if failure.reason == "NotFound" => {}
            Err(failure) => {
                failed = Err(failure);
                break;
            }
        }
    }
    core.webhook_calls.check()?;
    for (key, plan) in plans {
        plan.execute(core, &kind, &key)?;
    }
    failed?;
    Ok(Reply::object(StatusCode::OK, call, accepted, list))
}

/// Calls the admission webhooks for the deletion of an object.
///
/// # Errors
/// Returns the failure of a webhook that denies the deletion, or an error if webhooks have yet to be called.
fn admit_deletion(
    core: &Core,
    kind: &Arc<ServedKind>,
    name: &str,
    live: &Value,
    options: &DeleteOptions,
    deleting: &mut DeletionContext<'_>,
) -> Answer<()> {
    let Some(user) = deleting.user.clone().filter(|_| admission::has_admission(&core.store)) else {
        return Ok(());
    };
    let is_namespace = &*kind.storage == namespaces::RESOURCE;
    let namespace = if is_namespace { name } else { metadata::text(live, "namespace") };
    let attributes = Attributes {
        kind: Arc::clone(kind),
        part: Part::Object,
        subresource: String::new(),
        operation: AdmissionOperation::Delete,
        namespace: namespace.to_owned(),
        name: if deleting.of_collection { String::new() } else { name.to_owned() },
        object: None,
        old: Some(live.clone()),
        options: options.to_value(),
        dry_run: options.dry_run,
        user,
    };
    admission::check_deletion(core, &attributes, deleting.warnings)
}

/// Deletes a stored object as a user; if `user` is `None`, webhooks are not called. It is no failure if the object
/// does not exist.
///
/// # Errors
/// Returns the failure of the deletion, or an error if webhooks have yet to be called.
pub(super) fn delete_stored(
    core: &mut Core,
    (resource, key): &ObjectKey,
    options: &DeleteOptions,
    user: Option<Arc<User>>,
) -> Answer<()> {
    let Some(kind) = core.catalog.stored_as(resource).cloned() else {
        core.store.remove(resource, key);
        return Ok(());
    };
    let name = key.rsplit('/').next().unwrap_or_default();
    let mut deleting = DeletionContext { user, of_collection: false, warnings: &mut Vec::new() };
    match delete_one(core, &kind, key, name, options, &mut deleting) {
        Err(failure) if failure.reason != "NotFound" => Err(failure),
        _ => Ok(()),
    }
}

/// Deletes an object, or marks it as being deleted if it has finalizers.
fn delete_one(
    core: &mut Core,
    kind: &Arc<ServedKind>,
    key: &str,
    name: &str,
    options: &DeleteOptions,
    deleting: &mut DeletionContext<'_>,
) -> Answer<Deleted> {
    let plan = Plan::of(core, kind, key, name, options, deleting)?;
    core.webhook_calls.check()?;
    plan.execute(core, kind, key)
}

/// What the deletion of an object changes in the store, after all webhooks have been called.
#[derive(Debug)]
enum Plan {
    /// Nothing.
    Unchanged(Deleted),
    /// The object stays, and is marked as being deleted.
    Marked(Prepared),
    Removed {
        live: Value,
        /// The object as it is stored before it is removed: a pod gets a period of 0 seconds, which watches see.
        last: Option<Value>,
        /// Whether the removed object can be decoded for the answer.
        decoded: Answer<()>,
    },
}

impl Plan {
    /// # Errors
    /// Returns the failure of the deletion, or an error if a webhook has yet to be called.
    fn of(
        core: &Core,
        kind: &Arc<ServedKind>,
        key: &str,
        name: &str,
        options: &DeleteOptions,
        deleting: &mut DeletionContext<'_>,
    ) -> Answer<Self> {
        let stored = core.store.get(&kind.storage, key).cloned();
        let stored = stored.ok_or_else(|| Failure::not_found(kind.resource(), name))?;
        let mut live = undecodable::read_stored(core, kind, key, &stored)?;
        check_preconditions(kind, name, &live, options, core.catalog.kubernetes)?;
        let mut next = live.clone();
        let grace = graceful::begin(kind, &mut next, options, &core.clock);
        // Upstream: once a namespace is being deleted, its policy cannot change.
        let is_fixed = metadata::is_deleting(&live) && metadata::has_spec_finalizers(&live);
        if grace == Grace::Pending || is_fixed {
            return Ok(Self::Unchanged(Deleted::Waiting(live.into())));
        }
        let options = &with_grace(options, grace);
        let restored = if options.dry_run { None } else { kind.converted_back(&live)? };
        admit_deletion(core, kind, name, &live, options, deleting)?;
        let is_waiting = match &*kind.storage {
            super::definition::RESOURCE if !metadata::is_deleting(&live) => {
                definition_status::mark_deleted(&mut next, &core.clock.text());
                true
            }
            namespaces::RESOURCE if !metadata::is_deleting(&live) => {
                mark_namespace_deleting(&mut next, &core.clock);
                true
            }
            _ => matches!(grace, Grace::Seconds(1..)),
        };
        let next_finalizers = finalizers(kind, &live, options);
        // Upstream: the request that begins the deletion of a definition ignores the propagation policy.
        if &*kind.storage != super::definition::RESOURCE || metadata::is_deleting(&live) {
            metadata::set_finalizers(&mut next, next_finalizers);
        }
        if !is_waiting && !metadata::finalizers(&next).is_empty() {
            mark_deleting(&mut next, &core.clock.text());
        } else if !is_waiting {
            // Upstream: the object is decoded after it has been removed, so it is gone even if this fails.
            let decoded = restored.map_or(Ok(None), |restored| kind.read_back(&restored));
            let decoded = decoded.map(drop);
            if options.dry_run {
                return decoded.map(|()| Self::Unchanged(Deleted::Gone(next)));
            }
            let mut last = None;
            if grace != Grace::None {
                live.clone_from(&next);
                last = Some(kind.to_stored(next)?);
            } else if options.resource_version.is_some() && !metadata::finalizers(&live).is_empty()
            {
                // Upstream: the finalizers are removed by an update that stores nothing. The precondition is then
                // checked with the resource version of its result instead of the requested one. That version is empty,
                // so the precondition always fails.
                let found = metadata::text(&live, "resourceVersion");
                let place = storage_key(kind, key, false);
                return Err(failed_precondition(kind, &place, name, "ResourceVersion", "", found));
            }
            return Ok(Self::Removed { live, last, decoded });
        }
        if options.dry_run || json::equal(&next, &live) {
            return Ok(Self::Unchanged(Deleted::Waiting(next.into())));
        }
        Prepared::new(kind, kind.to_stored(next)?).map(Self::Marked)
    }

    /// Changes the store.
    ///
    /// # Errors
    /// Returns an error if the object cannot be decoded, after it has been changed.
    fn execute(self, core: &mut Core, kind: &ServedKind, key: &str) -> Answer<Deleted> {
        match self {
            Self::Unchanged(deleted) => Ok(deleted),
            Self::Marked(next) => next.store(core, kind, key).map(Deleted::Waiting),
            Self::Removed { mut live, last, decoded } => {
                if let Some(last) = last {
                    core.store.put(&kind.storage, key, last, kind.id);
                }
                core.store.remove(&kind.storage, key);
                set_revision(&mut live, core.store.revision());
                decoded.map(|()| Deleted::Gone(live))
            }
        }
    }
}

/// Returns the options of a deletion with the grace period that the object gets.
fn with_grace(options: &DeleteOptions, grace: Grace) -> DeleteOptions {
    let grace_seconds = match grace {
        Grace::Seconds(seconds) => Some(seconds),
        Grace::None | Grace::Pending => options.grace_seconds,
    };
    DeleteOptions { grace_seconds, ..options.clone() }
}

/// Returns whether the answer to a deletion is the deleted object.
fn returns_deleted(kind: &ServedKind) -> bool {
    matches!(&kind.strategy, Strategy::BuiltIn(built_in) if built_in.traits.returns_deleted)
}

fn options(call: &Call<'_>, kubernetes: KubernetesVersion) -> Answer<DeleteOptions> {
    let body = call.request.body();
    if body.is_empty() {
        return DeleteOptions::parse(&call.query, None);
    }
    let format = media::body_format(call.header(header::CONTENT_TYPE))?;
    let expected = ExpectedKind { group: "", version: "v1", kind: DELETE_OPTIONS };
    let body = RequestBody::read(body, format, expected, kubernetes)?;
    let (decoded, numbers) = json::decode_any(body.json())
        .map_err(|error| Failure::bad_request(format!("{NO_KIND}; json parse error: {error}")))?;
    let why = expected.go_type().filter(|_| !numbers.is_empty()).and_then(|type_| {
        go_types::out_of_range(type_, &decoded.value, kubernetes.minor(), &numbers)
    });
    if let Some(why) = why {
        return Err(Failure::bad_request(why));
    }
    if !decoded.value.is_object() {
        return Err(Failure::bad_request("decoded object cannot be converted to DeleteOptions"));
    }
    let text = |key: &str| decoded.value.get(key).and_then(Value::as_str).unwrap_or_default();
    let (kind, version) = (text("kind"), text("apiVersion"));
    if !matches!(kind, "" | DELETE_OPTIONS) {
        return Err(Failure::bad_request(format!(
            "no kind {kind:?} is registered for version {version:?} in scheme {SCHEME:?}"
        )));
    }
    DeleteOptions::parse(&call.query, Some(&decoded.value))
}

/// Checks the preconditions of a deletion.
pub(super) fn check_preconditions(
    kind: &ServedKind,
    name: &str,
    live: &Value,
    options: &DeleteOptions,
    kubernetes: KubernetesVersion,
) -> Answer<()> {
    let (uid, version) = (metadata::text(live, "uid"), metadata::text(live, "resourceVersion"));
    // Source: `Delete` of `pkg/registry/customresourcedefinition/etcd.go` in apiextensions-apiserver, and `REST.Delete` of
    // `pkg/registry/core/namespace/storage`.
    let is_definition = &*kind.storage == super::definition::RESOURCE;
    let has_own_words = is_definition || &*kind.storage == namespaces::RESOURCE;
    let failed = if is_definition && Difference::LowerCasePreconditions.is_in(kubernetes) {
        "precondition failed"
    } else {
        "Precondition failed"
    };
    // Upstream: the error names the kind instead of the resource.
    let of = GroupResource { group: &kind.group, kind: &kind.names.kind };
    if let Some(wanted) = options.uid.as_deref().filter(|wanted| *wanted != uid) {
        if has_own_words {
            let why = format!("{failed}: UID in precondition: {wanted}, UID in object meta: {uid}");
            return Err(Failure::conflict(kind.resource(), name, &why));
        }
        let why = format!(
            "the UID in the precondition ({wanted}) does not match the UID in record ({uid}). The object might have been \
             deleted and then recreated"
        );
        return Err(Failure::conflict(of, name, &why));
    }
    if let Some(wanted) = options.resource_version.as_deref().filter(|wanted| *wanted != version) {
        if has_own_words {
            let why = format!(
                "{failed}: ResourceVersion in precondition: {wanted}, ResourceVersion in object meta: {version}"
            );
            return Err(Failure::conflict(kind.resource(), name, &why));
        }
        let why = format!(
            "the ResourceVersion in the precondition ({wanted}) does not match the ResourceVersion in record ({version}). \
             The object might have been modified"
        );
        return Err(Failure::conflict(of, name, &why));
    }
    Ok(())
}

/// Returns the finalizers of an object after a request to delete it: `orphan` and `foregroundDeletion` are set by the
/// propagation policy, except for events, which have no dependents. Source: `deletionFinalizersForGarbageCollection`.
fn finalizers(kind: &ServedKind, live: &Value, options: &DeleteOptions) -> Vec<String> {
    let had = metadata::finalizers(live);
    let has_dependents = &*kind.storage != "/events";
    let orphans = match (options.orphan_dependents, options.propagation) {
        (Some(orphans), _) => orphans,
        (None, Some(policy)) => policy == Propagation::Orphan,
        (None, None) => match first_policy_finalizer(&had) {
            Some(finalizer) => finalizer == ORPHAN,
            None => orphans_by_default(kind),
        },
    };
    // Upstream: the request that begins the deletion of a namespace takes `orphanDependents=false` for `Foreground`.
    let begins = &*kind.storage == namespaces::RESOURCE && !metadata::is_deleting(live);
    let foreground = match (options.orphan_dependents, options.propagation) {
        (Some(orphans), _) => begins && !orphans,
        (None, Some(policy)) => policy == Propagation::Foreground,
        (None, None) => first_policy_finalizer(&had) == Some(FOREGROUND),
    };
    let mut kept: Vec<String> =
        had.into_iter().filter(|it| it != ORPHAN && it != FOREGROUND).collect();
    if orphans && has_dependents {
        kept.push(ORPHAN.to_owned());
    }
    if foreground && has_dependents {
        kept.push(FOREGROUND.to_owned());
    }
    kept
}

/// The resource of jobs in the store.
const JOBS: &str = "batch/jobs";

/// Returns whether a request without a propagation policy orphans the dependents of an object.
/// Source: `DefaultGarbageCollectionPolicy` of `jobStrategy` and `rcStrategy`.
fn orphans_by_default(kind: &ServedKind) -> bool {
    matches!(&*kind.storage, JOBS | "/replicationcontrollers")
}

/// Warns a client that deletes jobs without a policy. Source: `REST.Delete` of `pkg/registry/batch/job/storage`.
fn warn_of_orphans(call: &mut Call<'_>, options: &DeleteOptions) {
    let has_policy = options.propagation.is_some() || options.orphan_dependents.is_some();
    if &*call.kind.storage == JOBS && !has_policy {
        let text = "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to \
                    remove them or set propagationPolicy=Orphan to suppress this warning";
        call.warnings.push(text.to_owned());
    }
}

/// Returns the first finalizer that stands for a propagation policy.
fn first_policy_finalizer(finalizers: &[String]) -> Option<&str> {
    finalizers.iter().map(String::as_str).find(|it| *it == ORPHAN || *it == FOREGROUND)
}

/// Marks an object as being deleted, with a grace period of 0 seconds. A time of deletion in the future becomes now.
/// Source: `markAsDeleting`.
fn mark_deleting(object: &mut Value, now: &str) {
    let is_marked = metadata::is_deleting(object);
    let nanos = |text: &str| Time::parse(text).ok().map(Time::unix_nanos);
    let is_later = nanos(metadata::text(object, "deletionTimestamp")) > nanos(now);
    let metadata = metadata::of_mut(object);
    if !is_marked {
        let generation = metadata.get("generation").and_then(Value::as_i64).unwrap_or_default();
        if generation > 0 {
            metadata.insert("generation".to_owned(), (generation + 1).into());
        }
    }
    if !is_marked || is_later {
        metadata.insert("deletionTimestamp".to_owned(), now.into());
    }
    metadata.insert("deletionGracePeriodSeconds".to_owned(), 0.into());
}

/// Marks a namespace as being deleted. The first request to delete it does no more, even if nothing keeps it.
/// Source: `REST.Delete` of `pkg/registry/core/namespace/storage`.
fn mark_namespace_deleting(namespace: &mut Value, clock: &Clock) {
    metadata::of_mut(namespace).insert("deletionTimestamp".to_owned(), clock.text().into());
    if let Value::Object(map) = namespace {
        let status = map.entry("status").or_insert(Value::Null);
        if !status.is_object() {
            *status = json!({});
        }
        status["phase"] = "Terminating".into();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_deletion_are_not_in_the_future() {
        let now = "2026-01-01T00:00:00Z";
        let check = |at: Option<&str>, want: &str| {
            let mut object = json!({"metadata": {"generation": 3, "deletionTimestamp": at}});
            mark_deleting(&mut object, now);
            assert_eq!(object["metadata"]["deletionTimestamp"], want);
            let generation = if at.is_none() { 4 } else { 3 };
            assert_eq!(object["metadata"]["generation"], generation);
        };
        check(None, now);
        check(Some("2026-01-01T00:00:05Z"), now);
        check(Some("2025-12-31T23:59:55Z"), "2025-12-31T23:59:55Z");
    }
}

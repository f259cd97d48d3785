//! Rewrites all objects page by page, then updates the CRD's status.

use std::fmt;
use std::future::Future;
use std::time::Duration;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1 as apiextensions;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{ManagedFieldsEntry, ObjectMeta};
use kube::api::{ListParams, Patch, PatchParams};
use kube::core::{ApiResource, DynamicObject, GroupVersionKind, ObjectList, PartialObjectMeta};
use kube::{Api, Client};
use serde_json::{Value, json};

use super::checkpoint::Basis;
use super::{Checkpoint, Error, Progress, RejectedObject, Summary};
use crate::CustomResource;
use crate::client::backoff::Backoff;
use crate::versions::priority;

/// The default number of objects in a page.
pub const PAGE: u32 = 500;

/// The largest number of times that a request is sent.
const ATTEMPTS: u32 = 6;
/// The pause before a request is sent again; it doubles with each attempt.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
/// The longest pause, even if the server requests a longer one.
const MAX_PAUSE: Duration = Duration::from_secs(30);
/// The maximum number of times that the list may expire without a completed page in between.
const MAX_EXPIRED: u32 = 3;
/// The migration fails if the definition changes after the list has been restarted this many times.
const MAX_CHANGES: u32 = 3;
/// The largest number of rejected objects that are listed in the error; further ones are only counted.
const MAX_REJECTED: usize = 100;

const CONFLICT: u16 = 409;
const GONE: u16 = 410;
const NOT_FOUND: u16 = 404;
/// Status codes of errors in one object's content or conversion. The migration goes on with the other objects.
const OBJECT_ERRORS: [u16; 4] = [400, 413, 422, 500];
/// Status codes after which a request is sent again.
const BUSY: [u16; 4] = [429, 502, 503, 504];
/// The codes of [`BUSY`], and a conflict, after which a patch without a resource version can be sent again.
const BUSY_OR_CONFLICT: [u16; 5] = [CONFLICT, 429, 502, 503, 504];

type Crd = apiextensions::CustomResourceDefinition;

/// A storage migration of one kind.
#[derive(Clone)]
pub struct Migration {
    client: Client,
    name: String,
    page: u32,
    checkpoint: Option<Checkpoint>,
}

impl fmt::Debug for Migration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Migration")
            .field("name", &self.name)
            .field("page", &self.page)
            .field("checkpoint", &self.checkpoint)
            .finish_non_exhaustive()
    }
}

impl Migration {
    /// Creates a migration of the kind whose CRD has this name, such as `endpoints.example.com`.
    ///
    /// The client needs permission to list and patch the kind's objects in all namespaces, to get the CRD, and to patch
    /// its status.
    pub fn new(client: Client, crd: impl Into<String>) -> Self {
        Self { client, name: crd.into(), page: PAGE, checkpoint: None }
    }

    /// Creates a migration of a derived kind. `T` can be any of its versions.
    pub fn of<T: CustomResource>(client: Client) -> Self {
        Self::new(client, T::crd_name())
    }

    /// Sets the number of objects to list at a time; 0 counts as 1. Default: [`PAGE`].
    #[must_use]
    pub fn page(mut self, objects: u32) -> Self {
        self.page = objects.max(1);
        self
    }

    /// Continues a migration that ended early from its last checkpoint.
    ///
    /// If the definition has since been changed, or deleted and created again, the checkpoint is ignored and the
    /// migration starts from the first object.
    #[must_use]
    pub fn resume_from(mut self, checkpoint: Checkpoint) -> Self {
        self.checkpoint = Some(checkpoint);
        self
    }

    /// Rewrites all objects, then removes all versions except the storage version from `status.storedVersions`. Does
    /// nothing if there are no others and all versions are served. `progress` is called after each page.
    ///
    /// Entries of `metadata.managedFields` in versions that are not served, or that the definition no longer has, are
    /// removed: once such a version is removed from the definition, no apply to the object would succeed. Their managers
    /// own their fields again after they have applied in another version. If an object has no other managers, that apply
    /// conflicts with the manager `before-first-apply` and has to be forced.
    ///
    /// A request that fails because of a conflict or a busy server is repeated, up to six attempts in all. If the
    /// continue token of the list expires, the list continues with the token that the server offers, or starts again.
    /// If the definition changes meanwhile, all objects are rewritten again, because some may have been stored in
    /// another version in between.
    ///
    /// # Errors
    /// If a request fails with another error, no version is served, the server rejects objects, the list expires too
    /// often, or the definition changes to another storage version, is being deleted, or changes too often.
    pub async fn run(self, mut progress: impl FnMut(&Progress)) -> Result<Summary, Error> {
        let mut checkpoint = self.checkpoint.clone();
        let mut restarts = 0;
        let mut first: Option<Basis> = None;
        loop {
            let crd = self.definition(&Progress::default()).await?;
            let basis = self.basis(&crd)?;
            if let Some(first) = &first {
                first.same_storage_version(&basis)?;
            }
            let is_stored = basis.stored_versions.iter().all(|it| *it == basis.storage_version);
            if is_stored && crd.spec.versions.iter().all(|version| version.served) {
                let progress = Progress { restarts, ..Progress::default() };
                let storage_version = basis.storage_version;
                return Ok(Summary { storage_version, dropped: Vec::new(), progress });
            }
            let token = checkpoint
                .take()
                .filter(|checkpoint| checkpoint.basis == basis)
                .map(|checkpoint| checkpoint.continue_token);
            let mut pass = RewritePass::new(&self, &crd, &basis)?;
            pass.progress.restarts = restarts;
            let walked = pass.run(token, &mut progress).await?;
            if let Some(dropped) = self.drop_versions(&basis, &walked).await? {
                let storage_version = basis.storage_version;
                return Ok(Summary { storage_version, dropped, progress: walked });
            }
            restarts = walked.restarts + 1;
            if restarts > MAX_CHANGES {
                let reason = "it changed again and again while objects were rewritten: run the migration \
                              when nothing else changes it";
                return Err(self.wrong(reason.to_owned()));
            }
            first.get_or_insert(basis);
        }
    }

    async fn definition(&self, progress: &Progress) -> Result<Crd, Error> {
        let api: Api<Crd> = Api::all(self.client.clone());
        let request = || format!("get customresourcedefinition {}", self.name);
        retry(&BUSY, || api.get(&self.name))
            .await
            .map_err(|error| failed(request(), error, progress))
    }

    /// Returns the current storage settings of the definition.
    fn basis(&self, crd: &Crd) -> Result<Basis, Error> {
        if crd.metadata.deletion_timestamp.is_some() {
            return Err(self.wrong("it is being deleted, and its objects with it".to_owned()));
        }
        let (Some(uid), Some(generation)) = (&crd.metadata.uid, crd.metadata.generation) else {
            let reason = "the server's answer has no `metadata.uid` or no `metadata.generation`, which show \
                          whether the definition changes during the migration";
            return Err(self.wrong(reason.to_owned()));
        };
        let Some(storage) = crd.spec.versions.iter().find(|version| version.storage) else {
            let reason = "no version is the storage version: set `storage: true` on one";
            return Err(self.wrong(reason.to_owned()));
        };
        let stored = crd.status.iter().flat_map(|status| status.stored_versions.iter().flatten());
        let mut stored_versions: Vec<String> = stored.cloned().collect();
        stored_versions.sort_unstable();
        let storage_version = storage.name.clone();
        Ok(Basis { uid: uid.clone(), generation, storage_version, stored_versions })
    }

    fn wrong(&self, reason: String) -> Error {
        Error::Definition { name: self.name.clone(), reason }
    }

    /// Removes all versions except the storage version from `status.storedVersions`, and returns the removed ones.
    /// `None` if the definition has changed since the objects were rewritten: they may then be stored in another
    /// version again.
    async fn drop_versions(
        &self,
        basis: &Basis,
        progress: &Progress,
    ) -> Result<Option<Vec<String>>, Error> {
        let api: Api<Crd> = Api::all(self.client.clone());
        let request = || format!("patch the status of customresourcedefinition {}", self.name);
        let mut attempt = 1;
        loop {
            // Read in each attempt, because a conflict means that the definition has changed.
            let crd = self.definition(progress).await?;
            let now = self.basis(&crd)?;
            basis.same_storage_version(&now)?;
            if !basis.is_unchanged(&now) {
                return Ok(None);
            }
            let patch = Patch::Merge(json!({
                "metadata": {"resourceVersion": crd.metadata.resource_version},
                "status": {"storedVersions": [&basis.storage_version]},
            }));
            let params = PatchParams::default();
            match retry(&BUSY, || api.patch_status(&self.name, &params, &patch)).await {
                Ok(_) => {
                    let mut dropped = basis.stored_versions.clone();
                    dropped.retain(|version| *version != basis.storage_version);
                    return Ok(Some(dropped));
                }
                Err(error) if code(&error) == Some(CONFLICT) && attempt < ATTEMPTS => attempt += 1,
                Err(error) => return Err(failed(request(), error, progress)),
            }
        }
    }
}

/// A pass over all objects, page by page.
struct RewritePass<'a> {
    migration: &'a Migration,
    resource: ApiResource,
    basis: &'a Basis,
    namespaced: bool,
    /// The served versions, as `apiVersion`: `example.com/v1`.
    served: Vec<String>,
    rejected: Vec<RejectedObject>,
    progress: Progress,
}

impl<'a> RewritePass<'a> {
    fn new(migration: &'a Migration, crd: &Crd, basis: &'a Basis) -> Result<Self, Error> {
        let storage_version = &*basis.storage_version;
        let spec = &crd.spec;
        let mut served: Vec<&str> = spec
            .versions
            .iter()
            .filter(|version| version.served)
            .map(|version| &*version.name)
            .collect();
        // The storage version comes first, because objects that are already stored in it then need no conversion.
        served.sort_by(|a, b| {
            (*b == storage_version).cmp(&(*a == storage_version)).then_with(|| priority(a, b))
        });
        let Some(version) = served.first() else {
            let reason = "no version is served, so that no object can be reached: serve one";
            return Err(migration.wrong(reason.to_owned()));
        };
        let served: Vec<String> =
            served.iter().map(|version| format!("{}/{version}", spec.group)).collect();
        let kind = GroupVersionKind::gvk(&spec.group, version, &spec.names.kind);
        let resource = ApiResource::from_gvk_with_plural(&kind, &spec.names.plural);
        Ok(Self {
            migration,
            resource,
            basis,
            namespaced: spec.scope == "Namespaced",
            served,
            rejected: Vec::new(),
            progress: Progress::default(),
        })
    }

    async fn run(
        mut self,
        mut token: Option<String>,
        report: &mut impl FnMut(&Progress),
    ) -> Result<Progress, Error> {
        let mut expired = 0;
        loop {
            let page = match self.list(token.clone()).await {
                Ok(page) => page,
                Err(error) if code(&error) == Some(GONE) => {
                    expired += 1;
                    if expired > MAX_EXPIRED {
                        return Err(Error::Expired { progress: self.progress.into() });
                    }
                    // With the server's token the list continues with the current data. It still has all objects that
                    // are not rewritten yet; objects that were created since are stored in the storage version.
                    token = continue_token(&error);
                    self.progress.restarts += u32::from(token.is_none());
                    continue;
                }
                Err(error) => {
                    let request = format!("list {}", self.migration.name);
                    return Err(failed(request, error, &self.progress));
                }
            };
            expired = 0;
            for object in &page.items {
                self.rewrite(object).await?;
            }
            token = page.metadata.continue_.filter(|token| !token.is_empty());
            let remaining = page.metadata.remaining_item_count;
            self.progress.remaining = remaining.and_then(|count| u64::try_from(count).ok());
            // Continuing after an object that was not rewritten would skip it.
            let clean = self.progress.rejected == 0;
            self.progress.checkpoint = token
                .clone()
                .filter(|_| clean)
                .map(|token| Checkpoint { basis: self.basis.clone(), continue_token: token });
            report(&self.progress);
            if token.is_none() {
                break;
            }
        }
        if self.rejected.is_empty() {
            Ok(self.progress)
        } else {
            Err(Error::Rejected { objects: self.rejected, progress: self.progress.into() })
        }
    }

    async fn list(
        &self,
        token: Option<String>,
    ) -> kube::Result<ObjectList<PartialObjectMeta<DynamicObject>>> {
        let client = self.migration.client.clone();
        let api: Api<DynamicObject> = Api::all_with(client, &self.resource);
        let mut params = ListParams::default().limit(self.migration.page);
        params.continue_token = token;
        retry(&BUSY, || api.list_metadata(&params)).await
    }

    async fn rewrite(&mut self, object: &PartialObjectMeta<DynamicObject>) -> Result<(), Error> {
        let name = object.metadata.name.clone().unwrap_or_default();
        let namespace = object.metadata.namespace.clone().unwrap_or_default();
        let client = self.migration.client.clone();
        let api: Api<DynamicObject> = if self.namespaced {
            Api::namespaced_with(client, &namespace, &self.resource)
        } else {
            Api::all_with(client, &self.resource)
        };
        let Err(error) = self.patch(&api, &name, &object.metadata).await else {
            self.progress.rewritten += 1;
            return Ok(());
        };
        match (code(&error), &error) {
            (Some(NOT_FOUND), _) => self.progress.gone += 1,
            (Some(code), kube::Error::Api(status)) if OBJECT_ERRORS.contains(&code) => {
                self.progress.rejected += 1;
                self.progress.checkpoint = None;
                if self.rejected.len() < MAX_REJECTED {
                    let message = status.message.clone();
                    self.rejected.push(RejectedObject { namespace, name, message });
                }
            }
            _ => {
                let separator = if namespace.is_empty() { "" } else { "/" };
                let of = &self.migration.name;
                let request = format!("patch {of} {namespace}{separator}{name}");
                return Err(failed(request, error, &self.progress));
            }
        }
        Ok(())
    }
}

impl RewritePass<'_> {
    /// Sends the patch of an object: without any change, or with the managed fields that remain.
    async fn patch(
        &self,
        api: &Api<DynamicObject>,
        name: &str,
        metadata: &ObjectMeta,
    ) -> kube::Result<()> {
        let params = PatchParams::default();
        let mut remaining = self.remaining_managers(metadata);
        for _ in 1..ATTEMPTS {
            let Some(patch) = remaining.take().map(Patch::Merge) else { break };
            match retry(&BUSY, || api.patch_metadata(name, &params, &patch)).await {
                // The managed fields have changed meanwhile.
                Err(error) if code(&error) == Some(CONFLICT) => {
                    let current = retry(&BUSY, || api.get_metadata(name)).await?;
                    remaining = self.remaining_managers(&current.metadata);
                }
                answer => return answer.map(drop),
            }
        }
        let patch = Patch::Merge(remaining.unwrap_or_else(|| json!({})));
        retry(&BUSY_OR_CONFLICT, || api.patch_metadata(name, &params, &patch)).await.map(drop)
    }

    /// Returns a patch that removes the managed fields of versions that are not served; `None` if there are none.
    fn remaining_managers(&self, metadata: &ObjectMeta) -> Option<Value> {
        let entries = metadata.managed_fields.as_ref()?;
        let is_served = |entry: &&ManagedFieldsEntry| {
            entry.api_version.as_ref().is_some_and(|version| self.served.contains(version))
        };
        let remaining: Vec<&ManagedFieldsEntry> = entries.iter().filter(is_served).collect();
        if remaining.len() == entries.len() {
            return None;
        }
        // An empty list would be taken for managed fields that are not sent; one empty entry resets them.
        let remaining = if remaining.is_empty() { json!([{}]) } else { json!(remaining) };
        let version = &metadata.resource_version;
        Some(json!({"metadata": {"resourceVersion": version, "managedFields": remaining}}))
    }
}

fn failed(request: String, error: kube::Error, progress: &Progress) -> Error {
    Error::Request { request, source: error.into(), progress: progress.clone().into() }
}

fn code(error: &kube::Error) -> Option<u16> {
    match error {
        kube::Error::Api(status) => Some(status.code),
        _ => None,
    }
}

/// Returns the token with which the server offers to continue an expired list.
fn continue_token(error: &kube::Error) -> Option<String> {
    let kube::Error::Api(status) = error else { return None };
    status.metadata.as_ref()?.continue_.clone().filter(|token| !token.is_empty())
}

/// Sends a request until it succeeds or fails with a status that is not in `codes`, at most [`ATTEMPTS`] times.
///
/// Every request of this module can be sent again: reads, the empty patch, and a patch with a resource version.
async fn retry<T, F: Future<Output = kube::Result<T>>>(
    codes: &[u16],
    mut send: impl FnMut() -> F,
) -> kube::Result<T> {
    let mut backoff = Backoff::new(FIRST_PAUSE, MAX_PAUSE);
    for _ in 1..ATTEMPTS {
        match send().await {
            Err(kube::Error::Api(status)) if codes.contains(&status.code) => {
                let request = status.details.as_ref().map(|details| details.retry_after_seconds);
                backoff.pause(request.map(|seconds| Duration::from_secs(seconds.into()))).await;
            }
            answer => return answer,
        }
    }
    send().await
}

//! The server without I/O: it answers requests, and runs its controllers after them.

use std::collections::BTreeMap;
use std::sync::Arc;

use crd_cel::kubernetes::KubernetesVersion;
use http::{Method, Request, header};
use serde_json::Value;

use super::authorization::Asked;
use super::catalog::Catalog;
use super::failure::{Answer, Failure};
use super::kind::{Kind, Strategy};
use super::query::Query;
use super::reply::Reply;
use super::source::{Clock, Ids};
use super::store::{Store, Stored, set_revision};
use super::target::{Part, ResourcePath, Target};
use super::user::User;
use super::webhooks::{Memo, Waiting};
use super::{definition, media, metadata};
use crate::convert::Converter;

/// The maximum number of rounds of controllers after a request: a chain of owners needs one round for each link.
const MAX_ROUNDS: usize = 1_000;

/// The message for a write without the name of an object. Source: `ContextBasedNaming.Name`.
pub(super) const NO_NAME: &str = "name must be provided";

/// The state of a server.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(super) struct Core {
    pub(super) store: Store,
    pub(super) catalog: Catalog,
    pub(super) clock: Clock,
    pub(super) ids: Ids,
    /// The version of Kubernetes whose behaviour the server has.
    pub(super) kubernetes: KubernetesVersion,
    /// Keyed by group and kind.
    pub(super) converters: BTreeMap<(String, String), Arc<Converter>>,
    /// Whether garbage is collected, namespaces are emptied and cluster roles are aggregated.
    pub(super) controllers: bool,
    /// Whether a cluster is simulated in which all workloads succeed.
    pub(super) workloads: bool,
    /// The uids of removed objects whose dependents have not been processed.
    pub(super) orphaned: Vec<String>,
    /// Changed objects that have owners or are being deleted, for the garbage collector.
    pub(super) dependents: Vec<(Arc<str>, Arc<str>)>,
    /// The approvals of the APIs of protected groups that conditions tell, by the names of definitions.
    pub(super) approvals: BTreeMap<String, String>,
    /// Whether definitions have to be processed.
    pub(super) definitions: bool,
    /// Whether roles decide what users may do.
    pub(super) authorizes: bool,
    /// The webhook calls that a request waits for.
    pub(super) waiting: Waiting,
}

/// A request for a resource.
pub(super) struct Call<'a> {
    pub(super) kind: Arc<Kind>,
    pub(super) path: &'a ResourcePath,
    pub(super) part: Part,
    pub(super) query: Query,
    pub(super) request: &'a Request<Vec<u8>>,
    pub(super) user: Arc<User>,
    /// The warnings for the client.
    pub(super) warnings: &'a mut Vec<String>,
}

impl Call<'_> {
    pub(super) fn header(&self, name: header::HeaderName) -> &str {
        self.request.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// Returns the namespace of the request; empty for cluster-scoped kinds.
    pub(super) fn namespace(&self) -> &str {
        if self.kind.namespaced { &self.path.namespace } else { "" }
    }

    /// Returns the field manager of a write: the given one, or the client's name in `User-Agent`.
    /// Source: `managerOrUserAgent`.
    pub(super) fn manager(&self, given: &str) -> String {
        if !given.is_empty() {
            return given.to_owned();
        }
        let agent = self.request.headers().get(header::USER_AGENT);
        let agent = agent.map(header::HeaderValue::as_bytes).unwrap_or_default();
        let agent = String::from_utf8_lossy(agent);
        let agent = agent.split('/').next().unwrap_or_default();
        let mut name = String::new();
        for c in agent.chars().filter(|c| !c.is_control()) {
            if name.len() + c.len_utf8() > 128 {
                break;
            }
            name.push(c);
        }
        name
    }
}

impl Core {
    pub(super) fn new(store: Store, clock: Clock, ids: Ids) -> Self {
        let mut core = Self {
            store,
            catalog: Catalog::default(),
            clock,
            ids,
            kubernetes: KubernetesVersion::REFERENCE,
            converters: BTreeMap::new(),
            controllers: true,
            workloads: false,
            orphaned: Vec::new(),
            dependents: Vec::new(),
            approvals: BTreeMap::new(),
            definitions: false,
            authorizes: false,
            waiting: Waiting::default(),
        };
        core.make_namespaces();
        core
    }

    /// Answers a request, and runs the controllers until nothing changes.
    pub(super) fn handle(
        &mut self,
        request: &Request<Vec<u8>>,
        warnings: &mut Vec<String>,
    ) -> Answer<Reply> {
        let answer = self.route(request, warnings);
        self.settle();
        answer
    }

    /// Tries to answer a request. If the answer depends on webhooks that have not been called, `memo` is
    /// [waiting](Memo::is_waiting) afterwards, and nothing has changed.
    pub(super) fn attempt(
        &mut self,
        request: &Request<Vec<u8>>,
        warnings: &mut Vec<String>,
        memo: &mut Memo,
    ) -> Answer<Reply> {
        if !self.catalog.calls_webhooks() && !self.admits_by_webhooks() {
            return self.route(request, warnings);
        }
        // Each try makes the same ids at the same time, so that earlier answers of webhooks remain valid.
        let ids = memo.ids.get_or_insert_with(|| Ids::new(self.ids.next())).clone();
        let now = *memo.now.get_or_insert_with(|| self.clock.now());
        let ids = std::mem::replace(&mut self.ids, ids);
        let clock = std::mem::replace(&mut self.clock, Clock(Arc::new(move || now)));
        self.waiting.begin(memo);
        let answer = self.route(request, warnings);
        self.waiting.end(memo);
        self.ids = ids;
        self.clock = clock;
        answer
    }

    /// Runs the controllers until nothing changes. If they depend on webhooks that have not been called, `memo` is
    /// waiting afterwards, and the next call continues the work.
    pub(super) fn settle_with(&mut self, memo: &mut Memo) {
        self.waiting.begin(memo);
        self.settle();
        self.waiting.end(memo);
    }

    /// Answers a request without running the controllers, which is left to [`Core::settle`].
    pub(super) fn route(
        &mut self,
        request: &Request<Vec<u8>>,
        warnings: &mut Vec<String>,
    ) -> Answer<Reply> {
        let user = self.user(request)?;
        match Target::of(request.uri().path()) {
            Target::Path(parts) => {
                if self.authorizes {
                    self.authorized(&Asked::of_path(request, &user))?;
                }
                self.document(&parts, request)
            }
            Target::Resource(path) => {
                if self.authorizes {
                    self.authorized(&Asked::of(&path, request, &user))?;
                }
                let review = self.review(&path, request, &user);
                review.unwrap_or_else(|| self.resource(&path, request, user, warnings))
            }
        }
    }

    /// Source: `crdHandler.ServeHTTP` in `pkg/apiserver/customresource_handler.go` of apiextensions-apiserver.
    fn resource(
        &mut self,
        path: &ResourcePath,
        request: &Request<Vec<u8>>,
        user: Arc<User>,
        warnings: &mut Vec<String>,
    ) -> Answer<Reply> {
        let found = self.catalog.find(&path.group, &path.version, &path.resource);
        let Some(kind) = found.cloned() else {
            let is_built_in = self
                .catalog
                .all()
                .any(|kind| kind.compiled().is_none() && kind.group == path.group);
            return Err(no_such_resource(is_built_in));
        };
        let is_custom = kind.compiled().is_some();
        if !is_custom {
            let accept = request.headers().get(header::ACCEPT);
            let accept = accept.and_then(|value| value.to_str().ok()).unwrap_or_default();
            let is_list = request.method() == Method::GET && path.name.is_empty();
            media::check_route(accept, is_list)?;
        }
        let query = Query::parse(request.uri().query().unwrap_or_default());
        let is_named = !path.name.is_empty();
        let reads_all = request.method() == Method::GET && !is_named;
        let in_namespace = !path.namespace.is_empty() && path.resource != "namespaces";
        if in_namespace != kind.namespaced && (in_namespace || !reads_all) {
            // Built-in kinds have routes, and the one for all namespaces is read-only.
            if !is_custom && kind.namespaced && !is_named {
                return Err(Failure::method_not_allowed());
            }
            return Err(no_such_resource(!is_custom));
        }
        warnings.extend(kind.warnings.iter().cloned());
        let part = match path.subresource.as_str() {
            "" => Part::Object,
            "status" if kind.has_status => Part::Status,
            "scale" if kind.has_scale => Part::Scale,
            "finalize" if path.resource == "namespaces" => Part::Object,
            _ if is_custom => {
                return Err(Failure::not_found(kind.resource(), &path.name));
            }
            _ => return Err(no_such_resource(true)),
        };
        let mut call = Call { kind, path, part, query, request, user, warnings };
        let is_subresource = !path.subresource.is_empty();
        match (request.method(), is_named) {
            (&Method::GET | &Method::HEAD, true)
                if call.query.flag("watch") == Some(true) && !is_subresource =>
            {
                self.list_or_watch(&mut call)
            }
            (&Method::GET | &Method::HEAD, true) => self.get(&mut call),
            (&Method::GET | &Method::HEAD, false) => self.list_or_watch(&mut call),
            (&Method::POST, false) => self.create(&mut call),
            // Upstream: for custom resources, a POST creates an object even if its path has a name.
            (&Method::POST, true) if is_custom && !is_subresource => self.create(&mut call),
            (&Method::PUT, false) if is_custom => Err(Failure::bad_request(NO_NAME)),
            (&Method::PATCH, false) if is_custom => self.patch(&mut call),
            (&Method::PUT, true) => self.replace(&mut call),
            (&Method::PATCH, true) => self.patch(&mut call),
            (&Method::DELETE, true) if !is_subresource => self.delete(&mut call),
            (&Method::DELETE, false) => self.delete_collection(&mut call),
            (method, _) => Err(not_supported(&call.kind, method)),
        }
    }

    /// Returns the media type in which a client accepts objects.
    ///
    /// # Errors
    /// Status 406 if the server supports none of the accepted types.
    pub(super) fn accepted(call: &Call<'_>) -> Answer<media::Accepted> {
        // Upstream: the status of definitions has no columns.
        let has_table =
            call.part != Part::Status || !matches!(call.kind.strategy, Strategy::Definition);
        let allows: media::Allows =
            if has_table { media::of_objects } else { media::of_objects_without_columns };
        media::negotiate(call.header(header::ACCEPT), allows)
    }

    /// Stores an object, and notes the controllers that have to process it.
    pub(super) fn put(
        &mut self,
        resource: &str,
        key: &str,
        object: Value,
        written_by: u64,
    ) -> Arc<Stored> {
        let stored = self.store.put(resource, key, object, written_by);
        if resource == definition::RESOURCE {
            self.definitions = true;
        }
        if metadata::has(&stored.object, "ownerReferences") || metadata::is_deleting(&stored.object)
        {
            self.dependents.push((resource.into(), key.into()));
        }
        stored
    }

    /// Stores an object that a request has made, and returns it in the version of the request.
    ///
    /// # Errors
    /// If it cannot be converted, or webhooks have yet to be called; then nothing has been stored.
    pub(super) fn commit(&mut self, kind: &Kind, key: &str, object: Value) -> Answer<Value> {
        let answer = kind.read_back(&object)?;
        self.waiting.check()?;
        let stored = self.put(&kind.storage, key, object, kind.id);
        Ok(match answer {
            None => stored.object.clone(),
            Some(mut answer) => {
                set_revision(&mut answer, stored.revision);
                answer
            }
        })
    }

    /// Removes an object, and notes the controllers that have to process the removal.
    pub(super) fn remove(&mut self, resource: &str, key: &str) -> Option<Arc<Stored>> {
        let gone = self.store.remove(resource, key)?;
        // A definition that is being deleted waits for the removal of its last object.
        let (group, plural) = resource.split_once('/').unwrap_or_default();
        if resource == definition::RESOURCE || self.catalog.is_terminating(group, plural) {
            self.definitions = true;
        }
        self.orphaned.push(gone.text("uid").to_owned());
        Some(gone)
    }

    /// Rebuilds the kinds of all definitions after a change of converters.
    pub(super) fn redefine(&mut self) {
        self.catalog.forget_all();
        self.definitions = true;
        self.settle();
    }

    /// Runs the controllers until nothing changes.
    pub(super) fn settle(&mut self) {
        for _ in 0..MAX_ROUNDS {
            let work = (self.definitions, self.orphaned.clone(), self.dependents.clone());
            let mut changed = std::mem::take(&mut self.definitions) && self.settle_definitions();
            if self.controllers {
                changed |= self.aggregate_roles();
                changed |= self.collect_garbage();
                changed |= self.settle_namespaces();
            } else {
                self.orphaned.clear();
                self.dependents.clear();
            }
            changed |= self.settle_workloads();
            if self.waiting.is_waiting() {
                self.definitions |= work.0;
                self.orphaned.extend(work.1);
                self.dependents.extend(work.2);
                return;
            }
            if !changed && !self.definitions {
                return;
            }
        }
    }
}

/// Built-in groups have routes of their own, which return the failure as a `Status`.
fn no_such_resource(is_built_in: bool) -> Failure {
    if is_built_in { Failure::no_such_route() } else { Failure::no_such_path() }
}

fn not_supported(kind: &Kind, method: &Method) -> Failure {
    if kind.compiled().is_none() {
        return Failure::method_not_allowed();
    }
    let verb = match *method {
        Method::POST => "create",
        Method::PUT => "update",
        Method::PATCH => "patch",
        Method::DELETE => "delete",
        _ => "",
    };
    Failure::method_not_supported(kind.resource(), verb)
}

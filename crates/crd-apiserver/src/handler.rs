//! Authorizes a request, finds its kind and its verb, and calls the method of the verb.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use http::{Method, Request, header};

use super::authorization::AuthorizerAttributes;
use super::call::Call;
use super::core::Core;
use super::failure::{Answer, Failure, NO_NAME};
use super::kind::ServedKind;
use super::media;
use super::namespaces;
use super::query::{Query, check_timeout};
use super::reply::Reply;
use super::source::{Clock, Ids};
use super::target::{Part, RequestTarget, ResourcePath};
use super::user::User;
use super::webhooks::Memo;

impl Core {
    /// Tries to answer a request. If the answer depends on webhooks that have not been called, `memo` is
    /// [waiting](Memo::is_waiting) afterwards, and nothing has changed.
    pub(super) fn attempt(
        &mut self,
        request: &Request<Vec<u8>>,
        warnings: &mut Vec<String>,
        memo: &mut Memo,
    ) -> Answer<Reply> {
        self.with_memo(memo, |core| core.route(request, warnings))
    }

    /// Tries to do something that may depend on webhooks, as [`Core::attempt`] does. A panic is returned as a failure.
    pub(super) fn with_memo<T>(
        &mut self,
        memo: &mut Memo,
        act: impl FnOnce(&mut Self) -> Answer<T>,
    ) -> Answer<T> {
        if !self.catalog.calls_webhooks() && !self.has_webhook_configurations() {
            return caught(|| act(self));
        }
        // All tries generate the same ids and see the same time. So they send the same reviews, and the responses to
        // reviews of earlier tries remain valid.
        let ids = memo.ids.get_or_insert_with(|| Ids::new(self.ids.next())).clone();
        let now = *memo.now.get_or_insert_with(|| self.clock.now());
        let ids = std::mem::replace(&mut self.ids, ids);
        let clock = std::mem::replace(&mut self.clock, Clock(now));
        self.webhook_calls.begin(memo);
        let answer = caught(|| act(self));
        self.webhook_calls.end(memo);
        self.ids = ids;
        self.clock = clock;
        answer
    }

    /// Answers a request. The caller then has to run the controllers, by [`Core::settle`].
    pub(super) fn route(
        &mut self,
        request: &Request<Vec<u8>>,
        warnings: &mut Vec<String>,
    ) -> Answer<Reply> {
        let target = RequestTarget::of(request.uri().path());
        check_deadline(&target, request)?;
        let user = self.user(request)?;
        match target {
            RequestTarget::Path(parts) => {
                if self.authorizes {
                    self.authorized(&AuthorizerAttributes::of_path(request, &user))?;
                }
                self.document(&parts, request)
            }
            RequestTarget::Resource(path) => {
                if self.authorizes {
                    self.authorized(&AuthorizerAttributes::of(&path, request, &user))?;
                }
                let review = self.review(&path, request, &user);
                review.unwrap_or_else(|| self.resource(&path, request, user, warnings))
            }
        }
    }

    /// Answers a request for a resource.
    ///
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
        let query = Query::parse(request.uri().query().unwrap_or_default()).watching(path.watches);
        if path.watches && !matches!(*request.method(), Method::GET | Method::HEAD) {
            return Err(Failure::method_not_allowed());
        }
        let is_named = !path.name.is_empty();
        let reads_all = request.method() == Method::GET && !is_named;
        let in_namespace = !path.namespace.is_empty() && path.resource != "namespaces";
        if in_namespace != kind.namespaced && (in_namespace || !reads_all) {
            // Upstream: the route of a built-in kind for all namespaces exists, but only for reading.
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
            _ if is_custom => {
                return Err(Failure::not_found(kind.resource(), &path.name));
            }
            other => Part::of(&kind.storage, other, self.kubernetes.minor())
                .ok_or_else(|| no_such_resource(true))?,
        };
        let is_subresource = !path.subresource.is_empty();
        let mut call = Call { kind, path, part, query, request, user, warnings };
        if let Some(answer) = self.subresource(&mut call) {
            return answer;
        }
        if !is_custom {
            check_route(&call.kind, request, is_named, is_subresource)?;
            if part == Part::Finalize && request.method() != Method::PUT {
                return Err(Failure::method_not_allowed());
            }
        }
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
}

/// Checks the timeout of a request, unless it is a watch. Source: `WithRequestDeadline`.
fn check_deadline(target: &RequestTarget, request: &Request<Vec<u8>>) -> Answer<()> {
    let watches = matches!(target, RequestTarget::Resource(path) if path.watches);
    let query = Query::parse(request.uri().query().unwrap_or_default()).watching(watches);
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    if is_read && query.flag("watch") == Some(true) { Ok(()) } else { check_timeout(&query) }
}

/// Runs code, and returns a panic as the failure of its request, so that the state of the server remains usable.
/// Source: `WithPanicRecovery` of `pkg/server/filters/wrap.go`.
fn caught<T>(act: impl FnOnce() -> Answer<T>) -> Answer<T> {
    catch_unwind(AssertUnwindSafe(act)).unwrap_or_else(|_| Err(Failure::panicked()))
}

/// Checks that a built-in kind has a route for the method of a request, and then that this route produces a media type
/// that the client accepts. Source: `detectRoute` of go-restful.
///
/// # Errors
/// Status 405 for a method without a route, 406 if the server supports none of the accepted types.
fn check_route(
    kind: &ServedKind,
    request: &Request<Vec<u8>>,
    is_named: bool,
    is_subresource: bool,
) -> Answer<()> {
    let has_route = match *request.method() {
        Method::GET | Method::HEAD => true,
        Method::POST => !is_named,
        Method::PUT | Method::PATCH => is_named,
        // Upstream: the storage of namespaces cannot delete a collection.
        Method::DELETE => !is_subresource && (is_named || &*kind.storage != namespaces::RESOURCE),
        _ => false,
    };
    if !has_route {
        return Err(Failure::method_not_allowed());
    }
    let accept = request.headers().get(header::ACCEPT);
    let accept = accept.and_then(|value| value.to_str().ok()).unwrap_or_default();
    media::check_route(accept, request.method() == Method::GET && !is_named)
}

/// Returns the failure for a resource that is not served. Upstream: only built-in groups return a `Status`.
fn no_such_resource(is_built_in: bool) -> Failure {
    if is_built_in { Failure::no_such_route() } else { Failure::no_such_path() }
}

fn not_supported(kind: &ServedKind, method: &Method) -> Failure {
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

//! Authorizes a request, finds its kind and its verb, and calls the function of the verb.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use http::{Method, Request, header};

use super::call::Call;
use super::core::Core;
use super::failure::{Answer, Failure, NO_NAME};
use super::kind::{ServedKind, Strategy};
use super::query::{Query, check_timeout};
use super::reply::Reply;
use super::source::{Clock, Ids};
use super::target::{Part, RequestTarget, ResourcePath};
use super::user::User;
use super::webhooks::Memo;
use super::{
    admission, authorization, create, delete, discovery, list, media, namespaces, patch,
    subresources, update,
};

/// Tries to do something that may depend on webhooks. If it depends on some that have not been called, `memo` is
/// [waiting](Memo::is_waiting) afterwards, and nothing has changed. A panic is returned as a failure.
pub(super) fn with_memo<T>(
    core: &mut Core,
    memo: &mut Memo,
    act: impl FnOnce(&mut Core) -> Answer<T>,
) -> Answer<T> {
    // A panic is the failure of its request, so that the state of the server remains usable.
    // Source: `WithPanicRecovery` of `pkg/server/filters/wrap.go`.
    let act = |core: &mut Core| {
        catch_unwind(AssertUnwindSafe(|| act(core))).unwrap_or_else(|_| Err(Failure::panicked()))
    };
    if !core.catalog.calls_webhooks() && !admission::has_webhook_configurations(&core.store) {
        return act(core);
    }
    // All tries generate the same ids and see the same time. So they send the same reviews, and the responses to
    // reviews of earlier tries remain valid.
    let ids = memo.ids.get_or_insert_with(|| Ids::new(core.ids.next())).clone();
    let now = *memo.now.get_or_insert_with(|| core.clock.now());
    let ids = std::mem::replace(&mut core.ids, ids);
    let clock = std::mem::replace(&mut core.clock, Clock(now));
    core.webhook_calls.begin(memo);
    let answer = act(core);
    core.webhook_calls.end(memo);
    core.ids = ids;
    core.clock = clock;
    answer
}

/// Answers a request. The caller then has to run the controllers, by `controllers::settle`.
pub(super) fn route(
    core: &mut Core,
    request: &Request<Vec<u8>>,
    warnings: &mut Vec<String>,
) -> Answer<Reply> {
    let target = RequestTarget::of(request.uri().path());
    check_deadline(&target, request)?;
    let user = authorization::authorize(core, &target, request)?;
    match target {
        RequestTarget::Path(parts) => discovery::document(core, &parts, request),
        RequestTarget::Resource(path) => {
            let review = authorization::review(core, &path, request, &user);
            review.unwrap_or_else(|| resource(core, &path, request, user, warnings))
        }
    }
}

/// Answers a request for a resource.
///
/// Source: `crdHandler.ServeHTTP` in `pkg/apiserver/customresource_handler.go` of apiextensions-apiserver.
fn resource(
    core: &mut Core,
    path: &ResourcePath,
    request: &Request<Vec<u8>>,
    user: Arc<User>,
    warnings: &mut Vec<String>,
) -> Answer<Reply> {
    let found = core.catalog.find(&path.group, &path.version, &path.resource);
    let Some(kind) = found.cloned() else {
        let is_built_in =
            core.catalog.all().any(|kind| kind.compiled().is_none() && kind.group == path.group);
        return Err(no_such_resource(is_built_in));
    };
    let is_custom = kind.compiled().is_some();
    let query = Query::parse(request.uri().query().unwrap_or_default());
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
        other => Part::of(&kind.storage, other, core.catalog.kubernetes.minor())
            .ok_or_else(|| no_such_resource(true))?,
    };
    let is_subresource = !path.subresource.is_empty();
    let mut call = Call {
        kind,
        path,
        part,
        query,
        request,
        user,
        dry_run: false,
        is_mutated: false,
        requested_name: String::new(),
        warnings,
    };
    if let Some(answer) = subresources::answer(core, &mut call) {
        return answer;
    }
    if !is_custom {
        check_route(&call.kind, request, is_named, is_subresource)?;
        if let Strategy::BuiltIn(built_in) = &call.kind.strategy {
            let minor = core.catalog.kubernetes.minor();
            call.warnings.extend(built_in.deprecation(minor).map(str::to_owned));
        }
        if part == Part::Finalize && request.method() != Method::PUT {
            return Err(Failure::method_not_allowed());
        }
    }
    if call.kind.is_read_only() && !is_named && call.query.flag("watch") == Some(true) {
        return Err(Failure::method_not_supported(call.kind.resource(), "watch"));
    }
    match (request.method(), is_named) {
        // Upstream: the parameter `watch` does not make a watch of the request for a single object.
        (&Method::GET | &Method::HEAD, true) if path.watches && !is_subresource => {
            list::list_or_watch(core, &mut call)
        }
        (&Method::GET | &Method::HEAD, true) => list::get(core, &mut call),
        (&Method::GET | &Method::HEAD, false) => list::list_or_watch(core, &mut call),
        (&Method::POST, false) => create::create(core, &mut call),
        // Upstream: for custom resources, a POST creates an object even if its path has a name.
        (&Method::POST, true) if is_custom && !is_subresource => create::create(core, &mut call),
        (&Method::PUT, false) if is_custom => Err(Failure::bad_request(NO_NAME)),
        (&Method::PATCH, false) if is_custom => patch::patch(core, &mut call),
        (&Method::PUT, true) => update::replace(core, &mut call),
        (&Method::PATCH, true) => patch::patch(core, &mut call),
        (&Method::DELETE, true) if !is_subresource => delete::delete(core, &mut call),
        (&Method::DELETE, false) => delete::delete_collection(core, &mut call),
        (method, _) => Err(not_supported(&call.kind, method)),
    }
}

/// Checks the timeout of a request, unless it is a watch. Source: `WithRequestDeadline`.
fn check_deadline(target: &RequestTarget, request: &Request<Vec<u8>>) -> Answer<()> {
    let query = Query::parse(request.uri().query().unwrap_or_default());
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    let is_watch = match target {
        RequestTarget::Resource(path) => path.verb(request.method(), &query) == "watch",
        RequestTarget::Path(_) => is_read && query.flag("watch") == Some(true),
    };
    if is_watch { Ok(()) } else { check_timeout(&query) }
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
        Method::GET => true,
        _ if kind.is_read_only() => false,
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

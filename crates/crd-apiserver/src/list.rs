//! Gets an object, and lists objects at the current or an earlier resource version.
//!
//! Source: `k8s.io/apiserver/pkg/endpoints/handlers/get.go`, `pkg/storage/etcd3/store.go` and
//! `pkg/storage/continue.go`.

use std::ops::Bound;
use std::sync::Arc;

use crd_cel::base64::URL_SAFE_UNPADDED;
use http::StatusCode;
use serde_json::{Map, Value, json};

use super::call::Call;
use super::core::Core;
use super::failure::{Answer, Failure};
use super::kind::ServedKind;
use super::query::{Query, check_options, parse_version};
use super::reply::Reply;
use super::selection::Selection;
use super::store::{Content, RevisionError, Store, StoredObject};
use super::target::Part;
use super::undecodable::{self, Undecodable};
use super::{scale, watch};
use crate::differences::Difference;
use crate::field::{Error, ErrorList, Path};
use crd_cel::kubernetes::KubernetesVersion;

/// The message for a continue token whose resource version has been compacted.
pub(super) const CONTINUE_EXPIRED: &str = "The provided continue parameter is too old to display a consistent list result. You can start a \
    new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the \
    results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, \
    or deleted between the time the first chunk was returned and now may show up in the list.";

/// The options of a list request.
#[derive(Debug, Default)]
pub(super) struct ListOptions {
    /// `resourceVersion`; empty if absent.
    pub(super) resource_version: String,
    /// `resourceVersionMatch`; empty if absent.
    pub(super) version_match: String,
    /// The maximum number of items; 0 if there is none.
    limit: usize,
    /// The continue token; empty if absent.
    continue_token: String,
}

impl ListOptions {
    /// Parses and validates the options.
    ///
    /// # Errors
    /// Status 400 for values that cannot be parsed, 422 for invalid values and combinations.
    pub(super) fn parse(query: &Query) -> Answer<Self> {
        let limit = query.number("limit")?.unwrap_or_default();
        let options = Self {
            resource_version: query.text("resourceVersion").to_owned(),
            version_match: query.text("resourceVersionMatch").to_owned(),
            limit: usize::try_from(limit).unwrap_or_default(),
            continue_token: query.text("continue").to_owned(),
        };
        let mut errors = ErrorList::new();
        let path = Path::new("resourceVersionMatch");
        if !options.version_match.is_empty() {
            if options.resource_version.is_empty() {
                let why = "resourceVersionMatch is forbidden unless resourceVersion is provided";
                errors.push(Error::forbidden(&path, why));
            }
            if !options.continue_token.is_empty() {
                let why = "resourceVersionMatch is forbidden when continue is provided";
                errors.push(Error::forbidden(&path, why));
            }
            if !matches!(options.version_match.as_str(), "Exact" | "NotOlderThan") {
                let known = ["Exact", "NotOlderThan", ""];
                errors.push(Error::not_supported(&path, options.version_match.as_str(), known));
            }
            if options.version_match == "Exact" && options.resource_version == "0" {
                let why = "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"";
                errors.push(Error::forbidden(&path, why));
            }
        }
        if query.get("sendInitialEvents").is_some() {
            let why = "sendInitialEvents is forbidden for list";
            errors.push(Error::forbidden(&Path::new("sendInitialEvents"), why));
        }
        check_options("ListOptions", &errors)?;
        Ok(options)
    }
}

pub(super) fn get(core: &Core, call: &mut Call<'_>) -> Answer<Reply> {
    let accepted = call.accepted()?;
    let wanted = parse_version(call.query.text("resourceVersion")).map_err(Failure::bare)?;
    if wanted > core.store.revision() {
        return Err(Failure::too_new(wanted, core.store.revision()));
    }
    let kind = Arc::clone(&call.kind);
    let name = &call.path.name;
    let found = core.store.get(&kind.storage, &kind.key(call.namespace(), name));
    let stored = found.ok_or_else(|| Failure::not_found(kind.resource(), name))?;
    if call.part != Part::Scale && kind.reads_as_stored(stored) {
        let stored = Content::Stored(Arc::clone(stored));
        return Ok(Reply::object(StatusCode::OK, call, accepted, stored));
    }
    let object = undecodable::read_stored(core, &kind, &kind.key(call.namespace(), name), stored)?;
    if call.part == Part::Scale {
        let scale = scale::get(&kind, &object)?;
        return Ok(Reply::object(StatusCode::OK, call, accepted, scale));
    }
    Ok(Reply::object(StatusCode::OK, call, accepted, object))
}

pub(super) fn list_or_watch(core: &mut Core, call: &mut Call<'_>) -> Answer<Reply> {
    let accepted = call.accepted()?;
    let name = call.path.name.clone();
    let mut selection = Selection::read(&call.query, core.catalog.kubernetes)?;
    let asks = call.query.flag("watch") == Some(true);
    if asks || call.path.watches {
        let options = if asks {
            watch::WatchOptions::parse(&call.query)?
        } else {
            ListOptions::parse(&call.query)?;
            watch::WatchOptions::of_path(&call.query)?
        };
        selection.check(&call.kind, &name)?;
        let watch = watch::watch(core, call, accepted, selection, &options)?;
        return Ok(Reply::Watch(Box::new(watch)));
    }
    let options = ListOptions::parse(&call.query)?;
    selection.check(&call.kind, &name)?;
    let list = listed(core, &call.kind, call.namespace(), &selection, &options)?;
    Ok(Reply::object(StatusCode::OK, call, accepted, list))
}

/// Returns the list that the client gets: the selected objects, and the metadata of the list.
pub(super) fn listed(
    core: &Core,
    kind: &ServedKind,
    namespace: &str,
    selection: &Selection,
    options: &ListOptions,
) -> Answer<Value> {
    let prefix = kind.prefix(namespace);
    let is_single = options.continue_token.is_empty() && selection.is_single(kind, namespace);
    // Source: `computeListLimit` of `pkg/storage/cacher`. Events are not cached.
    let is_of_cache = options.resource_version == "0" && kind.names.plural != "events";
    let limit = if is_single || is_of_cache { 0 } else { options.limit };
    let (from, at) = range_start(&core.store, options, &prefix, is_single)?;
    let revision = at.unwrap_or(core.store.revision());
    let past = match at.filter(|at| *at != core.store.revision()) {
        None => None,
        Some(at) => Some(core.store.objects_at(&kind.storage, at).map_err(|why| match why {
            RevisionError::Future => Failure::too_new(at, core.store.revision()),
            RevisionError::Compacted if options.continue_token.is_empty() => {
                Failure::expired("The resourceVersion for the provided list is too old.")
            }
            RevisionError::Compacted => {
                let mut failure = Failure::expired(CONTINUE_EXPIRED);
                failure.continue_token =
                    Some(encode_token(from.strip_prefix(&prefix).unwrap_or(&from), -1).into());
                failure
            }
        })?),
    };
    let objects: Vec<(&Arc<str>, &Arc<StoredObject>)> = match &past {
        None => {
            core.store.list(&kind.storage, &prefix).filter(|(key, _)| ***key >= *from).collect()
        }
        Some(past) => past
            .range::<str, _>((Bound::Included(from.as_str()), Bound::Unbounded))
            .take_while(|(key, _)| key.starts_with(&prefix))
            .collect(),
    };
    let (mut items, mut next) = (Vec::new(), None);
    let mut undecodable = Undecodable::default();
    let mut objects = objects.into_iter().peekable();
    let left = objects.len();
    while let Some((key, stored)) = objects.next() {
        let object = undecodable::read_listed(core, kind, key, stored, &mut undecodable)?;
        let Some(object) = object else { continue };
        if selection.matches(kind, &object)? {
            items.push(in_list(kind, object));
        }
        let is_full = limit > 0 && items.len() >= limit;
        if is_full && objects.peek().is_some() {
            let start = key.strip_prefix(prefix.as_str()).unwrap_or(key);
            let revision = i64::try_from(revision).unwrap_or(i64::MAX);
            next = Some(encode_token(
                &token_key(core.catalog.kubernetes, kind, &format!("{start}\0")),
                revision,
            ));
            break;
        }
    }
    core.webhook_calls.check()?;
    undecodable.check(kind)?;
    let mut metadata = Map::new();
    metadata.insert("resourceVersion".to_owned(), revision.to_string().into());
    // Upstream: lists of custom resources are unstructured, so `continue` is written even if it is empty.
    if kind.compiled().is_some() {
        metadata.insert("continue".to_owned(), "".into());
    }
    if let Some(next) = next {
        metadata.insert("continue".to_owned(), next.into());
        if selection.is_all() {
            metadata.insert("remainingItemCount".to_owned(), (left - items.len()).into());
        }
    }
    Ok(json!({
        "apiVersion": kind.api_version(), "kind": kind.names.list_kind,
        "metadata": metadata, "items": items,
    }))
}

/// Returns a key in the form that continue tokens contain.
fn token_key(kubernetes: KubernetesVersion, kind: &ServedKind, key: &str) -> String {
    // Upstream: the cache strips a shorter prefix than etcd's client does, so that the key begins with a slash.
    // Events are not cached.
    if kind.names.plural != "events" && Difference::ListsFromCaches.is_in(kubernetes) {
        format!("/{key}")
    } else {
        key.to_owned()
    }
}

/// Returns the key that a list begins with, and the revision at which it is read; `None` for the newest.
///
/// Upstream: a single object at an exact version is read from the storage, other lists from the cache. Their errors
/// for a version that is newer than the current one differ.
///
/// Source: `ValidateListOptions` of `pkg/storage/interfaces.go`, and `ShouldDelegateExactRV` of
/// `pkg/storage/cacher/cacher.go`.
fn range_start(
    store: &Store,
    options: &ListOptions,
    prefix: &str,
    is_single: bool,
) -> Answer<(String, Option<u64>)> {
    if !options.continue_token.is_empty() {
        let (start, revision) = decode_token(&options.continue_token)
            .map_err(|why| Failure::bad_request(format!("invalid continue token: {why}")))?;
        if !options.resource_version.is_empty() && options.resource_version != "0" {
            let why = "specifying resource version is not allowed when using continue";
            return Err(Failure::bad_request(why));
        }
        return Ok((format!("{prefix}{start}"), u64::try_from(revision).ok()));
    }
    let wanted = parse_version(&options.resource_version)
        .map_err(|why| Failure::bad_request(format!("invalid resource version: {why}")))?;
    let is_exact = options.version_match == "Exact";
    // Upstream: a limit without `resourceVersionMatch` makes the version exact.
    let is_exact_by_limit = options.version_match.is_empty() && options.limit > 0 && wanted > 0;
    let now = store.revision();
    if wanted > now {
        let is_in_storage = is_single && (is_exact || is_exact_by_limit);
        return Err(if is_in_storage {
            Failure::too_new_in_storage(wanted, now)
        } else {
            Failure::too_new(wanted, now)
        });
    }
    let is_read_at_wanted = is_exact || is_exact_by_limit && !is_single;
    Ok((prefix.to_owned(), is_read_at_wanted.then_some(wanted)))
}

/// Returns an object as an item of a list: items of built-in kinds have no `apiVersion` and `kind`.
pub(super) fn in_list(kind: &ServedKind, mut object: Value) -> Value {
    if kind.compiled().is_none()
        && let Value::Object(map) = &mut object
    {
        map.remove("apiVersion");
        map.remove("kind");
    }
    object
}

/// Returns a continue token. Source: `EncodeContinue`.
fn encode_token(start: &str, revision: i64) -> String {
    let token = json!({"v": "meta.k8s.io/v1", "rv": revision, "start": start});
    URL_SAFE_UNPADDED.encode(token.to_string().as_bytes())
}

/// Returns the key and the revision in a continue token. A negative revision stands for the newest one.
/// Source: `DecodeContinue`.
fn decode_token(text: &str) -> Result<(String, i64), String> {
    let invalid = |why: &str| format!("continue key is not valid: {why}");
    let bytes = URL_SAFE_UNPADDED
        .decode(text.as_bytes())
        .map_err(|at| invalid(&format!("illegal base64 data at input byte {at}")))?;
    let token = crate::json::decode(&bytes).map_err(|error| invalid(&error.to_string()))?.value;
    let version = token.get("v").and_then(Value::as_str).unwrap_or_default();
    if version != "meta.k8s.io/v1" {
        let why = "continue key is not valid: server does not recognize this encoded version";
        return Err(format!("{why} {version}"));
    }
    let revision = token.get("rv").and_then(Value::as_i64).unwrap_or_default();
    if revision == 0 {
        return Err(invalid("incorrect encoded start resourceVersion (version meta.k8s.io/v1)"));
    }
    let start = token.get("start").and_then(Value::as_str).unwrap_or_default();
    if start.is_empty() {
        return Err(invalid("encoded start key empty (version meta.k8s.io/v1)"));
    }
    // One leading slash is ignored.
    let key = start.strip_prefix('/').unwrap_or(start);
    if !key.is_empty() && key.split('/').any(|part| matches!(part, "" | "." | "..")) {
        return Err(invalid(start));
    }
    Ok((key.to_owned(), revision))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_round_trip() {
        for start in ["a\0", "default/web\0", "x/y-z.1\0"] {
            assert_eq!(decode_token(&encode_token(start, 7)), Ok((start.to_owned(), 7)));
        }
        assert_eq!(
            encode_token("a\0", 5),
            "eyJydiI6NSwic3RhcnQiOiJhXHUwMDAwIiwidiI6Im1ldGEuazhzLmlvL3YxIn0"
        );
        let broken = encode_token("a\0", 5).replacen("RhcnQ", "\r\nRhcnQ\n", 1);
        assert_eq!(decode_token(&broken), Ok(("a\0".to_owned(), 5)));
        assert_eq!(
            decode_token(&URL_SAFE_UNPADDED.encode(b"{\"v\":\"x\"}")).unwrap_err(),
            "continue key is not valid: server does not recognize this encoded version x"
        );
    }

    #[test]
    fn invalid_tokens_have_the_messages_of_go() {
        for (text, at) in [("?", 0), ("eyJ2?joi", 4), ("eyJ2I", 4), ("eyJ\n2I=", 6)] {
            let want = format!("continue key is not valid: illegal base64 data at input byte {at}");
            assert_eq!(decode_token(text), Err(want), "{text}");
        }
        let why = "invalid character 'i' looking for beginning of value";
        assert_eq!(decode_token("abc"), Err(format!("continue key is not valid: {why}")));
        for start in ["//a", "/a/", "a/", "a//b", "/./a", "a/..", "/.."] {
            let want = format!("continue key is not valid: {start}");
            assert_eq!(decode_token(&encode_token(start, 5)), Err(want));
        }
        assert_eq!(decode_token(&encode_token("/", 5)), Ok((String::new(), 5)));
        assert_eq!(decode_token(&encode_token("/a/b", 5)), Ok(("a/b".to_owned(), 5)));
    }
}

//! Watches: streams of changes of objects.
//!
//! Source: `k8s.io/apiserver/pkg/endpoints/handlers/watch.go` and `pkg/storage/cacher`.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use super::call::Call;
use super::core::Core;
use super::event_line::event_line;
use super::failure::{Answer, Failure};
use super::kind::ServedKind;
use super::media::Accepted;
use super::query::{Query, check_options, parse_version};
use super::selection::Selection;
use super::store::{StoreEvent, StoredObject, set_revision};
use super::{ordered_json, transform};
use crate::field::{Error, ErrorList, Path};

/// The minimum duration of a watch without `timeoutSeconds`, in seconds; the maximum is twice as long.
/// Source: `MinRequestTimeout` of `k8s.io/apiserver/pkg/server`.
const MIN_SECONDS: u64 = 1_800;
/// The annotation of the bookmark that follows the initial objects. Source: `InitialEventsAnnotationKey`.
const INITIAL_EVENTS_END: &str = "k8s.io/initial-events-end";

/// An open watch.
#[derive(Debug)]
pub(super) struct Watch {
    kind: Arc<ServedKind>,
    prefix: String,
    selection: Selection,
    accepted: Accepted,
    /// The value of `includeObject`: which part of its object a row of a table contains.
    include_object: String,
    /// The revision up to which all changes have been sent, or the one after which the watch begins.
    seen: u64,
    /// The initial events, one per line, which are sent before any change.
    initial_events: Vec<u8>,
    /// The resource version that the initial events wait for; 0 if they wait for none.
    awaited: u64,
    /// Whether a bookmark follows the initial events.
    marks_initial_end: bool,
    /// Whether a table has been sent: only the first one has column definitions.
    has_columns: bool,
    pub(super) timeout: Duration,
    pub(super) bookmarks: bool,
}

/// The events that a watch sends next.
#[derive(Debug, Default)]
pub(super) struct Batch {
    /// The events as JSON, one per line.
    pub(super) lines: Vec<u8>,
    /// Whether the watch ends after them.
    pub(super) is_over: bool,
}

/// The options of a watch request.
#[derive(Debug)]
pub(super) struct WatchOptions {
    version: u64,
    /// Whether the watch begins with the existing objects, as `ADDED` events.
    sends_initial: bool,
    /// Whether a bookmark follows the existing objects.
    marks_initial_end: bool,
    bookmarks: bool,
}

impl WatchOptions {
    /// Parses and validates the options.
    ///
    /// Source: `validateWatchOptions` and `SetListOptionsDefaults` of `pkg/apis/meta/internalversion`.
    ///
    /// # Errors
    /// Status 422 for invalid combinations of options, 500 for an invalid resource version.
    pub(super) fn parse(query: &Query) -> Answer<Self> {
        let (version, mut matching) =
            (query.text("resourceVersion"), query.text("resourceVersionMatch"));
        let mut initial = query.flag("sendInitialEvents");
        if initial.is_none() && matching.is_empty() && matches!(version, "" | "0") {
            (initial, matching) = (Some(true), "NotOlderThan");
        }
        let mut errors = ErrorList::new();
        let path = Path::new("resourceVersionMatch");
        if initial.is_some() && matching != "NotOlderThan" {
            let why = "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan";
            errors.push(Error::forbidden(&path, why));
        }
        if !matching.is_empty() {
            if initial.is_none() {
                let why = "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided";
                errors.push(Error::forbidden(&path, why));
            }
            if matching != "NotOlderThan" {
                errors.push(Error::not_supported(&path, matching, ["NotOlderThan"]));
            }
            if query.get("continue").is_some_and(|next| !next.is_empty()) {
                let why = "resourceVersionMatch is forbidden when continue is provided";
                errors.push(Error::forbidden(&path, why));
            }
        }
        check_options("ListOptions", &errors)?;
        let version = parse_version(version).map_err(Failure::bare)?;
        let initial = initial == Some(true);
        let bookmarks = query.flag("allowWatchBookmarks") == Some(true);
        let marks_initial_end = initial && bookmarks;
        Ok(Self { version, sends_initial: initial, marks_initial_end, bookmarks })
    }

    /// Parses the options of a path that asks for a watch, such as `/api/v1/watch/pods`. The caller validates them as
    /// those of a list.
    ///
    /// Upstream: only the parameter `watch` makes them options of a watch.
    ///
    /// # Errors
    /// Status 500 for an invalid resource version.
    pub(super) fn of_path(query: &Query) -> Answer<Self> {
        let version = parse_version(query.text("resourceVersion")).map_err(Failure::bare)?;
        let bookmarks = query.flag("allowWatchBookmarks") == Some(true);
        Ok(Self { version, sends_initial: version == 0, marks_initial_end: false, bookmarks })
    }
}

pub(super) fn watch(
    core: &mut Core,
    call: &Call<'_>,
    accepted: Accepted,
    selection: Selection,
    options: &WatchOptions,
) -> Answer<Watch> {
    let seconds = call.query.number("timeoutSeconds")?.filter(|seconds| *seconds != 0);
    // A watch with a negative timeout ends before it begins.
    let seconds = seconds.map(|seconds| u64::try_from(seconds).unwrap_or_default());
    let seconds = seconds.unwrap_or_else(|| MIN_SECONDS + core.ids.next() % MIN_SECONDS);
    let now = core.store.revision();
    let from_now = options.sends_initial || options.version == 0;
    let mut watch = Watch {
        kind: Arc::clone(&call.kind),
        prefix: call.kind.prefix(call.namespace()),
        selection,
        accepted,
        include_object: call.query.text("includeObject").to_owned(),
        seen: if from_now { now } else { options.version },
        initial_events: Vec::new(),
        awaited: 0,
        marks_initial_end: options.marks_initial_end,
        has_columns: false,
        timeout: Duration::from_secs(seconds),
        bookmarks: options.bookmarks,
    };
    if options.sends_initial && options.version > now {
        watch.awaited = options.version;
    } else if options.sends_initial {
        watch.add_initial_events(core)?;
    }
    core.webhook_calls.check()?;
    Ok(watch)
}

impl Watch {
    /// Returns whether the watch waits for a resource version that the server has not reached.
    pub(super) fn is_early(&self) -> bool {
        self.awaited > 0
    }

    /// Returns the event with which a watch ends that has waited too long.
    /// Source: `newErrWatcher` of `pkg/storage/cacher`.
    pub(super) fn too_early_line(&self, core: &Core) -> Vec<u8> {
        error_line(&Failure::too_new(self.awaited, core.store.revision()))
    }

    /// Adds an event for each existing object, and the bookmark after them.
    ///
    /// # Errors
    /// Returns an error if an object cannot be read.
    fn add_initial_events(&mut self, core: &Core) -> Answer<()> {
        self.seen = core.store.revision();
        let (kind, prefix) = (Arc::clone(&self.kind), self.prefix.clone());
        for (_, stored) in core.store.list(&kind.storage, &prefix) {
            if self.selection.is_all() && self.sends_as_stored(stored) {
                self.initial_events.extend(event_line("ADDED", stored.json()));
                continue;
            }
            let object = match kind.read(stored) {
                Err(_) if core.webhook_calls.is_waiting() => continue,
                read => read?,
            };
            if self.selection.matches(&kind, &object)? {
                let line = self.event_line(core, "ADDED", object)?;
                self.initial_events.extend(line);
            }
        }
        if self.marks_initial_end {
            let line = self.bookmark_line(core, true)?;
            self.initial_events.extend(line);
        }
        Ok(())
    }

    /// Returns the events of changes that the watch has not sent yet; `None` if webhooks have to convert objects first.
    pub(super) fn next_batch(&mut self, core: &Core) -> Option<Batch> {
        let before = (self.seen, self.initial_events.clone(), self.has_columns, self.awaited);
        let batch = self.batch(core);
        if !core.webhook_calls.is_waiting() {
            return Some(batch);
        }
        (self.seen, self.initial_events, self.has_columns, self.awaited) = before;
        None
    }

    fn batch(&mut self, core: &Core) -> Batch {
        if self.awaited > core.store.revision() {
            return Batch::default();
        }
        if std::mem::take(&mut self.awaited) > 0
            && let Err(failure) = self.add_initial_events(core)
        {
            return Batch { lines: error_line(&failure), is_over: true };
        }
        let mut batch = Batch { lines: std::mem::take(&mut self.initial_events), is_over: false };
        let Ok(events) = core.store.changes_since(self.seen) else {
            let text =
                format!("too old resource version: {} ({})", self.seen, core.store.compacted());
            batch.lines.extend(error_line(&Failure::expired(text)));
            batch.is_over = true;
            return batch;
        };
        for event in events {
            self.seen = event.revision;
            let is_watched =
                *event.resource == *self.kind.storage && event.key.starts_with(&self.prefix);
            if !is_watched {
                continue;
            }
            match self.change_line(core, event) {
                Ok(line) => batch.lines.extend(line),
                Err(_) if core.webhook_calls.is_waiting() => {}
                Err(failure) => {
                    batch.lines.extend(error_line(&failure));
                    batch.is_over = true;
                    return batch;
                }
            }
        }
        batch.is_over = !core.catalog.has(&self.kind);
        batch
    }

    /// Returns a bookmark of the revision up to which all changes have been sent.
    pub(super) fn bookmark(&mut self, core: &Core) -> Vec<u8> {
        self.bookmark_line(core, false).unwrap_or_default()
    }

    fn bookmark_line(&mut self, core: &Core, is_end: bool) -> Answer<Vec<u8>> {
        let mut object = json!({
            "apiVersion": self.kind.api_version(), "kind": self.kind.names.kind,
            "metadata": {"resourceVersion": self.seen.to_string()},
        });
        if is_end {
            object["metadata"]["annotations"] = json!({INITIAL_EVENTS_END: "true"});
        }
        self.event_line(core, "BOOKMARK", object)
    }

    /// Returns the event of a change; empty if the watch selects neither the old nor the new object.
    /// Source: `cacheWatcher.convertToWatchEvent`.
    fn change_line(&mut self, core: &Core, event: &StoreEvent) -> Answer<Vec<u8>> {
        let read = |stored: &Option<Arc<StoredObject>>| -> Answer<Option<Value>> {
            let Some(stored) = stored else { return Ok(None) };
            let object = self.kind.read(stored)?;
            Ok(self.selection.matches(&self.kind, &object)?.then_some(object))
        };
        let is_all = self.selection.is_all();
        // PERF: an object that is sent as it is stored is not decoded.
        if let Some(stored) = &event.after
            && is_all
            && self.sends_as_stored(stored)
        {
            let type_ = if event.before.is_some() { "MODIFIED" } else { "ADDED" };
            return Ok(event_line(type_, stored.json()));
        }
        // PERF: if all objects are selected, the old object is decoded only for its removal.
        let after = read(&event.after)?;
        let before = match (&after, is_all) {
            (Some(_), true) => event.before.is_some().then_some(Value::Null),
            _ => read(&event.before)?,
        };
        match (before, after) {
            (None, None) => Ok(Vec::new()),
            (None, Some(object)) => self.event_line(core, "ADDED", object),
            (Some(_), Some(object)) => self.event_line(core, "MODIFIED", object),
            (Some(mut object), None) => {
                set_revision(&mut object, event.revision);
                self.event_line(core, "DELETED", object)
            }
        }
    }

    /// Returns whether the watch can send the stored text of an object without decoding it.
    fn sends_as_stored(&self, stored: &StoredObject) -> bool {
        self.accepted.transform.is_none() && self.kind.reads_as_stored(stored)
    }

    /// Returns an event whose object has the form that the client accepts, such as a table.
    fn event_line(&mut self, core: &Core, type_: &str, object: Value) -> Answer<Vec<u8>> {
        let transform = self.accepted.transform.as_ref();
        let at = (core.clock.now(), core.catalog.kubernetes);
        let mut object =
            transform::transformed(&self.kind, transform, &self.include_object, object, at)?;
        if transform.is_some_and(|transform| transform.kind == "Table") {
            // Only the first table has column definitions.
            if self.has_columns
                && let Value::Object(table) = &mut object
            {
                table.insert("columnDefinitions".to_owned(), Value::Null);
            }
            self.has_columns = true;
        }
        Ok(event_line(type_, &ordered_json::to_string(&object)))
    }
}

pub(super) fn error_line(failure: &Failure) -> Vec<u8> {
    event_line("ERROR", &ordered_json::to_string(&failure.to_value()))
}

//! Columns of events, which are the same in both groups. Source: `printEvent`, `formatEventSource`.

use std::time::SystemTime;

use serde_json::Value;

use super::{Column, Field, NAME, STRING, number, of, since, str_at, text_of};
use crate::table;

pub(super) const EVENT: &[Column] = &[
    since("Last Seen", Field("/lastTimestamp"), last_seen),
    text_of("Type", "/type"),
    text_of("Reason", "/reason"),
    of("Object", STRING, Field("/involvedObject"), object),
    text_of("Subobject", "/involvedObject/fieldPath").wide(),
    of("Source", STRING, Field("/source"), source).wide(),
    of("Message", STRING, Field("/message"), |it| str_at(it, "/message").trim().into()),
    since("First Seen", Field("/firstTimestamp"), |it, now| table::age(first(it), now).into())
        .wide(),
    of("Count", STRING, Field("/count"), count).wide(),
    NAME.wide(),
];

fn first_of<'a>(event: &'a Value, pointers: [&str; 2]) -> &'a str {
    let mut texts = pointers.into_iter().map(|it| str_at(event, it));
    texts.find(|it| !it.is_empty()).unwrap_or_default()
}

fn first(event: &Value) -> &str {
    first_of(event, ["/firstTimestamp", "/eventTime"])
}

fn has_series(event: &Value) -> bool {
    event.get("series").is_some_and(Value::is_object)
}

fn last_seen(event: &Value, now: SystemTime) -> Value {
    let last = match str_at(event, "/lastTimestamp") {
        _ if has_series(event) => str_at(event, "/series/lastObservedTime"),
        "" => first(event),
        last => last,
    };
    table::age(last, now).into()
}

fn object(event: &Value) -> Value {
    let kind = str_at(event, "/involvedObject/kind").to_lowercase();
    match str_at(event, "/involvedObject/name") {
        "" => kind.into(),
        name => format!("{kind}/{name}").into(),
    }
}

fn source(event: &Value) -> Value {
    let source = first_of(event, ["/source/component", "/reportingComponent"]);
    match first_of(event, ["/source/host", "/reportingInstance"]) {
        "" => source.into(),
        host => format!("{source}, {host}").into(),
    }
}

fn count(event: &Value) -> Value {
    if has_series(event) {
        return number(event, "/series/count").into();
    }
    // An event that was written through `events.k8s.io` has no `count`.
    match number(event, "/count") {
        0 => 1.into(),
        count => count.into(),
    }
}

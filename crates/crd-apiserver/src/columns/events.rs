//! Columns of events, which are the same in both groups. Source: `printEvent`, `formatEventSource`.

use std::time::SystemTime;

use serde_json::Value;

use super::DescriptionSource::{Field, Name};
use super::{Printer, name, number, str_at, text};
use crate::events;
use crate::table;

pub(super) const EVENT: Printer = (
    &[
        ("Last Seen", "string", 0, Field(&["lastTimestamp"])),
        ("Type", "string", 0, Field(&["type"])),
        ("Reason", "string", 0, Field(&["reason"])),
        ("Object", "string", 0, Field(&["involvedObject"])),
        ("Subobject", "string", 1, Field(&["involvedObject", "fieldPath"])),
        ("Source", "string", 1, Field(&["source"])),
        ("Message", "string", 0, Field(&["message"])),
        ("First Seen", "string", 1, Field(&["firstTimestamp"])),
        ("Count", "string", 1, Field(&["count"])),
        ("Name", "string", 1, Name),
    ],
    |object, now| match str_at(object, "/apiVersion") {
        "v1" => event(object, now),
        _ => event(&events::convert(object.clone(), "v1"), now),
    },
);

fn event(object: &Value, now: SystemTime) -> Vec<Value> {
    let first_of = |pointers: [&str; 2]| {
        let mut texts = pointers.into_iter().map(|it| str_at(object, it));
        texts.find(|it| !it.is_empty()).unwrap_or_default()
    };
    let first = first_of(["/firstTimestamp", "/eventTime"]);
    let mut last = str_at(object, "/lastTimestamp");
    if last.is_empty() {
        last = first;
    }
    // An event that was written through `events.k8s.io` has no `count`.
    let mut count = match number(object, "/count") {
        0 => 1,
        count => count,
    };
    if object.get("series").is_some_and(Value::is_object) {
        last = str_at(object, "/series/lastObservedTime");
        count = number(object, "/series/count");
    }
    let mut target = str_at(object, "/involvedObject/kind").to_lowercase();
    let involved = str_at(object, "/involvedObject/name");
    if !involved.is_empty() {
        target = format!("{target}/{involved}");
    }
    let mut source = first_of(["/source/component", "/reportingComponent"]).to_owned();
    let host = first_of(["/source/host", "/reportingInstance"]);
    if !host.is_empty() {
        source = format!("{source}, {host}");
    }
    vec![
        table::age(last, now).into(),
        text(object, "/type"),
        text(object, "/reason"),
        target.into(),
        text(object, "/involvedObject/fieldPath"),
        source.into(),
        str_at(object, "/message").trim().into(),
        table::age(first, now).into(),
        count.into(),
        name(object),
    ]
}

//! Sends the same requests to the real server and to the in-process API server, and compares the answers.

use std::collections::BTreeMap;

use crd_apiserver::ApiServer;
use serde_json::{Value, json};

use crate::cluster::{Answer, Cluster, kubernetes};

/// Fields that each server writes with values of its own.
const OWN: [&str; 10] = [
    "uid",
    "resourceVersion",
    "creationTimestamp",
    "time",
    "lastTransitionTime",
    "lastPhaseTransitionTime",
    "clusterIP",
    "clusterIPs",
    "nodePort",
    "healthCheckNodePort",
];

/// The paths at which the real server and the in-process one call the same webhook.
pub(crate) const SIDES: [&str; 2] = ["/real", "/ours"];

/// Two servers that get the same requests.
pub(crate) struct Pair {
    pub(crate) real: Cluster,
    pub(crate) ours: Cluster,
    /// The differences found: each names the request and has both answers.
    pub(crate) differences: Vec<String>,
}

impl Pair {
    pub(crate) fn of(real: Cluster) -> Self {
        let server = ApiServer::builder().kubernetes(real.kubernetes).without_controllers().start();
        let ours = Cluster { client: server.client(), ..real.clone() };
        Self { real, ours, differences: Vec::new() }
    }

    /// Sends a request to both servers, compares the answers, and returns that of the real one.
    pub(crate) async fn ask(
        &mut self,
        what: &str,
        method: &str,
        path: &str,
        body: &Value,
    ) -> Answer {
        let bytes = if body.is_null() { Vec::new() } else { body.to_string().into_bytes() };
        self.send(what, method, path, "application/json", bytes).await
    }

    /// Sends a body of any type, as [`Pair::ask`] does.
    pub(crate) async fn send(
        &mut self,
        what: &str,
        method: &str,
        path: &str,
        content_type: &str,
        body: Vec<u8>,
    ) -> Answer {
        let json = "application/json";
        let real = self.real.send(method, path, content_type, json, body.clone()).await;
        let ours = self.ours.send(method, path, content_type, json, body).await;
        self.compare(what, &real, &ours);
        real
    }

    pub(crate) fn compare(&mut self, what: &str, real: &Answer, ours: &Answer) {
        let (wanted, found) = (shown(real), shown(ours));
        for (place, value) in &wanted {
            if found.get(place) != Some(value) {
                let other = found.get(place).map_or("nothing", String::as_str);
                self.differences.push(format!("{what}: {place} is {value}, here {other}"));
            }
        }
        for (place, value) in &found {
            if !wanted.contains_key(place) {
                self.differences.push(format!("{what}: {place} is nothing, here {value}"));
            }
        }
    }

    /// Fails if there are differences.
    #[track_caller]
    pub(crate) fn finish(self) {
        assert!(
            self.differences.is_empty(),
            "{} differences:\n{}",
            self.differences.len(),
            self.differences.join("\n")
        );
    }
}

/// Returns the values of an answer that are compared, by their places.
fn shown(answer: &Answer) -> BTreeMap<String, String> {
    let mut places = BTreeMap::new();
    places.insert("code".to_owned(), answer.code.to_string());
    // 1.32 and 1.33 also warn that a path overlaps itself.
    let is_compared =
        |text: &&String| kubernetes().minor() >= 34 || !text.contains(": overlapping paths: ");
    let warnings = answer.warnings.iter().filter(is_compared);
    places.insert("warnings".to_owned(), format!("{:?}", warnings.collect::<Vec<_>>()));
    let uid = answer.body["metadata"]["uid"].as_str().unwrap_or_default();
    collect(&answer.body, "", uid, &mut places);
    places
}

fn collect(value: &Value, place: &str, uid: &str, places: &mut BTreeMap<String, String>) {
    match value {
        Value::Object(map) if !map.is_empty() => {
            for (key, value) in map {
                let place = format!("{place}.{key}");
                if OWN.contains(&key.as_str()) && *value != "None" && *value != json!(["None"]) {
                    let shape = match value {
                        Value::Null => "null".to_owned(),
                        Value::Array(items) => format!("{} of its own", items.len()),
                        _ => "its own".to_owned(),
                    };
                    places.insert(place, shape);
                } else {
                    collect(value, &place, uid, places);
                }
            }
        }
        Value::Array(items) if !items.is_empty() => {
            let mut items: Vec<&Value> = items.iter().collect();
            // The server sorts them by their times, in seconds: two writes may lie within a second on one side only.
            if place.ends_with(".managedFields") {
                let of = |item: &Value, key| item[key].as_str().unwrap_or_default().to_owned();
                let keys = ["manager", "operation", "apiVersion", "subresource"];
                items.sort_by_key(|item| keys.map(|key| of(item, key)));
            }
            for (index, value) in items.iter().enumerate() {
                collect(value, &format!("{place}[{index}]"), uid, places);
            }
        }
        Value::String(text) if !uid.is_empty() && text == uid => {
            places.insert(place.to_owned(), "the uid".to_owned());
        }
        other => {
            places.insert(place.to_owned(), masked(&other.to_string()));
        }
    }
}

/// Hides what differs between two servers in texts: URLs, UIDs, times and revisions.
fn masked(text: &str) -> String {
    let text = SIDES.iter().fold(text.to_owned(), |text, side| text.replace(side, "/side"));
    let mut out = String::new();
    let mut rest = &*text;
    while let Some(first) = rest.chars().next() {
        let Some(after) = after_its_own(rest) else {
            out.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        };
        out.push_str("its own");
        rest = after;
    }
    out
}

/// Returns the text after a UID, a time or a revision at its beginning.
fn after_its_own(text: &str) -> Option<&str> {
    let shape = |c: char| if c.is_ascii_hexdigit() { 'x' } else { c };
    for pattern in ["xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx", "xxxx-xx-xxTxx:xx:xxZ"] {
        if let Some((start, after)) = text.split_at_checked(pattern.len())
            && start.chars().map(shape).eq(pattern.chars())
        {
            return Some(after);
        }
    }
    let after = ["revision", "resourceVersion"].iter().find_map(|name| text.strip_prefix(name))?;
    let number = after.trim_start_matches(|c: char| !c.is_ascii_alphanumeric());
    Some(number.trim_start_matches(|c: char| c.is_ascii_digit()))
}

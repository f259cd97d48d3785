//! Masks what always differs between two servers: ids, times, versions and generated names.
//!
//! Ids, versions and generated names are numbered in the order in which they first appear: the first id is replaced by
//! `<id 0>`, the next one by `<id 1>`. So two answers are equal if they repeat different ids in the same places.
//! Versions must also have the same order ([`Masks::order`]).

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::Value;

/// Keys of times that the server sets.
const TIMES: [&str; 6] = [
    "creationTimestamp",
    "deletionTimestamp",
    "time",
    "lastTransitionTime",
    "lastUpdateTime",
    "renewTime",
];
/// The error of an apply with a field that is not in the schema.
const UNDECLARED: &str = "field not declared in schema";
/// The text before an object in an error.
const SHOWN: &str = "Invalid value: \"{";
/// The error about a list of finalizers, which a server shows in random order after the deletion has begun.
const BOTH_FINALIZERS: &str = "finalizer orphan and foregroundDeletion cannot be both set";
/// The managed fields of a condition that changes twice while a definition is deleted. Whether the two changes have
/// different times depends on whether a second has ended in between.
const TERMINATING: &str = "k:{\"type\":\"Terminating\"}";
/// The type of the condition about the approval of an API.
const APPROVAL: &str = "KubernetesAPIApprovalPolicyConformant";
/// The length of a UUID, in characters.
const UUID_LENGTH: usize = 36;

/// The ids, versions and other masked parts in the answers of one server in one run.
#[derive(Debug, Default, Clone)]
pub(super) struct Masks {
    ids: BTreeMap<String, usize>,
    /// The versions of objects, numbered in the order in which they first appear.
    versions: BTreeMap<u64, usize>,
}

impl Masks {
    /// Returns the numbers of the versions, from the least version to the greatest.
    pub(super) fn order(&self) -> Vec<usize> {
        self.versions.values().copied().collect()
    }

    /// Masks an answer.
    pub(super) fn mask(&mut self, answer: &mut Value) {
        // Collects the versions of objects first, because texts refer to them.
        self.versions_of_objects(answer);
        self.walk("", answer);
    }

    fn versions_of_objects(&mut self, value: &mut Value) {
        match value {
            Value::Object(map) => {
                if let Some(Value::Object(metadata)) = map.get_mut("metadata")
                    && metadata.contains_key("name")
                    && let Some(Value::String(version)) = metadata.get_mut("resourceVersion")
                    && let Ok(number) = version.parse::<u64>()
                {
                    *version = self.version(number);
                }
                map.values_mut().for_each(|child| self.versions_of_objects(child));
            }
            Value::Array(list) => {
                for child in list {
                    self.versions_of_objects(child);
                }
            }
            _ => {}
        }
    }

    fn version(&mut self, number: u64) -> String {
        let next = self.versions.len();
        format!("version {}", self.versions.entry(number).or_insert(next))
    }

    /// Masks a version that is not shown as an object's, such as that of a list: counts the versions of objects up to
    /// it.
    fn position(&self, number: u64) -> String {
        format!("after {} versions", self.versions.range(..=number).count())
    }

    fn walk(&mut self, key: &str, value: &mut Value) {
        match value {
            Value::String(text) => *text = self.text(key, text),
            Value::Array(list) => {
                let key = if key == "cells" { key } else { "" };
                for child in list {
                    self.walk(key, child);
                }
            }
            Value::Object(map) => {
                map.iter_mut().for_each(|(key, child)| self.walk(key, child));
                // Servers sort managers by their times, which differ between servers.
                if let Some(Value::Array(managers)) = map.get_mut("managedFields") {
                    managers.sort_by_key(Value::to_string);
                }
                sort_causes(map);
                sort_finalizers(map);
                sort_approved(map);
                if let Some(Value::Object(fields)) = map.get_mut(TERMINATING) {
                    fields.remove("f:lastTransitionTime");
                }
            }
            _ => {}
        }
    }

    fn text(&mut self, key: &str, text: &str) -> String {
        if TIMES.contains(&key) && is_time(text) {
            return "time".to_owned();
        }
        if key == "cells" && (is_time(text) || is_age(text)) {
            return "age".to_owned();
        }
        if key == "manager" && text.starts_with("apiserver") {
            // The manager of the server's own writes is the name of its binary.
            return "kube-apiserver".to_owned();
        }
        if key == "resourceVersion" {
            return match text.parse() {
                Ok(number) => self.position(number),
                Err(_) => text.to_owned(),
            };
        }
        if key == "continue" && !text.is_empty() {
            return self.token(text);
        }
        if key == "serverRelativeURL"
            && let Some((path, hash)) = text.split_once("?hash=")
        {
            return self.hash(path, hash);
        }
        if key == "message" && text.contains(UNDECLARED) {
            // The server iterates over fields in random order and stops at the first error.
            return UNDECLARED.to_owned();
        }
        if key == "message" && text.contains(BOTH_FINALIZERS) {
            let mut parts: Vec<&str> = text.split([',', '[', ']']).map(str::trim).collect();
            parts.sort_unstable();
            return self.ids(&parts.join(","));
        }
        if let Some((before, lines)) = text.split_once("errors:\n") {
            let mut lines: Vec<&str> = lines.lines().collect();
            lines.sort_unstable();
            return format!("{before}errors: {}", lines.join(","));
        }
        if let Some(masked) = self.shown_object(text) {
            return masked;
        }
        let mut text = self.ids(text);
        if let Some(at) = text.find(" in scheme \"") {
            // Removes the path of the source file, which depends on where the server was compiled.
            text.truncate(at);
        }
        if text.to_lowercase().replace(' ', "").contains("resourceversion") {
            return self.versions_in(&text);
        }
        text
    }

    /// Masks the object in a text, such as the error of a patch. Sorts its keys, which the server writes in the order
    /// of Go's struct.
    fn shown_object(&mut self, text: &str) -> Option<String> {
        let at = text.find(SHOWN)? + SHOWN.len() - 2;
        let mut quoted = serde_json::Deserializer::from_str(&text[at..]).into_iter::<String>();
        let shown = quoted.next()?.ok()?;
        let end = at + quoted.byte_offset();
        let mut object: Value = serde_json::from_str(&shown).ok()?;
        self.mask(&mut object);
        object.sort_all_objects();
        Some(format!("{}{object}{}", &text[..at], self.text("", &text[end..])))
    }

    /// Masks a continue token.
    fn token(&mut self, text: &str) -> String {
        let Some(Ok(mut token)) = decode(text).map(|bytes| serde_json::from_slice::<Value>(&bytes))
        else {
            return text.to_owned();
        };
        if let Some(number) = token["rv"].as_u64() {
            token["rv"] = self.position(number).into();
        }
        if let Some(start) = token["start"].as_str() {
            token["start"] = self.ids(start).into();
        }
        token.to_string()
    }

    /// Masks the hash of a document. The same document must have the same hash again.
    fn hash(&mut self, path: &str, hash: &str) -> String {
        let next = self.ids.len();
        format!("{path}?hash=<id {}>", self.ids.entry(hash.to_owned()).or_insert(next))
    }

    /// Masks the ids in a text, and the random suffixes of names (`g7-x2x4z`).
    fn ids(&mut self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let length = id_length(rest, &out);
            if length == 0 {
                out.push(first);
                rest = &rest[first.len_utf8()..];
                continue;
            }
            let next = self.ids.len();
            let number = *self.ids.entry(rest[..length].to_owned()).or_insert(next);
            let _ = write!(out, "<id {number}>");
            rest = &rest[length..];
        }
        out
    }

    /// Masks the numbers in a text about versions: those of objects, and the current one.
    fn versions_in(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let number = rest[..digits].parse::<u64>().ok();
            let is_current = out.ends_with("current: ");
            // An object may have been written without an answer that shows its version.
            let is_stored = out.ends_with("in record (");
            let begins_word = !out.ends_with(|c: char| c.is_alphanumeric() || c == '-');
            match number.filter(|_| begins_word) {
                Some(number) if is_current || is_stored || self.versions.contains_key(&number) => {
                    let index = self.versions.get(&number).filter(|_| !is_current);
                    let known = index.map(|index| format!("version {index}"));
                    out.push_str(&known.unwrap_or_else(|| self.position(number)));
                    rest = &rest[digits..];
                }
                Some(_) => {
                    out.push_str(&rest[..digits]);
                    rest = &rest[digits..];
                }
                None => {
                    out.push(first);
                    rest = &rest[first.len_utf8()..];
                }
            }
        }
        out
    }
}

/// Sorts the conditions of a definition whose approval is judged: two controllers add them, in any order.
fn sort_approved(map: &mut serde_json::Map<String, Value>) {
    if let Some(Value::Array(conditions)) = map.get_mut("conditions")
        && conditions.iter().any(|it| it["type"] == APPROVAL)
    {
        conditions.sort_by_key(|it| it["type"].to_string());
    }
}

/// Sorts the finalizers of a namespace, which the server writes in random order when its deletion begins.
fn sort_finalizers(map: &mut serde_json::Map<String, Value>) {
    if map.get("kind").is_some_and(|kind| kind == "Namespace")
        && let Some(Value::Array(list)) =
            map.get_mut("metadata").and_then(|metadata| metadata.get_mut("finalizers"))
    {
        list.sort_by_key(Value::to_string);
    }
}

/// Sorts causes, which have a random order if the server found them in maps.
fn sort_causes(map: &mut serde_json::Map<String, Value>) {
    let causes = map.get_mut("details").and_then(|details| details.get_mut("causes"));
    let Some(Value::Array(causes)) = causes else { return };
    if causes.len() < 2 {
        return;
    }
    causes.sort_by_key(Value::to_string);
    if let Some(Value::String(message)) = map.get_mut("message") {
        let mut parts: Vec<&str> = message.split([',', '[', ']', '\n']).map(str::trim).collect();
        parts.sort_unstable();
        *message = parts.join(", ");
    }
}

/// Returns the length of the id at the beginning of a text, in bytes. `before` is the text before it.
fn id_length(text: &str, before: &str) -> usize {
    let bytes = text.as_bytes();
    let dashes = [8, 13, 18, 23];
    let is_uuid = bytes.len() >= UUID_LENGTH
        && bytes[..UUID_LENGTH].iter().enumerate().all(|(at, byte)| {
            if dashes.contains(&at) { *byte == b'-' } else { byte.is_ascii_hexdigit() }
        });
    if is_uuid {
        let is_zero = bytes[..UUID_LENGTH].iter().all(|byte| matches!(byte, b'0' | b'-'));
        return if is_zero { 0 } else { UUID_LENGTH };
    }
    // Generated requests use prefixes of a `g`, the number of the step and a dash.
    let prefix =
        before.strip_suffix('-').map(|it| it.trim_end_matches(|c: char| c.is_ascii_digit()));
    let is_prefix = prefix.is_some_and(|it| it.ends_with('g') && before.len() - it.len() > 1);
    let suffix = bytes.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    if is_prefix && suffix == 5 { suffix } else { 0 }
}

/// Whether a text is a time such as `2026-01-02T03:04:05Z`, with or without a fraction.
fn is_time(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() >= 20 && bytes[4] == b'-' && bytes[10] == b'T' && bytes.ends_with(b"Z")
}

/// Whether a text is an age such as `5s` or `1m20s`.
fn is_age(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
        && text.ends_with(['s', 'm', 'h'])
        && text.chars().all(|c| c.is_ascii_digit() || "smh".contains(c))
}

/// Decodes base64 for URLs, without padding.
fn decode(text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len());
    let (mut bits, mut count) = (0_u32, 0);
    for byte in text.bytes() {
        let digit = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'-' => 62,
            b'_' => 63,
            _ => return None,
        };
        bits = (bits << 6 | u32::from(digit)) & 0xff_ffff;
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push(u8::try_from(bits >> count & 0xff).ok()?);
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn masked(masks: &mut Masks, mut value: Value) -> Value {
        masks.mask(&mut value);
        value
    }

    #[test]
    fn a_renaming_makes_answers_equal() {
        let answer = |uid: &str, version: &str, name: &str| {
            json!({"metadata": {"name": name, "uid": uid, "resourceVersion": version, "creationTimestamp": "2026-01-02T03:04:05Z"},
                   "message": format!("resource version {version} of {name}: {uid}")})
        };
        let (a, b) =
            ("11111111-2222-3333-4444-555555555555", "a1111111-2222-3333-4444-555555555555");
        let (mut one, mut two) = (Masks::default(), Masks::default());
        let first = masked(&mut one, answer(a, "7", "g3-abcde"));
        assert_eq!(first, masked(&mut two, answer(b, "90", "g3-54321")));
        assert_eq!(first["message"], "resource version version 0 of g3-<id 0>: <id 1>");
        assert_ne!(
            masked(&mut one, answer(a, "8", "x")),
            masked(&mut two, answer(a, "91", "x")),
            "one server has used this id before"
        );
    }

    #[test]
    fn versions_keep_their_order() {
        let object = |version: &str| json!({"metadata": {"name": "x", "resourceVersion": version}});
        let (mut one, mut two) = (Masks::default(), Masks::default());
        for version in ["5", "3"] {
            masked(&mut one, object(version));
        }
        for version in ["5", "6"] {
            masked(&mut two, object(version));
        }
        assert_ne!(one.order(), two.order());
        let list = masked(&mut one, json!({"metadata": {"resourceVersion": "4"}, "items": []}));
        assert_eq!(list["metadata"]["resourceVersion"], "after 1 versions");
    }

    #[test]
    fn versions_that_no_answer_has_shown_are_masked() {
        let text = |number: u64| format!("the ResourceVersion in record ({number})");
        let message = |number: u64| {
            masked(&mut Masks::default(), json!({"message": text(number)}))["message"].clone()
        };
        assert_eq!(message(702), message(448));
    }

    #[test]
    fn finalizers_in_an_error_have_any_order() {
        let message = |list: &str| {
            let text = format!("metadata.finalizers: Invalid value: {list}: {BOTH_FINALIZERS}");
            masked(&mut Masks::default(), json!({"message": text}))
        };
        assert_eq!(message("[\"a/b\",\"orphan\"]"), message("[\"orphan\",\"a/b\"]"));
        assert_ne!(message("[\"a/b\",\"orphan\"]"), message("[\"orphan\"]"));
    }

    #[test]
    fn the_time_of_a_second_change_may_be_the_same() {
        let fields = |fields: Value| masked(&mut Masks::default(), json!({TERMINATING: fields}));
        let with = json!({"f:lastTransitionTime": {}, "f:status": {}});
        assert_eq!(fields(with), fields(json!({"f:status": {}})));
    }

    #[test]
    fn tokens_are_read() {
        let token = "eyJydiI6NSwic3RhcnQiOiJhXHUwMDAwIiwidiI6Im1ldGEuazhzLmlvL3YxIn0";
        let list = json!({"metadata": {"continue": token}});
        let list = masked(&mut Masks::default(), list);
        assert_eq!(
            list["metadata"]["continue"],
            r#"{"rv":"after 0 versions","start":"a\u0000","v":"meta.k8s.io/v1"}"#
        );
    }
}

//! Replaces values that differ from run to run, so that two runs can be compared.

use std::collections::HashMap;

use serde_json::{Map, Value};

/// The kinds of values to mask. The default masks all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct Mask {
    /// Whether UUIDs are replaced by `uid-1`, `uid-2` and so on, in the order of their first occurrence. Equal UUIDs
    /// get equal numbers.
    pub ids: bool,
    /// Whether strings that are timestamps, such as `2026-01-02T03:04:05Z`, are replaced by `time`.
    pub times: bool,
    /// Whether resource versions are replaced by `version`, and continue tokens in queries by `token`.
    pub versions: bool,
    /// Whether `metadata.managedFields` is removed.
    pub managed_fields: bool,
}

impl Default for Mask {
    fn default() -> Self {
        Self { ids: true, times: true, versions: true, managed_fields: true }
    }
}

/// A mask, and the numbers of the UUIDs that it has replaced.
#[derive(Debug)]
pub(super) struct Masking {
    mask: Mask,
    ids: HashMap<String, usize>,
}

impl Masking {
    pub(super) fn new(mask: Mask) -> Self {
        Self { mask, ids: HashMap::new() }
    }

    /// Masks an object, or any part of one.
    pub(super) fn value(&mut self, value: &mut Value) {
        match value {
            Value::String(text) => *text = self.text(text),
            Value::Array(list) => list.iter_mut().for_each(|value| self.value(value)),
            Value::Object(map) => self.map(map),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn map(&mut self, map: &mut Map<String, Value>) {
        if self.mask.managed_fields && map.get("managedFields").is_some_and(Value::is_array) {
            map.remove("managedFields");
        }
        for (key, value) in map.iter_mut() {
            if self.mask.versions && key == "resourceVersion" && value.is_string() {
                *value = "version".into();
            } else {
                self.value(value);
            }
        }
    }

    /// Masks a string.
    pub(super) fn text(&mut self, text: &str) -> String {
        if self.mask.times && is_time(text) {
            return "time".to_owned();
        }
        if self.mask.ids { self.without_ids(text) } else { text.to_owned() }
    }

    /// Masks the parameters of a query.
    pub(super) fn query(&mut self, query: &str) -> String {
        let pairs = query.split('&').map(|pair| match pair.split_once('=') {
            Some(("resourceVersion", value))
                if self.mask.versions && !matches!(value, "" | "0") =>
            {
                "resourceVersion=version".to_owned()
            }
            Some(("continue", value)) if self.mask.versions && !value.is_empty() => {
                "continue=token".to_owned()
            }
            _ => self.text(pair),
        });
        pairs.collect::<Vec<_>>().join("&")
    }

    fn without_ids(&mut self, text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some(at) = (0..rest.len()).find(|at| is_id(rest.as_bytes(), *at)) {
            let (before, from) = rest.split_at(at);
            let (id, after) = from.split_at(ID_BYTES);
            let next = self.ids.len() + 1;
            let number = *self.ids.entry(id.to_owned()).or_insert(next);
            out.push_str(before);
            out.push_str("uid-");
            out.push_str(&number.to_string());
            rest = after;
        }
        out.push_str(rest);
        out
    }
}

/// The length of a UUID, in bytes.
const ID_BYTES: usize = 36;

/// Returns whether a UUID in lowercase begins at byte `at`.
fn is_id(text: &[u8], at: usize) -> bool {
    let Some(id) = text.get(at..at + ID_BYTES) else { return false };
    id.iter().enumerate().all(|(at, byte)| match at {
        8 | 13 | 18 | 23 => *byte == b'-',
        _ => byte.is_ascii_digit() || (b'a'..=b'f').contains(byte),
    })
}

/// Returns whether a string is a timestamp as objects contain it, such as `2026-01-02T03:04:05Z`, with or without
/// fractional seconds.
fn is_time(text: &str) -> bool {
    let shape = "dddd-dd-ddTdd:dd:dd";
    let Some((time, rest)) = text.split_at_checked(shape.len()) else { return false };
    let fits = time.bytes().zip(shape.bytes()).all(|(byte, want)| match want {
        b'd' => byte.is_ascii_digit(),
        want => byte == want,
    });
    let fraction = rest.strip_suffix('Z').map(|rest| rest.strip_prefix('.').unwrap_or(rest));
    fits && fraction.is_some_and(|fraction| fraction.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_that_differ_are_masked() {
        let (a, b) =
            ("9f0e1a2b-0000-4000-8000-0123456789ab", "9f0e1a2b-0000-4000-8000-0123456789ac");
        let mut value = json!({"metadata": {
            "uid": b, "resourceVersion": "17", "managedFields": [{}],
            "creationTimestamp": "2026-01-02T03:04:05Z", "generation": 3,
        }, "owner": a, "volume": format!("pvc-{b}-{a}"), "at": "2026-01-02T03:04:05.123456Z"});
        Masking::new(Mask::default()).value(&mut value);
        assert_eq!(
            value,
            json!({"metadata": {
            "uid": "uid-1", "resourceVersion": "version", "creationTimestamp": "time", "generation": 3,
        }, "owner": "uid-2", "volume": "pvc-uid-1-uid-2", "at": "time"})
        );
        let query = "watch=true&resourceVersion=17&limit=500";
        let masked = Masking::new(Mask::default()).query(query);
        assert_eq!(masked, "watch=true&resourceVersion=version&limit=500");
    }

    #[test]
    fn other_texts_are_kept() {
        let texts =
            ["2026-01-02", "2026-01-02T03:04:05", "9f0e1a2b-0000-4000-8000-0123456789aß", "é"];
        for text in texts {
            assert_eq!(Masking::new(Mask::default()).text(text), text);
        }
    }
}

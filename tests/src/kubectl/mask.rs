//! Masks the parts of the output of `kubectl` that differ from run to run: ids, versions, times, ages, ports and
//! temporary files.
//!
//! Ids and versions are numbered in the order in which they first appear: the first id is replaced by `<id 0>`, the
//! next one by `<id 1>`. So two outputs are equal if they repeat different ids in the same places. The other parts are
//! replaced by a word such as `<time>`.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::Value;

/// The length of a UUID, in characters.
const UUID_LENGTH: usize = 36;
/// The texts before a version: in YAML, in JSON, in JSON without spaces, in descriptions, and in the error of a scale
/// of another version.
const VERSION_LABELS: [&str; 5] = [
    "resourceVersion: \"",
    "\"resourceVersion\": \"",
    "\"resourceVersion\":\"",
    "Resource Version:",
    "resource version to be 1, was ",
];
/// The beginnings of names of temporary files of `diff` and `edit`. Random numbers follow.
const FILES: [&str; 3] = ["LIVE-", "MERGED-", "kubectl-edit-"];
/// The address of both servers, before the port.
const HOST: &str = "127.0.0.1:";

/// The ids and versions of one server in one scenario.
#[derive(Debug, Default)]
pub(super) struct Masks {
    ids: BTreeMap<String, usize>,
    versions: BTreeMap<String, usize>,
}

impl Masks {
    /// Masks the output of one command.
    pub(super) fn mask(&mut self, text: &str) -> String {
        // In errors, Go's library of Protocol Buffers writes either of two spaces, depending on the build of `kubectl`.
        let text = text.replace("proto:\u{a0}", "proto: ");
        let lines: Vec<String> = text.lines().map(|line| self.mask_line(&in_order(line))).collect();
        let mut out = String::with_capacity(text.len());
        // The server lists several causes in random order.
        for causes in lines.chunk_by(|one, next| one.starts_with("* ") && next.starts_with("* ")) {
            let mut causes: Vec<&String> = causes.iter().collect();
            causes.sort_unstable();
            // Whether the client library logs the end of a watch depends on timing.
            causes.retain(|line| !line.starts_with("<logged> reflector.go"));
            // Only a real server warns of suspicious values in built-in kinds.
            causes.retain(|line| !line.starts_with("Warning: spec."));
            for line in causes {
                out.extend([line, "\n"]);
            }
        }
        out
    }

    fn mask_line(&mut self, line: &str) -> String {
        let mut out = String::with_capacity(line.len());
        let mut rest = line;
        while let Some(first) = rest.chars().next() {
            let (masked, length) = self
                .mask_prefix(rest, &out)
                .unwrap_or_else(|| (first.to_string(), first.len_utf8()));
            out.push_str(&masked);
            rest = &rest[length..];
            if masked == "<age>" || out.ends_with(" AGE") {
                // The width of the column is that of its longest age.
                let blanks = rest.len() - rest.trim_start_matches(' ').len();
                if blanks > 0 && blanks < rest.len() {
                    out.push_str("  ");
                }
                rest = &rest[blanks..];
            }
        }
        out
    }

    /// Returns the mask for the beginning of `rest`, and the number of bytes that it replaces. `before` is the line up
    /// to there, masked.
    fn mask_prefix(&mut self, rest: &str, before: &str) -> Option<(String, usize)> {
        if let Some(label) = VERSION_LABELS.iter().find(|label| rest.starts_with(**label)) {
            let blanks = rest[label.len()..].bytes().take_while(|byte| *byte == b' ').count();
            let begin = label.len() + blanks;
            let digits = digits(&rest[begin..]);
            if digits == 0 {
                return None;
            }
            let number = number_of(&mut self.versions, &rest[begin..begin + digits]);
            return Some((format!("{}<version {number}>", &rest[..begin]), begin + digits));
        }
        if before.ends_with(|c: char| c.is_alphanumeric() || c == '-') {
            return None;
        }
        if is_uuid(rest) {
            let number = number_of(&mut self.ids, &rest[..UUID_LENGTH]);
            return Some((format!("<id {number}>"), UUID_LENGTH));
        }
        if let Some(file) = FILES.iter().find(|file| rest.starts_with(**file)) {
            let digits = digits(&rest[file.len()..]);
            return (digits > 0).then(|| (format!("{file}<number>"), file.len() + digits));
        }
        if let Some(port) = rest.strip_prefix(HOST) {
            let digits = digits(port);
            return Some((format!("{HOST}<port>"), HOST.len() + digits));
        }
        if let Some(length) = time_length(rest) {
            return Some(("<time>".to_owned(), length));
        }
        if before.is_empty()
            && let Some(length) = log_prefix_length(rest)
        {
            return Some(("<logged> ".to_owned(), length));
        }
        let is_word = before.is_empty() || before.ends_with(' ');
        let length = age_length(rest);
        (is_word && length > 0).then(|| ("<age>".to_owned(), length))
    }
}

/// Sorts the keys of a line that is a JSON object, and the resources if it is a list of them.
///
/// The server lists the resources of definitions in the random order of Go's maps.
/// Source: `pkg/apiserver/customresource_discovery_controller.go`, `sync`.
fn in_order(line: &str) -> Cow<'_, str> {
    if line.starts_with('{')
        && let Ok(mut object) = serde_json::from_str::<Value>(line)
    {
        object.sort_all_objects();
        if object["kind"] == "APIResourceList"
            && let Some(resources) = object["resources"].as_array_mut()
        {
            resources.sort_by_cached_key(|resource| resource["name"].to_string());
        }
        return object.to_string().into();
    }
    line.into()
}

/// Returns the number of a text. Texts are numbered in the order in which they first appear.
fn number_of(known: &mut BTreeMap<String, usize>, text: &str) -> usize {
    let next = known.len();
    *known.entry(text.to_owned()).or_insert(next)
}

fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

fn is_uuid(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() >= UUID_LENGTH
        && bytes[..UUID_LENGTH].iter().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// Whether a text begins with a pattern, in which `0` matches any digit, `a` any letter, and other characters
/// themselves.
fn begins(text: &str, pattern: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() >= pattern.len()
        && pattern.bytes().zip(bytes).all(|(pattern, byte)| match pattern {
            b'0' => byte.is_ascii_digit(),
            b'a' => byte.is_ascii_alphabetic(),
            _ => pattern == *byte,
        })
}

/// Returns the length of a time in the formats of objects, descriptions and `diff`.
fn time_length(text: &str) -> Option<usize> {
    let fraction = |from: usize| {
        let rest = text.get(from..)?.strip_prefix('.')?;
        Some(1 + digits(rest))
    };
    for (pattern, end) in [("0000-00-00T00:00:00", "Z"), ("0000-00-00 00:00:00", " +0000")] {
        if begins(text, pattern) {
            let length = pattern.len() + fraction(pattern.len()).unwrap_or(0);
            return text[length..].starts_with(end).then_some(length + end.len());
        }
    }
    let long = "aaa, 00 aaa 0000 00:00:00 +0000";
    begins(text, long).then_some(long.len())
}

/// Returns the length of the beginning of a log line, before the source location: `E0102 03:04:05.000006     789 `.
fn log_prefix_length(text: &str) -> Option<usize> {
    let head = "a0000 00:00:00.000000";
    if !begins(text, head) {
        return None;
    }
    let blanks = text[head.len()..].bytes().take_while(|byte| *byte == b' ').count();
    let process = head.len() + blanks;
    let length = process + digits(&text[process..]);
    text[length..].starts_with(' ').then_some(length + 1)
}

/// Returns the length of an age that is a whole word, such as `5s`, `3m20s` or `2d`; 0 if there is none.
fn age_length(text: &str) -> usize {
    let word = text.split([' ', '\t']).next().unwrap_or_default();
    let mut rest = word;
    while !rest.is_empty() {
        let digits = digits(rest);
        if digits == 0 || !rest[digits..].starts_with(['s', 'm', 'h', 'd', 'y']) {
            return 0;
        }
        rest = &rest[digits + 1..];
    }
    word.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn masked(text: &str) -> String {
        Masks::default().mask(text).trim_end().to_owned()
    }

    #[test]
    fn ids_and_versions_are_numbered() {
        let mut masks = Masks::default();
        let (a, b) =
            ("11111111-2222-3333-4444-555555555555", "a1111111-2222-3333-4444-555555555555");
        let text =
            format!("  uid: {a}\n  resourceVersion: \"71\"\n  uid: {b}\nResource Version:  71\n");
        assert_eq!(
            masks.mask(&text),
            "  uid: <id 0>\n  resourceVersion: \"<version 0>\"\n  uid: <id 1>\nResource Version:  <version 0>\n"
        );
        assert_eq!(
            masks.mask(&format!("{b} \"resourceVersion\": \"72\"")),
            "<id 1> \"resourceVersion\": \"<version 1>\"\n"
        );
    }

    #[test]
    fn times_and_ages_are_masked() {
        assert_eq!(
            masked("creationTimestamp: \"2026-01-02T03:04:05Z\""),
            "creationTimestamp: \"<time>\""
        );
        assert_eq!(masked("at 2026-01-02T03:04:05.000006Z"), "at <time>");
        assert_eq!(masked("Start:  Mon, 23 Nov 2026 07:16:00 +0000"), "Start:  <time>");
        assert_eq!(
            masked("--- /tmp/LIVE-123/a\t2026-11-23 07:16:00.123456789 +0000"),
            "--- /tmp/LIVE-<number>/a\t<time>"
        );
        assert_eq!(masked("proto:\u{a0}cannot parse"), masked("proto: cannot parse"));
        assert_eq!(masked("E1123 07:16:00.000001   12345 a.go:1] text"), "<logged> a.go:1] text");
        assert_eq!(
            masked("NAME   AGE     IMAGES\nweb    3m20s   nginx"),
            "NAME   AGE  IMAGES\nweb    <age>  nginx"
        );
        assert_eq!(masked("timeout 3x 5s-b v1.2s"), "timeout 3x 5s-b v1.2s");
    }

    #[test]
    fn random_orders_are_sorted() {
        assert_eq!(masked("errors:\n* b\n* a\nend\n* c"), "errors:\n* a\n* b\nend\n* c");
        assert_eq!(masked(r#"{"b":{"d":1,"c":2},"a":3}"#), r#"{"a":3,"b":{"c":2,"d":1}}"#);
        assert_eq!(
            masked(r#"{"kind":"APIResourceList","resources":[{"name":"b"},{"name":"a"}]}"#),
            r#"{"kind":"APIResourceList","resources":[{"name":"a"},{"name":"b"}]}"#
        );
        assert_eq!(masked("E1123 07:16:00.000001   12345 reflector.go:1] text"), "");
    }

    #[test]
    fn ports_are_masked() {
        assert_eq!(masked("https://127.0.0.1:6443/api"), "https://127.0.0.1:<port>/api");
    }
}

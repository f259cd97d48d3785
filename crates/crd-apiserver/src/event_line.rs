//! The events of watches as JSON, one per line.

/// Returns an event whose object is JSON.
pub(super) fn event_line(type_: &str, object: &str) -> Vec<u8> {
    ["{\"type\":\"", type_, "\",\"object\":", object, "}\n"].concat().into_bytes()
}

/// Returns the type and the object of an event that [`event_line`] has written, without the end of the line.
pub(super) fn event_of_line(line: &[u8]) -> Option<(&str, &str)> {
    let rest = std::str::from_utf8(line).ok()?.strip_prefix("{\"type\":\"")?;
    let (type_, object) = rest.split_once("\",\"object\":")?;
    Some((type_, object.strip_suffix('}')?))
}

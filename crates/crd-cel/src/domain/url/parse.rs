//! Parses a [`Url`].

use std::borrow::Cow;

use super::escape::{UrlPart, escape, should_escape, unescape};
use super::{Url, User};
use crate::domain::netip::Addr;
use crate::gofmt::quote;

/// Parses a URL or a reference, with a fragment.
pub(super) fn reference(text: &str) -> Result<Url<'_>, String> {
    let (before, fragment) = text.split_once('#').unwrap_or((text, ""));
    let mut url = parse(before, false).map_err(|problem| in_url(before, &problem))?;
    if !fragment.is_empty() {
        (url.fragment, url.raw_fragment) =
            decode(fragment, UrlPart::Fragment).map_err(|problem| in_url(text, &problem))?;
    }
    Ok(url)
}

/// Parses an absolute URL or an absolute path.
pub(super) fn request(text: &str) -> Result<Url<'_>, String> {
    parse(text, true).map_err(|problem| in_url(text, &problem))
}

fn in_url(text: &str, problem: &str) -> String {
    format!("parse {}: {problem}", quote(text))
}

fn parse(text: &str, request: bool) -> Result<Url<'_>, String> {
    let error = |problem: &str| Err(problem.to_owned());
    if text.bytes().any(|byte| byte < b' ' || byte == 0x7f) {
        return error("net/url: invalid control character in URL");
    }
    if text.is_empty() && request {
        return error("empty url");
    }
    let mut url = Url::default();
    if text == "*" {
        url.path = Cow::Borrowed(b"*");
        return Ok(url);
    }
    let (scheme, mut rest) = split_scheme(text)?;
    url.scheme = if scheme.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(scheme.to_ascii_lowercase())
    } else {
        Cow::Borrowed(scheme)
    };
    match split_at_byte(rest, b'?') {
        Some((before, "")) => {
            url.force_query = true;
            rest = before;
        }
        Some((before, query)) => {
            url.raw_query = query;
            rest = before;
        }
        None => {}
    }
    if !rest.starts_with('/') {
        if !url.scheme.is_empty() {
            url.opaque = rest;
            return Ok(url);
        }
        if request {
            return error("invalid URI for request");
        }
        if rest.split('/').next().is_some_and(|segment| segment.contains(':')) {
            return error("first path segment in URL cannot contain colon");
        }
    }
    let authority_allowed = !url.scheme.is_empty() || (!request && !rest.starts_with("///"));
    if let Some(after) = rest.strip_prefix("//").filter(|_| authority_allowed) {
        let (authority, path) = after.split_at(find(after, b'/').unwrap_or(after.len()));
        (url.user, url.host) = parse_authority(&url.scheme, authority)?;
        rest = path;
    } else if !url.scheme.is_empty() && rest.starts_with('/') {
        url.omit_host = true;
    }
    (url.path, url.raw_path) = decode(rest, UrlPart::Path)?;
    Ok(url)
}

/// Decodes a path or fragment. Also returns it as written, or empty if that is the usual encoding.
fn decode(text: &str, part: UrlPart) -> Result<(Cow<'_, [u8]>, &str), String> {
    if !text.bytes().any(|byte| should_escape(byte, part)) {
        return Ok((Cow::Borrowed(text.as_bytes()), ""));
    }
    let decoded = unescape(text.as_bytes(), part)?;
    let raw = if escape(&decoded, part) == text { "" } else { text };
    Ok((decoded, raw))
}

/// The offset of the first occurrence of an ASCII byte.
///
/// PERF: the texts are short, and the search of the standard library takes longer to begin.
fn find(text: &str, ascii: u8) -> Option<usize> {
    text.bytes().position(|byte| byte == ascii)
}

/// The parts before and after an ASCII byte.
fn split_at_byte(text: &str, ascii: u8) -> Option<(&str, &str)> {
    let at = find(text, ascii)?;
    Some((text.get(..at)?, text.get(at + 1..)?))
}

/// Splits off `scheme:`; the scheme is empty if there is none.
fn split_scheme(text: &str) -> Result<(&str, &str), String> {
    for (i, byte) in text.bytes().enumerate() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' => {}
            b'0'..=b'9' | b'+' | b'-' | b'.' if i > 0 => {}
            b':' if i == 0 => return Err("missing protocol scheme".to_owned()),
            b':' => return Ok(split_at_byte(text, b':').unwrap_or(("", text))),
            _ => break,
        }
    }
    Ok(("", text))
}

fn parse_authority<'a>(
    scheme: &str,
    authority: &'a str,
) -> Result<(Option<User<'a>>, Cow<'a, [u8]>), String> {
    let Some((user, host)) = authority.rsplit_once('@') else {
        return Ok((None, parse_host(scheme, authority)?));
    };
    let host = parse_host(scheme, host)?;
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-._:~!$&'()*+,;=%@".contains(&byte);
    if !user.bytes().all(allowed) {
        return Err("net/url: invalid userinfo".to_owned());
    }
    let decode = |text: &'a str| unescape(text.as_bytes(), UrlPart::UserPassword);
    let user = match user.split_once(':') {
        Some((name, password)) => User { name: decode(name)?, password: Some(decode(password)?) },
        None => User { name: decode(user)?, password: None },
    };
    Ok((Some(user), host))
}

/// Parses `host[:port]`; the port may be empty.
fn parse_host<'a>(scheme: &str, host: &'a str) -> Result<Cow<'a, [u8]>, String> {
    match host.bytes().rposition(|byte| byte == b'[') {
        Some(0) => return parse_ip_literal(host),
        Some(_) => return Err("invalid IP-literal".to_owned()),
        None => {}
    }
    if let Some(first) = find(host, b':') {
        // Upstream: the URL of a database may list hosts with ports (`a:1,b:2`), so the port begins
        // at the last colon, except for http and https.
        let strict = matches!(scheme, "http" | "https");
        let colon = if strict { first } else { host.rfind(':').unwrap_or(first) };
        check_port(host.get(colon..).unwrap_or_default())?;
    }
    unescape(host.as_bytes(), UrlPart::Host)
}

/// Parses `[ipv6%25zone][:port]`.
fn parse_ip_literal(host: &str) -> Result<Cow<'_, [u8]>, String> {
    let Some((address, port)) = host.strip_prefix('[').and_then(|host| host.rsplit_once(']'))
    else {
        return Err("missing ']' in host".to_owned());
    };
    check_port(port)?;
    let address = match address.find("%25") {
        Some(zone) => {
            let (address, zone) = address.split_at(zone);
            let address = unescape(address.as_bytes(), UrlPart::Host)?;
            let zone = unescape(zone.as_bytes(), UrlPart::Zone)?;
            Cow::Owned([address, zone].concat())
        }
        None => unescape(address.as_bytes(), UrlPart::Host)?,
    };
    let text = String::from_utf8_lossy(&address);
    let (addr, _) = Addr::parse(&text).map_err(|problem| format!("invalid host: {problem}"))?;
    if matches!(addr, Addr::V4(_)) {
        return Err("invalid IP-literal".to_owned());
    }
    Ok(Cow::Owned([b"[", &*address, b"]", port.as_bytes()].concat()))
}

/// Checks `:80`, `:` or nothing.
fn check_port(port: &str) -> Result<(), String> {
    let digits = if port.is_empty() { Some("") } else { port.strip_prefix(':') };
    match digits {
        Some(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => Ok(()),
        _ => Err(format!("invalid port {} after host", quote(port))),
    }
}

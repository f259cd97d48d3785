//! URLs, parsed and printed as by Go's `net/url`, with its error texts. WHATWG's rules differ.
//!
//! Source: Go 1.26 `net/url/url.go`.

mod escape;
mod parse;

use std::borrow::Cow;
use std::fmt;

use crate::error::ParseError;

use escape::{UrlPart, escape, is_encoded, unescape};

/// The most parameters in a query; a query with more counts as empty.
/// Source: `net/url/url.go`, `defaultMaxParams`.
const MAX_PARAMS: usize = 10_000;

/// A URL, absolute or relative.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Url<'a> {
    scheme: Cow<'a, str>,
    /// The text after the scheme, if that does not start with `/`.
    opaque: &'a str,
    user: Option<User<'a>>,
    /// Host and port, decoded.
    host: Cow<'a, [u8]>,
    /// The path, decoded.
    path: Cow<'a, [u8]>,
    /// The path as it was written, or empty if that is the usual encoding of `path`.
    raw_path: &'a str,
    raw_query: &'a str,
    /// Whether there is a `?` before an empty query.
    force_query: bool,
    /// Whether there is a scheme and a path, but no `//`.
    omit_host: bool,
    /// The fragment, decoded.
    fragment: Cow<'a, [u8]>,
    /// The fragment as it was written, or empty if that is the usual encoding of `fragment`.
    raw_fragment: &'a str,
}

/// User and password, decoded.
#[derive(Debug, Clone, PartialEq, Eq)]
struct User<'a> {
    name: Cow<'a, [u8]>,
    password: Option<Cow<'a, [u8]>>,
}

/// The parameters of a query: names in the order of their first occurrence, and their values.
pub type Query = Vec<(String, Vec<String>)>;

impl<'a> Url<'a> {
    /// Parses a URL or a reference to one, with a fragment.
    ///
    /// # Errors
    ///
    /// Go's text, such as `parse ":a": missing protocol scheme`.
    pub fn parse(text: &'a str) -> Result<Self, ParseError> {
        Ok(parse::reference(text)?)
    }

    /// Parses the URL of an HTTP request: an absolute URL or an absolute path. A `#` has no special
    /// meaning.
    ///
    /// # Errors
    ///
    /// Go's text, such as `parse "a": invalid URI for request`.
    pub fn parse_request(text: &'a str) -> Result<Self, ParseError> {
        Ok(parse::request(text)?)
    }

    /// The scheme, in lower case.
    pub fn scheme(&self) -> &str {
        &self.scheme
    }

    /// Host and port. Bytes that are not UTF-8 are replaced.
    pub fn host(&self) -> Cow<'_, str> {
        lossy(&self.host)
    }

    /// The host without its port and without brackets.
    pub fn hostname(&self) -> Cow<'_, str> {
        let (host, _) = self.split_port();
        let inner = host.strip_prefix(b"[").and_then(|host| host.strip_suffix(b"]"));
        lossy(inner.unwrap_or(host))
    }

    /// The port; empty if there is none.
    pub fn port(&self) -> Cow<'_, str> {
        lossy(self.split_port().1)
    }

    fn split_port(&self) -> (&[u8], &[u8]) {
        let colon = self.host.iter().rposition(|byte| *byte == b':');
        if let Some((host, [_, port @ ..])) = colon.and_then(|at| self.host.split_at_checked(at))
            && port.iter().all(u8::is_ascii_digit)
        {
            return (host, port);
        }
        (&self.host, &[])
    }

    /// User and password, encoded; `None` if there is no `@`.
    pub fn user_info(&self) -> Option<String> {
        let user = self.user.as_ref()?;
        let mut out = escape(&user.name, UrlPart::UserPassword);
        if let Some(password) = &user.password {
            out.push(':');
            out.push_str(&escape(password, UrlPart::UserPassword));
        }
        Some(out)
    }

    /// The query, as it was written, without the `?`.
    pub fn raw_query(&self) -> &str {
        self.raw_query
    }

    /// The fragment, decoded. Bytes that are not UTF-8 are replaced.
    pub fn fragment(&self) -> Cow<'_, str> {
        lossy(&self.fragment)
    }

    /// The encoded path, as in a request: the path as it was written, if that decodes to the path.
    pub fn escaped_path(&self) -> String {
        if *self.path == *b"*" {
            return "*".to_owned();
        }
        encoded(&self.path, self.raw_path, UrlPart::Path)
    }

    /// The parameters of the query, without those that cannot be decoded.
    pub fn query(&self) -> Query {
        fn decode(text: &str) -> Result<Cow<'_, [u8]>, String> {
            unescape(text.as_bytes(), UrlPart::QueryComponent)
        }
        let mut query = Query::new();
        if self.raw_query.matches('&').count() >= MAX_PARAMS {
            return query;
        }
        let mut indices = std::collections::HashMap::new();
        for pair in self.raw_query.split('&') {
            if pair.is_empty() || pair.contains(';') {
                continue;
            }
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let (Ok(name), Ok(value)) = (decode(name), decode(value)) else {
                continue;
            };
            let (name, value) = (lossy(&name).into_owned(), lossy(&value).into_owned());
            let index = *indices.entry(name.clone()).or_insert_with(|| {
                query.push((name, Vec::new()));
                query.len() - 1
            });
            if let Some((_, values)) = query.get_mut(index) {
                values.push(value);
            }
        }
        query
    }
}

/// The normalized URL, assembled from its parts.
impl fmt::Display for Url<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.scheme.is_empty() {
            write!(f, "{}:", self.scheme)?;
        }
        if self.opaque.is_empty() {
            self.fmt_hierarchy(f)?;
        } else {
            f.write_str(self.opaque)?;
        }
        if self.force_query || !self.raw_query.is_empty() {
            write!(f, "?{}", self.raw_query)?;
        }
        if !self.fragment.is_empty() {
            write!(f, "#{}", encoded(&self.fragment, self.raw_fragment, UrlPart::Fragment))?;
        }
        Ok(())
    }
}

impl Url<'_> {
    fn fmt_hierarchy(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let authority = !self.host.is_empty() || self.user.is_some();
        let slashes =
            authority || (!self.scheme.is_empty() && !self.omit_host && !self.path.is_empty());
        if slashes {
            f.write_str("//")?;
        }
        if let Some(user) = self.user_info() {
            write!(f, "{user}@")?;
        }
        f.write_str(&escape(&self.host, UrlPart::Host))?;
        let path = self.escaped_path();
        if !path.is_empty() && !path.starts_with('/') && !self.host.is_empty() {
            f.write_str("/")?;
        }
        let first = path.split('/').next().unwrap_or_default();
        if self.scheme.is_empty() && !slashes && first.contains(':') {
            // Without it, the first segment would be read as a scheme.
            f.write_str("./")?;
        }
        f.write_str(&path)
    }
}

/// The raw text if it is an encoding of the decoded one, else the usual encoding.
fn encoded(decoded: &[u8], raw: &str, part: UrlPart) -> String {
    let fits = !raw.is_empty()
        && is_encoded(raw, part)
        && unescape(raw.as_bytes(), part).is_ok_and(|text| *text == *decoded);
    if fits { raw.to_owned() } else { escape(decoded, part) }
}

/// Replaces each byte that is not UTF-8 by a character, as a `range` over a string does in Go, so
/// that sizes agree.
fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        out.push_str(chunk.valid());
        out.extend(chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER));
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_invalid_byte_is_replaced_by_a_character() {
        let url = Url::parse("http://%e2%82.com:1/#%e2%82").expect("a URL");
        assert_eq!(url.host(), "\u{fffd}\u{fffd}.com:1");
        assert_eq!(url.hostname(), "\u{fffd}\u{fffd}.com");
        assert_eq!(url.fragment(), "\u{fffd}\u{fffd}");
    }

    /// `want` is scheme, host, host name, port and path, joined by spaces; `-` stands for an empty
    /// one.
    #[track_caller]
    fn parts(text: &str, want: &str) {
        let url = Url::parse(text).expect(text);
        let parts = [
            url.scheme().to_owned(),
            url.host().into_owned(),
            url.hostname().into_owned(),
            url.port().into_owned(),
            url.escaped_path(),
        ];
        let got = parts.map(|part| if part.is_empty() { "-".to_owned() } else { part });
        assert_eq!(got.join(" "), want, "{text}");
    }

    #[track_caller]
    fn rejects(text: &str, want: &str) {
        let got = Url::parse_request(text).map(|url| url.to_string());
        let want = format!("parse {}: {want}", crate::gofmt::quote(text));
        assert_eq!(got, Err(ParseError::from(want)));
    }

    #[test]
    fn parts_of_urls() {
        parts(
            "HTTPS://User@Example.com:443/a%2Fb?c#d",
            "https Example.com:443 Example.com 443 /a%2Fb",
        );
        parts("https://[::1]:80/", "https [::1]:80 ::1 80 /");
        parts("https://[fe80::1%25en0]/", "https [fe80::1%en0] fe80::1%en0 - /");
        parts("https://example.com:/", "https example.com: example.com - /");
        parts("mailto:a@b", "mailto - - - -");
        parts("/path with space", "- - - - /path%20with%20space");
        parts("http://h/%7Ea", "http h h - /%7Ea");
        parts("http://h/[a]", "http h h - /[a]");
        parts("http://h/é", "http h h - /%C3%A9");
        parts("http://%C3%A9/", "http é é - /");
        parts("postgres://a:1,b:2/db", "postgres a:1,b:2 a:1,b 2 /db");
        parts("*", "- - - - *");
        parts("//h/p", "- h h - /p");
    }

    #[test]
    fn queries() {
        let query = |text| Url::parse(text).unwrap().query();
        let pair = |name: &str, values: &[&str]| {
            (name.to_owned(), values.iter().map(|value| (*value).to_owned()).collect::<Vec<_>>())
        };
        assert_eq!(
            query("http://h?a=1&b=x+y%26&a=2&c&=e"),
            [pair("a", &["1", "2"]), pair("b", &["x y&"]), pair("c", &[""]), pair("", &["e"])]
        );
        assert_eq!(query("http://h?a;b&c=%zz&&d=1"), [pair("d", &["1"])]);
        assert_eq!(query("http://h"), []);
        assert_eq!(
            query("http://h?%ff=%e2%82&b=%e2%28"),
            [pair("\u{fffd}", &["\u{fffd}\u{fffd}"]), pair("b", &["\u{fffd}("]),]
        );
    }

    #[test]
    fn urls_print_normalized() {
        #[track_caller]
        fn check(text: &str, want: &str) {
            assert_eq!(Url::parse(text).map(|url| url.to_string()).as_deref(), Ok(want));
        }
        check("HTTP://h", "http://h");
        check("http://h?", "http://h?");
        check("http://h?#", "http://h?");
        check("http://h/a b?c d#e f", "http://h/a%20b?c d#e%20f");
        check("http://u:p%40@h", "http://u:p%40@h");
        check("file:///x", "file:///x");
        check("file:/x", "file:/x");
        check("mailto:x", "mailto:x");
        check("http:", "http:");
        check("a/b:c", "a/b:c");
        check("./b:c", "./b:c");
        check("http://h/%2f", "http://h/%2f");
        check("http://h#a!%21", "http://h#a!%21");
    }

    #[test]
    fn errors_are_gos() {
        rejects("", "empty url");
        rejects("a", "invalid URI for request");
        rejects("#f", "invalid URI for request");
        rejects(":a", "missing protocol scheme");
        rejects("http://h\u{7f}", "net/url: invalid control character in URL");
        rejects("http://a b/", "invalid character \" \" in host name");
        rejects("http://h/%zz", "invalid URL escape \"%zz\"");
        rejects("http://h/%z", "invalid URL escape \"%z\"");
        rejects("http://%41/", "invalid URL escape \"%41\"");
        rejects("http://h:x/", "invalid port \":x\" after host");
        rejects("http://a:1:2/", "invalid port \":1:2\" after host");
        rejects("http://[::1/", "missing ']' in host");
        rejects("http://[::1]x/", "invalid port \"x\" after host");
        rejects("http://[1.2.3.4]/", "invalid IP-literal");
        rejects("http://a[::1]/", "invalid IP-literal");
        rejects("http://[x]/", "invalid host: ParseAddr(\"x\"): unable to parse IP");
        rejects("http://u\"@h/", "net/url: invalid userinfo");
        assert_eq!(
            Url::parse("a:b:c/d").map(|url| url.to_string()),
            Ok("a:b:c/d".to_owned()),
            "opaque"
        );
        assert_eq!(
            Url::parse("1a:b"),
            Err(ParseError::from("parse \"1a:b\": first path segment in URL cannot contain colon"))
        );
        assert_eq!(
            Url::parse("http://h#%z"),
            Err(ParseError::from("parse \"http://h#%z\": invalid URL escape \"%z\""))
        );
        assert_eq!(
            Url::parse("http://h/%é#f"),
            Err(ParseError::from("parse \"http://h/%é\": invalid URL escape \"%é\""))
        );
    }
}

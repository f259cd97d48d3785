//! Parses addresses, with the errors of Go.
//!
//! Source: Go 1.26 `net/netip/netip.go`, `parseIPv4Fields`, `parseIPv6`.

use std::net::{Ipv4Addr, Ipv6Addr};

use crate::gofmt::quote;

/// The error of an address. `at` is the part of the address with the problem; empty for none.
pub(super) fn error(text: &str, problem: &str, at: &str) -> String {
    let at = if at.is_empty() { String::new() } else { format!(" (at {})", quote(at)) };
    format!("ParseAddr({}): {problem}{at}", quote(text))
}

/// Parses four decimal fields; `text` is the whole address, for the error.
pub(super) fn v4(fields: &str, text: &str) -> Result<Ipv4Addr, String> {
    let error = |problem: &str, at: &str| Err(error(text, problem, at));
    let mut octets = [0u8; 4];
    let mut field = 0;
    let mut digits = 0;
    let mut value: u32 = 0;
    for (i, c) in fields.char_indices() {
        let at = fields.get(i..).unwrap_or_default();
        match c {
            '0'..='9' => {
                if digits == 1 && value == 0 {
                    return error("IPv4 field has octet with leading zero", "");
                }
                value = value * 10 + c.to_digit(10).unwrap_or_default();
                digits += 1;
                if value > 255 {
                    return error("IPv4 field has value >255", "");
                }
            }
            '.' => {
                if digits == 0 || at == "." {
                    return error("IPv4 field must have at least one digit", at);
                }
                if field == 3 {
                    return error("IPv4 address too long", "");
                }
                store(&mut octets, field, value);
                field += 1;
                value = 0;
                digits = 0;
            }
            _ => return error("unexpected character", at),
        }
    }
    if field < 3 {
        return error("IPv4 address too short", "");
    }
    store(&mut octets, 3, value);
    Ok(octets.into())
}

fn store(octets: &mut [u8; 4], field: usize, value: u32) {
    if let (Some(octet), Ok(value)) = (octets.get_mut(field), u8::try_from(value)) {
        *octet = value;
    }
}

/// Parses an IPv6 address of eight hexadecimal fields, and a zone after a `%`. `::` stands for a
/// run of zero fields.
pub(super) fn v6(text: &str) -> Result<(Ipv6Addr, &str), String> {
    let (address, zone) = match text.split_once('%') {
        Some((_, "")) => return Err(error(text, "zone must be a non-empty string", "")),
        Some((address, zone)) => (address, zone),
        None => (text, ""),
    };
    let mut fields = Fields { text, read: Vec::with_capacity(FIELDS), ellipsis: None };
    let rest = fields.read(address)?;
    if !rest.is_empty() {
        return Err(error(text, "trailing garbage after address", rest));
    }
    Ok((fields.expanded()?, zone))
}

/// The number of fields of an IPv6 address.
const FIELDS: usize = 8;

/// The fields of an IPv6 address, as far as they have been read.
struct Fields<'t> {
    /// The whole address, for errors.
    text: &'t str,
    read: Vec<u16>,
    /// The index of the `::` among the fields.
    ellipsis: Option<usize>,
}

impl Fields<'_> {
    /// Reads at most eight fields, and returns the rest of the text.
    fn read<'a>(&mut self, address: &'a str) -> Result<&'a str, String> {
        let text = self.text;
        let error = |problem: &str, at: &str| Err(error(text, problem, at));
        let mut rest = address;
        if let Some(after) = rest.strip_prefix("::") {
            self.ellipsis = Some(0);
            rest = after;
            if rest.is_empty() {
                return Ok("");
            }
        }
        while self.read.len() < FIELDS {
            let end = rest.bytes().position(|b| !b.is_ascii_hexdigit()).unwrap_or(rest.len());
            let (digits, after) = rest.split_at(end);
            if digits.len() > 4 {
                return error("each group must have 4 or less digits", rest);
            }
            if digits.is_empty() {
                return error("each colon-separated field must have at least one digit", rest);
            }
            if after.starts_with('.') {
                return self.embed(rest).map(|()| "");
            }
            self.read.push(u16::from_str_radix(digits, 16).unwrap_or_default());
            rest = after;
            if rest.is_empty() {
                break;
            }
            let Some(after) = rest.strip_prefix(':') else {
                return error("unexpected character, want colon", rest);
            };
            if after.is_empty() {
                return error("colon must be followed by more characters", rest);
            }
            rest = after;
            if let Some(after) = rest.strip_prefix(':') {
                if self.ellipsis.is_some() {
                    return error("multiple :: in address", rest);
                }
                self.ellipsis = Some(self.read.len());
                rest = after;
                if rest.is_empty() {
                    break;
                }
            }
        }
        Ok(rest)
    }

    /// Reads an IPv4 address as the last two fields.
    fn embed(&mut self, rest: &str) -> Result<(), String> {
        let error = |problem: &str| Err(error(self.text, problem, rest));
        if self.ellipsis.is_none() && self.read.len() != FIELDS - 2 {
            return error("embedded IPv4 address must replace the final 2 fields of the address");
        }
        if self.read.len() > FIELDS - 2 {
            return error("too many hex fields to fit an embedded IPv4 at the end of the address");
        }
        let [a, b, c, d] = v4(rest, self.text)?.octets();
        self.read.extend([u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d])]);
        Ok(())
    }

    /// The address, with zeros for the `::`.
    fn expanded(mut self) -> Result<Ipv6Addr, String> {
        let error = |problem: &str| Err(error(self.text, problem, ""));
        let missing = FIELDS.saturating_sub(self.read.len());
        match self.ellipsis {
            None if missing > 0 => return error("address string too short"),
            Some(_) if missing == 0 => {
                return error("the :: must expand to at least one field of zeros");
            }
            Some(at) => {
                self.read.splice(at..at, std::iter::repeat_n(0, missing));
            }
            None => {}
        }
        let segments: [u16; FIELDS] = self.read.try_into().unwrap_or_default();
        Ok(segments.into())
    }
}

/// Removes leading zeros from every number, decimal or hexadecimal, in a text.
pub(super) fn without_leading_zeros(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let mut in_number = false;
    while let Some(c) = chars.next() {
        let more = chars.peek().is_some_and(char::is_ascii_hexdigit);
        if c == '0' && !in_number && more {
            continue;
        }
        in_number = c.is_ascii_hexdigit();
        out.push(c);
    }
    out
}

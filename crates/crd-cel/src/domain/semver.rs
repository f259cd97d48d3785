//! Semantic versions, parsed and compared as by the package that the API server uses.
//!
//! Source: blang/semver v4 `semver.go`; `k8s.io/apiserver/pkg/cel/library/semverlib.go`,
//! `normalizeAndParse`.

use std::cmp::Ordering;
use std::fmt;

use crate::error::ParseError;
use crate::gofmt::quote;

/// A version. Build metadata is printed, and ignored by comparisons.
#[derive(Debug, Clone)]
pub struct Version {
    /// The first number.
    pub major: u64,
    /// The second number.
    pub minor: u64,
    /// The third number.
    pub patch: u64,
    pre: Vec<Identifier>,
    build: Option<String>,
}

/// A part of a pre-release; numbers sort before words.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Identifier {
    Number(u64),
    Word(String),
}

impl Version {
    /// The bytes that the version takes.
    pub fn bytes(&self) -> usize {
        let words = |identifier: &Identifier| match identifier {
            Identifier::Number(_) => 0,
            Identifier::Word(word) => word.capacity(),
        };
        size_of::<Self>()
            + self.pre.capacity() * size_of::<Identifier>()
            + self.pre.iter().map(words).sum::<usize>()
            + self.build.as_ref().map_or(0, String::capacity)
    }

    /// Parses a version such as `1.2.3-rc.1+build`.
    ///
    /// # Errors
    ///
    /// The package's text, such as `No Major.Minor.Patch elements found`.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        if text.is_empty() {
            return Err("Version string empty".into());
        }
        let mut parts = text.splitn(3, '.');
        let (Some(major), Some(minor), Some(rest)) = (parts.next(), parts.next(), parts.next())
        else {
            return Err("No Major.Minor.Patch elements found".into());
        };
        let major = number(major, "major")?;
        let minor = number(minor, "minor")?;
        let (rest, build) = cut(rest, '+');
        let (patch, pre) = cut(rest, '-');
        let patch = number(patch, "patch")?;
        let pre = pre.map(|pre| pre.split('.').map(Identifier::parse).collect()).transpose()?;
        for part in build.iter().flat_map(|build| build.split('.')) {
            if part.is_empty() {
                return Err("Build meta data is empty".into());
            }
            if !is_word(part) {
                let part = quote(part);
                return Err(format!("Invalid character(s) found in build meta data {part}").into());
            }
        }
        let build = build.map(str::to_owned);
        Ok(Self { major, minor, patch, pre: pre.unwrap_or_default(), build })
    }

    /// Parses a version after normalizing it: a leading `v` and leading zeros are removed, and
    /// missing numbers are 0.
    ///
    /// # Errors
    ///
    /// As [`parse`](Self::parse).
    pub fn parse_normalized(text: &str) -> Result<Self, ParseError> {
        let text = text.strip_prefix('v').unwrap_or(text);
        let mut parts: Vec<String> = text.splitn(3, '.').map(without_leading_zeros).collect();
        if parts.len() < 3 {
            if parts.last().is_some_and(|last| last.contains(['+', '-'])) {
                let problem = "short version cannot contain PreRelease/Build meta data";
                return Err(problem.into());
            }
            parts.resize(3, "0".to_owned());
        }
        Self::parse(&parts.join("."))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)?;
        for (index, part) in self.pre.iter().enumerate() {
            f.write_str(if index == 0 { "-" } else { "." })?;
            match part {
                Identifier::Number(number) => write!(f, "{number}")?,
                Identifier::Word(word) => f.write_str(word)?,
            }
        }
        match &self.build {
            Some(build) => write!(f, "+{build}"),
            None => Ok(()),
        }
    }
}

impl PartialEq for Version {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Version {}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Self) -> Ordering {
        let numbers = |version: &Self| (version.major, version.minor, version.patch);
        numbers(self)
            .cmp(&numbers(other))
            // A pre-release comes before its release.
            .then_with(|| self.pre.is_empty().cmp(&other.pre.is_empty()))
            .then_with(|| self.pre.cmp(&other.pre))
    }
}

impl Identifier {
    fn parse(text: &str) -> Result<Self, String> {
        if text.is_empty() {
            return Err("Prerelease is empty".to_owned());
        }
        if text.bytes().all(|b| b.is_ascii_digit()) {
            if text.len() > 1 && text.starts_with('0') {
                return Err(format!(
                    "Numeric PreRelease version must not contain leading zeroes {}",
                    quote(text)
                ));
            }
            return parse_uint(text).map(Self::Number);
        }
        if !is_word(text) {
            return Err(format!("Invalid character(s) found in prerelease {}", quote(text)));
        }
        Ok(Self::Word(text.to_owned()))
    }
}

fn number(text: &str, name: &str) -> Result<u64, String> {
    if !text.bytes().all(|b| b.is_ascii_digit()) {
        return Err(format!("Invalid character(s) found in {name} number {}", quote(text)));
    }
    if text.len() > 1 && text.starts_with('0') {
        let name = format!("{}{}", name[..1].to_ascii_uppercase(), &name[1..]);
        return Err(format!("{name} number must not contain leading zeroes {}", quote(text)));
    }
    parse_uint(text)
}

/// Go's `strconv.ParseUint` of digits.
fn parse_uint(digits: &str) -> Result<u64, String> {
    let problem = if digits.is_empty() { "invalid syntax" } else { "value out of range" };
    digits.parse().map_err(|_| format!("strconv.ParseUint: parsing {}: {problem}", quote(digits)))
}

fn is_word(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
}

fn cut(text: &str, separator: char) -> (&str, Option<&str>) {
    match text.split_once(separator) {
        Some((before, after)) => (before, Some(after)),
        None => (text, None),
    }
}

/// Removes the leading zeros of a number.
///
/// Upstream: a part of several characters that then begins with no digit gets a zero, so that `v1`
/// becomes `0v1`.
fn without_leading_zeros(part: &str) -> String {
    if part.len() <= 1 {
        return part.to_owned();
    }
    let stripped = part.trim_start_matches('0');
    let zero = if stripped.starts_with(|c: char| c.is_ascii_digit()) { "" } else { "0" };
    format!("{zero}{stripped}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn rejects(text: &str, want: &str) {
        assert_eq!(
            Version::parse(text).map(|_| ()),
            Err(ParseError::from(want.to_owned())),
            "{text}"
        );
    }

    #[test]
    fn errors_have_the_text_of_the_package() {
        rejects("", "Version string empty");
        rejects("1.2", "No Major.Minor.Patch elements found");
        rejects("v1.2.3", "Invalid character(s) found in major number \"v1\"");
        rejects("1.a.3", "Invalid character(s) found in minor number \"a\"");
        rejects("1.2.3.4", "Invalid character(s) found in patch number \"3.4\"");
        rejects("01.2.3", "Major number must not contain leading zeroes \"01\"");
        rejects("1.02.3", "Minor number must not contain leading zeroes \"02\"");
        rejects("1.2.03", "Patch number must not contain leading zeroes \"03\"");
        rejects("1.2.", "strconv.ParseUint: parsing \"\": invalid syntax");
        rejects(
            "1.2.99999999999999999999",
            "strconv.ParseUint: parsing \"99999999999999999999\": value out of range",
        );
        rejects("1.2.3-", "Prerelease is empty");
        rejects("1.2.3-a.01", "Numeric PreRelease version must not contain leading zeroes \"01\"");
        rejects("1.2.3-a_b", "Invalid character(s) found in prerelease \"a_b\"");
        rejects("1.2.3+", "Build meta data is empty");
        rejects("1.2.3+a_b", "Invalid character(s) found in build meta data \"a_b\"");
    }

    #[test]
    fn versions_are_ordered() {
        let sorted = [
            "0.9.10",
            "1.0.0-1",
            "1.0.0-2",
            "1.0.0-10",
            "1.0.0-alpha",
            "1.0.0-alpha.1",
            "1.0.0-alpha.beta",
            "1.0.0-beta",
            "1.0.0",
            "1.0.1",
        ];
        let versions: Vec<_> = sorted.iter().map(|text| Version::parse(text).unwrap()).collect();
        assert!(versions.is_sorted_by(|a, b| a < b));
        assert_eq!(Version::parse("1.0.0+a"), Version::parse("1.0.0+b"));
    }

    #[test]
    fn normalized() {
        #[track_caller]
        fn check(text: &str, want: Result<&str, &str>) {
            let got = Version::parse_normalized(text);
            let want = want
                .map(|want| Version::parse(want).unwrap())
                .map_err(|error| ParseError::from(error.to_owned()));
            assert_eq!(got, want, "{text}");
        }
        check("v1", Ok("1.0.0"));
        check("1.2", Ok("1.2.0"));
        check("v01.002.0003-rc", Ok("1.2.3-rc"));
        check("00", Ok("0.0.0"));
        check("1.2.0-rc", Ok("1.2.0-rc"));
        check("1.2-rc", Err("short version cannot contain PreRelease/Build meta data"));
        check("vv1", Err("Invalid character(s) found in major number \"0v1\""));
        check("", Err("strconv.ParseUint: parsing \"\": invalid syntax"));
        check(" 1", Err("Invalid character(s) found in major number \"0 1\""));
    }
}

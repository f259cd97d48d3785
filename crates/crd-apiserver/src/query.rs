//! Parses the query of a request, and the options in it.
//!
//! Source: `k8s.io/apimachinery/pkg/runtime/conversion.go`; options are validated by
//! `pkg/apis/meta/v1/validation/validation.go`.

use std::num::{IntErrorKind, ParseIntError};

use crd_cel::gofmt::{is_print, quote};
use crd_cel::time::Duration;
use serde_json::Value;

use super::failure::{Answer, Failure, GroupResource};
use crate::admit::FieldValidation;
use crate::field::{BadValue, Error, ErrorList, Path};

/// The maximum length of a field manager, in bytes. Source: `FieldManagerMaxLength`.
const FIELD_MANAGER_MAX_BYTES: usize = 128;

/// The API group of option types. Source: `metav1.GroupName`.
const META_GROUP: &str = "meta.k8s.io";

/// The parameters of a query.
#[derive(Debug, Clone, Default)]
pub(super) struct Query(Vec<(String, String)>);

impl Query {
    pub(super) fn parse(query: &str) -> Self {
        // Upstream: `URL.Query` leaves out what it cannot decode.
        let pairs = query.split('&').filter(|pair| !pair.is_empty() && is_decodable(pair));
        let pairs = pairs.map(|pair| {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            (decode(key, true), decode(value, true))
        });
        Self(pairs.collect())
    }

    /// Returns the first value of a parameter; empty if there is none.
    pub(super) fn text(&self, key: &str) -> &str {
        self.get(key).unwrap_or_default()
    }

    pub(super) fn get(&self, key: &str) -> Option<&str> {
        self.0.iter().find(|(found, _)| found == key).map(|(_, value)| value.as_str())
    }

    /// Returns all values of a parameter.
    pub(super) fn all(&self, key: &str) -> Vec<&str> {
        let found = self.0.iter().filter(|(found, _)| found == key);
        found.map(|(_, value)| value.as_str()).collect()
    }

    /// Parses a flag: `0` and `false` are false, and all other values are true, even an empty one. Returns `None` if
    /// the flag is absent.
    /// Source: `Convert_Slice_string_To_bool`.
    pub(super) fn flag(&self, key: &str) -> Option<bool> {
        self.get(key).map(|value| !(value.eq_ignore_ascii_case("false") || value == "0"))
    }

    /// Returns a parameter that is an integer; `None` if it is absent. Source: `Convert_Slice_string_To_int64`.
    ///
    /// # Errors
    /// Status 400 if its value is not an integer.
    pub(super) fn number(&self, key: &str) -> Answer<Option<i64>> {
        let Some(text) = self.get(key) else { return Ok(None) };
        match text.parse() {
            Ok(number) => Ok(Some(number)),
            Err(error) => {
                let why = why_no_integer(&error);
                Err(Failure::bad_request(format!("strconv.ParseInt: parsing {text:?}: {why}")))
            }
        }
    }
}

/// Checks the parameter `timeout` of a request that is not a watch. Source: `parseTimeout` of
/// `pkg/endpoints/filters/request_deadline.go`.
///
/// # Errors
/// Status 400 if it is not a duration.
pub(super) fn check_timeout(query: &Query) -> Answer<()> {
    let text = query.text("timeout");
    if text.is_empty() || Duration::parse(text).is_some() {
        return Ok(());
    }
    let why = why_no_duration(text);
    Err(Failure::bad_request(format!("invalid timeout specified in the request URL - time: {why}")))
}

/// Returns why a text is not a duration. Source: `ParseDuration` of Go's `time`.
fn why_no_duration(text: &str) -> String {
    let mut rest = text.strip_prefix(['-', '+']).unwrap_or(text);
    let is_number = |c: char| c.is_ascii_digit() || c == '.';
    while !rest.is_empty() {
        let unit = rest.trim_start_matches(is_number);
        let number = &rest[..rest.len() - unit.len()];
        if !number.contains(|c: char| c.is_ascii_digit()) || number.matches('.').count() > 1 {
            break;
        }
        let end = unit.find(is_number).unwrap_or(unit.len());
        let (unit, next) = unit.split_at(end);
        if unit.is_empty() {
            return format!("missing unit in duration {}", quote(text));
        }
        if !matches!(unit, "ns" | "us" | "\u{b5}s" | "\u{3bc}s" | "ms" | "s" | "m" | "h") {
            return format!("unknown unit {} in duration {}", quote(unit), quote(text));
        }
        rest = next;
    }
    format!("invalid duration {}", quote(text))
}

/// The options of a create, update or patch request.
#[derive(Debug, Clone, Default)]
pub(super) struct WriteOptions {
    pub(super) dry_run: bool,
    /// The field manager; empty if the query names none.
    pub(super) manager: String,
    pub(super) validation: FieldValidation,
    pub(super) force: Option<bool>,
}

/// The request that options belong to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OptionsOf {
    Create,
    Update,
    Patch { apply: bool },
}

impl WriteOptions {
    /// Parses and validates the options.
    ///
    /// # Errors
    /// Status 422 for unknown values and invalid combinations.
    pub(super) fn parse(query: &Query, of: OptionsOf) -> Answer<Self> {
        let mut errors = ErrorList::new();
        let force = query.flag("force");
        let manager = query.text("fieldManager");
        let kind = match of {
            OptionsOf::Create => "CreateOptions",
            OptionsOf::Update => "UpdateOptions",
            OptionsOf::Patch { apply } => {
                if apply && manager.is_empty() {
                    let detail = "is required for apply patch";
                    errors.push(Error::required(&Path::new("fieldManager"), detail));
                } else if !apply && force.is_some() {
                    let detail = "may not be specified for non-apply patch";
                    errors.push(Error::forbidden(&Path::new("force"), detail));
                }
                "PatchOptions"
            }
        };
        check_manager(manager, &mut errors);
        let dry_run = query.all("dryRun");
        check_dry_run(&dry_run, &mut errors);
        let validation = match query.text("fieldValidation") {
            "" | "Warn" => FieldValidation::Warn,
            "Ignore" => FieldValidation::Ignore,
            "Strict" => FieldValidation::Strict,
            other => {
                let known = ["", "Ignore", "Strict", "Warn"];
                errors.push(Error::not_supported(&Path::new("fieldValidation"), other, known));
                FieldValidation::Warn
            }
        };
        check_options(kind, &errors)?;
        Ok(Self { dry_run: !dry_run.is_empty(), manager: manager.to_owned(), validation, force })
    }
}

/// Parses a resource version; 0 if the text is empty.
///
/// # Errors
/// Returns the server's message if the text is not a number.
pub(super) fn parse_version(text: &str) -> Result<u64, String> {
    if text.is_empty() {
        return Ok(0);
    }
    parse_uint(text)
        .map_err(|detail| Error::invalid(&Path::new("resourceVersion"), text, detail).to_string())
}

/// Parses a number as Go's `strconv.ParseUint` with base 10 and 64 bits.
///
/// # Errors
/// Returns Go's message.
pub(super) fn parse_uint(text: &str) -> Result<u64, String> {
    let why = match text.parse::<u64>() {
        // Go allows no sign.
        Ok(number) if !text.starts_with('+') => return Ok(number),
        Ok(_) => "invalid syntax",
        Err(error) => why_no_integer(&error),
    };
    Err(format!("strconv.ParseUint: parsing {}: {why}", quote(text)))
}

/// Returns the reason that Go's package `strconv` gives for a text that is no integer of the wanted type.
pub(super) fn why_no_integer(error: &ParseIntError) -> &'static str {
    match error.kind() {
        IntErrorKind::PosOverflow | IntErrorKind::NegOverflow => "value out of range",
        _ => "invalid syntax",
    }
}

/// Checks the length and the characters of a field manager. Source: `ValidateFieldManager`.
fn check_manager(manager: &str, errors: &mut ErrorList) {
    let path = Path::new("fieldManager");
    if manager.len() > FIELD_MANAGER_MAX_BYTES {
        errors.push(Error::too_long(&path, 128));
    }
    for (at, c) in manager.char_indices().filter(|(_, c)| !is_print(*c)) {
        let detail = format!("invalid character U+{:04X} (at position {at})", u32::from(c));
        errors.push(Error::invalid(&path, manager, detail));
    }
}

/// Checks that `All` is the only value of `dryRun`. Source: `ValidateDryRun`.
pub(super) fn check_dry_run(dry_run: &[&str], errors: &mut ErrorList) {
    if dry_run.iter().any(|value| *value != "All") {
        let shown: Vec<Value> = dry_run.iter().map(|value| (*value).into()).collect();
        errors.push(Error::not_supported(&Path::new("dryRun"), Value::from(shown), ["All"]));
    }
}

/// Checks that the validation of options, such as `DeleteOptions`, has found no errors.
///
/// # Errors
/// Status 422 if there are errors.
pub(super) fn check_options(kind: &str, errors: &ErrorList) -> Answer<()> {
    if errors.is_empty() {
        return Ok(());
    }
    Err(Failure::invalid(GroupResource { group: META_GROUP, kind }, "", errors))
}

/// The options of a deletion.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct DeleteOptions {
    pub(super) dry_run: bool,
    pub(super) uid: Option<String>,
    pub(super) resource_version: Option<String>,
    pub(super) propagation: Option<Propagation>,
    pub(super) orphan_dependents: Option<bool>,
    pub(super) grace_seconds: Option<i64>,
}

/// The way in which the dependents of an object are handled when it is deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Propagation {
    Background,
    Foreground,
    Orphan,
}

impl DeleteOptions {
    /// Returns the options as they are sent to webhooks.
    pub(super) fn to_value(&self) -> Value {
        let mut value =
            serde_json::json!({"kind": "DeleteOptions", "apiVersion": "meta.k8s.io/v1"});
        let mut put = |key: &str, found: Option<Value>| {
            if let (Value::Object(map), Some(found)) = (&mut value, found) {
                map.insert(key.to_owned(), found);
            }
        };
        let mut preconditions = serde_json::Map::new();
        for (key, text) in [("uid", &self.uid), ("resourceVersion", &self.resource_version)] {
            if let Some(text) = text {
                preconditions.insert(key.to_owned(), text.clone().into());
            }
        }
        put("preconditions", (!preconditions.is_empty()).then(|| preconditions.into()));
        put("gracePeriodSeconds", self.grace_seconds.map(Value::from));
        put("orphanDependents", self.orphan_dependents.map(Value::from));
        put("propagationPolicy", self.propagation.map(|policy| format!("{policy:?}").into()));
        put("dryRun", self.dry_run.then(|| serde_json::json!(["All"])));
        value
    }

    /// Parses the options from the body if there is one, otherwise from the query.
    ///
    /// # Errors
    /// Status 400 for a number in the query that cannot be parsed, 422 for unknown values and invalid combinations.
    pub(super) fn parse(query: &Query, body: Option<&Value>) -> Answer<Self> {
        let text = |key: &str| match body {
            Some(body) => body.get(key).and_then(Value::as_str).map(str::to_owned),
            None => query.get(key).map(str::to_owned),
        };
        let dry_run: Vec<String> = match body {
            Some(body) => {
                let values = body.get("dryRun").and_then(Value::as_array).into_iter().flatten();
                values.filter_map(Value::as_str).map(str::to_owned).collect()
            }
            None => query.all("dryRun").into_iter().map(str::to_owned).collect(),
        };
        let grace_seconds = match body {
            Some(body) => body.get("gracePeriodSeconds").and_then(Value::as_i64),
            None => query.number("gracePeriodSeconds")?,
        };
        let orphan_dependents = match body {
            Some(body) => body.get("orphanDependents").and_then(Value::as_bool),
            None => query.flag("orphanDependents"),
        };
        let precondition =
            |key: &str| body?.get("preconditions")?.get(key)?.as_str().map(str::to_owned);
        let mut errors = ErrorList::new();
        let path = Path::new("propagationPolicy");
        let policy = text("propagationPolicy");
        if orphan_dependents.is_some() && policy.is_some() {
            let detail = "orphanDependents and deletionPropagation cannot be both set";
            let shown = policy.clone().unwrap_or_default();
            errors.push(Error::invalid(&path, shown, detail));
        }
        let propagation = match policy.as_deref() {
            None => None,
            Some("Background") => Some(Propagation::Background),
            Some("Foreground") => Some(Propagation::Foreground),
            Some("Orphan") => Some(Propagation::Orphan),
            Some(other) => {
                let known = ["Foreground", "Background", "Orphan", "nil"];
                errors.push(Error::not_supported(&path, BadValue::from(other), known));
                None
            }
        };
        let dry_run: Vec<&str> = dry_run.iter().map(String::as_str).collect();
        check_dry_run(&dry_run, &mut errors);
        check_options("DeleteOptions", &errors)?;
        Ok(Self {
            dry_run: !dry_run.is_empty(),
            uid: precondition("uid"),
            resource_version: precondition("resourceVersion"),
            propagation,
            orphan_dependents,
            grace_seconds,
        })
    }
}

/// Returns whether a parameter has no malformed escape and no semicolon. Source: `parseQuery` of Go's `net/url`.
fn is_decodable(pair: &str) -> bool {
    let is_escape = |rest: &str| rest.bytes().take(2).filter(u8::is_ascii_hexdigit).count() == 2;
    !pair.contains(';') && pair.split('%').skip(1).all(is_escape)
}

/// Decodes percent escapes, and in a query also `+` as a space. Malformed escapes are kept as they are.
pub(super) fn decode(text: &str, is_query: bool) -> String {
    let bytes = text.as_bytes();
    let hex = |at: usize| {
        let digit = |b: &u8| char::from(*b).to_digit(16);
        let (high, low) = (bytes.get(at + 1).and_then(digit)?, bytes.get(at + 2).and_then(digit)?);
        u8::try_from(high * 16 + low).ok()
    };
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match (byte, hex(at)) {
            (b'%', Some(escaped)) => {
                out.push(escaped);
                at += 3;
                continue;
            }
            (b'+', _) if is_query => out.push(b' '),
            _ => out.push(*byte),
        }
        at += 1;
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timeouts_are_durations() {
        for text in ["", "timeout=", "timeout=5s", "timeout=1h2.5m"] {
            assert!(check_timeout(&Query::parse(text)).is_ok(), "{text}");
        }
        let check = |text: &str, why: &str| {
            let failure = check_timeout(&Query::parse(&format!("timeout={text}"))).unwrap_err();
            let begin = "invalid timeout specified in the request URL - time: ";
            assert_eq!(failure.message, format!("{begin}{why}"));
        };
        check("foo", "invalid duration \"foo\"");
        check("5", "missing unit in duration \"5\"");
        check("5x", "unknown unit \"x\" in duration \"5x\"");
        check("1s.", "invalid duration \"1s.\"");
    }

    #[test]
    fn queries_are_decoded() {
        let query = Query::parse("a=x%20y+z&b&flag=False&n=7&n2=x&a=second&%zz=%");
        assert_eq!((query.text("a"), query.get("b"), query.get("c")), ("x y z", Some(""), None));
        assert_eq!(
            (query.flag("flag"), query.flag("b"), query.flag("c")),
            (Some(false), Some(true), None)
        );
        assert_eq!(query.number("n"), Ok(Some(7)));
        let rejected = query.number("n2").unwrap_err();
        assert_eq!(rejected.message, "strconv.ParseInt: parsing \"x\": invalid syntax");
        assert_eq!(query.get("%zz"), None);
    }

    #[test]
    fn unknown_options_are_rejected() {
        let rejected =
            |text: &str, of| WriteOptions::parse(&Query::parse(text), of).unwrap_err().message;
        assert_eq!(
            rejected("fieldValidation=x", OptionsOf::Create),
            "CreateOptions.meta.k8s.io \"\" is invalid: fieldValidation: Unsupported value: \"x\": \
             supported values: \"\", \"Ignore\", \"Strict\", \"Warn\""
        );
        assert_eq!(
            rejected("force=true", OptionsOf::Patch { apply: false }),
            "PatchOptions.meta.k8s.io \"\" is invalid: force: Forbidden: may not be specified for non-apply patch"
        );
        assert_eq!(
            rejected("", OptionsOf::Patch { apply: true }),
            "PatchOptions.meta.k8s.io \"\" is invalid: fieldManager: Required value: is required for apply patch"
        );
        assert_eq!(
            rejected("dryRun=Some", OptionsOf::Update),
            "UpdateOptions.meta.k8s.io \"\" is invalid: dryRun: Unsupported value: [\"Some\"]: supported values: \"All\""
        );
    }
}

//! The formats of CEL's `format` library.
//!
//! Source: `k8s.io/apiserver/pkg/cel/library/format.go`, `ConstantFormats`.

use super::url::Url;
use super::{names, strfmt};
use crate::minors::KubernetesVersion;

use crate::error::ParseError;

/// A format that has a name in CEL.
#[derive(Debug)]
pub struct NamedFormat {
    /// The name in CEL, as in `format.dns1123Label()`.
    pub name: &'static str,
    /// The size of an equivalent regular expression, in code points, from which the cost of a
    /// validation is computed.
    pub regex_size: u64,
    validate: fn(&str, KubernetesVersion) -> Vec<String>,
}

/// All formats.
pub static FORMATS: [NamedFormat; 13] = [
    NamedFormat {
        name: "dns1123Label",
        regex_size: 30,
        validate: |text, _| names::dns1123_label(text),
    },
    NamedFormat {
        name: "dns1123Subdomain",
        regex_size: 60,
        validate: |text, _| names::dns1123_subdomain(text),
    },
    NamedFormat {
        name: "dns1035Label",
        regex_size: 30,
        validate: |text, _| names::dns1035_label(text),
    },
    NamedFormat { name: "qualifiedName", regex_size: 60, validate: names::qualified_name },
    NamedFormat {
        name: "dns1123LabelPrefix",
        regex_size: 30,
        validate: |text, _| names::dns1123_label(&names::mask_trailing_dash(text)),
    },
    NamedFormat {
        name: "dns1123SubdomainPrefix",
        regex_size: 60,
        validate: |text, _| names::dns1123_subdomain(&names::mask_trailing_dash(text)),
    },
    NamedFormat {
        name: "dns1035LabelPrefix",
        regex_size: 30,
        validate: |text, _| names::dns1035_label(&names::mask_trailing_dash(text)),
    },
    NamedFormat { name: "labelValue", regex_size: 40, validate: names::label_value },
    NamedFormat {
        name: "uri",
        regex_size: 1103,
        validate: |text, _| {
            Url::parse_request(text).err().iter().map(ParseError::to_string).collect()
        },
    },
    NamedFormat {
        name: "uuid",
        regex_size: UUID_PATTERN_SIZE,
        validate: |text, _| unless(strfmt::is_uuid(text, None), "does not match the UUID format"),
    },
    NamedFormat {
        name: "byte",
        regex_size: 84,
        validate: |text, _| unless(strfmt::is_base64(text), "invalid base64"),
    },
    NamedFormat {
        name: "date",
        regex_size: DATE_TIME_PATTERN_SIZE,
        validate: |text, _| unless(strfmt::is_date(text), "invalid date"),
    },
    NamedFormat {
        name: "datetime",
        regex_size: DATE_TIME_PATTERN_SIZE,
        validate: |text, _| unless(strfmt::is_date_time(text), "invalid datetime"),
    },
];

/// The bytes of `strfmt.UUIDPattern`.
const UUID_PATTERN_SIZE: u64 = 70;
/// The bytes of `strfmt.DateTimePattern`.
const DATE_TIME_PATTERN_SIZE: u64 = 71;

/// Returns the format with a name.
pub fn find(name: &str) -> Option<&'static NamedFormat> {
    FORMATS.iter().find(|format| format.name == name)
}

impl NamedFormat {
    /// Returns the errors of a text, as servers of a version report them; none if the text has the format.
    pub fn validate(&self, text: &str, version: KubernetesVersion) -> Vec<String> {
        (self.validate)(text, version)
    }
}

fn unless(valid: bool, error: &str) -> Vec<String> {
    if valid { vec![] } else { vec![error.to_owned()] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, text: &str, want: &[&str]) {
        let format = find(name).expect(name);
        assert_eq!(format.validate(text, KubernetesVersion::REFERENCE), want, "{name} of {text:?}");
    }

    #[test]
    fn formats() {
        check("dns1123Label", "a", &[]);
        check("dns1123Label", "a.b", &["must not contain dots"]);
        check("dns1123LabelPrefix", "ab-", &[]);
        check("dns1035LabelPrefix", "ab-", &[]);
        check("dns1123SubdomainPrefix", "a.bc-", &[]);
        check("qualifiedName", "a/b", &[]);
        check("labelValue", "", &[]);
        check("uri", "/a", &[]);
        check("uri", "a", &["parse \"a\": invalid URI for request"]);
        check("uuid", "x", &["does not match the UUID format"]);
        check("byte", "", &["invalid base64"]);
        check("date", "2020-1-1", &["invalid date"]);
        check("datetime", "2020-01-01", &["invalid datetime"]);
        assert!(find("nothing").is_none());
    }
}

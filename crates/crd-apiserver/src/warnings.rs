//! The `Warning` headers of a response.
//!
//! Source: `k8s.io/apiserver/pkg/endpoints/filters/warning.go`, and `NewWarningHeader` of apimachinery's
//! `pkg/util/net/http.go`.

use http::HeaderValue;

/// The number of characters of all warnings together beyond which each is shortened. Source: `truncateAtTotalRunes`.
const MAX_TOTAL: usize = 4_096;
/// The number of characters of a warning that is shortened. Source: `truncateItemRunes`.
const MAX_SHORTENED: usize = 256;

/// Returns the headers of warnings. Repeated ones are dropped, and so are those with control characters.
pub(super) fn headers(warnings: &[String]) -> Vec<HeaderValue> {
    let mut seen: Vec<&str> = Vec::new();
    for warning in warnings {
        if !warning.is_empty() && !seen.contains(&warning.as_str()) {
            seen.push(warning);
        }
    }
    let written = seen.iter().filter_map(|text| Some((length(text), header(text)?)));
    let (lengths, headers): (Vec<usize>, Vec<HeaderValue>) = written.unzip();
    if lengths.iter().sum::<usize>() <= MAX_TOTAL {
        return headers;
    }
    let mut total = 0;
    let mut shortened = Vec::new();
    for text in seen {
        if total >= MAX_TOTAL {
            break;
        }
        let text: String = text.chars().take(MAX_SHORTENED).collect();
        if let Some(header) = header(&text) {
            total += length(&text);
            shortened.push(header);
        }
    }
    shortened
}

fn length(text: &str) -> usize {
    text.chars().count()
}

fn header(text: &str) -> Option<HeaderValue> {
    if text.contains(char::is_control) {
        return None;
    }
    let text = text.replace('\\', "\\\\").replace('"', "\\\"");
    HeaderValue::from_bytes(format!("299 - \"{text}\"").as_bytes()).ok()
}

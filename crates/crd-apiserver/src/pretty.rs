//! Indented JSON, for people.
//!
//! Source: `isPrettyPrint` of `k8s.io/apiserver/pkg/endpoints/handlers/negotiation/negotiate.go`, and `doEncode` of
//! apimachinery `pkg/runtime/serializer/json/json.go`.

use http::{Request, header};

use super::query::Query;

/// The beginnings of the `User-Agent` of browsers and of programs that people use.
const AGENTS: [&str; 3] = ["curl", "Wget", "Mozilla/5.0"];
/// What Go reads as true. Source: `strconv.ParseBool`.
const TRUE: [&str; 6] = ["1", "t", "T", "true", "TRUE", "True"];

/// Returns whether the answer to a request is indented.
pub(super) fn is_wanted(request: &Request<Vec<u8>>) -> bool {
    let query = Query::parse(request.uri().query().unwrap_or_default());
    let asked = query.text("pretty");
    if !asked.is_empty() {
        return TRUE.contains(&asked);
    }
    let agent = request.headers().get(header::USER_AGENT).and_then(|agent| agent.to_str().ok());
    agent.is_some_and(|agent| AGENTS.iter().any(|known| agent.starts_with(known)))
}

/// Returns JSON with each member and element on its own line, indented by two spaces for each level.
pub(super) fn indented(json: &str) -> String {
    let mut text = String::with_capacity(2 * json.len());
    let (mut depth, mut is_text, mut is_escaped) = (0_usize, false, false);
    let line = |text: &mut String, depth: usize| {
        text.push('\n');
        text.extend(std::iter::repeat_n("  ", depth));
    };
    let mut characters = json.chars().peekable();
    while let Some(character) = characters.next() {
        if is_text {
            text.push(character);
            is_text = is_escaped || character != '"';
            is_escaped = !is_escaped && character == '\\';
            continue;
        }
        match character {
            '{' | '[' => {
                text.push(character);
                if let Some(close) = characters.next_if(|next| matches!(next, '}' | ']')) {
                    text.push(close);
                } else {
                    depth += 1;
                    line(&mut text, depth);
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                line(&mut text, depth);
                text.push(character);
            }
            ',' => {
                text.push(character);
                line(&mut text, depth);
            }
            ':' => text.push_str(": "),
            _ => {
                is_text = character == '"';
                text.push(character);
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_indented_as_in_go() {
        let json = r#"{"a":{},"b":[],"c":[1,{"d":"x,\"{:\\"}],"e":null}"#;
        let want = "{\n  \"a\": {},\n  \"b\": [],\n  \"c\": [\n    1,\n    {\n      \"d\": \"x,\\\"{:\\\\\"\n    }\n  ],\n  \
                    \"e\": null\n}";
        assert_eq!(indented(json), want);
    }

    #[test]
    fn people_get_indented_json() {
        #[track_caller]
        fn check(path: &str, agent: &str, want: bool) {
            let request = Request::builder().uri(path).header("user-agent", agent);
            assert_eq!(is_wanted(&request.body(Vec::new()).expect("a request")), want);
        }
        check("/api", "curl/8", true);
        check("/api?pretty=false", "curl/8", false);
        check("/api?pretty=1", "kubectl/1", true);
        check("/api", "kubectl/1", false);
    }
}

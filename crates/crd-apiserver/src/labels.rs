//! Label selectors: parsing, and matching them with objects.
//!
//! Source: `k8s.io/apimachinery/pkg/labels/selector.go`.

use std::collections::BTreeSet;

use crd_cel::kubernetes::KubernetesVersion;
use serde_json::Value;

use crate::field::{Error, Path};
use crate::names;

/// Requirements that must all be satisfied: `app=web,tier in (a, b),!canary`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct LabelSelector(Vec<Requirement>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Requirement {
    key: String,
    operator: Operator,
    values: BTreeSet<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    In,
    NotIn,
    Exists,
    DoesNotExist,
    Greater,
    Less,
}

impl LabelSelector {
    /// Parses the text of a selector, as in `labelSelector` of a query.
    ///
    /// # Errors
    /// Returns the error message of the server.
    pub(super) fn parse(text: &str, kubernetes: KubernetesVersion) -> Result<Self, String> {
        let mut parser = Parser { tokens: tokens(text), at: 0, kubernetes };
        let mut requirements = parser.requirements()?;
        requirements.sort_by(|a, b| a.key.cmp(&b.key));
        Ok(Self(requirements))
    }

    /// Parses a selector with `matchLabels` and `matchExpressions`, such as `objectSelector` of a webhook.
    /// Source: `LabelSelectorAsSelector`.
    ///
    /// # Errors
    /// Returns the error message of the server.
    pub(super) fn of_value(value: &Value, kubernetes: KubernetesVersion) -> Result<Self, String> {
        let text = |value: &Value, key: &str| {
            value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
        };
        let mut requirements = Vec::new();
        let labels = value.get("matchLabels").and_then(Value::as_object).into_iter().flatten();
        for (key, label) in labels {
            let values = BTreeSet::from([label.as_str().unwrap_or_default().to_owned()]);
            requirements.push(Requirement::new(key, Operator::In, values, kubernetes)?);
        }
        let expressions = value.get("matchExpressions").and_then(Value::as_array);
        for expression in expressions.into_iter().flatten() {
            let operator = match text(expression, "operator").as_str() {
                "In" => Operator::In,
                "NotIn" => Operator::NotIn,
                "Exists" => Operator::Exists,
                "DoesNotExist" => Operator::DoesNotExist,
                other => return Err(format!("{other:?} is not a valid label selector operator")),
            };
            let values = expression.get("values").and_then(Value::as_array).into_iter().flatten();
            let values = values.filter_map(Value::as_str).map(str::to_owned).collect();
            requirements.push(Requirement::new(
                &text(expression, "key"),
                operator,
                values,
                kubernetes,
            )?);
        }
        Ok(Self(requirements))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn matches(&self, object: &Value) -> bool {
        let labels =
            object.get("metadata").and_then(|metadata| metadata.get("labels")?.as_object());
        self.0.iter().all(|requirement| {
            let value = labels.and_then(|labels| labels.get(&requirement.key)?.as_str());
            requirement.matches(value)
        })
    }
}

impl Requirement {
    fn matches(&self, value: Option<&str>) -> bool {
        let compare = |is_satisfied: fn(i64, i64) -> bool| {
            let bound = self.values.iter().next().and_then(|bound| bound.parse::<i64>().ok());
            let value = value.and_then(|value| value.parse::<i64>().ok());
            matches!((value, bound), (Some(value), Some(bound)) if is_satisfied(value, bound))
        };
        match self.operator {
            Operator::In => value.is_some_and(|value| self.values.contains(value)),
            Operator::NotIn => value.is_none_or(|value| !self.values.contains(value)),
            Operator::Exists => value.is_some(),
            Operator::DoesNotExist => value.is_none(),
            Operator::Greater => compare(|value, bound| value > bound),
            Operator::Less => compare(|value, bound| value < bound),
        }
    }

    /// Validates the key and the values of a requirement. Source: `NewRequirement`.
    fn new(
        key: &str,
        operator: Operator,
        values: BTreeSet<String>,
        kubernetes: KubernetesVersion,
    ) -> Result<Self, String> {
        let mut errors = Vec::new();
        let messages = names::label_key(key, kubernetes);
        if !messages.is_empty() {
            errors.push(Error::invalid(&Path::new("key"), key, messages.join("; ")));
        }
        let path = Path::new("values");
        let wrong = match operator {
            Operator::In | Operator::NotIn if values.is_empty() => {
                Some("for 'in', 'notin' operators, values set can't be empty")
            }
            Operator::Exists | Operator::DoesNotExist if !values.is_empty() => {
                Some("values set must be empty for exists and does not exist")
            }
            _ => None,
        };
        if let Some(detail) = wrong {
            let shown: Vec<Value> = values.iter().map(|value| value.as_str().into()).collect();
            errors.push(Error::invalid(&path, Value::from(shown), detail));
        }
        if matches!(operator, Operator::Greater | Operator::Less) {
            for (index, value) in values.iter().enumerate() {
                if value.parse::<i64>().is_err() {
                    let detail = "for 'Gt', 'Lt' operators, the value must be an integer";
                    errors.push(Error::invalid(&path.index(index), value.as_str(), detail));
                }
            }
        }
        for (index, value) in values.iter().enumerate() {
            let messages = names::label_value(value, kubernetes);
            if !messages.is_empty() {
                let item = path.index(index);
                errors.push(Error::invalid(&item.key(key), value.as_str(), messages.join("; ")));
            }
        }
        if errors.is_empty() {
            return Ok(Self { key: key.to_owned(), operator, values });
        }
        let errors: crate::field::ErrorList = errors.into_iter().collect();
        Err(errors.to_string())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token<'a> {
    Word(&'a str),
    Symbol(&'a str),
    End,
}

impl<'a> Token<'a> {
    fn text(self) -> &'a str {
        match self {
            Self::Word(text) | Self::Symbol(text) => text,
            Self::End => "",
        }
    }
}

/// Splits a selector into words and symbols. Source: `Lexer`.
fn tokens(text: &str) -> Vec<Token<'_>> {
    const SYMBOLS: [&str; 9] = ["==", "!=", "=", "!", "(", ")", ",", ">", "<"];
    let mut tokens = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches([' ', '\t', '\r', '\n']);
        if rest.is_empty() {
            return tokens;
        }
        if let Some(symbol) = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
            tokens.push(Token::Symbol(&rest[..symbol.len()]));
            rest = &rest[symbol.len()..];
            continue;
        }
        let end = rest
            .find([' ', '\t', '\r', '\n', '=', '!', '(', ')', ',', '>', '<'])
            .unwrap_or(rest.len());
        tokens.push(Token::Word(&rest[..end]));
        rest = &rest[end..];
    }
}

/// Parses the tokens of a selector. Source: `Parser`.
struct Parser<'a> {
    tokens: Vec<Token<'a>>,
    at: usize,
    kubernetes: KubernetesVersion,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Token<'a> {
        self.tokens.get(self.at).copied().unwrap_or(Token::End)
    }

    fn next(&mut self) -> Token<'a> {
        let token = self.peek();
        self.at += 1;
        token
    }

    fn requirements(&mut self) -> Result<Vec<Requirement>, String> {
        let mut found = Vec::new();
        loop {
            match self.peek() {
                Token::Word(_) | Token::Symbol("!") => {
                    let requirement = self
                        .requirement()
                        .map_err(|why| format!("unable to parse requirement: {why}"))?;
                    found.push(requirement);
                    match self.next() {
                        Token::End => return Ok(found),
                        Token::Symbol(",") => {
                            let after = self.peek();
                            if !matches!(after, Token::Word(_) | Token::Symbol("!")) {
                                let text = after.text();
                                return Err(format!(
                                    "found '{text}', expected: identifier after ','"
                                ));
                            }
                        }
                        other => {
                            let text = other.text();
                            return Err(format!(
                                "found '{text}', expected: ',' or 'end of string'"
                            ));
                        }
                    }
                }
                Token::End => return Ok(found),
                other @ Token::Symbol(_) => {
                    let text = other.text();
                    return Err(format!(
                        "found '{text}', expected: !, identifier, or 'end of string'"
                    ));
                }
            }
        }
    }

    fn requirement(&mut self) -> Result<Requirement, String> {
        let negated = self.peek() == Token::Symbol("!");
        if negated {
            self.at += 1;
        }
        let key = match self.next() {
            Token::Word(key) => key,
            other => return Err(format!("found '{}', expected: identifier", other.text())),
        };
        let messages = names::label_key(key, self.kubernetes);
        if !messages.is_empty() {
            // Upstream: the parser has no path, which Go prints as `<nil>`.
            let path = Path::new("<nil>");
            return Err(Error::invalid(&path, key, messages.join("; ")).to_string());
        }
        if negated {
            return Requirement::new(key, Operator::DoesNotExist, BTreeSet::new(), self.kubernetes);
        }
        if matches!(self.peek(), Token::End | Token::Symbol(",")) {
            return Requirement::new(key, Operator::Exists, BTreeSet::new(), self.kubernetes);
        }
        let (operator, is_list) = match self.next() {
            Token::Word("in") => (Operator::In, true),
            Token::Word("notin") => (Operator::NotIn, true),
            Token::Symbol("=" | "==") => (Operator::In, false),
            Token::Symbol("!=") => (Operator::NotIn, false),
            Token::Symbol(">") => (Operator::Greater, false),
            Token::Symbol("<") => (Operator::Less, false),
            other => {
                return Err(format!(
                    "found '{}', expected: in, notin, =, ==, !=, gt, lt",
                    other.text()
                ));
            }
        };
        let values =
            if is_list { self.value_list()? } else { BTreeSet::from([self.single_value()?]) };
        Requirement::new(key, operator, values, self.kubernetes)
    }

    fn single_value(&mut self) -> Result<String, String> {
        match self.peek() {
            Token::End | Token::Symbol(",") => Ok(String::new()),
            Token::Word(value) => {
                self.at += 1;
                Ok(value.to_owned())
            }
            other @ Token::Symbol(_) => {
                Err(format!("found '{}', expected: identifier", other.text()))
            }
        }
    }

    fn value_list(&mut self) -> Result<BTreeSet<String>, String> {
        let open = self.next();
        if open != Token::Symbol("(") {
            return Err(format!("found '{}' expected: '('", open.text()));
        }
        let mut values = BTreeSet::new();
        loop {
            match self.next() {
                Token::Word(value) => {
                    values.insert(value.to_owned());
                    match self.next() {
                        Token::Symbol(",") => {
                            if matches!(self.peek(), Token::Symbol(")" | ",")) {
                                values.insert(String::new());
                            }
                        }
                        Token::Symbol(")") => return Ok(values),
                        other => {
                            return Err(format!("found '{}', expected: ',' or ')'", other.text()));
                        }
                    }
                }
                Token::Symbol(",") => {
                    values.insert(String::new());
                }
                Token::Symbol(")") => {
                    if values.is_empty() {
                        values.insert(String::new());
                    }
                    return Ok(values);
                }
                other => {
                    let expected = if values.is_empty() { "',', ')' or" } else { "',', or" };
                    let found = other.text();
                    return Err(format!("found '{found}', expected: {expected} identifier"));
                }
            }
        }
    }
}

/// Returns a selector with `matchLabels` and `matchExpressions` as text. Source: `LabelSelectorAsSelector` and
/// `Requirement.String`.
pub(super) fn text_of(selector: &Value) -> String {
    let mut requirements: Vec<(&str, String)> = Vec::new();
    for (key, value) in selector["matchLabels"].as_object().into_iter().flatten() {
        requirements.push((key, format!("{key}={}", value.as_str().unwrap_or_default())));
    }
    for expression in selector["matchExpressions"].as_array().into_iter().flatten() {
        let key = expression["key"].as_str().unwrap_or_default();
        let values = expression["values"].as_array().into_iter().flatten();
        let mut values: Vec<&str> = values.filter_map(Value::as_str).collect();
        values.sort_unstable();
        let values = values.join(",");
        let text = match expression["operator"].as_str().unwrap_or_default() {
            "In" => format!("{key} in ({values})"),
            "NotIn" => format!("{key} notin ({values})"),
            "DoesNotExist" => format!("!{key}"),
            _ => key.to_owned(),
        };
        requirements.push((key, text));
    }
    requirements.sort_by_key(|(key, _)| *key);
    let texts: Vec<String> = requirements.into_iter().map(|(_, text)| text).collect();
    texts.join(",")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(selector: &str, want: bool) {
        let object = json!({"metadata": {"labels": {"app": "web", "n": "5", "empty": ""}}});
        let selector =
            LabelSelector::parse(selector, KubernetesVersion::REFERENCE).expect("a selector");
        assert_eq!(selector.matches(&object), want, "{selector:?}");
    }

    #[test]
    fn requirements_match_labels() {
        check("", true);
        check("app", true);
        check("!app", false);
        check("other", false);
        check("app=web", true);
        check("app == web, n != 6", true);
        check("app!=web", false);
        check("other!=x", true);
        check("app in (a, web)", true);
        check("app notin (a,web)", false);
        check("other notin (a)", true);
        check("empty=", true);
        check("empty in ()", true);
        check("n>4,n<6", true);
        check("n>5", false);
        check("app>5", false);
    }

    #[test]
    fn invalid_selectors() {
        let error = |text| {
            LabelSelector::parse(text, KubernetesVersion::REFERENCE).expect_err("no selector")
        };
        for (text, why) in [
            ("a in (", "found '', expected: ',', ')' or identifier"),
            ("a in (=)", "found '=', expected: ',', ')' or identifier"),
            ("a in (b,=)", "found '=', expected: ',', or identifier"),
        ] {
            assert_eq!(error(text), format!("unable to parse requirement: {why}"));
        }
        assert_eq!(error("a,"), "found '', expected: identifier after ','");
        assert_eq!(error(",a"), "found ',', expected: !, identifier, or 'end of string'");
        assert_eq!(
            error("a b"),
            "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"
        );
        assert_eq!(error("a in b"), "unable to parse requirement: found 'b' expected: '('");
        assert!(error("-a=b").starts_with(
            "unable to parse requirement: <nil>: Invalid value: \"-a\": name part must"
        ));
        assert!(
            error("a in (b,-b)")
                .starts_with("unable to parse requirement: values[0][a]: Invalid value: \"-b\": ")
        );
    }

    #[test]
    fn older_servers_call_a_key_a_qualified_name() {
        let error =
            |kubernetes| LabelSelector::parse("a/b/c", kubernetes).expect_err("no selector");
        let start = "unable to parse requirement: <nil>: Invalid value: \"a/b/c\": a ";
        let newest = error(KubernetesVersion::REFERENCE);
        assert!(newest.starts_with(&format!("{start}valid label key ")), "{newest}");
        let oldest = error(KubernetesVersion::OLDEST);
        assert!(oldest.starts_with(&format!("{start}qualified name ")), "{oldest}");
    }

    #[test]
    fn texts_are_sorted() {
        let labels = json!({"matchLabels": {"b": "c"}, "matchExpressions": [
            {"key": "d", "operator": "NotIn", "values": ["z", "y"]},
            {"key": "a", "operator": "Exists"}, {"key": "e", "operator": "DoesNotExist"},
        ]});
        assert_eq!(text_of(&labels), "a,b=c,d notin (y,z),!e");
        assert_eq!(text_of(&Value::Null), "");
    }
}

//! Text of Go's templates whose output is a given text, with actions in some places.

use serde_json::Value;

/// The actions in a text, by the words that stand for them until [`fill`](Holes::fill).
pub(super) struct Holes {
    /// The start of each word, which the text does not have.
    start: String,
    holes: Vec<Hole>,
}

enum Hole {
    /// In place of a value.
    Value(String),
    /// In place of the line of a key.
    Lines(String),
}

impl Holes {
    /// Returns no holes, for a text that does not have the words of `values`.
    pub(super) fn new(values: &[Value]) -> Self {
        let text: String = values.iter().map(ToString::to_string).collect();
        let mut start = "hole".to_owned();
        while text.contains(&start) {
            start.push('x');
        }
        Self { start, holes: Vec::new() }
    }

    /// Returns a value that becomes an action.
    pub(super) fn value(&mut self, action: impl Into<String>) -> Value {
        self.add(Hole::Value(action.into()))
    }

    /// Returns a value whose line becomes these lines, as far to the right as the key was.
    pub(super) fn lines(&mut self, lines: impl Into<String>) -> Value {
        self.add(Hole::Lines(lines.into()))
    }

    fn add(&mut self, hole: Hole) -> Value {
        self.holes.push(hole);
        // The last character ends the number.
        Value::from(format!("{}{}e", self.start, self.holes.len() - 1))
    }

    /// Escapes a text, and puts the actions into it. Each line has at most one.
    pub(super) fn fill(&self, text: &str) -> String {
        let mut out = String::new();
        for line in text.split_inclusive('\n') {
            let Some((before, after, hole)) = self.find(line) else {
                out.push_str(&escape(line));
                continue;
            };
            match hole {
                Hole::Value(action) => {
                    out.push_str(&escape(before));
                    out.push_str(action);
                    out.push_str(&escape(after));
                }
                Hole::Lines(lines) => {
                    let indent = before.len() - before.trim_start().len();
                    for line in lines.lines() {
                        out.push_str(&" ".repeat(indent));
                        out.push_str(line);
                        out.push('\n');
                    }
                }
            }
        }
        out
    }

    fn find<'l>(&self, line: &'l str) -> Option<(&'l str, &'l str, &Hole)> {
        let (before, rest) = line.split_once(&self.start)?;
        let (number, after) = rest.split_once('e')?;
        Some((before, after, self.holes.get(number.parse::<usize>().ok()?)?))
    }
}

/// Returns a template whose output is a text, wherever it stands: each `{{` becomes an action that prints it, and so does
/// a brace at the end, behind which another one may follow.
pub(super) fn escape(text: &str) -> String {
    let mut out = text.replace("{{", "{{\"{{\"}}");
    if out.ends_with('{') {
        out.pop();
        out.push_str("{{\"{\"}}");
    }
    out
}

/// Returns the literal of a text in an action.
pub(super) fn quoted(text: &str) -> String {
    // Go reads the escapes of JSON.
    Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Executes a template whose actions print a literal.
    pub(super) fn executed(template: &str) -> String {
        let (mut out, mut rest) = (String::new(), template);
        while let Some((before, after)) = rest.split_once("{{") {
            out.push_str(before);
            let literal = after.strip_prefix('"').expect("a literal");
            let (literal, after) = literal.split_once("\"}}").expect("the end of an action");
            out.push_str(literal);
            rest = after;
        }
        out + rest
    }

    #[test]
    fn the_output_of_an_escaped_text_is_the_text_also_before_another_one() {
        let letters = ['{', '}', '"', '-', ' ', '\n'];
        let mut texts = vec![String::new()];
        for _ in 0..5 {
            let longer =
                texts.iter().flat_map(|text| letters.map(|letter| format!("{text}{letter}")));
            texts = longer.collect();
            for text in &texts {
                assert_eq!(executed(&escape(text)), *text);
                let twice = format!("{}{}", escape(text), escape("{{a}}"));
                assert_eq!(executed(&twice), format!("{text}{{{{a}}}}"));
            }
        }
    }

    #[test]
    fn actions_stand_where_their_values_were() {
        let text = "hole";
        let mut holes = Holes::new(&[text.into()]);
        let value = holes.value("{{ .a }}");
        let lines = holes.lines("{{- with .b }}\nc: {{ . }}\n{{- end }}");
        let yaml = format!(
            "{text}: {}\nd:\n  c: {}\n  e: '{{{{ x }}}}'\n",
            value.as_str().expect("a text"),
            lines.as_str().expect("a text")
        );
        let want = "hole: {{ .a }}\nd:\n  {{- with .b }}\n  c: {{ . }}\n  {{- end }}\n  e: '{{\"{{\"}} x }}'\n";
        assert_eq!(holes.fill(&yaml), want);
    }

    #[test]
    fn literals_have_the_escapes_of_go() {
        assert_eq!(quoted("a\"\\\n}}\u{1}"), r#""a\"\\\n}}\u0001""#);
    }
}

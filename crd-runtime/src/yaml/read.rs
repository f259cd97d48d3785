//! From text to documents.
//!
//! Source: k8s.io/apimachinery v0.36.2 `pkg/util/yaml/decoder.go` (`YAMLReader`, `YAMLOrJSONDecoder`): a stream is cut
//! at lines that begin with `---`, and documents that say nothing are skipped.

use saphyr_parser::{Event, Parser};

use super::build::Builder;
use super::{Document, Error};

/// The documents of a stream, in their order; one that cannot be read does not hide the others.
///
/// Lines are counted from the beginning of the stream.
pub fn documents(text: &str) -> impl Iterator<Item = Result<Document, Error>> + '_ {
    Chunks::new(text)
        .flat_map(|chunk| chunk.map_or_else(|error| vec![Err(error)], |chunk| chunk.documents()))
}

/// A stretch of the stream between separators.
struct Chunk<'a> {
    text: &'a str,
    /// Lines of the stream before it.
    lines_before: usize,
}

/// Cuts a stream at its separators.
struct Chunks<'a> {
    rest: Option<&'a str>,
    lines_before: usize,
}

impl<'a> Chunks<'a> {
    fn new(text: &'a str) -> Self {
        Self { rest: Some(text.strip_prefix('\u{feff}').unwrap_or(text)), lines_before: 0 }
    }
}

impl<'a> Iterator for Chunks<'a> {
    type Item = Result<Chunk<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let text = self.rest.take()?;
        let lines_before = self.lines_before;
        let mut end = 0;
        for (index, line) in text.split_inclusive('\n').enumerate() {
            let Some(behind) = line.strip_prefix("---") else {
                end += line.len();
                continue;
            };
            self.rest = text.get(end + line.len()..);
            self.lines_before = lines_before + index + 1;
            let behind = behind.trim();
            if !(behind.is_empty() || behind.starts_with('#')) {
                let message = format!("invalid Yaml document separator: {behind}");
                return Some(Err(Error { line: self.lines_before, column: 1, message }));
            }
            break;
        }
        Some(Ok(Chunk { text: text.get(..end).unwrap_or_default(), lines_before }))
    }
}

impl Chunk<'_> {
    /// Usually one document; `...` may end one and begin another.
    fn documents(&self) -> Vec<Result<Document, Error>> {
        let mut documents = Vec::new();
        let mut builder = Builder::default();
        let mut line = None;
        let mut parser = Parser::new_from_str(self.text);
        while let Some(event) = parser.next_event() {
            let (event, span) = match event {
                Ok(event) => event,
                Err(error) => {
                    let at = *error.marker();
                    let message = error.info().to_owned();
                    documents.push(Err(self.place(Error {
                        line: at.line(),
                        column: at.col() + 1,
                        message,
                    })));
                    return documents;
                }
            };
            let ends = event == Event::DocumentEnd;
            let begins = matches!(
                event,
                Event::Scalar(..)
                    | Event::SequenceStart(..)
                    | Event::MappingStart(..)
                    | Event::Alias(..)
            );
            if begins && line.is_none() {
                line = Some(span.start.line());
            }
            if let Err(error) = builder.event(event, span) {
                documents.push(Err(self.place(error)));
                return documents;
            }
            if ends {
                let (value, duplicates) = std::mem::take(&mut builder).finish();
                let line = self.lines_before + line.take().unwrap_or(1);
                let Some(value) = value.filter(|value| !value.is_null()) else { continue };
                let duplicates = duplicates
                    .into_iter()
                    .map(|mut duplicate| {
                        duplicate.line += self.lines_before;
                        duplicate
                    })
                    .collect();
                documents.push(Ok(Document { line, value, duplicates }));
            }
        }
        documents
    }

    fn place(&self, mut error: Error) -> Error {
        error.line += self.lines_before;
        error
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use serde_json::{Value, json};

    use super::*;

    #[track_caller]
    fn check(text: &str, want: &[Value]) {
        let values: Result<Vec<Value>, Error> =
            documents(text).map(|document| document.map(|document| document.value)).collect();
        assert_eq!(values.as_deref(), Ok(want));
    }

    #[track_caller]
    fn check_error(text: &str, want: &str) {
        let error = documents(text).find_map(Result::err).expect("an error");
        assert_eq!(error.to_string(), want);
    }

    #[test]
    fn documents_are_cut_at_dashes() {
        check(
            "a: 1\n---\nb: 2\n--- # third\nc: 3\n",
            &[json!({"a": 1}), json!({"b": 2}), json!({"c": 3})],
        );
        check("---\n# nothing\n---\n\n---\nnull\n", &[]);
        check("\u{feff}a: 1\r\n---\r\nb: 2\r\n", &[json!({"a": 1}), json!({"b": 2})]);
        check("a: 1\n...\n", &[json!({"a": 1})]);
        check_error("a: 1\n--- b\n", "line 2, column 1: invalid Yaml document separator: b");
    }

    #[test]
    fn a_broken_document_does_not_hide_the_others() {
        let read: Vec<_> = documents("a: 1\n---\na: [\n---\nb: 2\n").collect();
        assert_eq!(read.len(), 3);
        assert!(read[0].is_ok() && read[1].is_err() && read[2].is_ok());
        assert_eq!(read[2].as_ref().map(|document| document.line), Ok(5));
    }

    #[test]
    fn yaml_one_one_scalars() {
        check(
            "{on: yes, 012: 0o17, f: 1e3, t: 2001-01-01, q: \"no\", e: }",
            &[json!({"true": true, "10": 15, "f": 1000, "t": "2001-01-01", "q": "no", "e": null})],
        );
        check(
            "a: !!str 12\nb: !!float 1.5\nc: !custom 5\nd: !!binary aGk=\ne: ! 7\n",
            &[json!({"a": "12", "b": 1.5, "c": "5", "d": "hi", "e": "7"})],
        );
    }

    #[test]
    fn merges_take_effect_where_they_stand() {
        let base = "base: &b {x: 1, z: 2}\n";
        let with = |rest: &str| format!("{base}{rest}");
        let want = |of: Value| json!({"base": {"x": 1, "z": 2}, "of": of});
        check(&with("of: {<<: *b, x: 9}"), &[want(json!({"x": 9, "z": 2}))]);
        check(&with("of: {x: 9, <<: *b}"), &[want(json!({"x": 1, "z": 2}))]);
        check(&with("of: {<<: [{x: 5}, *b]}"), &[want(json!({"x": 5, "z": 2}))]);
        check(&with("of: {\"<<\": *b}"), &[want(json!({"<<": {"x": 1, "z": 2}}))]);
        check_error(
            "<<: 1",
            "line 1, column 5: map merge requires map or sequence of maps as the value",
        );
    }

    #[test]
    fn repeated_keys_are_reported_with_their_place() {
        let document = documents("---\na: 1\nb:\n  c: 1\n  c: 2\na: 3\n")
            .next()
            .expect("a document")
            .expect("readable");
        let told: Vec<String> = document.duplicates.iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [
                "line 5, column 3: key \"c\" already set in map",
                "line 6, column 1: key \"a\" already set in map"
            ]
        );
        assert_eq!(document.value, json!({"a": 3, "b": {"c": 2}}));
        let merged = documents("a: &a {x: 1}\nb: {<<: *a, x: 2}")
            .next()
            .expect("a document")
            .expect("readable");
        assert_eq!(merged.duplicates, []);
    }

    #[test]
    fn errors_say_where() {
        check_error(
            "a: 1\nb: *nobody\n",
            "line 2, column 4: while parsing node, found unknown anchor",
        );
        check_error("? [a]\n: b\n", "line 1, column 3: invalid map key: a list or a map");
        check_error("a: .inf\n", "line 1, column 4: unsupported value: +Inf");
        check_error("~: 1\n", "line 1, column 1: unsupported map key: null");
    }

    #[test]
    fn aliases_cannot_multiply_without_bound() {
        let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
        for level in 1..9 {
            let of = format!("*a{}, ", level - 1).repeat(9);
            let _ = writeln!(text, "a{level}: &a{level} [{of}]");
        }
        let error = documents(&text).find_map(Result::err).expect("an error");
        assert_eq!(error.message, "document contains excessive aliasing");
    }

    /// The parser underneath ends flow collections at 255 levels, which [`MAX_DEPTH`](super::super::MAX_DEPTH) does
    /// not reach.
    #[test]
    fn nesting_is_bounded() {
        let deep =
            |open: &str, close: &str, levels: usize| open.repeat(levels) + &close.repeat(levels);
        let error = documents(&deep("[", "]", 100_000)).find_map(Result::err).expect("an error");
        assert!(
            error.message.contains("max depth") || error.message.contains("recursion"),
            "{error}"
        );
        assert!(documents(&deep("- ", "", 900)).all(|document| document.is_ok()));
        let error = documents(&deep("- ", "", 100_000)).find_map(Result::err).expect("an error");
        assert!(error.message.contains("max depth"), "{error}");
    }
}

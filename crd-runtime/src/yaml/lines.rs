//! Finds the lines of a document's fields.
//!
//! A field is named as errors name it: `spec.ports[0].name`, `metadata.annotations[example.com/size]`.

use saphyr_parser::{Event, Parser};

/// Returns the line of each field, counted from 1, in the document that begins on line `begin` of the text. A field
/// that is not in the document gets the line of the closest field that contains it, or of the document.
pub(crate) fn lines(text: &str, begin: usize, fields: &[String]) -> Vec<usize> {
    let mut search = Search {
        fields,
        found: vec![(0, begin); fields.len()],
        stack: Vec::new(),
        is_here: false,
        begin,
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for event in Parser::new_from_str(text) {
        let Ok((event, span)) = event else { break };
        search.event(&event, span.start.line());
    }
    search.found.into_iter().map(|(_, line)| line).collect()
}

/// A field, as an index, and the number of bytes of its path that have been matched.
#[derive(Debug, Clone, Copy)]
struct PartialMatch {
    field: usize,
    length: usize,
}

/// An open container, with the fields whose paths lead into it.
struct Level {
    reached: Vec<PartialMatch>,
    at: At,
}

/// The next node of a container.
enum At {
    /// The item of a list with this index.
    Item(usize),
    /// A key of a map.
    Key,
    /// The value of a key, with the fields whose paths lead into it.
    Value(Vec<PartialMatch>),
}

struct Search<'f> {
    fields: &'f [String],
    /// The number of matched bytes of each field's path, and the line.
    found: Vec<(usize, usize)>,
    stack: Vec<Level>,
    /// Whether this is the document to search.
    is_here: bool,
    begin: usize,
}

impl Search<'_> {
    fn event(&mut self, event: &Event<'_>, line: usize) {
        match event {
            Event::Scalar(text, ..) => {
                if let Some(Level { reached, at: at @ At::Key }) = self.stack.last_mut() {
                    // Merged keys belong to the map itself.
                    let value = if text == "<<" {
                        reached.clone()
                    } else {
                        deeper(self.fields, reached, text, &format!("[{text}]"))
                    };
                    record(&mut self.found, &value, line);
                    *at = At::Value(value);
                } else {
                    self.enter(line);
                }
            }
            Event::Alias(_) => match self.stack.last_mut() {
                Some(Level { at: at @ At::Key, .. }) => *at = At::Value(Vec::new()),
                _ => drop(self.enter(line)),
            },
            Event::SequenceStart(..) => {
                let reached = self.enter(line);
                self.stack.push(Level { reached, at: At::Item(0) });
            }
            Event::MappingStart(..) => {
                let reached = self.enter(line);
                self.stack.push(Level { reached, at: At::Key });
            }
            Event::SequenceEnd | Event::MappingEnd => drop(self.stack.pop()),
            Event::DocumentEnd => self.is_here = false,
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentStart(_) => {}
        }
    }

    /// Advances to the next value. Returns the fields whose paths lead into it.
    fn enter(&mut self, line: usize) -> Vec<PartialMatch> {
        let Some(level) = self.stack.last_mut() else {
            self.is_here = line == self.begin;
            let all = 0..self.fields.len();
            return all
                .filter(|_| self.is_here)
                .map(|field| PartialMatch { field, length: 0 })
                .collect();
        };
        match std::mem::replace(&mut level.at, At::Key) {
            At::Item(index) => {
                level.at = At::Item(index + 1);
                let reached = deeper(self.fields, &level.reached, "", &format!("[{index}]"));
                record(&mut self.found, &reached, line);
                reached
            }
            At::Value(reached) => reached,
            At::Key => Vec::new(),
        }
    }
}

/// Returns the fields whose path continues with a name, after a dot or in brackets.
fn deeper(
    fields: &[String],
    reached: &[PartialMatch],
    name: &str,
    in_brackets: &str,
) -> Vec<PartialMatch> {
    let mut out = Vec::new();
    for &PartialMatch { field, length } in reached {
        let rest = fields.get(field).and_then(|field| field.get(length..)).unwrap_or_default();
        let after_dot = if length == 0 { Some(rest) } else { rest.strip_prefix('.') };
        let by_name = after_dot.filter(|_| !name.is_empty()).and_then(|it| it.strip_prefix(name));
        let remainders = [by_name, rest.strip_prefix(in_brackets)].into_iter().flatten();
        let mut remainders = remainders.filter(|it| it.is_empty() || it.starts_with(['.', '[']));
        if let Some(remainder) = remainders.next() {
            out.push(PartialMatch { field, length: length + rest.len() - remainder.len() });
        }
    }
    out
}

fn record(found: &mut [(usize, usize)], reached: &[PartialMatch], line: usize) {
    for PartialMatch { field, length } in reached {
        if let Some(found) = found.get_mut(*field).filter(|(longest, _)| longest < length) {
            *found = (*length, line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, begin: usize, want: &[(&str, usize)]) {
        let fields: Vec<String> = want.iter().map(|(field, _)| (*field).to_owned()).collect();
        let got = lines(text, begin, &fields);
        let got: Vec<(&str, usize)> = want.iter().map(|(field, _)| *field).zip(got).collect();
        assert_eq!(got, want);
    }

    #[test]
    fn fields_are_found_by_their_paths() {
        let text = "# a comment\napiVersion: v1\nmetadata:\n  annotations:\n    example.com/a: x\n    b.c: z\n\
            spec:\n  ports:\n  - name: a\n    port: 1\n\n  -\n    port: 0\n  - {name: c,\n     port: 2}\n";
        check(
            text,
            2,
            &[
                ("apiVersion", 2),
                ("metadata.annotations[example.com/a]", 5),
                ("metadata.annotations.b.c", 6),
                ("spec", 7),
                ("spec.ports[0].port", 10),
                ("spec.ports[1].port", 13),
                ("spec.ports[1].name", 13),
                ("spec.ports[2].port", 15),
                ("spec.ports[7]", 8),
                ("spec.replicas", 7),
                ("spe", 2),
                ("<nil>", 2),
                ("", 2),
            ],
        );
    }

    #[test]
    fn only_the_document_on_the_line_is_searched() {
        check("a: 1\n...\n---\nb: 1\na: 2\n", 4, &[("a", 5)]);
        check("{\n \"a\": [1,\n  {\"b\": 2}]}", 1, &[("a[1].b", 3), ("a[0]", 2)]);
        check("base: &x {a: 1}\nof:\n  <<: *x\n  b: *x\n  c: 1", 1, &[("of.b.a", 4), ("of.c", 5)]);
    }
}

//! Finds the lines of a document's fields.
//!
//! A field is named as errors name it: `spec.ports[0].name`, `metadata.annotations[example.com/size]`.

use super::compose::{Node, NodeId, NodeKind, Tree};

/// Returns the line of each field in the first document of a text, counted from 1. A field that is not in the document
/// gets the line of the closest field that contains it, or of the document.
pub fn lines(text: &[u8], fields: &[String]) -> Vec<usize> {
    let Ok(tree) = Tree::read(text) else { return vec![1; fields.len()] };
    let begin = tree.root.and_then(|root| tree.node(root)).map_or(1, |root| root.mark.line + 1);
    let mut search = Search { tree: &tree, fields, found: vec![(0, begin); fields.len()] };
    if let Some(root) = tree.root {
        let all = 0..fields.len();
        search.walk(root, &all.map(|field| PartialMatch { field, length: 0 }).collect::<Vec<_>>());
    }
    search.found.into_iter().map(|(_, line)| line).collect()
}

/// A field, as an index, and the number of bytes of its path that have been matched.
#[derive(Debug, Clone, Copy)]
struct PartialMatch {
    field: usize,
    length: usize,
}

struct Search<'a> {
    tree: &'a Tree<'a>,
    fields: &'a [String],
    /// The number of matched bytes of each field's path, and the line.
    found: Vec<(usize, usize)>,
}

impl Search<'_> {
    /// Searches a node that some fields lead into. The depth is that of the tree, which is bounded.
    fn walk(&mut self, id: NodeId, reached: &[PartialMatch]) {
        let Some(node) = self.tree.node(id).filter(|_| !reached.is_empty()) else { return };
        match &node.kind {
            NodeKind::Sequence(items) => {
                for (index, item) in items.iter().enumerate() {
                    let Some(node) = self.tree.node(*item) else { continue };
                    let reached = deeper(self.fields, reached, "", &format!("[{index}]"));
                    record(&mut self.found, &reached, node.mark.line + 1);
                    self.walk(*item, &reached);
                }
            }
            NodeKind::Mapping(entries) => {
                for (key, value) in entries {
                    let Some(Node { kind: NodeKind::Scalar { text, .. }, mark }) =
                        self.tree.node(*key)
                    else {
                        continue;
                    };
                    // Merged keys belong to the map itself.
                    let deeper = if text == "<<" {
                        reached.to_vec()
                    } else {
                        deeper(self.fields, reached, text, &format!("[{text}]"))
                    };
                    record(&mut self.found, &deeper, mark.line + 1);
                    self.walk(*value, &deeper);
                }
            }
            NodeKind::Scalar { .. } | NodeKind::Alias { .. } => {}
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
    fn check(text: &str, want: &[(&str, usize)]) {
        let fields: Vec<String> = want.iter().map(|(field, _)| (*field).to_owned()).collect();
        let got = lines(text.as_bytes(), &fields);
        let got: Vec<(&str, usize)> = want.iter().map(|(field, _)| *field).zip(got).collect();
        assert_eq!(got, want);
    }

    #[test]
    fn fields_are_found_by_their_paths() {
        let text = "# a comment\napiVersion: v1\nmetadata:\n  annotations:\n    example.com/a: x\n    b.c: z\n\
            spec:\n  ports:\n  - name: a\n    port: 1\n\n  -\n    port: 0\n  - {name: c,\n     port: 2}\n";
        check(
            text,
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
    fn only_the_first_document_is_searched() {
        check("# c\na: 1\n...\nb: 1\n", &[("a", 2), ("b", 2)]);
        check("{\n \"a\": [1,\n  {\"b\": 2}]}", &[("a[1].b", 3), ("a[0]", 2)]);
        check("base: &x {a: 1}\nof:\n  <<: *x\n  b: *x\n  c: 1", &[("of.b.a", 4), ("of.c", 5)]);
    }
}

//! Shortens descriptions, for CRDs that are too large for etcd or `kubectl apply`.

use serde_json::Value;

use super::schemas;

/// The deepest schema to visit, in levels; the API server rejects far shallower ones.
const MAX_DEPTH: usize = 500;

/// Cuts each description of a CRD's schemas to at most `longest` characters; 0 removes it.
pub(super) fn shorten(crd: &mut Value, longest: usize) {
    let versions = crd.pointer_mut("/spec/versions").and_then(Value::as_array_mut);
    for version in versions.into_iter().flatten() {
        if let Some(schema) = version.pointer_mut("/schema/openAPIV3Schema") {
            shorten_schema(schema, longest, MAX_DEPTH);
        }
    }
}

/// Only schemas are visited, because a property can have the name `description`.
fn shorten_schema(schema: &mut Value, longest: usize, depth: usize) {
    let (Some(schema), Some(depth)) = (schema.as_object_mut(), depth.checked_sub(1)) else {
        return;
    };
    if longest == 0 {
        schema.remove("description");
    } else if let Some(Value::String(text)) = schema.get_mut("description") {
        *text = cut(text, longest).to_owned();
    }
    schemas::each_below(schema, &mut |_, _, below| shorten_schema(below, longest, depth));
}

/// Returns the longest prefix of at most `longest` characters that ends with a sentence, or else
/// with a word, or else anywhere.
fn cut(text: &str, longest: usize) -> &str {
    let Some((end, _)) = text.char_indices().nth(longest) else { return text };
    let head = text.get(..end).unwrap_or(text);
    // The character after the cut shows whether the cut is between two words.
    let through = text.get(..=end).unwrap_or(head);
    let sentence = through
        .rmatch_indices(". ")
        .chain(through.rmatch_indices(".\n"))
        .map(|(at, _)| at + 1)
        .max();
    let word = through.rfind(char::is_whitespace);
    let at = sentence.or(word).unwrap_or(end);
    head.get(..at).unwrap_or(head).trim_end()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_description_ends_with_a_sentence_or_a_word() {
        for (text, longest, want) in [
            ("One. Two three.", 99, "One. Two three."),
            ("One. Two three.", 10, "One."),
            ("One. Two three.", 4, "One."),
            ("One two three", 9, "One two"),
            ("One two three", 7, "One two"),
            ("Onetwothree", 5, "Onetw"),
            ("日本語", 2, "日本"),
        ] {
            assert_eq!(cut(text, longest), want, "{text} {longest}");
        }
    }

    #[test]
    fn a_property_called_description_is_no_description() {
        let schema = json!({"description": "Long text", "properties": {"description": {"type": "string", "description": "More text"}}});
        let mut crd = json!({"spec": {"versions": [{"schema": {"openAPIV3Schema": schema}}]}});
        shorten(&mut crd, 0);
        let want = json!({"properties": {"description": {"type": "string"}}});
        assert_eq!(crd.pointer("/spec/versions/0/schema/openAPIV3Schema"), Some(&want));
    }
}

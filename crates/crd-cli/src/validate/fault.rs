//! Finds the field at fault in the server's text about an object that does not decode.

use serde_json::Value;

use crate::input::{Document, Unit};

/// Returns the path of the field that a message is about, in the document of a unit that begins on a line.
pub(super) fn field(
    message: &str,
    unit: &Unit,
    line: usize,
    item: Option<usize>,
) -> Option<String> {
    if let Some((_, rest)) = message.split_once("unknown field \"") {
        return rest.split('"').next().map(str::to_owned);
    }
    let (_, rest) = message.split_once("into Go struct field ObjectMeta.")?;
    let (field, rest) = rest.split_once(" of type ")?;
    let field = format!("metadata.{field}");
    // The text names a map such as the labels, not the entry.
    let key = (rest == "string").then(|| not_a_string(unit, line, item, &field)).flatten();
    Some(key.map_or_else(|| field.clone(), |key| format!("{field}[{key}]")))
}

/// Returns the first key of a map whose value is not a string.
fn not_a_string(unit: &Unit, line: usize, item: Option<usize>, map: &str) -> Option<String> {
    let documents = unit.documents().into_iter().flatten().flat_map(Document::flatten);
    // The lines of items are looked up later than they are read.
    let mut documents = documents.filter(|document| document.item == item);
    let document = documents.find(|document| item.is_some() || document.line == line)?;
    let map = document.value.pointer(&format!("/{}", map.replace('.', "/")))?.as_object()?;
    map.iter().find(|(_, value)| !matches!(value, Value::String(_))).map(|(key, _)| key.clone())
}

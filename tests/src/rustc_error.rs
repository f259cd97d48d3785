//! Errors of rustc in a crate of many modules, and the module of each error.

use std::collections::BTreeMap;

use serde_json::Value;

/// An error of rustc.
#[derive(Debug)]
pub struct Error {
    code: Option<String>,
    message: String,
    /// The text that the error marks.
    pub marked: String,
    rendered: String,
}

impl Error {
    /// Reads a message of rustc.
    #[must_use]
    pub fn read(message: &Value) -> Self {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let span = primary(message);
        let marked = span.and_then(|span| {
            let line = span["text"][0]["text"].as_str()?;
            let column = |key: &str| usize::try_from(span["text"][0][key].as_u64()?).ok();
            let (start, end) = (column("highlight_start")?, column("highlight_end")?);
            Some(line.chars().skip(start.checked_sub(1)?).take(end.checked_sub(start)?).collect())
        });
        Self {
            code: message["code"]["code"].as_str().map(str::to_owned),
            message: text(&message["message"]),
            marked: marked.unwrap_or_default(),
            rendered: text(&message["rendered"]),
        }
    }

    /// Returns why this is not an error of the derives at a token; `None` if it is one.
    #[must_use]
    pub fn foreign_reason(&self) -> Option<String> {
        let is_of_derives = match self.code.as_deref() {
            None => true,
            Some("E0080") => self.message.contains("evaluation panicked"),
            Some(_) => false,
        };
        if !is_of_derives {
            return Some(format!("an error of rustc's own:\n{}", self.rendered));
        }
        self.is_at_a_derive().then(|| format!("an error at no token:\n{}", self.rendered))
    }

    /// Whether it marks only the name of a derive, which does not show the mistake.
    fn is_at_a_derive(&self) -> bool {
        matches!(&*self.marked, "CrdSchema" | "CustomResource")
    }

    /// Whether a macro reports it, not rustc itself.
    #[must_use]
    pub fn is_of_macro(&self) -> bool {
        self.code.is_none()
    }

    /// Whether the error is a missing implementation of serde's traits.
    #[must_use]
    pub fn asks_for_serde(&self) -> bool {
        self.code.as_deref() == Some("E0277")
            && ["serde::Serialize", "serde::Deserialize", "serde::de::DeserializeOwned"]
                .iter()
                .any(|name| self.message.contains(name))
    }

    /// The message without the names in it.
    #[must_use]
    pub fn summary(&self) -> String {
        let parts = self.message.split('`').enumerate();
        parts.map(|(i, part)| if i % 2 == 0 { part } else { "_" }).collect()
    }

    /// The error as rustc prints it.
    #[must_use]
    pub fn rendered(&self) -> &str {
        &self.rendered
    }
}

fn primary(message: &Value) -> Option<&Value> {
    message["spans"].as_array()?.iter().find(|span| span["is_primary"] == Value::Bool(true))
}

/// Returns the number of the module of an error: that of its first span in `main.rs`; primary spans are searched before
/// the others.
///
/// `starts` has the number of each module at the line at which it begins.
#[must_use]
pub fn module_of(message: &Value, starts: &BTreeMap<u64, u64>) -> Option<u64> {
    let spans = message["spans"].as_array()?;
    let primary_first = spans.iter().filter(|span| span["is_primary"] == Value::Bool(true));
    primary_first.chain(spans).find_map(|span| module_of_span(span, starts))
}

fn module_of_span(span: &Value, starts: &BTreeMap<u64, u64>) -> Option<u64> {
    if span["file_name"].as_str().is_some_and(|name| name.ends_with("main.rs")) {
        let line = span["line_start"].as_u64()?;
        let (_, number) = starts.range(..=line).next_back()?;
        return Some(*number);
    }
    let call = &span["expansion"]["span"];
    if call.is_null() { None } else { module_of_span(call, starts) }
}

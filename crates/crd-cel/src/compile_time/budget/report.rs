//! The errors about the most expensive expression.

use super::{BoundedPath, LocatedExpression, RulePathElement};
use crate::compile_time::advice::{RunCounts, advice};
use crate::compile_time::message::Text;
use crate::compile_time::minors::push_minor;
use crate::compile_time::rule::Want;

impl LocatedExpression {
    pub(super) const fn message(&self) -> Text {
        let mut text = Text::new();
        text.push_over_budget(self.rule.want, self.cost);
        text.push("\nnote: ");
        self.report(&mut text);
        if self.differs {
            push_minor(&mut text, self.minor);
        }
        let BoundedPath { bounded, unbounded, .. } = self.path;
        let runs = match self.rule.want {
            Want::Rule => RunCounts { now: self.runs, bounded, unbounded },
            Want::Message => RunCounts::ONCE,
        };
        if let Some(advice) = advice(&self.rule, self.path_of_rule, self.minor, &runs) {
            let mut itself = Text::new();
            self.path.push(&mut itself, self.path.length);
            advice.report(&mut text, itself.as_str());
            if advice.needs_outer {
                text.push(if advice.needs_only_outer() { "" } else { " and " });
                self.report_unbounded(&mut text);
            }
        }
        text
    }

    /// Writes the expression, the path of its value, and its cost.
    pub(super) const fn report(&self, text: &mut Text) {
        text.push(match self.rule.want {
            Want::Rule => "the rule `",
            Want::Message => "the message `",
        });
        text.push_excerpt(self.rule.source);
        text.push("`");
        if !self.of.is_empty() {
            text.push(" of `");
            text.push(self.of);
            text.push("`");
        }
        if self.path.length > 0 {
            text.push(", at ");
            self.path.push(text, self.path.length);
        }
        text.push(", costs at least ");
        text.push_number(self.once);
        if matches!(self.rule.want, Want::Rule) {
            text.push(" per evaluation, and can run ");
            text.push_number(self.runs);
            text.push(if self.runs == 1 { " time" } else { " times" });
            text.push(" per object");
        }
    }

    /// Writes the bounds that lists and maps on the path need: `max_items` on `ports`, and so on.
    const fn report_unbounded(&self, text: &mut Text) {
        let mut count = 0;
        let mut i = 0;
        while i < self.path.length {
            let attribute = match self.path.elements[i] {
                RulePathElement::Items(false) => "`max_items = 64` on ",
                RulePathElement::Values(false) => "`max_properties = 64` on ",
                _ => "",
            };
            if !attribute.is_empty() {
                text.push(if count == 0 { "" } else { " and " });
                text.push(attribute);
                self.path.push(text, i);
                count += 1;
            }
            i += 1;
        }
    }
}

impl BoundedPath {
    /// Writes the first `length` elements of the path, in backticks.
    pub(super) const fn push(&self, text: &mut Text, length: usize) {
        if length == 0 {
            return text.push("the value itself");
        }
        text.push("`");
        let mut i = 0;
        while i < length {
            match self.elements[i] {
                RulePathElement::Property(name) => {
                    text.push(if i == 0 { "" } else { "." });
                    text.push(name);
                }
                RulePathElement::Items(_) => text.push("[*]"),
                RulePathElement::Values(_) => text.push(".*"),
            }
            i += 1;
        }
        text.push("`");
    }
}

impl Text {
    /// Writes the beginning of an expression, without line breaks.
    pub(super) const fn push_excerpt(&mut self, source: &str) {
        /// In bytes.
        const MAX_LENGTH: usize = 72;
        let bytes = source.as_bytes();
        let mut i = 0;
        while i < bytes.len() && i < MAX_LENGTH {
            if bytes[i] == b'\n' {
                self.push(" ");
            } else {
                self.push_bytes(bytes, i, i + 1);
            }
            i += 1;
        }
        // A character is not split.
        while i < bytes.len() && bytes[i] & 0xC0 == 0x80 {
            self.push_bytes(bytes, i, i + 1);
            i += 1;
        }
        if i < bytes.len() {
            self.push(" ..");
        }
    }
}

//! Whether the server has types for the rules below a value.

use super::{BoundedPath, MAX_DEPTH};
use crate::compile_time::declared::Declared;
use crate::compile_time::fuel::Fuel;
use crate::compile_time::kinds::{Kinds, MergedType};
use crate::compile_time::message::Text;
use crate::compile_time::rule::Rule;
use crate::compile_time::rules::Rules;

/// The types of values, as the server finds them from the topmost value with rules.
///
/// Source: apiextensions-apiserver `pkg/apis/apiextensions/validation/cel_validation.go`, `CELSchemaContext.TypeInfo`.
#[derive(Clone, Copy)]
pub(super) enum Typing {
    /// There are no rules above.
    Unneeded,
    Known,
    /// A value between here and the topmost one with rules has no type. Then no value below it has one.
    Failed,
}

/// A rule below a value without a type, which has rules above it.
pub(super) struct UntypedRule {
    pub(super) rule: Rule,
    /// The type that declares it.
    pub(super) of: &'static str,
    pub(super) path: BoundedPath,
    /// The length of the path to the value without a type.
    pub(super) above: usize,
}

impl UntypedRule {
    /// The first line is the server's.
    pub(super) const fn message(&self) -> Text {
        let mut text = Text::new();
        text.push("failed to construct type information\nnote: the rule `");
        text.push_excerpt(self.rule.source);
        text.push("` of `");
        text.push(self.of);
        text.push("`, at ");
        self.path.push(&mut text, self.path.length);
        text.push(", is inside ");
        self.path.push(&mut text, self.above);
        text.push(
            ", which has no type in the schema, because an enum there has values of several types; the server compiles \
             no rule inside it, because there are rules above it too\nhelp: remove this rule or the rules above it",
        );
        text
    }
}

/// Whether a value has rules itself.
pub(super) const fn has_rules(rules: &Rules, depth: u32) -> bool {
    if !rules.own.is_empty() || rules.others {
        return true;
    }
    if depth == MAX_DEPTH {
        return false;
    }
    if has_rules_of_parts(rules, depth) {
        return true;
    }
    let mut i = 0;
    while i < rules.variants.len() {
        let variant = rules.variants[i];
        if variant.others || has_rules_of_parts(variant, depth) {
            return true;
        }
        let mut nth = 0;
        while nth < variant.own.len() {
            if variant.own[nth].path.is_empty() {
                return true;
            }
            nth += 1;
        }
        i += 1;
    }
    false
}

/// Whether a value has rules that come from a part without a property of its own, such as a flattened struct.
const fn has_rules_of_parts(rules: &Rules, depth: u32) -> bool {
    let mut i = 0;
    while i < rules.below.len() {
        let (name, below) = rules.below[i];
        if name.is_empty() && has_rules(below, depth + 1) {
            return true;
        }
        i += 1;
    }
    false
}

/// Whether the schema of a value has no type. Of a list or map, the schema of the elements counts too.
pub(super) const fn is_untyped(declared: &Declared, depth: u32, fuel: &mut Fuel) -> bool {
    if depth == MAX_DEPTH {
        return false;
    }
    match declared {
        Declared::Hidden => true,
        Declared::List(inner, _) | Declared::Map(inner, _) => is_untyped(inner, depth + 1, fuel),
        Declared::OneOf(parts) => match Kinds::of(declared, fuel).merged() {
            MergedType::Hidden => true,
            MergedType::List | MergedType::Map => {
                let mut kinds = Kinds::NONE;
                let mut i = 0;
                while i < parts.len() {
                    kinds.add(&parts[i].inner(), 0, fuel);
                    i += 1;
                }
                matches!(kinds.merged(), MergedType::Hidden)
            }
            _ => false,
        },
        _ => false,
    }
}

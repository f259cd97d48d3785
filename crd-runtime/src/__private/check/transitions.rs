//! Checks that no rule below a list whose items are not correlatable uses `oldSelf`.
//!
//! Items are correlatable only in a list of type `map`; the values in objects and maps always are, atomic or not.
//! `optionalOldSelf` makes no difference.
//! Source: `pkg/apis/apiextensions/validation/validation.go`, `forbidOldSelfValidations`.

use super::message::Message;
use crate::crd_schema::{ListType, Shape, ShapeKind};

/// The most fields of a path that a message shows.
const MAX_STEPS: usize = 12;
/// The greatest depth at which rules are searched for.
const MAX_DEPTH: usize = 24;

/// Checks that no rule below a list of a field uses `oldSelf`, unless the items of the list are correlatable.
///
/// `list_type` is the list type that the attributes of the field give, if any. `changed` means that they give list
/// types to inner lists too, which the shape does not know.
///
/// # Panics
/// If such a rule uses `oldSelf`.
#[track_caller]
pub const fn correlatable(name: &str, shape: &Shape, list_type: &str, changed: bool) {
    let mut at = 0;
    while matches!(shape.kind, ShapeKind::Union) && at < shape.variants.len() {
        correlatable(name, &shape.variants[at], list_type, changed);
        at += 1;
    }
    let Some(items) = shape.items else { return };
    let inner = match shape.kind {
        ShapeKind::List | ShapeKind::Set if !is_map(shape, list_type) => {
            let mut search = TransitionSearch { path: [""; MAX_STEPS], length: 0 };
            let Some(rule) = search.find(items, false, 0) else { return };
            Message::new()
                .push("the rule `")
                .push(rule)
                .push("`")
                .path_in_item(&search)
                .push(" uses `oldSelf`, but the server finds no old items in the list `")
                .push(name)
                .push("`; ")
                .push(ADVICE)
                .fail()
        }
        ShapeKind::List | ShapeKind::Set | ShapeKind::Map => items,
        _ => return,
    };
    if !changed {
        correlatable(name, inner, "", false);
    }
}

/// Checks that a rule of the items of a list, which an attribute of the list gives, may use `oldSelf`.
///
/// # Panics
/// If it may not.
#[track_caller]
pub const fn correlatable_items(shape: &Shape, list_type: &str) {
    if matches!(shape.kind, ShapeKind::List | ShapeKind::Set) && !is_map(shape, list_type) {
        Message::new()
            .push(
                "a rule of items uses `oldSelf`, but the server finds no old items in this list; ",
            )
            .push(ADVICE)
            .fail();
    }
}

const ADVICE: &str = "use `list_type = \"map\"` with `list_map_keys`";

const fn is_map(shape: &Shape, list_type: &str) -> bool {
    match list_type.as_bytes() {
        b"" => matches!(shape.list_type, ListType::Map),
        b"map" => true,
        _ => false,
    }
}

/// A search for a rule, with the path to it.
struct TransitionSearch<'a> {
    path: [&'a str; MAX_STEPS],
    length: usize,
}

impl<'a> TransitionSearch<'a> {
    /// Returns the first rule that uses `oldSelf`. Skips the values of maps in an enum, because they have no schema if
    /// there are other variants.
    const fn find(&mut self, shape: &'a Shape, in_enum: bool, depth: usize) -> Option<&'a str> {
        if shape.transition.is_some() || depth == MAX_DEPTH {
            return shape.transition;
        }
        let mut at = 0;
        while at < shape.fields.len() {
            let field = &shape.fields[at];
            if let Some(rule) = self.below(field.name, field.shape, in_enum, depth) {
                return Some(rule);
            }
            at += 1;
        }
        at = 0;
        while at < shape.variants.len() {
            if let Some(rule) = self.find(&shape.variants[at], true, depth + 1) {
                return Some(rule);
            }
            at += 1;
        }
        match (shape.kind, shape.items) {
            (ShapeKind::List | ShapeKind::Set, Some(items)) => {
                self.below("[*]", items, in_enum, depth)
            }
            (ShapeKind::Map, Some(values)) if !in_enum && !shape.open => {
                self.below("*", values, false, depth)
            }
            _ => None,
        }
    }

    const fn below(
        &mut self,
        name: &'a str,
        shape: &'a Shape,
        in_enum: bool,
        depth: usize,
    ) -> Option<&'a str> {
        let before = self.length;
        // A flattened field has no name in the path.
        if !name.is_empty() && before < MAX_STEPS {
            self.path[before] = name;
            self.length += 1;
        }
        let found = self.find(shape, in_enum, depth + 1);
        if found.is_none() {
            self.length = before;
        }
        found
    }
}

impl Message {
    /// Adds the path of the rule in the item, if it is not a rule of the item itself.
    const fn path_in_item(mut self, search: &TransitionSearch<'_>) -> Self {
        if search.length == 0 {
            return self.push(" of its items");
        }
        self.add(" at `");
        let mut at = 0;
        while at < search.length {
            self.add(if search.path[at].as_bytes()[0] == b'[' { "" } else { "." });
            self.add(search.path[at]);
            at += 1;
        }
        self.push("` of its items")
    }
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;

    use super::*;
    use crate::crd_schema::FieldShape;

    const RULED: Shape = Shape::of(ShapeKind::Integer).transition("self >= oldSelf");
    const ITEM: Shape = Shape::object(&[
        FieldShape::required("name", &Shape::of(ShapeKind::String)),
        FieldShape::required("port", &RULED),
    ]);
    const LIST: Shape = Shape::container(ShapeKind::List, &ITEM);
    const MAP_LIST: Shape = LIST.listed(ListType::Map, &["name"]);

    #[track_caller]
    fn check(shape: &Shape, list_type: &str, want: &str) {
        let text = catch_unwind(|| correlatable("ports", shape, list_type, false)).err();
        let text = text.and_then(|text| text.downcast::<String>().ok());
        let text = text.map_or(String::new(), |text| *text);
        let part = text.split("the rule ").nth(1).and_then(|rest| rest.split(" uses").next());
        assert_eq!(part.unwrap_or(&text), want);
    }

    #[test]
    fn only_items_of_a_map_list_are_paired() {
        let at_port = "`self >= oldSelf` at `.port` of its items";
        check(&LIST, "", at_port);
        check(&LIST, "map", "");
        check(&LIST, "atomic", at_port);
        check(&MAP_LIST, "", "");
        check(&MAP_LIST, "set", at_port);
        check(&Shape::container(ShapeKind::Set, &RULED), "", "`self >= oldSelf` of its items");
        check(&ITEM, "", "");
        check(&Shape::container(ShapeKind::Map, &ITEM), "", "");
        check(&Shape::container(ShapeKind::Map, &LIST), "", at_port);
        check(&Shape::container(ShapeKind::Map, &MAP_LIST), "", "");
    }

    #[test]
    fn all_rules_below_a_list_are_found() {
        const NESTED: Shape = Shape::object(&[FieldShape {
            shape: &Shape::container(ShapeKind::Map, &MAP_LIST),
            ..FieldShape::FLATTENED
        }]);
        const BY_NAME: FieldShape =
            FieldShape::optional("byName", &Shape::container(ShapeKind::Map, &ITEM));
        const KEPT: Shape = Shape::object(&[BY_NAME]).atomic();
        const UNION: Shape = Shape { variants: &[ITEM], ..Shape::of(ShapeKind::Union) };
        const IN_UNION: Shape = Shape { variants: &[KEPT], ..Shape::of(ShapeKind::Union) };
        let list = |items| Shape { items: Some(items), ..LIST };
        check(&list(&MAP_LIST), "", "`self >= oldSelf` at `[*].port` of its items");
        check(&list(&NESTED), "", "`self >= oldSelf` at `.*[*].port` of its items");
        check(&list(&KEPT), "", "`self >= oldSelf` at `.byName.*.port` of its items");
        check(&list(&UNION), "", "`self >= oldSelf` at `.port` of its items");
        check(&list(&IN_UNION), "", "");
    }
}

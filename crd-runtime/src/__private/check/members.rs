//! Fields that attributes name: keys of list maps, members of `exactly_one_of` and its like, and values that must
//! be among those of an enumeration.

use super::message::Message;
use super::walk::{Found, find};
use crate::crd_schema::{FieldPresence, Kind, Shape};

/// The keys of a list map are scalar fields of the items, which are always there.
///
/// Source: `pkg/apis/apiextensions/validation/validation.go`, `validateMapListKeysMapSet` and what it calls.
///
/// # Panics
/// Where that is not so.
#[track_caller]
pub const fn list_map_key(list: &Shape, name: &str) {
    let Some(items) = list.items else { return };
    let found = find(items, name);
    if let Found::Nothing = found {
        no_field(items, name, "the items");
    }
    // What is no object at all is told by `list_type`.
    if let Found::One { shape, presence, sure } = found {
        if matches!(
            shape.kind,
            Kind::Object | Kind::Map | Kind::List | Kind::Set | Kind::Null | Kind::Any
        ) {
            Message::new()
                .push("the key `")
                .push(name)
                .push("` is ")
                .kind(shape)
                .push("; a key must be a string, number or boolean")
                .fail();
        }
        if sure && matches!(presence, FieldPresence::Optional) {
            Message::new()
                .push("the key `")
                .push(name)
                .push("` may be absent; it must be required, or have a `#[crd(default = ..)]` and be no `Option`")
                .fail();
        }
    }
}

/// The items of a list that is a `set` or a `map` are never `null`, those of a `map` are objects, and those of a
/// `set` are scalars or atoms.
///
/// Source: as above, `hasNonAtomicSetType`.
///
/// # Panics
/// Where that is not so.
#[track_caller]
pub const fn list_type(list: &Shape, list_type: &str) {
    let Some(items) = list.items else { return };
    let set = matches!(list_type.as_bytes(), b"set");
    if items.optional {
        Message::new()
            .push("the items of a `")
            .push(list_type)
            .push("` cannot be `null`; drop the `Option`")
            .fail();
    }
    let parts = match items.kind {
        Kind::Object | Kind::Map => !items.atomic,
        Kind::List => !matches!(items.list_type, crate::crd_schema::ListType::Atomic),
        _ => false,
    };
    if set && parts {
        Message::new()
            .push("the items are ")
            .kinds(items)
            .push(", which the server merges part by part; a `set` needs scalars or atoms: add `")
            .push(match items.kind {
                Kind::List => "items(list_type = \"atomic\")",
                _ => "items(map_type = \"atomic\")",
            })
            .push("`, or use a `map` list")
            .fail();
    }
    if !set && !is_object(items) {
        Message::new()
            .push("the items are ")
            .kinds(items)
            .push("; a `map` list needs objects, whose fields tell them apart")
            .fail();
    }
}

/// Whether it may be an object.
const fn is_object(shape: &Shape) -> bool {
    super::is_object(*shape)
}

/// A field that a rule such as `exactly_one_of` names.
///
/// # Panics
/// Where there is none.
#[track_caller]
pub const fn member(shape: &Shape, name: &str) {
    match find(shape, name) {
        Found::Nothing => no_field(shape, name, "this type"),
        Found::NoObject => Message::new()
            .push("this is ")
            .kind(shape)
            .push(" and has no field `")
            .push(name)
            .push("`")
            .fail(),
        Found::One { .. } | Found::Open => {}
    }
}

#[track_caller]
const fn no_field(shape: &Shape, name: &str, what: &str) -> ! {
    Message::new()
        .push("there is no field `")
        .push(name)
        .push("` in ")
        .push(what)
        .fields(shape, name)
        .fail()
}

/// A default, or a member of `enum_values`, that is a string.
///
/// # Panics
/// Where the type is none, or an enumeration without it.
#[track_caller]
pub const fn literal_text(shape: &Shape, what: &str, text: &str) {
    if !super::is_text(*shape) {
        other_kind(shape, what, "a string");
    }
    if shape.values.is_empty() {
        return;
    }
    let mut at = 0;
    while at < shape.values.len() {
        if super::equal(shape.values[at].as_bytes(), text.as_bytes()) {
            return;
        }
        at += 1;
    }
    Message::new()
        .push("`")
        .push(text)
        .push("` is no value of the enumeration")
        .values(shape.values, text)
        .fail();
}

/// The same of a number, whole or not.
///
/// # Panics
/// Where the type is none.
#[track_caller]
pub const fn literal_number(shape: &Shape, what: &str, whole: bool) {
    if !super::is_number(*shape) {
        other_kind(shape, what, "a number");
    }
    if !whole && matches!(shape.kind, Kind::Integer | Kind::IntOrString) {
        other_kind(shape, what, "a fraction");
    }
}

/// The same of a boolean.
///
/// # Panics
/// Where the type is none.
#[track_caller]
pub const fn literal_bool(shape: &Shape, what: &str) {
    if !matches!(shape.kind, Kind::Boolean | Kind::Any | Kind::Opaque | Kind::Union) {
        other_kind(shape, what, "a boolean");
    }
}

/// The same of a list; its elements are looked at by themselves.
///
/// # Panics
/// Where the type is none.
#[track_caller]
pub const fn literal_list(shape: &Shape, what: &str) {
    if !super::is_list(*shape) {
        other_kind(shape, what, "a list");
    }
}

#[track_caller]
const fn other_kind(shape: &Shape, what: &str, is: &str) -> ! {
    let mut message = Message::new()
        .push("the ")
        .push(what)
        .push(" is ")
        .push(is)
        .push(match what.as_bytes() {
            b"element" => ", and the type of the elements is ",
            _ => ", and the field's type is ",
        })
        .kind(shape);
    if !shape.values.is_empty() {
        message = message.values(shape.values, "");
    }
    message.fail()
}

//! Lists, sets and maps.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::Arc;

use crd_cel::compile_time::ELEMENTS;

use super::{CrdSchema, Declared, FieldType, Needs, Shape, ShapeKind, typed};
use crate::builder::{any, list, tuple};
use crate::model::{JsonSchemaProps, SchemaOrBool};

/// Returns the schema of a list, which is a set if its items are scalars that are not nullable.
///
/// The server also accepts sets of atomic lists and objects. But a rule that compares such sets, as `immutable` does,
/// always fails, because the server cannot hash their items.
///
/// Source: `pkg/apis/apiextensions/validation/validation.go`, rules of x-kubernetes-list-type;
/// `pkg/cel/common/valuesunstructured.go` of apiserver, `unstructuredSetList`.
fn set(items: JsonSchemaProps) -> JsonSchemaProps {
    let scalar = !matches!(items.type_.as_str(), "array" | "object");
    let list_type = (scalar && !items.nullable).then(|| "set".to_owned());
    JsonSchemaProps { x_list_type: list_type, ..list(items) }
}

macro_rules! lists {
    ($($kind:ident $build:ident: [$($generics:tt)*] $ty:ty;)*) => {$(
        impl<$($generics)*> CrdSchema for $ty {
            const SHAPE: Shape = Shape::container(ShapeKind::$kind, &T::SHAPE);
            const NEEDS: &'static Needs = &Needs { parts: &[(ELEMENTS, T::NEEDS)], ..Needs::NONE };
            const AS_FIELD: &'static FieldType = &FieldType {
                shape: Shape::container(ShapeKind::$kind, &T::AS_FIELD.shape),
                ..FieldType::list::<Self, T>()
            };

            fn schema() -> JsonSchemaProps {
                $build(T::schema())
            }
        }
    )*};
}

lists! {
    List list: [T: CrdSchema] [T];
    List list: [T: CrdSchema] Vec<T>;
    List list: [T: CrdSchema] VecDeque<T>;
    List list: [T: CrdSchema] LinkedList<T>;
    List list: [T: CrdSchema] BinaryHeap<T>;
    Set set: [T: CrdSchema, S] HashSet<T, S>;
    Set set: [T: CrdSchema] BTreeSet<T>;
}

impl<T: CrdSchema, const N: usize> CrdSchema for [T; N] {
    const SHAPE: Shape =
        Shape::container(ShapeKind::List, &T::SHAPE).min_items(N as u64).max_items(N as u64);
    const NEEDS: &'static Needs = &Needs { parts: &[(ELEMENTS, T::NEEDS)], ..Needs::NONE };
    const AS_FIELD: &'static FieldType =
        &FieldType { shape: Self::SHAPE, ..FieldType::list::<Self, T>() };

    fn schema() -> JsonSchemaProps {
        tuple(T::schema(), N)
    }
}

/// A type that `serde_json` writes as a key of an object.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a map key in a structural schema",
    note = "use `String`, a newtype of it, or an enum of unit variants, with `#[derive(CrdSchema)]`"
)]
pub trait MapKey {
    /// Whether the keys may be a fixed set. If they are, rules see an object with these fields, not a map.
    const FEW: bool = true;

    /// Whether serde reads every key.
    #[doc(hidden)]
    const READS_ALL: bool = false;

    /// Whether `serde_json` parses the text of a key, as a number or `bool`. Where serde keeps an object until it knows
    /// its type, it does not.
    #[doc(hidden)]
    const IS_PARSED: bool = false;

    /// The keys as rules write them, if they are a fixed set.
    #[doc(hidden)]
    const RULE_NAMES: Option<&'static [&'static str]> = None;

    /// Returns the keys if they are a fixed set.
    #[must_use]
    fn names() -> Option<Vec<String>> {
        None
    }
}

impl MapKey for str {
    const FEW: bool = false;
    const READS_ALL: bool = true;
}
impl MapKey for String {
    const FEW: bool = false;
    const READS_ALL: bool = true;
}
/// A schema cannot restrict keys, so the server also accepts keys of several characters.
impl MapKey for char {
    const FEW: bool = false;
}

/// Implements [`MapKey`] for numbers and `bool`, which `serde_json` writes as strings. A schema cannot restrict keys, so
/// the server also accepts keys that are none.
macro_rules! scalar_keys {
    ($($ty:ty)*) => {$(
        impl MapKey for $ty {
            const FEW: bool = false;
            const IS_PARSED: bool = true;
        }
    )*};
}

scalar_keys!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize bool);

/// Implements [`MapKey`] for types that serde writes as the key that they hold.
macro_rules! keys_of {
    ($([$($generics:tt)*] $ty:ty;)*) => {$(
        impl<$($generics)*> MapKey for $ty {
            const FEW: bool = T::FEW;
            const READS_ALL: bool = T::READS_ALL;
            const IS_PARSED: bool = T::IS_PARSED;
            const RULE_NAMES: Option<&'static [&'static str]> = T::RULE_NAMES;

            fn names() -> Option<Vec<String>> {
                T::names()
            }
        }
    )*};
}

keys_of! {
    [T: MapKey + ?Sized] &T;
    [T: MapKey + ?Sized] Box<T>;
    [T: MapKey + ?Sized] Rc<T>;
    [T: MapKey + ?Sized] Arc<T>;
    [T: MapKey + ToOwned + ?Sized] Cow<'_, T>;
    [T: MapKey + ?Sized] KeyOf<'_, T>;
}

/// Stands for `T`, the content of a derived newtype, in the bound of the newtype's [`MapKey`] implementation.
///
/// rustc rejects an implementation whose bound has no parameters and does not hold. A bound with a lifetime parameter
/// is only checked where the implementation is used: `impl MapKey for Name where for<'k> KeyOf<'k, String>: MapKey`.
#[doc(hidden)]
#[derive(Debug)]
pub struct KeyOf<'k, T: ?Sized>(PhantomData<(&'k (), *const T)>);

/// Returns the schema of an object with any keys, or with the keys of `K` if they are a fixed set.
fn map<K: MapKey + ?Sized, V: CrdSchema>() -> JsonSchemaProps {
    let values = V::schema();
    let mut schema = typed("object");
    if let Some(names) = K::names() {
        let values = Arc::new(values);
        let properties = names.into_iter().map(|name| (name, Arc::clone(&values))).collect();
        schema.properties = Some(properties);
    } else if values == any() {
        schema.x_preserve_unknown_fields = Some(true);
    } else {
        schema.additional_properties = Some(SchemaOrBool::Schema(Box::new(values)));
    }
    schema
}

const fn map_shape<K: MapKey>(values: &'static Shape) -> Shape {
    Shape {
        fallible: !K::READS_ALL,
        parses_keys: K::IS_PARSED,
        ..Shape::container(ShapeKind::Map, values)
    }
}

macro_rules! maps {
    ($([$($generics:tt)*] $ty:ty;)*) => {$(
        impl<$($generics)*> CrdSchema for $ty {
            const SHAPE: Shape = map_shape::<K>(&V::SHAPE);
            const NEEDS: &'static Needs = &Needs { parts: &[(ELEMENTS, V::NEEDS)], ..Needs::NONE };
            const AS_FIELD: &'static FieldType = &FieldType {
                shape: map_shape::<K>(&V::AS_FIELD.shape),
                cel: match K::RULE_NAMES {
                    Some(names) => Declared::Keyed(names, &V::AS_FIELD.cel),
                    None if K::FEW => Declared::Unknown,
                    None => Declared::map_of(&V::AS_FIELD.cel),
                },
                ..FieldType::opaque::<Self>()
            };

            fn schema() -> JsonSchemaProps {
                map::<K, V>()
            }
        }
    )*};
}

maps! {
    [K: MapKey, V: CrdSchema] BTreeMap<K, V>;
    [K: MapKey, V: CrdSchema, S] HashMap<K, V, S>;
}

#[cfg(feature = "indexmap")]
maps! {
    [K: MapKey, V: CrdSchema, S] indexmap::IndexMap<K, V, S>;
}

#[cfg(feature = "indexmap")]
lists! {
    Set set: [T: CrdSchema, S] indexmap::IndexSet<T, S>;
}

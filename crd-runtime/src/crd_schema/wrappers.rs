//! `Option`, pointers, tuples and unit.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::marker::PhantomData;
use std::num::{Saturating, Wrapping};
use std::rc::Rc;
use std::sync::{Arc, Mutex, RwLock};

use crd_cel::compile_time::ELEMENTS;

use super::{CrdSchema, Declared, FieldType, Needs, Shape, ShapeKind, schema_of};
use crate::builder::{null, tuple};
use crate::model::JsonSchemaProps;

impl<T: CrdSchema> CrdSchema for Option<T> {
    const SHAPE: Shape = T::SHAPE.optional();
    const NEEDS: &'static Needs = T::NEEDS;
    const AS_FIELD: &'static FieldType = &FieldType {
        shape: T::AS_FIELD.shape.optional(),
        cel: T::AS_FIELD.cel,
        ..FieldType::opaque::<Self>()
    };

    fn schema() -> JsonSchemaProps {
        JsonSchemaProps { nullable: true, ..T::schema() }
    }

    fn schema_of_some() -> JsonSchemaProps {
        T::schema()
    }
}

/// Implements [`CrdSchema`] for types that serde writes as the one value that they hold.
macro_rules! transparent {
    ($($(#[$attr:meta])* [$($generics:tt)*] $ty:ty => $inner:ty;)*) => {$(
        $(#[$attr])*
        impl<$($generics)*> CrdSchema for $ty {
            const SHAPE: Shape = <$inner as CrdSchema>::SHAPE;
            const NEEDS: &'static Needs = <$inner as CrdSchema>::NEEDS;
            const AS_FIELD: &'static FieldType = <$inner as CrdSchema>::AS_FIELD;

            fn schema() -> JsonSchemaProps {
                <$inner as CrdSchema>::schema()
            }

            fn schema_of_some() -> JsonSchemaProps {
                <$inner as CrdSchema>::schema_of_some()
            }
        }
    )*};
}

transparent! {
    ['a, T: CrdSchema + ?Sized] &'a T => T;
    ['a, T: CrdSchema + ?Sized] &'a mut T => T;
    [T: CrdSchema + ?Sized] Box<T> => T;
    [T: CrdSchema + ?Sized] Rc<T> => T;
    [T: CrdSchema + ?Sized] Arc<T> => T;
    ['a, T: CrdSchema + ToOwned + ?Sized] Cow<'a, T> => T;
    [T: CrdSchema + ?Sized] Mutex<T> => T;
    [T: CrdSchema + ?Sized] RwLock<T> => T;
    [T: CrdSchema] Cell<T> => T;
    [T: CrdSchema + ?Sized] RefCell<T> => T;
    [T: CrdSchema] Reverse<T> => T;
    [T: CrdSchema] Wrapping<T> => T;
    [T: CrdSchema] Saturating<T> => T;
}

schema_of! {
    (): ShapeKind::Null => null();
}

impl<T: ?Sized> CrdSchema for PhantomData<T> {
    const SHAPE: Shape = Shape::of(ShapeKind::Null);
    const AS_FIELD: &'static FieldType = &FieldType::of::<Self>().declared(Declared::OPEN_OBJECT);

    fn schema() -> JsonSchemaProps {
        null()
    }
}

/// A structural schema has one schema for all items of a list, so only tuples with members of one type have a schema.
macro_rules! tuples {
    ($($len:literal => ($($member:ident),+);)*) => {$(
        impl<T: CrdSchema> CrdSchema for ($($member,)+) {
            const SHAPE: Shape =
                Shape::container(ShapeKind::List, &T::SHAPE).min_items($len).max_items($len);
            const NEEDS: &'static Needs = &Needs { parts: &[(ELEMENTS, T::NEEDS)], ..Needs::NONE };
            const AS_FIELD: &'static FieldType =
                &FieldType { shape: Self::SHAPE, ..FieldType::list::<Self, T>() };

            fn schema() -> JsonSchemaProps {
                tuple(T::schema(), $len)
            }
        }
    )*};
}

tuples! {
    1 => (T);
    2 => (T, T);
    3 => (T, T, T);
    4 => (T, T, T, T);
    5 => (T, T, T, T, T);
    6 => (T, T, T, T, T, T);
    7 => (T, T, T, T, T, T, T);
    8 => (T, T, T, T, T, T, T, T);
    9 => (T, T, T, T, T, T, T, T, T);
    10 => (T, T, T, T, T, T, T, T, T, T);
    11 => (T, T, T, T, T, T, T, T, T, T, T);
    12 => (T, T, T, T, T, T, T, T, T, T, T, T);
    13 => (T, T, T, T, T, T, T, T, T, T, T, T, T);
    14 => (T, T, T, T, T, T, T, T, T, T, T, T, T, T);
    15 => (T, T, T, T, T, T, T, T, T, T, T, T, T, T, T);
    16 => (T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T);
}

//! The names in derived code, which imports them all. They begin with `__`, so that they hide no name of the user's.

pub use core::line as __line;

pub use crd_cel::compile_time::{
    self as __cel, Examined as __Examined, Field as __Field, Needs as __Needs, Object as __Object,
    report_on as __report_on, rule as __rule,
};
pub use k8s_openapi as __k8s_openapi;
pub use schemars as __schemars;
pub use serde as __serde;

pub use super::check::{self as __check, ReadOf as __ReadOf, of_std as __of_std};
pub use super::{
    Derived as __Derived, JsonSchemaProps as __JsonSchemaProps, Missing as __Missing, Of as __Of,
    RootOf as __RootOf, Schema as __Schema,
};
pub use crate::__private as __p;
pub use crate::crd_schema::{
    self as __s, CrdSchema as __CrdSchema, Declared as __Declared, FieldShape as __FieldShape,
    FieldType as __FieldType, Fields as __Fields,
    FiniteOrMarkedRecursive as __FiniteOrMarkedRecursive, Shape as __Shape, Source as __Source,
};

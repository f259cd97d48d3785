//! CEL types as the checker sees them.

use std::fmt;
use std::sync::Arc;

/// A static type. Prints as cel-go prints it in error texts (`list(int)`, `optional_type(string)`).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[expect(missing_docs, reason = "each variant is the CEL type of that name")]
pub enum Type {
    /// Checked at run time.
    Dyn,
    /// The type of an expression that has been reported already.
    Error,
    Null,
    Bool,
    Int,
    Uint,
    Double,
    String,
    Bytes,
    Duration,
    Timestamp,
    /// `google.protobuf.Any`
    Any,
    List(Arc<Type>),
    Map(Arc<Type>, Arc<Type>),
    /// The type of a type.
    Type(Arc<Type>),
    /// `wrapper(int)`: a primitive or null.
    Wrapper(Arc<Type>),
    /// An object type: equal to types of the same name only.
    Object(Arc<str>),
    /// An abstract type such as `optional_type(T)` or `net.IP`.
    Opaque(Arc<str>, Arc<[Type]>),
    /// A type parameter or a type variable.
    Param(Arc<str>),
}

impl Type {
    /// `list(element)`
    pub fn list(element: Type) -> Self {
        Self::List(Arc::new(element))
    }

    /// `map(key, value)`
    pub fn map(key: Type, value: Type) -> Self {
        Self::Map(Arc::new(key), Arc::new(value))
    }

    /// `optional_type(inner)`
    pub fn optional(inner: Type) -> Self {
        Self::Opaque("optional_type".into(), [inner].into())
    }

    /// `type(inner)`
    pub fn type_of(inner: Type) -> Self {
        Self::Type(Arc::new(inner))
    }

    /// An abstract type without parameters.
    pub fn opaque(name: &str) -> Self {
        Self::Opaque(name.into(), [].into())
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dyn => f.write_str("dyn"),
            Self::Error => f.write_str("!error!"),
            Self::Null => f.write_str("null"),
            Self::Bool => f.write_str("bool"),
            Self::Int => f.write_str("int"),
            Self::Uint => f.write_str("uint"),
            Self::Double => f.write_str("double"),
            Self::String => f.write_str("string"),
            Self::Bytes => f.write_str("bytes"),
            Self::Duration => f.write_str("duration"),
            Self::Timestamp => f.write_str("timestamp"),
            Self::Any => f.write_str("any"),
            Self::List(element) => write!(f, "list({element})"),
            Self::Map(key, value) => write!(f, "map({key}, {value})"),
            Self::Type(inner) => write!(f, "type({inner})"),
            Self::Wrapper(inner) => write!(f, "wrapper({inner})"),
            Self::Object(name) | Self::Param(name) => f.write_str(name),
            Self::Opaque(name, params) => {
                f.write_str(name)?;
                for (i, param) in params.iter().enumerate() {
                    write!(f, "{}{param}", if i == 0 { "(" } else { ", " })?;
                }
                f.write_str(if params.is_empty() { "" } else { ")" })
            }
        }
    }
}

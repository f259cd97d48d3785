//! CEL types as the checker sees them.

use std::fmt::{self, Write as _};
use std::sync::Arc;

use crate::basic::{self, OPTIONAL};

/// A static type. Prints as cel-go prints it in error texts (`list(int)`, `optional_type(string)`).
///
/// Source: cel-go `common/types/types.go`, `Type`; `checker/format.go`, `FormatCELType`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[expect(missing_docs, reason = "each variant is the CEL type of that name")]
pub enum Type {
    /// Checked at run time.
    Dyn,
    /// The type of an expression with an error, which has been reported.
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
    /// `type(int)`: the type of the type `int`; `None` for `type` without a parameter.
    Type(Option<Arc<Type>>),
    /// `wrapper(int)`: a primitive or null.
    Wrapper(Arc<Type>),
    /// An object type: equal to types of the same name only.
    Object(Arc<str>),
    /// An abstract type such as `optional_type(T)` or `net.IP`.
    Opaque(Arc<str>, Arc<[Type]>),
    /// A type parameter by name, such as the `A` in `type(list(A))`, the type of the identifier `list`.
    Param(Arc<str>),
    /// A type variable. In a declaration, the number is that of a type parameter; in an expression, it
    /// is that of a variable created by the checker. The types of a checked expression contain none.
    Var(u32),
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
        Self::Opaque(OPTIONAL.into(), [inner].into())
    }

    /// `type(inner)`
    pub fn type_of(inner: Type) -> Self {
        Self::Type(Some(Arc::new(inner)))
    }

    /// An abstract type without parameters.
    pub fn opaque(name: &str) -> Self {
        Self::Opaque(name.into(), [].into())
    }

    /// An object type.
    pub fn object(name: &str) -> Self {
        Self::Object(name.into())
    }

    /// The type with a code of [`basic`].
    pub(crate) fn of_code(code: u8) -> Self {
        match code {
            basic::DYN => Self::Dyn,
            basic::NULL => Self::Null,
            basic::BOOL => Self::Bool,
            basic::INT => Self::Int,
            basic::UINT => Self::Uint,
            basic::DOUBLE => Self::Double,
            basic::STRING => Self::String,
            basic::BYTES => Self::Bytes,
            basic::DURATION => Self::Duration,
            basic::TIMESTAMP => Self::Timestamp,
            basic::IP | basic::CIDR => Self::opaque(basic::name(code)),
            basic::UNKNOWN | basic::FREE => Self::Error,
            _ => Self::object(basic::name(code)),
        }
    }

    /// The code of the type in [`basic`]; `None` for types with parts and those of libraries.
    pub(crate) fn code(&self) -> Option<u8> {
        Some(match self {
            Self::Dyn => basic::DYN,
            Self::Null => basic::NULL,
            Self::Bool => basic::BOOL,
            Self::Int => basic::INT,
            Self::Uint => basic::UINT,
            Self::Double => basic::DOUBLE,
            Self::String => basic::STRING,
            Self::Bytes => basic::BYTES,
            Self::Duration => basic::DURATION,
            Self::Timestamp => basic::TIMESTAMP,
            _ => return None,
        })
    }

    /// Whether the type is checked at run time only: `dyn` or `any`.
    pub fn is_dyn(&self) -> bool {
        matches!(self, Self::Dyn | Self::Any)
    }

    /// `T`, if the type is `optional_type(T)`.
    pub fn optional_inner(&self) -> Option<&Type> {
        match self {
            Self::Opaque(name, params) if &**name == OPTIONAL => params.first(),
            _ => None,
        }
    }

    /// The first type parameter: the `int` of `list(int)`, `map(int, string)` and `type(int)`.
    pub fn first_parameter(&self) -> Option<&Type> {
        match self {
            Self::List(inner) | Self::Map(inner, _) | Self::Type(Some(inner)) => Some(inner),
            Self::Opaque(_, params) => params.first(),
            _ => None,
        }
    }

    /// The name without parameters, as `type(x)` prints at run time (`list`, `null_type`,
    /// `google.protobuf.Duration`).
    ///
    /// Source: cel-go `common/types/types.go`, `Type.TypeName`.
    pub fn runtime_name(&self) -> &str {
        match self {
            Self::Dyn => "dyn",
            Self::Error => "error",
            Self::Null => "null_type",
            Self::Bool => "bool",
            Self::Int => "int",
            Self::Uint => "uint",
            Self::Double => "double",
            Self::String => "string",
            Self::Bytes => "bytes",
            Self::Duration => "google.protobuf.Duration",
            Self::Timestamp => "google.protobuf.Timestamp",
            Self::Any => "google.protobuf.Any",
            Self::List(_) => "list",
            Self::Map(..) => "map",
            Self::Type(_) => "type",
            Self::Wrapper(inner) => inner.runtime_name(),
            Self::Object(name) | Self::Opaque(name, _) | Self::Param(name) => name,
            Self::Var(_) => "_var",
        }
    }

    /// Whether two types are the same; a wrapper is the same as the type that it wraps.
    ///
    /// Source: cel-go `common/types/types.go`, `Type.IsExactType`.
    pub(crate) fn is_exactly(&self, other: &Type) -> bool {
        match (self, other) {
            (Self::Wrapper(a), Self::Wrapper(b))
            | (Self::List(a), Self::List(b))
            | (Self::Type(Some(a)), Self::Type(Some(b))) => is_exactly_shared(a, b),
            (Self::Wrapper(a), b) => (**a).is_exactly(b),
            (a, Self::Wrapper(b)) => a.is_exactly(b),
            (Self::Map(ak, av), Self::Map(bk, bv)) => {
                is_exactly_shared(ak, bk) && is_exactly_shared(av, bv)
            }
            (Self::Opaque(a, aps), Self::Opaque(b, bps)) => {
                a == b
                    && aps.len() == bps.len()
                    && aps.iter().zip(&**bps).all(|(a, b)| a.is_exactly(b))
            }
            (a, b) => a == b,
        }
    }
}

/// As [`Type::is_exactly`], for component types. Types can share components, so equal addresses
/// suffice.
fn is_exactly_shared(a: &Arc<Type>, b: &Arc<Type>) -> bool {
    Arc::ptr_eq(a, b) || a.is_exactly(b)
}

/// The longest text of a type in an error, in bytes.
const MOST_SHOWN: usize = 4096;

/// Prints a type in an error. A long text is cut: parts of a type can be shared, so its text can be
/// much longer than its representation in memory.
pub(crate) struct Shown<'t>(pub(crate) &'t Type);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = Short(String::new());
        let cut = write!(text, "{}", self.0).is_err();
        f.write_str(&text.0)?;
        f.write_str(if cut { "..." } else { "" })
    }
}

/// A text of at most [`MOST_SHOWN`] bytes.
struct Short(String);

impl fmt::Write for Short {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.0.len() + text.len() > MOST_SHOWN {
            return Err(fmt::Error);
        }
        self.0.push_str(text);
        Ok(())
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
            Self::Type(Some(inner)) => write!(f, "type({inner})"),
            Self::Type(None) => f.write_str("type"),
            Self::Wrapper(inner) => write!(f, "wrapper({inner})"),
            Self::Object(name) | Self::Param(name) => f.write_str(name),
            Self::Var(n) => write!(f, "_var{n}"),
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

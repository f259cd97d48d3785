//! Prints values as Go's `%v` does in error texts.

use std::fmt;

use super::{List, Map, Value};
use crate::gofmt;

impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // Upstream: CEL's null is an enum in Go, and prints as its number.
            Self::Null => f.write_str("0"),
            Self::Bool(b) => b.fmt(f),
            Self::Int(i) => i.fmt(f),
            Self::Uint(u) => u.fmt(f),
            Self::Double(d) => f.write_str(&gofmt::float_v(*d)),
            Self::String(text) | Self::Type(text) => f.write_str(text),
            Self::Bytes(bytes) => {
                f.write_str("[")?;
                for (i, byte) in bytes.iter().enumerate() {
                    write!(f, "{}{byte}", if i == 0 { "" } else { " " })?;
                }
                f.write_str("]")
            }
            Self::Duration(duration) => duration.fmt(f),
            Self::Timestamp(timestamp) => timestamp.fmt(f),
            Self::List(list) => list.fmt(f),
            Self::Map(map) => map.fmt(f),
            Self::Optional(Some(value)) => write!(f, "optional({value})"),
            Self::Optional(None) => f.write_str("optional.none()"),
            Self::Opaque(opaque) => f.write_str(opaque.type_name()),
            Self::Unknown(json) => json.fmt(f),
        }
    }
}

impl fmt::Display for List<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        for (i, element) in self.iter().enumerate() {
            f.write_str(if i == 0 { "" } else { ", " })?;
            match element {
                Ok(element) => element.fmt(f)?,
                Err(error) => error.fmt(f)?,
            }
        }
        f.write_str("]")
    }
}

impl fmt::Display for Map<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        for (i, key) in self.keys().iter().enumerate() {
            write!(f, "{}{key}: ", if i == 0 { "" } else { ", " })?;
            match self.get(key) {
                Ok(Some(value)) => value.fmt(f)?,
                Ok(None) => {}
                Err(error) => error.fmt(f)?,
            }
        }
        f.write_str("}")
    }
}

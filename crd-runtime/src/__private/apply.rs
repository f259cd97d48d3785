//! What the serde implementations of apply configurations call.

use serde::{Deserialize, Deserializer};

/// Reads a field that is there, where `null` says something: `Some(None)`.
///
/// # Errors
/// Those of the field's type.
pub fn some<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

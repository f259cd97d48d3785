//! Functions that the serde implementations of apply configurations call.

use serde::{Deserialize, Deserializer};

/// Deserializes a field that is present. If `T` is an `Option`, `null` becomes `Some(None)`, unlike an absent field.
///
/// # Errors
/// If `T` cannot be deserialized.
pub fn some<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

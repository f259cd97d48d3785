//! The response to a request, before it is encoded.

use std::sync::Arc;

use http::StatusCode;
use serde_json::Value;

use super::call::Call;
use super::kind::ServedKind;
use super::media::{Accepted, ResponseFormat};
use super::store::Content;
use super::watch::Watch;

/// A response.
#[derive(Debug)]
pub(super) enum Reply {
    /// An object or a list, which is transformed and encoded as the client accepts it.
    Object {
        code: StatusCode,
        kind: Arc<ServedKind>,
        accepted: Accepted,
        /// The query parameter `includeObject`, for tables.
        include: String,
        value: Content,
    },
    /// A value that is not transformed, such as a `Status`.
    Value {
        code: StatusCode,
        format: ResponseFormat,
        value: Value,
    },
    /// Bytes, such as an OpenAPI document; with an `ETag` if clients may cache them.
    Document {
        media_type: &'static str,
        body: Vec<u8>,
        etag: Option<String>,
    },
    Watch(Box<Watch>),
}

impl Reply {
    pub(super) fn object(
        code: StatusCode,
        call: &Call<'_>,
        accepted: Accepted,
        value: impl Into<Content>,
    ) -> Self {
        let include = call.query.text("includeObject").to_owned();
        let (kind, value) = (Arc::clone(&call.kind), value.into());
        Self::Object { code, kind, accepted, include, value }
    }

    pub(super) fn value(code: StatusCode, accepted: &Accepted, value: Value) -> Self {
        Self::Value { code, format: accepted.format, value }
    }
}

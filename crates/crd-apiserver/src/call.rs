//! A request for a resource, with its path and its query parsed.

use std::sync::Arc;

use crd_cel::gofmt;
use http::{Request, header};

use super::failure::Answer;
use super::kind::{ServedKind, Strategy};
use super::media;
use super::query::Query;
use super::target::{Part, ResourcePath};
use super::user::User;

/// A request for a resource, whose kind is served.
pub(super) struct Call<'a> {
    pub(super) kind: Arc<ServedKind>,
    pub(super) path: &'a ResourcePath,
    pub(super) part: Part,
    pub(super) query: Query,
    pub(super) request: &'a Request<Vec<u8>>,
    pub(super) user: Arc<User>,
    /// Whether nothing is stored. The verb sets this when it has parsed its options.
    pub(super) dry_run: bool,
    /// Whether a webhook or policy has changed the object.
    pub(super) is_mutated: bool,
    /// The name of the object that is created, before a webhook has changed it.
    pub(super) requested_name: String,
    /// The warnings for the client.
    pub(super) warnings: &'a mut Vec<String>,
}

impl Call<'_> {
    pub(super) fn header(&self, name: header::HeaderName) -> &str {
        self.request.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// Returns the namespace of the request; empty for cluster-scoped kinds.
    pub(super) fn namespace(&self) -> &str {
        if self.kind.namespaced { &self.path.namespace } else { "" }
    }

    /// Returns the field manager of a write: `given`, or if that is empty, the printable characters of the `User-Agent`
    /// up to the first `/`, at most 128 bytes, or `unknown` if there are none. Source: `managerOrUserAgent`.
    pub(super) fn manager(&self, given: &str) -> String {
        if !given.is_empty() {
            return given.to_owned();
        }
        let agent = self.request.headers().get(header::USER_AGENT);
        let agent = agent.map(header::HeaderValue::as_bytes).unwrap_or_default();
        // Go reads each byte that is not UTF-8 as a replacement character.
        let chars = agent.utf8_chunks().flat_map(|chunk| {
            let invalid = chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER);
            chunk.valid().chars().chain(invalid)
        });
        let mut name = String::new();
        for c in chars.take_while(|c| *c != '/').filter(|c| gofmt::is_print(*c)) {
            if name.len() + c.len_utf8() > 128 {
                break;
            }
            name.push(c);
        }
        // Source: `buildManagerInfo` of apimachinery's `pkg/util/managedfields/internal/buildmanagerinfo.go`.
        if name.is_empty() { "unknown".to_owned() } else { name }
    }

    /// Returns the format and the transformation, such as a table, that the client accepts.
    ///
    /// # Errors
    /// Status 406 if the server supports none of the accepted types.
    pub(super) fn accepted(&self) -> Answer<media::Accepted> {
        // Upstream: the status of a definition cannot be requested as a table.
        let has_table =
            self.part != Part::Status || !matches!(self.kind.strategy, Strategy::Definition);
        let allows: media::TransformFilter = if has_table {
            media::allows_of_objects
        } else {
            media::allows_of_objects_without_columns
        };
        media::negotiate(self.header(header::ACCEPT), allows)
    }
}

//! Keys in the paths of JSON patches, for mutating admission policies.
//!
//! Source: `k8s.io/apiserver/pkg/cel/library/jsonpatch.go`.

#[cfg(feature = "eval")]
pub(super) mod calls;

use super::row::{Row, rows};

pub(super) const OVERLOADS: &[Row] = rows! {
    "jsonpatch.escapeKey": fn "string_jsonpatch_escapeKey_string" (string) -> string
        => Binding::new(escape_key);
};

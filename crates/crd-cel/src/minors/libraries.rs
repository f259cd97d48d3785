//! The presence of libraries and macros that not all known servers have, for declarations, macros
//! and the checks of the derives.
//!
//! Source: `k8s.io/apiserver/pkg/cel/environment/base.go`, `baseOpts`, of each minor.

#![cfg_attr(
    not(any(feature = "eval", feature = "compile-time")),
    allow(dead_code, reason = "a build of only the parser uses only the macros")
)]

use super::Presence;

/// `ip` and `cidr`.
pub(crate) const ADDRESSES: Presence = Presence::introduced_in(30);
/// `format.dns1123Label` and the other formats.
pub(crate) const FORMATS: Presence = Presence::introduced_in(31);
/// A field whose name is a keyword, selected by the keyword (`self.namespace`).
///
/// Source: cel-go's identifiers and `k8s.io/apiserver/pkg/cel/types.go`, which asks the
/// environment.
pub(crate) const ESCAPED_KEYWORDS: Presence = Presence::introduced_in(31);
/// `fieldSelector` and `labelSelector` of the authorizer.
pub(crate) const SELECTORS: Presence = Presence::built_since(32);
/// Comprehensions of two variables.
pub(crate) const TWO_VARIABLES: Presence = Presence::introduced_in(32);
/// `first`, `last`, `optional.unwrap` and `unwrapOpt`, which come with cel-go.
pub(crate) const OPTIONALS_OF_LISTS: Presence = Presence::built_since(33);
/// `semver`.
pub(crate) const VERSIONS: Presence = Presence::introduced_in(33);
/// cel-go's extended lists.
pub(crate) const EXTENDED_LISTS: Presence = Presence::introduced_in(34);

//! `x-kubernetes-validations`: rules compiled, estimated, and checked as the server checks them when a
//! CRD is written. They are evaluated elsewhere ([`crate::rules`]).
//!
//! A schema becomes a declaration of CEL types and sizes (`declare`), each rule a
//! program with a worst-case cost, all rules of a schema a tree beside it.

mod bounds;
#[cfg(feature = "cli")]
mod changes;
mod check;
mod compile;
mod cost;
mod declare;
mod field_path;
mod report;
mod tree;
mod walk;

use std::sync::Arc;

use crd_cel::decl::Decl;
use crd_cel::kubernetes::KubernetesVersion;

use crate::schema::Structural;

pub use bounds::Bound;
#[cfg(feature = "cli")]
pub(crate) use changes::changed_rules;
pub(crate) use check::check_rules_into;
pub use check::{Options, check_rules};
pub(crate) use compile::{Message, OLD_SELF, Rule, SELF, Stored, StoredTexts};
pub use cost::{RULE_COST_LIMIT, SCHEMA_COST_LIMIT};
pub use report::{RuleReport, estimate, estimate_on, report, report_on};
pub(crate) use tree::{RuleNode, RuleTree};

/// What rules see of the values of a schema: their CEL type and sizes; `None` if they see nothing.
///
/// `resource`: the schema is the root of a resource.
///
/// Source: `k8s.io/apiserver/pkg/cel/common/schemas.go`, `SchemaDeclType`.
#[must_use]
pub fn declared(schema: &Structural, resource: bool) -> Option<Arc<Decl>> {
    let kubernetes = KubernetesVersion::REFERENCE;
    let declared = declare::Typed { schema, resource, kubernetes }.declare();
    declared.exposed.then_some(declared.decl)
}

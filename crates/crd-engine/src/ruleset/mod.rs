//! Compiles the rules of `x-kubernetes-validations`, estimates their costs, and checks them as the server does when a
//! CRD is written. [`crate::rules`] evaluates them.
//!
//! `declare` derives CEL types with sizes from a schema, `compile` compiles its rules to programs with worst-case
//! costs, and `tree` has the programs in the shape of the schema.

mod bounds;
mod changes;
mod check;
mod compile;
mod cost;
mod declare;
mod field_path;
mod implicit;
mod report;
mod tree;
mod walk;

use std::sync::Arc;

use crd_cel::decl::Decl;
use crd_cel::kubernetes::KubernetesVersion;

use crate::schema::Structural;

pub use bounds::Bound;
pub use changes::{ChangedRule, Effect, changed_rules};
pub(crate) use check::check_rules_into;
pub use check::{Options, check_rules};
pub(crate) use compile::{
    CompiledRule, MessageExpression, OLD_SELF, SELF, StoredExpressions, StoredTexts,
};
pub use cost::{RULE_COST_LIMIT, SCHEMA_COST_LIMIT};
pub use report::{RuleReport, estimate, report, report_within};
pub(crate) use tree::{RuleNode, RuleTree};

/// The CEL type of the values of a schema, with their sizes; `None` if CEL has no type for them.
///
/// If `resource` is true, the schema is the root of a resource.
///
/// Source: `k8s.io/apiserver/pkg/cel/common/schemas.go`, `SchemaDeclType`.
#[must_use]
pub fn declared(schema: &Structural, resource: bool) -> Option<Arc<Decl>> {
    let kubernetes = KubernetesVersion::REFERENCE;
    let declared = declare::TypedSchema { schema, resource, kubernetes }.declare();
    declared.exposed.then_some(declared.decl)
}

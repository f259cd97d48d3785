//! Validates expressions that passed the type checker: reports literal arguments with which a call
//! always fails, and list and map literals whose elements have different types.
//!
//! Source: cel-go `cel/validator.go`, `ext/formatting.go`; the order is that of
//! `k8s.io/apiserver/pkg/cel/environment/base.go`.

mod format_string;
mod literal;
#[cfg(test)]
mod tests;
mod uniform;
mod walk;

use std::fmt;
use std::sync::Arc;

use crate::checked::Checked;
use crate::minors::{Change, KubernetesVersion};
use crate::syntax::{ExprId, Issues};

/// Returns the issues of all validators.
pub(crate) fn validate(checked: &Checked, version: KubernetesVersion) -> Issues {
    let issues = Issues::new(Arc::clone(&checked.ast.source));
    let mut validation = Validation { checked, version, issues };
    uniform::lists(&mut validation);
    uniform::maps(&mut validation);
    literal::conversions(&mut validation, "duration");
    literal::conversions(&mut validation, "timestamp");
    literal::regexes(&mut validation);
    if version.has(Change::CheckedFormatStrings) {
        format_string::calls(&mut validation);
    }
    validation.issues
}

/// The expression, and the issues found in it.
struct Validation<'a> {
    checked: &'a Checked,
    version: KubernetesVersion,
    issues: Issues,
}

impl Validation<'_> {
    fn report(&mut self, id: ExprId, message: impl fmt::Display) {
        let position = self.checked.ast.positions.get(id as usize).copied().flatten();
        self.issues.report_at(position, message);
    }
}

//! Rules, as the derives emit them.

use crate::model::ValidationRule;

/// A member of `x-kubernetes-validations`.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// The expression.
    pub rule: &'static str,
    /// The error message if it is false.
    pub message: &'static str,
    /// The expression that returns the message.
    pub message_expression: &'static str,
    /// The reason of the error.
    pub reason: Option<&'static str>,
    /// The path at which the error is reported.
    pub field_path: &'static str,
    /// Whether `oldSelf` is a CEL optional.
    pub optional_old_self: Option<bool>,
}

impl Rule {
    /// A rule without any key.
    pub const NONE: Self = Self {
        rule: "",
        message: "",
        message_expression: "",
        reason: None,
        field_path: "",
        optional_old_self: None,
    };

    pub(crate) fn build(self) -> ValidationRule {
        ValidationRule {
            rule: self.rule.to_owned(),
            message: self.message.to_owned(),
            message_expression: self.message_expression.to_owned(),
            reason: self.reason.map(str::to_owned),
            field_path: self.field_path.to_owned(),
            optional_old_self: self.optional_old_self,
        }
    }
}
